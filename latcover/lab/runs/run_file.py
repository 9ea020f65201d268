"""Make the file of a run, and read its recipe, figures and solutions."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from latcover.core.cover.fingerprint import Fingerprint, added
from latcover.core.cover.problem import Ints
from latcover.core.cover.question import Question, this_version
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.subproblem import Job
from latcover.errors import RunFileError
from latcover.lab.runs.opening import (
    connect,
    damaged,
    explaining_errors,
    is_empty,
    require_run,
    require_types,
    transaction,
)
from latcover.lab.runs.recipe import Recipe
from latcover.lab.runs.run_tables import columns_of, create_tables
from latcover.lab.runs.seals import SEALED, SealedTables, Seals, Total, totals_in
from latcover.lab.runs.stored_values import Chosen, Levels, Pairs, choices_of_solutions, digest, parsed, refusing_damage

AT_ONCE = 10_000  # rows read at once
NOTHING_FOUND: dict[str, object] = {  # the columns of a job that tell what it found
    **dict.fromkeys(("different", "total", "covers", "branches", "dead_ends"), 0),
    "branches_by_level": "[]",
    "digest": "0" * 16,
    "search_seconds": 0.0,
    "check_seconds": 0.0,
}


class PendingJob(Struct, frozen=True):
    """A job to do.

    Attributes:
        share: The part of the whole search that it is.
        expected: How many seconds it may take, as far as known.
        different: How many solutions a count found in it before it was interrupted.
    """

    id: int
    job: Job
    share: float
    expected: float | None = None
    different: int = 0


class StoredSolution(Struct, frozen=True):
    """A solution of a run: its number, how many covers it stands for, and its choices, ascending."""

    number: int
    orbit: int
    choices: Ints


class RunFigures(Struct, frozen=True):
    """What all jobs of a run have found together, how many are done and pending, and the share of the tree searched."""

    result: SearchResult
    jobs: int
    pending: int
    share: float


class RunFile:
    """The open file of a run, for a `with` statement.

    Opening checks the row of the run; `latcover.lab.runs.audit.audit` checks all others.

    Attributes:
        recipe: What the run searches.
        question: What its answer depends on.
        apart: What the stored ways in which solutions come apart depend on; None if there are none.
        n_choices: The number of placements, or of options of a bare problem.
        notes: Notes about the backend for the user, as of the time of opening.
        most_solutions: The run ends after so many solutions; None is no limit.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Open a file.

        Raises:
            RunFileError: it is not a file of a run, see `latcover.lab.runs.opening.require_run`, or its row of the run
                is damaged.
        """
        self.path = path
        self.connection = connect(path, write=write)
        try:
            require_run(self.connection, path)
            require_types(self.connection, path, "run")
            with explaining_errors(path):
                row = self.connection.execute("SELECT * FROM run").fetchone()
            if row is None:
                raise damaged(path, "it does not say what it is a run of")
            self.row: dict[str, Any] = dict(row)
            self.seals = Seals(str(row["key"]))
            if not self.seals.fits("run", tuple(row)):
                raise damaged(path, "what it says of the run was changed")
            with refusing_damage(path):
                self.recipe = Recipe.from_row(self.row)
                self.notes = parsed(self.row["notes"], tuple[str, ...])
                self.question = parsed(self.row["question"], Question)
                self.apart = None if self.row["apart"] is None else parsed(self.row["apart"], Question)
            self.n_choices: int = self.row["n_choices"]
            if self.n_choices > self.recipe.bounds.placements:
                raise damaged(path, f"{self.n_choices:,} choices are beyond its own bounds")
        except BaseException:
            self.connection.close()
            raise
        self.most_solutions: int | None = row["most_solutions"]

    def __enter__(self) -> RunFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Results are safe before that."""
        with suppress(sqlite3.Error):  # as on a full disk; whoever opens it next tidies up
            self.connection.close()

    def rows(self, query: str, *values: object) -> Iterator[sqlite3.Row]:
        """The rows of a query, one by one."""
        with explaining_errors(self.path):
            for row in self.connection.execute(query, values):  # noqa: UP028 - which would close a closed cursor
                yield row

    def pages(self, query: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, some thousand at once, as plain tuples."""
        with explaining_errors(self.path):
            cursor = self.connection.execute(query)
            cursor.row_factory = None
            while page := cursor.fetchmany(AT_ONCE):
                yield page

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state of the run, whatever another process writes meanwhile."""
        if self.connection.in_transaction:  # which shows one state already
            yield
            return
        with explaining_errors(self.path):
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    def totals(self) -> dict[str, Total]:
        """The stored number of rows of each table, and the sum of their seals."""
        with explaining_errors(self.path):
            return totals_in(self.connection)

    def pending(self) -> list[PendingJob]:
        """The jobs to do, in their order: first the pieces of the job that was cut last."""
        query = (
            "SELECT id, chosen, left_out, share, expected, different FROM jobs WHERE state = 'pending' "
            "ORDER BY parent DESC, id"
        )
        with refusing_damage(self.path):
            return [
                PendingJob(row["id"], _job(row), row["share"], row["expected"], row["different"])
                for row in self.rows(query)
            ]

    def has_pending(self) -> bool:
        """Whether a job is left to do."""
        (row,) = self.rows("SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'pending') AS found")
        return bool(row["found"])

    def figures(self) -> RunFigures:
        """The figures so far."""
        (row,) = self.rows(
            "SELECT sum(different) AS different, sum(covers) AS covers, sum(branches) AS branches, "
            "sum(dead_ends) AS dead_ends, sum(search_seconds) AS search, sum(check_seconds) AS checking, "
            "count(*) FILTER (WHERE state = 'done') AS jobs, count(*) FILTER (WHERE state = 'pending') AS pending, "
            "sum(share) FILTER (WHERE state <> 'pending') AS share, "
            "count(*) FILTER (WHERE branches IS NULL) AS untold FROM jobs"
        )
        if row["different"] is None:
            raise damaged(self.path, "it has no jobs")
        unsettled = list(self.unsettled())
        total, levels, digests = sum(s.orbit for s in unsettled), list[int](), [self._digest_of(unsettled)]
        for job in self.rows("SELECT total, branches_by_level, digest FROM jobs WHERE covers > 0 OR branches > 0"):
            total += job["total"]
            with refusing_damage(self.path):
                digests.append(digest(job["digest"]))
                of_job = parsed(job["branches_by_level"], Levels)
            levels = [known + more for known, more in zip_longest(levels, of_job, fillvalue=0)]
        figures = SearchFigures(
            row["covers"],
            None if row["untold"] else row["branches"],
            None if row["untold"] else row["dead_ends"],
            branches_by_level=() if row["untold"] else tuple(levels),
            search_seconds=row["search"],
            check_seconds=row["checking"],
        )
        result = SearchResult(
            Stop.CANCELLED if row["pending"] else Stop.EXHAUSTED,
            figures,
            different=row["different"] + len(unsettled),
            total=total,
            digest=added(digests),
        )
        share = 1.0 if not row["pending"] else min(row["share"] or 0.0, 1.0)
        return RunFigures(result, row["jobs"], row["pending"], share)

    def solutions(self) -> Iterator[StoredSolution]:
        """The solutions in the file, by number."""
        return self._solutions("")

    def unsettled(self) -> Iterator[StoredSolution]:
        """Solutions of searches that were interrupted. The pending jobs will find them again."""
        return self._solutions("JOIN jobs ON jobs.id = job WHERE state <> 'done'")

    def _solutions(self, which: str) -> Iterator[StoredSolution]:
        for page in self.pages(f"SELECT number, orbit, choices FROM solutions {which} ORDER BY number"):
            with refusing_damage(self.path):
                starts, members = choices_of_solutions([choices for _, _, choices in page], self.n_choices)
            for (number, orbit, _), start, end in zip(page, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
                yield StoredSolution(number, orbit, members[start:end])

    def intact_solutions(self) -> Iterator[StoredSolution]:
        """The solutions with right seals of a damaged file, as far as it can be read."""
        self.connection.text_factory = lambda text: text.decode(errors="replace")
        with suppress(sqlite3.Error):
            for row in self.connection.execute("SELECT * FROM solutions ORDER BY number"):
                if self.seals.fits("solutions", tuple(row)):
                    with refusing_damage(self.path):
                        _, choices = choices_of_solutions([row["choices"]], self.n_choices)
                    yield StoredSolution(row["number"], row["orbit"], choices)

    def _digest_of(self, solutions: list[StoredSolution]) -> str:
        fingerprint = Fingerprint(self.n_choices)
        for solution in solutions:
            fingerprint.add(np.array([0, len(solution.choices)]), solution.choices, np.array([0]))
        return fingerprint.hex()

    def sessions(self) -> list[dict[str, Any]]:
        """The sessions of the run, from first to last."""
        return [dict(row) for row in self.rows("SELECT * FROM sessions ORDER BY id")]


def create(path: Path, recipe: Recipe, prepared: Searchable[Any], most_solutions: int | None) -> None:
    """Make the file of a new run, in one transaction: so it holds a run or nothing.

    Raises:
        RunFileError: it holds something, or cannot be written.
    """
    if not path.exists():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o666))
        except OSError as problem:
            raise RunFileError(f"{path}: cannot be made: {problem.strerror}") from None
    connection = connect(path, write=True)
    try:
        with explaining_errors(path):
            if not is_empty(connection):
                raise RunFileError(f"{path}: holds something already; choose another file for the run")
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                if not is_empty(connection):
                    raise RunFileError(f"{path}: another process has just begun a run in it")
                create_tables(connection)
                _write_begin(connection, recipe, prepared, most_solutions)
    finally:
        connection.close()


