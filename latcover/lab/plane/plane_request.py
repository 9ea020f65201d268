"""What is asked about shapes in the plane."""

from __future__ import annotations

from latcover.core.model.request_values import Coronas, Request, Seconds, TileClasses, TorusArea
from latcover.lab.plane.tori import TorusKind

MOST_CORONAS = 7
TILES = 24  # of tori, if no area is asked for


class PlaneRequest(Request, frozen=True, kw_only=True):
    """Whether shapes tile the plane, how, and if not, how far they reach.

    Attributes:
        classes: Look for tilings of at most so many classes of tiles, by a search that needs no bound of the torus.
        area: Search tori of at most so many cells; None takes a bound by the size of the shapes.
        coronas: Surround a shape at most so often.
        holes: Whether to ask also for the Heesch number with a hole in the last corona.
        smallest: Also find the smallest torus of this kind that the shapes cover.
        seconds: Stop after so long.
    """

    BESIDE_THE_QUESTION = frozenset(("seconds",))

    classes: TileClasses = 6
    area: TorusArea | None = None
    coronas: Coronas = MOST_CORONAS
    holes: bool = True
    smallest: TorusKind | None = None
    seconds: Seconds | None = None
