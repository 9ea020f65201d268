"""Open the file of a run. A file that holds no run, or is damaged, is refused with the reason.

SQLite writes the file in its write-ahead mode. So the file can be read while it is written, and all finished
transactions are kept if the writer is killed. `synchronous` is NORMAL: a power failure may undo the last transactions.
The jobs in them are then searched again, which takes seconds. FULL would wait for the disk at each transaction.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from latcover.errors import DamagedRunError, RunFileError
from latcover.lab.runs.run_tables import APPLICATION, MOST, NAMES, VERSION, layout, layout_of_new_files, types_of

BESIDE = ("-wal", "-shm", "-journal")  # what SQLite adds to the name of a file for those of its own
PATIENCE = 10.0  # seconds, for another process to end a transaction


@contextmanager
def explaining_errors(path: Path, going_on: str = "") -> Iterator[None]:
    """Turn errors of SQLite into a RunFileError that names the file; *going_on* says how to continue."""
    try:
        yield
    except sqlite3.Error as problem:
        if _tells_of_damage(problem):
            raise damaged(path, str(problem)) from None
        raise RunFileError(f"{path}: {_in_words(problem)}{going_on}") from None
    except UnicodeDecodeError:  # in SQLite's message about a damaged table
        raise damaged(path, "its tables are not those of a run") from None


def _tells_of_damage(problem: sqlite3.Error) -> bool:
    code = getattr(problem, "sqlite_errorcode", None)
    return str(problem).startswith("Could not decode") if code is None else code & 0xFF == sqlite3.SQLITE_CORRUPT


def _in_words(problem: sqlite3.Error) -> str:
    code = getattr(problem, "sqlite_errorcode", None) or 0
    words = {
        sqlite3.SQLITE_FULL: "the disk is full, or the file may not grow; make room",
        sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only; change that, or copy it",
        sqlite3.SQLITE_NOTADB: "is not a file of a run; to begin one, give --run a name that no file has",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened; is its folder there, and may you write into it?",
        sqlite3.SQLITE_BUSY: "another program holds it for long; end that one",
        sqlite3.SQLITE_LOCKED: "another program holds it for long; end that one",
        sqlite3.SQLITE_IOERR: "cannot be read or written: the disk failed, is full, or the file may not grow",
    }
    return words.get(code & 0xFF, f"cannot be used: {problem}")


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a file that exists. Its content is not checked yet.

    Raises:
        RunFileError: the file does not exist, or cannot be opened.
    """
    if not path.is_file():
        what = (
            "is not a regular file" if path.exists() else "there is no such file; `latcover solve --run FILE` makes one"
        )
        raise RunFileError(f"{path}: {what}")
    for beside in (path.with_name(f"{path.name}{suffix}") for suffix in BESIDE):
        if beside.exists() and not beside.is_file():
            raise RunFileError(f"{beside}: is not a regular file, and SQLite would read it with {path}; move it away")
    if write:
        try:
            with path.open("r+b"):  # SQLite would open it for reading instead
                pass
        except OSError as problem:
            raise RunFileError(f"{path}: cannot be written: {problem.strerror}") from None
    address = path.resolve().as_uri()
    with explaining_errors(path):
        if write:
            return _settled(_connect(f"{address}?mode=rw"))
        return _for_reading(path, address)


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)


def _settled(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _for_reading(path: Path, address: str) -> sqlite3.Connection:
    """Open for reading. With permission to write, SQLite can remove its own files beside this one."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        connection = _connect(f"{address}?mode=rw")
        connection.execute("PRAGMA query_only = ON")
        return _settled(connection)
    connection = _connect(f"{address}?mode=ro")
    try:
        is_empty(_settled(connection))
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise
        connection = _settled(_connect(f"{address}?immutable=1"))
    return connection


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file is empty, as when the process that made it was killed at once."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def require_run(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that holds no run of this version. The rows are not checked yet.

    Raises:
        RunFileError: it is empty, another program's, of another version, or its tables are not those of a run.
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
            raise _of_another_version(connection, path, version)
        if layout(connection) != layout_of_new_files():
            raise damaged(path, "its tables are not those of a run")


def _of_another_version(connection: sqlite3.Connection, path: Path, version: int) -> RunFileError:
    """The error of a file that another latcover made."""
    made_by = ""
    with suppress(sqlite3.Error, TypeError):
        (name,) = connection.execute("SELECT latcover FROM run").fetchone()
        made_by = f", made by latcover {name}"
    return RunFileError(
        f"{path}: is of version {version} of such files{made_by}, and this latcover reads version {VERSION} only; use "
        "the latcover that made it, or start again in another file"
    )


def require_intact_rows(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file in which SQLite finds a fault, or a row has a value of a wrong type.

    Raises:
        RunFileError: there is such a fault or value.
    """
    with explaining_errors(path):
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damaged(path, str(verdict).splitlines()[-1])  # below a title, "*** in database main ***"
    for table in NAMES:
        require_types(connection, path, table)


def require_types(connection: sqlite3.Connection, path: Path, table: str) -> None:
    """Refuse a table with a value of a wrong type, or a number out of range.

    Raises:
        RunFileError: there is such a value.
    """
    wrong = " OR ".join(
        f"typeof({name}) NOT IN ({kinds})" + (f" OR {name} NOT BETWEEN 0 AND {MOST}" if "'integer'" in kinds else "")
        for name, kinds in types_of(table).items()
    )
    with explaining_errors(path):
        row = connection.execute(f"SELECT rowid FROM {table} WHERE {wrong} LIMIT 1").fetchone()
    if row is not None:
        raise damaged(path, f"row {row[0]} of the table {table!r} holds what does not belong there")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(Exception):
                connection.execute("ROLLBACK")
        raise


def damaged(path: Path, what: str) -> DamagedRunError:
    """The error of a damaged file."""
    return DamagedRunError(
        f"{path}: is damaged: {what}; start the run again in another file, or resume from an intact copy of this one"
    )
