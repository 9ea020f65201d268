"""The program of the server's child processes: ``python -m latcover.web.child`` does the jobs that it reads.

Standard input has one job a line, standard output one event a line, both JSON. The first line sets the bounds, one of
them on memory. Ctrl-C (SIGINT) asks a job to end with what it has found.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from latcover.system import limits, signals


def main() -> None:
    """Do the jobs that come, until there is no more input."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # solvers that print must not come between
    stopped_early = False

    def on_early_interrupt(*_: object) -> None:
        nonlocal stopped_early
        stopped_early = True

    # an import that an interrupt breaks off would end the process with a trace
    signals.handle(signals.INTERRUPTS, on_early_interrupt)
    first = sys.stdin.readline()
    if not first:
        return
    settings_data = json.loads(first)
    limits.limit_memory(int(settings_data["memory"]))
    limits.let_others_go_first()
    from latcover.web.job import Talk
    from latcover.web.jobs import run_job
    from latcover.web.settings import Settings

    def send(event: dict[str, Any]) -> None:
        out.write(json.dumps(event, separators=(",", ":")) + "\n")
        out.flush()

    talk = Talk(send, Settings.of_json(settings_data))

    def on_interrupt(*_: object) -> None:
        talk.stopped = True

    signals.handle(signals.INTERRUPTS, on_interrupt)
    if stopped_early:
        os._exit(130)  # asked to end before it had begun
    send({"event": "ready"})
    try:
        for line in sys.stdin:
            talk.stopped = False
            run_job(json.loads(line), talk)
    except BrokenPipeError:
        os._exit(1)  # the server is gone


if __name__ == "__main__":
    main()
