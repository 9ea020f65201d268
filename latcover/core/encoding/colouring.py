"""Whether parts can be coloured: a rule that no item says, since the colours of parts are no part of a solution."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import Ints
from latcover.core.cover.veto import Nogood, Thrift
from latcover.core.encoding.cell_sets import as_bits, beside, cells_around
from latcover.core.encoding.part_rule_items import members_of
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.puzzle import Puzzle


class _Class(Struct, frozen=True, eq=False):
    """Placements that must be colourable.

    Attributes:
        own: Which placements these are, shape (n_placements,), bool.
        colours: How many colours there are.
        around: The cells that touch each cell, as the bits of a number.
    """

    own: npt.NDArray[np.bool_]
    colours: int
    around: list[int]


class ColouringVeto(Struct, frozen=True, eq=False):
    """Refuses placements of which some cannot be coloured. It remembers the cells of those that it has seen."""

    table: PlacementTable
    classes: tuple[_Class, ...]
    _thrift: Thrift = field(default_factory=Thrift)
    _bits: dict[int, int] = field(default_factory=dict)  # the cells of a placement
    _near: dict[tuple[int, int], int] = field(default_factory=dict)  # the cells that touch it, by class and placement

    names = ("colourable",)

    def refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`. It refuses a part of a cover for the same reasons as a whole one."""
        return not all(self._can_be_coloured(number, members) for number in range(len(self.classes)))

    def newly_refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`. A member that touches fewer others than there are colours finds one."""
        return self._thrift.answer(lambda: self._finds(members))

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """See `latcover.core.cover.veto.Veto`: for each class placements that need all colours and one more, such as an
        odd cycle; without any one of them the others could be coloured."""
        found = []
        for number, each in enumerate(self.classes):
            graph = _core(self._graph(number, members[each.own[members]].tolist()), each.colours)
            if not _is_colourable(graph, each.colours):
                found.append(Nogood(np.array(sorted(_critical(graph, each.colours)), np.int32)))
        return tuple(found)

    def _finds(self, members: Ints) -> bool:
        *others, last = members.tolist()
        for number, each in enumerate(self.classes):
            if each.own[last]:
                near = self._near_to(number, last)
                if sum(bool(near & self._cells(other)) for other in others if each.own[other]) >= each.colours:
                    return self.refuses(members)
        return False

    def _can_be_coloured(self, number: int, members: Ints) -> bool:
        """Whether those of these members that are in a class can be coloured."""
        each = self.classes[number]
        core = _core(self._graph(number, members[each.own[members]].tolist()), each.colours)
        return _is_colourable(core, each.colours)

    def _graph(self, number: int, members: list[int]) -> dict[int, set[int]]:
        """Which of these members touch which."""
        found: dict[int, set[int]] = {member: set() for member in members}
        for k, member in enumerate(members):
            near = self._near_to(number, member)
            for other in members[:k]:
                if near & self._cells(other):
                    found[member].add(other)
                    found[other].add(member)
        return found

    def _cells(self, member: int) -> int:
        if member not in self._bits:
            self._bits[member] = as_bits(self._cells_of(member))
        return self._bits[member]

    def _near_to(self, number: int, member: int) -> int:
        if (number, member) not in self._near:
            self._near[number, member] = beside(self._cells(member), self.classes[number].around)
        return self._near[number, member]

    def _cells_of(self, member: int) -> list[int]:
        cells: list[int] = self.table.cells[self.table.starts[member] : self.table.starts[member + 1]].tolist()
        return cells


def colouring_vetoes(puzzle: Puzzle, table: PlacementTable) -> list[ColouringVeto]:
    """The veto that the puzzle's rules on colours make; none if there are no such rules."""
    classes = [
        _Class(members_of(puzzle, table, rule), rule.colours, cells_around(puzzle.lattice, table, corners=rule.corners))
        for rule in puzzle.rules.of_parts.colourable
    ]
    return [ColouringVeto(table, tuple(classes))] if classes else []


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
