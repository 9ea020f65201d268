"""What must stand beside figures: the machine, its load, the day, and the versions of what was measured."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from latcover.errors import counted
from latcover.system.machine import available_processors, machine


def conditions() -> dict[str, Any]:
    """Machine, processors, load, and day."""
    return {"machine": machine(), "processors": available_processors(), "load": load(), "day": today()}


def measured_on() -> str:
    """A sentence about the machine, its load, and the day, to stand below a table."""
    given = conditions()
    told = "" if given["load"] is None else f", load {given['load']:g}"
    return f"{given['machine']}, {counted(given['processors'], 'core')} to use{told}; {given['day']}."


def load() -> float | None:
    """Processes that wanted a core in the last minute; None where the platform does not tell."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def today() -> str:
    """The day, as 2026-01-31."""
    return datetime.now(UTC).date().isoformat()


def version_of(package: str) -> str | None:
    """The version of a package that is installed; None if it is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
