"""Counts of covers in processes of their own, by one or several methods, on one thread."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness.processes import NOTHING_MORE, run_command

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
