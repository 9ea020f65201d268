"""All connected shapes of so many cells: polyominoes, polyhexes, polycubes, and those of any other lattice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.errors import TooLargeError, UnsupportedError, counted

Shapes = npt.NDArray[np.int32]  # (number of shapes, cells of each, dimension + 1)
Codes = npt.NDArray[np.int64]  # (number of shapes, cells of each)
Step = tuple[int, int, tuple[int, ...]]  # from a cell of this node to one of that node, so many units away
BATCH = 1 << 10  # shapes that grow together
FAR = 1 << 14  # more than any distance within a shape


def shapes(lattice: Lattice, n: int, transformations: Sequence[Transformation], most: int | None = None) -> Shapes:
    """All connected shapes of *n* cells, each once up to translation and *transformations*.

    A shape is connected through the sides of its cells. Secondary nodes lie between cells, and no shape holds one: two
    sticks that end at one junction are neighbours.

    Args:
        n: Cells of a shape, 1 or more.
        transformations: What leaves a shape the same: the whole group for free shapes, rotations for one-sided ones,
            the identity for fixed ones. They must be a group.
        most: How many shapes there may be, of *n* cells or fewer; None is no bound.

    Returns:
        The shapes, shape (number, n, dimension + 1). Each is the image whose list of cells comes first, and they are in
        the order of these lists; cells are listed by node, then by coordinates.

    Raises:
        TooLargeError: there are more than *most*.
    """
    grow = partial(_grown, steps=neighbour_steps(lattice))
    primary = [node for node in range(len(lattice.nodes)) if not lattice.nodes[node].secondary]
    single = np.zeros((len(primary), 1, lattice.dimension + 1), np.int32)
    single[:, 0, 0] = primary
    found = _each_once([single], lattice, transformations, most)
    for size in range(2, n + 1):
        if most is not None and _certainly_more(len(found), size - 1, n, lattice, most):
            raise TooLargeError(f"the lattice {lattice.name!r} has more than {most:,} shapes of {n} cells")
        found = _each_once(map(grow, _batches(found)), lattice, transformations, most)
    return found


def polyaboloes(lattice: Lattice, n: int, transformations: Sequence[Transformation], most: int | None = None) -> Shapes:
    """All polyaboloes of *n* half squares, each once up to translation and *transformations*, as in `shapes`.

    Half squares meet along whole sides. They do not all lie in one tiling: beyond a leg, a half square may lie in two
    ways. So *lattice* is `tetrakis`, of whose triangles two that share a leg are a half square: of each square of it
    a polyabolo covers nothing, such a half, or all four triangles.

    Returns:
        The shapes, shape (number, 2 n, 3).
    """
    steps = neighbour_steps(lattice)
    mates = {(node, target) for node, target, step in steps if not any(step)}  # they share a leg
    halves = np.zeros((len(mates), 2, lattice.dimension + 1), np.int32)
    halves[:, :, 0] = sorted(mates)
    found = _each_once([halves], lattice, transformations, most)
    for _ in range(1, n):
        batches = (_grown_by_halves(batch, steps, mates) for batch in _batches(found))
        found = _each_once(batches, lattice, transformations, most)
    return found


def _batches(found: Shapes) -> Iterator[Shapes]:
    return (found[first : first + BATCH] for first in range(0, len(found), BATCH))


def _certainly_more(number: int, size: int, n: int, lattice: Lattice, most: int) -> bool:
    """Whether shapes of *n* cells are more than *most*, because there are *number* free shapes of *size* cells.

    On a lattice with one node, two shapes make one of all their cells: the last cell of one, in the order of
    coordinates, beside the first cell of the other. Different pairs make different shapes, up to translation.
    """
    return len(lattice.nodes) == 1 and number ** (n // size) > most * len(lattice.transformations)


def neighbour_steps(lattice: Lattice) -> list[Step]:
    """From each cell to its neighbours: across a side, or through a secondary cell."""
    found: set[Step] = set()
    for edge in lattice.half_edges:
        if lattice.nodes[edge.node].secondary:
            continue
        if not lattice.nodes[edge.target].secondary:
            found.add((edge.node, edge.target, edge.step))
            continue
        for on in lattice.half_edges:
            there = tuple(a + b for a, b in zip(edge.step, on.step, strict=True))
            away = on.target != edge.node or any(there)
            if on.node == edge.target and away and not lattice.nodes[on.target].secondary:
                found.add((edge.node, on.target, there))
    return sorted(found)


def _grown(found: Shapes, steps: Sequence[Step]) -> Shapes:
    """Each shape with each of its free neighbours; a shape may come several times."""
    grown = [np.empty((0, found.shape[1] + 1, found.shape[2]), np.int32)]
    for node, target, step in steps:
        which, cell = np.nonzero(found[:, :, 0] == node)
        new = found[which, cell]
        new[:, 0] = target
        new[:, 1:] += np.array(step, np.int32)
        free = ~(found[which] == new[:, None]).all(axis=2).any(axis=1)
        grown.append(np.concatenate([found[which[free]], new[free, None]], axis=1))
    return np.concatenate(grown)


def _grown_by_halves(found: Shapes, steps: Sequence[Step], mates: set[tuple[int, int]]) -> Shapes:
    """Each polyabolo with each half square that meets it along a side; one may come several times."""
    grown = [np.empty((0, found.shape[1] + 2, found.shape[2]), np.int32)]
    for node, target, step in steps:
        which, cell = np.nonzero(found[:, :, 0] == node)
        around = found[which]
        square = around[np.arange(len(which)), cell, 1:] + np.array(step, np.int32)
        within = (around[:, :, 1:] == square[:, None]).all(axis=2)
        held = np.stack([(within & (around[:, :, 0] == k)).any(axis=1) for k in range(4)])
        for mate in (other for own, other in mates if own == target):
            free = ~held[target] & ~held[mate]  # so the square holds the other half, or nothing
            half = np.repeat(square[free, None], 2, axis=1)
            half = np.insert(half, 0, [target, mate], axis=2)
            grown.append(np.concatenate([around[free], half], axis=1))
    return np.concatenate(grown)


def _each_once(
    batches: Iterable[Shapes], lattice: Lattice, transformations: Sequence[Transformation], most: int | None
) -> Shapes:
    """The distinct shapes, each as the least of its images.

    Raises:
        TooLargeError: there are more than *most*.
    """
    least: list[Codes] = []
    span, n = 1, 1
    for found in batches:
        n = found.shape[1]
        span = _span(n, lattice, transformations)
        least.append(_distinct(_least(found, transformations, span)))
        if most is not None and sum(map(len, least)) > most:
            least = [_at_most(most, _distinct(np.concatenate(least)), n, lattice)]
    codes = _distinct(np.concatenate(least))
    if most is not None:
        _at_most(most, codes, n, lattice)
    cells = np.empty((*codes.shape, lattice.dimension + 1), np.int32)
    for k in range(lattice.dimension, 0, -1):
        codes, cells[..., k] = np.divmod(codes, span)
    cells[..., 0] = codes
    return cells


def _at_most(most: int, codes: Codes, n: int, lattice: Lattice) -> Codes:
    if len(codes) > most:
        raise TooLargeError(f"the lattice {lattice.name!r} has more than {most:,} shapes of {counted(n, 'cell')}")
    return codes


def _distinct(codes: Codes) -> Codes:
    """The distinct rows, sorted."""
    codes = codes[np.lexsort(codes.T[::-1])]
    new = np.ones(len(codes), np.bool_)
    new[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    return codes[new]


def _span(n: int, lattice: Lattice, transformations: Sequence[Transformation]) -> int:
    """The widest that any image of a connected shape of *n* cells can be, in units along an axis."""
    reach = max((abs(x) for edge in lattice.half_edges for x in edge.step), default=1)
    if any(node.secondary for node in lattice.nodes):
        reach *= 2
    return n * max(1, reach) + max(int(abs(t.shifts).max(initial=0)) for t in transformations) * 2 + 1


def _least(
    found: Shapes,
    transformations: Sequence[Transformation],
    span: int,
    colours: npt.NDArray[np.int32] | None = None,
) -> Codes:
    """The codes of the cells of the least image of each shape, sorted; of cells with colours, 0 or 1, also of these."""
    width = found.shape[2]
    radix = np.array([span ** (width - 1 - k) for k in range(width)], np.int64)
    least: Codes | None = None
    for transformation in transformations:
        image = transformation.apply(found.reshape(-1, width)).reshape(found.shape)
        image[:, :, 1:] -= image[:, :, 1:].min(axis=1, keepdims=True)
        codes = image @ radix
        codes = np.sort(codes if colours is None else codes * 2 + colours, axis=1)
        least = codes if least is None else np.where(_below(codes, least)[:, None], codes, least)
    assert least is not None
    return least


def _below(a: Codes, b: Codes) -> npt.NDArray[np.bool_]:
    """Whether each row of *a* comes before the same row of *b*."""
    first = (a != b).argmax(axis=1)
    rows = np.arange(len(a))
    below: npt.NDArray[np.bool_] = a[rows, first] < b[rows, first]
    return below


def keys(found: Shapes, lattice: Lattice, transformations: Sequence[Transformation]) -> list[bytes]:
    """A key of each shape: shapes of equally many cells have the same one if a transformation takes one to the other.

    The shapes must be connected.
    """
    span = _span(found.shape[1], lattice, transformations)
    return [row.tobytes() for row in _least(found.astype(np.int32), transformations, span)]


def convex(found: Shapes, lattice: Lattice) -> npt.NDArray[np.bool_]:
    """Which shapes are convex: between any two of its cells, such a shape holds one of the lattice's shortest ways.

    On squares these are the shapes whose rows and columns have no gaps (Castiglione and Restivo, 2003).
    """
    n = found.shape[1]
    steps = neighbour_steps(lattice)
    far = (n - 1) * max((abs(x) for *_, step in steps for x in step), default=0)
    apart = _distances(lattice, steps, n - 1, far)
    verdicts = [np.empty(0, np.bool_)]
    for batch in (found[first : first + BATCH // n] for first in range(0, len(found), BATCH // n)):
        offsets = batch[:, None, :, 1:] - batch[:, :, None, 1:] + far
        index = tuple(np.moveaxis(offsets, 3, 0))
        shortest = apart[(batch[:, :, None, 0], batch[:, None, :, 0], *index)]
        within = np.where(shortest <= 1, shortest, FAR)
        for k in range(n):
            within = np.minimum(within, within[:, :, k, None] + within[:, None, k, :])
        verdicts.append((within == shortest).all(axis=(1, 2)))
    return np.concatenate(verdicts)


def _distances(lattice: Lattice, steps: Sequence[Step], most: int, far: int) -> npt.NDArray[np.int32]:
    """How many steps lead from a cell to another one, by both nodes and the offset plus *far*; `FAR` beyond *most*."""
    n_nodes, sides = len(lattice.nodes), (2 * far + 1,) * lattice.dimension
    apart = np.full((n_nodes, n_nodes, *sides), FAR, np.int32)
    for node in range(n_nodes):
        front = {(node, *[0] * lattice.dimension)}
        seen = set(front)
        for distance in range(most + 1):
            for cell in front:
                apart[(node, cell[0], *(x + far for x in cell[1:]))] = distance
            front = {
                (target, *(x + s for x, s in zip(cell[1:], step, strict=True)))
                for cell in front
                for start, target, step in steps
                if start == cell[0]
            } - seen
            seen |= front
    return apart


def chessboard(found: Shapes, lattice: Lattice) -> npt.NDArray[np.int32]:
    """The colour of each cell, 0 or 1, on a chessboard: neighbours differ.

    Returns:
        Shape (number of shapes, cells of each), int32.

    Raises:
        UnsupportedError: the lattice has no such colouring.
    """
    steps = neighbour_steps(lattice)
    for along in product((0, 1), repeat=lattice.dimension):  # whether a unit step along each axis changes the colour
        of_node = _colours_of_nodes(len(lattice.nodes), steps, along)
        if of_node is not None:
            colours: npt.NDArray[np.int32] = (of_node[found[..., 0]] + found[..., 1:] @ np.array(along)) % 2
            return colours.astype(np.int32)
    raise UnsupportedError(f"the cells of the lattice {lattice.name!r} cannot be coloured like a chessboard")


def _colours_of_nodes(n_nodes: int, steps: Sequence[Step], along: Sequence[int]) -> npt.NDArray[np.int32] | None:
    """The colour of each node's cell in the unit at the origin; None if two neighbours would have the same."""
    changes = [(node, target, 1 + sum(a * s for a, s in zip(along, step, strict=True))) for node, target, step in steps]
    found: dict[int, int] = {}
    for first in range(n_nodes):
        found.setdefault(first, 0)
        for _ in range(n_nodes):
            found = {target: (found[node] + by) % 2 for node, target, by in changes if node in found} | found
    if any((found[node] + found[target] + by) % 2 for node, target, by in changes):
        return None
    return np.array([found[node] for node in range(n_nodes)], np.int32)


