"""Counts the solutions of a puzzle without listing them.

Independent parts of a problem are counted separately. The number of essentially different solutions follows from
Burnside's lemma: it is the mean, over the symmetries, of the number of covers that a symmetry fixes. These covers
consist of whole orbits of options, and are counted in the same way; conjugate symmetries fix equally many.
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.keeping import key_of
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, Pieces
from latcover.core.cover.searchable import KeptCovers, Searchable
from latcover.core.cover.simpler import split, without_implied_item
from latcover.core.cover.solver_registry import DEFAULT
from latcover.core.solving.run import for_users


def count_without_list(
    prepared: Searchable[Any],
    counter: Counter,
    task: CountTask,
    counted: MutableMapping[str, SearchResult] | None = None,
) -> SearchResult:
    """Count the covers of a problem; if covers would have to be tested, count the covers that each symmetry fixes.

    Args:
        counter: The method.
        task: The count of the problem of *prepared*.
        counted: Problems that were counted before, by `key_of`; those that are counted now are added.
    """
    start = time.perf_counter()
    counter = counter if counted is None else _Remembering(counter, counted)
    every = prepared.kept_by_symmetries() if prepared.tests_pending else iter([KeptCovers(task.problem, 1)])
    sweeps = prepared.sweeps()
    n_symmetries = prepared.acting if prepared.tests_pending else 1
    pieces = Pieces(task.on_progress)
    found: list[SearchResult] = []
    symmetries: list[int] = []
    for kept in every:
        each = replace(task, problem=swept(kept.problem, sweeps), limits=_left(task.limits, start))
        done = sum(symmetries)
        symmetries.append(kept.symmetries)
        found.append(_product(counter, each, pieces, done / n_symmetries, (done + kept.symmetries) / n_symmetries))
        if not found[-1].complete:
            break
    return _answer(prepared, found, symmetries, time.perf_counter() - start)


def _left(limits: Limits, start: float) -> Limits:
    """What is left of the seconds since *start*."""
    most = limits.seconds
    return limits if most is None else replace(limits, seconds=max(0.0, most - (time.perf_counter() - start)))


def swept(problem: CoverProblem, sweeps: Ints) -> CoverProblem:
    """The problem with these places of its cells; its other items have none."""
    if not len(sweeps):
        return problem
    places = np.full((len(sweeps), problem.n_items), -1, np.int32)
    places[:, : sweeps.shape[1]] = sweeps
    return replace(problem, sweeps=places)


class _Remembering(Counter, frozen=True, eq=False):
    """A counter that counts no problem again."""

    counter: Counter
    counted: MutableMapping[str, SearchResult]

    name = "remembering"

    def count(self, task: CountTask) -> SearchResult:
        key = key_of(task.problem)
        if key in self.counted:
            return self.counted[key]
        found = self.counter.count(task)
        if found.complete:
            self.counted[key] = found
        return found


def _product(counter: Counter, task: CountTask, pieces: Pieces, since: float, until: float) -> SearchResult:
    """Count a problem by its independent parts."""
    start = time.perf_counter()
    whole = replace(task, on_progress=pieces.next(since, until))
    apart = split(without_implied_item(task.problem))
    if apart.parts and (not apart.parts[0].n_options or apart.factor == len(apart.parts) == 1):
        return counter.count(replace(whole, problem=apart.parts[0]))  # the only part, or one that has no cover
    covers = apart.factor
    largest: SearchResult | None = None
    for k, part in enumerate(apart.parts):  # they are sorted
        step = (until - since) / len(apart.parts)
        report = pieces.next(since + k * step, since + (k + 1) * step)
        largest = counter.count(replace(task, problem=part, limits=_left(task.limits, start), on_progress=report))
        if not largest.complete:  # unless it is the last, another part may have no cover
            return largest.with_figures(covers=covers * largest.covers * (k + 1 == len(apart.parts)))
        covers *= largest.covers
        if not covers:
            break
    if largest is None:  # nothing is left to cover
        return replace(counter.count(whole), stop=Stop.EXHAUSTED).with_figures(covers=covers)
    return largest.with_figures(covers=covers, native={**largest.native, "parts": len(apart.parts)})


def _answer(
    prepared: Searchable[Any], counts: list[SearchResult], symmetries: list[int], seconds: float
) -> SearchResult:
    acting, first, complete = prepared.acting, counts[0], counts[-1].complete
    numbers = [each.covers * times for each, times in zip(counts, symmetries, strict=True)]
    if prepared.tests_pending:
        # The first count is of the identity, which fixes every cover. A class has at most *acting* covers.
        different, total = (sum(numbers) // acting if complete else -(-numbers[0] // acting)), numbers[0]
    else:
        different, total = numbers[0], numbers[0] * acting
    branches = first.branches if len(counts) == 1 else None
    result = SearchResult(
        counts[-1].stop,
        SearchFigures(numbers[0], branches, None, search_seconds=seconds, native=first.native),
        first.backend,
        first.notes,
        # A total that was not counted is the number of covers met.
        "enumeration" if numbers[0] and not first.complete else first.method,
        different,
        total,
        digest="",
    )
    return for_users(result, prepared, DEFAULT)
