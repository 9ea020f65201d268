"""The command line. Everything heavy is imported by the command that needs it, so that --help is instant."""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from latcover.cli_options import (
    AsJson,
    BackendName,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    SearchOptions,
    TalkOptions,
    expanded,
)
from latcover.errors import Complaint, LatcoverError, PuzzleError, UnsupportedError

if TYPE_CHECKING:
    from latcover.puzzle import Puzzle
    from latcover.search import Progress
    from latcover.solution import Solution
    from latcover.solve import Answer, Prepared

EXIT_LIMIT = 3
DEFAULT_BACKEND = "dlx"

app = typer.Typer(
    name="latcover",
    help="Model and solve put-together puzzles on any lattice.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; every error of ours becomes one paragraph and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what a terminal cannot show
    try:
        app()
    except LatcoverError as problem:
        _say_error(str(problem))
        sys.exit(1)
    except MemoryError:
        _say_error("out of memory; lower --max-placements, or take a smaller puzzle")
        sys.exit(1)
    except KeyboardInterrupt:
        _say_error("interrupted")
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as problem:
        _say_error(f"cannot write: {problem.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _say_error(message: str) -> None:
    width = max(40, shutil.get_terminal_size().columns) if _is_terminal(sys.stderr) else 1_000_000
    typer.echo(textwrap.fill(f"error: {message}", width, break_long_words=False, break_on_hyphens=False), err=True)


def _print(text: str) -> None:
    """A line on standard output, its colours kept whatever standard output is; seen at once."""
    print(text, flush=True)


def _say(message: str, talk: TalkOptions) -> None:
    if not talk.quiet:
        typer.echo(message, err=True)


def _warn(complaints: tuple[Complaint, ...], talk: TalkOptions) -> None:
    for complaint in complaints:
        _say(str(complaint), talk)


def _load(name: str | None, given: InputOptions, talk: TalkOptions) -> Puzzle:
    """The puzzle asked for, with its warnings said; also sets up logging."""
    from latcover.library import DEFAULT_PUZZLE, load
    from latcover.puzzle import Bounds

    if talk.verbose and not talk.quiet:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(relativeCreated)6.0f ms  %(message)s")
    if name is None:
        name = DEFAULT_PUZZLE
        _say(f"no puzzle named: taking {name}", talk)
    puzzle = load(name, Bounds(given.max_cells, given.max_placements), given.problem)
    _warn(puzzle.warnings, talk)
    return puzzle


def _prepare(puzzle: Puzzle, encoding: EncodingOptions, given: InputOptions) -> Prepared:
    from latcover.puzzle import Bounds
    from latcover.solve import Choices, prepare

    order = None
    if encoding.order is not None:
        words = encoding.order.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise typer.BadParameter(f"{encoding.order!r} is no list of axes such as 0,2,1", param_hint="--order")
        order = tuple(int(word[:9]) for word in words)
    choices = Choices(
        symmetry=encoding.symmetry.value,
        reduce=encoding.reduction.value != "none",
        pivot=encoding.pivot,
        order=order,
    )
    if encoding.pivot is not None and not choices.reduce:
        raise typer.BadParameter("a pivot needs --reduction auto", param_hint="--pivot")
    return prepare(puzzle, choices, Bounds(given.max_cells, given.max_placements))


@contextmanager
def _interruptible() -> Iterator[list[bool]]:
    """Ctrl-C sets the flag that is given, so that the search ends with what it has; a second one ends at once."""
    flag = [False]

    def on_signal(*_: object) -> None:
        if flag[0]:
            raise KeyboardInterrupt
        flag[0] = True

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, before)


class _Bar:
    """A progress bar on a terminal, once the work has taken a second."""

    def __init__(self, talk: TalkOptions) -> None:
        self.wanted = _is_terminal(sys.stderr) and not talk.quiet
        self.bar: Any = None
        self.task: Any = None

    def show(self, progress: Progress) -> None:
        if not self.wanted or progress.seconds < 1:
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as RichProgress

            columns = (
                BarColumn(),
                TextColumn("{task.percentage:>5.1f} %"),
                TimeElapsedColumn(),
                TextColumn("left"),
            )
            text = TextColumn("{task.fields[covers]:,} covers")
            self.bar = RichProgress(*columns, TimeRemainingColumn(), text, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=1.0, covers=0)
            self.bar.start()
        self.bar.update(self.task, completed=progress.share, covers=progress.covers)

    def write(self, text: str) -> None:
        """Print to standard output without tearing the bar."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
        _print(text)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def _search(
    prepared: Prepared,
    backend: str,
    options: SearchOptions,
    bar: _Bar,
    show: Any = None,
    images: bool = False,
) -> Answer:
    from latcover.backends import create
    from latcover.search import Limits
    from latcover.solve import run

    solver = create(backend, size=options.size)
    limits = Limits(options.limit, options.max_branches, options.time)
    with _interruptible() as interrupted:

        def on_progress(progress: Progress) -> bool:
            bar.show(progress)
            return not interrupted[0]

        try:
            return run(prepared, solver, limits, show, images=images, on_progress=on_progress)
        finally:
            bar.close()


def _finish(answer: Answer) -> None:
    if not answer.complete:
        raise typer.Exit(EXIT_LIMIT)


def _colour(wanted: bool | None) -> bool:
    if wanted is not None:
        return wanted
    return _is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width() -> int:
    return shutil.get_terminal_size((100, 40)).columns


ColourOption = Annotated[
    bool | None,
    typer.Option("--color/--no-color", help="Coloured blocks, or letters alone; by default as the terminal allows."),
]


@app.command()
@expanded
def solve(
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    images: Annotated[bool, typer.Option("--images", help="List every symmetric image of each solution.")] = False,
    color: ColourOption = None,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Find every essentially different solution, and show each as it is found."""
    from latcover.report import answer_as_json, answer_as_text, listing
    from latcover.terminal import draw_solution

    loaded = _load(puzzle, given, talk)
    prepared = _prepare(loaded, encoding, given)
    bar = _Bar(talk)
    coloured, width = _colour(color), _width()

    def show(solution: Solution) -> None:
        if as_json:
            bar.write(json.dumps(solution.as_json(loaded.lattice)))
            return
        image = f", image {solution.image} of {solution.orbit}" if images else ""
        lines = draw_solution(loaded, solution, colour=coloured, width=width)
        bar.write("\n".join([f"solution {solution.number}{image}", *lines, ""]))

    if not as_json:
        typer.echo(f"{listing(loaded)}\n")
    answer = _search(prepared, backend, search, bar, show, images)
    typer.echo(json.dumps({"summary": answer_as_json(answer)}) if as_json else answer_as_text(answer))
    _finish(answer)


@app.command()
@expanded
def count(
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Count the solutions: the essentially different ones, and all."""
    from latcover.report import answer_as_json, answer_as_text

    loaded = _load(puzzle, given, talk)
    answer = _search(_prepare(loaded, encoding, given), backend, search, _Bar(talk))
    typer.echo(json.dumps(answer_as_json(answer)) if as_json else answer_as_text(answer))
    _finish(answer)


@app.command()
@expanded
def info(
    puzzle: PuzzleName = None,
    *,
    system: Annotated[
        bool, typer.Option("--system", help="Tell instead about this program, this machine and the kernels.")
    ] = False,
    encoding: EncodingOptions,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Tell a puzzle's figures: the columns of the paper's Table 1, which counts every copy of a part."""
    if system:
        from latcover.system import system_as_json, system_as_text

        if puzzle is not None:
            raise typer.BadParameter("--system is about this machine, and takes no puzzle")
        about = system_as_json()
        typer.echo(json.dumps(about) if as_json else system_as_text(about))
        return
    from latcover.report import info_as_json, info_as_text

    figures = info_as_json(_prepare(_load(puzzle, given, talk), encoding, given))
    typer.echo(json.dumps(figures) if as_json else info_as_text(figures))


@app.command()
@expanded
def show(
    puzzle: PuzzleName = None,
    *,
    solution: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Draw the N-th solution (the first).")
    ] = None,
    region: Annotated[bool, typer.Option("--region", help="Draw the region.")] = False,
    part: Annotated[str | None, typer.Option(metavar="NAME", help="Draw a part in all its orientations.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write to this file (.txt) instead.")] = None,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    color: ColourOption = None,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Draw a solution, the region, or a part with all its orientations; in three dimensions layer by layer."""
    from latcover import views
    from latcover.report import answer_as_text

    if sum((solution is not None, region, part is not None)) > 1:
        raise typer.BadParameter("only one of --solution, --region and --part can be drawn")
    if output is not None and output.suffix != ".txt":
        raise UnsupportedError(f"cannot draw a {output.suffix or 'file without suffix'}; the forms are: .txt")
    loaded = _load(puzzle, given, talk)
    coloured, width = _colour(color) and output is None, _width()
    if region:
        view = views.of_region(loaded)
    elif part is not None:
        view = views.of_part(loaded, part)
    else:
        prepared = _prepare(loaded, encoding, given)
        wanted = solution or 1
        found: list[Solution] = []
        answer = _search(prepared, backend, SearchOptions(limit=wanted), _Bar(talk), found.append)
        if len(found) < wanted:
            raise PuzzleError(f"there is no solution {wanted}: {answer_as_text(answer).splitlines()[0]}")
        view = views.of_solution(loaded, found[-1])
    text = json.dumps(view.data) if as_json else "\n".join(view.lines(colour=coloured, width=width))
    if output is None:
        _print(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as problem:
        raise PuzzleError(f"cannot write {output}: {problem.strerror}") from None
    _say(f"wrote {output}", talk)


@app.command()
@expanded
def check(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A puzzle, lattice or part-set file, or a shipped name."),
    ] = None,
    *,
    all_shipped: Annotated[
        bool, typer.Option("--all", help="Count every shipped puzzle, and compare with what its file expects.")
    ] = False,
    long: Annotated[bool, typer.Option("--long", help="With --all: also those that take long.")] = False,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Validate a file, and say everything that is wrong with it at once; or count all shipped puzzles."""
    if (file is None) != all_shipped or (long and not all_shipped):
        raise typer.BadParameter("give a FILE, or --all (and then perhaps --long)")
    if file is None:
        _check_all(long, as_json)
        return
    from latcover.inspection import inspect_file
    from latcover.puzzle import Bounds

    report = inspect_file(file, Bounds(given.max_cells, given.max_placements))
    if as_json:
        typer.echo(json.dumps(report.as_json()))
    else:
        for complaint in report.complaints:
            if not (complaint.warning and talk.quiet):
                typer.echo(str(complaint))
        typer.echo(report.verdict())
    if not report.sound:
        raise typer.Exit(1)


def _check_all(long: bool, as_json: bool) -> None:
    from latcover.inspection import check_expectations
    from latcover.library import load_all, names

    differing = 0
    for puzzle in (puzzle for name in names("instances") for puzzle in load_all(name)):
        skipped = puzzle.long and not long
        figures = [] if skipped else check_expectations(puzzle)
        wrong = [figure for figure in figures if figure[1] != figure[2]]
        differing += len(wrong)
        if as_json:
            rows = [dict(zip(("figure", "expected", "found"), figure, strict=True)) for figure in figures]
            typer.echo(json.dumps({"puzzle": puzzle.name, "skipped": skipped, "ok": not wrong, "figures": rows}))
            continue
        verdict = "left out: takes long" if skipped else "agrees" if not wrong else "DIFFERS"
        shown = [f"{name.replace('_', ' ')} {found:,}" for name, _, found in figures if name in _COUNTED]
        shown += [f"{name} is {found:,}, expected {expected:,}" for name, expected, found in wrong]
        _print(f"{puzzle.name:<32} {verdict:<8} {'; '.join(shown)}")
    if not as_json:
        typer.echo("all agree" if not differing else f"{differing} figures differ")
    if differing:
        raise typer.Exit(1)


_COUNTED = ("different", "different_under_rotations", "total")


@app.command(name="list")
@expanded
def list_shipped(*, as_json: AsJson = False) -> None:
    """List what is shipped: puzzles, lattices, part sets and backends."""
    from latcover.backends import NAMES
    from latcover.library import titles

    shipped: dict[str, Any] = {
        "puzzles": titles("instances"),
        "lattices": titles("lattices"),
        "sets": titles("sets"),
        "backends": list(NAMES),
    }
    if as_json:
        typer.echo(json.dumps(shipped))
        return
    for kind in ("puzzles", "lattices", "sets"):
        typer.echo(f"{kind}:")
        width = max(map(len, shipped[kind]))
        for name, title in shipped[kind].items():
            typer.echo(f"  {name:<{width}}  {title}")
    typer.echo(f"backends:\n  {', '.join(NAMES)}")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"latcover {installed_version('latcover')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass
