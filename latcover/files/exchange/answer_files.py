"""Answers of other programs, read from files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO

from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Choices, Prepared, made_ready
from latcover.core.model.puzzle import Bounds
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.solving.search_request import Subject
from latcover.errors import PuzzleError
from latcover.files.exchange.decode import Decoded
from latcover.files.exchange.decode import decode as decode_models
from latcover.files.exchange.foreign_answers import LONGEST, Kind, read_models
from latcover.files.formats.library import subject_called
from latcover.system.reading import NotRegularError, opened

AnswerKind = Literal["sat", "dlx", "mip", "text"]  # the values of `Kind`


def decode(
    subject: Subject,
    answer: str | Path | Iterable[str | int | Sequence[int]],
    *,
    kind: AnswerKind | None = None,
    symmetry: SymmetryChoice = "all",
    on_solution: Callable[[Any], None] | None = None,
    on_note: Callable[[str], None] = lambda _: None,
    bounds: Bounds | None = None,
) -> Decoded:
    """Turn what another program answered to an exported puzzle into solutions, each verified.

    Args:
        subject: The puzzle, or its name or path; a bare problem; or a prepared puzzle, which keeps its symmetry.
        answer: The path of the answer, or its lines; or a model, or several, as lists of literals, as python-sat has
            them.
        kind: What it looks like: "sat", "dlx", "mip" or "text"; None finds it out.
        symmetry: The symmetries under which solutions count as the same.
        on_solution: Called with each different solution.
        on_note: Called with remarks, for example that the program gave up.
        bounds: How much the puzzle may ask for.

    Raises:
        PuzzleError: the answer cannot be read.
        PuzzleFileError: it cannot be understood, or contradicts itself.
    """
    of_kind = None if kind is None else Kind(kind)
    ready: Searchable[Any] = (
        subject
        if isinstance(subject, Prepared)
        else made_ready(subject_called(subject, bounds), Choices(symmetry), bounds)
    )
    if not isinstance(answer, str | Path):
        models = read_models(_lines_of_models(answer), "the answer", of_kind, on_note)
        return decode_models(ready, models, on_solution)
    with _opened(Path(answer)) as lines:
        return decode_models(ready, read_models(lines, str(answer), of_kind, on_note), on_solution, str(answer))


def _lines_of_models(answer: Iterable[object]) -> Iterator[str]:
    """The lines of an answer; a list of literals as the line of a model."""
    literals: list[int] = []
    for each in answer:
        if isinstance(each, str):
            yield each
        elif isinstance(each, int):
            literals.append(each)
        elif isinstance(each, list | tuple) and all(isinstance(literal, int) for literal in each):
            yield f"v {' '.join(map(str, each))} 0\n"
        else:
            raise PuzzleError(f"an answer is lines of text, or models as lists of whole numbers, not {each!r:.60}")
    if literals:
        yield f"v {' '.join(map(str, literals))} 0\n"


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file."""
    try:
        file = opened(path)
    except NotRegularError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}; what a program writes is read from -") from None
    except OSError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
    with io.TextIOWrapper(file, encoding="utf-8", errors="replace") as text:
        yield lines_of(text, path)


def lines_of(file: TextIO, path: Path) -> Iterator[str]:
    """The lines of an open file. An error of reading becomes a `PuzzleError`; the caller's errors stay as they are."""
    while True:
        try:
            line = file.readline(LONGEST + 1)  # a device may have no line ends
        except OSError as problem:
            raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
        if not line:
            return
        yield line
