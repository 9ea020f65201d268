"""A puzzle for a page on which it is played and solved: its whole cover problem, and the look of each option.

``static/play_puzzle.js`` reads it.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from latcover.apps.publishing.part_turns import turn_data
from latcover.apps.publishing.rule_words import item_words, rule_words
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.veto import require_no_veto
from latcover.core.encoding.encode import part_items
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Prepared, placed_at
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.orientation import Orientation
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.connected import ConnectedVeto
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Cell
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.side_marks import Side, side_looks, side_signs
from latcover.show.drawing.shapes.outlines import padded
from latcover.show.drawing.space.packed_numbers import Packed, pack_numbers
from latcover.show.drawing.space.scene_data import drawn_puzzle
from latcover.show.drawing.space.scene_structs import ScenePart, ScenePuzzle, ShapeData
from latcover.show.drawing.space.shape_data import ShapeBook, numbers

FORMAT = 1


class CoverData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A `latcover.core.cover.problem.CoverProblem`.

    ``sizes`` are the differences of option_starts. ``colours`` are left out if there are none.
    """

    n_options: int
    n_items: int
    n_cells: int
    n_parts: int
    sizes: Packed
    items: Packed
    low: Packed
    high: Packed
    colours: Packed | UnsetType = UNSET


class OptionData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number for each option.

    Attributes:
        orientation: Its number among those of all parts; -1 if the option leaves a cell empty.
        shape: An index into the shapes.
        stand: The cell whose unit is where the shape stands.
        handle: In periodic regions: the cell by which it is held.
    """

    orientation: Packed
    shape: Packed
    stand: Packed
    handle: Packed | UnsetType = UNSET


class OrientationData(Struct, frozen=True):
    """Where the orientations of each part begin and where the last end; the shape of each."""

    first: Packed
    shape: Packed


class PlayPart(ScenePart, frozen=True, kw_only=True):
    """A part with its numbers of copies, its item (-1: none), and its `PartTurns`."""

    low: int
    high: int
    item: int
    turns: Packed
    to: Packed


class CellData(Struct, frozen=True):
    """The region's cells: their centres (x, y or x, y, z), where the unit of each stands (x, y, z), shape, optional."""

    centres: list[float]
    units: list[float]
    shape: Packed
    optional: Packed


