"""Backends: one adapter for each solver. Nothing here knows parts, geometry or files.

A backend is a frozen struct whose fields are its options; see `latcover.Backend` and
docs/reference/backends.md. A counter counts covers without listing them; see `latcover.Counter`.
Other packages add theirs by entry points.
"""

from __future__ import annotations

from latcover.core.cover.solver_registry import ABILITIES as ABILITIES
from latcover.core.cover.solver_registry import DEFAULT as DEFAULT
from latcover.core.cover.solver_registry import SolverTable
from latcover.core.cover.solver_registry import abilities as abilities
from latcover.core.cover.solver_registry import create as create
from latcover.core.cover.solver_registry import describe as describe
from latcover.core.cover.solver_registry import names as names
from latcover.core.cover.solver_registry import searchers as searchers

BACKENDS = SolverTable(
    "backend",
    "latcover.core.cover.backend:Backend",
    group="latcover.backends",
    ours={
        "auto": "latcover.backends.auto:Auto",
        "bitset": "latcover.backends.bitset:Bitset",
        "dlx": "latcover.backends.dlx:Dlx",
        "backtrack": "latcover.backends.backtrack:Backtrack",
        "restarts": "latcover.backends.restarts:Restarts",
        "cpsat": "latcover.backends.cpsat:CpSat",
        "sat": "latcover.backends.sat:Sat",
        "frontier": "latcover.backends.sweeping:Frontier",
    },
)
COUNTERS = SolverTable(
    "method of counting",
    "latcover.core.cover.counter:Counter",
    group="latcover.counters",
    ours={
        "auto": "latcover.backends.auto_counter:AutoCounter",
        "frontier": "latcover.backends.frontier:FrontierCounter",
        "components": "latcover.backends.components:ComponentCounter",
        "memo": "latcover.backends.bitset:MemoCounter",
        "kasteleyn": "latcover.backends.kasteleyn:MatchingCounter",
    },
)
SOLVERS = {"backends": BACKENDS, "counters": COUNTERS}
OURS = BACKENDS.ours
