"""The command `common`: the smallest region that each of some shapes fills."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.shared.answers import EXIT_LIMIT
from latcover.cli.shared.options import ReportOptions, expanded
from latcover.cli.shared.output import (
    echo,
    echo_picture,
    require_writable,
    screen_width,
    suffix_of,
    wants_colour,
    write_file,
)
from latcover.cli.shared.progress import watched, watcher
from latcover.cli.shared.shape_options import Output, ShapeOptions, Time

if TYPE_CHECKING:
    from latcover.exploring.common import Common

FORMS = (".svg", ".txt", ".json")


@expanded
def common(
    names: Annotated[list[str], typer.Argument(metavar="SHAPE...")],
    *,
    galvagni: bool = False,
    connected: bool = True,
    holes: bool = True,
    symmetric: Annotated[int, typer.Option(min=1, max=1000, metavar="N")] = 1,
    max_area: Annotated[int | None, typer.Option(min=1, metavar="N")] = None,
    prove: bool = True,
    shapes: ShapeOptions,
    output: Output = None,
    time: Time = None,
    color: bool | None = None,
    report: ReportOptions,
) -> None:
    from latcover.exploring.common import common as found_by
    from latcover.exploring.requests import CommonRequest
    from latcover.exploring.sheets import common_as_view

    require_writable(output)
    suffix = "" if output is None else suffix_of(output, "a region", FORMS)
    request = CommonRequest(
        galvagni=galvagni,
        connected=connected,
        holes=holes,
        symmetric=symmetric,
        most=max_area,
        prove=prove,
        seconds=time,
    )
    with watched(watcher(report)) as events:
        found = found_by(shapes.shapes(names), request, events)
    view = common_as_view(found)
    if output is not None and found.tilings:
        write_file(output, _written(found, suffix), report)
    if report.as_json:
        echo(json.dumps(view.data))
        echo(json.dumps({"summary": found.as_json()}))
    else:
        if found.tilings:
            echo_picture("\n".join(view.lines(colour=wants_colour(color), width=screen_width())))
        echo(in_words(found))
    if not found.smallest and request.prove and found.stop != "exhausted":
        raise typer.Exit(EXIT_LIMIT)


def _written(found: Common, suffix: str) -> str:
    from latcover.drawing.paper.svg import sheet
    from latcover.exploring.sheets import common_as_view

    view = common_as_view(found)
    if suffix == ".svg":
        return sheet(view.title, view.entries())
    if suffix == ".json":
        return json.dumps(view.data | {"summary": found.as_json()})
    return "\n".join(view.lines(colour=False, width=100))


def in_words(found: Common) -> str:
    """What was found, in a sentence or two."""
    below = f"there is none of {found.refuted} cells or fewer"
    if found.area is None:
        return f"no region was found; {below}" + ("" if found.stop == "exhausted" else f" ({found.stop})")
    how = "in one piece" if found.connected else "in several pieces"
    holes = ", with a hole" if found.holes else ""
    if found.smallest:
        return f"{found.area} cells, {how}{holes}: the smallest, since all smaller areas are refuted"
    return f"{found.area} cells, {how}{holes}: not proved to be the smallest; {below}"
