"""The command `plane`: whether a shape, a set of shapes, or each shape of a family tiles the plane."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from latcover.apps.cli.shared.options import ReportOptions, ShowAll, only_one
from latcover.apps.cli.shared.output import echo, echo_result, require_writable, start_log
from latcover.apps.cli.shared.plane_files import check_output, write_answer, write_family, write_proof
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.apps.cli.shared.shape_options import ShapeOptions, Time
from latcover.core.model.request_values import Coronas, FamilyCells, Positive, Threads, TileClasses, TorusArea

if TYPE_CHECKING:
    from latcover.core.model.period import Period
    from latcover.lab.plane.plane_request import PlaneRequest
    from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles


def plane(
    shape: Annotated[list[str], typer.Argument(metavar="SHAPE...|LATTICE")],
    *,
    cells: FamilyCells | None = None,
    shapes: ShapeOptions,
    most: Annotated[Coronas, typer.Option(metavar="CORONAS")] = 7,
    classes: Annotated[TileClasses, typer.Option(metavar="K")] = 6,
    area: Annotated[TorusArea | None, typer.Option(metavar="CELLS")] = None,
    smallest: Literal["any", "square", "odd"] = "any",
    torus: Annotated[str | None, typer.Option(metavar="VECTORS")] = None,
    limit: Positive | None = None,
    run: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    processes: Threads | None = None,
    output: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    proof: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    time: Time = None,
    every: ShowAll = False,
    report: ReportOptions,
) -> None:
    from latcover.lab.plane.plane_request import PlaneRequest

    start_log(report)
    check_output(output, proof)
    only_one({"--cells": cells is not None, "--torus": torus is not None, "--proof": proof is not None})
    only_one({"--torus": torus is not None, "--output": output is not None})
    only_one({"--cells": cells is not None, "--torus": torus is not None})
    _only_with("--cells", cells, {"--run": run, "--processes": processes})
    _only_with("--torus", torus, {"--limit": limit})
    if cells is not None:
        request = PlaneRequest(classes=classes, area=area, coronas=most)
        _classify(shape, cells, shapes, request, run, processes, time, report, output)
        return
    from latcover.lab.plane.plane_search import as_prototiles

    prototiles = as_prototiles(shapes.shapes(shape))
    if torus is not None:
        _tile_torus(prototiles, _period(torus), limit, time, report, every=every)
        return
    request = PlaneRequest(classes=classes, area=area, coronas=most, smallest=smallest, seconds=time)
    _answer(prototiles, request, report, output, proof)


def _only_with(needed: str, given: object, others: dict[str, object]) -> None:
    """Refuse options that mean nothing without another one."""
    names = [name for name, value in others.items() if value is not None]
    if given is None and names:
        raise typer.BadParameter(f"{' and '.join(names)} need{'s' * (len(names) == 1)} {needed}; add it, or leave out "
                                 f"{names[0]}")  # fmt: skip


def _answer(
    prototiles: Prototiles, request: PlaneRequest, report: ReportOptions, output: Path | None, proof: Path | None
) -> None:
    """Say what is known of one shape, or one set."""
    from latcover.lab.plane.plane_search import plane as perform
    from latcover.show.reporting.plane_report import answer_as_text

    with watched(watcher(report, covers="tilings")) as events:
        answer = perform(prototiles, request, events)
    data = answer.with_shapes(prototiles)
    echo_result(data, answer_as_text(prototiles, answer, request.smallest), as_json=report.as_json, answer=True)
    if output is not None:
        from latcover.show.reporting.plane_pictures import Answered

        write_answer(output, Answered(prototiles, answer, request.smallest or "any"), report)
    if proof is not None:
        write_proof(proof, prototiles, answer, request.seconds, report)
    if not answer.stop.is_complete:
        raise typer.Exit(EXIT_LIMIT)


def _tile_torus(
    prototiles: Prototiles,
    period: Period,
    limit: int | None,
    time: float | None,
    report: ReportOptions,
    *,
    every: bool,
) -> None:
    """List the tilings of a torus, up to symmetry."""
    from latcover.core.cover.result import Stop
    from latcover.lab.plane.tiling_group import group_of
    from latcover.lab.plane.torus_tilings import torus_tilings
    from latcover.show.reporting.plane_report import torus_as_text

    shown = watcher(report, covers="tilings")
    lines = ScreenOfLines(shown.write, every=every or report.as_json)

    def show(tiling: PeriodicTiling) -> None:
        group = group_of(tiling)
        data = {"group": group.name, "classes": group.n_classes, **tiling.as_data()}
        classes = "isohedral" if group.n_classes == 1 else f"{group.n_classes} classes"
        shifts = "; ".join(f"{tile.turn} {tile.shift[0]},{tile.shift[1]}" for tile in tiling.tiles)
        lines(json.dumps(data) if report.as_json else f"{group.name}, {classes}: {shifts}")

    with watched(shown, show) as events:
        found = torus_tilings(prototiles, period, limit=limit, seconds=time, events=events)
    lines.end()
    summary = {"different": len(found.tilings), "total": found.total, "stop": found.stop.value}
    echo_result({"summary": summary}, torus_as_text(found), as_json=report.as_json, answer=True)
    if found.stop not in (Stop.EXHAUSTED, Stop.SOLUTION_LIMIT):
        raise typer.Exit(EXIT_LIMIT)


MOST_DIGITS = 10  # of a number of --torus, with its sign


def _period(text: str) -> Period:
    """A torus as the user writes it: two lengths, or two vectors."""
    from latcover.core.model.period import Period
    from latcover.errors import PuzzleError

    words = re.findall(r"-?[0-9]+", text)
    if re.fullmatch(r"[-0-9,;x\[\]() ]*", text) is None or len(words) not in (2, 4):
        raise typer.BadParameter(
            f"{text[:80]!r} is neither two lengths such as 4,4 nor two vectors such as 8,5,-5,8", param_hint="--torus"
        )
    if longest := max(words, key=len)[MOST_DIGITS:]:
        many = f"a number of {len(longest) + MOST_DIGITS:,} signs is too long for a torus"
        raise typer.BadParameter(f"{many}; at most {MOST_DIGITS} fit", param_hint="--torus")
    numbers = [*map(int, words)]
    vectors = numbers if len(numbers) == 2 else [tuple(numbers[:2]), tuple(numbers[2:])]
    try:
        return Period.read(2, vectors)
    except PuzzleError as fault:
        raise typer.BadParameter(f"the torus {fault}", param_hint="--torus") from None


def _classify(
    names: list[str],
    cells: int,
    shapes: ShapeOptions,
    request: PlaneRequest,
    run: Path | None,
    processes: int | None,
    time: float | None,
    report: ReportOptions,
    output: Path | None,
) -> None:
    """Say what is known of each shape of so many cells, and print their table."""
    from latcover.errors import counted
    from latcover.lab.plane.plane_family import Classification, FamilyRequest
    from latcover.lab.plane.plane_search import as_prototiles
    from latcover.lab.plane.summary import FamilySummary

    if len(names) > 1 or shapes.lattice != "square":
        raise typer.BadParameter(
            f"with --cells name one lattice alone, as in `latcover plane hexagonal --cells {cells}`"
        )
    require_writable(run)
    family = FamilyRequest(
        lattice=names[0],
        cells=cells,
        one_sided=shapes.one_sided,
        plane=request,
        processes=processes,
        seconds=time,
    )
    shown = watcher(report, covers="shapes")
    members = []
    with watched(shown) as events:
        every = Classification(family, run, events)
        for member in every:
            members.append(member)
            if report.as_json:
                shown.write(json.dumps(member.as_data()))
    summary = FamilySummary.of(member.answer for member in members)
    what = f"{counted(cells, 'cell')} of {every.request.lattice}{', one-sided' * shapes.one_sided}"
    if output is not None and members:
        from latcover.show.reporting.plane_pictures import Answered

        pictured = [Answered(as_prototiles(member.shape), member.answer) for member in members]
        write_family(output, f"{names[0].capitalize()}, {counted(cells, 'cell')}", what, pictured, report)
    if report.as_json:
        echo(json.dumps({"summary": summary.as_data()}))
    else:
        echo("\n".join(summary.lines(what)))
    if not every.stop.is_complete:
        rest = f"the same command with --run {run} resumes" if run is not None else "--run FILE would keep what is done"
        if not report.as_json:
            left = counted(len(every.shapes) - len(members), "shape")
            echo(f"{every.stop.verdict}; {left} missing; {rest}")
        raise typer.Exit(EXIT_LIMIT)
