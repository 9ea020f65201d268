"""Who wins where: what the times of a comparison come to, problem by problem and over a task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from latcover.benchmarks.compared.cases import Task, seconds_for
from latcover.benchmarks.compared.figures import Ratio, at_least, geometric_mean, paired
from latcover.benchmarks.compared.programs import REFERENCE
from latcover.benchmarks.compared.results import Comparison, Result

LIMITED = ("time", "memory", "not tried")  # what counts as the limit, or more


@dataclass(frozen=True, slots=True)
class Standing:
    """One problem: the results of all programs, and their ratios to the reference, where both have one."""

    results: tuple[Result, ...]
    ratios: dict[str, Ratio]

    @property
    def first(self) -> Result:
        return self.results[0]

    @property
    def reference(self) -> Result | None:
        """The result of the program that all are compared with, if it is right."""
        return next((each for each in self.results if each.program == REFERENCE and each.seconds), None)

    @property
    def seconds(self) -> float:
        """The mean time of the reference, which must have answered."""
        assert self.reference is not None
        return sum(self.reference.seconds) / len(self.reference.seconds)

    def of(self, program: str) -> Result | None:
        """The result of a program."""
        return next((each for each in self.results if each.program == program), None)

    def faster(self, programs: Iterable[str]) -> list[str]:
        """Those that surely took less than the reference, the fastest first."""
        sure = [name for name in programs if name in self.ratios and self.ratios[name].faster]
        return sorted(sure, key=lambda name: self.ratios[name].mean)


def standings(results: Sequence[Result], limit: float) -> list[Standing]:
    """The problems of a task, in the order in which they were asked.

    Args:
        limit: The seconds after which a question was ended.
    """
    by_problem: dict[str, list[Result]] = {}
    for each in results:
        by_problem.setdefault(each.problem, []).append(each)
    return [Standing(tuple(found), _ratios(found, limit)) for found in by_problem.values()]


def _ratios(results: Sequence[Result], limit: float) -> dict[str, Ratio]:
    ours = next((each.seconds for each in results if each.program == REFERENCE and each.seconds), None)
    if ours is None:
        return {}
    found = {each.program: paired(each.seconds, ours) for each in results if each.seconds}
    stopped = {each.program: at_least(limit, ours) for each in results if each.status in LIMITED}
    return found | stopped


@dataclass(frozen=True, slots=True)
class Overall:
    """A program over the problems of a task.

    Attributes:
        answered, asked: How many it answered rightly, and how many it was asked or left aside as too large.
        both: The geometric mean of the ratios where it and the reference answered, with its interval over problems;
            None if there is none.
        bound: The same with the limit in place of the time that it was not given; None where no limit stopped it.
        wins, losses: On how many problems it surely took less time than the reference, or more.
    """

    program: str
    answered: int
    asked: int
    both: Ratio | None
    bound: Ratio | None
    wins: int
    losses: int


def overall(program: str, problems: Sequence[Standing]) -> Overall:
    """How a program did."""
    found = [each for problem in problems if (each := problem.of(program)) is not None and each.status != "refused"]
    ratios = [ratio for problem in problems if (ratio := problem.ratios.get(program)) is not None]
    exact = [ratio.mean for ratio in ratios if not ratio.at_least]
    bounded = any(ratio.at_least for ratio in ratios)
    return Overall(
        program,
        sum(each.status == "answered" for each in found),
        len(found),
        geometric_mean(exact) if exact else None,
        geometric_mean([ratio.mean for ratio in ratios], at_least=True) if bounded else None,
        sum(ratio.faster for ratio in ratios),
        sum(ratio.slower for ratio in ratios),
    )


def reach(problems: Sequence[Standing], program: str) -> tuple[int | None, bool]:
    """The largest size of a family that a program answered, and whether that is the largest there was."""
    sizes = [int(each.first.size) for each in problems]
    done = [int(each.size) for problem in problems if (each := problem.of(program)) and each.status == "answered"]
    return (max(done), max(done) == max(sizes)) if done else (None, False)


def limit_of(comparison: Comparison, task: Task) -> float:
    """The processor seconds that a question of a task could take."""
    return seconds_for(task, float(comparison.conditions["seconds"]))
