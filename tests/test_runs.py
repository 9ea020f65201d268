"""Runs with a memory: the answer is that of a search in one go, whatever ended the processes that worked on it."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from latcover.cover.named_problem import ListedCover, NamedProblem
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, Progress, Stop
from latcover.cover.subproblem import Cut, Job
from latcover.encoding.prepared import Choices, Prepared
from latcover.errors import BackendFailedError, InternalError, LatcoverError, RunFileError, UnsupportedError
from latcover.runs import opening
from latcover.runs.control import begin, go_on
from latcover.runs.crew import Orders, Pace, Result, Threads
from latcover.runs.export import as_json_lines, solutions_of, write_parquet
from latcover.runs.file import PendingJob, RunFile
from latcover.runs.job_search import JobSearcher
from latcover.runs.job_work import Division
from latcover.runs.recipe import Recipe, StoredFile, Task, stored_file
from latcover.runs.recorder import Recorder
from latcover.runs.session import Session
from latcover.runs.state import state_as_json, state_as_text
from latcover.solving.answer import Answer, Found
from latcover.solving.run import run
from tests.dice import cases
from tests.oracle import cover_problem, covers, either_problem
from tests.processes import GUARD
from tests.run_files import reseal, spoil

MANY = Orders(threads=2, pace=Pace(at_first=30))
SAME = ("different", "total", "covers", "branches", "dead_ends", "branches_by_level", "digest", "complete", "stop")


def recipe_of(name: str, task: Task = "solve", backend: str = "dlx", **options: object) -> Recipe:
    return Recipe(task, Path(name).stem, stored_file(name), backend=backend, options=options)


def begun(path: Path, recipe: Recipe, limit: int | None = None) -> Prepared | NamedProblem:
    """Begin a run in a file."""
    prepared = recipe.prepared()
    begin(path, recipe, prepared, Limits(limit))
    return prepared


def figures(answer: Answer, names: tuple[str, ...] = SAME) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in names}


def in_one_go(recipe: Recipe) -> Answer:
    prepared: Any = recipe.prepared()
    return run(prepared, recipe.solver())


def stored(path: Path) -> list[tuple[int, str]]:
    with RunFile(path) as file:
        return [(row["number"], row["choices"]) for row in file.rows("SELECT number, choices FROM solutions")]


def require_whole(path: Path, number: int) -> None:
    """Every solution stands in the file, once, and they are numbered without a gap."""
    rows = stored(path)
    assert sorted(n for n, _ in rows) == list(range(1, number + 1))
    assert len({choices for _, choices in rows}) == number


@pytest.mark.parametrize("task", ["solve", "count"])
@pytest.mark.parametrize(
    ("name", "backend", "options"),
    [
        ("soma", "dlx", {}),
        ("soma", "bitset", {}),
        ("live-cube", "bitset", {}),  # covers are judged, and most are dropped
        ("pent-20x3", "dlx", {"size": False}),
        ("pent-20x3", "backtrack", {"size": True}),
        ("slothouber-graatsma", "auto", {}),
    ],
)
def test_the_answer_is_that_of_a_search_in_one_go(
    tmp_path: Path, task: Task, name: str, backend: str, options: dict[str, object]
) -> None:
    recipe = recipe_of(name, task, backend, **options)
    begun(tmp_path / "run.db", recipe)
    answer = go_on(tmp_path / "run.db", MANY)
    assert answer.native["jobs"] > 1
    assert figures(answer) == figures(in_one_go(recipe))
    if task == "solve":
        require_whole(tmp_path / "run.db", answer.different)


@pytest.mark.parametrize(
    ("backend", "options"),
    [("cpsat", {}), ("sat", {"solver": "maplesat"}), ("dlx", {"strand": "sums"}), ("dlx", {"strand": "rows"})],
)
def test_the_solutions_are_the_same_where_branches_are_not(
    tmp_path: Path, backend: str, options: dict[str, object]
) -> None:
    recipe = recipe_of("pent-20x3", "solve", backend, **options)
    begun(tmp_path / "run.db", recipe)
    answer = go_on(tmp_path / "run.db", Orders(threads=2, pace=Pace(at_first=8)))
    assert figures(answer, ("different", "total", "digest")) == {
        **figures(in_one_go(recipe), ("different", "total", "digest"))
    }
    assert (answer.branches is None) == (backend in ("cpsat", "sat"))


@cases(
    40,
    problem=either_problem,
    pieces=lambda dice: dice.between(1, 12),
    threads=lambda dice: dice.between(1, 3),
)
def test_random_problems_keep_their_covers(
    problem: CoverProblem, pieces: int, threads: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("run") / "run.db"
    named = NamedProblem("random", problem, tuple(f"i{k}" for k in range(problem.n_items)), ("red", "blue"))
    recipe = Recipe("solve", "random", StoredFile("random.dlx", b"", ""), backend="dlx")
    begin(path, recipe, named, Limits())
    shown: list[ListedCover] = []
    answer = go_on(path, Orders(threads, pace=Pace(at_first=pieces)), shown.append, prepared=named)
    expected = covers(problem)
    assert {tuple(number - 1 for number in cover.numbers) for cover in shown} == expected
    assert answer.different == len(shown) == len(expected)
    assert {tuple(json.loads(choices)) for _, choices in stored(path)} == expected
    assert figures(answer) == figures(run(named, recipe.solver()))


def test_jobs_that_would_take_long_are_cut_and_progress_never_goes_back(tmp_path: Path) -> None:
    recipe = recipe_of("pent-10x6", "count", "dlx")
    begun(tmp_path / "run.db", recipe)
    shares: list[float] = []

    def watch(progress: Progress) -> bool:
        shares.append(progress.share or 0.0)
        return True

    answer = go_on(tmp_path / "run.db", Orders(2, pace=Pace(seconds=0.01, trial=0.0)), on_progress=watch)
    assert figures(answer) == figures(in_one_go(recipe))
    with RunFile(tmp_path / "run.db") as file:
        assert state_as_json(file)["jobs"]["cut"] > 0
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)


def test_shares_that_are_rounded_up_do_not_pass_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine ninths, added one by one, are 1.0000000000000002."""
    monkeypatch.setattr("latcover.runs.loop.BETWEEN_REPORTS", 0.0)
    problem = cover_problem([[0]] * 9 + [[1]] * 10, [(1, 1)] * 2)
    named = NamedProblem("ninths", problem, ("a", "b"))
    begin(
        tmp_path / "run.db",
        Recipe("count", "ninths", StoredFile("ninths.dlx", b"", ""), backend="dlx"),
        named,
        Limits(),
    )
    shares: list[float] = []

    def watch(progress: Progress) -> bool:
        shares.append(progress.share or 0.0)
        return True

    answer = go_on(tmp_path / "run.db", Orders(1, pace=Pace(at_first=9)), on_progress=watch, prepared=named)
    assert (answer.covers, answer.native["jobs"]) == (90, 9)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_the_time_that_is_left_is_told_by_all_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What earlier sessions have done took their time."""
    monkeypatch.setattr("latcover.runs.loop.BETWEEN_REPORTS", 0.0)
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"), limit=10)
    go_on(path, Orders(1, pace=Pace(at_first=30)))
    spoil(path, "UPDATE sessions SET seconds = 3600")
    seen: list[Progress] = []

    def watch(progress: Progress) -> bool:
        seen.append(progress)
        return True

    answer = go_on(path, Orders(1, Limits(1000)), on_progress=watch)
    assert answer.complete
    assert all(3600 <= progress.seconds <= answer.seconds["search"] for progress in seen)
    assert seen


def test_a_limit_ends_it_and_the_rest_comes_later(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"), limit=10)
    first: list[Any] = []
    answer = go_on(path, Orders(1), first.append)
    assert (answer.different, answer.total, answer.stop, answer.complete) == (10, 480, "solution limit", False)
    assert [solution.number for solution in first] == list(range(1, 11))
    again = go_on(path, Orders(1), pytest.fail)
    assert figures(again) == figures(answer)

    second: list[Any] = []
    answer = go_on(path, dataclasses.replace(MANY, limits=Limits(25)), second.append)
    assert answer.different == 25
    assert [solution.number for solution in second] == list(range(11, 26))
    answer = go_on(path, dataclasses.replace(MANY, limits=Limits(1000)), second.append)
    assert figures(answer) == figures(in_one_go(recipe_of("soma")))
    assert len({solution.placements for solution in first + second}) == 240
    require_whole(path, 240)
    assert figures(go_on(path)) == figures(answer)


def test_a_limit_of_a_count_too(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("live-cube", "count"), limit=1)
    assert go_on(path, MANY).different == 1
    answer = go_on(path, Orders(2, Limits(10_000)))
    assert figures(answer) == figures(in_one_go(recipe_of("live-cube", "count")))
    assert not stored(path)


@pytest.mark.parametrize("limits", [Limits(covers=0), Limits(seconds=0.0)])
def test_limits_of_nothing(tmp_path: Path, limits: Limits) -> None:
    begun(tmp_path / "run.db", recipe_of("soma"))
    answer = go_on(tmp_path / "run.db", Orders(limits=limits), pytest.fail)
    assert (answer.different, answer.complete) == (0, False)
    assert answer.stop == ("solution limit" if limits.covers == 0 else "time limit")


def test_branches_cannot_be_limited(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="no limit of branches"):
        begin(tmp_path / "run.db", recipe_of("soma"), recipe_of("soma").prepared(), Limits(branches=5))


@pytest.mark.parametrize("task", ["solve", "count"])
def test_it_goes_on_after_it_was_stopped_now_and_again(
    tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latcover.runs.loop._AFTER_THE_END", float("inf"))  # else a slow machine gets nowhere
    path, recipe = tmp_path / "run.db", recipe_of("pent-6x5x2", task, "bitset")
    prepared = begun(path, recipe)
    pace = Pace(seconds=0.05, trial=0.0)
    numbers: list[int] = []
    last = 0
    for _ in range(200):
        calls = iter([True, False])
        answer = go_on(
            path,
            Orders(2, pace=pace),
            lambda solution: numbers.append(solution.number),
            on_progress=lambda _, calls=calls: next(calls),
            prepared=prepared,
        )
        assert answer.different >= last or task == "count"  # of a job that is cut a count forgets what it had met
        last = answer.different
        if answer.complete:
            break
        assert answer.stop == "cancelled"
    assert figures(answer) == figures(in_one_go(recipe))
    if task == "solve":
        require_whole(path, 264)
        assert numbers == list(range(1, 265))


def test_images_are_shown_where_they_are_asked_for(tmp_path: Path) -> None:
    begun(tmp_path / "run.db", recipe_of("soma"), limit=2)
    shown: list[Any] = []
    go_on(tmp_path / "run.db", Orders(1, images=True), shown.append)
    assert [(s.number, s.image, s.orbit) for s in shown] == [(n, i, 48) for n in (1, 2) for i in range(1, 49)]


# Many solutions: few are held at once, and limits are kept between them.


def test_a_job_with_many_solutions_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recipe = tmp_path / "run.db", recipe_of("soma")
    begun(path, recipe)
    most = 0
    put = Recorder.put

    def watched(self: Recorder, results: Sequence[Result]) -> None:
        nonlocal most
        most = max(most, *(len(found.solutions) for _, found in results if isinstance(found, Found)), 0)
        put(self, results)

    monkeypatch.setattr(Recorder, "put", watched)
    answer = go_on(path, Orders(2, pace=Pace(most_solutions=7)))
    assert figures(answer) == figures(in_one_go(recipe))
    assert 0 < most <= 7
    require_whole(path, 240)


def test_threads_wait_while_many_solutions_are_to_be_written() -> None:
    prepared: Any = recipe_of("soma").prepared()
    searcher = JobSearcher(prepared, recipe_of("soma").solver(), keeps_solutions=True)
    crew = Threads(searcher, Orders(2, pace=Pace(most_solutions=20)))
    crew.put([PendingJob(1, Job(), 1.0)])
    crew.start()
    left, taken = 1, 0
    while left:
        results = crew.take(10.0)
        left -= len(results)
        held = 0
        for _, result in results:
            if isinstance(result, Division):
                crew.put([PendingJob(1, piece.job, 1.0) for piece in result.cut.pieces])
                left += len(result.cut.pieces)
            elif isinstance(result, Found):
                held += len(result.solutions)
        assert held <= 20 + 2 * 20
        taken += held
    crew.dismiss()
    assert taken == 240


def test_the_user_is_heard_between_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All 240 were of one job, and were stored before anybody could break off."""
    path, recipe = tmp_path / "run.db", recipe_of("soma")
    prepared = begun(path, recipe)
    monkeypatch.setattr("latcover.runs.loop.BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr("latcover.runs.loop._AFTER_THE_END", -1.0)
    monkeypatch.setattr("latcover.runs.recorder._TRANSACTION", 0.0)
    shown: list[int] = []
    answer = go_on(
        path,
        Orders(1, pace=Pace(trial=60.0)),
        lambda solution: shown.append(solution.number),
        on_progress=lambda _: len(shown) < 5,
        prepared=prepared,
    )
    assert (answer.different, answer.stop, answer.complete) == (5, "cancelled", False)
    assert shown == [1, 2, 3, 4, 5]
    with RunFile(path) as file:
        assert state_as_json(file)["different"] == 5
    answer = go_on(path, Orders(1), lambda solution: shown.append(solution.number))
    assert figures(answer) == figures(in_one_go(recipe))
    assert shown == list(range(1, 241))
    require_whole(path, 240)


def test_time_that_is_over_is_seen_between_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recipe = tmp_path / "run.db", recipe_of("soma")
    prepared = begun(path, recipe)
    monkeypatch.setattr("latcover.runs.loop._AFTER_THE_END", -1.0)
    monkeypatch.setattr("latcover.runs.recorder._TRANSACTION", 0.0)
    limits = Limits(seconds=1e6)

    def out_of_time(solution: Any) -> None:
        object.__setattr__(limits, "seconds", 0.0 if solution.number == 3 else 1e6)

    monkeypatch.setattr("latcover.runs.control.Limits", lambda *_: limits)
    answer = go_on(path, Orders(1, limits, pace=Pace(trial=60.0)), out_of_time, prepared=prepared)
    assert (answer.different, answer.stop) == (3, "time limit")


def test_to_be_stopped_when_nothing_is_left_is_to_be_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.runs.loop.BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr("latcover.runs.loop._AFTER_THE_END", float("inf"))
    path, recipe = tmp_path / "run.db", recipe_of("soma")
    begun(path, recipe)
    found: list[int] = []
    take = Threads.take

    def taken(self: Threads, seconds: float) -> list[Result]:
        results = take(self, 10.0)
        found.extend(len(result.solutions) for _, result in results if isinstance(result, Found))
        return results

    monkeypatch.setattr(Threads, "take", taken)
    answer = go_on(path, Orders(1, pace=Pace(trial=60.0)), on_progress=lambda _: not found)
    assert found == [240]
    assert (answer.different, answer.stop, answer.complete) == (240, "exhausted", True)


# Processes that are killed: at a statement that is sent to SQLite, as chance will have it, in a child.


def in_a_child(work: Callable[[], object], killed_at: int | None) -> bool:
    """Do some work in a child that kills itself as it sends the n-th statement to SQLite; whether it came to an end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    left = killed_at

    def on_statement(_: str) -> None:
        nonlocal left
        if left is not None:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    settled = opening._settled

    def traced(connection: sqlite3.Connection) -> sqlite3.Connection:
        connection.set_trace_callback(on_statement)
        return settled(connection)

    opening._settled = traced
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform cannot fork")


@needs_fork
def test_a_process_killed_while_it_makes_the_file_leaves_a_run_or_nothing(tmp_path: Path) -> None:
    recipe = recipe_of("soma")
    prepared = recipe.prepared()
    path = tmp_path / "run.db"
    for statement in range(100):
        path.unlink(missing_ok=True)
        if in_a_child(lambda: begin(path, recipe, prepared, Limits()), statement):
            break
        begin(path, recipe, prepared, Limits())
        with RunFile(path) as file:
            assert len(file.pending()) == 1
    assert statement > 10
    assert go_on(path, MANY, prepared=prepared).different == 240


@needs_fork
@pytest.mark.parametrize("task", ["solve", "count"])
def test_processes_killed_at_any_statement_lose_nothing(tmp_path: Path, task: Task) -> None:
    chance = random.Random(7)
    recipe = recipe_of("soma", task)
    expected = figures(in_one_go(recipe))
    prepared = recipe.prepared()
    for _ in range(2):
        path = tmp_path / f"run{chance.random()}.db"
        begin(path, recipe, prepared, Limits())
        for killed in range(100):
            statement = chance.randrange(5, 40 * (killed + 1))
            if in_a_child(lambda path=path: go_on(path, MANY, prepared=prepared), statement):
                break
        assert 0 < killed < 99
        answer = go_on(path, prepared=prepared)
        assert figures(answer) == expected
        if task == "solve":
            require_whole(path, 240)


KILLED = """
import sys
from pathlib import Path
from latcover.runs.crew import Orders, Pace
from latcover.runs.control import go_on
go_on(Path(sys.argv[1]), Orders(2, pace=Pace(seconds=0.05, trial=0.0)))
"""


def test_processes_killed_at_any_moment_lose_nothing(tmp_path: Path) -> None:
    chance = random.Random(11)
    path, recipe = tmp_path / "run.db", recipe_of("pent-10x6", "solve", "bitset")
    begun(path, recipe)
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-P", "-c", KILLED, str(path)])
        time.sleep(chance.uniform(0.3, 1.5))
        process.kill()
        process.wait()
    answer = go_on(path)
    assert figures(answer) == figures(in_one_go(recipe))
    require_whole(path, 2339)


# One process at a time.


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    with RunFile(path, write=True) as file, Session(file, 1):
        with RunFile(path) as reader:
            assert state_as_json(reader)["state"] == "at work"
            assert "at work (process" in state_as_text(state_as_json(reader))
        with pytest.raises(RunFileError, match=rf"process {os.getpid()} on .* is at work on this run"):
            go_on(path)
    assert go_on(path).complete


@pytest.mark.parametrize(
    ("host", "pid", "silence", "dead"),
    [
        ("here", 2**22 + 1, 0, True),
        ("here", 1, 0, True),
        ("elsewhere", 1, 3600, True),
        ("elsewhere", 1, -30 * 86400, True),  # by a clock that was wrong
        ("elsewhere", 1, 5, False),
        ("elsewhere", 1, -5, False),
    ],
)
def test_the_session_of_a_dead_process_is_taken_over(
    tmp_path: Path, host: str, pid: int, silence: float, dead: bool
) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    with RunFile(path, write=True) as file:
        Session(file, 1)
        name = os.uname().nodename if host == "here" else host
        values = (name, pid, time.time() - silence, "another boot")
        file.connection.execute("UPDATE sessions SET host = ?, pid = ?, heartbeat = ?, process_started = ?", values)
    if dead:
        assert go_on(path).complete
    else:
        with pytest.raises(RunFileError, match="is at work on this run"):
            go_on(path)


def test_a_process_whose_run_was_taken_over_writes_no_more(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))

    def take_over(_: object) -> bool:
        with sqlite3.connect(path) as other:
            other.execute("UPDATE sessions SET ended = 'died'")
        return True

    with pytest.raises(RunFileError, match="another process has taken the run over"):
        go_on(path, MANY, take_over)
    assert go_on(path).different == 240


def test_a_job_that_is_done_is_recorded_no_second_time(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    with RunFile(path, write=True) as file, Session(file, 1) as session:
        (job,) = file.pending()
        with session.writing():
            session.record(job, Found(Stop.EXHAUSTED, different=3))
        for again in (
            lambda: session.record(job, Found(Stop.EXHAUSTED, different=4)),
            lambda: session.divide(job, Cut((), (5,), 0, 1.0), None),
        ):
            with pytest.raises(InternalError, match="was to be recorded twice"), session.writing():
                again()
        assert file.figures().different == 3


# Files that cannot be gone on with.


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("PRAGMA user_version = 9", "is of version 9 of such files, made by latcover .* knows version 2 alone"),
        ("PRAGMA user_version = 1", "is of version 1 of such files, made by latcover .* knows version 2 alone"),
        ("PRAGMA application_id = 1", "a database, but of another program"),
        ("DELETE FROM run", "is damaged"),
        ("UPDATE run SET choices = '{'", "is damaged"),
        ("UPDATE run SET source = 'nonsense'", "is damaged: what it says of the run was changed"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, statement: str, complaint: str) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    spoil(path, statement)
    with pytest.raises(RunFileError, match=complaint):
        go_on(path)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE run SET digest = 'x'", "run of another cover problem"),
        ("UPDATE run SET source = 'nonsense'", "soma.toml"),
        ("UPDATE run SET source = replace(source, 'soma', 'x')", "no puzzle|not shipped|another"),
        ("UPDATE run SET choices = '{'", "is damaged"),
    ],
)
def test_runs_that_somebody_else_made_are_refused(tmp_path: Path, statement: str, complaint: str) -> None:
    """Seals that are right say nothing of what is sealed."""
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    spoil(path, statement)
    reseal(path)
    with pytest.raises(LatcoverError, match=complaint):
        go_on(path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that came to its end."""
    path = tmp_path_factory.mktemp("finished") / "run.db"
    begun(path, recipe_of("soma"))
    go_on(path, MANY)
    return path.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "overwritten", "text", "empty", "folder", "missing"])
