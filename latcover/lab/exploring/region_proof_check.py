"""The independent check that clauses hold for every region of a claim, so their refutation proves that there is none.

The file names its variables. From these names, the shapes and the neighbours of cells the checker finds by itself which
cells a region can hold once it has been moved, which tiles can lie there, and that each clause follows from this.
Whether the clauses contradict each other is for a checker of DRAT proofs.

- A region is moved so that its least unit is the origin. Two cells of a tile are at most d steps apart, and a further
  step leads to the next tile. So m tiles reach at most m (d + 1) - 1 steps.
- On squares, a tile of a by b adds at most a + b - 1 to width and height together, since it meets another along a side.
  If all shapes may exchange the axes, the width is at most the height, so at most half of this sum and one.
- A bit is true or false as the one tile says that covers the cell which all tiles that speak of it have in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct, field

from latcover.core.cover.clause_lines import literals_in
from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.puzzle import Part
from latcover.core.model.solution import Cell

MOST_FAULTS = 10


class NoRegion(Struct, frozen=True, eq=False):
    """The claim that there is no region.

    Attributes:
        layers: Each fills the region, by copies of its shapes, which have the same size. Each shape is used.
        area: The most cells of a region.
        apart: Whether no two layers may have a tile in common.
        holes: Whether the region may have holes.
    """

    layers: tuple[tuple[Part, ...], ...]
    area: int
    apart: bool = False
    holes: bool = True

    @property
    def lattice(self) -> Lattice:
        """The lattice of the shapes."""
        lattice = self.layers[0][0].lattice
        assert lattice
        return lattice

    def tiles(self, layer: int) -> int:
        """The most tiles of a layer."""
        return self.area // self.layers[layer][0].size


class _Tile(Struct, frozen=True):
    """A copy of a shape lies here, in the tiling of a layer."""

    layer: int
    shape: int
    cells: frozenset[Cell]


class _Held(Struct, frozen=True):
    """The region holds a cell."""

    cell: Cell


class _Least(Struct, frozen=True):
    """A cell is the least one of a tile of a layer."""

    layer: int
    cell: Cell


class _Bit(Struct, frozen=True):
    """It is as the tile of a layer says that covers some cell."""

    layer: int


class _Count(Struct, frozen=True):
    """At least so *many* of the *first* things that are counted are there."""

    first: int
    many: int


_Meaning = _Tile | _Held | _Least | _Bit | _Count


class RegionProofCheck(Struct, dict=True):
    """Checks the clauses of one claim."""

    claim: NoRegion
    _named: dict[int, _Meaning] = field(default_factory=dict)
    _counted: dict[int, int] = field(default_factory=dict)  # the place of each variable that is counted
    _most: int = 0  # of them that are true
    _said: dict[int, dict[_Tile, bool]] = field(default_factory=dict)  # what tiles say of each bit

    def faults(self, lines: Iterable[str]) -> list[str]:
        """What is wrong with the *lines* of a DIMACS file; at most ten faults."""
        found: list[str] = []
        if any(len({shape.size for shape in layer}) > 1 for layer in self.claim.layers):
            return ["the shapes of a layer have different sizes"]
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words[:1] == ["c"]:
                if not self._name(words[1:]):
                    found.append(f"line {number}: {line.strip()!r:.80} gives no variable a meaning of its own")
            elif words and words[0] != "p" and not self._holds(literals_in(line)):
                found.append(f"line {number}: {line.strip()!r:.80} does not hold for every region")
            if len(found) == MOST_FAULTS:
                break
        for bit, tiles in self._said.items():
            if not frozenset.intersection(*(tile.cells for tile in tiles)):
                found.append(f"two tiles that set bit {bit} may lie there together")
        return found

    def _name(self, words: list[str]) -> bool:
        """Note what a variable means; False if it has a meaning, or another one has the same."""
        kind, *rest = words
        if kind == "counted":
            return self._note_counted(rest)
        if kind not in ("cell", "tile", "least", "bit", "count"):
            return True  # a remark
        variable, numbers = int(rest[0]), rest[1:]
        meaning: _Meaning
        if kind == "cell":
            meaning = _Held(_cell(numbers[0]))
        elif kind == "tile":
            meaning = _Tile(int(numbers[0]), int(numbers[1]), frozenset(map(_cell, numbers[2:])))
        elif kind == "least":
            meaning = _Least(int(numbers[0]), _cell(numbers[1]))
        elif kind == "bit":
            meaning = _Bit(int(numbers[0]))
        else:
            meaning = _Count(int(numbers[0]), int(numbers[1]))
        alone = isinstance(meaning, _Bit) or meaning not in self._meanings
        if variable <= 0 or variable in self._named or not alone:
            return False
        self._named[variable] = meaning
        self._meanings.add(meaning)
        return True

    @cached_property
    def _meanings(self) -> set[_Meaning]:
        return set()

    def _note_counted(self, words: Sequence[str]) -> bool:
        """Note what is counted: cells, or the least cells of all tiles of a layer."""
        counted = [int(word) for word in words]
        every = [self._named.get(variable) for variable in counted]
        if self._counted or len({*counted}) < len(counted):
            return False
        layers = {each.layer for each in every if isinstance(each, _Least)}
        if len(layers) == 1 and all(isinstance(each, _Least) for each in every):
            self._most = self.claim.tiles(min(layers))
        elif all(isinstance(each, _Held) for each in every):
            self._most = self.claim.area
        else:
            return False
        self._counted = {variable: place for place, variable in enumerate(counted, 1)}
        return True

    @cached_property
    def _origin(self) -> set[Cell]:
        lattice = self.claim.lattice
        return {(node, *(0,) * lattice.dimension) for node in range(len(lattice.nodes))}

    @cached_property
    def _can(self) -> set[Cell]:
        """The cells that a region can hold, once it has been moved."""
        lattice = self.claim.lattice
        spans = [[_span(lattice, shape) + 1 for shape in layer] for layer in self.claim.layers]
        reach = min(self._most_of(layer, values) for layer, values in enumerate(spans)) - 1
        zero, last = (0,) * lattice.dimension, self._width
        near = _steps(lattice, self._origin, reach)
        return {cell for cell in near if cell[1:] >= zero and (last is None or cell[1] < last)}

    def _most_of(self, layer: int, values: list[int]) -> int:
        """The most that tiles of a layer add up to, where each shape has a value and is used."""
        return sum(values) + (self.claim.tiles(layer) - len(values)) * max(values)

    @cached_property
    def _width(self) -> int | None:
        """The largest width; None if there is no such bound."""
        lattice = self.claim.lattice
        if lattice.dimension != 2 or {tuple(sorted(map(abs, edge.step))) for edge in lattice.half_edges} != {(0, 1)}:
            return None
        if len(lattice.nodes) != 1 or not self._exchanges_axes:
            return None
        sides = [[sum(_sides(shape)) - 1 for shape in layer] for layer in self.claim.layers]
        return (min(self._most_of(layer, values) for layer, values in enumerate(sides)) + 1) // 2

    @property
    def _exchanges_axes(self) -> bool:
        """Whether some motion that all shapes may have takes rows to columns."""
        shapes = [shape for layer in self.claim.layers for shape in layer]
        common = set.intersection(*({turn.labels for turn in shape.transformations} for shape in shapes))
        turns = [turn for turn in shapes[0].transformations if turn.labels in common]
        return any(turn.matrix[0, 0] == 0 == turn.matrix[1, 1] for turn in turns)

    @cached_property
    def _tiles(self) -> dict[tuple[int, int], set[_Tile]]:
        """The tiles that can lie there, of each layer and shape."""
        found: dict[tuple[int, int], set[_Tile]] = {}
        for number, layer in enumerate(self.claim.layers):
            for k, shape in enumerate(layer):
                images = {_image(turn, shape) for turn in shape.transformations}
                moved = (_moved(image, unit) for image in images for unit in self._units)
                found[number, k] = {_Tile(number, k, cells) for cells in moved if cells <= self._can}
        return found

    @cached_property
    def _units(self) -> set[Cell]:
        return {cell[1:] for cell in self._can}

    @cached_property
    def _over(self) -> dict[tuple[int, Cell], set[_Tile]]:
        """The tiles of a layer that can cover a cell."""
        found = defaultdict[tuple[int, Cell], set[_Tile]](set)
        for (layer, _), tiles in self._tiles.items():
            for tile in tiles:
                for cell in tile.cells:
                    found[layer, cell].add(tile)
        return found

    def _holds(self, clause: list[int]) -> bool:
        """Whether a clause is true of every region."""
        if not clause or any(abs(literal) not in self._named for literal in clause):
            return False
        said = [self._named[-literal] for literal in clause if literal < 0]
        denied = [self._named[literal] for literal in clause if literal > 0]
        if any(isinstance(each, _Bit) for each in (*said, *denied)):
            return self._is_told(clause)
        if any(isinstance(each, _Count) for each in (*said, *denied)) or (-clause[0] in self._counted and not denied):
            return self._counts(clause)
        if any(isinstance(each, _Tile) and not self._is_possible(each) for each in said):
            return True
        if not said:
            return self._is_needed({*denied})
        if all(isinstance(each, _Held) for each in said):
            cells = {each.cell for each in said if isinstance(each, _Held)}
            return self._is_covered(cells, {*denied}) or self._is_cut(cells, denied)
        if len(said) == 1 and isinstance(said[0], _Tile):
            tile = said[0]
            least = _Least(tile.layer, min(tile.cells))
            return least in denied or any(isinstance(each, _Held) and each.cell in tile.cells for each in denied)
        return len(said) == 2 and self._excludes(*said)

    def _is_possible(self, tile: _Tile) -> bool:
        return tile in self._tiles.get((tile.layer, tile.shape), ())

    def _is_needed(self, denied: set[_Meaning]) -> bool:
        """The region holds a cell of the least unit, and each shape of a layer is used."""
        return {_Held(cell) for cell in self._origin} <= denied or any(
            tiles <= denied for (layer, _), tiles in self._tiles.items() if len(self.claim.layers[layer]) > 1
        )

    def _is_covered(self, cells: set[Cell], denied: set[_Meaning]) -> bool:
        """A cell that is held is covered by a tile of each layer."""
        layers = range(len(self.claim.layers))
        return any(self._over.get((layer, cell), set()) <= denied for layer in layers for cell in cells)

    def _is_cut(self, cells: set[Cell], denied: Sequence[_Meaning]) -> bool:
        """Cells stand alone that are no region, or enclose others that are not held."""
        empty = {each.cell for each in denied if isinstance(each, _Held)}
        lattice = self.claim.lattice
        around = {there for cell in cells for there in lattice.neighbours(cell)} - cells
        if around & self._can <= empty and not self._fits(len(cells)):
            return not any(node.secondary for node in lattice.nodes)
        if self.claim.holes:
            return False
        low = np.min([cell[1:] for cell in cells], axis=0) - 1
        high = np.max([cell[1:] for cell in cells], axis=0) + 1
        while around:
            hole = [around.pop()]
            for cell in hole:
                if (np.array(cell[1:]) < low).any() or (np.array(cell[1:]) > high).any():
                    break
                hole += {*lattice.neighbours(cell)} - cells - {*hole}
            else:
                if {*hole} & self._can <= empty:
                    return True
            around -= {*hole}
        return False

    def _fits(self, area: int) -> bool:
        """Whether tiles of each layer can have so many cells."""
        sizes = [(layer[0].size, len(layer)) for layer in self.claim.layers]
        return all(area % size == 0 and area >= size * number for size, number in sizes)

    def _excludes(self, one: _Meaning, other: _Meaning) -> bool:
        """Two tiles of a layer do not overlap; layers that are apart have none in common."""
        if not isinstance(one, _Tile) or not isinstance(other, _Tile):
            return False
        if one.layer == other.layer:
            return one != other and bool(one.cells & other.cells)
        return self.claim.apart and one.cells == other.cells

    def _is_told(self, clause: list[int]) -> bool:
        """A tile says what a bit is, and says nothing else of it."""
        if len(clause) != 2:
            return False
        tile, bit = sorted(clause, key=lambda literal: isinstance(self._named[abs(literal)], _Bit))
        told, by = self._named[abs(bit)], self._named[abs(tile)]
        if tile > 0 or not isinstance(by, _Tile) or not isinstance(told, _Bit) or by.layer != told.layer:
            return False
        return self._said.setdefault(abs(bit), {}).setdefault(by, bit > 0) == (bit > 0)

    def _counts(self, clause: list[int]) -> bool:
        """What is known of the number of things among the first ones gives another one, or there are too many."""
        known, ones, wanted = _Count(0, 0), set[int](), list[_Count]()
        for literal in clause:
            meaning = self._named[abs(literal)]
            if literal < 0 and abs(literal) in self._counted:
                ones.add(self._counted[abs(literal)])
            elif isinstance(meaning, _Count) and literal > 0:
                wanted.append(meaning)
            elif isinstance(meaning, _Count) and known.many == 0:
                known = meaning
            else:
                return False
        if any(not 0 <= each.first <= len(self._counted) for each in (known, *wanted)):
            return False

        def least(first: int) -> int:
            """How many there are at least among the first ones."""
            start = known if known.first <= first else _Count(0, 0)
            return max(start.many + sum(start.first < k <= first for k in ones), sum(k <= first for k in ones))

        return least(len(self._counted)) > self._most or any(least(each.first) >= each.many for each in wanted)


def _cell(word: str) -> Cell:
    return tuple(map(int, word.split(",")))


def _steps(lattice: Lattice, starts: Iterable[Cell], most: int) -> dict[Cell, int]:
    """The cells at most so many steps from some of *starts*, and how many steps lead there."""
    found = dict.fromkeys(starts, 0)
    rim = [*found]
    for step in range(1, most + 1):
        rim = sorted({there for cell in rim for there in lattice.neighbours(cell)} - found.keys())
        found |= dict.fromkeys(rim, step)
    return found


def _span(lattice: Lattice, shape: Part) -> int:
    """How many steps two cells of a shape are apart at most."""
    cells = [tuple(cell) for cell in shape.cells.tolist()]
    most = 0
    for cell in cells:
        near = _steps(lattice, [cell], len(cells) - 1)
        most = max(most, *(near[other] for other in cells))
    return most


def _sides(shape: Part) -> list[int]:
    """The width and the height of a shape on squares."""
    cells = shape.cells[:, 1:]
    return [int(side) + 1 for side in cells.max(axis=0) - cells.min(axis=0)]


def _image(turn: Transformation, shape: Part) -> frozenset[Cell]:
    """A shape that was turned, with one of its cells in the unit at 0."""
    cells = turn.apply(shape.cells)
    cells[:, 1:] -= cells[0, 1:].copy()
    return frozenset(map(tuple, cells.tolist()))


def _moved(cells: frozenset[Cell], by: Cell) -> frozenset[Cell]:
    return frozenset((node, *(x + d for x, d in zip(at, by, strict=True))) for node, *at in cells)
