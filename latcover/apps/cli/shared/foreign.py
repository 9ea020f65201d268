"""Backends of other packages may end the process in which they run. So a child performs a command that names one.

A child that comes to the end of its command says so by its exit code, which nothing else gives.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import typer

from latcover.backends import OURS, names
from latcover.errors import BackendFailedError

AS_CHILD = "LATCOVER_AS_CHILD"  # the variable of the environment that makes a process such a child
CAME_TO_ITS_END = 100  # what the child adds to the exit code of the command


def as_child(main: Callable[..., None]) -> None:
    """Run the command line; if this process is such a child, say by the exit code that it came to its end."""
    if not os.environ.pop(AS_CHILD, ""):
        main()
        return
    try:
        main(as_child=True)
    except SystemExit as end:
        sys.exit(CAME_TO_ITS_END + int(end.code or 0))


class Performed(SystemExit):
    """Ends this process with the exit code of the child, which has said all there is to say."""


def performed_by_child(context: typer.Context, backend: str) -> str:
    """The name of a backend. If it is another package's, a child performs the command, and this process ends with it.

    Raises:
        BackendFailedError: the child ended before its command did.
    """
    words: list[str] | None = context.find_root().obj  # of the command line; None within the child
    if words is not None and not context.resilient_parsing and backend not in OURS and backend in names():
        from latcover.system import signals
        from latcover.system.child_process import stand_in

        code = stand_in("latcover", words, {AS_CHILD: "yes"})
        if -code in signals.INTERRUPTS:  # before it could answer them
            raise KeyboardInterrupt
        if code < CAME_TO_ITS_END:
            how = f"with exit code {code}" if code >= 0 else f"by {signals.name_of(-code)}"
            raise BackendFailedError(f"backend {backend!r} ended its process ({how}) before the search was over")
        raise Performed(code - CAME_TO_ITS_END)
    return backend
