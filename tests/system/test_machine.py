"""How many threads are started: not many more than there are processors, nor more than there is memory for."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from latcover.backends import _native
from latcover.backends.bitset import Bitset
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.count import CountRequest
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.recipe import Recipe, stored_file
from latcover.lab.runs.thread_crew import Orders, Pace
from latcover.system import machine


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine of two processors and memory enough."""
    monkeypatch.setattr(machine, "available_processors", lambda: 2)
    monkeypatch.setattr(machine, "_address_space_left", lambda: None)
    monkeypatch.setattr(machine, "_available_memory", lambda: 1 << 40)
    return monkeypatch


def test_threads_are_bounded_by_processors(small_machine: pytest.MonkeyPatch) -> None:
    assert machine.threads_to_start(None) == (2, "")
    assert machine.threads_to_start(16) == (16, "")
    note = "16 threads instead of 100,000: this machine has 2 processors for it"
    assert machine.threads_to_start(100_000) == (16, note)
    small_machine.setattr(machine, "available_processors", lambda: 64)
    assert machine.threads_to_start(100_000)[0] == 256
    assert machine.threads_to_start(None) == (64, "")


def test_threads_are_bounded_by_memory(small_machine: pytest.MonkeyPatch) -> None:
    small_machine.setattr(machine, "_available_memory", lambda: 100 << 20)
    assert machine.threads_to_start(9) == (6, "6 threads instead of 9: this machine has only 100 MB of memory left")
    small_machine.setattr(machine, "_address_space_left", lambda: 0)
    number, note = machine.threads_to_start(9)
    assert (number, note) == (1, "1 thread instead of 9: this process may take only 0 MB more of address space")
    assert machine.threads_to_start(None) == (1, "")
    assert machine.threads_to_start(1) == (1, "")


def test_a_search_says_that_it_has_fewer_threads(small_machine: pytest.MonkeyPatch) -> None:
    search = _native.bitset

    def searched(*arguments: Any, threads: int, **named: Any) -> Any:
        """What it is on a slow machine: on a fast one the search may be over before a second thread starts."""
        result = search(*arguments, threads=threads, **named)
        fields = {name: getattr(result, name) for name in ("outcome", "kernel", "note", "subproblems")}
        return SimpleNamespace(**fields, threads=threads)

    small_machine.setattr(_native, "bitset", searched)
    answer = run(prepare(load("pent-20x3")), Bitset(threads=100))
    assert answer.native["threads"] == 16
    assert answer.notes == ("16 threads instead of 100: this machine has 2 processors for it",)


def test_a_run_says_that_it_has_fewer_threads(small_machine: pytest.MonkeyPatch, tmp_path: Path) -> None:
    recipe = Recipe(CountRequest(backend="dlx"), "soma", stored_file("soma"))
    begin(tmp_path / "run.db", recipe, recipe.prepared(), Limits())
    answer = go_on(tmp_path / "run.db", Orders(100_000))
    assert (answer.different, answer.native["threads"]) == (240, 16)
    assert answer.notes == ("16 threads instead of 100,000: this machine has 2 processors for it",)


@pytest.mark.parametrize("given", [0, 2])
def test_a_run_makes_do_with_the_threads_that_the_system_gives(
    given: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recipe = Recipe(CountRequest(backend="dlx"), "soma", stored_file("soma"))
    begin(tmp_path / "run.db", recipe, recipe.prepared(), Limits())
    start, started = threading.Thread.start, iter(range(100))

    def scarce(thread: threading.Thread) -> None:
        if thread.name.startswith("latcover-job") and next(started) >= given:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", scarce)
    orders = Orders(3, pace=Pace(at_first=6))
    if not given:
        with pytest.raises(UnsupportedError, match="the system starts no thread"):
            go_on(tmp_path / "run.db", orders)
        return
    answer = go_on(tmp_path / "run.db", orders)
    assert (answer.different, answer.native["threads"]) == (240, 2)
    assert answer.notes == ("2 threads instead of 3: the system starts no more",)


LITTLE_ROOM = """
import resource
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load
from latcover.core.solving.run import run
prepared = prepare(load("bedlam"))
size = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size * 1024 + (800 << 20),) * 2)
print(*run(prepared, create("bitset", threads=100), Limits(covers=2000)).notes)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the platform does not tell what a process holds")
def test_many_threads_do_not_break_a_process_with_little_room() -> None:
    """They broke off the process, for want of room for what each thread has of its own."""
    command = [sys.executable, "-P", "-c", LITTLE_ROOM]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "threads instead of 100: this process may take only" in done.stdout
