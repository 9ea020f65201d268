"""Counting the solutions of a puzzle, without listing them where that can be done.

Where no part has an item of its own (all may be used without limit), the covers are counted by the frontier, or by the
kernel with a memo of the uncovered items. The essentially different ones then follow from Burnside's lemma: their
number is the mean, over the symmetries, of how many covers a symmetry maps to themselves; and those are the covers by
whole orbits of options, counted in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from latcover.backends import DEFAULT, create
from latcover.backends.auto import Auto
from latcover.backends.bitset import MOST_MEMORY, Bitset
from latcover.backends.frontier import MOST_BYTES, MOST_WIDTH, can_count, count_covers
from latcover.cover.problem import CoverProblem, Ints
from latcover.cover.search import Backend, Limits, OnProgress, Pieces, Stop, refuse_colours
from latcover.encoding.encode import encode
from latcover.encoding.prepared import Choices, Prepared, prepare
from latcover.encoding.symmetry import Symmetry
from latcover.errors import UnsupportedError
from latcover.model.puzzle import Puzzle
from latcover.solving.run import Answer, Searchable, run
from latcover.system.machine import peak_memory

Method = Literal["auto", "enumeration", "frontier", "memo"]
Counter = Callable[[CoverProblem, float | None, OnProgress | None], "Counted"]
PROMISING_WIDTH = 64  # up to which a frontier is tried unasked


def count(puzzle: Puzzle, backend: Backend | None = None, choices: Choices = Choices()) -> Answer:  # noqa: B008 - frozen
    """How many solutions *puzzle* has, essentially different and in all."""
    return count_prepared(prepare(puzzle, choices), backend)


@dataclass(frozen=True, slots=True)
class Counted:
    """The covers of one problem; None where the count was cut short. *native* are figures of the method alone."""

    covers: int | None
    stop: Stop
    native: Mapping[str, Any]


def count_prepared(
    prepared: Searchable[Any],
    backend: Backend | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    method: Method = "auto",
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """Count the solutions of a prepared puzzle, or the covers of a bare problem.

    Args:
        prepared: What to count.
        backend: Who enumerates them, where they are enumerated; None, or `auto` as it is, leaves the choice open.
        limits: Of solutions and branches there are some only where solutions are enumerated.
        on_progress: May stop the count by returning False.
        method: "auto" lists no solutions where no part has an item of its own and no backend was named: it counts by
            the frontier where that promises to be small, and else by the kernel with a memo.
        most_bytes: The memory that the frontier or the memo may take.

    Raises:
        UnsupportedError: the method asked for cannot count this puzzle.
    """
    listed = limits.covers is not None or limits.branches is not None
    problem = prepared.problem
    if method in ("frontier", "memo"):
        if listed:
            raise UnsupportedError(f"a count by {method} meets no solutions or branches that could be limited")
        if not _leaves_the_choice(backend):
            raise UnsupportedError(f"a count by {method} asks no backend; leave the backend and its options out")
        refuse_colours(f"a count by {method}", problem)
        if method == "memo" and not _has_no_part_items(problem):
            raise UnsupportedError("a memo needs parts that may all be used without limit; count by enumeration")
        counter = _memo(most_bytes) if method == "memo" else _frontier(most_bytes, MOST_WIDTH)
        try:
            return _counted(prepared, method, counter, limits, on_progress)
        except UnsupportedError as fault:
            advice = "allow more, or " if "memory" in str(fault) else ""
            raise UnsupportedError(f"{fault}; {advice}count by enumeration") from None
    if method == "auto" and not listed and lists_nothing(problem, backend):
        return _frontier_else_other(prepared, limits, on_progress, most_bytes)
    return run(prepared, backend or create(DEFAULT), limits, on_progress=on_progress)


def _frontier_else_other(
    prepared: Searchable[Any], limits: Limits, on_progress: OnProgress | None, most_bytes: int
) -> Answer:
    """By the frontier; where that is too wide, a puzzle with a memo, and a bare problem one by one.

    Tilings meet the same rest again and again; of other problems that cannot be foreseen.
    """
    start = time.perf_counter()
    pieces = Pieces(on_progress)
    try:
        return _counted(prepared, "frontier", _frontier(most_bytes, PROMISING_WIDTH), limits, pieces.next())
    except UnsupportedError as fault:
        spent, reason = time.perf_counter() - start, str(fault)
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(0.0, limits.seconds - spent))
    if not isinstance(prepared, Prepared):
        return run(prepared, create(DEFAULT), limits, on_progress=pieces.next())
    note = f"counted with a memo after {spent:.1f} s: {reason}"
    return replace(_counted(prepared, "memo", _memo(most_bytes), limits, pieces.next()), notes=(note,))


def _leaves_the_choice(backend: Backend | None) -> bool:
    """Whether no backend was named, and no option that only some have; threads say nothing of how to count."""
    return backend is None or (isinstance(backend, Auto) and replace(backend, threads=None) == Auto())


def lists_nothing(problem: CoverProblem, backend: Backend | None) -> bool:
    """Whether a count without limits leaves *backend* aside, and lists no solutions."""
    return _leaves_the_choice(backend) and _has_no_part_items(problem)


def _has_no_part_items(problem: CoverProblem) -> bool:
    """Whether what is left of the problem depends on the cells covered alone."""
    return not len(problem.part_sizes) and problem.n_options > 0 and can_count(problem)


def _frontier(most_bytes: int, most_width: int) -> Counter:
    def counter(problem: CoverProblem, seconds: float | None, on_progress: OnProgress | None) -> Counted:
        limits = Limits(seconds=seconds)
        found = count_covers(problem, limits, on_progress, most_bytes=most_bytes, most_width=most_width)
        return Counted(found.covers, found.stop, {"width": found.width, "states": found.states, "bytes": found.bytes})

    return counter


def _memo(most_bytes: int) -> Counter:
    kernel = Bitset(memory=min(max(1, most_bytes >> 20), MOST_MEMORY))

    def counter(problem: CoverProblem, seconds: float | None, on_progress: OnProgress | None) -> Counted:
        outcome = kernel.count(problem, Limits(seconds=seconds), on_progress)
        covers = outcome.statistics.covers if outcome.stop is Stop.EXHAUSTED else None
        return Counted(covers, outcome.stop, outcome.statistics.native)

    return counter


def _counted(
    prepared: Searchable[Any], method: str, counter: Counter, limits: Limits, on_progress: OnProgress | None
) -> Answer:
    """Count the covers of the problem; or where they would have to be tested, those that each symmetry keeps."""
    start = time.perf_counter()
    problems = _kept_by_each_symmetry(prepared) if prepared.tests_pending else iter([prepared.problem])
    n_problems = prepared.acting if prepared.tests_pending else 1
    pieces = Pieces(on_progress)
    found: list[Counted] = []
    for k, problem in enumerate(problems):
        spent = time.perf_counter() - start
        left = None if limits.seconds is None else max(0.0, limits.seconds - spent)
        found.append(counter(problem, left, pieces.next(k / n_problems, (k + 1) / n_problems)))
        if found[-1].covers is None:
            break
    return _answer(prepared, method, found, time.perf_counter() - start)


def _kept_by_each_symmetry(prepared: Searchable[Any]) -> Iterator[CoverProblem]:
    """The problem of all covers, and for each other symmetry the problem of those that it maps to themselves."""
    assert isinstance(prepared, Prepared)  # nothing else leaves covers to be tested
    problem, option_placement = encode(prepared.puzzle, prepared.table)
    yield problem
    for element in prepared.reduction.group.elements[1:]:
        yield _of_orbits(problem, _permuted(prepared, element, problem, option_placement))


def _permuted(prepared: Prepared, element: Symmetry, problem: CoverProblem, option_placement: Ints) -> Ints:
    """Where a symmetry takes each option, shape (n_options,)."""
    real = option_placement >= 0
    number = np.full(len(prepared.table), -1, np.int32)
    number[option_placement[real]] = np.flatnonzero(real)
    goes_to = np.empty(problem.n_options, np.int32)
    goes_to[real] = number[element.moved.images(option_placement[real])]
    empty = np.flatnonzero(~real)
    cell_of = problem.option_items[problem.option_starts[empty]]  # an option that leaves a cell empty holds it first
    option_of = dict(zip(cell_of.tolist(), empty.tolist(), strict=True))
    goes_to[empty] = [option_of[int(cell)] for cell in element.cells[cell_of]]
    return goes_to


def _of_orbits(problem: CoverProblem, goes_to: Ints) -> CoverProblem:
    """The problem whose options are the orbits, under a permutation, of options that can be chosen together."""
    label = np.arange(problem.n_options)
    image = goes_to.copy()
    while not np.array_equal(image, np.arange(problem.n_options)):
        label = np.minimum(label, image)
        image = goes_to[image]
    _, orbit = np.unique(label, return_inverse=True)
    owners = np.repeat(orbit.reshape(-1), np.diff(problem.option_starts))
    keys, times = np.unique(owners.astype(np.int64) * problem.n_items + problem.option_items, return_counts=True)
    n_orbits = int(orbit.max(initial=-1)) + 1
    whole = np.ones(n_orbits, np.bool_)
    whole[keys[times > 1] // problem.n_items] = False
    kept = whole[keys // problem.n_items]
    number = np.cumsum(whole) - 1
    rows = number[keys[kept] // problem.n_items]
    starts = np.searchsorted(rows, np.arange(int(whole.sum()) + 1))
    return CoverProblem(starts, (keys[kept] % problem.n_items).astype(np.int32), problem.low, problem.high)


def _answer(prepared: Searchable[Any], method: str, found: list[Counted], seconds: float) -> Answer:
    acting = prepared.acting
    complete = found[-1].covers is not None
    numbers = [each.covers or 0 for each in found]
    if prepared.tests_pending:
        different, total = (sum(numbers) // acting if complete else 0), numbers[0]
    else:
        different, total = numbers[0], numbers[0] * acting
    return Answer(
        puzzle=prepared.name,
        backend="frontier" if method == "frontier" else "bitset",
        complete=complete,
        stop=found[-1].stop.value,
        symmetry=prepared.symmetry,
        different=different,
        total=total,
        covers=numbers[0],
        branches=None,
        method=method,
        seconds={"setup": prepared.seconds, "first": None, "search": seconds, "check": 0.0},
        native=found[0].native,
        symmetries=prepared.symmetries,
        pivot=prepared.pivot,
        dead_ends=None,
        branches_by_level=(),
        asked=DEFAULT,
        digest="",
        memory=peak_memory(),
    )
