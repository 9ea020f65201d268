"""The machine, how much of it this process uses or may use, and the limits that it sets for itself."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from latcover.errors import counted
from latcover.system import windows_jobs as jobs

MOST_THREADS = 1024
FOR_EACH_PROCESSOR = 4  # threads or processes that may be started: more of them only take memory
AT_LEAST = 16  # of these on any machine
_STACK = 8 << 20  # bytes, where the system does not say how much a thread gets
_ARENA = 64 << 20  # bytes of address space that a thread reserves for what it will allocate
_IN_USE = 16 << 20  # bytes of real memory that a thread may come to use
_LARGEST_LIST = 1 << 16  # bytes: of a file of /proc, which one call reads; every count reads two
BEHIND = 5  # of 19: the place of what waits behind other programs


def _resource() -> Any:
    """The module of limits and usage; None on Windows, which has none."""
    try:
        import resource
    except ImportError:
        return None
    return resource


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
    resource = _resource()
    if resource is None:  # Windows keeps the figure, but says nothing of children
        import psutil

        return getattr(psutil.Process().memory_info(), "peak_wset", None)
    unit = 1 if sys.platform == "darwin" else 1024
    own = _kilobytes("/proc/self/status", "VmHWM:") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * unit)


def processor_time_of_children() -> float:
    """The seconds of processor time that those of this process's children took that have ended; 0 on Windows."""
    resource = _resource()
    if resource is None:
        spent = os.times()
        return spent.children_user + spent.children_system
    figures = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(figures.ru_utime + figures.ru_stime)


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


def threads_to_start(threads: int | None) -> tuple[int, str]:
    """How many threads to start where *threads* are wanted, at least one, and a note that says why these are fewer.

    There are not many more than processors, nor more than there is memory for. *threads* None is one for each processor
    that this process may use. The note is "" if there are as many as asked.
    """
    wanted = threads or available_processors()
    if wanted == 1:
        return 1, ""
    number, reason = min(_bounds_of_threads(), key=lambda bound: bound[0])
    if wanted <= number:
        return wanted, ""
    return number, f"{counted(number, 'thread')} instead of {wanted:,}: {reason}" if threads else ""


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


def limit_memory(most: int) -> None:
    """Limit the address space of this process, and of those it starts, to *most* bytes, if the system can.

    Windows has no such limit. There it is the memory that a process may take.
    """
    resource = _resource()
    if resource is None:
        with suppress(Exception):  # of pywin32; a bound that cannot be had is no reason not to work
            jobs.limit_memory(most)
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):  # a system that knows the limit but does not keep it
        return


def raise_open_files(most: int) -> int:
    """Let this process open up to *most* files and connections, if the system allows; return how many it may open."""
    resource = _resource()
    if resource is None:  # Windows has no such limit
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    wanted = most if hard == resource.RLIM_INFINITY else min(most, int(hard))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return int(soft)


def let_others_go_first() -> None:
    """Take the processor only where programs that a user waits for leave it."""
    if hasattr(os, "nice"):
        os.nice(BEHIND)
        return
    import psutil

    with suppress(psutil.Error):
        psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", BEHIND))


def _address_space_left() -> int | None:
    """How many bytes of address space this process may still take; None where nothing limits it."""
    resource = _resource()
    most = None if resource is None else int(resource.getrlimit(resource.RLIMIT_AS)[0])
    if most is None or most == resource.RLIM_INFINITY:
        return None
    return max(0, most - (_kilobytes("/proc/self/status", "VmSize:") or 0))


def _stack() -> int:
    """The stack that a new thread gets, in bytes."""
    resource = _resource()
    size = _STACK if resource is None else int(resource.getrlimit(resource.RLIMIT_STACK)[0])
    return _STACK if resource is not None and size == resource.RLIM_INFINITY else size


def _available_memory() -> int | None:
    """The memory that is left on this machine, in bytes; None if the platform does not say."""
    known = _kilobytes("/proc/meminfo", "MemAvailable:")
    if known is None and sys.platform != "linux":
        import psutil  # it takes long to load, and Linux has the file

        known = int(psutil.virtual_memory().available)
    return known


def _kilobytes(path: str, name: str) -> int | None:
    """A figure of a file that lists names and kilobytes, in bytes; None where it is not there."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        text = os.read(file, _LARGEST_LIST)
    finally:
        os.close(file)
    _, found, rest = text.partition(f"{name}".encode())
    return int(rest.split(maxsplit=1)[0]) * 1024 if found else None


def _lines_of(path: str) -> list[str]:
    """The lines of a file that only Linux has; none elsewhere."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
