"""From a name or a source to what it holds: lattices, part sets, puzzles and cover problems, shipped or in files.

All functions raise PuzzleError if there is no such name or file, or no such problem in it; PuzzleFileError or
LatticeError if a file is at fault, with every complaint and its line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, PartSet, Puzzle
from latcover.core.model.puzzle_checks import CANNOT_FIT, faults_but_for_volume, volume_fault
from latcover.errors import Complaint, InputError, PuzzleError, PuzzleFileError, UnsupportedError, suggest
from latcover.files.formats.forms import JSON, SCAD, SUFFIXES, TEXT, TOML, XMPUZZLE, Form
from latcover.files.formats.puzzle_files.file_keys import FileKind, kind_of
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzle_files.puzzle_family import PuzzleFamily, read_family
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.source import FILE_BYTES, KINDS, Kind, Source, find, folder, in_folder, names, source_at

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals
    from latcover.files.formats.puzzlecad.puzzlecad_reader import ReadParts

ReadSubject = Puzzle | NamedProblem
Problems = Mapping[str, ReadSubject | PuzzleFileError]  # by name: what can be solved, or why it cannot be
DEFAULT_PUZZLE = "pent-10x6"
SHIPPED_KINDS: dict[Kind, FileKind] = {
    "instances": "puzzle",
    "lattices": "lattice",
    "sets": "part set",
    "families": "family",
    "goals": "goals",
}
MOST_LISTED = 20  # problems of a file in a message
_SIZED = re.compile(r".+:[0-9]{1,9}")


def find_any(name: str) -> Path:
    """The file of a shipped puzzle, lattice or part set, or the path *name*."""
    for kind in KINDS:
        if name in names(kind):
            return folder(kind) / f"{name}.toml"
    return find("instances", name)


def load_lattice(name: str, beside: Path | None = None) -> Lattice:
    """The lattice of a shipped name or of a file."""
    return read_lattice(in_folder(beside or Path())("lattices", name))


def load_set(name: str, bounds: Bounds | None = None, *, one_sided: bool = False) -> PartSet:
    """The part set of a shipped name or of a file.

    Args:
        name: A shipped set, such as "pentominoes"; a ready one, such as "polyominoes:1-5"; or a file.
        bounds: How much it may ask for.
        one_sided: Whether to keep parts from being turned over, and to add the mirror images that the set lacks.
    """
    if is_ready(name):
        from latcover.files.formats.ready_sets import ready_set  # few need it

        return ready_set(name, both_hands=one_sided or None)
    path = find("sets", name)
    if path.suffix.lower() in SCAD.suffixes:
        return load_model(str(path), bounds).parts
    from latcover.files.formats.puzzle_files.part_set_file import read_set  # few commands need it

    return read_set(source_at(path), bounds, one_sided=one_sided)


def is_ready(name: str) -> bool:
    """Whether a name is that of a set which needs no file, such as polyominoes:1-5."""
    if ":" not in name:
        return False
    from latcover.files.formats.ready_sets import ready_called  # few need it

    return ready_called(name) is not None


def load_model(name: str, bounds: Bounds | None = None, plate: str | None = None) -> ReadParts:
    """The parts of a model made with puzzlecad: of all its plates, or of one."""
    from latcover.files.formats.puzzlecad.puzzlecad_reader import read_parts

    bounds = bounds or Bounds()
    return read_parts(source_at(Path(name), SCAD.most_bytes(bounds), SCAD.needed, mend=SCAD.mend), bounds, plate)


def kind_called(name: str) -> FileKind:
    """Whether a shipped name or a file is a puzzle, a lattice or a part set; "puzzle" if that cannot be told."""
    for kind, found in SHIPPED_KINDS.items():
        if name in names(kind):
            return found
    if is_ready(name):
        return "part set"
    try:
        return kind_of_file(find("instances", name))
    except InputError:
        return "puzzle"


def kind_of_file(path: Path, most: int = FILE_BYTES) -> FileKind:
    """The kind of a file of at most *most* bytes; "puzzle" if it cannot be read."""
    if path.suffix.lower() in SCAD.suffixes:
        return "part set"
    try:
        return kind_of(TomlFile(source_at(path, most, error=InputError), InputError).data)
    except InputError:
        return "puzzle"


def lattice_called(name: str | None) -> Lattice | None:
    """The lattice that *name* stands for: a shipped lattice, or a lattice file; None if it is anything else."""
    return load_lattice(name) if name is not None and kind_called(name) == "lattice" else None


def source_of(name: str, bounds: Bounds | None = None) -> Source:
    """The source of a shipped puzzle, or of a file of any form that is read; of a family as in NAME:5."""
    if is_of_family(name):
        family, _, size = name.rpartition(":")
        return source_of_family(family, int(size))
    path = find("goals" if name in names("goals") else "instances", name)
    form = SUFFIXES.get(path.suffix.lower(), TOML)
    return source_at(path, form.most_bytes(bounds or Bounds()), form.needed, mend=form.mend)


def is_of_family(name: str) -> bool:
    """Whether *name* is that of one puzzle of a family, as in aztec-squares:5, and not of a file."""
    return isinstance(name, str) and _SIZED.fullmatch(name) is not None and not os.path.exists(name)


def board_and_goal(name: str) -> tuple[str, str]:
    """What a name such as ``calendar:Feb 29`` stands for: a puzzle with goals, and one of them; "" if it names none."""
    if not isinstance(name, str) or ":" not in name or os.path.exists(name):
        return name, ""
    for place in (found.start() for found in re.finditer(":", name)):
        board, goal = name[:place], name[place + 1 :]
        if goal and _has_goals(board):
            return board, goal
    return name, ""


def _has_goals(name: str) -> bool:
    """Whether a shipped name, a file or a puzzle of a family has goals."""
    if name in names("goals"):
        return True
    if not (os.path.isfile(name) or is_of_family(name)):
        return False
    try:
        data = TomlFile(source_of(name), PuzzleFileError).data
        return "goals" in data and ("family" not in data or is_of_family(name))
    except (InputError, PuzzleError):
        return False


def source_of_family(name: str, size: int | None = None) -> Source:
    """The source of a shipped family, or of a file; with a *size*, that of one of its puzzles."""
    path = find("instances" if name in names("instances") else "families", name)
    return replace(source_at(path), size=size)


def load_family(name: str) -> PuzzleFamily:
    """The family of a shipped name or of a file."""
    return read_family(source_of_family(name))


def family_called(given: object) -> PuzzleFamily:
    """What a function is given as a family: itself, or what a shipped name or a file's path stands for.

    Raises:
        PuzzleError: it is none.
    """
    if isinstance(given, str | Path):
        return load_family(str(given))
    if not isinstance(given, PuzzleFamily):
        raise PuzzleError(
            f"a family is needed, or the name or the path of one, such as 'dominoes-square'; not {given!r:.80}"
        )
    return given


def load_member(family: PuzzleFamily, n: int, bounds: Bounds | None = None) -> Puzzle:
    """The puzzle of size *n* of a family. One that cannot be solved, since nothing fits, is taken with a warning."""
    return _only_puzzle(choose(read(family.member(n), bounds or Bounds(), unfinished=True), family.name), family.name)


def load_problems(
    name: str,
    bounds: Bounds | None = None,
    lattice: str | None = None,
    *,
    unfinished: bool = False,
    fits: bool = True,
) -> Problems:
    """What a shipped name or a file holds, by name: puzzles, cover problems, or why something cannot be used.

    Args:
        name: A shipped puzzle's name, or a file of any form that is read.
        bounds: How much it may ask for.
        lattice: The lattice on which a text of letters lies.
        unfinished: Whether to take puzzles that cannot be solved as they are; see `read`.
        fits: Whether the parts must be able to hold as many cells as the region needs.

    Raises:
        UnsupportedError: a lattice is named, but the file names its own.
    """
    bounds = bounds or Bounds()
    name, goal = board_and_goal(name)
    source = source_of(name, bounds)
    if lattice is not None and form_of(source) is not TEXT:
        raise UnsupportedError(f"{name} names its own lattice; leave --lattice out")
    given = None if lattice is None else load_lattice(lattice)
    if unfinished or fits:
        found = read(source, bounds, given, unfinished=unfinished)
    else:
        found = _of_any_volume(source, bounds, given)
    return {goal: choose(found, name, goal)} if goal else found


def _of_any_volume(source: Source, bounds: Bounds, lattice: Lattice | None) -> Problems:
    """What a file holds, where a volume that cannot fit is no fault. Any other is one, and is told as ever."""
    failed: PuzzleFileError | None = None
    found: Problems = {}
    try:
        found = read(source, bounds, lattice)
    except PuzzleFileError as fault:
        failed = fault
    if failed is None and (hasattr(found, "goals") or not any(isinstance(f, PuzzleFileError) for f in found.values())):
        return found  # goals have a word of their own for volumes
    loose = read(source, bounds, lattice, unfinished=True)
    taken = {name: _without_fault_of_volume(each) for name, each in loose.items() if _is_sound_but_for_volume(each)}
    if failed is not None and len(taken) < len(loose):
        others = [complaint for complaint in failed.complaints if CANNOT_FIT not in complaint.message]
        raise PuzzleFileError(others) if others else failed
    return {name: taken.get(name, found.get(name, subject)) for name, subject in loose.items()}


def _is_sound_but_for_volume(subject: ReadSubject | PuzzleFileError) -> bool:
    return isinstance(subject, Puzzle) and bool(subject.parts) and not any(faults_but_for_volume(subject))


def _without_fault_of_volume(subject: ReadSubject | PuzzleFileError) -> ReadSubject | PuzzleFileError:
    """The same puzzle without the warning that its volume cannot fit."""
    if not isinstance(subject, Puzzle) or not (fault := volume_fault(subject)):
        return subject
    return replace(subject, warnings=tuple(told for told in subject.warnings if fault not in told.message))


def load_all(name: str, bounds: Bounds | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a shipped name or of a file: one, or the several that it holds.

    Problems of another program's file that cannot be used are left out with a warning, if any others remain.
    """
    subjects = usable(load_problems(name, bounds))
    puzzles = tuple(subject for subject in subjects if isinstance(subject, Puzzle))
    return puzzles or (_only_puzzle(subjects[0], name),)


