"""Builds a scene from groups of cells: merges cells, bridges bends, finds cuts and layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from latcover.drawing.corners import Corners, cell_size, cells_array, flat_dimension, in_picture
from latcover.drawing.outlines import Ints, Points, polygons, sides, weld
from latcover.drawing.palette import RGB
from latcover.drawing.scene_model import Balls, Item, Patch, Scene
from latcover.drawing.side_marks import SideMark
from latcover.drawing.solids import solid
from latcover.model.lattice import Lattice
from latcover.model.solution import Cell

Tint = tuple[str, RGB | None]


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that become one item, and its look.

    *tints* holds the colour of each cell, if cells have colours: a name and a colour, or ("", None) for no colour.
    *paint* is the colour of cells without one; None takes that of the palette. *sides* marks those that are not flat.
    """

    name: str
    copy: int
    colour: int
    letter: str
    cells: tuple[Cell, ...]
    faint: bool = False
    tints: tuple[Tint, ...] = ()
    paint: RGB | None = None
    sides: tuple[SideMark, ...] = ()


def build_scene(lattice: Lattice, title: str, groups: Sequence[Group], period: Sequence[int]) -> Scene:
    """The scene of *groups*. *period* is the period of their region: 0 or empty if it does not close on itself."""
    bridges = [_bridges(lattice, group.cells) for group in groups]
    beyond = [_beyond(group.cells, period) for group in groups]
    drawn = [*(group.cells for group in groups), *bridges, *beyond]
    corners = Corners(lattice, sorted({cell for cells in drawn for cell in cells}))
    items = [
        replace(_item(corners, group, bridge), cuts=_cuts(corners, group.cells, ghosts))
        for group, bridge, ghosts in zip(groups, bridges, beyond, strict=True)
    ]
    boxes = [box for item in items for box in _box(item)]
    dimension = flat_dimension(lattice)
    low = np.min(boxes, axis=0) if boxes else np.zeros(dimension)
    high = np.max(boxes, axis=0) if boxes else np.zeros(dimension)
    heights = _heights(items, corners.tolerance) if dimension == 3 else (0.0,)
    if dimension == 3:
        items = [replace(item, levels=_levels(lattice, item, heights, corners.tolerance)) for item in items]
    return Scene(title, dimension, tuple(items), low, high, heights, cell_size(lattice), any(period))


def _bridges(lattice: Lattice, cells: Sequence[Cell]) -> dict[Cell, list[Cell]]:
    """Secondary cells that a copy does not cover although several of its cells meet there, each with these cells.

    A polystick that bends at a junction does not use the junction up, but it is drawn as one stick.
    """
    if flat_dimension(lattice) == 3 or not any(node.secondary for node in lattice.nodes):
        return {}
    own, found = set(cells), dict[Cell, list[Cell]]()
    for cell in cells:
        for there in lattice.neighbours(cell):
            if lattice.nodes[there[0]].secondary and there not in own:
                found.setdefault(there, []).append(cell)
    return {cell: around for cell, around in found.items() if len(around) > 1}


def _beyond(cells: Sequence[Cell], period: Sequence[int]) -> list[Cell]:
    """The images of *cells* one period further, in both directions along each periodic axis."""
    return [
        (*cell[: 1 + axis], cell[1 + axis] + turn, *cell[2 + axis :])
        for axis, length in enumerate(period)
        for turn in (-length, length)
        if length
        for cell in cells
    ]


def _cuts(corners: Corners, cells: Sequence[Cell], beyond: Sequence[Cell]) -> Points:
    """The sides that a copy shares with its own image one period further."""
    if not beyond or flat_dimension(corners.lattice) == 3:
        return np.empty((0, 2, 2))
    rings = corners.joined([*cells, *beyond])
    inner = set(sides(corners.joined(cells))) - set(sides(rings))
    return corners.points[np.array(sorted(inner), np.int64).reshape(-1, 2)]


def _item(corners: Corners, group: Group, bridges: dict[Cell, list[Cell]]) -> Item:
    lattice = corners.lattice
    rings = corners.joined(group.cells)
    for cell, around in bridges.items():
        touched = {v for other in around for ring in corners.rings(other) for v in ring}
        for ring in corners.rings(cell):
            bridge = tuple(v for v in ring if v in touched)
            if len(bridge) > 2:
                rings.append(bridge)
    flat = flat_dimension(lattice) == 2
    return Item(
        group.name,
        group.copy,
        group.colour,
        group.letter,
        group.faint,
        cells_array(lattice, group.cells),
        np.zeros(len(group.cells), np.int32),
        tuple(polygons(sides(rings), corners.points)) if flat else (),
        solid(corners.points, rings) if rings and not flat else None,
        _balls(lattice, group.cells),
        paint=(group.tints[0][1] if len(set(group.tints)) == 1 else None) or group.paint,
        sides=group.sides,
        signs=_signs(lattice, group) if flat and group.letter else (),
        patches=tuple(_patch(corners, group, tint) for tint in dict.fromkeys(group.tints) if len(set(group.tints)) > 1),
    )


