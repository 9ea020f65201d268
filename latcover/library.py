"""What is shipped: lattices, puzzles and part sets by name; and the way from a name or a file to each."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from latcover.errors import PuzzleError, PuzzleFileError, suggest
from latcover.formats.problems import Problems, usable
from latcover.lattice import Lattice
from latcover.lattice_file import read_lattice
from latcover.named_problem import NamedProblem
from latcover.puzzle import Bounds, Puzzle
from latcover.puzzle_file import read_puzzles

Kind = Literal["lattices", "instances", "sets"]
KINDS: tuple[Kind, ...] = ("instances", "lattices", "sets")
Form = Literal["TOML", "BurrTools", "text"]
SUFFIXES: dict[str, Form] = {".toml": "TOML", ".xmpuzzle": "BurrTools", ".txt": "text"}
DEFAULT_PUZZLE = "pent-10x6"


def folder(kind: Kind) -> Path:
    """The folder of what is shipped."""
    package = "lattices" if kind == "lattices" else "instances"
    path = Path(str(files(f"latcover.{package}").joinpath("square.toml" if kind == "lattices" else "sets")))
    return path if kind == "sets" else path.parent


def names(kind: Kind) -> list[str]:
    """The names of what is shipped, sorted."""
    return sorted(path.stem for path in folder(kind).glob("*.toml"))


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


def load_problems(name: str, bounds: Bounds | None = None) -> Problems:
    """What a shipped name or a file holds, by name: puzzles, and for those of a foreign file that cannot be used, why.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file as a whole is at fault; the error holds every complaint with its line.
    """
    path, bounds = find("instances", name), bounds or Bounds()
    form = form_of(path)
    if form == "BurrTools":
        from latcover.formats.xmpuzzle import read_problems

        return read_problems(path, load_lattice, bounds)
    if form == "text":
        from latcover.formats.piece_puzzle import read_piece_puzzles

        puzzles = read_piece_puzzles(path, load_lattice, bounds)
    else:
        puzzles = read_puzzles(path, load_lattice, lambda part_set, beside: find("sets", part_set, beside), bounds)
    return {puzzle.name: puzzle for puzzle in puzzles}


def form_of(path: Path) -> Form:
    """The form of a puzzle file: by its suffix, and by its first bytes where that is neither ours nor known."""
    if path.suffix.lower() in SUFFIXES:
        return SUFFIXES[path.suffix.lower()]
    try:
        if not path.is_file():
            return "TOML"  # whose reader says what is wrong
        with path.open("rb") as file:
            start = file.read(64)
    except (OSError, ValueError):
        return "TOML"
    return (
        "BurrTools"
        if start.startswith(b"\x1f\x8b") or start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        else "TOML"
    )


def load_all(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a shipped name or of a file: one, or the several that it holds.

    Problems of a foreign file that cannot be used are left out, with a warning, as long as there are others.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file is at fault; the error holds every complaint with its line.
    """
    return usable(load_problems(name, bounds))


def load(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle of a shipped name or of a file; *problem* chooses among several, by name or by number from 1.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault, or the problem chosen of a foreign one.
    """
    problems = load_problems(name, bounds)
    numbered = list(enumerate(problems.items(), 1))
    for number, (own, found) in numbered:
        if problem in (own, str(number)) or (problem is None and len(numbered) == 1):
            if isinstance(found, PuzzleFileError):
                raise found
            return found
    listed = ", ".join(f"{number} ({own})" for number, (own, _) in numbered)
    why = f"holds no problem {problem!r}" if problem is not None else "holds several puzzles"
    raise PuzzleError(f"{name} {why}; choose one with --problem: {listed}")


DLX_SUFFIXES = (".dlx", ".xcc")


def load_subject(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle | NamedProblem:
    """What a name stands for: a puzzle (see `load`), or the bare problem of a file in Knuth's form or in NumPy's.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault; the error holds every complaint with its line.
    """
    suffix = Path(name).suffix.lower()
    if name not in names("instances") and suffix in (*DLX_SUFFIXES, ".npz"):
        if problem is not None:
            raise PuzzleError(f"{name} holds one problem; leave --problem out")
        if suffix == ".npz":
            from latcover.formats import npz

            return npz.read(Path(name), bounds or Bounds())
        from latcover.formats import dlx_text

        return dlx_text.read(Path(name), bounds or Bounds())
    return load(name, bounds, problem)
