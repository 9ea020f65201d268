"""The results of all goals of a board, and their sum."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from latcover.core.cover.result import SearchResult, Stop
from latcover.errors import PuzzleError, counted, escaped, suggest

Way = Literal["together", "one by one"]
NAMED = 5  # goals without a solution that a line names


class GoalsResult(Struct, frozen=True):
    """The results of all goals.

    Attributes:
        puzzle: The name of the board.
        goals: The names of the goals.
        results: The result of each, in the same order. One whose turn did not come has the reason why.
        stop: EXHAUSTED if every result is complete, or why one is not.
        way: Whether one search found the solutions of all goals, or each was searched by itself.
        branches: Of all searches together; None if one of them does not count them.
        seconds: The time for everything.
    """

    puzzle: str
    goals: tuple[str, ...]
    results: tuple[SearchResult, ...]
    stop: Stop
    way: Way
    branches: int | None
    seconds: float

    def __repr__(self) -> str:
        return f"<GoalsResult: {self.headline()}>"

    def __len__(self) -> int:
        return len(self.goals)

    @property
    def complete(self) -> bool:
        """Whether all that was asked of every goal is known."""
        return self.stop.is_complete

    def of(self, goal: str) -> SearchResult:
        """The result of the goal with this name.

        Raises:
            PuzzleError: there is none.
        """
        if goal not in self.goals:
            raise PuzzleError(f"{self.puzzle!r} has no goal {goal!r:.80}{suggest(goal, self.goals, listing=False)}")
        return self.results[self.goals.index(goal)]

    @property
    def different(self) -> int:
        """The sum of the different solutions of all goals, as far as they are known."""
        return sum(result.different for result in self.results)

    @property
    def total(self) -> int:
        """The sum of all solutions of all goals, as far as they are known."""
        return sum(result.total for result in self.results)

    @property
    def solved(self) -> int:
        """How many goals are known to have a solution."""
        return sum(_has_solution(result) for result in self.results)

    @property
    def unsolved(self) -> tuple[str, ...]:
        """The goals that have no solution."""
        return self._named(lambda result: result.complete and not _has_solution(result))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The goals of which it is not known whether they have a solution."""
        return self._named(lambda result: not result.complete and not _has_solution(result))

    @property
    def fewest(self) -> int:
        """The least number of different solutions of a goal, if the result is complete."""
        return min(result.different for result in self.results)

    @property
    def most(self) -> int:
        """The greatest number of different solutions of a goal, if the result is complete."""
        return max(result.different for result in self.results)

    def with_number(self, different: int) -> tuple[str, ...]:
        """The goals with exactly so many different solutions, if the result is complete."""
        return self._named(lambda result: result.different == different)

    def _named(self, wanted: Any) -> tuple[str, ...]:
        return tuple(goal for goal, result in zip(self.goals, self.results, strict=True) if wanted(result))

    def headline(self) -> str:
        """How many goals have a solution, in one line."""
        puzzle, many = escaped(self.puzzle), counted(len(self), "goal")
        end = f" ({self.stop.verdict})"
        if self.solved == len(self):
            return f"{puzzle}: {'the one goal has' if len(self) == 1 else f'each of {many} has'} a solution{end}"
        parts = [f"{self.solved:,} of {many} have a solution"]
        if self.unsolved:
            parts.append(f"{len(self.unsolved):,} {'has' if len(self.unsolved) == 1 else 'have'} none")
        if self.unknown:
            parts.append(f"of {len(self.unknown):,} it is not known")
        return f"{puzzle}: {', '.join(parts)}{end}"

    def lines(self) -> list[str]:
        """The headline, the sum, the goals with the fewest and the most solutions, and those without."""
        found = [self.headline()]
        counted_all = all(result.complete for result in self.results)
        if counted_all and self.solved:
            total = f", {self.total:,} in all" if self.total != self.different else ""
            found.append(f"{counted(self.different, 'solution')}{total}: {self._extremes()}")
        elif self.different > self.solved:
            found.append(f"at least {counted(self.different, 'solution')}")
        for words, names in (("no solution", self.unsolved), ("not known", self.unknown)):
            if names and self.solved:
                more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
                found.append(f"{words}: {', '.join(map(escaped, names[:NAMED]))}{more}")
        return found

    def _extremes(self) -> str:
        if self.fewest == self.most:
            return f"{self.fewest:,} of each goal"
        words = []
        for what, number in (("fewest", self.fewest), ("most", self.most)):
            first, *others = self.with_number(number)
            more = f" and {len(others):,} more" if others else ""
            words.append(f"{what} {number:,} ({escaped(first)}{more})")
        return ", ".join(words)

    def as_json(self) -> dict[str, Any]:
        """The sum as plain data; each goal has a line of its own."""
        names = ("puzzle", "complete", "stop", "way", "solved", "unsolved", "unknown", "different", "total")
        data = {name: getattr(self, name) for name in names}
        extremes = {"fewest": self.fewest, "most": self.most} if all(r.complete for r in self.results) else {}
        return {**data, "goals": len(self), **extremes, "branches": self.branches, "seconds": round(self.seconds, 6)}


def _has_solution(result: SearchResult) -> bool:
    return bool(result.different or result.total)
