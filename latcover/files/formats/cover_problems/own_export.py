"""Reads the clauses and the models that latcover has exported: DIMACS CNF and MiniZinc.

Clauses alone do not say which of them belong to an item. So the writers add the problem itself, as lines of comments,
and the reader takes it from there. It writes the file again and compares: a file whose clauses were changed is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.clauses import AUTO, Encoder, require_encoding, require_few_pairs
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.rows import bounded_rows
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.cover_problems.dimacs import clauses_of
from latcover.files.formats.cover_problems.exported import Exported, exported
from latcover.files.formats.cover_problems.json_form import problem_in
from latcover.files.formats.cover_problems.linear import model_of
from latcover.files.formats.cover_problems.problem_record import RECORD
from latcover.files.formats.source import Source

_QUADRATIC = (AUTO, "seqcounter", "totalizer")  # encodings whose sums have about as many clauses as terms times bound
_NOT_OURS = (
    "does not hold the problem beside {what}; latcover reads only what it has exported itself, and since version 0.4; "
    "export the puzzle again, or as .dlx, .json or .npz, which other programs can write too"
)


def read_dimacs(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read clauses that latcover has exported.

    Raises:
        PuzzleFileError: they are of another program, or were changed.
    """

    def again(problem: Exported, encoding: str) -> Iterator[bytes]:
        require_encoding(encoding, "the form 'dimacs'")
        if encoding == "pairwise":
            require_few_pairs(problem.problem)
        if encoding in _QUADRATIC and _terms(problem.problem) > len(source.content):
            raise PuzzleError("its record asks for more clauses than the file has")
        return clauses_of(problem, Encoder(problem.problem, encoding, problem.variables, problem.n_variables))

    return _read(source, bounds, "c", "the clauses", again)


def read_minizinc(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read a model for MiniZinc that latcover has exported.

    Raises:
        PuzzleFileError: it is of another program, or was changed.
    """

    def again(problem: Exported, _: str) -> Iterator[bytes]:
        return model_of(problem)

    return _read(source, bounds, "%", "the statements of the model", again)


def _terms(problem: CoverProblem) -> int:
    """How many clauses sums have that are no "at most one", within a factor."""
    rows = (row for row in bounded_rows(problem) if row.high != 1 or row.low > 1)
    return sum(len(row.variables) * min(max(row.low, 1), len(row.variables)) for row in rows)


def _read(
    source: Source, bounds: Bounds, mark: str, what: str, again: Callable[[Exported, str], Iterator[bytes]]
) -> NamedProblem:
    """The problem in the comments of a file, if *again* writes the rest of the file for it."""
    lines = source.text().split("\n")
    found = _joined(source, lines, tuple(f"{start} {RECORD}" for start in (mark, f"{mark} {mark}")))
    if not found:
        raise source.fault(_NOT_OURS.format(what=what))
    try:
        problem = problem_in(source, found, bounds)
        variables = np.array(found.get("choice", []), np.int64)
        numbers = {"n_members": _whole(found, "members"), "n_variables": _whole(found, "numbers")}
        if len(variables) != problem.problem.n_options or (np.diff(variables, prepend=0) <= 0).any():
            raise PuzzleError("its record must number each option, ascending from 1")
        if len(variables) and variables[-1] > max(numbers.values()):
            raise PuzzleError("its record numbers an option beyond the highest number")
        written = replace(exported(problem), variables=variables, **numbers)
        same = _is_same(lines, mark, again(written, str(found.get("encoding"))))
    except PuzzleFileError:
        raise
    except (PuzzleError, UnsupportedError, OverflowError, TypeError, ValueError) as fault:
        raise source.fault(f"its record of the problem is damaged: {fault}") from None
    if same is not None:
        raise source.fault(
            f"{what} differ from what latcover writes for the problem in the comments, so the file was changed; "
            "export it again",
            same,
        )
    told = (line for line in found.get("remarks", []) if isinstance(line, str) and line.startswith(("NOT", "reduced")))
    return replace(problem, warnings=tuple(Complaint(line[:500], source.name, warning=True) for line in told))


def _joined(source: Source, lines: Sequence[str], starts: tuple[str, ...]) -> dict[str, Any]:
    """The record: lists of one key are joined."""
    found: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        if not line.startswith(starts):
            continue
        try:
            part = json.loads(line.partition(RECORD)[2])
            for key, value in part.items():
                found[key] = found[key] + value if key in found else value
        except (RecursionError, ValueError, AttributeError, TypeError):
            raise source.fault("this line of the record of the problem is damaged; export it again", number) from None
    return found


def _whole(found: dict[str, Any], key: str) -> int:
    value = found.get(key)
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise PuzzleError(f"its record needs a whole number {key!r}")
    return value


def _is_same(lines: Sequence[str], mark: str, pieces: Iterable[bytes]) -> int | None:
    """The first line besides comments that differs from the text of *pieces*; None if none does."""
    there = ((number, line) for number, line in enumerate(lines, 1) if line and not line.startswith(mark))
    text = chain.from_iterable(_by_line(pieces))
    for found, expected in zip_longest(there, (line for line in text if line and not line.startswith(mark))):
        if found is None:  # the file ends too early
            return len(lines)
        if found[1] != expected:
            return found[0]
    return None


def _by_line(pieces: Iterable[bytes]) -> Iterator[list[str]]:
    """The lines of a text that comes in pieces."""
    rest = ""
    for piece in pieces:
        *whole, rest = (rest + piece.decode()).split("\n")
        yield whole
    yield [rest]
