"""The common way of all designs: candidates are counted, those wanted are verified, ranked and handed on."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from latcover.backends import create, describe
from latcover.core.cover.backend import Backend
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.encoding.prepared import Choices
from latcover.lab.designing.candidate_counts import Count, Counter
from latcover.lab.designing.design_requests import DesignRequest
from latcover.lab.designing.design_results import NO_RESULTS, DesignResults
from latcover.lab.designing.designs import Candidate, Design, Designs, DesignSummary
from latcover.system.machine import threads_to_start


class Designer(ABC):
    """Finds designs.

    Attributes:
        samples: After how many candidates it ends; None if it looks at all of them.
        stop: Why it ends early.
        saw_all: Whether it came to the last candidate, and gave none up.
    """

    def __init__(self, request: DesignRequest, events: Events = SILENT, ledger: DesignResults = NO_RESULTS) -> None:
        self.goal, self.events, self.ledger = request, events, ledger
        self.choices = Choices(symmetry=request.symmetry)
        self.backend = _backend(request)
        self.begun = time.perf_counter()
        until = None if request.seconds is None else self.begun + request.seconds
        self.stop: Stop | None = None
        self.saw_all = False
        self.samples: int | None = None
        self.counter = Counter(
            self.choices,
            self.backend.on_one_thread(),
            ledger,
            until,
            self.may_go_on,
            request.branches,
        )
        self.threads, _ = threads_to_start(request.threads)
        self.summary = DesignSummary("", "", 0)

    @abstractmethod
    def found(self) -> Iterator[Design]:
        """The wanted designs, checked, in the order found. Updates the summary."""

    def run(self) -> Designs:
        """Pass each design that is to be shown to the events."""
        self.events.on_stage(f"searching {self.summary.searched}", self.summary)
        shown: list[Design] = []
        for each in self._shown():
            shown.append(each)
            self.events.on_design(each)
        return Designs(shown, self._ended(len(shown)))

    def may_go_on(self) -> bool:
        """Report the progress, and ask whether to go on."""
        if self.stop is None:
            share = min(1.0, self.summary.counted / self.samples) if self.samples else None
            progress = Progress(share, None, self.summary.sets, time.perf_counter() - self.begun)
            if not self.events.on_progress(progress):
                self.stop = Stop.CANCELLED
        until = self.counter.until
        if self.stop is None and until is not None and time.perf_counter() >= until:
            self.stop = Stop.TIME_LIMIT
        return self.stop is None

    def _shown(self) -> Iterator[Design]:
        ranked = self._ranked() if self.goal.sort or self.goal.extreme else self.found()
        most, kept = self.goal.limit, self.goal.keep
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
        """The designs among counted candidates.

        Args:
            source: The candidates with their counts; repetitions are skipped.
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
        self.saw_all = to_the_last and not summary.given_up

    @property
    def limit(self) -> int | None:
        """How many solutions of a candidate to count to decide whether it is wanted."""
        goal = self.goal
        if goal.extreme is not None or goal.sort == "solutions":
            return None
        return max(2, goal.at_least, (goal.at_most or 0) + 1)

    def _is_wanted(self, count: Count) -> bool:
        if count.stop or not count.solutions or not self.goal.takes(count.solutions):
            return False
        return count.exact or self.goal.at_most is None

    def checked(self, design: Design) -> Design | None:
        """The design, counted again if it has one solution, with its level if needed; None if it is unfit."""
        if design.exact and (design.solutions == 1 or self.goal.sort == "branches"):
            again = self.counter.verified(design)
            if again is None:
                self.stop = self.stop or Stop.TIME_LIMIT
                return None
            design = again
        if self.goal.needs_level:
            least = self.goal.least_level
            level = self.counter.with_level(design, self.goal.states, self.goal.in_plane, least)
            if level is None or (least and (level.level is None or level.level < least)):
                # A design whose level is unknown may be one that is wanted.
                self.summary.given_up += level is not None and level.assemblable is None and self.may_go_on()
                return None
            design = level
        return design

    def _ranked(self) -> Iterator[Design]:
        """The designs in the order wanted."""
        found = list(self.found())
        if self.goal.extreme is not None and found:
            best = (min if self.goal.extreme == "fewest" else max)(each.solutions for each in found)
            found = [each for each in found if each.solutions == best]
        keys: dict[str | None, Callable[[Design], Any]] = {
            "solutions": lambda each: each.solutions,
            "level": lambda each: [*(-n for n in each.level or ()), 0],
            "branches": lambda each: -(each.branches or 0),
            "parts": lambda each: -len(each.parts),
            None: lambda _: 0,
        }
        key = keys[self.goal.sort]
        return iter(sorted(found, key=lambda each: (key(each), each.candidate.place)))

    def _ended(self, shown: int) -> DesignSummary:
        summary = self.summary
        summary.stop = Stop.EXHAUSTED if self.saw_all and self.stop is None else self._why()
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


def _backend(request: DesignRequest) -> Backend:
    """The backend of a request, on as many threads as it asks for, if the backend takes a number of threads."""
    takes_threads = request.threads and "threads" in {option.name for option in describe(request.backend)[1]}
    threads = {"threads": request.threads} if takes_threads else {}
    return create(request.backend, **{**request.options, **threads})
