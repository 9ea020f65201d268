"""Scenes: a solution, a region or a part as coloured polygons, solids and balls.

A scene is plain data, and every form of picture draws it. Its coordinates are Cartesian and follow from the drawings in
the lattice file. The cells of one copy of a part are merged into one shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from latcover.drawing.letters import letters, letters_of_colours
from latcover.drawing.palette import RGB, cell_colours, copies_of, part_colours
from latcover.drawing.scene_building import Group, build_scene
from latcover.drawing.scene_model import NECK, PLAIN, Balls, Item, Patch, Scene
from latcover.drawing.side_marks import SideMark, side_looks, side_marks, side_signs
from latcover.errors import PuzzleError, suggest
from latcover.model.colour_names import named
from latcover.model.lattice import Lattice
from latcover.model.orientation import Orientation, orientations
from latcover.model.puzzle import Part, Puzzle, Rules
from latcover.model.solution import Cell, Solution

__all__ = [
    "NECK",
    "PLAIN",
    "Balls",
    "Item",
    "Patch",
    "Scene",
    "looks_of_colours",
    "looks_of_parts",
    "of_cells",
    "of_lone_part",
    "of_part",
    "of_region",
    "of_solution",
    "of_whole_part",
    "paint_of_copy",
    "part_named",
]


def of_solution(puzzle: Puzzle, solution: Solution) -> Scene:
    """A solution: an item for each copy of a part, and a faint one for each cell that stays empty.

    The cells of a copy that have colours have them as patches.
    """
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
        group = Group(placed.part, copy, number, letter, placed.cells, tints=tints, paint=paint, sides=marks)
        groups.append(group)
    covered = {cell for group in groups for cell in group.cells}
    empty = [cell for cell in map(tuple, puzzle.region.cells.tolist()) if cell not in covered]
    groups += [Group("", 1, PLAIN, "", (cell,), True) for cell in empty]
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
        Group(name, 1, tint - 1, signs[tint], (tuple(cell),), optional, ((name, look.get(name)),))
        for cell, tint, optional in zip(
            region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True
        )
        for name in (puzzle.colours[tint],)
    ]
    return build_scene(puzzle.lattice, f"{puzzle.title or puzzle.name}, region", groups, region.period)


def of_part(puzzle: Puzzle, name: str) -> tuple[Scene, ...]:
    """A scene for each orientation of a part. If cells have colours, each cell is an item.

    Raises:
        PuzzleError: there is no such part.
    """
    part = part_named(puzzle, name)
    colours = puzzle.colours
    number, letter = puzzle.parts.index(part), letters(puzzle)[name][0]
    signs, paint = letters_of_colours(colours), looks_of_parts(puzzle)[number]
    look = _PartLook(number, letter, colours, signs, looks_of_colours(puzzle), paint, puzzle.rules)
    return tuple(
        _oriented_part(puzzle.lattice, part, look, number, orientation)
        for number, orientation in enumerate(orientations(part, puzzle.region.default_order()), 1)
    )


def of_lone_part(
    part: Part, lattice: Lattice, number: int = 0, colours: Sequence[str] = (), rules: Rules | None = None
) -> Scene:
    """A part as it was written, without its puzzle. *number* chooses its colour.

    With *colours*, the names of the cells' colours, it is one item whose cells have these colours. With *rules*, its
    sides are marked by what they bear.
    """
    orientation = orientations(part, range(lattice.dimension))[0]
    if not (colours and part.colours.any()):
        look = _PartLook(number, "", (), (), {}, named(part.display_colour), rules)
        return _oriented_part(lattice, part, look, 1, orientation)
    looks = dict(zip(colours, cell_colours(colours), strict=True))
    tints = tuple((colours[t], looks[colours[t]] if t else None) for t in orientation.colours.tolist())
    cells = tuple(map(tuple, orientation.cells.tolist()))
    return build_scene(lattice, part.name, [Group(part.name, 1, number, "", cells, tints=tints)], ())


def of_cells(
    lattice: Lattice,
    cells: Sequence[Cell],
    *,
    name: str = "",
    period: Sequence[int] = (),
    tints: Sequence[tuple[str, RGB | None]] = (),
    sides: Sequence[SideMark] = (),
) -> Scene:
    """Any cells as one item. Without a name it has no colour. *period* is the period of their region.

    If the cells have colours, *tints* holds the name and the colour of each. *sides* marks those that are not flat.
    """
    group = Group(name, 1, 0 if name else PLAIN, "", tuple(cells), tints=tuple(tints), sides=tuple(sides))
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
    """A part as it was written, as one item, even if its cells have colours. Models are made of this.

    Raises:
        PuzzleError: there is no such part.
    """
    part = part_named(puzzle, name)
    choice = letters(puzzle)[name]
    cells = tuple(map(tuple, part.cells.tolist()))
    paint = paint_of_copy(puzzle, part, copy)
    group = Group(name, copy, puzzle.parts.index(part), choice[(copy - 1) % len(choice)], cells, paint=paint)
    return build_scene(puzzle.lattice, f"{puzzle.title or puzzle.name}, part {name}", [group], ())


def paint_of_copy(puzzle: Puzzle, part: Part, copy: int = 1) -> RGB:
    """The colour of a copy as a whole: that of its cells if these agree, and else that of the part."""
    paint = copies_of(looks_of_parts(puzzle)[puzzle.parts.index(part)], copy)
    tints = set(part.colours.tolist())
    return looks_of_colours(puzzle).get(puzzle.colours[min(tints)], paint) if len(tints) == 1 else paint


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
    """The number and the letter of a part; the names of the puzzle's colours, their letters, and the colours.

    *paint* is the colour of the part's cells that have none; None takes that of the palette.
    """

    number: int
    letter: str
    colours: tuple[str, ...]
    signs: tuple[str, ...]
    looks: Mapping[str, RGB]
    paint: RGB | None
    rules: Rules | None = None

    def tint(self, tint: int) -> str:
        return self.colours[tint] if tint < len(self.colours) else ""

    def sign(self, tint: int) -> str:
        return (self.signs[tint] if tint < len(self.signs) else "") or self.letter


def _oriented_part(lattice: Lattice, part: Part, look: _PartLook, number: int, orientation: Orientation) -> Scene:
    cells = tuple(map(tuple, orientation.cells.tolist()))
    tints = orientation.colours.tolist()
    edges = lattice.half_edges
    marks: tuple[SideMark, ...] = ()
    if (rules := look.rules) is not None:
        sides = [(cells[k], edges[label].label, rules.sides[value]) for k, label, value in orientation.sides.tolist()]
        signs = side_signs(rules) if look.letter else {}
        marks = side_marks(lattice, sides, side_looks(rules), signs)
    groups = [Group(part.name, 1, look.number, look.letter, cells, paint=look.paint, sides=marks)]
    if any(tints):
        groups = [
            Group(
                name,
                1,
                t - 1 if t else look.number,
                look.sign(t),
                (cell,),
                tints=((name, look.looks.get(name)),),
                paint=None if t else look.paint,
            )
            for cell, t in zip(cells, tints, strict=True)
            for name in (look.tint(t),)
        ]
    return build_scene(lattice, f"{part.name}, orientation {number}", groups, ())
