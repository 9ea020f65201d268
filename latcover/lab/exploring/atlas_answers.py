"""The answers of an atlas: data, and its form for scripts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from latcover.core.model.puzzle import Part
from latcover.lab.asking.recurrences import Recurrence
from latcover.lab.exploring.boxes import Sides, named
from latcover.lab.exploring.common import Common
from latcover.lab.exploring.decisions import Filled
from latcover.lab.exploring.named_regions import NamedRegion
from latcover.lab.exploring.primes import Prime
from latcover.lab.exploring.rectangles import Rectangle
from latcover.lab.exploring.tilings import Tiling
from latcover.lab.plane.plane_answer import PlaneAnswer
from latcover.lab.plane.plane_search import as_prototiles
from latcover.lab.plane.prototiles import PeriodicTiling

SHOWN = ("shapes", "tiling", "smallest")  # of the answer about the plane: what the pictures show


class Least(Struct, frozen=True, eq=False):
    """The least of something: its tiling, and whether all smaller ones are refuted.

    Attributes:
        name: What it is, as in "2 x 5" or "x 2"; empty if none was found.
        proved: Whether there is no smaller one; if none was found, whether there is none within the bounds.
        bound: How far was looked if none was found, as in "up to 12 x 12".
        periodic: The tiling of the plane that a torus with skewed sides gives.
    """

    name: str = ""
    copies: int | None = None
    tiling: Tiling | None = None
    proved: bool = False
    bound: str = ""
    periodic: PeriodicTiling | None = None

    def as_json(self) -> dict[str, Any]:
        found = {"is": self.name or None, "copies": self.copies, "proved": self.proved}
        return found | ({"bound": self.bound} if self.bound else {})


class Atlas(Struct, frozen=True, eq=False):
    """What was found of a shape, or of several that are used together.

    Attributes:
        shapes: The shapes.
        size: Rectangles were looked at up to so many units a side.
        narrow: One side at least of each of them was at most so long.
        rectangles: All of them, by their sides.
        primes: Those that cannot be cut into two that are filled.
        orders: The fewest copies of a rectangle, of a square, of an odd number of copies, of a triangle, of a hexagon.
        corner: No rectangle whose sides are all at least this is filled; None if that is not known.
        regions: Triangles and hexagons, where the lattice has them.
        strips: The recurrence for each width for which it was found; with several shapes, each may be left out.
        strips_of_all: With several shapes, the same for tilings that use each of them.
        enlarged: For a single shape; None if no enlargement consists of cells.
        tori: The smallest; with several shapes each is used.
        symmetric: For a single shape; None if that was not asked.
        plane: Whether they tile the plane; None if that was not asked.
    """

    shapes: tuple[Part, ...]
    size: int
    narrow: int
    rectangles: dict[Sides, Rectangle]
    primes: dict[Sides, Prime]
    orders: dict[str, Least]
    corner: int | None = None
    regions: tuple[NamedRegion, ...] = ()
    strips: dict[int, Recurrence] = field(default_factory=dict)
    strips_of_all: dict[int, Recurrence] = field(default_factory=dict)
    enlarged: Least | None = None
    tori: dict[str, Least] = field(default_factory=dict)
    symmetric: Common | None = None
    plane: PlaneAnswer | None = None

    @property
    def complete(self) -> bool:
        """Whether every rectangle, triangle and hexagon within the bound is decided, and the plane as far as asked."""
        decided = all(each.filled is not Filled.UNKNOWN for each in (*self.rectangles.values(), *self.regions))
        return decided and (self.plane is None or self.plane.stop.is_complete)

    def as_json(self) -> dict[str, Any]:
        """All of it but the tilings; the keys are a promise to scripts."""
        return {
            "shapes": [shape.name for shape in self.shapes],
            "size": self.size,
            "narrow": self.narrow,
            "rectangles": {named(sides): str(each.filled) for sides, each in self.rectangles.items()},
            "why": {named(s): each.why for s, each in self.rectangles.items() if each.why}
            | {each.name: each.why for each in self.regions if each.why},
            "numbers": {named(s): each.number for s, each in self.rectangles.items() if each.number is not None},
            "primes": {named(sides): str(prime) for sides, prime in self.primes.items()},
            "orders": {name: least.as_json() for name, least in self.orders.items()},
            "corner": self.corner,
            "regions": {each.name: str(each.filled) for each in self.regions},
            "strips": {str(width): found.as_json() for width, found in self.strips.items()},
            "strips_of_all": {str(width): found.as_json() for width, found in self.strips_of_all.items()},
            "enlarged": None if self.enlarged is None else self.enlarged.as_json(),
            "tori": {name: least.as_json() for name, least in self.tori.items()},
            "symmetric": None if self.symmetric is None else self.symmetric.as_json(),
            "plane": self._plane_as_json(),
            "complete": self.complete,
        }

    def _plane_as_json(self) -> dict[str, Any] | None:
        if self.plane is None:
            return None
        data = self.plane.with_shapes(as_prototiles(self.shapes))
        return {key: value for key, value in data.items() if key not in SHOWN}
