"""The sets of parts of a family that are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from latcover.backends.probing import Sampling, probe
from latcover.cover.search import Limits, Stop
from latcover.designing.counting import Count
from latcover.designing.designer import Designer, Designs, Means
from latcover.designing.family import Copies, Family
from latcover.designing.sampling import climb, count_each, draws
from latcover.designing.sets import Classified, classify, rows_of
from latcover.designing.wanted import SEARCHED, Candidate, Design, How, Looking, Summary, Wanted
from latcover.encoding.encode import encode
from latcover.errors import UnsupportedError
from latcover.model.puzzle import Puzzle

PROBES = 2000  # that predict how long an exhaustive search takes
MOST_BRANCHES = 2e10  # of one that is begun without being asked for: some minutes to an hour
SAMPLES = {"sample": 1000, "climb": 10_000}
Row = tuple[Copies, int, int]  # a set, its covers, and its different solutions


def design(
    puzzle: Puzzle,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    looking: Looking = Looking(),  # noqa: B008 - frozen
    means: Means | None = None,
) -> Designs:
    """Find the sets of parts that cover a region.

    The number of solutions of a set is what `latcover.count` says about a puzzle with exactly these parts. Each set
    that is shown as having one solution was counted by two backends.

    Args:
        puzzle: Parts with ranges, such as min = 0 and max = 1, make it a family of sets.
        wanted: Which sets to show, in which order.
        looking: How to look for them.
        means: Backend, limits, symmetries, and who hears of it.

    Raises:
        PuzzleError: the puzzle contradicts itself, or has nothing to choose.
        UnsupportedError: options that do not go together.
    """
    return _Sets(puzzle, wanted, looking, means).run()


class _Sets(Designer):
    def __init__(self, puzzle: Puzzle, wanted: Wanted, looking: Looking, means: Means | None) -> None:
        super().__init__(wanted, looking, means)
        self.family = Family(puzzle, self.means.choices, self.means.bounds, both_hands=wanted.both_hands)
        self.how: How = looking.how if looking.how != "auto" else self._chosen()
        if self.how == "climb" and (wanted.at_least > 1 or wanted.extreme == "most"):
            raise UnsupportedError("--search climb goes towards few solutions; take --search sample for many")
        if self.how != "all":
            self.samples = looking.samples or SAMPLES[self.how]
        elif looking.samples is not None or looking.branches is not None:
            raise UnsupportedError("--samples and --max-branches are about sets that are drawn; leave --search all out")
        self.summary = Summary(puzzle.name, SEARCHED[self.how], self.family.candidates)

    def _chosen(self) -> How:
        """Exhaustively, unless probes predict that this takes long."""
        if self.looking.samples is not None or self.looking.branches is not None:
            return "sample"
        problem, _ = encode(self.family.puzzle, self.family.table)
        probes = probe(problem, self.backend.tree(problem), Sampling(PROBES, seed=0))
        branches = float(np.exp(probes.log_branches).mean()) if len(probes.log_branches) else np.inf
        return "all" if branches <= MOST_BRANCHES else "sample"

    def found(self) -> Iterator[Design]:
        """The sets that are wanted, in the order found."""
        if self.how == "all":
            yield from self._classified()
            return
        self.summary.seed = seed = self.looking.seed
        climbs = self.how == "climb"
        if climbs:
            source = climb(self.family, self.counter, seed, self.wanted.at_most or 1)
        else:
            source = count_each(draws(self.family, seed), self.counter, self.limit, self.threads)
        yield from self.drawn(source, _made, to_the_last=not climbs)

    def _classified(self) -> Iterator[Design]:
        family, summary = self.family, self.summary
        table = classify(
            family,
            self.backend,
            Limits(seconds=self.means.limits.seconds),
            self.means.ledger,
            self.means.on_progress,
            most_bytes=self.means.most_bytes,
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
        summary.complete = True
        for copies, total, different in self._wanted(known):
            if not self.may_go_on():
                return
            made = _made(family.candidate_of(copies), Count(different, total))
            if (checked := self.checked(replace(made, branches=None))) is not None:
                yield checked
        summary.complete = not summary.given_up

    def _different(self, table: Classified, rows: list[Row]) -> Iterator[Row]:
        """The sets with how many different solutions they have: counted one by one if the table does not tell."""
        for copies, total, different in rows:
            if different >= 0:
                yield copies, total, different
                continue
            candidate = self.family.candidate_of(copies)
            count = self.counter.count(candidate, None)
            self.counter.keep(candidate, count)
            if not count.exact or not self.may_go_on():
                self.stop = self.stop or Stop.TIME_LIMIT
                return
            yield copies, total, count.solutions

    def _wanted(self, known: list[Row]) -> Iterable[Row]:
        chosen = [row for row in known if self.wanted.takes(row[2])]
        if self.wanted.extreme is not None and chosen:
            best = (min if self.wanted.extreme == "fewest" else max)(row[2] for row in chosen)
            chosen = [row for row in chosen if row[2] == best]
        return sorted(chosen, key=lambda row: [-n for n in row[0]])


def _made(candidate: Candidate, count: Count) -> Design:
    total = count.total if count.exact else None
    return Design(candidate, candidate.make(), count.solutions, count.exact, total, count.branches)
