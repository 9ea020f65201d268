"""TOML files whose complaints point at a line and a column."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from latcover.errors import Complaint, InputError
from latcover.files.formats.puzzle_files.toml_places import Key, Places
from latcover.files.formats.source import Source

MOST_COMPLAINTS = 100


class TomlFile:
    """The text and the data of one TOML file, and the complaints about it so far.

    If *data* are given, they come from a file of another form. Complaints then have no line.

    Raises:
        InputError: the file cannot be read or is not TOML. Later complaints are collected, and `finish` raises them.
    """

    def __init__(self, source: Source, error: type[InputError], data: dict[str, Any] | None = None) -> None:
        self.source = source
        self.complaints: list[Complaint] = []
        self.n_complaints = 0  # all of them, as often as they are made; `complaints` holds the first `MOST_COMPLAINTS`
        self.cells_made = 0  # by boxes and scales
        self._error = error
        self.text = self._read() if data is None else ""
        self.data = self._parse() if data is None else data
        self._places: Places | None = None
        self._origins: list[int] | None = None

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
            raise self._fail(f"is not valid TOML: {_mended(message)}{suffix}", line, column) from None
        except (RecursionError, ValueError) as problem:  # deep nesting; an integer of thousands of digits
            what = "nested too deeply" if isinstance(problem, RecursionError) else str(problem).split(";")[0]
            raise self._fail(f"is not valid TOML: {what}") from None
        return data

    def take_data(self, data: dict[str, Any], origins: list[int]) -> None:
        """Go on with other data, whose k-th part comes from the ``origins[k]``-th part of the text."""
        self.data, self._origins = data, origins

    def complain(self, key: Key, message: str, *, offset: int = 0, warning: bool = False) -> None:
        """Note a complaint about the value at *key*; *offset* counts characters into a string value."""
        self.n_complaints += 1  # of a known one too: whoever compares the number learns that a value is faulty
        if len(self.complaints) >= MOST_COMPLAINTS:
            return
        if self._origins and key[:1] == ("parts",) and len(key) > 1 and isinstance(key[1], int):
            key = ("parts", self._origins[key[1]], *key[2:])
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


def _mended(message: str) -> str:
    """What the parser says, and what most likely mends it; its own words are those of programmers."""
    hints = {
        "Illegal character '\\n'": "a text in quotes must end on its line",
        "Invalid value": 'words must be in quotes, as in "soma"; lists in brackets, as in [3, 3]',
        "Unclosed array": "a list lacks its ]",
        "Unterminated string": "a text lacks its closing quotes",
        "Expected '=' after": "each line must be a [heading], or of the form key = value",
        "Expected newline or end of document": "only one value can follow an =, and texts must be in quotes",
        "Cannot declare": "a heading occurs twice; each of several parts begins with [[parts]], in two brackets",
        "Cannot overwrite": "a key or a heading occurs twice",
    }
    mend = next((f"; {hint}" for start, hint in hints.items() if message.startswith(start)), "")
    return f"{message}{mend}"
