"""The command `design cut`: a region cut into parts that have one solution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.shared.answers import EXIT_LIMIT
from latcover.cli.shared.design_options import Keep, Output, RunFileToKeep, Seed
from latcover.cli.shared.options import InputOptions, ReportOptions, expanded
from latcover.cli.shared.output import (
    echo_result,
    folder_for,
    require_writable,
    screen_width,
    wants_colour,
    write_new_file,
)
from latcover.cli.shared.progress import watched, watcher
from latcover.cli.shared.subjects import from_anywhere
from latcover.cover.time_limit import time_limit
from latcover.errors import PuzzleError, RunFileError, UnsupportedError, escaped

if TYPE_CHECKING:
    from latcover.designing.cut_designs import CutDesign
    from latcover.designing.cuts import Cutter
    from latcover.designing.ledger import Ledger
    from latcover.model.lattice import Lattice
    from latcover.runs.designing import DesignFile, DesignRecipe

LARGE = 250  # cells of a region whose motions take long to list
KINDS = ("rod", "flat")  # of parts that --forbid knows without a file


@expanded
def cut(
    region: Annotated[str, typer.Argument(metavar="REGION")],
    *,
    parts: Annotated[int | None, typer.Option(min=2, metavar="K")] = None,
    sizes: Annotated[str, typer.Option(metavar="SIZES", show_default=False)] = "",
    holes: Annotated[int, typer.Option(min=0, metavar="N")] = 0,
    min_level: Annotated[int, typer.Option(min=0, max=1000, metavar="N")] = 0,
    forbid: Annotated[list[str] | None, typer.Option(metavar="rod|flat|FILE")] = None,
    different: bool = False,
    no_mirrors: bool = False,
    asymmetric: bool = False,
    one_order: bool = False,
    hard: bool = False,
    keep: Keep = None,
    output: Output = None,
    run: RunFileToKeep = None,
    seed: Seed = 1,
    limit: Annotated[int | None, typer.Option(min=0, metavar="N")] = None,
    time: Annotated[float | None, typer.Option(min=0, metavar="SECONDS")] = None,
    walks: Annotated[int | None, typer.Option(min=1, metavar="N")] = None,
    walk: Annotated[int | None, typer.Option(min=0, metavar="N")] = None,
    threads: Annotated[int | None, typer.Option(min=1, metavar="N")] = None,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.designing.cuts import Cutter
    from latcover.designing.ledger import NO_LEDGER
    from latcover.designing.region_names import region_named
    from latcover.designing.requests import CutRequest
    from latcover.runs.designing import DesignRecipe, open_design
    from latcover.runs.recipe import StoredFile
    from latcover.system.decoding import decoded

    if walk is not None and (walks is not None or run is not None):
        raise UnsupportedError("--walk makes one walk; leave --walks and --run out")
    named = region_named(region, inputs.bounds(), inputs.problem)
    forbidden = forbid or []
    choices = {
        **{"parts": parts, "sizes": sizes, "holes": holes, "min_level": min_level, "different": different},
        **{"no_mirrors": no_mirrors, "asymmetric": asymmetric, "one_order": one_order, "hard": hard},
        **{"no_rods": "rod" in forbidden, "no_flat": "flat" in forbidden},
        "shapes": _shapes([name for name in forbidden if name not in KINDS], named.lattice),
        **{"seed": seed, "first": walk or 0, "walks": walks if walk is None else 1, "limit": limit},
        **{"keep": keep or 1, "seconds": time, "threads": threads},
    }
    request = decoded(CutRequest, choices, "the cut")
    with time_limit(time if len(named.cells) > LARGE else None):
        cutter = Cutter(named, request.with_an_end())
    recipe = DesignRecipe(request=request, output=None if output is None else str(output))
    if run is None:
        show_cuts(cutter, recipe, NO_LEDGER, report)
        return
    require_writable(run, reads=region)
    recipe = DesignRecipe(
        request=request, problem=inputs.problem, output=None if output is None else str(output.resolve())
    )
    file = StoredFile(_region_from_anywhere(region), b"", ".")
    with open_design(run, region, file, recipe, cutter.digest()) as ledger:
        show_cuts(cutter, recipe, ledger, report)


def _shapes(names: list[str], lattice: Lattice) -> list[list[list[int]]]:
    """The cells of the parts of these puzzles and part sets."""
    from latcover.formats.library import kind_called, load, load_set

    shapes = []
    for name in names:
        found = load_set(name) if kind_called(name) == "part set" else load(name)
        if found.lattice.name != lattice.name:
            raise PuzzleError(
                f"the parts of {name} lie on the lattice {found.lattice.name!r}, and the region on {lattice.name!r}"
            )
        shapes += [part.cells.tolist() for part in found.parts]
    return shapes


def _region_from_anywhere(name: str) -> str:
    """The same region, named so that it is found from every folder."""
    from latcover.designing.region_names import box_named

    box = box_named(name)
    return from_anywhere(name) if box is None else f"{from_anywhere(box[0])}:{box[1]}"


def resume_cuts(ledger: DesignFile, recipe: DesignRecipe, report: ReportOptions) -> None:
    """Go on with the cuts of a file."""
    from dataclasses import replace

    from latcover.designing.cuts import Cutter
    from latcover.designing.region_names import region_named
    from latcover.designing.requests import CutRequest

    assert isinstance(recipe.request, CutRequest)
    region = replace(region_named(ledger.file.name, None, recipe.problem), name=ledger.puzzle)
    cutter = Cutter(region, recipe.request.with_an_end())
    if cutter.digest() != ledger.digest:
        raise RunFileError(
            f"{ledger.path}: holds cuts of another region: {ledger.file.name} has changed since, or latcover itself; "
            "begin anew in another file"
        )
    show_cuts(cutter, recipe, ledger, report)


def show_cuts(
    cutter: Cutter,
    recipe: DesignRecipe,
    ledger: Ledger,
    report: ReportOptions,
) -> None:
    """Search, show designs as they are found, and write those that are kept."""
    from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.reporting.answer import solution_as_lines
    from latcover.reporting.designs import cut_as_line, cuts_as_json, cuts_as_text

    folder = recipe.folder
    folder_for(folder)
    shown = watcher(report, covers="walks", branches="cuts")
    coloured, width = wants_colour(None), screen_width()

    def show(design: CutDesign) -> None:
        if report.as_json:
            shown.write(json.dumps(design.as_json()))
            return
        picture = solution_as_lines(design.solution, colour=coloured, width=width)
        shown.write("\n".join([escaped(cut_as_line(design)), *picture, ""]))

    with watched(shown, show) as events:
        search = cutter.search(events, ledger)
    written: list[str] = []
    for made in search.designs if folder is not None else ():
        path = Path(folder or "") / f"{made.puzzle.name}.toml"
        written.append(str(write_new_file(path, puzzle_as_toml([made.puzzle]), report)))
    limit = cutter.request.limit
    found = bool(search.designs) and (limit is None or search.complete) and not events.interrupted
    echo_result(
        {"summary": cuts_as_json(search, cutter.request.seed, written, found=found)},
        cuts_as_text(search, written, found=found),
        as_json=report.as_json,
    )
    if not found:
        raise typer.Exit(EXIT_LIMIT)