def test_files_that_are_no_runs_are_refused(tmp_path: Path, damage: str, finished: bytes) -> None:
    path, content = tmp_path / "run.db", finished
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        overwritten = content[:4200] + b"\xff" * 30_000 + content[34_200:]
        made = {"cut": content[:12_000], "overwritten": overwritten, "text": b"text\n" * 9999, "empty": b""}
        path.write_bytes(made[damage])
    words = {
        "folder": "no regular file",
        "missing": "no such file",
        "text": "no file of a run",
        "empty": "holds no run",
    }
    with pytest.raises(RunFileError, match=words.get(damage, "is damaged")) as error:
        go_on(path)
    assert "\\n" not in str(error.value)
    if damage not in ("missing", "empty"):
        with pytest.raises(RunFileError, match=str(path)):
            begin(path, recipe_of("soma"), recipe_of("soma").prepared(), Limits())


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"task": "count"}, "another task: solve, not count"),
        ({"puzzle": "other"}, "another puzzle: soma, not other"),
        ({"backend": "bitset"}, "another backend: dlx, not bitset"),
        ({"options": {"size": False}}, "other options of the backend: none, not size=False"),
        ({"choices": Choices(symmetry="none")}, "another symmetry: all, not none;"),
        ({"choices": Choices(pivot="V")}, "another pivot: none, not V;"),
        ({"choices": Choices(order=(1, 0, 2))}, "another order: none, not 1,0,2;"),
    ],
)
def test_another_run_in_the_same_file_is_refused(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    path, recipe = tmp_path / "run.db", recipe_of("soma")
    prepared = begun(path, recipe)
    begin(path, recipe, prepared, Limits())  # the same one is none
    with pytest.raises(RunFileError, match=what):
        begin(path, dataclasses.replace(recipe, **change), prepared, Limits())


def test_a_puzzle_file_may_go_but_what_it_names_may_not_change(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('name = "own"\nparts = [{ name = "a", box = [1, 2], count = 4 }]\n')
    source = tmp_path / "board.toml"
    source.write_text('name = "board"\nlattice = "square"\nregion = { box = [4, 2] }\nparts = [{ set = "own.toml" }]\n')
    begun(tmp_path / "run.db", recipe_of(str(source), "solve"))
    source.unlink()
    answer = go_on(tmp_path / "run.db", MANY)
    assert answer.different > 0
    begin_again = tmp_path / "other.db"
    source.write_text('name = "board"\nlattice = "square"\nregion = { box = [4, 2] }\nparts = [{ set = "own.toml" }]\n')
    begun(begin_again, recipe_of(str(source), "solve"))
    (tmp_path / "own.toml").write_text('name = "own"\nparts = [{ name = "a", box = [1, 4], count = 2 }]\n')
    with pytest.raises(RunFileError, match="another cover problem"):
        go_on(begin_again)


def test_a_file_that_is_deleted_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))

    def delete(_: object) -> bool:
        path.unlink(missing_ok=True)
        return True

    with pytest.raises(RunFileError, match="deleted, moved or replaced"):
        go_on(path, MANY, delete)


