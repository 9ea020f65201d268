"""Objectives that can only be read off whole solutions, while these are listed."""

from __future__ import annotations

import time
from collections.abc import Callable

from latcover.core.cover.events import Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.solution_values import value_of
from latcover.errors import UnsupportedError
from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of

Evaluator = Callable[[Solution], int | Stop | None]
"""What values solutions: None of those without a value; if it has not told, why: `NOT_PROVED` is of this one alone."""


def evaluator_of(puzzle: Puzzle, objective: str, seconds: float | None, events: Events) -> Evaluator:
    """What values the solutions of *puzzle*, for so many seconds.

    Raises:
        UnsupportedError: the puzzle has no such thing.
    """
    if puzzle.region.period:
        raise UnsupportedError(f"{objective} is not known for regions that close on themselves")
    if objective == "moves":
        return _moves(puzzle, seconds, events)
    return lambda solution: value_of(puzzle, solution, objective)


def _moves(puzzle: Puzzle, seconds: float | None, events: Events) -> Evaluator:
    """Takes solutions apart; the replay checks each. Those that cannot come apart have no value."""
    assembler = assembler_of(puzzle)
    if assembler.lifted:
        raise UnsupportedError("the pieces of a flat puzzle are lifted off one by one: they need no moves")
    end = None if seconds is None else time.perf_counter() + seconds

    def moves(solution: Solution) -> int | Stop | None:
        left = None if end is None else max(0.0, end - time.perf_counter())
        (found,) = assembler.take_apart(
            [solution],
            ApartLimits(None, left),
            on_progress=lambda _: events.on_progress(Progress(None, None, 0, 0.0)),
        )
        if found.result == "unknown":
            return Stop.TIME_LIMIT if left is not None and time.perf_counter() >= (end or 0) else Stop.CANCELLED
        if found.result == "unproved":
            return Stop.NOT_PROVED
        return found.moves if found.result == "apart" else None

    return moves
