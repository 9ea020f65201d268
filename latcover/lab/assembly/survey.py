"""Takes solutions apart as they are found, and counts the results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct, field

from latcover.core.cover.result import Stop
from latcover.core.model.disassembly import Disassembly, Result
from latcover.core.model.solution import Solution
from latcover.core.model.turn_bounds import BOUNDS, Bound
from latcover.core.model.turn_data import Turning
from latcover.lab.assembly.taking_apart import ApartLimits, ApartProgress, Assembler

AT_ONCE = 256  # solutions that are taken apart together
LONGEST_WAIT = 0.2  # seconds that a solution may wait for others


class Examined(Struct, frozen=True):
    """A solution, and how it comes apart."""

    solution: Solution
    disassembly: Disassembly

    def as_json(self) -> dict[str, Any]:
        """Plain data, its first keys a promise to scripts. Pieces are indices into ``parts``."""
        return {
            "number": self.solution.number,
            **self.disassembly.as_json(),
            "parts": [placed.part for placed in self.solution.placements],
        }


class Tally(Struct):
    """The numbers of solutions by result and level.

    Attributes:
        results: How many solutions have each result.
        stops: The reasons for results that say neither that a solution comes apart nor that it cannot.
        bounds: In how many unproved results each bound of the search may have hidden a way.
        turning: The room with which turns were looked for in these.
        total: The same for all images of these solutions.
        levels: How many solutions come apart with each level.
        turned: How many solutions come apart with turns.
        states: How many positions were examined.
        hardest: The first solution with the greatest level; if none comes apart, the first of all.
    """

    results: Counter[Result] = field(default_factory=Counter)
    total: Counter[Result] = field(default_factory=Counter)
    levels: Counter[tuple[int, ...]] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    bounds: Counter[Bound] = field(default_factory=Counter)
    turning: Turning | None = None
    turned: int = 0
    states: int = 0
    seconds: float = 0.0
    hardest: Examined | None = None

    def add(self, examined: Examined) -> None:
        """Count a solution."""
        disassembly = examined.disassembly
        self.results[disassembly.result] += 1
        self.total[disassembly.result] += examined.solution.orbit
        self.states += disassembly.states
        if self.hardest is None or disassembly.level > self.hardest.disassembly.level:
            self.hardest = examined
        self.turned += disassembly.turns > 0
        if disassembly.result == "apart":
            self.levels[disassembly.level] += 1
        if disassembly.result == "unknown":
            self.stops[disassembly.stop] += 1
        if disassembly.result == "unproved":
            self.stops[Stop.NOT_PROVED.value] += 1
            self.bounds.update(disassembly.bounds)
            self.turning = disassembly.turning

    def add_unknown(self, solutions: int, total: int, stop: str) -> None:
        """Count solutions that were not examined, *total* with their images."""
        self.results["unknown"] += solutions
        self.total["unknown"] += total
        self.stops[stop] += solutions

    @property
    def assemblies(self) -> int:
        """How many solutions were examined."""
        return sum(self.results.values())

    @property
    def is_known(self) -> bool:
        """Whether it is known of each of them if it comes apart."""
        return not self.results["unproved"] and not self.results["unknown"]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "assemblies": self.assemblies,
            "apart": self.results["apart"],
            "stuck": self.results["stuck"],
            "unproved": self.results["unproved"],
            "unknown": self.results["unknown"],
            "apart_total": self.total["apart"],
            "bounds": [bound for bound in BOUNDS if self.bounds[bound]],
            "turned": self.turned,
            "levels": [{"level": list(level), "solutions": n} for level, n in sorted(self.levels.items())],
            "states": self.states,
            "assembly_seconds": round(self.seconds, 6),
        }


class Survey:
    """Takes solutions apart in batches, and counts the results."""

    def __init__(
        self,
        assembler: Assembler,
        on_examined: Callable[[Examined], None] | None = None,
        limits: ApartLimits = ApartLimits(),
        *,
        threads: int = 1,
        may_go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """Begin.

        Args:
            assembler: Takes the solutions apart.
            on_examined: Receives each solution with its result, in their order.
            limits: The states are for each solution, the seconds for all, from now.
            threads: How many threads take solutions apart.
            may_go_on: Called now and then; once it returns False, the remaining solutions are "unknown".
        """
        self.assembler, self.on_examined, self.limits = assembler, on_examined, limits
        self.threads, self.may_go_on = threads, may_go_on
        self.tally = Tally()
        self.stop: Stop | None = None  # why it examines no more solutions
        self._begun = self._last = time.perf_counter()
        self._waiting: list[Solution] = []

    def take(self, solution: Solution) -> None:
        """Take a solution; it is taken apart together with others that come soon."""
        self._waiting.append(solution)
        now = time.perf_counter()
        if self.tally.assemblies == 0 or len(self._waiting) >= AT_ONCE or now - self._last >= LONGEST_WAIT:
            self.finish()

    def take_all(self, solutions: Iterable[Solution]) -> Tally:
        """Take all of them, and return the counts."""
        for solution in solutions:
            self.take(solution)
        self.finish()
        return self.tally

    def finish(self) -> None:
        """Take apart the waiting solutions."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        start = time.perf_counter()
        for solution, disassembly in zip(waiting, self._taken_apart(waiting, start), strict=True):
            examined = Examined(solution, disassembly)
            self.tally.add(examined)
            if self.on_examined is not None:
                self.on_examined(examined)
        self._last = time.perf_counter()
        self.tally.seconds += self._last - start

    def _taken_apart(self, solutions: list[Solution], now: float) -> list[Disassembly]:
        left = self.limits.seconds
        if left is not None:
            left = max(0.0, left - (now - self._begun))
        self.stop = Stop.CANCELLED if not self.may_go_on() else Stop.TIME_LIMIT if left == 0 else None
        if self.stop is not None:
            return _not_examined(solutions, self.stop)
        limits = ApartLimits(self.limits.states, left)

        def on_progress(_: ApartProgress) -> bool:
            return self.may_go_on()

        return self.assembler.take_apart(solutions, limits, threads=self.threads, on_progress=on_progress)


def _not_examined(solutions: list[Solution], stop: Stop) -> list[Disassembly]:
    return [Disassembly("unknown", len(solution.placements), least=False, stop=stop.value) for solution in solutions]