def _write_begin(
    connection: sqlite3.Connection, recipe: Recipe, prepared: Searchable[Any], most_solutions: int | None
) -> None:
    """Write the row of the run, and its first job: the whole search."""
    connection.execute(f"INSERT INTO totals VALUES (1{', 0, 0' * len(SEALED)})")
    about = {
        **recipe.as_row(),
        "id": 1,
        "latcover": this_version(),
        "created": now(),
        "question": msgspec.json.encode(recipe.question(prepared)).decode(),
        "n_choices": prepared.n_members,
        "most_solutions": most_solutions,
        "notes": "[]",
        "key": secrets.token_hex(16),
    }
    tables = SealedTables(connection, about["key"])
    tables.insert("run", [row_of("run", about)])
    whole = {"id": 1, "chosen": "[]", "left_out": "[]", "state": "pending", "pieces": 0, "share": 1.0}
    tables.insert("jobs", [row_of("jobs", {**whole, **NOTHING_FOUND})])


def row_of(table: str, values: Mapping[str, object]) -> tuple[object, ...]:
    """A new row of a table, in the order of its columns, without its seal; missing values are NULL."""
    return tuple(values.get(name) for name, _ in columns_of(table)[:-1])


def holds_nothing(path: Path) -> bool:
    """Whether a run can begin in this file: it does not exist, or its making was cut off."""
    if not path.exists():
        return True
    if not path.is_file():
        return False
    connection = connect(path, write=False)
    try:
        with explaining_errors(path):
            return is_empty(connection)
    finally:
        connection.close()


def now() -> str:
    """The time in UTC, in ISO 8601."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds")


def _job(row: sqlite3.Row) -> Job:
    return Job(parsed(row["chosen"], Chosen), parsed(row["left_out"], Pairs))
