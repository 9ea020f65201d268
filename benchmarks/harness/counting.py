"""Counts of covers by one or several methods, on one thread of a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchmarks.harness.processes import NOTHING_MORE, run_command
from latcover.errors import LatcoverError

# Methods one after the other, until two by name agree. The seconds are the least of several counts, without imports.
COUNTS = """
import json, sys, time
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.files.formats.library import load_problems
from latcover.core.solving.count import count_prepared
file, seconds, times, *methods = sys.argv[1:]
(problem,) = load_problems(file).values()
counts = []
for method in methods:
    if len(set(counts)) < len(counts):
        break
    backend = create("bitset", threads=1) if method == "enumeration" else None
    taken = []
    while len(taken) < int(times) and sum(taken) < 1:
        start = time.process_time()
        found = count_prepared(problem, backend, Limits(seconds=float(seconds)), method=method)
        taken.append(time.process_time() - start)
        if not found.complete:
            break
    if found.complete:
        print(json.dumps([method, round(min(taken), 6), str(found.total)]), flush=True)
        if method != "auto":
            counts.append(found.total)
"""
# All methods by turns, each several times. A method that takes long leaves the turns.
TURNS = """
import json, sys, time
from latcover import prepare
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.solving.count import count_prepared
from latcover.errors import LatcoverError
from latcover.files.formats.library import load_all, load_problems
subject, seconds, times, first, *others = sys.argv[1:]
if subject.endswith(".dlx"):
    (problem,) = load_problems(subject).values()
else:
    problem = prepare(load_all(subject)[0])
def taken(method, most):
    backend = create("bitset" if method == "enumeration" else "auto", threads=1)
    start = time.process_time()
    try:
        found = count_prepared(problem, backend, Limits(seconds=most), method=method)
    except LatcoverError:
        return None
    return (time.process_time() - start, found) if found.complete else None
least, counts = {}, {}
for turn in range(int(times)):
    for method in [first, *others] if turn == 0 else list(least):
        spent, most = 0.0, float(seconds)
        if turn == 0 and method != first and first in least:
            most = min(most, 20 * least[first] + 0.5)  # what takes far longer does not matter
        for _ in range(20):  # of what is short
            one = taken(method, most)
            if one is None:
                break
            spent += one[0]
            least[method] = min(one[0], least.get(method, one[0]))
            counts[method] = [str(one[1].total), one[1].method]
            if spent > 0.02:
                break
print(json.dumps([[method, round(least[method], 6), *counts[method]] for method in least]))
"""
Counted = tuple[float, str]  # seconds of the processor, and the number of covers


def counts_of(
    file: Path,
    methods: Sequence[str],
    seconds: float,
    *,
    times: int = 3,
    python: str = sys.executable,
    allowed: float | None = None,
    megabytes: int | None = None,
) -> dict[str, Counted]:
    """Of each method that ended, the processor time and the count.

    Args:
        seconds: The limit of each count, by the clock.
        times: How often a short count is taken.
        python: That of the installation which counts.
        allowed, megabytes: The processor time and the memory of the whole process.
    """
    words = [python, "-P", "-c", COUNTS, str(file), str(seconds), str(times), *methods]
    environment = NOTHING_MORE if python == sys.executable else {"PYTHONPATH": ""}  # which would lead it here
    most = None if allowed is None else max(1, round(allowed))
    done = run_command(words, seconds=most, megabytes=megabytes, environment={"OMP_NUM_THREADS": "1", **environment})
    return {method: (taken, count) for method, taken, count in map(json.loads, done.output.splitlines())}


class CountInTurn(msgspec.Struct, frozen=True):
    """A count by one of several methods: the least seconds of the processor, the count, and the method that counted."""

    seconds: float
    covers: str
    method: str


def counts_in_turns(
    subject: str, methods: Sequence[str], seconds: float, *, times: int = 3, python: str = sys.executable
) -> dict[str, CountInTurn]:
    """Count by all methods in turns, in one process; those that end.

    Args:
        subject: A file of a problem (`.dlx`), or the name of a puzzle.
        methods: The first of them limits the others: what takes twenty times as long is left out.
        seconds: The limit of each count, by the clock.
    """
    words = [python, "-P", "-c", TURNS, subject, str(seconds), str(times), *methods]
    environment = NOTHING_MORE if python == sys.executable else {"PYTHONPATH": ""}  # which would lead it here
    done = run_command(words, environment={"OMP_NUM_THREADS": "1", **environment})
    if done.code:
        raise LatcoverError(f"{subject}: {done.messages.strip().splitlines()[-1:]}")
    return {method: CountInTurn(*figures) for method, *figures in json.loads(done.output)}
