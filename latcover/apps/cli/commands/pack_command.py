"""The commands `pack` and `exclude`: how many copies of shapes a region holds, and which cells keep them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.apps.cli.commands.best_command import KnownSoFar
from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import ReportOptions
from latcover.apps.cli.shared.output import (
    echo,
    echo_picture,
    require_writable,
    say,
    screen_width,
    suffix_of,
    wants_colour,
    write_file,
)
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.shape_options import Output, ShapeOptions, Time

if TYPE_CHECKING:
    from latcover.core.model.period import Period
    from latcover.core.model.puzzle import Puzzle
    from latcover.lab.exploring.packing import Packing

FORMS = (".svg", ".txt", ".json")
Names = Annotated[list[str], typer.Argument(metavar="SHAPE...")]
RegionName = Annotated[str, typer.Option(metavar="AxB|PUZZLE")]
Backend = Annotated[str, typer.Option(metavar="NAME", autocompletion=completion.backends, show_default=False)]
Run = Annotated[Path | None, typer.Option(metavar="FILE")]


def pack(
    names: Names,
    *,
    region: RegionName,
    torus: bool = False,
    clumsy: bool = False,
    cells: bool = False,
    once: bool = False,
    shapes: ShapeOptions,
    output: Output = None,
    time: Time = None,
    run: Run = None,
    backend: Backend = "",
    color: bool | None = None,
    report: ReportOptions,
) -> None:
    from latcover.lab.exploring.exploring_requests import PackRequest
    from latcover.lab.exploring.packing import pack as found_by
    from latcover.lab.exploring.packing import packing_in_words

    request = PackRequest(clumsy=clumsy, cells=cells, once=once, seconds=time, backend=backend)
    puzzle = _puzzle(names, shapes, region, torus=torus)
    suffix = _checked(output, run)
    known = KnownSoFar("packing", "minimize" if clumsy else "maximize", report)
    with watched(watcher(report), show_better=known.better, show_bound=known.bounded) as events:
        found = found_by(puzzle, request, events, run)
    _finish(found, packing_in_words(request, found), output, suffix, run=run, color=color, report=report)


def exclude(
    names: Names,
    *,
    region: RegionName,
    torus: bool = False,
    shapes: ShapeOptions,
    output: Output = None,
    time: Time = None,
    run: Run = None,
    backend: Backend = "",
    color: bool | None = None,
    report: ReportOptions,
) -> None:
    from latcover.lab.exploring.exploring_requests import ExcludeRequest
    from latcover.lab.exploring.packing import exclude as found_by
    from latcover.lab.exploring.packing import exclusion_in_words

    puzzle = _puzzle(names, shapes, region, torus=torus)
    suffix = _checked(output, run)
    with watched(watcher(report)) as events:
        found = found_by(puzzle, ExcludeRequest(seconds=time, backend=backend), events, run)
    _finish(found, exclusion_in_words(puzzle, found), output, suffix, run=run, color=color, report=report)


def _puzzle(names: list[str], shapes: ShapeOptions, region: str, *, torus: bool) -> Puzzle:
    """The region, with any number of copies of the shapes."""
    from latcover.errors import PuzzleError
    from latcover.lab.designing.region_names import box_named, region_named
    from latcover.lab.exploring.packing import region_to_pack

    parts = shapes.shapes(names)
    lattice = parts[0].lattice
    assert lattice
    is_box = region.replace("x", "").isdigit()
    found = region_named(f"{lattice.name}:{region}" if is_box else region, may_close=True)
    if found.lattice.name != lattice.name:
        raise PuzzleError(f"the region {region} lies on {found.lattice.name}, the shapes on {lattice.name}")
    period: Period | list[int] | None = found.period
    if torus:
        if not is_box and box_named(region) is None:
            raise PuzzleError("--torus joins the sides of a box, as in --region 8x8 --torus; leave it out")
        period = [int(size) for size in region.rpartition(":")[2].split("x")]
    return region_to_pack(parts, found.cells, period=period)


def _checked(output: Output, run: Run) -> str:
    require_writable(output, run)
    return "" if output is None else suffix_of(output, "a packing", FORMS)


def _finish(
    found: Packing,
    words: str,
    output: Output,
    suffix: str,
    *,
    run: Run,
    color: bool | None,
    report: ReportOptions,
) -> None:
    """Show the packing and what is proved of it."""
    from latcover.show.reporting.tiling_sheets import tilings_as_view

    view = None if found.tiling is None else tilings_as_view(words, [found.tiling], [""])
    if view is not None and output is not None:
        if suffix == ".svg":
            from latcover.show.drawing.paper.svg import sheet

            text = sheet(view.title, view.entries())
        elif suffix == ".json":
            text = json.dumps(view.data | {"summary": found.as_json()})
        else:
            text = "\n".join(view.lines(colour=False, width=100))
        write_file(output, text, report)
    if report.as_json:
        if view is not None:
            echo(json.dumps(view.data))
        echo(json.dumps({"summary": found.as_json()}))
    else:
        if view is not None:
            lines = view.lines(colour=wants_colour(color), width=screen_width())
            echo_picture("\n".join(line for line in lines[2:]))
        echo(words)
    if not found.proved:
        if run is not None:
            say(f"the same command resumes from {run}", report)
        raise typer.Exit(EXIT_LIMIT)
