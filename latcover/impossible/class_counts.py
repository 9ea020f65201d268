"""Whether parts can cover so many cells of each class: every sum that they can come to, in the bits of one number.

A part has a set of vectors, the numbers of cells of each class that one placement of it can cover. A state is how many
cells of each class are covered so far; as a bit it stands at the place that these numbers, read as digits, come to.
Adding a vector to all states at once is then a shift. Each digit has room to spare, so that none is carried over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Vector = tuple[int, ...]

MOST_WORK = 1_500_000_000  # bits that are shifted in all, what else is done reckoned in these: some tenths of a second
MOST_AT_ONCE = 200_000_000  # for one colouring, so that those after it are looked at too


@dataclass(slots=True)
class Budget:
    """What looking for arguments may still cost, so that it takes the same part of a second for any puzzle."""

    left: int = field(default=MOST_WORK)

    def spend(self, work: int) -> bool:
        """Take *work* off, if it is not too much."""
        if work > self.left:
            return False
        self.left -= work
        return True


@dataclass(frozen=True, slots=True)
class Classes:
    """How many cells of each class must be covered, and how many may be."""

    least: Vector
    most: Vector

    def against_the_rest(self, k: int) -> Classes:
        """Class *k*, and all others as one."""
        return Classes(_split(self.least, k), _split(self.most, k))


@dataclass(frozen=True, slots=True)
class PartCounts:
    """How many copies of a part there may be, and what each may cover; there is a vector at least."""

    low: int
    high: int
    vectors: tuple[Vector, ...]

    def against_the_rest(self, k: int) -> PartCounts:
        """The same for class *k*, and all others as one."""
        return PartCounts(self.low, self.high, tuple(sorted({_split(vector, k) for vector in self.vectors})))


def _split(vector: Vector, k: int) -> Vector:
    return vector[k], sum(vector) - vector[k]


def of_the_first(parts: Sequence[PartCounts]) -> tuple[int, int]:
    """How many cells of the first class the parts cover at least and at most, whatever the others are."""
    low = sum(part.low * min(vector[0] for vector in part.vectors) for part in parts)
    return low, sum(part.high * max(vector[0] for vector in part.vectors) for part in parts)


def reachable(parts: Sequence[PartCounts], classes: Classes, budget: Budget) -> bool | None:
    """Whether copies of the parts, as many as allowed, can cover as many cells of each class as they must and may.

    None: finding out would cost too much.
    """
    if all(part.low == part.high for part in parts) and classes.least == classes.most and len(classes.most) > 1:
        if sum(part.low * sum(part.vectors[0]) for part in parts) != sum(classes.most):
            return False
        # then the last class has what the others leave
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
    """The states with at least and at most so many cells of each class."""
    mask = 1
    for low, high, stride in zip(least, most, strides, strict=False):
        row = 0
        for digit in range(low, high + 1):
            row |= mask << (digit * stride)
        mask = row
    return mask
