"""The independent check of a solution against its puzzle.

It shares no code with the search for solutions: no orientations, placement tables or cover problems. It uses only the
puzzle's own cells and the lattice's transformations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import Cells, Transformation
from latcover.core.model.puzzle import Part, Puzzle, Region, require_puzzle
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Cell, Placed, Solution

Look = bytes  # of cells and their colours, the least cell at the origin
Sides = tuple[tuple[Cell, str, str], ...]
UNKNOWN = -1  # a colour that the puzzle does not have


class Verifier:
    """Checks solutions of one puzzle, and remembers which placements are legal."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        region = puzzle.region
        self._named = Names(region)
        self._parts = {part.name: part for part in puzzle.parts}
        self._colour = dict(zip(map(tuple, region.cells.tolist()), region.colours.tolist(), strict=True))
        self._mandatory = {
            tuple(cell) for cell, free in zip(region.cells.tolist(), region.optional.tolist(), strict=True) if not free
        }
        secondary = {node for node, about in enumerate(puzzle.lattice.nodes) if about.secondary}
        self._bounded = {cell for cell in self._colour.keys() - self._mandatory if cell[0] not in secondary}
        self._number = {name: colour for colour, name in enumerate(puzzle.colours)}
        self._legal: set[Placed] = set()
        self._looks: dict[str, dict[Look, set[Sides]]] = {}
        self._confines: dict[str, tuple[set[Cell] | None, ...]] = {}

    def faults(self, solution: Solution) -> list[str]:
        """All faults of *solution*; empty for a correct one."""
        found = []
        covered: dict[Cell, str] = {}
        copies = Counter(placed.part for placed in solution.placements)
        for placed in solution.placements:
            if placed not in self._legal:
                if fault := self.fault_of_placement(placed):
                    found.append(fault)
                else:
                    self._legal.add(placed)
            for cell in placed.cells:
                if cell in covered:
                    found.append(f"cell {self._written(cell)} is covered by {covered[cell]!r} and by {placed.part!r}")
                covered[cell] = placed.part
        found += [f"cell {self._written(cell)} is not covered" for cell in sorted(self._mandatory - covered.keys())]
        n_empty, most = len(self._bounded - covered.keys()), self.puzzle.region.max_empty
        if most is not None and n_empty > most:
            found.append(f"{n_empty} optional cells are left empty, but at most {most} may be")
        for name, part in self._parts.items():
            number = copies[name]
            if number < part.low or (part.high is not None and number > part.high):
                found.append(f"part {name!r} is used {number} times, not {part.low} to {part.high}")
        return found + self._broken_rules(solution)

    def _broken_rules(self, solution: Solution) -> list[str]:
        """Sides that do not fit or may not be open, colours that may not touch, and cells that are not alike."""
        rules = self.puzzle.rules
        owner = {cell: n for n, placed in enumerate(solution.placements) for cell in placed.cells}
        colour = {
            cell: name
            for placed in solution.placements
            for cell, name in zip(placed.cells, placed.colours, strict=False)
        }
        apart = {(self.puzzle.colours[a], self.puzzle.colours[b]) for a, b in rules.apart}
        found = self._sides_that_do_not_fit(solution, owner) if len(rules.sides) > 1 else []
        for cell, own in owner.items() if apart else ():
            for there in self._touching(cell):
                pair = (colour.get(cell, ""), colour.get(there, ""))
                if there in owner and owner[there] != own and (pair in apart or pair[::-1] in apart):
                    ours, theirs = self._written(cell), self._written(there)
                    found.append(f"the colours {pair[0]!r} of cell {ours} and {pair[1]!r} of cell {theirs} touch")
        for group in rules.alike:
            seen = sorted({colour[cell] for cell in group if colour.get(cell)})
            if len(seen) > 1:
                cells = ", ".join(map(self._written, group))
                shown = ", ".join(map(repr, seen))
                found.append(f"the colours {shown} stand on the cells {cells}, which must be alike")
        return found + broken_part_rules(self.puzzle, solution.placements)

    def _sides_that_do_not_fit(self, solution: Solution, owner: dict[Cell, int]) -> list[str]:
        """Faults of sides; *owner* is the number of the placement on each cell."""
        rules, edges = self.puzzle.rules, self.puzzle.lattice.half_edges
        number = {name: v for v, name in enumerate(rules.sides)}
        value = {(cell, edge): number[name] for placed in solution.placements for cell, edge, name in placed.sides}
        asked = {(cell, edges[label].label): value for cell, label, value in rules.asked}
        found = []

        def bears(mine: int, wanted: int) -> bool:
            return mine == wanted or (mine == 0 and bool(rules.fits[0, wanted]))

        for cell, own in owner.items():
            for edge in (edge for edge in edges if edge.node == cell[0]):
                there = self._moved((edge.target, *cell[1:]), list(edge.step))
                mine, wanted = value.get((cell, edge.label), 0), asked.get((cell, edge.label), -1)
                if owner.get(there) == own:
                    continue
                if wanted >= 0 and not bears(mine, wanted):
                    good = False
                elif there not in self._colour:
                    good = bears(mine, rules.rim) if rules.rim >= 0 else bool(rules.open_sides[mine])
                elif there not in owner:
                    good = bool(rules.open_sides[mine])
                else:
                    good = bool(rules.fits[mine, value.get((there, edges[edge.twin].label), 0)])
                if not good:
                    found.append(f"the side {edge.label!r} of cell {self._written(cell)} does not fit its surroundings")
        return found

    def _touching(self, cell: Cell) -> list[Cell]:
        lattice = self.puzzle.lattice
        around = lattice.touching[cell[0]]
        if not self.puzzle.rules.across_corners:
            around = tuple((edge.target, *edge.step) for edge in lattice.half_edges if edge.node == cell[0])
        return [self._moved((node, *cell[1:]), step) for node, *step in around]

    def fault_of_placement(self, placed: Placed) -> str:
        """What is wrong with a placement by itself; "" for a legal one."""
        part = self._parts.get(placed.part)
        if part is None:
            return f"the puzzle has no part {placed.part!r}"
        for cell in placed.cells:
            if cell not in self._colour:
                return f"part {placed.part!r} covers {self._written(cell)}, which is not in the region"
        if not self._is_image(placed, part):
            cells = ", ".join(map(self._written, placed.cells))
            return f"the cells of part {placed.part!r}, {cells}, are not an image of it"
        if strays := [cell for cell in placed.cells if not self._is_open(part, cell)]:
            return f"part {placed.part!r} covers {self._written(strays[0])}, where it may not lie"
        return ""

    def _is_open(self, part: Part, cell: Cell) -> bool:
        """Whether the part may cover a cell, by the cells that it is confined to or kept off."""
        if part.name not in self._confines:
            self._confines[part.name] = tuple(
                None if cells is None else {self._named(tuple(row)) for row in cells.tolist()}
                for cells in (part.within, part.keep_off)
            )
        within, off = self._confines[part.name]
        return (within is None or cell in within) and (off is None or cell not in off)

    def _is_image(self, placed: Placed, part: Part) -> bool:
        """Whether an allowed transformation takes the part to exactly these cells, with these colours and sides."""
        colours = placed.colours or ("",) * len(placed.cells)
        target = dict(zip(placed.cells, colours, strict=False))
        if not len(target) == len(placed.cells) == len(colours) == part.size:
            return False
        if self.puzzle.region.period:
            return any(self._is_periodic_image(placed, target, part, allowed) for allowed in part.transformations)
        # Only one translation can be meant: that of the least cell to the least cell.
        least = min(target)
        numbers = np.array([self._number.get(colour, UNKNOWN) for colour in colours], np.int32)
        look, _ = _look(np.array(placed.cells, np.int32), numbers)
        sides = tuple(sorted((_relative(cell, least), edge, value) for cell, edge, value in placed.sides))
        if sides not in self._looks_of(part).get(look, ()):
            return False
        return all(self._may_stand(colour, cell) for cell, colour in target.items())

    def _looks_of(self, part: Part) -> dict[Look, set[Sides]]:
        """The images of *part*, their least cell at the origin: cells with colours, and the sides that go with them."""
        if part.name not in self._looks:
            looks: dict[Look, set[Sides]] = {}
            for transformation in part.transformations:
                look, moved = _look(transformation.apply(part.cells), part.colours)
                there = [tuple(cell) for cell in moved.tolist()] if len(part.sides) else []
                looks.setdefault(look, set()).add(tuple(self._sides(part, transformation, there)))
            self._looks[part.name] = looks
        return self._looks[part.name]

    def _is_periodic_image(
        self, placed: Placed, target: dict[Cell, str], part: Part, transformation: Transformation
    ) -> bool:
        """The same for one transformation in a periodic region, where several translations may do."""
        names = [self.puzzle.colours[colour] for colour in part.colours.tolist()]
        image = [tuple(row) for row in transformation.apply(part.cells).tolist()]
        node, *start = image[0]
        for cell in placed.cells:
            if cell[0] == node:
                shift = [a - b for a, b in zip(cell[1:], start, strict=True)]
                moved = [self._moved(row, shift) for row in image]
                if (
                    dict(zip(moved, names, strict=True)) == target
                    and all(map(self._may_stand, names, moved))
                    and self._sides(part, transformation, moved) == sorted(placed.sides)
                ):
                    return True
        return False

    def _moved(self, cell: Cell, shift: list[int]) -> Cell:
        return self._named((cell[0], *(x + s for x, s in zip(cell[1:], shift, strict=True))))

    def _sides(self, part: Part, transformation: Transformation, moved: list[Cell]) -> list[tuple[Cell, str, str]]:
        edges, values = self.puzzle.lattice.half_edges, self.puzzle.rules.sides
        return sorted(
            (moved[k], edges[transformation.labels[label]].label, values[value])
            for k, label, value in part.sides.tolist()
        )

    def _written(self, cell: Cell) -> str:
        """A cell as puzzle files write it."""
        return str(self.puzzle.lattice.written(cell))

    def _may_stand(self, colour: str, cell: Cell) -> bool:
        there = self.puzzle.colours[self._colour[cell]]
        listed = (self.puzzle.colours.index(colour), self._colour[cell]) in self.puzzle.rules.stands_on
        return not colour or not there or colour == there or listed


