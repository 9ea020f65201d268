"""Who wins where: what the times of a comparison come to, in figures and in sentences made of the figures alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from benchmarks.compared.cases import TASKS, Task, seconds_for
from benchmarks.compared.figures import Ratio, at_least, form, geometric_mean, paired
from benchmarks.compared.programs import PROGRAMS, REFERENCE, Program
from benchmarks.compared.results import Comparison, Result
from latcover.errors import counted
from latcover.lab.comparing.comparison_tables import seconds

SHORT = 0.001  # seconds: what takes less is mostly set-up
LIMITED = ("time", "memory", "not tried")  # what counts as the limit, or more


class Standing(msgspec.Struct, frozen=True):
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


class Overall(msgspec.Struct, frozen=True):
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


def programs_in(problems: Sequence[Standing]) -> list[Program]:
    """The programs that were asked, in their usual order."""
    names = {each.program for problem in problems for each in problem.results}
    return [program for program in PROGRAMS if program.name in names]


def winners(task: Task, problems: Sequence[Standing]) -> list[str]:
    """What a task came to: a sentence, where latcover loses, and where it picks a method that is not its best."""
    programs = programs_in(problems)
    others = [program.name for program in programs if not program.ours]
    ours = [program.name for program in programs if program.ours and program.name != REFERENCE]
    solved = [problem for problem in problems if problem.reference is not None]
    lines = [f"**{TASKS[task]}.** {_balance(solved, len(problems), others)}"]
    beaten = [problem for problem in solved if problem.faster(others)]
    if beaten:
        lines += ["", "latcover loses on:", "", *(f"- {_lost(problem, others)}" for problem in beaten)]
    for problem in problems:
        if problem.reference is None:
            solvers = ", ".join(each.program for each in problem.results if each.seconds)
            lines += ["", f"latcover does not answer {problem.first.problem}; {solvers or 'nobody'} does."]
    worse = [problem for problem in solved if problem.faster(ours)]
    return [*lines, "", _picked(worse, ours)] if worse else lines


def _balance(solved: Sequence[Standing], asked: int, others: Sequence[str]) -> str:
    """On how many problems latcover is surely the fastest, or surely not."""
    if not others:
        answered = f"latcover answers {len(solved)} of {counted(asked, 'problem')}"
        return f"No other program was available to compare with; {answered}."
    first = sum(all(problem.ratios[name].slower for name in others if name in problem.ratios) for problem in solved)
    lost = [problem for problem in solved if problem.faster(others)]
    short = sum(problem.seconds < SHORT for problem in lost)
    of_which = "" if not short else f" ({_all_or(short, len(lost))} less than a millisecond, most of that set-up)"
    return (
        f"Of {counted(asked, 'problem')}, latcover is surely faster than every other program on {first}, and surely "
        f"slower than at least one on {len(lost)}{of_which}; on {len(solved) - first - len(lost)} the difference is "
        "too small to tell."
    )


def _all_or(some: int, of_all: int) -> str:
    """So many problems that take latcover a short time."""
    if some == of_all:
        return "all of which take it" if some > 1 else "which takes it"
    return f"{some} of which take it" if some > 1 else "one of which takes it"


def _lost(problem: Standing, others: Sequence[str]) -> str:
    """Who is faster on a problem, and by how much."""
    first, *more = problem.faster(others)
    also = f"; also {', '.join(more)}" if more else ""
    ratio = form(problem.ratios[first])
    return f"{problem.first.problem}: {first} takes {ratio} of its {seconds(problem.seconds)} s{also}"


def _picked(worse: Sequence[Standing], ours: Sequence[str]) -> str:
    """Where another method of ours would have been faster."""
    long = [problem for problem in worse if problem.seconds >= SHORT]
    named = [(problem, problem.faster(ours)[0]) for problem in long]
    listed = ", ".join(f"{problem.first.problem} ({name}: {form(problem.ratios[name])})" for problem, name in named)
    short = len(worse) - len(long)
    aside = f"{short} that {'take' if short > 1 else 'takes'} it less than a millisecond" if short else ""
    return (
        "What latcover picks by itself is surely slower than another method of its own on "
        f"{' and on '.join(filter(None, (listed, aside)))}."
    )
