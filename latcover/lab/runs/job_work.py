"""Search a job, or cut it into pieces if it takes too long or has too many solutions.

After a short trial, the share of the tree that is done predicts how long the job takes. If the job is cut, the work and
the solutions of the trial are lost. This happens once for each cut, and a cut makes jobs of some seconds.
"""

from __future__ import annotations

import math
import threading
import time

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Progress
from latcover.core.cover.subproblem import Cut, Job
from latcover.lab.runs.job_search import JobSearcher


class Pace(Struct, frozen=True):
    """How large jobs are made.

    Attributes:
        seconds: How long a job should take.
        trial: The seconds after which the time of a job is predicted.
        most_pieces: The most pieces that a job is cut into.
        at_first: How many pieces the whole search is cut into at first.
        most_solutions: A job that has more is cut, so that its solutions can be held at once, and soon be written.
    """

    seconds: float = 1.0
    trial: float = 0.1
    most_pieces: int = 64
    at_first: int = 1
    most_solutions: int = 2000

    def pieces(self, expected: float | None) -> int:
        """Into how many pieces to cut a job that would take *expected* seconds."""
        if expected is None:
            return 8
        return max(2, min(self.most_pieces, math.ceil(expected / self.seconds)))

    def is_too_long(self, elapsed: float, share: float | None, depth: int) -> bool:
        """Whether to cut a job. The work done is lost, so enough work must be left.

        If the share is unknown, pieces of pieces get more time. So little is lost in total.
        """
        if share is None:
            return elapsed > 4 * self.seconds * math.ldexp(1, min(depth, 20))
        return elapsed >= self.trial and self.left(elapsed, share) > max(3 * self.seconds, 2 * elapsed)

    @staticmethod
    def left(elapsed: float, share: float) -> float:
        """The seconds that a job still takes at the same speed."""
        return elapsed * (1 - share) / max(share, 1e-9)


class Division(Struct, frozen=True):
    """A job cut into pieces, and the seconds that it would have taken, if known."""

    cut: Cut
    expected: float | None


class Terms(Struct, frozen=True):
    """The limits of work on a job.

    Attributes:
        pace: How large jobs are to be.
        most: Stop after so many different solutions.
        seconds: Stop after so long.
    """

    pace: Pace
    most: int | None = None
    seconds: float | None = None

    def after(self, seconds: float) -> Terms:
        """The same terms after some time has passed."""
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - seconds))


class _Watch:
    """Watches the search of a job. Ends it when the run stops, or when the job would take too long."""

    def __init__(self, pace: Pace, stopping: threading.Event, depth: int) -> None:
        self.pace, self.stopping, self.depth = pace, stopping, depth
        self.begun = time.perf_counter()
        self.too_long = False
        self.expected: float | None = None

    def __call__(self, progress: Progress) -> bool:
        if self.stopping.is_set():
            return False
        elapsed = time.perf_counter() - self.begun
        self.too_long = self.pace.is_too_long(elapsed, progress.share, self.depth)
        if progress.share is not None:
            self.expected = elapsed + self.pace.left(elapsed, progress.share)
        return not self.too_long


def work_on(searcher: JobSearcher, job: Job, terms: Terms, stopping: threading.Event) -> SearchResult | Division:
    """Search a job, or cut it. When *stopping* is set, the search ends with its results so far."""
    pace, begun = terms.pace, time.perf_counter()
    if pace.at_first > 1 and job == Job() and (division := _divide(searcher, job, pace.at_first, None)):
        return division
    watch = _Watch(pace, stopping, len(job.chosen))
    found = searcher.search(job, terms.most, terms.seconds, watch, pace.most_solutions)
    too_many = len(found.solutions) > pace.most_solutions
    if found.stop is not Stop.CANCELLED or not (watch.too_long or too_many):
        return found
    pieces = pace.most_pieces if too_many else pace.pieces(watch.expected)
    division = _divide(searcher, job, pieces, watch.expected)
    if division is not None:
        return division
    terms = terms.after(time.perf_counter() - begun)
    return searcher.search(job, terms.most, terms.seconds, lambda _: not stopping.is_set())


def _divide(searcher: JobSearcher, job: Job, pieces: int, expected: float | None) -> Division | None:
    """The job in pieces; None if it cannot be cut."""
    cut = searcher.tree.cut(job, pieces)
    return None if [piece.job for piece in cut.pieces] == [job] else Division(cut, expected)