class Names:
    """Knows a cell of a periodic region by any of its names: cells are equal if their least names are."""

    def __init__(self, region: Region) -> None:
        self._steps = echelon(region.period.vectors)
        own: list[Cell] = [tuple(cell) for cell in region.cells.tolist()] if self._steps else []
        self._own = {self._least(cell): cell for cell in own}

    def __call__(self, cell: Cell) -> Cell:
        """The cell of the region with this name; any cell of its class if the region has none."""
        least = self._least(cell)
        return self._own.get(least, least)

    def _least(self, cell: Cell) -> Cell:
        node, *at = cell
        for axis, step in self._steps:
            times = at[axis] // step[axis]
            at = [x - times * s for x, s in zip(at, step, strict=True)]
        return (node, *at)


def echelon(vectors: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """Vectors with the same whole sums, each with the axis where it begins: all later ones have 0 there."""
    rows, found = [list(vector) for vector in vectors], []
    for axis in range(len(rows[0]) if rows else 0):
        while sum(row[axis] != 0 for row in rows) > 1:
            least = min((row for row in rows if row[axis]), key=lambda row: abs(row[axis]))
            rows = [
                row if row is least else [x - row[axis] // least[axis] * y for x, y in zip(row, least, strict=True)]
                for row in rows
            ]
        if begins := [row for row in rows if row[axis]]:
            rows.remove(begins[0])
            found.append((axis, [x if begins[0][axis] > 0 else -x for x in begins[0]]))
    return found


def broken_part_rules(puzzle: Puzzle, placed: Sequence[Placed]) -> list[str]:
    """How the copies *placed* break the rules on parts, a line each."""
    if not (rules := rules_of(puzzle)):
        return []
    copies = PlacedCopies(puzzle, placed)
    return [fault for rule in rules for fault in rule.faults(copies)]


def _look(cells: Cells, colours: npt.NDArray[np.int32]) -> tuple[Look, Cells]:
    """How cells with colours look wherever they lie; and the cells with the least of them at the origin."""
    order = np.lexsort(cells.T[::-1])
    moved = cells.copy()
    moved[:, 1:] -= cells[order[0], 1:]
    return moved[order].tobytes() + colours[order].tobytes(), moved


def _relative(cell: Cell, origin: Cell) -> Cell:
    return (cell[0], *(x - o for x, o in zip(cell[1:], origin[1:], strict=True)))


def verify(puzzle: Puzzle, solution: Solution) -> list[str]:
    """All faults of *solution* of *puzzle*; empty for a correct one."""
    require_puzzle("verify", puzzle)
    return Verifier(puzzle).faults(solution)
