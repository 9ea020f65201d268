"""The pictures of an atlas: a chart of the rectangles, the least tilings, and the plane."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from latcover.files.formats.library import load_lattice
from latcover.lab.exploring.atlas_answers import Atlas, Least
from latcover.lab.exploring.boxes import Boxes, Sides
from latcover.lab.exploring.decisions import Filled
from latcover.lab.exploring.primes import Prime
from latcover.lab.plane.plane_search import as_prototiles
from latcover.lab.plane.tiling_group import group_of
from latcover.show.drawing.paper.styles import PictureStyle
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.charts import ChartMark, chart
from latcover.show.drawing.scenes.plane_scenes import of_tiling
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene
from latcover.show.reporting.atlas_text import ORDERS, boxes_of
from latcover.show.reporting.plane_pictures import Answered, in_words, scenes

LOOK = PictureStyle(scale=16.0)
TILES = 30  # of the plane
LARGEST_CHART = 24  # units a side
FILLED = ChartMark("", (119, 169, 214), "filled")
PRIMES = {
    Prime.STRONG: ChartMark("P", (43, 92, 148), "strongly prime"),
    Prime.WEAK: ChartMark("p", (78, 129, 184), "weakly prime"),
    Prime.OPEN: ChartMark("p", (78, 129, 184), "prime"),
}
OTHERS = {
    Filled.AREA: ChartMark("", (238, 238, 234), "no: area"),
    Filled.COLOURING: ChartMark("c", (247, 226, 173), "no: colouring"),
    Filled.STRIP: ChartMark("s", (240, 205, 178), "no: strip"),
    Filled.CORNER: ChartMark("x", (216, 216, 210), "no: corner"),
    Filled.SEARCH: ChartMark("e", (236, 190, 196), "no: exact cover"),
    Filled.SAT: ChartMark("S", (226, 166, 178), "no: SAT"),
    Filled.UNKNOWN: ChartMark("?", (255, 255, 255), "not known"),
}


def pictures(found: Atlas) -> str:
    """All pictures, as SVG; empty if there is none."""
    entries = [*_charts(found), *_tilings(found), *_plane(found)]
    title = " and ".join(shape.name for shape in found.shapes)
    return page(title, entries, LOOK, columns=False) if entries else ""


def _charts(found: Atlas) -> Iterator[CaptionedScene]:
    """The rectangles by their sides, if there are few."""
    if not 1 < found.size <= LARGEST_CHART or len(next(iter(found.rectangles), ())) != 2:
        return
    least, sides = Boxes(found.shapes).least, range(1, found.size + 1)
    places = [(a, b) for a in sides for b in sides if a <= b or least((a, b)) != (b, a)]
    marks = {place: _mark(found, least(place)) for place in places if least(place) in found.rectangles}
    used = sorted({f"{mark.letter} {mark.meaning}" for mark in marks.values() if mark.letter})
    kind = boxes_of(found)
    yield CaptionedScene(chart(kind, marks, load_lattice("square")), "; ".join([kind, *used]))


def _mark(found: Atlas, sides: Sides) -> ChartMark:
    answer = found.rectangles[sides].filled
    if answer is Filled.YES:
        return PRIMES[found.primes[sides]] if sides in found.primes else FILLED
    return OTHERS[answer]


def _tilings(found: Atlas) -> Iterator[CaptionedScene]:
    """The least tilings of each kind; one that several kinds share comes once, below all their names."""
    named = [(ORDERS[kind], least) for kind, least in found.orders.items()]
    named += [(f"enlarged {found.enlarged.name}", found.enlarged)] if found.enlarged else []
    named += [(f"torus ({kind})", least) for kind, least in found.tori.items()]
    if found.symmetric is not None and found.symmetric.tilings:
        named.append(("full symmetry", Least(tiling=found.symmetric.tilings[0])))
    drawn: dict[object, tuple[list[str], Scene]] = {}
    for name, least in named:
        if least.tiling is not None:
            key = least.tiling.puzzle.region.period, least.tiling.solution.placements
            drawn.setdefault(key, ([], _scene(least)))[0].append(name)
    yield from (CaptionedScene(scene, ", ".join(names)) for names, scene in drawn.values())


def _scene(least: Least) -> Scene:
    """A tiling without letters; one of a skewed torus as a part of the plane, one period in strong colours."""
    if least.periodic is not None:
        return of_tiling(least.periodic, group_of(least.periodic).classes, "", TILES)
    assert least.tiling
    return _unlettered(scene.of_solution(least.tiling.puzzle, least.tiling.solution))


def _unlettered(drawn: Scene) -> Scene:
    return replace(drawn, items=tuple(replace(item, letter="") for item in drawn.items))


def _plane(found: Atlas) -> Iterator[CaptionedScene]:
    """A tiling of the plane, or how far the shape can be surrounded."""
    if found.plane is not None:
        for each in scenes(Answered(as_prototiles(found.shapes), found.plane), TILES):
            yield replace(each, caption=each.caption or f"the plane: {in_words(found.plane)}")
