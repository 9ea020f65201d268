"""A search that takes the options of a problem in another order, the same in every run."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, SearchTask

_GOLDEN = np.uint32(2654435769)  # the golden ratio, times 2 ** 32: its multiples spread evenly over all remainders


class Shuffled(Backend, frozen=True):
    """Lets *backend* search with the options in another order."""

    backend: Backend

    name = "another order of the options"
    honours_colours = True

    def search(self, task: SearchTask) -> SearchResult:
        """Find every cover; see `latcover.Backend`."""
        problem = task.problem
        keys = np.arange(1, problem.n_options + 1, dtype=np.uint32) * _GOLDEN
        order: Ints = np.argsort(keys, kind="stable").astype(np.int32)

        def receive(batch: Batch) -> bool:
            return task.on_covers(Batch(batch.starts, order[batch.options]))

        other = replace(task, problem=problem.with_options(order), on_covers=receive, veto=None, bar=None)
        result = self.backend.search(other)
        return replace(result, backend=result.backend or self.backend.name)
