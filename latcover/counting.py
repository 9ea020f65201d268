"""Counting the solutions of a puzzle, without listing them where that can be done.

Where no part has an item of its own (all may be used without limit), the covers are counted by the frontier. The
essentially different ones then follow from Burnside's lemma: their number is the mean, over the symmetries, of how many
covers a symmetry maps to themselves; and those are the covers by whole orbits of options, counted in the same way.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Literal

import numpy as np

from latcover.backends import DEFAULT, create
from latcover.backends.frontier import MOST_BYTES, Count, can_count, count_covers, narrow_order
from latcover.encode import encode
from latcover.errors import UnsupportedError
from latcover.machine import peak_memory
from latcover.problem import CoverProblem, Ints
from latcover.puzzle import Puzzle
from latcover.search import Backend, Limits, OnProgress
from latcover.solve import Answer, Choices, Prepared, prepare, run
from latcover.symmetry import Symmetry

Method = Literal["auto", "enumeration", "frontier"]
PROMISING_WIDTH = 64  # up to which a frontier is tried unasked


def count(puzzle: Puzzle, backend: Backend | None = None, choices: Choices = Choices()) -> Answer:  # noqa: B008 - frozen
    """How many solutions *puzzle* has, essentially different and in all."""
    return count_prepared(prepare(puzzle, choices), backend)


def count_prepared(
    prepared: Prepared,
    backend: Backend | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    method: Method = "auto",
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """Count the solutions of a prepared puzzle.

    Args:
        prepared: The puzzle.
        backend: Who enumerates them, where they are enumerated; None leaves the choice to latcover.
        limits: Of solutions and branches there are some only where solutions are enumerated.
        on_progress: May stop the count by returning False.
        method: "auto" counts by the frontier where it can, no backend was named, and it promises to be small.
        most_bytes: The memory that a frontier may take.

    Raises:
        UnsupportedError: the method asked for cannot count this puzzle.
    """
    listed = limits.covers is not None or limits.branches is not None
    notes: tuple[str, ...] = ()
    if method == "frontier":
        if listed:
            raise UnsupportedError("a count by the frontier meets no solutions or branches that could be limited")
        return _by_frontier(prepared, limits, on_progress, most_bytes)
    if method == "auto" and backend is None and not listed and _is_promising(prepared.problem):
        try:
            return _by_frontier(prepared, limits, on_progress, most_bytes)
        except UnsupportedError as reason:
            notes = (f"counted one by one: {reason}",)
    answer = run(prepared, backend or create(DEFAULT), limits, on_progress=on_progress)
    return replace(answer, notes=(*answer.notes, *notes))


def _is_promising(problem: CoverProblem) -> bool:
    if len(problem.part_sizes) or not problem.n_options or not can_count(problem):
        return False
    return narrow_order(problem)[1] <= PROMISING_WIDTH


def _by_frontier(prepared: Prepared, limits: Limits, on_progress: OnProgress | None, most_bytes: int) -> Answer:
    start = time.perf_counter()
    group = prepared.reduction.group
    if prepared.reduction.tests_pending:
        problem, option_placement = encode(prepared.puzzle, prepared.table)
        problems = [problem]
        problems += [
            _of_orbits(problem, _permuted(prepared, element, problem, option_placement))
            for element in group.elements[1:]
        ]
    else:
        problems = [prepared.problem]
    counts: list[Count] = []
    for problem in problems:
        spent = time.perf_counter() - start
        left = None if limits.seconds is None else max(0.0, limits.seconds - spent)
        counts.append(count_covers(problem, Limits(seconds=left), on_progress, most_bytes=most_bytes))
        if counts[-1].covers is None:
            break
    return _answer(prepared, counts, time.perf_counter() - start)


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


def _answer(prepared: Prepared, counts: list[Count], seconds: float) -> Answer:
    reduction, group = prepared.reduction, prepared.reduction.group
    complete = counts[-1].covers is not None
    numbers = [found.covers or 0 for found in counts]
    if reduction.tests_pending:
        different, total = (sum(numbers) // len(group) if complete else 0), numbers[0]
    else:
        different, total = numbers[0], numbers[0] * len(group)
    return Answer(
        puzzle=prepared.puzzle.name,
        backend="frontier",
        complete=complete,
        stop=counts[-1].stop.value,
        symmetry=prepared.choices.symmetry,
        different=different,
        total=total,
        covers=numbers[0],
        branches=None,
        method="frontier",
        seconds={"setup": prepared.seconds, "first": None, "search": seconds, "check": 0.0},
        native={
            "width": max(found.width for found in counts),
            "states": max(found.states for found in counts),
            "bytes": max(found.bytes for found in counts),
        },
        symmetries=group.order,
        pivot=reduction.pivot,
        dead_ends=None,
        branches_by_level=(),
        asked=DEFAULT,
        digest="",
        memory=peak_memory(),
    )
