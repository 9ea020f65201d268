"""The counter that chooses a method. What it chooses from is loaded when a count begins."""

from __future__ import annotations

from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.simpler import depends_on_cells_alone


class AutoCounter(Counter, frozen=True):
    """Lets an enumeration and the frontier take turns: the one that seems to have less work left goes on."""

    name = "auto"
    honours_colours = True
    keeps_states = True

    def why_not(self, problem: CoverProblem) -> str:
        """Parts with items let the frontier grow without bounds that are known beforehand."""
        return "" if depends_on_cells_alone(problem) else "needs parts that may all be used without limit"

    def count(self, task: CountTask) -> SearchResult:
        """Count by turns; see `latcover.backends.counting_race`."""
        from latcover.backends.counting_race import CountingRace

        return CountingRace(task).result()
