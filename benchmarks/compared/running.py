"""What adapters need: commands with a limit of processor time, and problems as files and as clauses."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.compared.cases import Case, problem_of
from benchmarks.compared.programs import PreparedProgram, asks
from benchmarks.harness import processes
from latcover.core.cover.problem import CoverProblem
from latcover.errors import UnsupportedError
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import DIMACS, MINIZINC, XMPUZZLE, WriteOptions
from latcover.files.formats.library import load

MOST_PAIRS = 3_000_000
PAIRWISE = WriteOptions(encoding="pairwise")  # no variables but those of the options: models are covers, one for one


class TimedOutError(Exception):
    """A program did not end within its processor time."""


class Allowance:
    """The processor seconds that a question may take; commands are started with it."""

    seconds = 60.0


def run_command(words: Sequence[str], *, ends: Sequence[int] = (0,)) -> str:
    """What a command prints.

    Args:
        ends: The exit codes of a program that did what it should.

    Raises:
        TimedOutError: it was ended at its limit.
        RuntimeError: it ended with another code.
    """
    done = processes.run_command(words, seconds=int(Allowance.seconds) + 1)
    if done.code not in ends:
        # It, or a process that it started, was ended. The system counts its limit in ticks: on a busy machine it may
        # end a process by far before the exact time, which we read, has come to the limit.
        killed = done.code in (-signal.SIGKILL, -signal.SIGXCPU)
        if done.seconds > Allowance.seconds or (killed and done.seconds > Allowance.seconds / 2):
            raise TimedOutError
        said = (done.messages or done.output).strip().splitlines() or ["it said nothing"]
        raise RuntimeError(f"exit code {done.code}: {said[-1]}")
    return done.output


def asks_command(
    words: Sequence[str], read: Callable[[str], Any], kept: object = None, *, ends: Sequence[int] = (0,)
) -> PreparedProgram:
    """A program that is a command; *kept* is the folder of its files."""
    return asks(partial(run_command, words, ends=ends), read, kept)


def puzzle_file(case: Case, folder: str) -> str:
    """The shipped puzzle as a file of BurrTools."""
    return _written(Path(folder) / "puzzle.xmpuzzle", XMPUZZLE.write([load(case.problem)]))


def clauses_file(case: Case, folder: str) -> str:
    """The problem in DIMACS CNF: a variable an option, and for colours more that these determine.

    Raises:
        UnsupportedError: there would be too many clauses.
    """
    return _written(Path(folder) / "problem.cnf", _clauses(case))


def minizinc_file(case: Case, folder: str) -> str:
    """The problem as a model of MiniZinc."""
    return _written(Path(folder) / "problem.mzn", MINIZINC.write(exported(problem_of(case))))


def clauses(case: Case) -> tuple[int, list[list[int]]]:
    """How many variables there are, and the clauses.

    Raises:
        UnsupportedError: there would be too many clauses.
    """
    lines = b"".join(_clauses(case)).decode("utf-8").splitlines()
    (head,) = (line for line in lines if line.startswith("p cnf"))
    return int(head.split()[2]), [[*map(int, line.split()[:-1])] for line in lines if line[:1] not in ("c", "p")]


def _clauses(case: Case) -> Iterator[bytes]:
    require_few_clauses(problem_of(case).problem)
    return DIMACS.write(exported(problem_of(case)), PAIRWISE)


def require_few_clauses(problem: CoverProblem) -> None:
    """Refuse a problem with so many options an item that to write the clauses takes longer than any question.

    Raises:
        UnsupportedError: there would be too many clauses.
    """
    holders = np.bincount(problem.option_items, minlength=problem.n_items).astype(np.int64)
    pairs = int((holders * (holders - 1) // 2).sum())
    if pairs > MOST_PAIRS:
        raise UnsupportedError(f"too large: {pairs / 1e6:,.0f} million clauses of two options")


def _written(path: Path, pieces: Iterator[bytes]) -> str:
    path.write_bytes(b"".join(pieces))
    return str(path)


def with_file(case: Case, write: Callable[[Case, str], str]) -> tuple[str, object]:
    """The path of the problem's file, and its folder, which is there as long as this object is."""
    folder = TemporaryDirectory(prefix="latcover-compared-")
    return write(case, folder.name), folder
