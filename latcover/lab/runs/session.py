"""Writing to the file of a run: one process at a time, each result and its solutions in one transaction.

A session is a row in the file. It is over when it says so, or when its process is gone: killed on this machine, or
without a heartbeat for a minute on another one. Each write makes sure, within its transaction, that the session is not
over. So a process that was suspended for an hour cannot write into a run that another process has taken over.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct

from latcover.core.cover.problem import Ints
from latcover.core.cover.question import Question
from latcover.core.cover.result import SearchResult
from latcover.core.cover.subproblem import Cut
from latcover.errors import InternalError, RunFileError
from latcover.lab.runs.opening import damaged, explaining_errors, transaction
from latcover.lab.runs.run_file import NOTHING_FOUND, PendingJob, RunFile, now, row_of
from latcover.lab.runs.seals import SealedTables
from latcover.system.processes import is_running, start_of

BETWEEN_HEARTBEATS = 5.0  # seconds
SILENCE = 60.0  # seconds without a heartbeat, after which a process on another machine counts as dead
_open_here: set[tuple[str, int]] = set()  # sessions of this process, by file and number


class NewSolution(Struct, frozen=True):
    """A solution to be stored: its number in the run, how many covers it stands for, and its choices, ascending."""

    number: int
    orbit: int
    choices: Ints


class Session:
    """A process at work on a run; to be used in a `with` statement.

    Attributes:
        stored: How many solutions the file holds.
        unsettled: The numbers of those whose jobs are not done, by their choices.
    """

    def __init__(self, file: RunFile, threads: int) -> None:
        """Start to work on the run.

        Raises:
            RunFileError: another process works on it, or the file cannot be written.
        """
        self.file = file
        self._connection = file.connection
        self._tables = SealedTables(file.connection, file.row["key"])
        self._begun = time.perf_counter()
        self._beat = self._begun
        self._identity = _identity(file.path)
        with self._transaction():
            self._require_nobody()
            self._connection.execute("UPDATE sessions SET ended = 'died' WHERE ended IS NULL")
            row = {
                "host": socket.gethostname(),
                "pid": os.getpid(),
                "process_started": start_of(os.getpid()),
                "began": now(),
                "heartbeat": time.time(),
                "threads": threads,
            }
            places = ", ".join("?" * len(row))
            query = f"INSERT INTO sessions ({', '.join(row)}) VALUES ({places})"
            self.id = int(self._connection.execute(query, [*row.values()]).lastrowid or 0)
        self._key = (str(file.path.resolve()), self.id)
        _open_here.add(self._key)
        (count,) = file.rows("SELECT count(*) AS n, (SELECT count(*) FROM placements) AS known FROM solutions")
        self.stored: int = count["n"]
        self.unsettled = {s.choices.tobytes(): s.number for s in file.unsettled()}
        self._described = (
            {row["number"] for row in file.rows("SELECT number FROM placements")} if count["known"] else set()
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        """Write that the session is over. If that fails, the next session sees that the process is gone."""
        _open_here.discard(self._key)
        with suppress(RunFileError):  # also where it has ended already
            self.end(f"failed: {kind.__name__}" if kind else "ended")

    def _require_nobody(self) -> None:
        """Refuse to work beside another process."""
        for row in self._connection.execute("SELECT * FROM sessions WHERE ended IS NULL"):
            if is_at_work(row, self.file.path):
                raise RunFileError(
                    f"{self.file.path}: process {row['pid']} on {row['host']} is at work on this run, since "
                    f"{row['began']}; `latcover runs status {self.file.path}` shows how far it is"
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it is written, or nothing."""
        path = self.file.path
        if _identity(path) != self._identity:
            raise RunFileError(
                f"{path}: the file was deleted, moved or replaced while the run was at work; put it back, and "
                f"{path.name}-wal and {path.name}-shm beside it, and resume with `latcover runs resume`"
            )
        going_on = f"; then resume with `latcover runs resume {path}`: what was recorded before is kept"
        with explaining_errors(path, going_on), transaction(self._connection):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction of this session.

        Raises:
            RunFileError: the file cannot be written, or another process has taken the run over.
        """
        with self._transaction():
            self._beat = time.perf_counter()
            changed = self._connection.execute(
                "UPDATE sessions SET heartbeat = ?, seconds = ? WHERE id = ? AND ended IS NULL",
                (time.time(), self._beat - self._begun, self.id),
            )
            if not changed.rowcount:
                raise RunFileError(
                    f"{self.file.path}: another process has taken the run over, because this one sent no heartbeat"
                )
            yield

    def keep_alive(self, *, at_once: bool = False) -> None:
        """Write a heartbeat if it is time for one."""
        if at_once or time.perf_counter() - self._beat > BETWEEN_HEARTBEATS:
            with self.writing():
                pass

    def end(self, why: str, answer: str | None = None) -> None:
        """Write why the session is over, and the answer if the run is done."""
        with self.writing():
            if answer is not None:
                self._change("run", 1, {"answer": answer})
            self._connection.execute("UPDATE sessions SET ended = ? WHERE id = ?", (why, self.id))

    def record(self, job: PendingJob, found: SearchResult) -> None:
        """Write what a job found; it is done if the search of it was complete. Within `writing`."""
        values = {
            "state": "done" if found.complete else "pending",
            "different": found.different,
            "total": found.total,
            "covers": found.covers,
            "branches": found.branches,
            "dead_ends": found.dead_ends,
            "branches_by_level": json.dumps(found.branches_by_level),
            "digest": found.digest,
            "search_seconds": found.figures.search_seconds,
            "check_seconds": found.figures.check_seconds,
        }
        self._update_job(job, values)

    def record_searcher(self, found: SearchResult) -> None:
        """Write which backend searched, and its notes for the user. Within `writing`."""
        self._change("run", 1, {"searched_by": found.backend or None, "notes": json.dumps(found.notes)})

    def record_assemblies(self, described: Mapping[int, str], question: Question) -> None:
        """Write how solutions come apart, as JSON, by their numbers, and what that depends on."""
        with self.writing():
            self._change("run", 1, {"apart": msgspec.json.encode(question).decode()})
            self._tables.insert(
                "assemblies", [row_of("assemblies", {"number": n, "described": d}) for n, d in described.items()]
            )

    def employ(self, threads: int) -> None:
        """Write how many threads search jobs."""
        with self.writing():
            self._connection.execute("UPDATE sessions SET threads = ? WHERE id = ?", (threads, self.id))

    def limit(self, most: int | None) -> None:
        """Write after how many solutions the run is to end."""
        with self.writing():
            self._change("run", 1, {"most_solutions": most})

    def divide(self, job: PendingJob, cut: Cut, expected: float | None) -> list[PendingJob]:
        """Replace a job by its pieces; *expected* are the seconds it would have taken. Within `writing`."""
        values = {
            **NOTHING_FOUND,
            "state": "cut",
            "pieces": len(cut.pieces),
            "share": job.share * cut.closed,
            "branches": sum(cut.branches_by_level),
            "dead_ends": cut.dead_ends,
            "branches_by_level": json.dumps(cut.branches_by_level),
        }
        self._update_job(job, values)
        pieces = [
            PendingJob(number, piece.job, job.share * piece.share, None if expected is None else expected * piece.share)
            for number, piece in enumerate(cut.pieces, self._tables.rows("jobs") + 1)
        ]
        new = {**NOTHING_FOUND, "parent": job.id, "state": "pending", "pieces": 0}
        rows = (
            {
                "id": piece.id,
                "chosen": json.dumps(piece.job.chosen),
                "left_out": json.dumps(piece.job.left_out),
                "share": piece.share,
                "expected": piece.expected,
            }
            for piece in pieces
        )
        self._tables.insert("jobs", [row_of("jobs", {**new, **row}) for row in rows])
        return pieces

    def store(self, job: PendingJob, solutions: Iterable[NewSolution], described: Mapping[int, str]) -> None:
        """Write solutions of a job, and the descriptions of those choices that are new. Within `writing`."""
        rows = [(s.number, job.id, s.orbit, json.dumps(s.choices.tolist(), separators=(",", ":"))) for s in solutions]
        self._tables.insert("solutions", rows)
        self._tables.insert("placements", described.items())
        self._described |= described.keys()
        self.stored += len(rows)

    def settle(self, job: PendingJob, choices: Iterable[bytes]) -> None:
        """Write that these unsettled solutions belong to a job that is done. Within `writing`."""
        for each in choices:
            self._change("solutions", self.unsettled.pop(each), {"job": job.id})

    def undescribed(self, choices: Iterable[int]) -> set[int]:
        """The choices that the file does not describe yet."""
        return set(choices) - self._described

    def _update_job(self, job: PendingJob, values: Mapping[str, Any]) -> None:
        """Write the result of a pending job. A second result for the same job is refused."""
        (row,) = self.file.rows("SELECT count(*) AS n FROM jobs WHERE id = ? AND state = 'pending'", job.id)
        if not row["n"]:
            raise InternalError(f"{self.file.path}: job {job.id} was to be recorded twice")
        self._change("jobs", job.id, values)

    def _change(self, table: str, number: int, values: Mapping[str, Any]) -> None:
        if not self._tables.change(table, number, values):
            raise damaged(self.file.path, f"row {number} of the table {table!r} was changed by another program")


def is_at_work(row: Mapping[str, Any], path: Path) -> bool:
    """Whether the process of a session that did not end is still there."""
    if row["host"] != socket.gethostname():
        return bool(abs(time.time() - row["heartbeat"]) < SILENCE)  # one of tomorrow is of a clock that was wrong
    if row["pid"] == os.getpid():
        return (str(path.resolve()), row["id"]) in _open_here
    return is_running(row["pid"]) and bool(start_of(row["pid"]) == row["process_started"])


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of a file, which tell it from another file of the same name; None if there is no file."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None
