"""The rule that cells hang together: steps from one of them to the next lead from each to all others.

No few items say it, so a veto does. A solver that learns is told by a clause why a cover is refused: the placement with
a cell of a component goes, or one with a cell of the largest component, or some placement gives a cell of the cut
between them to the class. `docs/explanation/rules.md` proves that every wanted cover meets the clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct, field

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.veto import Nogood, Thrift
from latcover.core.model.rules.cell_sets import as_bits, beside, cells_around, reached
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import ColourName, PartNames, Rule
from latcover.core.model.solution import Cell
from latcover.errors import listed
from latcover.system.sorted_sets import distinct


class ConnectedParts(Rule, frozen=True):
    """Cells of some parts that hang together at sides; with *corners* at corners too.

    With *colour* these are the cells of this colour only; else cells of any colour, and those without one.
    """

    parts: PartNames = ()
    corners: Annotated[bool, Meta(title="also across corners")] = False
    colour: ColourName = ""

    name = "connected"
    about = "cells that must be connected"
    local = True

    def words(self) -> str:
        cells = f"{self.colour} cells" if self.colour else "cells"
        whose = f"of the parts {listed(self.parts)}" if self.parts else "of parts"
        where = "sides or corners" if self.corners else "sides"
        return f"The {cells} {whose} must be connected at {where}."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        own = set(copies.of_parts(self.parts))
        cells = {cell for cell, k in copies.owner.items() if k in own}
        cells = {cell for cell in cells if not self.colour or copies.colours[cell] == self.colour}
        if loose := _loose(copies, cells, corners=self.corners):
            what = f"{self.colour} cells" if self.colour else "cells"
            yield f"the {what} of parts are not connected: {len(loose)} of {len(cells)} are separate"

    def veto(self, placements: PlacementArrays) -> ConnectedVeto:
        counts = np.repeat(placements.of_parts(self.parts), np.diff(placements.starts))
        if self.colour:
            counts &= placements.colours == placements.puzzle.colours.index(self.colour)
        return ConnectedVeto(placements, counts, placements.touching(corners=self.corners))


def _loose(copies: PlacedCopies, cells: set[Cell], *, corners: bool) -> set[Cell]:
    """Those of *cells* to which no steps lead from the first of them."""
    left, front = set(cells), sorted(cells)[:1]
    while front:
        cell = front.pop()
        if cell in left:
            left.remove(cell)
            front += copies.around(cell, corners=corners)
    return left


class ConnectedVeto(Struct, frozen=True, eq=False, dict=True):
    """Refuses placements whose cells of one class do not hang together. It remembers those that it has seen.

    Published pages know this veto, and no other.

    Attributes:
        counts: Which entries of the placements' cells belong to the class, shape (n_entries,), bool.
        touching: The pairs of cells that touch, shape (n, 2).
    """

    placements: PlacementArrays
    counts: npt.NDArray[np.bool_]
    touching: Longs
    names: tuple[str, ...] = ("connected",)
    _thrift: Thrift = field(default_factory=Thrift)
    _own: dict[int, int] = field(default_factory=dict)  # the cells of a placement that belong to the class
    _others: dict[int, int] = field(default_factory=dict)  # and those that do not

    @cached_property
    def around(self) -> list[int]:
        """The cells that touch each cell, as the bits of a number."""
        return cells_around(len(self.placements.region.cells), self.touching)

    @cached_property
    def possible(self) -> int:
        """The cells that some placement can give to the class."""
        return as_bits(distinct(self.placements.cells[self.counts]).tolist())

    def cells_of(self, member: int, *, of_class: bool = True) -> list[int]:
        """The cells of a placement that are of the class; or those that are not."""
        counts = self.counts[self.placements.starts[member] : self.placements.starts[member + 1]]
        cells: list[int] = self.placements.cells_of(member)[counts == of_class].tolist()
        return cells

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
                near = {m for cell in _listed(cut) for m in self.placements.covering(cell).tolist()}
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
            self._own[member] = as_bits(self.cells_of(member))
            self._others[member] = as_bits(self.cells_of(member, of_class=False))
        return self._own[member], self._others[member]


def _listed(cells: int) -> list[int]:
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
