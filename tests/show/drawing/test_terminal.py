"""Pictures in text, compared with what one would type."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_lattice
from latcover.show.drawing.palette import COLOURS
from latcover.show.drawing.part_letters import letters, letters_of_colours
from latcover.show.drawing.text.terminal_pictures import CellText, block, draw, draw_part, draw_region, draw_solution

PLAIN: Any = {"colour": False, "width": 100}
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PUZZLES = ("fig4-3x3", "soma", "hex-prisms", "sphere-pyramid")

PICTURES: dict[str, tuple[dict[tuple[int, ...], str], list[str]]] = {
    "square": (
        {(0, 0, 0): "A", (0, 0, 1): "A", (0, 1, 1): "B", (0, 2, 0): "C", (0, 2, 2): "D"},
        ["A A", "  B", "C   D"],
    ),
    "cubic": (
        {(0, 0, 0, 0): "A", (0, 0, 1, 0): "B", (0, 1, 0, 0): "C", (0, 1, 1, 1): "D"},
        ["layer 1 (bottom)    layer 2", "A B", "C                     D"],
    ),
    "hexprism": (
        {(0, 0, 0, 0): "A", (0, 0, 1, 0): "B", (0, 1, 0, 0): "C", (0, 1, 1, 0): "D", (0, 2, 0, 0): "E"},
        ["A B", " C D", "  E"],
    ),
    "fcc": (
        {(0, 0, 0, 0): "A", (0, 0, 1, 0): "B", (0, 1, 0, 0): "C", (0, 0, 0, 1): "D"},
        ["layer 1 (bottom)    layer 2", "A B                  D", " C"],
    ),
}


def plain(lines: list[str]) -> list[str]:
    """Without colours; in a legend a coloured block keeps its second column."""
    return [ANSI.sub("", line).rstrip().replace(" : ", ": ") for line in lines]


def puzzle_of(copies: dict[str, tuple[int, int | None]], n_cells: int = 100) -> Puzzle:
    """A row of squares, and parts of one cell with these names and numbers of copies."""
    lattice = load_lattice("square")
    cell = as_cells([(0, 0, 0)], 2)
    no_colour = np.zeros(1, np.int32)
    parts = [Part(name, cell, no_colour, low, high, lattice.allowed("fixed")) for name, (low, high) in copies.items()]
    region = Region(as_cells([(0, 0, column) for column in range(n_cells)], 2))
    return Puzzle("row", lattice, region, tuple(parts))


@pytest.mark.parametrize("name", PICTURES)
def test_small_pictures(name: str) -> None:
    cells, expected = PICTURES[name]
    marks = [CellText(letter) for letter in cells.values()]
    assert draw(load_lattice(name), as_cells(list(cells), len(next(iter(cells))) - 1), marks, **PLAIN) == expected


SHIFTED = {  # layers that are equal but for their places, and rows that no cell uses
    "cubic, other rows": ([(0, 1, 0, 0), (0, 0, 0, 1)], ["layer 1 (bottom)    layer 2", "                    X", "X"]),
    "cubic, a chain of rows": (
        [(0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 1), (0, 1, 0, 2), (0, 2, 0, 2), (0, 2, 0, 3)],
        [
            "layer 1 (bottom)    layer 2    layer 3    layer 4",
            "X                   X",
            "                    X          X",
            "                               X          X",
        ],
    ),
    "square, a row and a column that are empty": ([(0, 0, 0), (0, 2, 0), (0, 2, 3)], ["X", "", "X     X"]),
}


@pytest.mark.parametrize("name", SHIFTED)
def test_pictures_keep_the_places_of_cells(name: str) -> None:
    cells, expected = SHIFTED[name]
    lattice = load_lattice(name.split(",", maxsplit=1)[0])
    assert draw(lattice, as_cells(cells, lattice.dimension), [CellText("X")] * len(cells), **PLAIN) == expected


@pytest.mark.parametrize("scale", [1e-9, 0.3, 1e6])
@pytest.mark.parametrize("name", PICTURES)
def test_the_unit_of_length_does_not_matter(name: str, scale: float) -> None:
    cells, expected = PICTURES[name]
    lattice = load_lattice(name)
    scaled = replace(lattice, basis=lattice.basis * scale)
    rows = as_cells(list(cells), lattice.dimension)
    assert draw(scaled, rows, [CellText(letter) for letter in cells.values()], **PLAIN) == expected


THREE_LAYERS = {(0, 0, column, layer): str(layer) for layer in range(3) for column in range(3)}


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (38, ["layer 1 (bottom)    layer 2    layer 3", "0 0 0               1 1 1      2 2 2"]),
        (37, ["layer 1 (bottom)    layer 2", "0 0 0               1 1 1", "", "layer 3", "2 2 2"]),
        (5, ["layer 1 (bottom)", "0 0 0", "", "layer 2", "1 1 1", "", "layer 3", "2 2 2"]),
    ],
)
def test_layers_wrap_at_the_width(width: int, expected: list[str]) -> None:
    cells = as_cells(list(THREE_LAYERS), 3)
    marks = [CellText(letter) for letter in THREE_LAYERS.values()]
    assert draw(load_lattice("cubic"), cells, marks, colour=False, width=width) == expected


def test_colours_wrap_no_earlier_than_letters() -> None:
    cells = as_cells(list(THREE_LAYERS), 3)
    marks = [CellText(letter, COLOURS[int(letter)]) for letter in THREE_LAYERS.values()]
    pictures = [draw(load_lattice("cubic"), cells, marks, colour=colour, width=38) for colour in (True, False)]
    assert plain(pictures[0]) == pictures[1]
    assert len(pictures[1]) == 2


def test_a_block_is_two_columns_wide() -> None:
    assert block(CellText("A", COLOURS[0]), True) == "\x1b[48;5;68;38;5;16mA \x1b[0m"
    assert block(CellText("A", COLOURS[0]), False) == block(CellText("A"), True) == "A "
    assert len({block(CellText("A", rgb), True) for rgb in COLOURS}) == len(COLOURS)


def test_cells_have_their_colours_in_solutions() -> None:
    puzzle = load("hex-prisms")
    solution = next(solutions(puzzle))
    assert draw_solution(puzzle, solution, colour=False, width=100)[1] == "H G G F F           H A G B F     A A A B B"
    coloured = "\n".join(draw_solution(puzzle, solution, colour=True, width=100))
    assert set(re.findall(r"48;5;(\d+)", coloured)) == {"16", "231"}


@pytest.mark.parametrize("name", PUZZLES)
def test_colour_changes_no_letter(name: str) -> None:
    puzzle = load(name)
    solution = next(solutions(puzzle))
    for colour_off, colour_on in (
        [draw_solution(puzzle, solution, colour=colour, width=60) for colour in (False, True)],
        [draw_region(puzzle, colour=colour, width=60) for colour in (False, True)],
        [draw_part(puzzle, puzzle.parts[0], colour=colour, width=60) for colour in (False, True)],
    ):
        assert plain(colour_on) == plain(colour_off) == colour_off


@pytest.mark.parametrize("name", PUZZLES)
def test_a_solution_shows_every_cell_of_every_part(name: str) -> None:
    puzzle = load(name)
    solution = next(solutions(puzzle))
    signs = letters(puzzle)
    lines = draw_solution(puzzle, solution, colour=False, width=1000)
    text = "".join(line for line in lines if "layer" not in line and ":" not in line).replace(" ", "")
    assert len(text) == len(puzzle.region.cells)
    for part in puzzle.parts:
        copies = sum(placed.part == part.name for placed in solution.placements)
        assert sum(map(text.count, signs[part.name])) == copies * part.size


def test_empty_cells_are_dots_and_long_names_have_a_legend() -> None:
    puzzle = puzzle_of({"bar": (0, 1), "Q": (0, 1), "base": (0, 2)}, 5)
    cells = [("bar", 0), ("Q", 1), ("base", 2), ("base", 4)]
    solution = Solution(tuple(Placed(name, ((0, 0, column),)) for name, column in cells))
    assert draw_solution(puzzle, solution, **PLAIN) == ["B Q A . C", "", "B: bar   Q: Q   A C: base"]


def test_without_long_names_there_is_no_legend() -> None:
    solution = Solution((Placed("b", ((0, 0, 0),)), Placed("A", ((0, 0, 1),))))
    assert draw_solution(puzzle_of({"b": (1, 1), "A": (1, 1)}, 2), solution, **PLAIN) == ["b A"]


def test_a_region_shows_colours_and_optional_cells() -> None:
    puzzle = load("hex-prisms")
    assert draw_region(puzzle, **PLAIN)[:3] == [
        "layer 1 (bottom)    layer 2       layer 3",
        "b w w w b           b w w w b     b w w w b",
        " w b b w             w b b w       w b b w",
    ]
    row = puzzle_of({"a": (1, 1)}, 3)
    row.region.optional[1] = True
    assert draw_region(row, **PLAIN) == ["# + #"]


def test_colours_have_letters_of_their_own_and_a_legend() -> None:
    row = replace(puzzle_of({"a": (1, 1)}, 3), colours=("", "black", "blue", "white"))
    row.region.colours[:] = [1, 2, 0]
    assert draw_region(row, **PLAIN) == ["b l #", "", "b: black   l: blue"]
    coloured = draw_region(row, colour=True, width=100)
    assert [ANSI.sub("", line).rstrip() for line in coloured] == ["b l #", "", "b : black   l : blue"]
    part = replace(row.parts[0], colours=np.array([2], dtype=np.int32))
    assert draw_part(replace(row, parts=(part,)), part, **PLAIN) == ["1", "l", "", "l: blue"]


def test_letters_of_colours() -> None:
    assert letters_of_colours(("", "black", "blue", "lab", "b", "+x", "\u6f22")) == ("", "b", "l", "a", "A", "x", "B")
    assert len(set(letters_of_colours([f"b{'l' * k}" for k in range(62)]))) == 62
    assert letters_of_colours(["b" * k for k in range(1, 65)])[-2:] == ("?", "?")


def test_a_part_in_its_orientations() -> None:
    puzzle = load("fig4-3x3")
    assert draw_part(puzzle, puzzle.parts[1], **PLAIN) == ["1         2", "B B B     B", "          B", "          B"]
    assert draw_part(puzzle, puzzle.parts[1], colour=False, width=10) == ["1", "B B B", "", "2", "B", "B", "B"]


def test_a_part_in_three_dimensions_shows_its_layers_beside_each_other() -> None:
    puzzle = load("soma")
    picture = draw_part(puzzle, puzzle.parts[0], colour=False, width=30)
    assert picture[:3] == ["1       2       3", "V V     V       V V | V", "V       V V"]
    assert len(re.findall(r"\b\d+\b", " ".join(picture))) == 12


COPIES = [
    ({"F": (1, 1), "I": (1, 1)}, {"F": "F", "I": "I"}),
    ({"bar": (1, 1), "base": (1, 1), "big": (1, 1)}, {"bar": "B", "base": "b", "big": "A"}),
    ({"bar": (1, 1), "B": (1, 1)}, {"bar": "b", "B": "B"}),
    ({"bar": (2, 2), "rod": (1, 1)}, {"bar": "AB", "rod": "R"}),
    ({"bar": (2, 2), "A": (1, 1)}, {"bar": "BC", "A": "A"}),
    ({"bar": (0, 3)}, {"bar": "ABC"}),
    ({"bar": (0, None)}, {"bar": "B"}),
    ({"bar": (63, 63), "rod": (1, 1)}, {"bar": "B", "rod": "R"}),
    ({"b": (90, 90), "rod": (1, 1)}, {"b": "b", "rod": "R"}),
    ({"-": (1, 1), "?!": (1, 1)}, {"-": "-", "?!": "?"}),
]


@pytest.mark.parametrize(("copies", "expected"), COPIES)
def test_letters(copies: dict[str, tuple[int, int | None]], expected: dict[str, str]) -> None:
    assert letters(puzzle_of(copies)) == {name: list(signs) for name, signs in expected.items()}


@pytest.mark.parametrize(
    "copies",
    [
        {"A": (3, 3), "B": (1, 1), "C": (2, 2)},
        {"ant": (20, 20), "bee": (20, 20), "cat": (20, 20), "D": (2, 2)},
        {f"part {k}": (1, 1) for k in range(62)},
    ],
    ids=["one letter", "all that there are", "as many parts as letters"],
)
def test_letters_are_distinct_while_there_are_enough(copies: dict[str, tuple[int, int | None]]) -> None:
    found = letters(puzzle_of(copies))
    assert {name: len(signs) for name, signs in found.items()} == {name: low for name, (low, _) in copies.items()}
    assert len(set(chain(*found.values()))) == sum(low for low, _ in copies.values())


def test_more_parts_than_letters() -> None:
    found = letters(puzzle_of({f"part {k}": (1, 1) for k in range(80)}))
    assert all(len(signs) == 1 for signs in found.values())
    assert len(set(chain(*found.values()))) == 62 + 1


@pytest.mark.parametrize("name", ["éclair", "Ω", "ßeta", " bar", "\u0301e", "日本", "日", "."], ids=ascii)
def test_every_letter_takes_one_column_and_can_be_told_from_no_part(name: str) -> None:
    (letter,) = letters(puzzle_of({name: (1, 1)}))[name]
    assert len(letter) == 1
    assert letter.isprintable()
    assert not unicodedata.combining(letter)
    assert unicodedata.east_asian_width(letter) not in "WF"
    assert letter not in " ."
