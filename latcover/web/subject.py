"""What a client asks about: a shipped puzzle, or text that it sent; and edits of either.

A *subject* is plain data: ``{"form": "shipped", "name": ...}``, or ``{"form": "toml" | "dlx", "text": ...}``, with
``problem`` where a file holds several puzzles, and ``edits`` (see `latcover.web.edits`). Nothing in it may name a file:
lattices and part sets are shipped ones, whatever the text says.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from latcover.cover.named_problem import NamedProblem
from latcover.errors import Complaint, InputError, LatcoverError, PuzzleError, PuzzleFileError, suggest
from latcover.formats.library import find, folder, load_lattice, names
from latcover.formats.problems import Problems, Subject
from latcover.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Bounds, Puzzle
from latcover.web.edits import edited

T = TypeVar("T")
SUFFIXES = {"toml": ".toml", "xmpuzzle": ".xmpuzzle", "dlx": ".dlx", "text": ".txt"}
FORMS = {".toml": "toml", ".xmpuzzle": "xmpuzzle", ".dlx": "dlx", ".xcc": "dlx", ".txt": "text"}
LONGEST_NAME = 100


def shipped_lattice(name: str, _beside: Path | None = None) -> Lattice:
    """A shipped lattice; others would be files.

    Raises:
        PuzzleError: no lattice of that name is shipped.
    """
    if name not in names("lattices"):
        raise PuzzleError(
            f"no lattice {name[:80]!r} is shipped, and here no other can be used{suggest(name, names('lattices'))}"
        )
    return load_lattice(name)


def _shipped_set(name: str, _beside: Path | None = None) -> Path:
    if name not in names("sets"):
        raise PuzzleError(
            f"no part set {name[:80]!r} is shipped, and here no other can be used{suggest(name, names('sets'))}"
        )
    return folder("sets") / f"{name}.toml"


def subject_of(data: Mapping[str, Any], bounds: Bounds) -> Subject:
    """The puzzle or bare problem that a subject stands for, edits made.

    Raises:
        PuzzleError: the data says nothing that can be understood.
        InputError: what it holds is at fault.
    """
    form = text_of(data, "form")
    if form == "new":
        return edited(None, shipped_lattice(text_of(data, "lattice")), data.get("edits"), bounds)
    if form == "dlx":
        return read_problem(text_of(data, "text").encode(), text_of(data, "name", "problem.dlx"), bounds)
    puzzle = chosen(problems_of(data, bounds), data.get("problem"))
    return edited(puzzle, puzzle.lattice, data["edits"], bounds) if data.get("edits") is not None else puzzle


def problems_of(data: Mapping[str, Any], bounds: Bounds) -> Problems:
    """The puzzles among which a subject chooses one, by name.

    Raises:
        PuzzleError: the data says nothing that can be understood.
        InputError: what it holds is at fault.
    """
    form = text_of(data, "form")
    if form == "toml":
        return read_file(text_of(data, "text").encode(), "puzzle.toml", bounds)
    if form != "shipped":
        raise PuzzleError(f"a subject of the form {form[:40]!r} is unknown; known: shipped, new, toml, dlx")
    name = text_of(data, "name")
    if name not in names("instances"):
        raise PuzzleError(f"no puzzle {name[:80]!r} is shipped{suggest(name, names('instances'))}")
    return {puzzle.name: puzzle for puzzle in _read_toml(find("instances", name), bounds)}


def puzzle_of(data: Mapping[str, Any], bounds: Bounds) -> Puzzle:
    """The puzzle that a subject stands for.

    Raises:
        PuzzleError: it is a bare problem.
    """
    subject = subject_of(data, bounds)
    if not isinstance(subject, Puzzle):
        raise PuzzleError(f"{subject.name!r} is a cover problem without a puzzle: there is nothing to draw or to edit")
    return subject


def text_of(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """A text among plain data.

    Raises:
        PuzzleError: it is missing, or no text.
    """
    value = data.get(key, default)
    if not isinstance(value, str):
        raise PuzzleError(f"the request has no text {key!r}")
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can say the half of a pair of UTF-16
        raise PuzzleError(f"the text {key!r} of the request holds half a character, which no file can have") from None
    return value


def chosen(read: Problems, problem: object) -> Puzzle:
    """The puzzle of that name among those of a file; the first that can be used where none is named.

    Raises:
        PuzzleFileError: the one named cannot be used.
        PuzzleError: there is none of that name.
    """
    if problem is None:
        usable = [puzzle for puzzle in read.values() if isinstance(puzzle, Puzzle)]
        if usable:
            return usable[0]
        problem = next(iter(read), None)
    found = read.get(str(problem))
    if isinstance(found, PuzzleFileError):
        raise found
    if not isinstance(found, Puzzle):
        raise PuzzleError(f"the file holds no puzzle {str(problem)[:80]!r}{suggest(str(problem), read)}")
    return found


def form_of_name(name: str) -> str:
    """The form of a file that a client sends, by the suffix of its name.

    Raises:
        PuzzleError: it is none that can be read.
    """
    suffix = Path(name[-LONGEST_NAME:]).suffix.lower()
    if suffix not in FORMS:
        raise PuzzleError(
            f"a file of the kind {suffix[:20] or 'without suffix'!r} cannot be read; the kinds are: {', '.join(FORMS)}"
        )
    return FORMS[suffix]


def read_file(content: bytes, name: str, bounds: Bounds) -> Problems:
    """The puzzles in the bytes of a file, by name.

    Raises:
        InputError: what is in it is at fault; complaints name the file as the client did.
    """
    form = form_of_name(name)

    def read(path: Path) -> Problems:
        if form == "xmpuzzle":
            from latcover.formats.burrtools.problems import read_problems

            return read_problems(path, shipped_lattice, bounds)
        if form == "text":
            from latcover.formats.letters.puzzle import read_piece_puzzles

            return {puzzle.name: puzzle for puzzle in read_piece_puzzles(path, shipped_lattice, bounds)}
        return {puzzle.name: puzzle for puzzle in _read_toml(path, bounds)}

    return _in_a_file(content, form, name, read)


def read_problem(content: bytes, name: str, bounds: Bounds) -> NamedProblem:
    """The bare problem in the bytes of a file in Knuth's form."""
    return _in_a_file(content, "dlx", name, lambda path: _read_dlx(path, bounds))


