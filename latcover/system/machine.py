"""The machine that this runs on, and what the process has taken of it."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from latcover.errors import counted

MANY_FILES = 1 << 20


def machine() -> str:
    """One line about the machine, to stand beside every time that is quoted."""
    cpu = platform.processor() or platform.machine()
    described = _lines_of("/proc/cpuinfo")
    cpu = next((line.split(":", 1)[1].strip() for line in described if line.startswith("model name")), cpu)
    cores = os.cpu_count() or 1
    return f"{cpu}, {counted(cores, 'core')}, Python {platform.python_version()}, {platform.system()}"


def peak_memory() -> int | None:
    """The largest resident set that this process, or one of its children that have ended, ever had, in bytes.

    None where the platform does not tell. Linux counts into `ru_maxrss` what stood in the process before it began
    to run this program, which for a child is its parent; its own high-water mark in /proc does not.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    marks = (line.split() for line in _lines_of("/proc/self/status"))
    own = next((int(mark[1]) * 1024 for mark in marks if mark[0] == "VmHWM:"), 0)
    if not own:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)


def open_files() -> int:
    """How many files and connections this process may have open at once; many, where the platform does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return MANY_FILES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY_FILES if soft == resource.RLIM_INFINITY else soft


def _lines_of(path: str) -> list[str]:
    """The lines of a file that only Linux has; none elsewhere."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
