"""The command `estimate`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    BackendOptions,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    SearchAnyway,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import watched, watcher
from latcover.cli.support import (
    EXIT_LIMIT,
    echo,
    load_subject,
    make_backend,
    only_one,
    prepare,
)


@expanded
def estimate(
    puzzle: PuzzleName = None,
    *,
    probes: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, metavar="N", help="The number of probes, instead of a time."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.01, max=1e6, metavar="SECONDS", help="Probe for about so long (default: 1)."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63, metavar="N", help="The seed of the random numbers.")] = 0,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: BackendOptions,
    search_anyway: SearchAnyway = False,
    as_json: AsJson = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Estimate the branches, the time and the solutions of a search by random probes.

    Each figure has a 95 % interval. A line says whether you can trust the sample. Exit code 3: the estimate was
    interrupted, and the figures are from the probes up to then.
    """
    from latcover.backends.probing import Sampling
    from latcover.impossible.reasons import reasons_of
    from latcover.reporting.answer import reasons_as_lines, with_reasons
    from latcover.reporting.estimate import estimate_as_json, estimate_as_text, nothing_to_estimate
    from latcover.solving.estimate import estimate as estimated

    only_one({"--probes": probes is not None, "--seconds": seconds is not None})
    solver = make_backend(backend, search, talk)
    prepared = prepare(load_subject(puzzle, given, talk), encoding, given)
    reasons = () if search_anyway else reasons_of(prepared)
    if reasons:
        none = with_reasons({"puzzle": prepared.name, "asked": backend, "total": 0}, reasons)
        echo(json.dumps(none) if as_json else "\n".join([nothing_to_estimate(prepared.name), *reasons_as_lines(none)]))
        return
    with watched(watcher(talk, watch)) as watching:
        found = estimated(prepared, solver, Sampling(probes, seconds or 1.0, seed), watching.on_progress)
        watching.probed(found)
    echo(json.dumps(estimate_as_json(found)) if as_json else estimate_as_text(found))
    if not found.probing["complete"]:
        raise typer.Exit(EXIT_LIMIT)
