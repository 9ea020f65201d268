"""Flat solutions as outlines: every line of the picture lies between two parts, or at the rim."""

from __future__ import annotations

import pytest

import latcover
from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.library import load
from latcover.show.drawing.text.outlined import can_be_outlined, outlined
from tests.command_line import run_on_terminal


def first(name: str) -> tuple[Puzzle, latcover.Solution]:
    puzzle = load(name)
    return puzzle, next(iter(latcover.solutions(puzzle)))


def test_a_small_solution() -> None:
    puzzle, _ = first("fig4-3x3")
    found = ["\n".join(outlined(puzzle, solution)) for solution in latcover.solutions(puzzle)]
    assert found == [
        "┌────────┐\n│     ┌──┤\n├─────┴──┤\n└────────┘",
        "┌────────┐\n├────────┤\n│     ┌──┤\n└─────┴──┘",
    ]


@pytest.mark.parametrize("name", ["pent-10x6", "pent-8x8-minus-2x2", "dudeney"])
def test_lines_part_cells_of_different_parts(name: str) -> None:
    """Read back: cells that no line parts belong to one part, so there are as many areas as parts."""
    puzzle, solution = first(name)
    lines = [line.ljust(200) for line in outlined(puzzle, solution)]
    rows, columns = len(lines) - 1, max(len(line.rstrip()) for line in lines) // 3
    area = {(r, c): (r, c) for r in range(rows) for c in range(columns)}

    def join(one: tuple[int, int], other: tuple[int, int]) -> None:
        old, new = area[one], area[other]
        area.update({cell: new for cell, its in area.items() if its == old})

    for r, c in area:
        if r and lines[r][3 * c + 1] == " ":
            join((r - 1, c), (r, c))
        if c and lines[r][3 * c] not in "╷│┌├┐┤┬┼":
            join((r, c - 1), (r, c))
    empty = columns * rows - len(puzzle.region.cells)
    assert len(set(area.values())) == len(solution.placements) + bool(empty)


@pytest.mark.parametrize(("name", "can"), [("soma", False), ("hexiamonds-4x9", False), ("dominoes-quadrilles", False)])
def test_what_cannot_be_outlined(name: str, can: bool) -> None:
    assert can_be_outlined(load(name)) is can


def test_a_terminal_without_colours_shows_outlines() -> None:
    plain = run_on_terminal("stdout", "solve", "fig4-3x3", "--no-color", COLUMNS="80", LINES="30")[0]
    assert "┌────────┐    ┌────────┐" in plain
