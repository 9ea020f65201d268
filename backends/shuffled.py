"""A search that takes the options of a problem in another order, the same in every run."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Backend, Batch, Limits, OnCovers, OnProgress

_GOLDEN = np.uint32(2654435769)  # the golden ratio, times 2 ** 32: its multiples spread evenly over all remainders


class Shuffled(Backend, frozen=True):
    """Lets *backend* search with the options in another order."""

    backend: Backend

    name = "another order of the options"
    honours_colours = True

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        keys = np.arange(1, problem.n_options + 1, dtype=np.uint32) * _GOLDEN
        order: Ints = np.argsort(keys, kind="stable").astype(np.int32)
        sizes = np.diff(problem.option_starts)[order]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        at = np.repeat(problem.option_starts[:-1][order] - starts[:-1], sizes) + np.arange(starts[-1])
        colours = problem.option_colours[at] if problem.has_colours else problem.option_colours
        other = replace(problem, option_starts=starts, option_items=problem.option_items[at], option_colours=colours)

        def receive(batch: Batch) -> bool:
            options: Ints = order[batch.options]
            return on_covers(Batch(batch.starts, options))

        result = self.backend.search(other, receive, limits, on_progress)
        return replace(result, backend=result.backend or self.backend.name)
