"""What the simulation of a cluster rests on: how unlike jobs are, measured on puzzles, and what a run's file costs.

The first does not depend on the machine, as it counts branches; it stands in `cluster_measures.json` and is measured
anew by `simulate_cluster --measure`. The second is measured wherever the simulation is run.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Progress
from latcover.core.cover.subproblem import Cut, Job, Piece, SearchTree
from latcover.core.solving.count import CountRequest
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.recipe import Recipe, stored_file
from latcover.lab.runs.run_file import RunFile, create
from latcover.lab.runs.session import Session

PUZZLES = ("pent-5x4x3", "bedlam")
PIECES = (2, 8, 64)
JOBS = 12  # of each puzzle, cut into so many pieces each
FRACTIONS = tuple(4.0**-k for k in range(6))  # of a job, at which it is foretold how large it is

Piecewise = tuple[tuple[float, float], ...]  # for each piece its share as foretold, and the part of the branches it is
Curve = tuple[float, ...]  # how large a job is foretold to be, in units of what it is, at each of FRACTIONS


class Shapes(msgspec.Struct, frozen=True):
    """How unlike jobs are.

    Attributes:
        cuts: By the number of pieces asked for: jobs as they were cut.
        curves: Jobs as they were foretold.
    """

    cuts: dict[int, tuple[Piecewise, ...]]
    curves: tuple[Curve, ...]


def stored_shapes() -> Shapes:
    """Those that were measured."""
    data = json.loads(Path(__file__).with_name("cluster_measures.json").read_text("utf-8"))
    cuts = {int(pieces): tuple(map(_whole, several)) for pieces, several in data["cuts"].items()}
    return Shapes(cuts, tuple(map(tuple, data["curves"])))


def _whole(cut: list[list[float]]) -> Piecewise:
    """A cut whose parts come to the whole, in spite of their rounding."""
    whole = sum(part for _, part in cut)
    return tuple((share, part / whole) for share, part in cut)


def measured_shapes(say: Callable[[str], None]) -> dict[str, Any]:
    """Measure them: some minutes, most of them dancing links."""
    cuts: dict[int, list[list[list[float]]]] = {pieces: [] for pieces in PIECES}
    curves = []
    for name in PUZZLES:
        prepared: Any = Recipe(CountRequest(), name, stored_file(name)).prepared()
        by_kernel, by_links = (
            JobSearcher(
                prepared, Recipe(CountRequest(backend=backend), name, stored_file(name)).solver(), keeps_solutions=False
            )
            for backend in ("bitset", "dlx")
        )
        jobs = _largest(by_kernel, JOBS)
        for number, job in enumerate(jobs):
            say(f"{name}: job {number + 1} of {len(jobs)}")
            for pieces in PIECES:
                cuts[pieces].append(_parts(by_kernel, job, pieces))
            curves.append(_curve(by_links, job))
    return {
        "what": "see benchmarks/cluster_measures.py; counted in branches",
        "puzzles": PUZZLES,
        "cuts": cuts,
        "curves": curves,
    }


def _largest(searcher: JobSearcher, number: int) -> list[Job]:
    """The whole, and the largest jobs that it is cut in."""
    pieces = [piece.job for piece in searcher.tree.cut(Job(), 40).pieces]
    return [Job(), *sorted(pieces, key=lambda job: -(searcher.search(job).branches or 0))[: number - 1]]


def _parts(searcher: JobSearcher, job: Job, pieces: int) -> list[list[float]]:
    cut = searcher.tree.cut(job, pieces)
    branches = [searcher.search(piece.job).branches or 0 for piece in cut.pieces]
    whole = max(1, sum(branches))
    return [[_rounded(piece.share), _rounded(n / whole)] for piece, n in zip(cut.pieces, branches, strict=True)]


def _curve(searcher: JobSearcher, job: Job) -> list[float]:
    """How large a job is foretold to be, while it is searched."""
    told: list[tuple[float, float]] = []

    def watch(progress: Progress) -> bool:
        if progress.branches and progress.share:
            told.append((progress.branches, progress.branches / progress.share))
        return True

    found = searcher.search(job, None, None, watch)
    whole = max(1, found.branches or 0)
    points = [(done / whole, foretold / whole) for done, foretold in told if done < whole]
    return [_rounded(_at(fraction, [*points, (1.0, 1.0)])) for fraction in FRACTIONS]


def _at(fraction: float, points: list[tuple[float, float]]) -> float:
    """A curve at a fraction, on logarithmic scales; before its first point as at that."""
    if fraction <= points[0][0]:
        return points[0][1]
    for (a, low), (b, high) in pairwise(points):
        if a <= fraction <= b:
            weight = 0.0 if a == b else math.log(fraction / a) / math.log(b / a)
            return math.exp((1 - weight) * math.log(low) + weight * math.log(high))
    return points[-1][1]


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


class FileCosts(msgspec.Struct, frozen=True):
    """What a run's file costs on this machine: seconds of its writer, and bytes.

    Attributes:
        transaction: Of one transaction, whatever is in it.
        result, piece: More for each job that is done, and for each piece of one that is cut.
        bytes_of_job: Of each row.
        reading: Seconds to open the file and to read what a resume needs, for each row.
        cutting: Seconds of a worker to cut a job, for each piece.
    """

    transaction: float
    result: float
    piece: float
    bytes_of_job: float
    reading: float
    cutting: float

    @property
    def rows_a_second(self) -> float:
        """Rows that are made as pieces and done later, as many as can be written a second, 50 results at once."""
        return 1 / (self.piece + self.result + self.transaction / 50)


def measured_costs(rows: int = 6400) -> FileCosts:
    """Measure them on a file of so many jobs."""
    name = "pent-5x4x3"
    recipe = Recipe(CountRequest(), name, stored_file(name))
    prepared: Any = recipe.prepared()
    start = time.perf_counter()
    cut = SearchTree(prepared.problem).cut(Job(), 64)
    cutting = (time.perf_counter() - start) / len(cut.pieces)
    found = SearchResult(
        Stop.EXHAUSTED,
        SearchFigures(5, 100_000, 20_000, branches_by_level=(0, 0, 0, 9, 99, 999, 9999, 9999, 9999, 99, 9)),
        different=5,
        total=40,
        digest="a" * 16,
    )
    with TemporaryDirectory(prefix="latcover-bench-") as folder:
        path = Path(folder) / "run.db"
        create(path, recipe, prepared, None)
        with RunFile(path, write=True) as file, Session(file, 1) as session:
            jobs = file.pending()
            empty = _seconds(session, lambda: None, 50)
            start = time.perf_counter()
            while len(jobs) < rows:
                with session.writing():
                    jobs = [*session.divide(jobs[0], _deep(cut), 64.0), *jobs[1:]]
            piece = (time.perf_counter() - start) / len(jobs)
            start = time.perf_counter()
            for first in range(0, len(jobs) // 2, 50):
                with session.writing():
                    for job in jobs[first : first + 50]:
                        session.record(job, found)
            result = (time.perf_counter() - start) / (len(jobs) // 2) - empty / 50
        start = time.perf_counter()
        with RunFile(path) as file:
            file.figures()
            file.pending()
        reading = (time.perf_counter() - start) / len(jobs)
        return FileCosts(empty, max(result, 1e-6), piece, _bytes(path) / len(jobs), reading, cutting)


def _deep(cut: Cut) -> Cut:
    """The same cut as it would be deep in a tree: its jobs have more options."""
    pieces = tuple(Piece(Job((*range(1000, 1006), *piece.job.chosen)), piece.share) for piece in cut.pieces)
    return Cut(pieces, cut.branches_by_level, cut.dead_ends, cut.closed)


def _seconds(session: Session, write: Callable[[], None], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        with session.writing():
            write()
    return (time.perf_counter() - start) / times


def _bytes(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size
