"""The commands `solve` and `count`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from latcover.cli.assemble import Assemblable, AssemblyOptions, search_for_assemblable
from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    ColourOption,
    CountOptions,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    RunOptions,
    SatExitCodes,
    SearchAnyway,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import Watcher, count_puzzle, search_puzzle, watcher
from latcover.cli.proof import ProofFile, encoding_of_proof, prove
from latcover.cli.run_files import check_backend, check_method, named_or_temporary_file, run_in_file
from latcover.cli.support import (
    EXIT_UNSATISFIABLE,
    echo,
    finish,
    load_subject,
    prepare,
    print_answer,
    require_writable,
    screen_width,
    wants_colour,
)


@expanded
def solve(
    context: typer.Context,
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    images: Annotated[bool, typer.Option("--images", help="List every symmetric image of each solution.")] = False,
    assemblable: Assemblable = False,
    assembly: AssemblyOptions,
    proof: ProofFile = None,
    search_anyway: SearchAnyway = False,
    color: ColourOption = None,
    as_json: AsJson = False,
    sat_exit_codes: SatExitCodes = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Find every essentially different solution, and show each as it is found."""
    from latcover.formats.library import DEFAULT_PUZZLE
    from latcover.reporting.answer import heading

    if proof is not None:
        encoding = encoding_of_proof(context, encoding)
        require_writable(proof, reads=puzzle)
        prove(load_subject(puzzle, given, talk), proof, encoding, search.time, (given, watch, talk), as_json=as_json)
        if sat_exit_codes:
            raise typer.Exit(EXIT_UNSATISFIABLE)
        return
    assembly.require_meant(assemblable=assemblable)
    solver = check_backend(backend, search, run, talk)
    loaded = load_subject(puzzle, given, talk)
    prepared = prepare(loaded, encoding, given)
    shown = watcher(talk, watch)
    show = solution_printer(shown, images=images, color=color, as_json=as_json)
    tally = None
    if not as_json:
        echo(f"{heading(prepared)}\n")
    if assemblable:
        answer, tally = search_for_assemblable(prepared, solver, (search, assembly, run), shown, show, images=images)
    elif not run.in_jobs:
        answer = search_puzzle(prepared, solver, search, shown, show, images=images, anyway=search_anyway)
    else:
        options = (encoding, given, search)
        with named_or_temporary_file(run, talk) as where:
            answer = run_in_file(
                where, prepared, ("solve", puzzle, backend), options, shown, (show, images), anyway=search_anyway
            )
    form: Any = "summary" if as_json else None
    print_answer(
        answer, lambda: prepared, talk, puzzle=puzzle or DEFAULT_PUZZLE, run=run.run, as_json=form, tally=tally
    )
    finish(answer, sat_exit_codes, tally)


@expanded
def count(
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    counting: CountOptions,
    assemblable: Assemblable = False,
    assembly: AssemblyOptions,
    search_anyway: SearchAnyway = False,
    as_json: AsJson = False,
    sat_exit_codes: SatExitCodes = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Count the solutions: the essentially different ones, and all."""
    from latcover.formats.library import DEFAULT_PUZZLE

    check_method(counting.method, search, run, assemblable=assemblable)
    assembly.require_meant(assemblable=assemblable)
    solver = check_backend(backend, search, run, talk)
    prepared = prepare(load_subject(puzzle, given, talk), encoding, given)
    shown = watcher(talk, watch)
    tally = None
    if assemblable:
        answer, tally = search_for_assemblable(prepared, solver, (search, assembly, run), shown)
    elif not run.in_jobs:
        answer = count_puzzle(prepared, solver, search, counting, shown, anyway=search_anyway)
    else:
        options = (encoding, given, search)
        with named_or_temporary_file(run, talk) as where:
            answer = run_in_file(where, prepared, ("count", puzzle, backend), options, shown, anyway=search_anyway)
    form: Any = "object" if as_json else None
    print_answer(
        answer, lambda: prepared, talk, puzzle=puzzle or DEFAULT_PUZZLE, run=run.run, as_json=form, tally=tally
    )
    finish(answer, sat_exit_codes, tally)


def solution_printer(shown: Watcher, *, images: bool, color: bool | None, as_json: bool) -> Callable[[Any], None]:
    """A function that shows a solution as `latcover solve` does."""
    from latcover.reporting.answer import JsonLines, solution_as_lines

    coloured, width, lines_of_json = wants_colour(color), screen_width(), JsonLines()

    def show(solution: Any) -> None:
        if as_json:
            shown.write(lines_of_json.line(solution))
            return
        image = f", image {solution.image} of {solution.orbit}" if images else ""
        lines = solution_as_lines(solution, colour=coloured, width=width)
        shown.write("\n".join([f"solution {solution.number}{image}", *lines, ""]))

    return show
