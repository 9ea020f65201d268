"""`latcover solve --proof`: a proof that a puzzle has no solution, or none but those found, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.apps.cli.shared.options import (
    SYMMETRY_NEEDED,
    EncodingOptions,
    InputOptions,
    ReportOptions,
)
from latcover.apps.cli.shared.output import echo_result
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, say_reasons
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.subjects import prepare
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.cover.result import Stop
    from latcover.core.cover.searchable import Searchable
    from latcover.core.model.puzzle import Puzzle
    from latcover.lab.asking.proofs import Proof

ProofFile = Annotated[Path | None, typer.Option("--proof", metavar="FILE", show_default=False)]
HONOURED = (
    *("puzzle", "proof", "symmetry", "reduction", "pivot", "time", "as_json", "sat_exit_codes", "problem"),
    *("max_cells", "max_placements", "progress", "verbose", "quiet"),
)


def encoding_of_proof(context: typer.Context, encoding: EncodingOptions) -> EncodingOptions:
    """The encoding of the clauses: the whole problem, unless the user gave --symmetry.

    Raises:
        UnsupportedError: the user gave an option that has no meaning for a proof.
    """
    names = {name for name in context.params if _is_given(context, name)}
    for parameter in context.command.params:
        if parameter.name in names and parameter.name not in HONOURED:
            raise UnsupportedError(
                f"{_typed(context, parameter)} does not go with --proof; leave one of them out. A proof is about all "
                "solutions, and the solver CaDiCaL makes it"
            )
    symmetry = encoding.symmetry if "symmetry" in names else "none"
    if symmetry == "none" and names & {"reduction", "pivot"}:
        raise typer.BadParameter(SYMMETRY_NEEDED)
    return EncodingOptions(symmetry, encoding.reduction, encoding.pivot)


def _typed(context: typer.Context, parameter: Any) -> str:
    """The option as the user typed it: a flag may have two names."""
    off = parameter.secondary_opts and context.params[parameter.name] is False
    return str((parameter.secondary_opts if off else parameter.opts)[0])


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether the user gave an option. (The place of the enumeration of sources depends on typer's version.)"""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def prove(
    subject: Puzzle | NamedProblem,
    path: Path,
    encoding: EncodingOptions,
    seconds: float | None,
    *,
    inputs: InputOptions,
    report: ReportOptions,
) -> bool:
    """Write the proof, and print the result. Returns whether there are solutions.

    Args:
        subject: The puzzle or problem without a solution.
        path: The file of the proof.
        encoding: From `encoding_of_proof`.
        seconds: The time limit.
        inputs, report: The options of the command.
    """
    from latcover.core.impossible.reasons import reasons_of
    from latcover.lab.asking.proofs import Proof, clauses_beside
    from latcover.lab.asking.proofs import prove as write_proof

    clauses_beside(path)
    prepared = prepare(subject, encoding, inputs)
    with watched(watcher(report)) as watching:
        found = write_proof(prepared, path, seconds, watching.on_progress)
    data: dict[str, object] = {"puzzle": prepared.name, "symmetry": prepared.symmetry}
    if isinstance(found, Proof):
        reasons = [] if found.listed else reasons_of(prepared)
        data = say_reasons(data | _proof_as_json(found), reasons, report)
    else:
        data |= {"complete": found.is_complete, "stop": found.value}
    echo_result({"summary": data}, _as_text(prepared, found), as_json=report.as_json)
    if not isinstance(found, Proof):
        raise typer.Exit(EXIT_LIMIT)
    return found.listed > 0


def _proof_as_json(proof: Proof) -> dict[str, object]:
    from latcover.lab.asking.proofs import SOLVER

    return {
        "complete": True,
        **({"listed": proof.listed} if proof.listed else {"different": 0, "total": 0}),
        "proof": str(proof.proof),
        "clauses": str(proof.clauses),
        "solver": SOLVER,
        "lemmas": proof.lemmas,
        "bytes": proof.size,
        "seconds": round(proof.seconds, 6),
    }


def _as_text(prepared: Searchable[Any], found: Proof | Stop) -> str:
    from latcover.errors import counted
    from latcover.lab.asking.proofs import Proof

    if not isinstance(found, Proof):
        return (
            f"{prepared.name}: neither a solution nor a proof that there is none ({found.value}); nothing was written"
        )
    what = "no solution" if not found.listed else f"no solution but the {found.listed:,} that were found"
    more = "" if not found.listed else ", and one for each solution, which it breaks"
    lines = [
        f"{prepared.name}: {what}, by a proof of {counted(found.lemmas, 'lemma')}",
        f"{found.clauses}: the clauses, as `latcover export` writes them{more}",
        f"{found.proof}: the proof, in DRAT form",
    ]
    if prepared.symmetry != "none":
        lines.append(
            "note: the clauses leave out placements, because of symmetry. The proof does not show that this loses no "
            "solution; latcover claims it"
        )
    return "\n".join(lines)
