"""The symmetries of a region in several pieces, if it does not matter how the pieces lie to each other.

Then a symmetry is a choice of one *motion* for each piece: a transformation of the lattice with a translation that maps
the piece to a congruent one, or to itself, and its placements to placements there. Different pieces go to different
pieces. What becomes of parts and colours is the same for all pieces, and as for other symmetries. So a table of three
equal boxes, each of which can be turned in four ways, has 6 * 4 * 4 * 4 symmetries.

The pieces are the largest sets of cells without a connection: by sides; by corners, if a rule is about corners; by a
placement that covers cells of both; by groups of cells that must be alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.confines import open_to
from latcover.core.encoding.part_images import Moved, PartShapes
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.placement_rows import CellMap, PlacementRows
from latcover.core.encoding.symmetry import (
    Symmetry,
    SymmetryGroup,
    all_repaintings,
    form_group,
    keeps_corners,
    keeps_periods,
    marked_cells,
)
from latcover.core.model.lattice import Transformation
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.model.rules.rule import rules_of
from latcover.errors import PuzzleError
from latcover.system.sorted_sets import distinct

MOST_SYMMETRIES = 100_000

Renaming = tuple[int, ...]  # the part that each part becomes


class Motion(Struct, frozen=True, eq=False):
    """A motion of a piece.

    Attributes:
        to: The piece that it goes to.
        cells: The image of each of its cells, in their order, shape (k,), int32.
        placements: The image of each of its placements, in their order, int32.
    """

    to: int
    cells: Ints
    placements: Ints


class Kind(Struct, frozen=True, eq=False):
    """What a symmetry makes of colours, side values and parts; as in `Symmetry`."""

    repainted: Ints
    parts: Ints


class ExchangeGroup(SymmetryGroup):
    """The symmetries of a region whose pieces are exchangeable.

    An element is a row of numbers, a motion for each piece. The image of a placement is that under the motion of its
    piece, so no element holds an image of its own.
    """

    def __init__(self, puzzle: Puzzle, table: PlacementTable, which: SymmetryChoice) -> None:
        self.table = table
        pieces = _Pieces(puzzle, table)
        transformations = _transformations(puzzle, which)
        self._motions: list[list[Motion]] = [[] for _ in range(pieces.n)]
        kinds: list[Kind] = []
        rows: list[Ints] = []
        for kind in _kinds(puzzle, table, transformations):
            first = [len(known) for known in self._motions]
            for piece in range(pieces.n):
                self._motions[piece] += pieces.motions(piece, transformations, kind)
            of_kind = [known[start:] for known, start in zip(self._motions, first, strict=True)]
            found = _elements(of_kind, first, len(rows))
            if len(found):
                kinds.append(kind)
                rows.append(found)
        kept = _consistent(kinds)
        kinds, rows = [kinds[k] for k in kept], [rows[k] for k in kept]
        self.candidates = self.order = sum(map(len, rows))
        renames = any(not np.array_equal(kind.parts, kinds[0].parts) for kind in kinds)
        if renames or not pieces.keeps_all(self._motions, transformations):
            self.candidates += 1  # some sets of its parts have other symmetries
        self._codes = np.concatenate(rows)
        self._fill(pieces)
        self.elements = tuple(
            Symmetry(True, kind.repainted, self._cells_under(codes), Moved(kind.parts, (), b""))
            for kind, of_kind in zip(kinds, rows, strict=True)
            for codes in of_kind
        )
        self._permutations = {}

    def _fill(self, pieces: _Pieces) -> None:
        """The images of all cells and placements under each motion of their pieces, in dense tables."""
        most = max(map(len, self._motions))
        self._piece_of_cell, self._piece_of = pieces.of_cell, pieces.of_placement
        self._to_cell = np.zeros((most, len(pieces.of_cell)), np.int32)
        self._to = np.zeros((most, len(pieces.of_placement)), np.int32)
        for piece, motions in enumerate(self._motions):
            for k, motion in enumerate(motions):
                self._to_cell[k, pieces.cells[piece]] = motion.cells
                self._to[k, pieces.placements[piece]] = motion.placements

    def _cells_under(self, codes: Ints) -> Ints:
        image: Ints = self._to_cell[codes[self._piece_of_cell], np.arange(len(self._piece_of_cell))]
        return image

    def images_under(self, elements: Sequence[int], placements: Ints) -> Ints:
        """The images of *placements* under each of *elements*, shape (len(elements), n)."""
        codes = self._codes[np.asarray(elements, np.int64)]
        images: Ints = self._to[codes[:, self._piece_of[placements]], placements]
        return images

    def permutation(self, element: int) -> Ints:
        """The image of every placement under an element of the group. There may be too many to keep."""
        return self.images(element, np.arange(len(self.table), dtype=np.int32))


def _transformations(puzzle: Puzzle, which: SymmetryChoice) -> list[Transformation]:
    """Those that may move a piece."""
    found = [t for t in puzzle.lattice.transformations if which == "all" or t.proper]
    if _about_corners(puzzle):
        found = [t for t in found if keeps_corners(puzzle.lattice, t)]
    return [t for t in found if not puzzle.region.period or keeps_periods(puzzle.region, t)]


def _about_corners(puzzle: Puzzle) -> bool:
    by_colours = bool(puzzle.rules.apart) and puzzle.rules.across_corners
    return by_colours or any(rule.about_corners for rule in rules_of(puzzle))


def _consistent(kinds: Sequence[Kind]) -> list[int]:
    """The kinds to take: all if they form a group, else those that map every part to itself."""
    rows = {(True, (*kind.repainted.tolist(), *(len(kind.repainted) + kind.parts).tolist())) for kind in kinds}
    if form_group(rows):
        return list(range(len(kinds)))
    return [k for k, kind in enumerate(kinds) if (kind.parts == np.arange(len(kind.parts))).all()]


# ---- what becomes of colours and parts


def _kinds(puzzle: Puzzle, table: PlacementTable, transformations: Sequence[Transformation]) -> Iterator[Kind]:
    """What symmetries may make of colours and parts; that which changes nothing comes first."""
    renamer = _Renamer(puzzle, table)
    for repainted in all_repaintings(puzzle):
        renamings: dict[Renaming, None] = {}
        if (repainted == np.arange(len(repainted))).all():
            renamings[tuple(range(len(puzzle.parts)))] = None
        for transformation in transformations:
            look_at_clock()
            if (found := renamer.renamed(transformation, repainted)) is not None:
                renamings[found] = None
        for renaming in renamings:
            yield Kind(repainted, np.array(renaming, np.int32))


class _Renamer:
    """Says which part each part becomes, by their shapes."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.shapes = puzzle, PartShapes(puzzle, table.axes)
        classes = [rule.named_parts for rule in rules_of(puzzle)]
        self.bounds = [(p.low, puzzle.most_copies(p), *(p.name in names for names in classes)) for p in puzzle.parts]
        self.placed = (np.bincount(table.part_of, minlength=len(puzzle.parts)) > 0).tolist()
        self.own = [self._set(self.shapes.numbers[p, allowed]) for p, allowed in enumerate(self.shapes.allowed)]
        self.known: dict[bytes, Longs] = {}

    @staticmethod
    def _set(numbers: Longs) -> frozenset[int]:
        return frozenset(numbers.tolist())

    def renamed(self, transformation: Transformation, repainted: Ints) -> Renaming | None:
        """The part that each part becomes; None if one becomes none. A part without a placement stays."""
        key = repainted.tobytes()
        if key not in self.known:
            self.known[key] = self.shapes.repainted(repainted)
        then = self.puzzle.lattice.then(transformation)
        keeps_colours = bool((repainted == np.arange(len(repainted))).all())
        found = []
        for p, (own, allowed) in enumerate(zip(self.own, self.shapes.allowed, strict=True)):
            becomes = self._set(self.known[key][p, then[allowed]])
            if becomes == own or not self.placed[p]:
                found.append(p)
                continue
            if keeps_colours and transformation.proper:
                return None
            others = [q for q in self._equal_to(becomes, p) if not keeps_colours or self.shapes.are_hands(p, q)]
            equals = self._equal_to(own, p)
            if len(others) != len(equals):
                return None
            found.append(others[equals.index(p)])
        return tuple(found)

    def _equal_to(self, shapes: frozenset[int], part: int) -> list[int]:
        """The parts with these shapes that may be used as often as *part*."""
        return [
            q
            for q, own in enumerate(self.own)
            if own == shapes and self.bounds[q] == self.bounds[part] and self.placed[q]
        ]


