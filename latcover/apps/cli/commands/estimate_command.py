"""The command `estimate`."""

from __future__ import annotations

import typer

from latcover.apps.cli.shared.option_requests import made
from latcover.apps.cli.shared.options import (
    DEFAULT_BACKEND,
    BackendName,
    BackendOptions,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    ReportOptions,
    only_one,
)
from latcover.apps.cli.shared.output import echo_result
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.subjects import load_subject, prepare
from latcover.core.model.request_values import ProbeCount, ProbeSeconds, Seed


def estimate(
    puzzle: PuzzleName = None,
    *,
    probes: ProbeCount | None = None,
    seconds: ProbeSeconds | None = None,
    seed: Seed = 0,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: BackendOptions,
    search_anyway: bool = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.result import SearchResult
    from latcover.core.impossible.reasons import reasons_of
    from latcover.lab.asking.estimate import EstimateRequest
    from latcover.lab.asking.estimate import estimate as estimate_by
    from latcover.show.reporting.estimate_report import estimate_as_json, estimate_as_text, nothing_to_estimate
    from latcover.show.reporting.search_report import reasons_as_lines, with_reasons

    only_one({"--probes": probes is not None, "--seconds": seconds is not None})
    request = made(
        EstimateRequest,
        backend,
        search,
        encoding,
        report,
        anyway=search_anyway,
        probes=probes,
        seconds=seconds or 1.0,
        seed=seed,
    )
    prepared = prepare(load_subject(puzzle, inputs, report), encoding, inputs)
    with watched(watcher(report)) as events:
        found = estimate_by(prepared, request, events)
        if not isinstance(found, SearchResult):
            events.probed(found)
    if isinstance(found, SearchResult):
        none = with_reasons({"puzzle": prepared.name, "asked": backend, "total": 0}, reasons_of(prepared))
        echo_result(
            none, "\n".join([nothing_to_estimate(prepared.name), *reasons_as_lines(none)]), as_json=report.as_json
        )
        return
    echo_result(estimate_as_json(found), estimate_as_text(found), as_json=report.as_json)
    if not found.probing.complete:
        raise typer.Exit(EXIT_LIMIT)
