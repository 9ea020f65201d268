"""What a client asks about: a shipped puzzle, or text that it sent; and edits of either.

A *subject* is plain data: ``{"form": "shipped", "name": ...}``, or ``{"form": "toml" | "dlx", "text": ...}``, with
``problem`` where a file holds several puzzles, and ``edits`` (see `latcover.web.edits`). Nothing in it may name a file:
lattices and part sets are shipped ones, whatever the text says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from latcover.errors import PuzzleError, PuzzleFileError, suggest
from latcover.formats.forms import DLX, SUFFIXES, TOML, Form
from latcover.formats.library import choose, load_problems, names
from latcover.formats.puzzle_files.lattice_file import read_lattice
from latcover.formats.reading import Problems, Subject, read
from latcover.formats.source import Source, shipped
from latcover.model.puzzle import Bounds, Puzzle
from latcover.model.solution import Placed
from latcover.web.edits import comment_in, edited

LONGEST_NAME = 100
MOST_PROBLEMS = 1000  # of a file
UPLOADED = {suffix: form for suffix, form in SUFFIXES.items() if form.uploaded}


def subject_of(data: Mapping[str, Any], bounds: Bounds) -> Subject:
    """The puzzle or bare problem that a subject names, with its edits. It may be one that cannot be solved yet.

    Raises:
        PuzzleError: the data is not a valid subject.
        InputError: what it holds is at fault.
    """
    form = text_of(data, "form")
    if form == "new":
        lattice = read_lattice(shipped("lattices", text_of(data, "lattice")))
        return edited(None, lattice, data.get("edits"), bounds)
    if form == DLX.name:
        source = upload(text_of(data, "text").encode(), text_of(data, "name", "problem.dlx"), DLX)
        return choose(read(source, bounds), source.name)
    puzzle = chosen(problems_of(data, bounds), data.get("problem"))
    return edited(puzzle, puzzle.lattice, data["edits"], bounds) if data.get("edits") is not None else puzzle


def problems_of(data: Mapping[str, Any], bounds: Bounds) -> Problems:
    """The puzzles among which a subject chooses one, by name.

    Raises:
        PuzzleError: the data is not a valid subject.
        InputError: what it holds is at fault.
    """
    form = text_of(data, "form")
    if form == TOML.name:
        return read(upload(text_of(data, "text").encode(), "puzzle.toml", TOML), bounds, unfinished=True)
    if form != "shipped":
        raise PuzzleError(f"a subject of the form {form[:40]!r} is unknown; known: shipped, new, toml, dlx")
    name = text_of(data, "name")
    if name not in names("instances"):
        raise PuzzleError(f"no puzzle {name[:80]!r} is shipped{suggest(name, names('instances'))}")
    return load_problems(name, bounds)


def puzzle_of(data: Mapping[str, Any], bounds: Bounds) -> Puzzle:
    """The puzzle that a subject names.

    Raises:
        PuzzleError: it is a bare problem.
    """
    subject = subject_of(data, bounds)
    if not isinstance(subject, Puzzle):
        raise PuzzleError(f"{subject.name!r} is a cover problem without a puzzle: nothing to draw, watch or edit")
    return subject


def puzzles_of(data: Mapping[str, Any], bounds: Bounds) -> tuple[Puzzle, ...]:
    """The puzzles of a whole file: of a subject without edits, those that its ``problems`` name, with their edits.

    ``problems`` is a list of ``{"problem": name or null, "edits": edits or null}``; ``comment`` is that of all of them.
    Without ``problems``, the one puzzle that the subject names.

    Raises:
        PuzzleError: the data is invalid.
        InputError: what it holds is at fault.
    """
    entries = data.get("problems")
    if entries is None:
        return (puzzle_of(data, bounds),)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PuzzleError("the problems must be a list of objects with a problem and its edits")
    if len(entries) > MOST_PROBLEMS:
        raise PuzzleError(f"the problems are {len(entries):,}; at most {MOST_PROBLEMS:,} can be taken")
    read = {} if data.get("form") == "new" else problems_of(data, bounds)
    found = []
    for entry in entries:
        puzzle, edits = chosen(read, entry.get("problem")) if read else None, entry.get("edits")
        if puzzle is None:
            puzzle = puzzle_of({**data, "edits": edits}, bounds)
        elif edits is not None:
            puzzle = edited(puzzle, puzzle.lattice, edits, bounds)
        found.append(replace(puzzle, comment=comment_in(data, puzzle.comment)))
    return tuple(found)


def text_of(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """A text among plain data.

    Raises:
        PuzzleError: it is missing, or no text.
    """
    value = data.get(key, default)
    if not isinstance(value, str):
        raise PuzzleError(f"the request has no text {key!r}")
    return value


def chosen(read: Problems, problem: object) -> Puzzle:
    """The puzzle of that name in a file. Without a name, the first that can be used.

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


def form_of_name(name: str) -> Form:
    """The form of a file that a client sends, by the suffix of its name.

    Raises:
        PuzzleError: files of this form cannot be read.
    """
    suffix = _suffix(name)
    if suffix not in UPLOADED:
        kinds = ", ".join(UPLOADED)
        raise PuzzleError(
            f"a file of the kind {suffix[:20] or 'without suffix'!r} cannot be read; the kinds are: {kinds}"
        )
    return UPLOADED[suffix]


def upload(content: bytes, name: str, form: Form) -> Source:
    """A file that a client sent. It may name shipped files. Complaints use its name, in plain characters."""
    signs = (c if c.isalnum() or c in " -_." else "_" for c in Path(name).stem)
    stem = "".join(signs)[:LONGEST_NAME].strip(". ") or "puzzle"
    suffix = _suffix(name)
    return Source(content, stem + (suffix if suffix in form.suffixes else form.suffixes[0]), shipped)


def _suffix(name: str) -> str:
    return Path(name[-LONGEST_NAME:]).suffix.lower()


def placed_in(puzzle: Puzzle, placement: Sequence[Any]) -> Placed:
    """A copy of a part from what the server keeps of it: the part's number, its cells, their colours, its sides."""
    part, cells, colours, sides = placement
    shown = tuple((tuple(cell), edge, value) for cell, edge, value in sides)
    return Placed(puzzle.parts[part].name, tuple(tuple(cell) for cell in cells), tuple(colours), shown)
