"""Scenes: a solution, a region or a part as coloured polygons, solids and balls. Plain data that any view can draw.

Nothing here knows a lattice or a form of file: coordinates are Cartesian and come from the lattice file's drawings, and
the joints between the cells of one copy of a part are gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from latcover.corners import Corners, cell_size, cells_array, flat_dimension, in_picture
from latcover.errors import PuzzleError, suggest
from latcover.lattice import Lattice
from latcover.letters import letters
from latcover.orientation import Orientation, orientations
from latcover.outlines import Ints, Points, Polygon, polygons, sides, weld
from latcover.puzzle import Part, Puzzle
from latcover.solids import Solid, cut, solid
from latcover.solution import Cell, Solution

PLAIN = -1  # a colour number that is left uncoloured
NECK = 0.5  # the radius of what joins two balls, of that of the smaller one


@dataclass(frozen=True, slots=True, eq=False)
class Balls:
    """Spheres, or discs in a flat scene.

    Attributes:
        centres: Shape (n, 2 or 3).
        radii: Shape (n,).
        necks: Pairs of balls that are joined, shape (m, 2), int32.
    """

    centres: Points
    radii: Points
    necks: Ints

    def neck_radius(self, neck: int) -> float:
        return NECK * float(self.radii[self.necks[neck]].min())


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One copy of a part, or one cell of a region: all that is drawn as one thing.

    Attributes:
        name: The part's name, or the cell's colour; may be empty.
        copy: Which copy of the part, from 1.
        colour: The part's number among the puzzle's parts, for the palette; `PLAIN` for none.
        letter: What may be written on it.
        faint: Whether it is a cell that is, or may stay, empty.
        cells: Rows ``(node, x, y, ...)``.
        levels: The layer on which each cell lies, shape (n,), int32: an index into the scene's heights.
        polygons: Outlines, in a flat scene.
        solid: In three dimensions; None where there are balls alone.
        balls: None where the cells are drawn otherwise.
        cuts: In a flat scene of a region that closes on itself, the sides beyond which the same copy goes on at the
            other side of the picture, shape (n, 2, 2).
    """

    name: str
    copy: int
    colour: int
    letter: str
    faint: bool
    cells: npt.NDArray[np.int32]
    levels: Ints
    polygons: tuple[Polygon, ...] = ()
    solid: Solid | None = None
    balls: Balls | None = None
    cuts: Points = field(default_factory=lambda: np.empty((0, 2, 2)))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a picture shows.

    Attributes:
        title: In words.
        dimension: 2 or 3.
        low, high: Opposite corners of the box around everything, shape (dimension,).
        heights: Of the layers, bottom first; in a flat scene one, 0.
        size: The longest side of the box around a single cell.
        unrolled: Whether the region closes on itself, so that parts may be cut where they go round.
    """

    title: str
    dimension: int
    items: tuple[Item, ...]
    low: Points
    high: Points
    heights: tuple[float, ...]
    size: float
    unrolled: bool = False

    def layer(self, number: int) -> Scene:
        """The flat scene of one layer, counted from 0: solids cut at its height, and the balls that lie in it."""
        if self.dimension == 2:
            return self
        items = [_flattened(item, self, number) for item in self.items]
        return Scene(
            f"layer {number + 1}{' (bottom)' if number == 0 else ''}",
            2,
            tuple(item for item in items if item.polygons or item.balls is not None),
            self.low[:2],
            self.high[:2],
            (self.heights[number],),
            self.size,
            self.unrolled,
        )

    def layers(self) -> tuple[Scene, ...]:
        """Each layer as a flat scene, bottom first."""
        return tuple(self.layer(number) for number in range(len(self.heights)))


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells that are to be one item, and how it is to look."""

    name: str
    copy: int
    colour: int
    letter: str
    cells: tuple[Cell, ...]
    faint: bool = False


