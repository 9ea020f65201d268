"""The program of the server's child processes: ``python -m latcover.web.child`` does the jobs that it reads.

Standard input has one job a line, standard output one event a line, both JSON. The first line sets the bounds, one of
them on memory. Ctrl-C (SIGINT) asks a job to end with what it has found.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

NICER = 5


def main() -> None:
    """Do the jobs that come, until there is no more input."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # solvers that print must not come between
    stopped_early = False

    def on_early_interrupt(*_: object) -> None:
        nonlocal stopped_early
        stopped_early = True

    signal.signal(signal.SIGINT, on_early_interrupt)  # an import that it breaks off would end the process with a trace
    first = sys.stdin.readline()
    if not first:
        return
    settings_data = json.loads(first)
    limit_memory(int(settings_data["memory"]))
    os.nice(NICER)
    from latcover.web.job import Talk
    from latcover.web.jobs import run_job
    from latcover.web.settings import Settings

    def send(event: dict[str, Any]) -> None:
        out.write(json.dumps(event, separators=(",", ":")) + "\n")
        out.flush()

    talk = Talk(send, Settings.of_json(settings_data))

    def on_interrupt(*_: object) -> None:
        talk.stopped = True

    signal.signal(signal.SIGINT, on_interrupt)
    if stopped_early:
        os._exit(130)  # asked to end before it had begun
    send({"event": "ready"})
    try:
        for line in sys.stdin:
            talk.stopped = False
            run_job(json.loads(line), talk)
    except BrokenPipeError:
        os._exit(1)  # the server is gone


def limit_memory(most: int) -> None:
    """Limit the address space of this process, and of those it starts, if the system can."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):  # a system that knows the limit but does not keep it
        return


if __name__ == "__main__":
    main()
