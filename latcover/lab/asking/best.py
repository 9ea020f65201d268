"""Finds the best solutions of a puzzle: the optimum with its proof, the K best, or all that are optimal."""

from __future__ import annotations

import time
from bisect import insort_right
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.cost_floor import least_cost
from latcover.core.cover.cover_costs import MOST_COST, Costs
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.question import Method
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, CostBar, Limits, OnProgress, Progress, SearchTask
from latcover.core.cover.time_limit import for_preparing, time_limit
from latcover.core.cover.veto import passes
from latcover.core.encoding.objectives import Objective, least_by_copies, objective_of
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.model.puzzle import Bounds
from latcover.core.model.solution_values import value_of
from latcover.core.solving import guard
from latcover.core.solving.collector import Verified
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import for_users
from latcover.core.solving.search_question import question_of_search
from latcover.core.solving.search_request import SearchRequest, Subject
from latcover.errors import InternalError, UnsupportedError, counted
from latcover.lab.asking.evaluating import Evaluator, evaluator_of
from latcover.lab.asking.gaps import Sense, gap_of
from latcover.lab.asking.kept_optimum import KeptCover, KeptOptimum

METHOD = Method("the best")


class BestRequest(SearchRequest, frozen=True, kw_only=True):
    """A search for the best solutions.

    Attributes:
        sense: Whether small values are good, or large ones.
        objective: What is valued, by name: costs of the puzzle's own, or one of `latcover.core.encoding.objectives`.
        limit: How many solutions to find, the best first; None is one.
        all_optimal: Whether to find all solutions as good as the best, instead of so many.
    """

    # The limit says what is asked. Backends find the same optimum, and a bound of one holds for all.
    BESIDE_THE_QUESTION = (SearchRequest.BESIDE_THE_QUESTION - {"limit"}) | {"backend", "options"}

    sense: Sense = "minimize"
    objective: str
    all_optimal: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.all_optimal and self.limit is not None:
            raise UnsupportedError("all optimal solutions are as many as there are: leave the limit out")
        if self.limit == 0:
            raise UnsupportedError("the best solutions must be one or more: give a limit of 1 or more, or none")


class ValuedSolution(Struct, frozen=True):
    """A solution and its value.

    Attributes:
        solution: The solution, verified; its number is its rank.
        value: What the objective says of it.
        words: What the value is: "points where four parts meet".
    """

    solution: Any
    value: int
    words: str

    @property
    def text(self) -> str:
        """The value and what it is: "3 points where four parts meet"."""
        return counted_in_words(self.value, self.words)

    def as_json(self) -> dict[str, Any]:
        """Plain data: that of the solution, and the value."""
        return {**self.solution.as_json(), "value": self.value}


def counted_in_words(value: int, words: str) -> str:
    """A value and what it is; of one in the singular: "1 point where four parts meet"."""
    first, gap, rest = words.partition(" ")
    if value == 1 and first.endswith("s") and not first.endswith("ss"):
        first = f"{first[:-3]}y" if first.endswith("ies") else first[:-1]
    return f"{value:,} {first}{gap}{rest}"


class BestResult(Struct, frozen=True):
    """The best solutions.

    Attributes:
        search: The result of the search. It is complete if the answer is proved.
        solutions: The best solutions found, the best first.
        bound: No solution has a better value than this; None if nothing is known.
        optima: How many solutions in all are as good as the best, images included; None if nobody has counted.
    """

    search: SearchResult
    solutions: tuple[ValuedSolution, ...]
    bound: int | None
    optima: int | None = None

    def __repr__(self) -> str:
        end = "proved" if self.proved else f"bound {self.bound}; {self.search.stop.verdict}"
        return f"<BestResult: {self.value}, {end}; {counted(len(self.solutions), 'solution')}>"

    @property
    def proved(self) -> bool:
        """Whether no other solution is better than these."""
        return self.search.complete

    @property
    def value(self) -> int | None:
        """The value of the best solution; None if none was found."""
        return self.solutions[0].value if self.solutions else None

    @property
    def gap(self) -> float | None:
        """How far the bound is from the value, as a share of it: 0 if that is proved; None if either is unknown."""
        return gap_of(self.value, self.bound)


