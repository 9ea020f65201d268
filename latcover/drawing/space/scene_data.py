"""The data for the viewer: a puzzle and its solutions as JSON.

`scene_data` writes the data and ``unpack`` in ``static/source.js`` reads them. Each placement is stored once, and
solutions are numbers of placements. Long rows of numbers are typed arrays in base64 (little-endian).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from latcover.drawing import explosion, palette, scene
from latcover.drawing.dismantling import Dismantling
from latcover.drawing.film import film
from latcover.drawing.letters import letters
from latcover.drawing.palette import hexadecimal
from latcover.drawing.side_marks import Side, side_looks
from latcover.drawing.space.shape_data import ShapeBook, numbers
from latcover.drawing.svg_shapes import MARKS
from latcover.model.disassembly import Disassembly
from latcover.model.move_words import piece_names
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Cell, Solution

FORMAT = 2
NONE: Mapping[int, Disassembly] = MappingProxyType({})
EMPTY = -1  # stands for the part of a cell that stays empty
FLAT_THICKNESS = 0.3  # the thickness of flat puzzles, as a share of the size of a cell
NEAR = 1e-4  # of the size of a cell: moves that differ by less are equal
GAP = 0.02  # between the slabs of layers, as a share of the distance of two layers


def scene_data(
    puzzle: Puzzle, solutions: Iterable[Solution], disassemblies: Mapping[int, Disassembly] = NONE
) -> dict[str, Any]:
    """A puzzle and solutions of it, in the form that ``unpack`` reads. *disassemblies* are of some of them, by number.

    Keys: ``format``; ``puzzle`` and ``parts`` (see `puzzle_data`); ``count``, how many solutions; ``shapes`` (see
    `shape_data.shape_data`); ``placements``, int32, rows (part, shape), the part -1 for a cell that stays
    empty; ``places``, float32, x, y, z of each placement; ``starts``, uint32, and ``solutions``, uint32, of which
    those from ``starts[k]`` to ``starts[k + 1]`` are the placements of solution k, copies of a part in their order;
    ``numbers``, uint32, rows (number, image, orbit). ``moves``, float32, is how far each placement moves when the parts
    are fully apart: x, y, z. In some solutions a placement moves otherwise, because another part is in its way:
    ``elsewhere``, uint32, holds their indices in ``solutions``, ascending, and ``ways``, float32, their moves.
    If there are disassemblies, ``films`` has them by the places of their solutions, from 0: see `film.Film.as_json`.
    """
    shown = scene.of_region(puzzle)
    book = ShapeBook(puzzle.lattice, puzzle.region.period, shown.heights, side_looks(puzzle.rules))
    told = _solutions_data(puzzle, solutions, disassemblies, book, shown)
    return {"format": FORMAT, **_puzzle_data(puzzle, shown), **told}


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle without solutions, for a source that gets its solutions later.

    Keys: ``puzzle``: ``name``, ``title``, ``lattice``, ``dimension`` (2 or 3, of the picture), ``size`` (the longest
    side of a cell), ``low`` and ``high`` (corners of the box around the region), ``heights`` (of its layers, bottom
    first), ``thickness`` (of the slab that shows a layer or a flat puzzle), ``unrolled`` (whether the region closes on
    itself) and ``outline`` (its shape and place); ``parts``: of each its ``name``, ``colours`` and ``letters`` (of
    its copies; they repeat) and ``pattern`` (``path`` in a square of side 8 and ``angle``, or null).
    """
    return {"format": FORMAT, **_puzzle_data(puzzle, scene.of_region(puzzle))}


def _puzzle_data(puzzle: Puzzle, shown: scene.Scene) -> dict[str, Any]:
    book = ShapeBook(puzzle.lattice, puzzle.region.period, ())
    number, at = book.place(_cells(puzzle))
    outline = book.shapes[number]
    outline.pop("slabs", None)
    outline.pop("cuts", None)
    described = {
        "name": puzzle.name,
        "title": puzzle.title or puzzle.name,
        "lattice": puzzle.lattice.name,
        "dimension": shown.dimension,
        "size": round(shown.size, 5),
        "low": numbers(shown.low),
        "high": numbers(shown.high),
        "heights": numbers(np.array(shown.heights)),
        "thickness": round(_thickness(shown), 5),
        "unrolled": shown.unrolled,
        "outline": {"shape": outline, "at": numbers(np.pad(at, (0, 3 - len(at))))},
    }
    signs, paints = letters(puzzle), scene.looks_of_parts(puzzle)
    parts = [
        _part_data(number, paints[number], part.name, signs[part.name], puzzle.most_copies(part))
        for number, part in enumerate(puzzle.parts)
    ]
    return {"puzzle": described, "parts": parts}