def of_solution(puzzle: Puzzle, solution: Solution) -> Scene:
    """A solution: an item for each copy of a part, and a faint one for each cell that stays empty."""
    signs = letters(puzzle)
    number_of = {part.name: p for p, part in enumerate(puzzle.parts)}
    used: Counter[str] = Counter()
    groups = []
    for placed in solution.placements:
        choice = signs[placed.part]
        letter = choice[used[placed.part] % len(choice)]
        used[placed.part] += 1
        groups.append(_Group(placed.part, used[placed.part], number_of[placed.part], letter, placed.cells))
    covered = {cell for group in groups for cell in group.cells}
    empty = [cell for cell in map(tuple, puzzle.region.cells.tolist()) if cell not in covered]
    groups += [_Group("", 1, PLAIN, "", (cell,), True) for cell in empty]
    title = f"{puzzle.title or puzzle.name}, solution {solution.number}"
    if solution.orbit > 1 and solution.image > 1:
        title += f", image {solution.image} of {solution.orbit}"
    return _scene(puzzle.lattice, title, groups, puzzle.region.period)


def of_region(puzzle: Puzzle) -> Scene:
    """The region, cell by cell: coloured ones in their colours, optional ones faint."""
    region = puzzle.region
    groups = [
        _Group(puzzle.colours[tint], 1, tint - 1 if tint else PLAIN, puzzle.colours[tint][:1], (tuple(cell),), optional)
        for cell, tint, optional in zip(
            region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True
        )
    ]
    return _scene(puzzle.lattice, f"{puzzle.title or puzzle.name}, region", groups, region.period)


def of_part(puzzle: Puzzle, name: str) -> tuple[Scene, ...]:
    """A part in each of its orientations, in the order in which they are generated; cells with colours stand apart.

    Raises:
        PuzzleError: there is no such part.
    """
    part = part_named(puzzle, name)
    look = _PartLook(puzzle.parts.index(part), letters(puzzle)[name][0], puzzle.colours)
    return tuple(
        _oriented_part(puzzle.lattice, part, look, number, orientation)
        for number, orientation in enumerate(orientations(part, puzzle.region.default_order()), 1)
    )


def of_lone_part(part: Part, lattice: Lattice, number: int = 0) -> Scene:
    """A part as it was written, its puzzle being unknown; *number* chooses its colour."""
    orientation = orientations(part, range(lattice.dimension))[0]
    return _oriented_part(lattice, part, _PartLook(number, "", ()), 1, orientation)


def of_cells(lattice: Lattice, cells: Sequence[Cell], period: Sequence[int] = ()) -> Scene:
    """Any cells as one thing without a name or a colour; *period* is that of the region they lie in."""
    return _scene(lattice, "", [_Group("", 1, PLAIN, "", tuple(cells))], period)


def part_named(puzzle: Puzzle, name: str) -> Part:
    """The part of that name.

    Raises:
        PuzzleError: there is none; the message suggests the nearest.
    """
    parts = {part.name: part for part in puzzle.parts}
    if name not in parts:
        raise PuzzleError(f"{puzzle.name!r} has no part {name!r}{suggest(name, parts)}")
    return parts[name]


@dataclass(frozen=True, slots=True)
class _PartLook:
    """A part's number and letter, and the names of the puzzle's colours."""

    number: int
    letter: str
    colours: tuple[str, ...]

    def tint(self, tint: int) -> str:
        return self.colours[tint] if tint < len(self.colours) else ""


def _oriented_part(lattice: Lattice, part: Part, look: _PartLook, number: int, orientation: Orientation) -> Scene:
    cells = tuple(map(tuple, orientation.cells.tolist()))
    tints = orientation.colours.tolist()
    groups = [_Group(part.name, 1, look.number, look.letter, cells)]
    if any(tints):
        groups = [
            _Group(look.tint(t), 1, t - 1 if t else look.number, look.tint(t)[:1] or look.letter, (cell,))
            for cell, t in zip(cells, tints, strict=True)
        ]
    return _scene(lattice, f"{part.name}, orientation {number}", groups, ())


