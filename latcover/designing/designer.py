"""The common way of all designs: candidates are counted, those wanted are verified, ranked and handed on."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from latcover.backends import DEFAULT, create
from latcover.cover.search import Backend, Limits, OnProgress, Progress, Stop
from latcover.designing.counting import Count, Counter
from latcover.designing.ledger import Ledger, Nowhere
from latcover.designing.wanted import Candidate, Design, Looking, Summary, Wanted
from latcover.encoding.prepared import Choices
from latcover.model.puzzle import Bounds
from latcover.system.machine import threads_to_start

MOST_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Means:
    """What a design may use.

    Attributes:
        backend: Finds the solutions; None leaves the choice open.
        limits: ``covers`` limits the designs that are shown, ``seconds`` the time.
        threads: How many candidates are counted at once; None takes the available processors.
        most_bytes: The memory for the table of an exhaustive search.
        states: How many positions of pieces to examine for the level of a solution.
        in_plane: Whether pieces that lie in a plane must stay in it.
        choices: Which symmetries make solutions, mirror images of sets, and regions count as the same.
        bounds: How much a family may ask for.
        ledger: Keeps what was found out; None keeps nothing.
        on_begin: Receives the summary at the start; it is kept up to date.
        on_design: Receives each design that is shown.
        on_progress: May stop the search by returning False.
    """

    backend: Backend | None = None
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None
    most_bytes: int = MOST_BYTES
    states: int = 10_000_000
    in_plane: bool = False
    choices: Choices = field(default_factory=Choices)
    bounds: Bounds | None = None
    ledger: Ledger | None = None
    on_begin: Callable[[Summary], None] | None = None
    on_design: Callable[[Design], None] | None = None
    on_progress: OnProgress | None = None


@dataclass(slots=True)
class Designs:
    """The designs that were shown, in their order, and a summary."""

    designs: list[Design]
    summary: Summary

    def __iter__(self) -> Iterator[Design]:
        return iter(self.designs)

    def __len__(self) -> int:
        return len(self.designs)


class Designer(ABC):
    """Finds designs.

    Attributes:
        samples: After how many candidates it ends; None if it looks at all of them.
        stop: Why it ends early.
    """

    def __init__(self, wanted: Wanted, looking: Looking, means: Means | None) -> None:
        self.wanted, self.looking, self.means = wanted, looking, means or Means()
        self.backend = self.means.backend or create(DEFAULT)
        self.begun = time.perf_counter()
        seconds = self.means.limits.seconds
        until = None if seconds is None else self.begun + seconds
        self.stop: Stop | None = None
        self.samples: int | None = None
        ledger: Ledger = Nowhere() if self.means.ledger is None else self.means.ledger
        alone = self.backend.on_one_thread()
        self.counter = Counter(self.means.choices, alone, ledger, until, self.may_go_on, looking.branches)
        self.threads, _ = threads_to_start(self.means.threads)
        self.summary = Summary("", "", 0)

    @abstractmethod
    def found(self) -> Iterator[Design]:
        """The designs that are wanted, checked, in the order found; the summary is kept meanwhile."""

    def run(self) -> Designs:
        """Hand each design on that is to be shown."""
        if self.means.on_begin is not None:
            self.means.on_begin(self.summary)
        shown: list[Design] = []
        for each in self._shown():
            shown.append(each)
            if self.means.on_design is not None:
                self.means.on_design(each)
        return Designs(shown, self._ended(len(shown)))

    def may_go_on(self) -> bool:
        """Report the progress, and ask whether to go on."""
        on_progress = self.means.on_progress
        if self.stop is None and on_progress is not None:
            summary = self.summary
            share = min(1.0, summary.counted / self.samples) if self.samples else None
            if not on_progress(Progress(share, None, summary.sets, time.perf_counter() - self.begun)):
                self.stop = Stop.CANCELLED
        until = self.counter.until
        if self.stop is None and until is not None and time.perf_counter() >= until:
            self.stop = Stop.TIME_LIMIT
        return self.stop is None

    def _shown(self) -> Iterator[Design]:
        ranked = self._ranked() if self.wanted.sort or self.wanted.extreme else self.found()
        most, kept = self.means.limits.covers, self.wanted.keep
        if 0 in (most, kept):
            return
        for number, each in enumerate(ranked, 1):
            yield each
            if number == most:
                self.stop = self.stop or Stop.SOLUTION_LIMIT
            if number in (most, kept):
                return

    def drawn(
        self,
        source: Iterator[tuple[Candidate, Count]],
        make: Callable[[Candidate, Count], Design],
        *,
        to_the_last: bool = True,
    ) -> Iterator[Design]:
        """The designs among candidates that were counted one by one.

        Args:
            source: The candidates; one that comes again is passed over.
            make: Makes a design of one.
            to_the_last: Whether the source ends when there is no other candidate.
        """
        summary, seen = self.summary, set()
        for candidate, count in source:
            if not self.may_go_on():
                return
            if candidate.name in seen:
                continue
            seen.add(candidate.name)
            summary.counted += 1
            summary.given_up += bool(count.stop)
            summary.sets += count.solutions > 0
            summary.unique = (summary.unique or 0) + (count.exact and count.solutions == 1)
            if self._is_wanted(count) and (checked := self.checked(make(candidate, count))) is not None:
                yield checked
            if summary.counted == self.samples:
                self.stop = Stop.BRANCH_LIMIT
                return
        summary.complete = to_the_last and not summary.given_up

    @property
    def limit(self) -> int | None:
        """How many solutions of a candidate to count, so that it is known whether it is wanted."""
        wanted = self.wanted
        if wanted.extreme is not None or wanted.sort == "solutions":
            return None
        return max(2, wanted.at_least, (wanted.at_most or 0) + 1)

    def _is_wanted(self, count: Count) -> bool:
        if count.stop or not count.solutions or not self.wanted.takes(count.solutions):
            return False
        return count.exact or self.wanted.at_most is None

    def checked(self, made: Design) -> Design | None:
        """The design: counted again if it is said to have one solution, with its level if wanted; None if it falls."""
        if made.exact and (made.solutions == 1 or self.wanted.sort == "branches"):
            again = self.counter.verified(made)
            if again is None:
                self.stop = self.stop or Stop.TIME_LIMIT
                return None
            made = again
        if self.wanted.needs_level:
            least = self.wanted.min_level
            level = self.counter.with_level(made, self.means.states, self.means.in_plane, least)
            if level is None or (least and (level.level is None or level.level < least)):
                # A design that falls because its level is not known may be one that is wanted.
                self.summary.given_up += level is not None and level.assemblable is None and self.may_go_on()
                return None
            made = level
        return made

    def _ranked(self) -> Iterator[Design]:
        """The designs in the order wanted."""
        found = list(self.found())
        if self.wanted.extreme is not None and found:
            best = (min if self.wanted.extreme == "fewest" else max)(each.solutions for each in found)
            found = [each for each in found if each.solutions == best]
        keys: dict[str | None, Callable[[Design], Any]] = {
            "solutions": lambda each: each.solutions,
            "level": lambda each: [-n for n in each.level or ()] or [0],
            "branches": lambda each: -(each.branches or 0),
            "parts": lambda each: -len(each.parts),
            None: lambda _: 0,
        }
        key = keys[self.wanted.sort]
        return iter(sorted(found, key=lambda each: (key(each), each.candidate.place)))

    def _ended(self, shown: int) -> Summary:
        summary = self.summary
        summary.complete = summary.complete and self.stop is None
        summary.stop = "exhausted" if summary.complete else self._why()
        summary.shown = shown
        summary.seconds = time.perf_counter() - self.begun
        return summary

    def _why(self) -> str:
        if self.stop is Stop.BRANCH_LIMIT:
            return "all samples counted"
        if self.stop is Stop.SOLUTION_LIMIT:
            return "enough designs"
        if self.stop is None:
            return "some were given up" if self.summary.given_up else "nothing new was met"
        return str(self.stop.value)