def _thickness(shown: scene.Scene) -> float:
    """The thickness of a slab: nearly the distance of layers, so that slabs can stand on each other."""
    if shown.dimension == 2:
        return FLAT_THICKNESS * shown.size
    apart = np.diff(shown.heights).min() if len(shown.heights) > 1 else shown.high[2] - shown.low[2]
    return float(apart) * (1 - GAP)


def _part_data(number: int, paint: palette.RGB, name: str, signs: list[str], copies: int) -> dict[str, Any]:
    path, angle = MARKS[palette.pattern(number)]
    several = max(1, min(len(palette.COPIES), copies))
    shades = [hexadecimal(palette.copies_of(paint, copy)) for copy in range(1, 1 + several)]
    pattern = {"path": path, "angle": angle} if path else None
    return {"name": name, "colours": shades, "letters": signs, "pattern": pattern}


def _cells(puzzle: Puzzle) -> list[Cell]:
    return [tuple(cell) for cell in puzzle.region.cells.tolist()]


def _solutions_data(
    puzzle: Puzzle,
    solutions: Iterable[Solution],
    disassemblies: Mapping[int, Disassembly],
    book: ShapeBook,
    shown: scene.Scene,
) -> dict[str, Any]:
    number_of = {part.name: number for number, part in enumerate(puzzle.parts)}
    region = _cells(puzzle)
    looks = scene.looks_of_colours(puzzle)
    known: dict[tuple[int, tuple[Cell, ...], tuple[str, ...], tuple[Side, ...]], int] = {}
    rows: list[tuple[int, int]] = []
    places: list[Any] = []
    moves: list[Any] = []
    elsewhere: list[int] = []
    ways: list[Any] = []
    chosen: list[int] = []
    starts = [0]
    labels: list[tuple[int, int, int]] = []
    films: dict[int, Any] = {}
    for solution in solutions:
        wanted = [
            (number_of[placed.part], placed.cells, placed.colours, placed.sides) for placed in solution.placements
        ]
        covered = {cell for _, cells, *_ in wanted for cell in cells}
        if len(covered) < len(region):
            wanted += [(EMPTY, (cell,), (), ()) for cell in region if cell not in covered]
        for copy in wanted:
            part, cells, colours, sides = copy
            if copy not in known:
                known[copy] = len(rows)
                shape, at = book.place(cells, [(name, looks.get(name)) for name in colours], sides)
                rows.append((part, shape))
                places.append(np.pad(at, (0, 3 - len(at))))
            chosen.append(known[copy])
        own = chosen[starts[-1] :]
        reaches, stand = [book.reaches[rows[k][1]] for k in own], np.array([places[k] for k in own])
        taken = disassemblies.get(solution.number)
        if taken is not None:
            shapes = Dismantling(puzzle, solution, taken, reaches, stand, shown.size)
            films[len(labels)] = film(shapes, piece_names(solution, "{} {}")).as_json()
        if taken is not None and taken.separations:
            apart = explosion.moves_in_order(reaches, stand, shown.size, puzzle.lattice, taken)
        else:
            apart = explosion.moves(reaches, stand, shown.size, flat=shown.dimension == 2)
        for k, move in enumerate(explosion.FULL * apart, starts[-1]):
            if chosen[k] == len(moves):
                moves.append(move)
            elif np.abs(move - moves[chosen[k]]).max() > NEAR * shown.size:
                elsewhere.append(k)
                ways.append(move)
        starts.append(len(chosen))
        labels.append((solution.number, solution.image, solution.orbit))
    return {
        "count": len(labels),
        "shapes": book.shapes,
        "placements": packed(rows, "<i4"),
        "places": packed(places, "<f4"),
        "moves": packed(moves, "<f4"),
        "elsewhere": packed(elsewhere, "<u4"),
        "ways": packed(ways, "<f4"),
        "starts": packed(starts, "<u4"),
        "solutions": packed(chosen, "<u4"),
        "numbers": packed(labels, "<u4"),
        **({"films": films} if films else {}),
    }


def packed(values: Sequence[Any], dtype: str) -> str:
    """Numbers as a typed array in base64."""
    return b64encode(np.array(values, dtype).tobytes()).decode("ascii")
