"""Parts to add to a puzzle in the editor: of a shipped set, another puzzle, or a client's file."""

from __future__ import annotations

from latcover.apps.web.editor_answers import PartsAnswer
from latcover.apps.web.editor_data import puzzle_for_editor
from latcover.apps.web.subject import Subject, TextSubject, puzzle_of_subject, upload
from latcover.apps.web.tasks import SetSubject
from latcover.core.model.puzzle import Bounds, PartSet, Puzzle, Region
from latcover.errors import PuzzleError, PuzzleFileError, suggest
from latcover.files.formats.forms import TOML
from latcover.files.formats.library import load_set
from latcover.files.formats.puzzle_files.file_keys import kind_of
from latcover.files.formats.puzzle_files.part_set_file import read_set
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.ready_sets import ready_called
from latcover.files.formats.source import names


def parts_of(subject: SetSubject | Subject, bounds: Bounds) -> PartsAnswer:
    """The parts of a set or of a subject; the text of a file may be that of a set.

    Raises:
        PuzzleError: there is no such set or puzzle, or it has no parts.
        InputError: what it holds is at fault.
    """
    puzzle = _puzzle_with_parts(subject, bounds)
    if not puzzle.parts:
        raise PuzzleError(f"{puzzle.name!r} has no parts to take")
    data = puzzle_for_editor(puzzle)
    return PartsAnswer(title=data.title, lattice=data.lattice, colours=data.colours, sides=data.sides, parts=data.parts)


def _puzzle_with_parts(subject: SetSubject | Subject, bounds: Bounds) -> Puzzle:
    if isinstance(subject, SetSubject):
        if not ready_called(subject.name) and subject.name not in names("sets"):
            raise PuzzleError(f"no part set {subject.name[:80]!r} is shipped{suggest(subject.name, names('sets'))}")
        return set_as_puzzle(load_set(subject.name, bounds))
    if isinstance(subject, TextSubject):
        source = upload(subject.text.encode(), subject.file, TOML)
        source.require_at_most(bounds.file_bytes)
        if kind_of(TomlFile(source, PuzzleFileError).data) == "part set":
            return set_as_puzzle(read_set(source, bounds))
    return puzzle_of_subject(subject, bounds)


def set_as_puzzle(found: PartSet) -> Puzzle:
    """A set as a puzzle whose region does not matter."""
    if not found.parts:
        raise PuzzleError(f"{found.name!r} has no parts to take")
    region = Region(found.parts[0].cells)
    return Puzzle(
        found.name, found.lattice, region, found.parts, found.title, found.source, found.colours, rules=found.rules
    )
