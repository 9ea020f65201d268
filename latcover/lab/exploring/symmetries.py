"""Finite groups of motions, with their centres: the symmetries that a region may be asked to have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.errors import UnsupportedError

Motion = tuple[int, tuple[int, ...]]  # the number of a transformation, and the translation that follows it


class Symmetry(Struct, frozen=True, eq=False):
    """A finite group of motions.

    Attributes:
        lattice: What it moves.
        motions: Its elements, the identity first.
    """

    lattice: Lattice
    motions: tuple[Motion, ...]

    def images(self, cells: Cells) -> Cells:
        """The images of cells, shape (n_motions, n, dimension + 1)."""
        found = []
        for number, shift in self.motions:
            image = self.lattice.transformations[number].apply(cells)
            image[:, 1:] += np.array(shift, np.int32)
            found.append(image)
        return np.stack(found)

    @property
    def keeps_axes(self) -> bool:
        """Whether the motions map each axis to itself, so that they map boxes to boxes of the same sides."""
        matrices = (self.lattice.transformations[number].matrix for number, _ in self.motions)
        return all(not np.any(matrix - np.diag(np.diagonal(matrix))) for matrix in matrices)

    @property
    def free_directions(self) -> int:
        """The dimension of the translations that commute with all motions."""
        mean = sum(np.asarray(self.lattice.transformations[number].matrix, np.float64) for number, _ in self.motions)
        return int(np.linalg.matrix_rank(mean))


@lru_cache(maxsize=64)  # a second of work, which is the same for each shape of a family
def symmetries(lattice: Lattice, transformations: tuple[Transformation, ...], order: int) -> tuple[Symmetry, ...]:
    """The groups of so many motions, made of these transformations and translations; of conjugates one at least.

    Raises:
        UnsupportedError: there is none.
    """
    if order == 1:
        return (Symmetry(lattice, ((0, (0,) * lattice.dimension),)),)
    found: dict[frozenset[Motion], Symmetry] = {}
    seen: set[frozenset[Motion]] = set()
    numbers = [lattice.number_of[t.labels] for t in transformations]
    for group in _groups(lattice, numbers, order):
        if group in seen:
            continue
        seen.update(_conjugates(lattice, numbers, group))
        found[group] = Symmetry(lattice, tuple(sorted(group)))
    if not found:
        raise UnsupportedError(
            f"the lattice {lattice.name!r} has no group of {order} such symmetries; its largest has {len(numbers)}"
        )
    return tuple(found[group] for group in sorted(found, key=sorted))


def _groups(lattice: Lattice, numbers: list[int], order: int) -> Iterator[frozenset[Motion]]:
    """The groups that one or two motions generate, with translations of 0 and 1 along each axis."""
    moves = [(n, shift) for n in numbers[1:] for shift in product((0, 1), repeat=lattice.dimension)]
    for generators in [*((move,) for move in moves), *(combinations(moves, 2) if order > 2 else ())]:
        group = _closed(lattice, generators, order)
        if group is not None and len(group) == order:
            yield group


def _closed(lattice: Lattice, generators: tuple[Motion, ...], most: int) -> frozenset[Motion] | None:
    """The group that motions generate; None if it has more than *most* elements."""
    identity: Motion = (0, (0,) * lattice.dimension)
    found, queue = {identity}, [identity]
    for element in queue:
        for generator in generators:
            new = _after(lattice, generator, element)
            if new not in found:
                found.add(new)
                queue.append(new)
                if len(found) > most:
                    return None
    return frozenset(found)


class _Acts(Struct, frozen=True):
    """What a transformation does, as plain numbers, and which one follows from another.

    Attributes:
        matrix: Its rows.
        target: The node to which the first one goes.
        shifts: The translation of each node.
        after: Which transformation it is after another one.
    """

    matrix: list[list[int]]
    target: int
    shifts: list[list[int]]
    after: list[int]


@lru_cache(maxsize=8)
def _acts(lattice: Lattice) -> tuple[_Acts, ...]:
    return tuple(
        _Acts(t.matrix.tolist(), int(t.nodes[0]), t.shifts.tolist(), [int(n) for n in lattice.then(t)])
        for t in lattice.transformations
    )


def _after(lattice: Lattice, last: Motion, first: Motion) -> Motion:
    """The motion that does *first* and then *last*."""
    acts = _acts(lattice)
    one, two = acts[first[0]], acts[last[0]]
    number = two.after[first[0]]
    more = two.shifts[one.target]  # that of the first node is 0 in each
    return number, tuple(
        sum(m * x for m, x in zip(row, first[1], strict=True)) + more[k] + last[1][k]
        for k, row in enumerate(two.matrix)
    )


def _conjugates(lattice: Lattice, numbers: list[int], group: frozenset[Motion]) -> set[frozenset[Motion]]:
    """The groups that a motion nearby makes of *group*: of these one is enough."""
    found = set()
    for number, shift in product(numbers, product((-1, 0, 1), repeat=lattice.dimension)):
        motion: Motion = (number, shift)
        back = _inverse(lattice, motion)
        found.add(frozenset(_after(lattice, _after(lattice, motion, element), back) for element in group))
    return found


def _inverse(lattice: Lattice, motion: Motion) -> Motion:
    turn = next(n for n, t in enumerate(lattice.transformations) if lattice.then(t)[motion[0]] == 0)
    left = _after(lattice, (turn, (0,) * lattice.dimension), motion)[1]  # the translation that is left of it
    return turn, tuple(-x for x in left)
