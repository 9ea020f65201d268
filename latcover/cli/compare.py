"""The commands `compare` and `bench`: several methods on the same puzzle, side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli import completion
from latcover.cli.options import AsJson, EncodingOptions, InputOptions, PuzzleName, TalkOptions, expanded
from latcover.cli.support import (
    echo,
    is_terminal,
    load_subject,
    prepare,
    require_writable,
    say,
    say_error,
    wants_colour,
    write_file,
)
from latcover.errors import escaped

if TYPE_CHECKING:
    from latcover.comparing.compare import Comparison
    from latcover.comparing.methods import Method


class Form(StrEnum):
    """How a comparison is written."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


FORM_OF_SUFFIX = {".json": Form.json, ".csv": Form.csv, ".md": Form.markdown, ".txt": Form.table}

MethodNames = Annotated[
    str | None,
    typer.Option(
        "--methods",
        metavar="A,B,...",
        help="Which methods: BT, BT+ST, BT+SZ, MC, MC+ST, MC+SZ, MC+SZ+ST, or a backend, with options of its own as in "
        "sat:solver=minisat22,encoding=pairwise (default: all but auto, which picks one of them).",
        show_default=False,
        autocompletion=completion.methods,
    ),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time", min=0, metavar="SECONDS", help="Stop each search after so many seconds.")
]


@expanded
def compare(
    puzzle: PuzzleName = None,
    *,
    methods: MethodNames = None,
    backends: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Backends to run too, as they are by default.",
            show_default=False,
            autocompletion=completion.listed_backends,
        ),
    ] = None,
    time: TimeLimit = None,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Stop each search after N different solutions.")
    ] = None,
    form: Annotated[Form | None, typer.Option("--format", help="How to write it.", show_default="table")] = None,
    as_json: AsJson = False,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file instead, in the form of its suffix (.json .csv .md .txt).")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw time and branches into this file (.png or .svg).")
    ] = None,
    encoding: EncodingOptions,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Run several methods on one puzzle, each in its own process, and check whether they agree.

    Exit code 1: some disagree or failed. 3: none disagree, but some were cut short.
    """
    from latcover.formats.library import DEFAULT_PUZZLE
    from latcover.reporting.figures import info_as_json

    chosen_form = _form(form, as_json, output)
    require_writable(output, plot)
    if plot is not None:
        from latcover.comparing.plot import require_plotting

        require_plotting(plot)
    chosen = chosen_of(methods, backends)
    loaded = load_subject(puzzle, given, talk)
    figures = info_as_json(prepare(loaded, encoding, given))  # reports an error of the puzzle once
    arguments = _shared_arguments(encoding, given, time=time, limit=limit)
    comparison = run_methods(puzzle or DEFAULT_PUZZLE, chosen, arguments, figures, talk)
    _write(comparison, chosen_form, output, talk)
    if plot is not None:
        from latcover.comparing.plot import plot as draw

        draw(comparison, plot)
        say(f"wrote {plot}", talk)
    if comparison.disagreements and (output is not None or chosen_form is not Form.table):
        say_error(comparison.verdict()[0])
    if comparison.exit_code:
        raise typer.Exit(comparison.exit_code)


def _form(form: Form | None, as_json: bool, output: Path | None) -> Form:
    if as_json and form not in (None, Form.json):
        raise typer.BadParameter(f"--json and --format {form} exclude each other; leave one of them out")
    if as_json or form is not None:
        return Form.json if form is None else form
    if output is None:
        return Form.table
    if output.suffix not in FORM_OF_SUFFIX:
        known = ", ".join(FORM_OF_SUFFIX)
        raise typer.BadParameter(f"--output {output}: no form has this suffix; name a file {known}, or give --format")
    return FORM_OF_SUFFIX[output.suffix]


def chosen_of(methods: str | None, backends: str | None) -> tuple[Method, ...]:
    from latcover.backends import names, searchers
    from latcover.comparing.methods import chosen_methods, known_methods

    if methods is None and backends is None:
        return tuple(known_methods(searchers()).values())
    wanted = ",".join(text for text in (methods, backends) if text is not None)
    return chosen_methods(wanted, names())


def _shared_arguments(
    encoding: EncodingOptions, given: InputOptions, *, time: float | None, limit: int | None
) -> list[str]:
    """The options for every method: only those that differ from their defaults."""
    usual, values = EncodingOptions(), vars(encoding) | vars(given) | {"time": time, "limit": limit}
    defaults = vars(usual) | vars(InputOptions())
    words = []
    for name, value in values.items():
        if value is not None and value != defaults.get(name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def run_methods(
    puzzle: str, methods: tuple[Method, ...], arguments: list[str], figures: dict[str, Any], talk: TalkOptions
) -> Comparison:
    """Run the methods as child processes. If standard error is a terminal, it shows which method runs."""
    from latcover.comparing.compare import compare as run_all
    from latcover.system.child_process import Children

    with Children() as children, status_of(talk) as show:

        def on_start(method: Method, number: int) -> None:
            show(f"{figures['puzzle']}: {method.name} ({number + 1} of {len(methods)})")

        return run_all(puzzle, methods, arguments, children, figures=figures, on_start=on_start)


@contextmanager
def status_of(talk: TalkOptions) -> Iterator[Any]:
    if not is_terminal(sys.stderr) or talk.quiet:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("") as status:
        yield lambda text: status.update(escape(escaped(text)))


def _write(comparison: Comparison, form: Form, output: Path | None, talk: TalkOptions) -> None:
    from latcover.comparing import tables

    if form is Form.table and output is None and is_terminal(sys.stdout):
        tables.show_table(comparison, colour=wants_colour(None), blocks=_blocks())
        return
    if form is Form.json:
        text = json.dumps(tables.as_json(comparison))
    elif form is Form.csv:
        text = tables.as_csv(comparison).rstrip("\n")
    elif form is Form.markdown:
        text = tables.as_markdown(comparison).rstrip("\n")
    else:
        text = tables.as_text(comparison, blocks=tables.BLOCKS if output is not None else _blocks())
    if output is None:
        echo(text)
    else:
        write_file(output, text, talk)


def _blocks() -> str:
    """The characters of the bars: plain ones if standard output cannot encode the others."""
    from latcover.comparing.tables import BLOCKS, PLAIN_BLOCKS

    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return PLAIN_BLOCKS
    return BLOCKS
