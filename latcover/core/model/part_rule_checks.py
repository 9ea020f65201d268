"""The independent check of rules on the parts of a solution, read off its cells.

It shares nothing with the search: it looks at the cells of the copies, at the neighbours that the lattice gives them,
and at the drawn corners of cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from latcover.core.model.lattice import CLOSE
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.room import room_for
from latcover.core.model.solution import Cell, Placed
from latcover.core.model.straight_lines import copies_cut


def broken_part_rules(puzzle: Puzzle, placed: Sequence[Placed]) -> list[str]:
    """The rules on parts that the copies *placed* break, a line each."""
    return list(_PlacedCopies(puzzle, placed).faults()) if puzzle.rules.of_parts else []


class _PlacedCopies:
    """The copies of a solution, with what touches what."""

    def __init__(self, puzzle: Puzzle, placed: Sequence[Placed]) -> None:
        self.puzzle, self.placed, self.rules = puzzle, placed, puzzle.rules.of_parts
        self.owner = {cell: k for k, copy in enumerate(placed) for cell in self._named(copy.cells)}
        self.colours = {
            cell: colour
            for copy in placed
            for cell, colour in zip(self._named(copy.cells), copy.colours or [""] * len(copy.cells), strict=True)
        }
        self.region = set(self._named(list(map(tuple, puzzle.region.cells.tolist()))))

    def faults(self) -> Iterator[str]:
        rules, names = self.rules, [copy.part for copy in self.placed]
        if rules.no_crossroads and (n := self._crossroads()):
            yield f"four parts meet at {n} points"
        about_lines = rules.no_fault_lines or rules.cut_at_most is not None
        cuts = copies_cut(self.puzzle, [copy.cells for copy in self.placed]) if about_lines else []
        if rules.no_fault_lines and 0 in cuts:
            yield "a straight line divides the region and cuts no part"
        if rules.cut_at_most is not None and max(cuts, default=0) > rules.cut_at_most:
            yield f"a straight line cuts {max(cuts)} parts, more than {rules.cut_at_most}"
        if rules.on_rim:
            yield from (f"part {copy.part!r} does not lie at the rim" for copy in self.placed if not self._at_rim(copy))
        yield from self._room()
        for apart in rules.separate:
            for a, b in self._touching(corners=apart.corners):
                if not apart.parts or {names[a], names[b]} <= set(apart.parts):
                    yield f"the parts {names[a]!r} and {names[b]!r} touch"
        for rule in rules.colourable:
            copies = [k for k, name in enumerate(names) if not rule.parts or name in rule.parts]
            pairs = {pair for pair in self._touching(corners=rule.corners) if set(pair) <= set(copies)}
            if not _is_colourable(copies, pairs, rule.colours):
                yield f"the parts cannot be coloured with {rule.colours} colours"
        for hung in rules.connected:
            cells = {cell for cell, k in self.owner.items() if not hung.parts or names[k] in hung.parts}
            cells = {cell for cell in cells if not hung.colour or self.colours[cell] == hung.colour}
            if loose := self._loose(cells, corners=hung.corners):
                what = f"{hung.colour} cells" if hung.colour else "cells"
                yield f"the {what} of parts do not hang together: {len(loose)} of {len(cells)} lie apart"

    def _room(self) -> Iterator[str]:
        if self.rules.no_room:
            used, empty = Counter(copy.part for copy in self.placed), self.region - self.owner.keys()
            for part in self.puzzle.parts:
                if (part.high is None or used[part.name] < part.high) and room_for(self.puzzle, part, empty):
                    yield f"another copy of part {part.name!r} fits on the cells that stay empty"

    def _crossroads(self) -> int:
        """Points at which just four cells of the region meet, of four different copies."""
        lattice, at = self.puzzle.lattice, defaultdict[tuple[int, ...], list[Cell]](list)
        for cell in self.region:
            centre = lattice.centres(np.array([cell], np.int32))[0]
            for corner in centre + lattice.nodes[cell[0]].drawing.vertices[:, :2]:
                at[tuple(np.rint(corner / CLOSE / 4).astype(int).tolist())].append(cell)
        around = ([self.owner.get(cell, -1) for cell in cells] for cells in at.values() if len(cells) == 4)
        return sum(len(set(owners)) == 4 and -1 not in owners for owners in around)

    def _named(self, cells: Sequence[Cell]) -> list[Cell]:
        return [tuple(row) for row in self.puzzle.region.wrapped(np.array(cells, np.int32)).tolist()]

    def _at_rim(self, copy: Placed) -> bool:
        lattice = self.puzzle.lattice
        return any(there not in self.region for cell in copy.cells for there in self._named(lattice.neighbours(cell)))

    def _touching(self, *, corners: bool) -> set[tuple[int, int]]:
        """The pairs of copies that touch."""
        found = set()
        for cell, own in self.owner.items():
            for there in self._around(cell, corners=corners):
                other = self.owner.get(there, own)
                if own < other:
                    found.add((own, other))
        return found

    def _around(self, cell: Cell, *, corners: bool) -> list[Cell]:
        lattice = self.puzzle.lattice
        around = lattice.neighbours(cell)
        if corners:
            steps = lattice.touching[cell[0]]
            around += [(node, *(x + by for x, by in zip(cell[1:], step, strict=True))) for node, *step in steps]
        return self._named(around)

    def _loose(self, cells: set[Cell], *, corners: bool) -> set[Cell]:
        """Those of *cells* to which no steps lead from the first of them."""
        left, front = set(cells), sorted(cells)[:1]
        while front:
            cell = front.pop()
            if cell in left:
                left.remove(cell)
                front += self._around(cell, corners=corners)
        return left


def _is_colourable(copies: Sequence[int], pairs: set[tuple[int, int]], colours: int) -> bool:
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
