"""Child processes: none outlives its parent, whatever both are doing, and Ctrl-C reaches those that it should."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from latcover.backends.sat import Sat
from latcover.core.cover.search import SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.errors import BackendFailedError, BackendUnavailableError
from latcover.files.formats.library import load
from latcover.lab.asking.proofs import prove
from latcover.system.child_process import AS_TEXT, Children, child
from latcover.system.lifeline import Pipe
from tests.command_line import FAILED, run
from tests.oracle import cover_problem
from tests.processes import GUARD, is_running, needs_proc, wait_until

PYTHON = [sys.executable, "-P"]

FAMILY = """
import os, time
inner = os.fork()
if inner:
    print(os.getpid(), inner, flush=True)
time.sleep(1000)
"""

# Its first two children are stopped before they can do anything; the third has a child that knows of no lifeline.
PARENT = """
import os, signal, sys, time
from contextlib import ExitStack
from subprocess import PIPE
from latcover.system.child_process import child
from latcover.core.cover.search import SearchTask

sys.path.insert(0, sys.argv[1])
with ExitStack() as stack:
    pids = []
    for own_group in (False, True):
        process = stack.enter_context(child("this", own_group=own_group, streams={"stdout": PIPE}))
        os.kill(process.pid, signal.SIGSTOP)
        pids.append(process.pid)
    family = stack.enter_context(child("family", own_group=True, streams={"stdout": PIPE}))
    print(*pids, family.stdout.readline().decode().strip(), flush=True)
    time.sleep(1000)
"""


@needs_proc
def test_no_child_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "family.py").write_text(FAMILY)
    with killed_in_the_end([*PYTHON, "-c", PARENT, str(tmp_path)]) as parent:
        assert parent.stdout
        children = list(map(int, parent.stdout.readline().split()))
        assert len(children) == 4
        assert all(map(is_running, children))
    try:
        wait_until(lambda: not any(map(is_running, children)))
    finally:
        for process in filter(is_running, children):
            os.kill(process, signal.SIGKILL)


@contextmanager
def killed_in_the_end(command: list[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **how) as process:
        try:
            yield process
        finally:
            process.kill()


def with_a_pipe(*command: str, cut_first: bool) -> subprocess.CompletedProcess[str]:
    """Run a program that is given the end of a lifeline as its next argument; the other end is cut before or after."""
    lifeline = Pipe()
    descriptor = os.dup(lifeline.theirs)
    if cut_first:
        lifeline.cut()
    words = [*PYTHON, *command, str(descriptor), "this"]
    with killed_in_the_end(words, pass_fds=[descriptor]) as process:
        os.close(descriptor)
        assert process.stdout
        said = process.stdout.readline()
        lifeline.cut()
        said += process.communicate(timeout=GUARD)[0]
    return subprocess.CompletedProcess(words, process.returncode, said)


def test_a_child_whose_parent_is_gone_does_not_begin() -> None:
    done = with_a_pipe("-m", "latcover.system.child_start", cut_first=True)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_thread_looks_where_the_system_does_not() -> None:
    program = (
        "import fcntl, sys, time\n"
        "vars(fcntl).pop('F_SETSIG', None)\n"
        "from latcover.system.lifeline import hold\n"
        "hold(sys.argv[1])\n"
        "print('begun', flush=True)\n"
        "time.sleep(1000)\n"
    )
    done = with_a_pipe("-c", program, cut_first=False)
    assert (done.returncode, done.stdout) == (1, "begun\n")


def test_ctrl_c_passes_a_shielded_child_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its beginning: Python itself would answer to SIGINT before the child could say otherwise."""
    (tmp_path / "patient.py").write_text("import sys\nprint('still here:', sys.stdin.readline())\n")
    monkeypatch.syspath_prepend(tmp_path)  # what this process can import the child can too
    with child("patient", shielded=True, streams=AS_TEXT | {"stdin": subprocess.PIPE}) as process:
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate("a line", timeout=GUARD)
    assert (process.returncode, output.strip(), messages) == (0, "still here: a line", "")
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_no_child_outlives_its_statement() -> None:
    with child("this", streams={"stdout": subprocess.PIPE}) as process:
        process.send_signal(signal.SIGSTOP)
    assert process.returncode == -signal.SIGKILL
    assert process.stdout
    assert process.stdout.closed


def of_sat() -> None:
    Sat("cadical153").search(SearchTask(cover_problem([[0]], [(1, 1)]), lambda _: True))


def of_a_proof() -> None:
    prove(prepare(load("pent-10x6-eight-moved")), Path("x.drat"))


def of_the_web_app() -> None:
    pytest.importorskip("starlette")
    from latcover.apps.web.app import make_app

    make_app()


def of_a_comparison() -> None:
    with Children() as children:
        children(["count", "soma"])


@pytest.mark.parametrize("start", [of_sat, of_a_proof, of_the_web_app, of_a_comparison])
def test_a_python_that_cannot_start_another_says_so(
    start: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(BackendUnavailableError, match=r"process(?: of its own)?, but .*\(sys\.executable is empty\)"):
        start()


@pytest.mark.parametrize(
    ("number", "mend"),
    [(errno.EMFILE, "ulimit -n"), (errno.EAGAIN, "ulimit -u"), (errno.ENOMEM, "free some memory"), (errno.EPERM, "")],
)
@pytest.mark.parametrize("call", ["os.pipe", "subprocess.Popen"])
def test_a_system_that_starts_no_process_says_what_mends_it(
    call: str, number: int, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(call, fail)
    words = f"the system starts no process: {os.strerror(number)}.*{mend}"
    with pytest.raises(BackendFailedError, match=words), child("this", streams={}):
        pass


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "too many files are open; raise the limit"),
        (RuntimeError("can't start new thread"), "the system starts no thread; raise the limit"),
    ],
)
def test_a_command_that_runs_out_of_files_or_threads_says_so(
    fault: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("latcover.lab.exploring.atlas.atlas", fail)
    done = run("atlas", "pentominoes:I")
    assert (done.returncode, words in done.stderr, "cannot write" in done.stderr) == (FAILED, True, False)


def test_a_child_that_is_interrupted_while_it_is_started_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    started = subprocess.Popen

    def start(*words: Any, **how: Any) -> Any:
        process = started(*words, **how)
        os.kill(os.getpid(), signal.SIGINT)
        return process

    monkeypatch.setattr(subprocess, "Popen", start)
    with Children() as children:
        done = children(["count", "bedlam"])
    assert done.interrupted
    assert done.code != 0
