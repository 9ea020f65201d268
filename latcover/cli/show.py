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
    EncodingOptions,
    InputOptions,
    PuzzleName,
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
    prepare_puzzle,
    require_writable,
    say,
    screen_width,
    wants_colour,
    write_file,
)
from latcover.errors import PuzzleError, UnsupportedError

if TYPE_CHECKING:
    from latcover.drawing.views import View
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution


class ViewName(StrEnum):
    """How a puzzle in space is drawn."""

    layers = "layers"
    isometric = "isometric"


SUFFIXES = (".txt", ".svg", ".html", *MODELS)
FORM_NAMES = {".txt": "text", ".svg": "an SVG picture", ".html": "an HTML page"}
FORM_NAMES |= {suffix: f"a model ({suffix})" for suffix in MODELS}

ColourOption = Annotated[
    bool | None,
    typer.Option("--color/--no-color", help="Coloured blocks, or letters alone; by default as the terminal allows."),
]


@dataclass(frozen=True)
class PictureOptions:
    """How a picture in a file looks."""

    view: Annotated[
        ViewName | None,
        typer.Option(
            help="How to draw three dimensions (.svg).", show_default="both; of several scenes the isometric one"
        ),
    ] = None
    letters: Annotated[
        bool | None,
        typer.Option("--letters/--no-letters", help="Whether parts bear letters (.svg).", show_default="letters"),
    ] = None
    patterns: Annotated[bool, typer.Option("--patterns", help="Give parts patterns besides their colours (.svg).")] = (
        False
    )

    def given(self) -> list[str]:
        """The options that were given, by the names that they have on the command line."""
        flags = {"--view": self.view, "--letters": self.letters is not None, "--patterns": self.patterns}
        return [name for name, value in flags.items() if value]


@expanded
def show(
    puzzle: PuzzleName = None,
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
    model: ModelOptions,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    color: ColourOption = None,
    as_json: AsJson = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Draw a solution, the region, or a part with all its orientations; or make a model of it to print."""
    if sum((solution is not None, solutions is not None, region, part is not None, model.all_parts)) > 1:
        raise typer.BadParameter("only one of --solution, --solutions, --region, --part and --all-parts can be drawn")
    _check_form(output, picture, color, as_json)
    require_writable(output, reads=puzzle)
    searched = not (region or part is not None or model.all_parts)
    _check_model(output, model, solutions, region=region, searched=searched)
    form = _form_of(output)
    if form == ".html":
        _check_page(region, part, solutions)
    loaded = load_puzzle(puzzle, given, talk)
    if output is not None and form in MODELS:
        how = (backend, encoding)
        shown = _find(loaded, (solution or 1, None), how, (given, talk, watcher(talk, watch))) if searched else [None]
        write_model(loaded, ModelSource(shown[-1], part, region), output, model, talk)
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
        text = _svg(loaded, view, picture)
    elif form == ".html":
        text = _html(loaded, found)
    else:
        text = json.dumps(view.data) if as_json else "\n".join(view.lines(colour=coloured, width=width))
    if output is None:
        echo_picture(text)
        return
    write_file(output, text, talk)


def _form_of(output: Path | None) -> str:
    """The suffix that names the form, in small letters: some programs write x.STL."""
    return ".txt" if output is None else output.suffix.lower()


def _check_form(output: Path | None, picture: PictureOptions, color: bool | None, as_json: bool) -> None:
    """Refuse what cannot be drawn, before anything is searched.

    Raises:
        UnsupportedError: a form of file that we do not write, or an option that the form cannot honour.
    """
    suffix = _form_of(output)
    if output is not None and suffix not in SUFFIXES:
        forms = ", ".join(SUFFIXES)
        raise UnsupportedError(f"cannot draw a {suffix or 'file without suffix'}; the forms are: {forms}")
    refused = picture.given() if suffix != ".svg" else []
    needs = "; give --output x.svg" if refused else ""
    if suffix != ".txt":
        refused += [*(["--json"] if as_json else []), *(["--color"] if color is not None else [])]
    if refused:
        raise UnsupportedError(f"{FORM_NAMES[suffix]} cannot honour {', '.join(refused)}{needs}")


def _check_page(region: bool, part: str | None, solutions: int | None) -> None:
    """Refuse what a page of HTML cannot show.

    Raises:
        UnsupportedError: something else than solutions, or more of them than a browser could take.
    """
    from latcover.drawing.space.page import MOST_SOLUTIONS

    if region or part is not None:
        what = "--region" if region else "--part"
        raise UnsupportedError(f"an HTML page shows solutions, not {what}; give --output x.svg")
    if (solutions or 0) > MOST_SOLUTIONS:
        raise UnsupportedError(f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; ask for fewer")


def _check_model(
    output: Path | None, model: ModelOptions, solutions: int | None, *, region: bool, searched: bool
) -> None:
    """Refuse a model that cannot be made, and options for models where none is.

    Raises:
        UnsupportedError: as said.
    """
    suffix = _form_of(output)
    if suffix in MODELS and solutions is not None:
        raise UnsupportedError(f"a model ({suffix}) shows one solution; give --solution N in place of --solutions")
    if suffix in MODELS:
        check_options(suffix, model, region=region, solution=searched)
    elif model.given():
        forms = ", ".join(MODELS)
        raise UnsupportedError(f"{', '.join(model.given())}: for models alone; give --output with one of {forms}")


def _find(
    puzzle: Puzzle,
    wanted: tuple[int, int | None],
    how: tuple[str, EncodingOptions],
    rest: tuple[InputOptions, TalkOptions, Watcher],
) -> list[Solution]:
    """The solutions to draw: all up to the *wanted* one, or as many of the first ones as there are."""
    from latcover.reporting.answer import answer_as_text

    (one, several), (backend, encoding), (given, talk, shown) = wanted, how, rest
    number = several or one
    prepared = prepare_puzzle(puzzle, encoding, given)
    found: list[Solution] = []
    answer = search_puzzle(
        prepared, make_backend(backend, SearchOptions()), SearchOptions(limit=number), shown, found.append
    )
    summary = answer_as_text(answer).splitlines()[0]
    if not found or (several is None and len(found) < number):
        raise PuzzleError(f"there is no solution {number if several is None else 1}: {summary}")
    if len(found) < number:
        say(f"there are no {number} solutions: {summary}", talk)
    return found


def _svg(puzzle: Puzzle, view: View, picture: PictureOptions) -> str:
    from latcover.drawing.svg import View as SvgView
    from latcover.drawing.svg import page
    from latcover.drawing.svg_shapes import Look

    if picture.view is not None and puzzle.lattice.dimension < 3:
        raise UnsupportedError(f"the lattice {puzzle.lattice.name!r} is flat: it has no --view {picture.view.value}")
    chosen = SvgView(picture.view.value) if picture.view is not None else None
    look = Look(letters=picture.letters is not False, patterns=picture.patterns)
    return page(view.title, view.entries(), look, chosen).rstrip("\n")


def _html(puzzle: Puzzle, found: list[Solution]) -> str:
    from latcover.drawing.space.page import page

    return page(puzzle, found)
