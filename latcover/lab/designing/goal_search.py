"""What designs for many goals share: the request, the judge of a set of parts, and the designs, counted again.

A set of parts is tried goal by goal, and given up at the first goal that has not what it must have. Goals that ruled
out other sets come first: most sets fail at a few goals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.cover.solver_registry import create
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.encoding.prepared import Choices
from latcover.core.model.goals import Goal, Goals
from latcover.core.model.puzzle import Bounds, Part
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.request_values import EachGoal, Natural, Positive, Request, Seconds, Seed
from latcover.core.solving.count import CountRequest
from latcover.core.solving.goals_result import GoalsResult
from latcover.core.solving.many_goals import count_goals
from latcover.core.solving.run import run
from latcover.errors import InternalError

SAMPLES = 1000


class GoalDesignRequest(Request, frozen=True, kw_only=True):
    """Which parts to look for.

    Attributes:
        each: What each goal must have: a solution, exactly one, or as many as possible where there are fewest.
        parts: How many pieces a set has; None for any number.
        seed: Of all random choices.
        samples: How many sets to draw; None tries all if they are few, and else draws `SAMPLES`.
        limit: End after so many designs; None goes on. Of designs that are as even as possible the best is kept.
        seconds: End after so long.
    """

    each: EachGoal = "solvable"
    parts: Positive | None = None
    seed: Seed = 1
    samples: Positive | None = None
    limit: Natural | None = 1
    seconds: Seconds | None = None


class GoalDesign(Struct, frozen=True, eq=False):
    """A set of parts that will do, counted again.

    Attributes:
        goals: The board with these parts, with the counts as figures that its file expects.
        result: How many solutions each goal has.
        place: The number of the set among those that were tried, from 1.
    """

    goals: Goals
    result: GoalsResult
    place: int

    @property
    def parts(self) -> dict[str, int]:
        """The copies of each part."""
        return {part.name: part.high or 0 for part in self.goals.board.parts}

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        names = ("solved", "fewest", "most", "different", "total")
        return {"parts": self.parts, "goals": len(self.result), **{name: getattr(self.result, name) for name in names}}


class GoalDesigns(Struct):
    """The designs that were found, the last one the best, and how far the search came.

    Attributes:
        puzzle: The name of the board.
        candidates: How many sets of parts have the volume of the goals.
        tried: How many of them were tried.
        stop: EXHAUSTED if all were.
        all_listed: Whether sets were tried in their order, not drawn by chance.
    """

    puzzle: str
    candidates: int
    designs: list[GoalDesign] = msgspec.field(default_factory=list)
    tried: int = 0
    stop: Stop = Stop.EXHAUSTED
    all_listed: bool = True
    seconds: float = 0.0

    def __iter__(self) -> Iterator[GoalDesign]:
        return iter(self.designs)

    def __len__(self) -> int:
        return len(self.designs)

    @property
    def complete(self) -> bool:
        """Whether every set was tried."""
        return self.stop is Stop.EXHAUSTED

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        names = ("puzzle", "candidates", "tried", "complete", "stop")
        data = {name: getattr(self, name) for name in names}
        return {**data, "designs": len(self.designs), "seconds": round(self.seconds, 6)}


class GoalSearch:
    """A search for designs: the time, the progress, and what was found."""

    def __init__(
        self, goals: Goals, request: GoalDesignRequest, events: Events = SILENT, bounds: Bounds | None = None
    ) -> None:
        self.goals, self.request, self.events, self.bounds = goals, request, events, bounds
        self.begun = time.perf_counter()
        self.stop: Stop | None = None
        self.judge = GoalJudge(self)
        self.best = 0  # solutions of the hardest goal of the best design, if that matters

    def result(self) -> GoalDesigns:
        """Search, and sum up."""
        found = self.search()
        found.stop, found.seconds = self.stop or Stop.EXHAUSTED, time.perf_counter() - self.begun
        return found

    def search(self) -> GoalDesigns:
        """Look for designs until all are found, or something ends that."""
        raise NotImplementedError

    @property
    def choices(self) -> Choices:
        """How goals are encoded: where one solution will do, symmetries only cost time."""
        return Choices("none" if self.request.each == "solvable" else "all")

    def may_go_on(self, share: float | None = None) -> bool:
        """Report the progress, and ask whether to go on."""
        spent = time.perf_counter() - self.begun
        if self.stop is None and not self.events.on_progress(Progress(share, None, 0, spent)):
            self.stop = Stop.CANCELLED
        if self.stop is None and self.request.seconds is not None and spent >= self.request.seconds:
            self.stop = Stop.TIME_LIMIT
        return self.stop is None

    def keep(self, found: GoalDesigns, parts: tuple[Part, ...]) -> None:
        """Count the board with these parts again, by all its goals, and keep it.

        Raises:
            InternalError: it is no design.
        """
        board = replace(self.goals.board, parts=tuple(replace(part, number=k) for k, part in enumerate(parts)))
        made = replace(self.goals, board=board, expect={})
        counts = count_goals(made, CountRequest(), bounds=self.bounds)
        wanted = counts.complete and counts.solved == len(counts)
        if not wanted or (self.request.each == "unique" and counts.most > 1):
            raise InternalError(f"a design for {self.goals.name!r} fails its check: {counts.headline()}")
        figures = {"goals": len(counts), "solved": counts.solved, "different": counts.different, "total": counts.total}
        expect = {**figures, "fewest": counts.fewest, "most": counts.most}
        design = GoalDesign(replace(made, expect=expect), counts, found.tried)
        self.best = counts.fewest if self.request.each == "even" else 0
        found.designs.append(design)
        self.events.on_design(design)
        if self.request.each != "even" and len(found.designs) == self.request.limit:
            self.stop = Stop.SOLUTION_LIMIT


class GoalJudge:
    """Says whether each goal has what it must have with certain parts."""

    def __init__(self, search: GoalSearch) -> None:
        self._search = search
        self._solver = create("auto").on_one_thread()
        self._order = [*range(len(search.goals))]  # the goals, those first that ruled out most

    def will_do(self, goal_with: Callable[[Goal], Goal], shared: GoalPlacements) -> bool:
        """Whether a set of parts will do.

        Args:
            goal_with: A goal with these parts.
            shared: The placements of the board.
        """
        aim, fewest = self._search.request.each, None
        bar = self._search.best if aim == "even" else 0
        for place, number in enumerate(self._order):
            most = {"solvable": 1, "unique": 2}.get(aim, fewest)
            many = self._count(goal_with(self._search.goals.goals[number]), shared, most)
            if many is None or many <= bar or (aim == "unique" and many > 1):
                self._order.insert(0, self._order.pop(place))
                return False
            fewest = many if fewest is None else min(fewest, many)
        return True

    def _count(self, goal: Goal, shared: GoalPlacements, most: int | None) -> int | None:
        """The solutions of a goal, of which *most* are enough; None if there is no time left."""
        search = self._search
        if not search.may_go_on():
            return None
        ready = shared.prepared(goal)
        if cannot_fill(ready.puzzle):
            return 0
        seconds = search.request.seconds
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - search.begun))
        found = run(ready, self._solver, Limits(covers=most, seconds=left), on_progress=lambda _: search.may_go_on())
        return found.different if found.complete or found.stop is Stop.SOLUTION_LIMIT else None
