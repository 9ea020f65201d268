"""What people compute of a shape: rectangles, orders, primes, strips, enlargements, tori, symmetric regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from latcover.cover.events import SILENT, Events
from latcover.cover.time_limit import time_limit
from latcover.errors import OutOfTimeError, UnsupportedError
from latcover.exploring.common import Common, common
from latcover.exploring.rectangles import Filled, Prime, Rectangle, RectangleSearch, Sides, box_cells, primes
from latcover.exploring.requests import AtlasRequest, CommonRequest
from latcover.exploring.tilings import Tiling, puzzle_of, tile
from latcover.model.lattice import Cells
from latcover.model.period import Period
from latcover.model.puzzle import Part
from latcover.model.strip import Strip
from latcover.reporting.sequence import recurrence_as_json
from latcover.solving.recurrences import Recurrence
from latcover.solving.strips import strip_recurrence

WIDEST_STRIP = 7
LARGEST_THIN = 4  # times the bound on sides: the area of tori up to which longer ones are tried too


@dataclass(frozen=True, slots=True, eq=False)
class Least:
    """The least of something: its tiling, and whether all smaller ones are refuted.

    Attributes:
        name: What it is, as in "2 x 5" or "x 2"; empty if none was found.
        proved: Whether there is no smaller one; if none was found, whether there is none within the bounds.
    """

    name: str = ""
    copies: int | None = None
    tiling: Tiling | None = None
    proved: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"is": self.name or None, "copies": self.copies, "proved": self.proved}


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """What was found of a shape, or of several that are used together.

    Attributes:
        shapes: The shapes.
        size: Rectangles were looked at up to so many units a side.
        rectangles: All of them, by their sides.
        primes: Those that cannot be cut into two that are filled.
        orders: The fewest copies of a rectangle, of a square, and of an odd number of copies.
        strips: The recurrence for each width for which it was found.
        enlarged, tori, symmetric: For a single shape; None if the lattice has no such thing.
    """

    shapes: tuple[Part, ...]
    size: int
    rectangles: dict[Sides, Rectangle]
    primes: dict[Sides, Prime]
    orders: dict[str, Least]
    strips: dict[int, Recurrence] = field(default_factory=dict)
    enlarged: Least | None = None
    tori: dict[str, Least] = field(default_factory=dict)
    symmetric: Common | None = None

    @property
    def complete(self) -> bool:
        """Whether every rectangle within the bound is decided."""
        return all(each.filled is not Filled.UNKNOWN for each in self.rectangles.values())

    def as_json(self) -> dict[str, Any]:
        """All of it but the tilings; the keys are a promise to scripts."""
        return {
            "shapes": [shape.name for shape in self.shapes],
            "size": self.size,
            "rectangles": {_named(sides): str(each.filled) for sides, each in self.rectangles.items()},
            "numbers": {_named(s): each.number for s, each in self.rectangles.items() if each.number is not None},
            "primes": {_named(sides): str(prime) for sides, prime in self.primes.items()},
            "orders": {name: least.as_json() for name, least in self.orders.items()},
            "strips": {str(width): recurrence_as_json(found) for width, found in self.strips.items()},
            "enlarged": None if self.enlarged is None else self.enlarged.as_json(),
            "tori": {name: least.as_json() for name, least in self.tori.items()},
            "symmetric": None if self.symmetric is None else self.symmetric.as_json(),
            "complete": self.complete,
        }


def atlas(
    shapes: Sequence[Part],
    request: AtlasRequest = AtlasRequest(),  # noqa: B008 - frozen
    events: Events = SILENT,
) -> Atlas:
    """What *shapes* fill; several are used together, at least one copy of each.

    Raises:
        UnsupportedError: the shapes do not lie in the plane.
    """
    lattice = shapes[0].lattice
    if lattice is None or lattice.dimension != 2:
        raise UnsupportedError("an atlas is of flat shapes; take a lattice of two dimensions")
    search = RectangleSearch(shapes, request.each, request.seconds, events)
    found = {each.sides: each for each in search.all_up_to(request.size)}
    made = Atlas(tuple(shapes), request.size, found, primes(found, search), _orders(found, search))
    if len(shapes) > 1:
        return made
    (shape,) = shapes
    square = len(lattice.nodes) == 1 and len(lattice.half_edges) == 4
    tori = _tori(shape, request.size, search)
    strips = dict(_strips(shape, min(WIDEST_STRIP, request.size), search))
    asked = CommonRequest(symmetric=len(shape.transformations), seconds=4 * search.left)
    return Atlas(
        made.shapes,
        made.size,
        found,
        made.primes,
        made.orders,
        strips,
        _enlarged(shape, request.enlarged, search) if square else None,
        tori,
        common([shape], asked, events),
    )


def _named(sides: Sides) -> str:
    return f"{sides[0]}x{sides[1]}"


KINDS = ("rectangle", "square", "odd")


def _orders(found: dict[Sides, Rectangle], search: RectangleSearch) -> dict[str, Least]:
    """The least rectangle, square, and rectangle of an odd number of copies, of those that were looked at."""
    by_area = sorted(found.values(), key=lambda each: (each.sides[0] * each.sides[1], each.sides))
    return {
        kind: _least(
            kind, [each for each in by_area if _is(kind, each, search.shapes)], search, max(s[1] for s in found)
        )
        for kind in KINDS
    }


def _is(kind: str, each: Rectangle, shapes: Sequence[Part]) -> bool:
    lattice = shapes[0].lattice
    assert lattice
    copies = each.sides[0] * each.sides[1] * len(lattice.nodes) // shapes[0].size
    return kind == "rectangle" or (each.sides[0] == each.sides[1] if kind == "square" else bool(copies % 2))


def _least(kind: str, rectangles: Sequence[Rectangle], search: RectangleSearch, size: int) -> Least:
    sure = True
    for each in rectangles:
        if each.tiling is not None:
            area = each.sides[0] * each.sides[1]  # narrower ones of a smaller area may be longer than *size*
            sure = sure and (kind == "square" or search.longer_are_empty(area, size, odd=kind == "odd"))
            return Least(_named(each.sides), len(each.tiling.solution.placements), each.tiling, sure)
        sure &= each.filled is not Filled.UNKNOWN
    return Least(proved=sure)


def _strips(shape: Part, widest: int, search: RectangleSearch) -> Iterator[tuple[int, Recurrence]]:
    for width in range(1, widest + 1):
        assert shape.lattice
        try:
            with time_limit(search.left):
                yield width, strip_recurrence(Strip(shape.lattice, (shape,), (width, None)), search.events)
        except (UnsupportedError, OutOfTimeError):
            continue


def _enlarged(shape: Part, most: int, search: RectangleSearch) -> Least:
    """The smallest enlargement of the shape that its copies fill."""
    assert shape.lattice
    sure = True
    for times in range(2, most + 1):
        found = tile(puzzle_of(f"x{times}", shape.lattice, _times(shape.cells, times), [shape]), seconds=search.left)
        if found.tiling is not None:
            return Least(f"x{times}", times * times, found.tiling, sure)
        sure &= found.refuted
    return Least(proved=sure)


def _times(cells: Cells, times: int) -> Cells:
    block = np.array([(0, x, y) for x in range(times) for y in range(times)], np.int32)
    return np.concatenate([block + np.array([0, *row], np.int32) * times for row in cells[:, 1:].tolist()])


def _tori(shape: Part, size: int, search: RectangleSearch) -> dict[str, Least]:
    """The smallest torus with sides along the axes, the smallest square one, and that of an odd number of tiles."""
    assert shape.lattice
    lattice, found, sure = shape.lattice, dict[str, Least](), True
    thin = LARGEST_THIN * size
    every = [(a, b) for b in range(1, thin + 1) for a in range(1, b + 1) if b <= size or a * b <= thin]
    every.sort(key=lambda s: (s[0] * s[1], s))
    for sides in every:
        copies, rest = divmod(sides[0] * sides[1] * len(lattice.nodes), shape.size)
        kinds = [k for k, fits in zip(KINDS, (True, sides[0] == sides[1], copies % 2), strict=True) if fits]
        if rest or all(kind in found for kind in kinds):
            continue
        period = Period.read(2, sides)
        tried = tile(
            puzzle_of(_named(sides), lattice, box_cells(lattice, sides), [shape], period=period), seconds=search.left
        )
        if tried.tiling is not None:
            own = {kind: sure and (kind == "square" or sides[0] * sides[1] <= thin + 1) for kind in kinds}
            found |= {k: Least(_named(sides), copies, tried.tiling, own[k]) for k in kinds if k not in found}
        sure &= tried.tiling is not None or tried.refuted
        if len(found) == len(KINDS):
            break
    return {kind: found.get(kind, Least(proved=sure)) for kind in KINDS}