def best(
    subject: Subject,
    request: BestRequest,
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
    run: Path | None = None,
    asked_by: Struct | None = None,
) -> BestResult:
    """Find the best solutions of *subject*.

    ``events.on_better`` receives each solution that improves on those before, verified; ``events.on_bound`` what is
    shown of those to come.

    Args:
        run: A file that keeps the best so far, and the bound; an existing one of the same question is gone on with.
        asked_by: The request that this one was made from, if any; the file is of both.

    Raises:
        As `latcover.core.solving.solve.solve`; also
        UnsupportedError: the subject has no such objective.
        RunFileError: the file belongs to another question, is damaged, or cannot be written.
    """
    solver = solver or request.solver()
    ready = _ready(subject, request, events, bounds)
    objective = objective_of(ready.puzzle, request.objective)
    if objective.costs is None:
        podium = _Podium(ready, request, events, objective, None)
    else:
        costs = objective.costs(ready)
        if len(ready.reduction.group) > 1 and not _kept_by_symmetries(costs, ready):
            ready = prepare(ready.puzzle, replace(ready.choices, symmetry="none", pivot=None), bounds)
            events.on_stage("searching", ready)
        podium = _Podium(ready, request, events, objective, costs if request.sense == "minimize" else costs.negated())

    def search(on_progress: Any) -> SearchResult:
        limits = replace(request.limits, covers=None)
        result = podium.search(solver, limits, on_progress)
        return for_users(result, ready, solver.name)

    began = time.perf_counter()
    with podium.kept_in(run, asked_by):
        result = forestalled(ready, search, events.on_progress, anyway=request.anyway)
        podium.note_end(result)
    seconds = None if request.seconds is None else max(0.0, request.seconds - (time.perf_counter() - began))
    optima = podium.optima(result, solver, Limits(seconds=seconds), events.on_progress)
    return BestResult(result, podium.solutions(), podium.bound(result), optima)


def _ready(subject: Subject, request: BestRequest, events: Events, bounds: Bounds | None) -> Prepared:
    with time_limit(for_preparing(request.seconds), events):
        ready = request.ready(subject, events, bounds)
    if not isinstance(ready, Prepared):
        raise UnsupportedError(f"{ready.name} is a cover problem without a puzzle, so it has no named objectives")
    if ready.puzzle.region.exchangeable:  # values may depend on how the pieces of the region lie to each other
        region = replace(ready.puzzle.region, exchangeable=False)
        ready = prepare(replace(ready.puzzle, region=region), ready.choices, bounds)
        events.on_stage("searching", ready)
    return ready


def _kept_by_symmetries(costs: Costs, ready: Prepared) -> bool:
    """Whether every solution has the value of its images. If not, no placement may be left out by symmetry."""
    group, members = ready.reduction.group, np.arange(ready.n_members, dtype=np.int32)
    return all(costs.is_kept_by(images) for images in group.images_under(range(len(group)), members))


class _Kept(Struct, frozen=True, eq=False):
    """A cover that is kept.

    Attributes:
        cost: What it costs.
        members: Its members.
        orbit: How many images it has.
    """

    cost: int
    members: Ints
    orbit: int


