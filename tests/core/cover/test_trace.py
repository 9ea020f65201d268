"""Searches step by step: the trees are those of the native backends, covers and branches alike."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from latcover.backends import create
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, Rule, SearchTask
from latcover.core.cover.trace import Step, trace
from latcover.core.cover.trace import _State as State
from latcover.core.encoding.prepared import prepare
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from tests.dice import cases
from tests.oracle import any_coloured_problem, any_problem, covers
from tests.shipped import rest_long

NATIVE: tuple[tuple[Rule, str, bool], ...] = (
    ("first", "dlx", False),
    ("first", "backtrack", False),
    ("fewest", "dlx", True),
    ("fewest cell", "backtrack", True),
)


def outcome_of(backend: Backend, problem: CoverProblem) -> tuple[list[tuple[int, ...]], SearchResult]:
    found: list[tuple[int, ...]] = []

    def take(batch: object) -> bool:
        found.extend(tuple(cover.tolist()) for cover in batch)  # type: ignore[attr-defined]
        return True

    return found, backend.search(SearchTask(problem, take))


def found_by(steps: list[Step], whole: bool = True) -> list[tuple[int, ...]]:
    """The covers that steps lead to, in their order; and that what is taken back is what was tried last."""
    chosen: list[int] = []
    found = []
    for step in steps:
        if step.kind == "try":
            chosen.append(step.option)
            assert step.level == len(chosen)
        elif step.kind == "back":
            assert step.level == len(chosen)
            assert chosen.pop() == step.option
        elif step.kind == "cover":
            found.append(tuple(chosen))
    assert not (whole and chosen)
    return found


def by_level(steps: list[Step]) -> tuple[int, ...]:
    counted = Counter(step.level for step in steps if step.kind == "try")
    return tuple(counted[level] for level in range(1, max(counted, default=0) + 1))


def compare(problem: CoverProblem, rule: Rule, name: str, size: bool) -> None:
    expected, outcome = outcome_of(create(name, size=size), problem)
    steps = list(trace(problem, rule))
    assert found_by(steps) == expected
    assert by_level(steps) == outcome.figures.branches_by_level


@pytest.mark.parametrize(("rule", "name", "size"), NATIVE)
@cases(25, problem=any_problem)
def test_steps_are_those_of_the_native_backends(rule: Rule, name: str, size: bool, problem: CoverProblem) -> None:
    compare(problem, rule, name, size)


@pytest.mark.parametrize(("rule", "name", "size"), [row for row in NATIVE if row[1] == "dlx"])
@cases(25, problem=any_coloured_problem)
def test_traces_with_colours_are_native_trees(rule: Rule, name: str, size: bool, problem: CoverProblem) -> None:
    compare(problem, rule, name, size)


@cases(25, problem=any_problem)
def test_covers_are_those_of_brute_force(problem: CoverProblem) -> None:
    assert sorted(tuple(sorted(cover)) for cover in found_by(list(trace(problem)))) == sorted(covers(problem))


@pytest.mark.parametrize(("rule", "name", "size"), NATIVE)
@pytest.mark.parametrize(
    "puzzle",
    rest_long(["happy-cube-green", "pent-6x5x2", "slothouber-graatsma", "fig4-3x3"], ["pent-6x5x2", "fig4-3x3"]),
)
def test_the_first_branches_of_shipped_puzzles(puzzle: str, rule: Rule, name: str, size: bool) -> None:
    problem = prepare(load(puzzle)).problem
    found: list[tuple[int, ...]] = []
    limits = Limits(branches=500)
    outcome = create(name, size=size).search(
        SearchTask(problem, lambda batch: found.extend(tuple(cover.tolist()) for cover in batch) is None, limits)
    )
    steps, tried = [], 0
    for step in trace(problem, rule):
        tried += step.kind == "try"
        if tried > (outcome.figures.branches or 0):
            break
        steps.append(step)
    covers_found = found_by(steps, whole=False)
    assert covers_found[: len(found)] == found
    assert len(covers_found) <= len(found) + 1  # the one below the last branch, at which the native search stopped
    assert by_level(steps) == outcome.figures.branches_by_level


def test_a_trace_may_be_left_at_any_time() -> None:
    problem = prepare(load("pent-10x6")).problem
    steps = list(islice(trace(problem, "first"), 1000))
    assert len(steps) == 1000
    assert steps[0].kind == "try"


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.core.cover.trace.MOST_ENTRIES", 10)
    with pytest.raises(UnsupportedError, match="take a smaller puzzle"):
        next(trace(prepare(load("pent-10x6")).problem))


def test_a_state_forgets_what_is_taken_back() -> None:
    problem = prepare(load("soma")).problem
    state = State(problem)
    before = state.live()
    for option in (0, 5):
        state.take(option)
        state.give_back(option)
    assert (state.live() == before).all()