def _signs(lattice: Lattice, group: Group) -> tuple[tuple[str, Points, RGB], ...]:
    """The characters by which the colours of all cells are called, as the numbers of dominoes are."""
    if not group.tints or not all(len(name) == 1 and rgb is not None for name, rgb in group.tints):
        return ()
    places = in_picture(lattice, lattice.centres(cells_array(lattice, group.cells)))[:, None, :2]
    return tuple((name, place, rgb) for (name, rgb), place in zip(group.tints, places, strict=True) if rgb is not None)


def _patch(corners: Corners, group: Group, tint: Tint) -> Patch:
    """The cells of *group* that have one tint."""
    drawings = [corners.lattice.nodes[cell[0]].drawing for cell in group.cells]
    number_of_ball = np.cumsum([drawing.radius > 0 for drawing in drawings]) - 1
    own = [k for k, other in enumerate(group.tints) if other == tint]
    rings = corners.joined([group.cells[k] for k in own])
    flat = flat_dimension(corners.lattice) == 2
    return Patch(
        *tint,
        tuple(polygons(sides(rings), corners.points)) if flat else (),
        solid(corners.points, rings) if rings and not flat else None,
        np.array([number_of_ball[k] for k in own if drawings[k].radius > 0], np.int32),
    )


def _balls(lattice: Lattice, cells: Sequence[Cell]) -> Balls | None:
    """The cells that are drawn as balls. Necks join balls that are neighbours."""
    round_ones = [cell for cell in cells if lattice.nodes[cell[0]].drawing.radius > 0]
    if not round_ones:
        return None
    number = {cell: k for k, cell in enumerate(round_ones)}
    necks = set()
    for cell, k in number.items():
        necks |= {(k, number[there]) for there in lattice.neighbours(cell) if number.get(there, -1) > k}
    return Balls(
        in_picture(lattice, lattice.centres(cells_array(lattice, round_ones))),
        np.array([lattice.nodes[cell[0]].drawing.radius for cell in round_ones]),
        np.array(sorted(necks), np.int32).reshape(-1, 2),
    )


def _box(item: Item) -> Iterable[Points]:
    for polygon in item.polygons:
        yield from (polygon.outer.min(axis=0), polygon.outer.max(axis=0))
    if item.solid is not None:
        yield from (item.solid.vertices.min(axis=0), item.solid.vertices.max(axis=0))
    if item.balls is not None:
        yield (item.balls.centres - item.balls.radii[:, None]).min(axis=0)
        yield (item.balls.centres + item.balls.radii[:, None]).max(axis=0)


def _heights(items: Sequence[Item], tolerance: float) -> tuple[float, ...]:
    """The heights of layers: half-way between the heights where cells begin and end, or at the centres of balls."""
    spans = [item.solid.vertices[:, 2] for item in items if item.solid is not None]
    centres = [item.balls.centres[:, 2] for item in items if item.balls is not None]
    if not spans:
        levels, _ = weld(np.concatenate([*centres, np.zeros(0)]).reshape(-1, 1), tolerance)
        return tuple(levels[:, 0].tolist())
    ends, _ = weld(np.concatenate(spans).reshape(-1, 1), tolerance)
    middles = (ends[1:, 0] + ends[:-1, 0]) / 2
    boxes = [(s.min(), s.max()) for s in spans]
    return tuple(float(m) for m in middles if any(low < m < high for low, high in boxes))


def _levels(lattice: Lattice, item: Item, heights: Sequence[float], tolerance: float) -> Ints:
    """The lowest layer that shows each cell; for a ball, the layer nearest to its centre."""
    middles = lattice.centres(item.cells)[:, 2]
    levels: Ints = np.abs(np.subtract.outer(middles, heights)).argmin(axis=1).astype(np.int32)
    for k, node in enumerate(item.cells[:, 0].tolist()):
        vertices = lattice.nodes[node].drawing.vertices
        if len(vertices):
            bottom = middles[k] + vertices[:, 2].min() + tolerance
            levels[k] = min(int(np.searchsorted(heights, bottom)), len(heights) - 1)
    return levels
