"""Build a scene from groups of cells: merge cells, bridge bends, find cuts and layers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.core.model.solution import Cell
from latcover.show.drawing.palette import RGB
from latcover.show.drawing.scenes.scene_model import Balls, CellSign, Patch, Scene, SceneItem
from latcover.show.drawing.scenes.side_marks import SideMark
from latcover.show.drawing.shapes.cell_corners import Corners, cell_size, cells_array, flat_dimension, in_picture
from latcover.show.drawing.shapes.outlines import Ints, Points, Polygon, Ring, polygons, sides, weld
from latcover.show.drawing.shapes.solids import Solid, solid

Tint = tuple[str, RGB | None]


class CellGroup(Struct, frozen=True):
    """Cells that become one item, and its look.

    If cells have colours, *tints* holds the name and colour of each, ("", None) for no colour. *paint* is the colour
    of the other cells; None takes the palette's. *sides* marks the sides that are not flat.
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


def build_scene(lattice: Lattice, title: str, groups: Sequence[CellGroup], period: Period | None = None) -> Scene:
    """The scene of *groups*. *period* is that of their region, if any."""
    bridges = [_bridges(lattice, group.cells) for group in groups]
    beyond = [_beyond(lattice, group.cells, period) if period else [] for group in groups]
    drawn = [*(group.cells for group in groups), *bridges, *beyond]
    corners = Corners(lattice, sorted({cell for cells in drawn for cell in cells}))
    items = [
        replace(_item(corners, group, bridge), cuts=_cuts(corners, group.cells, ghosts))
        for group, bridge, ghosts in zip(groups, bridges, beyond, strict=True)
    ]
    boxes = [item.box for item in items if len(item.corners_and_radii[0])]
    dimension = flat_dimension(lattice)
    low = np.min(boxes, axis=(0, 1)) if boxes else np.zeros(dimension)
    high = np.max(boxes, axis=(0, 1)) if boxes else np.zeros(dimension)
    heights = _heights(items, corners.tolerance) if dimension == 3 else (0.0,)
    if dimension == 3:
        items = [replace(item, levels=_levels(lattice, item, heights, corners.tolerance)) for item in items]
    return Scene(title, dimension, tuple(items), low, high, heights, cell_size(lattice), bool(period))


def _bridges(lattice: Lattice, cells: Sequence[Cell]) -> dict[Cell, list[Cell]]:
    """The secondary cells at which several of *cells* meet without covering them, each with these cells.

    A polystick that bends at a junction does not cover the junction, but is drawn as one stick.
    """
    if flat_dimension(lattice) == 3 or not any(node.secondary for node in lattice.nodes):
        return {}
    own, found = set(cells), defaultdict[Cell, list[Cell]](list)
    for cell in cells:
        for there in lattice.neighbours(cell):
            if lattice.nodes[there[0]].secondary and there not in own:
                found[there].append(cell)
    return {cell: around for cell, around in found.items() if len(around) > 1}


def _beyond(lattice: Lattice, cells: Sequence[Cell], period: Period) -> list[Cell]:
    """The cells beside *cells* that are other names of some of them."""
    beside = sorted({there for cell in cells for there in lattice.neighbours(cell)}.difference(cells))
    own = set(period.homes_of(cells))
    return [cell for cell, home in zip(beside, period.homes_of(beside), strict=True) if home in own]


def _cuts(corners: Corners, cells: Sequence[Cell], beyond: Sequence[Cell]) -> Points:
    """The sides that a copy shares with itself across the seam, where the cells *beyond* begin."""
    if not beyond or flat_dimension(corners.lattice) == 3:
        return np.empty((0, 2, 2))
    rings = corners.joined([*cells, *beyond])
    inner = set(sides(corners.joined(cells))) - set(sides(rings))
    return corners.points[np.array(sorted(inner), np.int64).reshape(-1, 2)]


