"""The rule that parts can be coloured. No item says it, since the colours of parts are no part of a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct, field

from latcover.core.cover.problem import Ints
from latcover.core.cover.veto import Nogood, Thrift
from latcover.core.model.rules.cell_sets import as_bits, beside, cells_around
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import PartNames, Rule
from latcover.errors import counted, listed

MOST_COLOURS = 6
NUMBER = Meta(
    ge=1, le=MOST_COLOURS, title="colours", description=f"a number of colours from 1 to {MOST_COLOURS}", examples=[3]
)


class ColourableParts(Rule, frozen=True):
    """Parts that can be coloured with so many colours, so that copies of one colour do not touch at sides.

    With *corners* they do not touch at corners either.
    """

    colours: Annotated[int, NUMBER]
    parts: PartNames = ()
    corners: Annotated[bool, Meta(title="not even at corners")] = False

    name = "colourable"
    about = "parts that few colours suffice for"
    local = True

    def words(self) -> str:
        where = " or at corners" if self.corners else ""
        what = f"The parts {listed(self.parts)}" if self.parts else "The parts"
        colours = counted(self.colours, "colour")
        return f"{what} must be colourable with {colours}, so that no colour touches itself at sides{where}."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        own = copies.of_parts(self.parts)
        pairs = {pair for pair in copies.touching(corners=self.corners) if set(own).issuperset(pair)}
        if not _find_colours(own, pairs, self.colours):
            yield f"the parts cannot be coloured with {self.colours} colours"

    def veto(self, placements: PlacementArrays) -> ColouringVeto:
        around = cells_around(len(placements.region.cells), placements.touching(corners=self.corners))
        return ColouringVeto(placements, placements.of_parts(self.parts), self.colours, around)


def _find_colours(copies: Sequence[int], pairs: set[tuple[int, int]], colours: int) -> bool:
    """Whether the copies have colours so that the two of each pair differ: plain backtracking, few choices first."""
    near: dict[int, set[int]] = {copy: set() for copy in copies}
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    colour: dict[int, int] = {}

    def fill() -> bool:
        rest = [copy for copy in copies if copy not in colour]
        if not rest:
            return True
        copy = max(rest, key=lambda k: (len({colour[n] for n in near[k] if n in colour}), len(near[k])))
        taken = {colour[n] for n in near[copy] if n in colour}
        fresh = max(colour.values(), default=-1) + 1  # a colour that nobody has yet is as good as another
        for c in range(min(colours, fresh + 1)):
            if c not in taken:
                colour[copy] = c
                if fill():
                    return True
                del colour[copy]
        return False

    return fill()


class ColouringVeto(Struct, frozen=True, eq=False):
    """Refuses placements of which some cannot be coloured. It remembers the cells of those that it has seen.

    Attributes:
        own: Which placements must be colourable, shape (n_placements,), bool.
        colours: How many colours there are.
        around: The cells that touch each cell, as the bits of a number.
    """

    placements: PlacementArrays
    own: npt.NDArray[np.bool_]
    colours: int
    around: list[int]
    _thrift: Thrift = field(default_factory=Thrift)
    _bits: dict[int, int] = field(default_factory=dict)  # the cells of a placement
    _near: dict[int, int] = field(default_factory=dict)  # the cells that touch it

    names = ("colourable",)

    def refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`. It refuses a part of a cover for the same reasons as a whole one."""
        return not _is_colourable(self._core(members), self.colours)

    def newly_refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`. A member that touches fewer others than there are colours finds one."""
        return self._thrift.answer(lambda: self._finds(members))

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """See `latcover.core.cover.veto.Veto`: placements that need all colours and one more, such as an odd cycle;
        without any one of them the others could be coloured."""
        graph = self._core(members)
        if _is_colourable(graph, self.colours):
            return ()
        return (Nogood(np.array(sorted(_critical(graph, self.colours)), np.int32)),)

    def _finds(self, members: Ints) -> bool:
        *others, last = members.tolist()
        if not self.own[last]:
            return False
        near = self._near_to(last)
        touched = sum(bool(near & self._cells(other)) for other in others if self.own[other])
        return touched >= self.colours and self.refuses(members)

    def _core(self, members: Ints) -> dict[int, set[int]]:
        """Which of these members touch which, without those that always find a colour."""
        own = members[self.own[members]].tolist()
        found: dict[int, set[int]] = {member: set() for member in own}
        for k, member in enumerate(own):
            near = self._near_to(member)
            for other in own[:k]:
                if near & self._cells(other):
                    found[member].add(other)
                    found[other].add(member)
        return _core(found, self.colours)

    def _cells(self, member: int) -> int:
        if member not in self._bits:
            self._bits[member] = as_bits(self.placements.cells_of(member).tolist())
        return self._bits[member]

    def _near_to(self, member: int) -> int:
        if member not in self._near:
            self._near[member] = beside(self._cells(member), self.around)
        return self._near[member]


def _core(graph: Mapping[int, set[int]], colours: int) -> dict[int, set[int]]:
    """What is left of a graph when vertices with fewer neighbours than colours go, which always find a colour."""
    left = {vertex: set(near) for vertex, near in graph.items()}
    free = [vertex for vertex, near in left.items() if len(near) < colours]
    while free:
        vertex = free.pop()
        for other in left.pop(vertex, ()):
            left[other].discard(vertex)
            if len(left[other]) == colours - 1:
                free.append(other)
    return left


def _critical(graph: Mapping[int, set[int]], colours: int) -> set[int]:
    """Vertices that cannot be coloured, though they could without any one of them, of a graph that cannot."""
    left = set(graph)
    for vertex in sorted(graph):
        fewer = left - {vertex}
        core = _core({v: graph[v] & fewer for v in fewer}, colours)
        if vertex in left and not _is_colourable(core, colours):
            left = set(core)
    return left


def _is_colourable(graph: Mapping[int, set[int]], colours: int) -> bool:
    """Whether a graph has a colouring, by search: first the vertex with the fewest colours left (Brelaz 1979)."""
    seen = dict.fromkeys(graph, 0)  # the colours of neighbours, as bits
    left = set(graph)

    def fill(fresh: int) -> bool:
        if not left:
            return True
        vertex = max(left, key=lambda v: (seen[v].bit_count(), len(graph[v]), v))
        left.remove(vertex)
        for colour in range(min(colours, fresh + 1)):  # a colour that is not yet used is as good as another
            if not seen[vertex] >> colour & 1:
                told = [other for other in graph[vertex] if other in left and not seen[other] >> colour & 1]
                for other in told:
                    seen[other] |= 1 << colour
                if fill(max(fresh, colour + 1)):
                    return True
                for other in told:
                    seen[other] ^= 1 << colour
        left.add(vertex)
        return False

    return fill(0)