# ---- pieces and their motions


class _Pieces:
    """The pieces of a region, and what moves one onto another.

    Attributes:
        n: How many there are.
        of_cell, of_placement: The piece of each cell, shape (n_cells,), and of each placement.
        cells, placements: The cells and the placements of each piece, ascending.
    """

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.table = puzzle, table
        self.of_cell = _pieces_of(puzzle, table)
        self.n = int(self.of_cell.max()) + 1
        first = table.cells[table.starts[:-1]] if len(table) else np.empty(0, np.int32)
        self.of_placement = self.of_cell[first]
        self.cells = [np.flatnonzero(self.of_cell == piece) for piece in range(self.n)]
        self.placements = [np.flatnonzero(self.of_placement == piece) for piece in range(self.n)]
        region = table.region
        self._empty = region.optional.astype(np.int32) + region.bounded_empty(puzzle.lattice).astype(np.int32)
        marks = marked_cells(puzzle, table)
        self._asked, self._alike = marks.asked, marks.alike
        self._open = np.stack([open_to(part, table.index.find, self.of_cell.size) for part in puzzle.parts])
        self._rows = PlacementRows(table)

    def motions(self, piece: int, transformations: Sequence[Transformation], kind: Kind) -> list[Motion]:
        """The motions of a piece that make this of colours and parts, each action once."""
        found: dict[bytes, Motion] = {}
        for to in range(self.n):
            if len(self.cells[to]) != len(self.cells[piece]):
                continue
            if len(self.placements[to]) != len(self.placements[piece]):
                continue
            for transformation in transformations:
                look_at_clock()
                for cells in self._cell_maps(piece, to, transformation):
                    if self._keeps_marks(piece, to, cells, transformation, kind):
                        placements = self._moved(piece, cells, transformation, kind)
                        if placements is not None:
                            found.setdefault(cells.tobytes() + placements.tobytes(), Motion(to, cells, placements))
        return list(found.values())

    def keeps_all(self, motions: Sequence[Sequence[Motion]], transformations: Sequence[Transformation]) -> bool:
        """Whether every motion of cells is one of placements, whatever the parts are."""
        for piece, known in enumerate(motions):
            actions = {motion.cells.tobytes() for motion in known}
            for to in (to for to in range(self.n) if len(self.cells[to]) == len(self.cells[piece])):
                for transformation in transformations:
                    if any(cells.tobytes() not in actions for cells in self._cell_maps(piece, to, transformation)):
                        return False
        return True

    def _cell_maps(self, piece: int, to: int, transformation: Transformation) -> Iterator[Ints]:
        """The ways in which *transformation*, with a translation, maps a piece to another, cell by cell."""
        region, own, there = self.table.region, self.cells[piece], self.cells[to]
        image, target = transformation.apply(region.cells[own]), region.cells[there]
        if region.period:
            starts = target[target[:, 0] == image[0, 0], 1:]
            shifts = distinct(region.period.home(starts - image[0, 1:]), axis=0)
            shifts = shifts[np.argsort(shifts.any(axis=1), kind="stable")]  # the identity comes first
        else:
            shifts = (target[:, 1:].min(axis=0) - image[:, 1:].min(axis=0))[None]
        seen = set[bytes]()
        for shift in shifts:
            moved = image.copy()
            moved[:, 1:] += shift.astype(np.int32)
            found = self.table.index.find(moved)
            if (found >= 0).all() and np.array_equal(np.sort(found), there) and found.tobytes() not in seen:
                seen.add(found.tobytes())
                yield found

    def _keeps_marks(self, piece: int, to: int, cells: Ints, transformation: Transformation, kind: Kind) -> bool:
        """Whether colours, optional cells, required values, cells that are alike and confines go where they must."""
        own, colours, n_colours = self.cells[piece], self.table.region.colours, len(self.puzzle.colours)
        if not np.array_equal(colours[cells], kind.repainted[colours[own]]):
            return False
        if not np.array_equal(self._empty[cells], self._empty[own]):
            return False
        if not np.array_equal(self._open[kind.parts][:, cells], self._open[:, own]):
            return False
        goes = dict(zip(own.tolist(), cells.tolist(), strict=True))
        asked = {
            (goes[cell], transformation.labels[label], int(kind.repainted[n_colours + value]) - n_colours)
            for cell, label, value in self._asked
            if cell in goes
        }
        alike = {frozenset(map(goes.__getitem__, group)) for group in self._alike if goes.keys() >= group}
        there = set(cells.tolist())
        return asked == {row for row in self._asked if row[0] in there} and alike == {
            group for group in self._alike if group <= there
        }

    def _moved(self, piece: int, cells: Ints, transformation: Transformation, kind: Kind) -> Ints | None:
        """The images of the placements of a piece; None if one is no placement of the right part."""
        goes = np.zeros(len(self.of_cell), np.int32)
        goes[self.cells[piece]] = cells
        n_colours = len(self.puzzle.colours)
        colours, values = kind.repainted[:n_colours], kind.repainted[n_colours:] - n_colours
        labels = np.array(transformation.labels, np.int32)
        image = self._rows.images(self.placements[piece], CellMap(goes, labels, colours, values, kind.parts))
        return None if (image < 0).any() else image


