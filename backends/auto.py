"""Choosing a backend for the task."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from latcover.backends import create
from latcover.backends.compiled import Stranding
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Backend, Limits, OnCovers, OnProgress, Outcome, Pieces, Rule, Stop, Tree

PATIENCE = 1.0  # seconds; nearly every puzzle with solutions shows one within that time


@dataclass(frozen=True, slots=True)
class Auto(Backend):
    """Picks the backend that suits the task, and says which.

    It usually picks the bitmap kernel. It picks dancing links for stranding and for items with colours. It picks the
    direct method if the search takes items in their order, because that walks the same tree faster. If a search for a
    single cover has found none after a second, CP-SAT takes over, because it learns from its failures.

    Attributes:
        size: As for `dlx` and `backtrack`.
        strand: As for `dlx` and `backtrack`.
        threads: As for `bitset`; other backends use one thread.
    """

    only_picks = True

    size: bool = True
    strand: Stranding = "no"
    threads: int | None = None

    @property
    def name(self) -> str:
        return "auto"

    def pick(self, problem: CoverProblem) -> Backend:
        """The backend that searches *problem* first."""
        if self.size and self.strand == "no" and not problem.has_colours:
            return create("bitset", threads=self.threads)
        return create("dlx" if self.size or problem.has_colours else "backtrack", size=self.size, strand=self.strand)

    @property
    def honours_colours(self) -> bool:
        return True

    @property
    def rule(self) -> Rule:
        return create("dlx", size=self.size).rule  # the others that it picks walk the same tree

    @property
    def leaves_method_open(self) -> bool:
        return self.size and self.strand == "no"  # a number of threads does not ask for a method

    def on_one_thread(self) -> Auto:
        """The same, with all backends on one thread."""
        return replace(self, threads=1)

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree of the backend that it picks."""
        return self.pick(problem).tree(problem)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*; see `latcover.cover.search.Backend`."""
        picked = self.pick(problem)
        left = math.inf if limits.seconds is None else limits.seconds
        if limits.covers != 1 or limits.branches is not None or left <= PATIENCE:
            return _named(picked, picked.search(problem, on_covers, limits, on_progress))
        pieces = Pieces(on_progress)
        outcome = picked.search(problem, on_covers, replace(limits, seconds=PATIENCE), pieces.next())
        if outcome.stop is not Stop.TIME_LIMIT:
            return _named(picked, outcome)
        other = create("cpsat")
        rest = replace(limits, seconds=None if limits.seconds is None else left - PATIENCE)
        outcome = other.search(problem, on_covers, rest, pieces.next())
        spent = f"{picked.name} found nothing in {PATIENCE:g} s; {other.name} went on"
        return _named(other, replace(outcome, notes=(*outcome.notes, spent)))


def _named(backend: Backend, outcome: Outcome) -> Outcome:
    return replace(outcome, backend=outcome.backend or backend.name)
