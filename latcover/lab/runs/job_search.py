"""Search one job of a run, in a thread here or in a process elsewhere."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.fingerprint import Fingerprint
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, OnProgress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.subproblem import Job, SearchTree, Subproblem
from latcover.core.solving.collector import Collector


class JobSearcher:
    """Searches jobs of a prepared puzzle or of a bare problem; threads may share one."""

    def __init__(self, prepared: Searchable[Any], backend: Backend, *, keeps_solutions: bool) -> None:
        self.prepared, self.backend, self.keeps_solutions = prepared, backend, keeps_solutions
        self.tree = SearchTree(prepared.problem, backend.rule)

    def search(
        self,
        job: Job,
        most: int | None = None,
        seconds: float | None = None,
        on_progress: OnProgress | None = None,
        bound: int | None = None,
    ) -> SearchResult:
        """Search one job.

        Args:
            job: What to search.
            most: Stop after so many different solutions.
            seconds: Stop after so long.
            on_progress: May stop the search by returning False.
            bound: Cancel the search when it keeps more solutions.
        """
        sub = self.tree.restrict(job)
        collector = _JobCollector(self.prepared, sub, most, bound, keeps_solutions=self.keeps_solutions)
        limits = Limits(0 if most == 0 else None, None, seconds)
        found = collector.search(self.backend, sub.problem, limits, on_progress)
        figures, levels = found.figures, found.branches_by_level
        figures = replace(
            figures,
            branches_by_level=(0,) * len(job.chosen) + levels if levels else (),
            setup_seconds=0.0,
            search_seconds=figures.setup_seconds + figures.search_seconds,
            native={},  # figures of one job say nothing of the run
        )
        return replace(found, figures=figures, solutions=JudgedCovers.joined(collector.parts))


class _JobCollector(Collector):
    """Judges the covers of a job as covers of the whole problem, and may keep them."""

    def __init__(
        self, prepared: Searchable[Any], sub: Subproblem, most: int | None, bound: int | None, *, keeps_solutions: bool
    ) -> None:
        super().__init__(prepared, most)
        self.sub, self.bound, self.keeps_solutions = sub, bound, keeps_solutions
        self.parts: list[JudgedCovers] = []

    def judge(self, batch: Batch) -> JudgedCovers:
        """Those covers of a batch that are solutions of the whole problem."""
        return super().judge(self.sub.in_full(batch))

    def hand_on(self, kept: JudgedCovers) -> int:
        """Keep these solutions if the searcher keeps any. More than the bound end the search."""
        if self.keeps_solutions and len(kept):
            self.parts.append(kept.packed())
            if self.bound is not None and self.different + len(kept) > self.bound:
                self.stop = Stop.CANCELLED
        return len(kept)


def first_of(found: SearchResult, most: int, n_members: int) -> SearchResult:
    """The result, which must hold its solutions, cut to the first *most* of them, as of a job that is not done."""
    cut = found.solutions.first(most).packed()
    fingerprint = Fingerprint(n_members)
    fingerprint.add(cut.starts, cut.members, cut.rows)
    return replace(
        found,
        stop=Stop.SOLUTION_LIMIT,
        different=len(cut),
        total=int(cut.orbits.sum()),
        digest=fingerprint.hex(),
        solutions=cut,
    )
