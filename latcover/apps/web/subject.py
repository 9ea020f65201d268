"""The subjects of requests: shipped puzzles or texts of clients, perhaps with edits.

A subject cannot name a file of the server: all lattices and part sets that it names are shipped ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from latcover.apps.web.edits import PuzzleEdits, edited
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import PuzzleError, PuzzleFileError, suggest, written_lines
from latcover.files.formats.forms import DLX, SUFFIXES, TOML, Form
from latcover.files.formats.library import Problems, ReadSubject, choose, load_problems, read
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import Source, names, shipped

LONGEST_NAME = 100
UPLOADED = {suffix: form for suffix, form in SUFFIXES.items() if form.uploaded}


class ProblemEdits(msgspec.Struct, omit_defaults=True):
    """One of several puzzles of a file, by its name, with its edits."""

    problem: str | None = None
    edits: PuzzleEdits | None = None


class PuzzleSubject(msgspec.Struct, kw_only=True, tag_field="form", omit_defaults=True):
    """A puzzle with edits; or a whole file with its comment, if ``problems`` lists several."""

    problem: str | None = None
    edits: PuzzleEdits | None = None
    problems: Annotated[list[ProblemEdits], Meta(max_length=1000)] | None = None
    comment: str | None = None


class ShippedSubject(PuzzleSubject, kw_only=True, tag="shipped"):
    """A puzzle of the library."""

    name: str


class TextSubject(PuzzleSubject, kw_only=True, tag="toml"):
    """The text of a puzzle file, with the name of the puzzles and the file name for complaints."""

    text: str
    name: str | None = None
    file: str = "puzzle.toml"


class NewSubject(PuzzleSubject, kw_only=True, tag="new"):
    """A new puzzle on a shipped lattice."""

    lattice: str


class CoverSubject(msgspec.Struct, kw_only=True, tag_field="form", tag="dlx", omit_defaults=True):
    """A bare cover problem in Knuth's form."""

    text: str
    name: str = "problem.dlx"


Subject = ShippedSubject | TextSubject | NewSubject | CoverSubject


def read_subject(subject: Subject, bounds: Bounds) -> ReadSubject:
    """The puzzle or bare problem of a subject, with its edits. It may be unfinished.

    Raises:
        PuzzleError: there is no such puzzle.
        InputError: what it holds is at fault.
    """
    if isinstance(subject, CoverSubject):
        source = upload(subject.text.encode(), subject.name, DLX)
        return choose(read(source, bounds), source.name)
    return _puzzle(subject, subject.problem, subject.edits, bounds)


def _puzzle(subject: PuzzleSubject, problem: str | None, edits: PuzzleEdits | None, bounds: Bounds) -> Puzzle:
    if isinstance(subject, NewSubject):
        if edits is None:
            raise PuzzleError("a new puzzle needs edits: its region and its parts")
        return edited(None, read_lattice(shipped("lattices", subject.lattice)), edits, bounds)
    puzzle = chosen(problems_of(subject, bounds), problem)
    return puzzle if edits is None else edited(puzzle, puzzle.lattice, edits, bounds)


def problems_of(subject: PuzzleSubject | CoverSubject, bounds: Bounds) -> Problems:
    """The puzzles of a subject's file, by name; none if it is not a file of puzzles.

    Raises:
        PuzzleError: no puzzle of that name is shipped.
        InputError: the text is at fault.
    """
    match subject:
        case TextSubject(text=text):
            return read(upload(text.encode(), subject.file, TOML), bounds, unfinished=True)
        case ShippedSubject(name=name):
            shipped_names = [*names("instances"), *names("goals")]
            if name not in shipped_names:
                raise PuzzleError(f"no puzzle {name[:80]!r} is shipped{suggest(name, shipped_names)}")
            return load_problems(name, bounds)
    return {}


def puzzle_of_subject(subject: Subject, bounds: Bounds) -> Puzzle:
    """The puzzle that a subject names.

    Raises:
        PuzzleError: it is a bare problem.
    """
    puzzle = read_subject(subject, bounds)
    if not isinstance(puzzle, Puzzle):
        raise PuzzleError(f"{puzzle.name!r} is a cover problem without a puzzle: nothing to draw, watch or edit")
    return puzzle


def puzzles_of_subject(subject: Subject, bounds: Bounds) -> tuple[Puzzle, ...]:
    """The puzzles of a whole file, each with its edits; or the one puzzle of the subject.

    Raises:
        PuzzleError: there is no such puzzle.
        InputError: what it holds is at fault.
    """
    if isinstance(subject, CoverSubject) or subject.problems is None:
        return (puzzle_of_subject(subject, bounds),)
    puzzles = (_puzzle(subject, entry.problem, entry.edits, bounds) for entry in subject.problems)
    comment = subject.comment
    return tuple(p if comment is None else replace(p, comment=written_lines(comment)) for p in puzzles)


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
    """The form of a client's file, by its suffix.

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
    """The file of a client, which may name shipped files. Complaints use its name in plain characters."""
    signs = (c if c.isalnum() or c in " -_." else "_" for c in Path(name).stem)
    stem = "".join(signs)[:LONGEST_NAME].strip(". ") or "puzzle"
    suffix = _suffix(name)
    return Source(content, stem + (suffix if suffix in form.suffixes else form.suffixes[0]), shipped)


def _suffix(name: str) -> str:
    return Path(name[-LONGEST_NAME:]).suffix.lower()
