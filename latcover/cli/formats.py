"""The commands for files of other programs: `export`, `import` and `decode`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from latcover.cli import completion
from latcover.cli.options import (
    AsJson,
    EncodingOptions,
    InputOptions,
    ReductionName,
    SymmetryName,
    TalkOptions,
    expanded,
)
from latcover.cli.support import (
    EXIT_LIMIT,
    SYMMETRY_NEEDED,
    echo,
    echo_picture,
    interruptible,
    is_terminal,
    load_puzzles,
    load_subject,
    prepare,
    prepare_puzzle,
    require_writable,
    say,
    say_error,
    screen_width,
    wants_colour,
    warn,
    write_pieces,
)
from latcover.errors import PuzzleError, UnsupportedError, counted, suggest

if TYPE_CHECKING:
    from latcover.cover.searchable import Shown
    from latcover.formats.cover_problems.answers import Model
    from latcover.formats.cover_problems.decode import Decoded
    from latcover.formats.cover_problems.exported import Exported
    from latcover.formats.letters.text import Assembly
    from latcover.formats.reading import Subject
    from latcover.model.disassembly import Disassembly
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution

WORDS_OF_SYMMETRY = {"all": " under rotations and reflections", "rotations": " under rotations", "none": ""}


@expanded
def export(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE] [FORM]",
            help="A puzzle (by default pent-10x6) and a form (see below).",
            autocompletion=completion.puzzles_and_forms,
        ),
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file. Without a FORM, its suffix chooses the form.")
    ] = None,
    symmetry: Annotated[
        SymmetryName | None,
        typer.Option(
            help="Leave placements out, so that one image of each solution remains under these symmetries. By default "
            "the whole problem is written. (xmpuzzle: which --solutions count as the same; by default all.)"
        ),
    ] = None,
    reduction: Annotated[ReductionName, typer.Option(help="How placements are left out.")] = ReductionName.auto,
    pivot: Annotated[str | None, typer.Option(metavar="PART", help="The part to take as pivot.")] = None,
    order: Annotated[
        str | None, typer.Option(metavar="AXES", help="Number the cells by these axes, as in 0,2,1 (dlx, npz).")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The encoding of at most one as clauses (dimacs): pairwise, seqcounter, totalizer, ...",
            autocompletion=completion.encodings,
        ),
    ] = None,
    projected: Annotated[
        bool, typer.Option("--projected", help="Say which variables to count, for projected model counters (dimacs).")
    ] = False,
    solutions: Annotated[bool, typer.Option("--solutions", help="Add every solution (json, xmpuzzle).")] = False,
    take_apart: Annotated[
        bool, typer.Option("--take-apart", help="Take each of the --solutions apart, and add how (xmpuzzle).")
    ] = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Write a puzzle as a problem that other programs solve.

    Forms: dimacs, dlx, json, lp, minizinc, mps, npz, opb; and xmpuzzle, a BurrTools file, which holds the puzzle itself
    (all puzzles of a file, or the one that --problem chooses).
    """
    from latcover.formats.cover_problems.exported import exported
    from latcover.formats.forms import WRITTEN, How, form_to_write

    puzzle, name = _puzzle_and_form(words or [], WRITTEN)
    form = form_to_write(name, output)
    if order is not None and form.numbered:
        raise UnsupportedError(f"--order has no meaning for the form {form.name!r}; leave it out, or take dlx or npz")
    if symmetry is None and (pivot is not None or reduction is not ReductionName.auto):
        raise typer.BadParameter(SYMMETRY_NEEDED)
    require_writable(output, reads=puzzle)
    if form.binary and output is None and is_terminal(sys.stdout):
        raise UnsupportedError(f"the form {form.name!r} is binary, no text for a terminal; name a file with --output")
    if form.of_puzzles and symmetry is not None and not solutions:
        raise UnsupportedError(
            f"--symmetry has no meaning for the form {form.name!r} without --solutions; leave it out"
        )
    if take_apart and not solutions:
        raise UnsupportedError("--take-apart takes the solutions apart; add --solutions")
    chosen = EncodingOptions(
        symmetry or (SymmetryName.all if form.of_puzzles else SymmetryName.none), reduction, pivot, order
    )
    apart = _TakenApart()
    with interruptible() if solutions else nullcontext([False]) as interrupted:
        how = How(
            encoding,
            projected,
            solutions,
            ready=lambda puzzle: prepare_puzzle(puzzle, chosen, given),
            apart=apart if take_apart else None,
            cancelled=lambda: interrupted[0],
        )
        if form.of_puzzles:
            written: Exported | Sequence[Puzzle] = load_puzzles(puzzle, given, talk)
        else:
            written = exported(prepare(load_subject(puzzle, given, talk), chosen, given))
        write_pieces(output, form.write(written, how), talk)
        if apart.unknown:
            many = counted(apart.unknown, "solution")
            say(f"note: of {many} it is not known whether they come apart; `latcover assemble` looks longer", talk)
        if interrupted[0]:
            raise typer.Exit(EXIT_LIMIT)


