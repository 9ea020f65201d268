"""A cover problem whose items have names."""

from __future__ import annotations

import pytest

from latcover.core.cover.named_problem import NamedProblem
from latcover.errors import PuzzleError
from tests.oracle import cover_problem


def test_an_option_holds_an_item() -> None:
    problem = cover_problem([[0], [], [0]], [(1, 1)])
    with pytest.raises(PuzzleError, match="option 2 holds no item, and so is no option"):
        NamedProblem("x", problem, ("a",))


@pytest.mark.parametrize("items", [(), ("a",), ("a", "a"), ("a", "b", "c")])
def test_each_item_has_a_name_of_its_own(items: tuple[str, ...]) -> None:
    with pytest.raises(PuzzleError, match="its own name"):
        NamedProblem("x", cover_problem([[0, 1]], [(1, 1)] * 2), items)
