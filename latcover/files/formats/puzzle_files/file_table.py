"""A table of a file, read by the types of its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from latcover.core.model.given import LONGEST_NAME
from latcover.errors import escaped, listed, suggest, unwritable, written_lines
from latcover.files.formats.puzzle_files.file_keys import Name, Number, row_of
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.puzzle_files.toml_places import Key

T = TypeVar("T")


MOST_MEANT = 50  # unknown keys of a table for which the nearest known one is looked for


class Table:
    """A table of the file, with the types of its keys. Of an unknown key it complains at once.

    If the value of a key is faulty, reading it notes a complaint and gives the default.

    Args:
        keys: The struct of the table, or the type of a dictionary where keys are free.
    """

    def __init__(self, file: TomlFile, data: dict[str, Any], key: Key, keys: Any) -> None:
        self.file, self.data, self.key = file, data, key
        self._fields, self._kind = _fields(keys) if _is_struct(keys) else {}, keys
        unknown = 0
        for name in data:
            if len(name) > LONGEST_NAME:
                self.complain((), f"has a key of more than {LONGEST_NAME} characters")
            elif self._fields and name not in self._fields:
                unknown += 1
                self.complain(name, f"unknown key{suggest(name, self._fields) if unknown <= MOST_MEANT else ''}")

    def with_data(self, data: dict[str, Any]) -> Table:
        """The same table with other data."""
        return Table(self.file, data, self.key, self._kind)

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def complain(self, name: str | Key, message: str, *, offset: int = 0, warning: bool = False) -> None:
        inner = (name,) if isinstance(name, str) else name
        self.file.complain(self.key + inner, message, offset=offset, warning=warning)

    def get(self, name: str, default: Any = None, *, required: bool | None = None) -> Any:
        """The value of a key. A list keeps its sound entries.

        Args:
            name: The key.
            default: Replaces a missing or faulty value; by default, the default in the struct.
            required: Whether the key must be there; by default, if it has no default in the struct.
        """
        kind, usual, needed = self._key(name)
        needed, default = needed if required is None else required, usual if default is None else default
        if name not in self.data:
            if needed:
                self.complain((), f"{name!r} is missing; it must be {expected(kind)}")
            return default
        value = self.data[name]
        if needed and isinstance(value, str) and not value.strip():
            self.complain(name, "must not be empty")
            return default
        if get_origin(kind) in (list, tuple) and isinstance(value, list):
            entry_kind, *_ = get_args(kind)
            entries = [self.checked((name, k), entry, entry_kind) for k, entry in enumerate(value)]
            return [entry for entry in entries if entry is not None]
        found = self.checked(name, value, kind)
        return default if found is None else found

    def checked(self, name: str | Key, value: Any, kind: Any) -> Any:
        """A value of this type; None, with a complaint, if it is another."""
        try:
            return msgspec.convert(value, kind)
        except (msgspec.ValidationError, RecursionError):  # of thousands of brackets
            near = suggest(value, _choices(kind), listing=False) if isinstance(value, str) else ""
            self.complain(name, f"must be {expected(kind)}, not {_shown(value)}{near}")
            return None

    def numbered(self, key: str | Key, name: Any, known: Mapping[str, int], what: str) -> int | None:
        """The number that a name stands for; None, with a complaint, if it stands for none.

        Args:
            key: The place of the name.
            name: The name.
            known: The numbers of the known names.
            what: What it names; after a comma, where unknown ones could be named: "colour, [colours]".
        """
        if isinstance(name, str) and name in known:
            return known[name]
        noun, _, where = what.partition(", ")
        hint = suggest(str(name), known) or (where and f"; name it under {where}")
        self.complain(key, f"no {noun} {name!r:.80}{hint}")
        return None

    def line(self, name: str, default: str = "") -> str:
        """A text that pictures and other files show. What these cannot hold becomes an escape."""
        return "".join(escaped(c) if unwritable(c) else c for c in self.get(name, default))

    def lines(self, name: str, default: str = "") -> str:
        """The same of several lines. A line ends with a line feed; blanks at the end of the text are left out."""
        return written_lines(self.get(name, default))

    def entries(self, name: str, *, required: bool | None = None) -> list[Any]:
        """The entries of a list, which are not checked."""
        return self._of(list, name, LIST, self._key(name)[2] if required is None else required) or []

    def _of(self, kind: type[T], name: str, what: str, required: bool) -> T | None:
        """A value that is a list or a dictionary; None if it is missing or something else."""
        value = self.data.get(name)
        if isinstance(value, kind):
            return value
        if name in self.data:
            self.complain(name, f"must be {what}, not {_shown(value)}")
        elif required:
            self.complain((), f"{name!r} is missing; it must be {what}")
        return None

    def row(self, name: str, kind: Any, length: int) -> tuple[Any, ...] | None:
        """A list of *length* numbers of a type; None if it is missing or faulty."""
        if name not in self.data:
            return None
        found = self.checked(name, self.data[name], row_of(kind, length))
        return None if found is None else tuple(found)

    def rows(self, name: str, columns: int) -> list[list[float]] | None:
        """A list of lists of *columns* numbers; None if it is missing or faulty."""
        listed = self._of(list, name, LIST, required=False)
        if listed is None:
            return None
        kind = row_of(Number, columns)
        rows = [self.checked((name, k), row, kind) for k, row in enumerate(listed)]
        return None if any(row is None for row in rows) else rows

    def table(
        self, name: str, *, required: bool = False, keys: Callable[[dict[str, Any]], Any] | None = None
    ) -> Table | None:
        """A table within this one; None if it is missing or faulty. *keys* gives its struct if that depends on it."""
        what = f"a table: [{name}] with lines key = value below it, or {{ key = value }}"
        value = self._of(dict, name, what, required)
        if value is None:
            return None
        return Table(self.file, value, (*self.key, name), keys(value) if keys else _inner(self._key(name)[0]))

    def dictionary(self, name: str) -> Table:
        """A table within this one whose keys are free; an empty one if it is missing or faulty."""
        return self.table(name) or Table(self.file, {}, (*self.key, name), _inner(self._key(name)[0]))

    def tables(
        self, name: str, *, required: bool = False, keys: Callable[[dict[str, Any]], Any] | None = None
    ) -> list[Table]:
        """An array of tables; *keys* gives the struct of each if they differ."""
        kind, found = _inner(self._key(name)[0]), []
        listed = self._of(list, name, f"a list of tables, each under [[{name}]]", required) or []
        for k, entry in enumerate(listed):
            if isinstance(entry, dict):
                found.append(Table(self.file, entry, (*self.key, name, k), keys(entry) if keys else kind))
            else:
                self.complain((name, k), f"must be a table, not {_shown(entry)}")
        return found

    def named_tables(self, name: str, *, required: bool = False) -> dict[str, Table]:
        """A table whose values are tables."""
        outer = self.table(name, required=required)
        return {} if outer is None else {key: t for key in outer.data if (t := outer.table(key)) is not None}

    def _key(self, name: str) -> tuple[Any, Any, bool]:
        """The type of a key, its default, and whether it is required."""
        if not self._fields:
            (_, kind) = get_args(self._kind)
            return kind, _EMPTY.get(get_origin(kind) or kind), False
        found = self._fields[name]
        if found.default_factory is not msgspec.NODEFAULT:
            return found.type, found.default_factory(), False
        if found.default is not msgspec.NODEFAULT:
            return found.type, found.default, False
        return found.type, _EMPTY.get(get_origin(found.type) or found.type), True


LIST = "a list in brackets [ ]"
_EMPTY: dict[Any, Any] = {str: "", Name: "", list: (), tuple: ()}
_WORDS: dict[Any, str] = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
_WORDS |= {list: LIST, tuple: LIST}


def root_table(file: TomlFile, keys: type[msgspec.Struct]) -> Table:
    """The table of a whole file."""
    return Table(file, file.data, (), keys)


@cache
def _fields(keys: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {each.encode_name: each for each in msgspec.structs.fields(keys)}


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _choices(kind: Any) -> list[str]:
    """The words that a value of this type can be."""
    args = get_args(kind)
    return [*args] if get_origin(kind) is Literal else [word for each in args for word in _choices(each)]


def _inner(kind: Any) -> Any:
    """The type of the tables in a type: a struct, or a dictionary where keys are free."""
    if _is_struct(kind) or get_origin(kind) is dict:
        return kind
    inner = (_inner(each) for each in get_args(kind))
    return next((found for found in inner if found is not None), None)


def expected(kind: Any) -> str:
    """What a value of this type is, in words."""
    if get_origin(kind) is Annotated:
        said = (meta.description for meta in kind.__metadata__ if meta.description)
        return next(said, None) or expected(kind.__origin__)
    if get_origin(kind) is Literal:
        return f"one of {listed(get_args(kind))}"
    return _WORDS.get(get_origin(kind) or kind, "another value")


def _shown(value: Any) -> str:
    try:
        text = repr(value) if not isinstance(value, str) else f'"{value}"'
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return f"{type(value).__name__} of that size"
    return text if len(text) <= 40 else text[:37] + "..."
