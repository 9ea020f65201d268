"""Whether cells hang together: a rule that no item says, since it is about all placements at once.

A set of placements is refused as soon as two of its cells can no longer be joined, since other placements lie between
them. Of a whole cover the reason is told as a cut: cells around a component, none of which belongs to it. A cover with
a cell inside and a cell beyond must have one of the cut as well. Each component needs only the cells of the cut that
lead on to the rest, so the cut is as small as it can be for that component (a minimal separator).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import Ints
from latcover.core.cover.veto import Nogood, Thrift
from latcover.core.encoding.cell_sets import as_bits, beside, cells_around, reached
from latcover.core.encoding.lines_and_points import CellsToMembers
from latcover.core.encoding.part_rule_items import members_of
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.puzzle import Puzzle


class ConnectedVeto(Struct, frozen=True, eq=False):
    """Refuses placements whose cells of one class do not hang together. It remembers those that it has seen.

    Attributes:
        counts: Which entries of the table's cells belong to the class, shape (n_entries,), bool.
        covering: Finds the placements that cover a cell.
        around: The cells that touch each cell, as the bits of a number.
        possible: The cells that some placement can give to the class.
    """

    table: PlacementTable
    counts: npt.NDArray[np.bool_]
    covering: CellsToMembers
    around: list[int]
    possible: int
    _thrift: Thrift = field(default_factory=Thrift)
    _own: dict[int, int] = field(default_factory=dict)  # the cells of a placement that belong to the class
    _others: dict[int, int] = field(default_factory=dict)  # and those that do not

    names = ("connected",)

    def refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`."""
        own, _ = self._cells(members)
        return own != reached(own & -own, own, self.around)

    def newly_refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`."""
        return self._thrift.answer(lambda: self._is_cut(members))

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """See `latcover.core.cover.veto.Veto`: for each component but one its cut."""
        own, _ = self._cells(members)
        components = self._components(own)
        if len(components) < 2:
            return ()
        target = max(components, key=int.bit_count)
        beyond = self._holder(members, target)
        found = []
        for component in components:
            if component != target:
                rim = beside(component, self.around) & self.possible
                rest = reached(target, self.possible & ~rim & ~component, self.around)
                cut = rim & beside(rest, self.around)
                near = {m for cell in _listed(cut) for m in self.covering.covering(cell).tolist()}
                missing = {m for m in near if self._bits(m)[0] & cut}
                chosen = [self._holder(members, component), beyond]
                found.append(Nogood(np.array(chosen, np.int32), np.array(sorted(missing), np.int32)))
        return tuple(found)

    def _is_cut(self, members: Ints) -> bool:
        """Whether steps through cells that are of the class, or may still become so, do not join all of the class."""
        own, others = self._cells(members)
        return own & ~reached(own & -own, own | (self.possible & ~others), self.around) != 0

    def _components(self, own: int) -> list[int]:
        found = []
        while own:
            found.append(reached(own & -own, own, self.around))
            own &= ~found[-1]
        return found

    def _holder(self, members: Ints, component: int) -> int:
        """A member with a cell in a component."""
        listed: list[int] = members.tolist()
        return next(member for member in listed if self._bits(member)[0] & component)

    def _cells(self, members: Ints) -> tuple[int, int]:
        """The cells that these members give to the class, and their other cells."""
        own = others = 0
        for member in members.tolist():
            mine, rest = self._bits(member)
            own |= mine
            others |= rest
        return own, others

    def _bits(self, member: int) -> tuple[int, int]:
        if member not in self._own:
            entries = slice(self.table.starts[member], self.table.starts[member + 1])
            cells, counts = self.table.cells[entries], self.counts[entries]
            self._own[member], self._others[member] = as_bits(cells[counts].tolist()), as_bits(cells[~counts].tolist())
        return self._own[member], self._others[member]


def connected_vetoes(puzzle: Puzzle, table: PlacementTable) -> list[ConnectedVeto]:
    """The vetoes of the puzzle's rules on cells that hang together."""
    rules, sizes, found = puzzle.rules.of_parts.connected, np.diff(table.starts), []
    if not rules:
        return []
    covering = CellsToMembers(table)
    for rule in rules:
        counts = np.repeat(members_of(puzzle, table, rule), sizes)
        if rule.colour:
            colour = puzzle.colours.index(rule.colour)
            painted = [orientation.colours == colour for orientation in table.orientations]
            counts &= np.concatenate([np.empty(0, np.bool_), *(painted[k] for k in table.orientation.tolist())])
        around = cells_around(puzzle.lattice, table, corners=rule.corners)
        possible = as_bits(np.unique(table.cells[counts]).tolist())
        found.append(ConnectedVeto(table, counts, covering, around, possible))
    return found


def _listed(cells: int) -> list[int]:
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
