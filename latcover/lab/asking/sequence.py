"""Counts the solutions of a family of puzzles, size after size, each term by two methods where that is affordable."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from latcover.core.cover.counter import MOST_BYTES, Budget
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits
from latcover.core.cover.time_limit import look_at_clock, stop_of, time_limit
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.puzzle import Bounds
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.request_values import DiskMegabytes, Megabytes, Natural, Request, Seconds, SymmetryChoice
from latcover.core.solving.count import count_prepared
from latcover.errors import LatcoverError, OutOfTimeError, UnsupportedError
from latcover.files.formats.library import family_called, load_member
from latcover.files.formats.puzzle_files.puzzle_family import PuzzleFamily
from latcover.lab.asking.certificates import certify_count
from latcover.system.files import plain_name

BY_VOLUME = "volume"
MOST_LISTED = 1_000_000  # solutions that a check meets one by one
CHECKS: tuple[str, ...] = ("enumeration", "kasteleyn", "memo", "components", "frontier")


class SequenceRequest(Request, frozen=True, kw_only=True):
    """The terms to count.

    Attributes:
        first, last: The sizes; *first* is by default the family's least.
        symmetry: "none" counts all solutions; otherwise those that no such symmetry makes of each other.
        method, memory: As in a `CountRequest`.
        seconds: The most for all terms together.
        check: The most seconds that a second method may take for each term; 0 leaves checks out.
        certificates: A folder for a certificate of each term; a term whose parts cannot have the volume has none.
    """

    first: Natural | None = None
    last: Natural
    symmetry: SymmetryChoice = "none"
    method: str = "auto"
    memory: Megabytes = MOST_BYTES // 1_000_000
    disk: DiskMegabytes = 0
    seconds: Seconds | None = None
    check: Seconds = 10.0
    certificates: Path | None = None


class Term(Struct, frozen=True):
    """A term of a sequence.

    Attributes:
        n: The size.
        value: The number of solutions; None if the count was cut short.
        seconds: How long the count took.
        method: Which method counted; "volume" if the cells of the parts cannot add up to the region.
        checked_by: Another method that gave the same number; None if none was affordable.
        states, bytes: The most states at once and their memory, if the frontier counted.
        published: The number that the file gives; None if it gives none.
        stop: Why a count was cut short.
        digest: Of the certificate, if one was written.
    """

    n: int
    value: int | None
    seconds: float
    method: str
    checked_by: str | None = None
    states: int | None = None
    bytes: int | None = None
    published: int | None = None
    stop: Stop = Stop.EXHAUSTED
    digest: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The term as data; the keys are a promise to scripts."""
        return {
            "n": self.n,
            "value": self.value,
            "seconds": round(self.seconds, 3),
            "checked_by": self.checked_by,
            "method": self.method,
            "states": self.states,
            "bytes": self.bytes,
            "published": self.published,
            "stop": str(self.stop),
            "certificate_sha256": self.digest,
        }


class DisagreementError(LatcoverError):
    """Two methods, or a count and the published term, differ."""


def sequence(
    family: PuzzleFamily | str, request: SequenceRequest, events: Events = SILENT, *, bounds: Bounds | None = None
) -> Iterator[Term]:
    """Count the puzzles of *family*, a name or a file, in order of size. A count that is cut short ends the sequence.

    Raises:
        PuzzleError: a puzzle is at fault, or asks for more than *bounds*.
        UnsupportedError: the method cannot count them.
        DisagreementError: a term differs from another method's, or from the published one.
    """
    family = family_called(family)
    begun = time.perf_counter()
    for n in range(family.start if request.first is None else request.first, request.last + 1):
        spent = time.perf_counter() - begun
        left = None if request.seconds is None else max(0.0, request.seconds - spent)
        term = _term(family, n, request, Limits(seconds=left), events, bounds)
        known = term.published if request.symmetry == "none" else None
        if known is not None and term.value not in (None, known):
            found = f"{term.value:,} solutions of size {n}, by {term.method}"
            raise DisagreementError(f"{family.name}: {found}; its file says {known:,}")
        yield term
        if term.value is None:
            return


def _term(
    family: PuzzleFamily, n: int, request: SequenceRequest, limits: Limits, events: Events, bounds: Bounds | None
) -> Term:
    start, published = time.perf_counter(), family.published.get(n)
    try:
        with time_limit(limits.seconds, events):
            look_at_clock()
            puzzle = load_member(family, n, bounds)
            if not puzzle.parts or cannot_fill(puzzle):
                return Term(n, 0, time.perf_counter() - start, BY_VOLUME, published=published)
            prepared = prepare(puzzle, Choices(request.symmetry), bounds)
    except OutOfTimeError as fault:
        return Term(n, None, time.perf_counter() - start, "", published=published, stop=stop_of(fault))
    events.on_stage(f"counting size {n}", prepared)
    found = _counted(prepared, request, request.method, limits, events)
    seconds, native = time.perf_counter() - start, found.figures.native
    if not found.complete:
        return Term(n, None, seconds, found.method, published=published, stop=found.stop)
    checked_by = _checked(prepared, found, request, events) if request.check else None
    digest = None
    if request.certificates is not None:
        left = None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - start))
        path = request.certificates / f"{plain_name(puzzle.name, family.name)}.count"
        written = certify_count(prepared, path, found, events, seconds=left, budget=_budget(request))
        if isinstance(written, Stop):
            return Term(n, None, seconds, found.method, published=published, stop=written)
        digest = written.digest
    states, memory = native.get("states"), native.get("bytes")
    return Term(n, found.different, seconds, found.method, checked_by, states, memory, published, digest=digest)


def _counted(prepared: Prepared, request: SequenceRequest, method: str, limits: Limits, events: Events) -> SearchResult:
    return count_prepared(prepared, None, limits, events.on_progress, method=method, budget=_budget(request))


def _budget(request: SequenceRequest) -> Budget:
    return Budget(request.memory * 1_000_000, request.disk * 1_000_000)


def _checked(prepared: Prepared, found: SearchResult, request: SequenceRequest, events: Events) -> str | None:
    """The first other method that ends within the time for checks; None if none does.

    Raises:
        DisagreementError: it counts another number.
    """
    begun = time.perf_counter()
    for method in CHECKS:
        left = request.check - (time.perf_counter() - begun)
        too_many = method == "enumeration" and found.different > MOST_LISTED
        if method == found.method or too_many or left <= 0:
            continue
        try:
            again = _counted(prepared, request, method, Limits(seconds=left / 2), events)
        except UnsupportedError:
            continue
        if again.complete and again.different != found.different:
            both = f"{found.different:,} by {found.method}, but {again.different:,} by {method}"
            raise DisagreementError(f"{prepared.name}: {both}; this is a fault of latcover")
        if again.complete or again.stop is Stop.CANCELLED:
            return method if again.complete else None
    return None
