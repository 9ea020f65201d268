"""The solutions of a puzzle as an iterator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.problem import Ints
from latcover.core.cover.search import OnProgress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import DEFAULT, create
from latcover.core.cover.veto import Nogood, together
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving import guard
from latcover.core.solving.collector import Collector, Verified
from latcover.core.solving.filters import Filter, filters_of
from latcover.core.solving.search_request import library
from latcover.errors import UnsupportedError

Prune = Callable[[tuple[Placed, ...]], bool]
"""Receives parts that are placed already, in the order of the search; says whether no solution with them is wanted."""


def solutions(
    puzzle: Puzzle | str | Path,
    backend: Backend | str | None = None,
    choices: Choices = Choices(),
    where: Filter | Iterable[Filter] = (),
    prune: Prune | None = None,
) -> Iterator[Solution]:
    """The essentially different solutions of *puzzle*, verified, one by one, while the search goes on.

    Args:
        puzzle: The puzzle, or the name or the path of one.
        backend: The solver, or its name; None takes the default.
        choices: Which solutions count as the same, and how the search uses that.
        where: A filter, or several. Only solutions that pass all of them are listed; they keep their numbers.
        prune: Says of parts that are placed already whether no solution with them is wanted. If it says so of some
            placements, it must say so of these with any others; and if images of a solution count as one, of all
            images or of none. ``dlx``, the default then, asks it after each placement
            and goes no further; other backends are asked about whole solutions, and those that learn also about some of
            the placements of one that is refused.

    Raises:
        PuzzleError: the puzzle contradicts itself, or asks for too much.
        UnsupportedError: the backend cannot search it.
        BackendFailedError: the backend broke down, or handed over a set of options that is not a cover.
    """
    prepared, filters = prepare(library().puzzle_called(puzzle), choices), filters_of(where)
    backend = create(backend) if isinstance(backend, str) else backend
    if prune is not None:
        prepared = pruned(prepared, prune)
        backend = backend or create("dlx")
    verified, number = Verified(prepared), 1
    for kept in kept_covers(prepared, backend):
        for solution in verified.solutions(kept, number):
            if all(passes(solution) for passes in filters):
                yield solution
        number += len(kept)


class _PruneVeto(Struct, frozen=True):
    """A user's function as a veto. See `latcover.core.cover.veto.Veto`."""

    prepared: Prepared
    prune: Prune

    names = ("prune",)

    def refuses(self, members: Ints) -> bool:
        answer = self.prune(tuple(self.prepared.entry(member) for member in members.tolist()))
        if answer is not True and answer is not False:
            raise UnsupportedError(f"a function that prunes must return True or False, not {answer!r:.40}")
        return answer

    def newly_refuses(self, members: Ints) -> bool:
        return self.refuses(members)

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """Of the members as few as it still refuses."""
        if not self.refuses(members):
            return ()
        for member in members.tolist():
            fewer = members[members != member]
            members = fewer if self.refuses(fewer) else members
        return (Nogood(members),)


def pruned(prepared: Prepared, prune: Prune) -> Prepared:
    """The same puzzle without the solutions that *prune* refuses."""
    if not callable(prune):
        raise UnsupportedError(f"prune takes a function of placements, not {prune!r:.40}")
    rules = () if prepared.veto is None else (prepared.veto,)
    return replace(prepared, veto=together([*rules, _PruneVeto(prepared, prune)]))


def kept_covers(
    subject: Searchable[Any], backend: Backend | None = None, on_progress: OnProgress = lambda _: True
) -> Iterator[JudgedCovers]:
    """The essentially different covers, batch by batch; not verified yet.

    Closing the iterator stops the search. *on_progress* stops it by returning False.
    """
    collector = Collector(subject)
    solver, veto = backend or create(DEFAULT), subject.option_veto
    for batch in guard.iterate(solver, subject.problem, on_progress=on_progress, veto=veto):
        yield collector.judge(batch)
