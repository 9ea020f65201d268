"""Assemblies as grids of letters: what people post, what latcover draws; as puzzles, and as solutions of known ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.verifier import verify
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.solutions import solutions as found_by_latcover
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.exchange.letter_solutions import solution_of
from latcover.files.formats.letters.letters_puzzle import assembly_puzzle
from latcover.files.formats.letters.letters_text import Assembly, read_pieces
from latcover.files.formats.library import load, load_all, load_lattice, load_subjects
from latcover.show.drawing.text.terminal_pictures import draw_solution
from tests import command_line

FLAT, SOLID = load_lattice("square"), load_lattice("cubic")
SOMA = """
Soma, the first solution of 240:   # a comment: with colon

VZZ
ZZP
AAL

VVP
APP
ABL

TTT
BTL
BBL
"""


def cells(assembly: Assembly) -> dict[str, list[tuple[int, ...]]]:
    return {letter: list(piece) for letter, piece in assembly.pieces.items()}


def read(text: str, dimension: int | None = None) -> Assembly:
    (assembly,) = read_pieces(text, "text", dimension)
    return assembly


@pytest.mark.parametrize(
    "text",
    [
        SOMA,
        "VZZ  VVP  TTT\nZZP  APP  BTL\nAAL  ABL  BBL",
        "VZZ | VVP | TTT\nZZP | APP | BTL\nAAL | ABL | BBL",
        "VZZ|VVP|TTT\nZZP|APP|BTL\nAAL|ABL|BBL",
        "V Z Z   V V P   T T T\nZ Z P   A P P   B T L\nA A L   A B L   B B L",
        "V Z Z  V V P  T T T\nZ Z P  A P P  B T L\nA A L  A B L  B B L\n\n\n",
        "V Z Z | V V P | T T T\nZ Z P | A P P | B T L\nA A L | A B L | B B L",
        "  V Z Z\n  Z Z P\n  A A L\n\n  V V P\n  A P P\n  A B L\n\n  T T T\n  B T L\n  B B L",
        "layer 1\nVZZ\nZZP\nAAL\nlayer 2\nVVP\nAPP\nABL\nlayer 3\nTTT\nBTL\nBBL",
    ],
)
def test_forms_of_one_assembly(text: str) -> None:
    assembly = read(text)
    assert assembly.dimension == 3
    assert cells(assembly) == cells(read(SOMA, 3))
    assert assembly.pieces["V"] == ((0, 0, 0), (0, 0, 1), (0, 1, 1))
    assert assembly.n_cells == 27
    assert solution_of(assembly, load("soma")).placements


def test_blanks_and_dots_are_no_pieces() -> None:
    text = ".AA.\nAA.B\n   B"
    assert cells(read(text, 2)) == {"A": [(0, 1), (0, 2), (1, 0), (1, 1)], "B": [(1, 3), (2, 3)]}
    spaced = "_ A A .\nA A   B\n      B"
    assert cells(read(spaced, 2)) == cells(read(text, 2))


def test_several_solutions() -> None:
    text = "Solution 1:\nAAB\nCCB\n\nSolution 2:\nABB\nACC\n"
    first, second = read_pieces(text, "text")
    assert (first.dimension, first.line, second.line) == (2, 2, 6)
    assert cells(second)["A"] == [(0, 0), (1, 0)]
    without = "AAB\nCCB\n\nABB\nACC\n"  # the same letters in each: assemblies in the plane
    assert [cells(each) for each in read_pieces(without, "text")] == [cells(first), cells(second)]
    (layers,) = read_pieces("AAB\nCCB\n\nADB\nADC\n", "text")
    assert layers.dimension == 3
    assert len(read_pieces(without, "text", 3)) == 1
    assert len(read_pieces("AB\nCD\n\nEF\nGH\n", "text", 2)) == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "no grid of letters"),
        ("nothing here but words\nand more of them: here\n", 0, "no grid of letters"),
        ("...\n. .\n", 0, "no grid of letters"),
        ("AAB\nA word or two\nCCB\n", 2, "is between such rows"),
        ("A A B\nA C  B\n", 2, "not in line"),
        ("layer 1    layer 2\nA A        B B\n", 2, "2 layers"),
    ],
)
def test_texts_at_fault(text: str, line: int, words: str) -> None:
    with pytest.raises(PuzzleFileError, match=words) as caught:
        read_pieces(text, "text", 2)
    assert caught.value.complaints[0].line == line


# ---- as puzzles


def test_equal_pieces_become_copies_of_one_part() -> None:
    puzzle = assembly_puzzle(read("AAB\nCCB\nDDD", 2), FLAT, name="made")
    assert [(part.name, part.low, part.high) for part in puzzle.parts] == [("A", 3, 3), ("D", 1, 1)]
    (warning,) = puzzle.warnings
    assert "A, B, C have the same shape" in warning.message
    assert count(puzzle, CountRequest(symmetry="none")).total == 12  # the bar at a side; 3 ways for the rest


def test_mirror_images_are_one_part_in_the_plane_and_two_in_space() -> None:
    text = "AABB\nA..B\nA..B"
    assert [part.high for part in assembly_puzzle(read(text, 2), FLAT, name="plane").parts] == [2]
    flat_in_space = read(text, 3)
    assert [part.high for part in assembly_puzzle(flat_in_space, SOLID, name="space").parts] == [2]
    hands = read("AA\nA.\n\n.A\nBB\n\n..\nCC", 3)
    assert len(assembly_puzzle(hands, SOLID, name="hands").parts) == 2


def test_a_piece_in_two_is_told() -> None:
    puzzle = assembly_puzzle(read("AB\nBA", 2), FLAT, name="made")
    assert ["not connected" in warning.message for warning in puzzle.warnings] == [True, True, False]


def test_letters_on_lattices_of_one_cell_a_unit() -> None:
    puzzle = assembly_puzzle(read("AAB\nCCB", 2), load_lattice("hexagonal"), name="hexagons")
    assert puzzle.lattice.name == "hexagonal"
    with pytest.raises(PuzzleError, match="2 cells a unit"):
        assembly_puzzle(read("AAB\nCCB", 2), load_lattice("triangular"), name="triangles")
    with pytest.raises(PuzzleError, match="needs a lattice with as many"):
        assembly_puzzle(read("AAB\nCCB", 2), SOLID, name="cubes")


def test_commands_take_a_text(tmp_path: Path) -> None:
    file = tmp_path / "cube.txt"
    file.write_text(SOMA, encoding="utf-8")
    assert command_line.run("count", file).stdout.startswith("cube: 240 solutions")
    file.write_text("Solution 1:\nAAB\nCCB\n\nSolution 2:\nABB\nACC\n", encoding="utf-8")
    assert [puzzle.name for puzzle in load_all(str(file))] == ["cube 1", "cube 2"]
    with pytest.raises(PuzzleError, match=r"several puzzles; choose one with --problem: 1 \(cube 1\), 2"):
        load(str(file))


# ---- as solutions, and what latcover draws

DRAWN = (
    *("dudeney", "example-2x2", "happy-cube-red", "live-cube", "notebook-coloured-5x5", "pent-10x6", "pent-stairs"),
    *("slothouber-graatsma", "soma"),
)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("width", [pytest.param(100, marks=pytest.mark.long), 20])
def test_our_own_drawings_read_back(name: str, width: int) -> None:
    puzzle = load(name)
    solution = next(iter(found_by_latcover(puzzle)))
    lines = draw_solution(puzzle, solution, colour=False, width=width)
    text = "\n".join(["title of one", "solution 1", *lines, "", f"{puzzle.name}: 1 solution (complete)"])
    again = solution_of(read(text, puzzle.lattice.dimension), puzzle)
    assert again.placements == solution.placements
    coloured = draw_solution(puzzle, solution, colour=True, width=width)
    assert cells(read("\n".join(coloured), puzzle.lattice.dimension)) == cells(read(text, puzzle.lattice.dimension))


def test_an_assembly_may_be_turned_and_mirrored_as_a_whole() -> None:
    puzzle = load("pent-10x6")
    rows = draw_solution(puzzle, next(iter(found_by_latcover(puzzle))), colour=False, width=80)
    rows = [row.replace(" ", "") for row in rows]
    turned = ["".join(column) for column in zip(*rows, strict=True)]
    renamed = "\n".join(turned).translate(str.maketrans("FILNPTUVWXYZ", "abcdefghijkl"))
    assert not verify(puzzle, solution_of(read(renamed, 2), puzzle))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AAA\nAAB\nBB.", "are its cells those of the region"),
        ("AAA\nABB\nBBB", "the letters A match no part"),
        ("AAA\nBBB\nCCC", "more, or fewer, pieces"),
    ],
)
def test_what_is_no_solution(text: str, words: str) -> None:
    puzzle = load("fig4-3x3")  # a P pentomino, a bar of three and a single cell
    with pytest.raises(PuzzleError, match=words):
        solution_of(read(text, 2), puzzle)


def test_names_tell_equal_parts_apart(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    file.write_text(
        'name = "p"\nlattice = "square"\n[region]\nbox = [2, 3]\n'
        '[[parts]]\nname = "A"\nart = "XX"\n[[parts]]\nname = "B"\nart = "XX"\n[[parts]]\nname = "q"\nart = "XX"\n',
        encoding="utf-8",
    )
    puzzle = load(str(file))
    solution = solution_of(read("BBC\nAAC", 2), puzzle)
    assert {placed.part: placed.cells for placed in solution.placements} == {
        "A": ((0, 1, 0), (0, 1, 1)),
        "B": ((0, 0, 0), (0, 0, 1)),
        "q": ((0, 0, 2), (0, 1, 2)),
    }


@settings(max_examples=80)
@given(data=st.data())
def test_random_grids_of_letters(data: st.DataObject) -> None:
    """Any grid, in any form, reads back; a frame of dots keeps rows and columns apart from what parts layers."""
    n_rows, n_columns, n_layers = (data.draw(st.integers(1, 4)) for _ in range(3))
    drawn = st.lists(st.sampled_from("ABCxyz0."), min_size=n_columns, max_size=n_columns)
    layers = [[data.draw(drawn) for _ in range(n_rows)] for _ in range(n_layers)]
    layers[0][0][0] = "A"
    joint = data.draw(st.sampled_from(["", " "]))
    rows = [[joint.join(row) for row in layer] for layer in layers]
    form = data.draw(st.sampled_from(["below", "beside", "bars"]))
    if form == "below":
        text = "\n\n".join("\n".join(layer) for layer in rows)
    else:
        between = {"beside": "   ", "bars": " | "}[form]
        text = "\n".join(between.join(layer[r] for layer in rows) for r in range(n_rows))
    found = read(text, 3)
    expected: dict[str, list[tuple[int, ...]]] = {}
    for z, r, c in np.ndindex(n_layers, n_rows, n_columns):
        if layers[z][r][c] != ".":
            expected.setdefault(layers[z][r][c], []).append((r, c, z))
    assert cells(found) == {letter: sorted(piece) for letter, piece in expected.items()}


SIDES = """
name = "chain"
lattice = "square"
[region]
box = [1, 5]
optional = [[0, 0]]
max_empty = 1
[sides]
keys = ["k"]
locks = ["l"]
fits = { k = ["l"] }
[[parts]]
name = "key"
count = 2
art = ["XX"]
sides = [{ cell = [0, 1], edge = "east", is = "k" }]
[[parts]]
name = "lock"
art = ["X"]
sides = [{ cell = [0, 0], edge = "west", is = "l" }, { cell = [0, 0], edge = "east", is = "l" }]
"""
COLOURS = """
name = "colours"
lattice = "square"
[colours]
R = "red"
Y = "yellow"
[region]
box = [2, 4]
[rules]
apart = ["red", ["red", "yellow"]]
[[parts]]
name = "red"
count = 2
art = ["XXR"]
[[parts]]
name = "yellow"
art = ["XY"]
"""


@pytest.mark.parametrize("text", [SIDES, COLOURS], ids=["sides", "colours"])
def test_what_letters_do_not_show_is_found_so_that_rules_are_kept(text: str, tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    file.write_text(text, encoding="utf-8")
    puzzle = load(str(file))
    found = list(found_by_latcover(puzzle))
    assert found
    for solution in found:
        lines = draw_solution(puzzle, solution, colour=False, width=100)
        again = solution_of(read("\n".join(lines), 2), puzzle)
        assert not verify(puzzle, again)
        assert {(placed.part, placed.cells) for placed in again.placements} == {
            (placed.part, placed.cells) for placed in solution.placements
        }


MATRICES = ["0 1 1\n1 0 0\n", "011\n100\n", "1 1\n1 1\n", "0\n1\n"]


@pytest.mark.parametrize("text", MATRICES)
def test_zeros_and_ones_are_a_matrix_and_what_they_could_be_is_said(text: str, tmp_path: Path) -> None:
    path = tmp_path / "matrix.txt"
    path.write_text(text)
    (found,) = load_subjects(str(path))
    assert isinstance(found, NamedProblem)
    assert ("a drawing of two pieces has letters" in str(found.warnings)) == (" " not in text)
    path.write_text(f"my matrix:\n{text}")
    with pytest.raises(PuzzleFileError, match=r"matrix.txt:2: is this a matrix.* or a drawing"):
        load_all(str(path))
    path.write_text(text)
    (subject,) = load_subjects(str(path), lattice="square")  # then it is a drawing
    assert isinstance(subject, Puzzle)


@pytest.mark.parametrize("text", ["0 1 1\n1 0 .\n", "0 1 1\n1 0 2\n", "A A\nB B\n"])
def test_a_drawing_is_not_asked_about(text: str, tmp_path: Path) -> None:
    path = tmp_path / "drawing.txt"
    path.write_text(text)
    assert load_all(str(path))