def _read_toml(path: Path, bounds: Bounds) -> tuple[Puzzle, ...]:
    return read_puzzles(path, shipped_lattice, _shipped_set, bounds)


def _read_dlx(path: Path, bounds: Bounds) -> NamedProblem:
    from latcover.formats.cover_problems import dlx_text

    return dlx_text.read(path, bounds)


def _in_a_file(content: bytes, form: str, name: str, read: Callable[[Path], T]) -> T:
    """Read bytes as the file that they were: the readers want a path, which complaints are not to tell."""
    stem = (
        "".join(c if c.isalnum() or c in " -_." else "_" for c in Path(name).stem)[:LONGEST_NAME].strip(". ")
        or "puzzle"
    )
    with tempfile.TemporaryDirectory(prefix="latcover-") as place:
        path = Path(place) / f"{stem}{SUFFIXES[form]}"
        path.write_bytes(content)
        try:
            return _renamed(read(path), place)
        except InputError as fault:
            raise type(fault)([_relative(complaint, place) for complaint in fault.complaints]) from None
        except LatcoverError as fault:
            raise type(fault)(str(fault).replace(f"{place}/", "")) from None


def _relative(complaint: Complaint, place: str) -> Complaint:
    return replace(
        complaint, path=complaint.path.replace(f"{place}/", ""), message=complaint.message.replace(f"{place}/", "")
    )


def _renamed(found: T, place: str) -> T:
    """The same, its warnings and faults without the temporary folder."""
    if isinstance(found, dict):
        return {name: _renamed(value, place) for name, value in found.items()}  # type: ignore[return-value]
    if isinstance(found, PuzzleFileError):
        return PuzzleFileError([_relative(complaint, place) for complaint in found.complaints])  # type: ignore[return-value]
    if isinstance(found, Puzzle | NamedProblem):
        return replace(found, warnings=tuple(_relative(complaint, place) for complaint in found.warnings))
    return found
