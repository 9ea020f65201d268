"""The command `sequence`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import BoundsOptions, CountOptions, ReportOptions, ShowAll
from latcover.apps.cli.shared.output import echo, require_writable, start_log
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import status_of, watched, watcher
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.core.model.request_values import Natural, Seconds, SymmetryChoice

if TYPE_CHECKING:
    from latcover.files.formats.puzzle_files.puzzle_family import PuzzleFamily


def sequence(
    family: Annotated[str, typer.Argument(metavar="FAMILY", autocompletion=completion.families)],
    *,
    first: Annotated[Natural | None, typer.Option("--from")] = None,
    last: Annotated[Natural | None, typer.Option("--to")] = None,
    symmetry: SymmetryChoice = "none",
    counting: CountOptions,
    time: Seconds | None = None,
    check: Seconds = 10.0,
    recurrence: bool = False,
    certificates: Annotated[Path | None, typer.Option("--certificates", metavar="FOLDER")] = None,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE")] = None,
    every: ShowAll = False,
    inputs: BoundsOptions,
    report: ReportOptions,
) -> None:
    from latcover.files.formats.bfile import bfile
    from latcover.files.formats.library import load_family
    from latcover.lab.asking.sequence import SequenceRequest
    from latcover.lab.asking.sequence import sequence as terms_of
    from latcover.show.reporting.sequence_report import term_as_text
    from latcover.system.files import write_whole

    start_log(report)
    if last is None and not recurrence:
        raise typer.BadParameter("say how far to count: --to 12 (or --recurrence, for a strip)")
    found = load_family(family)
    least = found.start if first is None else first
    if last is not None and last < least:
        raise typer.BadParameter(f"--to {last} is less than the first size, {least}")
    if not report.as_json:
        oeis = f" (OEIS {found.oeis})" if found.oeis else ""
        echo(f"{found.name}: {found.title or 'a family of puzzles'}{oeis}\n")
    if recurrence:
        _print_recurrence(found, inputs, report, time)
    if last is None:
        return
    require_writable(output, reads=family)
    unlike = "" if symmetry == "none" else f"different under --symmetry {symmetry}"
    remark = " ".join(f"{found.oeis} {found.title or found.name} {unlike}".split())
    known = _known(output, remark)
    if known:
        after = max(known) + 1
        if first is not None and first > after:
            raise typer.BadParameter(
                f"{output} ends with the term {after - 1}, so the next is {after}: leave --from out"
            )
        first = after
        if not report.as_json:
            echo(f"{output} has the terms up to {after - 1}.")
    request = SequenceRequest(
        first=first,
        last=last,
        symmetry=symmetry,
        method=counting.method,
        memory=counting.memory,
        disk=counting.disk,
        seconds=time,
        check=check,
        certificates=certificates,
    )
    complete = True
    shown = watcher(report)
    lines = ScreenOfLines(shown.write, every=every or report.as_json)
    with watched(shown) as events:
        for term in terms_of(found, request, events, bounds=inputs.bounds()):
            text = json.dumps(term.as_json()) if report.as_json else term_as_text(term, len(str(last)))
            lines(text)
            complete = term.value is not None
            if output is not None and term.value is not None:
                known[term.n] = term.value
                write_whole(output, [bfile(known, remark).encode()])
    lines.end()
    if not complete:
        raise typer.Exit(EXIT_LIMIT)


def _print_recurrence(
    family: PuzzleFamily, inputs: BoundsOptions, report: ReportOptions, seconds: float | None
) -> None:
    from latcover.core.cover.events import Events
    from latcover.core.cover.time_limit import time_limit
    from latcover.lab.asking.strips import strip_of_family, strip_recurrence
    from latcover.show.reporting.sequence_report import recurrence_as_text

    class Stages(Events):
        """Shows what is being done."""

        def on_stage(self, stage: str, subject: object = None) -> None:
            show(stage)

    strip = strip_of_family(family, inputs.bounds())
    with status_of(report) as show, time_limit(seconds):
        found = strip_recurrence(strip, Stages(), bounds=inputs.bounds())
    echo(json.dumps({"recurrence": found.as_json()}) if report.as_json else recurrence_as_text(found))


def _known(output: Path | None, remark: str) -> dict[int, int]:
    """The terms that the file has already. Its first line must be the *remark*, lest two sequences be mixed."""
    from latcover.errors import InputError
    from latcover.files.formats.bfile import read_bfile
    from latcover.files.formats.source import source_at

    if output is None or not output.exists():
        return {}
    source = source_at(output, needed="a b-file", error=InputError)
    known, begins = read_bfile(source), f"# {remark}"
    if known and source.text(InputError).partition("\n")[0].rstrip() != begins:
        raise source.fault(
            f"holds another sequence: to be continued, its first line must be '{begins}'", 1, error=InputError
        )
    return known
