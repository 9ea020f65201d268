"""The command `show`: pictures on the terminal and in files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.models import SUFFIXES as MODELS
from latcover.cli.models import ModelOptions, ModelSource, check_options, write_model
from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    ColourOption,
    EncodingOptions,
    InputOptions,
    PuzzleOrLatticeName,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.pictures import SUFFIXES as PICTURES
from latcover.cli.pictures import Drawing, PaperOptions, PictureOptions, check_paper, look, write_pictures
from latcover.cli.progress import Watcher, search_puzzle, watcher
from latcover.cli.support import (
    echo_picture,
    load_puzzle,
    make_backend,
    only_one,
    prepare_puzzle,
    require_writable,
    say,
    screen_width,
    wants_colour,
    write_file,
)
from latcover.errors import PuzzleError, UnsupportedError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latcover.drawing.views import View
    from latcover.encoding.prepared import Prepared
    from latcover.model.disassembly import Disassembly
    from latcover.model.lattice import Lattice
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution
    from latcover.solving.answer import Answer

ALL = 10**18  # stands for all solutions
MOST_OF_ALL = 100_000  # that are drawn
SUFFIXES = (".txt", *PICTURES, ".html", *MODELS)


@dataclass(frozen=True)
class ApartOptions:
    """The options about how a solution comes apart."""

    assembly: Annotated[
        bool,
        typer.Option(
            "--assembly", help="Take the solution apart, too: a page plays it, and --explode moves parts in its order."
        ),
    ] = False
    steps: Annotated[
        bool,
        typer.Option("--steps", help="Draw a picture of each move that puts the solution together (.svg .pdf .png)."),
    ] = False
    instructions: Annotated[
        bool,
        typer.Option("--instructions", help="Make building instructions: cover, parts and steps (.pdf .svg .png)."),
    ] = False
    reverse: Annotated[bool, typer.Option("--reverse", help="With --steps: the moves that take it apart.")] = False
    states: Annotated[
        int | None,
        typer.Option(
            "--states",
            min=0,
            metavar="N",
            help="With --assembly, --steps, --instructions: give up after so many positions of pieces (10,000,000).",
        ),
    ] = None

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        flags = {
            "--assembly": self.assembly,
            "--steps": self.steps,
            "--instructions": self.instructions,
            "--reverse": self.reverse,
        }
        flags["--states"] = self.states is not None
        return [name for name, value in flags.items() if value]

    @property
    def taken(self) -> bool:
        """Whether solutions are taken apart."""
        return self.assembly or self.steps or self.instructions


@expanded
def show(
    puzzle: PuzzleOrLatticeName = None,
    *,
    solution: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Draw the N-th solution (the first).")
    ] = None,
    solutions: Annotated[
        str | None, typer.Option(metavar="N|all", help="Draw the first N solutions, or all of them.")
    ] = None,
    region: Annotated[bool, typer.Option("--region", help="Draw the region.")] = False,
    part: Annotated[str | None, typer.Option(metavar="NAME", help="Draw a part in all its orientations.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write to this file instead, in its suffix's form (.txt .svg .pdf .png .html; .stl .3mf .glb .x3d)."
        ),
    ] = None,
    picture: PictureOptions,
    paper: PaperOptions,
    apart: ApartOptions,
    model: ModelOptions,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    color: ColourOption = None,
    as_json: AsJson = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Draw a solution, the region, or a part with all its orientations; or make a model of it to print.

    Of a lattice, draw some cells with their coordinates.
    """
    from latcover.formats.library import lattice_called

    shown_options = {"--solution": solution is not None, "--solutions": solutions is not None, "--region": region}
    shown_options |= {"--part": part is not None, "--all-parts": model.all_parts}
    only_one(shown_options)
    several = _several(solutions)
    check_paper(_form_of(output), paper)
    _check_form(output, picture, as_json)
    require_writable(output, reads=puzzle)
    searched = not (region or part is not None or model.all_parts)
    _check_model(output, model, several, region=region, searched=searched)
    _check_apart(output, apart, model, searched=searched, several=several is not None)
    form = _form_of(output)
    if form == ".html":
        _check_page(region, part, several)
    lattice = lattice_called(puzzle)
    if lattice is not None:
        named = {name for name, is_given in shown_options.items() if is_given} | set(apart.given())
        _show_lattice(lattice, sorted(named), (output, picture, paper), as_json=as_json, color=color, talk=talk)
        return
    loaded = load_puzzle(puzzle, given, talk)
    how = look(loaded.lattice, picture)
    found: list[Solution] = []
    if searched:
        found = _find(loaded, (solution or 1, several), (backend, encoding), (given, talk, watcher(talk, watch)))
        found = found[-1:] if several is None else found
    taken = _taken_apart(loaded, found, apart, talk) if apart.taken else {}
    if output is not None and form in MODELS:
        source = ModelSource(found[0] if found else None, part, region, next(iter(taken.values()), None))
        write_model(loaded, source, output, model, talk)
        return
    if output is not None and form == ".html":
        from latcover.drawing.space.page import page

        write_file(output, page(loaded, found, taken), talk)
        return
    view = _view(loaded, region, part, found, several)
    if output is not None and form in PICTURES:
        drawing = Drawing(loaded, view, found, how, paper)
        write_pictures(output, _pages(drawing, taken, apart, model), paper.title or view.title, paper, talk)
        return
    _write_text(view, output, talk, as_json=as_json, color=color)


