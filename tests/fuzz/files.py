"""Puzzles as files, beside the file of their lattice where it is made up."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.library import load
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from tests.random_lattices import lattice_text


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()  # removed when Python ends


def read_back(puzzle: Puzzle) -> Puzzle:
    """The puzzle that is read from the file written of *puzzle*."""
    folder = Path(_folder().name)
    lattice = folder / f"{puzzle.lattice.name}.toml"
    text = lattice_text(puzzle.lattice)
    if text and not lattice.exists():
        lattice.write_text(text, encoding="utf-8")
    path = folder / "puzzle.toml"
    path.write_text(puzzle_as_toml([puzzle]), encoding="utf-8")
    return load(str(path))


def shown(puzzle: Puzzle) -> str:
    """The puzzle's file, and that of its lattice."""
    try:
        text = puzzle_as_toml([puzzle])
    except Exception as fault:  # what is wrong with the puzzle may be just this
        text = f"# no file could be written of it: {type(fault).__name__}: {fault}\n{puzzle!r}\n"
    lattice = lattice_text(puzzle.lattice)
    return text + (f"\n# {puzzle.lattice.name}.toml\n{lattice}" if lattice else "")