def load_subjects(
    name: str, bounds: Bounds | None = None, problem: str | None = None, lattice: str | None = None
) -> tuple[ReadSubject, ...]:
    """All that a shipped name or a file holds and can be used; or what *problem* chooses, by name or number from 1."""
    problems = load_problems(name, bounds, lattice)
    return usable(problems) if problem is None else (choose(problems, name, problem),)


def load_subject(
    name: str, bounds: Bounds | None = None, problem: str | None = None, *, fits: bool = True
) -> ReadSubject:
    """The one thing that a shipped name or a file holds, or that *problem* chooses: a puzzle or a bare problem.

    Without *fits*, the volume of the parts need not be one that the region needs.
    """
    return choose(load_problems(name, bounds, fits=fits), name, problem)


def load(name: str, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle of a shipped name or of a file; *problem* chooses among several, by name or by number from 1."""
    return _only_puzzle(load_subject(name, bounds, problem), name)


def subject_called(given: object, bounds: Bounds | None = None, *, fits: bool = True) -> ReadSubject:
    """What a function is given as a puzzle: itself, or what a shipped name or a file's path stands for.

    Without *fits*, the volume of the parts need not be one that the region needs.
    """
    if isinstance(given, str | Path):
        return load_subject(str(given), bounds, fits=fits)
    if not isinstance(given, Puzzle | NamedProblem):
        raise PuzzleError(f"a puzzle is needed, or the name or the path of one, such as 'soma'; not {given!r:.80}")
    return given


def goals_called(given: object, bounds: Bounds | None = None) -> Goals:
    """The goals that a function is given, or those of a shipped name or of a file's path."""
    from latcover.core.model.goals import GoalPuzzles, Goals

    if not isinstance(given, str | Path):
        if isinstance(given, Goals):
            return given
        raise PuzzleError(f"goals are needed, or the name or the path of a puzzle that has some; not {given!r:.80}")
    found = load_problems(str(given), bounds)
    if not isinstance(found, GoalPuzzles):
        raise PuzzleError(f"{given} has no goals; its file needs a table [goals], which says what is to be filled")
    return found.goals


def load_goals(name: str | Path, bounds: Bounds | None = None) -> Goals:
    """The goals of a shipped puzzle or of a puzzle file, which has a table ``[goals]``.

    Args:
        name: A shipped name, such as "calendar", or a file.
        bounds: How much it may ask for.
    """
    return goals_called(name, bounds)


def load_with_goals(
    name: str, bounds: Bounds | None = None, problem: str | None = None, *, fits: bool = True
) -> ReadSubject | Goals:
    """As `load_subject`, but all goals of a puzzle that has some, if none of them is chosen."""
    found = load_problems(name, bounds, fits=fits)
    goals: Goals | None = getattr(found, "goals", None)  # only a `GoalPuzzles` has some
    return choose(found, name, problem) if goals is None or problem is not None else goals


def puzzle_called(given: object, bounds: Bounds | None = None, *, fits: bool = True) -> Puzzle:
    """The same, for what a bare cover problem will not do."""
    subject = subject_called(given, bounds, fits=fits)
    return _only_puzzle(subject, subject.name)


def parts_called(given: object, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The same for its parts alone: its own region, which need not suit them, is not looked at."""
    if not isinstance(given, str | Path):
        return puzzle_called(given)
    return _only_puzzle(choose(load_problems(str(given), bounds, unfinished=True), str(given), problem), str(given))


def _only_puzzle(subject: ReadSubject, name: str) -> Puzzle:
    if not isinstance(subject, Puzzle):
        raise PuzzleFileError(
            [Complaint("is a cover problem without a puzzle; latcover.solve and latcover.count take its name", name)]
        )
    return subject


def loads(text: str | bytes, bounds: Bounds | None = None, problem: str | None = None) -> Puzzle:
    """The puzzle that the text of a puzzle file describes; or the content of a file in JSON or of BurrTools.

    Lattices and part sets that it names are shipped, or lie in the current folder.

    Raises:
        PuzzleFileError, LatticeError: the text is at fault, or has no puzzles; the error holds every complaint.
        PuzzleError: there is no such problem, or several and none chosen.
    """
    if not isinstance(text, (str, bytes)):
        raise PuzzleError(f"loads takes the text of a puzzle file, not {text!r:.80}; load takes a name or a path")
    source = Source(text.encode() if isinstance(text, str) else text, "text", in_folder(Path()))
    return _only_puzzle(choose(read(source, bounds or Bounds()), source.name, problem), source.name)


def choose(problems: Problems, name: str, problem: str | None = None) -> ReadSubject:
    """The one thing that a file called *name* holds, or that *problem* chooses.

    Raises:
        PuzzleError: no such problem, or several and none chosen.
        PuzzleFileError: it cannot be used.
    """
    found = _chosen(problems, problem)
    if isinstance(found, PuzzleFileError):
        raise found
    if found is not None:
        return found
    shown = [f"{number} ({own})" for number, own in enumerate(problems, 1)]
    more = f" and {len(shown) - MOST_LISTED:,} more" if len(shown) > MOST_LISTED else ""
    if hasattr(problems, "goals"):
        what = "has goals, each of which is a puzzle" if problem is None else f"has no goal {problem!r:.80}"
        meant = suggest(problem, problems, listing=False) if problem else ""
        why = f"{what}{meant} Choose one with --goal" if meant else f"{what}; choose one with --goal"
    else:
        what = "holds several puzzles" if problem is None else f"has no problem {problem!r:.80}"
        why = f"{what}; choose one with --problem"
    raise PuzzleError(f"{name} {why}: {', '.join(shown[:MOST_LISTED])}{more}")


def _chosen(problems: Problems, problem: str | None) -> ReadSubject | PuzzleFileError | None:
    """The problem of this name or number, or the only one; None if there is none."""
    if problem is None:
        return next(iter(problems.values())) if len(problems) == 1 else None
    if problem in problems:
        return problems[problem]
    number = int(problem[:9]) if problem.isascii() and problem.isdigit() else 0
    return problems[list(problems)[number - 1]] if 1 <= number <= len(problems) else None


# ---- reading a file of any form


def read(source: Source, bounds: Bounds, lattice: Lattice | None = None, *, unfinished: bool = False) -> Problems:
    """What a file of any form holds, by name.

    Args:
        source: The file.
        bounds: How much it may ask for.
        lattice: The lattice on which a text of letters lies; files of other forms name their own.
        unfinished: Whether to take puzzles that cannot be solved yet, for an editor: what is wrong with one as a whole
            is then a warning.

    Raises:
        PuzzleFileError, LatticeError: the file as a whole is at fault; the error holds every complaint with its line.
    """
    form = form_of(source)
    source.require_at_most(form.most_bytes(bounds), mend=form.mend)
    given = (source, bounds) if lattice is None else (source, bounds, lattice)
    choices = {"unfinished": True} if unfinished and form.unfinished else {}
    return _by_name(form.reader()(*given, **choices))


def form_of(source: Source) -> Form:
    """The form of a file: by its suffix, or by its first bytes if the suffix is unknown."""
    by_suffix = SUFFIXES.get(source.suffix)
    if by_suffix is not None:
        return by_suffix
    packed = source.content.startswith(b"\x1f\x8b")
    start = source.content[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return XMPUZZLE if packed or start == b"<" else JSON if start == b"{" else TOML


def _by_name(found: Problems | Iterable[ReadSubject] | ReadSubject) -> Problems:
    if isinstance(found, Mapping):
        return found
    subjects = (found,) if isinstance(found, Puzzle | NamedProblem) else found
    return {subject.name: subject for subject in subjects}


def usable(problems: Problems) -> tuple[ReadSubject, ...]:
    """The problems that can be solved; each of them gets the faults of the others as warnings.

    Raises:
        PuzzleFileError: none can be solved.
    """
    faults = [f for problem in problems.values() if isinstance(problem, PuzzleFileError) for f in problem.complaints]
    subjects = [problem for problem in problems.values() if not isinstance(problem, PuzzleFileError)]
    if not subjects:
        raise PuzzleFileError(faults)
    left_out = tuple(replace(fault, warning=True) for fault in faults)
    return tuple(replace(subject, warnings=(*subject.warnings, *left_out)) for subject in subjects)
