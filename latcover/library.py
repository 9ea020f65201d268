"""What is shipped: lattices, puzzles and part sets by name; and the way from a name or a file to each."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from latcover.errors import PuzzleError, suggest
from latcover.lattice import Lattice
from latcover.lattice_file import read_lattice
from latcover.named_problem import NamedProblem
from latcover.puzzle import Bounds, Puzzle
from latcover.puzzle_file import read_puzzles

Kind = Literal["lattices", "instances", "sets"]
KINDS: tuple[Kind, ...] = ("instances", "lattices", "sets")
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
    if _exists(path) or name.endswith(".toml") or "/" in name or "\\" in name:
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


def load_all(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a shipped name or of a file: one, or the several that it holds.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file is at fault; the error holds every complaint with its line.
    """
    if is_json(name):
        found = read_json(name, bounds)
        if isinstance(found, NamedProblem):
            raise PuzzleError(f"{name} holds a cover problem without a puzzle")
        return found
    return read_puzzles(
        find("instances", name), load_lattice, lambda name, beside: find("sets", name, beside), bounds or Bounds()
    )


def load(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle of a shipped name or of a file; *problem* chooses among several, by name or by number from 1.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault; the error holds every complaint with its line.
    """
    return _chosen(load_all(name, bounds), name, problem)


def _chosen(puzzles: tuple[Puzzle, ...], name: str, problem: str | None) -> Puzzle:
    if problem is None and len(puzzles) == 1:
        return puzzles[0]
    for number, puzzle in enumerate(puzzles, 1):
        if problem in (puzzle.name, str(number)):
            return puzzle
    listed = ", ".join(f"{number} ({puzzle.name})" for number, puzzle in enumerate(puzzles, 1))
    why = f"holds no problem {problem!r}" if problem is not None else "holds several puzzles"
    raise PuzzleError(f"{name} {why}; choose one with --problem: {listed}")


DLX_SUFFIXES = (".dlx", ".xcc")


def is_problem(path: Path) -> bool:
    """Whether a file may hold a cover problem without a puzzle, by its suffix."""
    return path.suffix.lower() in (*DLX_SUFFIXES, ".npz", ".json")


def is_json(name: str) -> bool:
    """Whether a name is that of a file of the form "json"."""
    return name not in names("instances") and Path(name).suffix.lower() == ".json"


def read_json(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...] | NamedProblem:
    """What a file of the form "json" holds; see `latcover.formats.json_input.read`."""
    from latcover.formats import json_input

    return json_input.read(Path(name), bounds or Bounds())


def load_subject(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle | NamedProblem:
    """What a name stands for: a puzzle (see `load`), or the bare problem of a file in Knuth's form, NumPy's or JSON.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault; the error holds every complaint with its line.
    """
    suffix = Path(name).suffix.lower()
    if name in names("instances"):
        return load(name, bounds, problem)
    bare: NamedProblem | None = None
    if suffix == ".npz":
        from latcover.formats import npz

        bare = npz.read(Path(name), bounds or Bounds())
    elif suffix in DLX_SUFFIXES:
        from latcover.formats import dlx_text

        bare = dlx_text.read(Path(name), bounds or Bounds())
    elif is_json(name):
        found = read_json(name, bounds)
        if not isinstance(found, NamedProblem):
            return _chosen(found, name, problem)
        bare = found
    if bare is None:
        return load(name, bounds, problem)
    if problem is not None:
        raise PuzzleError(f"{name} holds one problem; leave --problem out")
    return bare
