"""The SAT solvers that python-sat offers: their names, what each can do, and which this build of it has."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from latcover.errors import BackendUnavailableError, UnsupportedError, suggest

# What python-sat does not tell. A solver that is not named here, of some newer python-sat, runs in its own process.
# These let other threads run, and end soon when interrupted. The Glucose family and maplecm do not: they notice it at
# their next restart, which was measured to be seconds away.
_INTERRUPTIBLE = frozenset(
    {"ergo", "maplechrono", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep", "minisatgh"}
)
_PACKAGES = {"cryptosat": "pycryptosat"}  # python-sat only wraps these
ONE_CALL = frozenset({"kissat404"})  # may be asked once only, and must be set up anew for each cover
_CARDINALITY_ALWAYS = frozenset({"gluecard3", "gluecard4", "minicard"})
# by a propagator in Python, which must not be called while other threads run:
_CARDINALITY_IN_PYTHON = frozenset({"cadical195", "cadical300", "ergo", "minisatep"})
CARDINALITY = _CARDINALITY_ALWAYS | _CARDINALITY_IN_PYTHON  # they know at-most-k constraints


@cache
def aliases() -> dict[str, tuple[str, ...]]:
    """The names that python-sat knows each solver by; a solver's own is the key.

    Raises:
        BackendUnavailableError: python-sat is not installed.
    """
    names = _pysat().SolverNames
    return {name: getattr(names, name) for name in sorted(vars(names)) if not name.startswith("_")}


def own_name(name: str) -> str:
    """The own name of the solver called *name*.

    Raises:
        UnsupportedError: there is none.
    """
    known = aliases()
    for own, others in known.items():
        if name.lower() == own or name.lower() in others:
            return own
    raise UnsupportedError(f"backend 'sat' has no solver {name!r}{suggest(name, known)}")


@cache
def why_missing(solver: str) -> str:
    """Why this build of python-sat cannot run *solver*; empty when it can."""
    needs = _PACKAGES.get(solver)
    if needs and find_spec(needs) is None:
        return f"it needs the package {needs}"
    try:
        make(solver, cardinality=False).delete()
    except Exception as reason:
        return str(reason) or type(reason).__name__
    return ""


def require(solver: str) -> None:
    """Refuse a solver that this build of python-sat lacks.

    Raises:
        BackendUnavailableError: it does.
    """
    reason = why_missing(solver)
    if reason:
        have = ", ".join(name for name in aliases() if not why_missing(name))
        raise BackendUnavailableError(
            f"backend 'sat': SAT solver {solver!r} is not in this build of python-sat ({reason}); it has {have}"
        )


def make(solver: str, *, cardinality: bool) -> Any:
    """A new, empty `pysat.solvers.Solver`, which knows at-most-k constraints if that is asked for."""
    made = _pysat().Solver(aliases()[solver][0])
    if cardinality and solver in _CARDINALITY_IN_PYTHON:
        made.activate_atmost()
    return made


def is_interruptible(solver: str, *, cardinality: bool) -> bool:
    """Whether *solver* lets other threads run, and ends soon when it is interrupted."""
    return solver in _INTERRUPTIBLE and not (cardinality and solver in _CARDINALITY_IN_PYTHON)


def _pysat() -> ModuleType:
    try:
        from pysat import solvers  # type: ignore[import-untyped]
    except ImportError as reason:
        raise BackendUnavailableError(
            f"backend 'sat' needs python-sat, which cannot be loaded ({reason}); `pip install python-sat` would mend it"
        ) from None
    module: ModuleType = solvers
    return module
