"""The commands for files of other programs: `export`, `import` and `decode`."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import (
    SYMMETRY_NEEDED,
    AsJson,
    EncodingOptions,
    InputOptions,
    MessageOptions,
    expanded,
)
from latcover.apps.cli.shared.output import (
    STDOUT,
    echo,
    echo_picture,
    echo_result,
    is_terminal,
    require_writable,
    say,
    say_error,
    screen_width,
    wants_colour,
    warn,
    write_pieces,
)
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import Watch, Watcher, watched
from latcover.apps.cli.shared.subjects import load_puzzles, load_subject, prepare
from latcover.core.model.request_values import ReductionMethod, SymmetryChoice
from latcover.errors import PuzzleError, UnsupportedError, counted, suggest

if TYPE_CHECKING:
    from latcover.core.cover.searchable import AnySolution
    from latcover.core.model.disassembly import Disassembly
    from latcover.core.model.puzzle import Puzzle
    from latcover.core.model.solution import Solution
    from latcover.files.exchange.decode import Decoded
    from latcover.files.exchange.foreign_answers import Model
    from latcover.files.formats.cover_problems.exported import Exported
    from latcover.files.formats.letters.letters_text import Assembly
    from latcover.files.formats.library import ReadSubject

WORDS_OF_SYMMETRY = {"all": " under rotations and reflections", "rotations": " under rotations", "none": ""}


@expanded
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
    from latcover.files.exchange.written_solutions import searched_solutions
    from latcover.files.formats.cover_problems.exported import exported
    from latcover.files.formats.forms import WRITTEN, WriteOptions, form_to_write
    from latcover.lab.asking.all_solutions import DiagramRequest, all_solutions

    puzzle, name = _puzzle_and_form(words or [], WRITTEN)
    form = form_to_write(name, output)
    if order is not None and form.numbered:
        raise UnsupportedError(f"--order has no meaning for the form {form.name!r}; leave it out, or take dlx or npz")
    if symmetry is None and (pivot is not None or reduction != "auto"):
        raise typer.BadParameter(SYMMETRY_NEEDED)
    require_writable(output, reads=puzzle)
    if form.binary and output in (None, STDOUT) and is_terminal(sys.stdout):
        raise UnsupportedError(f"the form {form.name!r} is binary, no text for a terminal; name a file with --output")
    if form.of_puzzles and symmetry is not None and not solutions:
        raise UnsupportedError(
            f"--symmetry has no meaning for the form {form.name!r} without --solutions; leave it out"
        )
    if form.of_diagram and symmetry is not None:
        raise UnsupportedError("a diagram holds all solutions, so --symmetry has no meaning for it; leave it out")
    if take_apart and not solutions:
        raise UnsupportedError("--take-apart takes the solutions apart; add --solutions")
    chosen = EncodingOptions(symmetry or ("all" if form.of_puzzles else "none"), reduction, pivot, order)
    apart, diagram = _TakenApart(), None
    searches = solutions or form.of_diagram
    with watched(Watcher()) if searches else nullcontext(Watch(Watcher())) as events:
        search = partial(
            searched_solutions, cancelled=lambda: events.interrupted, disassemble=apart if take_apart else None
        )
        if form.of_puzzles:
            puzzles = load_puzzles(puzzle, inputs, messages)
            written: Exported | Sequence[Puzzle] = puzzles
            streams = [search(partial(prepare, each, chosen, inputs)) for each in puzzles]
        else:
            subject = prepare(load_subject(puzzle, inputs, messages), chosen, inputs)
            written, streams = exported(subject), [search(lambda: subject)]
            if form.of_diagram:
                diagram = all_solutions(subject, DiagramRequest(), events).diagram
        options = WriteOptions(encoding, projected, tuple(streams) if solutions else (), take_apart, diagram)
        write_pieces(output, form.write(written, options), messages)
        if apart.unknown:
            many = counted(apart.unknown, "solution")
            say(f"note: of {many} it is not known whether they come apart; `latcover apart` looks longer", messages)
        if apart.turning:
            many = counted(apart.turning, "solution")
            say(
                f"note: no plan is written for {many} that slides alone do not take apart: BurrTools' plans have no "
                "turns; `latcover apart` tries these",
                messages,
            )
    if events.interrupted:
        raise typer.Exit(EXIT_LIMIT)


class _TakenApart:
    """Takes solutions apart by slides, and counts those of which this is not known in the end.

    Attributes:
        turning: How many that are stuck belong to puzzles whose parts may turn.
    """

    unknown = 0
    turning = 0

    def __call__(self, solution: Solution) -> Disassembly:
        from latcover.lab.assembly.taking_apart import disassemble

        found = disassemble(solution)
        self.unknown += found.result == "unknown"
        self.turning += found.result == "stuck" and solution.puzzle is not None and solution.puzzle.turning is not None
        return found


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


@expanded
def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    *,
    output: Path | None = None,
    lattice: Annotated[str | None, typer.Option(metavar="NAME", autocompletion=completion.lattices)] = None,
    box: Annotated[str | None, typer.Option(metavar="AxBxC")] = None,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.forms import SCAD
    from latcover.files.formats.library import load_subjects

    require_writable(output, reads=file)
    if file.suffix.lower() in SCAD.suffixes:
        write_pieces(output, iter([_own_form_of_model(file, box, lattice, inputs, messages).encode()]), messages)
        return
    if box is not None:
        raise UnsupportedError("--box gives a region to parts that have none (.scad); this file has its own")
    subjects = load_subjects(str(file), inputs.bounds(), inputs.problem, lattice)
    # Each usable problem of a file has the warnings about the unusable ones; say each warning once.
    warn(tuple(dict.fromkeys(complaint for subject in subjects for complaint in subject.warnings)), messages)
    write_pieces(output, _own_form(subjects), messages)


def _own_form_of_model(
    file: Path, box: str | None, lattice: str | None, inputs: InputOptions, messages: MessageOptions
) -> str:
    """The parts of a model as a part set; or with a box, the puzzle to fill it."""
    from latcover.files.formats.library import load_model
    from latcover.files.formats.puzzle_files.puzzle_writer import part_set_as_toml, puzzle_as_toml
    from latcover.files.formats.puzzlecad.puzzlecad_reader import in_a_box

    if lattice is not None:
        raise UnsupportedError(
            "a model made with puzzlecad says itself what its parts are made of; leave --lattice out"
        )
    found = load_model(str(file), inputs.bounds(), inputs.problem)
    warn(found.warnings, messages)
    if box is None:
        return part_set_as_toml(found.parts)
    sizes = box.split("x")
    if not all(re.fullmatch("[1-9][0-9]{0,5}", size) for size in sizes):
        raise UnsupportedError(f"--box takes sizes such as 4x4x4, not {box!r:.40}")
    return puzzle_as_toml([in_a_box(found, [int(size) for size in sizes], inputs.bounds())])


def _own_form(subjects: Sequence[ReadSubject]) -> Iterator[bytes]:
    from latcover.core.model.puzzle import Puzzle
    from latcover.files.formats.cover_problems import dlx_text
    from latcover.files.formats.cover_problems.exported import exported
    from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

    puzzles = [subject for subject in subjects if isinstance(subject, Puzzle)]
    if puzzles:
        yield puzzle_as_toml(puzzles).encode()
    for subject in subjects:
        if not isinstance(subject, Puzzle):
            yield from dlx_text.write(exported(subject))


@expanded
def decode(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", autocompletion=completion.puzzles)],
    model: Annotated[Path, typer.Argument(metavar="MODEL")],
    *,
    kind: Annotated[
        str | None, typer.Option("--format", metavar="sat|dlx|mip|text", autocompletion=completion.kinds_of_answer)
    ] = None,
    symmetry: SymmetryChoice = "all",
    color: bool | None = None,
    count_only: Annotated[bool, typer.Option("--count")] = False,
    as_json: AsJson = False,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.exchange.decode import decode as decode_models
    from latcover.files.exchange.foreign_answers import Kind, read_models
    from latcover.show.reporting.search_report import solution_as_lines

    if kind is not None and kind not in list(Kind):
        raise typer.BadParameter(
            f"--format cannot be {kind!r}; it takes {', '.join(Kind)}{suggest(kind, Kind, listing=False)}"
        )
    prepared = prepare(load_subject(puzzle, inputs, messages), EncodingOptions(symmetry), inputs)
    coloured, width = wants_colour(color), screen_width()

    def show(solution: AnySolution) -> None:
        if as_json:
            echo(json.dumps(solution.as_json()))
            return
        lines = solution_as_lines(solution, colour=coloured, width=width)
        echo_picture("\n".join([f"solution {solution.number}", *lines, ""]))

    with _opened(model) as lines:
        models: Iterator[Model | Assembly] = read_models(
            lines, str(model), Kind(kind) if kind else None, lambda note: say(f"note: {note}", messages)
        )
        decoded = decode_models(prepared, models, None if count_only else show, str(model))
    for line, fault in decoded.wrong[:3]:
        say_error(f"{model}:{line}: no solution: {fault}")
    echo_result({"summary": _as_json(decoded)}, _as_text(decoded), as_json=as_json)
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


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file, or of standard input."""
    from latcover.system.reading import NotRegularError, opened

    if str(path) == "-":
        if sys.stdin is None:
            raise PuzzleError("there is no standard input to read")
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        yield _lines(sys.stdin, path)
        return
    try:
        file = opened(path)
    except NotRegularError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}; what a program writes is read from -") from None
    except OSError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
    with io.TextIOWrapper(file, encoding="utf-8", errors="replace") as text:
        yield _lines(text, path)


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    """The lines of a file. An error of reading becomes a `PuzzleError`; the caller's errors stay as they are."""
    from latcover.files.exchange.foreign_answers import LONGEST

    while True:
        try:
            line = file.readline(LONGEST + 1)  # a device may have no line ends
        except OSError as problem:
            raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
        if not line:
            return
        yield line
