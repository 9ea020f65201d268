"""A judge that refutes turns: it samples the motion that one claims, and looks for bodies that overlap.

Its bodies are those of a geometry library. It knows neither the searches of turns nor their replay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

import numpy as np
import shapely
from msgspec import Struct

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turn
from tests.turn_oracle import bodies

SLACK, SLACK_IN_CONTACT = 1e-6, 1e-4  # what bodies may overlap, by rounding, and by what slides in contact may


class Ground(Struct, frozen=True, eq=False):
    """A lattice, seen along an axis.

    Attributes:
        axis: A unit vector; (0, 0, 1) in the plane.
        plane: Two unit vectors across it, shape (2, dimension).
        edge: The shortest edge of a section.
    """

    lattice: Lattice
    axis: np.ndarray
    plane: np.ndarray
    edge: float

    @classmethod
    def along(cls, lattice: Lattice, axis) -> Ground:
        axis = np.array(axis, float)
        first = (
            np.array([1.0, 0.0, 0.0]) if lattice.dimension == 2 else np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
        )
        first /= np.linalg.norm(first)
        plane = np.array([first, np.cross(axis, first)])[:, : lattice.dimension]
        rings = [shapely.MultiPoint(node.drawing.vertices[:, : lattice.dimension] @ plane.T) for node in lattice.nodes]
        sides = [np.diff(shapely.get_coordinates(ring.convex_hull), axis=0) for ring in rings]
        return cls(lattice, axis, plane, min(float(np.linalg.norm(side, axis=1).min()) for side in sides))

    @property
    def flat(self) -> bool:
        return self.lattice.dimension == 2

    def bodies(self, cells: Cells, gap: float, middle) -> dict[float, shapely.Geometry]:
        """The body of a part in each layer, *gap* within its cells, in the plane around *middle*."""
        axis = np.zeros(2) if self.flat else self.axis
        found = bodies(self.lattice, [cells], self.plane, axis, gap)
        by = np.asarray(middle) @ self.plane.T
        return {layer: shapely.transform(body, lambda at: at - by) for layer, body in found.items()}


def placed(points, pose):
    """Where a pose, an angle in radians and a shift, takes points."""
    c, s = np.cos(pose[0]), np.sin(pose[0])
    return points @ np.array([[c, s], [-s, c]]) + pose[1:]


def refutation(
    lattice: Lattice,
    pieces: Mapping[int, Cells],
    moving: Collection[int],
    turn: Turn,
    play: float,
    *,
    samples: int = 2000,
    seed: int = 1,
) -> str:
    """A moment at which a turn is seen to be impossible; "" if none was found. There is no bevel.

    Args:
        pieces, moving: The cells of the group, and which pieces turn.
        samples: How many moments are looked at, evenly spread; and as many by chance.
    """
    ground = Ground.along(lattice, turn.axis)
    last = len(turn.path) - 1
    moments = np.unique(
        np.concatenate([np.linspace(0, last, samples), np.random.default_rng(seed).uniform(0, last, samples)])
    )
    paths = {k: _sampled(path, moments, ground) for k, path in _paths(pieces, moving, turn).items()}
    gap = play * ground.edge + (SLACK if play else SLACK_IN_CONTACT)
    shapes = {k: ground.bodies(cells, gap, turn.middle) for k, cells in pieces.items()}
    for one, other in combinations(pieces, 2):
        for layer in shapes[one].keys() & shapes[other].keys():
            first, second = (moved(shapes[k][layer], paths[k]) for k in (one, other))
            met = np.flatnonzero(shapely.intersects(first, second))
            if len(met):
                return f"pieces {one} and {other} overlap {moments[met[0]]:.4f} poses after the start"
    return _wrong_end(ground, pieces, moving, turn, {k: path[-1] for k, path in paths.items()})


def refutations(lattice: Lattice, solution: Solution, plan: Disassembly, *, samples: int = 2000) -> Iterator[str]:
    """What is seen to be impossible in the turns of a plan."""
    where = {k: np.array(placement.cells, np.int32) for k, placement in enumerate(solution.placements)}
    for separation in plan.separations:
        for number, step in enumerate(separation.steps, 1):
            if step.turn is not None:
                group = {k: where[k] for k in separation.pieces}
                text = refutation(lattice, group, step.pieces, step.turn, plan.turning.play, samples=samples)
                if text:
                    yield f"move {number}: {text}"
            for k in step.pieces:
                cells = (
                    where[k] if step.turn is None else lattice.transformations[step.turn.transformation].apply(where[k])
                )
                shift = step.shift if step.turn is None else step.turn.shift
                where[k] = cells + np.array((0, *shift), np.int32)


def _paths(pieces: Mapping[int, Cells], moving: Collection[int], turn: Turn) -> dict[int, tuple]:
    still = ((0.0,) * len(turn.path[0]),) * len(turn.path)
    own = {one.piece: one.path for one in turn.giving}
    return {k: own.get(k, turn.path if k in moving else still) for k in pieces}


def _sampled(path, moments, ground: Ground):
    poses = np.array([np.interp(moments, range(len(path)), column) for column in np.array(path).T]).T
    return np.column_stack([np.radians(poses[:, 0]), poses[:, 1:] @ ground.plane.T])


def moved(shape: shapely.Geometry, poses):
    """A shape at each of many poses."""
    shapes = np.array([shape] * len(poses))
    points, of = shapely.get_coordinates(shapes, return_index=True)
    c, s = np.cos(poses[of, 0]), np.sin(poses[of, 0])
    turned = np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])
    return shapely.set_coordinates(shapes, turned + poses[of, 1:])


def _wrong_end(ground: Ground, pieces, moving, turn: Turn, ends) -> str:
    for k, cells in pieces.items():
        there = ground.lattice.transformations[turn.transformation].apply(cells) + np.array((0, *turn.shift), np.int32)
        expected = ground.lattice.centres(there if k in moving else cells)
        begun = ground.lattice.centres(cells) - turn.middle
        found = placed(begun @ ground.plane.T, ends[k])
        if np.abs(found - (expected - turn.middle) @ ground.plane.T).max() > 1e-4:
            return f"piece {k} does not end where it should"
    return ""
