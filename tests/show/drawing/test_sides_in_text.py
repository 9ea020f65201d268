"""Letters of sides in text, compared with what one would type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import latcover
from latcover.core.model.verifier import verify
from latcover.files.exchange.letter_solutions import solution_of
from latcover.files.formats.letters.letters_text import read_pieces
from latcover.show.drawing.text.terminal_pictures import draw_solution

ANSI = re.compile(r"\x1b\[[0-9;]*m")
TILES = """
name = "tiles"
lattice = "LATTICE"
transformations = "fixed"
parts = [PARTS]
sides.values = { R = "red", G = "green", b = "b" }
region = { cells = CELLS }
"""
DRAWN = {
    "square": (
        '{name = "x", tile = "RGbR"}, {name = "y", tile = "RRGG"}, {name = "z", tile = "bGGR"}',
        "[[0, 0], [1, 0], [0, 1]]",
        ["#   R      R", "# R x G  G y R", "#   b      G", "#   b", "# R z G", "#   G", "# R: red   G: green"],
    ),
    "triangular": (
        '{name = "x", node = "up", tile = "RGb"}, {name = "y", node = "down", tile = "GbR"}',
        '[[0, 0, "up"], [0, 1, "down"]]',
        ["#          G", "# b x R  R y b", "#   G", "# R: red   G: green"],
    ),
    "hexagonal": (
        '{name = "x", tile = "RGbGRb"}, {name = "y", tile = "GRbRGb"}',
        "[[0, 0], [1, 0]]",
        ["#  b R", "# R x G", "#  G b", "#      b G", "#     G y R", "#      R b", "# R: red   G: green"],
    ),
}


def made(text: str, tmp_path: Path) -> latcover.Puzzle:
    file = tmp_path / "p.toml"
    file.write_text(text, encoding="utf-8")
    return latcover.load(str(file))


def sides(puzzle: latcover.Puzzle, width: int = 100, *, colour: bool = False) -> list[str]:
    solution = next(iter(latcover.solutions(puzzle)))
    lines = draw_solution(puzzle, solution, colour=colour, width=width)
    return lines[lines.index("") + 1 :] if "" in lines else lines


@pytest.mark.parametrize("name", DRAWN)
def test_letters_stand_round_each_tile(name: str, tmp_path: Path) -> None:
    parts, cells, expected = DRAWN[name]
    text = TILES.replace("LATTICE", name).replace("PARTS", parts).replace("CELLS", cells)
    assert sides(made(text, tmp_path))[1:] == expected


def test_a_part_of_several_cells_has_letters_at_its_outer_sides_only(tmp_path: Path) -> None:
    text = 'name = "p"\nlattice = "square"\ntransformations = "fixed"\nsides.values = ["R", "G"]\nregion.box = [1, 3]\n'
    text += 'parts = [{ name = "x", art = ["XX"], edges = ["R.GG", "RGR."] }, { name = "y", tile = "RRGG" }]\n'
    assert sides(made(text, tmp_path))[1:] == ["#   R      R      R", "# G x      x G  G y R", "#   G      R      G"]


@pytest.mark.parametrize("width", [100, 20])
@pytest.mark.parametrize("name", ["nine-cards", "mayblox"])
def test_the_text_reads_back(name: str, width: int) -> None:
    puzzle = latcover.load(name)
    solution = next(iter(latcover.solutions(puzzle)))
    lines = draw_solution(puzzle, solution, colour=False, width=width)
    (assembly,) = read_pieces("\n".join(lines), "text", puzzle.lattice.dimension)
    assert not verify(puzzle, solution_of(assembly, puzzle))
    coloured = draw_solution(puzzle, solution, colour=True, width=width)
    assert [ANSI.sub("", line) for line in coloured if line.startswith("#")] == [
        line for line in lines if line.startswith("#")
    ]
