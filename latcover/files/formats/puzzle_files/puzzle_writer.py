"""Puzzles as files of our own form, which docs/reference/puzzle-files.md describes.

A written file reads back as the same puzzle, with the same colours, bounds, rules and expectations. Only the order of
cells may change, and each shape may be translated. Keys with a length are written as cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import tomli_w
from msgspec.structs import asdict, replace

from latcover.core.model.lattice import ALLOWED, Cells, Lattice, Transformation
from latcover.core.model.puzzle import ALL_CELLS, Part, PartSet, Puzzle
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.puzzle_files.costs_file import costs_as_data
from latcover.files.formats.puzzle_files.file_keys import MOST_COPIES
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzle_files.lattice_writer import lattice_as_data
from latcover.files.formats.puzzle_files.rules_writer import letters_of, rules_as_data, sides_as_data
from latcover.files.formats.puzzle_files.toml_layout import laid_out, present
from latcover.files.formats.puzzle_files.written_shapes import ColouredCells
from latcover.files.formats.source import names, shipped

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals

Data = dict[str, Any]
Allowed = tuple[Transformation, ...]
SPARSE = 6  # if a drawing has more places than this for each cell, a list of cells reads better
_RESERVED = "X#._ +"
_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnopqrstuvwxyz0123456789" + "".join(map(chr, range(0xC0, 0x17F)))


def puzzle_as_toml(puzzles: Sequence[Puzzle], *, name: str = "", lattice: str = "") -> str:
    """The text of a puzzle file: one puzzle, or several of one lattice under [[puzzles]].

    Arguments and errors are those of `puzzle_as_data`; cells are drawn where that reads well.
    """
    text = laid_out(tomli_w.dumps(puzzle_as_data(puzzles, name=name, lattice=lattice, drawn=True)))
    for comment in dict.fromkeys(puzzle.comment for puzzle in puzzles if "\n" in puzzle.comment):
        in_one_line, in_lines = (tomli_w.dumps({"comment": comment}, multiline_strings=way) for way in (False, True))
        text = text.replace(f"\n{in_one_line}", f"\n{in_lines}")
    return text


def puzzle_as_data(puzzles: Sequence[Puzzle], *, name: str = "", lattice: str = "", drawn: bool = False) -> Data:
    """What a puzzle file says, as plain data.

    Args:
        puzzles: The puzzles, one at least.
        name: The name of a file of several puzzles; by default, the title or name of the first one.
        lattice: How the file names the lattice; by default, by its name if it is shipped. Any other is written out.
        drawn: Whether to draw cells, with each shape moved to the origin. If not, they are listed as they are.

    Raises:
        PuzzleError: the puzzles do not go into one file: several lattices, equal names, or no puzzle.
        UnsupportedError: something that such a file cannot say.
    """
    if not puzzles:
        raise PuzzleError("there is no puzzle to write")
    first = puzzles[0]
    if any(puzzle.lattice.name != first.lattice.name for puzzle in puzzles):
        raise PuzzleError("the puzzles have different lattices; write each to its own file")
    if len({puzzle.name for puzzle in puzzles}) < len(puzzles):
        raise PuzzleError("two puzzles have the same name; give each one of its own")
    writer = _Writer(first.lattice, _colour_signs(puzzles), _common_motions(puzzles), drawn, letters_of(first.rules))
    data: Data = {"name": first.name if len(puzzles) == 1 else name or first.title or first.name}
    if len(puzzles) == 1:
        data |= writer.about(first)
    elif first.comment and all(puzzle.comment == first.comment for puzzle in puzzles):
        data["comment"] = first.comment
    data["lattice"] = lattice or _named_or_whole(first.lattice)
    if _labels(writer.default) != _labels(_default(first.lattice)):
        data["transformations"] = motions_as_data(first.lattice, writer.default)
    data |= present(colours={sign: colour for colour, sign in writer.signs.items()}) | sides_as_data(first.rules)
    if len(puzzles) == 1:
        data |= writer.rules(first) | writer.body(first, 0)
    else:
        data |= writer.several(puzzles)
    return data


def goals_as_toml(goals: Goals, *, lattice: str = "") -> str:
    """The text of a puzzle file with goals.

    Raises:
        UnsupportedError: something that such a file cannot say.
    """
    from latcover.files.formats.puzzle_files.goals_file import goals_as_data

    data = puzzle_as_data([goals.board], lattice=lattice, drawn=True)
    origin = goals.board.region.cells[:, 1:].min(axis=0).tolist()
    return laid_out(tomli_w.dumps(data | {"goals": goals_as_data(goals, origin)}))


def part_set_as_toml(found: PartSet, *, lattice: str = "") -> str:
    """The text of a part-set file.

    Raises:
        UnsupportedError: something that such a file cannot say.
    """
    writer = _Writer(found.lattice, _colour_signs([found]), _default(found.lattice), True, letters_of(found.rules))
    data = {"name": found.name, **present(title=found.title, source=found.source)}
    data["lattice"] = lattice or _named_or_whole(found.lattice)
    data |= present(colours={sign: colour for colour, sign in writer.signs.items()}) | sides_as_data(found.rules)
    data["parts"] = [writer.part(found.colours, part, found.rules.sides) for part in found.parts]
    return laid_out(tomli_w.dumps(data))


def named(lattice: Lattice) -> str:
    """The name of a lattice that is shipped; "" of any other."""
    if lattice.name in names("lattices") and _means(read_lattice(shipped("lattices", lattice.name))) == _means(lattice):
        return lattice.name
    return ""


def _named_or_whole(lattice: Lattice) -> str | Data:
    """How a file says its lattice: the name of one that is shipped, and else all of it."""
    return named(lattice) or lattice_as_data(lattice)


def _means(lattice: Lattice) -> tuple[object, ...]:
    """All that the meaning of a puzzle depends on. The drawing belongs to it: it says which cells touch at a corner."""
    nodes = [(n.name, n.position, n.secondary, n.drawing.vertices.tolist(), n.drawing.radius) for n in lattice.nodes]
    motions = _labels(lattice.transformations), tuple(lattice.generators), lattice.default_transformations
    return lattice.half_edges, nodes, lattice.basis.tolist(), motions, lattice.slides, lattice.symbolic


def _colour_signs(puzzles: Sequence[Puzzle | PartSet]) -> dict[str, str]:
    """A character for each colour: its first letter if that is free."""
    signs: dict[str, str] = {}
    for puzzle in puzzles:
        names = puzzle.colours[1:]
        if len(set(names)) < len(names) or not all(map(str.strip, names)):
            raise PuzzleError(f"{puzzle.name!r} has two colours of one name, or a colour without a name")
        for name in names:
            wanted = (name[0].upper(), name[0].lower(), *_SIGNS)
            free = (s for s in wanted if s not in signs.values() and s not in _RESERVED and s.isprintable())
            sign = signs.get(name) or next(free, "")
            if not sign:
                raise UnsupportedError(f"more than {len(_SIGNS)} colours, for which a file has no characters")
            signs[name] = sign
    return signs


def _default(lattice: Lattice) -> Allowed:
    return lattice.allowed(lattice.default_transformations)


def _common_motions(puzzles: Sequence[Puzzle]) -> Allowed:
    """The transformations of all parts, if they are the same; else the lattice's default."""
    lists = {_labels(part.transformations): part.transformations for puzzle in puzzles for part in puzzle.parts}
    return next(iter(lists.values())) if len(lists) == 1 else _default(puzzles[0].lattice)


