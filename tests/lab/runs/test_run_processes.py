"""Processes at work on the file of a run: killed at any moment, one at a time, without room, without permission."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits
from latcover.core.cover.subproblem import Cut
from latcover.errors import BackendFailedError, InternalError, RunFileError
from latcover.lab.runs import opening
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.recipe import Task
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.session import Session
from latcover.lab.runs.state import state_as_json, state_as_text
from latcover.lab.runs.thread_crew import Orders, Pace
from tests.run_files import DIFFERENT, begun, dominoes, figures, in_one_go, require_whole

MANY = Orders(threads=2, pace=Pace(at_first=30))


# Processes that are killed: at a statement that is sent to SQLite, and whenever a signal meets them.


def child_doing(work: Callable[[], object], killed_at: int | None = None) -> int:
    """The number of a child that does some work, and kills itself as it sends the n-th statement to SQLite."""
    if not hasattr(os, "fork"):
        pytest.skip("this system starts no copies of a process")
    child = os.fork()
    if child:
        return child
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


def in_a_child(work: Callable[[], object], killed_at: int | None = None) -> bool:
    """Do some work in a child, as above; whether it came to an end."""
    return os.waitstatus_to_exitcode(os.waitpid(child_doing(work, killed_at), 0)[1]) == 0


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform cannot fork")


@pytest.mark.long
@needs_fork
def test_a_process_killed_while_it_makes_the_file_leaves_a_run_or_nothing(tmp_path: Path) -> None:
    recipe = dominoes()
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
    assert go_on(path, MANY, prepared=prepared).different == DIFFERENT


@needs_fork
@pytest.mark.parametrize("task", ["solve", "count"])
def test_processes_killed_at_any_statement_lose_nothing(tmp_path: Path, task: Task) -> None:
    chance = random.Random(7)
    path, recipe = tmp_path / "run.db", dominoes(task)
    prepared = begun(path, recipe)
    for killed in range(100):
        statement = chance.randrange(5, 40 * (killed + 1))
        if in_a_child(lambda: go_on(path, MANY, prepared=prepared), statement):
            break
    assert 0 < killed < 99
    answer = go_on(path, prepared=prepared)
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    if task == "solve":
        require_whole(path, DIFFERENT)


@needs_fork
def test_processes_killed_at_any_moment_lose_nothing(tmp_path: Path) -> None:
    """Each one is killed from outside, some time after it has shown some solutions."""
    chance = random.Random(11)
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)
    for _ in range(4):
        shown, its_end = os.pipe()

        def search(its_end: int = its_end) -> None:
            go_on(path, MANY, lambda _: os.write(its_end, b"."), prepared=prepared)

        child = child_doing(search)
        os.close(its_end)
        for _ in range(chance.randrange(1, 9)):
            os.read(shown, 1)  # nothing comes, at once, when the child has come to its end
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(shown)
    answer = go_on(path, prepared=prepared)
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    require_whole(path, DIFFERENT)


# One process at a time.


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())
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
    tmp_path: Path, host: str, pid: int, silence: float, dead: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())
    monkeypatch.setattr(time, "time", lambda: 1.8e9)  # so that no time goes by
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
    begun(path, dominoes())

    def take_over(_: object) -> bool:
        with sqlite3.connect(path) as other:
            other.execute("UPDATE sessions SET ended = 'died'")
        return True

    with pytest.raises(RunFileError, match="another process has taken the run over"):
        go_on(path, MANY, take_over)
    assert go_on(path).different == DIFFERENT


def test_a_job_that_is_done_is_recorded_no_second_time(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())
    with RunFile(path, write=True) as file, Session(file, 1) as session:
        (job,) = file.pending()
        with session.writing():
            session.record(job, SearchResult(Stop.EXHAUSTED, different=3))
        for again in (
            lambda: session.record(job, SearchResult(Stop.EXHAUSTED, different=4)),
            lambda: session.divide(job, Cut((), (5,), 0, 1.0), None),
        ):
            with pytest.raises(InternalError, match="was to be recorded twice"), session.writing():
                again()
        assert file.figures().result.different == 3


def test_a_file_that_is_deleted_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())

    def delete(_: object) -> bool:
        path.unlink(missing_ok=True)
        return True

    with pytest.raises(RunFileError, match="deleted, moved or replaced"):
        go_on(path, MANY, delete)


# No room, no right to write, a backend that fails.


@needs_fork
def test_a_full_disk_is_told_and_the_run_goes_on_later(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)

    def work_without_room() -> None:
        most = path.stat().st_size + 20_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        with pytest.raises(RunFileError, match=rf"the file may not grow.*latcover runs resume {path}"):
            go_on(path, MANY, prepared=prepared)

    assert in_a_child(work_without_room)
    assert figures(go_on(path)) == figures(in_one_go(recipe, prepared))
    require_whole(path, DIFFERENT)


@needs_fork
def test_a_file_that_must_not_be_written_can_be_read() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        recipe = dominoes()
        prepared = begun(path, recipe, limit=3)
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

        ended = in_a_child(read)
        Path(folder).chmod(0o755)
        assert ended


def test_a_backend_that_fails_ends_the_run_and_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    prepared = begun(path, dominoes())
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
    assert figures(go_on(path)) == figures(in_one_go(dominoes(), prepared))
