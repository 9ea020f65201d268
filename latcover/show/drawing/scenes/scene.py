"""Scenes: a solution, a region or a part as coloured polygons, solids and balls.

A scene is plain data that every kind of picture draws. Its coordinates are Cartesian and follow from the drawings in
the lattice file. The cells of a copy of a part are merged into one shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from latcover.core.model.colour_names import named
from latcover.core.model.lattice import Lattice
from latcover.core.model.orientation import Orientation, orientations
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Rules
from latcover.core.model.solution import Cell, Solution
from latcover.errors import PuzzleError, suggest
from latcover.show.drawing.palette import RGB, cell_colours, copies_of, heat, part_colours
from latcover.show.drawing.part_letters import letters, letters_of_colours
from latcover.show.drawing.scenes.scene_building import CellGroup, build_scene
from latcover.show.drawing.scenes.scene_model import PLAIN, Scene
from latcover.show.drawing.scenes.side_marks import SideMark, side_looks, side_marks, side_signs


def of_solution(puzzle: Puzzle, solution: Solution) -> Scene:
    """A solution: an item for each copy of a part, with patches for colours, and a faint one for each empty cell."""
    signs = letters(puzzle)
    number_of = {part.name: p for p, part in enumerate(puzzle.parts)}
    look, paints = looks_of_colours(puzzle), looks_of_parts(puzzle)
    of_sides, side_letters = side_looks(puzzle.rules), side_signs(puzzle.rules)
    used: Counter[str] = Counter()
    groups = []
    for placed in solution.placements:
        choice = signs[placed.part]
        letter = choice[used[placed.part] % len(choice)]
        used[placed.part] += 1
        tints = tuple((name, look.get(name)) for name in placed.colours)
        number, copy = number_of[placed.part], used[placed.part]
        paint = copies_of(paints[number], copy)
        marks = side_marks(puzzle.lattice, placed.sides, of_sides, side_letters)
        groups.append(CellGroup(placed.part, copy, number, letter, placed.cells, tints=tints, paint=paint, sides=marks))
    covered = {cell for group in groups for cell in group.cells}
    empty = [cell for cell in map(tuple, puzzle.region.cells.tolist()) if cell not in covered]
    groups += [CellGroup("", 1, PLAIN, "", (cell,), True) for cell in empty]
    title = f"{puzzle.title or puzzle.name}, solution {solution.number}"
    if solution.orbit > 1 and solution.image > 1:
        title += f", image {solution.image} of {solution.orbit}"
    return build_scene(puzzle.lattice, title, groups, puzzle.region.period)


def of_region(puzzle: Puzzle) -> Scene:
    """The region, an item for each cell. Optional cells are faint."""
    region = puzzle.region
    signs = letters_of_colours(puzzle.colours)
    look = looks_of_colours(puzzle)
    groups = [
        CellGroup(name, 1, tint - 1, signs[tint], (tuple(cell),), optional, ((name, look.get(name)),))
        for cell, tint, optional in zip(
            region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True
        )
        for name in (puzzle.colours[tint],)
    ]
    return build_scene(puzzle.lattice, f"{puzzle.title or puzzle.name}, region", groups, region.period)


def of_shares(puzzle: Puzzle, title: str, shares: Sequence[Fraction]) -> Scene:
    """The region, an item for each cell, in a colour for its share."""
    groups = [
        CellGroup("", 1, PLAIN, "", (tuple(cell),), paint=heat(float(share)))
        for cell, share in zip(puzzle.region.cells.tolist(), shares, strict=True)
    ]
    return build_scene(puzzle.lattice, title, groups, puzzle.region.period)


def of_part(puzzle: Puzzle, name: str) -> tuple[Scene, ...]:
    """A scene for each orientation of a part. If cells have colours, each cell is an item.

    Raises:
        PuzzleError: there is no such part.
    """
    part = part_named(puzzle, name)
    number, letter = puzzle.parts.index(part), letters(puzzle)[name][0]
    paint, looks = looks_of_parts(puzzle)[number], looks_of_colours(puzzle)
    found = []
    for k, orientation in enumerate(orientations(part, puzzle.region.default_order()), 1):
        group = _oriented(puzzle.lattice, part, orientation, number, letter, paint, puzzle.rules)
        groups = _by_cells(group, orientation, puzzle.colours, looks) if part.colours.any() else [group]
        found.append(build_scene(puzzle.lattice, f"{name}, orientation {k}", groups))
    return tuple(found)


def of_lone_part(
    part: Part, lattice: Lattice, number: int = 0, colours: Sequence[str] = (), rules: Rules | None = None
) -> Scene:
    """A part in its orientation of the file, without its puzzle. *number* chooses its colour.

    With *colours*, the names of the cells' colours, it is one item whose cells have these colours. With *rules*, its
    sides have marks for their values.
    """
    orientation = orientations(part, range(lattice.dimension))[0]
    if colours and part.colours.any():
        looks = dict(zip(colours, cell_colours(colours), strict=True))
        tints = tuple((colours[t], looks[colours[t]] if t else None) for t in orientation.colours.tolist())
        cells = tuple(map(tuple, orientation.cells.tolist()))
        return build_scene(lattice, part.name, [CellGroup(part.name, 1, number, "", cells, tints=tints)])
    group = _oriented(lattice, part, orientation, number, "", named(part.display_colour), rules)
    groups = _by_cells(group, orientation, (), {}) if part.colours.any() else [group]
    return build_scene(lattice, f"{part.name}, orientation 1", groups)


def _oriented(
    lattice: Lattice,
    part: Part,
    orientation: Orientation,
    number: int,
    letter: str,
    paint: RGB | None,
    rules: Rules | None,
) -> CellGroup:
    """A part in an orientation, with marks of its sides if there are *rules*."""
    cells = tuple(map(tuple, orientation.cells.tolist()))
    marks: tuple[SideMark, ...] = ()
    if rules is not None:
        edges, values = lattice.half_edges, rules.sides
        sides = [(cells[k], edges[label].label, values[value]) for k, label, value in orientation.sides.tolist()]
        marks = side_marks(lattice, sides, side_looks(rules), side_signs(rules) if letter else {})
    return CellGroup(part.name, 1, number, letter, cells, paint=paint, sides=marks)


def _by_cells(
    group: CellGroup, orientation: Orientation, colours: Sequence[str], looks: Mapping[str, RGB]
) -> list[CellGroup]:
    """A group for each cell of a part, in the cell's colour."""
    signs, found = letters_of_colours(colours), []
    for cell, tint in zip(group.cells, orientation.colours.tolist(), strict=True):
        name, sign = (colours[tint], signs[tint]) if tint < len(colours) else ("", "")
        number, paint = (tint - 1, None) if tint else (group.colour, group.paint)
        tints = ((name, looks.get(name)),)
        found.append(CellGroup(name, 1, number, sign or group.letter, (cell,), tints=tints, paint=paint))
    return found


