"""How the suite takes times: methods take turns, the least of several times counts, and what they find must agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from benchmarks.harness.turns import DisagreementError, Timer, in_turns, require_agreement
from benchmarks.suite_registry import METHODS, Case
from latcover.backends import create
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits, SearchTask


class Plan(msgspec.Struct, frozen=True):
    """How often to measure: up to ``times`` times, but no more once a method has taken ``enough_seconds``."""

    quick: bool = False
    times: int = 5
    enough_seconds: float = 3.0


QUICK_PLAN = Plan(quick=True, times=1)


class Measured(msgspec.Struct, frozen=True):
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

    def goes_on(earlier: list[Measured]) -> bool:
        return sum(each.seconds for each in earlier) < plan.enough_seconds

    found = in_turns(runs, plan.times, goes_on)
    every = {f"{name}{' again' * k}": each for name, several in found.items() for k, each in enumerate(several)}
    advice = f"; `latcover compare {puzzle}` shows which set of solutions each finds"
    for figure in ("covers", "branches"):
        told = {name: getattr(each, figure) for name, each in every.items()}
        require_agreement(puzzle, f"number of {figure}", told, advice)
    return {name: min(several, key=lambda each: each.seconds) for name, several in found.items()}


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
    less than what the search needs, whatever else the machine does. Where *threads* are told it is the clock's alone,
    of one thread too, so that they can be compared.

    Args:
        threads: How many threads the kernel may use; None takes those of the method.
        whole: Whether the clock too takes the whole call, set-up included.
    """
    given = METHODS[method]
    assert given.backend is not None
    options = dict(given.options) | ({} if threads is None else {"threads": threads})
    backend = create(given.backend, **options)

    def run() -> Measured:
        timer = Timer()
        outcome = backend.search(SearchTask(problem, lambda _: True, limits))
        timed, figures = timer.least(), outcome.figures
        seconds = timed if whole else min(timed, figures.search_seconds)
        if threads is not None:
            seconds = figures.search_seconds
        return Measured(figures.covers, figures.branches, seconds, outcome.notes)

    return run
