"""Who wins where, in sentences that are made of the figures alone: above all, where latcover loses."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.benchmarks.compared.cases import TASKS, Task
from latcover.benchmarks.compared.figures import form
from latcover.benchmarks.compared.programs import PROGRAMS, REFERENCE, Program
from latcover.benchmarks.compared.standing import Standing
from latcover.errors import counted
from latcover.lab.comparing.comparison_tables import seconds

SHORT = 0.001  # seconds: what takes less is mostly set-up


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
