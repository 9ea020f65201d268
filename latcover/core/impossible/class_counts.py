"""Whether parts can cover given numbers of cells of each class. The sums that they can reach are bits of one number.

A part has a set of vectors: the numbers of cells of each class that one placement of it can cover. A state is the
numbers of cells of each class that are covered so far. These numbers, read as the digits of one number, give the place
of the state's bit. So a shift adds a vector to all states at once. Each digit has spare room, so nothing is carried.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

Vector = tuple[int, ...]

MOST_WORK = 1_500_000_000  # shifted bits, or other work converted into these: some tenths of a second
MOST_AT_ONCE = 200_000_000  # for one colouring, so that work is left for later colourings


class WorkBudget(Struct):
    """The work that is left for the search for arguments. It bounds the time for any puzzle to a part of a second."""

    left: int = field(default=MOST_WORK)

    def spend(self, work: int) -> bool:
        """Subtract *work* if enough is left; False if not."""
        if work > self.left:
            return False
        self.left -= work
        return True


class Classes(Struct, frozen=True):
    """How many cells of each class must be covered, and how many may be covered."""

    least: Vector
    most: Vector

    def against_the_rest(self, k: int) -> Classes:
        """Two classes: class *k*, and all others together."""
        return Classes(_split(self.least, k), _split(self.most, k))


class PartCounts(Struct, frozen=True):
    """How many copies of a part may be used, and the vectors of a copy, at least one."""

    low: int
    high: int
    vectors: tuple[Vector, ...]

    def against_the_rest(self, k: int) -> PartCounts:
        """The same for two classes: class *k*, and all others together."""
        return PartCounts(self.low, self.high, tuple(sorted({_split(vector, k) for vector in self.vectors})))

    def counting(self, members: Vector) -> PartCounts:
        """The same with more classes, of which a copy counts so many cells each."""
        return PartCounts(self.low, self.high, tuple(vector + members for vector in self.vectors))


def _split(vector: Vector, k: int) -> Vector:
    return vector[k], sum(vector) - vector[k]


def range_of_first_class(parts: Sequence[PartCounts]) -> tuple[int, int]:
    """How many cells of the first class the parts cover at least and at most."""
    low = sum(part.low * min(vector[0] for vector in part.vectors) for part in parts)
    return low, sum(part.high * max(vector[0] for vector in part.vectors) for part in parts)


def reachable(parts: Sequence[PartCounts], classes: Classes, budget: WorkBudget) -> bool | None:
    """Whether allowed numbers of copies of the parts can cover an allowed number of cells of each class.

    None if the answer would cost too much work.
    """
    if all(part.low == part.high for part in parts) and classes.least == classes.most and len(classes.most) > 1:
        if sum(part.low * sum(part.vectors[0]) for part in parts) != sum(classes.most):
            return False
        # The numbers of the other classes fix the number of the last class.
        parts = [PartCounts(p.low, p.high, tuple(sorted({v[:-1] for v in p.vectors}))) for p in parts]
        classes = Classes(classes.least[:-1], classes.most[:-1])
    spare = [max((v[k] for p in parts for v in p.vectors), default=0) for k in range(len(classes.most))]
    strides = [1]
    for most, room in zip(classes.most, spare, strict=True):
        strides.append(strides[-1] * (most + room + 1))
    work = strides[-1] * sum(part.high * len(part.vectors) + 1 for part in parts)
    if work > MOST_AT_ONCE or not budget.spend(work):
        return None
    within = _box((0,) * len(classes.most), classes.most, strides)
    states = 1
    for part in parts:
        states = _with_copies(states, part, strides, within)
        if not states:
            return False
    return bool(states & _box(classes.least, classes.most, strides))


def _with_copies(states: int, part: PartCounts, strides: Sequence[int], within: int) -> int:
    """The states after any allowed number of copies of *part*."""
    shifts = [sum(count * stride for count, stride in zip(vector, strides, strict=False)) for vector in part.vectors]
    found = states if part.low == 0 else 0
    for copies in range(1, part.high + 1):
        before, states = states, 0
        for shift in shifts:
            states |= before << shift
        states &= within
        if not states:
            break
        if copies >= part.low:
            found |= states
    return found


def _box(least: Vector, most: Vector, strides: Sequence[int]) -> int:
    """All states with at least *least* and at most *most* cells of each class."""
    mask = 1
    for low, high, stride in zip(least, most, strides, strict=False):
        row = 0
        for digit in range(low, high + 1):
            row |= mask << (digit * stride)
        mask = row
    return mask
