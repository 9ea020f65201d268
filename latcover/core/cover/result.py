"""The result of a search, from a backend up to the user."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.cover.judged import NO_COVERS, JudgedCovers
from latcover.errors import counted, escaped

Certainty = Literal["exact", "at least", "not known"]
UNDER = {"all": "rotations and reflections", "rotations": "rotations"}


class Stop(StrEnum):
    """Why a search stopped. The verdict follows from it: no answer holds a verdict of its own beside its reason."""

    EXHAUSTED = "exhausted"
    SOLUTION_LIMIT = "solution limit"
    BRANCH_LIMIT = "branch limit"
    TIME_LIMIT = "time limit"
    CANCELLED = "cancelled"
    IMPOSSIBLE = "shown impossible"
    """By a simple argument; backends never return this."""
    NOT_PROVED = "not proved"
    """It went to its end, but did not examine everything that is asked about; backends never return this."""

    @property
    def is_complete(self) -> bool:
        """Whether all that was asked for was examined."""
        return self in (Stop.EXHAUSTED, Stop.IMPOSSIBLE)

    @property
    def verdict(self) -> str:
        """How the search ended, in words."""
        return verdict(self)


def verdict(stop: str) -> str:
    """How a search ended, in words: "complete", "not proved", or "cut short" and why. All reports take them from here.

    Args:
        stop: A `Stop`, or other words for why it is not complete.
    """
    if stop in (Stop.EXHAUSTED, Stop.IMPOSSIBLE):
        return "complete"
    return str(stop) if stop == Stop.NOT_PROVED else f"cut short: {stop}"


class SearchFigures(Struct, frozen=True):
    """Figures of a search.

    Attributes:
        covers: Covers found; more than the different solutions if some are images of others.
        branches: Options tried, including the last of each cover; None if the backend does not branch on options.
        dead_ends: Nodes at which some item can no longer be covered.
        deepest: The most options chosen at once.
        branches_by_level: Options tried as the first, the second, ... option of a cover.
        setup_seconds, search_seconds: The backend's own times, without judging.
        first_seconds: From the start of the search to its first cover; None without covers.
        check_seconds: The time for judging and checking.
        native: Further figures of this backend, such as conflicts.
    """

    covers: int = 0
    branches: int | None = 0
    dead_ends: int | None = 0
    deepest: int | None = None
    branches_by_level: tuple[int, ...] = ()
    setup_seconds: float = 0.0
    search_seconds: float = 0.0
    first_seconds: float | None = None
    check_seconds: float = 0.0
    native: Mapping[str, Any] = field(default_factory=dict)


class SearchResult(Struct, frozen=True):
    """The result of a search. The keys of its JSON form are a promise to scripts.

    A backend sets ``stop`` and ``figures``, perhaps ``backend`` and ``notes``; judging its covers adds the rest.

    Attributes:
        stop: EXHAUSTED if everything was found. A search that met a limit names it, even if nothing was left.
        figures: The figures of the search.
        backend: The backend that searched; "" if it is the chosen one.
        notes: Sentences for the user about requests that were met in another way.
        method: The method of counting; "enumeration" if covers were found one by one.
        different: Classes of covers found, under the chosen symmetries.
        total: Covers of the full problem in these classes.
        digest: A fingerprint of the set of covers that ``different`` counts. Runs with the same choices have equal
            digests if they found the same set, in any order.
        solutions: The solutions, if the search was to keep them.
        puzzle, symmetry, symmetries, pivot: See `latcover.core.cover.searchable.Searchable`.
        asked: The chosen backend.
        memory: The peak memory of the process, in bytes; None if the platform does not report it.
    """

    stop: Stop
    figures: SearchFigures = SearchFigures()
    backend: str = ""
    notes: tuple[str, ...] = ()
    method: str = "enumeration"
    different: int = 0
    total: int = 0
    digest: str = "0" * 16
    solutions: JudgedCovers = NO_COVERS
    puzzle: str = ""
    symmetry: str = "none"
    symmetries: int = 1
    pivot: str = ""
    asked: str = ""
    memory: int | None = None

    def __repr__(self) -> str:
        return f"<SearchResult: {self.headline()}>"

    @property
    def complete(self) -> bool:
        """Whether every solution was found. If not, see `different_is` and `total_is`."""
        return self.stop.is_complete

    @property
    def covers(self) -> int:
        """The covers of the figures; so are the next properties."""
        return self.figures.covers

    @property
    def branches(self) -> int | None:
        return self.figures.branches

    @property
    def branches_by_level(self) -> tuple[int, ...]:
        return self.figures.branches_by_level

    @property
    def dead_ends(self) -> int | None:
        return self.figures.dead_ends

    @property
    def native(self) -> Mapping[str, Any]:
        return self.figures.native

    @property
    def seconds(self) -> dict[str, float | None]:
        """The times of the figures by the names of the JSON form: setup, first, search, check."""
        return {name: getattr(self.figures, f"{name}_seconds") for name in ("setup", "first", "search", "check")}

    @property
    def different_is(self) -> Certainty:
        """Whether ``different`` is the exact number, a lower bound, or not known (it is then 0)."""
        return "exact" if self.complete else "at least" if self.different else "not known"

    @property
    def total_is(self) -> Certainty:
        """The same for ``total``.

        A count that lists nothing has no number before the exact one. It may be cut short later, before it knows how
        many solutions are different.
        """
        if self.complete or (self.method != "enumeration" and self.total):
            return "exact"
        return "at least" if self.total else "not known"

    def with_figures(self, **figures: Any) -> SearchResult:
        """The same with other figures."""
        return replace(self, figures=replace(self.figures, **figures))

    def headline(self) -> str:
        """The number of solutions, as far as it is known, in one line."""
        end = self.stop.verdict
        puzzle = escaped(self.puzzle)
        if self.different_is == self.total_is == "not known":
            return f"{puzzle}: number of solutions not known ({end})"
        different = f"{_at_least(self.different_is)}{counted(self.different, 'solution')}"
        if self.symmetry not in UNDER:
            return f"{puzzle}: {different} in all ({end})"
        total = f"{_at_least(self.total_is)}{self.total:,} in all"
        return f"{puzzle}: {different} different under {UNDER[self.symmetry]}, {total} ({end})"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        names = (
            *("puzzle", "backend", "complete", "stop", "symmetry", "different", "total", "covers", "branches"),
            *("method", "seconds", "native", "symmetries", "pivot", "dead_ends", "branches_by_level", "asked"),
            *("digest", "memory", "notes"),
        )
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SearchResult:
        """The inverse of `as_json`, on parsed JSON.

        Raises:
            ValueError, KeyError: a value is missing or has the wrong type.
        """
        import msgspec  # only stored results need it

        figures = {name: data[name] for name in ("covers", "branches", "dead_ends", "branches_by_level", "native")}
        figures |= {f"{name}_seconds": data["seconds"][name] for name in ("setup", "first", "search", "check")}
        names = ("stop", "backend", "method", "different", "total", "digest", "puzzle", "symmetry", "symmetries")
        values = {name: data[name] for name in (*names, "pivot", "asked", "memory")}
        return msgspec.convert({**values, "notes": data.get("notes", ()), "figures": figures}, cls)


def _at_least(certainty: Certainty) -> str:
    return "at least " if certainty == "at least" else ""
