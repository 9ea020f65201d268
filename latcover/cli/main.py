"""The command line. Each command imports what it needs only when it runs, so that --help is fast."""

from __future__ import annotations

import io
import json
import os
import sys
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli import completion
from latcover.cli.assemble import Assemblable, AssemblyOptions, assemble, search_for_assemblable
from latcover.cli.compare import bench, compare
from latcover.cli.estimate import estimate
from latcover.cli.formats import decode, export, import_file
from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    BoundsOptions,
    CountOptions,
    EncodingOptions,
    InputOptions,
    PuzzleName,
    PuzzleOrLatticeName,
    RunOptions,
    SatExitCodes,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import count_puzzle, search_puzzle, watcher
from latcover.cli.proof import ProofFile, encoding_of_proof, prove
from latcover.cli.runs import (
    check_backend,
    check_method,
    named_or_temporary_file,
    resume,
    run_in_file,
    runs,
    solution_printer,
)
from latcover.cli.serve import serve
from latcover.cli.show import ColourOption, show
from latcover.cli.support import (
    EXIT_UNSATISFIABLE,
    echo,
    finish,
    load_subject,
    only_one,
    prepare,
    print_answer,
    require_writable,
    say_error,
)
from latcover.cli.usage import UsageError, usage_message
from latcover.errors import LatcoverError, escaped

if TYPE_CHECKING:
    from latcover.model.puzzle import Bounds

app = typer.Typer(
    name="latcover",
    help="Model and solve put-together puzzles on any lattice.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line. An error becomes one paragraph, and an exit code other than 0."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # escape what the terminal's encoding lacks
    completion.rejoin_words()
    try:
        sys.exit(app(prog_name="latcover", standalone_mode=False) or 0)
    except UsageError as fault:
        say_error(usage_message(fault, sys.argv[1:]))
        sys.exit(2)
    except LatcoverError as problem:
        say_error(str(problem))
        sys.exit(1)
    except MemoryError as fault:
        what = f" ({fault})" if str(fault) else ""
        say_error(f"out of memory{what}; allow more (ulimit -v), lower --max-placements, or take a smaller puzzle")
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        say_error("interrupted")
        sys.exit(130)
    except SystemExit as end:
        if end.code == 130:  # typer ends so after Ctrl-C before or after a search
            say_error("interrupted")
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as problem:
        say_error(f"cannot write: {problem.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


@app.command()
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
        answer = search_puzzle(prepared, solver, search, shown, show, images)
    else:
        options = (encoding, given, search)
        with named_or_temporary_file(run, talk) as where:
            answer = run_in_file(where, prepared, ("solve", puzzle, backend), options, shown, (show, images))
    form: Any = "summary" if as_json else None
    print_answer(
        answer, lambda: prepared, talk, puzzle=puzzle or DEFAULT_PUZZLE, run=run.run, as_json=form, tally=tally
    )
    finish(answer, sat_exit_codes, tally)


@app.command()
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
    as_json: AsJson = False,
    sat_exit_codes: SatExitCodes = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Count the solutions: the essentially different ones, and all."""
    from latcover.formats.library import DEFAULT_PUZZLE

    check_method(counting.method, search, run, assemblable=assemblable)
    solver = check_backend(backend, search, run, talk)
    prepared = prepare(load_subject(puzzle, given, talk), encoding, given)
    shown = watcher(talk, watch)
    tally = None
    if assemblable:
        answer, tally = search_for_assemblable(prepared, solver, (search, assembly, run), shown)
    elif not run.in_jobs:
        answer = count_puzzle(prepared, solver, search, counting, shown)
    else:
        options = (encoding, given, search)
        with named_or_temporary_file(run, talk) as where:
            answer = run_in_file(where, prepared, ("count", puzzle, backend), options, shown)
    form: Any = "object" if as_json else None
    print_answer(
        answer, lambda: prepared, talk, puzzle=puzzle or DEFAULT_PUZZLE, run=run.run, as_json=form, tally=tally
    )
    finish(answer, sat_exit_codes, tally)


@app.command()
@expanded
def info(
    puzzle: PuzzleOrLatticeName = None,
    *,
    system: Annotated[
        bool, typer.Option("--system", help="Print versions, processor and kernels instead, for a report of a defect.")
    ] = False,
    encoding: EncodingOptions,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Print a puzzle's figures, or what a lattice is: its axes, nodes, neighbours and transformations.

    The figures of a puzzle are the columns of Table 1 of Barequet and Tal. They count every copy of a part.
    """
    from latcover.formats.library import lattice_called
    from latcover.reporting.figures import info_as_json, info_as_text
    from latcover.reporting.lattices import lattice_as_json, lattice_as_text

    if system:
        from latcover.reporting.system import system_as_json, system_as_text

        if puzzle is not None:
            raise typer.BadParameter(f"--system tells about this machine, not about a puzzle; leave {puzzle} out")
        about = system_as_json()
        echo(json.dumps(about) if as_json else system_as_text(about))
        return

    lattice = lattice_called(puzzle)
    if lattice is not None:
        about = lattice_as_json(lattice)
        echo(json.dumps(about) if as_json else lattice_as_text(about))
        return
    figures = info_as_json(prepare(load_subject(puzzle, given, talk), encoding, given))
    echo(json.dumps(figures) if as_json else info_as_text(figures))


@app.command()
@expanded
def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]",
            help="A puzzle, lattice or part-set file, or a shipped name; several of them; or a folder of them.",
            autocompletion=completion.everything_shipped,
        ),
    ] = None,
    *,
    all_shipped: Annotated[
        bool, typer.Option("--all", help="Count every shipped puzzle, and compare with what its file expects.")
    ] = False,
    long: Annotated[bool, typer.Option("--long", help="With --all: also count puzzles that take long.")] = False,
    as_json: AsJson = False,
    given: BoundsOptions,
    talk: TalkOptions,
) -> None:
    """Say everything that is wrong with a file; or check many files; or count all shipped puzzles.

    Several files and folders have a line each, and a total. A folder stands for the .toml, .xmpuzzle, .dlx and .xcc
    files in it, at any depth. Exit code 1: a file is wrong, or a count is not the expected one.
    """
    only_one({"FILE": bool(files), "--all": all_shipped})
    if long and not all_shipped:
        raise typer.BadParameter("--long goes with --all; give both, or leave --long out")
    if all_shipped:
        _check_all(long, as_json)
        return
    if not files:
        raise typer.BadParameter("name a FILE or a folder to check, or give --all")
    from latcover.reporting.check import files_of, inspect_file

    names = files_of(files)
    if names != files or len(names) > 1:
        _check_many(names, given.bounds(), as_json)
        return
    report = inspect_file(files[0], given.bounds())
    if as_json:
        echo(json.dumps(report.as_json()))
    else:
        for complaint in report.complaints:
            if not (complaint.warning and talk.quiet):
                echo(str(complaint))
        echo(report.verdict())
    if not report.sound:
        raise typer.Exit(1)


