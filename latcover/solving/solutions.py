"""The solutions of a puzzle as an iterator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from latcover.backends import DEFAULT, create
from latcover.cover.judged import JudgedCovers
from latcover.cover.search import Backend, OnProgress
from latcover.cover.searchable import Searchable
from latcover.encoding.prepared import Choices, prepare
from latcover.formats.library import puzzle_of
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.solving import guard
from latcover.solving.collector import Collector, Verified
from latcover.solving.filters import Filter, filters_of


def solutions(
    puzzle: Puzzle | str | Path,
    backend: Backend | str | None = None,
    choices: Choices = Choices(),  # noqa: B008 - frozen
    where: Filter | Iterable[Filter] = (),
) -> Iterator[Solution]:
    """The essentially different solutions of *puzzle*, verified, one by one, while the search goes on.

    Args:
        puzzle: The puzzle, or the name or the path of one.
        backend: The solver, or its name; None takes the default.
        choices: Which solutions count as the same, and how the search uses that.
        where: A filter, or several. Only solutions that pass all of them are listed; they keep their numbers.

    Raises:
        PuzzleError: the puzzle contradicts itself, or asks for too much.
        UnsupportedError: the backend cannot search it.
        BackendFailedError: the backend broke down, or handed over a set of options that is not a cover.
    """
    prepared, filters = prepare(puzzle_of(puzzle), choices), filters_of(where)
    backend = create(backend) if isinstance(backend, str) else backend
    verified, number = Verified(prepared), 1
    for kept in kept_covers(prepared, backend):
        for solution in verified.solutions(kept, number):
            if all(passes(solution) for passes in filters):
                yield solution
        number += len(kept)


def kept_covers(
    subject: Searchable[Any], backend: Backend | None = None, on_progress: OnProgress = lambda _: True
) -> Iterator[JudgedCovers]:
    """The essentially different covers, batch by batch; not verified yet.

    Closing the iterator stops the search. *on_progress* stops it by returning False.
    """
    collector = Collector(subject)
    for batch in guard.iterate(backend or create(DEFAULT), subject.problem, on_progress=on_progress):
        yield collector.judge(batch)
