"""The independent check of slides: whether anything is in their way, and whether what separates gets clear.

The cells that stay are marked in a grid of their own for each slide. A cell that moves meets one of them if it meets
the cell at that offset (`meetings`); so all slides of all plans are looked up together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Lattice
from latcover.core.model.meetings import DEEP, Flags, Ints, Meetings, Numbers, Vector, meetings

MOST_PAIRS = 200_000  # of cells that are looked at together
MOST_CELLS = 200_000  # of slides that are judged together
MOST_ROOM = 1 << 24  # places of all grids that are made together
AT_ONCE = 50_000  # offsets of cells that are looked up together


class Slide(Struct, frozen=True, eq=False):
    """Pieces that slide together while others stay.

    Attributes:
        moving, staying: The cells of each piece, by its number: rows (node, x, y, ...), int64.
        shift: How far they slide, in lattice steps; not zero.
        separates: Whether they must be clear of the others in the end, as they go on for ever.
    """

    moving: Mapping[int, Ints]
    staying: Mapping[int, Ints]
    shift: Vector
    separates: bool

    @property
    def size(self) -> int:
        """How many cells it has."""
        return sum(map(len, self.moving.values())) + sum(map(len, self.staying.values()))


class _Group:
    """The cells of all slides that move, or those that stay.

    Attributes:
        cells: Shape (n, dimension + 1), int64.
        slide: The slide of each cell, ascending, shape (n,).
        starts: The first cell of each slide.
    """

    def __init__(self, groups: Sequence[Mapping[int, Ints]]) -> None:
        pieces = [cells for group in groups for cells in group.values()]
        sizes = np.array([len(cells) for cells in pieces])
        of_piece = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        self.cells = np.concatenate(pieces)
        self.slide = np.repeat(of_piece, sizes)
        self.starts = np.searchsorted(self.slide, np.arange(len(groups)))


def slide_faults(lattice: Lattice, slides: Sequence[Slide]) -> list[str]:
    """What is wrong with each of *slides*; "" if nothing is."""
    found: list[str] = []
    together: list[Slide] = []
    size = 0
    for slide in slides:
        together.append(slide)
        size += slide.size
        if size > MOST_CELLS:
            found += _faults(meetings(lattice), together)
            together, size = [], 0
    return found + (_faults(meetings(lattice), together) if together else [])


def _faults(when: Meetings, slides: Sequence[Slide]) -> list[str]:
    own, rest = _Group([slide.moving for slide in slides]), _Group([slide.staying for slide in slides])
    number = {way: k for k, way in enumerate({slide.shift: None for slide in slides})}
    ways, way_of = list(number), np.array([number[slide.shift] for slide in slides])
    is_blocked, is_known = _looked_up(when, ways, way_of, own, rest)
    is_clear = _ends_clear(when, np.array(ways) @ when.lattice.basis, way_of, own, rest)
    found = [""] * len(slides)
    for k in np.flatnonzero(is_blocked | ~is_known | ~is_clear).tolist():
        slide = slides[k]
        if is_blocked[k] or not is_known[k]:
            found[k] = _meeting(when, slide) or ("is blocked" if is_blocked[k] else "")
        if not found[k] and slide.separates and not is_clear[k]:
            found[k] = "does not take the pieces clear of the others"
    return found


def _looked_up(when: Meetings, ways: Sequence[Vector], way_of: Ints, own: _Group, rest: _Group) -> tuple[Flags, Flags]:
    """Which slides are blocked, and of which this is known: not of ways and boxes that are too large."""
    boxes, met = (
        _Boxes(rest, len(when.lattice.nodes)),
        _Offsets([when.offsets(way) for way in ways], rest.cells.shape[1]),
    )
    is_known = (boxes.room <= MOST_ROOM) & met.is_listed[way_of]
    is_blocked = np.zeros(len(way_of), np.bool_)
    room = np.where(is_known, boxes.room, 0).astype(np.int64)
    block = (np.cumsum(room) - room) // MOST_ROOM
    for chosen in (is_known & (block == b) for b in range(int(block[-1]) + 1)):
        base = np.cumsum(room * chosen) - room * chosen
        taken = np.zeros(int((room * chosen).sum()), np.bool_)
        theirs, mine = chosen[rest.slide], chosen[own.slide]
        there = boxes.within(rest.cells[theirs].T, rest.slide[theirs])
        taken[base[rest.slide[theirs]] + boxes.places(there, rest.slide[theirs])] = True
        slide, cells = own.slide[mine], own.cells[mine].T
        here = boxes.within(cells, slide)
        for cell, offsets in met.pairs(way_of[slide], cells[0]):
            there, of = here[:, cell] + offsets, slide[cell]
            inside = boxes.inside(there, of)
            there, of = there[:, inside], of[inside]
            is_blocked[of[taken[base[of] + boxes.places(there, of)]]] = True
    return is_blocked, is_known


class _Boxes:
    """Around the cells that stay, a box for each slide; its first side are the nodes.

    Attributes:
        low, span: Where they begin, and how long their sides are, shape (dimension + 1, n).
        room: How many places they have.
    """

    def __init__(self, rest: _Group, n_nodes: int) -> None:
        self.low, high = (end.reduceat(rest.cells, rest.starts).T for end in (np.minimum, np.maximum))
        self.low[0], high[0] = 0, n_nodes - 1
        self.span = high - self.low + 1
        self.room = self.span.prod(axis=0, dtype=np.float64)
        self._strides = np.ones_like(self.span)
        self._strides[:-1] = np.cumprod(self.span[:0:-1], axis=0)[::-1]

    def within(self, cells: Ints, slide: Ints) -> Ints:
        """Cells, shape (dimension + 1, k), as seen from where the boxes of their slides begin."""
        seen: Ints = cells - self.low[:, slide]
        return seen

    def inside(self, seen: Ints, slide: Ints) -> Flags:
        """Which of these lie in the boxes."""
        flags: Flags = np.logical_and.reduce((seen >= 0) & (seen < self.span[:, slide]))
        return flags

    def places(self, seen: Ints, slide: Ints) -> Ints:
        """The number of the place of each in its box."""
        places: Ints = (seen * self._strides[:, slide]).sum(axis=0)
        return places


class _Offsets:
    """The offsets of all ways and nodes, one after another.

    Attributes:
        is_listed: Of which ways they are known.
    """

    def __init__(self, met: Sequence[tuple[Ints, ...] | None], width: int) -> None:
        n_nodes = max((len(of_way) for of_way in met if of_way is not None), default=1)
        none = (np.empty((0, width), np.int64),) * n_nodes
        listed = [of_node for of_way in met for of_node in of_way or none]
        self.is_listed = np.array([of_way is not None for of_way in met])
        self._many = np.array(list(map(len, listed))).reshape(-1, n_nodes)
        self._first = np.cumsum(self._many).reshape(self._many.shape) - self._many
        self._offsets = np.concatenate(listed).T

    def pairs(self, way: Ints, node: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Each cell with each of its offsets: the numbers of cells, and the offsets, shape (dimension + 1, k)."""
        many, first = self._many[way, node], self._first[way, node]
        for some in np.split(np.arange(len(many)), np.flatnonzero(np.diff(np.cumsum(many) // AT_ONCE)) + 1):
            before = np.cumsum(many[some]) - many[some] - first[some]
            cell = np.repeat(some, many[some])
            yield cell, self._offsets[:, np.arange(len(cell)) - np.repeat(before, many[some])]


def _ends_clear(when: Meetings, ways: Numbers, way_of: Ints, own: _Group, rest: _Group) -> Flags:
    """Whether the cells that move end wholly beyond those that stay, along their way."""
    lengths = np.linalg.norm(ways, axis=1)
    along = ways / lengths[:, None]
    least, most = when.reach(along)

    def heights(group: _Group, reach: Numbers) -> Numbers:
        way = way_of[group.slide]
        found: Numbers = (when.lattice.centres(group.cells) * along[way]).sum(axis=1) + reach[way, group.cells[:, 0]]
        return found

    lowest = np.minimum.reduceat(heights(own, least), own.starts) + lengths[way_of]
    is_clear: Flags = lowest >= np.maximum.reduceat(heights(rest, most), rest.starts) - DEEP
    return is_clear


def _meeting(when: Meetings, slide: Slide) -> str:
    """Which two pieces meet first in the order of their cells; "" if none do. It looks at all pairs of cells."""
    (own, of), (theirs, by) = (
        (np.concatenate(list(group.values())), np.repeat(list(group), [len(cells) for cells in group.values()]))
        for group in (slide.moving, slide.staying)
    )
    here, there = when.lattice.centres(own), when.lattice.centres(theirs)
    way = np.array(slide.shift) @ when.lattice.basis
    at_once = max(1, MOST_PAIRS // len(theirs))
    for start in range(0, len(own), at_once):
        part = slice(start, start + at_once)
        offsets = (there - here[part][:, None]).reshape(-1, len(way))
        u, w = np.repeat(own[part, 0], len(theirs)), np.tile(theirs[:, 0], len(own[part]))
        met = when.on_the_way(u, w, offsets, way)
        if met.any():
            a, b = divmod(int(met.argmax()), len(theirs))
            return f"is blocked: piece {of[start + a]} meets piece {by[b]}"
    return ""
