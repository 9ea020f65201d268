"""Exploded views: how the parts of a solution move apart, for pictures, models and the 3D page.

Each part moves away from the common middle, in proportion to the distance of its own middle. Parts whose middles
coincide, such as a core and the ring around it, would stay together. They move further, until their convex hulls are
disjoint.

If a disassembly is known, each group moves in the direction in which it leaves the others, until it is clear of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly, Pieces
from latcover.core.model.lattice import Lattice
from latcover.show.drawing.scenes.scene_model import Scene, SceneItem
from latcover.show.drawing.shapes.outlines import Points, padded

FULL = 1.6  # the share at which parts are fully apart on the 3D page, and no two of them are entangled
ROOM = 0.08  # of the size of a cell: parts with a smaller gap obstruct each other
GAP = 0.35  # of the size of a cell: the gap to which they are moved apart
CLOSE = 0.25  # of the size of a cell: middles that are closer are nearly equal
HOOKED = 0.5  # of the size of a cell: how deep the hulls of parts with different middles may overlap
ROUNDS = 100  # of pushing parts apart; a few are enough
BLOCK = 1 << 18  # pairs per NumPy operation
NEAR = 0.05  # of the size of a cell: middles that are closer are equal
STEEP = 0.2  # gaps are only measured along axes with at least this cosine to the direction of movement
GOLDEN = np.pi * (3 - sqrt(5))  # multiples of this angle never come close to each other
SPREAD = 64  # directions all around, besides the axes and the diagonals

Numbers = npt.NDArray[np.int64]
Pairs = npt.NDArray[np.int64]  # shape (n, 2)


def _directions() -> Points:
    """The unit vectors along which gaps are measured, without opposites, axes first; shape (n, 3)."""
    steps = np.arange(SPREAD) + 0.5
    height, turn = 1 - steps / SPREAD, GOLDEN * steps  # Fibonacci's lattice on half a sphere
    radius = np.sqrt(1 - height**2)
    around = np.pi * np.arange(12) / 12
    signs = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T
    diagonals = np.array([sign for sign in signs.tolist() if sign > [0, 0, 0] and np.count_nonzero(sign) > 1])
    diagonals = diagonals / np.linalg.norm(diagonals, axis=1)[:, None]
    level = np.column_stack([np.cos(around), np.sin(around), np.zeros(12)])
    spread = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), height])
    return np.concatenate([np.eye(3), level, diagonals, spread])


DIRECTIONS = _directions()
FLAT = np.flatnonzero(np.abs(DIRECTIONS[:, 2]) < 1e-9)  # the directions within the plane of a flat puzzle


class PartExtent(Struct, frozen=True, eq=False):
    """The extent of a part along many directions, for measuring gaps between parts.

    Attributes:
        low, high: The least and the greatest distance along each of `DIRECTIONS`, shape (n,).
        centre: The mean of its corners or balls, shape (3,). Parts with equal boxes can have different centres.
        corners, radii: Its corners and the centres of its balls, (m, 3), and their radii, (m,); 0 for a corner.
    """

    low: Points
    high: Points
    centre: Points
    corners: Points
    radii: Points

    def along(self, axes: Points) -> tuple[Points, Points]:
        """The least and the greatest distance along each unit vector in *axes*, shape (n, 3)."""
        at = self.corners @ axes.T
        return (at - self.radii[:, None]).min(axis=0), (at + self.radii[:, None]).max(axis=0)


class RemovalOrder(Struct, frozen=True):
    """The order in which the parts of a solution move: how it comes apart on its lattice."""

    lattice: Lattice
    disassembly: Disassembly


def extent_of(item: SceneItem) -> PartExtent:
    """The extent of an item of a scene; a flat one lies at height 0."""
    points, radii = item.corners_and_radii
    corners = padded(points, 3)
    empty = np.zeros(0)
    own = PartExtent(empty, empty, corners.mean(axis=0), corners, radii)
    low, high = own.along(DIRECTIONS)
    return replace(own, low=low, high=high)


def of_scene(scene: Scene, order: RemovalOrder | None = None) -> Points:
    """How far each item of a scene moves at a share of 1, shape (n, 3); other shares are in proportion."""
    extents = [extent_of(item) for item in scene.items]
    places = np.zeros((len(extents), 3))
    if order is not None and order.disassembly.separations:
        return moves_in_order(extents, places, scene.size, order)
    return moves(extents, places, scene.size, flat=scene.dimension == 2)


def exploded(scene: Scene, share: float, order: RemovalOrder | None = None) -> Scene:
    """*scene* with its items moved apart by *share*, without empty cells."""
    shown = replace(scene, items=tuple(item for item in scene.items if not item.faint))
    if not share or not shown.items:
        return scene
    by = share * of_scene(shown, order)[:, : scene.dimension]
    items = tuple(item.moved(shift) for item, shift in zip(shown.items, by, strict=True))
    boxes = [item.box for item in items]
    return replace(shown, items=items, low=np.min(boxes, axis=(0, 1)), high=np.max(boxes, axis=(0, 1)))


def moves_in_order(parts: Sequence[PartExtent], places: Points, size: float, order: RemovalOrder) -> Points:
    """`moves` in the order of removal: each group goes in the direction of its last move.

    *parts* begins with the pieces; what follows them stays.
    """
    disassembly = order.disassembly
    apart = {separation.pieces: separation for separation in disassembly.separations}
    moved = np.zeros((len(parts), 3))

    def spread(group: Pieces) -> None:
        if group not in apart:
            return
        separation = apart[group]
        spread(separation.stays)
        spread(separation.removed)
        way = padded(np.array(separation.steps[-1].direction) @ order.lattice.basis, 3)
        way /= np.linalg.norm(way)
        frame = _frame(way)
        boxes = np.array([parts[k].along(frame) for k in range(disassembly.n_pieces)])
        at = (places + moved)[: disassembly.n_pieces] @ frame.T
        low, high = boxes[:, 0] + at, boxes[:, 1] + at
        stays, removed = list(separation.stays), list(separation.removed)
        beside = ROOM * size  # parts that touch on the way obstruct each other here
        meets = low[removed][:, None, 1:] < high[stays][:, 1:] + beside
        meets &= high[removed][:, None, 1:] > low[stays][:, 1:] - beside
        lacking = high[stays][:, 0] + GAP * size - low[removed][:, None, 0]
        moved[removed] += max(0.0, lacking[meets.all(axis=2)].max(initial=0.0)) * way

    spread(tuple(range(disassembly.n_pieces)))
    pieces = slice(disassembly.n_pieces)
    boxes = np.array([[part.low[:3], part.high[:3]] for part in parts[pieces]]) + places[pieces, None]
    moved[pieces] += middle_of(boxes) - middle_of(boxes + moved[pieces, None])
    return moved / FULL


def middle_of(boxes: Points) -> Points:
    """The middle of the box around *boxes*, shape (n, 2, 3)."""
    middle: Points = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2
    return middle


def _frame(way: Points) -> Points:
    """Three unit vectors at right angles, *way* first."""
    other = np.eye(3)[np.abs(way).argmin()]
    side = np.cross(way, other)
    side /= np.linalg.norm(side)
    return np.stack([way, side, np.cross(way, side)])


def moves(parts: Sequence[PartExtent], places: Points, size: float, *, flat: bool) -> Points:
    """How far each part moves at a share of 1, shape (n, 3); other shares are in proportion.

    Args:
        parts: The extents of everything shown of a solution.
        places: The offset of each part from its extent, shape (n, 3).
        size: The longest side of a cell.
        flat: Whether everything lies in one plane and must stay there.
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


