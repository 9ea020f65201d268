"""The commands for files of other programs: `export`, `import` and `decode`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import (
    SYMMETRY_NEEDED,
    AsJson,
    EncodingOptions,
    InputOptions,
    MessageOptions,
    ShowAll,
)
from latcover.apps.cli.shared.output import (
    STDOUT,
    echo,
    echo_result,
    is_terminal,
    require_writable,
    say,
    say_error,
    warn,
    write_pieces,
)
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, SolutionPrinter
from latcover.apps.cli.shared.progress import Watch, Watcher, watched
from latcover.apps.cli.shared.subjects import load_puzzles, load_subject, prepare
from latcover.core.model.request_values import ReductionMethod, SymmetryChoice
from latcover.errors import PuzzleError, UnsupportedError, counted, suggest

if TYPE_CHECKING:
    from latcover.core.cover.searchable import AnySolution
    from latcover.files.exchange.decode import Decoded
    from latcover.lab.asking.exporting import ExportedFile

WORDS_OF_SYMMETRY = {"all": " under rotations and reflections", "rotations": " under rotations", "none": ""}


def export(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE] [FORM]", autocompletion=completion.puzzles_and_forms)
    ] = None,
    *,
    output: Path | None = None,
    symmetry: SymmetryChoice | None = None,
    reduction: ReductionMethod = "auto",
    pivot: Annotated[str | None, typer.Option(metavar="PART")] = None,
    order: Annotated[str | None, typer.Option(metavar="AXES")] = None,
    encoding: Annotated[str | None, typer.Option(metavar="NAME", autocompletion=completion.encodings)] = None,
    projected: bool = False,
    solutions: bool = False,
    take_apart: bool = False,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.forms import WRITTEN
    from latcover.lab.asking.exporting import ExportRequest
    from latcover.lab.asking.exporting import export as written

    puzzle, name = _puzzle_and_form(words or [], WRITTEN)
    chosen = EncodingOptions(symmetry or "all", reduction, pivot, order).choices()
    if symmetry is None and (pivot is not None or reduction != "auto"):
        raise typer.BadParameter(SYMMETRY_NEEDED)
    request = ExportRequest(
        form=name,
        symmetry=symmetry,
        reduction=reduction,
        pivot=pivot,
        order=chosen.order,
        encoding=encoding,
        projected=projected,
        solutions=solutions,
        take_apart=take_apart,
    )
    form = request.form_of(output)
    request = replace(request, form=form.name)
    require_writable(output, reads=puzzle)
    if form.binary and output in (None, STDOUT) and is_terminal(sys.stdout):
        raise UnsupportedError(f"the form {form.name!r} is binary, no text for a terminal; name a file with --output")
    load = load_puzzles if form.of_puzzles else load_subject
    subject = load(puzzle, inputs, messages)
    searches = solutions or form.of_diagram
    with watched(Watcher()) if searches else nullcontext(Watch(Watcher())) as events:
        file = written(subject, request, events, bounds=inputs.bounds())
        write_pieces(output, file, messages)
        _say_what_is_missing(file, messages)
    if events.interrupted:
        raise typer.Exit(EXIT_LIMIT)


def _say_what_is_missing(file: ExportedFile, messages: MessageOptions) -> None:
    """Say of how many solutions the file does not tell how they come apart."""
    if file.unknown:
        many = counted(file.unknown, "solution")
        say(f"note: of {many} it is not known whether they come apart; `latcover apart` looks longer", messages)
    if file.turning:
        many = counted(file.turning, "solution")
        say(
            f"note: no plan is written for {many} that slides alone do not take apart: BurrTools' plans have no "
            "turns; `latcover apart` tries these",
            messages,
        )


def _puzzle_and_form(words: list[str], forms: Mapping[str, object]) -> tuple[str | None, str | None]:
    """The puzzle and the form among one or two words. Without a puzzle: None, the usual one. Without a form: None."""
    if len(words) > 2:
        raise typer.BadParameter(f"give one puzzle and one form, not {len(words)} words")
    if len(words) == 2:
        turned = words[0] in forms and words[1] not in forms
        return (words[1], words[0]) if turned else (words[0], words[1])
    if len(words) == 1 and words[0] not in forms:
        return words[0], None
    return None, words[0] if words else None


def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    *,
    output: Path | None = None,
    lattice: Annotated[str | None, typer.Option(metavar="NAME", autocompletion=completion.lattices)] = None,
    box: Annotated[str | None, typer.Option(metavar="AxBxC")] = None,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.importing import import_file as imported

    require_writable(output, reads=file)
    found = imported(file, lattice=lattice, box=box, problem=inputs.problem, bounds=inputs.bounds())
    warn(found.warnings, messages)
    write_pieces(output, found.pieces(), messages)


def decode(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", autocompletion=completion.puzzles)],
    model: Annotated[Path, typer.Argument(metavar="MODEL")],
    *,
    kind: Annotated[
        str | None, typer.Option("--format", metavar="sat|dlx|mip|text", autocompletion=completion.kinds_of_answer)
    ] = None,
    symmetry: SymmetryChoice = "all",
    color: bool | None = None,
    every: ShowAll = False,
    count_only: Annotated[bool, typer.Option("--count")] = False,
    as_json: AsJson = False,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.exchange.answer_files import decode as decode_answer
    from latcover.files.exchange.foreign_answers import Kind

    if kind is not None and kind not in list(Kind):
        raise typer.BadParameter(
            f"--format cannot be {kind!r}; it takes {', '.join(Kind)}{suggest(kind, Kind, listing=False)}"
        )
    prepared = prepare(load_subject(puzzle, inputs, messages), EncodingOptions(symmetry), inputs)
    printer = SolutionPrinter(Watcher(), images=False, color=color, as_json=False, every=every)

    def show(solution: AnySolution) -> None:
        if as_json:
            echo(json.dumps(solution.as_json()))
        else:
            printer(solution)

    decoded = decode_answer(
        prepared,
        _standard_input(model) if str(model) == "-" else model,
        kind=None if kind is None else Kind(kind).value,
        on_solution=None if count_only else show,
        on_note=lambda note: say(f"note: {note}", messages),
    )
    printer.end()
    for line, fault in decoded.wrong[:3]:
        say_error(f"{model}:{line}: no solution: {fault}")
    echo_result({"summary": _as_json(decoded)}, _as_text(decoded), as_json=as_json, answer=True)
    if decoded.n_wrong:
        raise typer.Exit(1)


def _as_json(decoded: Decoded) -> dict[str, object]:
    wrong = [{"line": line, "reason": reason} for line, reason in decoded.wrong]
    return {
        "puzzle": decoded.puzzle,
        "models": decoded.models,
        "solutions": decoded.solutions,
        "symmetry": decoded.symmetry,
        "different": decoded.different,
        "wrong": decoded.n_wrong,
        "faults": wrong,
    }


def _as_text(decoded: Decoded) -> str:
    under = WORDS_OF_SYMMETRY[decoded.symmetry]
    text = f"{decoded.puzzle}: {counted(decoded.models, 'model')}, {counted(decoded.solutions, 'solution')}"
    text += f", {decoded.different:,} different{under}" if under else ""
    return text + (f"; {counted(decoded.n_wrong, 'model')} no solution" if decoded.n_wrong else "")


def _standard_input(path: Path) -> Iterator[str]:
    """The lines of standard input."""
    from latcover.files.exchange.answer_files import lines_of

    if sys.stdin is None:
        raise PuzzleError("there is no standard input to read")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return lines_of(sys.stdin, path)
