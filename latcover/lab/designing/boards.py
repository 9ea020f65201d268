"""Boards for matching puzzles: tiles of one cell, made from an arrangement, so that there is a solution.

The sides between two cells of the region get values, each as often as any other, in an order drawn by chance. The
values of two sides change places as long as two tiles are alike, or a tile looks the same from several directions. Then
the tiles are turned and shuffled. The same request makes the same board on every machine.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np

from latcover.core.model.lattice import Transformation
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules
from latcover.core.model.solution import Cell
from latcover.errors import PuzzleError, counted
from latcover.lab.designing.design_requests import BoardRequest
from latcover.lab.designing.region_names import NamedRegion

MOST_VALUES = 52
MOST_CELLS = 10_000
PATIENCE = 200  # changes for each cell, after which the search for a board ends
RIM = "grey"
COLOURS = (
    *("amber", "blue", "crimson", "darkgreen", "orchid", "turquoise", "orange", "white", "black", "yellow", "brown"),
    *("pink", "lime", "navy", "maroon", "olive", "teal", "tan", "violet", "salmon", "indigo", "khaki", "plum"),
)

Side = tuple[int, int]  # number of a cell, half-edge
Word = tuple[int, ...]  # the values round a cell


def make_board(region: NamedRegion, request: BoardRequest) -> Puzzle:
    """A matching puzzle on a region that has a solution.

    Raises:
        PuzzleError: there are too many cells or values, or no such board was found.
    """
    n_cells, n_values = len(region.cells), request.values + request.frame
    if not 1 <= n_cells <= MOST_CELLS:
        raise PuzzleError(f"a board has from 1 to {MOST_CELLS:,} cells, not {n_cells:,}")
    if request.values < 1 or n_values > MOST_VALUES:
        raise PuzzleError(f"the sides of a board bear from 1 to {MOST_VALUES} values, not {n_values}")
    if request.frame and not request.rim:
        raise PuzzleError("a frame of values needs a rim: where the rim bears any value, the cells there are like all")
    return _Board(region, request).puzzle()


class _Board:
    def __init__(self, region: NamedRegion, request: BoardRequest) -> None:
        lattice = region.lattice
        cells: list[Cell] = [tuple(cell) for cell in region.cells.tolist()]
        self.lattice, self.cells, self.request, self.random = lattice, cells, request, Random(request.seed)
        self.rules = _rules(request)
        self.turns = [motion for motion in lattice.transformations if motion.proper]
        number = {cell: k for k, cell in enumerate(cells)}
        self.sides_of = [[(k, h) for h in lattice.clockwise[cell[0]]] for k, cell in enumerate(cells)]
        beyond = {
            (k, h): number.get(lattice.half_edges[h].across(cells[k]), -1) for sides in self.sides_of for k, h in sides
        }
        at_rim = {k for (k, _), there in beyond.items() if there < 0}
        self.outer = [side for side, there in beyond.items() if there < 0]
        pairs = [((k, h), (t, lattice.half_edges[h].twin)) for (k, h), t in beyond.items() if t >= 0]
        inner = [pair for pair in pairs if pair[0] < pair[1]]
        framed = [pair for pair in inner if request.frame and {pair[0][0], pair[1][0]} <= at_rim]
        # Sides whose values may change places: those of the frame, and all others.
        self.kinds = [framed, [pair for pair in inner if pair not in set(framed)]]
        self.value: dict[Side, int] = {}

    def puzzle(self) -> Puzzle:
        self._fill()
        if not self.request.alike:
            self._tell_apart()
        words = self._turned_words()
        self.random.shuffle(words)
        parts = [self._part(number, *word, n) for number, (word, n) in enumerate(Counter(words).items(), 1)]
        inner = counted(self.request.values, "inner value")
        title = f"{counted(len(self.cells), 'tile')}, whose sides bear {inner}; made with the seed {self.request.seed}"
        cells = np.array(self.cells, np.int32)
        return Puzzle(
            self.request.name, self.lattice, Region(cells), tuple(parts), title, "generated", rules=self.rules
        )

    def _fill(self) -> None:
        """Give each side a value, each value about as often as any other of its kind."""
        first = 1 + self.request.rim
        ranges = [range(first + self.request.values, len(self.rules.sides)), self._of_inner_sides()]
        for pairs, values in zip(self.kinds, ranges, strict=True):
            if pairs:
                dealt = [values[k % len(values)] for k in range(len(pairs))]
                self.random.shuffle(dealt)
                for pair, value in zip(pairs, dealt, strict=True):
                    self._set(pair, value)
        for side in self.outer:
            self.value[side] = 1 if self.request.rim else self.random.choice(self._of_inner_sides())

    def _of_inner_sides(self) -> range:
        first = 1 + self.request.rim
        return range(first, first + self.request.values * (1 + self.request.mates))

    def _set(self, pair: tuple[Side, Side], value: int) -> None:
        one, other = pair
        self.value[one] = value
        self.value[other] = int(self.rules.fits[value, 1:].argmax()) + 1

    def _words(self, k: int) -> dict[Word, Transformation]:
        """The values round a cell, seen from all directions in which a cell of the first node can lie."""
        found: dict[Word, Transformation] = {}
        for turn in self.turns:
            found.setdefault(self._seen(k, turn), turn)
        return found

    def _seen(self, k: int, turn: Transformation) -> Word:
        node = int(turn.nodes[self.cells[k][0]])
        value = {turn.labels[h]: self.value[k, h] for _, h in self.sides_of[k]}
        return (node, *(value[h] for h in self.lattice.clockwise[node]))

    def _tell_apart(self) -> None:
        """Let values change places until no two tiles are alike, and none looks the same from two directions.

        Raises:
            PuzzleError: it did not come to that.
        """
        of_side = {side: pairs for pairs in self.kinds for pair in pairs for side in pair}
        pair_of = {side: pair for pairs in self.kinds for pair in pairs for side in pair}
        looks = [min(self._words(k)) for k in range(len(self.cells))]
        holders: dict[Word, set[int]] = {}
        for k, look in enumerate(looks):
            holders.setdefault(look, set()).add(k)
        bad = [k for k, look in enumerate(looks) if len(holders[look]) > 1 or self._repeats(k, self._words(k))]
        inner = [k for k, sides in enumerate(self.sides_of) if all(side in of_side for side in sides)]
        for _ in range(PATIENCE * len(self.cells) if self._enough_words(inner) else 0):
            if not bad:
                return
            movable = [side for side in self.sides_of[self.random.choice(bad)] if side in of_side]
            if not movable:
                break
            side = self.random.choice(movable)
            one, other = pair_of[side], self.random.choice(of_side[side])
            a, b = self.value[one[0]], self.value[other[0]]
            self._set(one, b)
            self._set(other, a)
            changed = {k for pair in (one, other) for k, _ in pair}
            judged = set(changed)
            for k in changed:
                judged |= holders[looks[k]]
                holders[looks[k]].discard(k)
                looks[k] = min(self._words(k))
                holders.setdefault(looks[k], set()).add(k)
                judged |= holders[looks[k]]
            for k in judged:
                place = bisect_left(bad, k)
                listed = bad[place : place + 1] == [k]
                if (len(holders[looks[k]]) > 1 or self._repeats(k, self._words(k))) != listed:
                    bad[place : place + listed] = [] if listed else [k]
        raise PuzzleError(
            f"no board of {counted(len(self.cells), 'different tile')} was found with so few values; give more values, "
            "or let tiles be alike"
        )

    def _enough_words(self, inner: Sequence[int]) -> bool:
        """Whether there are enough words for cells whose sides bear any value: each takes all words that it shows."""
        values = len(self.rules.sides) - 1 - self.request.rim
        needed, there = Counter[int](), Counter[int]()
        for k in inner:
            needed[len(self.sides_of[k])] += len(self._from(k))
        for node in {node for k in inner for node in self._from(k)}:
            there[len(self.lattice.clockwise[node])] += values ** len(self.lattice.clockwise[node])
        return all(needed[n] <= there[n] for n in needed)

    def _from(self, k: int) -> list[int]:
        """The node in which a cell comes to lie by each turn."""
        return [int(turn.nodes[self.cells[k][0]]) for turn in self.turns]

    def _repeats(self, k: int, words: dict[Word, Transformation]) -> bool:
        """Whether a turn other than the identity leaves the values round a cell as they are."""
        nodes = sum(int(turn.nodes[self.cells[k][0]]) == self.cells[k][0] for turn in self.turns)
        return bool(sum(word[0] == self.cells[k][0] for word in words) < nodes)

    def _turned_words(self) -> list[Word]:
        """The values round each cell, from a direction drawn by chance; tiles that are alike from the same one."""
        shown: dict[Word, Word] = {}
        found = []
        for k in range(len(self.cells)):
            turned = sorted(self._words(k))
            found.append(shown.setdefault(turned[0], self.random.choice(turned)))
        return found

    def _part(self, number: int, node: int, *values: int) -> Part:
        *borne, copies = values
        order = self.lattice.clockwise[node]
        sides = np.array(sorted((0, h, value) for h, value in zip(order, borne, strict=True)), np.int32)
        cells = np.array([(node, *[0] * self.lattice.dimension)], np.int32)
        turns = self.lattice.allowed("rotations")
        return Part(
            f"{number}", cells, None, copies, copies, turns, sides=sides, lattice=self.lattice, number=number - 1
        )


def _rules(request: BoardRequest) -> Rules:
    """The values of a board: the rim's first, then those of inner sides, then those of the frame."""
    names = [*COLOURS, *(f"colour {k}" for k in range(len(COLOURS) + 1, MOST_VALUES + 1))]
    inner = names[: request.values]
    if request.mates:
        inner = [f"{name} {end}" for name in inner for end in ("head", "tail")]
    frame = names[request.values : request.values + request.frame]
    sides = ("flat", *([RIM] if request.rim else []), *inner, *frame)
    n = len(sides)
    fits = np.eye(n, dtype=np.bool_)
    first = 1 + request.rim
    if request.mates:
        for head in range(first, first + len(inner), 2):
            fits[head : head + 2, head : head + 2] = [[False, True], [True, False]]
    fits[0, :] = fits[:, 0] = True
    return Rules(sides=sides, fits=fits, open_sides=np.ones(n, np.bool_), rim=1 if request.rim else -1)
