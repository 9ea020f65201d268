"""All solutions of a puzzle as a diagram: drawn by chance, taken by their number, and counted for each placement.

*All* solutions are meant, not one of each class under symmetry; each of them counts once.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import create
from latcover.backends.frontier import WORK_OF_A_BRANCH, can_count, make_diagram, orders_of
from latcover.backends.probing import expected_branches
from latcover.core.cover.counter import MOST_BYTES
from latcover.core.cover.diagram import BYTES_OF_AN_ENTRY, Diagram, diagram_of, level_order
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, Pieces, SearchTask
from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.cover.simpler import part_by_part, without_implied_item
from latcover.core.cover.time_limit import for_preparing, time_limit
from latcover.core.cover.veto import passes, require_no_veto
from latcover.core.encoding.prepared import Choices, Prepared, made_ready
from latcover.core.model.puzzle import Bounds
from latcover.core.model.request_values import Megabytes, Request, Seconds
from latcover.core.solving import guard
from latcover.core.solving.collector import Verified
from latcover.core.solving.search_request import Subject
from latcover.errors import TooLargeError, UnsupportedError, counted, escaped
from latcover.files.formats.library import subject_called

S = TypeVar("S", bound=AnySolution)
FIRST_BRANCHES = 10_000  # of the list, and as much work of the frontier, in their first turns
MARGIN = 4  # how many times as much in the next
AT_ONCE = 500  # solutions that are drawn together


class DiagramRequest(Request, frozen=True, kw_only=True):
    """How to make the diagram of all solutions. Plain data, as in JSON.

    Attributes:
        given: Only solutions with these placements; see `latcover.Choices`.
        method: "frontier" sweeps over the puzzle, "enumeration" lists every solution; "auto" takes what is faster.
        memory: The most memory, in megabytes.
        seconds: Stop after so long.
    """

    given: tuple[str, ...] = ()
    method: Literal["auto", "frontier", "enumeration"] = "auto"
    memory: Megabytes = MOST_BYTES // 1_000_000
    seconds: Seconds | None = None


class AllSolutions(Struct, Generic[S], frozen=True, eq=False, dict=True):
    """All solutions of a puzzle, or covers of a bare problem, without a list of them.

    Attributes:
        subject: What they solve, in full: every cover is a solution.
        found: The diagram of all covers; None if the work was cut short.
        method: How they were found: "frontier" or "enumeration".
        stop: EXHAUSTED, or why the work was cut short.
        seconds: How long it took.
    """

    subject: Searchable[S]
    found: Diagram | None
    method: str
    stop: Stop
    seconds: float

    def __repr__(self) -> str:
        many = counted(self.total, "solution") if self.found is not None else self.stop.verdict
        return f"<AllSolutions of {escaped(self.subject.name)}: {many}>"

    @property
    def complete(self) -> bool:
        """Whether these are all solutions."""
        return self.stop.is_complete

    @property
    def diagram(self) -> Diagram:
        """The diagram of all covers.

        Raises:
            UnsupportedError: the work was cut short.
        """
        if self.found is None:
            raise UnsupportedError(
                f"{self.subject.name}: {self.stop.verdict} before all solutions were known, and "
                "nothing can be drawn from a part of them"
            )
        return self.found

    @property
    def total(self) -> int:
        """How many solutions there are in all."""
        return self.diagram.total

    @cached_property
    def _verified(self) -> Verified[S]:
        return Verified(self.subject)

    def nth(self, *numbers: int) -> list[S]:
        """The solutions of these numbers, from 1 to `total`, in the order of the diagram; verified.

        Raises:
            UnsupportedError: there is no solution of such a number, or the work was cut short.
        """
        for number in numbers:
            if not 1 <= number <= self.total:
                raise UnsupportedError(
                    f"{self.subject.name} has {self.total:,} solutions in all, so there is no number {number:,}"
                )
        starts, members = self.subject.members(self.diagram.covers([number - 1 for number in numbers]))
        self._verified.require(starts, members)
        listed = members.tolist()
        return [
            self._verified.shown(listed[a:b], number, 1, 1)
            for number, a, b in zip(numbers, starts.tolist(), starts[1:].tolist(), strict=False)
        ]

    def sample(self, number: int = 1, seed: int = 0) -> list[S]:
        """Draw solutions, each from all of them alike and independently of the others; verified.

        The same seed draws the same solutions everywhere. Their numbers are those of `nth`.

        Raises:
            UnsupportedError: there is no solution to draw, or the work was cut short.
        """
        return [*self.drawn(number, seed)]

    def drawn(self, number: int, seed: int = 0) -> Iterator[S]:
        """The same one by one: only so many are in memory as are drawn together."""
        if number and not self.total:
            raise UnsupportedError(f"{self.subject.name} has no solution to draw")
        dice, bits = random.Random(seed), (self.total - 1).bit_length()
        for begun in range(0, number, AT_ONCE):
            ranks: list[int] = []
            while len(ranks) < min(AT_ONCE, number - begun):  # one beyond the last is drawn again, so all are alike
                rank = dice.getrandbits(bits) if bits else 0
                if rank < self.total:
                    ranks.append(rank + 1)
            yield from self.nth(*ranks)

    def with_each_member(self) -> list[int]:
        """How many solutions have each placement, or option of a bare problem, by their indices."""
        found = [0] * self.subject.n_members
        options = np.arange(self.subject.problem.n_options)
        starts, members = self.subject.members(Batch(np.arange(len(options) + 1), options.astype(np.int32)))
        counts = self.diagram.covers_with_each_option()
        for option in np.flatnonzero(np.diff(starts)).tolist():
            found[members[starts[option]]] = counts[option]
        return found


def all_solutions(
    subject: Subject,
    request: DiagramRequest = DiagramRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> AllSolutions[Any]:
    """All solutions of *subject*, to draw from and to count; a prepared puzzle keeps its own placements that are given.

    Args:
        subject: The puzzle or problem.
        request: How to find them, and the limits.
        events: Receives the progress.
        bounds: How much a puzzle may ask for.

    Raises:
        PuzzleError: the puzzle contradicts itself, or asks for too much.
        UnsupportedError: the method cannot take this puzzle.
        TooLargeError: there are too many solutions to list, and the puzzle is too wide to be swept.
    """
    events.on_stage("placing the parts")
    if not isinstance(subject, Prepared):
        with time_limit(for_preparing(request.seconds), events):
            ready = made_ready(subject_called(subject, bounds), Choices("none", given=request.given), bounds)
    else:
        ready = subject.in_full()
    events.on_stage("searching", ready)
    return _Making(ready, request, events.on_progress).made()


def sample(
    subject: Subject,
    number: int = 1,
    seed: int = 0,
    request: DiagramRequest = DiagramRequest(),
) -> list[Any]:
    """Draw solutions of *subject*, each from all of them alike; see `AllSolutions.sample` and `all_solutions`."""
    return all_solutions(subject, request).sample(number, seed)


class _Making:
    """Makes the diagram of all covers; sweeping and listing take turns, with budgets that grow, until one ends."""

    def __init__(self, subject: Searchable[Any], request: DiagramRequest, on_progress: OnProgress) -> None:
        self._subject, self._request, self._pieces = subject, request, Pieces(on_progress)
        self._most_bytes = request.memory * 1_000_000
        self._simple = without_implied_item(subject.problem)
        self._order = part_by_part(self._simple, orders_of(self._simple).items[0])
        self._start = time.perf_counter()

    def made(self) -> AllSolutions[Any]:
        ways: list[Callable[[float], AllSolutions[Any] | None]] = [self._swept, self._listed]
        refuses = self._subject.veto is not None
        if refuses and self._request.method == "frontier":
            require_no_veto("the frontier", self._subject.name, self._subject.veto)
        if refuses or self._request.method != "auto" or not can_count(self._simple):
            ways = [self._swept if self._request.method == "frontier" else self._listed]
        budget, expected = float(FIRST_BRANCHES), 0.0
        faults: list[str] = []
        while ways:
            for way in [*ways]:
                try:
                    found = way(math.inf if len(ways) == 1 else budget)
                except UnsupportedError as fault:
                    ways.remove(way)
                    faults.append(str(fault))
                    continue
                if found is not None:
                    return found
            expected = expected or expected_branches(self._simple, self._left())
            budget = max(MARGIN * budget, expected)
        raise TooLargeError(f"{self._subject.name}: {'; '.join(faults)}; allow more with --memory")

    def _left(self) -> Limits:
        most = self._request.seconds
        return Limits(seconds=None if most is None else max(0.0, most - (time.perf_counter() - self._start)))

    def _swept(self, budget: float) -> AllSolutions[Any] | None:
        """By the frontier, with as much work as so many branches take; None if that does not suffice."""
        made = make_diagram(
            self._simple,
            self._order,
            self._left(),
            self._pieces.next(),
            most_bytes=self._most_bytes,
            most_work=WORK_OF_A_BRANCH * budget,
        )
        return None if made.stop is Stop.BRANCH_LIMIT else self._result(made.diagram, "frontier", made.stop)

    def _listed(self, budget: float) -> AllSolutions[Any] | None:
        """By listing all covers in so many branches; None if these do not suffice."""
        found: list[Batch] = []
        room = self._most_bytes // BYTES_OF_AN_ENTRY

        def take(batch: Batch) -> bool:
            nonlocal room
            batch = batch.at(np.flatnonzero(passes(self._subject.veto, *self._subject.members(batch))))
            room -= len(batch.options) + len(batch)
            found.append(batch)
            return room >= 0

        limits = replace(self._left(), branches=None if math.isinf(budget) else math.ceil(budget))
        result = guard.search(create("bitset"), SearchTask(self._subject.problem, take, limits, self._pieces.next()))
        if room < 0:
            raise TooLargeError(f"its solutions are too many to list in {self._request.memory:,} MB")
        if result.stop is Stop.BRANCH_LIMIT:
            return None
        levels = level_order(self._simple, self._order)
        made = diagram_of(Batch.joined(found), levels) if result.complete else None
        return self._result(made, "enumeration", result.stop)

    def _result(self, diagram: Diagram | None, method: str, stop: Stop) -> AllSolutions[Any]:
        return AllSolutions(self._subject, diagram, method, stop, time.perf_counter() - self._start)
