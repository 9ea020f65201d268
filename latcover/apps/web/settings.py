"""The bounds of the server: how many runs, how long, how much memory. Plain data, shared with the child processes."""

from __future__ import annotations

import os

import msgspec
from msgspec import field

from latcover.core.model.puzzle import Bounds

MEGABYTE = 1_000_000


def _some_runs() -> int:
    """The number of cores, but at most 5: a browser opens 6 connections to a server, and each run that a tab follows
    takes one of them. If all were taken, every tab would hang.
    """
    return max(2, min(5, os.cpu_count() or 2))


class Settings(msgspec.Struct, frozen=True):
    """Bounds of the server; the command line can change those that users ask for.

    Attributes:
        runs: How many searches may run, or be paused, at once; more are refused (429).
        seconds: The longest that a search may run, without its pauses.
        life: The longest that it may last, including its pauses.
        memory: Address space of a child process, in bytes.
        solutions: How many solutions of a run are kept; the others are only counted.
        designs: How many designs of a run are kept; the others are only counted.
        output: How many bytes a run may send, and an exported file may have.
        kept, kept_seconds, held: How many ended runs are kept, for how long after the last request, and with how many
            bytes of output together.
        forgotten, lonely: Seconds after which a run without watchers is ended; and the same if another run needs room.
        upload: The most bytes of a request.
        arrival_seconds: How long a request may take to arrive.
        reading_seconds: How long a client may leave an answer unread.
        helpers, waiting: How many processes read and draw, and how many requests may wait for them.
        quick: Seconds that reading or drawing may take.
        idle: Seconds after which an idle helper is ended.
        cells, placements: How much a puzzle may ask for.
        steps: How many steps of a search can be watched.
        hosts: Further host names of the server, besides localhost and IP addresses.
        publisher: What makes the site of a file's puzzles, as ``module:function`` (`Publisher` in `site_export`): what
            `latcover publish` writes is made above the web app. "": none are made.
    """

    runs: int = field(default_factory=_some_runs)
    seconds: float = 600.0
    life: float = 3600.0
    memory: int = 4000 * MEGABYTE
    solutions: int = 10_000
    designs: int = 5000
    output: int = 32 * MEGABYTE
    kept: int = 24
    kept_seconds: float = 1800.0
    held: int = 128 * MEGABYTE
    forgotten: float = 60.0
    lonely: float = 10.0
    upload: int = 4 * MEGABYTE
    arrival_seconds: float = 60.0
    reading_seconds: float = 60.0
    helpers: int = 2
    waiting: int = 300
    quick: float = 20.0
    idle: float = 60.0
    cells: int = 20_000
    placements: int = 1_000_000
    steps: int = 20_000
    hosts: tuple[str, ...] = ()
    publisher: str = ""

    def bounds(self) -> Bounds:
        """How much a puzzle may ask for."""
        return Bounds(self.cells, self.placements)
