"""How many of all solutions have what, as data and as pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

from latcover.core.cover.diagram import Numbers
from latcover.errors import counted
from latcover.lab.asking.probabilities import Probabilities
from latcover.show.drawing.scenes.scene import part_named
from latcover.show.drawing.views.puzzle_views import HeatMap, PuzzleView, of_heat_maps

MOST_SHOWN = 10**12  # greater numbers of solutions are shown as a percentage


def placement_lines(chances: Probabilities) -> Iterator[str]:
    """A line of JSON for each placement of each part."""
    lattice = chances.puzzle.lattice
    for each in chances.placements:
        cells = [lattice.written(cell) for cell in each.cells]
        yield json.dumps({"part": each.part, "cells": cells, "solutions": each.solutions})


def heat_maps(chances: Probabilities, part: str | None = None) -> PuzzleView:
    """Where each part is in all solutions; or where each orientation of one *part* is, or of the only one.

    Raises:
        PuzzleError: there is no such part.
    """
    puzzle, total = chances.puzzle, chances.total

    def of(caption: str, numbers: Numbers) -> HeatMap:
        return HeatMap(caption, [Fraction(number, max(1, total)) for number in numbers.tolist()])

    names = [each.name for each in puzzle.parts]
    if part is None and len(names) == 1:
        part = names[0]
    if part is None:
        maps = [
            of(f"{name}: in {_of_all(number, total)}", on_cell)
            for name, number, on_cell in zip(names, chances.with_part, chances.on_cell, strict=True)
        ]
        if chances.empty.any():
            maps.append(of("left empty", chances.empty))
    else:
        turned = chances.orientation_on_cell[puzzle.parts.index(part_named(puzzle, part))]
        maps = [of(f"{part}, orientation {k}", on_cell) for k, on_cell in enumerate(turned, 1)]
    title = f"{puzzle.title or puzzle.name}: where its parts are in {_in_all(total)}"
    return of_heat_maps(puzzle, title, maps)


def _in_all(total: int) -> str:
    return f"all {counted(total, 'solution')}" if total < MOST_SHOWN else f"all {float(total):.3g} solutions"


def _of_all(number: int, total: int) -> str:
    if number == total:
        return "every solution"
    return f"{number:,} of {total:,}" if total < MOST_SHOWN else percentage(number, total)


def percentage(number: int, total: int) -> str:
    """A share of all solutions; not all of them are never 100 %."""
    rounded = f"{float(Fraction(100 * number, total)):.4g} %"
    return f"almost {rounded}" if rounded == "100 %" and number < total else rounded