def _check_many(names: list[str], bounds: Bounds, as_json: bool) -> None:
    from latcover.errors import counted
    from latcover.reporting.check import inspect_files

    wrong = 0
    for report in inspect_files(names, bounds):
        wrong += not report.sound
        echo(json.dumps(report.as_json()) if as_json else report.line())
    if not as_json:
        echo(f"{counted(len(names), 'file')}: {f'{wrong:,} wrong' if wrong else 'all sound'}")
    if wrong:
        raise typer.Exit(1)


def _check_all(long: bool, as_json: bool) -> None:
    from latcover.formats.library import load_all, names
    from latcover.reporting.check import check_expectations

    differing = 0
    for puzzle in (puzzle for name in names("instances") for puzzle in load_all(name)):
        skipped = puzzle.long and not long
        figures = [] if skipped else check_expectations(puzzle)
        wrong = [figure for figure in figures if figure[1] != figure[2]]
        differing += len(wrong)
        if as_json:
            rows = [dict(zip(("figure", "expected", "found"), figure, strict=True)) for figure in figures]
            echo(json.dumps({"puzzle": puzzle.name, "skipped": skipped, "ok": not wrong, "figures": rows}))
            continue
        verdict = "left out: takes long" if skipped else "agrees" if not wrong else "DIFFERS"
        told = [(name.replace("_", " "), *map(_figure, values)) for name, *values in figures if name in _COUNTED]
        shown = [f"{name} {found}" for name, _, found in told]
        shown += [f"{name} is {_figure(found)}, expected {_figure(expected)}" for name, expected, found in wrong]
        echo(f"{puzzle.name:<32} {verdict:<8} {'; '.join(shown)}")
    if not as_json:
        echo("all agree" if not differing else f"{differing} figures differ")
    if differing:
        raise typer.Exit(1)


_COUNTED = ("different", "different_under_rotations", "total", "assemblable", "level")


def _figure(value: int | str) -> str:
    return value or "none" if isinstance(value, str) else f"{value:,}"


@app.command(name="list")
@expanded
def list_shipped(*, as_json: AsJson = False) -> None:
    """List what is shipped: puzzles, lattices, part sets and backends."""
    from latcover.backends import names
    from latcover.formats.library import titles

    backends = {name: _backend(name) for name in names()}
    shipped: dict[str, Any] = {
        "puzzles": titles("instances"),
        "lattices": titles("lattices"),
        "sets": titles("sets"),
        "backends": backends,
    }
    if as_json:
        echo(json.dumps(shipped))
        return
    for kind in ("puzzles", "lattices", "sets"):
        echo(f"{kind}:")
        width = max(map(len, shipped[kind]))
        for name, title in shipped[kind].items():
            echo(f"  {name:<{width}}  {escaped(title)}")
    echo("backends, and their options:")
    for name, backend in backends.items():
        echo(f"  {name}: {backend['summary']}")
        for option, about in backend["options"].items():
            echo(f"    {option} = {json.dumps(about['default'])}: {about['takes']}")


def _backend(name: str) -> dict[str, Any]:
    """A backend as data: a summary and its options, or why it cannot be used."""
    from latcover.backends import describe

    try:
        summary, options = describe(name)
    except LatcoverError as fault:
        return {"summary": f"not available: {fault}", "options": {}}
    return {"summary": summary, "options": {o.name: {"takes": o.takes, "default": o.default} for o in options}}


app.command()(assemble)
app.command()(show)
app.command()(compare)
app.command()(estimate)
app.command()(export)
app.command(name="import")(import_file)
app.command()(decode)
app.command()(resume)
app.command()(runs)
app.command()(serve)
app.add_typer(bench, name="bench")


def _show_version(wanted: bool) -> None:
    if wanted:
        echo(f"latcover {installed_version('latcover')}")
        raise typer.Exit


WELCOME = """\
latcover solve soma                 find all solutions of a shipped puzzle, and show each
latcover show soma --output x.svg   draw one (`latcover list` names the puzzles, `latcover serve` opens the web app)
latcover --help                     all commands; `latcover COMMAND --help` tells of one"""


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        echo(WELCOME)
