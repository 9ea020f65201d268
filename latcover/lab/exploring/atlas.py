"""What people compute of a shape: rectangles and other regions, strips, enlargements, tori, and the plane."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.time_limit import time_limit
from latcover.core.model.puzzle import Part
from latcover.core.model.strip import Strip
from latcover.errors import InternalError, OutOfTimeError, UnsupportedError
from latcover.files.formats.named_shapes import shapes_given
from latcover.lab.asking.recurrences import Recurrence
from latcover.lab.asking.strips import strip_recurrence
from latcover.lab.exploring.atlas_answers import Atlas, Least
from latcover.lab.exploring.boxes import named
from latcover.lab.exploring.common import common
from latcover.lab.exploring.decisions import Filled
from latcover.lab.exploring.enlargements import smallest_enlargement
from latcover.lab.exploring.exploring_requests import AtlasRequest, CommonRequest
from latcover.lab.exploring.named_regions import NamedRegion, named_regions
from latcover.lab.exploring.primes import primes
from latcover.lab.exploring.rectangles import Rectangle, RectangleSearch
from latcover.lab.exploring.smallest_tori import SKEWED, smallest_tori
from latcover.lab.plane.plane_answer import PlaneAnswer, Verdict
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import plane

WIDEST_STRIP = 7
DEFAULT_SIZES = {2: 12, 3: 4}  # by the dimension
LONGER = 4  # times the seconds for one rectangle: those for the symmetric region, and for the plane
KINDS = ("rectangle", "square", "odd")


def atlas(
    shapes: Sequence[Part],
    request: AtlasRequest = AtlasRequest(),
    events: Events = SILENT,
) -> Atlas:
    """What *shapes* fill; several are used together, at least one copy of each.

    Raises:
        UnsupportedError: the shapes do not lie in the plane.
    """
    shapes = shapes_given("atlas", shapes)
    lattice = shapes[0].lattice
    if lattice is None or lattice.dimension < 2:
        raise UnsupportedError("an atlas is of flat shapes and of solids; take a lattice of two or three dimensions")
    search = RectangleSearch(shapes, request.each, request.seconds, events)
    size = request.size or DEFAULT_SIZES[lattice.dimension]
    narrow = min(request.narrow or size, size)
    rectangles = search.all_up_to(size, narrow)
    orders = _orders(search, size, narrow)
    made = Atlas(tuple(shapes), size, narrow, rectangles, primes(search), orders, search.corner)
    if request.rectangles_only or lattice.dimension > 2:
        return made
    regions = tuple(named_regions(search, size))
    orders = made.orders | {kind: _least_region(kind, regions) for kind in dict.fromkeys(each.kind for each in regions)}
    made = replace(made, regions=regions, orders=orders, plane=_plane(search))
    _require_agreement(made)
    widest, tiles = min(WIDEST_STRIP, size), made.plane is None or made.plane.verdict is not Verdict.NONE
    tori = (
        smallest_tori(search, size) if tiles else dict.fromkeys((*KINDS, *SKEWED), Least(proved=True, bound="at all"))
    )
    made = replace(made, strips=dict(_strips(search, widest)), tori=tori)
    if len(shapes) > 1:
        return replace(made, strips_of_all=dict(_strips(search, widest, all_used=True)))
    (shape,) = shapes
    asked = CommonRequest(symmetric=len(shape.transformations), seconds=LONGER * search.left)
    enlarged = smallest_enlargement(shape, request.enlarged if tiles else 0, search)  # enlargements of them tile, too
    return replace(made, enlarged=enlarged, symmetric=common([shape], asked, events))


def _plane(search: RectangleSearch) -> PlaneAnswer:
    """Whether the shapes tile the plane; of several each must be used."""
    return plane(search.shapes, PlaneRequest(seconds=LONGER * search.left), search.events)


def _require_agreement(made: Atlas) -> None:
    """Shapes that fill a rectangle tile the plane.

    Raises:
        InternalError: the answers differ.
    """
    none = made.plane is not None and made.plane.verdict is Verdict.NONE
    if none and (filled := [named(s) for s, each in made.rectangles.items() if each.filled is Filled.YES]):
        raise InternalError(f"a shape that fills {filled[0]} was said not to tile the plane")


def _orders(search: RectangleSearch, size: int, narrow: int) -> dict[str, Least]:
    """The least rectangle, square, and rectangle of an odd number of copies, of those that were looked at."""
    kinds = KINDS if len(search.shapes) == 1 else KINDS[:2]
    bounds = [narrow, *[size] * (search.lattice.dimension - 1)]
    none = Least(proved=True, bound=f"up to {' x '.join(map(str, bounds))}")
    wide = search.boxes.volume((narrow + 1,) * search.lattice.dimension) if narrow < size else math.inf
    found = {}
    for kind in kinds:
        own = [each for each in search.found.values() if _is(kind, each, search)]
        found[kind] = least = _least(kind, own, search, size) or replace(none, proved=_all_decided(own))
        if kind != "square" and least.tiling is not None and least.tiling.cells > wide:
            found[kind] = replace(least, proved=False)  # one that was left out may be smaller
    return found


def _all_decided(rectangles: Sequence[Rectangle]) -> bool:
    return all(each.filled is not Filled.UNKNOWN for each in rectangles)


def _is(kind: str, each: Rectangle, search: RectangleSearch) -> bool:
    if kind == "square":
        return len(set(each.sides)) == 1
    return kind == "rectangle" or search.boxes.copies(each.sides) % 2 == 1


def _least(kind: str, rectangles: Sequence[Rectangle], search: RectangleSearch, size: int) -> Least | None:
    """The first that is filled, and whether none is smaller; None if none is filled."""
    for number, each in enumerate(rectangles):
        if each.tiling is not None:  # narrower ones of fewer cells may be longer than *size*
            volume = search.boxes.volume(each.sides)
            sure = _all_decided(rectangles[:number])
            sure = sure and (kind == "square" or search.no_longer_one(volume, size, odd=kind == "odd"))
            return Least(named(each.sides), len(each.tiling.solution.placements), each.tiling, sure)
    return None


def _least_region(kind: str, regions: Sequence[NamedRegion]) -> Least:
    """The least triangle or hexagon."""
    sure = True
    for each in regions:
        if each.kind == kind and each.tiling is not None:
            return Least(each.name, len(each.tiling.solution.placements), each.tiling, sure)
        sure &= each.kind != kind or each.filled is not Filled.UNKNOWN
    largest = max(each.side for each in regions if each.kind == kind)
    return Least(proved=sure, bound=f"up to side {largest}")


def _strips(search: RectangleSearch, widest: int, *, all_used: bool = False) -> Iterator[tuple[int, Recurrence]]:
    for width in range(1, widest + 1):
        if search.is_over:
            return
        try:
            with time_limit(search.left, search.events):
                strip = Strip(search.lattice, search.shapes, (width, None))
                yield width, strip_recurrence(strip, search.events, all_used=all_used)
        except (UnsupportedError, OutOfTimeError):
            continue
