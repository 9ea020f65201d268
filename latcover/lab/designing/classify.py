"""Count the solutions of every set of a family in one search.

The search finds all covers of all sets, and a table counts them by set. Burnside's lemma gives the different ones: the
mean, over the symmetries of the set, of the number of covers that a symmetry fixes. So no cover is judged or kept. The
covers that a symmetry fixes consist of orbits, which makes their search much shorter.

If a ledger keeps results, the search is cut into jobs, and a job that takes long is cut further.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, Progress, SearchTask
from latcover.core.cover.subproblem import Job, SearchTree
from latcover.core.encoding.burnside import kept_by_symmetry
from latcover.core.encoding.encode import encode
from latcover.core.solving import guard
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.designing.design_results import NO_RESULTS, DesignResults
from latcover.lab.designing.set_family import Family, Sets
from latcover.lab.designing.set_tables import Keys, Packing, SetTable, keys_of

MOST_BYTES = 1_000_000_000
PIECES = 64  # a search is cut into so many jobs at first
SHOWN_OF_A_PART = 50_000  # sets of a search that was cut short: to unpack millions takes longer than to find them
LONG_JOB = 20.0  # seconds; a longer job is cut further, and its results are lost


class ClassifiedSets(Struct, frozen=True, eq=False):
    """The sets of a family that have a solution, one of each class of mirror images.

    Attributes:
        sets: Their copies of each part, shape (n, n_parts), int32.
        total: How many covers each has.
        different: How many essentially different ones; -1 if the symmetries of the family do not tell.
        stop: EXHAUSTED says that every set is there, with all its covers; else these are some of those found so far.
        covers, branches: Of the search for all covers.
    """

    sets: Sets
    total: Longs
    different: Longs
    stop: Stop
    covers: int
    branches: int
    seconds: float

    @property
    def complete(self) -> bool:
        return self.stop.is_complete


def classify(
    family: Family,
    backend: Backend,
    limits: Limits = Limits(),
    ledger: DesignResults = NO_RESULTS,
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = MOST_BYTES,
) -> ClassifiedSets:
    """Count the solutions of every set of *family*.

    Args:
        family: The puzzle with its ranges.
        backend: Finds the covers.
        limits: Seconds only. When they are over, covers are counted so far.
        ledger: Keeps the results of jobs.
        on_progress: May end the search by returning False.
        most_bytes: The memory for the table.

    Raises:
        TooLargeError: more sets have a solution than this memory holds.
        UnsupportedError: a limit of covers or branches.
    """
    if limits.covers is not None or limits.branches is not None:
        raise UnsupportedError("a search for all sets ends by time alone; leave --limit and --max-branches out")
    return _Search(family, backend, limits, ledger, on_progress, most_bytes).classified()


class JobResult(Struct, frozen=True, omit_defaults=True):
    """What is kept of a job: into how many pieces it is cut; or its sets with covers, as base64, and its branches."""

    cut: int = 0
    sets: str = ""
    branches: int = 0


class _Search:
    def __init__(
        self,
        family: Family,
        backend: Backend,
        limits: Limits,
        ledger: DesignResults,
        on_progress: OnProgress | None,
        most_bytes: int,
    ) -> None:
        self.family, self.backend, self.most_bytes = family, backend, most_bytes
        self.seconds, self.ledger, self.cuts = limits.seconds, ledger, ledger is not NO_RESULTS
        self.on_progress = on_progress
        self.begun = time.perf_counter()
        self.problem, self.option_placement = encode(family.puzzle, family.table)
        # A part with one copy at most keeps its item where covers are fixed; of others there may be too many for now.
        radices = [
            high + 1 if high < 2 else room + 1 for (_, high), room in zip(family.ranges, family.room, strict=True)
        ]
        self.packing = Packing([*radices, len(family.puzzle.region.cells) + 1])  # the last for cells left empty
        part_of = np.where(self.option_placement >= 0, family.table.part_of[self.option_placement], len(radices))
        self.weights = self.packing.weights(part_of)
        self.stop: Stop | None = None
        self.share = 0.0
        self.covers = self.branches = 0

    def classified(self) -> ClassifiedSets:
        """Search all covers, and then those that each symmetry fixes."""
        totals = self._table(self.problem, self.weights, "all")
        most = None if self.stop is None else SHOWN_OF_A_PART
        rows, covers = self.packing.unpack(totals.keys[:most]), totals.covers[:most]
        different = np.full(len(rows), -1, np.int64)
        if self.stop is None and self.family.plain:
            different = self._different(totals, rows)
        if self.stop is not None:
            different = np.full(len(rows), -1, np.int64)
        return self._folded(rows[:, :-1], covers, different)

    def _different(self, totals: SetTable, rows: Sets) -> Longs:
        group = self.family.group
        fixed, order = totals.covers.copy(), np.ones(len(rows), np.int64)
        for element in range(1, len(group)):
            becomes = np.append(group.elements[element].moved.parts, rows.shape[1] - 1)
            keeps = (rows[:, becomes] == rows).all(axis=1)  # the set has as many copies of the part's image
            if not keeps.any():
                continue
            problem, orbit = kept_by_symmetry(self.problem, self.option_placement, group, element)
            weights = np.zeros((problem.n_options, self.packing.words), np.int64)
            whole = orbit >= 0
            np.add.at(weights, orbit[whole], self.weights[whole])
            table = self._table(problem, weights, f"fixed by {element}")
            if self.stop is not None:
                break
            order += keeps
            fixed += np.where(keeps, table.of(totals.keys), 0)
        if self.stop is None and (fixed % order).any():
            raise InternalError("the covers that symmetries fix do not add up")
        return fixed // order

    def _folded(self, sets: Sets, total: Longs, different: Longs) -> ClassifiedSets:
        """One of each class of images, with the cells left empty forgotten."""
        family, packing = self.family, Packing([room + 1 for room in self.family.room])
        keys = packing.pack(sets)
        keep = np.ones(len(sets), np.bool_)
        for becomes in family.renamings:
            to = np.array(becomes)
            image = np.zeros_like(sets)
            image[:, to[to >= 0]] = sets[:, to >= 0]
            mapped = (sets[:, to < 0] == 0).all(axis=1)
            low, high = np.array(family.ranges).T
            inside = ((image >= low) & (image <= high)).all(axis=1)
            keep &= ~(mapped & inside & _later(image, sets))
        kept = np.flatnonzero(keep)
        distinct, place = np.unique(keys[kept], axis=0, return_inverse=True)
        sums = [np.zeros(len(distinct), np.int64) for _ in range(2)]
        for into, numbers in zip(sums, (total, different), strict=True):
            np.add.at(into, place.reshape(-1), numbers[kept])
        unknown = self.stop is not None or not family.plain
        return ClassifiedSets(
            packing.unpack(distinct),
            sums[0],
            np.full(len(distinct), -1, np.int64) if unknown else sums[1],
            self.stop or Stop.EXHAUSTED,
            self.covers,
            self.branches,
            time.perf_counter() - self.begun,
        )

    def _table(self, problem: CoverProblem, weights: Keys, name: str) -> SetTable:
        """The covers of a problem by set."""
        table = SetTable(self.packing.words, self.most_bytes)
        tree, main = SearchTree(problem, self.backend.rule), name == "all"
        jobs: list[tuple[Job, float]] = [(Job(), 1.0)]
        whole: set[Job] = set()  # that cannot be cut
        while jobs and self.stop is None:
            job, share = jobs.pop()
            known = f"{name} {_in_words(job)}"
            entry = self.ledger.get(known, JobResult)
            if entry is None:
                at_once = self.cuts and main and job == Job()
                entry = (
                    JobResult(cut=PIECES)
                    if at_once
                    else self._searched(tree, weights, job, share=share, to_the_end=job in whole)
                )
                if self.stop is None:
                    self.ledger.put(known, entry)
            if not entry.cut:
                try:
                    keys, covers = _arrays(entry, self.packing.words)
                except ValueError as fault:
                    raise self.ledger.fault(known, fault) from None
                table.add(keys, covers)
                if main:
                    self.share += share
                    self.covers += int(covers.sum())
                    self.branches += entry.branches
                continue
            cut = tree.cut(job, entry.cut)
            if [piece.job for piece in cut.pieces] == [job]:
                whole.add(job)
                self.ledger.put(known, self._searched(tree, weights, job, share=share, to_the_end=True))
            jobs += [(piece.job, share * piece.share) for piece in reversed(cut.pieces)]
            if main:
                self.share += share * cut.closed
                self.branches += sum(cut.branches_by_level)
        return table

    def _searched(self, tree: SearchTree, weights: Keys, job: Job, *, share: float, to_the_end: bool) -> JobResult:
        """The sets of a job with their covers; or, if it takes long, into how many pieces to cut it."""
        sub = tree.restrict(job)
        table = SetTable(self.packing.words, self.most_bytes)
        start = time.perf_counter()
        too_long = False

        def take(batch: Batch) -> bool:
            table.add(keys_of(sub.in_full(batch), weights))
            return True

        def report(progress: Progress) -> bool:
            nonlocal too_long
            now = time.perf_counter()
            done = min(1.0, self.share + share * (progress.share or 0.0))
            reached = Progress(done, None, self.covers + progress.covers, now - self.begun)
            if self.on_progress is not None and not self.on_progress(reached):
                self.stop = Stop.CANCELLED
            too_long = self.cuts and not to_the_end and now - start > LONG_JOB
            return self.stop is None and not too_long

        left = None if self.seconds is None else max(0.0, self.seconds - (start - self.begun))
        outcome = guard.search(self.backend, SearchTask(sub.problem, take, Limits(seconds=left), report))
        if outcome.stop is Stop.TIME_LIMIT:
            self.stop = Stop.TIME_LIMIT
        if outcome.stop is Stop.CANCELLED and self.stop is None:
            return JobResult(cut=8)
        return _entry(table.keys, table.covers, outcome.figures.branches or 0)


def _later(a: Sets, b: Sets) -> np.ndarray:
    """Whether each row of *a* has more copies than that of *b* of the first part in which they differ."""
    rows, first = np.arange(len(a)), (a != b).argmax(axis=1)
    later: np.ndarray = a[rows, first] > b[rows, first]
    return later


def _in_words(job: Job) -> str:
    return f"{','.join(map(str, job.chosen))};{','.join(f'{item}:{option}' for item, option in job.left_out)}"


def _entry(keys: Keys, covers: Longs, branches: int) -> JobResult:
    """The results of a job as they are kept."""
    both = np.column_stack([keys, covers]).astype("<i8")
    return JobResult(sets=base64.b64encode(both.tobytes()).decode(), branches=branches)


def _arrays(entry: JobResult, words: int) -> tuple[Keys, Longs]:
    both = np.frombuffer(base64.b64decode(entry.sets), "<i8").astype(np.int64).reshape(-1, words + 1)
    return both[:, :words], both[:, words]


def rows_of(classified: ClassifiedSets) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """The copies, the covers and the different solutions of each set."""
    columns = (classified.sets.tolist(), classified.total.tolist(), classified.different.tolist())
    for copies, total, different in zip(*columns, strict=True):
        yield tuple(copies), total, different
