"""Commands in processes of their own: what they print, how long they took a processor, and their limits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from latcover.system.machine import processor_time_of_children

ROOT = Path(__file__).parents[2]  # of the checkout
ENDED_BY_LIMIT = 3  # the exit code of a search that its limit ended
NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


class EndedCommand(msgspec.Struct, frozen=True):
    """What a command printed, its exit code, and the seconds that it and its children took of a processor."""

    output: str
    messages: str
    code: int
    seconds: float


def run_command(
    words: Sequence[str],
    *,
    seconds: int | None = None,
    megabytes: int | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] = NOTHING_MORE,
) -> EndedCommand:
    """Run a command to its end, or to its limit; it reads nothing.

    Args:
        seconds, megabytes: The processor time and the memory that it may take; only POSIX systems have such limits.
        folder: In which it runs; None takes the current one.
        environment: Variables to be set, besides those of this process.
    """
    bounds = [f"ulimit -t {seconds}; "] if seconds is not None else []
    bounds += [f"ulimit -v {megabytes << 10}; "] if megabytes is not None else []
    limited = ["sh", "-c", f'{"".join(bounds)}exec "$@"', "sh", *words] if bounds else list(words)
    before = processor_time_of_children()
    done = subprocess.run(
        limited,
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return EndedCommand(done.stdout, done.stderr, done.returncode, processor_time_of_children() - before)


def own_command(*words: str) -> list[str]:
    """A command of latcover, in its own process."""
    return [sys.executable, "-P", "-m", "latcover", *words]
