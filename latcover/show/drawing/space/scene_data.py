"""The data for the viewer: a puzzle and its solutions as JSON.

``unpack`` in ``static/source.js`` reads the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from msgspec import UNSET
from msgspec.structs import asdict

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
from latcover.show.drawing.space.packed_numbers import pack_numbers
from latcover.show.drawing.space.scene_structs import (
    DisassemblyData,
    GeometryData,
    PatternData,
    PuzzleScene,
    RegionOutline,
    SceneData,
    ScenePart,
    ScenePuzzle,
)
from latcover.show.drawing.space.shape_data import ShapeBook, numbers

FORMAT = 4
NONE: Mapping[int, Disassembly] = MappingProxyType({})
EMPTY = -1  # the part of an empty cell
FLAT_THICKNESS = 0.3  # the thickness of flat puzzles, as a share of the size of a cell
NEAR = 1e-4  # of the size of a cell: smaller differences of moves do not count
GAP = 0.02  # between the slabs of layers, as a share of the distance of two layers


def scene_data(
    puzzle: Puzzle, solutions: Iterable[Solution], disassemblies: Mapping[int, Disassembly] = NONE
) -> SceneData:
    """A puzzle and its solutions in the form that ``unpack`` reads, with *disassemblies* of some, by number."""
    shown = scene.of_region(puzzle)
    rows = _SolutionRows(puzzle, shown)
    for solution in solutions:
        rows.add(solution, disassemblies.get(solution.number))
    return rows.data(_puzzle_scene(puzzle, shown))


def drawn_puzzle(puzzle: Puzzle) -> PuzzleScene:
    """A puzzle without solutions, for a viewer that gets these later."""
    return _puzzle_scene(puzzle, scene.of_region(puzzle))


def _puzzle_scene(puzzle: Puzzle, shown: Scene) -> PuzzleScene:
    book = ShapeBook(puzzle.lattice, puzzle.region.period, ())
    number, at = book.place(_cells(puzzle))
    shape = book.shapes[number]
    outline = GeometryData(outlines=shape.outlines, solid=shape.solid, balls=shape.balls, necks=shape.necks)
    described = ScenePuzzle(
        name=puzzle.name,
        title=puzzle.title or puzzle.name,
        lattice=puzzle.lattice.name,
        dimension=shown.dimension,
        size=round(shown.size, 5),
        low=numbers(shown.low),
        high=numbers(shown.high),
        heights=numbers(np.array(shown.heights)),
        thickness=round(_thickness(shown), 5),
        unrolled=shown.unrolled,
        outline=RegionOutline(outline, numbers(padded(at, 3))),
    )
    signs, paints = letters(puzzle), scene.looks_of_parts(puzzle)
    parts = [
        _part_data(number, paints[number], part.name, signs[part.name], puzzle.most_copies(part))
        for number, part in enumerate(puzzle.parts)
    ]
    return PuzzleScene(format=FORMAT, puzzle=described, parts=parts)


def _thickness(shown: Scene) -> float:
    """The thickness of a slab: almost the distance of layers, so that slabs can be stacked."""
    if shown.dimension == 2:
        return FLAT_THICKNESS * shown.size
    apart = np.diff(shown.heights).min() if len(shown.heights) > 1 else shown.high[2] - shown.low[2]
    return float(apart) * (1 - GAP)


def _part_data(number: int, paint: palette.RGB, name: str, signs: list[str], copies: int) -> ScenePart:
    path, angle = MARKS[palette.pattern(number)]
    several = max(1, min(len(palette.COPIES), copies))
    shades = [hexadecimal(palette.copies_of(paint, copy)) for copy in range(1, 1 + several)]
    return ScenePart(name=name, colours=shades, letters=signs, pattern=PatternData(path, angle) if path else None)


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
        self._disassemblies: dict[int, DisassemblyData] = {}

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

    def data(self, shown: PuzzleScene) -> SceneData:
        """The puzzle, and all that was added."""
        return SceneData(
            **asdict(shown),
            count=len(self._labels),
            shapes=self._book.shapes,
            placements=pack_numbers(self._rows),
            places=pack_numbers(self._places),
            moves=pack_numbers(self._moves),
            elsewhere=pack_numbers(self._elsewhere),
            ways=pack_numbers(self._ways),
            starts=pack_numbers(self._starts),
            solutions=pack_numbers(self._chosen),
            numbers=pack_numbers(self._labels),
            disassemblies=self._disassemblies or UNSET,
        )
