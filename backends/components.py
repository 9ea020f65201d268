"""Counting covers by components with a memo: see native/cover/components.hpp."""

from __future__ import annotations

from latcover.backends import _native
from latcover.backends.compiled import count_reports_for, native_problem, nodes_in
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.result import SearchResult
from latcover.errors import UnsupportedError

BRANCHES_OF_A_NODE = 64  # of an enumeration: they take about as long
FIGURES = ("nodes", "splits", "memo_entries", "memo_bytes", "memo_hits")


class ComponentCounter(Counter, frozen=True):
    """Counts the components of what is left one by one, and remembers them. When its memo is full, it forgets."""

    name = "components"

    def count(self, task: CountTask) -> SearchResult:
        """Count; see `latcover.Counter`. There may be less than 2**256 covers in one component."""
        try:
            found = _native.components_count(
                native_problem(task.problem),
                most_bytes=task.budget.most_bytes,
                max_nodes=nodes_in(task.limits, BRANCHES_OF_A_NODE),
                max_seconds=task.limits.seconds,
                on_progress=count_reports_for(task.on_progress),
            )
        except OverflowError as fault:
            raise UnsupportedError(str(fault)) from None
        return self.result(found.covers, found.stop, **{name: getattr(found, name) for name in FIGURES})
