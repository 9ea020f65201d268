"""Processes as tests see them: whether one runs, what it has started, and waiting for something to happen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

GUARD = 120.0  # seconds after which something counts as never happening; no test expects less

posix_only = pytest.mark.skipif(os.name != "posix", reason="is about what only POSIX has")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened; the test fails when it never does."""
    end = time.monotonic() + GUARD
    while not happened():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    """Whether there is such a process; one that has ended and waits for its parent to notice does not count."""
    return _state(process) not in ("", "Z")


def is_stopped(process: int) -> bool:
    """Whether there is such a process, and it does nothing until it is told to go on."""
    return _state(process) == "T"


def _state(process: int) -> str:
    """The letter by which Linux says what a process does; "" where there is none."""
    return (_stat(process) or [""])[0]


def _stat(process: int) -> list[str]:
    """What Linux says of a process, from its state on; nothing where there is none."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return stat.rpartition(")")[2].split()


def has_open_in(folder: Path, process: int) -> bool:
    """Whether a process has a file open in a folder."""
    return bool(sizes_open_in(folder, process))


def sizes_open_in(folder: Path, process: int) -> list[int]:
    """The bytes of each file that a process has open in a folder. A file may have no name, or have lost it."""
    found = []
    for link in Path(f"/proc/{process}/fd").glob("*"):
        with suppress(OSError):  # it has just been closed
            if os.readlink(link).startswith(f"{folder}/"):
                found.append(link.stat().st_size)
    return found


def descendants(process: int) -> list[int]:
    """The processes that *process* started, and those that these did; ascending."""
    found: list[int] = []
    queue = [process]
    for parent in queue:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                children = [int(word) for word in task.read_text().split()]
            except (OSError, ValueError):
                continue
            queue += children
            found += children
    return sorted(found)


def runs_module(process: int, module: str) -> bool:
    """Whether a process was started with the name of a module on its command line."""
    try:
        return module.encode() in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