LIMITED = """
import resource, sys
from pathlib import Path
from latcover.errors import RunFileError
from latcover.runs.crew import Orders, Pace
from latcover.runs.control import go_on
path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    go_on(path, Orders(2, pace=Pace(at_first=500)))
except RunFileError as fault:
    sys.exit(str(fault))
"""


def test_a_full_disk_is_told_and_the_run_goes_on_later(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", LIMITED, str(path)], capture_output=True, text=True, check=False, timeout=GUARD
    )
    assert done.returncode == 1
    assert "the file may not grow" in done.stderr
    assert f"latcover resume {path}" in done.stderr
    assert "Traceback" not in done.stderr
    assert figures(go_on(path)) == figures(in_one_go(recipe_of("soma")))
    require_whole(path, 240)


@needs_fork
def test_a_file_that_must_not_be_written_can_be_read() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        recipe = recipe_of("soma")
        prepared = recipe.prepared()
        begun(path, recipe, limit=3)
        go_on(path)
        path.chmod(0o444)
        Path(folder).chmod(0o555)

        def read() -> None:
            if os.geteuid() == 0:
                os.setuid(65534)  # root may write everything
            with pytest.raises(RunFileError, match="cannot be written"):
                go_on(path, Orders(limits=Limits(5)), prepared=prepared)
            assert go_on(path, prepared=prepared).different == 3
            with RunFile(path) as file:
                assert len(list(file.solutions())) == 3
            with pytest.raises(RunFileError, match="cannot be made"):
                begin(Path(folder) / "new.db", recipe, prepared, Limits())

        ended = in_a_child(read, None)
        Path(folder).chmod(0o755)
        assert ended


