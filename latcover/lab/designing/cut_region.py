"""A region to be cut and the rules for its parts, checked and prepared for the native search."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latcover.backends import _native
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.encode import neighbour_graph
from latcover.core.encoding.placement import CellIndex, placements
from latcover.core.model.connected_shapes import neighbour_steps
from latcover.core.model.lattice import Transformation
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.lab.assembly.directions import directions, reaches, rises
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.sliding_sweeps import slide_arrays
from latcover.lab.designing.design_requests import CutRequest, GrowRequest, WalkRequest
from latcover.lab.designing.play_range import range_of
from latcover.lab.designing.region_names import NamedRegion
from latcover.lab.designing.start_cut import StartCut

MOST_CELLS: int = _native.most_cut_cells
MOST_STATES = 100_000  # positions of a cut that grows
MOST_MAPPED = 1 << 26  # cells, over all motions of the region
USUAL_CELLS = 5  # of a part, if the number of parts is not given
MOST_PARTS_BY_ITSELF = 12  # if the number of parts is not given
SPREAD = 0.2  # relative distance of sizes from their mean, if no sizes are given


class CutRegion:
    """A region to be cut.

    Args:
        region: Its cells and their lattice.
        request: What parts are asked for.
        start: The cut with which all walks begin; None begins with random ones.

    Attributes:
        n_parts, holes: How many parts there are, and how many cells may stay empty.
        start: The part of each cell at the start, -1 for none, shape (n,), int32; None if it is random.
        movable: The cells that may leave their parts; all of them without a start.
        held: The numbers of the parts that keep their cells, and take no others.
        plain: The region, its cells in the usual order.
        cells: Its cells in this order.
        allowed: What parts may undergo.
        crossed: The secondary cells that parts may run straight through.
        inner: The numbers of the cells that may be holes: those with neighbours on all sides, or, with a start, those
            that its puzzle leaves open.
        sizes, between: The cells of all parts, or None; and the least and the greatest number of cells of a part.
        slides: Whether parts slide in space.
        room: The room that parts have to turn; None if they only slide.
        needed: Which play a plan may need.

    Raises:
        PuzzleError: the region cannot be cut like this.
        UnsupportedError: it is too large, or the request is about sliding, and its parts do not slide.
    """

    def __init__(self, region: NamedRegion, request: WalkRequest, start: StartCut | None = None) -> None:
        lattice, cells, n = region.lattice, region.cells, len(region.cells)
        if n < 2:
            raise PuzzleError(f"a region of {counted(n, 'cell')} cannot be cut")
        if n > MOST_CELLS:
            raise UnsupportedError(f"a region of at most {MOST_CELLS} cells can be cut, not of {n}")
        if not lattice.connects(cells.tolist()):
            raise PuzzleError("the region is not connected; cut each piece of it by itself")
        self.lattice, self.name, self.request = lattice, region.name, request
        by_itself = max(2, min(MOST_PARTS_BY_ITSELF, round(n / USUAL_CELLS)))
        asked = request.parts if isinstance(request, CutRequest) else None
        self.n_parts = len(start.parts) if start else asked or by_itself
        self.plain = Region(cells)
        self.plain = self.plain.ordered(self.plain.default_order())
        self.cells = self.plain.cells
        self.allowed = lattice.allowed(lattice.default_transformations)
        self.crossed = lattice.crossed_by(self.cells)
        self._index = CellIndex(self.plain)
        self.inner = self._inner()
        self.holes = request.holes or 0
        self.start: npt.NDArray[np.int32] | None = None
        self.movable, self.held = np.arange(n, dtype=np.int32), list[int]()
        if start is not None:
            self._take_start(start, request)
        self.sizes, self.between = self._checked_sizes()
        self.slides = lattice.dimension == 3
        known = (start and start.turning) or Turning()
        self.room = None if request.turns == "never" else known.with_room(request.play, request.bevel)
        self.needed = range_of(request.needs_play)
        if self.room is not None:
            self.needed.require_within(self.room.play)
        self._check_level()

    def native_search(self) -> _native.Cutter:
        """The native search for cuts of this region.

        Raises:
            UnsupportedError: the region has too many motions.
        """
        n, request = len(self.cells), self.request
        maps, n_allowed = self._maps()
        starts, neighbours = neighbour_graph(self._index, self.lattice, through=True)
        centres = np.zeros((n, 3))
        centres[:, : self.lattice.dimension] = self.lattice.centres(self.cells)
        motions = maps.reshape(-1), n_allowed
        native = _native.Cutter(n, starts, neighbours, *motions, centres.reshape(-1), self._crossings())
        if self.slides:
            rows = np.zeros((n, 4), np.int32)
            rows[:, : self.cells.shape[1]] = self.cells
            ways = directions(self.lattice)
            between = np.stack(reaches(self.lattice, ways, self.cells), axis=-1)
            steps = rises(self.lattice, ways)
            native.slides(*slide_arrays(self.lattice), rows.reshape(-1), between.reshape(-1), steps.reshape(-1))
        native.rules(
            n_parts=self.n_parts,
            least_size=self.between[0],
            most_size=self.between[1],
            sizes=list(self.sizes or ()),
            different=request.different or request.no_mirrors,
            no_mirrors=request.no_mirrors,
            asymmetric=request.asymmetric,
            least_rank=3 if request.no_flat else 2 if request.no_rods else 0,
            forbidden=self._forbidden(),
            holes=self.holes,
            inner=self.inner,
            one_order=request.one_order,
            hard=request.hard,
            min_level=request.min_level,
        )
        if self.start is not None:
            native.start(start=self.start, movable=self.movable, held=self.held, most_states=MOST_STATES)
        return native

    def _take_start(self, start: StartCut, request: WalkRequest) -> None:
        """Take the cells of a start: which part they begin in, and which of them may move.

        Raises:
            PuzzleError: more cells are empty than may be, or no cell may move.
        """
        owner = np.full(len(self.cells), -1, np.int32)
        for number, part in enumerate(start.parts):
            owner[self._index.find(part)] = number
        self.start, empty, inside = owner, np.flatnonzero(owner < 0), self.inner
        if len(start.optional):
            self.inner = np.sort(self._index.find(start.optional)).astype(np.int32)
        if request.holes is not None and request.holes < len(empty):
            raise PuzzleError(
                f"{counted(len(empty), 'cell')} of {self.name} stay empty at the start; give --holes {len(empty)} or "
                "more"
            )
        self.holes = len(empty) if request.holes is None else request.holes
        self.held = list(start.held)
        movable = ~np.isin(owner, self.held)
        if isinstance(request, GrowRequest) and request.keep_outside:
            movable[np.setdiff1d(np.arange(len(self.cells)), np.union1d(inside, empty))] = False
        self.movable = np.flatnonzero(movable).astype(np.int32)
        if not len(self.movable):
            raise PuzzleError(f"no cell of {self.name} may change; hold fewer parts, or leave --keep-outside out")

    def _inner(self) -> npt.NDArray[np.int32]:
        """The cells with neighbours on all sides."""
        nodes, steps = self.cells[:, 0], neighbour_steps(self.lattice)
        found = np.isin(nodes, [node for node, *_ in steps])
        for node, target, step in steps:
            found &= (nodes != node) | (self._index.beside(node, (target, *step)) >= 0)
        return np.flatnonzero(found).astype(np.int32)

    def _crossings(self) -> npt.NDArray[np.int32]:
        """Two cells, and the number of the secondary cell that a part with both runs straight through, in rows."""
        edges, numbers = self.lattice.half_edges, {tuple(cell): k for k, cell in enumerate(self.cells.tolist())}
        rows = []
        for k, middle in enumerate(self.crossed):
            for one, other in self.lattice.straight_on.items():
                if one < other and edges[one].node == middle[0]:
                    ends = [numbers.get(edges[edge].across(middle)) for edge in (one, other)]
                    rows += [[*ends, k]] if None not in ends else []
        return np.array(rows, np.int32).reshape(-1)

    def _checked_sizes(self) -> tuple[tuple[int, ...] | None, tuple[int, int]]:
        request, n = self.request, len(self.cells)
        if not 1 < self.n_parts <= min(n, _native.most_parts):
            raise PuzzleError(f"a region of {n} cells can be cut into 2 to {min(n, _native.most_parts)} parts")
        if not 0 <= self.holes <= len(self.inner):
            which = "with neighbours on all sides" if self.start is None else "that may stay empty"
            raise PuzzleError(
                f"the region has {len(self.inner)} cells {which}, so it can have 0 to {len(self.inner)} holes"
            )
        least, most = n - self.holes, n
        numbers = tuple(map(int, re.findall(r"[0-9]+", request.sizes)))
        is_range = ".." in request.sizes or "-" in request.sizes
        if numbers and not is_range:
            if len(numbers) != self.n_parts or not least <= sum(numbers) <= most or min(numbers) < 1:
                cells = f"{n}" if least == most else f"{least} to {most}"
                raise PuzzleError(
                    f"the sizes must be {self.n_parts} numbers with the sum {cells}, not {len(numbers)} with "
                    f"the sum {sum(numbers)}"
                )
            return numbers, (min(numbers), max(numbers))
        usual = [n / self.n_parts] if self.start is None else np.bincount(self.start[self.start >= 0]).tolist()
        low, high = max(1, math.floor(min(usual) * (1 - SPREAD))), math.ceil(max(usual) * (1 + SPREAD))
        if is_range:
            low, high = numbers
        if not 1 <= low <= high:
            raise PuzzleError(
                f"no part has {low} to {high} cells; give the least number first, and at least 1, as in "
                f"{max(1, min(low, high))}..{max(1, low, high)}"
            )
        if low * self.n_parts > most or high * self.n_parts < least:
            raise PuzzleError(f"{self.n_parts} parts of {low} to {high} cells do not make up a region of {n}")
        return None, (low, min(high, n))

    def _check_level(self) -> None:
        request = self.request
        asked = request.min_level or request.one_order or request.no_flat or request.turns != "never"
        if not self.slides and asked:
            raise UnsupportedError(
                f"parts on the lattice {self.lattice.name!r} are flat and can be lifted off; levels, orders, turns "
                "and flat parts mean nothing here"
            )
        if request.turns != "never" and (request.one_order or not axes(self.lattice)):
            raise UnsupportedError(
                "orders are looked for among slides alone; leave out --one-order, or --turns"
                if request.one_order
                else f"the cells of {self.lattice.name!r} are not prisms along an axis of rotation, so turns are not "
                "examined; leave --turns out"
            )
        if self.room is None and request.min_level > 1 and not self.holes and self._slides_on():
            raise PuzzleError(
                "the first separation takes one move here: the region has no gaps, so whatever can slide one step can "
                "slide on for ever. Give --holes N, so that some cells inside may stay empty"
            )

    def _slides_on(self) -> bool:
        """Whether parts of a full region that can slide one step can slide on: see docs/explanation/designing.md."""
        directions, n_nodes, starts, hits = slide_arrays(self.lattice)
        steps = directions.reshape(-1, 12)[:, :3]
        if n_nodes != 1:
            return False
        there = set(map(tuple, self.cells[:, 1:].tolist()))
        for d, step in enumerate(steps.tolist()):
            met = {tuple(row) for row in hits.reshape(-1, 3)[starts[d] : starts[d + 1]].tolist()}
            if met != {(0, 0, 0), tuple(step)}:
                return False
            for cell in there:  # no line may leave the region and come back
                ahead = tuple(a + b for a, b in zip(cell, step, strict=True))
                if ahead not in there and any(
                    tuple(a + k * b for a, b in zip(cell, step, strict=True)) in there
                    for k in range(2, 2 + max(self.plain.extents()))
                ):
                    return False
        return True

    def _maps(self) -> tuple[npt.NDArray[np.int16], int]:
        """Where motions take the cells, shape (m, n), -1 for outside; and how many of them parts may undergo.

        The identity comes first. Of the motions that parts may not undergo all are listed if mirror images are
        forbidden, and otherwise those that take the region to itself.
        """
        n = len(self.cells)
        known = {t.labels for t in self.allowed}
        others = tuple(t for t in self.lattice.transformations if t.labels not in known)
        own = self._moved(self.allowed, self.between[0])
        identity = np.flatnonzero((own == np.arange(n)).all(axis=1))
        order = np.concatenate([identity, np.setdiff1d(np.arange(len(own)), identity)])
        more = self._moved(others, self.between[0] if self.request.no_mirrors else n)
        return np.concatenate([own[order], more]), len(own)

    def _moved(self, motions: Sequence[Transformation], least: int) -> npt.NDArray[np.int16]:
        """The motions that keep *least* cells in the region."""
        cells, found = self.cells, [np.empty((0, len(self.cells)), np.int16)]
        nodes = range(len(self.lattice.nodes))
        for motion in motions:
            look_at_clock()
            image = motion.apply(cells)
            if least == len(cells):  # only one translation can do
                offsets, kept = (cells[:, 1:].min(axis=0) - image[:, 1:].min(axis=0))[None], np.array([least])
            else:
                pairs = [cells[cells[:, 0] == k, None, 1:] - image[None, image[:, 0] == k, 1:] for k in nodes]
                there = np.concatenate([p.reshape(-1, p.shape[2]) for p in pairs])
                low, spans = there.min(axis=0), np.ptp(there, axis=0) + 1
                # A motion keeps as many cells as there are pairs that it could have come from.
                places, kept = np.unique(np.ravel_multi_index((there - low).T, spans), return_counts=True)
                offsets = np.stack(np.unravel_index(places, spans), axis=1) + low
            if len(offsets) * len(cells) * len(motions) > MOST_MAPPED:
                raise UnsupportedError(
                    f"the region has too many places for its parts ({len(cells)} cells, about "
                    f"{len(offsets) * len(motions):,} motions); take a smaller one"
                )
            offsets = offsets[kept >= least]
            moved = np.repeat(image[None], len(offsets), axis=0)
            moved[:, :, 1:] += offsets.astype(np.int32)[:, None]
            numbers = self._index.find(moved.reshape(-1, cells.shape[1])).reshape(len(offsets), -1)
            found.append(numbers[(numbers >= 0).sum(axis=1) >= least].astype(np.int16))
        return np.concatenate(found)

    def _forbidden(self) -> npt.NDArray[np.int32]:
        """The cells of each place of a forbidden shape, -1 after each."""
        rows: list[int] = []
        everything = self.lattice.transformations
        primary = [node for node in range(len(self.lattice.nodes)) if not self.lattice.nodes[node].secondary]
        for shape in (np.array(cells, np.int32) for cells in self.request.shapes):
            shape = shape[np.isin(shape[:, 0], primary)]
            if shape.shape[1] != self.cells.shape[1] or len(shape) > len(self.cells):
                continue
            none = np.zeros(len(shape), np.int32)
            part = Part("forbidden", shape, none, 0, None, everything)
            table = placements(Puzzle("region", self.lattice, self.plain, (part,)))
            for p in range(len(table)):
                rows += [*table.cells[table.starts[p] : table.starts[p + 1]].tolist(), -1]
        return np.array(rows, np.int32)