def _several(text: str | None) -> int | None:
    """How many solutions the user wants to see: a number, `ALL` of them, or None for one."""
    if text is None or text == "all":
        return None if text is None else ALL
    if not (text.isascii() and text.isdigit() and 0 < int(text[:19]) < ALL):
        raise typer.BadParameter(f"{text!r} is neither a number of solutions nor 'all'", param_hint="--solutions")
    return int(text)


def _form_of(output: Path | None) -> str:
    """The suffix that chooses the form, in small letters, because some programs write x.STL."""
    return ".txt" if output is None else output.suffix.lower()


def _check_form(output: Path | None, picture: PictureOptions, as_json: bool) -> None:
    """Refuse options that do not fit the form. This is checked before any search.

    Raises:
        UnsupportedError: an unknown form of file, or an option that the form cannot honour.
    """
    suffix = _form_of(output)
    if output is not None and suffix not in SUFFIXES:
        forms = ", ".join(SUFFIXES)
        raise UnsupportedError(f"cannot draw a {suffix or 'file without suffix'}; name a file with one of: {forms}")
    if suffix not in PICTURES and picture.given():
        what, out = ", ".join(picture.given()), "" if output is None else f" instead of {output}"
        raise UnsupportedError(
            f"{what}: only for a picture as SVG, PDF or PNG; give --output x.svg{out}, or leave that out"
        )
    if suffix != ".txt" and as_json:
        raise UnsupportedError(f"--json and --output {output} exclude each other; leave one of them out")


