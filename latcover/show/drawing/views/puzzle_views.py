"""The views of `latcover show`: each as plain data, as lines of text, and as scenes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part, PartSet, Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import counted
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.text.terminal_pictures import (
    LEGEND_OF_SHARES,
    draw_part,
    draw_part_set,
    draw_region,
    draw_shares,
    draw_solution,
    pictures_of_set,
)


class PuzzleView(Struct, frozen=True):
    """A view: its title, its data, its text (``lines(colour=..., width=...)``) and its scenes.

    If it has several pictures, ``pictures(colour=..., width=...)`` are the lines of each, below its name.
    ``entries(tell=...)`` makes the scenes, and tells the number of each before it is made.
    """

    title: str
    data: dict[str, Any]
    lines: Callable[..., list[str]]
    entries: Callable[..., list[CaptionedScene]]
    pictures: Callable[..., list[list[str]]] | None = None


def of_solution(puzzle: Puzzle, solution: Solution) -> PuzzleView:
    """A solution."""
    return PuzzleView(
        f"{puzzle.title or puzzle.name}, solution {solution.number}",
        {"puzzle": puzzle.name, "solution": solution.as_json(puzzle.lattice)},
        lambda **how: draw_solution(puzzle, solution, **how),
        lambda **_: [CaptionedScene(scene.of_solution(puzzle, solution))],
    )


def of_solutions(puzzle: Puzzle, solutions: Sequence[Solution]) -> PuzzleView:
    """A sheet of solutions with their numbers."""

    def pictures(**how: Any) -> list[list[str]]:
        return [[f"solution {found.number}", *draw_solution(puzzle, found, **how)] for found in solutions]

    def lines(**how: Any) -> list[str]:
        return [line for block in pictures(**how) for line in ("", *block)][1:]

    def entries(tell: Callable[[int], object] = lambda _: None) -> list[CaptionedScene]:
        made = []
        for number, found in enumerate(solutions, 1):
            tell(number)
            made.append(CaptionedScene(scene.of_solution(puzzle, found), f"solution {found.number}"))
        return made

    return PuzzleView(
        f"{puzzle.title or puzzle.name}: {counted(len(solutions), 'solution')}",
        {"puzzle": puzzle.name, "solutions": [found.as_json(puzzle.lattice) for found in solutions]},
        lines,
        entries,
        pictures,
    )


def of_region(puzzle: Puzzle) -> PuzzleView:
    """The region: its cells with their colours, and whether they are optional."""
    region = puzzle.region
    cells = [
        {"cell": puzzle.lattice.written(cell), "colour": puzzle.colours[colour], "optional": optional}
        for cell, colour, optional in zip(
            region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True
        )
    ]
    return PuzzleView(
        f"{puzzle.title or puzzle.name}, region",
        {"puzzle": puzzle.name, "region": cells},
        lambda **how: draw_region(puzzle, **how),
        lambda **_: [CaptionedScene(scene.of_region(puzzle))],
    )


def of_part(puzzle: Puzzle, name: str) -> PuzzleView:
    """A part with all its orientations.

    Raises:
        PuzzleError: there is no such part.
    """
    part = scene.part_named(puzzle, name)
    shapes = [
        [puzzle.lattice.written(cell) for cell in orientation.cells.tolist()]
        for orientation in orientations(part, puzzle.region.default_order())
    ]
    return PuzzleView(
        f"{puzzle.title or puzzle.name}, part {name} in its orientations",
        {"puzzle": puzzle.name, "part": name, "orientations": shapes},
        lambda **how: draw_part(puzzle, part, **how),
        lambda **_: [CaptionedScene(shown, str(number)) for number, shown in enumerate(scene.of_part(puzzle, name), 1)],
    )


class HeatMap(Struct, frozen=True):
    """Which share of all solutions has something on each cell of a puzzle's region, and what that is."""

    caption: str
    shares: Sequence[Fraction]


def of_heat_maps(puzzle: Puzzle, title: str, maps: Sequence[HeatMap]) -> PuzzleView:
    """Maps of the region, darker where a larger share of the solutions has something; white where none has."""

    def lines(**how: Any) -> list[str]:
        blocks = [[heat.caption, *draw_shares(puzzle, heat.shares, **how), ""] for heat in maps]
        return [title, "", *(line for block in blocks for line in block), LEGEND_OF_SHARES]

    return PuzzleView(
        title,
        {},
        lines,
        lambda **_: [CaptionedScene(scene.of_shares(puzzle, heat.caption, heat.shares), heat.caption) for heat in maps],
    )


def of_part_set(parts: PartSet) -> PuzzleView:
    """A sheet of parts with their names."""
    return PuzzleView(
        parts.title or parts.name,
        {"set": parts.name, "parts": [part_as_data(parts, part) for part in parts.parts]},
        lambda **how: draw_part_set(parts, **how),
        lambda **_: [
            CaptionedScene(scene.of_lone_part(part, parts.lattice, number, parts.colours, parts.rules), part.name)
            for number, part in enumerate(parts.parts)
        ],
        lambda *, colour, **_: pictures_of_set(parts, colour=colour),
    )


def part_as_data(parts: PartSet, part: Part) -> dict[str, Any]:
    """The name and the cells of a part; their colours if there are any."""
    data = {"name": part.name, "cells": [parts.lattice.written(cell) for cell in part.cells.tolist()]}
    return data | ({"colours": [parts.colours[k] for k in part.colours.tolist()]} if part.colours.any() else {})
