"""Reading a file of any form: what it holds, by name, and why something in it cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from latcover.cover.named_problem import NamedProblem
from latcover.errors import PuzzleFileError
from latcover.formats.forms import JSON, SUFFIXES, TOML, XMPUZZLE, Form
from latcover.formats.source import Source
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Bounds, Puzzle

Subject = Puzzle | NamedProblem
Problems = Mapping[str, Subject | PuzzleFileError]  # by name: what can be solved, or the error that says why it cannot


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


def _by_name(found: Problems | Iterable[Subject] | Subject) -> Problems:
    if isinstance(found, Mapping):
        return found
    subjects = (found,) if isinstance(found, Puzzle | NamedProblem) else found
    return {subject.name: subject for subject in subjects}


def usable(problems: Problems) -> tuple[Subject, ...]:
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
