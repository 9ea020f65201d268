"""The SAT solvers of python-sat: their names, their abilities, and whether this build of python-sat has them."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from latcover.errors import BackendUnavailableError, UnsupportedError, suggest
from latcover.system import extras

# Facts that python-sat does not tell. A solver of a newer python-sat, not named here, runs in its own process.
# These solvers let other threads run, and end soon when interrupted. The Glucose family and maplecm do not: they notice
# an interrupt at their next restart, which came seconds later when we measured it.
_INTERRUPTIBLE = frozenset(
    {"ergo", "maplechrono", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep", "minisatgh"}
)
_PACKAGES = {"cryptosat": "pycryptosat"}  # solvers that python-sat only wraps, and their packages
ONE_CALL = frozenset({"kissat404"})  # can solve only once, and must be set up anew for each cover
_CARDINALITY_ALWAYS = frozenset({"gluecard3", "gluecard4", "minicard"})
# A propagator in Python handles the constraints for these solvers; it must not be called while other threads run.
_CARDINALITY_IN_PYTHON = frozenset({"cadical195", "cadical300", "ergo", "minisatep"})
CARDINALITY = _CARDINALITY_ALWAYS | _CARDINALITY_IN_PYTHON  # they know at-most-k constraints


@cache
def aliases() -> dict[str, tuple[str, ...]]:
    """The names by which python-sat knows each solver; the key is the solver's own name.

    Raises:
        BackendUnavailableError: python-sat is not installed.
    """
    names = _pysat().SolverNames
    return {name: getattr(names, name) for name in sorted(vars(names)) if not name.startswith("_")}


def own_name(name: str) -> str:
    """The own name of the solver called *name*.

    Raises:
        UnsupportedError: the solver does not exist.
    """
    known = aliases()
    for own, others in known.items():
        if name.lower() == own or name.lower() in others:
            return own
    raise UnsupportedError(f"backend 'sat' has no solver {name!r}{suggest(name, known)}")


def in_words(solver: str) -> str:
    """How messages call a solver."""
    return f"SAT solver {solver!r}"


@cache
def why_missing(solver: str) -> str:
    """Why this build of python-sat cannot run *solver*; empty if it can."""
    needs = _PACKAGES.get(solver)
    if needs and find_spec(needs) is None:
        return f"it needs the package {needs}"
    try:
        make(solver, cardinality=False).delete()
    except MemoryError:
        raise
    except Exception as reason:
        return str(reason) or type(reason).__name__
    return ""


def require(solver: str) -> None:
    """Refuse a solver that this build of python-sat lacks.

    Raises:
        BackendUnavailableError: this build lacks the solver.
    """
    reason = why_missing(solver)
    if reason:
        have = ", ".join(name for name in aliases() if not why_missing(name))
        raise BackendUnavailableError(
            f"backend 'sat': SAT solver {solver!r} is not in this build of python-sat ({reason}); it has {have}"
        )


def make(solver: str, *, cardinality: bool) -> Any:
    """A new, empty `pysat.solvers.Solver`; with *cardinality* it knows at-most-k constraints."""
    made = _pysat().Solver(aliases()[solver][0])
    if cardinality and solver in _CARDINALITY_IN_PYTHON:
        made.activate_atmost()
    return made


def is_interruptible(solver: str, *, cardinality: bool) -> bool:
    """Whether *solver* lets other threads run and ends soon when it is interrupted."""
    return solver in _INTERRUPTIBLE and not (cardinality and solver in _CARDINALITY_IN_PYTHON)


def _pysat() -> ModuleType:
    return extras.require("backend 'sat'", ("pysat.solvers",), extra="python-sat")
