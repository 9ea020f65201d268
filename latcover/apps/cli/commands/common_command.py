"""The command `common`: the smallest region that each of some shapes fills."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from latcover.apps.cli.shared.options import ReportOptions, ShowAll, only_one
from latcover.apps.cli.shared.output import (
    echo,
    echo_answer,
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
from latcover.apps.cli.shared.screenful import table_for_screen
from latcover.apps.cli.shared.shape_options import Output, ShapeOptions, Time
from latcover.core.model.request_values import Positive, Processes, RegionSymmetries, Seconds

if TYPE_CHECKING:
    from latcover.lab.exploring.common import Common
    from latcover.lab.exploring.common_table import CommonTable
    from latcover.lab.exploring.exploring_requests import CommonRequest, PairsRequest
    from latcover.lab.exploring.layers import Layer

FORMS = (".svg", ".txt", ".json")
TABLES = (".html", ".md", ".csv", ".txt", ".json")


class TableOptions(Struct, frozen=True):
    """The options about a table."""

    table: bool = False
    pairs: bool = False
    each: Seconds | None = None
    workers: Processes | None = None
    run: Annotated[Path | None, typer.Option(metavar="FILE")] = None


def common(
    names: Annotated[list[str], typer.Argument(metavar="SHAPE...")],
    *,
    galvagni: bool = False,
    connected: bool = True,
    holes: bool = True,
    symmetric: RegionSymmetries = 1,
    max_area: Positive | None = None,
    within: Annotated[str | None, typer.Option(metavar="BOX")] = None,
    prove: bool = True,
    tables: TableOptions,
    shapes: ShapeOptions,
    output: Output = None,
    proof: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    time: Time = None,
    color: bool | None = None,
    every: ShowAll = False,
    report: ReportOptions,
) -> None:
    from latcover.lab.asking.proofs import clauses_beside
    from latcover.lab.exploring.common import common as found_by
    from latcover.lab.exploring.exploring_requests import CommonRequest
    from latcover.show.reporting.common_pages import in_words
    from latcover.show.reporting.tiling_sheets import common_as_view

    require_writable(output, tables.run)
    only_one({"--proof": proof is not None, "--table": tables.table, "--pairs": tables.pairs})
    only_one({"--proof": proof is not None, "--symmetric": symmetric > 1})
    only_one({"--proof": proof is not None, "--no-connected": not connected})
    only_one({"--proof": proof is not None, "--no-prove": not prove})
    only_one({"--proof": proof is not None, "--within": within is not None})
    only_one({"--within": within is not None, "--table": tables.table, "--pairs": tables.pairs})
    if proof is not None:
        clauses_beside(proof)
    request = CommonRequest(
        galvagni=galvagni,
        connected=connected,
        holes=holes,
        symmetric=symmetric,
        most=max_area,
        within=None if within is None else _sides(within),
        prove=prove,
        seconds=time,
    )
    if tables.table or tables.pairs:
        _table(names, tables, shapes, request, output, report, every=every)
        return
    if given := [f"--{name}" for name in ("each", "workers", "run") if getattr(tables, name) is not None]:
        raise typer.BadParameter(f"{given[0]} is for a table; add --table", param_hint=given[0])
    suffix = "" if output is None else suffix_of(output, "a region", FORMS)
    layers = _layers(names, shapes)
    with watched(watcher(report)) as events:
        found = found_by(layers, request, events)
    view = common_as_view(found)
    if output is not None and found.tilings:
        write_file(output, _written(found, suffix), report)
    if report.as_json:
        echo(json.dumps(view.data))
        echo(json.dumps({"summary": found.as_json()}))
    else:
        if found.tilings:
            echo_picture("\n".join(view.lines(colour=wants_colour(color), width=screen_width())))
        echo_answer(in_words(found))
    if proof is not None:
        _write_proof(proof, found, request, report)
    if not found.smallest and request.prove and found.stop != "exhausted":
        raise typer.Exit(EXIT_LIMIT)


def _sides(text: str) -> tuple[int, ...]:
    """The sides of a box as the user writes it."""
    if re.fullmatch(r"[0-9]{1,4}(x[0-9]{1,4}){0,2}", text) is None:
        raise typer.BadParameter(f"{text[:80]!r} is no box such as 17x15", param_hint="--within")
    return tuple(map(int, text.split("x")))


def _layers(names: list[str], shapes: ShapeOptions) -> list[Layer]:
    """What fills the region, one for each name: a shape, or a set of which each shape is used."""
    from latcover.lab.exploring.layers import Layer

    sets = shapes.sets(names)
    singles = iter(shapes.shapes([name for name, own in zip(names, sets, strict=True) if len(own) == 1]))
    return [
        Layer(name, tuple(own)) if len(own) > 1 else Layer((shape := next(singles)).name, (shape,))
        for name, own in zip(names, sets, strict=True)
    ]


def _write_proof(path: Path, found: Common, request: CommonRequest, report: ReportOptions) -> None:
    """Prove that there is no region of the areas that were refuted."""
    from latcover.lab.asking.proofs import Proof
    from latcover.lab.exploring.layers import Layers
    from latcover.lab.exploring.region_proofs import claim_in_words, prove_no_region

    if not found.refuted:
        say(f"no smaller area is a sum of the sizes, so there is nothing to prove; {path} was not written", report)
        return
    layers = Layers(found.layers, apart=request.galvagni)
    left = None if request.seconds is None else max(0.0, request.seconds - found.seconds)
    with watched(watcher(report)) as events:
        proved = prove_no_region(
            layers, found.refuted, path, holes=request.holes, seconds=left, on_progress=events.on_progress
        )
    if not isinstance(proved, Proof):
        say(f"no proof ({proved.verdict}); nothing was written", report)
        raise typer.Exit(EXIT_LIMIT)
    claim = claim_in_words(layers, found.refuted, holes=request.holes)
    say(f"proved: {claim}; wrote {proved.clauses} and {path}", report)


def _written(found: Common, suffix: str) -> str:
    from latcover.show.drawing.paper.svg import sheet
    from latcover.show.reporting.tiling_sheets import common_as_view

    view = common_as_view(found)
    if suffix == ".svg":
        return sheet(view.title, view.entries())
    if suffix == ".json":
        return json.dumps(view.data | {"summary": found.as_json()})
    return "\n".join(view.lines(colour=False, width=100))


def _table(
    names: list[str],
    table: TableOptions,
    shapes: ShapeOptions,
    request: CommonRequest,
    output: Path | None,
    report: ReportOptions,
    *,
    every: bool,
) -> None:
    """Find the common regions of shapes of some sets, one of each, and print their table."""
    import msgspec

    from latcover.lab.exploring.common_table import common_table
    from latcover.lab.exploring.exploring_requests import PairsRequest
    from latcover.show.reporting.common_pages import as_text, data_of

    suffix = "" if output is None else suffix_of(output, "a table", TABLES)
    if table.pairs and len(names) > 2:
        raise typer.BadParameter("--pairs takes one set of shapes or two; for one shape of each of more, --table")
    if table.pairs and len(names) == 1:
        names = names * 2
    of_each = msgspec.structs.replace(request, seconds=None, effort=60.0 if table.each is None else table.each)
    asked = PairsRequest(common=of_each, processes=table.workers, seconds=request.seconds)
    known = dict(zip(names, shapes.sets(names), strict=True))  # a set that is named twice is one
    with watched(watcher(report, covers="regions")) as events:
        found = common_table([known[name] for name in names], asked, events, run=table.run)
    if output is not None:
        _write_table(output, suffix, names, asked, found, report)
    if report.as_json:
        for place in found.entries:
            echo(json.dumps(data_of(found, place)))
        echo(json.dumps({"summary": found.as_json()}))
    else:
        *table_lines, totals = as_text(found).split("\n")
        echo(table_for_screen("\n".join(table_lines), foot=2, every=every))
        echo_answer(totals)
        if not found.stop.is_complete:
            rest = "--run FILE would keep what is done"
            echo(f"{found.stop.verdict}; {rest if table.run is None else 'the same command resumes'}")
    if not found.complete:
        raise typer.Exit(EXIT_LIMIT)


def _write_table(
    output: Path, suffix: str, names: list[str], asked: PairsRequest, found: CommonTable, report: ReportOptions
) -> None:
    from latcover.show.reporting.common_pages import as_csv, as_html, as_markdown, as_text, data_of, pictures_of_rows
    from latcover.system.files import plain_name

    title = f"Common regions of {' and '.join(dict.fromkeys(names))}"
    if suffix == ".md":
        files = []
        for number, (name, svg) in enumerate(pictures_of_rows(found), 1):
            files.append((name, f"{output.stem}-{plain_name(name, str(number))}.svg"))
            write_file(output.with_name(files[-1][1]), svg, None)
        command = f"latcover common {shlex.join(names)} --table --each {asked.common.effort:g} --output {output.name}"
        write_file(output, as_markdown(title, command, found, files), report)
    elif suffix == ".json":
        entries = [data_of(found, place) for place in found.entries]
        write_file(
            output, json.dumps({"pairs" if len(names) == 2 else "entries": entries, "summary": found.as_json()}), report
        )
    else:
        texts = {".html": lambda: as_html(title, found), ".csv": lambda: as_csv(found), ".txt": lambda: as_text(found)}
        write_file(output, texts[suffix](), report)
