"""Shapes by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.named_shapes import shape_named


@pytest.mark.parametrize(
    ("name", "own", "size"),
    [
        ("pentominoes:X", "X", 5),
        ("square-7:3", "3", 7),
        ("hexagonal-2:1", "1", 2),
        ("X./XX", "X./XX", 3),
        ("hats:hat", "hat", 8),
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
        ("X.X", "does not hang together"),
        ("nothing", "name a part of a set"),
        ("missing.txt", "there is no such file"),
        ("pentominoes", "holds several shapes: name one, as in pentominoes:"),
        ("tetrasticks:I", "do not fill it"),
        ("...", "name a part of a set"),
    ],
)
def test_what_is_no_shape(name: str, words: str) -> None:
    with pytest.raises((PuzzleError, PuzzleFileError), match=words):
        shape_named(name)


def test_one_sided_copies_are_not_turned_over() -> None:
    assert len(shape_named("pentominoes:F", one_sided=True).transformations) == 4
