"""The tables of a run's file, and opening one: what is no run, or is damaged, is refused with the reason.

The file is in write-ahead mode: it can be read while it is written, and whatever kills the writer leaves the last
transaction that was ended. `synchronous` is NORMAL: after a loss of power the last transactions may be gone, all of
each or none, and their jobs are then done again, which costs seconds; FULL would wait for the disk at every one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

from latcover.errors import RunFileError

APPLICATION = 0x6C617463  # "latc"
VERSION = 1
PATIENCE = 10.0  # seconds, for another process to end a transaction

TABLES = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    latcover TEXT NOT NULL,      -- the version that made the file
    created TEXT NOT NULL,
    task TEXT NOT NULL CHECK (task IN ('solve', 'count')),
    puzzle TEXT NOT NULL,
    source_name TEXT NOT NULL,
    source NOT NULL,             -- the puzzle's file: text, or bytes
    source_folder TEXT NOT NULL,
    choices TEXT NOT NULL,       -- how it became a cover problem, as JSON
    bounds TEXT NOT NULL,
    backend TEXT NOT NULL,
    options TEXT NOT NULL,
    most_solutions INTEGER,      -- where the run ends before all are found
    digest TEXT NOT NULL,        -- of the cover problem
    n_choices INTEGER NOT NULL,  -- placements in all (options, of a bare problem)
    searched_by TEXT,            -- the backend that "auto" picked
    notes TEXT NOT NULL DEFAULT '[]',
    answer TEXT                  -- when all is done, as JSON
);
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES jobs (id),
    chosen TEXT NOT NULL,        -- options that all its covers hold, as JSON
    left_out TEXT NOT NULL,      -- pairs [item, option]: options of the item below the option are not taken
    state TEXT NOT NULL CHECK (state IN ('pending', 'cut', 'done')),
    share REAL NOT NULL,         -- of the whole tree; of a job that was cut what did not go to its pieces
    expected REAL,               -- seconds, as far as known before
    different INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    covers INTEGER NOT NULL DEFAULT 0,
    branches INTEGER DEFAULT 0,
    dead_ends INTEGER DEFAULT 0,
    branches_by_level TEXT NOT NULL DEFAULT '[]',
    digest TEXT NOT NULL DEFAULT '0000000000000000',
    search_seconds REAL NOT NULL DEFAULT 0,
    check_seconds REAL NOT NULL DEFAULT 0
);
CREATE INDEX pending_jobs ON jobs (parent, id) WHERE state = 'pending';
CREATE TABLE solutions (
    number INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs (id),  -- that is done, or was ended before its time
    orbit INTEGER NOT NULL,      -- how many covers it stands for
    choices TEXT NOT NULL        -- numbers of placements (of options, in a bare problem), ascending, as JSON
);
CREATE INDEX solutions_of_jobs ON solutions (job);
CREATE TABLE placements (        -- those that solutions hold
    number INTEGER PRIMARY KEY,
    described TEXT NOT NULL      -- as JSON
);
CREATE TABLE sessions (          -- each time that a process worked on the run
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_started TEXT NOT NULL,
    began TEXT NOT NULL,
    heartbeat REAL NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    threads INTEGER NOT NULL,
    ended TEXT                   -- why; NULL while it works, or died
);
CREATE VIEW solutions_as_json AS
    SELECT number, job, orbit, json_object('number', number, 'orbit', orbit, 'placements', (
        SELECT json_group_array(json(described))
        FROM json_each(solutions.choices) JOIN placements ON placements.number = json_each.value
    )) AS solution FROM solutions;
CREATE VIEW progress AS
    SELECT sum(share) FILTER (WHERE state <> 'pending') AS share, count(*) FILTER (WHERE state = 'done') AS jobs_done,
        count(*) FILTER (WHERE state = 'pending') AS jobs_pending,
        max(sum(different), (SELECT count(*) FROM solutions)) AS different
    FROM jobs;
"""

MOST = 1 << 62  # of a number
# What SQLite lets stand in a column of any type, but no writer of ours puts there.
_WHOLE, _NUMBER, _TEXT = "'integer'", "'integer', 'real'", "'text'"
TYPES = {
    "run": {
        **dict.fromkeys(("latcover", "created", "task", "puzzle", "source_name", "source_folder", "choices"), _TEXT),
        **dict.fromkeys(("bounds", "backend", "options", "digest", "notes"), _TEXT),
        **dict.fromkeys(("searched_by", "answer"), "'text', 'null'"),
        "source": "'text', 'blob'",
        "most_solutions": "'integer', 'null'",
        "n_choices": _WHOLE,
    },
    "jobs": {
        **dict.fromkeys(("chosen", "left_out", "state", "branches_by_level", "digest"), _TEXT),
        **dict.fromkeys(("different", "total", "covers"), _WHOLE),
        **dict.fromkeys(("parent", "branches", "dead_ends"), "'integer', 'null'"),
        **dict.fromkeys(("share", "search_seconds", "check_seconds"), _NUMBER),
        "expected": f"{_NUMBER}, 'null'",
    },
    "solutions": {"job": _WHOLE, "orbit": _WHOLE, "choices": _TEXT},
    "placements": {"described": _TEXT},
    "sessions": {
        **dict.fromkeys(("host", "process_started", "began"), _TEXT),
        **dict.fromkeys(("pid", "threads"), _WHOLE),
        **dict.fromkeys(("heartbeat", "seconds"), _NUMBER),
        "ended": "'text', 'null'",
    },
}


