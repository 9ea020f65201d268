"""TOML files whose complaints point at a line and a column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any, TypeVar

from latcover.errors import Complaint, InputError, escaped, listed, suggest, unwritable, written_lines
from latcover.formats.puzzle_files.toml_places import Key, Places
from latcover.formats.source import Source

T = TypeVar("T")

MOST_COMPLAINTS = 100
LARGEST = 1e6  # number in a drawing
FARTHEST = (1 << 30) - 1  # of the coordinates, steps and sizes that a file may hold


class TomlFile:
    """The text and the data of one TOML file, and the complaints about it so far.

    If *data* are given, they come from a file of another form. Complaints then have no line.

    Raises:
        InputError: the file cannot be read or is no TOML. Later complaints are collected, and `finish` raises them.
    """

    def __init__(self, source: Source, error: type[InputError], data: dict[str, Any] | None = None) -> None:
        self.source = source
        self.complaints: list[Complaint] = []
        self.n_complaints = 0  # all of them, as often as they are made; `complaints` holds the first `MOST_COMPLAINTS`
        self.cells_made = 0  # by boxes and scales
        self._error = error
        self.text = self._read() if data is None else ""
        self.data = self._parse() if data is None else data
        self.root = Table(self, self.data, ())
        self._places: Places | None = None

    def _fail(self, message: str, line: int = 0, column: int = 0) -> InputError:
        return self.source.fault(message, line, column, self._error)

    def _read(self) -> str:
        text = self.source.text(self._error, "; a file of text in TOML is needed, as an editor saves it")
        if not text.strip():
            raise self._fail("is empty; a TOML file is needed")
        return text

    def _parse(self) -> dict[str, Any]:
        try:
            data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as problem:
            message = re.sub(r"\s*\(at .*\)$", "", str(problem))
            place = re.search(r"line (\d+), column (\d+)", str(problem))
            last = (self.text.count("\n") + 1, 0)
            line, column = (int(place[1]), int(place[2])) if place else last
            other = not self.source.name.endswith(".toml")
            suffix = "; a file of another form needs its suffix, such as .xmpuzzle or .txt" if other else ""
            raise self._fail(f"is no valid TOML: {_mended(message)}{suffix}", line, column) from None
        except (RecursionError, ValueError) as problem:  # deep nesting; an integer of thousands of digits
            what = "nested too deeply" if isinstance(problem, RecursionError) else str(problem).split(";")[0]
            raise self._fail(f"is no valid TOML: {what}") from None
        return data

    def complain(self, key: Key, message: str, *, offset: int = 0, warning: bool = False) -> None:
        """Note a complaint about the value at *key*; *offset* counts characters into a string value."""
        self.n_complaints += 1  # of a known one too: whoever compares the number learns that a value is faulty
        if len(self.complaints) >= MOST_COMPLAINTS:
            return
        line, column = self.locate(key)
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key).lstrip(".")
        text = f"{place}: {message}" if place else message
        complaint = Complaint(text, self.source.name, line, column + offset, warning)
        if complaint not in self.complaints:  # a value may be looked at twice
            self.complaints.append(complaint)

    def take_complaints(self, other: TomlFile) -> None:
        """Note what is wrong with a file that this one names, maybe in several places."""
        self.n_complaints += other.n_complaints
        self.complaints += [complaint for complaint in other.complaints if complaint not in self.complaints]

    @property
    def has_errors(self) -> bool:
        return any(not complaint.warning for complaint in self.complaints)

    def finish(self) -> tuple[Complaint, ...]:
        """Raise if anything was wrong; else return the warnings. Complaints are in the order of lines.

        Those about other files, such as part sets, follow in the order in which the files were read.
        """
        paths = {
            path: k for k, path in enumerate(dict.fromkeys([self.source.name, *(c.path for c in self.complaints)]))
        }
        found = sorted(self.complaints, key=lambda complaint: (paths[complaint.path], complaint.line, complaint.column))
        if self.has_errors:
            raise self._error(found)
        return tuple(found)

    def locate(self, key: Key) -> tuple[int, int]:
        """Line and column of the value at *key*, from 1. If it has no place of its own, those of what encloses it.

        A string in an array, or a row of a string, is located at its first character.
        """
        if not self.text:
            return 0, 0
        if self._places is None:
            self._places = Places(self.text)
        line, column = self._places.locate(key)
        value: Any = self.data
        for part in key:
            known = part in value if isinstance(value, dict) else isinstance(value, list) and isinstance(part, int)
            if not known:
                return line, column
            value = value[part]
        return line, column + (isinstance(value, str) and isinstance(key[-1], int))


class Table:
    """A table of the file. If the value of a key is faulty, reading it notes a complaint and returns the default."""

    def __init__(self, file: TomlFile, data: dict[str, Any], key: Key) -> None:
        self.file, self.data, self.key = file, data, key
        self._asked: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def complain(self, name: str | Key, message: str, *, offset: int = 0, warning: bool = False) -> None:
        inner = (name,) if isinstance(name, str) else name
        self.file.complain(self.key + inner, message, offset=offset, warning=warning)

    def _get(self, name: str, kind: type[T], what: str, required: bool) -> T | None:
        self._asked.add(name)
        if name not in self.data:
            if required:
                self.complain((), f"{name!r} is missing; it must be {what}")
            return None
        if required and isinstance(self.data[name], str) and not self.data[name].strip():
            self.complain(name, "must not be empty")
            return None
        value = self.data[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.complain(name, f"must be {what}, not {_shown(value)}")
            return None
        return value

    def text(self, name: str, default: str = "", *, required: bool = False) -> str:
        value = self._get(name, str, "a text in quotes", required)
        return default if value is None else value

    def line(self, name: str, default: str = "") -> str:
        """A text that pictures and other files show. What these cannot hold becomes an escape."""
        return "".join(escaped(c) if unwritable(c) else c for c in self.text(name, default))

    def lines(self, name: str, default: str = "") -> str:
        """The same of several lines. A line ends with a line feed; blanks at the end of the text are left out."""
        return written_lines(self.text(name, default))

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        """One of the words *known*."""
        value = self.text(name, default)
        if value not in known:
            self.complain(
                name, f'must be one of {listed(known)}, not "{value:.40}"{suggest(value, known, listing=False)}'
            )
            return default
        return value

    def boolean(self, name: str, default: bool = False) -> bool:
        value = self._get(name, bool, "true or false", False)
        return default if value is None else value

    def integer(self, name: str, default: int, least: int = 0) -> int:
        value = self._get(name, int, "a whole number", False)
        if value is not None and not least <= value < 1 << 31:
            self.complain(name, f"must be a whole number from {least} to {(1 << 31) - 1}, not {_shown(value)}")
            return default
        return default if value is None else value

    def number(self, name: str, default: float) -> float:
        self._asked.add(name)
        value = self.data.get(name, default)
        if not is_number(value):
            self.complain(name, f"must be a number, at most {LARGEST:g}, not {_shown(value)}")
            return default
        return float(value)

    def vector(self, name: str, length: int) -> tuple[float, ...]:
        """An array of *length* numbers; zeros if it is missing or faulty."""
        self._asked.add(name)
        value = self.data.get(name, [0.0] * length)
        if not _is_row(value, length):
            self.complain(name, f"must be a list of {length} numbers{_at_most(value)}, not {_shown(value)}")
            return (0.0,) * length
        return tuple(float(x) for x in value)

    def strings(self, name: str) -> list[str]:
        """An array of strings that are not empty."""
        value = self.array(name)
        for k, entry in enumerate(value):
            if not isinstance(entry, str) or not entry.strip():
                self.complain((name, k), f"must be a name, not {_shown(entry)}")
        return [entry for entry in value if isinstance(entry, str) and entry.strip()]

    def array(self, name: str, *, required: bool = False) -> list[Any]:
        return self._get(name, list, "a list in brackets [ ]", required) or []

    def any(self, name: str) -> Any:
        self._asked.add(name)
        return self.data.get(name)

    def integers(self, name: str, length: int) -> tuple[int, ...] | None:
        """An array of *length* whole numbers."""
        value = self._get(name, list, f"a list of {length} whole numbers", False)
        if value is None:
            return None
        return self.checked_integers(name, value, length)

    def checked_integers(self, name: str | Key, value: Any, length: int) -> tuple[int, ...] | None:
        if (
            not isinstance(value, list)
            or len(value) != length
            or not all(isinstance(x, int) and not isinstance(x, bool) for x in value)
        ):
            self.complain(name, f"must be a list of {length} whole numbers, not {_shown(value)}")
            return None
        if any(abs(x) > FARTHEST for x in value):
            what = f"{length} whole numbers, each at most {FARTHEST}"
            self.complain(name, f"must be a list of {what}, not {_shown(value)}")
            return None
        return tuple(value)

    def numbers(self, name: str, columns: int) -> list[list[float]] | None:
        """An array of rows of *columns* finite numbers."""
        value = self._get(name, list, f"a list of rows of {columns} numbers", False)
        if value is None:
            return None
        wrong = [k for k, row in enumerate(value) if not _is_row(row, columns)]
        for k in wrong:
            self.complain((name, k), f"must be {columns} numbers{_at_most(value[k])}, not {_shown(value[k])}")
        return None if wrong else [[float(x) for x in row] for row in value]

    def table(self, name: str, *, required: bool = False) -> Table | None:
        value = self._get(
            name, dict, f"a table: [{name}] with lines key = value below it, or {{ key = value }}", required
        )
        return None if value is None else Table(self.file, value, (*self.key, name))

    def tables(self, name: str, *, required: bool = False) -> list[Table]:
        """An array of tables."""
        value = self._get(name, list, f"a list of tables, each under [[{name}]]", required)
        found = []
        for k, entry in enumerate(value or []):
            if isinstance(entry, dict):
                found.append(Table(self.file, entry, (*self.key, name, k)))
            else:
                self.complain((name, k), f"must be a table, not {_shown(entry)}")
        return found

    def named_tables(self, name: str, *, required: bool = False) -> dict[str, Table]:
        """A table whose values are tables."""
        outer = self.table(name, required=required)
        return {} if outer is None else {key: t for key in outer.data if (t := outer.table(key)) is not None}

    def finish(self) -> None:
        """Complain of every key that nothing has asked for."""
        for name in self.data:
            if name not in self._asked:
                self.complain(name, f"unknown key{suggest(name, self._asked)}")


def is_number(value: object) -> bool:
    """Whether *value* is a number that drawings can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_row(value: object, columns: int) -> bool:
    return isinstance(value, list) and len(value) == columns and all(map(is_number, value))


