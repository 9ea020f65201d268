"""The command `assemble`, and the option --assemblable of `solve` and `count`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    RunOptions,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import Watch, Watcher, watched, watcher
from latcover.cli.runs import check_backend, named_or_temporary_file, run_in_file
from latcover.cli.support import EXIT_LIMIT, echo, load_puzzle, prepare_puzzle, require_writable, say, write_file
from latcover.errors import PuzzleError, UnsupportedError, counted, escaped

if TYPE_CHECKING:
    from latcover.assembly.survey import Examined, Survey, Tally
    from latcover.assembly.taking_apart import Assembler
    from latcover.cover.search import Backend
    from latcover.cover.searchable import Searchable
    from latcover.encoding.prepared import Prepared
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution
    from latcover.solving.answer import Answer


class SortName(StrEnum):
    """By what solutions are sorted."""

    level = "level"
    moves = "moves"


@dataclass(frozen=True)
class AssemblyOptions:
    """The options about taking apart."""

    states: Annotated[
        int,
        typer.Option(
            "--states", min=0, metavar="N", help="Give up on a solution after so many positions of its pieces."
        ),
    ] = 10_000_000
    in_plane: Annotated[
        bool, typer.Option("--in-plane", help="Do not lift pieces that lie in one layer: ask within the layer.")
    ] = False

    def require_meant(self, *, assemblable: bool) -> None:
        """Refuse these options where nothing is taken apart.

        Raises:
            UnsupportedError: one is given without --assemblable.
        """
        if self != AssemblyOptions() and not assemblable:
            raise UnsupportedError("--states and --in-plane are about taking apart; give --assemblable too")


Assemblable = Annotated[
    bool,
    typer.Option("--assemblable", help="Take each solution apart by sliding, and show or count those that come apart."),
]


@dataclass(frozen=True)
class ShowOptions:
    """The options about which solutions `assemble` shows."""

    solution: Annotated[
        int | None,
        typer.Option("--solution", min=1, metavar="N", help="Take only this solution apart, and tell every move."),
    ] = None
    stored: Annotated[
        bool,
        typer.Option("--stored", help="Do not search: show how the solutions that a BurrTools file stores come apart."),
    ] = False
    sort: Annotated[
        SortName | None,
        typer.Option("--sort", help="Show those that come apart at the end, the hardest first, by level or by moves."),
    ] = None
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, metavar="N", help="Show only the N hardest, at the end.")
    ] = None
    min_level: Annotated[
        str | None,
        typer.Option("--min-level", metavar="LEVEL", help="Show only those of this level or a higher one: 5, or 5.2."),
    ] = None

    output: Annotated[
        Path | None,
        typer.Option(
            help="Also write a page that plays what is shown (.html); with --solution, a picture of each move (.svg)."
        ),
    ] = None

    def check(self, reads: str | None) -> None:
        """Refuse an output that cannot be written.

        Raises:
            UnsupportedError: a form that it cannot have.
        """
        form = "" if self.output is None else self.output.suffix.lower()
        if self.output is not None and form not in (".html", ".svg"):
            raise UnsupportedError(f"how a solution comes apart is written as .html or .svg, not as {self.output.name}")
        if self.output is not None and self.output.is_dir():
            raise UnsupportedError(f"{self.output} is a folder; name a file to write")
        if self.solution is not None and (self.sort or self.keep or self.min_level is not None):
            raise UnsupportedError("--solution tells of one solution; leave out --sort, --keep and --min-level")
        if form == ".svg" and self.solution is None:
            raise UnsupportedError("a sheet of moves (.svg) is of one solution; give --solution N, or --output x.html")
        require_writable(self.output, reads=reads)


def level_asked(text: str | None) -> tuple[int, ...]:
    """The level that --min-level asks for; empty without it."""
    if text is None:
        return ()
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){0,99}", text):
        raise typer.BadParameter(f"{text!r} is no level such as 5 or 5.2", param_hint="--min-level")
    return tuple(map(int, text.split(".")))


@expanded
def assemble(
    puzzle: PuzzleName = None,
    *,
    options: ShowOptions,
    assembly: AssemblyOptions,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    as_json: AsJson = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Take every solution apart by sliding: which can be put together, and in how many moves.

    Each solution is taken as it is found; with --run, all are found first. --time ends the search and the taking apart.
    """
    from latcover.formats.library import DEFAULT_PUZZLE
    from latcover.reporting.assembly import FLAT, tally_as_text

    solver = check_backend(backend, search, run, talk)
    options.check(puzzle)
    show = _Shower(watcher(talk, watch), options, level_asked(options.min_level), as_json=as_json)
    if options.stored:
        _show_stored(puzzle, show, (search, run, assembly), given, talk)
        return
    if options.solution is not None:
        search = _up_to(options.solution, run, search)
    loaded = load_puzzle(puzzle, given, talk)
    assembler = assembler_of(loaded, assembly)
    prepared = prepare_puzzle(loaded, encoding, given)
    shown = show.shown
    if run.in_jobs:
        with named_or_temporary_file(run, talk) as where:
            answer = run_in_file(where, prepared, ("solve", puzzle, backend), (encoding, given, search), shown)
            survey = _survey_run(where, prepared, assembler, (assembly, search), shown, show)
    else:
        answer, survey = survey_search(
            prepared, solver, search, assembler, assembly, shown, take=show.take, only=options.solution
        )
    show.end()
    if options.solution is not None and not show.any:
        found = f"{answer.different} were found" if answer.complete else f"the search ended before it ({answer.stop})"
        raise PuzzleError(f"{escaped(loaded.name)} has no solution {options.solution}: {found}")
    unknown = survey.tally.results["unknown"]
    complete = not unknown and (answer.complete or options.solution is not None)
    stop = answer.stop if not answer.complete and options.solution is None else ", ".join(sorted(survey.tally.stops))
    if as_json:
        summary = {**survey.tally.as_json(), "complete": complete, "stop": "exhausted" if complete else stop}
        echo(json.dumps({"summary": {"puzzle": puzzle or DEFAULT_PUZZLE, **summary}}))
    elif options.solution is None:
        echo(f"{escaped(loaded.name)}: {tally_as_text(survey.tally, complete=complete, stop=stop)}")
        if assembler.lifted:
            say(f"note: {FLAT}", talk)
    if options.output is not None:
        told = show.told_apart() if options.solution is None else show.told
        if told:
            _write(options.output, loaded, told, talk)
        elif complete:
            raise PuzzleError(f"no solution to write to {options.output}: none of those asked for comes apart")
        else:
            say(f"nothing was written to {options.output}: no solution was found that comes apart ({stop})", talk)
    if not complete:
        raise typer.Exit(EXIT_LIMIT)


