"""Proofs that a shape cannot be surrounded more often, in files that independent checkers accept."""

from __future__ import annotations

from pathlib import Path

from latcover.core.cover.result import Stop
from latcover.core.cover.search import OnProgress
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.asking.proofs import Proof, ProofClock, clauses_beside, refute_checked
from latcover.lab.plane.corona_proof_check import CoronaProofCheck
from latcover.lab.plane.coronas import Surrounder
from latcover.lab.plane.prototiles import Patch, Prototiles
from latcover.lab.plane.sat_solver import StoppedError


def prove_no_coronas(
    prototiles: Prototiles,
    coronas: int,
    path: Path,
    *,
    hole_in_last: bool = False,
    seconds: float | None = None,
    on_progress: OnProgress | None = None,
) -> Proof | Stop:
    """Write a proof that the first shape has not so many *coronas* to *path*, and the clauses beside it.

    The clauses pass `CoronaProofCheck` before anything is written, the proof is in the form DRAT.

    Raises:
        UnsupportedError: there are so many coronas.
        PuzzleError, BackendFailedError, BackendUnavailableError: see `latcover.lab.asking.proofs.prove`.
    """
    clauses_beside(path)
    clock = ProofClock(seconds, on_progress)
    try:
        found = Surrounder(prototiles, clock.goes_on).refutation(coronas, hole_in_last=hole_in_last)
    except StoppedError:
        return clock.stop() or Stop.CANCELLED
    if isinstance(found, Patch):
        raise UnsupportedError(f"the shape has {coronas} coronas, so there is no proof that it has not")
    check = CoronaProofCheck(found.neighbours.prototiles, found.places.last, found.hole_in_last)
    return refute_checked(found.text(), check.faults, path, _contradiction, clock)


def _contradiction(_: list[int]) -> Exception:
    return InternalError("one solver refutes the clauses of coronas, another one satisfies them")
