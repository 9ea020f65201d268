"""Runs for tests: a small one that is quickly done, and changes to files, as accidents and other programs make them."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.core.cover.searchable import Searchable
from latcover.core.solving.run import run
from latcover.lab.runs.control import begin
from latcover.lab.runs.recipe import REQUESTS, Recipe, StoredFile, Task, stored_file
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.seals import SEALED, Seals, Total

DOMINOES = b"""
name = "dominoes"
lattice = "square"
region = { box = [5, 4] }
parts = [{ name = "d", box = [1, 2], count = 10 }]
"""
DIFFERENT, TOTAL = 33, 95  # solutions of it
SAME = ("different", "total", "covers", "branches", "dead_ends", "branches_by_level", "digest", "complete", "stop")


def dominoes(task: Task = "solve", backend: str = "dlx") -> Recipe:
    """What a run of ten dominoes is of; its covers are judged, and many of them dropped."""
    return Recipe(REQUESTS[task](backend=backend), "dominoes", StoredFile("dominoes.toml", DOMINOES, ""))


def recipe_of(name: str, task: Task = "solve", backend: str = "dlx", **options: object) -> Recipe:
    """What a run of a shipped puzzle or of a file is of."""
    return Recipe(REQUESTS[task](backend=backend, options=options), Path(name).stem, stored_file(name))


def begun(path: Path, recipe: Recipe, limit: int | None = None) -> Searchable[Any]:
    """Begin a run in a file; what is searched."""
    prepared = recipe.prepared()
    begin(path, recipe, prepared, Limits(limit))
    return prepared


def in_one_go(recipe: Recipe, prepared: Searchable[Any] | None = None) -> SearchResult:
    """The answer of a search without a file."""
    return run(recipe.prepared() if prepared is None else prepared, recipe.solver())


def figures(answer: SearchResult, names: tuple[str, ...] = SAME) -> dict[str, Any]:
    """The figures of an answer that are the same however a run was cut up."""
    return {name: getattr(answer, name) for name in names}


def require_whole(path: Path, number: int) -> None:
    """Every solution stands in the file, once, and they are numbered without a gap."""
    with RunFile(path) as file:
        rows = [(row["number"], row["choices"]) for row in file.rows("SELECT number, choices FROM solutions")]
    assert sorted(n for n, _ in rows) == list(range(1, number + 1))
    assert len({choices for _, choices in rows}) == number


def spoil(path: Path, statement: str) -> None:
    """Change a file of a run by SQL, whatever its tables forbid."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute("PRAGMA writable_schema = ON")
    connection.executescript(statement)
    connection.close()


def reseal(path: Path) -> None:
    """Give all rows right seals, and the tables right totals, as somebody can who knows how they are made."""
    connection = sqlite3.connect(path, isolation_level=None)
    (key,) = connection.execute("SELECT key FROM run").fetchone() or ("",)
    seals = Seals(key)
    for table in (*SEALED, "run"):
        total = Total()
        for number, *values, _ in connection.execute(f"SELECT * FROM {table}").fetchall():
            seal = seals.of(table, (number, *values))
            connection.execute(f"UPDATE {table} SET seal = ? WHERE rowid = ?", (seal, number))
            total = total.plus([seal])
        if table in SEALED:
            connection.execute(f"UPDATE totals SET {table} = ?, {table}_sum = ?", (total.rows, total.sum))
    connection.close()


def change_at_random(path: Path, chance: random.Random) -> str:
    """Delete, double or alter one row of a file of a run; what was done, in words."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        return _changed_at_random(connection, chance)
    finally:
        connection.close()


def _changed_at_random(connection: sqlite3.Connection, chance: random.Random) -> str:
    tables = ["jobs", "jobs", "jobs", "solutions", "solutions", "placements", "totals", "run", "sessions"]
    rows = []
    while not rows:  # a count has no solutions
        table = chance.choice(tables)
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    row = chance.choice(rows)
    what = chance.choice(["delete", "double", "alter", "alter", "alter", "alter"])
    if what == "delete":
        connection.execute(f"DELETE FROM {table} WHERE {names[0]} = ?", row[:1])
        return f"{table} {row[0]} deleted"
    if what == "double":
        number = max(number for number, *_ in rows) + 1
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", (number, *row[1:]))
        return f"{table} {row[0]} doubled"
    column = chance.randrange(len(names))
    value = _another(row[column], [other[column] for other in rows], chance)
    with suppress(sqlite3.IntegrityError):  # a number that is taken, or nothing where something must be
        connection.execute(f"UPDATE {table} SET {names[column]} = ? WHERE {names[0]} = ?", (value, row[0]))
    return f"{table} {row[0]}: {names[column]} {row[column]!r:.60} became {value!r:.60}"


def _another(value: Any, others: Sequence[Any], chance: random.Random) -> Any:
    """Another value, near by or of another row."""
    ways: list[Any] = [chance.choice(others), None, 0, chance.randrange(1 << 40)]
    if isinstance(value, int | float):
        ways += [value + 1, value - 1, value * 2, -value]
    if isinstance(value, str):
        ways += [value[:-1], value + " ", value.replace("1", "2"), "[]", "done", "pending", "cut", ""]
    return chance.choice(ways)


def flip_at_random(path: Path, chance: random.Random) -> str:
    """Change one byte of a file; what was done, in words."""
    content = bytearray(path.read_bytes())
    place, bits = chance.randrange(len(content)), chance.choice([1 << chance.randrange(8), chance.randrange(1, 256)])
    content[place] ^= bits
    path.write_bytes(content)
    return f"byte {place} became {content[place]}"