def _check_page(region: bool, part: str | None, solutions: int | None) -> None:
    """Refuse options that do not fit a page of HTML.

    Raises:
        UnsupportedError: a region or a part, or more solutions than a browser can show.
    """
    from latcover.drawing.space.page import MOST_SOLUTIONS

    if region or part is not None:
        what = "--region" if region else "--part"
        raise UnsupportedError(f"an HTML page shows solutions, not {what}; leave that out, or give --output x.svg")
    if MOST_SOLUTIONS < (solutions or 0) < ALL:
        raise UnsupportedError(f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; give a smaller --solutions")


def _check_model(
    output: Path | None, model: ModelOptions, solutions: int | None, *, region: bool, searched: bool
) -> None:
    """Refuse options that do not fit a model, and options for models if there is no model.

    Raises:
        UnsupportedError: an option does not fit.
    """
    from latcover.printing.layout import require_share

    suffix = _form_of(output)
    require_share(model.explode or 0.0)
    if suffix in MODELS and solutions is not None:
        raise UnsupportedError(f"a model ({suffix}) shows one solution; give --solution N in place of --solutions")
    if suffix in MODELS:
        check_options(suffix, model, region=region, solution=searched)
    elif model.given() and not (model.given() == ["--explode"] and suffix in PICTURES and searched):
        forms = ", ".join(MODELS)
        besides = f" (--explode also goes with solutions as {', '.join(PICTURES)})" if model.explode is not None else ""
        raise UnsupportedError(
            f"{', '.join(model.given())}: only for a model; give --output with one of {forms}{besides}"
        )


def _check_apart(
    output: Path | None, apart: ApartOptions, model: ModelOptions, *, searched: bool, several: bool
) -> None:
    """Refuse options about taking apart that do not fit.

    Raises:
        UnsupportedError: an option does not fit.
    """
    form = _form_of(output)
    if apart.given() and not searched:
        raise UnsupportedError(
            f"{', '.join(apart.given())}: only for a solution; leave --region, --part or --all-parts out"
        )
    draws = apart.steps or apart.instructions
    if apart.states is not None and not (draws or apart.assembly):
        raise UnsupportedError(
            "--states: only with --assembly, --steps or --instructions, which take the solution apart"
        )
    if apart.reverse and not apart.steps:
        raise UnsupportedError("--reverse: only with --steps, whose order it turns round")
    if apart.steps and apart.instructions:
        raise UnsupportedError("--steps and --instructions exclude each other; instructions have the steps anyway")
    if draws and (form not in PICTURES or several):
        raise UnsupportedError(
            f"{'--steps draws' if apart.steps else '--instructions draw'} the moves of one solution; "
            "give --output x.svg, x.pdf or x.png, and --solution N"
        )
    if draws and model.explode is not None:
        raise UnsupportedError("--explode: the steps show how the parts come together; leave one of them out")
    if apart.assembly and form != ".html" and not draws and not (form in (*MODELS, *PICTURES) and model.explode):
        raise UnsupportedError(
            "--assembly: only for a page (--output x.html), and for models with --explode; "
            "'latcover assemble' tells the moves, and --steps draws them"
        )


def _find(
    puzzle: Puzzle,
    wanted: tuple[int, int | None],
    how: tuple[str, EncodingOptions],
    rest: tuple[InputOptions, TalkOptions, Watcher],
) -> list[Solution]:
    """The solutions to draw: the first ones, up to the *wanted* number or as many as there are."""
    (one, several), (backend, encoding), (given, talk, shown) = wanted, how, rest
    number = several or one
    prepared = prepare_puzzle(puzzle, encoding, given)
    found: list[Solution] = []
    limit = MOST_OF_ALL + 1 if number == ALL else number
    answer = search_puzzle(
        prepared, make_backend(backend, SearchOptions(), talk), SearchOptions(limit=limit), shown, found.append
    )
    if number == ALL and len(found) > MOST_OF_ALL:
        raise UnsupportedError(
            f"{puzzle.name} has more than {MOST_OF_ALL:,} solutions, too many to draw; give --solutions N"
        )
    if not found or (several is None and len(found) < number):
        raise PuzzleError(_no_solution(prepared, answer, number))
    if len(found) < number and not (number == ALL and answer.complete):
        say(_no_solution(prepared, answer, number), talk)
    return found


def _no_solution(prepared: Prepared, answer: Answer, number: int) -> str:
    """Why there is no solution of this *number*, counted from 1."""
    from latcover.reporting.answer import reasons_for

    found = counted(answer.different, "different solution")
    if not answer.complete:
        before = "" if number == ALL else f", before number {number:,}"
        return f"{answer.puzzle}: the search was cut short ({answer.stop}) after {found}{before}"
    if answer.different:
        return f"{answer.puzzle} has only {found}; there is no number {number:,}"
    reasons = "".join(f": {reason.text}" for reason in reasons_for(answer, lambda: prepared)[:1])
    return f"{answer.puzzle} has no solution to show{reasons}; --region and --part show the puzzle"


def _show_lattice(
    lattice: Lattice,
    named: list[str],
    how: tuple[Path | None, PictureOptions, PaperOptions],
    *,
    as_json: bool,
    color: bool | None,
    talk: TalkOptions,
) -> None:
    """Draw some cells of a lattice. *named* are the options that name something of a puzzle.

    Raises:
        UnsupportedError: an option that has a meaning only for puzzles.
    """
    from latcover.drawing.patch import of_lattice, svg_of_lattice

    (output, picture, paper), view = how, of_lattice(lattice)
    if named:
        raise UnsupportedError(f"{lattice.name!r} is a lattice: leave {named[0]} out, or name a puzzle")
    form = _form_of(output)
    if paper.poster:
        raise UnsupportedError(f"{lattice.name!r} is a lattice: leave {paper.given()[0]} out, or name a puzzle")
    if form not in (".txt", *PICTURES):
        raise UnsupportedError(f"{lattice.name!r} is a lattice, which {form} cannot show; give --output x.svg")
    if output is not None and form in PICTURES:
        text = svg_of_lattice(lattice, *look(lattice, picture))
        write_pictures(output, [text], lattice.title, paper, talk)
        return
    _write_text(view, output, talk, as_json=as_json, color=color)


def _taken_apart(
    puzzle: Puzzle, found: Sequence[Solution], apart: ApartOptions, talk: TalkOptions
) -> dict[int, Disassembly]:
    """How solutions come apart, by their numbers; a remark tells which do not."""
    from latcover.assembly.taking_apart import ApartLimits, Assembler
    from latcover.drawing.dismantling import result_in_words

    limits = ApartLimits() if apart.states is None else ApartLimits(apart.states)
    taken = dict(zip((s.number for s in found), Assembler(puzzle).take_apart(found, limits), strict=True))
    for number, disassembly in taken.items():
        if disassembly.result != "apart":
            say(f"solution {number}: {result_in_words(disassembly)}", talk)
    return taken


def _view(puzzle: Puzzle, region: bool, part: str | None, found: Sequence[Solution], several: int | None) -> View:
    """What is drawn: the region, a part, or solutions."""
    from latcover.drawing import views

    if region:
        return views.of_region(puzzle)
    if part is not None:
        return views.of_part(puzzle, part)
    return views.of_solution(puzzle, found[0]) if several is None else views.of_solutions(puzzle, found)


def _pages(drawing: Drawing, taken: dict[int, Disassembly], apart: ApartOptions, model: ModelOptions) -> list[str]:
    """The pages of a picture as SVG; one, unless they are those of a poster or of instructions."""
    if apart.instructions:
        return drawing.instructions(taken)
    if apart.steps:
        return drawing.steps(taken, reverse=apart.reverse)
    return drawing.pages(taken, model.explode or 0.0)


def _write_text(view: View, output: Path | None, talk: TalkOptions, *, as_json: bool, color: bool | None) -> None:
    """Write a view in letters, or as data."""
    coloured = wants_colour(color) and output is None
    text = json.dumps(view.data) if as_json else "\n".join(view.lines(colour=coloured, width=screen_width()))
    if output is None:
        echo_picture(text)
    else:
        write_file(output, text, talk)
