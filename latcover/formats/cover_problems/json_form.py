"""JSON for other programs: the puzzle, its cover problem and, on request, all of its solutions.

docs/reference/formats.md lists the keys. Everything is written as it is found, so many solutions do not fill the
memory; after them the file says whether the search was complete. A file can be read again: the puzzle, or the bare
cover problem if there is no puzzle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, NoReturn

import numpy as np

from latcover.cover.named_problem import NamedProblem
from latcover.cover.problem import Ints, Longs
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.formats.cover_problems.exported import Exported
from latcover.formats.cover_problems.npz import Array, named_problem, require_bounds
from latcover.formats.forms import How
from latcover.formats.puzzle_files.puzzle_file import puzzles_of
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.formats.puzzle_files.toml_file import TomlFile
from latcover.formats.source import Source
from latcover.model.puzzle import Bounds, Puzzle
from latcover.solving.collector import Verified
from latcover.solving.solutions import kept_covers

VERSION = 1
_BLOCK = 5000  # entries written at once
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # what may be a half of a character beyond 16 bits


def write(exported: Exported, how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
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
    if how.solutions:
        yield from _solutions(exported, how)
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


def _solutions(exported: Exported, how: How) -> Iterator[bytes]:
    """All solutions, verified, and then how the search ended."""
    subject = exported.subject
    verified = Verified(subject)
    stopped = False

    def go_on(_: object) -> bool:
        nonlocal stopped
        stopped = stopped or how.cancelled()
        return not stopped

    yield b',\n"solutions": ['
    different = total = 0
    for kept in kept_covers(subject, on_progress=go_on):
        for (members, orbit), solution in zip(kept, verified.solutions(kept, different + 1), strict=True):
            different, total = different + 1, total + orbit
            data = solution.as_json()
            data["choices"] = sorted(k + 1 for k in members.tolist())
            yield (("" if different == 1 else ",") + "\n" + json.dumps(data)).encode()
            if not go_on(None):
                break
        if stopped:
            break
    summary = {
        "complete": not stopped,
        "symmetry": subject.symmetry,
        "different": different,
        "total": total,
    }
    yield f'\n],\n"summary": {json.dumps(summary)}'.encode()


# ---- reading


def read(source: Source, bounds: Bounds) -> tuple[Puzzle, ...] | tuple[NamedProblem]:
    """Read a file: its puzzle, with the keys of a puzzle file; or its problem, if it has no puzzle.

    Raises:
        PuzzleFileError, LatticeError: it cannot be read; the error says what is wrong with which key.
    """
    data = _parsed(source)
    puzzle, problem = (data.get(key) for key in ("puzzle", "problem"))
    if isinstance(puzzle, dict):
        return puzzles_of(TomlFile(source, PuzzleFileError, puzzle), bounds)
    if puzzle is not None or not isinstance(problem, dict):
        raise source.fault("needs an object 'puzzle', or an object 'problem'")
    try:
        return (_Reader(source, problem).problem(bounds),)
    except PuzzleFileError:
        raise
    except PuzzleError as fault:
        raise source.fault(f"problem: {fault}") from None


def _parsed(source: Source) -> dict[str, Any]:
    raw = source.content

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no number of JSON")

    line = column = 0
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=refuse)
        if _HALF.search(raw):
            json.dumps(data, ensure_ascii=False).encode()
        if isinstance(data, dict):
            return data
        reason = "holds no object"
    except UnicodeEncodeError as fault:  # of which no other file could hold the text
        half = f"\\u{ord(fault.object[fault.start]):04x}"
        reason = f"is no valid JSON: it holds half a character, {half}, without the other half"
    except json.JSONDecodeError as fault:
        reason, line, column = f"is no valid JSON: {fault.msg}", fault.lineno, fault.colno
    except UnicodeDecodeError as fault:
        reason, line = "is no text in UTF-8", raw[: fault.start].count(b"\n") + 1
    except (RecursionError, ValueError) as fault:  # deep nesting; an integer of thousands of digits
        what = "nested too deeply" if isinstance(fault, RecursionError) else str(fault).split(";")[0]
        reason = f"is no valid JSON: {what}"
    raise source.fault(reason, line, column)


class _Reader:
    """The object "problem" of a file. Its errors blame no file yet."""

    def __init__(self, source: Source, data: dict[str, Any]) -> None:
        self.source, self.data = source, data

    def problem(self, bounds: Bounds) -> NamedProblem:
        items = self._names("items")
        starts, members = self._rows("options")
        require_bounds(len(starts) - 1, len(items), len(members), bounds)
        arrays = {"option_starts": starts, "option_items": members}
        for name in ("low", "high"):
            if name in self.data:
                arrays[name] = self._integers(name, self.data[name])
        if "option_colours" in self.data:
            shade_starts, arrays["option_colours"] = self._rows("option_colours")
            if not np.array_equal(shade_starts, starts):
                raise PuzzleError("'option_colours' must have an entry for each entry of 'options'")
        if "part_sizes" in self.data:
            arrays["part_sizes"] = self._integers("part_sizes", self.data["part_sizes"])
        if "neighbours" in self.data:
            arrays["neighbour_starts"], arrays["neighbours"] = self._rows("neighbours")
        cells = self.data.get("cells", 0)
        if type(cells) is not int or not 0 <= cells <= len(items):
            raise PuzzleError("'cells' must say how many of the items, the first ones, are cells")
        colours = self._names("colours") if "colours" in self.data else []
        return named_problem(self.source, arrays, cells, (items, colours))

    def _list(self, name: str) -> list[Any]:
        value = self.data.get(name)
        if not isinstance(value, list):
            raise PuzzleError(f"{name!r} must be an array")
        return value

    def _names(self, name: str) -> list[str]:
        for k, value in enumerate(self._list(name)):
            if not isinstance(value, str) or not value.strip():
                raise PuzzleError(f"{name}[{k}] must be a name")
        return self._list(name)

    def _integers(self, place: str, value: Any) -> Array:
        if not isinstance(value, list) or any(type(entry) is not int or abs(entry) > 1 << 31 for entry in value):
            raise PuzzleError(f"{place!r} must be an array of whole numbers")
        return np.array(value, dtype=np.int64)

    def _rows(self, name: str) -> tuple[Array, Array]:
        """An array of arrays in compressed rows."""
        rows = self._list(name)
        for k, row in enumerate(rows):
            if not isinstance(row, list):
                raise PuzzleError(f"{name}[{k}] must be an array of whole numbers")
        starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return starts, self._integers(name, [entry for row in rows for entry in row])
