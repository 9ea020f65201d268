"""Runs several methods for one optimum, one after the other, and compares values, bounds, proofs and efforts.

Methods agree if all proofs name one value, no bound excludes a value that another method found, and those that count
the optima find as many.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any, Literal

from msgspec import Struct

from latcover.lab.comparing.compare import Runner
from latcover.lab.comparing.comparison_tables import markdown_table, seconds, text_table, whole
from latcover.lab.comparing.methods import Method

USUAL = "bitset,dlx,cpsat,sat,frontier"
HEADINGS = ("method", "value", "bound", "proved", "optima", "branches", "search s")


class OptimumRun(Struct, frozen=True):
    """One method's run.

    Attributes:
        summary: What `latcover solve --best --json` printed at its end; None if it did not get there.
        reason: Why there is no summary.
    """

    method: Method
    summary: Mapping[str, Any] | None
    reason: str = ""

    @property
    def proved(self) -> bool:
        return self.summary is not None and bool(self.summary["proved"])

    def as_line(self) -> str:
        """What it found, in words."""
        if self.summary is None:
            return f"{self.method.name}: {self.reason}"
        value, bound = self.summary["value"], self.summary["bound"]
        if self.proved:
            found = "there is no solution, proved" if value is None else f"{value:,}, proved"
        else:
            known = [] if bound is None else [f"bound {bound:,}"]
            found = ", ".join(["nothing found" if value is None else f"{value:,}", *known, str(self.summary["stop"])])
        return f"{self.method.name}: {found} ({seconds(self.summary['seconds']['search'])} s)"

    def row(self) -> tuple[str, ...]:
        """Its row of the table."""
        if self.summary is None:
            return (self.method.name, "-", "-", self.reason, "-", "-", "-")
        return (
            self.method.name,
            whole(self.summary["value"]),
            whole(self.summary["bound"]),
            "yes" if self.proved else f"no ({self.summary['stop']})",
            whole(self.summary["optima"]),
            whole(self.summary["branches"]),
            seconds(self.summary["seconds"]["search"]),
        )


class Optima(Struct, frozen=True):
    """Runs of several methods for one optimum.

    Attributes:
        sense: Whether small values are good, or large ones.
        objective: What is valued.
    """

    puzzle: str
    sense: Literal["minimize", "maximize"]
    objective: str
    runs: tuple[OptimumRun, ...]

    @property
    def disagreements(self) -> tuple[str, ...]:
        """One sentence for each contradiction between runs."""
        sign = 1 if self.sense == "minimize" else -1
        found = []
        told = [(run, run.summary) for run in self.runs if run.summary is not None]
        for (run, mine), (other, theirs) in permutations(told, 2):
            value, bound = theirs["value"], mine["bound"]
            if run.proved and other.proved and mine["value"] != value:
                found.append(f"{run.method.name} proves {mine['value']}, {other.method.name} {value}")
            elif None not in (mine["optima"], theirs["optima"]) and mine["optima"] != theirs["optima"]:
                found.append(
                    f"{run.method.name} counts {mine['optima']} optima, {other.method.name} {theirs['optima']}"
                )
            elif bound is not None and value is not None and sign * value < sign * bound:
                found.append(f"{other.method.name} found {value}, which {run.method.name} excludes")
        return tuple(found)

    @property
    def exit_code(self) -> int:
        """1 if runs disagree or none answered, 3 if a method proved nothing, otherwise 0."""
        if self.disagreements or all(run.summary is None for run in self.runs):
            return 1
        return 0 if all(run.proved for run in self.runs) else 3

    def verdict(self) -> str:
        """A sentence that says whether the methods agree."""
        proved = [run for run in self.runs if run.proved]
        if self.disagreements:
            return f"THE METHODS DISAGREE: {'; '.join(self.disagreements)}"
        if not proved:
            return "no method proved an optimum"
        value = proved[0].summary["value"] if proved[0].summary else None
        names = ", ".join(run.method.name for run in proved)
        what = "there is no solution" if value is None else f"{self.sense} {self.objective}: {value:,}"
        return f"{what}, proved by {names}"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "puzzle": self.puzzle,
            "sense": self.sense,
            "objective": self.objective,
            "runs": [
                {"method": run.method.name, **({"reason": run.reason} if run.summary is None else run.summary)}
                for run in self.runs
            ],
            "agree": not self.disagreements,
        }

    def as_text(self, *, markdown: bool = False) -> str:
        """A table, and the verdict."""
        table = markdown_table if markdown else text_table
        return "\n".join([*table(HEADINGS, [run.row() for run in self.runs]), "", self.verdict()])


def compare_optima(
    puzzle: str,
    methods: Sequence[Method],
    arguments: Sequence[str],
    runner: Runner,
    *,
    sense: Literal["minimize", "maximize"],
    objective: str,
    on_start: Callable[[Method, int], None] | None = None,
    on_end: Callable[[OptimumRun], None] | None = None,
) -> Optima:
    """Run *methods* one after the other; the arguments are those of `latcover.lab.comparing.compare.compare`."""
    runs: list[OptimumRun] = []
    for number, method in enumerate(methods):
        if on_start is not None:
            on_start(method, number)
        words = ["solve", "--json", "--quiet", "--best", sense, objective, *method.arguments, *arguments, "--", puzzle]
        finished = runner(words)
        runs.append(OptimumRun(method, *_summary(finished.output, finished.messages)))
        if on_end is not None:
            on_end(runs[-1])
        if finished.interrupted:
            break
    return Optima(puzzle, sense, objective, tuple(runs))


def _summary(output: str, messages: str) -> tuple[Mapping[str, Any] | None, str]:
    """The summary that a run printed, or why there is none."""
    try:
        return json.loads(output.splitlines()[-1])["summary"], ""
    except (ValueError, LookupError):
        said = " ".join(line.strip(" │|╭╮╰╯─") for line in messages.splitlines()).strip()
        return None, said.partition(": ")[2] or said or "it printed no answer"
