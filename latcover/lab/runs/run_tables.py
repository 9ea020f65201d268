"""The tables of a run's file, which run.sql defines: their columns and the types of their values."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from importlib.resources import files
from typing import Any

APPLICATION = 0x6C617463  # "latc"
VERSION = 4  # 1 had no seals, 2 no assemblies, 3 no question
MOST = 1 << 62  # the largest number
NAMES = ("run", "jobs", "solutions", "placements", "assemblies", "totals", "sessions")
# SQLite accepts values of any type in any column; latcover writes these only. A column without a type is text or bytes.
_WRITTEN = {"INTEGER": "'integer'", "REAL": "'integer', 'real'", "TEXT": "'text'", "": "'text', 'blob'"}


@cache
def columns_of(table: str) -> tuple[tuple[str, bool], ...]:
    """The name of each column of a table, in order, and whether it holds floats."""
    return tuple((name, kind == "REAL") for _, name, kind, *_ in _columns(table))


@cache
def types_of(table: str) -> dict[str, str]:
    """The SQL types that values of each column may have, without the first column."""
    return {
        name: _WRITTEN[kind] + ("" if not_null else ", 'null'") for _, name, kind, not_null, *_ in _columns(table)[1:]
    }


def _columns(table: str) -> list[tuple[Any, ...]]:
    with closing(_new_database()) as connection:
        return connection.execute(f"PRAGMA table_info({table})").fetchall()


def _new_database() -> sqlite3.Connection:
    """A database in memory with the tables of a new run."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create_tables(connection)
    return connection


def layout(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    """The tables, indices, views and triggers of a database, as SQLite stores them, without its own."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name"
    return [tuple(row) for row in connection.execute(query)]


@cache
def layout_of_new_files() -> list[tuple[str, ...]]:
    with closing(_new_database()) as connection:
        return layout(connection)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new run, within the transaction that is open."""
    execute_file(connection, "run.sql")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def execute_file(connection: sqlite3.Connection, name: str) -> None:
    """Execute the statements of an SQL file of this folder, within the transaction that is open."""
    for statement in files(__package__).joinpath(name).read_text(encoding="utf-8").split(";\n"):
        connection.execute(statement)
