"""Who is compared: our methods and other programs, as data. A new program is a row here and an adapter.

An adapter is a function that makes a problem ready in the form that its program takes, and then asks. Those of our own
methods are in `own`, of Python packages in `packages`, of commands in `commands`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from latcover.benchmarks.compared.cases import Case, Task
from latcover.errors import UnsupportedError, suggest

ALL: Final = "all"
COUNT: Final = "count"
ONE: Final = "one"
PUZZLE: Final = "puzzle"
APART: Final = "apart"
PLANE: Final = "plane"


class PreparedProgram(NamedTuple):
    """A program that has its input.

    Attributes:
        fresh: Makes what one question needs, and gives the question. Only the question is timed.
        read: Makes of its result a number, covers as tuples of options, or a pair of numbers.
    """

    fresh: Callable[[], Callable[[], Any]]
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or one of our methods.

    Attributes:
        name: What stands in tables.
        about: What it does, in a few words.
        adapter: ``module:function``, which makes an `PreparedProgram` of a case.
        tasks: What can be asked of it.
        package: The package of PyPI that it is in; "" for none. For our own methods, the package that solves.
        command: The command that must be on the path; "" for none.
        licence: Under which it is shared.
        ours: Whether it is a method of latcover.
    """

    name: str
    about: str
    adapter: str
    tasks: tuple[Task, ...]
    package: str = ""
    command: str = ""
    licence: str = "MIT"
    ours: bool = False

    def make(self) -> Callable[[Case], PreparedProgram]:
        """Its adapter."""
        module, name = self.adapter.split(":")
        made: Callable[[Case], PreparedProgram] = getattr(import_module(f"latcover.benchmarks.compared.{module}"), name)
        return made

    @property
    def where(self) -> str:
        """Where it comes from, for a table."""
        if self.command:
            return f"command `{self.command}`"
        return f"PyPI: {self.package}" if self.package else "latcover"

    @property
    def version(self) -> str | None:
        """The version that is here; None if it is not here."""
        if self.command:
            return _version_of(self.command)
        try:
            return version(self.package) if self.package else version("latcover")
        except PackageNotFoundError:
            return None if self.package else "not installed"


REFERENCE = "latcover"
LISTS: tuple[Task, ...] = (ALL, COUNT, ONE)
PROGRAMS = (
    Program(REFERENCE, "what latcover picks by itself, on one thread", "own:latcover", (*LISTS, PUZZLE, APART, PLANE),
            ours=True),
    Program("bitset", "our kernel of bitmaps, on one thread", "own:bitset", LISTS, ours=True),
    Program("dlx", "our dancing links", "own:dlx", (ALL, ONE), ours=True),
    Program("backtrack", "the direct method: fills the first empty cell", "own:backtrack", (ALL,), ours=True),
    Program("frontier", "our count item by item", "own:frontier", (COUNT,), ours=True),
    Program("restarts", "our random heads with exhaustive tails", "own:restarts", (ONE,), ours=True),
    Program("exact-cover", "dancing links in C behind NumPy", "packages:exact_cover", LISTS, "exact-cover",
            licence="GPL-2.0"),
    Program("xcover", "Knuth's dancing cells, compiled by Numba", "packages:xcover", LISTS, "xcover",
            licence="LGPL-3.0"),
    Program("xcover memo", "the same, as a diagram of all covers with its memo (`use_memo_cache`)",
            "packages:xcover_memo", (COUNT,), "xcover", licence="LGPL-3.0"),
    Program("pyxcc", "dancing cells in Rust", "packages:pyxcc", LISTS, "pyxcc", licence="Apache-2.0 or MIT"),
    Program("miniexact", "Knuth's Algorithm C in C", "packages:miniexact", LISTS, "miniexact", licence="BSD-3-Clause"),
    Program("CP-SAT", "OR-Tools' constraint solver", "packages:cpsat", (ALL, ONE), "ortools", licence="Apache-2.0"),
    Program("PySAT", "a SAT solver, CaDiCaL 1.5.3, which is asked again with each model forbidden", "packages:pysat",
            (ALL, ONE), "python-sat"),
    Program("clasp", "answer sets and clauses: lists models by conflict-driven search", "commands:clasp", LISTS,
            command="clasp"),
    Program("Gecode", "constraint solver, by MiniZinc", "commands:gecode", (ALL, ONE), command="minizinc",
            licence="MPL-2.0; Gecode MIT"),
    Program("Ganak", "exact model counter: components and a memo", "packages:ganak", (COUNT,), "pyganak"),
    Program("PySDD", "compiles the formula into a sentential decision diagram", "packages:sdd", (COUNT,), "PySDD",
            licence="Apache-2.0"),
    Program("BurrTools", "the usual program for these puzzles, by its command `burrTxt`", "commands:burrtools",
            (PUZZLE, APART), command="burrTxt", licence="GPL-2.0"),
    Program("heesch-sat", "Kaplan's program for Heesch numbers, on CryptoMiniSat: `sat`, linked to as `heesch-sat`",
            "commands:heesch_sat", (PLANE,), command="heesch-sat", licence="BSD-3-Clause"),
)  # fmt: skip
BY_NAME = {program.name: program for program in PROGRAMS}


def chosen_programs(wanted: str | None) -> tuple[Program, ...]:
    """The programs that a list such as ``dlx,clasp`` names, and the one that all are compared with; None takes all.

    Raises:
        UnsupportedError: there is no such program, or none is named.
    """
    if wanted is None:
        return PROGRAMS
    names = {name.strip() for name in wanted.split(",") if name.strip()}
    for name in sorted(names - set(BY_NAME)):
        raise UnsupportedError(f"no program {name!r} is compared{suggest(name, BY_NAME)}")
    if not names:
        raise UnsupportedError(f"no program is named; there are {', '.join(BY_NAME)}")
    return tuple(program for program in PROGRAMS if program.name in names | {REFERENCE})


UNVERSIONED = ("burrTxt", "heesch-sat")  # they have no such option, and would take it for a file


@cache
def _version_of(command: str) -> str | None:
    """The first number in what a command says of its version; "found" if it says nothing; None if it is not there."""
    path = shutil.which(command)
    if path is None:
        return None
    if command in UNVERSIONED:
        return "found"
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    words = (said.stdout + said.stderr).replace(",", " ").split()
    return next((word for word in words if word[0].isdigit()), "found")
