"""SAT solvers: every one in this build with every encoding, what does not go together, and processes that break."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pycard  # type: ignore[import-not-found,import-untyped,unused-ignore]
import pytest

from latcover.backends import create, sat_process, sat_solvers
from latcover.backends.sat import Sat
from latcover.backends.sat_enumeration import EncodedProblem, Enumeration, EnumerationHooks
from latcover.core.cover.backend import collect
from latcover.core.cover.clauses import AUTO, NATIVE, Encoder, encodings
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.errors import BackendFailedError, BackendUnavailableError, UnsupportedError
from latcover.files.formats.library import load
from latcover.system.child_process import child
from tests.dice import cases
from tests.oracle import Cover, any_problem, cover_problem, covers
from tests.processes import GUARD, is_running, needs_proc, wait_until
from tests.relays import interrupted_when_ready
from tests.shipped import rest_long
from tests.small_problems import pigeons

OWN_PROCESS = "cadical153"

SOLVERS = list(sat_solvers.aliases())
IN_THIS_BUILD = [name for name in SOLVERS if not sat_solvers.why_missing(name)]


HOPELESS = pigeons(16)
PROBLEMS = {
    "bounds of every kind": cover_problem(
        [[0, 1], [0, 2], [0, 1, 2], [0], [0, 1], [1, 2], [0, 2], [1], [0, 1]], [(2, 2), (0, 2), (1, 3)]
    ),
    "one of many": cover_problem(
        [[0, 1], [0], [0, 2], [0, 1], [0], [0, 1, 2], [0, 2], [0], [1]], [(1, 1), (0, 1), (0, 2)]
    ),
    "covers within covers": cover_problem([[0], [0, 1], [1], [0, 1], [1], [0], []], [(0, 2), (1, 3)]),
    "loose options beside tight ones": cover_problem(
        [[0], [0, 1], [1], [1], [0], [1, 2], [2]], [(1, 1), (0, 2), (0, 1)]
    ),
    "nearly all": cover_problem([[0], [0, 1], [0, 1], [0, 1], [0], [1]], [(5, 6), (2, 3)]),
    "all or none": cover_problem([[0], [0], [0, 1], [2], [1]], [(3, 3), (1, 9), (0, 0)]),
    "too few": cover_problem([[0], [0]], [(3, 4)]),
    "no option": cover_problem([], [(0, 1)]),
}


def found_by(task: EncodedProblem) -> list[Cover]:
    """What the enumeration finds in this very thread: any solver can do that."""
    found: list[Cover] = []

    def put(cover: np.ndarray[Any, np.dtype[np.int32]]) -> bool:
        found.append(tuple(cover.tolist()))
        return len(found) <= 2**task.problem.n_options

    enumeration = Enumeration(task)
    assert enumeration.run(EnumerationHooks(lambda solver: solver.solve(), put, lambda: None, lambda: False))
    enumeration.delete()
    return found


def ignore(_: Batch) -> bool:
    return True


@pytest.mark.parametrize("solver", IN_THIS_BUILD)
def test_every_solver_with_every_encoding(solver: str, request: pytest.FixtureRequest) -> None:
    """All of them with --long; else each solver with three of the encodings, each encoding with several solvers."""
    known = [encoding for encoding in encodings() if encoding != NATIVE or solver in sat_solvers.CARDINALITY]
    at = IN_THIS_BUILD.index(solver)
    some = known if request.config.getoption("--long") else [known[(at + step) % len(known)] for step in (0, 3, 6)]
    for encoding, problem in product(some, PROBLEMS.values()):
        found = found_by(EncodedProblem(problem, solver, encoding))
        assert len(found) == len(set(found)), encoding
        assert set(found) == covers(problem), encoding


@pytest.mark.parametrize("encoding", encodings())
def test_every_encoding_against_brute_force(encoding: str) -> None:
    @cases(20, problem=any_problem)
    def compare(problem: CoverProblem) -> None:
        found = found_by(EncodedProblem(problem, "minicard", encoding))
        assert sorted(found) == sorted(covers(problem))

    compare()


@pytest.mark.parametrize("solver", rest_long(IN_THIS_BUILD, [*IN_THIS_BUILD[::4], OWN_PROCESS, "minicard"]))
def test_every_solver_behind_the_backend(solver: str) -> None:
    problem = PROBLEMS["bounds of every kind"]
    assert sorted(collect(create("sat", solver=solver), problem)) == sorted(covers(problem))


@pytest.mark.parametrize("solver", IN_THIS_BUILD)
def test_every_solver_ends_at_the_limit_of_time(solver: str) -> None:
    assert Sat(solver, "pairwise").search(SearchTask(HOPELESS, ignore, Limits(seconds=0.03))).stop is Stop.TIME_LIMIT


@pytest.mark.parametrize("solver", ["maplesat", OWN_PROCESS])
def test_setting_up_ends_at_the_limit_of_time(solver: str) -> None:
    problem = prepare(load("pent-5x4x3")).problem
    outcome = Sat(solver, "pairwise").search(SearchTask(problem, ignore, Limits(seconds=0.1)))
    assert outcome.stop is Stop.TIME_LIMIT
    assert "clauses" not in outcome.figures.native


@pytest.mark.parametrize("solver", ["minisat22", OWN_PROCESS])
def test_figures_of_its_own(solver: str) -> None:
    statistics = Sat(solver, "pairwise").search(SearchTask(PROBLEMS["one of many"], ignore)).figures
    native = statistics.native
    assert (native["solver"], native["encoding"]) == (solver, "pairwise")
    assert native["variables"] == 10  # the options, and one that is true
    # that one; the first item at least once; its pairs, and those of the second item but for three of the first; and
    # the three options of the third item not all at once
    assert native["clauses"] == 1 + 1 + (28 + 6 - 3) + 1
    assert native["cardinality_constraints"] == 0
    assert {"conflicts", "decisions", "propagations", "restarts"} <= set(native)
    assert (statistics.branches, statistics.deepest, statistics.dead_ends) == (None, None, None)
    assert statistics.branches_by_level == ()


# Names


def test_every_name_of_python_sat_is_understood() -> None:
    for own, others in sat_solvers.aliases().items():
        for name in (own, own.upper(), *others):
            assert sat_solvers.own_name(name) == own
    assert Sat("g4") == Sat("Glucose4")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="no solver 'glucos4'; did you mean 'glucose4'"):
        create("sat", solver="glucos4")
    with pytest.raises(UnsupportedError, match="no encoding 'pairwize'; did you mean 'pairwise'"):
        create("sat", encoding="pairwize")


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in sat_solvers.CARDINALITY])
def test_solvers_of_clauses_refuse_the_native_encoding(solver: str) -> None:
    with pytest.raises(UnsupportedError, match=f"'{solver}' takes clauses only.*minicard"):
        create("sat", solver=solver, encoding=NATIVE)


def test_solvers_that_the_build_lacks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat_solvers, "why_missing", lambda name: "left out" if name == "glucose3" else "")
    with pytest.raises(BackendUnavailableError, match=r"'glucose3' is not in this build.*left out.*it has .*glucose4"):
        create("sat", solver="g3")


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in IN_THIS_BUILD])
def test_solvers_that_this_build_lacks_are_refused(solver: str) -> None:
    with pytest.raises(BackendUnavailableError, match=f"'{solver}' is not in this build of python-sat"):
        create("sat", solver=solver)


def test_the_library_leaves_signals_alone_while_it_encodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked on the main thread it would take SIGINT for itself, and jump out of the allocator when it came."""
    asked: list[tuple[Any, ...]] = []

    def encode_atmost(*given: Any) -> Any:
        asked.append(given)
        return real(*given)

    real = pycard.encode_atmost
    monkeypatch.setattr(pycard, "encode_atmost", encode_atmost)
    encoder = Encoder(cover_problem([[0]] * 9, [(0, 3)]), "totalizer")
    assert sum(len(list(clauses)) for clauses, _ in encoder.pieces()) == encoder.size()[1]
    assert [takes_signals for *_, takes_signals in asked] == [0, 0]


