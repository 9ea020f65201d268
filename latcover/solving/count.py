"""Counting the solutions of a puzzle, if possible without listing them.

If no part has an item (all may be used without limit), the frontier counts the covers, or the kernel counts them with a
memo of the uncovered items. Burnside's lemma then gives the essentially different ones: their number is the mean, over
the symmetries, of the number of covers that a symmetry fixes. These covers consist of whole orbits of options, and are
counted in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from latcover.backends import DEFAULT, create
from latcover.backends.bitset import MOST_MEMORY, Bitset
from latcover.backends.frontier import MOST_BYTES, MOST_WIDTH, can_count, count_covers
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Backend, Limits, OnProgress, Pieces, Stop, refuse_colours
from latcover.cover.searchable import Searchable
from latcover.encoding.prepared import Choices, prepare
from latcover.errors import TooLargeError, UnsupportedError
from latcover.model.puzzle import Puzzle
from latcover.solving.answer import Answer, Found, answer_of
from latcover.solving.run import run

Method = Literal["auto", "enumeration", "frontier", "memo"]
Counter = Callable[[CoverProblem, float | None, OnProgress | None], "Counted"]
COUNTED_BY: dict[Method, str] = {"frontier": "frontier", "memo": "bitset"}
LISTING = "count by enumeration (--method enumeration)"
PROMISING_WIDTH = 64  # the method "auto" tries a frontier up to this width


def count(puzzle: Puzzle, backend: Backend | None = None, choices: Choices = Choices()) -> Answer:  # noqa: B008 - frozen
    """Count the solutions of *puzzle*, essentially different and in all."""
    return count_prepared(prepare(puzzle, choices), backend)


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of covers of one problem, None if the count was cut short. *native* are figures of the method."""

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
        prepared: The puzzle or the bare problem.
        backend: The backend that enumerates solutions; None, or `auto` without options, leaves the method open.
        limits: A limit of solutions or branches applies only to an enumeration.
        on_progress: May stop the count by returning False.
        method: If no part has an item and no backend was named, "auto" lists no solutions. It then counts by the
            frontier if that is narrow, and otherwise by the kernel with a memo.
        most_bytes: The memory that the frontier or the memo may take.

    Raises:
        UnsupportedError: the method asked for cannot count this puzzle.
    """
    listed = limits.covers is not None or limits.branches is not None
    problem = prepared.problem
    if method in ("frontier", "memo"):
        if listed:
            raise UnsupportedError(
                f"a count by {method} lists no solutions or branches, so it cannot limit them; {LISTING}"
            )
        if not _leaves_method_open(backend):
            raise UnsupportedError(
                f"a count by {method} uses no backend; leave --backend and its options out, or {LISTING}"
            )
        refuse_colours(f"a count by {method}", problem)
        if method == "memo" and not _has_no_part_items(problem):
            raise UnsupportedError(f"a memo needs parts that may all be used without limit; {LISTING}")
        counter = _memo(most_bytes) if method == "memo" else _frontier(most_bytes, MOST_WIDTH)
        try:
            return _counted(prepared, method, counter, limits, on_progress)
        except TooLargeError as fault:
            raise UnsupportedError(f"{fault}; allow more with --memory, or {LISTING}") from None
        except UnsupportedError as fault:
            raise UnsupportedError(f"{fault}; {LISTING}") from None
    if method == "auto" and not listed and lists_nothing(problem, backend):
        return _by_frontier_or_else(prepared, limits, on_progress, most_bytes)
    return run(prepared, backend or create(DEFAULT), limits, on_progress=on_progress)


def _by_frontier_or_else(
    prepared: Searchable[Any], limits: Limits, on_progress: OnProgress | None, most_bytes: int
) -> Answer:
    """Count by the frontier. If it is too wide, count a puzzle with a memo, and enumerate the covers of a bare problem.

    A memo pays for tilings, which meet the same uncovered rest many times. Nobody knows beforehand whether it pays for
    a bare problem.
    """
    start = time.perf_counter()
    pieces = Pieces(on_progress)
    try:
        return _counted(prepared, "frontier", _frontier(most_bytes, PROMISING_WIDTH), limits, pieces.next())
    except UnsupportedError as fault:
        spent, reason = time.perf_counter() - start, str(fault)
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(0.0, limits.seconds - spent))
    if not prepared.repeats:
        return run(prepared, create(DEFAULT), limits, on_progress=pieces.next())
    note = f"counted with a memo after {spent:.1f} s: {reason}"
    return replace(_counted(prepared, "memo", _memo(most_bytes), limits, pieces.next()), notes=(note,))


def _leaves_method_open(backend: Backend | None) -> bool:
    """Whether neither a backend nor an option of a backend decides the method of counting."""
    return backend is None or backend.leaves_method_open


def lists_nothing(problem: CoverProblem, backend: Backend | None) -> bool:
    """Whether a count without limits ignores *backend* and lists no solutions."""
    return _leaves_method_open(backend) and _has_no_part_items(problem)


def _has_no_part_items(problem: CoverProblem) -> bool:
    """Whether the rest of the problem depends only on the covered cells."""
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
    prepared: Searchable[Any], method: Method, counter: Counter, limits: Limits, on_progress: OnProgress | None
) -> Answer:
    """Count the covers of the problem; if covers would have to be tested, count the covers that each symmetry fixes."""
    start = time.perf_counter()
    problems = prepared.kept_by_each_symmetry() if prepared.tests_pending else iter([prepared.problem])
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


def _answer(prepared: Searchable[Any], method: Method, counts: list[Counted], seconds: float) -> Answer:
    acting = prepared.acting
    complete = counts[-1].covers is not None
    numbers = [each.covers or 0 for each in counts]
    if prepared.tests_pending:
        # The first count is of the identity, which fixes every cover. A class has at most *acting* covers.
        different, total = (sum(numbers) // acting if complete else -(-numbers[0] // acting)), numbers[0]
    else:
        different, total = numbers[0], numbers[0] * acting
    found = Found(
        counts[-1].stop,
        different,
        total,
        covers=numbers[0],
        branches=None,
        dead_ends=None,
        digest="",
        search_seconds=seconds,
        native=counts[0].native,
        backend=COUNTED_BY[method],
    )
    return answer_of(prepared, DEFAULT, found, method)