def _scene(lattice: Lattice, title: str, groups: Sequence[_Group], period: Sequence[int]) -> Scene:
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
    """Secondary cells that a copy leaves out though several cells of it meet there, and these cells.

    A polystick that bends at a junction does not use the junction up, but is one stick all the same.
    """
    if flat_dimension(lattice) == 3 or not any(node.secondary for node in lattice.nodes):
        return {}
    own, found = set(cells), dict[Cell, list[Cell]]()
    for cell in cells:
        for edge in lattice.half_edges:
            there = (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            if edge.node == cell[0] and lattice.nodes[edge.target].secondary and there not in own:
                found.setdefault(there, []).append(cell)
    return {cell: around for cell, around in found.items() if len(around) > 1}


def _beyond(cells: Sequence[Cell], period: Sequence[int]) -> list[Cell]:
    """The images of *cells* one turn further round a region that closes on itself, either way along each axis."""
    return [
        (*cell[: 1 + axis], cell[1 + axis] + turn, *cell[2 + axis :])
        for axis, length in enumerate(period)
        for turn in (-length, length)
        if length
        for cell in cells
    ]


def _cuts(corners: Corners, cells: Sequence[Cell], beyond: Sequence[Cell]) -> Points:
    """The sides that a copy has in common with its own image one turn further round."""
    if not beyond or flat_dimension(corners.lattice) == 3:
        return np.empty((0, 2, 2))
    rings = corners.joined([*cells, *beyond])
    inner = set(sides(corners.joined(cells))) - set(sides(rings))
    return corners.points[np.array(sorted(inner), np.int64).reshape(-1, 2)]


def _item(corners: Corners, group: _Group, bridges: dict[Cell, list[Cell]]) -> Item:
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
    )


def _balls(lattice: Lattice, cells: Sequence[Cell]) -> Balls | None:
    """The cells that are drawn as balls; those that half-edges join have necks between them."""
    round_ones = [cell for cell in cells if lattice.nodes[cell[0]].drawing.radius > 0]
    if not round_ones:
        return None
    number = {cell: k for k, cell in enumerate(round_ones)}
    necks = set()
    for cell, k in number.items():
        for edge in lattice.half_edges:
            there = (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            if edge.node == cell[0] and number.get(there, -1) > k:
                necks.add((k, number[there]))
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
    """Where layers are drawn: half-way between the heights at which cells begin and end, or through balls' centres."""
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
    """The lowest layer that shows each cell; of a ball the layer nearest to its centre."""
    middles = lattice.centres(item.cells)[:, 2]
    levels: Ints = np.abs(np.subtract.outer(middles, heights)).argmin(axis=1).astype(np.int32)
    for k, node in enumerate(item.cells[:, 0].tolist()):
        vertices = lattice.nodes[node].drawing.vertices
        if len(vertices):
            bottom = middles[k] + vertices[:, 2].min() + tolerance
            levels[k] = min(int(np.searchsorted(heights, bottom)), len(heights) - 1)
    return levels


def _flattened(item: Item, scene: Scene, number: int) -> Item:
    """What a layer shows of an item."""
    height = scene.heights[number]
    areas = tuple(cut(item.solid, height, 1e-6 * scene.size)) if item.solid is not None else ()
    balls = item.balls
    if balls is not None:
        here = np.abs(np.subtract.outer(balls.centres[:, 2], scene.heights)).argmin(axis=1) == number
        position = np.cumsum(here) - 1
        necks = position[balls.necks[here[balls.necks].all(axis=1)]].astype(np.int32)
        balls = Balls(balls.centres[here, :2], balls.radii[here], necks) if here.any() else None
    shown = item.levels == number
    return replace(item, cells=item.cells[shown], levels=item.levels[shown], polygons=areas, solid=None, balls=balls)
