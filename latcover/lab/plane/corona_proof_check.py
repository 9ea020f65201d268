"""The independent check that clauses hold for every patch with coronas, so that their refutation proves a claim.

The file names its variables. From these names, the shapes and the neighbours of cells the checker finds by itself which
tiles can be in which corona at all, and that each clause says no more than what follows from the definition of coronas.
Whether the clauses contradict each other is for a checker of DRAT proofs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct, field

from latcover.core.cover.clause_lines import literals_in
from latcover.lab.plane.patch_check import enclosed
from latcover.lab.plane.prototiles import Cell, Prototiles, Tile

Cells = frozenset[Cell]


class _Place(Struct, frozen=True):
    """A tile in a corona."""

    corona: int
    cells: Cells


class _Covered(Struct, frozen=True):
    """A cell that a corona or an earlier one covers."""

    corona: int
    cell: Cell


class CoronaProofCheck(Struct):
    """Checks the clauses of one claim: the first shape has not so many *coronas*."""

    prototiles: Prototiles
    coronas: int
    hole_in_last: bool = False
    _named: dict[int, _Place | _Covered] = field(default_factory=dict)
    _can: list[set[Cells]] = field(default_factory=list)  # the tiles that can be in each corona
    _over: dict[tuple[int, Cell], set[Cells]] = field(default_factory=dict)  # by corona, those that hold a cell
    _near: dict[Cells, Cells] = field(default_factory=dict)
    _holding: dict[int, list[tuple[Cell, Cells]]] = field(default_factory=dict)

    def faults(self, lines: Iterable[str]) -> list[str]:
        """What is wrong with the *lines* of a DIMACS file; at most ten faults."""
        self._find_places()
        found: list[str] = []
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words[:2] in (["c", "place"], ["c", "covered"]):
                if not self._name(words):
                    found.append(f"line {number}: {line.strip()!r:.80} names a variable twice, or no corona of these")
            elif words and words[0] not in ("c", "p") and not self._holds(literals_in(line)):
                found.append(f"line {number}: {line.strip()!r:.80} does not hold for every patch")
            if len(found) == 10:
                break
        return found

    def _name(self, words: list[str]) -> bool:
        """Note what a variable means; False if it has a meaning, or it is about no corona."""
        cells = frozenset(tuple(map(int, word.split(","))) for word in words[4:])
        variable, corona = int(words[2]), int(words[3])
        if variable <= 0 or variable in self._named or not 0 <= corona <= self.coronas:
            return False
        self._named[variable] = _Place(corona, cells) if words[1] == "place" else _Covered(corona, min(cells))
        return True

    def _find_places(self) -> None:
        middle = self.prototiles.covered(Tile(0, 0, (0, 0)))
        self._can = [{middle}]
        for k in range(1, self.coronas + 1):
            beside = {
                tile
                for near in self._can[-1]
                for cell in self._around(near)
                for tile in self._tiles_on(cell)
                if tile.isdisjoint(near)
            }
            forbidden = middle if k == 1 else middle | self._around(middle)
            # a tile of a later corona does not touch the middle
            self._can.append({tile for tile in beside if not tile & forbidden and tile != middle})
        over = defaultdict[tuple[int, Cell], set[Cells]](set)
        for k, tiles in enumerate(self._can):
            for tile in tiles:
                for cell in tile:
                    over[k, cell].add(tile)
        self._over = dict(over)

    def _around(self, tile: Cells) -> Cells:
        if tile not in self._near:
            self._near[tile] = frozenset(near for cell in tile for near in self.prototiles.touching(cell)) - tile
        return self._near[tile]

    def _tiles_on(self, cell: Cell) -> list[Cells]:
        """All copies that hold a cell."""
        node, *at = cell
        if node not in self._holding:
            number = self.prototiles.lattice.number_of
            images = {
                self.prototiles.covered(Tile(s, number[turn.labels], (0, 0)))
                for s, shape in enumerate(self.prototiles.shapes)
                for turn in shape.transformations
            }
            self._holding[node] = [(own, image) for image in images for own in image if own[0] == node]
        found = []
        for own, image in self._holding[node]:
            x, y = at[0] - own[1], at[1] - own[2]
            moved: Cells = frozenset((n, a + x, b + y) for n, a, b in image)
            found.append(moved)
        return found

    def _holds(self, clause: list[int]) -> bool:
        """Whether a clause is true in every patch."""
        if not clause or any(abs(literal) not in self._named for literal in clause):
            return False
        said = [self._named[-literal] for literal in clause if literal < 0]
        denied = [self._named[literal] for literal in clause if literal > 0]
        there = [each for each in said if isinstance(each, _Place)]
        covered = [each for each in said if isinstance(each, _Covered)]
        if any(place.cells not in self._can[place.corona] for place in there):
            return True  # such a tile cannot be there
        if any((each.corona, each.cell) not in self._over and self._never(each) for each in covered):
            return True
        if not said:
            return any(isinstance(each, _Place) and each.corona == 0 and each.cells in self._can[0] for each in denied)
        if len(there) == 1 and not covered:
            return self._follows_from(there[0], denied)
        if len(there) == 1 and len(covered) == 1 and not denied:
            return self._contradicts(there[0], covered[0])
        if not there and len(covered) == 1:
            return self._accounts_for(covered[0], denied)
        if len(there) == 2 and not covered and not denied and there[0].cells & there[1].cells:
            return there[0] != there[1]
        return not covered and self._fills_hole(there, denied)

    def _never(self, covered: _Covered) -> bool:
        """Whether no tile of such a corona, or of an earlier one, holds the cell."""
        return all((k, covered.cell) not in self._over for k in range(covered.corona + 1))

    def _follows_from(self, place: _Place, denied: list[_Place | _Covered]) -> bool:
        """Clauses of one tile: its cells are covered, those around it by the next corona, and it touches the last."""
        cells = [each for each in denied if isinstance(each, _Covered)]
        if any(each.cell in place.cells and each.corona >= place.corona for each in cells):
            return True
        around = self._around(place.cells)
        if place.corona < self.coronas:
            if any(each.cell in around and each.corona > place.corona for each in cells):
                return True
            lonely = (_Covered(place.corona + 1, cell) for cell in around)
            if any(map(self._never, lonely)):
                return True  # a cell around it that nothing can cover
        if place.corona == 0:
            return False
        touched = {each.cell for each in cells if each.corona == place.corona - 1}
        return all(cell in touched or self._never(_Covered(place.corona - 1, cell)) for cell in around)

    def _contradicts(self, place: _Place, covered: _Covered) -> bool:
        """A tile's cells are not covered before, and those around it not by the last corona but one."""
        if covered.cell in place.cells:
            return covered.corona < place.corona
        return covered.cell in self._around(place.cells) and covered.corona < place.corona - 1

    def _accounts_for(self, covered: _Covered, denied: list[_Place | _Covered]) -> bool:
        """What is covered stays covered, and is covered by a tile."""
        if any(isinstance(e, _Covered) and e.cell == covered.cell and e.corona >= covered.corona for e in denied):
            return True
        named = {(each.corona, each.cells) for each in denied if isinstance(each, _Place)}
        return all(
            (k, tile) in named for k in range(covered.corona + 1) for tile in self._over.get((k, covered.cell), ())
        )

    def _fills_hole(self, there: list[_Place], denied: list[_Place | _Covered]) -> bool:
        """If tiles enclose a cell, the coronas up to theirs, or a later one without holes, cover it."""
        if not there or any(isinstance(each, _Place) for each in denied):
            return False
        held = {cell for place in there for cell in place.cells}
        corona = max(place.corona for place in there)
        last = self.coronas - self.hole_in_last
        hole = enclosed(self.prototiles.lattice, held)
        for cell in hole:
            for k in range(corona, last + 1):
                if self._never(_Covered(k, cell)) or any(each == _Covered(k, cell) for each in denied):
                    return True
        return False