def _pieces_of(puzzle: Puzzle, table: PlacementTable) -> Longs:
    """The number of the piece of each cell, from 0, in the order of their first cells."""
    n = len(table.region.cells)
    pairs = [table.arrays(puzzle).touching(corners=_about_corners(puzzle))]
    sizes = np.diff(table.starts)
    firsts = np.repeat(table.cells[table.starts[:-1]], sizes) if len(table) else np.empty(0, np.int32)
    pairs.append(np.column_stack([firsts, table.cells]).astype(np.int64))
    for group in marked_cells(puzzle, table).alike:
        members = sorted(group)
        pairs.append(np.array([(members[0], other) for other in members], np.int64).reshape(-1, 2))
    a, b = np.concatenate(pairs).T
    label = np.arange(n)
    while True:  # each cell takes the least label beside it, and the label of its label
        least = label.copy()
        np.minimum.at(least, a, label[b])
        np.minimum.at(least, b, label[a])
        least = least[least]
        if np.array_equal(least, label):
            return np.unique(label, return_inverse=True)[1].reshape(-1)
        label = least


def _elements(motions: Sequence[Sequence[Motion]], first: Sequence[int], n_kinds: int) -> Ints:
    """Every choice of a motion for each piece under which no two go to the same piece, as rows of their numbers.

    Args:
        motions: Those of each piece.
        first: The number of the first of them.
        n_kinds: How many kinds there were before, for the bound.

    Raises:
        PuzzleError: there are too many.
    """
    n = len(motions)
    by_target: list[dict[int, list[int]]] = []
    for start, known in zip(first, motions, strict=True):
        targets: dict[int, list[int]] = {}
        for k, motion in enumerate(known, start):
            targets.setdefault(motion.to, []).append(k)
        by_target.append(targets)
    # Pieces that go to the same pieces form a class, and each class is mapped onto a class.
    classes: dict[tuple[int, ...], list[int]] = {}
    for piece, targets in enumerate(by_target):
        classes.setdefault(tuple(sorted(targets)), []).append(piece)
    if any(len(there) != len(own) for there, own in classes.items()):
        return np.empty((0, n), np.int32)
    ways = [[len(by_target[piece][to]) for to in there] for there, own in classes.items() for piece in own]
    many = prod(factorial(len(own)) for own in classes.values()) * prod(row[0] for row in ways)
    if many * (n_kinds + 1) > MOST_SYMMETRIES:
        raise PuzzleError(
            f"the {n} pieces of the region can be exchanged and turned in more than {MOST_SYMMETRIES:,} ways; "
            "leave exchangeable out, or make fewer pieces alike"
        )
    of_classes = []
    for there, own in classes.items():
        rows = [
            list(chosen)
            for order in permutations(there)
            for chosen in product(*(by_target[piece][to] for piece, to in zip(own, order, strict=True)))
        ]
        of_classes.append((own, rows))
    found = np.empty((many, n), np.int32)
    for k, chosen in enumerate(product(*(rows for _, rows in of_classes))):
        for (own, _), row in zip(of_classes, chosen, strict=True):
            found[k, own] = row
    return found
