"""JSON for other programs: the puzzle, its cover problem and, on request, all of its solutions.

docs/reference/formats.md lists the keys. Everything is written as it is found, so many solutions do not fill the
memory; after them the file says whether the search was complete. A file can be read again: the puzzle, or the bare
cover problem if there is no puzzle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import numpy as np
from msgspec import Meta, Struct

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import Ints, Longs
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.cover_problems.arrays import Array, named_problem, require_bounds
from latcover.files.formats.cover_problems.exported import Exported
from latcover.files.formats.cover_problems.matrix import problem_of
from latcover.files.formats.forms import SolutionStream, WriteOptions
from latcover.files.formats.puzzle_files.file_keys import Count, Name
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.puzzle_file import puzzles_of
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.source import Source

if TYPE_CHECKING:
    from latcover.core.model.goals import GoalPuzzles

VERSION = 1
_BLOCK = 5000  # entries written at once
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # what may be a half of a character beyond 16 bits


def write(exported: Exported, options: WriteOptions = WriteOptions()) -> Iterator[bytes]:
    """The file, some lines at a time.

    Raises:
        UnsupportedError: the puzzle was made in Python, and no file can describe it.
    """
    puzzle = exported.prepared.puzzle if exported.prepared is not None else None
    about = {"latcover": VERSION, "name": exported.name, "remarks": exported.remarks}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in about.items()]
    lines.append(f'"puzzle": {json.dumps(None if puzzle is None else puzzle_as_data([puzzle]))}')
    yield ("{" + ",\n".join(lines) + ',\n"problem": {\n').encode()
    yield from _problem(exported)
    yield b"}"
    for stream in options.solutions:
        yield from _solutions(stream, exported.subject.symmetry)
    yield b"}\n"


def _problem(exported: Exported) -> Iterator[bytes]:
    problem = exported.problem
    yield from _array("items", map(json.dumps, exported.items))
    for name in ("low", "high"):
        yield from _array(name, map(str, getattr(problem, name).tolist()))
    yield f'"cells": {problem.n_cells},\n'.encode()
    yield from _array("part_sizes", map(str, problem.part_sizes.tolist()))
    yield from _array("neighbours", _rows(problem.neighbour_starts, problem.neighbours))
    yield from _array("colours", map(json.dumps, exported.colours))
    yield from _array("options", _rows(problem.option_starts, problem.option_items))
    if problem.has_colours:
        yield from _array("option_colours", _rows(problem.option_starts, problem.option_colours))
    yield from _array("choice", map(str, exported.variables.tolist()))
    yield from _array("choices", map(json.dumps, exported.descriptions()), last=True)


def _rows(starts: Longs, members: Ints | Longs) -> Iterator[str]:
    """Compressed rows, each as an array."""
    for first in range(0, len(starts) - 1, _BLOCK):
        edges = starts[first : first + _BLOCK + 1].tolist()
        block = np.asarray(members[edges[0] : edges[-1]]).tolist()
        for a, b in pairwise(edges):
            yield str(block[a - edges[0] : b - edges[0]])


def _array(name: str, texts: Iterable[str], *, last: bool = False) -> Iterator[bytes]:
    """A key and an array of values that are JSON already."""
    yield f'"{name}": ['.encode()
    rest, parted = iter(texts), ""
    while block := list(islice(rest, _BLOCK)):
        yield (parted + ",".join(block)).encode()
        parted = ",\n"
    yield b"]\n" if last else b"],\n"


def _solutions(stream: SolutionStream, symmetry: str) -> Iterator[bytes]:
    """All solutions, and then whether the search was complete."""
    yield b',\n"solutions": ['
    different = total = 0
    for written in stream.solutions:
        data = written.solution.as_json()
        data["choices"] = sorted(k + 1 for k in written.members.tolist())
        yield (("," if different else "") + "\n" + json.dumps(data)).encode()
        different, total = different + 1, total + written.solution.orbit
    summary = {"complete": stream.is_complete(), "symmetry": symmetry, "different": different, "total": total}
    yield f'\n],\n"summary": {json.dumps(summary)}'.encode()


# ---- reading


def read(
    source: Source, bounds: Bounds, unfinished: bool = False
) -> tuple[Puzzle, ...] | tuple[NamedProblem] | GoalPuzzles:
    """Read a file: its puzzle, with the keys of a puzzle file; or its problem, if it has no puzzle.

    With *unfinished* a puzzle that cannot be solved yet is taken, as from a puzzle file.

    Raises:
        PuzzleFileError, LatticeError: it cannot be read; the error says what is wrong with which key.
    """
    data = _parsed(source)
    if isinstance(data, list):
        return (_matrix_in(source, data, bounds),)
    puzzle, problem = (data.get(key) for key in ("puzzle", "problem"))
    if isinstance(puzzle, dict):
        return puzzles_of(TomlFile(source, PuzzleFileError, puzzle), bounds, unfinished)
    if puzzle is not None or not isinstance(problem, dict):
        raise source.fault("needs an object 'puzzle', or an object 'problem'")
    try:
        return (problem_in(source, problem, bounds),)
    except PuzzleFileError:
        raise
    except PuzzleError as fault:
        raise source.fault(f"problem: {fault}") from None


def _matrix_in(source: Source, rows: list[Any], bounds: Bounds) -> NamedProblem:
    """The problem of a list of rows of zeros and ones."""
    line = "a list is read as a matrix: a list of rows, each a list of as many zeros and ones"
    if not all(isinstance(row, list) for row in rows) or not rows:
        raise source.fault(f"{line}; or it is an object with a 'puzzle' or a 'problem'")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            what = f"row {number} has {len(row):,} entries, and the first row {len(rows[0]):,}"
            raise source.fault(f"{line}; {what}. Lists of items belong under problem.options")
        strange = next((entry for entry in row if type(entry) not in (int, bool) or entry not in (0, 1)), None)
        if strange is not None or None in row:
            what = f"row {number} holds {json.dumps(strange)[:40]}"
            raise source.fault(f"{line}; {what}. Lists of items belong under problem.options")
    return problem_of(source, np.array(rows, np.bool_).reshape(len(rows), len(rows[0])), bounds)


def _parsed(source: Source) -> dict[str, Any] | list[Any]:
    raw = source.content

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a JSON number")

    line = column = 0
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=refuse)
        if _HALF.search(raw):
            json.dumps(data, ensure_ascii=False).encode()
        if isinstance(data, dict | list):
            return data
        reason = "is neither a JSON object nor a list of rows"
    except UnicodeEncodeError as fault:  # of which no other file could hold the text
        half = f"\\u{ord(fault.object[fault.start]):04x}"
        reason = f"is not valid JSON: it holds half a character, {half}, without the other half"
    except json.JSONDecodeError as fault:
        reason, line, column = f"is not valid JSON: {fault.msg}", fault.lineno, fault.colno
    except UnicodeDecodeError as fault:
        reason, line = "is not UTF-8 text", raw[: fault.start].count(b"\n") + 1
    except (RecursionError, ValueError) as fault:  # deep nesting; an integer of thousands of digits
        what = "nested too deeply" if isinstance(fault, RecursionError) else str(fault).split(";")[0]
        reason = f"is not valid JSON: {what}"
    raise source.fault(reason, line, column)


Row = Annotated[list[Annotated[int, Meta(ge=-(1 << 31), le=1 << 31)]], Meta(description="a list of whole numbers")]


class ProblemTable(Struct):
    """The object "problem"; other keys are ignored."""

    items: list[Name]
    options: list[Row]
    low: Row = []
    high: Row = []
    cells: Count = 0
    part_sizes: Row = []
    neighbours: list[Row] = []
    colours: list[Name] = []
    option_colours: list[Row] = []


def problem_in(source: Source, data: dict[str, Any], bounds: Bounds) -> NamedProblem:
    """A cover problem, of the keys of `ProblemTable`; other keys are ignored.

    Raises:
        PuzzleFileError: a key is at fault.
        PuzzleError: its arrays contradict each other.
    """
    file = TomlFile(source, PuzzleFileError, {"problem": data})
    known = {key: data[key] for key in ProblemTable.__struct_fields__ if key in data}
    table = Table(file, known, ("problem",), ProblemTable)
    found = {key: table.get(key) for key in ProblemTable.__struct_fields__}
    file.finish()
    starts, members = _compressed(found["options"])
    require_bounds(len(starts) - 1, len(found["items"]), len(members), bounds)
    arrays = {"option_starts": starts, "option_items": members}
    arrays |= {key: np.array(found[key], np.int64) for key in ("low", "high", "part_sizes") if key in data}
    if "option_colours" in data:
        shade_starts, arrays["option_colours"] = _compressed(found["option_colours"])
        if not np.array_equal(shade_starts, starts):
            raise PuzzleError("'option_colours' must have an entry for each entry of 'options'")
    if "neighbours" in data:
        arrays["neighbour_starts"], arrays["neighbours"] = _compressed(found["neighbours"])
    if found["cells"] > len(found["items"]):
        raise PuzzleError("'cells' must say how many of the items, the first ones, are cells")
    return named_problem(source, arrays, found["cells"], items=found["items"], colours=found["colours"])


def _compressed(rows: list[list[int]]) -> tuple[Array, Array]:
    """Rows in compressed form: where each begins, and all entries."""
    return np.cumsum([0, *map(len, rows)], dtype=np.int64), np.array([*chain.from_iterable(rows)], dtype=np.int64)
