"""Finds the solutions of a puzzle."""

from __future__ import annotations

from latcover.core.cover.backend import Backend
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import OnProgress
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import run
from latcover.core.solving.search_request import SearchRequest, Subject


class SolveRequest(SearchRequest, frozen=True, kw_only=True):
    """A search that delivers every different solution.

    Attributes:
        images: Whether to deliver all images of each solution, not one of each class.
    """

    BESIDE_THE_QUESTION = SearchRequest.BESIDE_THE_QUESTION | {"images"}

    images: bool = False


def solve(
    subject: Subject,
    request: SolveRequest = SolveRequest(),
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
) -> SearchResult:
    """Find the solutions of *subject*; ``events.on_solution`` receives each, verified.

    Args:
        subject: The puzzle or problem to search.
        request: The encoding, the backend and the limits.
        events: Receives the solutions and the progress.
        solver: A backend to use instead of the request's, such as one of the caller's own.
        bounds: How much a puzzle may ask for.

    Raises:
        PuzzleError: the puzzle contradicts itself, or asks for too much.
        UnsupportedError: the backend cannot search it.
        BackendFailedError: the backend broke down, or handed over a set of options that is not a cover.
    """
    solver = solver or request.solver()
    ready = request.ready(subject, events, bounds)

    def search(on_progress: OnProgress) -> SearchResult:
        return run(
            ready,
            solver,
            request.limits,
            events.on_solution,
            images=request.images,
            on_progress=on_progress,
            on_batch_end=events.on_batch_end,
        )

    return forestalled(ready, search, events.on_progress, anyway=request.anyway)
