"""Essentially different solutions: which placements to keep before the search, and which finished covers to keep.

A *pivot* is an item that every cover holds exactly once and that every symmetry maps to itself. Its placements fall
into orbits, and one representative of each orbit is kept. If the representative's stabiliser is trivial, each class of
covers is then met once. Otherwise a class may be met several times, as images under the stabiliser.

In that case a second item, the *helper*, is restricted in the same way, under the stabiliser alone. The stabiliser must
map the helper to itself. A secondary item holds the representative and those placements of the helper that are not
kept, so that they exclude each other. A test settles the rest: a finished cover is kept if it is the least of its
images. No list of found covers is needed, and totals follow from the sizes of the orbits.
docs/explanation/symmetry.md has the proof.

If symmetries move every item, the symmetries that only exchange colours or values may still have a pivot: they leave
all cells where they are. Then pivot and helper are theirs, and a finished cover is kept if it is the least of those
of its images, under all symmetries, that the search can meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.cover.problem import Ints, Longs
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import ReductionMethod
from latcover.errors import PuzzleError
from latcover.system.sorted_sets import distinct, without

REDUCTIONS: tuple[ReductionMethod, ...] = ("auto", "paper", "none")
Elements = tuple[int, ...]  # ascending indices into the group; 0 is the identity
IMAGES_AT_ONCE = 1 << 20  # of placements
FEW_CELLS = 8  # candidates for a helper if no part can be one


class _Item(Struct, eq=False, dict=True):
    """A candidate for pivot or helper: a part with one copy, or a mandatory cell.

    Attributes:
        moved: Whether each element of the group moves the item.
        find: Gives its placements.
    """

    name: str
    moved: Sequence[bool]
    find: Callable[[], Ints]
    cell: int = -1

    @cached_property
    def placements(self) -> Ints:
        """The placements that hold the item, ascending."""
        return self.find()

    def is_fixed(self, elements: Elements) -> bool:
        return not any(self.moved[element] for element in elements)


class Stage(Struct, frozen=True, eq=False):
    """The test of covers that hold a representative with a certain stabiliser.

    A *residue* is a set of elements. A cover passes if it is the least of its images under these elements.

    Attributes:
        residues: The different residues; without a helper there is one.
        of_helper: With a helper: for each of its kept placements the index of its residue; -1 elsewhere.
    """

    residues: tuple[Elements, ...]
    of_helper: Ints | None = None


class _JudgedCovers(Struct, eq=False):
    """Covers, whether each is kept so far, and how many elements are known to fix it, the identity included.

    Attributes:
        starts, placements: Cover k holds ``placements[starts[k]:starts[k + 1]]``, in any order.
    """

    starts: Longs
    placements: Ints
    keep: npt.NDArray[np.bool_]
    fixed_by: Longs

    def of_equal_size(self, rows: npt.NDArray[np.intp]) -> Iterator[tuple[npt.NDArray[np.intp], Ints]]:
        """Those of *rows* that are equally large, and their placements, each row sorted."""
        sizes = np.diff(self.starts)[rows]
        for size in distinct(sizes):
            same = rows[sizes == size]
            yield same, np.sort(self.placements[self.starts[same][:, None] + np.arange(size)], axis=1)


class Reduction(Struct, frozen=True, eq=False):
    """How the covers of a problem are reduced to one of each class.

    Attributes:
        kept: Which placements stay, shape (n_placements,), bool.
        exclusions: Sets of placements that exclude each other.
        pivot: The name of the pivot; "" if there is none.
        group: The symmetries that make covers count as the same.
        stage_of: For each placement, the index in `stages` of the test of its covers; -1 if they need no test.
        stages: See `Stage`.
        everywhere: Whether every cover goes to the only stage: there is no pivot, or it is one of exchanges alone.
    """

    kept: npt.NDArray[np.bool_]
    exclusions: tuple[Ints, ...]
    pivot: str
    group: SymmetryGroup
    stage_of: Ints
    stages: tuple[Stage, ...] = field(default=())
    everywhere: bool = False

    @property
    def among_met(self) -> bool:
        """Whether covers are compared only with those of their images that the search meets too."""
        return self.everywhere and bool(self.pivot)

    @property
    def tests_pending(self) -> bool:
        """Whether finished covers have to be judged. If not, each stands for a class of ``len(group)`` covers."""
        return any(len(residue) > 1 for stage in self.stages for residue in stage.residues)

    def judge(self, starts: Longs, placements: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Whether to keep each cover of a batch, and how many covers of the full problem it stands for.

        Cover k holds ``placements[starts[k]:starts[k + 1]]``, in any order.
        """
        n = len(starts) - 1
        covers = _JudgedCovers(starts, placements, np.ones(n, np.bool_), np.ones(n, np.int64))
        if self.among_met:
            self._test_among_met(covers)
        else:
            stages = np.zeros(n, np.int64) if self.everywhere else _row_maximum(self.stage_of, starts, placements)
            for number, stage in enumerate(self.stages):
                rows = np.flatnonzero(stages == number)
                which = np.zeros(n, np.int64)
                if stage.of_helper is not None and len(rows):
                    which = _row_maximum(stage.of_helper, starts, placements)
                for residue, elements in enumerate(stage.residues):
                    self._test(covers, rows[which[rows] == residue], elements)
        return covers.keep, len(self.group) // covers.fixed_by

    def _test(self, covers: _JudgedCovers, rows: npt.NDArray[np.intp], elements: Elements) -> None:
        """Keep the rows that are the least of their images under *elements*, and count the elements that fix a row."""
        others = [element for element in elements if element != 0]
        for same, table in covers.of_equal_size(rows) if others else ():
            for element in others:
                order = _compare_rows(np.sort(self.group.permutation(element)[table], axis=1), table)
                covers.keep[same] &= order >= 0
                covers.fixed_by[same] += order == 0

    def _test_among_met(self, covers: _JudgedCovers) -> None:
        """Keep the covers that are the least of those images which the search meets too."""
        excluding = np.zeros((len(self.exclusions), len(self.kept)), np.bool_)
        for row, options in zip(excluding, self.exclusions, strict=True):
            row[options] = True
        for same, table in covers.of_equal_size(np.arange(len(covers.keep))):
            least, fixed = np.ones(len(same), np.bool_), np.zeros(len(same), np.int64)
            at_once = max(1, IMAGES_AT_ONCE // max(1, table.size))
            for first in range(0, len(self.group), at_once):
                elements = range(first, min(first + at_once, len(self.group)))
                images = self.group.images_under(elements, table.reshape(-1)).reshape(len(elements), *table.shape)
                element, cover = np.nonzero(self.kept[images].all(axis=2))
                found = images[element, cover]
                met = (excluding[:, found].sum(axis=2) <= 1).all(axis=0)
                cover, found = cover[met], np.sort(found[met], axis=1)
                order = _compare_rows(found, table[cover])
                least[cover[order < 0]] = False
                fixed += np.bincount(cover[order == 0], minlength=len(same))
            covers.keep[same], covers.fixed_by[same] = least, fixed


def _row_maximum(values: Ints, starts: Longs, members: Ints) -> Longs:
    """The greatest of ``values[members]`` in each row; -1 for an empty one."""
    result = np.full(len(starts) - 1, -1, dtype=np.int64)
    filled = np.diff(starts) > 0
    if filled.any():
        result[filled] = np.maximum.reduceat(values[members], starts[:-1][filled])
    return result


def _compare_rows(a: Ints, b: Ints) -> Longs:
    """-1, 0 or 1 for each pair of rows, compared from the left."""
    first = (a != b).argmax(axis=1)[:, None] if a.shape[1] else np.empty((len(a), 0), np.intp)
    order: Longs = np.sign(np.take_along_axis(a, first, 1) - np.take_along_axis(b, first, 1)).sum(axis=1)
    return order


def reduce_by(
    puzzle: Puzzle,
    table: PlacementTable,
    group: SymmetryGroup,
    pivot: str | None = None,
    method: ReductionMethod = "auto",
) -> Reduction:
    """Choose a pivot and helpers, and decide which placements to keep.

    Args:
        pivot: The name of the part to take as pivot; None chooses the item with the fewest orbits.
        method: "auto" keeps a representative of each orbit of the pivot's placements; "paper" keeps one orientation of
            each class; "none" takes no pivot, so that every finished cover is tested.

    Raises:
        PuzzleError: the part *pivot* cannot be a pivot.
    """
    everything: Elements = tuple(range(len(group)))
    kept, nothing = np.ones(len(table), np.bool_), np.full(len(table), -1, np.int32)
    items = list(_items(puzzle, table, group))
    chosen = _choose_pivot(items, group, everything, pivot) if method != "none" else None
    if len(group) == 1:
        return Reduction(kept, (), "", group, nothing)
    if chosen is None and method == "auto":
        exchanges = _exchanges(group)
        by_exchange = _choose_pivot(items, group, exchanges, None)
        if by_exchange is not None:
            found = _reduce(items, by_exchange, group, exchanges)
            return replace(found, stage_of=nothing, stages=(Stage((everything,)),), everywhere=True)
    if chosen is None:
        return Reduction(kept, (), "", group, nothing, (Stage((everything,)),), everywhere=True)
    return _reduce_as_the_paper(chosen, group) if method == "paper" else _reduce(items, chosen, group, everything)


def _exchanges(group: SymmetryGroup) -> Elements:
    """The elements that leave all cells where they are, as an exchange of colours does; they form a group."""
    still = group.elements[0].cells
    return tuple(k for k, element in enumerate(group.elements) if np.array_equal(element.cells, still))


def _reduce(items: list[_Item], chosen: _Item, group: SymmetryGroup, elements: Elements) -> Reduction:
    """Keep a representative of each orbit of the pivot's placements under *elements*, and restrict helpers."""
    kept, nothing = np.ones(len(group.table), np.bool_), np.full(len(group.table), -1, np.int32)
    representatives, stabilisers = _representatives(chosen, group, elements)
    kept[chosen.placements] = False
    kept[representatives] = True
    by_stabiliser: dict[Elements, list[int]] = {}
    for placement, stabiliser in stabilisers.items():
        by_stabiliser.setdefault(stabiliser, []).append(placement)

    stages: list[Stage] = []
    exclusions: list[Ints] = []
    stage_of = nothing.copy()
    for stabiliser, members in sorted(by_stabiliser.items()):
        stage_of[members] = len(stages)
        stage, dropped = _stage(items, chosen, members, stabiliser, group)
        stages.append(stage)
        if dropped is not None:
            exclusions.append(np.sort(np.concatenate([np.array(members, np.int32), dropped])))
    return Reduction(kept, tuple(exclusions), chosen.name, group, stage_of, tuple(stages))


def _items(puzzle: Puzzle, table: PlacementTable, group: SymmetryGroup) -> Iterator[_Item]:
    """The parts with exactly one copy, then the mandatory cells that a symmetry other than the identity fixes."""
    edges = np.searchsorted(table.part_of, np.arange(len(puzzle.parts) + 1))
    for p, part in enumerate(puzzle.parts):
        if part.low == 1 and puzzle.most_copies(part) == 1:
            moved = [int(element.moved.parts[p]) != p for element in group.elements]
            yield _Item(part.name, moved, partial(np.arange, edges[p], edges[p + 1], dtype=np.int32))
    numbers = np.arange(len(table.region.cells))
    still = np.array([element.cells == numbers for element in group.elements])
    for cell in np.flatnonzero(still[1:].any(axis=0) & ~table.region.optional):
        name = f"cell {table.region.cells[cell, 1:].tolist()}"
        yield _Item(name, (~still[:, cell]).tolist(), partial(_holding, table, int(cell)), int(cell))


def _holding(table: PlacementTable, cell: int) -> Ints:
    """The placements that cover a cell."""
    places = np.flatnonzero(table.cells == cell)
    return (np.searchsorted(table.starts, places, side="right") - 1).astype(np.int32)


def _representatives(item: _Item, group: SymmetryGroup, elements: Elements) -> tuple[Ints, dict[int, Elements]]:
    """The least placement of each orbit; and the stabilisers of these placements, except for trivial stabilisers."""
    own = item.placements
    least = np.ones(len(own), np.bool_)
    fixed = np.zeros(len(own), np.int32)
    at_once = max(1, IMAGES_AT_ONCE // max(1, len(own)))
    for first in range(0, len(elements), at_once):
        images = group.images_under(elements[first : first + at_once], own)
        least &= (images >= own).all(axis=0)
        fixed += (images == own).sum(axis=0, dtype=np.int32)
    irregular = own[least & (fixed > 1)]
    images = group.images_under(elements, irregular)
    stabilisers = {
        int(placement): tuple(element for element, image in zip(elements, row, strict=True) if image == placement)
        for placement, row in zip(irregular, images.T, strict=True)
    }
    return own[least], stabilisers


def _orbits(item: _Item, group: SymmetryGroup, elements: Elements) -> tuple[int, int]:
    """How many orbits *item* has under *elements*, and how many of these are irregular (have a stabiliser)."""
    representatives, irregular = _representatives(item, group, elements)
    return len(representatives), len(irregular)


def _choose_pivot(items: list[_Item], group: SymmetryGroup, elements: Elements, wanted: str | None) -> _Item | None:
    fixed = [item for item in items if item.is_fixed(elements)]
    if wanted is not None:
        named = [item for item in fixed if item.name == wanted and item.cell < 0]
        if not named:
            possible = ", ".join(item.name for item in fixed if item.cell < 0) or "none"
            raise PuzzleError(
                f"{wanted!r} cannot be the pivot: it must be a part with one copy that every symmetry maps to itself; "
                f"possible pivots: {possible}"
            )
        return named[0]
    if len(elements) == 1:
        return None
    best, fewest = None, (len(group.table) + 1, 0)
    for item in sorted(fixed, key=lambda item: len(item.placements)):
        if len(item.placements) > fewest[0] * len(elements):
            break  # this item and all later items have more orbits
        orbits = _orbits(item, group, elements)
        if orbits < fewest:
            best, fewest = item, orbits
    return best


def _stage(
    items: list[_Item], pivot: _Item, members: list[int], stabiliser: Elements, group: SymmetryGroup
) -> tuple[Stage, Ints | None]:
    """Restrict a helper under *stabiliser*: the test that remains, and the helper's placements to exclude."""
    taken = set(np.concatenate([group.table.cells[group.table.starts[m] : group.table.starts[m + 1]] for m in members]))
    usable = [item for item in items if item is not pivot and item.cell not in taken and item.is_fixed(stabiliser)]
    parts = [item for item in usable if item.cell < 0]
    cells = [item for item in usable if item.cell >= 0][:FEW_CELLS]
    exchanges = pivot.cell >= 0 and (group.elements[stabiliser[1]].repainted != group.elements[0].repainted).any()
    candidates = [*parts, *cells] if exchanges else parts or cells  # a part that is not exchanged helps little
    if not candidates:
        return Stage((stabiliser,)), None
    helper = min(candidates, key=lambda item: _orbits(item, group, stabiliser)[0] / max(1, len(item.placements)))
    representatives, irregular = _representatives(helper, group, stabiliser)
    residues: dict[Elements, int] = {stabiliser[:1]: 0}
    of_helper = np.full(len(group.table), -1, np.int32)
    of_helper[representatives] = 0
    for placement, residue in irregular.items():
        of_helper[placement] = residues.setdefault(residue, len(residues))
    dropped = without(helper.placements, representatives)
    return Stage(tuple(residues), of_helper), dropped


def _reduce_as_the_paper(pivot: _Item, group: SymmetryGroup) -> Reduction:
    """Keep the first orientation of the pivot in each class of orientations.

    If two placements mirror each other in the pivot's own plane, the one with the lower anchor is kept. Other
    placements that are images of each other stay, as in the paper. The test of finished covers settles them.

    Source: Barequet and Tal (2010), section 3. The paper keeps a list of found solutions; we test each cover instead.
    """
    table, own = group.table, pivot.placements
    orientation = table.orientation[own]
    images = group.images_under(range(len(group)), own)
    reached = np.zeros(len(table), np.bool_)
    kept = np.zeros(len(table), np.bool_)
    for each in distinct(orientation):
        fresh = (orientation == each) & ~reached[own]
        kept[own[fresh]] = True
        reached[images[:, fresh]] = True
    for element in range(1, len(group)):
        kept[_later_of_mirrored(own[kept[own]], group, element)] = False

    among_kept = kept[images]
    ways = {int(p): tuple(np.flatnonzero(among_kept[:, k]).tolist()) for k, p in enumerate(own) if kept[p]}
    stages = sorted(set(ways.values()) - {(0,)})
    stage_of = np.full(len(table), -1, np.int32)
    for placement, elements in ways.items():
        if elements in stages:
            stage_of[placement] = stages.index(elements)
    others = np.ones(len(table), np.bool_)
    others[own] = False
    return Reduction(kept | others, (), pivot.name, group, stage_of, tuple(Stage((elements,)) for elements in stages))


def _later_of_mirrored(placements: Ints, group: SymmetryGroup, element: int) -> Ints:
    """The placements that *element* maps, each cell by the same step, to an earlier placement."""
    table = group.table
    images = group.images(element, placements)
    before = np.flatnonzero((table.orientation[images] == table.orientation[placements]) & (images < placements))
    cells, goes_to = table.cells, group.elements[element].cells
    moved = [
        np.array_equal(
            goes_to[cells[table.starts[p] : table.starts[p + 1]]], cells[table.starts[q] : table.starts[q + 1]]
        )
        for p, q in zip(placements[before], images[before], strict=True)
    ]
    return placements[before[np.array(moved, dtype=np.bool_)]]
