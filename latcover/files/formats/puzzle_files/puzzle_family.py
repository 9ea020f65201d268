"""Families: puzzle files with a size n in them; docs/reference/puzzle-files.md describes them.

A member is the same file with a number in place of n: each text ``"{2*n + 1}"`` becomes a number, each ``{n}`` within
a longer text is replaced, and a part with ``for`` becomes one part for each of its values.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from latcover.errors import PuzzleFileError, suggest
from latcover.files.formats.puzzle_files.file_keys import MOST, FamilyTable, PuzzleFile
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.puzzle_files.toml_places import Key
from latcover.files.formats.source import Source

MOST_PARTS = 10_000  # that the parts with `for` make
TOO_MANY = f"makes more than {MOST_PARTS:,} parts"
MOST_RANGES = 10  # of one `for`
LONGEST = 200  # characters of an expression
_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)\s*")
_FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "abs": abs, "isqrt": math.isqrt}
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

Values = Mapping[str, int]


class _WrongError(Exception):
    """An expression that has no value."""


def value_of(text: str, values: Values) -> int:
    """The value of an expression: whole numbers, names, + - * // %, comparisons, ``and``, min, max, abs and isqrt.

    Raises:
        _WrongError: it cannot be read, or has no value.
    """
    if len(text) > LONGEST:
        raise _WrongError(f"an expression has at most {LONGEST} characters; name a part of it under `let`")
    try:
        with warnings.catch_warnings(action="ignore"):
            found = _value(ast.parse(text.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, ZeroDivisionError, TypeError, RecursionError, MemoryError):
        raise _WrongError(f"{text!r} has no value; it may hold numbers, {', '.join(values)}, + - * // %") from None
    if abs(found) > MOST:
        raise _WrongError(f"{text!r} is larger than {MOST:,}")
    return found


def _value(node: ast.expr, values: Values) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise _WrongError(f"nothing is called {node.id!r}{suggest(node.id, values)}")
        return values[node.id]
    if isinstance(node, ast.UnaryOp | ast.BinOp) and type(node.op) in _OPERATORS:
        operands = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        found: int = _OPERATORS[type(node.op)](*(_value(each, values) for each in operands))
        if abs(found) > MOST * MOST:
            raise ValueError
        return found
    if isinstance(node, ast.Compare) and all(type(op) in _OPERATORS for op in node.ops):
        terms = [_value(each, values) for each in (node.left, *node.comparators)]
        pairs = zip(node.ops, terms[:-1], terms[1:], strict=True)
        return all(_OPERATORS[type(op)](a, b) for op, a, b in pairs)
    if isinstance(node, ast.BoolOp):
        found_all = [_value(each, values) for each in node.values]
        return int(all(found_all) if isinstance(node.op, ast.And) else any(found_all))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _FUNCTIONS
        and not node.keywords
    ):
        return _FUNCTIONS[node.func.id](*(_value(each, values) for each in node.args))
    raise ValueError


class PuzzleFamily(Struct, frozen=True):
    """A puzzle for each size n.

    Attributes:
        name, title: Of the family.
        source: Its file.
        start: The least n.
        oeis: The number of the sequence in the OEIS, or "".
        published: Known numbers of solutions, in all, by n.
        strip_axis: The axis along which n is the length of a box, if nothing else depends on n.
        strip_period: The period of that box along its other axes, as of a region; empty if there is none.
    """

    name: str
    title: str
    source: Source
    start: int
    oeis: str
    published: Mapping[int, int]
    strip_axis: int | None
    strip_period: tuple[int, ...] = ()

    def member(self, n: int) -> Source:
        """The source of the puzzle of size *n*."""
        return replace(self.source, size=n)


def read_family(source: Source) -> PuzzleFamily:
    """Read what a file says of its family.

    Raises:
        PuzzleFileError: it has no [family], or a fault in it.
    """
    file = TomlFile(source, PuzzleFileError)
    if "family" not in file.data:
        file.complain(
            (), 'is not a family of puzzles: it has no table [family], in which from = 1 is the least size "{n}"'
        )
        file.finish()
    table = _family_table(file, file.data["family"])
    start, after = table.get("from"), table.get("terms_from")
    numbers = re.split(r"[\s,]+", table.get("terms").strip()) if table.get("terms").strip() else []
    for k, number in enumerate(numbers):
        if not re.fullmatch(r"[0-9]{1,4000}", number):
            table.complain("terms", f"the term {k + 1} must be a whole number, not {number!r:.80}")
    about = Table(file, {key: file.data[key] for key in ("name", "title") if key in file.data}, (), PuzzleFile)
    name, title = about.get("name", source.stem, required=False), about.get("title")
    file.finish()
    published = {(start if after is None else after) + k: int(number) for k, number in enumerate(numbers)}
    axis = _strip_axis(file.data)
    period = () if axis is None else tuple(file.data["region"].get("period", ()))
    return PuzzleFamily(name, title, source, start, table.get("oeis"), published, axis, period)


def _family_table(file: TomlFile, data: Any) -> Table:
    if not isinstance(data, dict):
        file.complain(("family",), "must be a table: write [family], and below it from = 1")
        file.finish()
    return Table(file, data, ("family",), FamilyTable)


def _strip_axis(data: Mapping[str, Any]) -> int | None:
    """Which side of the region, if it is a box, is n; None if the file uses n elsewhere, or the region is more.

    The box may close on itself along its other axes.
    """
    region = data.get("region")
    if not isinstance(region, dict) or not region.keys() <= {"box", "period"}:
        return None
    box, period = region.get("box"), region.get("period", [])
    rest = {key: value for key, value in data.items() if key not in ("region", "family", "name", "title")}
    if not isinstance(box, list) or [side for side in box if not isinstance(side, int)] != ["{n}"] or _has_size(rest):
        return None
    if not isinstance(period, list):
        return None
    axis = box.index("{n}")
    closes_across = len(period) == len(box) and all(isinstance(each, int) for each in period) and not period[axis]
    return axis if not period or closes_across else None


def _has_size(value: Any) -> bool:
    """Whether a value depends on n."""
    if isinstance(value, dict):
        return "for" in value or any(map(_has_size, value.values()))
    return any(map(_has_size, value)) if isinstance(value, list) else isinstance(value, str) and "{" in value


def take_member(file: TomlFile, n: int) -> None:
    """Replace the data of a family's file by those of its member of size *n*. Complaints keep their lines."""
    data = dict(file.data)
    of_family = _family_table(file, data.pop("family"))
    if n < of_family.get("from"):
        file.complain(("family", "from"), f"the least size is {of_family.get('from')}, not {n}")
    values = {"n": n}
    for name, text in of_family.get("let").items():
        _require_new_name(file, ("family", "let", name), name, values)
        values[name] = _evaluated(file, ("family", "let", name), str(text), values) or 0
    parts, origins = _parts(file, data.pop("parts", None), values)
    made = {key: _filled(file, (key,), value, values) for key, value in data.items()}
    if file.has_errors:  # what follows from them would only confuse
        file.finish()
    name = str(made.get("name", ""))
    made["name"] = f"{name}-{n}" if name and name == file.data["name"] else name
    file.take_data(made if parts is None else {**made, "parts": parts}, origins)