def _up_to(number: int, run: RunOptions, search: SearchOptions) -> SearchOptions:
    """The options of a search that ends with the solution of that number.

    Raises:
        UnsupportedError: they want more solutions.
    """
    if run.in_jobs:
        raise UnsupportedError("--solution tells of one solution, and --run keeps all; leave one of them out")
    if search.limit is not None:
        raise UnsupportedError("--solution tells of one solution, and --limit of several; leave one of them out")
    return replace(search, limit=number)


def _show_stored(
    name: str | None,
    show: _Shower,
    searching: tuple[SearchOptions, RunOptions, AssemblyOptions],
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Show how the stored solutions of a BurrTools file come apart. The checker has made every move."""
    from latcover.assembly.survey import Examined
    from latcover.formats.burrtools.solutions import read_disassemblies
    from latcover.formats.forms import XMPUZZLE
    from latcover.formats.library import source_of
    from latcover.formats.reading import form_of

    search, run, assembly = searching
    if run.in_jobs or search.limit is not None or assembly != AssemblyOptions():
        raise UnsupportedError(
            "--stored searches nothing; leave out --run, --cluster, --limit, --states and --in-plane"
        )
    source = None if name is None else source_of(name, given.bounds())
    if source is None or form_of(source) is not XMPUZZLE:
        raise UnsupportedError("--stored shows what a BurrTools file stores; name such a file (.xmpuzzle)")
    puzzle, number = load_puzzle(name, given, talk), show.options.solution
    stored = read_disassemblies(source, given.bounds()).get(puzzle.name, ())
    plans = [Examined(replace(solution, puzzle=puzzle), plan) for solution, plan in stored if plan is not None]
    if number is not None and number not in [examined.solution.number for examined in plans]:
        raise PuzzleError(f"{escaped(puzzle.name)}: the file does not store how a solution {number} comes apart")
    for examined in plans:
        if number in (None, examined.solution.number):
            show.take(examined)
    show.end()
    if show.as_json:
        echo(json.dumps({"summary": {"puzzle": name, "stored": len(stored), "apart": len(plans)}}))
    elif number is None:
        how = f"how {len(plans):,} of them come apart, each move checked" if plans else "not how they come apart"
        echo(f"{escaped(puzzle.name)}: the file stores {counted(len(stored), 'solution')}, and {how}")
    if show.options.output is not None and show.told:
        _write(show.options.output, puzzle, show.told, talk)


def assembler_of(puzzle: Any, assembly: AssemblyOptions) -> Assembler:
    """What takes the solutions of a puzzle apart.

    Raises:
        UnsupportedError: its lattice or its region does not allow it.
    """
    from latcover.assembly.taking_apart import Assembler
    from latcover.model.puzzle import Puzzle

    if not isinstance(puzzle, Puzzle):
        raise UnsupportedError("this is a cover problem without a puzzle: nothing in it can come apart")
    return Assembler(puzzle, assembly.in_plane)


def survey_search(
    prepared: Prepared,
    solver: Backend,
    search: SearchOptions,
    assembler: Assembler,
    assembly: AssemblyOptions,
    shown: Watcher,
    *,
    take: Callable[[Examined], None] | None,
    images: bool = False,
    only: int | None = None,
) -> tuple[Answer, Survey]:
    """Search, and take every solution apart as it is found; with *only*, just the solution of this number."""
    from latcover.solving.run import run

    with watched(shown) as watch:
        survey = _survey(assembler, (assembly, search), watch, take)

        def on_solution(solution: Solution) -> None:
            if only is None or solution.number == only:
                survey.take(solution)

        answer = run(prepared, solver, search.limits(), on_solution, images=images, on_progress=watch.on_progress)
        survey.finish()
        return watch.ended(answer), survey


def search_for_assemblable(
    prepared: Searchable[Any],
    solver: Backend,
    options: tuple[SearchOptions, AssemblyOptions, RunOptions],
    shown: Watcher,
    show: Callable[[Any], None] | None = None,
    *,
    images: bool = False,
) -> tuple[Answer, Tally]:
    """Search, take every solution apart, and show those that come apart."""
    from latcover.encoding.prepared import Prepared

    search, assembly, run = options
    if run.in_jobs:
        raise UnsupportedError(
            "--assemblable keeps no run in a file or on a cluster; `latcover assemble --run FILE` does"
        )
    assembler = assembler_of(prepared.puzzle if isinstance(prepared, Prepared) else prepared, assembly)
    assert isinstance(prepared, Prepared)

    def take(examined: Examined) -> None:
        if show is not None and examined.disassembly.result == "apart":
            show(examined.solution)

    answer, survey = survey_search(prepared, solver, search, assembler, assembly, shown, take=take, images=images)
    return answer, survey.tally


def _survey(
    assembler: Assembler,
    options: tuple[AssemblyOptions, SearchOptions],
    watch: Watch,
    take: Callable[[Examined], None] | None,
) -> Survey:
    from latcover.assembly.survey import Survey
    from latcover.assembly.taking_apart import ApartLimits
    from latcover.system.machine import threads_to_start

    assembly, search = options
    return Survey(
        assembler,
        take,
        ApartLimits(assembly.states, search.time),
        threads=threads_to_start(search.threads)[0],
        may_go_on=lambda: not watch.interrupted,
    )


def _survey_run(
    run: RunOptions,
    prepared: Prepared,
    assembler: Assembler,
    options: tuple[AssemblyOptions, SearchOptions],
    shown: Watcher,
    show: _Shower,
) -> Survey:
    """Take the solutions of a run apart, and keep the results in its file."""
    from latcover.runs.assembling import assemble_run

    assert run.run is not None
    with watched(shown) as watch:
        survey = _survey(assembler, options, watch, None)
        assemble_run(run.run, prepared, survey, show.take, in_plane=options[0].in_plane)
        return survey


def _write(path: Path, puzzle: Puzzle, told: list[Examined], talk: TalkOptions) -> None:
    """Write a page that plays how solutions come apart, or the sheet of one of them."""
    from latcover.drawing.space.page import MOST_SOLUTIONS, page
    from latcover.drawing.steps import steps_page

    if path.suffix.lower() == ".svg":
        write_file(path, steps_page(puzzle, told[0].solution, told[0].disassembly, apart=True).rstrip("\n"), talk)
        return
    if len(told) > MOST_SOLUTIONS:
        raise UnsupportedError(f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; give --keep N")
    taken = {examined.solution.number: examined.disassembly for examined in told}
    write_file(path, page(puzzle, [examined.solution for examined in told], taken), talk)


class _Shower:
    """Shows the solutions that the options ask for, at once or at the end."""

    def __init__(self, shown: Watcher, options: ShowOptions, least: tuple[int, ...], *, as_json: bool) -> None:
        self.any = False
        self.shown, self.options, self._least, self.as_json = shown, options, least, as_json
        self._kept: list[Examined] = []
        self.told: list[Examined] = []  # for the output, if there is one

    def take(self, examined: Examined) -> None:
        self.any = True
        options, level = self.options, examined.disassembly.level
        result = examined.disassembly.result
        if self._least and (result == "stuck" or (result == "apart" and level < self._least)):
            return
        if options.sort is None and options.keep is None:
            if self.as_json or options.solution or examined.disassembly.result != "stuck":
                self._show(examined)
        elif examined.disassembly.result == "apart":
            self._kept.append(examined)
            if options.keep is not None and len(self._kept) > 2 * options.keep + 100:
                self._kept = sorted(self._kept, key=self._hardness)[: options.keep]

    def told_apart(self) -> list[Examined]:
        """Those shown that come apart."""
        return [examined for examined in self.told if examined.disassembly.result == "apart"]

    def end(self) -> None:
        """Show what was kept."""
        for examined in sorted(self._kept, key=self._hardness)[: self.options.keep]:
            self._show(examined)

    def _hardness(self, examined: Examined) -> tuple[Any, ...]:
        """The hardest first."""
        level, moves = [-n for n in examined.disassembly.level], -examined.disassembly.moves
        by_moves = self.options.sort is SortName.moves
        return (moves, level, examined.solution.number) if by_moves else (level, moves, examined.solution.number)

    def _show(self, examined: Examined) -> None:
        from latcover.reporting.assembly import examined_as_line, plan_as_lines

        if self.options.output is not None:
            self.told.append(examined)
        if self.as_json:
            self.shown.write(json.dumps(examined.as_json()))
            return
        lines = [examined_as_line(examined)]
        if self.options.solution is not None:
            puzzle = examined.solution.puzzle
            assert puzzle is not None
            lines += plan_as_lines(puzzle.lattice, examined.solution, examined.disassembly)
        self.shown.write("\n".join(lines))