def _at_most(value: object) -> str:
    """An addition to a message if an array holds a number that is too large, infinite or NaN."""
    beyond = isinstance(value, list) and any(isinstance(x, int | float) and not abs(x) <= LARGEST for x in value)
    return f", each at most {LARGEST:g}" if beyond else ""


def _mended(message: str) -> str:
    """What the parser says, and what most likely mends it; its own words are those of programmers."""
    hints = {
        "Illegal character '\\n'": "a text in quotes must end on its line",
        "Invalid value": 'words stand in quotes, as in "soma"; lists in brackets, as in [3, 3]',
        "Unclosed array": "a list lacks its ]",
        "Unterminated string": "a text lacks its closing quotes",
        "Expected '=' after": "each line must be a [heading], or of the form key = value",
        "Expected newline or end of document": "only one value can stand behind an =, and texts stand in quotes",
        "Cannot declare": "a heading stands twice; of several parts, each begins with [[parts]], in two brackets",
        "Cannot overwrite": "a key or a heading stands twice",
    }
    mend = next((f"; {hint}" for start, hint in hints.items() if message.startswith(start)), "")
    return f"{message}{mend}"


def _shown(value: Any) -> str:
    try:
        text = repr(value) if not isinstance(value, str) else f'"{value}"'
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return f"{type(value).__name__} of that size"
    return text if len(text) <= 40 else text[:37] + "..."
