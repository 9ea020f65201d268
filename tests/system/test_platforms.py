"""What latcover does where POSIX, /proc or Linux is missing: the code for other systems, run on this one.

psutil works on every system, so its part is the real one. Jobs of Windows are played by `job_modules`.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import psutil
import pytest

from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load
from latcover.lab.asking.proofs import Proof, prove
from latcover.system import file_lock, files, lifeline, machine, processes, signals, streams, terminal
from latcover.system import windows_jobs as jobs
from latcover.system.child_process import AS_TEXT, child, command_line
from latcover.system.processes import Group, is_running, start_of
from tests.processes import GUARD, posix_only, wait_until
from tests.rup import refutes

# ---- processes, by psutil


FAMILY = """
import subprocess, sys, time
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
print(inner.pid, flush=True)
time.sleep(1000)
"""


@pytest.fixture
def without_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "HAS_GROUPS", False)


@pytest.fixture
def family() -> Iterator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """A process, and it with another one that it has started."""
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE, text=True) as leader:
        assert leader.stdout
        members = [psutil.Process(leader.pid), psutil.Process(int(leader.stdout.readline()))]
        yield leader, members
        for process in members:
            if process.is_running():
                process.kill()


def rests(process: psutil.Process) -> bool:
    return bool(process.status() == psutil.STATUS_STOPPED)


@pytest.mark.usefixtures("without_groups")
def test_a_group_without_groups_is_paused_and_ended(
    family: tuple[subprocess.Popen[str], list[psutil.Process]],
) -> None:
    leader, members = family
    group = Group(leader.pid)
    group.pause()
    wait_until(lambda: all(map(rests, members)))
    group.resume()
    wait_until(lambda: not any(map(rests, members)))
    group.kill()
    assert leader.wait(GUARD) != 0
    wait_until(lambda: not members[1].is_running() or members[1].status() == psutil.STATUS_ZOMBIE)
    for act in (group.pause, group.resume, group.interrupt, group.kill):
        act()  # nothing happens


@posix_only
@pytest.mark.usefixtures("without_groups")
def test_a_group_without_groups_is_interrupted() -> None:
    program = (
        "try:\n import time\n print('begun', flush=True)\n time.sleep(1000)\nexcept KeyboardInterrupt: print('end')"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "begun\n"
        Group(process.pid).interrupt()
        assert process.communicate(timeout=GUARD)[0] == "end\n"


@pytest.mark.parametrize("known", ["by the system", "by psutil"])
def test_whether_a_process_runs_and_since_when(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that another process has had is told from it by the time at which it began."""
    if known == "by psutil":
        monkeypatch.setattr(processes, "HAS_GROUPS", False)
        monkeypatch.setattr(processes, "HAS_PROC", False)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert is_running(process.pid)
        assert start_of(process.pid) == start_of(process.pid) != start_of(os.getpid()) != ""
        process.kill()
    assert not is_running(process.pid)
    assert start_of(process.pid) == ""


# ---- figures and bounds


@pytest.fixture
def without_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)


@pytest.mark.usefixtures("without_resource")
def test_figures_without_limits_of_resources(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.raise_open_files(123) == 123
    assert machine.processor_time_of_children() >= 0
    assert machine._address_space_left() is None
    assert machine._stack() == machine._STACK
    fake = SimpleNamespace(memory_info=lambda: SimpleNamespace(peak_wset=123))
    with monkeypatch.context() as patch:
        patch.setattr(psutil, "Process", lambda: fake)  # only Windows keeps this figure
        assert machine.peak_memory() == 123


def test_memory_that_is_left_where_linux_does_not_list_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_kilobytes", lambda *_: None)
    assert machine._available_memory() is None
    monkeypatch.setattr(sys, "platform", "darwin")
    left = machine._available_memory()
    assert left is not None
    assert 0 < left <= psutil.virtual_memory().total


def test_a_process_steps_back_where_it_cannot_be_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.delattr(os, "nice", raising=False)
    monkeypatch.setattr(psutil.Process, "nice", lambda _, value: given.append(value))
    monkeypatch.setattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 16384, raising=False)
    machine.let_others_go_first()
    assert given == [16384]


# ---- jobs

