"""The symmetries of a puzzle: lattice transformations that map region, colours, placements and bounds to themselves.

A reflection may also exchange the two hands of a chiral pair of parts. An exchange of exchangeable colours may also
exchange the parts that have them. The parts exchanged must have equal numbers of copies. Nothing else renames parts.
This module lists the candidates; part_images.py maps the placements.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.part_images import Moved, PartImages, RowImages, ShapeImages
from latcover.core.encoding.placement import CellIndex, PlacementTable
from latcover.core.model.lattice import Cells, Lattice, Transformation, apply_each
from latcover.core.model.puzzle import Puzzle, Region
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.model.rules.rule import rules_of
from latcover.errors import PuzzleError
from latcover.system.sorted_sets import distinct

SYMMETRIES: tuple[SymmetryChoice, ...] = ("none", "rotations", "all")
MOST_REPAINTINGS = 5040
CELLS_AT_ONCE = 1 << 20  # images of cells that are looked up together


class Symmetry(Struct, frozen=True, eq=False):
    """A transformation with translation that maps a puzzle to itself.

    Attributes:
        proper: Whether it is a rotation.
        repainted: The colour that each colour becomes, and then the value that each value of sides becomes, numbered
            after the colours; shape (n_colours + n_values,), int32.
        cells: The image of each cell, shape (n_cells,), int32.
        moved: The images of parts and placements.
    """

    proper: bool
    repainted: Ints
    cells: Ints
    moved: Moved


class SymmetryGroup:
    """The symmetries of a puzzle and how they move its placements.

    Attributes:
        order: How many symmetries there are.
        candidates: How many transformations, with exchanges of colours, map the region to itself, whatever the parts.
        elements: One symmetry for each action, the identity first. Several symmetries may act in the same way: the
            reflection of a flat puzzle in its own plane, for example, moves nothing.
    """

    def __init__(self, puzzle: Puzzle, table: PlacementTable, which: SymmetryChoice) -> None:
        self.table = table
        self._placed: PartImages | None = None  # which == "none" moves nothing
        self.candidates = 1
        if which == "none":
            parts = np.arange(len(puzzle.parts), dtype=np.int32)
            still = np.arange(len(table.region.cells), dtype=np.int32)
            unchanged = np.arange(len(puzzle.colours) + len(puzzle.rules.sides), dtype=np.int32)
            found = [Symmetry(True, unchanged, still, Moved(parts, (), b""))]
        else:
            self._placed = _part_images(puzzle, table)
            candidates = list(_candidates(puzzle, table, which))
            moved = (self._placed.moved(*candidate) for candidate in candidates)
            found = [
                Symmetry(transformation.proper, repainted, cells, images)
                for (transformation, repainted, cells), images in zip(candidates, moved, strict=True)
                if images is not None
            ]
            self.candidates = len(candidates)
        found = _consistent(found)
        self.order = len(found)
        actions: dict[bytes, Symmetry] = {}
        for each in found:
            actions.setdefault(each.cells.tobytes() + each.moved.parts.tobytes() + each.moved.action, each)
        self.elements = tuple(actions.values())
        self._permutations: dict[int, Ints] = {}

    def __len__(self) -> int:
        return len(self.elements)

    def images(self, element: int, placements: Ints) -> Ints:
        """The images of *placements* under an element of the group."""
        image: Ints = self.images_under((element,), placements)[0]
        return image

    def images_under(self, elements: Sequence[int], placements: Ints) -> Ints:
        """The images of *placements* under each of *elements*, shape (len(elements), n)."""
        if self._placed is None:
            return np.repeat(placements[None], len(elements), axis=0)
        return self._placed.images([self.elements[element].moved for element in elements], placements)

    def permutation(self, element: int) -> Ints:
        """The image of every placement under an element of the group, shape (n_placements,)."""
        if element not in self._permutations:
            self._permutations[element] = self.images(element, np.arange(len(self.table), dtype=np.int32))
        return self._permutations[element]


def partial_renamings(
    puzzle: Puzzle, table: PlacementTable, which: SymmetryChoice
) -> set[tuple[bool, tuple[int, ...]]]:
    """What each transformation that maps the region to itself does to the parts, and whether it is a rotation.

    It says for each part which one it becomes, or -1 if the puzzle has no such part.
    """
    if which == "none":
        return set()
    placed = _part_images(puzzle, table)
    found = _candidates(puzzle, table, which)
    return {(each[0].proper, tuple(placed.renamed(*each).tolist())) for each in found}


def _part_images(puzzle: Puzzle, table: PlacementTable) -> PartImages:
    return RowImages(puzzle, table) if table.region.period else ShapeImages(puzzle, table)


def _consistent(found: list[Symmetry]) -> list[Symmetry]:
    """All symmetries if they form a group; else those that map every part to itself, which always form one.

    Each exchange of parts is checked by itself. If parts may undergo only some transformations of the lattice, the
    exchanges may contradict each other.
    """
    kinds = {(s.proper, (*s.repainted.tolist(), *(len(s.repainted) + s.moved.parts).tolist())) for s in found}
    if form_group(kinds):
        return found
    return [s for s in found if (s.moved.parts == np.arange(len(s.moved.parts))).all()]


def form_group(kinds: set[tuple[bool, tuple[int, ...]]]) -> bool:
    """Whether two of *kinds*, one after the other, make one of them: permutations, and whether each is a rotation.

    It is enough to try those that generate the others.
    """
    n = len(next(iter(kinds))[1])
    made, generators = {(True, tuple(range(n)))}, list[tuple[bool, tuple[int, ...]]]()
    for kind in sorted(kinds):
        if kind in made:
            continue
        if any(_after(kind, other) not in kinds for other in kinds):
            return False
        # What the earlier ones and this one make. All of it lies in *kinds*, since each of them keeps *kinds*.
        generators.append(kind)
        reached = list(made)
        for element in reached:
            new = {_after(generator, element) for generator in generators} - made
            made |= new
            reached += new
    return made == kinds


def _after(last: tuple[bool, tuple[int, ...]], first: tuple[bool, tuple[int, ...]]) -> tuple[bool, tuple[int, ...]]:
    return last[0] == first[0], tuple(last[1][k] for k in first[1])


Candidate = tuple[Transformation, Ints, Ints]  # with the colour that each colour becomes, and the image of each cell


def _candidates(puzzle: Puzzle, table: PlacementTable, which: SymmetryChoice) -> Iterator[Candidate]:
    """What maps the region and its colours to themselves; the parts are not looked at."""
    transformations = [t for t in puzzle.lattice.transformations if which == "all" or t.proper]
    if (puzzle.rules.apart and puzzle.rules.across_corners) or any(rule.about_corners for rule in rules_of(puzzle)):
        transformations = [t for t in transformations if keeps_corners(puzzle.lattice, t)]
    repaintings = all_repaintings(puzzle)
    colours = table.region.colours
    marks, n_colours = marked_cells(puzzle, table), len(puzzle.colours)
    asked, alike = marks.asked, marks.alike
    for transformation, all_maps in _region_maps(puzzle, table.index, transformations):
        maps = [m for m in all_maps if {frozenset(m[list(group)].tolist()) for group in alike} == alike]
        for repainted in repaintings:
            for cells in maps:
                look_at_clock()
                if np.array_equal(colours[cells], repainted[colours]) and asked == {
                    (int(cells[cell]), transformation.labels[label], int(repainted[n_colours + value]) - n_colours)
                    for cell, label, value in asked
                }:
                    yield transformation, repainted, cells


class MarkedCells(Struct, frozen=True, eq=False):
    """Cells of a region of which rules ask something, by their numbers.

    Attributes:
        asked: The values that sides must bear: the number of the cell, the half-edge, the value.
        alike: The groups of cells that must be alike.
    """

    asked: set[tuple[int, int, int]]
    alike: set[frozenset[int]]


def marked_cells(puzzle: Puzzle, table: PlacementTable) -> MarkedCells:
    """The cells of which the rules of a puzzle ask something."""
    rows = puzzle.rules.asked
    numbers = table.index.find(np.array([cell for cell, *_ in rows], np.int32)).tolist() if rows else []
    asked = {(number, label, value) for number, (_, label, value) in zip(numbers, rows, strict=True) if number >= 0}
    groups = (table.index.find(np.array(group, np.int32)).tolist() for group in puzzle.rules.alike)
    alike = {frozenset(number for number in group if number >= 0) for group in groups} - {frozenset()}
    return MarkedCells(asked, alike)


def keeps_corners(lattice: Lattice, transformation: Transformation) -> bool:
    """Whether cells whose drawings touch go to such cells. A drawing may have less symmetry than its lattice."""
    for u, around in enumerate(lattice.touching):
        cells = np.array([(u, *[0] * lattice.dimension), *around], dtype=np.int32)
        image = transformation.apply(cells)
        image[:, 1:] -= image[0, 1:].copy()
        if set(map(tuple, image[1:].tolist())) != set(lattice.touching[image[0, 0]]):
            return False
    return True


def all_repaintings(puzzle: Puzzle) -> list[Ints]:
    """Every exchange of exchangeable colours and values, as `Symmetry` has it; the identity comes first."""
    n_colours = len(puzzle.colours)
    of_values = (tuple(n_colours + value for value in values) for values in puzzle.rules.exchangeable_values)
    sets = (*puzzle.rules.exchangeable, *of_values)
    if math.prod(math.factorial(len(colours)) for colours in sets) > MOST_REPAINTINGS:
        raise PuzzleError(
            f"the colours and values can be exchanged in more than {MOST_REPAINTINGS} ways; declare fewer exchangeable"
        )
    found = []
    for orders in product(*(permutations(colours) for colours in sets)):
        repainted = np.arange(n_colours + len(puzzle.rules.sides), dtype=np.int32)
        for colours, order in zip(sets, orders, strict=True):
            repainted[list(colours)] = order
        found.append(repainted)
    return found


def _region_maps(
    puzzle: Puzzle, index: CellIndex, transformations: Sequence[Transformation]
) -> Iterator[tuple[Transformation, list[Ints]]]:
    """Every way in which each of *transformations*, with a translation, maps the region to itself.

    At most one translation does so in a region that is not periodic. In a periodic region the identity comes first.
    A cell and its image are both mandatory, or both optional; and the bound `max_empty` applies to both or to neither.
    Colours are not looked at.
    """
    region = index.region
    empty = region.optional.astype(np.int32) + region.bounded_empty(puzzle.lattice).astype(np.int32)
    at_once = max(1, CELLS_AT_ONCE // len(region.cells))
    for first in range(0, len(transformations), at_once):
        for transformation, maps in _images_in(index, transformations[first : first + at_once]):
            yield transformation, [cells for cells in maps if np.array_equal(empty[cells], empty)]


def _images_in(
    index: CellIndex, transformations: Sequence[Transformation]
) -> Iterator[tuple[Transformation, list[Ints]]]:
    """The same, without a look at which cells are mandatory."""
    region = index.region
    look_at_clock()
    if region.period:
        for transformation in transformations:
            look_at_clock()
            if keeps_periods(region, transformation):
                image = transformation.apply(region.cells)
                shifted = [image + np.array([0, *turn], np.int32) for turn in _turns(region, image)]
                maps = [index.find(cells) for cells in shifted]
                yield transformation, [m for m in maps if (m >= 0).all() and len(distinct(m)) == len(m)]
        return
    nodes, vectors = apply_each(transformations, region.cells)
    vectors -= vectors.min(axis=1, keepdims=True)
    alike = np.flatnonzero((vectors < np.array(region.extents())).all(axis=(1, 2)))
    vectors += region.cells[:, 1:].min(axis=0)
    cells = np.concatenate([nodes[alike, :, None], vectors[alike]], axis=2, dtype=np.int32)
    found = index.find(cells.reshape(-1, cells.shape[2])).reshape(len(alike), -1)
    for k in np.flatnonzero((found >= 0).all(axis=1)).tolist():
        yield transformations[alike[k]], [found[k]]


def keeps_periods(region: Region, transformation: Transformation) -> bool:
    moved = np.array(region.period.vectors) @ transformation.matrix.T
    return not region.period.home(moved).any()


def _turns(region: Region, image: Cells) -> Ints:
    """The translations to try: those that map the first cell to a cell, and bounds across the period to bounds."""
    across = region.period.across
    offset = (region.cells[:, 1:] @ across.T).min(axis=0) - (image[:, 1:] @ across.T).min(axis=0)
    there = region.cells[region.cells[:, 0] == image[0, 0], 1:]
    steps = region.period.home(there - image[0, 1:])
    steps = distinct(steps[(steps @ across.T == offset).all(axis=1)], axis=0)
    return steps[np.argsort(steps.any(axis=1), kind="stable")].astype(np.int32)
