"""The commands `design cut` and `design grow`: a region cut into parts with one solution, and a cut that changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from latcover.apps.cli.commands.goal_designs_command import design_all, require_honoured
from latcover.apps.cli.shared.design_options import CutTurningOptions, PartRuleOptions, WalkOptions
from latcover.apps.cli.shared.options import InputOptions, PuzzleName, ReportOptions, options_given
from latcover.apps.cli.shared.output import (
    echo_result,
    folder_for,
    require_writable,
    screen_width,
    wants_colour,
    write_new_file,
)
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.apps.cli.shared.subjects import from_anywhere, load_puzzle
from latcover.core.cover.time_limit import time_limit
from latcover.core.model.request_values import EachGoal, FewestParts, Natural, Positive
from latcover.errors import UnsupportedError, escaped

if TYPE_CHECKING:
    from latcover.lab.designing.cut_designs import CutDesign
    from latcover.lab.designing.cuts import Cutter
    from latcover.lab.designing.design_results import DesignResults
    from latcover.lab.runs.design_run import DesignFile, DesignRecipe
    from latcover.lab.runs.recipe import StoredFile

LARGE = 250  # cells of a region whose motions take long to list


def cut(
    region: Annotated[str, typer.Argument(metavar="REGION")],
    *,
    parts: Annotated[FewestParts | None, typer.Option(metavar="K")] = None,
    each: EachGoal | None = None,
    holes: Natural = 0,
    rules: PartRuleOptions,
    turning: CutTurningOptions,
    walks: WalkOptions,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.files.formats.library import kind_called, load_goals
    from latcover.lab.designing.cuts import Cutter
    from latcover.lab.designing.design_requests import CutRequest
    from latcover.lab.designing.design_results import NO_RESULTS
    from latcover.lab.designing.goal_cuts import find_cuts
    from latcover.lab.designing.goal_search import GoalDesignRequest
    from latcover.lab.designing.region_names import region_named
    from latcover.lab.runs.recipe import StoredFile
    from latcover.system.decoding import decoded

    if inputs.problem is None and kind_called(region) == "goals":
        others = [*options_given(rules), *options_given(turning), *(["--holes"] if holes else [])]
        require_honoured([*others, *options_given(walks)])
        asked_for = GoalDesignRequest(
            each=each or "solvable",
            parts=parts,
            seed=walks.seed,
            samples=walks.walks,
            limit=1 if walks.limit is None else walks.limit,
            seconds=walks.time,
        )
        goals = load_goals(region, inputs.bounds())
        raise typer.Exit(design_all(goals, region, asked_for, find_cuts, walks.output, inputs.bounds(), report))
    if each is not None:
        raise UnsupportedError(f"--each: only for a puzzle with goals; {region} has none")
    named = region_named(region, inputs.bounds(), inputs.problem)
    choices = {"parts": parts, "holes": holes, **rules.for_request(named.lattice), **turning.for_request()}
    request = decoded(CutRequest, {**choices, **walks.for_request()}, "the cut").with_an_end()
    with time_limit(walks.time if len(named.cells) > LARGE else None):
        cutter = Cutter(named, request)
    if walks.run is None:
        show_cuts(cutter, walks.output, NO_RESULTS, report, every=walks.every)
        return
    require_writable(walks.run, reads=region)
    file = StoredFile(_region_from_anywhere(region), b"", ".")
    run_cuts(cutter, region, file, walks, inputs, report)


def grow(
    puzzle: PuzzleName = None,
    *,
    solution: Positive | None = None,
    hold: Annotated[list[str] | None, typer.Option(metavar="PART")] = None,
    keep_outside: bool = False,
    holes: Natural | None = None,
    rules: PartRuleOptions,
    turning: CutTurningOptions,
    walks: WalkOptions,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.files.formats.library import DEFAULT_PUZZLE
    from latcover.lab.designing.cuts import grower
    from latcover.lab.designing.design_requests import GrowRequest
    from latcover.lab.designing.design_results import NO_RESULTS
    from latcover.lab.runs.recipe import stored_file
    from latcover.system.decoding import decoded

    start = load_puzzle(puzzle, inputs, report)
    name = start.name if walks.run else puzzle or DEFAULT_PUZZLE  # its file will be known by the run alone
    choices = {
        **{"solution": solution, "hold": hold or [], "keep_outside": keep_outside, "holes": holes},
        **rules.for_request(start.lattice),
        **turning.for_request(),
        **walks.for_request(),
    }
    request = decoded(GrowRequest, choices, "the growth").with_an_end()
    with watched(watcher(report), None) as events:
        cutter = grower(start, name, request, events)
    if events.interrupted:
        raise typer.Exit(EXIT_LIMIT)
    if walks.run is None:
        show_cuts(cutter, walks.output, NO_RESULTS, report, every=walks.every)
        return
    require_writable(walks.run, reads=puzzle)
    run_cuts(cutter, name, stored_file(puzzle or DEFAULT_PUZZLE), walks, inputs, report)


def _region_from_anywhere(name: str) -> str:
    """The same region, named so that it is found from every folder."""
    from latcover.lab.designing.region_names import box_named

    box = box_named(name)
    return from_anywhere(name) if box is None else f"{from_anywhere(box[0])}:{box[1]}"


def run_cuts(
    cutter: Cutter, name: str, file: StoredFile, walks: WalkOptions, inputs: InputOptions, report: ReportOptions
) -> None:
    """Search as `show_cuts` does, and keep the results of walks in a file."""
    from latcover.lab.runs.design_run import DesignRecipe, open_design

    assert walks.run is not None
    output = None if walks.output is None else str(walks.output.resolve())
    recipe = DesignRecipe(request=cast(Any, cutter.request), problem=inputs.problem, output=output)
    with open_design(walks.run, name, file, recipe, cutter.question()) as ledger:
        ledger.take_recipe(recipe)
        show_cuts(cutter, recipe.folder, ledger, report, every=walks.every)


def resume_cuts(ledger: DesignFile, recipe: DesignRecipe, report: ReportOptions, *, every: bool) -> None:
    """Go on with the cuts, or with the growth, of a file."""
    from msgspec.structs import replace

    from latcover.lab.designing.cuts import Cutter, grower
    from latcover.lab.designing.design_requests import CutRequest, GrowRequest
    from latcover.lab.designing.region_names import region_named

    asked: Any = recipe.request
    request = asked.with_an_end()
    if isinstance(request, GrowRequest):
        cutter = grower(cast(Any, ledger.file.subject(ledger.puzzle)), ledger.puzzle, request)
    else:
        assert isinstance(request, CutRequest)
        cutter = Cutter(replace(region_named(ledger.file.name, None, recipe.problem), name=ledger.puzzle), request)
    cutter.question().require(ledger.question, ledger.path)
    show_cuts(cutter, recipe.folder, ledger, report, every=every)


def show_cuts(
    cutter: Cutter, folder: Path | None, ledger: DesignResults, report: ReportOptions, *, every: bool
) -> None:
    """Search, show designs as they are found, and write those that are kept."""
    from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.show.reporting.design_report import cut_as_line, cuts_as_json, cuts_as_text
    from latcover.show.reporting.search_report import solution_as_lines

    folder_for(folder)
    shown = watcher(report, covers="walks", branches="cuts")
    coloured, width = wants_colour(None), screen_width()
    lines = ScreenOfLines(shown.write, every=every or report.as_json)

    def show(design: CutDesign) -> None:
        if report.as_json:
            lines(json.dumps(design.as_json()))
            return
        picture = solution_as_lines(design.solution, colour=coloured, width=width)
        lines("\n".join([escaped(cut_as_line(design)), *picture, ""]))

    with watched(shown, show) as events:
        search = cutter.search(events, ledger)
    lines.end()
    written: list[str] = []
    for made in search.designs if folder is not None else ():
        path = (folder or Path()) / f"{made.puzzle.name}.toml"
        written.append(str(write_new_file(path, puzzle_as_toml([made.puzzle]), report)))
    echo_result(
        {"summary": cuts_as_json(search, cutter.request.seed, written)},
        cuts_as_text(search, cutter.request, written),
        as_json=report.as_json,
        answer=True,
    )
    if not search.complete:
        raise typer.Exit(EXIT_LIMIT)
