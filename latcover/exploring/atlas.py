"""What people compute of a shape: rectangles, orders, primes, strips, enlargements, tori, symmetric regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from latcover.cover.events import SILENT, Events
from latcover.cover.result import Stop
from latcover.cover.time_limit import time_limit
from latcover.errors import InternalError, OutOfTimeError, UnsupportedError
from latcover.exploring.boxes import Sides, box_cells, named
from latcover.exploring.common import Common, common
from latcover.exploring.rectangles import Filled, Prime, Rectangle, RectangleSearch, primes
from latcover.exploring.requests import AtlasRequest, CommonRequest
from latcover.exploring.tilings import Tiling, puzzle_of, tile_in_stages
from latcover.model.lattice import Cells
from latcover.model.period import Period
from latcover.model.prototiles import PeriodicTiling
from latcover.model.puzzle import Part
from latcover.model.solution import Placed, Solution
from latcover.model.strip import Strip
from latcover.model.verifier import verify
from latcover.plane.perform import as_prototiles
from latcover.plane.tori import TorusKind, smallest_torus
from latcover.reporting.sequence import recurrence_as_json
from latcover.solving.recurrences import Recurrence
from latcover.solving.strips import strip_recurrence

WIDEST_STRIP = 7
DEFAULT_SIZES = {2: 12, 3: 4}  # by the dimension
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
        corner: No rectangle whose sides are all at least this is filled; None if that is not known.
        strips: The recurrence for each width for which it was found; with several shapes, each may be left out.
        enlarged, tori, symmetric: For a single shape; None if the lattice has no such thing.
    """

    shapes: tuple[Part, ...]
    size: int
    rectangles: dict[Sides, Rectangle]
    primes: dict[Sides, Prime]
    orders: dict[str, Least]
    corner: int | None = None
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
            "rectangles": {named(sides): str(each.filled) for sides, each in self.rectangles.items()},
            "why": {named(s): each.why for s, each in self.rectangles.items() if each.why},
            "numbers": {named(s): each.number for s, each in self.rectangles.items() if each.number is not None},
            "primes": {named(sides): str(prime) for sides, prime in self.primes.items()},
            "orders": {name: least.as_json() for name, least in self.orders.items()},
            "corner": self.corner,
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
    if lattice is None or lattice.dimension < 2:
        raise UnsupportedError("an atlas is of flat shapes and of solids; take a lattice of two or three dimensions")
    search = RectangleSearch(shapes, request.each, request.seconds, events)
    size = request.size or DEFAULT_SIZES[lattice.dimension]
    made = Atlas(tuple(shapes), size, search.all_up_to(size), primes(search), _orders(search, size), search.corner)
    if request.rectangles_only or lattice.dimension > 2:
        return made
    made = replace(made, strips=dict(_strips(shapes, min(WIDEST_STRIP, size), search)))
    if len(shapes) > 1:
        return made
    (shape,) = shapes
    square = len(lattice.nodes) == 1 and len(lattice.half_edges) == 4
    asked = CommonRequest(symmetric=len(shape.transformations), seconds=4 * search.left)
    return replace(
        made,
        enlarged=_enlarged(shape, request.enlarged, search) if square else None,
        tori=_tori(shape, size, search) | _skewed_tori(shape, size, search),
        symmetric=common([shape], asked, events),
    )


KINDS = ("rectangle", "square", "odd")
SKEWED: dict[str, TorusKind] = {"skewed": "any", "skewed square": "square", "skewed odd": "odd"}


def _orders(search: RectangleSearch, size: int) -> dict[str, Least]:
    """The least rectangle, square, and rectangle of an odd number of copies, of those that were looked at."""
    kinds = KINDS if len(search.shapes) == 1 else KINDS[:2]
    return {kind: _least(kind, [each for each in search.found.values() if _is(kind, each, search)], search, size)
            for kind in kinds}  # fmt: skip


