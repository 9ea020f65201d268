"""The check of many solutions at once. Like the verifier, it shares no code with the search.

Each placement is judged once, by the verifier. Then a set of placements is a solution if each cell and each part is
held as often as it must be, and if the rules are kept where placements meet. In small puzzles a cell is a bit of a
word, and so is a part that may be used at most once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Cell, Placed
from latcover.core.model.verifier import Names, Verifier, broken_part_rules
from latcover.system.sorted_sets import distinct

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
MOST_WORDS = 8  # of bits for a placement; in larger puzzles items are counted
AT_ONCE = 1 << 20  # numbers, over all the sets that are checked together


class BatchVerifier:
    """Checks sets of placements of one puzzle. `add` makes a placement known."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.verifier = puzzle, Verifier(puzzle)
        region, parts = puzzle.region, puzzle.parts
        self._n_cells = len(region.cells)
        self._cell = {cell: k for k, cell in enumerate(map(tuple, region.cells.tolist()))}
        self._part = {part.name: k for k, part in enumerate(parts, self._n_cells)}
        # The items: cells, then parts, each with the bounds of how often it is held.
        self._low = np.array([*~region.optional, *(part.low for part in parts)], dtype=np.int64)
        most = [self._n_cells if part.high is None else part.high for part in parts]
        self._high = np.array([*np.ones(self._n_cells, np.int64), *most])
        self._bounded = region.bounded_empty(puzzle.lattice)
        self._once = self._high == 1
        self._often = np.flatnonzero(~self._once & ((self._low > 0) | (self._high < self._n_cells)))
        self._n_words = -(-len(self._low) // 64)
        rules = puzzle.rules
        ruled = len(rules.sides) > 1 or rules.apart or rules.alike
        self._rules = _Rules(puzzle, self._cell) if ruled else None
        self._placed: list[Placed] = []  # for rules on parts, which are looked at solution by solution
        self._new: list[Placed] = []
        self._n = 0  # placements that are known
        self._legal, self._part_of = np.zeros(0, np.bool_), np.zeros(0, np.int64)
        self._words: Words = np.zeros((0, self._n_words), np.uint64)
        self._starts, self._cells = np.zeros(1, np.int64), np.zeros(0, np.int64)

    def add(self, placed: Placed) -> int:
        """Make a placement known, and return its number for `sound`."""
        self._new.append(placed)
        return self._n + len(self._new) - 1

    def _judge_new(self) -> None:
        """Judge the new placements, and put them into the arrays. Those that are wrong hold nothing."""
        new, self._new = self._new, []
        legal = [not self.verifier.fault_of_placement(placed) for placed in new]
        cells = [[self._cell[cell] for cell in p.cells] if good else [] for p, good in zip(new, legal, strict=True)]
        part_of = [self._part.get(placed.part, -1) for placed in new]
        self._n += len(new)
        self._placed += new if self.puzzle.rules.of_parts else []
        self._legal = np.concatenate([self._legal, np.array(legal, np.bool_)])
        self._part_of = np.concatenate([self._part_of, np.array(part_of, np.int64)])
        self._starts = np.concatenate([self._starts, self._starts[-1] + np.cumsum(list(map(len, cells)))])
        self._cells = np.concatenate([self._cells, np.array([c for own in cells for c in own], np.int64)])
        if self._n_words <= MOST_WORDS:
            self._words = np.concatenate([self._words, self._words_of(cells, part_of)])
        if self._rules is not None:
            for placed, own in zip(new, cells, strict=True):
                self._rules.add(placed, own)

    def _words_of(self, cells: Sequence[Sequence[int]], part_of: Sequence[int]) -> Words:
        """The bits of placements: of their cells, and of parts that may be used once; shape (n, n_words)."""
        held = [[*own, part] if self._once[part] else own for own, part in zip(cells, part_of, strict=True)]
        bits = np.zeros((len(held), 64 * self._n_words), np.uint8)
        bits[np.repeat(np.arange(len(held)), [*map(len, held)]), [item for items in held for item in items]] = 1
        return _packed(bits)

    def _bits(self, items: npt.NDArray[np.intp]) -> Words:
        """A bit for each of *items*, shape (n_words,)."""
        bits = np.zeros(64 * self._n_words, np.uint8)
        bits[items] = 1
        return _packed(bits)

    def sound(self, starts: Longs, numbers: Ints) -> Bools:
        """Whether each set is a solution. Set k holds ``numbers[starts[k]:starts[k + 1]]``, in any order."""
        if self._new:
            self._judge_new()
        lengths = np.diff(starts)
        found = np.zeros(len(lengths), np.bool_)
        each = self._n_words if self._n_words <= MOST_WORDS else len(self._low)
        each = each + len(self._often) + (0 if self._rules is None else self._rules.numbers_of_a_set)
        for length in distinct(lengths).tolist():
            alike = np.flatnonzero(lengths == length)
            at_once = max(1, AT_ONCE // (each + length))
            for first in range(0, len(alike), at_once):
                rows = alike[first : first + at_once]
                found[rows] = self._sound(numbers[starts[rows][:, None] + np.arange(length)])
        return found

    def _sound(self, sets: Ints) -> Bools:
        """The same for sets of one size, shape (n, k)."""
        good: Bools = np.logical_and.reduce(self._legal[sets], axis=1)
        by_items = self._by_bits if self._n_words <= MOST_WORDS else self._by_counts
        good[good] = by_items(sets if good.all() else sets[good])
        if self._rules is not None and good.any():
            good[good] = self._rules.kept(sets[good], *self._entries(sets[good]))
        if self.puzzle.rules.of_parts:
            for row in np.flatnonzero(good).tolist():
                good[row] = not broken_part_rules(self.puzzle, [self._placed[k] for k in sets[row].tolist()])
        return good

    def _by_bits(self, sets: Ints) -> Bools:
        """Whether each item is held as often as it must be."""
        held, twice = np.zeros((len(sets), self._n_words), np.uint64), np.zeros((len(sets), self._n_words), np.uint64)
        for column in sets.T:
            words = self._words[column]
            twice |= held & words
            held |= words
        needed = self._bits(np.flatnonzero(self._once & (self._low == 1)))
        good: Bools = np.bitwise_or.reduce(twice | (~held & needed), axis=1) == 0
        if self._bounded.any():
            empty = np.bitwise_count(self._bits(np.flatnonzero(self._bounded)) & ~held).sum(axis=1, dtype=np.int64)
            good &= empty <= (self.puzzle.region.max_empty or 0)
        if len(self._often):
            rows = np.repeat(np.arange(len(sets)), sets.shape[1])
            parts = self._part_of[sets].reshape(-1) - self._n_cells
            copies = _counts(rows, parts, (len(sets), len(self.puzzle.parts)))[:, self._often - self._n_cells]
            good &= ((copies >= self._low[self._often]) & (copies <= self._high[self._often])).all(axis=1)
        return good

    def _by_counts(self, sets: Ints) -> Bools:
        """The same, by counting."""
        row, _, cells = self._entries(sets)
        of_part = np.repeat(np.arange(len(sets)), sets.shape[1])
        rows, items = np.concatenate([row, of_part]), np.concatenate([cells, self._part_of[sets].reshape(-1)])
        held = _counts(rows, items, (len(sets), len(self._low)))
        good: Bools = np.logical_and.reduce((held >= self._low) & (held <= self._high), axis=1)
        if self._bounded.any():
            empty = (held[:, : self._n_cells][:, self._bounded] == 0).sum(axis=1)
            good &= empty <= (self.puzzle.region.max_empty or 0)
        return good

    def _entries(self, sets: Ints) -> tuple[Longs, Longs, Longs]:
        """For each cell of each placement: the set, the place of the placement in it, and the number of the cell."""
        flat, size = sets.reshape(-1), max(1, sets.shape[1])
        sizes = self._starts[flat + 1] - self._starts[flat]
        which = np.repeat(np.arange(len(flat)), sizes)
        before = np.cumsum(sizes) - sizes
        at = np.arange(len(which)) - before[which] + self._starts[flat][which]
        return which // size, which % size, self._cells[at]


class _Rules:
    """Whether sides fit, no colours touch that may not, and cells are alike, looked up cell by cell."""

    def __init__(self, puzzle: Puzzle, cell: Mapping[Cell, int]) -> None:
        self.puzzle = puzzle
        edges, n = puzzle.lattice.half_edges, len(cell)
        self._label = {(edge.node, edge.label): h for h, edge in enumerate(edges)}
        self._value = {name: value for value, name in enumerate(puzzle.rules.sides)}
        self._colour = {name: colour for colour, name in enumerate(puzzle.colours)}
        around: Sequence[Sequence[Cell]] = puzzle.lattice.touching
        if not puzzle.rules.across_corners:
            around = [[e.leads_to for e in edges if e.node == node] for node in range(len(puzzle.lattice.nodes))]
        cells, steps = list(cell), [edge.leads_to for edge in edges]
        named = Names(puzzle.region)
        self._sided = len(puzzle.rules.sides) > 1
        at_node = [[c for c in cells if c[0] == node] for node in range(len(around))]
        # For each half-edge: the cells of its node, and the cell beyond it, or n where there is none.
        self._beyond = [_pairs(at_node[e.node], step, named, cell) for e, step in zip(edges, steps, strict=True)]
        self._touching = [_pairs(at_node[node], step, named, cell) for node, by in enumerate(around) for step in by]
        self._forbidden = np.zeros((len(puzzle.colours),) * 2, np.bool_)
        for a, b in puzzle.rules.apart:
            self._forbidden[a, b] = self._forbidden[b, a] = True
        self._alike = [np.array([cell[c] for c in group if c in cell], np.int64) for group in puzzle.rules.alike]
        self._asked = [(cell[c], label, value) for c, label, value in puzzle.rules.asked if c in cell]
        self._n, self._cell = n, cell
        self._colours: list[list[int]] = []
        self._sides: list[list[tuple[int, int, int]]] = []  # cell, half-edge, value

    @property
    def numbers_of_a_set(self) -> int:
        """How many numbers the check of one set takes."""
        return self._n * (2 + len(self._beyond) * self._sided)

    def add(self, placed: Placed, cells: Sequence[int]) -> None:
        """Make the next placement known; *cells* are the numbers of its cells, none if it is wrong."""
        legal = bool(cells)
        self._colours.append([self._colour[name] for name in placed.colours] or [0] * len(cells) if legal else [])
        sides = [(self._cell[c], self._label[c[0], label], self._value[v]) for c, label, v in placed.sides if legal]
        self._sides.append(sides)

    def kept(self, sets: Ints, row: Longs, place: Longs, cells: Longs) -> Bools:
        """Whether each set keeps the rules; *row*, *place*, *cells* are its entries."""
        n_sets, n = len(sets), self._n
        owner = np.full((n_sets, n + 1), -1, np.int64)  # the last cell is the outside
        owner[row, cells] = place
        good = np.ones(n_sets, np.bool_)
        if self._sided:
            good &= self._sides_fit(sets, owner)
        if self.puzzle.rules.apart or self._alike:
            colour = np.zeros((n_sets, n + 1), np.int64)
            colour[row, cells] = [c for number in sets.reshape(-1).tolist() for c in self._colours[number]]
            for here, there in self._touching:
                both = (owner[:, here] >= 0) & (owner[:, there] >= 0) & (owner[:, here] != owner[:, there])
                good &= ~(both & self._forbidden[colour[:, here], colour[:, there]]).any(axis=1)
            for group in self._alike:
                shown = colour[:, group]
                most = shown.max(axis=1, initial=0)
                good &= ((shown == 0) | (shown == most[:, None])).all(axis=1)
        return good

    def _sides_fit(self, sets: Ints, owner: Longs) -> Bools:
        rules, edges = self.puzzle.rules, self.puzzle.lattice.half_edges
        value = np.zeros((len(sets), self._n + 1, len(edges)), np.int64)
        shown = [(k, *side) for k, numbers in enumerate(sets.tolist()) for p in numbers for side in self._sides[p]]
        if shown:
            row, cell, label, is_ = np.array(shown).T
            value[row, cell, label] = is_
        good = np.ones(len(sets), np.bool_)
        for h, (here, there) in enumerate(self._beyond):
            mine, theirs = value[:, here, h], value[:, there, edges[h].twin]
            own, other = owner[:, here], owner[:, there]
            alone = np.where(there == self._n, rules.may_look_out()[mine], rules.open_sides[mine])
            fit = np.where(other < 0, alone, (own == other) | rules.fits[mine, theirs])
            good &= (fit | (own < 0)).all(axis=1)
            for cell, label, wanted in self._asked:
                at = here == cell
                if label == h and at.any():
                    inner = (own == other)[:, at] | (own[:, at] < 0)
                    good &= (inner | rules.bears(wanted)[mine[:, at]]).all(axis=1)
        return good


def _counts(rows: Longs, items: Longs, shape: tuple[int, int]) -> Longs:
    """How often ``rows[k]`` stands beside ``items[k]``, for each pair of a row and an item."""
    return np.bincount(rows * shape[1] + items, minlength=shape[0] * shape[1]).reshape(shape)


def _pairs(cells: Sequence[Cell], step: Cell, named: Names, number: Mapping[Cell, int]) -> tuple[Longs, Longs]:
    """The numbers of *cells*, and of what lies a *step* further; the number after the last one is the outside."""

    def beyond(cell: Cell) -> Cell:
        return named((step[0], *(x + s for x, s in zip(cell[1:], step[1:], strict=True))))

    here = np.array([number[cell] for cell in cells], dtype=np.int64)
    return here, np.array([number.get(beyond(cell), len(number)) for cell in cells], dtype=np.int64)


def _packed(bits: npt.NDArray[np.uint8]) -> Words:
    """Bits, shape (..., 64 n), as words, shape (..., n)."""
    return np.packbits(bits, axis=-1, bitorder="little").view("<u8").astype(np.uint64)