# A job is a file that lists processes; ending it kills them.
JOB_MODULES = {
    "win32con": "PROCESS_SET_QUOTA, PROCESS_TERMINATE = 256, 1\n",
    "win32api": """
        import os
        class error(Exception): pass
        def GetCurrentProcess(): return os.getpid()
        def OpenProcess(access, inherit, pid):
            assert access == 257 and not inherit
            return pid
        """,
    "win32job": """
        import os, signal
        from pathlib import Path
        import win32api
        JOB_OBJECT_ASSIGN_PROCESS, JobObjectExtendedLimitInformation = 1, 9
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PROCESS_MEMORY = 0x2000, 0x100
        FOLDER, settings = Path(__file__).parent, {}
        class Handle:
            def __init__(self, name): self.path = FOLDER / name.replace("\\\\", "-")
            def Close(self): self.path = None
            def Detach(self): return 7
        def CreateJobObject(security, name):
            job = Handle(name)
            job.path.touch()
            return job
        def OpenJobObject(access, inherit, name):
            job = Handle(name)
            if not job.path.exists(): raise win32api.error(2, "OpenJobObject", "The system cannot find the file")
            return job
        def AssignProcessToJobObject(job, pid):
            with job.path.open("a") as file: print(pid, file=file)
        def QueryInformationJobObject(job, kind):
            return settings.setdefault(job.path.name, {"BasicLimitInformation": {"LimitFlags": 0}})
        def SetInformationJobObject(job, kind, given): settings[job.path.name] = given
        def TerminateJobObject(job, code):
            pids = {int(word) for word in job.path.read_text().split()}
            job.path.unlink()
            for pid in pids:
                try: os.kill(pid, signal.SIGKILL)
                except ProcessLookupError: pass
        """,
}


