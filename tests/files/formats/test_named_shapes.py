"""Shapes by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.named_shapes import names_shapes, shape_named
from latcover.files.formats.piece_sets import pieces


@pytest.mark.parametrize(
    ("name", "own", "size"),
    [
        ("pentominoes:X", "X", 5),
        ("square-7:3", "3", 7),
        ("hexagonal-2:1", "1", 2),
        ("X./XX", "X./XX", 3),
        ("hats:hat", "hat", 8),
        ("monomino", "monomino", 1),
        ("domino", "domino", 2),
        ("T tetromino", "T tetromino", 4),
        ("W-pentomino", "W-pentomino", 5),
        ("square-2", "1", 2),
        ("hexagonal-4:1", "bee", 4),
        ("triangular-5:2", "I", 5),
    ],
)
def test_names_of_shapes(name: str, own: str, size: int) -> None:
    shape = shape_named(name)
    assert (shape.name, shape.size, shape.high) == (own, size, None)


def test_files(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.txt"
    drawn.write_text("XX.\n.XX\n")
    assert shape_named(str(drawn)).size == 4
    parts = tmp_path / "set.toml"
    parts.write_text('lattice = "square"\n[[parts]]\nname = "P"\nart = ["XX", "XX", "X."]\n')
    assert shape_named(str(parts)).size == shape_named(f"{parts}:P").size == 5


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pentominoes:Q", "has no shape 'Q'"),
        ("pentomino:X", "pentominoes"),
        ("X.X", "is not connected"),
        ("nothing", "name a part of a set"),
        ("missing.txt", "there is no such file"),
        ("pentominoes", "holds several shapes: name one, as in pentominoes:"),
        ("tetrasticks:I", "do not fill it"),
        ("...", "name a part of a set"),
        ("domnio", "did you mean 'domino'"),
        ("F6", "did you mean 'F5'"),
        ("hexagonl-4:bee", "did you mean 'hexagonal-4'"),
        ("Q5", "there is no shape 'Q5'"),
        ("J tromino", "there is no shape"),
        ("dominoes:I", "has no shape 'I'; did you mean 'domino'"),
        ("dominoes:01", "takes plain shapes; did you mean 'domino'"),
        ("hexagonal-4:8", "has no shape '8'; known: arch"),
        ("square-5", "holds several shapes: name one, as in square-5:F"),
    ],
)
def test_what_is_no_shape(name: str, words: str) -> None:
    with pytest.raises((PuzzleError, PuzzleFileError), match=words):
        shape_named(name)


def test_one_sided_copies_are_not_turned_over() -> None:
    assert len(shape_named("pentominoes:F", one_sided=True).transformations) == 4


def cells(name: str) -> set[tuple[int, ...]]:
    return {tuple(cell) for cell in shape_named(name).cells.tolist()}


@pytest.mark.parametrize(
    ("small", "usual"),
    [
        *(("I3", "trominoes:I"), ("V3", "trominoes:V"), ("L3", "trominoes:V"), ("I2", "domino"), ("I1", "monomino")),
        *(("S4", "tetrominoes:S"), ("Z4", "tetrominoes:S"), ("L4", "tetrominoes:L"), ("J4", "tetrominoes:L")),
        *((f"{letter}4", f"tetrominoes:{letter}") for letter in "IOT"),
        *((f"{letter}5", f"pentominoes:{letter}") for letter in "FILNPTUVWXYZ"),
    ],
)
def test_small_polyominoes_have_the_names_of_the_field(small: str, usual: str) -> None:
    assert cells(small) == cells(usual)
    assert names_shapes(small)


def test_a_number_is_that_of_the_list_of_pieces() -> None:
    every = pieces(load_lattice("hexagonal"), 4).parts
    assert [shape_named(f"hexagonal-4:{k}").name for k in range(1, 8)] == [part.name for part in every]


@pytest.mark.parametrize("name", ["soma.toml", "cubic", "pent-10x6", "aztec-skew-bars:5", "", "...", "x.txt", "I6"])
def test_what_names_no_shapes(name: str) -> None:
    assert not names_shapes(name)
