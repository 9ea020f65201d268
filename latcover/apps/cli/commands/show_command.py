"""The command `show`: pictures on the terminal and in files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace

from latcover.apps.cli.shared.model_options import ModelOptions
from latcover.apps.cli.shared.option_requests import made
from latcover.apps.cli.shared.options import (
    DEFAULT_BACKEND,
    BackendName,
    EncodingOptions,
    InputOptions,
    Memory,
    MessageOptions,
    PuzzleOrLatticeName,
    ReportOptions,
    SearchOptions,
    ShowAll,
    only_one,
    options_given,
)
from latcover.apps.cli.shared.output import (
    echo_picture,
    require_writable,
    say,
    screen_width,
    write_file,
    write_or_echo,
)
from latcover.apps.cli.shared.pictures import PaperOptions, PictureOptions, draw_request, write_drawn, write_pictures
from latcover.apps.cli.shared.progress import status_of, watched, watcher
from latcover.apps.cli.shared.screenful import echo_view
from latcover.apps.cli.shared.subjects import load_with_goals, require_drawable
from latcover.core.model.request_values import Natural, Positive, Seed
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.show.printing.picture_forms import FORMS, MODELS, PICTURES, require_form
from latcover.show.printing.picture_forms import FORMS_OF as FORMS_OF_FIELDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latcover.core.cover.result import SearchResult
    from latcover.core.encoding.prepared import Prepared
    from latcover.core.model.disassembly import Disassembly
    from latcover.core.model.goals import Goals
    from latcover.core.model.lattice import Lattice
    from latcover.core.model.puzzle import PartSet, Puzzle
    from latcover.core.model.solution import Solution
    from latcover.lab.asking.all_solutions import AllSolutions
    from latcover.show.drawing.views.puzzle_views import PuzzleView
    from latcover.show.printing.draw_request import DrawRequest

ALL = 10**18  # stands for all solutions
MOST_OF_ALL = 100_000  # that are drawn
FORMS_OF: dict[str, tuple[str, ...]] = {  # the forms of files with which options have a meaning
    **{f"--{name}": forms for name, forms in FORMS_OF_FIELDS.items()},
    **{f"--{name}": PICTURES for name in ("no-letters", "portrait")},
    "--all-parts": MODELS,
    "--assembly": (".html", *PICTURES, *MODELS),
    "--solutions": (".txt", *PICTURES, ".html"),
    "--probabilities": (".txt", *PICTURES),
    "--region": (".txt", *PICTURES),
    "--part": (".txt", *PICTURES, *MODELS),
    "--json": (".txt",),
}
OF_LATTICES = frozenset(("--view", "--letters", "--no-letters", "--patterns", "--sides", "--dpi", "--json"))
OF_SHAPES = OF_LATTICES - {"--view"}
OF_GOALS = OF_LATTICES | {"--paper", "--landscape", "--portrait", "--columns", "--title"}


class SubjectOptions(Struct, frozen=True):
    """The options that choose what of a puzzle is drawn."""

    solution: Positive | None = None
    solutions: Annotated[str | None, typer.Option(metavar="N|all")] = None
    region: bool = False
    part: Annotated[str | None, typer.Option(metavar="NAME")] = None
    random: Annotated[Seed | None, typer.Option(metavar="SEED")] = None
    probabilities: bool = False

    @property
    def several(self) -> int | None:
        """How many solutions the user wants to see: a number, `ALL` of them, or None for one."""
        text = self.solutions
        if text is None or text == "all":
            return None if text is None else ALL
        if not (text.isascii() and text.isdigit() and 0 < int(text[:19]) < ALL):
            raise typer.BadParameter(f"{text!r} is neither a number of solutions nor 'all'", param_hint="--solutions")
        return int(text)


class ApartOptions(Struct, frozen=True):
    """The options about how a solution comes apart."""

    assembly: bool = False
    steps: bool = False
    instructions: bool = False
    reverse: bool = False
    states: Natural | None = None
    in_plane: bool = False

    @property
    def draws(self) -> bool:
        """Whether the moves of a solution are drawn."""
        return self.steps or self.instructions


def show(
    puzzle: PuzzleOrLatticeName = None,
    *,
    subject: SubjectOptions,
    output: Path | None = None,
    picture: PictureOptions,
    paper: PaperOptions,
    apart: ApartOptions,
    model: ModelOptions,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    memory: Memory = 1000,
    color: bool | None = None,
    every: ShowAll = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.model.puzzle import Puzzle
    from latcover.files.formats.library import lattice_called
    from latcover.files.formats.named_shapes import set_named

    if (named_part := _part_of_puzzle(puzzle)) and subject == SubjectOptions():
        puzzle, subject = named_part[0], replace(subject, part=named_part[1])
    form = ".txt" if output is None else output.suffix.lower()  # some programs write x.STL
    used = [option for group in (subject, picture, paper, apart, model) for option in options_given(group)]
    _check(form, [*used, *(["--json"] if report.as_json else [])], subject, apart, model)
    request = draw_request(picture, paper, apart, model)
    request.check(form)
    require_writable(output, reads=puzzle)
    lattice = lattice_called(puzzle)
    if lattice is not None:
        _only_of_puzzles(used, f"{lattice.name!r} is a lattice", OF_LATTICES)
        _show_lattice(lattice, form, output, request, report, color=color)
        return
    if puzzle is not None and _names_shapes(puzzle):
        _only_of_puzzles(used, f"{puzzle!r} names shapes", OF_SHAPES)
        _show_shapes(set_named(puzzle), form, output, request, report, color=color, every=every)
        return
    asked = load_with_goals(puzzle, inputs, report)
    if not isinstance(asked, Puzzle | NamedProblem):
        if not (subject.region or subject.part is not None or model.all_parts):
            _only_of_puzzles(used, f"{asked.name} has goals; choose one with --goal", OF_GOALS)
            request.style(asked.board.lattice)
            _show_goals(asked, form, output, request, inputs, report, color=color, every=every)
            return
        asked = asked.board
    loaded = require_drawable(asked)
    request.style(loaded.lattice)  # refuses what does not fit, before any search
    found: list[Solution] = []
    taken: dict[int, Disassembly] = {}
    if subject.probabilities or subject.random is not None:
        whole = _all_solutions(loaded, encoding, memory, inputs, report)
        if subject.probabilities:
            _show_probabilities(whole, subject.part, output, request, report, color=color)
            return
        found = whole.sample(1, subject.random or 0)
    elif not (subject.region or subject.part is not None or model.all_parts):
        found = _solutions(loaded, subject, backend, encoding, inputs, report)
    if found and (apart.assembly or apart.draws):
        taken = _taken_apart(loaded, found, apart, report)
    view = _view(loaded, subject, found)
    if output is None or form == ".txt":
        _write_text(view, output, report, color=color, every=every)
        return
    from latcover.show.printing.drawing import Drawing

    drawing = Drawing(loaded, view, request, found, taken, subject.part, subject.region)
    with status_of(report) as tell:
        made = drawing.files(form, tell)
    write_drawn(output, made, report)


def _names_shapes(name: str) -> bool:
    """Whether a name is of a part set, of one of its parts, or of shapes, and not of a puzzle."""
    from latcover.files.formats.library import kind_called
    from latcover.files.formats.named_shapes import names_shapes
    from latcover.files.formats.source import names

    if name in names("instances"):
        return False
    group, colon, _ = name.rpartition(":")
    return names_shapes(name) or kind_called(name) == "part set" or (bool(colon) and kind_called(group) == "part set")


def _part_of_puzzle(name: str | None) -> tuple[str, str] | None:
    """The puzzle and the part of a name such as bedlam:I; None for other names."""
    from latcover.files.formats.library import kind_called
    from latcover.files.formats.source import names

    puzzle, colon, part = (name or "").rpartition(":")
    known = puzzle in names("instances") or os.path.isfile(puzzle)
    if not colon or not known or os.path.exists(name or "") or _names_shapes(name or ""):
        return None
    return (puzzle, part) if kind_called(puzzle) == "puzzle" else None


def _check(form: str, used: Sequence[str], subject: SubjectOptions, apart: ApartOptions, model: ModelOptions) -> None:
    """Refuse options that do not fit the form or each other. This is checked before any search.

    Raises:
        UnsupportedError: an unknown form of file, or an option that cannot be honoured.
    """
    require_form(form)
    subjects = ("--solution", "--solutions", "--random", "--region", "--part", "--all-parts", "--probabilities")
    of_part = subject.probabilities and subject.part is not None  # which may stand together
    only_one({option: option in used and not (of_part and option == "--part") for option in subjects})
    only_one({option: option in used for option in ("--steps", "--instructions", "--explode")})
    unfit = [option for option in used if form not in FORMS_OF.get(option, FORMS)]
    if unfit:
        forms = FORMS_OF[unfit[0]]
        alike = ", ".join(option for option in unfit if FORMS_OF[option] == forms)
        raise UnsupportedError(
            f"{alike}: only for {', '.join(forms)}; name such a file with --output, or leave that out"
        )
    moves = [option for option in ("--explode", *options_given(apart)) if option in used]
    others = [option for option in subjects[3:] if option in used]
    if moves and others:
        raise UnsupportedError(f"{', '.join(moves)}: only for a solution; leave {others[0]} out")
    if apart.draws and subject.solutions is not None:
        raise UnsupportedError(f"{moves[0]}: the moves of one solution; give --solution N in place of --solutions")
    given = [option for option in ("--states", "--in-plane") if option in used]
    if given and not (apart.draws or apart.assembly):
        raise UnsupportedError(f"{given[0]}: only with --assembly, --steps or --instructions, which take it apart")
    if apart.reverse and not apart.steps:
        raise UnsupportedError("--reverse: only with --steps, whose order it turns round")
    if apart.assembly and form != ".html" and not (apart.draws or model.explode):
        raise UnsupportedError(
            "--assembly: only for a page (.html), or with --explode; 'latcover apart' prints the moves, and "
            "--steps draws them"
        )
    if form == ".html":
        from latcover.show.drawing.space.viewer_page import MOST_SOLUTIONS

        if MOST_SOLUTIONS < (subject.several or 0) < ALL:
            raise UnsupportedError(
                f"an HTML page holds at most {MOST_SOLUTIONS:,} solutions; give a smaller --solutions"
            )


def _solutions(
    puzzle: Puzzle,
    subject: SubjectOptions,
    backend: str,
    encoding: EncodingOptions,
    inputs: InputOptions,
    report: ReportOptions,
) -> list[Solution]:
    """The solutions to draw."""
    from latcover.core.encoding.prepared import prepare
    from latcover.core.solving.solve import SolveRequest, solve

    several = subject.several
    number = several or subject.solution or 1
    found: list[Solution] = []
    options = SearchOptions(limit=MOST_OF_ALL + 1 if number == ALL else number)
    request = made(SolveRequest, backend, options, encoding, report)
    prepared = prepare(puzzle, request.choices, inputs.bounds())
    with watched(watcher(report), found.append) as events:
        answer = solve(prepared, request, events)
        events.ended(answer)
    if number == ALL and len(found) > MOST_OF_ALL:
        raise UnsupportedError(
            f"{puzzle.name} has more than {MOST_OF_ALL:,} solutions, too many to draw; give --solutions N"
        )
    if not found or (several is None and len(found) < number):
        raise PuzzleError(_no_solution(prepared, answer, number))
    if len(found) < number and not (number == ALL and answer.complete):
        say(_no_solution(prepared, answer, number), report)
    return found[-1:] if several is None else found


def _all_solutions(
    puzzle: Puzzle, encoding: EncodingOptions, memory: int, inputs: InputOptions, report: ReportOptions
) -> AllSolutions[Solution]:
    """All solutions, to draw one by chance, or to draw where parts are in them."""
    from latcover.lab.asking.all_solutions import DiagramRequest, all_solutions

    request = DiagramRequest(given=encoding.choices().given, memory=memory)
    with watched(watcher(report)) as events:
        every = all_solutions(puzzle, request, events, bounds=inputs.bounds())
        events.made(every)
    return every


def _show_probabilities(
    every: AllSolutions[Solution],
    part: str | None,
    output: Path | None,
    request: DrawRequest,
    report: ReportOptions,
    *,
    color: bool | None,
) -> None:
    """Draw how many of all solutions have each part on each cell, or print the number of each placement."""
    from latcover.lab.asking.probabilities import probabilities_of
    from latcover.show.drawing.paper.styles import Projection
    from latcover.show.printing.drawing import Drawing
    from latcover.show.reporting.probability_report import heat_maps, placement_lines

    chances = probabilities_of(every)
    if report.as_json:
        write_or_echo(output, "\n".join(placement_lines(chances)), report)
        return
    view, lattice = heat_maps(chances, part), chances.puzzle.lattice
    if output is not None and output.suffix.lower() in PICTURES:
        if lattice.dimension == 3 and request.view is None:
            request = replace(request, view=Projection.layers)
        write_drawn(output, Drawing(chances.puzzle, view, request).files(output.suffix.lower()), report)
        return
    _write_text(view, output, report, color=color)


def _no_solution(prepared: Prepared, answer: SearchResult, number: int) -> str:
    """Why there is no solution of this *number*, counted from 1."""
    from latcover.show.reporting.search_report import reasons_for

    found = counted(answer.different, "different solution")
    if not answer.complete:
        before = "" if number == ALL else f", before number {number:,}"
        return f"{answer.puzzle}: {answer.stop.verdict} after {found}{before}"
    if answer.different:
        return f"{answer.puzzle} has only {found}; there is no number {number:,}"
    reasons = "".join(f": {reason.text}" for reason in reasons_for(answer, lambda: prepared)[:1])
    return f"{answer.puzzle} has no solution to show{reasons}; --region and --part show the puzzle"


def _show_lattice(
    lattice: Lattice,
    form: str,
    output: Path | None,
    request: DrawRequest,
    report: ReportOptions,
    *,
    color: bool | None,
) -> None:
    """Draw some cells of a lattice.

    Raises:
        UnsupportedError: a page or a model of it.
    """
    from latcover.show.drawing.views.patch_views import of_lattice, svg_of_lattice

    if form not in (".txt", *PICTURES):
        raise UnsupportedError(f"{lattice.name!r} is a lattice, which {form} cannot show; give --output x.svg")
    if output is not None and form in PICTURES:
        text = svg_of_lattice(lattice, request.style(lattice), request.projection)
        write_pictures(output, [text], lattice.title, report, request.dpi)
        return
    _write_text(of_lattice(lattice), output, report, color=color)


def _only_of_puzzles(used: Sequence[str], what: str, known: frozenset[str]) -> None:
    """Refuse options that mean nothing for a lattice or for shapes."""
    unfit = sorted(set(used) - known)
    if unfit:
        raise UnsupportedError(f"{what}: leave {unfit[0]} out, or name a puzzle")


def _show_shapes(
    shapes: PartSet,
    form: str,
    output: Path | None,
    request: DrawRequest,
    report: ReportOptions,
    *,
    color: bool | None,
    every: bool,
) -> None:
    """Draw shapes side by side.

    Raises:
        UnsupportedError: a page or a model of them.
    """
    from latcover.show.drawing.paper.svg import sheet
    from latcover.show.drawing.views.puzzle_views import of_part_set

    if form not in (".txt", *PICTURES):
        raise UnsupportedError(f"{shapes.title or shapes.name}: shapes, which {form} cannot show; give --output x.svg")
    view = of_part_set(shapes)
    if output is not None and form in PICTURES:
        text = sheet(view.title, view.entries(), request.style(shapes.lattice))
        write_pictures(output, [text], view.title, report, request.dpi)
        return
    _write_text(view, output, report, color=color, every=every)


def _show_goals(
    goals: Goals,
    form: str,
    output: Path | None,
    request: DrawRequest,
    inputs: InputOptions,
    report: ReportOptions,
    *,
    color: bool | None,
    every: bool,
) -> None:
    """Draw each goal with a solution; a page says how many solutions each has.

    Raises:
        UnsupportedError: a model of them.
    """
    from latcover.apps.cli.commands.goals_command import counted_goals, one_of_each
    from latcover.show.printing.drawing import Drawing
    from latcover.show.reporting.goals_report import goals_as_html, of_goals

    if form in MODELS:
        raise UnsupportedError(f"{form}: a model shows one solution; choose a goal with --goal")
    found, result = one_of_each(goals, inputs, report)
    if not result.complete:
        say(f"{result.stop.verdict}: some goals were not solved", report)
    view = of_goals(goals, found)
    if form == ".html":
        counts = counted_goals(goals, inputs, report)
        write_file(output or Path(), goals_as_html(goals, found, counts), report)
    elif output is None or form == ".txt":
        _write_text(view, output, report, color=color, every=every)
    else:
        with status_of(report) as tell:
            made = Drawing(goals.board, view, request, [*found.values()]).files(form, tell)
        write_drawn(output, made, report)


def _taken_apart(
    puzzle: Puzzle, found: Sequence[Solution], apart: ApartOptions, messages: MessageOptions
) -> dict[int, Disassembly]:
    """How solutions come apart, by their numbers; a remark tells which do not."""
    from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of
    from latcover.show.drawing.scenes.dismantling import result_in_words

    limits = ApartLimits() if apart.states is None else ApartLimits(apart.states)
    assembler = assembler_of(puzzle, in_plane=apart.in_plane)
    taken = dict(zip((s.number for s in found), assembler.take_apart(found, limits), strict=True))
    for number, disassembly in taken.items():
        if disassembly.result != "apart":
            say(f"solution {number}: {result_in_words(disassembly)}", messages)
    return taken


def _view(puzzle: Puzzle, subject: SubjectOptions, found: Sequence[Solution]) -> PuzzleView:
    """What is drawn: the region, a part, or solutions."""
    from latcover.show.drawing.views import puzzle_views as views

    if subject.part is not None:
        return views.of_part(puzzle, subject.part)
    if not found:
        return views.of_region(puzzle)
    return views.of_solution(puzzle, found[0]) if subject.several is None else views.of_solutions(puzzle, found)


def _write_text(
    view: PuzzleView, output: Path | None, report: ReportOptions, *, color: bool | None, every: bool = True
) -> None:
    """Write a view in letters, or as data."""
    if output is None and not report.as_json:
        echo_view(view, color=color, every=every)
        return
    text = json.dumps(view.data) if report.as_json else "\n".join(view.lines(colour=False, width=screen_width()))
    if output is None:
        echo_picture(text)
    else:
        write_file(output, text, report)
