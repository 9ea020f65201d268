"""Random questions of turns: parts in a frame, or in a block, some of which are to turn."""

from __future__ import annotations

from random import Random

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.prisms import axes
from tests.turn_judge import Ground


class Kind(Struct, frozen=True):
    """Random questions: a lattice, units of a block along each axis, how many parts, and most cells that are empty."""

    lattice: str
    size: tuple[int, ...]
    n_parts: int
    holes: int
    framed: bool = True


PLANE = (
    Kind("square", (5, 5), 3, 3),
    Kind("square", (6, 6), 3, 4),
    Kind("triangular", (4, 4), 3, 4),
    Kind("hexagonal", (5, 5), 3, 3),
)
SPACE = (
    Kind("cubic", (4, 4, 2), 3, 4),
    Kind("cubic", (3, 3, 3), 4, 4, framed=False),
    Kind("triprism", (4, 4, 1), 3, 4),
)


class Question(Struct, frozen=True, eq=False):
    """Whether some parts can turn by an angle, in radians.

    Attributes:
        pieces: The cells of each; 0 never turns.
    """

    ground: Ground
    pieces: dict[int, Cells]
    moving: frozenset[int]
    angle: float
    play: float


def random_question(rng: Random, kind: Kind) -> Question:
    """A question of a kind; often the answer is no."""
    lattice = load_lattice(kind.lattice)
    pieces = random_case(rng, lattice, kind.size, kind.n_parts, rng.randint(1, kind.holes), framed=kind.framed)
    axis = rng.choice(axes(lattice))
    angle = rng.choice([rotation.angle for rotation in axis.rotations if abs(rotation.angle) < 2.2])
    moving = frozenset(rng.randint(1, max(pieces)) for _ in range(rng.choice([1, 1, 2])))
    ground = Ground.along(lattice, axis.direction)
    return Question(ground, pieces, moving, angle, rng.choice([0.04, 0.06, 0.08, 0.1]))


def random_case(
    rng: Random, lattice: Lattice, size: tuple[int, ...], n_parts: int, holes: int, *, framed: bool = True
) -> dict[int, Cells]:
    """Parts in a block: the cells of each. 0 is the frame, which is open above and below, or else the first part.

    Args:
        size: Units of the block along each axis, the frame included.
        holes: Cells that stay empty.
    """
    units = np.stack(np.meshgrid(*map(np.arange, size), indexing="ij"), -1).reshape(-1, len(size)).tolist()
    everything = [(u, *unit) for unit in units for u in range(len(lattice.nodes))]
    inner = [c for c in everything if not framed or all(1 <= x < n - 1 for x, n in zip(c[1:3], size[:2], strict=True))]
    left = set(inner) - set(rng.sample(inner, min(holes, len(inner) - n_parts)))
    parts = [[seed] for seed in rng.sample(sorted(left), n_parts)]
    left -= {seed for (seed,) in parts}
    while ways := [
        (k, near)
        for k, part in enumerate(parts)
        for near in sorted({tuple(near) for cell in part for near in lattice.neighbours(cell)} & left)
    ]:
        k, near = rng.choice(ways)
        parts[k].append(near)
        left.discard(near)
    frame = sorted(set(everything) - set(inner))
    return {k: np.array(sorted(part), np.int32) for k, part in enumerate([frame, *parts] if framed else parts)}
