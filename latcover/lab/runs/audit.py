"""The audit of a run's file: it finds rows that are missing, added or changed.

The audit reads every row once. It checks the seal of each row, the sum of the seals of each table, and that the rows
agree with each other, which would also show a bug in latcover. The jobs must form a tree in which every job that was
cut has all its pieces: then they are the whole search, each part of it once. A job that is done must have as many
solutions as it states, with the right fingerprint.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.fingerprint import Words, words_of_solutions
from latcover.core.cover.problem import Longs
from latcover.errors import DamagedRunError
from latcover.lab.runs.opening import damaged, require_intact_rows
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.run_tables import columns_of
from latcover.lab.runs.seals import Total
from latcover.lab.runs.stored_values import answer, choices_of_solutions, digest, refusing_damage

_SHARES_MAY_MISS = 1e-6  # by rounding; the tree of jobs is checked exactly
Columns = dict[str, tuple[Any, ...]]
Flags = npt.NDArray[np.bool_]


class _Jobs(Struct, frozen=True):
    """The columns of the jobs. The index into each array is the number of the job; no job has the number 0."""

    parents: Longs
    pieces: Longs
    was_cut: Flags
    is_done: Flags
    different: Longs
    total: Longs
    digests: Words


def audit(file: RunFile) -> None:
    """Refuse a file whose rows are not those that were written. The time is linear in the number of rows.

    Raises:
        DamagedRunError: something is wrong; the message says what.
        RunFileError: it cannot be read.
    """
    try:
        with file.snapshot():
            require_intact_rows(file.connection, file.path)
            jobs = _audited_jobs(file)
            _require_tree(file, jobs)
            _require_solutions(file, jobs, _audited_placements(file))
            _require_assemblies(file)
            _require_answer(file)
    except DamagedRunError as fault:
        if file.recipe.task == "count":
            raise
        hint = f"`latcover runs solutions {file.path}` shows those solutions in it that are intact"
        raise DamagedRunError(f"{fault}; {hint}") from None


def _sealed(file: RunFile, table: str) -> Iterator[Columns]:
    """The rows of a table by column, some thousand at once. Checks their seals, and at the end their number and sum."""
    names = [name for name, _ in columns_of(table)]
    total = Total()
    for page in file.pages(f"SELECT * FROM {table} ORDER BY {names[0]}"):
        wrong = file.seals.first_wrong(table, page)
        if wrong is not None:
            raise damaged(file.path, f"row {wrong[0]} of the table {table!r} is not what was written")
        columns = dict(zip(names, zip(*page, strict=True), strict=True))
        total = total.plus(columns["seal"])
        yield columns
    written = file.totals().get(table)
    if written is None:
        raise damaged(file.path, "it does not say how many rows its tables have")
    if written.rows != total.rows:
        raise damaged(file.path, f"the table {table!r} has {total.rows:,} rows, and {written.rows:,} were written")
    if written != total:
        raise damaged(file.path, f"the rows of the table {table!r} are not those that were written")


def _require_numbers(file: RunFile, table: str, numbers: Sequence[int], first: int) -> None:
    """Require that rows are numbered without a gap."""
    missing = np.flatnonzero(np.array(numbers, np.int64) != np.arange(first, first + len(numbers)))
    if len(missing):
        raise damaged(file.path, f"row number {first + missing[0]} is missing in the table {table!r}")


def _audited_jobs(file: RunFile) -> _Jobs:
    """Read the jobs, and require that their shares add up to 1."""
    names = ("id", "parent", "pieces", "state", "share", "different", "total", "digest")
    found: dict[str, list[Any]] = {name: [0] for name in names}
    for columns in _sealed(file, "jobs"):
        for name in names:
            found[name] += columns[name]
    if found["id"] == [0]:
        raise damaged(file.path, "it has no jobs")
    _require_numbers(file, "jobs", found["id"], 0)
    if abs(math.fsum(found["share"]) - 1) > _SHARES_MAY_MISS:
        raise damaged(file.path, f"the shares of its jobs add up to {math.fsum(found['share']):.9f}, not to 1")
    with refusing_damage(file.path):
        words = [0, *(int(digest(text), 16) for text in found["digest"][1:])]
    states = np.array(found["state"], dtype=np.str_)
    return _Jobs(
        np.array([parent or 0 for parent in found["parent"]], np.int64),
        np.array(found["pieces"], np.int64),
        states == "cut",
        states == "done",
        np.array(found["different"], np.int64),
        np.array(found["total"], np.int64),
        np.array(words, np.uint64),
    )


def _require_tree(file: RunFile, jobs: _Jobs) -> None:
    """Require that each job but the first is a piece of an earlier one, and that no piece of a cut job is missing."""
    numbers = np.arange(len(jobs.parents))
    astray = (jobs.parents >= numbers) | ((jobs.parents == 0) != (numbers == 1))
    astray[0] = False
    if astray.any():
        raise damaged(file.path, f"job {np.argmax(astray)} is not a piece of a job before it")
    pieces = np.bincount(jobs.parents, minlength=len(numbers))
    wrong = (pieces != jobs.pieces) | ((pieces > 0) & ~jobs.was_cut)
    wrong[0] = False
    if wrong.any():
        job = int(np.argmax(wrong))
        expected = f"{jobs.pieces[job]:,} pieces" if jobs.was_cut[job] else "no pieces, as it was not cut"
        raise damaged(file.path, f"job {job} should have {expected}, and has {pieces[job]:,}")


def _audited_placements(file: RunFile) -> Flags:
    """Read the placements; which of them are described."""
    described = np.zeros(file.n_choices, np.bool_)
    for columns in _sealed(file, "placements"):
        numbers = np.array(columns["number"], np.int64)
        if numbers.max() >= file.n_choices:
            raise damaged(file.path, f"there is no placement {numbers.max()} that it describes")
        described[numbers] = True
    return described


def _require_solutions(file: RunFile, jobs: _Jobs, described: Flags) -> None:
    """Require that each job that is done has the solutions that it states, and that the others state none."""
    n_jobs, before = len(jobs.parents), 0
    number, orbits = np.zeros(n_jobs, np.int64), np.zeros(n_jobs, np.int64)
    words = np.zeros(n_jobs, np.uint64)
    for columns in _sealed(file, "solutions"):
        n = len(columns["number"])
        _require_numbers(file, "solutions", columns["number"], before + 1)
        before += n
        with refusing_damage(file.path):
            starts, choices = choices_of_solutions(columns["choices"], file.n_choices)
        if not described[choices].all():
            raise damaged(file.path, f"it does not describe placement {choices[~described[choices]][0]} of a solution")
        of_job = np.array(columns["job"], np.int64)
        if not 1 <= of_job.min() <= of_job.max() < n_jobs:
            raise damaged(file.path, "a solution is of a job that is not there")
        np.add.at(number, of_job, 1)
        np.add.at(orbits, of_job, np.array(columns["orbit"], np.int64))
        np.add.at(words, of_job, words_of_solutions(file.n_choices, starts, choices))
    if file.recipe.task == "count":
        if before:
            raise damaged(file.path, "it holds solutions, which a count does not keep")
        return
    for what, stated, are in (
        ("solutions", jobs.different, number),
        ("solutions in all", jobs.total, orbits),
        ("solutions with the fingerprint", jobs.digests, words),
    ):
        wrong = stated != np.where(jobs.is_done, are, 0)
        if wrong.any():
            job = int(np.argmax(wrong))
            is_there = are[job] if jobs.is_done[job] else 0
            raise damaged(file.path, f"job {job} says that it has {stated[job]} {what}, and {is_there} is right")


def _require_assemblies(file: RunFile) -> None:
    """Require that each stored disassembly is of a solution that is there."""
    for columns in _sealed(file, "assemblies"):
        numbers = np.array(columns["number"], np.int64)
        if not 1 <= numbers.min() <= numbers.max() <= file.totals()["solutions"].rows:
            raise damaged(file.path, "it says how a missing solution comes apart")


def _require_answer(file: RunFile) -> None:
    """Require that the answer, if the run has one, is the sum of what its jobs found."""
    with refusing_damage(file.path):
        stored = None if file.row["answer"] is None else answer(file.row["answer"])
    if stored is None:
        return
    figures, names = file.figures(), ("different", "total", "covers", "branches", "digest")
    if figures.pending or any(getattr(figures.result, name) != getattr(stored, name) for name in names):
        raise damaged(file.path, "its answer is not what its jobs have found")