def of_cells(
    lattice: Lattice,
    cells: Sequence[Cell],
    *,
    name: str = "",
    period: Period | None = None,
    tints: Sequence[tuple[str, RGB | None]] = (),
    sides: Sequence[SideMark] = (),
) -> Scene:
    """Any cells as one item, without a colour if it has no name. *period* is that of their region.

    If the cells have colours, *tints* holds the name and colour of each. *sides* marks the sides that are not flat.
    """
    group = CellGroup(name, 1, 0 if name else PLAIN, "", tuple(cells), tints=tuple(tints), sides=tuple(sides))
    return build_scene(lattice, name, [group], period)


def looks_of_colours(puzzle: Puzzle) -> dict[str, RGB]:
    """The colours of a puzzle's cells, by their names."""
    looks = dict(zip(puzzle.colours, cell_colours(puzzle.colours), strict=True))
    looks.pop("", None)
    return looks


def looks_of_parts(puzzle: Puzzle) -> tuple[RGB, ...]:
    """The colour of each part; `palette.copies_of` gives that of its copies."""
    return part_colours([part.display_colour for part in puzzle.parts])


def of_whole_part(puzzle: Puzzle, name: str, copy: int = 1) -> Scene:
    """A part in its orientation of the file as one item, even if its cells have colours. Models use this.

    Raises:
        PuzzleError: there is no such part.
    """
    part = part_named(puzzle, name)
    choice = letters(puzzle)[name]
    cells = tuple(map(tuple, part.cells.tolist()))
    paint = paint_of_copy(puzzle, part, copy)
    group = CellGroup(name, copy, puzzle.parts.index(part), choice[(copy - 1) % len(choice)], cells, paint=paint)
    return build_scene(puzzle.lattice, f"{puzzle.title or puzzle.name}, part {name}", [group])


def paint_of_copy(puzzle: Puzzle, part: Part, copy: int = 1) -> RGB:
    """The colour of a whole copy: that of its cells if these agree, otherwise that of the part."""
    paint = copies_of(looks_of_parts(puzzle)[puzzle.parts.index(part)], copy)
    tints = set(part.colours.tolist())
    return looks_of_colours(puzzle).get(puzzle.colours[min(tints)], paint) if len(tints) == 1 else paint


def part_named(puzzle: Puzzle, name: str) -> Part:
    """The part of that name; a `PuzzleError` suggests the nearest if there is none."""
    parts = {part.name: part for part in puzzle.parts}
    if name not in parts:
        raise PuzzleError(f"{puzzle.name!r} has no part {name!r}{suggest(name, parts)}")
    return parts[name]
