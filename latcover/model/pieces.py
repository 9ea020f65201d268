"""All connected shapes of so many cells: polyominoes, polyhexes, polycubes, and those of any other lattice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from latcover.model.lattice import Cells, Lattice, Transformation

Shapes = npt.NDArray[np.int32]  # (number of shapes, cells of each, dimension + 1)


def shapes(lattice: Lattice, n: int, transformations: Sequence[Transformation]) -> Shapes:
    """All connected shapes of *n* cells, each once up to translation and *transformations*.

    A shape is connected through the sides of its cells. Secondary nodes take no part: they lie between cells.

    Args:
        lattice: Where the cells lie.
        n: Cells of a shape, 1 or more.
        transformations: What leaves a shape the same: the whole group for free shapes, rotations for one-sided ones,
            the identity for fixed ones. They must be a group.

    Returns:
        The shapes, shape (number, n, dimension + 1), in a fixed order; the cells of each in a fixed order.
    """
    return next(islice(growing(lattice, transformations), n - 1, None))


def growing(lattice: Lattice, transformations: Sequence[Transformation]) -> Iterator[Shapes]:
    """All connected shapes of one cell, then of two, and so on without an end; in the form of `shapes`."""
    primary = [node for node in range(len(lattice.nodes)) if not lattice.nodes[node].secondary]
    single = np.zeros((len(primary), 1, lattice.dimension + 1), np.int32)
    single[:, 0, 0] = primary
    found = _each_once(single, lattice, transformations)
    while True:
        yield found
        found = _each_once(_grown(found, lattice), lattice, transformations)


def _grown(found: Shapes, lattice: Lattice) -> Shapes:
    """Each shape with each of its free neighbours; a shape may come several times."""
    grown = []
    for edge in lattice.half_edges:
        if lattice.nodes[edge.node].secondary or lattice.nodes[edge.target].secondary:
            continue
        which, cell = np.nonzero(found[:, :, 0] == edge.node)
        new = found[which, cell]
        new[:, 0] = edge.target
        new[:, 1:] += np.array(edge.step, np.int32)
        free = ~(found[which] == new[:, None]).all(axis=2).any(axis=1)
        grown.append(np.concatenate([found[which[free]], new[free, None]], axis=1))
    return np.concatenate(grown)


def _each_once(found: Shapes, lattice: Lattice, transformations: Sequence[Transformation]) -> Shapes:
    """The distinct shapes, each as the least of its images."""
    n, width = found.shape[1:]
    found = found.astype(np.int32)
    # The widest that any image can be, in units along an axis.
    reach = max((abs(x) for edge in lattice.half_edges for x in edge.step), default=1)
    span = n * max(1, reach) + max(int(abs(t.shifts).max(initial=0)) for t in transformations) * 2 + 1
    radix = np.array([span ** (width - 1 - k) for k in range(width)], np.int64)
    least: npt.NDArray[np.int64] | None = None
    for transformation in transformations:
        image = transformation.apply(found.reshape(-1, width)).reshape(found.shape)
        image[:, :, 1:] -= image[:, :, 1:].min(axis=1, keepdims=True)
        codes = np.sort(image @ radix, axis=1)
        least = codes if least is None else np.where(_below(codes, least)[:, None], codes, least)
    assert least is not None
    codes = np.unique(least, axis=0)
    cells = np.empty((*codes.shape, width), np.int32)
    for k in range(width - 1, 0, -1):
        codes, cells[..., k] = np.divmod(codes, span)
    cells[..., 0] = codes
    return cells


def _below(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether each row of *a* comes before the same row of *b*."""
    first = (a != b).argmax(axis=1)
    rows = np.arange(len(a))
    below: npt.NDArray[np.bool_] = a[rows, first] < b[rows, first]
    return below


def has_hole(cells: Cells, lattice: Lattice) -> bool:
    """Whether *cells* shut in a cell that they do not hold: one from which no way through sides leads outside."""
    held = set(map(tuple, cells.tolist()))
    low, high = cells[:, 1:].min(axis=0) - 1, cells[:, 1:].max(axis=0) + 1

    def outside(cell: Sequence[int]) -> bool:
        return any(x < a or x > b for x, a, b in zip(cell[1:], low, high, strict=True))

    def free_around(cell: Sequence[int]) -> list[tuple[int, ...]]:
        around = lattice.neighbours(cell)
        return [c for c in around if c not in held and not lattice.nodes[c[0]].secondary]

    seen: set[tuple[int, ...]] = set()
    for start in (c for cell in held for c in free_around(cell)):
        if start in seen:
            continue
        region, stack, escapes = {start}, [start], False
        while stack:
            cell = stack.pop()
            if outside(cell) or cell in seen:
                escapes = True
                break
            new = [c for c in free_around(cell) if c not in region]
            region.update(new)
            stack += new
        if not escapes:
            return True
        seen |= region
    return False
