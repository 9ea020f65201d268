"""The command `multiples`: all regions that some copies of a shape form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.apps.cli.shared.options import Memory, ReportOptions, ShowAll
from latcover.apps.cli.shared.output import echo, require_writable, suffix_of, write_file
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.screenful import table_for_screen
from latcover.apps.cli.shared.shape_options import Output, ShapeOptions, Time, pieces_named
from latcover.core.model.request_values import Positive, Processes, RegionCopies, ShapeCells

if TYPE_CHECKING:
    from latcover.core.cover.events import Events
    from latcover.core.model.puzzle import Part
    from latcover.lab.exploring.exploring_requests import MultiplesRequest
    from latcover.lab.exploring.multiples import Multiples

FORMS = (".svg", ".txt", ".toml")
TABLE_FORMS = (".html", ".csv", ".json", ".txt")


def multiples(
    shape: Annotated[str, typer.Argument(metavar="SHAPE|LATTICE")],
    copies: Annotated[RegionCopies, typer.Argument(metavar="K")],
    *,
    cells: ShapeCells | None = None,
    shapes: ShapeOptions,
    workers: Processes = 1,
    folder: Annotated[Path | None, typer.Option(metavar="FOLDER")] = None,
    output: Output = None,
    limit: Positive = 1000,
    memory: Memory = 500,
    time: Time = None,
    every: ShowAll = False,
    report: ReportOptions,
) -> None:
    from latcover.lab.exploring.exploring_requests import MultiplesRequest
    from latcover.lab.exploring.multiples import multiples as found_by

    if cells is not None:
        request = MultiplesRequest(copies=copies, memory=memory, seconds=time, keep=0)
        _table(
            shapes.shapes(pieces_named([shape], cells, "multiples square 3 --cells 4")),
            request,
            folder,
            workers,
            output,
            report,
            every=every,
        )
        return
    require_writable(output, reads=shape)
    suffix = "" if output is None else suffix_of(output, "a sheet of regions", FORMS)
    (part,) = shapes.shapes([shape])
    request = MultiplesRequest(copies=copies, memory=memory, seconds=time, keep=0 if output is None else limit)
    with watched(watcher(report)) as events:
        found = found_by(part, request, events, folder=folder)
        for number, count in enumerate(found.counts, 1):
            line = f"{number:>3}  {count:>15,}" + "   (brute force agrees)" * (1 < number <= found.checked)
            echo(json.dumps({"copies": number, "regions": count}) if report.as_json else line)
        if output is not None:
            write_file(output, _sheet(found, suffix, events), report)
    if report.as_json:
        echo(json.dumps({"summary": _summary(found, copies)}))
    elif not found.complete:
        rest = f"; --folder {folder} has what is done" if folder is not None else ""
        echo(f"{found.stop.verdict}; the regions of {len(found.counts) + 1} copies are not known{rest}")
    if not found.complete:
        raise typer.Exit(EXIT_LIMIT)


def _table(
    parts: Sequence[Part],
    request: MultiplesRequest,
    folder: Path | None,
    workers: int,
    output: Path | None,
    report: ReportOptions,
    *,
    every: bool,
) -> None:
    """The table of all these shapes."""
    from latcover.show.reporting.multiples_tables import multiples_of_each, table_as_text

    require_writable(output)
    suffix = "" if output is None else suffix_of(output, "a table of regions", TABLE_FORMS)
    found = []
    with watched(watcher(report)) as events:
        for each in multiples_of_each(parts, request, events, folder=folder, workers=workers):
            found.append(each)
            if report.as_json:
                echo(json.dumps(_summary(each, request.copies)))
    if output is not None:
        write_file(output, _written(found, request.copies, suffix), report)
    complete = all(each.complete for each in found)
    if report.as_json:
        echo(json.dumps({"summary": {"shapes": len(found), "complete": complete}}))
    else:
        echo(table_for_screen(table_as_text(found, request.copies), every=every))
        if not complete:
            stop = next(each.stop for each in found if not each.complete)
            echo(f"{stop.verdict}; what is not known is marked by ?")
    if not complete:
        raise typer.Exit(EXIT_LIMIT)


def _written(found: Sequence[Multiples], copies: int, suffix: str) -> str:
    from latcover.show.reporting.multiples_tables import table_as_csv, table_as_html, table_as_text

    if suffix == ".json":
        return json.dumps({"multiples": [_summary(each, copies) for each in found]})
    if suffix == ".csv":
        return table_as_csv(found, copies)
    if suffix == ".html":
        return table_as_html(f"Regions of up to {copies} copies", found, copies)
    return table_as_text(found, copies)


def _summary(found: Multiples, copies: int) -> dict[str, object]:
    return {
        "shape": found.shape.name,
        "copies": copies,
        "regions": found.counts[-1] if found.complete else None,
        "counts": [*found.counts],
        "checked": found.checked,
        "complete": found.complete,
        "stop": found.stop.value,
        "seconds": round(found.seconds, 3),
    }


def _sheet(found: Multiples, suffix: str, events: Events) -> str:
    """The regions that were kept: as a part set, or each with a tiling."""
    from latcover.files.formats.puzzle_files.puzzle_writer import part_set_as_toml
    from latcover.show.reporting.tiling_sheets import multiples_as_set, multiples_as_view

    if suffix == ".toml":
        return part_set_as_toml(multiples_as_set(found))
    view = multiples_as_view(found, events)
    if suffix == ".svg":
        from latcover.show.drawing.paper.svg import sheet

        return sheet(view.title, view.entries())
    return "\n".join(view.lines(colour=False, width=100))
