"""The position of each value in the text of a valid TOML file.

``tomllib`` keeps no positions, so the text is scanned again. The scanner knows enough of the grammar to step over
strings, comments and brackets. It relies on the fact that ``tomllib`` has accepted the file.
"""

from __future__ import annotations

import re
import tomllib

Key = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}(?!")|"(?:\\.|[^"\\\n])*"''' + r"""|'''.*?'{3,5}(?!')|'[^'\n]*'""", re.DOTALL
)
_BARE = re.compile(r"[^\s,\]}#=.\"']+")
_SCALAR = re.compile(r"[^,\]}#\n]+")


class Places:
    """Offsets into the text of every table, key and element of an array.

    Attributes:
        offsets: By path: of a table, where its header begins; of a key, its name; of an element of an array, its value.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets: dict[Key, int] = {}
        self._counts: dict[Key, int] = {}
        table: Key = ()
        at = self._skip(0)
        while at < len(text):
            if text[at] == "[":
                table, at = self._header(at)
            else:
                at = self._assignment(table, at)
            at = self._skip(at)

    def locate(self, key: Key) -> tuple[int, int]:
        """Line and column, from 1, of the value at *key*. If it has no place of its own, those of what encloses it."""
        for length in range(len(key), 0, -1):
            offset = self.offsets.get(key[:length])
            if offset is not None:
                return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)
        return 1, 1

    def _skip(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def _header(self, at: int) -> tuple[Key, int]:
        several = self.text.startswith("[[", at)
        names, end = self._names(at + 1 + several)
        path: Key = ()
        for name in names[:-1]:
            path += (name,)
            if path in self._counts:
                path += (self._counts[path],)
        path += (names[-1],)
        if several:
            self._counts[path] = self._counts.get(path, -1) + 1
            self.offsets.setdefault(path, at)
            path += (self._counts[path],)
        self.offsets[path] = at
        return path, end + 1 + several

    def _names(self, at: int) -> tuple[list[str], int]:
        """A dotted key, and where it ends."""
        names = []
        while True:
            at = self._skip(at)
            found = _STRING.match(self.text, at) or _BARE.match(self.text, at)
            assert found is not None
            quoted = found[0][0] in "\"'"
            names.append(next(iter(tomllib.loads(f"{found[0]} = 0"))) if quoted else found[0])
            at = self._skip(found.end())
            if not self.text.startswith(".", at):
                return names, at
            at += 1

    def _assignment(self, table: Key, at: int) -> int:
        names, end = self._names(at)
        path = table
        for name in names:
            path += (name,)
            self.offsets.setdefault(path, at)
        return self._value(path, self._skip(end + 1))

    def _value(self, path: Key, at: int) -> int:
        """Step over the value at *path*, noting its elements; returns where it ends."""
        opening = self.text[at]
        if opening == "{":
            at = self._skip(at + 1)
            while self.text[at] != "}":
                at = self._skip(self._assignment(path, at))
                at = self._skip(at + 1) if self.text[at] == "," else at
            return at + 1
        if opening == "[":
            index, at = 0, self._skip(at + 1)
            while self.text[at] != "]":
                self.offsets[(*path, index)] = at
                at = self._skip(self._value((*path, index), at))
                at = self._skip(at + 1) if self.text[at] == "," else at
                index += 1
            return at + 1
        if opening in "\"'":
            found = _STRING.match(self.text, at)
            assert found is not None
            self._rows(path, found[0], at)
            return found.end()
        found = _SCALAR.match(self.text, at)
        assert found is not None
        return found.end()

    def _rows(self, path: Key, string: str, at: int) -> None:
        """The lines of a string count as its elements: rows of art."""
        quotes = 3 if string[:3] in ('"""', "'''") else 1
        start = at + quotes
        if quotes == 3 and self.text[start] == "\n":
            start += 1
        for row, line in enumerate(self.text[start : at + len(string) - quotes].split("\n")):
            self.offsets[(*path, row)] = start
            start += len(line) + 1
