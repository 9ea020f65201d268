"""Costs that a puzzle's author gives: numbers on parts, on placements, on cells, and on parts that touch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

CellRow = tuple[int, ...]  # node, x, y, ...
MOST_COST = 1_000_000  # of one entry


class CellCost(Struct, frozen=True):
    """What is due for each of some cells that one of some parts covers; no parts are all parts."""

    cells: tuple[CellRow, ...]
    cost: int
    parts: tuple[str, ...] = ()


class PlacementCost(Struct, frozen=True):
    """What is due if a copy of a part covers just these cells."""

    part: str
    cells: tuple[CellRow, ...]
    cost: int


class TouchingCost(Struct, frozen=True):
    """What is due where copies of two parts touch; the two may be one.

    Attributes:
        each: "side": due for each side between them. "copy": due once for each copy of the first part that touches a
            copy of the second.
    """

    parts: tuple[str, str]
    cost: int
    each: Literal["side", "copy"] = "side"


class NamedCosts(Struct, frozen=True):
    """Costs of one name. The value of a solution is the sum of all that is due.

    Attributes:
        name: The objective's name.
        words: What the value is, for people: "points"; by default the name.
        parts: What each copy of a part costs, by the part's name.
    """

    name: str
    words: str = ""
    parts: tuple[tuple[str, int], ...] = ()
    placements: tuple[PlacementCost, ...] = ()
    cells: tuple[CellCost, ...] = ()
    touching: tuple[TouchingCost, ...] = ()

    def moved(self, homes: Callable[[Sequence[CellRow]], Sequence[CellRow]]) -> NamedCosts:
        """The same, with each cell by the name that *homes* gives it."""
        return replace(
            self,
            placements=tuple(replace(entry, cells=tuple(homes(entry.cells))) for entry in self.placements),
            cells=tuple(replace(entry, cells=tuple(homes(entry.cells))) for entry in self.cells),
        )

    def within(self, cells: Collection[CellRow]) -> NamedCosts:
        """The same for a smaller region, with these cells."""
        return replace(
            self,
            placements=tuple(entry for entry in self.placements if all(cell in cells for cell in entry.cells)),
            cells=tuple(replace(entry, cells=tuple(c for c in entry.cells if c in cells)) for entry in self.cells),
        )

    def faults(self, parts: Collection[str], cells: Collection[CellRow]) -> Iterator[CostFault]:
        """What does not fit a puzzle that has these parts and cells."""
        for part, _ in self.parts:
            yield from _unknown(part, parts, ("parts", part))
        for k, placed in enumerate(self.placements):
            yield from _unknown(placed.part, parts, ("placements", k, "part"))
            yield from _elsewhere(placed.cells, cells, ("placements", k))
        for k, covered in enumerate(self.cells):
            for part in covered.parts:
                yield from _unknown(part, parts, ("cells", k, "parts"))
            yield from _elsewhere(covered.cells, cells, ("cells", k))
        for k, touching in enumerate(self.touching):
            for part in touching.parts:
                yield from _unknown(part, parts, ("touching", k, "parts"))


class CostFault(Struct, frozen=True):
    """A part or a cell that the puzzle does not have.

    Attributes:
        place: The keys of a file that lead to it, below the table of the costs.
        part: The name of the unknown part; "" if it is about a cell.
        cell: The cell that does not belong to the region.
    """

    place: tuple[str | int, ...]
    part: str = ""
    cell: CellRow = ()


def _unknown(part: str, parts: Collection[str], place: tuple[str | int, ...]) -> Iterator[CostFault]:
    if part not in parts:
        yield CostFault(place, part=part)


def _elsewhere(
    given: tuple[CellRow, ...], cells: Collection[CellRow], place: tuple[str | int, ...]
) -> Iterator[CostFault]:
    missing = min((cell for cell in given if cell not in cells), default=None)
    if missing is not None:
        yield CostFault(place, cell=missing)
