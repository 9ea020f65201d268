"""Data for shaping and moving parts in the editor: solids, neighbours and motions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from latcover.apps.web.editor_answers import MotionData, NodeInSpace
from latcover.core.model.lattice import Lattice, Transformation
from latcover.show.drawing.shapes.cell_corners import Corners, flat_dimension, rings_of_node
from latcover.show.drawing.shapes.outlines import Points

DIGITS = 5
NEAR = 1e-4
EYE = np.array([0.62, -1, 0.72])  # from where solids are seen; axes of turns point to this side
SHARES = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth", 12: "twelfth"}
AXES = ("from left to right", "from front to back", "upright")
SIDES = (("left", "right"), ("front", "back"), ("top", "bottom"))


@lru_cache(maxsize=16)
def nodes_in_space(lattice: Lattice) -> tuple[NodeInSpace, ...]:
    """Data of each node's cell at the origin, for views in space."""
    return tuple(_node_in_space(lattice, node) for node in range(len(lattice.nodes)))


def _node_in_space(lattice: Lattice, node: int) -> NodeInSpace:
    origin = (node, *(0,) * lattice.dimension)
    beside = list(dict.fromkeys(lattice.neighbours(origin)))
    listed = [list(cell) for cell in beside]
    if flat_dimension(lattice) == 2 or lattice.nodes[node].drawing.radius > 0:
        return NodeInSpace(beside=listed)
    vertices, faces = rings_of_node(lattice, node)
    corners = Corners(lattice, list(dict.fromkeys([origin, *beside])))
    behind = {frozenset(ring): cell for cell in beside if cell != origin for ring in corners.rings(cell)}
    across = [behind.get(frozenset(ring)) for ring in corners.rings(origin)]
    return NodeInSpace(
        beside=listed,
        vertices=np.round(vertices, DIGITS).tolist(),
        faces=[list(ring) for ring in faces],
        across=[None if cell is None else list(cell) for cell in across],
    )


@lru_cache(maxsize=16)
def motions(lattice: Lattice) -> tuple[MotionData, ...]:
    """Motions of the lattice that a user may choose: the least turn about each axis, and each mirror."""
    found: dict[tuple[Any, ...], tuple[float, Transformation, str, Points]] = {}
    first: dict[bytes, Transformation] = {}
    for motion in lattice.transformations:
        first.setdefault(_turn(motion), motion)
    for motion in first.values():
        kind, angle, axis = _kind(lattice, motion)
        if kind not in ("turn", "mirror"):
            continue
        key = (kind, *(np.round(axis, 3) + 0.0).tolist())
        if angle > 0 and (key not in found or angle < found[key][0] - NEAR):
            found[key] = (angle, motion, kind, axis)
    listed = sorted(found.values(), key=lambda one: (one[2] != "turn", -_straight(one[3]), one[0]))
    chosen = [motion for _, motion, _, axis in listed if _straight(axis)]
    known = _group(lattice, chosen)
    named = sorted(lattice.generators.items(), key=lambda item: not item[1].proper)
    extra: list[tuple[float, Transformation, str, Points]] = []
    for name, motion in named:
        if _turn(motion) in known:
            continue
        same = next((one for one in listed if _turn(motion) in _group(lattice, [one[1]])), None)
        if same is None:
            extra.append((0.0, motion, name, np.zeros(3)))
        chosen.append(same[1] if same else motion)
        known = _group(lattice, chosen)
    main = {motion.labels for motion in chosen}
    flat = flat_dimension(lattice) == 2
    listed += extra
    return tuple(
        MotionData(
            name=kind if motion in [one[1] for one in extra] else _words(kind, angle, axis, flat),
            kind=("turn" if kind == "turn" else "mirror") if kind in ("turn", "mirror") and angle else "other",
            axis=(np.round(axis, DIGITS) + 0.0).tolist(),
            main=motion.labels in main,
            nodes=motion.nodes.tolist(),
            matrix=motion.matrix.tolist(),
            shifts=motion.shifts.tolist(),
        )
        for angle, motion, kind, axis in listed
    )


def _turn(motion: Transformation) -> bytes:
    """The effect of a motion on directions. Motions that differ by a shift are the same for users."""
    return motion.matrix.tobytes()


def _group(lattice: Lattice, some: list[Transformation]) -> set[bytes]:
    """The effects on directions of all products of some motions."""
    found = {_turn(one): one for one in lattice.transformations[:1]}
    queue = list(found.values())
    for element in queue:
        for motion in some:
            product = motion.after(element)
            if _turn(product) not in found:
                found[_turn(product)] = product
                queue.append(product)
    return set(found)


def _straight(axis: Points) -> int:
    """2 for the upright axis of the picture, 1 for its other axes, 0 for all others."""
    return int(np.abs(axis).max() > 1 - NEAR) * (2 if abs(axis[2]) > 1 - NEAR else 1)


def _kind(lattice: Lattice, motion: Transformation) -> tuple[str, float, Points]:
    """A motion in the picture: its kind, the angle of a turn in degrees, and its axis, towards the viewer."""
    basis = lattice.basis
    rotation = np.eye(3)
    size = lattice.dimension
    rotation[:size, :size] = (np.linalg.inv(basis) @ motion.matrix.T @ basis).T
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > NEAR:
        return "other", 0.0, np.zeros(3)
    proper = np.linalg.det(rotation) > 0
    turn = rotation if proper else -rotation
    angle = float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))
    if angle < NEAR or (not proper and angle < 180 - 1e-2):
        return "other", 0.0, np.zeros(3)
    if angle > 180 - 1e-2:
        square = (turn + np.eye(3)) / 2  # the axis times itself
        axis = square[np.argmax(np.diag(square))]
        axis = axis / np.linalg.norm(axis)
        axis *= 1 if axis @ (EYE + 1e-3) > 0 else -1
    else:
        axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        axis = axis / np.linalg.norm(axis)
        if axis @ (EYE + 1e-3) < 0:
            return "turn" if proper else "other", -angle, -axis  # its inverse is the one to be offered
    return "turn" if proper else "mirror", angle, axis


def _words(kind: str, angle: float, axis: Points, flat: bool) -> str:
    straight = int(np.argmax(np.abs(axis))) if _straight(axis) else None
    towards = f"along ({', '.join(f'{x + 0.0:.2g}' for x in np.round(axis / np.abs(axis).max(), 2))})"
    if kind == "mirror":
        if straight is None:
            return f"mirror {towards.replace(', 0)', ')') if flat else towards}"
        one, other = ("top", "bottom") if flat and straight == 1 else SIDES[straight]
        return f"mirror, {one} and {other} exchanged"
    share = SHARES.get(round(360 / angle), f"{angle:.0f} degree")
    return (
        f"{share} turn"
        if flat
        else f"{share} turn about the axis {AXES[straight] if straight is not None else towards}"
    )
