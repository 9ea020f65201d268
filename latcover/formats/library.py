"""From a name to a lattice or puzzle, which is shipped or lies in a file."""

from __future__ import annotations

import tomllib
from pathlib import Path

from latcover.errors import Complaint, InputError, PuzzleError, PuzzleFileError, UnsupportedError
from latcover.formats.forms import SUFFIXES, TEXT, TOML
from latcover.formats.puzzle_files.kinds import kind_of
from latcover.formats.puzzle_files.lattice_file import read_lattice
from latcover.formats.puzzle_files.part_tables import read_set
from latcover.formats.puzzle_files.toml_file import TomlFile
from latcover.formats.reading import Problems, Subject, form_of, read, usable
from latcover.formats.source import KINDS, Kind, Source, find, folder, in_folder, names, source_at
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Bounds, PartSet, Puzzle

__all__ = [
    "DEFAULT_PUZZLE",
    "Kind",
    "choose",
    "find",
    "find_any",
    "holds_set",
    "lattice_called",
    "load",
    "load_all",
    "load_lattice",
    "load_problems",
    "load_set",
    "load_subject",
    "load_subjects",
    "loads",
    "names",
    "source_of",
    "titles",
]
DEFAULT_PUZZLE = "pent-10x6"
NO_PUZZLE = "is a cover problem without a puzzle"


def find_any(name: str) -> Path:
    """The file of a shipped puzzle, lattice or part set, or the path *name*."""
    for kind in KINDS:
        if name in names(kind):
            return folder(kind) / f"{name}.toml"
    return find("instances", name)


def titles(kind: Kind) -> dict[str, str]:
    """The title of everything shipped, by name."""
    return {name: tomllib.loads(find(kind, name).read_text("utf-8")).get("title", "") for name in names(kind)}


def load_lattice(name: str, beside: Path | None = None) -> Lattice:
    """The lattice of a shipped name or of a file.

    Raises:
        PuzzleError: no such name or file.
        LatticeError: the file is at fault.
    """
    return read_lattice(in_folder(beside or Path())("lattices", name))


def load_set(name: str, bounds: Bounds | None = None, *, one_sided: bool = False) -> PartSet:
    """The part set of a shipped name or of a file.

    Args:
        name: A shipped set, such as "pentominoes", or a file.
        bounds: How much it may ask for.
        one_sided: Whether to keep parts from being turned over, and to add the mirror images that the set lacks.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: the file, or that of its lattice, is at fault.
    """
    return read_set(source_at(find("sets", name)), bounds, one_sided=one_sided)


def holds_set(name: str) -> bool:
    """Whether *name* is a shipped part set or the file of one, not a puzzle."""
    if name in names("instances"):
        return False
    if name in names("sets"):
        return True
    try:
        return kind_of(TomlFile(source_at(find_any(name), error=InputError), InputError).data.keys()) == "part set"
    except InputError:
        return False


def lattice_called(name: str | None) -> Lattice | None:
    """The lattice that *name* stands for: a shipped lattice, or a lattice file; None if it is anything else.

    Raises:
        LatticeError: the file is at fault.
    """
    if name is None or name in names("instances"):
        return None
    if name not in names("lattices"):
        try:
            keys = TomlFile(source_at(find_any(name), error=InputError), InputError).data.keys()
        except InputError:
            return None
        if kind_of(keys) != "lattice":
            return None
    return load_lattice(name)


def source_of(name: str, bounds: Bounds | None = None) -> Source:
    """The source of a shipped puzzle, or of a file of any form that is read.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError: the file cannot be read, or is larger than *bounds* let it be.
    """
    path = find("instances", name)
    form = SUFFIXES.get(path.suffix.lower(), TOML)
    return source_at(path, form.most_bytes(bounds or Bounds()), form.needed, mend=form.mend)


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
    bounds = bounds or Bounds()
    source = source_of(name, bounds)
    if lattice is not None and form_of(source) is not TEXT:
        raise UnsupportedError(f"{name} names its own lattice; leave --lattice out")
    return read(source, bounds, None if lattice is None else load_lattice(lattice))


def load_all(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a shipped name or of a file: one, or the several that it holds.

    Problems of another program's file that cannot be used are left out with a warning, if any others remain.

    Raises:
        PuzzleError: no such name or file.
        PuzzleFileError, LatticeError: a file is at fault, or holds no puzzle.
    """
    subjects = usable(load_problems(name, bounds))
    puzzles = tuple(subject for subject in subjects if isinstance(subject, Puzzle))
    if not puzzles:
        raise PuzzleFileError([Complaint(NO_PUZZLE, name)])
    return puzzles


def load_subjects(
    name: str, bounds: Bounds | None = None, problem: str | None = None, lattice: str | None = None
) -> tuple[Subject, ...]:
    """All that a shipped name or a file holds and can be used; or what *problem* chooses, by name or number from 1.

    Raises:
        PuzzleError: no such name, file or problem.
        PuzzleFileError, LatticeError: a file is at fault, or the problem chosen of a foreign one.
    """
    problems = load_problems(name, bounds, lattice)
    return usable(problems) if problem is None else (choose(problems, name, problem),)


def load_subject(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Subject:
    """The one thing that a shipped name or a file holds, or that *problem* chooses: a puzzle or a bare problem.

    Raises:
        PuzzleError: no such name, file or problem, or several and none chosen.
        PuzzleFileError, LatticeError: a file is at fault, or the problem chosen of a foreign one.
    """
    return choose(load_problems(name, bounds), name, problem)


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


def loads(text: str | bytes, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle that the text of a puzzle file describes; or the content of a file in JSON or of BurrTools.

    Lattices and part sets that it names are shipped, or lie in the current folder.

    Raises:
        PuzzleFileError, LatticeError: the text is at fault, or holds no puzzle; the error holds every complaint.
        PuzzleError: there is no such problem, or several and none chosen.
    """
    if not isinstance(text, (str, bytes)):
        raise PuzzleError(f"loads takes the text of a puzzle file, not {text!r:.80}; load takes a name or a path")
    source = Source(text.encode() if isinstance(text, str) else text, "text", in_folder(Path()))
    subject = choose(read(source, bounds or Bounds()), source.name, problem)
    if not isinstance(subject, Puzzle):
        raise PuzzleFileError([Complaint(NO_PUZZLE, source.name)])
    return subject


def choose(problems: Problems, name: str, problem: str | None = None) -> Subject:
    """The one thing that a file called *name* holds, or that *problem* chooses.

    Raises:
        PuzzleError: no such problem, or several and none chosen.
        PuzzleFileError: it cannot be used.
    """
    numbered = list(enumerate(problems.items(), 1))
    for number, (own, found) in numbered:
        if problem in (own, str(number)) or (problem is None and len(numbered) == 1):
            if isinstance(found, PuzzleFileError):
                raise found
            return found
    listed = ", ".join(f"{number} ({own})" for number, (own, _) in numbered)
    why = f"holds no problem {problem!r}" if problem is not None else "holds several puzzles"
    raise PuzzleError(f"{name} {why}; choose one with --problem: {listed}")
