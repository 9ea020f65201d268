"""A matrix of zeros and ones: a row for each option, a column for each item, which is held exactly once.

It is read from text (blanks, commas, semicolons or nothing between the entries), from CSV, which may have a line of
names above it and names beside its rows, from NumPy's arrays, and from nested lists in JSON.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, PuzzleError, PuzzleFileError
from latcover.files.formats.cover_problems.arrays import (
    NUMBERS,
    Array,
    entries_of,
    header_of,
    named_problem,
    require_bounds,
    require_kind,
)
from latcover.files.formats.source import Source

_MARKS = re.compile(r"[ \t,;]*")  # between entries of a text
_DELIMITERS = (",", ";", "\t")
_ENTRIES = {"0", "1", "0.0", "1.0", "False", "True", "false", "true"}
_TRUE = ("1", "1.0", "True", "true")


def problem_of(source: Source, matrix: Array, bounds: Bounds, items: Sequence[str] = ()) -> NamedProblem:
    """The problem of a matrix, shape (n_options, n_items).

    Raises:
        PuzzleFileError: it is not a matrix of zeros and ones, or too large; or the names are not all different.
    """
    try:
        return _problem_of(source, matrix, bounds, items)
    except PuzzleFileError:
        raise
    except PuzzleError as fault:
        raise source.fault(str(fault)) from None


def _problem_of(source: Source, matrix: Array, bounds: Bounds, items: Sequence[str]) -> NamedProblem:
    if matrix.ndim != 2:
        raise PuzzleError(f"holds an array of {matrix.ndim} dimensions; a matrix has two: options as rows, then items")
    n_options, n_items = matrix.shape
    require_bounds(n_options, n_items, 0, bounds)
    strange = (matrix != 0) & (matrix != 1)
    if strange.any():
        row, column = (int(k) for k in np.argwhere(strange)[0])
        what = f"the entry in row {row + 1}, column {column + 1} is {matrix[row, column]}"
        raise PuzzleError(f"{what}; a matrix of options holds zeros and ones")
    rows, columns = np.nonzero(matrix)
    require_bounds(n_options, n_items, len(rows), bounds)
    starts = np.searchsorted(rows, np.arange(n_options + 1))
    names = items or [f"i{k}" for k in range(1, n_items + 1)]
    return named_problem(source, {"option_starts": starts, "option_items": columns}, 0, items=names, colours=())


# ---- NumPy's own files


def read_npy(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read an array that NumPy has saved.

    Raises:
        PuzzleFileError: it cannot be read, or is no matrix of zeros and ones.
    """
    file = io.BytesIO(source.content)
    try:
        header = header_of(file, source.file_name)
        require_kind(header, source.file_name, NUMBERS)
        return problem_of(source, entries_of(file, header, source.file_name, len(source.content)), bounds)
    except PuzzleFileError:
        raise
    except PuzzleError as fault:
        raise source.fault(str(fault)) from None
    except (OSError, ValueError) as fault:  # ValueError: a header that is none
        raise source.fault(f"cannot be read: {fault}") from None


# ---- text


def matrix_in(text: str) -> list[str] | None:
    """The rows of a text of zeros and ones alone, without empty lines between; None for any other text."""
    rows = [_MARKS.sub("", line) for line in text.strip().splitlines()]
    return rows if all(row and not row.strip("01") for row in rows) and rows else None


def read_text_matrix(source: Source, rows: Sequence[str], bounds: Bounds) -> NamedProblem:
    """The problem of the rows of a text.

    Raises:
        PuzzleFileError: the rows differ in length, or are too many.
    """
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise source.fault(
                f"row {number} has {len(row):,} entries, and the first row {width:,}; the rows of a matrix are equal"
            )
    entries = np.frombuffer("".join(rows).encode(), np.uint8) - ord("0")
    return problem_of(source, entries.reshape(len(rows), width), bounds)


def read_csv(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read a table of zeros and ones. A first line, and a first column, of other words are names.

    Raises:
        PuzzleFileError: it is no such table; the error says in which line.
    """
    text = source.text()
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in _DELIMITERS if mark in first), " ")
    try:
        table = [
            (line, [word.strip() for word in words])
            for line, words in enumerate(csv.reader(text.split("\n"), delimiter=delimiter, skipinitialspace=True), 1)
            if any(word.strip() for word in words)
        ]
    except csv.Error as fault:
        raise source.fault(f"is not a table: {fault}") from None
    if not table:
        raise source.fault("holds no rows; a matrix has a row for each option")
    names = table.pop(0)[1] if not _ENTRIES.issuperset(table[0][1]) and not _is_row(table[0][1]) else []
    beside = bool(names and names[0] == "") or _are_names([words[0] for _, words in table])
    items = names[1:] if beside else names
    width = len(items) or (len(table[0][1]) - beside if table else 0)
    for line, words in table:
        if len(words) - beside != width:
            what = f"has {len(words) - beside:,} entries, not {width:,}"
            raise source.fault(f"this row {what}; the rows of a matrix are equal", line)
        strange = next((word for word in words[beside:] if word not in _ENTRIES), None)
        if strange is not None:
            raise source.fault(f"{strange[:40]!r} is neither 0 nor 1, as the entries of a matrix of options are", line)
    entries = np.array([[word in _TRUE for word in words[beside:]] for _, words in table], np.bool_)
    found = problem_of(source, entries.reshape(len(table), width), bounds, items)
    said = (
        Complaint("the first column is read as the names of the options, not as an item", source.name, warning=True),
    )
    return replace(found, warnings=(*found.warnings, *said[: int(beside)]))


def _are_names(column: Sequence[str]) -> bool:
    """Whether a first column holds names: no zeros and ones, or numbers from 0 or from 1 on."""
    counted = [[str(k) for k in range(first, first + len(column))] for first in (0, 1)]
    return bool(column) and (not _ENTRIES.intersection(column) or (len(column) > 2 and list(column) in counted))


def _is_row(words: Sequence[str]) -> bool:
    """Whether a line is a row with a name beside it, and no line of names."""
    return len(words) > 1 and _ENTRIES.issuperset(words[1:]) and words[0] != ""
