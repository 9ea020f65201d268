"""The smallest region that each of some shapes fills, area by area, and a proof that no smaller one exists.

Instead of a shape there may be a set of shapes, each of which is used at least once. Only those areas are tried that
the sizes of each layer add up to. For each, a window of cells surely holds a region of this area that hangs together,
if there is one (`windows`), and a SAT solver says whether there is. If all smaller areas are refuted, the first region
is the smallest. Of shapes alone and without symmetry it hangs together by itself, since each of its components would be
a smaller region.

Where a refutation takes long, regions of any area are looked for in boxes by turns, and their areas made less. Most of
these searches ask for tilings with symmetries, which are few, so that they end soon. Sets of several shapes are given
regions that nearly fill a box. What is found bounds the smallest from above, and is called the smallest only once all
areas below are refuted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from itertools import count
from math import prod

from msgspec import Struct

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.connected_shapes import has_hole
from latcover.core.model.lattice import Lattice
from latcover.core.model.orientation import orientations
from latcover.core.model.solution import Cell
from latcover.errors import TooLargeError, UnsupportedError
from latcover.lab.exploring.box_turns import BoxTurns
from latcover.lab.exploring.compact_regions import CompactRegions
from latcover.lab.exploring.exploring_requests import CommonRequest
from latcover.lab.exploring.layers import Layer, Layers, layers_given
from latcover.lab.exploring.region_clauses import RegionClauses
from latcover.lab.exploring.region_faults import broken, components, holed
from latcover.lab.exploring.region_formula import Cut, Wanted
from latcover.lab.exploring.symmetries import Symmetry, symmetries
from latcover.lab.exploring.tilings import Tiling, tilings_of
from latcover.lab.exploring.windows import Distances, Window, box_window, window_of

FIRST_SLICE = 0.5  # seconds of the processor for a refutation before regions are looked for in boxes
FEW_AREAS = 4  # of which compact regions are tried by turns
MOST_WINDOW = 20_000  # cells; beyond, a refutation is not tried, unless few shapes lie there in few ways:
FEW_PLACES = 200_000  # of them in a window
MOST_PLACES = 1_000_000  # of shapes in a window or a box; larger ones are not searched


class Common(Struct, frozen=True, eq=False):
    """A region that all shapes fill, or what is known of it.

    Attributes:
        layers: What fills it; the same layer twice for a Galvagni figure.
        tilings: The region tiled by each layer, verified; empty if none was found.
        smallest: Whether no smaller region exists.
        connected, holes: Whether the region hangs together, and whether it has holes.
        refuted: No region exists whose area is at most this.
        stop: EXHAUSTED, or why the search was cut short. With EXHAUSTED and no tilings, ``request.most`` was reached.
        seconds: How long it took.
        within: The sides of the box in which regions were looked for; None if they may lie anywhere.
    """

    layers: tuple[Layer, ...]
    tilings: tuple[Tiling, ...]
    smallest: bool
    connected: bool
    holes: bool
    refuted: int
    stop: Stop
    seconds: float
    within: tuple[int, ...] | None = None

    @property
    def area(self) -> int | None:
        """The number of its cells; None if no region was found."""
        return self.tilings[0].cells if self.tilings else None

    def as_json(self) -> dict[str, object]:
        """The summary; the keys are a promise to scripts."""
        return {
            "area": self.area,
            "smallest": self.smallest,
            "connected": self.connected if self.tilings else None,
            "holes": self.holes if self.tilings else None,
            "none_up_to": self.refuted,
            **({} if self.within is None else {"within": list(self.within)}),
            "shapes": [layer.name for layer in self.layers],
            "stop": self.stop.value,
            "seconds": round(self.seconds, 3),
        }


def common(
    shapes: object,
    request: CommonRequest = CommonRequest(),
    events: Events = SILENT,
    known: Common | None = None,
) -> Common:
    """Find the smallest region that each of *shapes* fills.

    *shapes* is a sequence of parts or their names, and of part sets: of a set, each shape is used at least once. A
    single shape is asked for the smallest region that it fills in two ways (`galvagni`), or for the smallest that has
    so many symmetries. The search goes on from what is *known* of the same question. *events* is told of each smaller
    region.

    Raises:
        UnsupportedError: a question that has no meaning.
    """
    return _Search(_asked(layers_given("common", shapes), request), request, events, known).common()


def _asked(layers: tuple[Layer, ...], request: CommonRequest) -> Layers:
    if request.galvagni and len(layers) > 1:
        raise UnsupportedError("a Galvagni figure is of one shape, which fills it in two ways; name one shape")
    if len(layers) == 1 and not request.galvagni and request.symmetric == 1:
        raise UnsupportedError("one shape fills itself; name two shapes, or ask for --galvagni or --symmetric N")
    return Layers((layers[0], layers[0]), apart=True) if request.galvagni else Layers(layers)


class _Found(Struct, frozen=True, eq=False):
    tilings: tuple[Tiling, ...]
    area: int


class _Ended(Struct, frozen=True):
    """The end of a search in one window."""

    found: _Found | None
    refuted: bool


class _Search:
    def __init__(self, layers: Layers, request: CommonRequest, events: Events, known: Common | None) -> None:
        self.layers, self.request, self.events = layers, request, events
        lattice = layers.shapes[0].lattice
        assert lattice
        self.lattice: Lattice = lattice
        self.within, self.most = request.within, request.most
        if self.within is not None:
            self._require_box(self.within)
            cells = len(lattice.nodes) * prod(self.within)
            self.most = cells if self.most is None else min(cells, self.most)
        self.groups = symmetries(lattice, layers.shapes[0].transformations, request.symmetric)
        self.distances = Distances(lattice)
        self.next_area = self.tries = 0
        axes = tuple(range(lattice.dimension))
        self.turned = sum(len(orientations(shape, axes)) for shape in layers.shapes)
        self.most_window = min(max(MOST_WINDOW, FEW_PLACES // self.turned), MOST_PLACES // self.turned)
        self.compact: dict[int, CompactRegions] = {}  # by their area
        self.begun, self.begun_at = time.perf_counter(), time.thread_time()
        self.refuted = known.refuted if known else 0
        self.best: _Found | None = _Found(known.tilings, known.tilings[0].cells) if known and known.tilings else None
        self.stop: Stop | None = None
        self.proofs: dict[int, RegionClauses] = {}  # of each group: how far the next area's proof is
        self.proved: set[tuple[int, int]] = set()  # the areas and groups that have none

    def _require_box(self, sides: tuple[int, ...]) -> None:
        if len(sides) != self.lattice.dimension:
            raise UnsupportedError(f"a box on the lattice {self.lattice.name!r} has {self.lattice.dimension} sides")
        if self.request.symmetric > 1:
            raise UnsupportedError("regions with symmetries are not looked for in a given box; leave one of them out")

    @cached_property
    def turns(self) -> BoxTurns:
        return BoxTurns(self.layers.shapes, self.groups, MOST_PLACES // self.turned)

    def common(self) -> Common:
        try:
            self._search()
        finally:
            for clauses in self.proofs.values():
                clauses.close()
        return self.answer()

    def _search(self) -> None:
        piece = FIRST_SLICE
        while self.stop is None and not self._done():
            before = self.tries
            if not self.layers.single and not self.layers.apart and self.request.symmetric == 1:
                self._fill_compact_regions(piece)
            if (self.request.prove or self.within) and not self._done() and self.stop is None:
                self._prove(piece)
            if not self._done() and self.stop is None and not self.within:
                self._look_in_boxes(piece)
            if self.tries == before and not self._done():
                self.stop = self.stop or Stop.NOT_PROVED  # what is left is too large
            piece *= 2
        if self.within and self.most and self.best is None and self.stop is None:
            self.refuted = max(self.refuted, self.most)  # the sizes add up to nothing more that the box can hold

    def answer(self) -> Common:
        """What is known by now."""
        spent = time.perf_counter() - self.begun
        tilings = self.best.tilings if self.best else ()
        region = tilings[0].puzzle.region.cells if tilings else None
        return Common(
            self.layers.layers,
            tilings,
            self.best is not None and self._bounded() and self._next_area() >= self.best.area,
            region is not None and self.lattice.connects(region.tolist()),
            region is not None and has_hole(region, self.lattice),
            self.refuted,
            self.stop or Stop.EXHAUSTED,
            spent,
            self.within,
        )

    def _done(self) -> bool:
        if self.best is not None and (not self.request.prove or self._next_area() >= self.best.area):
            return True
        return self.most is not None and self._next_area() > self.most

    def _next_area(self) -> int:
        """The least area that is not refuted."""
        if self.next_area <= self.refuted:
            self.next_area = self.layers.next_area(self.refuted)
        return self.next_area

    @property
    def _of_shapes_alone(self) -> bool:
        """Whether each component of a region is a region, so that the smallest hangs together."""
        return self.request.symmetric == 1 and self.layers.single

    def _bounded(self) -> bool:
        """Whether a window surely holds the smallest region: others that fall apart may be of any width."""
        return self.request.connected or self._of_shapes_alone or self.within is not None

    def _prove(self, piece: float) -> None:
        """Refute areas, or find the smallest region, until one takes too long; the next time goes on there."""
        until = time.thread_time() + piece
        while self.stop is None and not self._done():
            area, unsure = self._next_area(), False
            for number, group in enumerate(self.groups):
                if (area, number) in self.proved:
                    continue
                if number not in self.proofs:
                    try:
                        window = self._window(area, group)
                    except TooLargeError:
                        return
                    self.proofs[number] = RegionClauses(self.layers, Wanted(window, group, most=area))
                ended = self._try(self.proofs[number], until)
                self._keep(ended.found)
                if ended.refuted:
                    self.proved.add((area, number))
                if ended.found is not None or ended.refuted:
                    self.proofs.pop(number).close()
                unsure |= not ended.refuted
            if unsure:
                return
            self.refuted = area
            self.events.on_better(self.answer())

    def _window(self, area: int, group: Symmetry) -> Window:
        """Where a region of this area lies, if there is one.

        Raises:
            TooLargeError: there are too many cells.
        """
        if self.within is None:
            return window_of(self.layers.layers, area, group, self.distances, self.most_window)
        if len(self.lattice.nodes) * prod(self.within) > self.most_window:
            raise TooLargeError(f"there are more than {self.most_window:,} cells in the box")
        return box_window(self.within, group)

    def _keep(self, found: _Found | None) -> None:
        if found is not None and (self.best is None or found.area < self.best.area):
            self.best = found
            self.events.on_better(self.answer())

    def _fill_compact_regions(self, piece: float) -> None:
        """Look for tilings of given regions, of each area in turn, the least first."""
        until, areas = time.thread_time() + piece, [self._next_area()]
        while len(areas) < FEW_AREAS:
            areas.append(self.layers.next_area(areas[-1]))
        for turn in count():
            area = areas[turn % (1 + turn // 2 % FEW_AREAS)]  # the least ones first, and more often
            if self._is_wanted(area):
                regions = self.compact.setdefault(area, CompactRegions(self.layers, area, self.within))
                cells, self.tries = regions.next(), self.tries + 1
                if cells is not None and not self.request.holes and has_hole(cells, self.lattice):
                    cells = None
                if cells is not None and (tiles := regions.filled(cells, FIRST_SLICE, self.events)):
                    self._keep(_Found(tilings_of(self.layers.layers, tiles), area))
                    return
            if not any(map(self._is_wanted, areas)) or time.thread_time() > until or not self._goes_on():
                return

    def _is_wanted(self, area: int) -> bool:
        """Whether a region of this area would be an answer, and is small enough to be searched."""
        most = self.most if self.best is None else self.best.area - 1
        return (most is None or area <= most) and area * self.turned <= MOST_PLACES

    def _look_in_boxes(self, piece: float) -> None:
        """Look for any region, or for a smaller one than before, in one box after the other."""
        until = time.thread_time() + piece
        self._fill()
        while time.thread_time() < until and not self._done() and self._goes_on():
            most = None if self.best is None else self.best.area - 1
            turn = self.turns.next(most)
            if turn is None:
                return
            begun, kind = time.thread_time(), turn.kind
            wanted = Wanted(box_window(turn.box.sides, kind.symmetry), kind.symmetry, kind.tiled, most)
            with closing(RegionClauses(self.layers, wanted)) as clauses:
                ended = self._try(clauses, min(until, begun + turn.seconds))
            self.turns.note(turn, time.thread_time() - begun)
            if ended.found is not None:
                self._keep(ended.found)
                self._fill()
            elif ended.refuted:
                self.turns.settle(turn, most)
            else:
                self.turns.put_off(turn)

    def _fill(self) -> None:
        self.turns.fill(self._next_area(), None if self.best is None else self.best.area)

    def _try(self, clauses: RegionClauses, until: float) -> _Ended:
        """Look for a region; again, as long as it is not as it shall be."""
        self.tries += 1
        while (answer := clauses.solve(until, self._goes_on)) is True:
            tilings = clauses.tilings()
            cut = self._fault(tilings[0], clauses.wanted.symmetry)
            if cut is None:
                return _Ended(self._verified(tilings), False)
            clauses.add(cut)
        return _Ended(None, answer is False)

    def _goes_on(self) -> bool:
        """Whether the search may go on: neither the user nor the clock has ended it."""
        spent = time.perf_counter() - self.begun
        if not self.events.on_progress(Progress(None, None, self.refuted, spent)):
            self.stop = Stop.CANCELLED
        elif self._spent(self.request.seconds, spent) or self._spent(
            self.request.effort, time.thread_time() - self.begun_at
        ):
            self.stop = Stop.TIME_LIMIT
        return self.stop is None

    @staticmethod
    def _spent(most: float | None, seconds: float) -> bool:
        return most is not None and seconds > most

    def _fault(self, tiles: Sequence[tuple[Cell, ...]], group: Symmetry) -> Cut | None:
        """Why a region is not as it shall be; None if it is."""
        region = {cell for tile in tiles for cell in tile}
        if self.request.connected and not self._of_shapes_alone and (cut := broken(region, self.lattice)):
            return cut
        return None if self.request.holes else holed(region, self.lattice)

    def _verified(self, layers: Sequence[Sequence[tuple[Cell, ...]]]) -> _Found:
        """The tilings as solutions that passed the verifier, of the smallest component if any will do.

        Raises:
            InternalError: one is wrong.
        """
        region = {cell for tile in layers[0] for cell in tile}
        if self._of_shapes_alone:
            region = min(components(region, self.lattice), key=len)
        kept = [[tile for tile in tiles if tile[0] in region] for tiles in layers]
        return _Found(tilings_of(self.layers.layers, kept, apart=self.layers.apart), len(region))
