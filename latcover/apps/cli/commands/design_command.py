"""The commands of `design`: sets of parts that cover a region, regions that parts cover, cuts, growth, and boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.apps.cli.commands.board_command import board
from latcover.apps.cli.commands.cut_command import cut, grow, resume_cuts
from latcover.apps.cli.commands.goal_designs_command import design_all, require_honoured
from latcover.apps.cli.shared.design_options import ForGoalsOptions, GoalOptions
from latcover.apps.cli.shared.help_table import command_group
from latcover.apps.cli.shared.option_requests import make_backend
from latcover.apps.cli.shared.options import (
    DEFAULT_BACKEND,
    AssemblyOptions,
    BackendName,
    GivenPuzzleName,
    InputOptions,
    ReportOptions,
    SearchOptions,
    ShowAll,
    options_given,
)
from latcover.apps.cli.shared.output import echo_result, folder_for, require_writable, write_new_file
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.apps.cli.shared.subjects import from_anywhere, load_parts, load_puzzle, load_with_goals
from latcover.core.model.request_values import Megabytes, Positive, RegionSearch, SetSearch
from latcover.errors import UnsupportedError, escaped
from latcover.system.files import plain_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from latcover.core.cover.events import Events
    from latcover.core.model.puzzle import Bounds, Puzzle
    from latcover.lab.designing.design_results import DesignResults
    from latcover.lab.designing.designs import Design, Designs
    from latcover.lab.runs.design_run import DesignRecipe

design = command_group("design")


@design.command(name="sets")
def sets(
    puzzle: GivenPuzzleName,
    *,
    goal: GoalOptions,
    search: SetSearch = "auto",
    both_hands: bool = False,
    memory: Megabytes = 1000,
    goals: ForGoalsOptions,
    assembly: AssemblyOptions,
    backend: BackendName = DEFAULT_BACKEND,
    limits: SearchOptions,
    every: ShowAll = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.model.puzzle import Puzzle
    from latcover.lab.designing.design_requests import DesignSetsRequest
    from latcover.lab.runs.design_run import DesignRecipe

    asked = load_with_goals(puzzle, inputs, report)
    if not isinstance(asked, Puzzle | NamedProblem):
        from latcover.lab.designing.goal_designs import find_for_goals
        from latcover.lab.designing.goal_search import GoalDesignRequest

        others = [*(["--both-hands"] if both_hands else []), *(["--search"] if search != "auto" else [])]
        require_honoured([*options_given(goal), *options_given(limits), *options_given(assembly), *others])
        asked_for = GoalDesignRequest(
            each=goals.each or "solvable",
            parts=goals.parts,
            seed=goal.seed,
            samples=goal.samples,
            limit=1 if limits.limit is None else limits.limit,
            seconds=limits.time,
        )
        raise typer.Exit(design_all(asked, puzzle, asked_for, find_for_goals, goal.output, inputs.bounds(), report))
    if goals != ForGoalsOptions():
        raise UnsupportedError(f"{', '.join(options_given(goals))}: only for a puzzle with goals; {puzzle} has none")
    request = DesignSetsRequest(
        search=search, both_hands=both_hands, memory=memory, **goal.for_request(assembly, backend, limits)
    )
    make_backend(backend, limits, report)
    _design(puzzle, DesignRecipe(request=request), goal, inputs, report, every=every)


@design.command(name="regions")
def regions(
    puzzle: GivenPuzzleName,
    *,
    goal: GoalOptions,
    among: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    symmetric: Positive = 1,
    search: RegionSearch = "auto",
    assembly: AssemblyOptions,
    backend: BackendName = DEFAULT_BACKEND,
    limits: SearchOptions,
    every: ShowAll = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.lab.designing.design_requests import DesignRegionsRequest
    from latcover.lab.runs.design_run import DesignRecipe

    request = DesignRegionsRequest(search=search, symmetric=symmetric, **goal.for_request(assembly, backend, limits))
    make_backend(backend, limits, report)
    recipe = DesignRecipe(request=request, among=None if among is None else from_anywhere(among))
    _design(puzzle, recipe, goal, inputs, report, every=every)


design.command(name="cut")(cut)
design.command(name="grow")(grow)
design.command(name="matching")(board)


def _design(
    name: str, recipe: DesignRecipe, goal: GoalOptions, inputs: InputOptions, report: ReportOptions, *, every: bool
) -> None:
    """Find designs, and keep what is found out if a file is given for that."""
    from msgspec.structs import replace

    from latcover.lab.designing.design_results import NO_RESULTS
    from latcover.lab.runs.design_run import open_design
    from latcover.lab.runs.recipe import stored_file

    folder_for(goal.output)
    recipe = replace(recipe, output=None if goal.output is None else str(goal.output.resolve()))
    puzzle = (load_parts if recipe.ignores_region else load_puzzle)(name, inputs, report)
    if goal.run is None:
        recipe = replace(recipe, output=None if goal.output is None else str(goal.output))
        show_designs(puzzle, recipe, NO_RESULTS, inputs.bounds(), report, every=every)
        return
    require_writable(goal.run, reads=name)
    file = stored_file(name)
    with open_design(goal.run, puzzle.name, file, recipe, recipe.question(puzzle)) as ledger:
        ledger.take_recipe(recipe)
        show_designs(puzzle, recipe, ledger, inputs.bounds(), report, every=every)


def resume_design(path: Path, limits: SearchOptions, report: ReportOptions, *, every: bool) -> None:
    """Go on with the design of a file; *limits* has the time, the threads and the number of designs."""
    from latcover.lab.designing.design_requests import WalkRequest
    from latcover.lab.runs.design_run import DesignFile

    with DesignFile(path) as ledger:
        recipe = ledger.recipe.within(limits.limit, limits.time, limits.threads)
        if isinstance(recipe.request, WalkRequest):
            resume_cuts(ledger, recipe, report, every=every)
            return
        folder_for(recipe.folder)
        puzzle: Any = ledger.file.subject(ledger.puzzle, unfinished=recipe.ignores_region)
        recipe.question(puzzle).require(ledger.question, path)
        show_designs(puzzle, recipe, ledger, None, report, every=every)


def show_designs(
    puzzle: Puzzle,
    recipe: DesignRecipe,
    ledger: DesignResults,
    bounds: Bounds | None,
    report: ReportOptions,
    *,
    every: bool,
) -> None:
    """Find what is asked for, and show it."""
    from latcover.core.cover.search import Progress
    from latcover.show.reporting.design_report import summary_as_text

    shown = watcher(report)
    lines = ScreenOfLines(shown.write, every=every or report.as_json)
    with watched(shown, _DesignPrinter(puzzle.name, recipe, lines, as_json=report.as_json)) as events:
        summary = _found(puzzle, recipe, events, ledger, bounds).summary
        shown.end(Progress(1.0 if summary.complete else None, None, summary.sets, summary.seconds))
    lines.end()
    echo_result({"summary": summary.as_json()}, summary_as_text(summary), as_json=report.as_json, answer=True)
    if not summary.complete:
        raise typer.Exit(EXIT_LIMIT)


def _found(
    puzzle: Puzzle, recipe: DesignRecipe, events: Events, ledger: DesignResults, bounds: Bounds | None
) -> Designs:
    from latcover.lab.designing.design_regions import find_regions
    from latcover.lab.designing.design_requests import DesignSetsRequest
    from latcover.lab.designing.design_sets import find_sets

    request: Any = recipe.request
    if isinstance(request, DesignSetsRequest):
        return find_sets(puzzle, request, events, ledger, bounds)
    return find_regions(puzzle, request, events, ledger, recipe.regions_for(puzzle))


class _DesignPrinter:
    """Shows designs as they are found, and writes their puzzle files."""

    def __init__(self, name: str, recipe: DesignRecipe, write: Callable[[str], None], *, as_json: bool) -> None:
        self._name, self._recipe, self._write, self._as_json = name, recipe, write, as_json
        self._number = 0

    def __call__(self, design: Design) -> None:
        from latcover.show.reporting.design_report import design_as_line, region_as_line

        self._number += 1
        data, line = design.as_json(), (design_as_line if design.region is None else region_as_line)(design)
        if self._recipe.folder is not None:
            path = self._recipe.folder / f"{plain_name(self._name, 'design')}-{self._number}.toml"
            path = write_new_file(path, self._file(design), None)
            data["file"] = str(path)
            line += f"; {path}"
        self._write(json.dumps(data) if self._as_json else escaped(line))

    def _file(self, design: Design) -> str:
        from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

        request: Any = self._recipe.request
        return puzzle_as_toml([design.as_puzzle(f"{self._name} {self._number}", request.symmetry)])
