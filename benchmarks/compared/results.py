"""What came of a comparison: every time of every program, its answers, the machine; as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

import msgspec

from benchmarks.compared.cases import Answer, Case, Task
from latcover.errors import InputError

Status = Literal["answered", "wrong", "time", "memory", "refused", "failed", "not tried"]
Number = Answer | None


class Result(msgspec.Struct, frozen=True):
    """One program and one problem.

    Attributes:
        size: Of the problem in its family; its name where the family is only a list.
        expected, number: The answer that is known, and the one that was given.
        digest: A fingerprint of the covers, where all were asked.
        seconds: Of each turn, of the processor.
        reason: Why there is no answer, or no right one.
    """

    task: Task
    family: str
    size: int | str
    problem: str
    expected: Number
    program: str
    status: Status
    number: Number = None
    digest: str = ""
    seconds: tuple[float, ...] = ()
    reason: str = ""

    @staticmethod
    def of(case: Case, program: str, status: Status, **more: Any) -> Result:
        """The result of a case."""
        return Result(case.task, case.family, case.size, case.problem, case.answer, program, status, **more)

    @staticmethod
    def stopped(case: Case, program: str, reply: Mapping[str, Any]) -> Result:
        """The result of a program that gave no answer."""
        return Result.of(case, program, reply["stop"], reason=reply.get("reason", ""))

    @staticmethod
    def answered(case: Case, program: str, seconds: tuple[float, ...], reply: Mapping[str, Any]) -> Result:
        """The result of an answer, right or wrong."""
        number, digest = msgspec.convert(reply["number"], Number), reply["digest"]
        fault = reply["fault"]
        if not fault and number != case.answer:
            fault = f"it found {told(case.task, number)} instead of {told(case.task, case.answer)}"
        if fault:
            return Result.of(case, program, "wrong", number=number, digest=digest, reason=fault)
        return Result.of(case, program, "answered", number=number, digest=digest, seconds=seconds)


def told(task: Task, number: Number) -> str:
    """An answer in words."""
    if number is None:
        return "nothing"
    if isinstance(number, int):
        return f"{number:,}"
    first, *more = (f"{each:,}" for each in number)
    if task == "plane":
        reach = "; ".join(f"{each} of Heesch number {k}" for k, each in enumerate(more))
        return f"{first} isohedral" + (f"; {reach}" if reach else "")
    return ", ".join([first, *(f"{words} {each}" for words, each in zip(("apart", "level"), more, strict=False))])


def judged(results: Sequence[Result]) -> list[Result]:
    """The results of one problem. Who found another set of covers than most is wrong, however many there are."""
    digests = Counter(each.digest for each in results if each.status == "answered" and each.digest)
    if len(digests) < 2:
        return list(results)
    usual = digests.most_common(1)[0][0]
    return [
        msgspec.structs.replace(each, status="wrong", seconds=(), reason="it found another set of covers than most")
        if each.status == "answered" and each.digest != usual
        else each
        for each in results
    ]


class Conditions(TypedDict):
    """What the page tells of a run: machine, load, day, limits, versions of the programs (None: missing), and ours."""

    machine: str
    processors: int
    load: float | None
    day: str
    minutes: float
    turns: int
    few: int
    long: float
    seconds: float
    megabytes: int
    quick: bool
    versions: dict[str, str | None]
    ours: list[str]


class Comparison(msgspec.Struct, frozen=True):
    """A whole run."""

    conditions: Conditions
    results: tuple[Result, ...]

    def of(self, task: Task) -> list[Result]:
        """The results of one task."""
        return [each for each in self.results if each.task == task]

    @property
    def ours_wrong(self) -> list[Result]:
        """Answers of latcover itself that are not right."""
        return [each for each in self.results if each.status == "wrong" and each.program in self.conditions["ours"]]


def as_json(comparison: Comparison) -> str:
    """The whole run; each result is a line."""
    lines = ",\n  ".join(json.dumps(msgspec.to_builtins(each)) for each in comparison.results)
    head = json.dumps({"conditions": dict(comparison.conditions)}, indent=1).removesuffix("\n}")
    return f'{head},\n "results": [\n  {lines}\n ]\n}}'


def as_csv(comparison: Comparison) -> str:
    """A line for each time."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("task", "family", "size", "problem", "program", "status", "answer", "turn", "seconds", "reason"))
    for each in comparison.results:
        head = (each.task, each.family, each.size, each.problem, each.program, each.status)
        answer = "" if each.number is None else told(each.task, each.number).replace(",", "")
        for turn, seconds in enumerate(each.seconds, 1):
            writer.writerow((*head, answer, turn, seconds, each.reason))
        if not each.seconds:
            writer.writerow((*head, answer, "", "", each.reason))
    return out.getvalue().rstrip("\n")


def from_json(text: str, name: str) -> Comparison:
    """A run that was written by `as_json`.

    Raises:
        InputError: it is none.
    """
    try:
        return msgspec.convert(json.loads(text), Comparison)
    except (ValueError, msgspec.ValidationError) as fault:
        raise InputError(f"{name} holds no results of a comparison ({type(fault).__name__}: {fault})") from None
