"""The command `show`: pictures on the terminal and in files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
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
from latcover.errors import PuzzleError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latcover.drawing.svg import View as SvgView
    from latcover.drawing.svg_shapes import Look
    from latcover.drawing.views import View
    from latcover.encoding.prepared import Prepared
    from latcover.model.disassembly import Disassembly
    from latcover.model.lattice import Lattice
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution
    from latcover.solving.answer import Answer


class ViewName(StrEnum):
    """How a puzzle in three dimensions is drawn."""

    layers = "layers"
    isometric = "isometric"


SUFFIXES = (".txt", ".svg", ".html", *MODELS)


@dataclass(frozen=True)
class PictureOptions:
    """The options for a picture in a file."""

    view: Annotated[
        ViewName | None,
        typer.Option(
            help="How to draw a puzzle in three dimensions (.svg).",
            show_default="both; of several scenes the isometric one",
        ),
    ] = None
    letters: Annotated[
        bool | None,
        typer.Option("--letters/--no-letters", help="Whether parts have letters (.svg).", show_default="letters"),
    ] = None
    patterns: Annotated[bool, typer.Option("--patterns", help="Give parts patterns besides their colours (.svg).")] = (
        False
    )

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        letters = "--no-letters" if self.letters is False else "--letters"
        flags = {"--view": self.view, letters: self.letters is not None, "--patterns": self.patterns}
        return [name for name, value in flags.items() if value]


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
        bool, typer.Option("--steps", help="Draw a picture of each move that puts the solution together (.svg).")
    ] = False
    reverse: Annotated[bool, typer.Option("--reverse", help="With --steps: the moves that take it apart.")] = False
    states: Annotated[
        int | None,
        typer.Option(
            "--states",
            min=0,
            metavar="N",
            help="With --assembly and --steps: give up after so many positions of the pieces (10,000,000).",
        ),
    ] = None

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        flags = {"--assembly": self.assembly, "--steps": self.steps, "--reverse": self.reverse}
        flags["--states"] = self.states is not None
        return [name for name, value in flags.items() if value]


@expanded
def show(
    puzzle: PuzzleOrLatticeName = None,
    *,
    solution: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Draw the N-th solution (the first).")
    ] = None,
    solutions: Annotated[int | None, typer.Option(min=1, metavar="N", help="Draw the first N solutions.")] = None,
    region: Annotated[bool, typer.Option("--region", help="Draw the region.")] = False,
    part: Annotated[str | None, typer.Option(metavar="NAME", help="Draw a part in all its orientations.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write to this file instead, in the form of its suffix (.txt .svg .html; .stl .3mf .glb .x3d)."
        ),
    ] = None,
    picture: PictureOptions,
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
    _check_form(output, picture, as_json)
    require_writable(output, reads=puzzle)
    searched = not (region or part is not None or model.all_parts)
    _check_model(output, model, solutions, region=region, searched=searched)
    _check_apart(output, apart, model, searched=searched, several=solutions is not None)
    form = _form_of(output)
    if form == ".html":
        _check_page(region, part, solutions)
    lattice = lattice_called(puzzle)
    if lattice is not None:
        named = {name for name, is_given in shown_options.items() if is_given} | set(apart.given())
        _show_lattice(lattice, sorted(named), (output, picture), as_json=as_json, color=color, talk=talk)
        return
    loaded = load_puzzle(puzzle, given, talk)
    if output is not None and form in MODELS:
        how = (backend, encoding)
        shown = _find(loaded, (solution or 1, None), how, (given, talk, watcher(talk, watch))) if searched else [None]
        taken = _taken_apart(loaded, [s for s in shown[-1:] if s is not None and apart.assembly], apart, talk)
        write_model(loaded, ModelSource(shown[-1], part, region, next(iter(taken.values()), None)), output, model, talk)
        return
    from latcover.drawing import views

    found: list[Solution] = []
    if region:
        view = views.of_region(loaded)
    elif part is not None:
        view = views.of_part(loaded, part)
    else:
        found = _find(loaded, (solution or 1, solutions), (backend, encoding), (given, talk, watcher(talk, watch)))
        found = found[-1:] if solutions is None else found
        view = views.of_solution(loaded, found[0]) if solutions is None else views.of_solutions(loaded, found)
    coloured, width = wants_colour(color) and output is None, screen_width()
    if form == ".svg":
        look, chosen = _look(loaded.lattice, picture)
        text = _svg(view, (look, chosen)) if not apart.steps else _steps(loaded, found[0], look, apart, talk)
    elif form == ".html":
        text = _html(loaded, found, _taken_apart(loaded, found if apart.assembly else [], apart, talk))
    else:
        text = json.dumps(view.data) if as_json else "\n".join(view.lines(colour=coloured, width=width))
    if output is None:
        echo_picture(text)
        return
    write_file(output, text, talk)


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
    if suffix != ".svg" and picture.given():
        what, out = ", ".join(picture.given()), "" if output is None else f" instead of {output}"
        raise UnsupportedError(f"{what}: only for a picture as SVG; give --output x.svg{out}, or leave that out")
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
    if (solutions or 0) > MOST_SOLUTIONS:
        raise UnsupportedError(f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; give a smaller --solutions")


def _check_model(
    output: Path | None, model: ModelOptions, solutions: int | None, *, region: bool, searched: bool
) -> None:
    """Refuse options that do not fit a model, and options for models if there is no model.

    Raises:
        UnsupportedError: an option does not fit.
    """
    suffix = _form_of(output)
    if suffix in MODELS and solutions is not None:
        raise UnsupportedError(f"a model ({suffix}) shows one solution; give --solution N in place of --solutions")
    if suffix in MODELS:
        check_options(suffix, model, region=region, solution=searched)
    elif model.given():
        forms = ", ".join(MODELS)
        raise UnsupportedError(f"{', '.join(model.given())}: only for a model; give --output with one of {forms}")


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
    if apart.states is not None and not (apart.steps or apart.assembly):
        raise UnsupportedError("--states: only with --assembly or --steps, which take the solution apart")
    if apart.reverse and not apart.steps:
        raise UnsupportedError("--reverse: only with --steps, whose order it turns round")
    if apart.steps and (form != ".svg" or several):
        raise UnsupportedError("--steps draws the moves of one solution as SVG; give --output x.svg, and --solution N")
    if apart.assembly and form != ".html" and not apart.steps and not (form in MODELS and model.explode):
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
    answer = search_puzzle(
        prepared, make_backend(backend, SearchOptions(), talk), SearchOptions(limit=number), shown, found.append
    )
    if not found or (several is None and len(found) < number):
        raise PuzzleError(_no_solution(prepared, answer, number))
    if len(found) < number:
        say(_no_solution(prepared, answer, number), talk)
    return found


def _no_solution(prepared: Prepared, answer: Answer, number: int) -> str:
    """Why there is no solution of this *number*, counted from 1."""
    from latcover.errors import counted
    from latcover.reporting.answer import reasons_for

    found = counted(answer.different, "different solution")
    if not answer.complete:
        return f"{answer.puzzle}: the search was cut short ({answer.stop}) after {found}, before number {number:,}"
    if answer.different:
        return f"{answer.puzzle} has only {found}; there is no number {number:,}"
    reasons = "".join(f": {reason.text}" for reason in reasons_for(answer, lambda: prepared)[:1])
    return f"{answer.puzzle} has no solution to show{reasons}; --region and --part show the puzzle"


def _show_lattice(
    lattice: Lattice,
    named: list[str],
    how: tuple[Path | None, PictureOptions],
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

    (output, picture), view = how, of_lattice(lattice)
    if named:
        raise UnsupportedError(f"{lattice.name!r} is a lattice: leave {named[0]} out, or name a puzzle")
    form = _form_of(output)
    if form not in (".txt", ".svg"):
        raise UnsupportedError(f"{lattice.name!r} is a lattice, which {form} cannot show; give --output x.svg")
    if form == ".svg":
        text = svg_of_lattice(lattice, *_look(lattice, picture)).rstrip("\n")
    elif as_json:
        text = json.dumps(view.data)
    else:
        text = "\n".join(view.lines(colour=wants_colour(color) and output is None, width=screen_width()))
    if output is None:
        echo_picture(text)
    else:
        write_file(output, text, talk)


def _svg(view: View, how: tuple[Look, SvgView | None]) -> str:
    from latcover.drawing.svg import page

    return page(view.title, view.entries(), *how).rstrip("\n")


def _look(lattice: Lattice, picture: PictureOptions) -> tuple[Look, SvgView | None]:
    """How an SVG picture looks.

    Raises:
        UnsupportedError: a view in space of a flat lattice.
    """
    from latcover.drawing.svg import View as SvgView
    from latcover.drawing.svg_shapes import Look

    if picture.view is not None and lattice.dimension < 3:
        raise UnsupportedError(f"the lattice {lattice.name!r} is flat: leave --view out")
    chosen = SvgView(picture.view.value) if picture.view is not None else None
    return Look(letters=picture.letters is not False, patterns=picture.patterns), chosen


def _html(puzzle: Puzzle, found: list[Solution], taken: dict[int, Disassembly]) -> str:
    from latcover.drawing.space.page import page

    return page(puzzle, found, taken)


def _steps(puzzle: Puzzle, found: Solution, look: Look, apart: ApartOptions, talk: TalkOptions) -> str:
    from latcover.drawing.steps import steps_page

    taken = _taken_apart(puzzle, [found], apart, talk)
    return steps_page(puzzle, found, taken[found.number], look, apart=apart.reverse).rstrip("\n")


def _taken_apart(
    puzzle: Puzzle, found: Sequence[Solution], apart: ApartOptions, talk: TalkOptions
) -> dict[int, Disassembly]:
    """How solutions come apart, by their numbers; a remark tells which do not."""
    from latcover.assembly.taking_apart import ApartLimits, Assembler
    from latcover.drawing.dismantling import result_in_words

    if not found:
        return {}
    limits = ApartLimits() if apart.states is None else ApartLimits(apart.states)
    taken = dict(zip((s.number for s in found), Assembler(puzzle).take_apart(found, limits), strict=True))
    for number, disassembly in taken.items():
        if disassembly.result != "apart":
            say(f"solution {number}: {result_in_words(disassembly)}", talk)
    return taken