def _labels(motions: Allowed) -> tuple[tuple[int, ...], ...]:
    return tuple(motion.labels for motion in motions)


def motions_as_data(lattice: Lattice, motions: Allowed) -> str | list[str]:
    """The words of the file that stand for *motions*, in the same order if possible.

    Raises:
        UnsupportedError: the lattice has no names for them.
    """
    wanted = _labels(motions)
    subsets = chain.from_iterable(permutations(lattice.generators, n) for n in range(1, len(lattice.generators) + 1))
    words: list[str | list[str]] = [*ALLOWED, *map(list, subsets)]
    for same in (lambda found: found == wanted, lambda found: set(found) == set(wanted)):
        for word in words:
            if same(_labels(lattice.allowed(word))):
                return word
    raise UnsupportedError(
        f"a part may do {len(motions)} transformations that the lattice {lattice.name!r} has no names for"
    )


class _Writer:
    """Writes the puzzles of one file, which share lattice, signs of colours, side values, default transformations."""

    def __init__(
        self, lattice: Lattice, signs: dict[str, str], default: Allowed, drawn: bool, letters: dict[int, str]
    ) -> None:
        self.lattice, self.signs, self.default, self.drawn = lattice, signs, default, drawn
        self.letters = letters  # of the side values

    def about(self, puzzle: Puzzle) -> Data:
        """Title, source and comment."""
        return present(title=puzzle.title, source=puzzle.source, comment=puzzle.comment)

    def rules(self, puzzle: Puzzle) -> Data:
        """The table of rules, if there are any."""
        return present(rules=rules_as_data(puzzle))

    def several(self, puzzles: Sequence[Puzzle]) -> Data:
        """The first parts, as far as all puzzles share them, and the puzzles. Each has its rules if they differ."""
        if any(sides_as_data(puzzle.rules) != sides_as_data(puzzles[0].rules) for puzzle in puzzles):
            raise PuzzleError("the puzzles have different side values; write each to its own file")
        common = self.rules(puzzles[0])
        same = all(self.rules(puzzle) == common for puzzle in puzzles)
        written = [[self.of_puzzle(puzzle, part) for part in puzzle.parts] for puzzle in puzzles]
        shared = next((n for n, row in enumerate(zip(*written, strict=False)) if any(r != row[0] for r in row)), None)
        shared = min(map(len, written)) if shared is None else shared
        data = (common if same else {}) | present(parts=written[0][:shared])
        own = [{} if same else self.rules(puzzle) for puzzle in puzzles]
        differ = any(puzzle.comment != puzzles[0].comment for puzzle in puzzles)
        data["puzzles"] = [
            {"name": puzzle.name}
            | self.about(puzzle if differ else replace(puzzle, comment=""))
            | rules
            | self.body(puzzle, shared)
            for puzzle, rules in zip(puzzles, own, strict=True)
        ]
        return data

    def body(self, puzzle: Puzzle, shared: int) -> Data:
        """Region, the parts after the first *shared* ones, costs, and figures."""
        parts = [self.of_puzzle(puzzle, part) for part in puzzle.parts[shared:]]
        data = {"region": self.region(puzzle)} | present(parts=parts)
        if puzzle.costs:
            written = self.places(puzzle)
            data["costs"] = [costs_as_data(costs, self.lattice, written) for costs in puzzle.costs]
        return data | figures_as_data(puzzle)

    def places(self, puzzle: Puzzle) -> dict[tuple[int, ...], Cells]:
        """Where the file says that each cell of the region lies."""
        cells = puzzle.region.cells.copy()
        if self.drawn:
            cells[:, 1:] -= cells[:, 1:].min(axis=0)
        return dict(zip(map(tuple, puzzle.region.cells.tolist()), cells, strict=True))

    def region(self, puzzle: Puzzle) -> Data:
        region = puzzle.region
        secondary = np.array([node.secondary for node in self.lattice.nodes])
        optional = region.optional & ~secondary[region.cells[:, 0]]
        is_all = region.is_all_optional(self.lattice)
        marked = np.zeros_like(optional) if is_all else optional
        data, cells = self.shape(puzzle.colours, ColouredCells(region.cells, region.colours, marked))
        drawn = "art" in data or "layers" in data  # a character of art says either a colour or that a cell is optional
        unsaid = marked & (region.colours > 0) if drawn else marked
        if is_all:
            data["optional"] = ALL_CELLS
        elif unsaid.any():
            data["optional"] = [self.lattice.written(cell) for cell in cells[unsaid]]
        if region.max_empty is not None and optional.any():
            data["max_empty"] = region.max_empty
        if region.exchangeable:
            data["exchangeable"] = True
        if region.period:
            data["period"] = region.period.written()
        written = self.places(puzzle)
        groups = [[written[cell] for cell in group if cell in written] for group in puzzle.rules.alike]
        if any(len(group) > 1 for group in groups):
            data["alike"] = [self.group(group) for group in groups if len(group) > 1]
        if puzzle.rules.asked:
            rows = [(written[cell], label, value) for cell, label, value in puzzle.rules.asked if cell in written]
            data["sides"] = self.sides(rows, puzzle.rules.sides)
        return data

    def group(self, cells: Sequence[Cells]) -> Data:
        """Some of the region's cells: a box and where it stands, or a list."""
        rows = np.array(cells, np.int32)
        low, sizes = rows[:, 1:].min(axis=0), np.ptp(rows[:, 1:], axis=0) + 1
        if not self.drawn or len(rows) != int(sizes.prod()) * len(self.lattice.nodes):
            return {"cells": [self.lattice.written(cell) for cell in rows.tolist()]}
        return {"box": sizes.tolist()} | ({"at": low.tolist()} if low.any() else {})

    def of_puzzle(self, puzzle: Puzzle, part: Part) -> Data:
        data = self.part(puzzle.colours, part, puzzle.rules.sides)
        if part.is_confined:
            written = self.places(puzzle)
            for key, cells in (("within", part.within), ("keep_off", part.keep_off)):
                there = (
                    [written[cell] for cell in map(tuple, cells.tolist()) if cell in written]
                    if cells is not None
                    else []
                )
                if there:
                    data[key] = self.group(there)
        return data

    def part(self, colours: Sequence[str], part: Part, sides: Sequence[str] = ()) -> Data:
        data: Data = {"name": part.name, **_copies(part)}
        if _labels(part.transformations) != _labels(self.default):
            data["transformations"] = motions_as_data(self.lattice, part.transformations)
        tile = self.tile(part)
        if tile:
            return data | tile | _belonging(part)
        shape, cells = self.shape(colours, replace(ColouredCells.plain(part.cells), colours=part.colours))
        data |= shape
        if len(part.sides):
            data["sides"] = self.sides(((cells[k], label, value) for k, label, value in part.sides.tolist()), sides)
        return data | _belonging(part)

    def tile(self, part: Part) -> Data:
        """One cell by the letters of its sides; empty if it has more, or a colour, or sides without letters."""
        borne = {label: value for _, label, value in part.sides.tolist()}
        if not (self.drawn and part.size == 1 and borne and not part.colours.any()):
            return {}
        if not self.letters.keys() >= set(borne.values()):
            return {}
        node, around = int(part.cells[0, 0]), self.lattice.clockwise
        tile = "".join(self.letters[borne[h]] if h in borne else "." for h in around[node])
        first = next(u for u, own in enumerate(around) if len(own) == len(tile))
        return {"tile": tile} | ({} if node == first else {"node": self.lattice.nodes[node].name})

    def sides(self, rows: Iterable[tuple[Sequence[int] | Cells, int, int]], names: Sequence[str]) -> list[Data]:
        """The values on sides of cells, from rows (cell, half-edge, side value)."""
        edges = self.lattice.half_edges
        return [
            {"cell": self.lattice.written([*c]), "edge": edges[h].label, "is": names[value]} for c, h, value in rows
        ]

    def shape(self, colour_names: Sequence[str], shape: ColouredCells) -> tuple[Data, Cells]:
        """Cells as a box, a drawing or a list, whichever reads best; and the cells as written, at the origin."""
        if not self.drawn:
            return self.listing(colour_names, shape), shape.cells
        cells = shape.cells.copy()
        cells[:, 1:] -= cells[:, 1:].min(axis=0)
        shape, plain = replace(shape, cells=cells), not shape.colours.any()
        sizes = [int(x) + 1 for x in cells[:, 1:].max(axis=0)]
        room = float(np.prod([float(size) for size in sizes])) * len(self.lattice.nodes)
        drawn = len(self.lattice.nodes) == 1 and len(sizes) in (2, 3)
        if len(cells) == room and plain and (not drawn or (len(cells) > 8 and not shape.optional.any())):
            return {"box": sizes}, cells
        if drawn and room <= SPARSE * len(cells) + SPARSE:
            return self.drawing(colour_names, shape, sizes), cells
        return self.listing(colour_names, shape), cells

    def listing(self, colour_names: Sequence[str], shape: ColouredCells) -> Data:
        """Cells one by one."""
        data: Data = {"cells": [self.lattice.written(cell) for cell in shape.cells]}
        if shape.colours.any():
            data["colours"] = [colour_names[colour] for colour in shape.colours.tolist()]
        return data

    def drawing(self, colour_names: Sequence[str], shape: ColouredCells, sizes: Sequence[int]) -> Data:
        """Rows of characters, one drawing for each layer."""
        rows, columns, layers = (*sizes, 1)[:3]
        drawings = [[["."] * columns for _ in range(rows)] for _ in range(layers)]
        columns_of = (shape.cells.tolist(), shape.colours.tolist(), shape.optional.tolist())
        for cell, colour, free in zip(*columns_of, strict=True):
            row, column, layer = (*cell[1:], 0)[:3]
            sign = self.signs[colour_names[colour]] if colour else "+" if free else "X"
            drawings[layer][row][column] = sign
        art = [["".join(row) for row in drawing] for drawing in drawings]
        return {"art": art[0]} if len(sizes) == 2 else {"layers": art}


def figures_as_data(puzzle: Puzzle) -> Data:
    """The tables [turning], [expect] and [[published]], as far as the puzzle has them."""
    known = dict(puzzle.expect) | present(level=list(puzzle.level), note=puzzle.note, long=puzzle.long)
    room = {} if puzzle.turning is None else puzzle.turning.as_json()
    return present(turning=room, expect=known, published=[asdict(published) for published in puzzle.published])


def _belonging(part: Part) -> Data:
    """The groups that a part may stay in, its weight, and the colour in which it is shown."""
    if len(part.groups) == 1 and part.groups[0][1] is None:
        data: Data = {"group": part.groups[0][0]}
    else:
        data = present(groups={name: MOST_COPIES if most is None else most for name, most in part.groups})
    if part.weight != 1:
        data["weight"] = part.weight
    return data | present(display_colour=part.display_colour)


def _copies(part: Part) -> Data:
    if part.low == part.high:
        return {} if part.low == 1 else {"count": part.low}
    if part.high is None:
        return {"count": "unlimited"} if part.low == 0 else {"min": part.low}
    return {"min": part.low, "max": part.high}
