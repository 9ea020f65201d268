"""Sets of parts for many goals: each goal of a board is to have a solution, or one only, or as many as possible.

Sets are tried one after the other, all of them or some drawn by chance. A bag, any so many parts of which are to fill
the region, is found in another way: all choices of parts are counted together, and a bag is a set of parts all of
whose choices will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.model.goals import Goals, parts_of, region_within
from latcover.core.model.part_choices import Copies, PartSets
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.count import CountRequest
from latcover.core.solving.many_goals import count_goals
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.files.formats.library import goals_called
from latcover.lab.designing.goal_search import SAMPLES, GoalDesignRequest, GoalDesigns, GoalSearch
from latcover.system.decoding import decoded

MOST_TRIED = 100_000  # sets that are tried one after the other, if no number of samples is given


def design_for_goals(goals: Goals | str | Path, **choices: Any) -> GoalDesigns:
    """Find sets of parts with which each goal of a board has a solution.

    Args:
        goals: A board with goals, or the name or the path of one. Parts with ranges, such as min = 0 and max = 1, make
            it a family of sets. If its goals are choices of parts, these are all parts to choose a bag from.
        choices: Fields of a `GoalDesignRequest`, such as ``each="even"`` and ``parts=9``.

    Raises:
        PuzzleError: the puzzle contradicts itself, or has nothing to choose.
        UnsupportedError: choices that do not go together.
    """
    return find_for_goals(goals_called(goals), decoded(GoalDesignRequest, choices, "the design"))


def find_for_goals(
    goals: Goals, request: GoalDesignRequest, events: Events = SILENT, bounds: Bounds | None = None
) -> GoalDesigns:
    """The same for a request; ``events.on_design`` receives each design as it is found.

    Raises:
        PuzzleError, UnsupportedError: as `design_for_goals`.
    """
    searched = BagSearch if goals.choice is not None else SetSearch
    return searched(goals, request, events, bounds).result()


class SetSearch(GoalSearch):
    """Sets of parts for goals that are parts of the board."""

    def __init__(self, goals: Goals, request: GoalDesignRequest, events: Events, bounds: Bounds | None) -> None:
        super().__init__(goals, request, events, bounds)
        self._shared = GoalPlacements(goals, self.choices, bounds)

    def search(self) -> GoalDesigns:
        sets = self._sets()
        samples = self.request.samples
        listed = samples is None and sets.total <= MOST_TRIED
        found = GoalDesigns(self.goals.name, sets.total, all_listed=listed)
        most = sets.total if listed else samples or SAMPLES
        for copies in sets if listed else self._drawn(sets, most):
            if not self.may_go_on(found.tried / most):
                return found
            found.tried += 1
            if self.judge.will_do(lambda goal: replace(goal, copies=copies), self._shared):  # noqa: B023 - at once
                self.keep(found, tuple(parts_of(self.goals.board.parts, copies)))
        if not listed and self.stop is None:
            self.stop = Stop.BRANCH_LIMIT
        return found

    def _sets(self) -> PartSets:
        """The sets that have the volume of the first goal.

        Raises:
            PuzzleError: there is nothing to choose, or nothing fits.
        """
        board = self.goals.board
        copies = {k: range(p.low, board.most_copies(p) + 1) for k, p in enumerate(board.parts) if p.low != p.high}
        if not copies:
            raise PuzzleError(f"{board.name!r} has no parts to choose from; give some of them min = 0 and max = 1")
        numbers: Sequence[int] = ()
        if self.request.parts is not None:
            fixed = sum(part.low for k, part in enumerate(board.parts) if k not in copies)
            numbers = (self.request.parts - fixed,)
        region = region_within(board.region, self.goals.goals[0].kept)
        sets = PartSets(replace(board, region=region), copies, numbers)
        if not sets.total:
            many = "" if self.request.parts is None else f" of {counted(self.request.parts, 'part')}"
            raise PuzzleError(f"no set{many} has as many cells as the goal {self.goals.goals[0].name!r}")
        return sets

    def _drawn(self, sets: PartSets, most: int) -> Iterator[Copies]:
        """Sets drawn by chance, none twice."""
        dice, seen = Random(self.request.seed), set[int]()
        for _ in range(most):
            place = dice.randrange(sets.total)
            if place not in seen:
                seen.add(place)
                yield sets.nth(place)


class BagSearch(GoalSearch):
    """Bags of parts, any so many of which fill a region."""

    def search(self) -> GoalDesigns:
        goals, board, request = self.goals, self.goals.board, self.request
        assert goals.choice is not None
        numbers, chosen = goals.choice.numbers, goals.choice.indices(board.parts)
        if len(numbers) != 1 or goals.open or goals.regions or any(board.parts[k].high != 1 for k in chosen):
            raise UnsupportedError(
                "a bag is designed for one number of parts to choose, each of which is there once, and for one region"
            )
        if len({board.parts[k].size for k in chosen}) > 1:
            raise UnsupportedError(
                "a bag is designed of parts with equally many cells: any of them must fill the region"
            )
        size = request.parts
        if size is None or not numbers[0] < size <= len(chosen):
            raise UnsupportedError(f"--parts says how many parts the bag has: from {numbers[0] + 1} to {len(chosen)}")
        asked = CountRequest(symmetry=self.choices.symmetry, seconds=request.seconds)
        counts = count_goals(goals, asked, self.events, bounds=self.bounds)
        if not counts.complete:
            self.stop = counts.stop
        many = {
            frozenset(k for k, n in enumerate(goal.copies) if n > 0): result.different
            for goal, result in zip(goals, counts.results, strict=True)
            if result.complete
        }
        found = GoalDesigns(board.name, comb(len(chosen), size))
        wanted: Callable[[int], bool] = {"unique": lambda n: n == 1}.get(request.each, lambda n: n > self.best)
        for bag in self._bags(chosen, size, numbers[0], lambda choice: wanted(many.get(choice, 0)), found):
            copies = tuple(-1 if k not in chosen else int(k in bag) for k in range(len(board.parts)))
            self.keep(found, tuple(parts_of(board.parts, copies)))
        return found

    def _bags(
        self,
        chosen: Sequence[int],
        size: int,
        number: int,
        will_do: Callable[[frozenset[int]], bool],
        found: GoalDesigns,
    ) -> Iterator[list[int]]:
        """Sets of *size* parts, all of whose choices will do: a part is added if it does so with all before it."""

        def grown(bag: list[int], first: int) -> Iterator[list[int]]:
            if not self.may_go_on():
                return
            if len(bag) == size:
                if all(will_do(frozenset(each)) for each in combinations(bag, number)):  # the bar may have risen
                    yield bag
                return
            for place in range(first, len(chosen) - (size - len(bag)) + 1):
                part = chosen[place]
                found.tried += 1
                if all(will_do(frozenset((*each, part))) for each in combinations(bag, number - 1)):
                    yield from grown([*bag, part], place + 1)
                if self.stop is not None:
                    return

        return grown([], 0)