class _Crowd(Struct, frozen=True, eq=False):
    """The extents of parts in their places along *axes*, shape (parts, axes), and their centres."""

    low: Points
    high: Points
    axes: Points
    centres: Points
    size: float

    def entangled(self, moved: Points) -> Pairs:
        """The pairs of parts that still obstruct each other when fully apart."""
        numbers, found = np.arange(len(moved)), [np.zeros((0, 2), np.int64)]
        middle, half = (self.low + self.high)[:, :3] / 2 + FULL * moved, (self.high - self.low)[:, :3] / 2
        rows = 1 + BLOCK // len(moved)
        for start in range(0, len(moved), rows):
            here = slice(start, start + rows)
            close = np.square(moved[here, None] - moved).sum(axis=2) < (CLOSE * self.size) ** 2
            limit = self.size * np.where(close, ROOM, -HOOKED)
            near = numbers[here, None] < numbers
            for k in range(3 if self.axes[:, 2].any() else 2):  # the boxes first, which few pairs pass
                near &= np.abs(middle[here, None, k] - middle[:, k]) - (half[here, None, k] + half[:, k]) < limit
            one, other = np.nonzero(near)
            if len(one):
                gap = np.maximum(*self._gaps(one + start, other, moved)).max(axis=1)
                found.append(np.column_stack([one + start, other])[gap < limit[one, other]])
        return np.concatenate(found)

    def _gaps(self, one: Numbers, other: Numbers, moved: Points) -> tuple[Points, Points]:
        """How far parts are ahead of *other* along each axis, and how far behind; negative where they overlap."""
        along = FULL * (moved[one] - moved[other]) @ self.axes.T
        return self.low[one] - self.high[other] + along, self.low[other] - self.high[one] - along

    def pushes(self, pairs: Pairs, moved: Points) -> Points:
        """How much further each part must move so that *pairs* come apart; the two share the distance equally."""
        one, other = pairs.T
        way = self._ways(one, other, moved)
        share = way @ self.axes.T
        gap = np.where(share > 0, *self._gaps(one, other, moved))
        with np.errstate(divide="ignore"):
            lacking = np.where(np.abs(share) > STEEP, (GAP * self.size - gap) / np.abs(share), np.inf)
        push = lacking.min(axis=1)[:, None] * way / (2 * FULL)
        total = np.zeros_like(moved)
        np.add.at(total, one, push)
        np.add.at(total, other, -push)
        return total

    def _ways(self, one: Numbers, other: Numbers, moved: Points) -> Points:
        """The unit vectors along which the first part of each pair leaves the second.

        The direction of their current movement; if both move alike, from centre to centre; if the centres coincide,
        by their numbers.
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
