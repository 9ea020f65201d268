"""What foreign backends and counters do wrong is said with their names, whatever they are asked."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.core.cover.backend import Backend
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.cover_costs import Optima
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Batch, SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.solving import cover_checks, guard
from latcover.errors import BackendFailedError
from latcover.lab.asking.packings import packing_of
from tests.small_problems import DOMINO, HOPELESS, board, dominoes, without_corners

PUZZLE = packing_of(board(2, 2, DOMINO))
FIRST = np.array([0], np.int32)


class Foreign(Backend, frozen=True):
    """Does what it is made to do."""

    act: Callable[[SearchTask], Any]
    name = "foreign"

    def search(self, task: SearchTask) -> SearchResult:
        answer = self.act(task)
        return answer if answer is not None else SearchResult(Stop.EXHAUSTED)


def hands_over(batch: Any) -> Callable[[SearchTask], None]:
    return lambda task: task.on_covers(batch) and None


WRONG: dict[str, Callable[[SearchTask], Any]] = {
    "broken starts": hands_over(Batch(np.array([0.0, 0.5]), FIRST)),
    "starts in rows": hands_over(Batch(np.array([[0, 1]]), FIRST)),
    "starts that are not an array": hands_over(Batch(None, FIRST)),  # type: ignore[arg-type]
    "starts of text": hands_over(Batch(np.array(["0", "1"]), FIRST)),
    "no starts": hands_over(Batch(np.array([], np.int64), FIRST)),
    "options of text": hands_over(Batch(np.array([0, 1]), np.array(["0"]))),
    "options in rows": hands_over(Batch(np.array([0, 1]), np.array([[0]]))),
    "options of objects": hands_over(Batch(np.array([0, 1]), np.array([None]))),
    "options that no number holds": hands_over(Batch(np.array([0, 1]), np.array([1 << 40]))),
    "no batch": hands_over(([0, 1], [0])),
    "no result": lambda _: 5,
    "a result without a reason": lambda _: SearchResult("done"),  # type: ignore[arg-type]
    "a result with text for a number": lambda _: SearchResult(Stop.EXHAUSTED, SearchFigures("many")),  # type: ignore[arg-type]
    "a result without figures": lambda _: SearchResult(Stop.EXHAUSTED, None),  # type: ignore[arg-type]
    "an argument that it has not": lambda _: SearchResult(Stop.IMPOSSIBLE),
}
ASKED: dict[str, Callable[[Backend], Any]] = {
    "solve": lambda solver: latcover.solve(PUZZLE, solver=solver),
    "count": lambda solver: latcover.count(PUZZLE, latcover.CountRequest(method="enumeration"), solver=solver),
    "solutions": lambda solver: list(latcover.solutions(PUZZLE, solver)),
    "best": lambda solver: latcover.best(PUZZLE, latcover.BestRequest(objective="cells"), solver=solver),
    "best of whole solutions": lambda solver: latcover.best(
        PUZZLE, latcover.BestRequest(objective="symmetry"), solver=solver
    ),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("wrong", WRONG)
def test_arrays_and_results_of_wrong_kinds(wrong: str, asked: str) -> None:
    with pytest.raises(BackendFailedError, match="backend 'foreign'"):
        ASKED[asked](Foreign(WRONG[wrong]))


def test_numbers_of_another_width_are_taken() -> None:
    (option,) = prepare(board(1, 2, DOMINO), Choices("none")).option_placement
    assert option == 0
    wide = Foreign(hands_over(Batch([0, 1], np.array([0], np.uint64))))  # type: ignore[arg-type]
    assert latcover.count(board(1, 2, DOMINO), latcover.CountRequest(method="enumeration"), solver=wide).total == 1


def test_prices_pass_the_same_checks() -> None:
    """A backend that optimizes hands covers to the bar itself, and tells it bounds."""
    wanted = latcover.BestRequest(objective="cells")
    with pytest.raises(BackendFailedError, match="not a cover"):
        latcover.best(
            board(1, 4, DOMINO),
            wanted,
            solver=Foreign(lambda task: task.bar and task.bar.take(Batch(np.array([0, 1]), FIRST)) and None),
        )
    with pytest.raises(BackendFailedError, match="'cheap', which is not a whole number"):
        latcover.best(PUZZLE, wanted, solver=Foreign(lambda task: task.bar and task.bar.note("cheap")))  # type: ignore[arg-type]


class Counting(Foreign, frozen=True):
    counted: Any

    def optima(self, task: SearchTask) -> Optima | None:
        if isinstance(self.counted, Exception):
            raise self.counted
        return self.counted  # type: ignore[no-any-return]


@pytest.mark.parametrize("counted", [5, Optima("1", 2), ValueError("no licence")])  # type: ignore[arg-type]
def test_numbers_of_optima_of_wrong_kinds(counted: Any) -> None:
    solver = Counting(hands_over(Batch(np.array([0, 0]), np.array([], np.int32))), counted)
    with pytest.raises(BackendFailedError, match="backend 'foreign'"):
        latcover.best(PUZZLE, latcover.BestRequest(objective="cells"), solver=solver)


def test_covers_that_come_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that the backend leaves behind finds a cover: the answer before was not whole."""
    monkeypatch.setattr(cover_checks, "PATIENCE", 60.0)  # it waits no longer than the thread lives

    class Searching:
        pass

    def act(task: SearchTask) -> None:
        searching = Searching()
        searches = weakref.ref(searching)

        def later() -> None:
            while searches() is not None:
                time.sleep(0.001)
            time.sleep(0.01)
            with contextlib.suppress(BackendFailedError):
                task.on_covers(Batch(np.array([0, 0]), np.array([], np.int32)))

        threading.Thread(target=later, daemon=True).start()

    with pytest.raises(BackendFailedError, match="after it had returned"):
        latcover.solve(PUZZLE, solver=Foreign(act))