@pytest.mark.long
def test_immense_pairwise_encodings_are_refused() -> None:
    problem = cover_problem([[0]] * 10_001, [(1, 1)])
    with pytest.raises(UnsupportedError, match=r"50,005,000 clauses.*another encoding"):
        create("sat", encoding="pairwise").search(SearchTask(problem, ignore))
    outcome = create("sat", encoding=AUTO).search(SearchTask(problem, ignore, Limits(covers=3)))
    assert outcome.figures.covers == 3


# Processes


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that the backend starts."""
    processes: list[subprocess.Popen[bytes]] = []

    @contextmanager
    def noted(*arguments: Any, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
        with child(*arguments, **how) as process:
            processes.append(process)
            yield process

    monkeypatch.setattr(sat_process, "child", noted)
    return processes


def test_a_process_that_is_killed_is_an_error(started: list[subprocess.Popen[bytes]]) -> None:
    def kill(progress: Progress) -> bool:
        if progress.seconds > 0.5 and started:
            started[0].kill()
        return True

    with pytest.raises(BackendFailedError, match=rf"'{OWN_PROCESS}' was ended by signal 9.*memory"):
        Sat(OWN_PROCESS).search(SearchTask(HOPELESS, ignore, Limits(seconds=GUARD), kill))
    assert started[0].returncode == -9


def test_a_process_that_fails_says_why(started: list[subprocess.Popen[bytes]]) -> None:
    with pytest.raises(BackendFailedError, match="'no such solver' failed in its process: KeyError"):
        sat_process.SatProcess(EncodedProblem(HOPELESS, "no such solver", AUTO)).find(sat_process.Outbox())
    assert started[0].returncode is not None


def test_a_process_that_cannot_begin_is_an_error(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "no seed")
    with pytest.raises(BackendFailedError, match=r"ended with exit code \d+ before it was done; its last output: \w"):
        Sat(OWN_PROCESS).search(SearchTask(HOPELESS, ignore, Limits(seconds=GUARD)))
    assert started[0].returncode is not None


@pytest.mark.parametrize("limits", [Limits(seconds=0.4), Limits(covers=1), Limits()])
def test_no_process_is_left(started: list[subprocess.Popen[bytes]], limits: Limits) -> None:
    problem = HOPELESS if limits.seconds else PROBLEMS["one of many"]
    Sat(OWN_PROCESS).search(SearchTask(problem, ignore, limits))
    assert [process.returncode is not None for process in started] == [True]


@needs_proc
def test_a_solver_at_work_ends_with_its_parent(tmp_path: Path) -> None:
    """A thread starts it, and the solver lets no Python run; see also test_child_process.py."""
    arrays = [HOPELESS.option_starts, HOPELESS.option_items, HOPELESS.low, HOPELESS.high]
    np.savez(tmp_path / "problem.npz", *arrays)
    program = (
        "import os, sys, threading, time\n"
        "from latcover.backends import sat_process\n"
        "from latcover.backends.sat import Sat\n"
        "import numpy as np\n"
        "from latcover.core.cover.problem import CoverProblem\n"
        "arrays = np.load(sys.argv[1])\n"
        "problem = CoverProblem(*(arrays[f'arr_{k}'] for k in range(4)))\n"
        "finder = sat_process.SatProcess(sat_process.EncodedProblem(problem, 'cadical153', 'pairwise'))\n"
        "outbox = sat_process.Outbox()\n"
        "threading.Thread(target=finder.find, args=(outbox,), daemon=True).start()\n"
        "while outbox.ready_at is None: time.sleep(0.01)\n"
        "print(finder._process.pid, flush=True)\n"
        "time.sleep(1000)\n"
    )
    command = [sys.executable, "-P", "-c", program, str(tmp_path / "problem.npz")]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert parent.stdout
    solver = int(parent.stdout.readline())
    assert is_running(solver)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not is_running(solver))


@pytest.mark.parametrize("solver", ["glucose42", OWN_PROCESS])
def test_ctrl_c_that_reaches_a_process_changes_nothing(solver: str, started: list[subprocess.Popen[bytes]]) -> None:
    """The web app interrupts all processes of a run. What comes of it is for the parent to say, not for the solver."""
    found: list[Batch] = []
    sent: list[int] = []

    def take(batch: Batch) -> bool:
        found.append(batch)
        return True

    def interrupt(_: Progress) -> bool:
        for process in started:
            process.send_signal(signal.SIGINT)
            sent.append(process.pid)
        return True

    problem = cover_problem([[0]] * 10, [(0, 10)])
    outcome = Sat(solver).search(SearchTask(problem, take, on_progress=interrupt))
    assert sent
    assert outcome.stop is Stop.EXHAUSTED
    assert sum(len(batch.starts) - 1 for batch in found) == 2**10


@pytest.mark.parametrize("solver", ["maplesat", OWN_PROCESS])
def test_ctrl_c_ends_a_search(solver: str, started: list[subprocess.Popen[bytes]]) -> None:
    with interrupted_when_ready(), pytest.raises(KeyboardInterrupt):
        Sat(solver).search(SearchTask(HOPELESS, ignore, Limits(seconds=GUARD)))
    assert all(process.returncode is not None for process in started)
