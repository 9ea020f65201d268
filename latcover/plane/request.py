"""What is asked about shapes in the plane."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

MOST_CORONAS = 7


class PlaneRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether shapes tile the plane, how, and if not, how far they reach.

    Attributes:
        area: Search tori of at most so many cells; None takes a bound by the size of the shapes.
        coronas: Surround a shape at most so often.
        holes: Whether to ask also for the Heesch number with a hole in the last corona.
        seconds: Stop after so long.
    """

    area: Annotated[int, Meta(ge=1)] | None = None
    coronas: Annotated[int, Meta(ge=0)] = MOST_CORONAS
    holes: bool = True
    seconds: Annotated[float, Meta(ge=0)] | None = None
