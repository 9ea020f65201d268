"""How the suite takes times: methods take turns, the least of several times counts, and what they find must agree."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from latcover.backends import create
from latcover.benchmarks.suite_registry import METHODS, Case
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, Limits
from latcover.errors import LatcoverError


class DisagreementError(LatcoverError):
    """Methods that must find the same did not: no time of theirs means anything."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How often to measure: up to ``times`` times, but no more once a method has taken ``enough_seconds``."""

    quick: bool = False
    times: int = 5
    enough_seconds: float = 3.0


QUICK_PLAN = Plan(quick=True, times=1)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a method found, and the seconds it took; branches are None where it does not tell."""

    covers: int
    branches: int | None
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def nanoseconds(self) -> float | None:
        """Nanoseconds a branch."""
        return self.seconds / self.branches * 1e9 if self.branches else None


Run = Callable[[], Measured]


def take_turns(puzzle: str, runs: Mapping[str, Run], plan: Plan) -> dict[str, Measured]:
    """The best of each method, run in turns.

    Raises:
        DisagreementError: two runs differ in covers, or in branches where both tell them.
    """
    best: dict[str, Measured] = {}
    spent = dict.fromkeys(runs, 0.0)
    for _ in range(plan.times):
        for name, run in runs.items():
            if spent[name] >= plan.enough_seconds:
                continue
            measured = run()
            spent[name] += measured.seconds
            earlier = best.get(name)
            require_agreement(puzzle, best | {name if earlier is None else f"{name} again": measured})
            if earlier is None or measured.seconds < earlier.seconds:
                best[name] = measured
    return best


def require_agreement(puzzle: str, found: Mapping[str, Measured]) -> None:
    """Raise DisagreementError where covers or branches differ."""
    for figure in ("covers", "branches"):
        told = {name: value for name, each in found.items() if (value := getattr(each, figure)) is not None}
        if len(set(told.values())) > 1:
            listed = ", ".join(f"{name} {value:,}" for name, value in told.items())
            raise DisagreementError(
                f"{puzzle}: the methods disagree about the number of {figure}: {listed}. One of them is wrong; "
                f"`latcover compare {puzzle}` shows which set of solutions each finds"
            )


def require_covers(case: Case, covers: int) -> None:
    """Raise DisagreementError where a row's known number of covers was not found."""
    if case.covers is not None and covers != case.covers:
        raise DisagreementError(f"{case.puzzle} has {case.covers:,} covers, but {covers:,} were found")


def search_of(
    problem: CoverProblem,
    method: str,
    limits: Limits = Limits(),
    *,
    threads: int | None = None,
    whole: bool = False,
) -> Run:
    """A search by one of our methods that counts covers.

    The seconds are the lesser of the clock's, of the search alone, and the processor's, of the whole call: both are no
    less than what the search needs, whatever else the machine does. Where threads are told it is the
    clock's alone, of one thread too, so that they can be compared.

    Args:
        threads: How many threads the kernel may use; None takes those of the method.
        whole: Whether the clock too takes the whole call.
    """
    given = METHODS[method]
    assert given.backend is not None
    options = dict(given.options) | ({} if threads is None else {"threads": threads})
    backend = create(given.backend, **options)

    def run() -> Measured:
        def take(_: Batch) -> bool:
            return True

        timer = Timer()
        outcome = backend.search(problem, take, limits)
        timed = timer.seconds()
        statistics = outcome.figures
        seconds = timed if whole else min(timed, statistics.search_seconds)
        if threads is not None:
            seconds = statistics.search_seconds
        return Measured(statistics.covers, statistics.branches, seconds, outcome.notes)

    return run


class Timer:
    """Takes the clock's and the processor's time from its making on."""

    def __init__(self) -> None:
        self._clock, self._processor = time.perf_counter(), time.process_time()

    def seconds(self) -> float:
        """The lesser of the two."""
        return min(time.perf_counter() - self._clock, time.process_time() - self._processor)


def without(measured: Measured, start: Measured) -> Measured:
    """A search less what a search that ends at once takes."""
    return replace(measured, seconds=max(measured.seconds - start.seconds, 0.0))
