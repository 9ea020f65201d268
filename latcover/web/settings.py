"""The bounds of the server: how many runs, how long, how much memory. Plain data, shared with the child processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from latcover.model.puzzle import Bounds
from latcover.system.machine import open_files

MOST_CONNECTIONS = 500
MEGABYTE = 1_000_000


def _some_runs() -> int:
    """As many as there are cores, but at most 5: a browser opens 6 connections to a server, and each run that one of
    its tabs follows takes one; with all 6 taken every tab would stand still.
    """
    return max(2, min(5, os.cpu_count() or 2))


def _some_connections() -> int:
    """A third of the files that this process may open: the child processes and the listening socket take others."""
    return min(MOST_CONNECTIONS, open_files() // 3)


@dataclass(frozen=True, slots=True)
class Settings:
    """Bounds of the server; the command line can change those that users ask for.

    Attributes:
        runs: How many searches may run, or be paused, at once; more are refused (429).
        seconds: The longest that a search may run, its pauses not counted.
        life: The longest that it may stay, its pauses counted.
        memory: Address space of a child process, in bytes.
        solutions: How many solutions of a run are kept for browsing; more are counted only.
        designs: How many of the puzzles are kept that a run makes; more are counted only.
        output: How many bytes a run may send in all, and a file that is exported may have.
        kept, kept_seconds, held: How many runs that have ended are kept, the latest; how long after the last look; and
            how many bytes of output in all.
        forgotten, lonely: Seconds after which a run that nobody looks at is ended; and where there is no room for
            another otherwise.
        upload: Bytes of a request.
        connections: How many there may be at once.
        patience: Seconds that a client waits for one of them, until it is told to come again.
        head_seconds, body_seconds: In which the head and the body of a request have to come; what is sent to a client
            has to be taken within the latter, too.
        helpers, waiting: Processes that read and draw, and how many requests may wait for one.
        quick: Seconds that reading or drawing may take.
        idle: Seconds after which a helper that has nothing to do ends.
        cells, placements: How much a puzzle may ask for.
        steps: How many steps of a search can be watched.
        hosts: Names by which the server may be called, besides those of this machine's loopback and plain addresses.
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
    connections: int = field(default_factory=_some_connections)
    patience: float = 5.0
    head_seconds: float = 15.0
    body_seconds: float = 60.0
    helpers: int = 2
    waiting: int = 300
    quick: float = 20.0
    idle: float = 60.0
    cells: int = 20_000
    placements: int = 1_000_000
    steps: int = 20_000
    hosts: tuple[str, ...] = ()

    def bounds(self) -> Bounds:
        """How much a puzzle may ask for."""
        return Bounds(self.cells, self.placements)

    def as_json(self) -> dict[str, Any]:
        """Plain data, for a child process."""
        return asdict(self)

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Settings:
        """What `as_json` gave."""
        return cls(**{**data, "hosts": tuple(data["hosts"])})
