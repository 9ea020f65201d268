"""Pictures in Python: `latcover.draw`, and the methods `draw` and `save` of puzzles, parts and solutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Part, PartSet, Puzzle, Region, Rules
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError, UnsupportedError, counted, escaped, suggest
from latcover.show.drawing import palette
from latcover.show.drawing.palette import hexadecimal
from latcover.show.drawing.paper.notebook import html, svg
from latcover.show.drawing.views import puzzle_views as views
from latcover.show.printing.draw_request import DrawRequest
from latcover.show.printing.drawing import Drawing
from latcover.system.files import write_whole

__all__ = ["Picture", "draw", "html", "svg"]  # the last two are what notebooks ask for
Drawable = Puzzle | Part | PartSet | Solution


class Picture(Struct, frozen=True, eq=False):
    """A picture of a puzzle, a part, or solutions. A notebook shows it, and `save` writes it in any form."""

    drawing: Drawing

    @property
    def pages(self) -> list[str]:
        """Its pages, each the text of an SVG file; several if it is a poster or instructions."""
        return self.drawing.pages()

    def save(self, path: str | Path, **options: Any) -> tuple[Path, ...]:
        """Write it into a file, whose suffix says in which form, as for `latcover show --output`.

        Args:
            path: It ends in .svg, .pdf, .png, .html, .txt, .stl, .3mf, .glb or .step.
            options: Fields of a `DrawRequest` that differ from those of the picture.

        Returns:
            The files that were written; of SVG and PNG each sheet is one (x-1.svg, x-2.svg …).

        Raises:
            UnsupportedError: the form is unknown, or cannot show this.
            PuzzleError: a file cannot be written, a picture would be too large, or a model is impossible.
            BackendUnavailableError: a library is not installed.
        """
        path = Path(path)
        drawing = replace(self.drawing, request=_changed(self.drawing.request, options))
        made = drawing.files(path.suffix.lower())
        written = paths_of(path, len(made.contents))
        for name, content in zip(written, made.contents, strict=True):
            write_whole(name, [content])
        return written

    def _repr_svg_(self) -> str:
        return self.pages[0]

    def __repr__(self) -> str:
        return f"<Picture: {escaped(self.drawing.shown.title)}>"


def paths_of(path: Path, count: int) -> tuple[Path, ...]:
    """The files for *count* sheets: x.svg, or x-1.svg, x-2.svg …"""
    if count == 1:
        return (path,)
    return tuple(path.with_stem(f"{path.stem}-{number}") for number in range(1, count + 1))


def draw(thing: Drawable | Iterable[Solution], *, disassembly: Disassembly | None = None, **options: Any) -> Picture:
    """A picture of a puzzle (its region), a part (its orientations), a set of parts, or solutions of a puzzle.

    Args:
        thing: What to draw. Solutions must know their puzzle, as those do that latcover finds.
        disassembly: How the solution comes apart, as `disassemble` says: for ``steps``, ``instructions`` and
            ``explode``, and for pages that play it.
        options: Fields of a `DrawRequest`, such as ``view="layers"``, ``explode=0.8`` or ``paper="A3"``.

    Raises:
        PuzzleError: a solution does not know its puzzle, a part not its lattice, or there is no solution.
        UnsupportedError: an unknown option, or one that cannot be honoured.
    """
    request = _changed(DrawRequest(), options)
    if isinstance(thing, Puzzle):
        return Picture(Drawing(thing, views.of_region(thing), request))
    if isinstance(thing, Part):
        alone = _alone(thing)
        return Picture(Drawing(alone, views.of_part(alone, thing.name), request, part=thing.name))
    if isinstance(thing, PartSet):
        return Picture(Drawing(_any_of(thing), views.of_part_set(thing), request))
    solutions = (thing,) if isinstance(thing, Solution) else _several(thing)
    puzzle = _puzzle_of(solutions)
    shown = views.of_solution(puzzle, thing) if isinstance(thing, Solution) else views.of_solutions(puzzle, solutions)
    known = {} if disassembly is None else {solutions[0].number: disassembly}
    return Picture(Drawing(puzzle, shown, request, solutions, known))


def _changed(request: DrawRequest, options: dict[str, Any]) -> DrawRequest:
    unknown = sorted(options.keys() - set(DrawRequest.__struct_fields__))
    if unknown:
        raise UnsupportedError(
            f"draw has no option {unknown[0]!r}{suggest(unknown[0], DrawRequest.__struct_fields__)}; "
            f"its options are: {', '.join(DrawRequest.__struct_fields__)}"
        )
    return replace(request, **options)


def _several(things: Iterable[Solution]) -> Sequence[Solution]:
    solutions = tuple(things) if isinstance(things, Iterable) else (None,)
    if not all(isinstance(one, Solution) for one in solutions):
        raise UnsupportedError(f"{things!r:.80} cannot be drawn; give a puzzle, parts, a solution or several of them")
    return solutions


def _puzzle_of(solutions: Sequence[Solution]) -> Puzzle:
    """The puzzle of *solutions*."""
    if not solutions:
        raise PuzzleError("there is no solution to draw")
    puzzles = {id(one.puzzle): one.puzzle for one in solutions}
    puzzle = solutions[0].puzzle
    if puzzle is None:
        raise PuzzleError("a solution does not know its puzzle; give it one: solution.of_puzzle(puzzle)")
    if len(puzzles) > 1:
        raise PuzzleError(f"the solutions are of {counted(len(puzzles), 'puzzle')}; draw those of one puzzle")
    return puzzle


def _any_of(parts: PartSet) -> Puzzle:
    """A puzzle with the parts of a set."""
    region = Region(parts.parts[0].cells, lattice=parts.lattice)
    own = (parts.name, parts.lattice, region, parts.parts, parts.title, parts.source, parts.colours)
    return Puzzle(*own, rules=parts.rules)


def _alone(part: Part) -> Puzzle:
    """A puzzle of this part alone, in its colour. The colours of its cells and the values of its sides are numbers."""
    if part.lattice is None:
        raise PuzzleError(f"part {part.name!r} does not know its lattice; give it one: Part(..., lattice=...)")
    look = part.display_colour or hexadecimal(palette.colour(part.number))
    own = replace(part, number=0, low=1, high=1, groups=(), display_colour=look)
    colours = ("", *map(str, range(1, 1 + int(part.colours.max()))))
    values = ("flat", *map(str, range(1, 1 + int(part.sides[:, 2].max(initial=0)))))
    n = len(values)
    rules = Rules(sides=values, fits=np.ones((n, n), np.bool_), open_sides=np.ones(n, np.bool_))
    return Puzzle(
        part.name, part.lattice, Region(part.cells, lattice=part.lattice), (own,), colours=colours, rules=rules
    )
