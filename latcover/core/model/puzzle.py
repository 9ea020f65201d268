"""Puzzles: a region of a lattice, and parts that cover it. Plain data; nothing here searches or draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from latcover.core.model.colour_names import named, unknown
from latcover.core.model.given import LARGEST, LONGEST_NAME, LONGEST_TEXT, CellsLike, check_fields, is_whole, read_cells
from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.period import Period
from latcover.core.model.pictured import Pictured
from latcover.core.model.puzzle_costs import NamedCosts
from latcover.core.model.turn_data import Turning
from latcover.errors import Complaint, PuzzleError, counted, escaped

ALL_CELLS = "all"  # of a region, which may stay empty
MAX_GRID = 1 << 26  # entries of the dense table over a region's bounding box
LONGEST_NAMES = 80  # characters of the names of parts in a line about a puzzle


def _repeated(rows: npt.NDArray[np.int32]) -> list[int] | None:
    """The first row that is equal to an earlier one."""
    if len(rows) < 2:
        return None
    low, spans = rows.min(axis=0).astype(np.int64), np.ptp(rows.astype(np.int64), axis=0) + 1
    if prod(spans.tolist()) < 1 << 62:  # a row as one number
        keys = np.ravel_multi_index(tuple((rows - low).T), tuple(spans.tolist()))
        if (keys[1:] > keys[:-1]).all():
            return None
        first = np.unique(keys, return_index=True)[1]
    else:
        first = np.unique(rows, axis=0, return_index=True)[1]
    again = np.ones(len(rows), bool)
    again[first] = False
    return rows[again.argmax()].tolist() if again.any() else None


def _check_cells(what: str, cells: Cells, lattice: Lattice | None, **arrays: npt.NDArray[np.generic]) -> None:
    """Refuse *cells* of which one occurs twice, and *arrays* that are not as long."""
    again = _repeated(cells)
    if again is not None:
        shown = f"(node, x, y, ...) = {tuple(again)}" if lattice is None else lattice.written(again)
        raise PuzzleError(f"{what} holds the cell {shown} twice; leave one out")
    for name, array in arrays.items():
        if array.shape != (len(cells),):
            raise PuzzleError(f"{what} has {len(cells)} cells, but its {name} have the shape {array.shape}")


class Bounds(Struct, frozen=True):
    """The size of a puzzle beyond which it is refused."""

    cells: int = 1_000_000
    placements: int = 10_000_000

    @property
    def file_bytes(self) -> int:
        return min((1 << 20) + 64 * self.cells, 1 << 28)


class Region(Struct, frozen=True, eq=False):
    """The cells to cover.

    ``Region([(0, 0), (0, 1)])`` and ``Region("XX\\nX+")`` are regions of a lattice with one node; `box` makes a box.

    Attributes:
        cells: Distinct rows, shape (n, dimension + 1), int32; their order numbers the cells. Coordinates or art may be
            given instead, see `Part`; in art ``+`` is an optional cell. Where the region closes on itself, each cell
            becomes its home, and two with one home are the same.
        colours: Colour of each cell, shape (n,), int32; a cell of colour 0 takes any colour. By default all are 0.
        optional: Whether a cell may stay empty, shape (n,), bool; "all" is every cell. By default none may, or those
            that art marks; with `max_empty`, every cell may, unless art marks some.
        period: The translations under which the region repeats. Given as a length for each axis, 0 where it does not
            close on itself, or as vectors: ``[(8, 5), (-5, 8)]``. By default it does not close.
        max_empty: How many optional cells may stay empty; cells of secondary nodes are not counted. None is no bound.
        exchangeable: Whether it does not matter how the pieces of a region in several pieces lie to each other: each
            may be moved by itself, to the place of one that is congruent, or in its own. See
            `latcover.core.encoding.exchange`.
    """

    cells: Cells
    colours: npt.NDArray[np.int32] = None  # type: ignore[assignment]
    optional: npt.NDArray[np.bool_] = None  # type: ignore[assignment]
    period: Period = None  # type: ignore[assignment]
    max_empty: int | None = None
    lattice: Lattice | None = None  # only to read the cells; no region keeps it
    exchangeable: bool = False
    _bare: bool = False  # made of coordinates without nodes

    if TYPE_CHECKING:

        def __init__(
            self,
            cells: CellsLike,
            colours: Sequence[int] | npt.NDArray[np.int32] | None = None,
            optional: Sequence[bool] | npt.NDArray[np.bool_] | Literal["all"] | None = None,
            period: Period | Sequence[int | Sequence[int]] | None = None,
            max_empty: int | None = None,
            lattice: Lattice | None = None,
            exchangeable: bool = False,
            _bare: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        period, max_empty = self.period, self.max_empty
        check_fields("the region", lattice=self.lattice, period=() if period is None else period, max_empty=max_empty)
        read = read_cells("the region", self.cells, self.lattice, may_be_optional=True)
        free = _optional(self.optional, read.optional, max_empty)
        _fill(
            self,
            cells=read.cells,
            colours=_colours("the region", self.colours, read.cells),
            optional=free,
            period=(closed := _period(read.cells.shape[-1] - 1, period)),
            max_empty=None if max_empty is None else int(max_empty),
            lattice=None,
            exchangeable=bool(self.exchangeable),
            _bare=self._bare or read.bare,
        )
        if closed:
            force_setattr(self, "cells", self.wrapped(read.cells))  # any name of a cell will do
        _check_cells("the region", self.cells, None, colours=self.colours, optional=self.optional)

    def __repr__(self) -> str:
        free = f", {int(self.optional.sum()):,} of them optional" if self.optional.any() else ""
        return (
            f"<Region: {counted(len(self.cells), 'cell')}{free}, in a box of {' by '.join(map(str, self.extents()))}>"
        )

    @property
    def n_mandatory(self) -> int:
        return int((~self.optional).sum())

    def is_all_optional(self, lattice: Lattice) -> bool:
        """Whether every cell may stay empty; those of secondary nodes may in any region."""
        secondary = np.array([node.secondary for node in lattice.nodes])[self.cells[:, 0]]
        return bool(self.optional[~secondary].all()) and not secondary.all()

    def bounded_empty(self, lattice: Lattice) -> npt.NDArray[np.bool_]:
        """The optional cells to which `max_empty` applies, shape (n,), bool; none if all of them may stay empty."""
        secondary = np.array([node.secondary for node in lattice.nodes])
        cells: npt.NDArray[np.bool_] = self.optional & ~secondary[self.cells[:, 0]]
        binds = self.max_empty is not None and self.max_empty < int(cells.sum())
        return cells if binds else np.zeros_like(cells)

    def extents(self) -> tuple[int, ...]:
        """Size of the bounding box along each axis; of a vector of the period that leads along it alone, the length."""
        spans = self.cells[:, 1:].max(axis=0).astype(int) - self.cells[:, 1:].min(axis=0) + 1
        return tuple(p or int(s) for p, s in zip(self.period.lengths(), spans, strict=True))

    def default_order(self) -> tuple[int, ...]:
        """Axes, slowest first. The longest axis is slowest, so that cells are numbered across the short side."""
        extents = self.extents()
        return tuple(sorted(range(len(extents)), key=lambda axis: -extents[axis]))

    def ordered(self, axes: Sequence[int]) -> Region:
        """The same region, its cells numbered along *axes*, slowest first. The cells of a unit follow each other."""
        by = np.lexsort([self.cells[:, 0], *(self.cells[:, 1 + axis] for axis in reversed(axes))])
        return replace(self, cells=self.cells[by], colours=self.colours[by], optional=self.optional[by])

    def wrapped(self, cells: Cells) -> Cells:
        """The homes of *cells*: in a periodic region, a cell has many names."""
        if not self.period:
            return cells
        return np.column_stack([cells[:, :1], self.period.home(cells[:, 1:])]).astype(np.int32)


def _period(dimension: int, given: Period | Sequence[int | Sequence[int]] | None) -> Period:
    try:
        return Period.read(dimension, given)
    except PuzzleError as fault:
        raise PuzzleError(f"the region {fault}") from None


class Rules(Struct, frozen=True, eq=False):
    """Rules on neighbours, colours and sides.

    Colours and side values are numbers; colour 0 is none, side value 0 is flat.

    Attributes:
        stands_on: Pairs ``(part colour, cell colour)``: such a part may cover such a cell. Equal colours always may.
        apart: Pairs of colours, the lesser first, that may not touch across the sides of cells.
        across_corners: Whether they may not touch across corners either.
        exchangeable: Sets of colours, each ascending. A symmetry may permute the colours of a set.
        sides: Names of the side values; the first is flat.
        fits: Which side values may face each other, shape (n_values, n_values), symmetric, bool.
        open_sides: Which side values may face an empty cell or the outside of the region, shape (n_values,), bool.
        rim: The side value that every side facing the outside must bear, whatever `open_sides` says; -1 if none must.
        asked: Sides of the region's cells and the value that the part there must bear, as rows ``(cell, half-edge,
            side value)``. A side between two cells of one part is not judged; cells outside the region ask nothing.
        exchangeable_values: Sets of side values, each ascending. A symmetry may permute the values of a set.
        alike: Groups of the region's cells, each ascending. All cells of parts that lie on one group and have a colour
            have the same one; cells outside the region mean nothing.
        of_parts: The rules on the parts of a solution as a whole, each a `latcover.core.model.rules.rule.Rule`.

    A flat side bears every value that it may face, so it may stand at the rim and where a value is asked for.
    """

    stands_on: frozenset[tuple[int, int]] = frozenset()
    apart: tuple[tuple[int, int], ...] = ()
    across_corners: bool = False
    exchangeable: tuple[tuple[int, ...], ...] = ()
    sides: tuple[str, ...] = ("flat",)
    fits: npt.NDArray[np.bool_] = field(default_factory=lambda: np.ones((1, 1), np.bool_))
    open_sides: npt.NDArray[np.bool_] = field(default_factory=lambda: np.ones(1, np.bool_))
    rim: int = -1
    asked: tuple[tuple[tuple[int, ...], int, int], ...] = ()
    exchangeable_values: tuple[tuple[int, ...], ...] = ()
    alike: tuple[tuple[tuple[int, ...], ...], ...] = ()
    of_parts: tuple[Struct, ...] = ()

    def bears(self, value: int) -> npt.NDArray[np.bool_]:
        """Which side values may stand where *value* is asked for, shape (n_values,)."""
        may: npt.NDArray[np.bool_] = np.arange(len(self.sides)) == value
        may[0] |= self.fits[0, value]
        return may

    def may_look_out(self) -> npt.NDArray[np.bool_]:
        """Which side values may face the outside of the region, shape (n_values,)."""
        return self.open_sides if self.rim < 0 else self.bears(self.rim)


class Published(Struct, frozen=True):
    """A published figure that is wrong, and the reason."""

    figure: str
    value: int
    source: str
    reason: str


class Part(Pictured, Struct, frozen=True, eq=False):
    """A shape and how often it may be used.

    ``Part("L", [(0, 0), (1, 0), (1, 1)])`` and ``Part("L", "X.\\nXX")`` are parts of a lattice with one node. On a
    lattice of several nodes each cell ends with the name of its node, as in a puzzle file, and the part needs the
    lattice: ``Part("T", [(0, 0, "up")], lattice=lattice)``.

    Attributes:
        cells: Distinct rows ``(node, x, y, ...)``, shape (k, dimension + 1), int32. Given may also be tuples of
            coordinates; rows of text, ``X`` for a cell and ``.`` for none; or layers, which are lists of such rows.
        colours: Colour of each cell, shape (k,), int32; colour 0, the default, may cover any cell.
        low, high: The least and the greatest number of copies; by default 1, and as many as ``low``. ``high`` None is
            no bound.
        transformations: The transformations that the part may undergo, identity first. A name that `Lattice.allowed`
            takes may be given, such as ``"fixed"``; by default the lattice has one. The puzzle looks it up.
        sides: Rows ``(index of a cell, half-edge, side value)`` of the sides that are not flat, shape (m, 3), int32.
        lattice, number: The part's lattice, and its index among its puzzle's parts; only pictures use them.
        groups: The groups of pieces that need not come apart, by name, each with how many copies of the part may stay
            in such a group; None is all.
        weight: Where two groups of pieces part, the one with the heaviest part counts as the one that stays.
        display_colour: The colour that pictures and models show, by a name of CSS or a code; "" takes the palette's.
        within: The cells of the region that the part may cover, given and kept like `cells`; None is all.
        keep_off: Cells that it may not cover; None is none.
    """

    BESIDE_THE_QUESTION = frozenset(("lattice", "number", "display_colour"))  # the lattice is the puzzle's

    name: str
    cells: Cells
    colours: npt.NDArray[np.int32] = None  # type: ignore[assignment]
    low: int = 1
    high: int | None = ...  # type: ignore[assignment]  # as many as `low`
    transformations: tuple[Transformation, ...] = None  # type: ignore[assignment]
    sides: npt.NDArray[np.int32] = None  # type: ignore[assignment]
    lattice: Lattice | None = None
    number: int = 0
    groups: tuple[tuple[str, int | None], ...] = ()
    weight: int = 1
    display_colour: str = ""
    within: Cells | None = None
    keep_off: Cells | None = None
    _bare: bool = False  # made of coordinates without nodes
    _allowed: str | None = None  # the transformations that the puzzle looks up; "" is the default

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            cells: CellsLike,
            colours: Sequence[int] | npt.NDArray[np.int32] | None = None,
            low: int = 1,
            high: int | EllipsisType | None = ...,
            transformations: str | Sequence[Transformation] | None = None,
            sides: npt.NDArray[np.int32] | None = None,
            lattice: Lattice | None = None,
            number: int = 0,
            groups: tuple[tuple[str, int | None], ...] = (),
            weight: int = 1,
            display_colour: str = "",
            within: CellsLike | None = None,
            keep_off: CellsLike | None = None,
            _bare: bool = False,
            _allowed: str | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        given: Any = self.transformations
        high = self.low if isinstance(self.high, EllipsisType) else self.high
        check_fields("a part", name=self.name)
        what = f"part {self.name!r}"
        check_fields(
            what,
            low=self.low,
            high=high,
            weight=self.weight,
            transformations=given,
            groups=self.groups,
            display_colour=self.display_colour,
            lattice=self.lattice,
        )
        read = read_cells(what, self.cells, self.lattice)
        confines = {
            key: None if cells is None else read_cells(f"{key} of {what}", cells, self.lattice).cells
            for key, cells in (("within", self.within), ("keep_off", self.keep_off))
        }
        word = None if given else self._allowed
        if given is None or isinstance(given, str):
            word = given or ""
        _fill(
            self,
            cells=read.cells,
            colours=_colours(what, self.colours, read.cells),
            low=int(self.low),
            high=None if high is None else int(high),
            transformations=() if word is not None or given is None else tuple(given),
            sides=np.empty((0, 3), np.int32) if self.sides is None else self.sides,
            groups=tuple(self.groups),
            weight=int(self.weight),
            **confines,
            _bare=self._bare or read.bare,
            _allowed=word,
        )
        if self.lattice is not None and word is not None:
            allowed = self.lattice.allowed(word or self.lattice.default_transformations)
            _fill(self, transformations=allowed, _allowed=None)
        self._check()

    def _check(self) -> None:
        what = f"part {self.name!r}"
        if self.display_colour and named(self.display_colour) is None:
            raise PuzzleError(f"{what}: {unknown(self.display_colour)}")
        _check_cells(what, self.cells, self.lattice, colours=self.colours)
        if len(self.sides):
            if self.sides.shape[1:] != (3,) or not 0 <= self.sides[:, 0].min() <= self.sides[:, 0].max() < self.size:
                raise PuzzleError(
                    f"{what}: each side is a row: index of one of its {self.size} cells, half-edge, value"
                )
            again = _repeated(self.sides[:, :2])
            if again is not None:
                raise PuzzleError(f"{what} has two values for the side (index of a cell, half-edge) {tuple(again)}")

    def __repr__(self) -> str:
        most = "" if self.high is None else f" to {self.high}"
        once = "" if self.low == 1 else f", {self.low} times"
        copies = once if self.high == self.low else f", from {self.low}{most} copies"
        return f"<Part {self.name!r}: {counted(self.size, 'cell')}{copies}>"

    @property
    def size(self) -> int:
        return len(self.cells)

    @property
    def is_confined(self) -> bool:
        """Whether it may cover only some cells of the region, whatever the colours."""
        return self.within is not None or self.keep_off is not None


class PartSet(Pictured, Struct, frozen=True, eq=False):
    """Parts that belong together, as a file holds them that many puzzles may use.

    Attributes:
        colours: Names of the cell colours; colour 0 is "".
        rules: What the sides of the parts bear.
    """

    name: str
    lattice: Lattice
    parts: tuple[Part, ...]
    title: str = ""
    source: str = ""
    colours: tuple[str, ...] = ("",)
    rules: Rules = field(default_factory=Rules)

    def __repr__(self) -> str:
        return f"<PartSet {escaped(self.name)}: {_parts_in_words(self.parts)}; on {escaped(self.lattice.name)}>"


class Puzzle(Pictured, Struct, frozen=True, eq=False):
    """A region, its parts, and facts about the puzzle.

    Attributes:
        colours: Names of the cell colours; colour 0 is "".
        expect: Figures that the puzzle's file gives, by the names of a `SearchResult` and of `latcover info`.
        warnings: Odd things that the reader found in the file.
        rules: Rules on neighbours, colours and sides.
        published: Published figures that are wrong.
        level: The least level of a solution that comes apart, as the puzzle's file gives it; empty if it does not.
        turning: The room that parts have to turn; None if the file does not say.
        long: Whether a count takes long; `check --all` then leaves it out unless asked.
        note: A remark on the figures.
        comment: What its author says of it, in lines of text; the puzzles of one file may share it.
        costs: What solutions cost, by names; see `latcover.best`.
    """

    BESIDE_THE_QUESTION = frozenset(
        ("title", "source", "expect", "warnings", "published", "level", "long", "note", "comment")
    )

    name: str
    lattice: Lattice
    region: Region
    parts: tuple[Part, ...]
    title: str = ""
    source: str = ""
    colours: tuple[str, ...] = ("",)
    expect: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[Complaint, ...] = ()
    rules: Rules = field(default_factory=Rules)
    published: tuple[Published, ...] = ()
    level: tuple[int, ...] = ()
    turning: Turning | None = None
    long: bool = False
    note: str = ""
    comment: str = ""
    costs: tuple[NamedCosts, ...] = ()

    def __post_init__(self) -> None:
        """Check what was given; give the parts that were made without a lattice this one, and cells their homes."""
        self._check()
        if self.region._bare:
            self._require_plain("the region", self.region.cells)
        if any(part._allowed is not None or part._bare for part in self.parts):
            parts = tuple(self._of_lattice(part, number) for number, part in enumerate(self.parts))
            force_setattr(self, "parts", parts)
        self._check_lattice()
        self._check_confines()
        if self.region.period:
            self._take_homes(self.region.period)

    def __repr__(self) -> str:
        title = f": {escaped(self.title)}" if self.title else ""
        cells, lattice = counted(len(self.region.cells), "cell"), escaped(self.lattice.name)
        return f"<Puzzle {escaped(self.name)}{title}\n {cells} of {lattice}, {_parts_in_words(self.parts)}>"

    def _check(self) -> None:
        what = f"the puzzle {self.name!r:.80}"
        if not isinstance(self.name, str):
            raise PuzzleError(f"a puzzle: its name must be a text, not {self.name!r:.80}")
        for key, most in (
            ("name", LONGEST_NAME),
            ("title", LONGEST_NAME),
            ("source", LONGEST_TEXT),
            ("note", LONGEST_TEXT),
            ("comment", LONGEST_TEXT),
        ):
            if len(getattr(self, key)) > most:
                raise PuzzleError(f"{what}: its {key} has more than {most:,} characters; shorten it")
        check_fields(what, lattice=self.lattice or "")  # None too is none
        if not isinstance(self.region, Region):
            raise PuzzleError(f"{what}: its region must be a Region, as Region(...) or box(...) makes it")
        parts = tuple(self.parts) if isinstance(self.parts, Iterable) else (None,)
        if not all(isinstance(part, Part) for part in parts):
            raise PuzzleError(f'{what}: its parts must be a list of parts, such as [Part("L", "X.\\nXX")]')
        force_setattr(self, "parts", parts)
        for owner, colours in (("the region", self.region.colours), *((f"part {p.name!r}", p.colours) for p in parts)):
            if colours.max() >= len(self.colours):
                raise PuzzleError(
                    f"{owner} has the colour {colours.max()}, but the puzzle names "
                    f'{counted(len(self.colours) - 1, "colour")}; name them: colours=("", "red", ...)'
                )

    def _check_lattice(self) -> None:
        """Refuse what lies on another lattice, and parts that can never be used."""
        for what, cells in (("the region", self.region.cells), *((f"part {p.name!r}", p.cells) for p in self.parts)):
            if elsewhere := _elsewhere(self.lattice, cells):
                raise PuzzleError(f"{what} {elsewhere}")
        for part in self.parts:
            what = f"part {part.name!r}"
            if not part.transformations:
                raise PuzzleError(f'{what} has no transformations; lattice.allowed("fixed") is the least')
            if part.low < 0 or (part.high is not None and part.high < part.low):
                raise PuzzleError(
                    f"{what} is to be used at least {part.low} and at most {part.high} times: the minimum exceeds the "
                    "maximum"
                )

    def _check_confines(self) -> None:
        """Refuse cells of another lattice; keep those that parts name as rows in order, each once, by their homes."""
        for k, part in enumerate(self.parts):
            given = {"within": part.within, "keep_off": part.keep_off}
            found: dict[str, Cells] = {}
            for key, cells in given.items():
                if cells is None or not len(cells):
                    continue
                if elsewhere := _elsewhere(self.lattice, cells):
                    raise PuzzleError(f"{key} of part {part.name!r} {elsewhere}")
                homes = np.unique(self.region.wrapped(cells), axis=0)
                if not np.array_equal(homes, cells):
                    found[key] = homes
            if found:
                parts = (*self.parts[:k], replace(part, **found), *self.parts[k + 1 :])
                force_setattr(self, "parts", parts)

    def _take_homes(self, period: Period) -> None:
        """Cells that rules and costs name by any of their names get that of the region."""
        rules = self.rules
        asked = tuple((period.home_of(cell), edge, value) for cell, edge, value in rules.asked)
        alike = tuple(tuple(sorted(period.homes_of(group))) for group in rules.alike)
        if (asked, alike) != (rules.asked, rules.alike):
            force_setattr(self, "rules", replace(rules, asked=asked, alike=alike))
        if self.costs:
            force_setattr(self, "costs", tuple(costs.moved(period.homes_of) for costs in self.costs))

    def _of_lattice(self, part: Part, number: int) -> Part:
        if part._bare:
            self._require_plain(f"part {part.name!r}", part.cells)
        elif part._allowed is None:
            return part
        return replace(part, lattice=self.lattice, number=number, _bare=False)

    def _require_plain(self, what: str, cells: Cells) -> None:
        """Refuse cells without nodes that do not fit the lattice."""
        lattice, axes = self.lattice, cells.shape[1] - 1
        if len(lattice.nodes) > 1:
            names = ", ".join(repr(node.name) for node in lattice.nodes)
            raise PuzzleError(
                f"{what}: the lattice {lattice.name!r} has several nodes; make it with lattice=..., and end each cell "
                f"with one of {names}"
            )
        if axes != lattice.dimension:
            raise PuzzleError(f"{what} has {axes} coordinates a cell, but the lattice {lattice.name!r} has "
                              f"{lattice.dimension} axes")  # fmt: skip

    def most_copies(self, part: Part) -> int:
        """How many copies of *part* can be used at most, by the region's volume and by the part's own bound."""
        room = len(self.region.cells) // part.size
        return room if part.high is None else min(part.high, room)


def _elsewhere(lattice: Lattice, cells: Cells) -> str:
    """What is wrong with *cells* that do not lie on *lattice*; "" if they do."""
    known = (cells[:, 0] >= 0) & (cells[:, 0] < len(lattice.nodes))
    if cells.shape[1] == lattice.dimension + 1 and known.all():
        return ""
    hint = "; the rows of an array are (node, x, y, ...)" if cells.shape[1] == lattice.dimension else ""
    return f"lies on another lattice than {lattice.name!r}{hint}"


def _parts_in_words(parts: Sequence[Part]) -> str:
    names = escaped(", ".join(part.name for part in parts))
    return f"{counted(len(parts), 'part')}: {names[:LONGEST_NAMES]}{'...' if len(names) > LONGEST_NAMES else ''}"


def require_puzzle(who: str, given: object) -> None:
    """Raise a PuzzleError if *given* is no puzzle."""
    if not isinstance(given, Puzzle):
        raise PuzzleError(f'{who} takes a puzzle, as latcover.load("soma") returns it; not {given!r:.80}')


def as_cells(rows: Sequence[Sequence[int]], dimension: int) -> Cells:
    """Rows ``(node, x, y, ...)`` as the array that regions and parts hold.

    Raises:
        PuzzleError: a row has another length.
    """
    cells = np.array(rows, dtype=np.int32)
    if cells.ndim != 2 or cells.shape[1] != dimension + 1:
        raise PuzzleError(f"each cell is a node and {dimension} coordinates")
    return cells


def box(*sizes: int, lattice: Lattice | None = None) -> Region:
    """A region of *sizes* units along the axes: ``box(4, 4, 4)``.

    All cells of *lattice* in the box belong to it; without one, the lattice has one node.

    Raises:
        PuzzleError: a size is no number from 1, or the box is too large.
    """
    check_fields("a box", lattice=lattice)
    if not sizes or not all(is_whole(size, 1) for size in sizes):
        raise PuzzleError(f"the sizes of a box must be whole numbers from 1, not {sizes!r:.80}")
    n_nodes = 1 if lattice is None else len(lattice.nodes)
    if prod(map(int, sizes)) * n_nodes > MAX_GRID:
        raise PuzzleError(f"a box of {' by '.join(map(str, sizes))} has more than {MAX_GRID:,} cells")
    if lattice is not None and len(sizes) != lattice.dimension:
        raise PuzzleError(f"the lattice {lattice.name!r} has {lattice.dimension} axes; the box has {len(sizes)} sizes")
    grid = np.indices((*sizes, n_nodes), dtype=np.int32).reshape(len(sizes) + 1, -1)
    return Region(np.column_stack([grid[-1], *grid[:-1]]), _bare=lattice is None)


def _fill(thing: Struct, **values: object) -> None:
    """Set attributes of something frozen while it is made."""
    for name, value in values.items():
        force_setattr(thing, name, value)


def _array(what: str, name: str, values: object, kind: type[np.generic]) -> npt.NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        array = np.asarray(None)
    if not (np.issubdtype(array.dtype, kind) or np.issubdtype(array.dtype, np.integer)):
        raise PuzzleError(f"{what}: its {name} must be numbers, one for each cell, not {values!r:.80}")
    if array.size and array.dtype != np.bool_ and not 0 <= int(array.min()) <= int(array.max()) <= LARGEST:
        raise PuzzleError(f"{what}: its {name} must be numbers from 0, not {values!r:.80}")
    return array.astype(kind) if array.dtype != kind else array


def _optional(given: object, marked: npt.NDArray[np.bool_], max_empty: int | None) -> npt.NDArray[np.bool_]:
    """The cells of a region that may stay empty, where art has *marked* some."""
    if given is None and not (max_empty and not marked.any()):
        return marked
    if given is None or (isinstance(given, str) and given == ALL_CELLS):
        return np.ones(len(marked), np.bool_)
    return _array("the region", "optional", given, np.bool_)


def _colours(what: str, given: object, cells: Cells) -> npt.NDArray[np.int32]:
    return np.zeros(len(cells), np.int32) if given is None else _array(what, "colours", given, np.int32)
