"""The command `atlas`: what a shape fills; or a table for all shapes of so many cells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from msgspec import Struct

from latcover.apps.cli.shared.options import ReportOptions, ShowAll
from latcover.apps.cli.shared.output import echo, require_writable, suffix_of, write_file
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.screenful import table_for_screen
from latcover.apps.cli.shared.shape_options import Output, ShapeOptions, Time, pieces_named
from latcover.core.model.request_values import AtlasSize, Enlarged, Processes, Seconds, ShapeCells

if TYPE_CHECKING:
    from latcover.core.cover.events import Events
    from latcover.core.cover.ledger import Ledger
    from latcover.core.model.puzzle import Part
    from latcover.lab.exploring.exploring_requests import AtlasRequest

VERSION = 3  # of what a run file keeps; before it had no lattice
FORMS = (".html", ".md", ".json", ".txt", ".csv")


class AtlasOptions(Struct, frozen=True):
    """The bounds of an atlas."""

    size: AtlasSize | None = None
    narrow: AtlasSize | None = None
    each: Seconds = 5.0
    enlarged: Enlarged = 6
    rectangles_only: bool = False


def atlas(
    names: Annotated[list[str], typer.Argument(metavar="SHAPE...|LATTICE")],
    *,
    cells: ShapeCells | None = None,
    bounds: AtlasOptions,
    shapes: ShapeOptions,
    workers: Processes = 1,
    run: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    output: Output = None,
    time: Time = None,
    every: ShowAll = False,
    report: ReportOptions,
) -> None:
    from latcover.lab.exploring.exploring_requests import AtlasRequest

    require_writable(output, run)
    suffix = "" if output is None else suffix_of(output, "an atlas", FORMS)
    request = AtlasRequest(**msgspec.structs.asdict(bounds), seconds=time)
    groups = [tuple(names)]
    if cells is not None:
        groups = [(name,) for name in pieces_named(names, cells, "atlas square --cells 5")]
    entries: list[AtlasEntry] = []
    with watched(watcher(report)) as events:
        for entry in _entries(groups, shapes, request, workers, run, events):
            entries.append(entry)
            if report.as_json:
                echo(json.dumps(entry.data))
    if output is not None:
        title = f"Atlas: {' '.join(names)}" + ("" if cells is None else f", {cells} cells")
        if suffix == ".md":
            words = [*names, *([] if cells is None else ["--cells", str(cells)])]
            words += [] if bounds.size is None else ["--size", str(bounds.size)]
            words += [] if bounds.narrow is None else ["--narrow", str(bounds.narrow)]
            words += ["--each", f"{bounds.each:g}", "--enlarged", str(bounds.enlarged)]
            words += ["--rectangles-only"] * bounds.rectangles_only
            words += [] if time is None else ["--time", f"{time:g}"]
            _write_markdown(output, title, entries, f"latcover atlas {' '.join(words)} --output {output.name}", report)
        else:
            write_file(output, _written(title, entries, suffix), report)
    complete = len(entries) == len(groups) and all(entry.complete for entry in entries)
    if report.as_json:
        echo(json.dumps({"summary": {"shapes": len(entries), "complete": complete}}))
    else:
        echo(table_for_screen(_written("", entries, ".txt"), foot=int(len(entries) > 1), every=every))
    if not complete:
        raise typer.Exit(EXIT_LIMIT)


class AtlasEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The atlas of some shapes, as a run file keeps it.

    Attributes:
        key: A digest of the shapes.
        complete: Whether everything within its bounds is decided.
        data, text, svg: What is printed and written of it.
    """

    key: str
    complete: bool
    data: dict[str, Any]
    text: str
    svg: str


def _entries(
    groups: Sequence[tuple[str, ...]],
    shapes: ShapeOptions,
    request: AtlasRequest,
    workers: int,
    run: Path | None,
    events: Events,
) -> Iterator[AtlasEntry]:
    """The atlas of each group of shapes, in order; those that the run file has are not made again."""
    from latcover.core.cover.question import digest_of
    from latcover.lab.exploring.atlas import atlas as made_of
    from latcover.show.reporting.atlas_pictures import pictures
    from latcover.show.reporting.atlas_text import as_text

    parts = [shapes.shapes(group) for group in groups]
    kept = None if run is None else _kept(run, request, parts)
    known = {} if kept is None else {entry.key: entry for entry in _known(kept)}

    def made(group: Sequence[Part]) -> tuple[AtlasEntry, bool]:
        """The atlas of shapes, and whether it was made now and not cut short from outside."""
        key, begun = digest_of(*group), perf_counter()
        if key in known:
            return known[key], False
        found = made_of(group, request, events)
        in_time = request.seconds is None or perf_counter() - begun < request.seconds
        return AtlasEntry(key, found.complete, found.as_json(), as_text(found), pictures(found)), in_time

    with ThreadPoolExecutor(workers) as pool, kept or nullcontext():
        for entry, is_new in pool.map(made, parts):
            stopped = getattr(events, "interrupted", False)
            if kept is not None and is_new and not stopped:
                kept.add(entry)
            yield entry
            if stopped:
                pool.shutdown(cancel_futures=True)
                return


def _kept(run: Path, request: AtlasRequest, parts: Sequence[Sequence[Part]]) -> Ledger:
    """The run file of an atlas; the shapes in it are told apart by the keys of its entries."""
    from latcover.core.cover.ledger import Ledger
    from latcover.core.cover.question import Method, Question

    return Ledger(run, "atlas", Question.of(Method("atlas", VERSION), request, lattice=parts[0][0].lattice))


def _known(kept: Ledger) -> Iterator[AtlasEntry]:
    for number, record in enumerate(kept.records):
        yield kept.decoded(number, record, AtlasEntry)


def _write_markdown(
    output: Path,
    title: str,
    entries: Sequence[AtlasEntry],
    command: str,
    report: ReportOptions,
) -> None:
    """Write the page, and beside it a file with the pictures of each shape."""
    from latcover.show.reporting.atlas_pages import as_markdown
    from latcover.system.files import plain_name

    sections = []
    for number, entry in enumerate(entries, 1):
        shape = plain_name(" ".join(entry.data["shapes"]), str(number))
        file = f"{output.stem}-{shape}.svg" if entry.svg else ""
        if file:
            write_file(output.with_name(file), entry.svg, None)
        sections.append((entry.data, entry.text, file))
    write_file(output, as_markdown(title, command, sections), report)


def _written(title: str, entries: Sequence[AtlasEntry], suffix: str) -> str:
    from latcover.show.reporting.atlas_pages import as_html
    from latcover.show.reporting.atlas_text import table_as_csv, table_as_text

    rows = [entry.data for entry in entries]
    if suffix == ".json":
        return json.dumps({"atlas": rows})
    if suffix == ".csv":
        return table_as_csv(rows)
    if suffix == ".html":
        return as_html(title, [(entry.text, entry.svg) for entry in entries], rows if len(rows) > 1 else ())
    return entries[0].text if len(entries) == 1 else table_as_text(rows)