def _is(kind: str, each: Rectangle, search: RectangleSearch) -> bool:
    if kind == "square":
        return len(set(each.sides)) == 1
    return kind == "rectangle" or search.boxes.volume(each.sides) // search.shapes[0].size % 2 == 1


def _least(kind: str, rectangles: Sequence[Rectangle], search: RectangleSearch, size: int) -> Least:
    sure = True
    for each in rectangles:
        if each.tiling is not None:  # narrower ones of fewer cells may be longer than *size*
            volume = search.boxes.volume(each.sides)
            sure = sure and (kind == "square" or search.no_longer_one(volume, size, odd=kind == "odd"))
            return Least(named(each.sides), len(each.tiling.solution.placements), each.tiling, sure)
        sure &= each.filled is not Filled.UNKNOWN
    return Least(proved=sure)


def _strips(shapes: Sequence[Part], widest: int, search: RectangleSearch) -> Iterator[tuple[int, Recurrence]]:
    for width in range(1, widest + 1):
        try:
            with time_limit(search.left):
                strip = Strip(search.lattice, tuple(shapes), (width, None))
                yield width, strip_recurrence(strip, search.events)
        except (UnsupportedError, OutOfTimeError):
            continue


def _enlarged(shape: Part, most: int, search: RectangleSearch) -> Least:
    """The smallest enlargement of the shape that its copies fill."""
    assert shape.lattice
    sure = True
    for times in range(2, most + 1):
        puzzle = puzzle_of(f"x{times}", shape.lattice, _times(shape.cells, times), [shape])
        found = tile_in_stages(puzzle, search.left, search.events)
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
        puzzle = puzzle_of(named(sides), lattice, box_cells(lattice, sides), [shape], period=period)
        tried = tile_in_stages(puzzle, search.left, search.events)
        if tried.tiling is not None:
            own = {kind: sure and (kind == "square" or sides[0] * sides[1] <= thin + 1) for kind in kinds}
            found |= {k: Least(named(sides), copies, tried.tiling, own[k]) for k in kinds if k not in found}
        sure &= tried.tiling is not None or tried.refuted
        if len(found) == len(KINDS):
            break
    return {kind: found.get(kind, Least(proved=sure)) for kind in KINDS}


def _skewed_tori(shape: Part, size: int, search: RectangleSearch) -> dict[str, Least]:
    """The smallest torus of any two periods, and so on."""
    prototiles, found = as_prototiles(shape), dict[str, Least]()
    for name, kind in SKEWED.items():
        tried = smallest_torus(prototiles, LARGEST_THIN * size, kind=kind, seconds=search.left, events=search.events)
        if tried.tiling is None:
            found[name] = Least(proved=tried.stop is Stop.EXHAUSTED)
            continue
        found[name] = Least(_periods(tried.tiling.period), len(tried.tiling.tiles), _on_torus(tried.tiling), True)
    return found


def _periods(period: Period) -> str:
    return " ".join(f"({', '.join(map(str, vector))})" for vector in period.vectors)


def _on_torus(tiling: PeriodicTiling) -> Tiling:
    """The tiling as a solution that passed the verifier.

    Raises:
        InternalError: it is none.
    """
    lattice, shapes, period = tiling.prototiles.lattice, tiling.prototiles.shapes, tiling.period
    cells = np.array(
        [(node, *home) for home in period.homes().tolist() for node in range(len(lattice.nodes))], np.int32
    )
    puzzle = puzzle_of("torus", lattice, cells, shapes, period=period)
    tiles = [(shapes[tile.shape].name, tiling.prototiles.cells_of(tile).tolist()) for tile in tiling.tiles]
    placed = [Placed(name, tuple(sorted(period.homes_of(own)))) for name, own in tiles]
    solution = Solution(tuple(sorted(placed, key=lambda each: each.cells)), puzzle=puzzle)
    if faults := verify(puzzle, solution):
        raise InternalError(f"a tiling of a torus is wrong: {faults[0]}")
    return Tiling(puzzle, solution)
