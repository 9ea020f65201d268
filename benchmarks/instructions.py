"""How many instructions a branch takes: a count that is the same on every machine and under any load.

    python -m benchmarks instructions                    # needs Linux, QEMU's user emulator, a C compiler
    python -m benchmarks instructions --python "qemu-aarch64 -L ROOT ROOT/usr/bin/python3"

The emulator runs two searches, of few branches and of many, and counts. The table has the difference: what sets a
search up counts for nothing. The second form counts for another processor: ROOT is a Debian for it that has latcover's
packages, and PYTHONPATH names their folders there. Kernels whose instructions the emulator lacks have no figures.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.harness.processes import ROOT, run_command
from benchmarks.harness.tables import lines_of
from benchmarks.suite_puzzles import prepared_of
from latcover.backends import create
from latcover.backends.compiled import kernels
from latcover.core.cover.search import Limits, SearchTask
from latcover.errors import LatcoverError

PUZZLES = ("pent-10x6", "pent-6x5x2", "bedlam", "macmahon-squares")
BRANCHES = (20_000, 120_000)
MARKER = 999_999_999  # as in instructions.c


def _tell() -> None:
    """Let the plugin print how many instructions there have been."""
    with contextlib.suppress(ProcessLookupError):
        os.getpgid(MARKER)


def searches(puzzles: Sequence[str]) -> None:
    """What the emulator runs: searches. The plugin tells a number before and after each; a line names them."""
    for name in puzzles:
        problem = prepared_of(name).problem
        methods = {"dlx": create("dlx")}
        methods |= {
            kernel: create("bitset", kernel=kernel, threads=1) for kernel, runs_here in kernels().items() if runs_here
        }
        for method, backend in methods.items():
            counts = []
            for most in BRANCHES:
                _tell()
                outcome = backend.search(SearchTask(problem, lambda _: True, Limits(branches=most)))
                _tell()
                counts.append(outcome.figures.branches)
            print(f"searched {name} {method} {counts[0]} {counts[1]}", file=sys.stderr, flush=True)


def table(counts: str) -> list[str]:
    """The lines of a table, from what the emulator printed."""
    rows: dict[str, dict[str, float]] = {}
    at: list[int] = []
    for line in counts.splitlines():
        if found := re.fullmatch(r"instructions (\d+)", line):
            at.append(int(found[1]))
        elif found := re.fullmatch(r"searched (\S+) (\S+) (\d+) (\d+)", line):
            few, many = at[1] - at[0], at[3] - at[2]
            rows.setdefault(found[1], {})[found[2]] = (many - few) / (int(found[4]) - int(found[3]))
            at = []
    methods = list(next(iter(rows.values())))
    cells = ([name, *(f"{row[each]:,.0f}" for each in methods)] for name, row in rows.items())
    return [*lines_of(("puzzle", *methods), cells)]


def counted(python: Sequence[str], puzzles: Sequence[str]) -> list[str]:
    """The table, as counted by an emulator.

    Args:
        python: The emulator with its options, then Python for the processor that it emulates.
        puzzles: Names of shipped puzzles.

    Raises:
        LatcoverError: the emulator or a C compiler is missing, or the searches failed.
    """
    compiler = shutil.which("cc")
    if not shutil.which(python[0]) or not compiler:
        missing = python[0] if compiler else "a C compiler"
        raise LatcoverError(f"{missing} is missing; on Debian: apt-get install qemu-user gcc")
    with tempfile.TemporaryDirectory() as folder:
        plugin = Path(folder) / "instructions.so"
        source = Path(__file__).with_name("instructions.c")
        run_command([compiler, "-O2", "-shared", "-fPIC", "-o", str(plugin), str(source)])
        words = ["-m", "benchmarks", "instructions", "--inside", *puzzles]
        command = [python[0], "-plugin", str(plugin), *python[1:], *words]
        done = run_command(command, folder=ROOT)
    if done.code:
        raise LatcoverError(f"{shlex.join(command)} failed:\n{done.messages.strip()}")
    return table(done.messages)


def instructions(
    puzzles: Annotated[list[str] | None, typer.Argument(help="Names of shipped puzzles.")] = None,
    *,
    python: Annotated[str, typer.Option(help="The emulator, its options, and Python for its processor.")] = "",
    inside: Annotated[bool, typer.Option(hidden=True)] = False,
) -> Iterator[str]:
    """Count the instructions a branch in the emulator QEMU: nearly the same on every machine and under any load."""
    if inside:
        searches(puzzles or PUZZLES)
        return
    yield from counted(shlex.split(python) or [f"qemu-{platform.machine()}", sys.executable], puzzles or PUZZLES)
