"""The commands `compare` and `bench`: several methods on the same puzzle, side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec.structs import asdict

from latcover.apps.cli.commands.best_command import sense_of
from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import (
    AsJson,
    EncodingOptions,
    InputOptions,
    MessageOptions,
    PuzzleName,
    ShowAll,
)
from latcover.apps.cli.shared.output import (
    is_terminal,
    require_writable,
    say,
    say_error,
    wants_colour,
    write_or_echo,
)
from latcover.apps.cli.shared.progress import status_of
from latcover.apps.cli.shared.subjects import load_subject
from latcover.backends import names
from latcover.core.model.request_values import Natural, Seconds
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.lab.comparing.compare import CompareRequest, Comparison, Run
    from latcover.lab.comparing.methods import Method
    from latcover.lab.comparing.optima import OptimumRun


Form = Literal["table", "json", "csv", "markdown"]  # how a comparison is written
FORM_OF_SUFFIX: dict[str, Form] = {".json": "json", ".csv": "csv", ".md": "markdown", ".txt": "table"}

MethodNames = Annotated[
    str | None, typer.Option("--methods", metavar="A,B,...", show_default=False, autocompletion=completion.methods)
]
TimeLimit = Annotated[Seconds | None, typer.Option("--time")]


def compare(
    puzzle: PuzzleName = None,
    *,
    methods: MethodNames = None,
    backends: Annotated[
        str | None, typer.Option(metavar="A,B,...", show_default=False, autocompletion=completion.listed_backends)
    ] = None,
    time: TimeLimit = None,
    limit: Natural | None = None,
    form: Annotated[Form | None, typer.Option("--format", show_default="table")] = None,
    as_json: AsJson = False,
    output: Path | None = None,
    every: ShowAll = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    best: Annotated[tuple[str, str] | None, typer.Option(metavar="minimize|maximize NAME", show_default=False)] = None,
    encoding: EncodingOptions,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.library import DEFAULT_PUZZLE
    from latcover.lab.comparing.compare import CompareRequest
    from latcover.show.reporting.compared import compare as compared

    chosen_form = _form(form, as_json, output)
    require_writable(output, plot)
    if plot is not None:
        from latcover.lab.comparing.plot import require_plotting

        require_plotting(plot)
    usual = InputOptions()
    request = CompareRequest(
        **asdict(encoding.choices()),
        methods=",".join(filter(None, (methods, backends))) if (methods, backends) != (None, None) else None,
        time=time,
        limit=limit,
        problem=inputs.problem,
        max_cells=None if inputs.max_cells == usual.max_cells else inputs.max_cells,
        max_placements=None if inputs.max_placements == usual.max_placements else inputs.max_placements,
    )
    if best is not None:
        if plot is not None or chosen_form == "csv":
            raise UnsupportedError("--best is compared as a table, as Markdown or as JSON; leave --plot and CSV out")
        _compare_optima(puzzle or DEFAULT_PUZZLE, request, best, chosen_form, output, messages)
        return
    chosen = request.chosen_methods()
    load_subject(puzzle, inputs, messages)  # says its warnings
    shows_table = output is None and is_terminal(sys.stdout)  # which has it all, in a moment
    tell = partial(say, messages=messages) if chosen_form == "table" and not shows_table else None
    with told_runs(puzzle or DEFAULT_PUZZLE, chosen, messages, tell) as (on_start, on_end):
        comparison = compared(puzzle or DEFAULT_PUZZLE, request, on_start=on_start, on_end=on_end)
    _write(comparison, chosen_form, output, messages, every=every)
    if plot is not None:
        from latcover.lab.comparing.plot import plot as draw

        draw(comparison, plot)
        say(f"wrote {plot}", messages)
    if comparison.disagreements and (output is not None or chosen_form != "table"):
        say_error(comparison.verdict()[0])
    if comparison.exit_code:
        raise typer.Exit(comparison.exit_code)


def _compare_optima(
    puzzle: str,
    request: CompareRequest,
    best: tuple[str, str],
    form: Form,
    output: Path | None,
    messages: MessageOptions,
) -> None:
    """Compare what methods find and prove of an optimum."""
    from latcover.lab.comparing.methods import chosen_methods
    from latcover.lab.comparing.optima import USUAL, compare_optima
    from latcover.system.child_process import Children

    asked = sense_of(best)
    methods = request.chosen_methods() if request.methods else chosen_methods(USUAL, names())
    with Children() as children, status_of(messages) as show:

        def on_start(method: Method, number: int) -> None:
            show(f"{puzzle}: {method.name} ({number + 1} of {len(methods)})")

        def on_end(run: OptimumRun) -> None:
            if form == "table":
                say(run.as_line(), messages)

        optima = compare_optima(
            puzzle, methods, request.arguments(), children, on_start=on_start, on_end=on_end, **asked
        )
    as_table = optima.as_text(markdown=form == "markdown")
    write_or_echo(output, json.dumps(optima.as_json()) if form == "json" else as_table, messages)
    if optima.exit_code:
        raise typer.Exit(optima.exit_code)


def _form(form: Form | None, as_json: bool, output: Path | None) -> Form:
    if as_json and form not in (None, "json"):
        raise typer.BadParameter(f"--json and --format {form} exclude each other; leave one of them out")
    if as_json or form is not None:
        return "json" if form is None else form
    if output is None:
        return "table"
    if output.suffix not in FORM_OF_SUFFIX:
        known = ", ".join(FORM_OF_SUFFIX)
        raise typer.BadParameter(f"--output {output}: no form has this suffix; name a file {known}, or give --format")
    return FORM_OF_SUFFIX[output.suffix]


@contextmanager
def told_runs(
    name: str, methods: Sequence[Method], messages: MessageOptions, tell: Callable[[str], None] | None
) -> Iterator[tuple[Callable[[Method, int], None], Callable[[Run], None]]]:
    """What shows which method runs, if standard error is a terminal, and what *tells* its result when it has ended."""
    from latcover.lab.comparing.comparison_tables import run_as_line

    with status_of(messages) as show:

        def on_start(method: Method, number: int) -> None:
            show(f"{name}: {method.name} ({number + 1} of {len(methods)})")

        def on_end(run: Run) -> None:
            if tell is not None:
                tell(run_as_line(run))

        yield on_start, on_end


def _write(comparison: Comparison, form: Form, output: Path | None, messages: MessageOptions, *, every: bool) -> None:
    from latcover.lab.comparing import comparison_tables as tables

    if form == "table" and output is None and is_terminal(sys.stdout):
        tables.show_table(comparison, colour=wants_colour(None), blocks=_blocks(), every=every)
        return
    if form == "json":
        text = json.dumps(tables.as_json(comparison))
    elif form == "csv":
        text = tables.as_csv(comparison)
    elif form == "markdown":
        text = tables.as_markdown(comparison)
    else:
        text = tables.as_text(comparison, blocks=tables.BLOCKS if output is not None else _blocks())
    write_or_echo(output, text, messages)


def _blocks() -> str:
    """The characters of the bars: plain ones if standard output cannot encode the others."""
    from latcover.lab.comparing.comparison_tables import BLOCKS, PLAIN_BLOCKS

    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return PLAIN_BLOCKS
    return BLOCKS