@contextmanager
def explaining_errors(path: Path, going_on: str = "") -> Iterator[None]:
    """Turn what SQLite says into a RunFileError that names the file; *going_on* is what to do afterwards."""
    try:
        yield
    except sqlite3.Error as problem:
        raise RunFileError(f"{path}: {_in_words(problem)}{going_on}") from None
    except UnicodeDecodeError:  # in what SQLite says of a damaged table
        raise damaged(path, "its tables are not those of a run") from None


def _in_words(problem: sqlite3.Error) -> str:
    code = getattr(problem, "sqlite_errorcode", None) or 0
    words = {
        sqlite3.SQLITE_FULL: "the disk is full, or the file may not grow; make room",
        sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only; change that, or copy it",
        sqlite3.SQLITE_NOTADB: "is no file of a run",
        sqlite3.SQLITE_CORRUPT: "is damaged; `sqlite3 FILE .recover` may save what it holds, but a run must begin anew",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened; is its folder there, and may you write into it?",
        sqlite3.SQLITE_BUSY: "another program holds it for long; end that one",
        sqlite3.SQLITE_LOCKED: "another program holds it for long; end that one",
        sqlite3.SQLITE_IOERR: "cannot be read or written: the disk failed, is full, or the file may not grow",
    }
    return words.get(code & 0xFF, f"cannot be used: {problem}")


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a file that exists; nothing is looked at yet.

    Raises:
        RunFileError: there is none, or it cannot be opened.
    """
    if not path.is_file():
        what = "is no regular file" if path.exists() else "there is no such file; `latcover solve --run FILE` makes one"
        raise RunFileError(f"{path}: {what}")
    if write:
        try:
            with path.open("r+b"):  # SQLite would open it for reading instead
                pass
        except OSError as problem:
            raise RunFileError(f"{path}: cannot be written: {problem.strerror}") from None
    address = f"file:{quote(str(path.resolve()))}"
    with explaining_errors(path):
        if write:
            return _settled(sqlite3.connect(f"{address}?mode=rw", PATIENCE, isolation_level=None, uri=True))
        return _for_reading(path, address)


def _settled(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _for_reading(path: Path, address: str) -> sqlite3.Connection:
    """Reading alone needs no right to write; but who may write tidies up the files beside it that SQLite makes."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        connection = sqlite3.connect(f"{address}?mode=rw", PATIENCE, isolation_level=None, uri=True)
        connection.execute("PRAGMA query_only = ON")
        return _settled(connection)
    connection = sqlite3.connect(f"{address}?mode=ro", PATIENCE, isolation_level=None, uri=True)
    try:
        is_empty(_settled(connection))
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise
        connection = _settled(sqlite3.connect(f"{address}?immutable=1", PATIENCE, isolation_level=None, uri=True))
    return connection


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file holds nothing at all, as one whose making was cut off."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def require_run(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no sound file of a run.

    Raises:
        RunFileError: it is empty, another program's, of another version, or damaged.
    """
    with explaining_errors(path):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if is_empty(connection):
            raise RunFileError(
                f"{path}: holds no run: its making was cut off; start it again with --run, as in `latcover solve "
                f"PUZZLE --run {path}`"
            )
        if application != APPLICATION:
            raise RunFileError(f"{path}: is a database, but of another program")
        if version != VERSION:
            raise RunFileError(
                f"{path}: is of version {version} of such files, and this latcover knows version {VERSION}; "
                "go on with the latcover that made it"
            )
        (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise damaged(path, str(sound).splitlines()[-1])  # below a title, "*** in database main ***"
        if _layout(connection) != _layout_of_new_files():
            raise damaged(path, "its tables are not those of a run")
        for table, columns in TYPES.items():
            wrong = " OR ".join(
                f"typeof({name}) NOT IN ({kinds})"
                + (f" OR {name} NOT BETWEEN 0 AND {MOST}" if "'integer'" in kinds else "")
                for name, kinds in columns.items()
            )
            row = connection.execute(f"SELECT rowid FROM {table} WHERE {wrong} LIMIT 1").fetchone()
            if row is not None:
                raise damaged(path, f"row {row[0]} of the table {table!r} holds what does not belong there")


def damaged(path: Path, what: str) -> RunFileError:
    """The error of a file whose content cannot be right."""
    return RunFileError(f"{path}: is damaged: {what}; a run must begin anew in another file")


def _layout(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    """What tables, indices, views and triggers there are, as SQLite keeps them; but not what its own commands add."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name"
    return [tuple(row) for row in connection.execute(query)]


@cache
def _layout_of_new_files() -> list[tuple[str, ...]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        create_tables(connection)
        return _layout(connection)
    finally:
        connection.close()


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new run, within the transaction that is open."""
    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