def keeps_colours(
    found: Shapes, colours: npt.NDArray[np.int32], lattice: Lattice, transformations: Sequence[Transformation]
) -> npt.NDArray[np.bool_]:
    """Which shapes are two pieces when the colours of the chessboard are exchanged; the others are one and the same."""
    span = _span(found.shape[1], lattice, transformations)
    one, other = (_least(found, transformations, span, each) for each in (colours, 1 - colours))
    two: npt.NDArray[np.bool_] = (one != other).any(axis=1)
    return two


def has_hole(cells: Cells, lattice: Lattice) -> bool:
    """Whether *cells* shut in a cell that they do not hold: one from which no way through sides leads outside."""
    held = set(map(tuple, cells.tolist()))
    low, high = cells[:, 1:].min(axis=0) - 1, cells[:, 1:].max(axis=0) + 1

    def outside(cell: Sequence[int]) -> bool:
        return any(x < a or x > b for x, a, b in zip(cell[1:], low, high, strict=True))

    def free_around(cell: Sequence[int]) -> list[tuple[int, ...]]:
        return [c for c in lattice.neighbours(cell) if c not in held and not lattice.nodes[c[0]].secondary]

    shut_in = {c for cell in held for c in free_around(cell)}
    while shut_in:
        region = [shut_in.pop()]
        known = set(region)
        for cell in region:
            if outside(cell):
                break
            new = set(free_around(cell)) - known
            region += new
            known |= new
        else:
            return True
        shut_in -= known
    return False