def test_a_backend_that_fails_ends_the_run_and_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"))
    search = JobSearcher.search
    calls = iter(range(1000))

    def failing(self: JobSearcher, *arguments: Any) -> Any:
        if next(calls) >= 10:
            raise BackendFailedError("it broke down")
        return search(self, *arguments)

    monkeypatch.setattr(JobSearcher, "search", failing)
    with pytest.raises(BackendFailedError, match="broke down"):
        go_on(path, MANY)
    monkeypatch.undo()
    with RunFile(path) as file:
        state = state_as_json(file)
    assert (state["jobs"]["done"], state["stop"]) == (10, "failed: BackendFailedError")
    assert figures(go_on(path)) == figures(in_one_go(recipe_of("soma")))


# What readers see.


def test_solutions_leave_in_every_form(tmp_path: Path) -> None:
    path, recipe = tmp_path / "run.db", recipe_of("tangram-square")
    prepared = begun(path, recipe)
    go_on(path, MANY)
    assert isinstance(prepared, Prepared)
    with RunFile(path) as file:
        solutions = list(solutions_of(file))
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
        views = [json.loads(row["solution"]) for row in file.rows("SELECT * FROM solutions_as_json ORDER BY number")]
    assert len(solutions) == recipe_solutions(recipe)
    assert lines == [solution.as_json() for solution in solutions]
    for line, view in zip(lines, views, strict=True):
        assert (line["number"], line["orbit"]) == (view["number"], view["orbit"])
        assert sorted(map(json.dumps, line["placements"])) == sorted(map(json.dumps, view["placements"]))


