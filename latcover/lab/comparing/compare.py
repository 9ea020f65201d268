"""Runs several methods on one puzzle, one after the other, and compares their costs and results.

Two methods agree if they found the same numbers of solutions, in classes and in all, with the same fingerprint. A
method that was cut short is wrong only if it found more than a complete method.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from latcover.backends import names, searchers
from latcover.core.model.request_values import Natural, Positive, Seconds
from latcover.core.solving.search_request import EncodingRequest
from latcover.errors import counted
from latcover.lab.comparing.methods import Method, chosen_methods, known_methods
from latcover.system import signals
from latcover.system.child_process import Finished

log = logging.getLogger("latcover")

Runner = Callable[[Sequence[str]], Finished]


class Status(Enum):
    """How a run ended."""

    COMPLETE = "complete"
    CUT_SHORT = "cut short"
    UNUSABLE = "cannot be used"
    FAILED = "FAILED"
    NOT_RUN = "not run"


class Run(Struct, frozen=True):
    """One method's run.

    Attributes:
        answer: The object that `latcover count --json` printed; None if it printed none.
        reason: The reason if there is no answer.
    """

    method: Method
    status: Status
    answer: Mapping[str, Any] | None = None
    reason: str = ""

    @property
    def name(self) -> str:
        return self.method.name

    @property
    def stop(self) -> str:
        """How it ended, in a few words."""
        if self.answer is None or self.status is Status.COMPLETE:
            return self.status.value
        return str(self.answer["stop"])

    def figure(self, name: str) -> Any:
        """A figure of the answer by its name, or the seconds ``first``, ``search`` or ``setup``; None without one."""
        if self.answer is None:
            return None
        return self.answer["seconds"][name] if name in self.answer["seconds"] else self.answer[name]

    @property
    def found(self) -> tuple[int, int, str]:
        """Different solutions, solutions in all, and the fingerprint of the set."""
        assert self.answer is not None
        return self.answer["different"], self.answer["total"], self.answer["digest"]


class Comparison(Struct, frozen=True):
    """Runs of several methods with the same puzzle and the same choices.

    Attributes:
        puzzle: The name of the puzzle.
        arguments: The common arguments of all runs, without those of their methods.
        figures: The figures of the puzzle, as in `latcover info --json`.
        interrupted: Whether Ctrl-C ended it early.
    """

    puzzle: str
    arguments: tuple[str, ...]
    figures: Mapping[str, Any]
    runs: tuple[Run, ...]
    interrupted: bool = False

    def of_status(self, *statuses: Status) -> tuple[Run, ...]:
        """The runs that ended in one of these ways."""
        return tuple(run for run in self.runs if run.status in statuses)

    @property
    def answered(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.answer is not None)

    def best(self, figure: str) -> float | None:
        """The least value of a figure among the complete runs."""
        values = [run.figure(figure) for run in self.of_status(Status.COMPLETE)]
        return min((value for value in values if value is not None), default=None)

    def ratio(self, run: Run, figure: str) -> float | None:
        """A complete run's figure divided by the best; None for other runs, or if there is none or the best is 0."""
        best, value = self.best(figure), run.figure(figure)
        if run.status is not Status.COMPLETE or not best or value is None:
            return None
        return float(value / best)

    @property
    def disagreements(self) -> tuple[str, ...]:
        """One sentence for each contradiction between runs."""
        return (*_among_complete(self.of_status(Status.COMPLETE)), *_found_too_much(self))

    @property
    def exit_code(self) -> int:
        """1 if runs disagree, some failed, or none answered; otherwise 3 if some were cut short; otherwise 0."""
        nothing = not self.answered and not self.interrupted
        if self.disagreements or self.of_status(Status.FAILED) or nothing:
            return 1
        return 3 if self.interrupted or self.of_status(Status.CUT_SHORT, Status.NOT_RUN) else 0

    def verdict(self) -> list[str]:
        """Sentences; the first says whether the methods agree."""
        complete, short = self.of_status(Status.COMPLETE), self.of_status(Status.CUT_SHORT)
        failed = [f"{run.name} FAILED: {run.reason}" for run in self.of_status(Status.FAILED)]
        if self.disagreements:
            return [f"THE METHODS DISAGREE: {self.disagreements[0]}", *self.disagreements[1:], *failed]
        if len(complete) > 1:
            different, total, digest = complete[0].found
            found = f"{counted(different, 'different solution')}, {total:,} in all, fingerprint {digest}"
            first = f"the {len(complete)} complete methods agree: {found}"
        elif complete:
            first = f"only {complete[0].name} ran to its end: there is nothing to compare it with"
        else:
            first = "no method ran to its end: there is nothing to compare"
        if short:
            rest = "none found more than a complete one" if complete else "their figures are lower bounds"
            first += f"; cut short, and not compared: {_listed(short)} ({rest})"
        return [first, *failed]


