"""What other packages add to latcover: their entry points."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def added(group: str) -> list[EntryPoint]:
    """The entry points of a group. Each installed package is looked at, once for the folders where Python looks."""
    return [*_found(tuple(sys.path)).select(group=group)]


@cache
def _found(_: tuple[str, ...]) -> Any:
    from importlib.metadata import entry_points  # it takes as long to load as a small puzzle to count

    return entry_points()
