"""The sets of a family that are wanted: found, verified, ranked and handed on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from latcover.backends import DEFAULT, create
from latcover.backends.probing import Sampling, probe
from latcover.cover.search import Backend, Limits, OnProgress, Progress, Stop
from latcover.designing.counting import Count, Counter
from latcover.designing.family import Copies, Family
from latcover.designing.ledger import Ledger, Nowhere
from latcover.designing.sampling import climb, sample
from latcover.designing.sets import MOST_BYTES, Classified, classify, rows_of
from latcover.designing.wanted import SEARCHED, Design, How, Looking, Summary, Wanted
from latcover.encoding.encode import encode
from latcover.encoding.prepared import Choices
from latcover.errors import UnsupportedError
from latcover.model.puzzle import Puzzle
from latcover.system.machine import threads_to_start

PROBES = 2000  # that predict how long an exhaustive search takes
MOST_BRANCHES = 2e10  # of one that is begun without being asked for: some minutes to an hour
SAMPLES = {"sample": 1000, "climb": 10_000}

OnDesign = Callable[[Design], None]


@dataclass(frozen=True, slots=True)
class Means:
    """What a design may use.

    Attributes:
        backend: Finds the solutions; None leaves the choice open.
        limits: ``covers`` limits the designs that are shown, ``seconds`` the time.
        threads: How many sets are counted at once; None takes the available processors.
        most_bytes: The memory for the table of an exhaustive search.
        states: How many positions of pieces to examine for the level of a solution.
        in_plane: Whether pieces that lie in a plane must stay in it.
    """

    backend: Backend | None = None
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None
    most_bytes: int = MOST_BYTES
    states: int = 10_000_000
    in_plane: bool = False


@dataclass(slots=True)
class Designs:
    """The designs that were shown, in their order, and a summary."""

    designs: list[Design]
    summary: Summary

    def __iter__(self) -> Iterator[Design]:
        return iter(self.designs)

    def __len__(self) -> int:
        return len(self.designs)


def design(
    puzzle: Puzzle,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    looking: Looking = Looking(),  # noqa: B008 - frozen
    *,
    choices: Choices = Choices(),  # noqa: B008 - frozen
    both_hands: bool = False,
    means: Means | None = None,
    ledger: Ledger | None = None,
    on_begin: Callable[[Summary], None] | None = None,
    on_design: OnDesign | None = None,
    on_progress: OnProgress | None = None,
) -> Designs:
    """Find the sets of parts that cover a region.

    The number of solutions of a set is what `latcover.count` says about a puzzle with exactly these parts. Each set that
    is shown as having one solution was counted by two backends that share no code.

    Args:
        puzzle: Parts with ranges, such as min = 0 and max = 1, make it a family of sets.
        wanted: Which sets to show, in which order.
        looking: How to look for them.
        choices: Which symmetries make solutions, and mirror images of sets, count as the same.
        both_hands: Whether to take only sets that are their own mirror images.
        means: Backend, limits, threads and memory.
        ledger: Keeps what was found out.
        on_begin: Receives the summary before anything is searched; it is brought up to date as the search goes on.
        on_design: Receives each design that is shown.
        on_progress: May stop the search by returning False.

    Raises:
        PuzzleError: the puzzle contradicts itself, or has nothing to choose.
        UnsupportedError: options that do not go together.
    """
    family = Family(puzzle, choices, both_hands=both_hands)
    designer = _Designer(family, wanted, looking, means or Means(), ledger, on_progress)
    if on_begin is not None:
        on_begin(designer.summary)
    shown: list[Design] = []
    for found in designer.designs():
        shown.append(found)
        if on_design is not None:
            on_design(found)
    return Designs(shown, designer.ended(len(shown)))


class _Designer:
    def __init__(
        self,
        family: Family,
        wanted: Wanted,
        looking: Looking,
        means: Means,
        ledger: Ledger | None,
        on_progress: OnProgress | None,
    ) -> None:
        self.family, self.wanted, self.looking, self.means = family, wanted, looking, means
        self.ledger, self.on_progress = ledger, on_progress
        self.backend = means.backend or create(DEFAULT)
        self.begun = time.perf_counter()
        seconds = means.limits.seconds
        self.until = None if seconds is None else self.begun + seconds
        self.stop: Stop | None = None
        self.how = looking.how if looking.how != "auto" else self._chosen()
        if self.how == "climb" and (wanted.at_least > 1 or wanted.extreme == "most"):
            raise UnsupportedError("--search climb goes towards few solutions; take --search sample for many")
        if self.how != "all":
            self.backend = self.backend.on_one_thread()
        self.counter = Counter(
            family, self.backend, ledger or Nowhere(), self.until, self._may_go_on, looking.branches
        )
        self.summary = Summary(family.name, SEARCHED[self.how], family.candidates)

    def _chosen(self) -> How:
        """Exhaustively, unless probes predict that this takes long."""
        if self.looking.samples is not None or self.looking.branches is not None:
            return "sample"
        problem, _ = encode(self.family.puzzle, self.family.table)
        probes = probe(problem, self.backend.tree(problem), Sampling(PROBES, seed=0))
        branches = float(np.exp(probes.log_branches).mean()) if len(probes.log_branches) else np.inf
        return "all" if branches <= MOST_BRANCHES else "sample"

    def _may_go_on(self) -> bool:
        """Report the progress, and ask whether to go on."""
        if self.stop is None and self.on_progress is not None:
            summary = self.summary
            share = min(1.0, summary.counted / self._samples()) if self.how != "all" else None
            if not self.on_progress(Progress(share, None, summary.sets, time.perf_counter() - self.begun)):
                self.stop = Stop.CANCELLED
        if self.stop is None and self.until is not None and time.perf_counter() >= self.until:
            self.stop = Stop.TIME_LIMIT
        return self.stop is None

    def _samples(self) -> int:
        return self.looking.samples or SAMPLES[self.how]

    def designs(self) -> Iterator[Design]:
        """The designs to show, in their order."""
        found = self._classified() if self.how == "all" else self._drawn()
        ranked = self._ranked(found) if self.wanted.sort or self.wanted.extreme else found
        most = self.means.limits.covers
        kept = self.wanted.keep
        for number, each in enumerate(ranked, 1):
            if kept is not None and number > kept:
                return
            yield each
            if most is not None and number >= most:
                self.stop = self.stop or Stop.SOLUTION_LIMIT
                return

    # Every set, by one search.

    def _classified(self) -> Iterator[Design]:
        family, summary = self.family, self.summary
        limits = Limits(seconds=self.means.limits.seconds)
        table = classify(
            family, self.backend, limits, self.ledger, self.on_progress, most_bytes=self.means.most_bytes
        )
        summary.covers, summary.branches = table.covers, table.branches
        rows = [row for row in rows_of(table) if not family.both_hands or len(family.images(row[0])) == 1]
        summary.sets = len(rows)
        if not table.complete:
            self.stop, summary.unique = table.stop, None
            return
        summary.counted = family.candidates
        known = list(self._different(table, rows))
        if self.stop is not None:
            summary.unique = None
            return
        summary.unique = sum(different == 1 for _, _, different in known)
        for copies, total, different in self._wanted(known):
            if not self._may_go_on():
                return
            images = len(family.images(copies))
            made = Design(copies, family.names(copies), different, True, total, images)
            if (checked := self._checked(made)) is not None:
                yield checked

    def _different(self, table: Classified, rows: list[tuple[Copies, int, int]]) -> Iterator[tuple[Copies, int, int]]:
        """The sets with how many different solutions they have: counted one by one if the table does not tell."""
        for copies, total, different in rows:
            if different >= 0:
                yield copies, total, different
                continue
            count = self.counter.count(copies, None)
            self.counter.keep(copies, count)
            if not count.exact or not self._may_go_on():
                self.stop = self.stop or Stop.TIME_LIMIT
                return
            yield copies, total, count.solutions

    def _wanted(self, known: list[tuple[Copies, int, int]]) -> Iterable[tuple[Copies, int, int]]:
        chosen = [row for row in known if self.wanted.takes(row[2])]
        if self.wanted.extreme is not None and chosen:
            best = (min if self.wanted.extreme == "fewest" else max)(row[2] for row in chosen)
            chosen = [row for row in chosen if row[2] == best]
        return sorted(chosen, key=lambda row: [-n for n in row[0]])

    # Sets drawn by chance.

    def _drawn(self) -> Iterator[Design]:
        wanted, summary, counter = self.wanted, self.summary, self.counter
        summary.seed = self.looking.seed
        limit = None if wanted.extreme or wanted.sort == "solutions" else max(2, wanted.at_least, (wanted.at_most or 0) + 1)
        if self.how == "climb":
            source = climb(self.family, counter, self.looking.seed, wanted.at_most or 1)
        else:
            threads, _ = threads_to_start(self.means.threads)
            source = sample(self.family, counter, self.looking.seed, limit, threads)
        counted: dict[Copies, Count] = {}
        for copies, count in source:
            if not self._may_go_on():
                return
            if copies in counted:
                continue
            counted[copies] = count
            summary.counted += 1
            summary.given_up += bool(count.stop)
            summary.sets += count.solutions > 0
            if summary.unique is not None:
                summary.unique += count.exact and count.solutions == 1
            made = self._made(copies, count)
            if made is not None and (checked := self._checked(made)) is not None:
                yield checked
            if summary.counted >= self._samples():
                self.stop = self.stop or Stop.BRANCH_LIMIT
                break
        summary.complete = self.stop is None and not summary.given_up

    def _made(self, copies: Copies, count: Count) -> Design | None:
        """The set as a design, if it is wanted, as far as its count tells."""
        wanted = self.wanted
        if not count.solutions or count.stop or not wanted.takes(count.solutions):
            return None
        if wanted.at_most is not None and not count.exact:
            return None
        images = len(self.family.images(copies))
        total = count.total if count.exact else None
        return Design(
            copies, self.family.names(copies), count.solutions, count.exact, total, images, count.branches
        )

    # What is shown.

    def _checked(self, made: Design) -> Design | None:
        """The design, verified if it is said to have one solution, with its level if that is wanted; None if it falls."""
        if made.exact and (made.solutions == 1 or self.wanted.sort == "branches"):
            checked = self.counter.verified(made)
            if checked is None:
                self.stop = self.stop or Stop.TIME_LIMIT
                return None
            made = checked
        if self.wanted.needs_level:
            made = self.counter.with_level(made, self.means.states, self.means.in_plane)
            if self.wanted.min_level and (made.level is None or made.level < self.wanted.min_level):
                return None
        return made

    def _ranked(self, found: Iterator[Design]) -> Iterator[Design]:
        """The designs in the order wanted: few solutions and many others first."""
        all_found = list(found)
        if self.wanted.extreme is not None and all_found:
            best = (min if self.wanted.extreme == "fewest" else max)(each.solutions for each in all_found)
            all_found = [each for each in all_found if each.solutions == best]
        keys: dict[str | None, Callable[[Design], Any]] = {
            "solutions": lambda each: each.solutions,
            "level": lambda each: [-n for n in each.level or ()] or [0],
            "branches": lambda each: -(each.branches or 0),
            "parts": lambda each: -len(each.parts),
            None: lambda _: 0,
        }
        key = keys[self.wanted.sort]
        return iter(sorted(all_found, key=lambda each: (key(each), [-n for n in each.copies])))

    def ended(self, shown: int) -> Summary:
        """The summary at the end."""
        summary = self.summary
        if self.how == "all":
            summary.complete = self.stop is None
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
            return "some sets were given up" if self.summary.given_up else "all samples counted"
        return self.stop.value
