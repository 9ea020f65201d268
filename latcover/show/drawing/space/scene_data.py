"""The data for the viewer: a puzzle and its solutions as JSON.

``unpack`` in ``static/source.js`` reads the data. Each placement is stored once, and solutions are numbers of
placements. Long rows of numbers are typed arrays in base64 (little-endian).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.move_words import piece_names
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Cell, Solution
from latcover.show.drawing import palette
from latcover.show.drawing.palette import MARKS, hexadecimal
from latcover.show.drawing.part_letters import letters
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.dismantling import Dismantling
from latcover.show.drawing.scenes.scene_model import Scene
from latcover.show.drawing.scenes.side_marks import Side, side_looks
from latcover.show.drawing.shapes.outlines import Points, padded
from latcover.show.drawing.space.disassembly_data import disassembly_data
from latcover.show.drawing.space.shape_data import ShapeBook, numbers

FORMAT = 3
NONE: Mapping[int, Disassembly] = MappingProxyType({})
EMPTY = -1  # the part of an empty cell
FLAT_THICKNESS = 0.3  # the thickness of flat puzzles, as a share of the size of a cell
NEAR = 1e-4  # of the size of a cell: smaller differences of moves do not count
GAP = 0.02  # between the slabs of layers, as a share of the distance of two layers


def scene_data(
    puzzle: Puzzle, solutions: Iterable[Solution], disassemblies: Mapping[int, Disassembly] = NONE
) -> dict[str, Any]:
    """A puzzle and its solutions in the form that ``unpack`` reads, with *disassemblies* of some, by number.

    Keys: ``format``; ``puzzle`` and ``parts`` (see `drawn_puzzle`); ``count``, of solutions; ``shapes`` (see
    `shape_data.shape_data`); ``placements``, int32, rows (part, shape), part -1 for an empty cell; ``places``, float32,
    x, y, z of each placement; ``starts``, uint32, and ``solutions``, uint32, of which those from ``starts[k]`` to
    ``starts[k + 1]`` are the placements of solution k, copies of a part in order; ``numbers``, uint32, rows (number,
    image, orbit); ``moves``, float32, x, y, z, how far each placement moves when the parts are fully apart. Where other
    parts obstruct a placement, it moves differently: ``elsewhere``, uint32, holds its indices in ``solutions``,
    ascending, and ``ways``, float32, these moves. ``disassemblies``, if there are any, by the index of the solution,
    from 0: see `disassembly_data`.
    """
    shown = scene.of_region(puzzle)
    rows = _SolutionRows(puzzle, shown)
    for solution in solutions:
        rows.add(solution, disassemblies.get(solution.number))
    return {"format": FORMAT, **_drawn_puzzle(puzzle, shown), **rows.data()}


def drawn_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle without solutions, for a viewer that gets these later.

    Keys: ``puzzle``: ``name``, ``title``, ``lattice``, ``dimension`` (2 or 3, of the picture), ``size`` (the longest
    side of a cell), ``low`` and ``high`` (corners of the box around the region), ``heights`` (of its layers, bottom
    first), ``thickness`` (of the slab that shows a layer or a flat puzzle), ``unrolled`` (whether the region is
    periodic) and ``outline`` (its shape and place); ``parts``: for each its ``name``, ``colours`` and ``letters`` (of
    its copies; they repeat) and ``pattern`` (``path`` in a square of side 8 and ``angle``, or null).
    """
    return {"format": FORMAT, **_drawn_puzzle(puzzle, scene.of_region(puzzle))}


def _drawn_puzzle(puzzle: Puzzle, shown: Scene) -> dict[str, Any]:
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
        "outline": {"shape": outline, "at": numbers(padded(at, 3))},
    }
    signs, paints = letters(puzzle), scene.looks_of_parts(puzzle)
    parts = [
        _part_data(number, paints[number], part.name, signs[part.name], puzzle.most_copies(part))
        for number, part in enumerate(puzzle.parts)
    ]
    return {"puzzle": described, "parts": parts}


