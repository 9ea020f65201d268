"""Bounds that this process sets to itself: less memory, and a place behind the others."""

from __future__ import annotations

import os
from contextlib import suppress

from latcover.system import jobs

BEHIND = 5  # of 19


def limit_memory(most: int) -> None:
    """Limit the address space of this process, and of those it starts, to *most* bytes, if the system can.

    Windows has no such limit. There it is the memory that a process may take.
    """
    try:
        import resource
    except ImportError:
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


def let_others_go_first() -> None:
    """Take the processor only where programs that a user waits for leave it."""
    if hasattr(os, "nice"):
        os.nice(BEHIND)
        return
    import psutil

    with suppress(psutil.Error):
        psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", BEHIND))
