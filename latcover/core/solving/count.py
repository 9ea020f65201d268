"""Counts the solutions of a puzzle, if possible without listing them.

If no part has an item (all may be used without limit), the methods of `counters` count the covers. Independent parts of
a problem are counted separately. The number of essentially different solutions follows from Burnside's lemma: it is the
mean, over the symmetries, of the number of covers that a symmetry fixes. These covers consist of whole orbits of
options, and are counted in the same way.
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from latcover.backends import DEFAULT, create, refuse_colours
from latcover.backends.bitset import Bitset
from latcover.backends.frontier import MOST_BYTES, Budget, can_count
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.keeping import key_of
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Backend, Limits, OnProgress, Pieces, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.simpler import split, without_implied_item
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.counters import COUNTED_BY, LISTING, NAMED, Counter, Method
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import for_users, run
from latcover.core.solving.search_request import SearchRequest, Subject
from latcover.core.solving.trying import by_trying
from latcover.errors import TooLargeError, UnsupportedError

BEFORE_ASIDE = 1.0  # seconds of enumeration before the frontier is tried
LONG = 60.0  # the least remaining time for such a try, in seconds
SHARE_ASIDE = 0.05  # of the expected time of the enumeration, for all tries together
FEW_BRANCHES = 1000  # take less time than one of the counts for Burnside's lemma


class CountRequest(SearchRequest, frozen=True, kw_only=True):
    """A count of solutions.

    Attributes:
        method: See `count_prepared`.
        memory: The most memory for a frontier or a memo, in megabytes.
        disk: The most space for a frontier in a temporary file, in megabytes.
    """

    method: Method = "auto"
    memory: Annotated[int, Meta(ge=1, le=1_000_000)] = MOST_BYTES // 1_000_000
    disk: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0

    @property
    def budget(self) -> Budget:
        """The memory and the disk, in bytes."""
        return Budget(self.memory * 1_000_000, self.disk * 1_000_000)


def count(
    subject: Subject,
    request: CountRequest = CountRequest(),
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
) -> SearchResult:
    """Count the solutions of *subject*, essentially different and in all; the arguments are those of `solve`."""
    solver = solver or request.solver()
    ready = request.ready(subject, events, bounds)

    def search(on_progress: OnProgress) -> SearchResult:
        return count_prepared(ready, solver, request.limits, on_progress, method=request.method, budget=request.budget)

    return forestalled(ready, search, events.on_progress, anyway=request.anyway)


def count_prepared(
    prepared: Searchable[Any],
    backend: Backend | None = None,
    limits: Limits = Limits(),
    on_progress: OnProgress | None = None,
    *,
    method: Method = "auto",
    budget: Budget = Budget(),
    counted: MutableMapping[str, SearchResult] | None = None,
) -> SearchResult:
    """Count the solutions of a prepared puzzle, or the covers of a bare problem.

    Args:
        prepared: The puzzle or the bare problem.
        backend: Enumerates solutions; with None, or `auto` without options, other methods may count.
        limits: Limits of solutions or branches need an enumeration.
        on_progress: May stop the count by returning False.
        method: Without a backend, "auto" tries the methods of `counters` if no part has an item. Otherwise it
            enumerates, and tries the frontier if that takes long.
        budget: The memory for a frontier or a memo, and the disk; the threads are those of *backend*.
        counted: The problems that a count without a list has counted before, by `key_of`; it adds those that it counts.

    Raises:
        UnsupportedError: the method cannot count this puzzle.
    """
    listed = limits.covers is not None or limits.branches is not None or prepared.must_list
    problem = prepared.problem
    budget = replace(budget, threads=getattr(backend, "threads", None))
    if method in NAMED:
        if prepared.must_list:
            raise UnsupportedError(f"a count by {method} cannot honour the puzzle's rules on parts; {LISTING}")
        if listed:
            raise UnsupportedError(
                f"a count by {method} lists no solutions or branches, so it cannot limit them; {LISTING}"
            )
        if not _leaves_method_open(backend):
            raise UnsupportedError(
                f"a count by {method} uses no backend; leave --backend and its options out, or {LISTING}"
            )
        if method != "memo" or prepared.tests_pending:
            refuse_colours(f"a count by {method}", problem)
        if method == "memo" and not _has_no_part_items(problem):
            raise UnsupportedError(f"a memo needs parts that may all be used without limit; {LISTING}")
        try:
            return _counted(prepared, _remembering(NAMED[method](budget), counted), limits, on_progress)
        except TooLargeError as fault:
            raise UnsupportedError(f"{fault}; allow more with --memory or --disk, or {LISTING}") from None
        except UnsupportedError as fault:
            raise UnsupportedError(f"{fault}; {LISTING}") from None
    if method == "auto" and not listed and lists_nothing(problem, backend):
        if prepared.tests_pending:
            answer = run(prepared, Bitset(threads=1), replace(limits, branches=FEW_BRANCHES), on_progress=on_progress)
            if answer.complete:
                return replace(answer, asked=DEFAULT)
        return _counted(prepared, _remembering(by_trying(budget), counted), limits, on_progress)
    aside = None
    if method == "auto" and not listed and _leaves_method_open(backend) and can_count(without_implied_item(problem)):
        aside = _Aside(prepared, limits, on_progress, replace(budget, threads=1))
    answer = run(prepared, backend or create(DEFAULT), limits, on_progress=aside.watch if aside else on_progress)
    return aside.answer if aside and aside.answer else answer


class _Aside:
    """Tries the frontier while a long enumeration waits, in its reports of progress.

    The size of the frontier is not known beforehand if parts have items. All tries together take only a small share of
    the time that the enumeration seems to need.
    """

    def __init__(
        self, prepared: Searchable[Any], limits: Limits, on_progress: OnProgress | None, budget: Budget
    ) -> None:
        self.answer: SearchResult | None = None
        self._prepared, self._limits, self._on_progress, self._budget = prepared, limits, on_progress, budget
        self._begun = time.perf_counter()
        self._spent, self._hopeless = 0.0, False

    def watch(self, progress: Progress) -> bool:
        """Forward a report of the enumeration, perhaps after a try. False ends the enumeration."""
        going = self._on_progress is None or self._on_progress(progress)
        left = progress.left or 0.0
        if not going or self._hopeless or progress.seconds < BEFORE_ASIDE or left < LONG:
            return going
        seconds = SHARE_ASIDE * left - self._spent
        if self._limits.seconds is not None:
            seconds = min(seconds, self._limits.seconds - (time.perf_counter() - self._begun))
        if seconds < max(SHARE_ASIDE * BEFORE_ASIDE, self._spent):  # each try takes longer than all before it
            return True
        start = time.perf_counter()
        frontier = NAMED["frontier"](self._budget)

        def quietly(_: Progress) -> bool:
            now = replace(progress, seconds=progress.seconds + time.perf_counter() - start)
            return self._on_progress is None or self._on_progress(now)

        try:
            answer = _counted(self._prepared, frontier, replace(self._limits, seconds=seconds), quietly)
        except UnsupportedError:
            self._hopeless = True
            return True
        self._spent += time.perf_counter() - start
        if answer.complete:
            self.answer = answer
        return self.answer is None and answer.stop != Stop.CANCELLED.value


def _leaves_method_open(backend: Backend | None) -> bool:
    """Whether no backend or option was chosen, so that any method may count."""
    return backend is None or backend.leaves_method_open


def lists_nothing(problem: CoverProblem, backend: Backend | None) -> bool:
    """Whether a count without limits ignores *backend*, and may list no solutions."""
    return _leaves_method_open(backend) and _has_no_part_items(problem) and not problem.has_colours


def keeps_states(prepared: Searchable[Any], request: CountRequest) -> bool:
    """Whether this count lists nothing, and a file can keep the states that a frontier has reached."""
    listed = request.limit is not None or request.branches is not None or prepared.must_list
    by_choice = request.method == "auto" and not listed and lists_nothing(prepared.problem, request.solver())
    return by_choice or request.method == "frontier"


def _remembering(counter: Counter, counted: MutableMapping[str, SearchResult] | None) -> Counter:
    """The same counter, which counts no problem again."""
    if counted is None:
        return counter

    def remembering(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> SearchResult:
        key = key_of(problem)
        if key not in counted:
            found = counter(problem, limits, on_progress)
            if not found.complete:
                return found
            counted[key] = found
        return counted[key]

    return remembering


def _has_no_part_items(problem: CoverProblem) -> bool:
    """Whether the rest of the problem depends only on the covered cells and the colours of items."""
    problem = without_implied_item(problem)
    return not len(problem.part_sizes) and problem.n_options > 0 and not (problem.high > 1).any()


def _counted(
    prepared: Searchable[Any], counter: Counter, limits: Limits, on_progress: OnProgress | None
) -> SearchResult:
    """Count the covers of the problem; if covers would have to be tested, count the covers that each symmetry fixes."""
    start = time.perf_counter()
    problems = prepared.kept_by_each_symmetry() if prepared.tests_pending else iter([prepared.problem])
    sweeps = prepared.sweeps()
    n_problems = prepared.acting if prepared.tests_pending else 1
    pieces = Pieces(on_progress)
    found: list[SearchResult] = []
    for k, problem in enumerate(problems):
        spent = time.perf_counter() - start
        left = None if limits.seconds is None else max(0.0, limits.seconds - spent)
        since, until = k / n_problems, (k + 1) / n_problems
        found.append(_product(counter, swept(problem, sweeps), Limits(seconds=left), pieces, since, until))
        if not found[-1].complete:
            break
    return _answer(prepared, found, time.perf_counter() - start)


def swept(problem: CoverProblem, sweeps: Ints) -> CoverProblem:
    """The problem with these places of its cells; its other items have none."""
    if not len(sweeps):
        return problem
    places = np.full((len(sweeps), problem.n_items), -1, np.int32)
    places[:, : sweeps.shape[1]] = sweeps
    return replace(problem, sweeps=places)


def _product(
    counter: Counter, problem: CoverProblem, limits: Limits, pieces: Pieces, since: float, until: float
) -> SearchResult:
    """Count a problem by its independent parts."""
    start = time.perf_counter()
    if problem.has_colours:  # a split would lose them
        return counter(problem, limits, pieces.next(since, until))
    whole = split(without_implied_item(problem))
    if whole.parts and (not whole.parts[0].n_options or whole.factor == len(whole.parts) == 1):
        return counter(whole.parts[0], limits, pieces.next(since, until))  # the only part, or one that has no cover
    covers = whole.factor
    figures: list[SearchResult] = []
    for k, part in enumerate(whole.parts):
        spent = time.perf_counter() - start
        rest = replace(limits, seconds=None if limits.seconds is None else max(0.0, limits.seconds - spent))
        step = (until - since) / len(whole.parts)
        counted = counter(part, rest, pieces.next(since + k * step, since + (k + 1) * step))
        figures.append(counted)
        if not counted.complete:  # unless it is the last, another part may have no cover
            return counted.with_figures(covers=covers * counted.covers * (k + 1 == len(whole.parts)))
        covers *= counted.covers
        if not covers:
            break
    if not figures:  # nothing is left to cover
        found = counter(problem, limits, pieces.next(since, until))
        return replace(found, stop=Stop.EXHAUSTED).with_figures(covers=covers)
    largest = figures[-1]  # the parts are sorted
    return largest.with_figures(covers=covers, native={**largest.native, "parts": len(whole.parts)})


def _answer(prepared: Searchable[Any], counts: list[SearchResult], seconds: float) -> SearchResult:
    acting, first, complete = prepared.acting, counts[0], counts[-1].complete
    numbers = [each.covers for each in counts]
    if prepared.tests_pending:
        # The first count is of the identity, which fixes every cover. A class has at most *acting* covers.
        different, total = (sum(numbers) // acting if complete else -(-numbers[0] // acting)), numbers[0]
    else:
        different, total = numbers[0], numbers[0] * acting
    branches = first.branches if len(counts) == 1 else None
    result = SearchResult(
        counts[-1].stop,
        SearchFigures(numbers[0], branches, None, search_seconds=seconds, native=first.native),
        COUNTED_BY[first.method],
        first.notes,
        # A total that was not counted is the number of covers met.
        "enumeration" if numbers[0] and not first.complete else first.method,
        different,
        total,
        digest="",
    )
    return for_users(result, prepared, DEFAULT)
