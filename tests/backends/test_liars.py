"""SAT solvers and optimizers that lie: a wrong model ends the search, and a false zero is contradicted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import latcover
from latcover.backends import optimizing, sat_enumeration
from latcover.backends.sat_solvers import make
from latcover.errors import BackendFailedError
from tests.small_problems import DOMINO, board

SQUARE = board(2, 2, DOMINO)  # two solutions


class Liar:
    """A solver of python-sat that changes what it says."""

    def __init__(self, solver: Any, lie: Callable[[list[int]], list[int]] | None) -> None:
        self._solver, self._lie = solver, lie

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def solve_limited(self, **words: Any) -> bool:
        if self._lie is None:
            return False
        self._solver.solve_limited(**words)
        return True  # also when no model is left

    def get_model(self) -> list[int]:
        assert self._lie is not None
        return self._lie(self._solver.get_model() or self._last)

    _last: list[int] = []  # noqa: RUF012


LIES: dict[str, tuple[Callable[[list[int]], list[int]] | None, str]] = {
    "nothing chosen": (lambda model: [-abs(x) for x in model], "a model that is not a solution"),
    "all chosen": (lambda model: [abs(x) for x in model], "a model that is not a solution"),
    "half a model": (lambda model: model[:1], "does not give all of it"),
    "always the same": (lambda _: [1, 2, -3, -4, 5], "came before"),
    "no solution": (None, "says that there is no solution, but there is one"),
}


@pytest.mark.parametrize("what", LIES)
def test_a_solver_that_lies_is_named(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lie, said = LIES[what]
    monkeypatch.setattr(sat_enumeration, "make", lambda *words, **more: Liar(make(*words, **more), lie))
    asked = latcover.CountRequest(backend="sat", options={"solver": "maplesat"}, symmetry="none")
    with pytest.raises(BackendFailedError, match=f"SAT solver 'maplesat' .*{said}"):
        latcover.count(SQUARE, asked)


@pytest.mark.parametrize(
    ("answer", "said"), [([-1, -2, -3, -4], "not a solution"), (None, "there is one"), ([1, 2, -3, -4], "not 2")]
)
def test_an_optimizer_that_lies_is_named(answer: list[int] | None, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Rc2:
        cost = 1

        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        __enter__ = lambda self: self  # noqa: E731
        __exit__ = interrupt = add_clause = lambda self, *_: None

        def compute(self, **_: Any) -> list[int] | None:
            return answer

    monkeypatch.setattr("pysat.examples.rc2.RC2", Rc2)
    with pytest.raises(BackendFailedError, match=f"(MaxSAT solver RC2|SAT solver) .*{said}"):
        latcover.best(SQUARE, latcover.BestRequest(objective="parts", backend="sat", symmetry="none"))
    assert optimizing.RC2_IN_WORDS == "the MaxSAT solver RC2"