def _item(corners: Corners, group: CellGroup, bridges: dict[Cell, list[Cell]]) -> SceneItem:
    lattice = corners.lattice
    rings = corners.joined(group.cells)
    for cell, around in bridges.items():
        touched = {v for other in around for ring in corners.rings(other) for v in ring}
        within = [tuple(v for v in ring if v in touched) for ring in corners.rings(cell)]
        rings += [ring for ring in within if len(ring) > 2]
    areas, body = _surface(corners, rings)
    tints = dict.fromkeys(group.tints) if len(set(group.tints)) > 1 else ()
    return SceneItem(
        group.name,
        group.copy,
        group.colour,
        group.letter,
        group.faint,
        cells_array(lattice, group.cells),
        np.zeros(len(group.cells), np.int32),
        areas,
        body,
        _balls(lattice, group.cells),
        paint=(group.tints[0][1] if len(set(group.tints)) == 1 else None) or group.paint,
        sides=group.sides,
        signs=_signs(lattice, group) if flat_dimension(lattice) == 2 and group.letter else (),
        patches=tuple(_patch(corners, group, tint) for tint in tints),
    )


def _surface(corners: Corners, rings: Sequence[Ring]) -> tuple[tuple[Polygon, ...], Solid | None]:
    """The areas that the rings of cells form in a flat scene, or else their body."""
    if flat_dimension(corners.lattice) == 2:
        return tuple(polygons(sides(rings), corners.points)), None
    return (), solid(corners.points, rings) if rings else None


def _signs(lattice: Lattice, group: CellGroup) -> tuple[CellSign, ...]:
    """The names of the cells' colours, if each is one character, as with the numbers of dominoes."""
    if not group.tints or not all(len(name) == 1 and rgb is not None for name, rgb in group.tints):
        return ()
    places = in_picture(lattice, lattice.centres(cells_array(lattice, group.cells)))
    named = zip(group.tints, places, strict=True)
    return tuple(CellSign(name, place, rgb) for (name, rgb), place in named if rgb is not None)


def _patch(corners: Corners, group: CellGroup, tint: Tint) -> Patch:
    """The cells of *group* with this tint."""
    drawings = [corners.lattice.nodes[cell[0]].drawing for cell in group.cells]
    number_of_ball = np.cumsum([drawing.radius > 0 for drawing in drawings]) - 1
    own = [k for k, other in enumerate(group.tints) if other == tint]
    balls = np.array([number_of_ball[k] for k in own if drawings[k].radius > 0], np.int32)
    return Patch(*tint, *_surface(corners, corners.joined([group.cells[k] for k in own])), balls)


def _balls(lattice: Lattice, cells: Sequence[Cell]) -> Balls | None:
    """The cells drawn as balls, with necks between neighbours."""
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


def _heights(items: Sequence[SceneItem], tolerance: float) -> tuple[float, ...]:
    """The heights of layers: half-way between the heights at which cells begin and end, or the centres of balls."""
    spans = [item.solid.vertices[:, 2] for item in items if item.solid is not None]
    centres = [item.balls.centres[:, 2] for item in items if item.balls is not None]
    if not spans:
        levels, _ = weld(np.concatenate([*centres, np.zeros(0)]).reshape(-1, 1), tolerance)
        return tuple(levels[:, 0].tolist())
    ends, _ = weld(np.concatenate(spans).reshape(-1, 1), tolerance)
    middles = (ends[1:, 0] + ends[:-1, 0]) / 2
    boxes = [(s.min(), s.max()) for s in spans]
    return tuple(float(m) for m in middles if any(low < m < high for low, high in boxes))


def _levels(lattice: Lattice, item: SceneItem, heights: Sequence[float], tolerance: float) -> Ints:
    """The lowest layer that shows each cell; for a ball, the layer nearest to its centre. Shape (n,), int32."""
    middles = lattice.centres(item.cells)[:, 2]
    levels: Ints = np.abs(np.subtract.outer(middles, heights)).argmin(axis=1).astype(np.int32)
    for k, node in enumerate(item.cells[:, 0].tolist()):
        vertices = lattice.nodes[node].drawing.vertices
        if len(vertices):
            bottom = middles[k] + vertices[:, 2].min() + tolerance
            levels[k] = min(int(np.searchsorted(heights, bottom)), len(heights) - 1)
    return levels