class KnownFigures(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Numbers of solutions, if the puzzle's file gives them."""

    different: int | UnsetType = UNSET
    total: int | UnsetType = UNSET


class JudgedRule(Struct, frozen=True):
    """A rule that no item says.

    ``sizes`` and ``cells``: those of each option that must hang together; ``pairs`` of cells that touch.
    """

    words: str
    sizes: Packed
    cells: Packed
    pairs: Packed


class PlayData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A puzzle that people play on a page.

    Attributes:
        digest: That of the rest, under which a player's progress is stored.
        format: Of the data.
        puzzle: Its name, and how it looks.
        cover: The whole cover problem without reduction by symmetry.
        item_words: What each item after the parts stands for: "sides", "colours", "alike" or "rule".
        options, orientations, parts, cells: What they are and how they look.
        turns: The matrix of each turn, nine numbers row by row.
        shapes: Those of options, orientations and cells.
        rules: The rules on neighbours in words, a sentence each.
        judged: Rules that no item says, if there are any.
        known: Numbers of solutions.
    """

    digest: str
    format: int
    puzzle: ScenePuzzle
    cover: CoverData
    item_words: list[str]
    options: OptionData
    orientations: OrientationData
    parts: list[PlayPart]
    turns: list[list[float]]
    cells: CellData
    shapes: list[ShapeData]
    rules: list[str]
    judged: list[JudgedRule] | UnsetType = UNSET
    known: KnownFigures


def play_data(prepared: Prepared) -> PlayData:
    """The data with which a page lets people play a puzzle.

    The options are those of ``prepared.in_full()``, the whole cover problem without reduction by symmetry.
    """
    full = prepared if prepared.choices.symmetry == "none" else prepared.in_full()
    puzzle, table = full.puzzle, full.table
    drawn = _Drawn(puzzle, table, full.option_placement)
    shown = drawn_puzzle(puzzle)
    matrices, turned = turn_data(puzzle.lattice, puzzle.parts, table.axes)
    items = part_items(puzzle, full.problem.n_cells).tolist()
    parts = [
        PlayPart(**asdict(look), low=part.low, high=puzzle.most_copies(part), item=item, turns=own.turns, to=own.to)
        for look, part, item, own in zip(shown.parts, puzzle.parts, items, turned, strict=True)
    ]
    data = PlayData(
        digest="",
        format=FORMAT,
        puzzle=shown.puzzle,
        cover=_cover_data(full.problem),
        item_words=item_words(puzzle, table, full.problem),
        options=drawn.options(),
        orientations=OrientationData(pack_numbers(table.first_orientation), pack_numbers(drawn.oriented)),
        parts=parts,
        turns=matrices,
        cells=drawn.cells(),
        shapes=drawn.book.shapes,
        rules=rule_words(puzzle),
        judged=_judged(full) or UNSET,
        known=KnownFigures(**{name: puzzle.expect[name] for name in ("different", "total") if name in puzzle.expect}),
    )
    text = msgspec.json.encode(data, order="sorted")
    return replace(data, digest=blake2b(text, digest_size=8).hexdigest())


def _judged(full: Prepared) -> list[JudgedRule]:
    """The rules that a page judges itself.

    Raises:
        UnsupportedError: the puzzle has rules at once on all parts that pages do not know.
    """
    if full.veto is None:
        return []
    placements, found = full.table.arrays(full.puzzle), []
    for rule in rules_of(full.puzzle):
        veto = rule.veto(placements)
        if not isinstance(veto, ConnectedVeto):
            require_no_veto("a published page", full.name, veto)
            continue
        own = [veto.cells_of(placement) if placement >= 0 else [] for placement in full.option_placement.tolist()]
        flat = [cell for each in own for cell in each]
        found.append(
            JudgedRule(
                rule.words(),
                pack_numbers([*map(len, own)]),
                pack_numbers(flat),
                pack_numbers(veto.touching.reshape(-1)),
            )
        )
    return found


def _cover_data(problem: CoverProblem) -> CoverData:
    return CoverData(
        n_options=problem.n_options,
        n_items=problem.n_items,
        n_cells=int(problem.n_cells),
        n_parts=len(problem.part_sizes),
        sizes=pack_numbers(np.diff(problem.option_starts)),
        items=pack_numbers(problem.option_items),
        low=pack_numbers(problem.low),
        high=pack_numbers(problem.high),
        colours=pack_numbers(problem.option_colours) if problem.has_colours else UNSET,
    )


class _Drawn:
    """The shapes of a puzzle's options, orientations and cells, without duplicates."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable, option_placement: Ints) -> None:
        self.puzzle, self.table, self.option_placement = puzzle, table, option_placement
        # Without cuts by layers, which players do not need.
        self.book = ShapeBook(
            puzzle.lattice, puzzle.region.period, (), side_looks(puzzle.rules), side_signs(puzzle.rules)
        )
        self.looks = scene.looks_of_colours(puzzle)
        # The shape of each orientation.
        self.oriented = [self._of_orientation(orientation) for orientation in self.table.orientations]

    def _place(self, cells: list[Cell], colours: tuple[str, ...], sides: tuple[Side, ...] = ()) -> int:
        tints = [(name, self.looks.get(name)) for name in colours]
        return self.book.place(cells, tints, sides)[0]

    def _of_orientation(self, orientation: Orientation) -> int:
        puzzle = self.puzzle
        cells = [tuple(cell) for cell in orientation.cells.tolist()]
        colours = orientation.colours.tolist()
        named = sorted(zip(cells, colours, strict=True))
        names = tuple(puzzle.colours[colour] for _, colour in named) if any(colours) else ()
        edges, values = puzzle.lattice.half_edges, puzzle.rules.sides
        sides = sorted((cells[k], edges[label].label, values[value]) for k, label, value in orientation.sides.tolist())
        return self._place([cell for cell, _ in named], names, tuple(sides))

    def options(self) -> OptionData:
        """The options."""
        puzzle, table, placement = self.puzzle, self.table, self.option_placement
        real = placement >= 0
        orientation = np.full(len(placement), -1, np.int32)
        orientation[real] = table.orientation[placement[real]]
        which, own = placement[real], orientation[real]
        handle: npt.NDArray[np.int32] | None = None
        shape: npt.ArrayLike
        stand: npt.ArrayLike
        if puzzle.region.period:
            placed = [placed_at(puzzle, table, p) for p in which.tolist()]
            number = {tuple(cell): k for k, cell in enumerate(table.region.cells.tolist())}
            held = np.array([_widest(puzzle.lattice, orientation.cells) for orientation in table.orientations])
            shape = [self._place(list(one.cells), one.colours, one.sides) for one in placed]
            stand = [number[min(one.cells)] for one in placed]
            handle = table.cells[table.starts[which] + held[own]]
        else:
            least = np.array([_least(orientation.cells) for orientation in table.orientations], np.int64)
            shape = np.array(self.oriented)[own]
            stand = table.cells[table.starts[which] + least[own]]

        def row(values: npt.ArrayLike) -> Packed:
            every = np.zeros(len(orientation), np.int64)
            every[real] = values
            return pack_numbers(every)

        return OptionData(
            orientation=pack_numbers(orientation),
            shape=row(shape),
            stand=row(stand),
            handle=UNSET if handle is None else row(handle),
        )

    def cells(self) -> CellData:
        """The region's cells."""
        lattice, region = self.puzzle.lattice, self.table.region
        shapes = []
        edges, values = lattice.half_edges, self.puzzle.rules.sides
        asked: dict[Cell, list[Side]] = {}
        for cell, label, value in self.puzzle.rules.asked:
            asked.setdefault(tuple(cell), []).append((tuple(cell), edges[label].label, values[value]))
        for row, colour in zip(region.cells.tolist(), region.colours.tolist(), strict=True):
            cell = tuple(row)
            sides = tuple(sorted(side for side in asked.get(cell, ()) if side[2] in self.book.looks))
            shapes.append(self._place([cell], (self.puzzle.colours[colour],) if colour else (), sides))
        return CellData(
            numbers(padded(lattice.centres(region.cells), 2)),
            numbers(padded(region.cells[:, 1:] @ lattice.basis, 3)),
            pack_numbers(shapes),
            pack_numbers(region.optional),
        )


def _least(cells: Cells) -> int:
    """The index of the least of *cells*, by node first, at whose unit a shape stands."""
    return int(np.lexsort(cells.T[::-1])[0])


def _widest(lattice: Lattice, cells: Cells) -> int:
    """The index of the first of *cells* that are drawn largest."""
    drawings = [node.drawing for node in lattice.nodes]  # a ball has no corners
    reach = [max(float(np.ptp(own.vertices, axis=0).max()) if len(own.vertices) else 0, own.radius) for own in drawings]
    return int(np.argmax(np.array(reach)[cells[:, 0]]))
