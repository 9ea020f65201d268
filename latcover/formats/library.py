"""What is shipped: lattices, puzzles and part sets by name; and the way from a name or a file to each."""

from __future__ import annotations

import os
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from latcover.errors import Complaint, PuzzleError, PuzzleFileError, UnsupportedError, suggest
from latcover.formats.problems import Problems, Subject, usable
from latcover.formats.puzzle_files.lattice_file import read_lattice
from latcover.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Bounds, Puzzle

Kind = Literal["lattices", "instances", "sets"]
KINDS: tuple[Kind, ...] = ("instances", "lattices", "sets")
Form = Literal["TOML", "BurrTools", "text", "JSON", "Knuth", "NumPy"]
SUFFIXES: dict[str, Form] = {
    ".toml": "TOML",
    ".xmpuzzle": "BurrTools",
    ".txt": "text",
    ".json": "JSON",
    ".dlx": "Knuth",
    ".xcc": "Knuth",
    ".npz": "NumPy",
}
DEFAULT_PUZZLE = "pent-10x6"


@cache
def folder(kind: Kind) -> Path:
    """The folder of what is shipped."""
    package = "lattices" if kind == "lattices" else "instances"
    path = Path(str(files(f"latcover.{package}").joinpath("square.toml" if kind == "lattices" else "sets")))
    return path if kind == "sets" else path.parent


def names(kind: Kind) -> list[str]:
    """The names of what is shipped, sorted."""
    return sorted(name.removesuffix(".toml") for name in os.listdir(folder(kind)) if name.endswith(".toml"))


def find(kind: Kind, name: str, beside: Path | None = None) -> Path:
    """The file that *name* stands for: a shipped name, or a path (relative to *beside* where it is given).

    Raises:
        PuzzleError: there is neither; the message suggests the nearest name.
    """
    if name in names(kind):
        return folder(kind) / f"{name}.toml"
    path = (beside or Path()) / name
    if _exists(path) or path.suffix.lower() in SUFFIXES or "/" in name or "\\" in name:
        return path
    what = {"lattices": "lattice", "instances": "puzzle", "sets": "part set"}[kind]
    raise PuzzleError(f"no {what} {name!r} is shipped, and there is no such file{suggest(name, names(kind))}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def find_any(name: str) -> Path:
    """The file of a shipped puzzle, lattice or part set, or the path *name*."""
    for kind in KINDS:
        if name in names(kind):
            return folder(kind) / f"{name}.toml"
    return find("instances", name)


def titles(kind: Kind) -> dict[str, str]:
    """The title of everything shipped, by name."""
    return {name: tomllib.loads(find(kind, name).read_text("utf-8")).get("title", "") for name in names(kind)}


@lru_cache(maxsize=64)
def _lattice_at(path: Path, _modified: int) -> Lattice:
    return read_lattice(path)


def load_lattice(name: str, beside: Path | None = None) -> Lattice:
    """The lattice of a shipped name or of a file.

    Raises:
        PuzzleError: no such name or file.
        LatticeError: the file is at fault.
    """
    path = find("lattices", name, beside)
    try:
        modified = path.stat().st_mtime_ns
    except (OSError, ValueError):
        return read_lattice(path)
    return _lattice_at(path, modified)


def find_set(name: str, beside: Path | None = None) -> Path:
    """The file of a part set: see `find`."""
    return find("sets", name, beside)


def load_problems(name: str, bounds: Bounds | None = None, lattice: str | None = None) -> Problems:
    """What a shipped name or a file holds, by name: puzzles, cover problems, or why something cannot be used.

    Args:
        name: A shipped puzzle's name, or a file of any form that is read.
        bounds: How much it may ask for.
        lattice: The lattice on which a text of letters lies.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file as a whole is at fault; the error holds every complaint with its line.
        UnsupportedError: a lattice is named, but the file names its own.
    """
    path, bounds = find("instances", name), bounds or Bounds()
    form = form_of(path)
    if lattice is not None and form != "text":
        raise UnsupportedError(f"{name} says itself on which lattice it lies; leave --lattice out")
    if form == "BurrTools":
        from latcover.formats.burrtools.problems import read_problems

        return read_problems(path, load_lattice, bounds)
    found: tuple[Subject, ...]
    if form == "TOML":
        found = read_puzzles(path, load_lattice, find_set, bounds)
    elif form == "text":
        from latcover.formats.letters.puzzle import read_piece_puzzles

        found = read_piece_puzzles(path, load_lattice, bounds, lattice)
    elif form == "JSON":
        from latcover.formats.cover_problems import json_input

        found = json_input.read(path, load_lattice, find_set, bounds)
    elif form == "Knuth":
        from latcover.formats.cover_problems import dlx_text

        found = (dlx_text.read(path, bounds),)
    else:
        from latcover.formats.cover_problems import npz

        found = (npz.read(path, bounds),)
    return {subject.name: subject for subject in found}


def form_of(path: Path) -> Form:
    """The form of a file: by its suffix, and by its first bytes where that is neither ours nor known."""
    if path.suffix.lower() in SUFFIXES:
        return SUFFIXES[path.suffix.lower()]
    try:
        if not path.is_file():
            return "TOML"  # whose reader says what is wrong
        with path.open("rb") as file:
            start = file.read(64)
    except (OSError, ValueError):
        return "TOML"
    packed = start.startswith(b"\x1f\x8b")
    return "BurrTools" if packed or start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else "TOML"


def load_all(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a shipped name or of a file: one, or the several that it holds.

    Problems of a foreign file that cannot be used are left out, with a warning, as long as there are others.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file is at fault, or holds no puzzle.
    """
    subjects = usable(load_problems(name, bounds))
    puzzles = tuple(subject for subject in subjects if isinstance(subject, Puzzle))
    if not puzzles:
        raise PuzzleFileError([Complaint(NO_PUZZLE, name)])
    return puzzles


NO_PUZZLE = "is a cover problem without a puzzle"


def load_subjects(
    name: str, bounds: Bounds | None = None, problem: str | None = None, lattice: str | None = None
) -> tuple[Subject, ...]:
    """All that a shipped name or a file holds and can be used; or what *problem* chooses, by name or number from 1.

    Raises:
        PuzzleError: no such name, file or problem.
        PuzzleFileError, LatticeError: a file is at fault, or the problem chosen of a foreign one.
    """
    problems = load_problems(name, bounds, lattice)
    return usable(problems) if problem is None else (_chosen(problems, name, problem),)


def load_subject(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Subject:
    """The one thing that a shipped name or a file holds, or that *problem* chooses: a puzzle or a bare problem.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault, or the problem chosen of a foreign one.
    """
    return _chosen(load_problems(name, bounds), name, problem)


def load(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle of a shipped name or of a file; *problem* chooses among several, by name or by number from 1.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault, or holds no puzzle.
    """
    subject = load_subject(name, bounds, problem)
    if not isinstance(subject, Puzzle):
        raise PuzzleFileError([Complaint(NO_PUZZLE, name)])
    return subject


def _chosen(problems: Problems, name: str, problem: str | None) -> Subject:
    numbered = list(enumerate(problems.items(), 1))
    for number, (own, found) in numbered:
        if problem in (own, str(number)) or (problem is None and len(numbered) == 1):
            if isinstance(found, PuzzleFileError):
                raise found
            return found
    listed = ", ".join(f"{number} ({own})" for number, (own, _) in numbered)
    why = f"holds no problem {problem!r}" if problem is not None else "holds several puzzles"
    raise PuzzleError(f"{name} {why}; choose one with --problem: {listed}")