def test_covers_that_come_after_all_is_said() -> None:
    tasks: list[SearchTask] = []
    prepared = prepare(PUZZLE, Choices("none"))
    noted = Foreign(lambda task: tasks.append(task) or SearchResult(Stop.CANCELLED))  # type: ignore[func-returns-value]
    guard.search(noted, SearchTask(prepared.problem, lambda _: True))
    with pytest.raises(BackendFailedError, match="after it had returned"):
        tasks[0].on_covers(Batch(np.array([0, 0]), np.array([], np.int32)))


def test_a_zero_that_is_false_is_contradicted_and_one_that_is_not_checked_says_so() -> None:
    """What latcover's own search finds out in 20,000 branches is checked; for the rest the answer names its source."""
    says_none = Foreign(lambda _: None)
    with pytest.raises(BackendFailedError, match="backend 'foreign' says that there is no solution, but there is one"):
        latcover.solve(board(2, 2, DOMINO), solver=says_none)
    with pytest.raises(BackendFailedError, match="but there is one"):
        latcover.best(board(2, 2, DOMINO), latcover.BestRequest(objective="parts"), solver=says_none)
    assert guard.search(says_none, SearchTask(without_corners(dominoes(4, 4)), lambda _: True)).notes == ()
    unchecked = guard.search(says_none, SearchTask(HOPELESS, lambda _: True))
    assert "rests on backend 'foreign' alone" in unchecked.notes[0]


class Tally(Counter, frozen=True):
    act: Callable[[], Any]
    name = "tally"

    def count(self, task: CountTask) -> SearchResult:
        return self.act()  # type: ignore[no-any-return]


@pytest.mark.parametrize("answer", [5, SearchResult(Stop.EXHAUSTED, SearchFigures(-1)), ZeroDivisionError("division")])
def test_counts_of_wrong_kinds(answer: Any) -> None:
    def act() -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(BackendFailedError, match="counter 'tally'"):
        guard.guarded(Tally(act)).count(CountTask(prepare(PUZZLE).problem))