def _thickness(shown: Scene) -> float:
    """The thickness of a slab: almost the distance of layers, so that slabs can be stacked."""
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


class _SolutionRows:
    """Collects solutions as rows of numbers of placements; see `scene_data`."""

    def __init__(self, puzzle: Puzzle, shown: Scene) -> None:
        self._puzzle, self._shown, self._region = puzzle, shown, _cells(puzzle)
        self._book = ShapeBook(puzzle.lattice, puzzle.region.period, shown.heights, side_looks(puzzle.rules))
        self._number_of = {part.name: number for number, part in enumerate(puzzle.parts)}
        self._looks = scene.looks_of_colours(puzzle)
        self._known: dict[tuple[int, tuple[Cell, ...], tuple[str, ...], tuple[Side, ...]], int] = {}
        self._rows: list[tuple[int, int]] = []
        self._places: list[Points] = []
        self._moves: list[Points] = []
        self._elsewhere: list[int] = []
        self._ways: list[Points] = []
        self._chosen: list[int] = []
        self._starts = [0]
        self._labels: list[tuple[int, int, int]] = []
        self._disassemblies: dict[int, Any] = {}

    def add(self, solution: Solution, disassembly: Disassembly | None) -> None:
        """Add a solution, with its disassembly if it is known."""
        own = self._placements(solution)
        extents = [self._book.extents[self._rows[k][1]] for k in own]
        places = np.array([self._places[k] for k in own])
        size, lattice = self._shown.size, self._puzzle.lattice
        if disassembly is not None:
            shapes = Dismantling(self._puzzle, solution, disassembly, extents, places, size)
            self._disassemblies[len(self._labels)] = disassembly_data(shapes, piece_names(solution, "{} {}"))
        if disassembly is not None and disassembly.separations:
            order = explosion.RemovalOrder(lattice, disassembly)
            apart = explosion.moves_in_order(extents, places, size, order)
        else:
            apart = explosion.moves(extents, places, size, flat=self._shown.dimension == 2)
        for k, (placement, move) in enumerate(zip(own, explosion.FULL * apart, strict=True), self._starts[-1]):
            if placement == len(self._moves):
                self._moves.append(move)
            elif np.abs(move - self._moves[placement]).max() > NEAR * size:
                self._elsewhere.append(k)
                self._ways.append(move)
        self._chosen += own
        self._starts.append(len(self._chosen))
        self._labels.append((solution.number, solution.image, solution.orbit))

    def _placements(self, solution: Solution) -> list[int]:
        """The numbers of a solution's placements, and then of its empty cells."""
        copies = [(self._number_of[each.part], each.cells, each.colours, each.sides) for each in solution.placements]
        covered = {cell for _, cells, *_ in copies for cell in cells}
        if len(covered) < len(self._region):
            copies += [(EMPTY, (cell,), (), ()) for cell in self._region if cell not in covered]
        for copy in copies:
            part, cells, colours, sides = copy
            if copy not in self._known:
                self._known[copy] = len(self._rows)
                shape, at = self._book.place(cells, [(name, self._looks.get(name)) for name in colours], sides)
                self._rows.append((part, shape))
                self._places.append(padded(at, 3))
        return [self._known[copy] for copy in copies]

    def data(self) -> dict[str, Any]:
        """All that was added."""
        return {
            "count": len(self._labels),
            "shapes": self._book.shapes,
            "placements": base64_array(self._rows, "<i4"),
            "places": base64_array(self._places, "<f4"),
            "moves": base64_array(self._moves, "<f4"),
            "elsewhere": base64_array(self._elsewhere, "<u4"),
            "ways": base64_array(self._ways, "<f4"),
            "starts": base64_array(self._starts, "<u4"),
            "solutions": base64_array(self._chosen, "<u4"),
            "numbers": base64_array(self._labels, "<u4"),
            **({"disassemblies": self._disassemblies} if self._disassemblies else {}),
        }


def base64_array(values: Sequence[Any], dtype: str) -> str:
    """Numbers as a typed array in base64."""
    return b64encode(np.array(values, dtype).tobytes()).decode("ascii")
