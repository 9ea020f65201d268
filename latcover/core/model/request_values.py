"""The values that requests, options and forms may hold: bounds of numbers, and names of choices. Each stands here once.

A bound is msgspec's `Meta`, whose title is the unit. The command line reads it for its options, the web app for its
fields. This module is light, since help needs it.
"""

from __future__ import annotations

from functools import cache
from operator import index
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from latcover.errors import UnsupportedError

MOST_PLAY = 0.2  # of an edge
MOST_BEVEL = 0.25

Natural = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Drawn = Annotated[int, Meta(ge=0, le=10**9)]  # solutions drawn at random
ProbeCount = Annotated[int, Meta(ge=1, le=10**9)]
Seconds = Annotated[float, Meta(ge=0, title="SECONDS")]
ProbeSeconds = Annotated[float, Meta(ge=0.01, le=1e6, title="SECONDS")]
Megabytes = Annotated[int, Meta(ge=1, le=1_000_000, title="MB")]
DiskMegabytes = Annotated[int, Meta(ge=0, le=1_000_000_000, title="MB")]
Processes = Annotated[int, Meta(ge=1, le=64)]
Threads = Annotated[int, Meta(ge=1, le=1024)]
Play = Annotated[float, Meta(ge=0, le=MOST_PLAY, title="SHARE")]
Bevel = Annotated[float, Meta(ge=0, le=MOST_BEVEL, title="SHARE")]
FewestParts = Annotated[int, Meta(ge=2)]  # of a cut
LeastLevel = Annotated[int, Meta(ge=0, le=1000)]
AtlasSize = Annotated[int, Meta(ge=1, le=200)]
Enlarged = Annotated[int, Meta(ge=0, le=50)]
FamilyCells = Annotated[int, Meta(ge=1, le=30)]  # of shapes that are sorted by how they tile
ShapeCells = Annotated[int, Meta(ge=1, le=20)]  # of shapes that are listed
TileClasses = Annotated[int, Meta(ge=1, le=16)]
Coronas = Annotated[int, Meta(ge=0, le=100)]
TorusArea = Annotated[int, Meta(ge=1, le=100_000)]
RegionCopies = Annotated[int, Meta(ge=1, le=10_000)]
BoxSides = Annotated[tuple[Annotated[int, Meta(ge=1, le=1000)], ...], Meta(min_length=1, max_length=3)]
RegionSymmetries = Annotated[int, Meta(ge=1, le=1000)]
Columns = Annotated[int, Meta(ge=1, le=500)]
Dpi = Annotated[int, Meta(ge=10, le=2400)]

SymmetryChoice = Literal["none", "rotations", "all"]
"""Which images of a solution count as the same: none, turned ones, or all."""
ReductionMethod = Literal["auto", "paper", "none"]
"""How symmetry is used during the search."""
When = Literal["never", "needed", "always"]
"""When turns are tried: never, where slides alone do not do, or from the start."""
SetSearch = Literal["auto", "all", "sample", "climb"]
"""How sets are looked for."""
RegionSearch = Literal["auto", "all", "sample"]
"""How regions are looked for."""
EachGoal = Literal["solvable", "unique", "even"]
"""What each goal of a design must have: a solution, exactly one, or as many as the hardest can have at most."""
Rank = Literal["solutions", "level", "branches", "parts"]
"""By what designs are ranked."""


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request, as plain data. Its values keep the bounds of their types, however it is made.

    Raises:
        UnsupportedError: one does not.
    """

    def __post_init__(self) -> None:
        for name, kind in _types(type(self)):
            value = getattr(self, name)
            if hasattr(value, "__index__"):  # of numpy
                value = index(value) if not isinstance(value, bool) else value
            try:
                msgspec.convert(value, kind)
            except msgspec.ValidationError as fault:
                raise UnsupportedError(f"{type(self).__name__}: {name} is {value!r:.60}: {fault}") from None


@cache
def _types(kind: type[Request]) -> tuple[tuple[str, Any], ...]:
    return tuple((each.name, each.type) for each in fields(kind))