class CompareRequest(EncodingRequest, frozen=True, kw_only=True):
    """A comparison of methods on one puzzle, with the same choices and limits.

    Attributes:
        methods: A list such as ``MC,dlx,sat:solver=minisat22``; None takes all, except backends that only pick another.
        time: Stop each search after so many seconds.
        limit: Stop each search after so many different solutions.
        problem: Which puzzle of a file that holds several.
        max_cells, max_placements: Bounds on the puzzle; None takes the defaults.
    """

    methods: Annotated[str, Meta(max_length=500)] | None = None
    time: Seconds | None = None
    limit: Natural | None = None
    problem: str | None = None
    max_cells: Positive | None = None
    max_placements: Positive | None = None

    def chosen_methods(self) -> tuple[Method, ...]:
        """The methods to run.

        Raises:
            UnsupportedError: there is no such method.
        """
        if self.methods is None:
            return tuple(known_methods(searchers()).values())
        return chosen_methods(self.methods, names())

    def arguments(self) -> list[str]:
        """The common arguments for `latcover count`; defaults are left out."""
        words = []
        for field in msgspec.structs.fields(self):
            value = getattr(self, field.name)
            if field.name != "methods" and value != field.default:
                words += [f"--{field.name.replace('_', '-')}", _as_argument(value)]
        return words


def _as_argument(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def compare(
    puzzle: str,
    methods: Sequence[Method],
    arguments: Sequence[str],
    runner: Runner,
    *,
    figures: Mapping[str, Any] | None = None,
    on_start: Callable[[Method, int], None] | None = None,
    on_end: Callable[[Run], None] | None = None,
) -> Comparison:
    """Run *methods* one after the other.

    Args:
        puzzle: A shipped name or a file.
        methods: The methods to run, as `CompareRequest.chosen_methods` gives them.
        arguments: Arguments for all methods, as `CompareRequest.arguments` gives them.
        runner: Runs ``latcover`` with arguments; see `latcover.system.child_process.Children`.
        figures: The puzzle's figures, for the report.
        on_start: Called with each method, and its number from 0, before it runs.
        on_end: Called with each run when it has ended.
    """
    runs: list[Run] = []
    interrupted = False
    for number, method in enumerate(methods):
        if interrupted:
            runs.append(Run(method, Status.NOT_RUN, reason="interrupted before its turn"))
            continue
        if on_start is not None:
            on_start(method, number)
        words = ["count", "--json", "--quiet", *method.arguments, *arguments, "--", puzzle]
        log.info("latcover %s", " ".join(words))
        finished = runner(words)
        interrupted = finished.interrupted
        runs.append(_judged(method, finished))
        if on_end is not None:
            on_end(runs[-1])
    known = figures or {}
    return Comparison(known.get("puzzle", puzzle), tuple(arguments), known, tuple(runs), interrupted)


def _judged(method: Method, finished: Finished) -> Run:
    """The run of *method*, from the exit code and the output of its process."""
    answer = _answer_in(finished.output) if finished.code in (0, 3) else None
    if answer is not None:
        return Run(method, Status.COMPLETE if answer["complete"] else Status.CUT_SHORT, answer)
    if finished.interrupted:
        return Run(method, Status.NOT_RUN, reason="interrupted before its search began")
    if finished.code < 0:
        return Run(method, Status.FAILED, reason=f"ended by {signals.name_of(-finished.code)}")
    lines = [line.strip(" │|╭╮╰╯─") for line in finished.messages.splitlines()]
    said = [line for line in lines if line] or ["it printed no answer"]
    what, _, reason = " ".join(said).partition(": ")
    if finished.code == 3 and what == "error":
        return Run(method, Status.CUT_SHORT, reason=reason)
    if finished.code == 1 and what in ("error", "failure"):
        return Run(method, Status.UNUSABLE if what == "error" else Status.FAILED, reason=reason)
    if finished.code == 2:
        return Run(method, Status.UNUSABLE, reason=said[-1])
    return Run(method, Status.FAILED, reason=f"exit code {finished.code}: {said[-1]}")


def _answer_in(output: str) -> Mapping[str, Any] | None:
    try:
        answer = json.loads(output)
    except ValueError:
        return None
    needed = {"complete", "stop", "different", "total", "different_is", "total_is"}
    needed |= {"digest", "branches", "branches_by_level", "memory", "seconds"}
    return answer if isinstance(answer, dict) and needed <= answer.keys() else None


def _among_complete(complete: Sequence[Run]) -> list[str]:
    by_found: dict[tuple[int, int, str], list[Run]] = {}
    for run in complete:
        by_found.setdefault(run.found, []).append(run)
    if len(by_found) < 2:
        return []
    groups = [
        f"{_listed(runs)} found {different:,} different and {total:,} in all, fingerprint {digest}"
        for (different, total, digest), runs in by_found.items()
    ]
    return ["; ".join(groups)]


def _found_too_much(comparison: Comparison) -> list[str]:
    found = []
    for run in comparison.of_status(Status.CUT_SHORT):
        for other in comparison.of_status(Status.COMPLETE):
            if run.found[0] > other.found[0] or run.found[1] > other.found[1]:
                found.append(
                    f"{run.name}, cut short, found {run.found[0]:,} different and {run.found[1]:,} in all, more than "
                    f"{other.name}, complete, with {other.found[0]:,} and {other.found[1]:,}"
                )
                break
    return found


def _listed(runs: Sequence[Run]) -> str:
    return ", ".join(run.name for run in runs)
