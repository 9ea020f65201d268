"""Proofs that a shape cannot be surrounded more often, in files that independent checkers accept."""

from __future__ import annotations

from pathlib import Path

from latcover.core.cover.result import Stop
from latcover.core.cover.search import OnProgress
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.asking.proofs import Proof, ProofClock, clauses_beside, refute
from latcover.lab.plane.corona_proof_check import CoronaProofCheck
from latcover.lab.plane.coronas import Surrounder
from latcover.lab.plane.prototiles import Patch, Prototiles
from latcover.lab.plane.refutation import Refutation
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
    text = list(found.text())
    _require_sound(found, text)
    return refute(text, path, _contradiction, clock.left(), on_progress)


def _require_sound(found: Refutation, text: list[bytes]) -> None:
    """Let the independent checker look at the clauses of a file."""
    check = CoronaProofCheck(found.neighbours.prototiles, found.places.last, found.hole_in_last)
    faults = check.faults(b"".join(text).decode().splitlines())
    if faults:
        raise InternalError(f"the clauses of a refutation are wrong: {faults[0]}")


def _contradiction(_: list[int]) -> Exception:
    return InternalError("one solver refutes the clauses of coronas, another one satisfies them")