class _Podium:
    """Keeps the best different covers so far, and sets the bar for those to come."""

    def __init__(
        self, subject: Prepared, request: BestRequest, events: Events, objective: Objective, costs: Costs | None
    ) -> None:
        """*costs*: what is minimized; None if the objective can only be read off whole solutions."""
        self._subject, self._request, self._events, self._words = subject, request, events, objective.words
        self._sign = 1 if request.sense == "minimize" else -1
        self._costs = costs
        self._of_options = None if costs is None else costs.renamed(subject.option_placement)
        self._evaluate: Evaluator | None = None
        self._bound: int | None = None
        if costs is None or self._of_options is None:
            self._evaluate = evaluator_of(subject.puzzle, request.objective, request.seconds, events)
        else:
            self._bound = max(least_cost(self._of_options, subject.problem), *self._least_of(objective, costs))
        self._verified = Verified(subject)
        self._end = None if request.seconds is None else time.perf_counter() + request.seconds
        self._most = None if request.all_optimal else request.limit or 1
        self._kept: list[_Kept] = []  # by cost and then as found
        self._gave_up: Stop | None = None  # of values; NOT_PROVED if some may have one, and the others were told
        self._file: KeptOptimum | None = None
        self._is_met = False  # whether the best one is known to be so without a further search

    def _least_of(self, objective: Objective, costs: Costs) -> list[int]:
        """What the numbers of copies allow at best, and what the region allows of this objective, if that is known."""
        found = [least_by_copies(self._subject, costs)]
        if objective.range is not None:
            least, most = objective.range(self._subject)
            found.append(least if self._sign == 1 else -most)
        return found

    @contextmanager
    def kept_in(self, path: Path | None, asked_by: Struct | None) -> Iterator[None]:
        """Keep what is found in a file, after what it holds."""
        if path is None:
            yield
            return
        asked = replace(self._request, limit=self._most)
        question = question_of_search(self._subject, asked, METHOD, costs=self._costs, asked_by=asked_by)
        file = KeptOptimum(path, question, self._subject.n_members)
        for cover in sorted(file.covers, key=attrgetter("cost")):
            new = _Kept(cover.cost, np.array(cover.members, np.int32), cover.orbit)
            if not self._is_sound(new):
                raise file.fault(file.covers[cover], "it is not a solution, or has another value")
            self._keep(new)
        if file.bound is not None and (self._bound is None or file.bound > self._bound):
            self._bound = file.bound
        # That there is no solution at all would be a claim without anything to check.
        self._is_met = (file.is_ended and bool(self._kept)) or self._meets_bound()
        with file:
            self._file = file
            yield

    def _is_sound(self, kept: _Kept) -> bool:
        """Whether a cover from a file is a solution of that value."""
        try:
            solution = self._valued(kept, 1).solution
        except InternalError:
            return False
        return self._evaluate is None or self._evaluate(solution) == self._sign * kept.cost

    def _meets_bound(self) -> bool:
        """Whether what every solution costs at least says that the best one cannot be improved on."""
        return self._most == 1 and bool(self._kept) and self._bound is not None and self._kept[0].cost <= self._bound

    def note_end(self, result: SearchResult) -> None:
        """Keep that the search has come to its end, if it has."""
        if self._file is not None and result.complete:
            self._file.end()

    def search(self, solver: Backend, limits: Limits, on_progress: Any) -> SearchResult:
        """Let *solver* search, unless it is known already that there is nothing better."""
        problem, veto = self._subject.problem, self._subject.option_veto
        if self._bound is not None:
            self._events.on_bound(self._sign * self._bound)
        if self._is_met:
            result = SearchResult(Stop.EXHAUSTED)
        elif self._of_options is None:
            result = guard.search(solver, SearchTask(problem, self._take_unpriced, limits, on_progress, veto))
            at_end = result.stop is Stop.EXHAUSTED or self._gave_up is not Stop.NOT_PROVED
            result = replace(result, stop=(at_end and self._gave_up) or result.stop)
        else:
            bar = CostBar(self._of_options, self.bar, self._take, self._note_bound, least=self._bound)
            result = guard.search(solver, SearchTask(problem, bar.take, limits, on_progress, veto, bar))
            result = replace(result, stop=Stop.EXHAUSTED) if self._is_met else result
        return replace(result, different=len(self._kept), total=sum(each.orbit for each in self._kept))

    @property
    def bar(self) -> int:
        """What another cover may cost at most to be wanted."""
        if self._most is None:
            return self._kept[0].cost if self._kept else MOST_COST
        return self._kept[-1].cost - 1 if len(self._kept) >= self._most else MOST_COST

    def _take(self, batch: Batch, prices: Longs) -> int | None:
        starts, members = self._subject.members(batch)
        keep, orbits = self._subject.judge(starts, members)
        if self._most == 1:  # any of its images stands for a solution
            keep = passes(self._subject.veto, starts, members)
        for row in np.flatnonzero(keep).tolist():
            if prices[row] <= self.bar:
                self._keep(_Kept(int(prices[row]), members[starts[row] : starts[row + 1]].copy(), int(orbits[row])))
        self._is_met = self._meets_bound()
        return None if self._is_met else self.bar

    def _take_unpriced(self, batch: Batch) -> bool:
        """Value whole solutions one by one, those that have a value."""
        assert self._evaluate is not None
        starts, members = self._subject.members(batch)
        keep, orbits = self._subject.judge(starts, members)
        for row in np.flatnonzero(keep).tolist():
            self._gave_up = self._why_to_stop()
            if self._gave_up is not None:
                return False
            one = members[starts[row] : starts[row + 1]]
            value = self._evaluate(self._verified(one, 1, 1, int(orbits[row])))
            if isinstance(value, Stop):
                self._gave_up = value
                if value is not Stop.NOT_PROVED:
                    return False
            elif value is not None and self._sign * value <= self.bar:
                self._keep(_Kept(self._sign * value, one.copy(), int(orbits[row])))
        return True

    def _why_to_stop(self) -> Stop | None:
        """Why no other solution is valued: a batch holds thousands, and each may take long."""
        if self._end is not None and time.perf_counter() >= self._end:
            return Stop.TIME_LIMIT
        return None if self._events.on_progress(Progress(None, None, 0, 0.0)) else Stop.CANCELLED

    def _keep(self, new: _Kept) -> None:
        if self._file is not None:
            same = set(new.members.tolist())
            if any(kept.cost == new.cost and set(kept.members.tolist()) == same for kept in self._kept):
                return  # of an earlier search
            self._file.add(KeptCover(cost=new.cost, members=tuple(new.members.tolist()), orbit=new.orbit))
        is_better = not self._kept or new.cost < self._kept[0].cost
        insort_right(self._kept, new, key=attrgetter("cost"))
        if self._most is None:
            self._kept = [kept for kept in self._kept if kept.cost == self._kept[0].cost]
        else:
            del self._kept[self._most :]
        if is_better:
            self._events.on_better(self._valued(new, 1))

    def _note_bound(self, cost: int) -> None:
        if self._bound is None or cost > self._bound:
            self._bound = cost
            if self._file is not None:
                self._file.add_bound(cost)
            self._events.on_bound(self._sign * cost)

    def bound(self, result: SearchResult) -> int | None:
        """The best value that a solution can have, as far as it is known."""
        least = [self._kept[0].cost] if self._kept else []
        if not result.complete:
            least = [] if self._bound is None else [*least, self._bound]
        return self._sign * min(least) if least else None

    def optima(self, result: SearchResult, solver: Backend, limits: Limits, on_progress: OnProgress) -> int | None:
        """How many solutions in all are as good as the best, symmetric images included; None if nobody has counted.

        Raises:
            InternalError: two ways do not agree on the value or on the number.
        """
        if not result.complete or not self._kept:
            return None
        listed = result.total if self._most is None else None
        if self._costs is None or self._subject.veto is not None:
            return listed
        full = self._subject.in_full()
        bar = CostBar(self._costs.renamed(full.option_placement), MOST_COST, lambda *_: None)
        counted = guard.optima(solver, SearchTask(full.problem, bar.take, limits, on_progress, bar=bar))
        if counted is None:
            return listed
        if counted.cost != self._kept[0].cost or listed not in (None, counted.covers):
            raise InternalError(
                f"{solver.name} counts {counted.covers} solutions of {self._subject.name!r} that cost {counted.cost}, "
                f"but {'some' if listed is None else listed} were found that cost {self._kept[0].cost}"
            )
        return counted.covers

    def solutions(self) -> tuple[ValuedSolution, ...]:
        """The covers that are kept as solutions, verified, the best first."""
        return tuple(self._valued(kept, number) for number, kept in enumerate(self._kept, 1))

    def _valued(self, kept: _Kept, number: int) -> ValuedSolution:
        """A cover as a solution, verified; its value is read off its cells again."""
        solution, name = self._verified(kept.members, number, 1, kept.orbit), self._request.objective
        value = self._sign * kept.cost
        if self._costs is not None and (told := value_of(self._subject.puzzle, solution, name)) != value:
            raise InternalError(f"a solution of {self._subject.name!r} has {told} {name}, not {value}")
        return ValuedSolution(solution, value, self._words)
