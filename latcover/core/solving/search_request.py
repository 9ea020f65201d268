"""The common part of all requests: the encoding of a puzzle, the backend, and the limits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import field

from latcover.core.cover.backend import Backend
from latcover.core.cover.events import Events
from latcover.core.cover.handed_in import handed_in
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.search import Limits
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import create
from latcover.core.encoding.prepared import Choices, Prepared, made_ready
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.request_values import Natural, ReductionMethod, Request, Seconds, SymmetryChoice

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals

Subject = str | Path | Puzzle | NamedProblem | Searchable[Any]
"""What can be searched: a puzzle, or its name or path; a bare problem; or a puzzle that is prepared already."""


class Library(Protocol):
    """Reads what names and paths stand for. The package hands it in, since the core reads no files."""

    def subject_called(
        self, given: object, bounds: Bounds | None = None, *, fits: bool = True
    ) -> Puzzle | NamedProblem:
        """What a function is given as a puzzle: itself, or what a shipped name or a file's path stands for.

        Without *fits*, the volume of the parts need not be one that the region needs.
        """

    def goals_called(self, given: object, bounds: Bounds | None = None) -> Goals:
        """The goals that a function is given, or those of a puzzle file that has some."""

    def puzzle_called(self, given: object, bounds: Bounds | None = None) -> Puzzle:
        """The same, for what a bare cover problem will not do."""


def library() -> Library:
    """The library that was handed in."""
    found: Library = handed_in("library")
    return found


class EncodingRequest(Request, frozen=True, kw_only=True):
    """How to encode a puzzle as a cover problem. Plain data, as in JSON.

    Attributes:
        symmetry, reduction, pivot, order, given, rules: See `latcover.Choices`; a prepared puzzle keeps its own.
    """

    symmetry: SymmetryChoice = "all"
    reduction: ReductionMethod = "auto"
    pivot: str | None = None
    order: tuple[int, ...] | None = None
    given: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def choices(self) -> Choices:
        """The same, for `prepare`."""
        return Choices(self.symmetry, self.reduction, self.pivot, self.order, self.given, self.rules)


class ProblemRequest(EncodingRequest, frozen=True, kw_only=True):
    """The encoding, and the backend that searches.

    Attributes:
        backend, options: The name of the backend, and its options.
        anyway: Whether to search even if a simple argument shows that there is no solution.
    """

    BESIDE_THE_QUESTION = frozenset(("anyway",))

    backend: str = "auto"
    options: dict[str, str | int | float | bool] = field(default_factory=dict)
    anyway: bool = False

    def solver(self) -> Backend:
        """The backend.

        Raises:
            UnsupportedError, BackendUnavailableError: it does not exist, or refuses the options.
        """
        return create(self.backend, **self.options)

    def ready(
        self, subject: Subject, events: Events, bounds: Bounds | None = None, *, fits: bool = True
    ) -> Searchable[Any]:
        """The subject, ready to be searched. Without *fits*, also one whose volume cannot fit.

        Raises:
            PuzzleError: the puzzle contradicts itself, or asks for more than *bounds*.
        """
        if not isinstance(subject, Prepared):
            subject = library().subject_called(subject, bounds, fits=fits)
            if isinstance(subject, Puzzle):
                events.on_stage("placing the parts")
            subject = made_ready(subject, self.choices, bounds, fits=fits)
        events.on_stage("searching", subject)
        return subject


class SearchRequest(ProblemRequest, frozen=True, kw_only=True):
    """A search with limits.

    Attributes:
        limit: Stop after so many different solutions.
        branches: Stop after so many branches.
        seconds: Stop after so long.
    """

    BESIDE_THE_QUESTION = ProblemRequest.BESIDE_THE_QUESTION | {"limit", "branches", "seconds"}

    limit: Natural | None = None
    branches: Natural | None = None
    seconds: Seconds | None = None

    @property
    def limits(self) -> Limits:
        """The limits, for a backend."""
        return Limits(self.limit, self.branches, self.seconds)