class _TakenApart:
    """Takes solutions apart, and counts those of which this is not known in the end."""

    unknown = 0

    def __call__(self, solution: Solution) -> Disassembly:
        from latcover.assembly.taking_apart import disassemble

        found = disassemble(solution)
        self.unknown += found.result == "unknown"
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
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="BurrTools' .xmpuzzle, a text of letters, Knuth's .dlx, .json, .npz.")
    ],
    *,
    output: Annotated[Path | None, typer.Option(help="Write to this file instead of standard output.")] = None,
    lattice: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The lattice on which a text of letters lies (square, or cubic by layers).",
            autocompletion=completion.lattices,
        ),
    ] = None,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Convert a file of another program to a puzzle file, or to a cover problem in Knuth's form.

    All puzzles of a file are written, or only the one that --problem names. `solve`, `count` and the other commands can
    also read such files directly.
    """
    from latcover.formats.library import load_subjects

    require_writable(output, reads=file)
    subjects = load_subjects(str(file), given.bounds(), given.problem, lattice)
    # Each usable problem of a file has the warnings about the unusable ones; say each warning once.
    warn(tuple(dict.fromkeys(complaint for subject in subjects for complaint in subject.warnings)), talk)
    write_pieces(output, _own_form(subjects), talk)


def _own_form(subjects: Sequence[Subject]) -> Iterator[bytes]:
    from latcover.formats.cover_problems import dlx_text
    from latcover.formats.cover_problems.exported import exported
    from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.model.puzzle import Puzzle

    puzzles = [subject for subject in subjects if isinstance(subject, Puzzle)]
    if puzzles:
        yield puzzle_as_toml(puzzles).encode()
    for subject in subjects:
        if not isinstance(subject, Puzzle):
            yield from dlx_text.write(exported(subject))


@expanded
def decode(
    puzzle: Annotated[
        str,
        typer.Argument(metavar="PUZZLE", help="A shipped puzzle's name, or a file.", autocompletion=completion.puzzles),
    ],
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="The answer of a solver: a file, or - for standard input.")
    ],
    *,
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="sat|dlx|mip|text",
            help="The form of the answer. By default it is recognized.",
            autocompletion=completion.kinds_of_answer,
        ),
    ] = None,
    symmetry: Annotated[SymmetryName, typer.Option(help="Which images of a solution count as the same.")] = (
        SymmetryName.all
    ),
    color: Annotated[bool | None, typer.Option("--color/--no-color", help="Coloured blocks, or letters alone.")] = None,
    count_only: Annotated[bool, typer.Option("--count", help="Print only the number of solutions.")] = False,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Convert the answer of another program, or letters in a grid, to verified solutions.

    Exit code 1: the answer holds something that is no solution.
    """
    from latcover.formats.cover_problems.answers import Kind, read_models
    from latcover.formats.cover_problems.decode import decode as decode_models
    from latcover.reporting.answer import solution_as_lines

    if kind is not None and kind not in list(Kind):
        raise typer.BadParameter(
            f"--format cannot be {kind!r}; it takes {', '.join(Kind)}{suggest(kind, Kind, listing=False)}"
        )
    prepared = prepare(load_subject(puzzle, given, talk), EncodingOptions(symmetry), given)
    coloured, width = wants_colour(color), screen_width()

    def show(solution: Shown) -> None:
        if as_json:
            echo(json.dumps(solution.as_json()))
            return
        lines = solution_as_lines(solution, colour=coloured, width=width)
        echo_picture("\n".join([f"solution {solution.number}", *lines, ""]))

    with _opened(model) as lines:
        models: Iterator[Model | Assembly] = read_models(
            lines, str(model), Kind(kind) if kind else None, lambda note: say(f"note: {note}", talk)
        )
        decoded = decode_models(prepared, models, None if count_only else show)
    for line, fault in decoded.wrong[:3]:
        say_error(f"{model}:{line}: no solution: {fault}")
    echo(json.dumps({"summary": _as_json(decoded)}) if as_json else _as_text(decoded))
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
    if str(path) == "-":
        if sys.stdin is None:
            raise PuzzleError("there is no standard input to read")
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        yield _lines(sys.stdin, path)
        return
    try:
        if path.is_dir():
            raise PuzzleError(f"{path} is a folder, not the answer of a program")
        file = path.open(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
    with file:
        yield _lines(file, path)


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    """The lines of a file. An error of reading becomes a `PuzzleError`; the caller's errors stay as they are."""
    lines = iter(file)
    while True:
        try:
            line = next(lines)
        except StopIteration:
            return
        except OSError as problem:
            raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None
        yield line
