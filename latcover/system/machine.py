"""The machine, and how much of it this process uses or may use."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from latcover.errors import counted

MANY_FILES = 1 << 20
MOST_THREADS = 1024
FOR_EACH_PROCESSOR = 4  # threads or processes that may be started: more of them only take memory
AT_LEAST = 16  # of these on any machine
_STACK = 8 << 20  # bytes, where the system does not say how much a thread gets
_ARENA = 64 << 20  # bytes of address space that a thread reserves for what it will allocate
_IN_USE = 16 << 20  # bytes of real memory that a thread may come to use


def machine() -> str:
    """One line about the machine, to stand beside every time that is quoted."""
    import platform  # slow, and only a description needs it

    cpu = platform.processor() or platform.machine()
    described = _lines_of("/proc/cpuinfo")
    cpu = next((line.split(":", 1)[1].strip() for line in described if line.startswith("model name")), cpu)
    cores = os.cpu_count() or 1
    return f"{cpu}, {counted(cores, 'core')}, Python {platform.python_version()}, {platform.system()}"


def peak_memory() -> int | None:
    """The largest resident set that this process, or one of its children that have ended, ever had, in bytes.

    None if the platform does not say. Linux counts into `ru_maxrss` what stood in the process before it began
    to run this program, which for a child is its parent; its own high-water mark in /proc does not.
    """
    try:
        import resource
    except ImportError:  # Windows, which keeps the figure; it says nothing of children
        import psutil

        return getattr(psutil.Process().memory_info(), "peak_wset", None)
    unit = 1 if sys.platform == "darwin" else 1024
    own = _kilobytes("/proc/self/status", "VmHWM:") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)


def processor_time_of_children() -> float:
    """The seconds of processor time that those of this process's children took that have ended; 0 on Windows."""
    try:
        import resource
    except ImportError:
        spent = os.times()
        return spent.children_user + spent.children_system
    figures = resource.getrusage(resource.RUSAGE_CHILDREN)
    return figures.ru_utime + figures.ru_stime


def open_files() -> int:
    """How many files and connections this process may have open at once; many if the platform does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return MANY_FILES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY_FILES if soft == resource.RLIM_INFINITY else soft


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


def threads_to_start(asked: int | None) -> tuple[int, str]:
    """How many threads to start where *asked* are wanted, and a note where these are fewer.

    Args:
        asked: How many; None is one for each processor that this process may use.

    Returns:
        As many as are asked, but not many more than there are processors, nor more than there is memory for; at least
        one. The note says why there are fewer than were asked; else it is "".
    """
    wanted = asked or available_processors()
    if wanted == 1:
        return 1, ""
    number, reason = min(_bounds_of_threads(), key=lambda bound: bound[0])
    if wanted <= number:
        return wanted, ""
    return number, f"{counted(number, 'thread')} instead of {wanted:,}: {reason}" if asked else ""


def _bounds_of_threads() -> list[tuple[int, str]]:
    """How many threads there may be for each reason, and the reason in words."""
    processors = available_processors()
    most = min(max(AT_LEAST, FOR_EACH_PROCESSOR * processors), MOST_THREADS)
    bounds = [(most, f"this machine has {counted(processors, 'processor')} for it")]
    space = _address_space_left()
    if space is not None:
        words = f"this process may take only {space >> 20:,} MB more of address space"
        bounds.append((max(1, space // (_stack() + _ARENA)), words))
    memory = _available_memory()
    if memory is not None:
        bounds.append((max(1, memory // _IN_USE), f"this machine has only {memory >> 20:,} MB of memory left"))
    return bounds


def _address_space_left() -> int | None:
    """How many bytes of address space this process may still take; None where nothing limits it."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return None
    return max(0, most - (_kilobytes("/proc/self/status", "VmSize:") or 0))


def _stack() -> int:
    """The stack that a new thread gets, in bytes."""
    try:
        import resource
    except ImportError:  # Windows
        return _STACK
    size = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return _STACK if size == resource.RLIM_INFINITY else size


def _available_memory() -> int | None:
    """The memory that is left on this machine, in bytes; None if the platform does not say."""
    known = _kilobytes("/proc/meminfo", "MemAvailable:")
    if known is None and sys.platform != "linux":
        import psutil  # it takes long to load, and Linux has the file

        known = int(psutil.virtual_memory().available)
    return known


def _kilobytes(path: str, name: str) -> int | None:
    """A figure of a file that lists names and kilobytes, in bytes; None where it is not there."""
    rows = (line.split() for line in _lines_of(path))
    return next((int(row[1]) * 1024 for row in rows if row[0] == name), None)


def _lines_of(path: str) -> list[str]:
    """The lines of a file that only Linux has; none elsewhere."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