def recipe_solutions(recipe: Recipe) -> int:
    return in_one_go(recipe).different


@pytest.mark.parametrize(
    "name", ["soma", "tangram-square", "hex-prisms", pytest.param("disc-cylinder", marks=pytest.mark.long)]
)
def test_parquet_holds_what_json_lines_do(tmp_path: Path, name: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "run.db"
    begun(path, recipe_of(name, "solve", "bitset"))
    go_on(path, MANY)
    with RunFile(path) as file:
        write_parquet(file, solutions_of(file), tmp_path / "out.parquet")
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(rows) == len(lines) > 0
    for row, line in zip(rows, lines, strict=True):
        assert (row["number"], row["orbit"]) == (line["number"], line["orbit"])
        for placed, told in zip(row["placements"], line["placements"], strict=True):
            assert placed["part"] == told["part"]
            cells = [cell["x"] + ([cell["node"]] if "node" in cell else []) for cell in placed["cells"]]
            assert cells == told["cells"]
            assert placed["colours"] == told.get("colours", [])
            assert len(placed["sides"]) == len(told.get("sides", []))


def test_bare_problems_run_too(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "bare.dlx").write_text("a b c | p\na b\nc p:x\na p:x\nb p:y\nb p:x\n")
    path = tmp_path / "run.db"
    begun(path, recipe_of(str(tmp_path / "bare.dlx")))
    (tmp_path / "bare.dlx").unlink()
    answer = go_on(path, MANY)
    assert answer.different == 2
    with RunFile(path) as file:
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
        write_parquet(file, solutions_of(file), tmp_path / "out.parquet")
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert rows == [{"number": line["number"], "options": line["options"]} for line in lines]
    assert {tuple(map(tuple, row["options"])) for row in rows} == {
        (("a", "b"), ("c", "p:x")),
        (("c", "p:x"), ("a", "p:x"), ("b", "p:x")),
    }


def test_a_state_is_told_at_every_stage(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, recipe_of("soma"), limit=5)
    with RunFile(path) as file:
        state = state_as_json(file)
    assert (state["state"], state["stop"], state["share"], state["sessions"]) == ("not begun", None, 0, 0)
    go_on(path, MANY)
    with RunFile(path) as file:
        state = state_as_json(file)
    assert (state["state"], state["stop"], state["different"], state["limit"]) == (
        "interrupted",
        "solution limit",
        5,
        5,
    )
    go_on(path, Orders(limits=Limits(999)))
    with RunFile(path) as file:
        state = state_as_json(file)
        assert "240 solutions, 11,520 in all" in state_as_text(state)
    assert (state["state"], state["share"], state["different"]) == ("done", 1.0, 240)


def test_equal_problems_have_equal_digests_whatever_made_them(tmp_path: Path) -> None:
    problem = cover_problem([[0], [0, 1]], [(1, 1), (0, 1)])
    other = cover_problem([[0], [0, 1]], [(1, 1), (0, 2)])
    recipe = Recipe("count", "x", StoredFile("x.dlx", b"", ""), backend="dlx")
    begin(tmp_path / "run.db", recipe, NamedProblem("x", problem, ("a", "b")), Limits())
    begin(tmp_path / "run.db", recipe, NamedProblem("x", problem, ("p", "q")), Limits())
    with pytest.raises(RunFileError, match="another cover problem"):
        begin(tmp_path / "run.db", recipe, NamedProblem("x", other, ("a", "b")), Limits())
