"""Measuring: each program in its own process, in turns, with limits of processor time and memory.

The turns make pairs: in turn i every program answers the same question within the same minute, so what disturbs the
machine then disturbs all. The order changes from turn to turn. Ratios are taken within a turn (`figures`).
"""

from __future__ import annotations

import json
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from benchmarks.compared.cases import Case, seconds_for
from benchmarks.compared.programs import REFERENCE, Program
from benchmarks.compared.results import Result
from latcover.system.child_process import child

WORKER = "benchmarks.compared.worker"
BY_THE_CLOCK = 20  # a process that takes so many times its processor time, and two minutes, hangs
START = 120.0
ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Plan(msgspec.Struct, frozen=True):
    """How to measure.

    Attributes:
        turns: How often each question is asked.
        few: How often, if the first time took more than ``long`` seconds.
        seconds: The processor time that one question may take, but for whole commands (`seconds_for`).
        megabytes: The memory that a process may reserve.
        quick: Whether only the smallest problems are asked.
    """

    turns: int = 5
    few: int = 3
    long: float = 0.5
    seconds: float = 1.5
    megabytes: int = 6144
    quick: bool = False


QUICK = Plan(turns=2, few=2, quick=True)


class Worker:
    """A program in its process, which is started when it is needed, and again after it ended."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program, self._plan, self._seconds = program, plan, plan.seconds
        self._stack = ExitStack()
        self._process: subprocess.Popen[str] | None = None

    def prepare(self, case: Case) -> dict[str, Any]:
        """Let it make its input; the reply says that it is ready, or why it is not."""
        self._seconds = seconds_for(case.task, self._plan.seconds)
        return self._asked({"case": msgspec.to_builtins(case), "seconds": self._seconds})

    def ask(self) -> dict[str, Any]:
        """Ask it; the reply holds the seconds and the answer, or why there is none."""
        return self._asked({})

    def _asked(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            patience = START + BY_THE_CLOCK * self._seconds
            ready, _, _ = select.select([process.stdout], [], [], patience)
            line = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            line, ready = "", [process.stdout]
        if line:
            reply: dict[str, Any] = json.loads(line)
            return reply
        code = process.wait() if ready else -int(getattr(signal, "SIGPROF", 0))
        self.close()
        return ended_by(code)

    def _started(self) -> subprocess.Popen[str]:
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        arguments = [self.program.name, str(self._plan.megabytes << 20)]
        made = child(WORKER, arguments, streams={**streams, "encoding": "utf-8"}, environment=ONE_THREAD)
        self._process = self._stack.enter_context(made)
        return self._process

    def close(self) -> None:
        """End the process."""
        self._process = None
        self._stack.close()


def ended_by(code: int) -> dict[str, Any]:
    """The reply in place of one that did not come, from the exit code of the process."""
    if code == -int(getattr(signal, "SIGPROF", 0)):
        return {"stop": "time"}
    try:
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    except ValueError:
        how = f"signal {-code}"
    return {"stop": "failed", "reason": f"its process ended with {how}"}


def measure(
    cases: Sequence[Case], programs: Sequence[Program], plan: Plan, say: Callable[[str], None]
) -> Iterator[list[Result]]:
    """The results of each case, as it is done.

    A program that did not end at one size of a family is not asked for the larger ones.
    """
    given_up: set[tuple[str, str, str]] = set()
    with ExitStack() as stack:
        workers = {program.name: Worker(program, plan) for program in programs}
        for worker in workers.values():
            stack.callback(worker.close)
        for case in cases:
            say(f"{case.task}: {case.problem}")
            asked, aside = [], []
            for program in programs:
                if case.task not in program.tasks or program.version is None:
                    continue
                key = (case.task, case.family, program.name)
                if key in given_up and isinstance(case.size, int):
                    aside.append(Result.of(case, program.name, "not tried", reason="gave up at a smaller size"))
                else:
                    asked.append(workers[program.name])
            found = take_turns(case, asked, plan)
            given_up |= {(case.task, case.family, each.program) for each in found if each.status in ("time", "memory")}
            yield [*found, *aside]


def take_turns(case: Case, workers: Sequence[Worker], plan: Plan) -> list[Result]:
    """Ask all in turns; the results in the order of *workers*."""
    results: dict[str, Result] = {}
    going = []
    for worker in workers:
        reply = worker.prepare(case)
        if reply.get("ready"):
            going.append(worker)
        else:
            results[worker.program.name] = Result.stopped(case, worker.program.name, reply)
    for turn in range(plan.turns):
        for worker in rotated(going, turn):
            name = worker.program.name
            earlier = results.get(name)
            if earlier is not None and is_done(earlier, name, turn, plan):
                continue
            reply = worker.ask()
            results[name] = Result.stopped(case, name, reply) if "stop" in reply else joined(case, name, earlier, reply)
    return [results[worker.program.name] for worker in workers]


def rotated(workers: Sequence[Worker], turn: int) -> list[Worker]:
    """Another one first in each turn, and every other turn backwards."""
    first = turn % max(1, len(workers))
    order = [*workers[first:], *workers[:first]]
    return order[::-1] if turn % 2 else order


def is_done(earlier: Result, name: str, turn: int, plan: Plan) -> bool:
    """Whether a program has answered often enough, or cannot; the one that all are compared with always goes on."""
    if earlier.status != "answered":
        return True
    return name != REFERENCE and turn >= plan.few and earlier.seconds[0] > plan.long


def joined(case: Case, name: str, earlier: Result | None, reply: dict[str, Any]) -> Result:
    """The result with one time more. A program whose answers differ from turn to turn is wrong."""
    seconds = (*(earlier.seconds if earlier else ()), reply["seconds"])
    found = Result.answered(case, name, seconds, reply)
    if earlier is not None and (earlier.number, earlier.digest) != (found.number, found.digest):
        return Result.of(case, name, "wrong", reason=f"it answered {earlier.number} first and then {found.number}")
    return found
