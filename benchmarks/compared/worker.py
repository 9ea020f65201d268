"""A process that asks one program: ``python -m latcover.benchmarks.compared.worker PROGRAM``.

It reads requests and writes replies, each a line of JSON. Its memory, its crashes and its processor time are its own:
a question that takes more than its processor time ends the process by a signal, in whatever library it is.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any, get_args

from latcover.benchmarks.compared.answers import checked
from latcover.benchmarks.compared.cases import Case, Task
from latcover.benchmarks.compared.programs import BY_NAME, PreparedProgram
from latcover.benchmarks.compared.running import Allowance, TimedOutError, children_seconds
from latcover.errors import LatcoverError, escaped

ENOUGH = 0.02  # seconds: a shorter question is asked again, up to so many times, and the mean is taken
MOST_TIMES = 50
PREPARING = 60.0  # processor seconds to make the input; xcover compiles itself


def main() -> None:
    """Answer requests until there are none."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no reply
    _bound_memory(int(sys.argv[2]))
    adapter = BY_NAME[sys.argv[1]].make()
    asked: PreparedProgram | None = None
    case: Case | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "case" in request:
                case = case_from(request["case"])
                Allowance.seconds = request["seconds"]
                limit(PREPARING)
                asked = adapter(case)
                reply: dict[str, Any] = {"ready": True}
            else:
                assert asked is not None
                assert case is not None
                reply = answered(asked, case)
        except TimedOutError:
            reply = {"stop": "time"}
        except MemoryError:
            reply = {"stop": "memory"}
        except LatcoverError as fault:
            reply = {"stop": "refused", "reason": escaped(str(fault))}
        except Exception as fault:
            reply = {"stop": "failed", "reason": escaped(f"{type(fault).__name__}: {fault}")}
        finally:
            limit(0)
        _send(replies, reply)


def case_from(data: dict[str, Any]) -> Case:
    """A case that came as JSON."""
    assert data["task"] in get_args(Task)
    answer = data["answer"]
    return Case(data["task"], data["family"], data["size"], tuple(answer) if isinstance(answer, list) else answer)


def answered(asked: PreparedProgram, case: Case) -> dict[str, Any]:
    """Ask, and tell the mean processor seconds of a question, and its answer, checked."""
    spent, times, result = 0.0, 0, None
    limit(Allowance.seconds)
    while times < MOST_TIMES and (not times or spent < ENOUGH):
        question = asked.fresh()
        before = processor_seconds()
        result = question()
        spent += processor_seconds() - before
        times += 1
        del question
    limit(0)
    if spent / times > Allowance.seconds:  # where a child process did the work
        return {"stop": "time"}
    return {"seconds": spent / times, **asdict(checked(case, asked.read(result)))}


def processor_seconds() -> float:
    """Of this process and of its children that have ended, all threads, in user mode and in the system.

    Not `time.process_time`: while a limit is set, Linux moves that clock only every few milliseconds.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + children_seconds()


def limit(seconds: float) -> None:
    """End this process when it has taken so many seconds more of a processor; 0 lifts the limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _bound_memory(most_bytes: int) -> None:
    with suppress(OSError, ValueError):  # some systems have no such limit
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))


def _send(replies: IO[str], reply: dict[str, Any]) -> None:
    replies.write(json.dumps(reply) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()
