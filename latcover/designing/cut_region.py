"""A region to be cut and what is wished of its parts: checked, and as the native search takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latcover.assembly.slides import sliding
from latcover.backends import _native
from latcover.designing.wanted_cuts import CutWishes
from latcover.encoding.encode import neighbour_graph
from latcover.encoding.placement import CellIndex, placements
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.model.lattice import Cells, Lattice, Transformation
from latcover.model.puzzle import Part, Puzzle, plain_region

MOST_CELLS: int = _native.most_cut_cells
MOST_MAPPED = 1 << 26  # cells, over all motions of the region
SPREAD = 0.2  # how far the sizes of parts may lie from their mean, if no sizes are given


class CutRegion:
    """A region to be cut.

    Args:
        lattice: Its lattice.
        cells: Its cells, shape (n, dimension + 1), int32.
        wishes: What parts are asked for.

    Attributes:
        plain: The region, its cells in the usual order.
        cells: Its cells in this order.
        allowed: What parts may undergo.
        inner: The numbers of the cells with neighbours on all sides, which may be holes.
        sizes, between: The cells of all parts, or None; and the least and the greatest number of cells of a part.
        slides: Whether parts slide in space.

    Raises:
        PuzzleError: the region cannot be cut like this.
        UnsupportedError: it is too large, or the wishes are about sliding, and its parts do not slide.
    """

    def __init__(self, lattice: Lattice, cells: Cells, wishes: CutWishes) -> None:
        n = len(cells)
        if n < 2:
            raise PuzzleError(f"a region of {counted(n, 'cell')} cannot be cut")
        if n > MOST_CELLS:
            raise UnsupportedError(f"a region of at most {MOST_CELLS} cells can be cut, not of {n}")
        if not lattice.connects(cells.tolist()):
            raise PuzzleError("the region is not connected; cut each piece of it by itself")
        self.lattice, self.wishes = lattice, wishes
        self.plain = plain_region(cells)
        self.plain = self.plain.ordered(self.plain.default_order())
        self.cells = self.plain.cells
        self.allowed = lattice.allowed(lattice.default_transformations)
        self._index = CellIndex(self.plain)
        self.inner = self._inner()
        self.sizes, self.between = self._checked_sizes()
        self.slides = lattice.dimension == 3
        self._check_level()

    def native_search(self) -> _native.Cutter:
        """The native search for cuts of this region.

        Raises:
            UnsupportedError: the region has too many motions.
        """
        n, wishes = len(self.cells), self.wishes
        maps, n_allowed = self._maps()
        starts, neighbours = neighbour_graph(self._index, self.lattice)
        centres = np.zeros((n, 3))
        centres[:, : self.lattice.dimension] = self.lattice.centres(self.cells)
        native = _native.Cutter(n, starts, neighbours, maps.reshape(-1), n_allowed, centres.reshape(-1))
        if self.slides:
            rows = np.zeros((n, 4), np.int32)
            rows[:, : self.cells.shape[1]] = self.cells
            native.slides(*sliding(self.lattice), rows.reshape(-1))
        native.rules(
            n_parts=wishes.n_parts,
            least_size=self.between[0],
            most_size=self.between[1],
            sizes=[] if wishes.sizes is None else list(wishes.sizes),
            different=wishes.different,
            no_mirrors=wishes.no_mirrors,
            asymmetric=wishes.asymmetric,
            least_rank=3 if "flat" in wishes.forbid else 2 if "rod" in wishes.forbid else 0,
            forbidden=self._forbidden(),
            holes=wishes.holes,
            inner=self.inner,
            one_order=wishes.one_order,
            hard=wishes.hard,
            min_level=wishes.min_level,
        )
        return native

    def _inner(self) -> npt.NDArray[np.int32]:
        """The cells with neighbours on all sides."""
        sides = np.bincount([edge.node for edge in self.lattice.half_edges], minlength=len(self.lattice.nodes))
        found = np.full(len(self.cells), True)
        for edge in self.lattice.half_edges:
            here = self.cells[:, 0] == edge.node
            found[here] &= self._index.beside(edge.node, edge.leads_to)[here] >= 0
        return np.flatnonzero(found & (sides[self.cells[:, 0]] > 0)).astype(np.int32)

    def _checked_sizes(self) -> tuple[tuple[int, ...] | None, tuple[int, int]]:
        wishes, n = self.wishes, len(self.cells)
        if not 1 < wishes.n_parts <= min(n, _native.most_parts):
            raise PuzzleError(f"a region of {n} cells can be cut into 2 to {min(n, _native.most_parts)} parts")
        if not 0 <= wishes.holes <= len(self.inner):
            raise PuzzleError(
                f"the region has {len(self.inner)} cells with neighbours on all sides, so it can have 0 to "
                f"{len(self.inner)} holes"
            )
        least, most = n - wishes.holes, n
        if wishes.sizes is not None:
            if len(wishes.sizes) != wishes.n_parts or not least <= sum(wishes.sizes) <= most or min(wishes.sizes) < 1:
                cells = f"{n}" if least == most else f"{least} to {most}"
                raise PuzzleError(
                    f"the sizes must be {wishes.n_parts} numbers with the sum {cells}, not {len(wishes.sizes)} with "
                    f"the sum {sum(wishes.sizes)}"
                )
            return wishes.sizes, (min(wishes.sizes), max(wishes.sizes))
        mean = n / wishes.n_parts
        low, high = wishes.between or (max(1, math.floor(mean * (1 - SPREAD))), math.ceil(mean * (1 + SPREAD)))
        if not 1 <= low <= high:
            raise PuzzleError(
                f"no part has {low} to {high} cells; give the least number first, and at least 1, as in "
                f"{max(1, min(low, high))}..{max(1, low, high)}"
            )
        if low * wishes.n_parts > most or high * wishes.n_parts < least:
            raise PuzzleError(f"{wishes.n_parts} parts of {low} to {high} cells do not make up a region of {n}")
        return None, (low, high)

    def _check_level(self) -> None:
        wishes = self.wishes
        if not self.slides and (wishes.min_level or wishes.one_order or "flat" in wishes.forbid):
            raise UnsupportedError(
                f"parts on the lattice {self.lattice.name!r} are flat and can be lifted off; levels, orders and flat "
                "parts mean nothing here"
            )
        if wishes.min_level > 1 and not wishes.holes and self._slides_on():
            raise PuzzleError(
                "the first separation takes one move here: the region has no gaps, so whatever can slide one step can "
                "slide on for ever. Give --holes N, so that some cells inside may stay empty"
            )

    def _slides_on(self) -> bool:
        """Whether parts of a full region that can slide one step can slide on: see docs/explanation/designing.md."""
        directions, n_nodes, starts, hits = sliding(self.lattice)
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
        more = self._moved(others, self.between[0] if self.wishes.no_mirrors else n)
        return np.concatenate([own[order], more]), len(own)

    def _moved(self, motions: Sequence[Transformation], least: int) -> npt.NDArray[np.int16]:
        """The motions that keep *least* cells in the region."""
        cells, found = self.cells, [np.empty((0, len(self.cells)), np.int16)]
        for motion in motions:
            image = motion.apply(cells)
            if least == len(cells):  # only one translation can do
                offsets = [cells[:, 1:].min(axis=0) - image[:, 1:].min(axis=0)]
            else:
                pairs = [cells[cells[:, 0] == node, None, 1:] - image[None, image[:, 0] == node, 1:]
                         for node in range(len(self.lattice.nodes))]  # fmt: skip
                offsets = list(np.unique(np.concatenate([p.reshape(-1, p.shape[2]) for p in pairs]), axis=0))
            if len(offsets) * len(cells) * len(motions) > MOST_MAPPED:
                raise UnsupportedError(
                    f"the region has too many places for its parts ({len(cells)} cells, about "
                    f"{len(offsets) * len(motions):,} motions); take a smaller one"
                )
            moved = np.repeat(image[None], len(offsets), axis=0)
            moved[:, :, 1:] += np.array(offsets, np.int32)[:, None]
            numbers = self._index.find(moved.reshape(-1, cells.shape[1])).reshape(len(offsets), -1)
            found.append(numbers[(numbers >= 0).sum(axis=1) >= least].astype(np.int16))
        return np.concatenate(found)

    def _forbidden(self) -> npt.NDArray[np.int32]:
        """The cells of each place of a forbidden shape, -1 after each."""
        rows: list[int] = []
        everything = self.lattice.transformations
        for shape in self.wishes.shapes:
            if shape.shape[1] != self.cells.shape[1] or len(shape) > len(self.cells):
                continue
            none = np.zeros(len(shape), np.int32)
            part = Part("forbidden", shape, none, 0, None, everything)
            table = placements(Puzzle("region", self.lattice, self.plain, (part,)), range(self.lattice.dimension))
            for p in range(len(table)):
                rows += [*table.cells[table.starts[p] : table.starts[p + 1]].tolist(), -1]
        return np.array(rows, np.int32)
