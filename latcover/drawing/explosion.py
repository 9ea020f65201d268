"""How the parts of a solution move apart, so that one sees each of them: for models, and for the page in space.

Each part moves away from the middle of all, in proportion to the distance of its own middle. This leaves parts whose
middles lie together where they are, for example a core and the ring around it. Such parts move apart further, until
their convex hulls are disjoint.

If it is known how the parts come apart, each group moves the way in which it leaves the others, until it is clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from latcover.drawing.outlines import Points
from latcover.drawing.scene import Item, Scene
from latcover.model.disassembly import Disassembly, Pieces
from latcover.model.lattice import Lattice

FULL = 1.6  # the share at which the page in space shows parts fully apart, and at which no two of them are entangled
ROOM = 0.08  # of the size of a cell: parts with a smaller gap between them are in each other's way
GAP = 0.35  # of the size of a cell: the gap to which they are moved apart
CLOSE = 0.25  # of the size of a cell: middles that are no further apart are nearly one
HOOKED = 0.5  # of the size of a cell: how deep hulls of parts with different middles may reach into each other
ROUNDS = 100  # of pushing parts apart; a few do
BLOCK = 1 << 18  # pairs that are looked at in one go
NEAR = 0.05  # of the size of a cell: middles that are closer than this are one
STEEP = 0.2  # the least share of a way along an axis on which a gap is looked for
GOLDEN = np.pi * (3 - sqrt(5))  # turns by this angle never come near each other
SPREAD = 64  # directions all around, besides the axes and the diagonals

Numbers = npt.NDArray[np.int64]
Pairs = npt.NDArray[np.int64]  # shape (n, 2)


def _directions() -> Points:
    """Unit vectors along which gaps are looked for, one of each and its opposite: axes first, shape (n, 3)."""
    steps = np.arange(SPREAD) + 0.5
    height, turn = 1 - steps / SPREAD, GOLDEN * steps  # Fibonacci's lattice on half a sphere
    radius = np.sqrt(1 - height**2)
    around = np.pi * np.arange(12) / 12
    signs = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T
    diagonals = np.array([sign for sign in signs.tolist() if sign > [0, 0, 0] and np.count_nonzero(sign) > 1])
    found: Points = np.concatenate(
        [
            np.eye(3),
            np.column_stack([np.cos(around), np.sin(around), np.zeros(12)]),
            diagonals / np.linalg.norm(diagonals, axis=1)[:, None],
            np.column_stack([radius * np.cos(turn), radius * np.sin(turn), height]),
        ]
    )
    return found


DIRECTIONS = _directions()
FLAT = np.flatnonzero(np.abs(DIRECTIONS[:, 2]) < 1e-9)  # those in the plane of a flat puzzle


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """How far a part reaches, as the gap between it and others is measured.

    Attributes:
        low, high: The least and the greatest distance along each of `DIRECTIONS`, shape (n,).
        centre: The mean of its corners or balls, shape (3,). Parts with one box can have different centres.
        corners, radii: Its corners, and its balls with their radii; a corner's is 0. Shapes (m, 3) and (m,).
    """

    low: Points
    high: Points
    centre: Points
    corners: Points
    radii: Points

    def along(self, axes: Points) -> tuple[Points, Points]:
        """The least and the greatest distance along each of some unit vectors, shape (n, 3)."""
        at = self.corners @ axes.T
        return (at - self.radii[:, None]).min(axis=0), (at + self.radii[:, None]).max(axis=0)


def reach_of(item: Item) -> Reach:
    """The reach of an item of a scene, where the scene has it; a flat one lies at height 0."""
    points, radii = [polygon.outer for polygon in item.polygons], []
    if item.solid is not None:
        points.append(item.solid.vertices)
    radii = [np.zeros(sum(map(len, points)))]
    if item.balls is not None:
        points.append(item.balls.centres)
        radii.append(item.balls.radii)
    corners = np.concatenate(points)
    corners = np.pad(corners, ((0, 0), (0, 3 - corners.shape[1])))
    radius = np.concatenate(radii)
    along = corners @ DIRECTIONS.T
    low, high = (along - radius[:, None]).min(axis=0), (along + radius[:, None]).max(axis=0)
    return Reach(low, high, corners.mean(axis=0), corners, radius)


def of_scene(scene: Scene, taken: tuple[Lattice, Disassembly] | None = None) -> Points:
    """How far each item of a scene moves at a share of 1, shape (n, 3); at other shares in proportion.

    *taken* says how the solution comes apart, if that is known.
    """
    reaches = [reach_of(item) for item in scene.items]
    places = np.zeros((len(reaches), 3))
    if taken is not None and taken[1].separations:
        return moves_in_order(reaches, places, scene.size, *taken)
    return moves(reaches, places, scene.size, flat=scene.dimension == 2)


def exploded(scene: Scene, share: float, taken: tuple[Lattice, Disassembly] | None = None) -> Scene:
    """A scene whose items stand apart by *share*; cells that stay empty are left out. *taken* is as in `of_scene`."""
    shown = replace(scene, items=tuple(item for item in scene.items if not item.faint))
    if not share or not shown.items:
        return scene
    by = share * of_scene(shown, taken)[:, : scene.dimension]
    items = tuple(item.moved(shift) for item, shift in zip(shown.items, by, strict=True))
    reaches = [reach_of(item) for item in items]
    low = np.min([reach.low[: scene.dimension] for reach in reaches], axis=0)
    high = np.max([reach.high[: scene.dimension] for reach in reaches], axis=0)
    return replace(shown, items=items, low=low, high=high)


def moves_in_order(
    parts: Sequence[Reach], places: Points, size: float, lattice: Lattice, disassembly: Disassembly
) -> Points:
    """As `moves`, in the order in which the parts come off: each group goes the way of its last move.

    Args:
        parts: All that is shown of a solution, the pieces first; what follows them stays.
        places: As in `moves`.
        size: The longest side of a cell.
        lattice: That of the solution.
        disassembly: How the solution comes apart.
    """
    apart = {separation.pieces: separation for separation in disassembly.separations}
    moved = np.zeros((len(parts), 3))

    def spread(group: Pieces) -> None:
        if group not in apart:
            return
        separation = apart[group]
        spread(separation.stays)
        spread(separation.removed)
        way = in_space(np.array(separation.steps[-1].direction) @ lattice.basis)
        way /= np.linalg.norm(way)
        frame = _frame(way)
        boxes = np.array([parts[k].along(frame) for k in range(disassembly.n_pieces)])
        at = (places + moved)[: disassembly.n_pieces] @ frame.T
        low, high = boxes[:, 0] + at, boxes[:, 1] + at
        stays, removed = list(separation.stays), list(separation.removed)
        beside = ROOM * size  # parts that touch on the way are in each other's way here
        meets = low[removed][:, None, 1:] < high[stays][:, 1:] + beside
        meets &= high[removed][:, None, 1:] > low[stays][:, 1:] - beside
        lacking = high[stays][:, 0] + GAP * size - low[removed][:, None, 0]
        moved[removed] += max(0.0, lacking[meets.all(axis=2)].max(initial=0.0)) * way

    spread(tuple(range(disassembly.n_pieces)))
    pieces = slice(disassembly.n_pieces)
    before = np.array([[part.low[:3], part.high[:3]] for part in parts[pieces]]) + places[pieces, None]
    after = before + moved[pieces, None]
    middles = [(boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2 for boxes in (before, after)]
    moved[pieces] += middles[0] - middles[1]
    return moved / FULL


def in_space(vector: Points) -> Points:
    """A Cartesian vector of a lattice in three coordinates."""
    return np.pad(np.asarray(vector, np.float64), (0, 3 - len(vector)))


def _frame(way: Points) -> Points:
    """Three unit vectors at right angles, *way* first."""
    other = np.eye(3)[np.abs(way).argmin()]
    side = np.cross(way, other)
    side /= np.linalg.norm(side)
    return np.stack([way, side, np.cross(way, side)])


def moves(parts: Sequence[Reach], places: Points, size: float, *, flat: bool) -> Points:
    """How far each part moves at a share of 1, shape (n, 3); at other shares in proportion.

    Args:
        parts: All that is shown of a solution.
        places: By how much each of them stands elsewhere than its reach says, shape (n, 3).
        size: The longest side of a cell.
        flat: Whether everything lies in one plane, and is to stay there.
    """
    if not parts:
        return np.zeros((0, 3))
    chosen = FLAT if flat else np.arange(len(DIRECTIONS))
    along = places @ DIRECTIONS.T
    low, high = np.array([part.low for part in parts]) + along, np.array([part.high for part in parts]) + along
    centres = np.array([part.centre for part in parts]) + places
    middles = (low + high)[:, :3] / 2
    moved: Points = middles - (low[:, :3].min(axis=0) + high[:, :3].max(axis=0)) / 2
    crowd = _Crowd(low[:, chosen], high[:, chosen], DIRECTIONS[chosen], centres, size)
    for _ in range(ROUNDS):
        pairs = crowd.entangled(moved)
        if not len(pairs):
            break
        moved = moved + crowd.pushes(pairs, moved)
    return moved


@dataclass(frozen=True, slots=True, eq=False)
class _Crowd:
    """Parts in their places: how far they reach along *axes*, as in `Reach`, shape (parts, axes), and their centres."""

    low: Points
    high: Points
    axes: Points
    centres: Points
    size: float

    def entangled(self, moved: Points) -> Pairs:
        """The pairs of parts that are fully apart and still in each other's way."""
        numbers, found = np.arange(len(moved)), [np.zeros((0, 2), np.int64)]
        middle, half = (self.low + self.high)[:, :3] / 2 + FULL * moved, (self.high - self.low)[:, :3] / 2
        rows = 1 + BLOCK // len(moved)
        for start in range(0, len(moved), rows):
            here = slice(start, start + rows)
            close = np.square(moved[here, None] - moved).sum(axis=2) < (CLOSE * self.size) ** 2
            limit = self.size * np.where(close, ROOM, -HOOKED)
            near = numbers[here, None] < numbers
            for k in range(3 if self.axes[:, 2].any() else 2):  # the boxes first: few pairs are left
                near &= np.abs(middle[here, None, k] - middle[:, k]) - (half[here, None, k] + half[:, k]) < limit
            one, other = np.nonzero(near)
            if len(one):
                gap = self._gaps(one + start, other, moved).max(axis=1)
                found.append(np.column_stack([one + start, other])[gap < limit[one, other]])
        return np.concatenate(found)

    def _gaps(self, one: Numbers, other: Numbers, moved: Points) -> Points:
        """How far parts are from others along each of the axes, on the side that each is on; negative within them."""
        along = FULL * (moved[one] - moved[other]) @ self.axes.T
        return np.maximum(self.low[one] - self.high[other] + along, self.low[other] - self.high[one] - along)

    def pushes(self, pairs: Pairs, moved: Points) -> Points:
        """How far each part must move besides, so that *pairs* come apart; each of two parts takes half the way."""
        one, other = pairs.T
        way = self._ways(one, other, moved)
        along = FULL * (moved[one] - moved[other]) @ self.axes.T
        share = way @ self.axes.T
        ahead, behind = self.low[one] - self.high[other] + along, self.low[other] - self.high[one] - along
        gap = np.where(share > 0, ahead, behind)
        with np.errstate(divide="ignore"):
            lacking = np.where(np.abs(share) > STEEP, (GAP * self.size - gap) / np.abs(share), np.inf)
        push = lacking.min(axis=1)[:, None] * way / (2 * FULL)
        total = np.zeros_like(moved)
        np.add.at(total, one, push)
        np.add.at(total, other, -push)
        return total

    def _ways(self, one: Numbers, other: Numbers, moved: Points) -> Points:
        """The unit vectors along which the first of each pair leaves the second.

        As they move already; where both move alike, from centre to centre; where the centres are one, by their numbers.
        """
        turn = GOLDEN * np.arange(len(moved))
        flat = not self.axes[:, 2].any()
        height = np.zeros(len(moved)) if flat else np.linspace(-0.9, 0.9, len(moved))
        fan = np.column_stack([np.cos(turn), np.sin(turn), height])
        way = fan[one] - fan[other]
        for places in (self.centres, moved):
            apart = places[one] - places[other]
            far = np.linalg.norm(apart, axis=1) > NEAR * self.size
            way[far] = apart[far]
        unit: Points = way / np.linalg.norm(way, axis=1)[:, None]
        return unit
