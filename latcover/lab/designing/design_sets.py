"""Find the sets of parts that a request asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.backends.probing import Sampling, probe
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.encoding.encode import encode
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import UnsupportedError
from latcover.files.formats.library import puzzle_called
from latcover.lab.designing.candidate_counts import Count
from latcover.lab.designing.classify import ClassifiedSets, classify, rows_of
from latcover.lab.designing.design_requests import DesignSetsRequest
from latcover.lab.designing.design_results import NO_RESULTS, DesignResults
from latcover.lab.designing.designer import Designer
from latcover.lab.designing.designs import SEARCHED, Candidate, Design, Designs, DesignSummary
from latcover.lab.designing.sampling import climb, count_each, draws
from latcover.lab.designing.set_family import Copies, Family
from latcover.system.decoding import decoded

PROBES = 2000  # to predict how long an exhaustive search takes
MOST_BRANCHES = 2e10  # of an exhaustive search that was not requested: minutes to an hour
SAMPLES = {"sample": 1000, "climb": 10_000}
Row = tuple[Copies, int, int]  # a set, its covers, and its different solutions


def design(puzzle: Puzzle | str | Path, **choices: Any) -> Designs:
    """Find the sets of parts that cover a region.

    The number of solutions of a set is what `latcover.count` says about a puzzle with exactly these parts. Each set
    that is shown as having one solution was counted by two backends.

    Args:
        puzzle: A puzzle, or the name or the path of one. Parts with ranges, such as min = 0 and max = 1, make it a
            family of sets.
        choices: Fields of a `DesignSetsRequest`, such as ``at_most=1`` and ``search="climb"``.

    Raises:
        PuzzleError: the puzzle contradicts itself, or has nothing to choose.
        UnsupportedError: choices that do not go together.
    """
    return find_sets(puzzle_called(puzzle), decoded(DesignSetsRequest, choices, "the design"))


def find_sets(
    puzzle: Puzzle,
    request: DesignSetsRequest,
    events: Events = SILENT,
    ledger: DesignResults = NO_RESULTS,
    bounds: Bounds | None = None,
) -> Designs:
    """Find the sets of parts that a request asks for. *ledger* keeps results; *bounds* limits the size of the puzzle.

    Raises:
        PuzzleError, UnsupportedError: as `design`.
    """
    return _SetDesigner(puzzle, request, events, ledger, bounds).run()


class _SetDesigner(Designer):
    def __init__(
        self,
        puzzle: Puzzle,
        request: DesignSetsRequest,
        events: Events,
        ledger: DesignResults,
        bounds: Bounds | None,
    ) -> None:
        super().__init__(request, events, ledger)
        self.request = request
        self.family = Family(puzzle, self.choices, bounds, both_hands=request.both_hands)
        self.search = request.search if request.search != "auto" else self._chosen_search()
        if self.search == "climb" and (request.at_least > 1 or request.extreme == "most"):
            raise UnsupportedError("--search climb goes towards few solutions; take --search sample for many")
        if self.search != "all":
            self.samples = request.samples or SAMPLES[self.search]
        elif request.samples is not None or request.branches is not None:
            raise UnsupportedError("--samples and --max-branches are about sets that are drawn; leave --search all out")
        self.summary = DesignSummary(puzzle.name, SEARCHED[self.search], self.family.candidates)

    def _chosen_search(self) -> str:
        """An exhaustive search, unless probes predict that it takes long."""
        if self.request.samples is not None or self.request.branches is not None:
            return "sample"
        problem, _ = encode(self.family.puzzle, self.family.table)
        most = np.inf if self.request.seconds is None else self.request.seconds

        def goes_on(_share: float, _nodes: int, _covers: int, seconds: float) -> bool:
            return seconds < most and self.events.on_progress(Progress(None, None, 0, seconds))

        probes = probe(problem, self.backend.tree(problem), Sampling(PROBES, seed=0), goes_on)
        branches = float(np.exp(probes.log_branches).mean()) if len(probes.log_branches) else np.inf
        return "all" if branches <= MOST_BRANCHES else "sample"

    def found(self) -> Iterator[Design]:
        """The sets that are asked for, in the order found."""
        if self.search == "all":
            yield from self._classified()
            return
        self.summary.seed = seed = self.request.seed
        climbs = self.search == "climb"
        if climbs:
            source = climb(self.family, self.counter, seed, self.request.at_most or 1)
        else:
            source = count_each(draws(self.family, seed), self.counter, self.limit, self.threads)
        yield from self.drawn(source, _design_of, to_the_last=not climbs)

    def _classified(self) -> Iterator[Design]:
        family, summary = self.family, self.summary
        table = classify(
            family,
            self.backend,
            Limits(seconds=self.request.seconds),
            self.ledger,
            self.events.on_progress,
            most_bytes=self.request.memory * 1_000_000,
        )
        summary.covers, summary.branches = table.covers, table.branches
        rows = [row for row in rows_of(table) if not family.both_hands or family.holds_both_hands(row[0])]
        summary.sets = len(rows)
        summary.unique = None
        if not table.complete:
            self.stop = table.stop
            return
        known = list(self._different(table, rows))
        if self.stop is not None:
            return
        summary.unique, summary.counted = sum(different == 1 for _, _, different in known), family.candidates
        self.saw_all = True
        for copies, total, different in self._wanted(known):
            if not self.may_go_on():
                return
            design = _design_of(family.candidate_of(copies), Count(different, total))
            if (checked := self.checked(replace(design, branches=None))) is not None:
                yield checked
        self.saw_all = not summary.given_up

    def _different(self, table: ClassifiedSets, rows: list[Row]) -> Iterator[Row]:
        """The sets with their different solutions, counted one by one if the table lacks them."""
        for copies, total, different in rows:
            if different >= 0:
                yield copies, total, different
                continue
            candidate = self.family.candidate_of(copies)
            count = self.counter.count(candidate, None)
            if not count.exact or not self.may_go_on():
                self.stop = self.stop or Stop.TIME_LIMIT
                return
            yield copies, total, count.solutions

    def _wanted(self, known: list[Row]) -> Iterable[Row]:
        chosen = [row for row in known if self.request.takes(row[2])]
        if self.request.extreme is not None and chosen:
            best = (min if self.request.extreme == "fewest" else max)(row[2] for row in chosen)
            chosen = [row for row in chosen if row[2] == best]
        return sorted(chosen, key=lambda row: [-n for n in row[0]])


def _design_of(candidate: Candidate, count: Count) -> Design:
    total = count.total if count.exact else None
    return Design(candidate, candidate.make(), count.solutions, count.exact, total, count.branches)
