"""Reading what `json_form` writes: a puzzle, or a bare cover problem where there is none."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import numpy as np

from latcover.cover.named_problem import NamedProblem
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.formats.cover_problems.npz import Array, named_problem, require_bounds
from latcover.formats.puzzle_files.puzzle_file import puzzles_of
from latcover.formats.puzzle_files.toml_file import TomlFile
from latcover.formats.source import Source
from latcover.model.puzzle import Bounds, Puzzle

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # what may be a half of a character beyond 16 bits


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
