"""Seals: a checksum on every row of a run's file that a count depends on, and their sums.

A row's seal is a keyed hash of its table's name and of all its values. The key is random, and each run has its own. So
a row that was changed, or comes from another file or table, has a wrong seal. The table `totals` holds the number of
rows of each table, and the sum of their seals. It shows rows that are missing or doubled. Rows, seals and totals
change in the same transaction, so they agree even if the process is killed.

Seals find accidents, and changes by other programs. They do not stop somebody who computes new seals.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from marshal import dumps
from typing import Any

from msgspec import Struct

from latcover.lab.runs.run_tables import columns_of

SEALED = ("jobs", "solutions", "placements", "assemblies")  # with totals; the one row of `run` has a seal alone
_FORM = 2  # of `marshal`: the fastest by far, and unchanged since Python 2.5
_BITS = 62  # the sum of two seals fits in an integer of SQLite
_ALL = (1 << _BITS) - 1


class Seals:
    """Makes the seals of one run."""

    def __init__(self, key: str) -> None:
        self._begun = {
            table: hashlib.blake2b(table.encode(), digest_size=8, key=key.encode()[:64]) for table in (*SEALED, "run")
        }

    def of(self, table: str, values: Sequence[Any]) -> int:
        """The seal of a row with these values, in the order of the columns and without the seal itself."""
        hashed = self._begun[table].copy()
        hashed.update(dumps(tuple(values), _FORM))
        return int.from_bytes(hashed.digest(), "big") >> (64 - _BITS)

    def fits(self, table: str, row: Sequence[object]) -> bool:
        """Whether a row, with its seal, has the right seal."""
        return self.first_wrong(table, [tuple(row)]) is None

    def first_wrong(self, table: str, rows: Iterable[tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """The first of these rows, with their seals, whose seal is wrong; None if all are right."""
        begun, shift, number = self._begun[table].copy, 64 - _BITS, int.from_bytes
        for row in rows:
            hashed = begun()
            hashed.update(dumps(row[:-1], _FORM))
            if number(hashed.digest(), "big") >> shift != row[-1]:
                return row
        return None


class Total(Struct, frozen=True):
    """How many rows a table has, and the sum of their seals."""

    rows: int = 0
    sum: int = 0

    def plus(self, seals: Iterable[int]) -> Total:
        """This total with more rows, given by their seals."""
        seals = list(seals)
        return Total(self.rows + len(seals), (self.sum + sum(seals)) & _ALL)


def totals_in(connection: sqlite3.Connection) -> dict[str, Total]:
    """The total of each table as the file has it; empty if that row is missing."""
    row = connection.execute("SELECT * FROM totals").fetchone()
    return {table: Total(row[table], row[f"{table}_sum"]) for table in SEALED} if row else {}


class SealedTables:
    """Writes rows with their seals, within a transaction of the caller."""

    def __init__(self, connection: sqlite3.Connection, key: str) -> None:
        self._connection, self.seals = connection, Seals(key)

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Write new rows: the values of all columns but the seal, in their order."""
        stored = [_as_stored(table, row) for row in rows]
        if not stored:
            return
        seals = [self.seals.of(table, values) for values in stored]
        places = ", ".join("?" * len(columns_of(table)))
        sealed = [(*values, seal) for values, seal in zip(stored, seals, strict=True)]
        self._connection.executemany(f"INSERT INTO {table} VALUES ({places})", sealed)
        if table in SEALED:
            self._add(table, len(seals), sum(seals))

    def change(self, table: str, number: int, changes: Mapping[str, object]) -> bool:
        """Change values of a row. If the row is missing or has a wrong seal, change nothing and return False."""
        names = [name for name, _ in columns_of(table)]
        row = self._connection.execute(f"SELECT * FROM {table} WHERE {names[0]} = ?", (number,)).fetchone()
        if row is None or not self.seals.fits(table, tuple(row)):
            return False
        values = _as_stored(table, [changes.get(name, row[name]) for name in names[:-1]])
        seal = self.seals.of(table, values)
        new = {**{name: value for name, value in zip(names, values, strict=False) if name in changes}, "seal": seal}
        setting = ", ".join(f"{name} = ?" for name in new)
        self._connection.execute(f"UPDATE {table} SET {setting} WHERE {names[0]} = ?", (*new.values(), number))
        if table in SEALED:
            self._add(table, 0, seal - row["seal"])
        return True

    def rows(self, table: str) -> int:
        """How many rows a table has."""
        (count,) = self._connection.execute(f"SELECT {table} FROM totals").fetchone()
        return int(count)

    def _add(self, table: str, rows: int, seals: int) -> None:
        """Add to the totals of a table."""
        self._connection.execute(
            f"UPDATE totals SET {table} = {table} + ?, {table}_sum = ({table}_sum + ?) & {_ALL}", (rows, seals & _ALL)
        )


def _as_stored(table: str, values: Sequence[object]) -> tuple[object, ...]:
    """Values as SQLite will return them: a REAL column returns floats only."""
    return tuple(
        float(value) if fractions and isinstance(value, int | float) else value
        for value, (_, fractions) in zip(values, columns_of(table), strict=False)
    )
