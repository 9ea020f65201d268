"""Changing what stands inside gzip files, archives of NumPy and SQLite databases, and wrapping it up again."""

from __future__ import annotations

import gzip
import io
import json
import re
import sqlite3
import warnings
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from random import Random
from typing import Any

import numpy as np

from tests.file_fuzzing.mutations import NUMBERS, RAW, changed
from tests.file_fuzzing.trees import Pool

Parts = dict[str, bytes]  # the members of an archive
DTYPES = ("<i4", "<i8", ">i4", "<u8", "<u1", "<f8", "<f4", "|b1", "<U4", "<U40", "|S4", "<c16", "<M8[s]", "|O", "<i2")
EXTREMES = (0, 1, -1, 2, 100, (1 << 31) - 1, -(1 << 31), (1 << 63) - 1, -(1 << 63), 1 << 40)


def packed(random: Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """A gzip file of a text: changed inside, or outside, or cut in several members."""
    kind = random.randrange(5)
    if kind > 1:
        return gzip.compress(changed(random, text, others), 1, mtime=0)
    if kind == 0:
        at = random.randint(0, len(text))
        whole = gzip.compress(text[:at], 1, mtime=0) + gzip.compress(text[at:], 1, mtime=0)
        return whole if random.random() < 0.3 else changed(random, whole, [whole], RAW)
    whole = gzip.compress(text, 1, mtime=0)
    return changed(random, whole, [whole], RAW)


def unzipped(content: bytes) -> Parts:
    """The members of an archive by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rezipped(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """An archive of NumPy: arrays changed, or their headers, or members; or its bytes as they are."""
    if random.random() < 0.15:
        return changed(random, content, others, RAW)
    members = list(unzipped(content).items())
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        k = random.randrange(len(members))
        name, data = members[k]
        kind = random.randrange(12)
        if kind == 0:
            del members[k]
        elif kind == 1:
            members.append((name, data))
        elif kind == 2:
            members[k] = random.choice([*members, ("low.npy", b""), ("items.npy", b""), ("x.npy", b"")])[0], data
        elif kind == 3:
            members[k] = name, random.choice(members)[1]
        elif kind == 4:
            members[k] = name, changed(random, data, [d for _, d in members], RAW)
        elif kind < 7:
            members[k] = name, _with_header(random, data)
        else:
            members[k] = name, _with_values(random, data)
        if not members:
            break
    return _zipped(random, members)


def _zipped(random: Random, members: Sequence[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method, compresslevel=1) as archive:
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return made.getvalue()


def _with_header(random: Random, data: bytes) -> bytes:
    """An array's header with something else in it, its length as it then is."""
    length = int.from_bytes(data[8:10], "little")
    header = data[10 : 10 + length].rstrip()
    kind = random.randrange(4)
    if kind == 0:
        dtype = random.choice(DTYPES)
        header = re.sub(rb"('descr': )'[^']*'", rb"\1" + repr(dtype).encode(), header)
    elif kind == 1:
        shape = random.choice((b"()", b"(0,)", b"(1,)", b"(2, 2)", b"(-1,)", b"(%s,)" % random.choice(NUMBERS)))
        header = header.split(b"'shape': ")[0] + b"'shape': " + shape + b", }"
    else:
        header = changed(random, header, [header])
    header += b"\n"
    version = b"\x01\x00" if random.random() < 0.9 else random.choice((b"\x02\x00", b"\x03\x00", b"\x09\x09"))
    sizes = len(header).to_bytes(2 if version == b"\x01\x00" else 4, "little")
    return data[:6] + version + sizes + header + data[10 + length :]


def _with_values(random: Random, data: bytes) -> bytes:
    """An array with other values, of another type, of another length."""
    try:
        array = np.array(np.load(io.BytesIO(data), allow_pickle=False))
        strings = [str(word) for word in np.atleast_1d(array)] if array.dtype.kind == "U" else ["csr"] * array.size
    except Exception:  # NumPy lets errors of many kinds through
        return data
    if array.ndim > 1:
        return data
    kind = random.randrange(6)
    if array.dtype.kind in "US":
        words = ("", " ", "a", "a:b", "!1", "\ud800", "\x00", "é", "csc", "x" * 30)
        if strings and kind < 4:
            strings[random.randrange(len(strings))] = random.choice((*words, *strings))
        array = np.array(strings[: random.randint(0, len(strings))] if kind == 4 else strings, dtype=np.str_)
        array = array[0] if array.shape == (1,) and kind < 5 else array
    elif array.ndim == 0:
        array = np.array(random.choice(EXTREMES), dtype=np.int64)
    elif kind == 0:
        array = array[: random.randint(0, len(array))]
    elif kind == 1:
        array = np.concatenate([array, array[: random.randint(0, len(array))]])
    elif kind == 2:
        array = array.astype(random.choice(("<i8", "<u4", "<i2", "<f8", ">i8", "|u1")))
    elif len(array):
        array = array.astype(np.int64)
        for _ in range(random.choice((1, 1, 2))):
            k = random.randrange(len(array))
            near = max(min(int(array[k]) + random.choice((-1, 1)), EXTREMES[7]), EXTREMES[8])
            array[k] = random.choice((near, near, near, int(random.choice(array)), random.choice(EXTREMES)))
    made = io.BytesIO()
    np.save(made, array, allow_pickle=False)
    return made.getvalue()


# Databases. What stands in cells is changed as text, as JSON and as values of another type.

CELLS: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2, (1 << 31), (1 << 63) - 1, -(1 << 63), 0.5, -1.0, 1e308, float("inf"), "", " ", "x", "0", "1"),
    *("[]", "[0]", "[[]]", "[0, 0]", "[[0, 0]]", "{}", "null", "nan", "1e999", "[1e999]", "[-1]", "[99999999999]"),
    *('"a"', "[null]", "[true]", "[" * 3000, "pending", "cut", "done", "solve", "count", "auto", "dlx", "no such"),
    *("none", "all", "x.toml", "x.json", "x", "..", ".", "", "a\x00b", "\ud7ff", "é", b"", b"\xff", b"\x00" * 9),
    *('{"a": 1}', "[[0]]", "[1, 2, 3]", "9" * 5000, "[" + "9" * 5000 + "]", 3e9, 1 << 40, "[0,1,2,3,4,5,6,7]"),
)
SCHEMA = (
    *("DROP TABLE {t}", "DROP VIEW progress", "DROP INDEX pending_jobs", "DELETE FROM {t}", "DELETE FROM {t} LIMIT 1"),
    *("ALTER TABLE {t} RENAME TO other", "ALTER TABLE {t} RENAME COLUMN {c} TO other", "ALTER TABLE {t} DROP {c}"),
    *(
        "ALTER TABLE {t} ADD more",
        "INSERT INTO {t} SELECT * FROM {t}",
        "CREATE TABLE more (a)",
        "CREATE VIEW w AS SELECT 1",
    ),
    *("PRAGMA user_version = {n}", "PRAGMA application_id = {n}", "PRAGMA journal_mode = WAL", "VACUUM"),
    *("CREATE TRIGGER g AFTER UPDATE ON {t} BEGIN DELETE FROM {t}; END", "DROP TABLE {t}; CREATE TABLE {t} (a, b)"),
    *("DROP TABLE {t}; CREATE VIEW {t} AS SELECT 1 AS id", "INSERT INTO {t} DEFAULT VALUES"),
    "CREATE TRIGGER g AFTER INSERT ON {t} BEGIN SELECT raise(ABORT, 'no'); END",
    "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = '{t}'",
    "UPDATE sqlite_schema SET rootpage = {n} WHERE name = '{t}'",
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE {t} (a' WHERE name = '{t}'",
)


def rewritten(pool: Pool, texts: Sequence[bytes]) -> Callable[[Random, bytes, Sequence[bytes]], bytes]:
    """A change of a database: rows and tables by SQL, or its bytes as they are.

    Args:
        pool: What to make of JSON in it.
        texts: Puzzle files that the file of a run may hold.
    """

    def change(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
        if random.random() < 0.25:
            return changed(random, content, others, RAW)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
            database.deserialize(content)
            for pragma in ("ignore_check_constraints = ON", "writable_schema = ON", "foreign_keys = OFF"):
                database.execute(f"PRAGMA {pragma}")
            for _ in range(random.choice((1, 1, 1, 2, 3))):
                try:
                    _rewrite(random, database, pool, texts)
                except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, RecursionError):
                    continue
            return database.serialize()

    return change


def _rewrite(random: Random, database: sqlite3.Connection, pool: Pool, texts: Sequence[bytes]) -> None:
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    table = random.choice([*tables, "run"])
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    if not columns:
        return
    column = random.choice(columns)
    if random.random() < 0.2:
        statement = random.choice(SCHEMA).format(t=table, c=column, n=random.choice((0, 1, 2, 9, -1, 1 << 31)))
        database.executescript(statement)
        return
    rows = database.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
    if not rows:
        return
    row, value = random.choice(rows)
    kind = random.randrange(4)
    made: Any = random.choice(CELLS)
    if kind == 1 and value is not None:
        raw = value if isinstance(value, bytes) else str(value).encode()
        made = changed(random, raw, texts).decode("utf-8", "replace")
    elif kind == 2 and isinstance(value, str) and value[:1] in ("[", "{"):
        made = Pool.of([json.loads(value)], pool.odd, json.dumps).changed(random).decode("utf-8", "replace")
    elif kind == 3:
        made = random.choice(rows)[1] if random.random() < 0.7 else random.choice(texts).decode("utf-8", "replace")
    which = "" if random.random() < 0.2 else " WHERE rowid = ?"
    database.execute(f"UPDATE {table} SET {column} = ?{which}", (made, row) if which else (made,))
