"""Turns in which all parts may give way, by brute force: a shaker that finds some.

It turns some parts bit by bit. What they run into is pushed out of the way, or they are; where that fails, all are
shaken. Its bodies are those of a geometry library, grown by half of what moves between two samples. So what it finds is
a motion, and can contradict a claim that there is none. That it finds none says nothing.

It knows neither the searches of turns nor their replay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from random import Random

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Transformation
from latcover.core.model.turn_data import Giving, Turn
from tests.turn_judge import Ground, moved, placed

FREE = 1e-7  # a depth that is none


class Goal(Struct, frozen=True, eq=False):
    """A place of the lattice where the parts that turn may end, and their pose there."""

    transformation: int
    shift: tuple[int, ...]
    pose: np.ndarray


class Shaker:
    """Some parts of the plane, or of layers, that are to turn while others may give way.

    Args:
        pieces: The cells of each.
        moving: Which of them turn.
        loose: Which of the others give way. One should not: the frame.
        play: Of each part.
        share: Of the play that is used up by what parts move from a sample to the next.
    """

    def __init__(
        self,
        ground: Ground,
        pieces: Mapping[int, Cells],
        moving: Collection[int],
        loose: Collection[int],
        play: float,
        rng: Random,
        share: float = 0.2,
    ) -> None:
        self.ground, self.pieces, self.moving, self.rng = ground, pieces, sorted(moving), rng
        self.numbers = list(pieces)
        self.gap = play * ground.edge
        self.most = share * self.gap  # that anything moves from a sample to the next
        centres = ground.lattice.centres(np.concatenate([pieces[k] for k in self.moving]))
        self.middle = (centres.min(axis=0) + centres.max(axis=0)) / 2
        self.turns = np.array([k in moving for k in self.numbers])
        self.free = np.array([k in moving or k in loose for k in self.numbers])
        self.shapes = [ground.bodies(pieces[k], self.gap - self.most / 2 - 1e-5, self.middle) for k in self.numbers]
        corners, sides = [], []
        for number, layers in enumerate(self.shapes):
            for layer, body in layers.items():
                for ring in _rings(body):
                    corners += [(number, layer, *at) for at in ring]
                    ends = np.column_stack([ring, np.roll(ring, -1, axis=0)])
                    sides += [(number, layer, *side) for side in ends]
        self.corners, self.sides = np.array(corners), np.array(sides)
        self.of_corner, self.of_side = self.corners[:, 0].astype(int), self.sides[:, 0].astype(int)
        self.apart = (self.of_corner[:, None] != self.of_side) & (self.corners[:, 1:2] == self.sides[:, 1])
        self.starts = np.searchsorted(self.of_side, range(len(self.numbers)))
        self.centre = np.array([self.corners[self.of_corner == k, 2:].mean(axis=0) for k in range(len(self.numbers))])
        self.radius = np.array(
            [
                np.linalg.norm(self.corners[self.of_corner == k, 2:] - self.centre[k], axis=1).max()
                for k in range(len(self.numbers))
            ]
        )

    def turn(self, angle: float, trials: int = 6) -> Turn | None:
        """A motion that turns the parts by *angle*, in radians, to a place of the lattice; None if none was found."""
        goals = self._goals(angle)
        for trial in range(trials if goals else 0):
            way = [np.zeros((len(self.numbers), 3))]
            if trial % 3:
                self._drive(way, np.array([0.0, self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)]))
            if self._drive(way, np.array([angle - way[-1][self.turns, 0].mean(), 0.0, 0.0])):
                for goal in sorted(goals, key=lambda goal: self._off(way[-1], goal))[:3]:
                    there = way.copy()
                    if self._dock(there, goal) and self._is_clear(np.array(there)):
                        return self._as_turn(there, goal, angle)
        return None

    def _drive(self, way: list, by: np.ndarray) -> bool:
        """Moves what turns by an angle and a shift, in steps; what is in the way is pushed. Whether it got there."""
        centre = placed(self.centre, (0.0, 0.0, 0.0))[self.turns].mean(axis=0)
        arm = self.radius[self.turns].max() + np.linalg.norm(self.centre[self.turns] - centre, axis=1).max()
        n = int(np.ceil((abs(by[0]) * arm + np.linalg.norm(by[1:])) / (0.7 * self.most)))
        done, stuck = 0, 0
        while done < n and stuck < 8:
            step = by / n
            pushed = self._pushed_apart(self._driven(way[-1], step))
            gone = pushed is not None and np.dot((pushed - way[-1])[self.turns].mean(axis=0), step) > 0.3 * step @ step
            if gone and self._joins(way, pushed):
                done, stuck = done + 1, max(0, stuck - 0.1)
            else:
                stuck += 1
                self._shake(way)
        return done == n

    def _driven(self, poses, step):
        """The poses with what turns moved by a step about its middle."""
        found = poses.copy()
        centres = np.array([placed(self.centre[k], poses[k]) for k in range(len(poses))])
        middle = centres[self.turns].mean(axis=0)
        for k in np.flatnonzero(self.turns):
            found[k, 0] += step[0]
            there = placed(centres[k] - middle, (step[0], 0.0, 0.0)) + middle + step[1:]
            found[k, 1:] = there - placed(self.centre[k], (found[k, 0], 0.0, 0.0))
        return found

    def _shake(self, way: list) -> None:
        """Moves all parts a little, each as far as it gets."""
        for _ in range(2):
            poses = way[-1].copy()
            for k in np.flatnonzero(self.free):
                at = placed(self.centre[k], poses[k]) + [self.rng.gauss(0, self.gap / 2) for _ in range(2)]
                poses[k, 0] += self.rng.gauss(0, self.gap / 3) / self.radius[k]
                poses[k, 1:] = at - placed(self.centre[k], (poses[k, 0], 0.0, 0.0))
            pushed = self._pushed_apart(poses)
            if pushed is not None:
                self._joins(way, pushed)

    def _dock(self, way: list, goal: Goal) -> bool:
        """Leads all parts to where they end, what turns to its goal."""
        ends = np.where(self.turns[:, None], goal.pose, 0.0)
        stuck = 0
        while stuck < 8:
            if self._joins(way, ends):
                return True
            step = ends - way[-1]
            far = self._moved(way[-1], ends).max()
            pushed = self._pushed_apart(way[-1] + step * min(1.0, self.most / far))
            nearer = pushed is not None and self._moved(pushed, ends).max() < far - 0.2 * min(far, self.most)
            if not (nearer and self._joins(way, pushed)):
                stuck += 1
                self._shake(way)
        return False

    def _pushed_apart(self, poses, rounds: int = 12):
        """The poses after parts that overlap were pushed apart; None if they still do."""
        poses = poses.copy()
        for _ in range(rounds):
            contacts = self._contacts(poses)
            if not contacts:
                return poses
            for k, other, at, across, depth in contacts:
                arms = [(at - placed(self.centre[j], poses[j])) for j in (k, other)]
                levers = [float(arm[0] * across[1] - arm[1] * across[0]) for arm in arms]
                slow = [0.2 if self.turns[j] else 1.0 for j in (k, other)]
                give = [float(self.free[j]) for j in (k, other)]
                turns = [g * s / self.radius[j] ** 2 for g, s, j in zip(give, slow, (k, other), strict=True)]
                whole = sum(g + t * lever**2 for g, t, lever in zip(give, turns, levers, strict=True))
                if not whole:
                    continue
                push = (1.1 * depth + 1e-3 * self.gap) / whole
                for j, sign, g, t, lever in zip((k, other), (1, -1), give, turns, levers, strict=True):
                    there = placed(self.centre[j], poses[j]) + sign * push * g * across
                    poses[j, 0] += sign * push * t * lever
                    poses[j, 1:] = there - placed(self.centre[j], (poses[j, 0], 0.0, 0.0))
        return None

    def _contacts(self, poses) -> list[tuple[int, int, np.ndarray, np.ndarray, float]]:
        """Corners within other parts: the part, the other one, where, the way out and how far it is."""
        c, s = np.cos(poses[:, 0]), np.sin(poses[:, 0])
        rows = np.stack([np.column_stack([c, s]), np.column_stack([-s, c])], axis=1)
        at = np.einsum("ni,nij->nj", self.corners[:, 2:], rows[self.of_corner]) + poses[self.of_corner, 1:]
        first, last = (
            np.einsum("ni,nij->nj", self.sides[:, ends], rows[self.of_side]) + poses[self.of_side, 1:]
            for ends in (slice(2, 4), slice(4, 6))
        )
        above = first[:, 1] > at[:, 1:], last[:, 1] > at[:, 1:]
        along = last - first
        with np.errstate(divide="ignore", invalid="ignore"):
            right = at[:, :1] < along[:, 0] * (at[:, 1:] - first[:, 1]) / along[:, 1] + first[:, 0]
        crossed = self.apart & (above[0] != above[1]) & right
        inside = np.add.reduceat(crossed, self.starts, axis=1, dtype=int) % 2
        found = []
        for corner, other in zip(*np.nonzero(inside), strict=True):
            of = self.apart[corner] & (self.of_side == other)
            ways = along[of]
            share = ((at[corner] - first[of]) * ways).sum(axis=1) / (ways**2).sum(axis=1)
            out = first[of] + share.clip(0, 1)[:, None] * ways - at[corner]
            depths = np.linalg.norm(out, axis=1)
            nearest = int(depths.argmin())
            if depths[nearest] > FREE:
                found.append(
                    (
                        int(self.of_corner[corner]),
                        int(other),
                        at[corner],
                        out[nearest] / depths[nearest],
                        float(depths[nearest]),
                    )
                )
        return found

    def _moved(self, poses, others):
        """How far parts move at most between two poses of each."""
        turned = np.abs(others[:, 0] - poses[:, 0])
        there, here = (
            np.array([placed(self.centre[k], each[k]) for k in range(len(each))]) for each in (others, poses)
        )
        bend = np.linalg.norm(self.centre, axis=1) * turned**2 / 2
        return np.linalg.norm(there - here, axis=1) + turned * self.radius + bend

    def _joins(self, way: list, poses) -> bool:
        """Adds the straight motion to some poses to a way, if nothing overlaps on it."""
        begin = way[-1]
        n = max(1, int(np.ceil(self._moved(begin, poses).max() / self.most)))
        if n > 40:
            return False
        between = [begin + (poses - begin) * k / n for k in range(1, n + 1)]
        if any(self._contacts(each) for each in between):
            return False
        way += between
        return True

    def _is_clear(self, poses) -> bool:
        """Whether no bodies overlap in any sample, also without a corner of one within the other."""
        for one, other in combinations(range(len(self.numbers)), 2):
            for layer in self.shapes[one].keys() & self.shapes[other].keys():
                first, second = (moved(self.shapes[k][layer], poses[:, k]) for k in (one, other))
                if (shapely.area(shapely.intersection(first, second)) > FREE).any():
                    return False
        return True

    def _goals(self, angle: float) -> list[Goal]:
        """The places of the lattice within two steps at which what turns may end."""
        lattice, plane = self.ground.lattice, self.ground.plane
        cells = np.concatenate([self.pieces[k] for k in self.moving])
        staying = {tuple(c) for k in self.numbers if k not in self.moving for c in self.pieces[k].tolist()}
        begun = (lattice.centres(cells) - self.middle) @ plane.T
        heights = lattice.centres(cells) @ self.ground.axis[: lattice.dimension]
        found = []
        for number, transformation in enumerate(lattice.transformations):
            if not self._turns_by(transformation, angle):
                continue
            image = transformation.apply(cells)
            spans = [range(-9, 10)] * lattice.dimension
            shifts = np.stack(np.meshgrid(*spans, indexing="ij"), -1).reshape(-1, lattice.dimension)
            by = shifts @ lattice.basis
            first = (lattice.centres(image[:1])[0] - self.middle) @ plane.T - placed(begun[0], (angle, 0.0, 0.0))
            near = np.linalg.norm(by @ plane.T + first, axis=1) < 2.1 * self.ground.edge
            for shift in shifts[near]:
                there = image + np.array((0, *shift), np.int32)
                centres = lattice.centres(there)
                pose = np.array([angle, *((centres[0] - self.middle) @ plane.T - placed(begun[0], (angle, 0.0, 0.0)))])
                same = np.abs(placed(begun, pose) - (centres - self.middle) @ plane.T).max() < 1e-6
                level = self.ground.flat or np.abs(centres @ self.ground.axis - heights).max() < 1e-6
                if same and level and staying.isdisjoint(map(tuple, there.tolist())):
                    found.append(Goal(number, tuple(shift.tolist()), pose))
        return found

    def _turns_by(self, transformation: Transformation, angle: float) -> bool:
        """Whether a transformation is the rotation by an angle."""
        basis, plane = self.ground.lattice.basis, self.ground.plane
        rows = np.linalg.inv(basis) @ transformation.matrix.T @ basis
        return transformation.proper and np.allclose(plane @ rows, placed(np.eye(2), (angle, 0.0, 0.0)) @ plane)

    def _off(self, poses, goal: Goal) -> float:
        return float(np.linalg.norm(poses[self.turns, 1:].mean(axis=0) - goal.pose[1:]))

    def _as_turn(self, way: list, goal: Goal, angle: float) -> Turn:
        """The motion as a claim; each part has its own path."""
        poses = np.array(way)
        paths = {
            k: tuple(map(tuple, np.column_stack([np.degrees(at[:, 0]), at[:, 1:] @ self.ground.plane]).tolist()))
            for k, at in zip(self.numbers, poses.transpose(1, 0, 2), strict=True)
        }
        giving = tuple(Giving(k, paths[k]) for k in self.numbers if k != self.moving[0] and np.any(paths[k]))
        turn = Turn(
            tuple(self.ground.axis.tolist()), float(np.degrees(angle)), goal.transformation, goal.shift, True,
            tuple(self.middle.tolist()), paths[self.moving[0]],
        )  # fmt: skip
        return replace(turn, giving=giving)


def _rings(body: shapely.Geometry) -> Iterator[np.ndarray]:
    """The corners of each ring of an outline."""
    for polygon in shapely.get_parts(body):
        for ring in (polygon.exterior, *polygon.interiors):
            yield shapely.get_coordinates(ring.simplify(1e-6))[:-1]
