"""All backends find the same: on random problems, and on every shipped puzzle that they finish in time.

Random puzzles are asked of them by test_fuzz.py.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from latcover.backends import create
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, collect
from latcover.encoding.prepared import prepare
from latcover.formats.library import load_all, names
from latcover.model.puzzle import Puzzle
from latcover.solving.run import run
from tests.oracle import cover_problems

BACKENDS = ("dlx", "backtrack", "bitset", "cpsat", "sat")
SMALL = {"sat": {"solver": "maplesat"}}  # on small problems: it needs no process of its own
SHIPPED = [puzzle for name in names("instances") for puzzle in load_all(name)]
SHORT, LONG = 0.2, 60.0  # seconds that a backend may take for a shipped puzzle


def assert_all_find_the_same(problem: CoverProblem) -> None:
    first, *others = [sorted(collect(create(name, **SMALL.get(name, {})), problem)) for name in BACKENDS]
    for other in others:
        assert other == first


@settings(max_examples=500)
@given(problem=cover_problems())
def test_random_problems(problem: CoverProblem) -> None:
    assert_all_find_the_same(problem)


@pytest.mark.parametrize("seconds", [SHORT, pytest.param(LONG, marks=pytest.mark.long)])
@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: puzzle.name)
def test_shipped_puzzles(puzzle: Puzzle, seconds: float) -> None:
    prepared = prepare(puzzle)
    found = {name: run(prepared, create(name), Limits(seconds=seconds)) for name in BACKENDS}
    complete = {name: answer for name, answer in found.items() if answer.complete}
    assert len({(answer.different, answer.total, answer.digest) for answer in complete.values()}) <= 1
    most = max((answer.different for answer in complete.values()), default=None)
    assert most is None or all(answer.different <= most for answer in found.values())
