"""The solutions of a puzzle, one by one, while the search goes on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latcover.backends import DEFAULT, create
from latcover.cover.search import Backend, Batch, iterate
from latcover.encoding.prepared import Choices, prepare
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.solving.run import verified


def solutions(
    puzzle: Puzzle,
    backend: Backend | None = None,
    choices: Choices = Choices(),  # noqa: B008 - frozen
) -> Iterator[Solution]:
    """The essentially different solutions of *puzzle*, verified, one by one, while the search goes on."""
    prepared = prepare(puzzle, choices)
    show = verified(prepared)
    number = 0
    for cover in iterate(backend or create(DEFAULT), prepared.problem):
        starts, chosen = prepared.chosen(Batch(np.array([0, len(cover)]), cover))
        keep, orbits = prepared.judge(starts, chosen)
        if keep[0]:
            number += 1
            yield show(chosen, number, 1, int(orbits[0]))
