"""The command `apart`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from msgspec import Struct
from msgspec.structs import replace

from latcover.apps.cli.shared.option_requests import made, with_rest_of_time
from latcover.apps.cli.shared.options import (
    DEFAULT_BACKEND,
    AssemblyOptions,
    BackendName,
    EncodingOptions,
    InputOptions,
    MessageOptions,
    PuzzleName,
    ReportOptions,
    RunOptions,
    SearchOptions,
    ShowAll,
    TurningOptions,
    parsed_level,
)
from latcover.apps.cli.shared.output import echo, echo_answer, is_terminal, require_writable, say, write_file
from latcover.apps.cli.shared.printed_answers import (
    EXIT_LIMIT,
    EXIT_SATISFIABLE,
    EXIT_UNSATISFIABLE,
    SolutionPrinter,
    say_reasons,
)
from latcover.apps.cli.shared.progress import Watcher, watched, watcher
from latcover.apps.cli.shared.run_files import named_or_temporary_file, source_of
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.apps.cli.shared.subjects import load_puzzle, prepare
from latcover.core.model.request_values import Positive
from latcover.errors import PuzzleError, UnsupportedError, counted, escaped

if TYPE_CHECKING:
    from latcover.core.encoding.prepared import Prepared
    from latcover.core.model.puzzle import Puzzle
    from latcover.lab.asking.assemble import AssemblyResult
    from latcover.lab.assembly.survey import Examined


OF_PLAN = 20  # lines of a screen, for how the hardest comes apart
SortName = Literal["level", "moves"]  # by what solutions are sorted


class ShowOptions(Struct, frozen=True):
    """The options about which solutions `apart` shows."""

    solution: Positive | None = None
    stored: bool = False
    sort: SortName | None = None
    keep: Positive | None = None
    min_level: Annotated[str | None, typer.Option(metavar="LEVEL")] = None
    edge: Annotated[float | None, typer.Option(metavar="MM")] = None

    draw: bool = False
    output: Path | None = None

    def check(self, reads: str | None, *, images: bool) -> None:
        """Refuse an output that cannot be written.

        Raises:
            UnsupportedError: a form that it cannot have.
            PuzzleError: an edge that no model can have.
        """
        if self.edge is not None:
            from latcover.show.printing.layout import Dimensions

            Dimensions(edge=self.edge)
        form = "" if self.output is None else self.output.suffix.lower()
        if self.output is not None and form not in (".html", ".svg"):
            raise UnsupportedError(f"how a solution comes apart is written as .html or .svg, not as {self.output.name}")
        if self.output is not None and self.output.is_dir():
            raise UnsupportedError(f"{self.output} is a folder; name a file to write")
        if images and (self.solution is not None or not self.draw):
            raise UnsupportedError("--images lists the images of each solution; give --draw too, without --solution")
        if self.solution is not None and (self.sort or self.keep or self.min_level is not None):
            raise UnsupportedError("--solution shows one solution; leave out --sort, --keep and --min-level")
        if form == ".svg" and self.solution is None:
            raise UnsupportedError("a sheet of moves (.svg) is of one solution; give --solution N, or --output x.html")
        require_writable(self.output, reads=reads)


def apart(
    puzzle: PuzzleName = None,
    *,
    options: ShowOptions,
    assembly: AssemblyOptions,
    turning: TurningOptions,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    images: bool = False,
    search_anyway: bool = False,
    color: bool | None = None,
    every: ShowAll = False,
    sat_exit_codes: bool = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.encoding.prepared import Prepared
    from latcover.lab.asking.assemble import AssembleRequest
    from latcover.lab.asking.assemble import assemble as assemble_by

    options.check(puzzle, images=images)
    turning.check()
    shown = watcher(report)
    draw = None
    if options.draw:
        draw = SolutionPrinter(shown, images=images, color=color, as_json=report.as_json, every=every, besides=OF_PLAN)
    least = parsed_level(options.min_level)
    show = _Shower(shown, options, least, draw, as_json=report.as_json, every=every)
    if options.stored:
        if run.in_jobs or search.limit is not None or assembly != AssemblyOptions() or turning != TurningOptions():
            raise UnsupportedError(
                "--stored searches nothing; leave out --run, --cluster, --limit, --states, --in-plane, --turns, --play "
                "and --bevel"
            )
        _show_stored(puzzle, show, inputs, report)
        return
    if options.solution is not None:
        search = _up_to(options.solution, run, search)
    request = made(
        AssembleRequest,
        backend,
        search,
        encoding,
        report,
        run=run,
        anyway=search_anyway,
        images=images,
        states=assembly.states,
        in_plane=assembly.in_plane,
        turns=turning.turns,
        play=turning.play,
        bevel=turning.bevel,
        number=options.solution,
        threads=search.threads,
    )
    began = time.perf_counter()
    loaded = load_puzzle(puzzle, inputs, report)
    request.assembler(loaded)  # refuses what cannot be taken apart, before anything that takes long
    prepared = prepare(loaded, encoding, inputs, request.seconds)
    assert isinstance(prepared, Prepared)
    request = with_rest_of_time(request, began)
    with watched(shown, show.take) as events:
        if run.in_jobs:
            from latcover.lab.runs.assembling import assemble_in_file

            with named_or_temporary_file(run, report) as path:
                result = assemble_in_file(
                    path,
                    source_of(path, puzzle),
                    prepared,
                    request,
                    events,
                    bounds=inputs.bounds(),
                    cluster=run.cluster or "",
                )
        else:
            result = assemble_by(prepared, request, events)
        events.ended(result.search)
    show.end()
    _report(result, show, prepared, puzzle, report)
    if sat_exit_codes and result.tally.results["apart"]:
        raise typer.Exit(EXIT_SATISFIABLE)
    if not result.complete:
        raise typer.Exit(EXIT_LIMIT)
    if sat_exit_codes:
        raise typer.Exit(EXIT_UNSATISFIABLE)


def _report(
    result: AssemblyResult, show: _Shower, prepared: Prepared, puzzle: str | None, messages: MessageOptions
) -> None:
    """Print the totals, and write what was to be written.

    Raises:
        PuzzleError: the one solution that was asked for does not exist, or there is none to write.
    """
    from latcover.files.formats.library import DEFAULT_PUZZLE
    from latcover.show.reporting.assembly_report import FLAT, tally_as_text
    from latcover.show.reporting.search_report import reasons_for

    search, tally, number, name = result.search, result.tally, show.options.solution, escaped(prepared.name)
    if number is not None and not show.any:
        found = f"{search.different} were found" if search.complete else f"the search ended before it ({search.stop})"
        raise PuzzleError(f"{name} has no solution {number}: {found}")
    summary = {**tally.as_json(), "complete": result.complete, "stop": result.stop}
    summary = say_reasons(summary, reasons_for(search, lambda: prepared), messages)
    if show.as_json:
        echo(json.dumps({"summary": {"puzzle": puzzle or DEFAULT_PUZZLE, **summary}}))
    elif number is None:
        echo_answer(f"{name}: {tally_as_text(tally, result.stop)}")
        if result.lifted:
            say(f"note: {FLAT}", messages)
        elif result.only_slides and tally.results["stuck"]:
            say(f"note: {escaped(result.only_slides)}", messages)
        show.tell_hardest()
    output = show.options.output
    if output is None:
        return
    if to_write := show.written_apart() if number is None else show.written:
        if not result.complete:
            say(f"drawing {counted(len(to_write), 'solution')}; Ctrl-C ends this, and nothing is written", messages)
        _write(output, prepared.puzzle, to_write, show.shown, messages)
    elif result.complete:
        raise PuzzleError(f"no solution to write to {output}: none of those asked for comes apart")
    else:
        say(f"nothing was written to {output}: no solution was found that comes apart ({result.stop})", messages)


def _up_to(number: int, run: RunOptions, search: SearchOptions) -> SearchOptions:
    """The options of a search that ends with the solution of that number.

    Raises:
        UnsupportedError: they want more solutions.
    """
    if run.in_jobs:
        raise UnsupportedError("--solution shows one solution, and --run keeps all; leave one of them out")
    if search.limit is not None:
        raise UnsupportedError("--solution shows one solution, and --limit several; leave one of them out")
    return replace(search, limit=number)


def _show_stored(name: str | None, show: _Shower, inputs: InputOptions, messages: MessageOptions) -> None:
    """Show how the stored solutions of a BurrTools file come apart. The checker has made every move."""
    from latcover.files.formats.burrtools.burrtools_solutions import read_disassemblies
    from latcover.files.formats.forms import XMPUZZLE
    from latcover.files.formats.library import form_of
    from latcover.files.formats.library import source_of as source_called
    from latcover.lab.assembly.survey import Examined

    source = None if name is None else source_called(name, inputs.bounds())
    if source is None or form_of(source) is not XMPUZZLE:
        raise UnsupportedError("--stored shows what a BurrTools file stores; name such a file (.xmpuzzle)")
    puzzle, number = load_puzzle(name, inputs, messages), show.options.solution
    stored = read_disassemblies(source, inputs.bounds()).get(puzzle.name, ())
    plans = [Examined(solution.of_puzzle(puzzle), plan) for solution, plan in stored if plan is not None]
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
        echo_answer(f"{escaped(puzzle.name)}: the file stores {counted(len(stored), 'solution')}, and {how}")
        show.tell_hardest()
    if show.options.output is not None and show.written:
        _write(show.options.output, puzzle, show.written, show.shown, messages)


def _write(path: Path, puzzle: Puzzle, examined: list[Examined], shown: Watcher, messages: MessageOptions) -> None:
    """Write a page that plays how solutions come apart, or the sheet of one of them. Ctrl-C ends it at once."""
    from latcover.show.drawing.paper.steps import steps_page
    from latcover.show.drawing.space.viewer_page import MOST_SOLUTIONS, page

    if len(examined) > MOST_SOLUTIONS:
        raise UnsupportedError(f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; give --keep N")
    try:
        if path.suffix.lower() == ".svg":
            drawn = steps_page(puzzle, examined[0].solution, examined[0].disassembly, apart=True)
        else:
            taken = {each.solution.number: each.disassembly for each in examined}
            drawn = page(puzzle, shown.through([each.solution for each in examined]), taken)
    except KeyboardInterrupt:
        say(f"nothing was written to {path}", messages)
        raise
    finally:
        shown.close()
    write_file(path, drawn, messages)


class _Shower:
    """Shows the solutions that the options ask for, at once or at the end."""

    def __init__(
        self,
        shown: Watcher,
        options: ShowOptions,
        least: tuple[int, ...],
        draw: SolutionPrinter | None,
        *,
        as_json: bool,
        every: bool = True,
    ) -> None:
        self.any = False
        whole = every or as_json or options.solution is not None
        self._lines = ScreenOfLines(shown.write, every=whole, besides=OF_PLAN)
        self._upwards = is_terminal(sys.stdout) and not every  # whether it is said once that all come apart so
        self._lifted = 0
        self.shown, self.options, self._least, self._draw, self.as_json = shown, options, least, draw, as_json
        self._kept: list[Examined] = []
        self._hardest: Examined | None = None  # of those shown that come apart by moves
        self.written: list[Examined] = []  # to the output, if there is one

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

    def written_apart(self) -> list[Examined]:
        """Those shown that come apart."""
        return [examined for examined in self.written if examined.disassembly.result == "apart"]

    def end(self) -> None:
        """Show what was kept."""
        for examined in sorted(self._kept, key=self._hardness)[: self.options.keep]:
            self._show(examined)
        if self._draw is not None:
            self._draw.end()
        if self._lifted:
            self.shown.write("every solution comes apart upwards\n")
        self._lines.end()

    def tell_hardest(self) -> None:
        """Say how the hardest of those shown comes apart, move by move."""
        from latcover.show.reporting.assembly_report import plan_as_lines

        if self._hardest is not None:
            solution = self._hardest.solution
            echo(f"\nsolution {solution.number}, the deepest of these, move by move (--solution N shows another one):")
            echo("\n".join(plan_as_lines(solution, self._hardest.disassembly)))

    def _hardness(self, examined: Examined) -> tuple[Any, ...]:
        """The hardest first; a level that goes on, as 12.3, is harder than 12."""
        level, moves = [*(-n for n in examined.disassembly.level), 0], -examined.disassembly.moves
        by_moves = self.options.sort == "moves"
        return (moves, level, examined.solution.number) if by_moves else (level, moves, examined.solution.number)

    def _show(self, examined: Examined) -> None:
        from latcover.show.reporting.assembly_report import examined_as_line, plan_as_lines

        if self.options.output is not None:
            self.written.append(examined)
        if examined.disassembly.result == "apart" and examined.disassembly.steps:
            self._hardest = min(filter(None, (self._hardest, examined)), key=self._hardness)
        if self._draw is not None:
            if examined.disassembly.result == "apart":
                self._draw(examined.solution)
            return
        if self.as_json:
            self.shown.write(json.dumps(examined.as_json()))
            return
        if self._upwards and examined.disassembly.flat:
            self._lifted += 1
            return
        lines = [examined_as_line(examined, self.options.edge)]
        if self.options.solution is not None:
            lines += plan_as_lines(examined.solution, examined.disassembly)
        self._lines("\n".join(lines))
