"""CP-SAT: its options, its notes, and what is said about a search."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from latcover.backends import cpsat, create
from latcover.backends.relay import Outbox
from latcover.core.cover.backend import collect
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.errors import UnsupportedError
from latcover.system.machine import available_processors
from tests.oracle import cover_problem, covers
from tests.processes import GUARD
from tests.relays import interrupted_when_ready

BOUNDS = cover_problem(
    [[0, 1], [0, 2], [0, 1, 2], [0], [0, 1], [1, 2], [0, 2], [1], [0, 1], [3]],
    [(2, 2), (0, 2), (1, 3), (0, 0)],
)
SIDE = 16
ENDLESS = cover_problem(  # dominoes on a board
    sorted(
        [[SIDE * r + c, SIDE * r + c + 1] for r in range(SIDE) for c in range(SIDE - 1)]
        + [[SIDE * r + c, SIDE * r + c + SIDE] for r in range(SIDE - 1) for c in range(SIDE)]
    ),
    [(1, 1)] * SIDE * SIDE,
)


def ignore(_: Batch) -> bool:
    return True


@pytest.mark.parametrize("options", [{}, {"presolve": False}, {"seed": 7}, {"linearization_level": 2}])
def test_options_do_not_change_the_covers(options: dict[str, object]) -> None:
    assert sorted(collect(create("cpsat", **options), BOUNDS)) == sorted(covers(BOUNDS))


@pytest.mark.parametrize(
    ("option", "value"),
    [("threads", 0), ("threads", -1), ("threads", 2**31), ("seed", -1), ("seed", 2**31), ("linearization_level", 3)],
)
def test_options_out_of_range_are_refused(option: str, value: int) -> None:
    with pytest.raises(UnsupportedError, match=f"{option} must be from . to .*, not {value}"):
        create("cpsat", **{option: value})


def test_more_threads_look_for_a_single_cover_only() -> None:
    backend = create("cpsat", threads=2)
    outcome = backend.search(SearchTask(BOUNDS, ignore, Limits(covers=1)))
    assert outcome.stop is Stop.SOLUTION_LIMIT
    assert outcome.notes == ()
    assert outcome.figures.native["workers"] == 2

    for limits, expected in ((Limits(), len(covers(BOUNDS))), (Limits(covers=2), 2)):
        outcome = backend.search(SearchTask(BOUNDS, ignore, limits))
        assert outcome.figures.covers == expected
        assert outcome.figures.native["workers"] == 1
        (note,) = outcome.notes
        assert "1 thread instead of 2" in note

    assert create("cpsat", threads=1).search(SearchTask(BOUNDS, ignore)).notes == ()
    assert (
        create("cpsat").search(SearchTask(BOUNDS, ignore, Limits(covers=1))).figures.native["workers"]
        == available_processors()
    )


def test_log_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    create("cpsat", log=True).search(SearchTask(BOUNDS, ignore))
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "CpSolverResponse" in captured.err
    create("cpsat").search(SearchTask(BOUNDS, ignore))
    assert capfd.readouterr() == ("", "")


def test_figures_of_its_own() -> None:
    statistics = create("cpsat").search(SearchTask(BOUNDS, ignore)).figures
    native = statistics.native
    assert native["status"] == "OPTIMAL"
    assert native["variables"] == 10
    assert native["constraints"] == 4  # three items with bounds that bind, and the option that no cover has
    assert {"conflicts", "branches", "propagations", "restarts"} <= set(native)
    assert (statistics.branches, statistics.deepest, statistics.dead_ends) == (None, None, None)
    assert statistics.branches_by_level == ()


def test_no_cover_is_a_result() -> None:
    outcome = create("cpsat").search(SearchTask(cover_problem([[0]], [(2, 2)]), ignore))
    assert outcome.stop is Stop.EXHAUSTED
    assert outcome.figures.native["status"] == "INFEASIBLE"


def test_ctrl_c_ends_a_search() -> None:
    with interrupted_when_ready(), pytest.raises(KeyboardInterrupt):
        create("cpsat").search(SearchTask(ENDLESS, ignore, Limits(seconds=GUARD)))


class FakeCallback:
    """In place of CP-SAT's own."""

    response_proto = SimpleNamespace(solution=[0, 1, 1])
    stopped = 0

    def stop_search(self) -> None:
        self.stopped += 1


def callback(outbox: Outbox) -> Any:
    problem = cover_problem([[0], [0], [0]], [(1, 3)])
    return cpsat._callback(
        cast(Any, SimpleNamespace(CpSolverSolutionCallback=FakeCallback)), cpsat._Receiver(outbox, problem, None)
    )


def test_a_solution_that_comes_again_is_dropped() -> None:
    outbox = Outbox()
    made = callback(outbox)
    made.on_solution_callback()
    made.on_solution_callback()
    made.response_proto = SimpleNamespace(solution=[0, 1, 0])
    made.on_solution_callback()
    received = [outbox.take(0), outbox.take(0), outbox.take(0)]
    assert [cast(Any, cover).tolist() for cover in received[:2]] == [[1, 2], [1]]
    assert received[2] is None
    assert not made.stopped


def test_what_goes_wrong_in_the_callback_stops_the_solver_and_is_kept() -> None:
    made = callback(Outbox())
    made.response_proto = None
    made.on_solution_callback()
    assert isinstance(made.error, AttributeError)
    assert made.stopped == 1


def test_a_closed_outbox_stops_the_solver() -> None:
    outbox = Outbox()
    outbox.closed = True
    made = callback(outbox)
    made.on_solution_callback()
    assert made.stopped == 1
