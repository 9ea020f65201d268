"""The program of the server's child processes: ``python -m latcover.apps.web.child``.

It reads a job from each line of standard input, and writes an event to each line of standard output, both JSON. The
first line holds the settings. After `Ready` Ctrl-C (SIGINT) asks a job to end with its results so far.
"""

from __future__ import annotations

import json
import os
import sys

from latcover.system import machine, signals


def main() -> None:
    """Do jobs until the input ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the output of solvers must not mix with the events
    lines = sys.stdin.buffer
    first = lines.readline()
    if not first:
        return
    settings_data = json.loads(first)
    machine.limit_memory(int(settings_data["memory"]))
    machine.let_others_go_first()
    import msgspec

    from latcover.apps.web.child_jobs import run_job
    from latcover.apps.web.job import Talk
    from latcover.apps.web.messages import Message, Ready
    from latcover.apps.web.settings import Settings

    def send(message: Message) -> None:
        out.write(msgspec.json.encode(message) + b"\n")
        out.flush()

    talk = Talk(send, msgspec.convert(settings_data, Settings))

    def on_interrupt(*_: object) -> None:
        talk.stopped = True

    signals.handle(signals.INTERRUPTS, on_interrupt)
    send(Ready())
    try:
        for line in lines:
            run_job(line, talk)
            talk.stopped = False  # not before a job: it may have been asked to end already
    except BrokenPipeError:
        os._exit(1)  # the server is gone


if __name__ == "__main__":
    main()
