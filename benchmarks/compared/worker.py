"""A process that asks one program: the module that `measuring.Worker` starts.

It reads requests and writes replies, each a line of JSON. Its memory, its crashes and its processor time are its own:
a question that takes more than its processor time ends the process by a signal, in whatever library it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from benchmarks.compared.cases import Answer, Case, problem_of
from benchmarks.compared.programs import BY_NAME, PreparedProgram
from benchmarks.compared.running import Allowance, TimedOutError
from latcover.errors import LatcoverError, escaped
from latcover.system.machine import processor_time_of_children

ENOUGH = 0.02  # seconds: a shorter question is asked again, up to so many times, and the mean is taken
MOST_TIMES = 50
PREPARING = 60.0  # processor seconds to make the input; xcover compiles itself


def main() -> None:
    """Answer requests until there are none."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no reply
    _bound_memory(int(sys.argv[2]))
    adapter = BY_NAME[sys.argv[1]].make()
    asked: PreparedProgram
    case: Case
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "case" in request:
                case = msgspec.convert(request["case"], Case)
                Allowance.seconds = request["seconds"]
                limit(PREPARING)
                asked = adapter(case)
                reply: dict[str, Any] = {"ready": True}
            else:
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
        print(json.dumps(reply), file=replies, flush=True)


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
    return {"seconds": spent / times, **msgspec.to_builtins(checked(case, asked.read(result)))}


class Checked(msgspec.Struct, frozen=True):
    """An answer.

    Attributes:
        number: Of covers; of "apart" and "plane" several. None if there is no sound answer.
        digest: A fingerprint of the set of covers, where all were asked.
        fault: What is wrong; "" for nothing.
    """

    number: Answer | None
    digest: str = ""
    fault: str = ""


def checked(case: Case, answer: Any) -> Checked:
    """What is in an answer, and what is wrong with it."""
    if answer is None:
        return Checked(None, fault="no answer")
    if isinstance(answer, int | tuple):
        return Checked(answer)
    fault = fault_of(case, answer)
    if fault:
        return Checked(None, fault=fault)
    return Checked(len(answer), digest_of(answer) if case.task == "all" else "")


def fault_of(case: Case, covers: Sequence[Sequence[int]]) -> str:
    """What is wrong with a list of covers: one is none, or stands there twice; "" for nothing."""
    starts = np.concatenate([[0], np.cumsum([len(cover) for cover in covers], dtype=np.int64)]).astype(np.int64)
    members = np.array([option for cover in covers for option in cover], np.int32)
    n_options = problem_of(case).problem.n_options
    if len(members) and not 0 <= members.min() <= members.max() < n_options:
        return "an option is named that there is not"
    sound = problem_of(case).inspector().sound(starts, members)
    if not sound.all():
        return f"{int((~sound).sum()):,} of {len(covers):,} covers are none"
    if len({tuple(sorted(cover)) for cover in covers}) < len(covers):
        return "a cover is listed twice"
    return ""


def digest_of(covers: Sequence[Sequence[int]]) -> str:
    """A fingerprint of a set of covers, whatever their order and that of their options."""
    text = "\n".join(" ".join(map(str, sorted(cover))) for cover in sorted(map(sorted, covers)))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def processor_seconds() -> float:
    """Of this process and of its children that have ended, all threads, in user mode and in the system.

    Not `time.process_time`: while a limit is set, Linux moves that clock only every few milliseconds.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + processor_time_of_children()


def limit(seconds: float) -> None:
    """End this process when it has taken so many seconds more of a processor; 0 lifts the limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _bound_memory(most_bytes: int) -> None:
    with suppress(OSError, ValueError):  # some systems have no such limit
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))


if __name__ == "__main__":
    main()