@pytest.fixture
def job_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with modules that play those of pywin32, which this process and its children import."""
    for name, text in JOB_MODULES.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in JOB_MODULES:
        sys.modules.pop(name, None)


@posix_only
def test_a_child_belongs_to_a_job_from_its_first_instruction(
    job_modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifeline, "Pipe", lifeline.JobLine)
    monkeypatch.setattr(jobs.Job, "add", lambda *_: None)  # the parent has not come to it yet
    (job_modules / "patient.py").write_text("print('begun', flush=True)\ninput()")
    with child("patient", streams=AS_TEXT | {"stdin": subprocess.PIPE}) as process:
        assert process.stdout
        assert process.stdout.readline() == "begun\n"
        (job,) = (path for path in job_modules.iterdir() if path.name.startswith("Local"))
        assert job.read_text().split() == [str(process.pid)]
        (settings,) = sys.modules["win32job"].settings.values()
        assert settings["BasicLimitInformation"]["LimitFlags"] == 0x2000
    assert process.returncode == -signal.SIGKILL
    assert not job.exists()


@posix_only
def test_a_parent_adds_its_child_to_the_job_and_ends_it_once(job_modules: Path) -> None:
    line = lifeline.JobLine()
    assert line.options(own_group=True) == {"creationflags": 0x200}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        line.tie(process.pid)
        line.cut()
        line.cut()
        assert process.wait(GUARD) == -signal.SIGKILL


@posix_only
def test_a_child_whose_job_is_gone_does_not_begin(job_modules: Path) -> None:
    words = [sys.executable, "-P", "-m", "latcover.system.child_start", f"{jobs.PREFIX}gone", "this"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment, timeout=GUARD)
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.usefixtures("without_resource", "job_modules")
def test_a_job_bounds_memory_where_resources_have_no_limits() -> None:
    machine.limit_memory(1 << 30)
    (settings,) = sys.modules["win32job"].settings.values()
    assert (settings["BasicLimitInformation"]["LimitFlags"], settings["ProcessMemoryLimit"]) == (0x100, 1 << 30)


@pytest.mark.usefixtures("without_resource")
def test_memory_that_cannot_be_bounded_is_no_error() -> None:
    machine.limit_memory(1 << 30)


# ---- signals, streams, files, terminals, words, addresses


@pytest.mark.parametrize("exclusive", [None, -5])
def test_no_server_takes_an_address_that_another_has(exclusive: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """SO_REUSEADDR of Windows lets it; there is another option there."""
    given: list[tuple[int, int, int]] = []
    monkeypatch.delattr(socket, "SO_EXCLUSIVEADDRUSE", raising=False)
    if exclusive is not None:
        monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", exclusive, raising=False)
    fake: Any = SimpleNamespace(setsockopt=lambda *words: given.append(words))
    streams.own_address(fake)
    assert given == [(socket.SOL_SOCKET, exclusive or socket.SO_REUSEADDR, 1)]


def test_words_are_quoted_as_the_shells_of_windows_take_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "ON_WINDOWS", True)
    assert terminal.quoted(r"C:\puzzles\mine.toml") == r"C:\puzzles\mine.toml"
    assert terminal.quoted(r"C:\my puzzles\mine.toml") == r'"C:\my puzzles\mine.toml"'
    assert terminal.quoted("numpy>=2") == '"numpy>=2"'


def test_ctrl_c_is_held_back_where_threads_have_no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[bool] = []
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    monkeypatch.setattr(signals, "_ignore_ctrl_c", said.append)
    with pytest.raises(ZeroDivisionError), signals.held_back():
        said.append(1 // len(said[1:]))  # once it is ignored, and fails
    assert said == [True, False]


def test_whatever_interrupts_is_answered_and_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    kept = signals.handle(signals.INTERRUPTS, lambda *_: None)
    assert signal.getsignal(signal.SIGINT) is not before
    signals.restore(kept)
    assert signal.getsignal(signal.SIGINT) is before
    assert signals.name_of(signal.SIGTERM) == "SIGTERM"
    assert signals.name_of(12345) == "signal 12345"


@pytest.fixture
def without_posix_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POSIX", False)


@pytest.mark.usefixtures("without_posix_streams")
def test_a_proof_comes_through_a_file(tmp_path: Path) -> None:
    subject = prepare(load("pent-10x6-eight-moved"))
    proof = prove(subject, tmp_path / "x.drat")
    assert isinstance(proof, Proof)
    assert (tmp_path / "x.drat").stat().st_size == proof.size > 0
    assert refutes(tmp_path / "x.cnf", tmp_path / "x.drat")


@pytest.mark.parametrize("posix", [pytest.param(True, marks=[posix_only, pytest.mark.long]), False])
def test_a_file_is_handed_over_to_a_child(posix: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POSIX", posix)
    source = example()
    with streams.handed_over([source[:10], source[10:]]) as (name, stdin):
        for _ in range(2):
            if stdin is not None:
                stdin.seek(0)
            with command_line(["count", "--json", name], stdin=stdin) as process:
                output, messages = process.communicate(timeout=GUARD)
            assert (process.returncode, messages) == (0, "")
            assert '"complete": true' in output
    assert posix or not Path(name).exists()


def example() -> bytes:
    from latcover.files.formats.source import find

    return find("instances", "example-2x2").read_bytes()


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "Lpt9", "COM²"])
def test_no_file_is_named_like_a_device_of_windows(name: str) -> None:
    assert files.plain_name(name, "puzzle") == f"{name}-"
    assert files.plain_name(f"{name}x", "puzzle") == f"{name}x"


@pytest.mark.parametrize(("chosen", "written"), [(None, "█ → é"), ("cp1252", "\\u2588 \\u2192 \xe9")])
def test_output_to_a_file_on_windows(
    chosen: str | None, written: str, monkeypatch: pytest.MonkeyPatch, fixed_consoles: list[int]
) -> None:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="cp1252") for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(terminal, "ON_WINDOWS", True)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    if chosen:
        monkeypatch.setenv("PYTHONIOENCODING", chosen)
    terminal.prepare()
    print("█ → é", end="", flush=True)
    assert out.buffer.getvalue() == written.encode(chosen or "utf-8")  # type: ignore[attr-defined]
    assert fixed_consoles == [1]


@pytest.fixture
def fixed_consoles(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets an item each time that the console is told to obey codes of colours."""
    fixed: list[int] = []
    colorama: Any = ModuleType("colorama")
    colorama.just_fix_windows_console = lambda: fixed.append(1)
    monkeypatch.setitem(sys.modules, "colorama", colorama)
    return fixed


# ---- locks on files


def test_a_file_is_locked_by_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.touch()
    with path.open("r+b") as first, path.open("r+b") as second:
        assert file_lock.lock(first)
        assert not file_lock.lock(second)
    with path.open("r+b") as third:
        assert file_lock.lock(third)


@pytest.mark.parametrize(("fault", "is_locked"), [(None, True), (errno.EACCES, False), (errno.ENOTSUP, True)])
def test_windows_locks_bytes_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int | None, is_locked: bool
) -> None:
    places: list[tuple[int, int]] = []

    def locking(number: int, mode: int, count: int) -> None:
        places.append((os.lseek(number, 0, os.SEEK_CUR), count))
        if fault is not None:
            raise OSError(fault, "no")

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with (tmp_path / "kept").open("w+b", buffering=0) as file:
        file.write(b"some")
        assert file_lock.lock(file) is is_locked
        assert (places, file.tell()) == ([(file_lock.FAR, 1)], 4)
