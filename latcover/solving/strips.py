"""Strips: the numbers of tilings of a box of any length obey a linear recurrence, which is found and proved here.

The states between two columns are the ways in which parts stick out of the columns before. There are finitely many, so
the numbers N(n) are powers of a matrix, seen at one entry; with S states that both begin and can end, they obey a
recurrence of an order of at most S (Cayley and Hamilton). A recurrence of order d that holds for the first S + d
numbers therefore holds for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from latcover.encoding.placement import placements
from latcover.errors import UnsupportedError
from latcover.formats.library import load_member
from latcover.formats.puzzle_files.family import PuzzleFamily
from latcover.model.orientation import orientations_of_each
from latcover.model.puzzle import Bounds, Puzzle

PRIME = (1 << 521) - 1  # far larger than any coefficient of a recurrence that can be found
MOST_STATES = 20_000
MOST_PROVED = 2_000  # states; beyond, a proof takes too many terms
FIRST_TERMS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """``N(n) = coefficients[0] * N(n - 1) + coefficients[1] * N(n - 2) + ...`` for n from *order* on.

    Attributes:
        coefficients: As above, without zeros at the end.
        order: From which n on it holds.
        numerator, denominator: Of the generating function N(0) + N(1) x + ..., the constant terms first.
        states: Of the strip, which can begin and can end.
        proved: Whether it was checked for so many terms that it holds for all.
        terms: The numbers that were computed, from n = 0.
    """

    coefficients: tuple[int, ...]
    order: int
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    states: int
    proved: bool
    terms: tuple[int, ...]


def recurrence_of(family: PuzzleFamily, bounds: Bounds | None = None) -> Recurrence:
    """The shortest linear recurrence of the numbers of solutions of a family of boxes.

    Raises:
        UnsupportedError: the family is no strip, or has too many states.
    """
    strip = _Strip(family, bounds)
    states = len(strip.vector)
    terms: list[int] = []
    while True:
        terms += strip.terms(max(FIRST_TERMS, len(terms)))
        coefficients, order = shortest_recurrence(terms)
        if (2 * order + 8 <= len(terms) or len(terms) >= 2 * states) and _holds(coefficients, order, terms):
            break
    wanted = states + order + 1 - len(terms)
    proved = wanted <= 0 or states <= MOST_PROVED
    terms += strip.terms(wanted) if wanted > 0 and proved else []
    if not _holds(coefficients, order, terms):  # a longer one, which all S + d terms decide
        terms += strip.terms(2 * states - len(terms))
        coefficients, order = shortest_recurrence(terms)
        if not _holds(coefficients, order, terms):
            raise UnsupportedError("no recurrence was found whose coefficients have less than 520 bits")
    denominator = (1, *(-c for c in coefficients))
    numerator = [sum(c * terms[k - j] for j, c in enumerate(denominator[: k + 1])) for k in range(order)]
    return Recurrence(coefficients, order, _trimmed(numerator), denominator, states, proved, tuple(terms))


def shortest_recurrence(terms: list[int]) -> tuple[tuple[int, ...], int]:
    """The coefficients of the shortest linear recurrence of whole numbers, and its order, by Berlekamp and Massey.

    They are computed modulo a large prime and taken as the least in absolute value. The order is larger than the number
    of coefficients if the recurrence begins later. Source: Massey 1969, Shift-register synthesis and BCH decoding.
    """
    current, before = [1], [1]
    order, gap, last = 0, 1, 1
    for n, term in enumerate(terms):
        wrong = (term + sum(current[k] * terms[n - k] for k in range(1, len(current)))) % PRIME
        if not wrong:
            gap += 1
            continue
        factor = wrong * pow(last, -1, PRIME) % PRIME
        changed = current + [0] * (len(before) + gap - len(current))
        for k, c in enumerate(before):
            changed[k + gap] = (changed[k + gap] - factor * c) % PRIME
        if 2 * order <= n:
            before, last, order, gap = current, wrong, n + 1 - order, 1
        else:
            gap += 1
        current = changed
    found = [-(c - PRIME if 2 * c > PRIME else c) for c in current[1:]]
    return _trimmed(found), order


def _holds(coefficients: tuple[int, ...], order: int, terms: list[int]) -> bool:
    return all(
        terms[n] == sum(c * terms[n - k] for k, c in enumerate(coefficients, 1)) for n in range(order, len(terms))
    )


def _trimmed(numbers: list[int]) -> tuple[int, ...]:
    """Without zeros at the end."""
    last = max((k for k, number in enumerate(numbers, 1) if number), default=0)
    return tuple(numbers[:last])


class _Strip:
    """The states of a strip, and how many ways each column leads from one to another."""

    def __init__(self, family: PuzzleFamily, bounds: Bounds | None) -> None:
        if family.strip_axis is None:
            raise UnsupportedError('recurrences are of strips: a region box = [4, "{n}"], and parts without n in them')
        axis = 1 + family.strip_axis
        sample = load_member(family, max(1, family.start), bounds)
        shapes = [
            o.cells[:, axis]
            for each in orientations_of_each(sample.parts, range(sample.lattice.dimension))
            for o in each
        ]
        length = max(int(np.ptp(each)) + 1 for each in shapes)
        puzzle = load_member(family, max(length, family.start), bounds)
        if not _is_plain(puzzle):
            raise UnsupportedError("recurrences are of strips whose parts may all be used without limit, without rules")
        table = placements(puzzle, bounds=bounds)
        cells = table.region.cells
        column = cells[:, axis] - cells[:, axis].min()
        width = int((column == 0).sum())
        rows = np.zeros(len(cells), np.int64)
        for k in range(int(column.max()) + 1):
            rows[column == k] = np.arange(width)
        self._width = width
        self._placements: list[list[int]] = [[] for _ in range(width)]
        places = (column.astype(np.int64) * width + rows).tolist()
        starts, covered = table.starts.tolist(), table.cells.tolist()
        for first, last in pairwise(starts):
            bits = [places[cell] for cell in covered[first:last]]
            if min(bits) < width:
                self._placements[min(bits)].append(sum(1 << bit for bit in bits))
        self._explore()

    def _explore(self) -> None:
        """Find the states that the empty one leads to, and keep those that lead back to it."""
        numbers, ways, queue = {0: 0}, [], [0]
        for state in queue:
            after = self._after(state)
            for other in after:
                if numbers.setdefault(other, len(numbers)) == len(queue):
                    queue.append(other)
            if len(queue) > MOST_STATES:
                raise UnsupportedError(f"the strip has more than {MOST_STATES:,} states; take a narrower one")
            ways += [(numbers[state], numbers[other], count) for other, count in after.items()]
        leading: list[list[int]] = [[] for _ in queue]
        for source, target, _ in ways:
            leading[target].append(source)
        ends, back = {0}, [0]
        for state in back:
            new = [other for other in leading[state] if other not in ends]
            ends.update(new)
            back += dict.fromkeys(new)
        kept = {state: k for k, state in enumerate(sorted(ends))}
        steps = sorted((kept[t], kept[s], count) for s, t, count in ways if s in kept and t in kept)
        self._from = np.array([source for _, source, _ in steps], np.int64)
        self._count = np.array([count for *_, count in steps] + [None], object)[:-1]
        targets = np.array([target for target, *_ in steps], np.int64)
        self._targets, self._starts = np.unique(targets, return_index=True)
        self.vector = np.array([1] + [0] * (len(kept) - 1) + [None], object)[:-1]

    def _after(self, state: int) -> dict[int, int]:
        """The states after one more column, with how many ways lead to each."""
        found = {state: 1}
        for row in range(self._width):
            filled: dict[int, int] = {}
            for mask, count in found.items():
                for shape in [0] if mask >> row & 1 else self._placements[row]:
                    if not mask & shape:
                        filled[mask | shape] = filled.get(mask | shape, 0) + count
            found = filled
        return {mask >> self._width: count for mask, count in found.items()}

    def terms(self, number: int) -> list[int]:
        """The next numbers of solutions, the first of all for length 0."""
        found = []
        for _ in range(number):
            found.append(int(self.vector[0]))
            moved = np.zeros_like(self.vector)
            if len(self._from):
                moved[self._targets] = np.add.reduceat(self.vector[self._from] * self._count, self._starts)
            self.vector = moved
        return found


def _is_plain(puzzle: Puzzle) -> bool:
    """Whether all that matters is which cells are covered."""
    unlimited = all(part.low == 0 and part.high is None for part in puzzle.parts)
    secondary = any(node.secondary for node in puzzle.lattice.nodes)
    return unlimited and not secondary and len(puzzle.colours) == len(puzzle.rules.sides) == 1
