"""That there is no solution, said by one solver that is not latcover's own: checked where that is cheap."""

from __future__ import annotations

from msgspec.structs import replace

from latcover.core.cover.cover_costs import MOST_COST
from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.cover.solver_registry import create
from latcover.errors import BackendFailedError

CHECKER = "bitset"
CHEAP = Limits(branches=20_000, seconds=1.0)


def crosschecked(who: str, task: SearchTask, result: SearchResult) -> SearchResult:
    """The result of a search that found no cover and says that there is none.

    Args:
        who: What its word is.
        task: What it was asked.

    Returns:
        The same; with a note if latcover's own search neither found a cover nor came to its end.

    Raises:
        BackendFailedError: there is one.
    """
    if task.bar is not None and task.bar.most < MOST_COST:
        return result  # others were found before, and cheaper ones were wanted
    found: list[Ints] = []

    def take(batch: Batch) -> bool:
        found.extend(cover for cover in batch if task.veto is None or not task.veto.clauses(cover))
        return not found

    checked = create(CHECKER, threads=1).search(SearchTask(task.problem, take, CHEAP, task.on_progress))
    if found:
        raise BackendFailedError(
            f"{who} says that there is no solution, but there is one: the options {found[0].tolist()}, which {CHECKER} "
            "has found; its answers cannot be trusted: choose another solver"
        )
    if checked.complete:
        return result
    tried = f"{checked.branches:,} branches of {CHECKER} have not found one"
    return replace(result, notes=(*result.notes, f"that there is no solution rests on {who} alone: {tried}"))
