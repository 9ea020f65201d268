"""Choosing a backend for the task."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from latcover.backends import create
from latcover.backends.compiled import Stranding
from latcover.problem import CoverProblem
from latcover.search import Backend, Limits, OnCovers, OnProgress, Outcome


@dataclass(frozen=True, slots=True)
class Auto:
    """Picks the backend that suits the task, and says which.

    Dancing links, unless items are to be taken in their order: then the direct method walks the same tree faster.

    Attributes:
        size: As for `dlx` and `backtrack`.
        strand: As for these.
    """

    size: bool = True
    strand: Stranding = "no"

    @property
    def name(self) -> str:
        return "auto"

    def pick(self) -> Backend:
        """Who will search."""
        return create("dlx" if self.size else "backtrack", size=self.size, strand=self.strand)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*; see `latcover.search.Backend`."""
        picked = self.pick()
        outcome = picked.search(problem, on_covers, limits, on_progress)
        return dataclasses.replace(outcome, backend=outcome.backend or picked.name)