def _require_new_name(file: TomlFile, key: Key, name: str, values: Values) -> None:
    if name in values or name in _FUNCTIONS:
        file.complain(key, f"{name!r} has a meaning already; choose another name")


def _evaluated(file: TomlFile, key: Key, text: str, values: Values) -> int | None:
    try:
        return value_of(text, values)
    except _WrongError as fault:
        file.complain(key, str(fault))
        return None


def _filled(file: TomlFile, key: Key, value: Any, values: Values) -> Any:
    """A value with numbers in place of its expressions."""
    if isinstance(value, dict):
        return {name: _filled(file, (*key, name), each, values) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(file, (*key, k), each, values) for k, each in enumerate(value)]
    if not isinstance(value, str):
        return value
    whole = _EXPRESSION.fullmatch(value.strip())
    if whole:
        return _evaluated(file, key, whole[1], values)
    return _EXPRESSION.sub(lambda found: str(_evaluated(file, key, found[1], values)), value)


def _parts(file: TomlFile, listed: Any, values: Values) -> tuple[Any, list[int]]:
    """The parts of the member, and which entry of the file each of them comes from."""
    if not isinstance(listed, list):
        return listed, []
    made: list[Any] = []
    origins: list[int] = []
    for k, entry in enumerate(listed):
        key, is_table = ("parts", k), isinstance(entry, dict)
        loops = _loops(file, (*key, "for"), entry.get("for", {}), values) if is_table else [values]
        condition = str(entry.get("if", "1")) if is_table else "1"
        rest = {name: value for name, value in entry.items() if name not in ("for", "if")} if is_table else entry
        for inner in loops:
            if len(made) >= MOST_PARTS:
                file.complain((*key, "for"), TOO_MANY)
                return made, origins
            if _evaluated(file, (*key, "if"), condition, inner):
                made.append(_filled(file, key, rest, inner))
                origins.append(k)
    return made, origins


def _loops(file: TomlFile, key: Key, ranges: Any, values: Values) -> list[Values]:
    """The values of the names of a ``for``: ``{ a = "1..n", b = "a..n" }``."""
    if not isinstance(ranges, dict):
        file.complain(key, 'must be a table of ranges, as in for = { a = "1..n" }')
        return []
    if len(ranges) > MOST_RANGES:
        file.complain(key, f"has more than {MOST_RANGES} ranges")
        return []
    found = [values]
    for name, text in ranges.items():
        _require_new_name(file, (*key, name), name, values)
        ends = _RANGE.fullmatch(text) if isinstance(text, str) else None
        if ends is None:
            file.complain((*key, name), 'must be a range in quotes, as in "1..n"')
            return []
        outer, found = found, []
        for known in outer:
            least, most = (_evaluated(file, (*key, name), end, known) for end in ends.groups())
            if least is None or most is None:
                return []
            if len(found) + most - least >= MOST_PARTS:
                file.complain(key, TOO_MANY)
                return []
            found += [{**known, name: value} for value in range(least, most + 1)]
    return found
