"""How things are drawn into files: what the options of `latcover show` say, and the arguments of `latcover.draw`."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar, get_args

from msgspec import Struct
from msgspec.structs import fields, force_setattr

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import Columns, Dpi
from latcover.errors import PuzzleError, UnsupportedError, escaped, unwritable
from latcover.show.drawing.paper.papers import LONGEST_TITLE, Paper, paper
from latcover.show.drawing.paper.styles import PictureStyle, Projection, Sides
from latcover.show.printing.layout import Dimensions, require_share
from latcover.show.printing.picture_forms import FORMS_OF, MODELS, require_form

USUAL_PAPER = "A4"
E = TypeVar("E", bound=StrEnum)


class DrawRequest(Struct, frozen=True, kw_only=True):
    """How something is drawn.

    Attributes:
        view: How to draw what is in space; None draws several scenes, and a single one, as `svg.panels_of` says.
        letters: Whether parts have letters.
        patterns: Whether parts have patterns besides colours.
        sides: How flat pictures show the values of the sides of tiles; None for areas.
        explode: By how many times their distance from the middle the parts of a solution move apart.
        steps: Whether to draw a sheet of the moves that build a solution, whose disassembly must be given.
        reverse: Whether these moves take it apart.
        instructions: Whether to draw building instructions, from its disassembly.
        paper: The name of the paper, such as "A4" or "letter". This, or one of the next three, makes a poster.
        landscape: How the paper lies; None chooses what fits best.
        columns: Pictures side by side; None chooses.
        title: The title of a poster; None takes the puzzle's.
        dpi: Dots per inch of a PNG; None for 150.
        edge: The length of a unit of a model, in millimetres; as are the next three. See `layout.Dimensions`.
    """

    view: str | None = None
    letters: bool = True
    patterns: bool = False
    sides: str | None = None
    explode: float = 0.0
    steps: bool = False
    reverse: bool = False
    instructions: bool = False
    paper: str | None = None
    landscape: bool | None = None
    columns: int | None = None
    title: str | None = None
    dpi: float | None = None
    edge: float | None = None
    clearance: float | None = None
    chamfer: float | None = None
    thickness: float | None = None

    def __post_init__(self) -> None:
        """Check what does not depend on the form of the file.

        Raises:
            PuzzleError: no paper has this name, the title holds what no picture can, or a length is out of bounds.
            UnsupportedError: an unknown view, or a title that is too long.
        """
        force_setattr(self, "view", _one_of(Projection, "view", self.view))
        force_setattr(self, "sides", _one_of(Sides, "sides", self.sides))
        title = self.title or ""
        if unwritable(title):
            raise PuzzleError(f"the title: no picture can hold the character {escaped(unwritable(title))}")
        if len(title) > LONGEST_TITLE:
            raise UnsupportedError(
                f"the title has {len(title):,} characters; give at most {LONGEST_TITLE}, which a sheet has room for"
            )
        for name, kind in (("columns", Columns), ("dpi", Dpi)):
            value, bounds = getattr(self, name), get_args(kind)[1]
            if value is not None and not bounds.ge <= value <= bounds.le:
                raise UnsupportedError(f"{name} is {value}; it must lie between {bounds.ge} and {bounds.le:,}")
        require_share(self.explode)
        Dimensions(**self._lengths())
        paper(self.paper or USUAL_PAPER)

    def given(self) -> list[str]:
        """The fields that differ from their defaults."""
        return [field.name for field in fields(self) if getattr(self, field.name) != field.default]

    def check(self, form: str) -> None:
        """Refuse what the form of a file, its suffix, cannot honour; before any search.

        Raises:
            UnsupportedError: the form is unknown, or a field means nothing in it.
            BackendUnavailableError: a library is not installed.
        """
        require_form(form)
        for name in self.given():
            if form not in FORMS_OF[name]:
                raise UnsupportedError(f"{name}: only for {', '.join(FORMS_OF[name])}; leave it out for {form}")
        if form in (".pdf", ".png"):
            from latcover.show.printing.sheets import require_typst

            require_typst(f"a picture as {form}")
        elif form in MODELS:
            from latcover.show.printing.models import require_libraries

            require_libraries(f"a model as {form}")

    def style(self, lattice: Lattice) -> PictureStyle:
        """How pictures on a lattice look.

        Raises:
            UnsupportedError: a view in space of a flat lattice, or sides in space drawn as those of flat tiles.
        """
        if self.view is not None and lattice.dimension < 3:
            raise UnsupportedError(f"the lattice {lattice.name!r} is flat: leave the view out")
        if self.sides is not None and lattice.dimension > 2 and self.view != Projection.layers:
            raise UnsupportedError("sides: this says how flat pictures show sides; choose the view 'layers' too")
        return PictureStyle(self.letters, self.patterns, sides=Sides(self.sides or Sides.triangles))

    @property
    def projection(self) -> Projection | None:
        """The view."""
        return None if self.view is None else Projection(self.view)

    @property
    def is_poster(self) -> bool:
        """Whether pictures stand on sheets of paper."""
        return self.instructions or any(x is not None for x in (self.paper, self.landscape, self.columns, self.title))

    def papers(self) -> tuple[Paper, ...]:
        """The sheets of paper to choose from: as it lies, or both ways."""
        ways = (False, True) if self.landscape is None else (self.landscape,)
        return tuple(paper(self.paper or USUAL_PAPER, landscape=way) for way in ways)

    def dimensions(self, puzzle: Puzzle) -> Dimensions:
        """The measures of models of *puzzle*; the usual ones where none are given."""
        return Dimensions.of(puzzle, **self._lengths())

    def _lengths(self) -> dict[str, float]:
        names = ("edge", "clearance", "chamfer", "thickness")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def _one_of(kind: type[E], name: str, value: str | None) -> E | None:
    if value is not None and value not in list(kind):
        raise UnsupportedError(f"{name} is {value!r}; it is one of: {', '.join(kind)}")
    return None if value is None else kind(value)
