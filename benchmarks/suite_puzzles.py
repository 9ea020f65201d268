"""The puzzles of the benchmarks by name: shipped ones, boards and boxes made from their names, and large families."""

from __future__ import annotations

import json
import random
import re
from functools import lru_cache

import msgspec

from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.connected_shapes import has_hole, shapes
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_all, load_lattice, loads
from latcover.files.formats.source import names
from latcover.lab.designing.boards import make_board
from latcover.lab.designing.design_requests import BoardRequest
from latcover.lab.designing.region_names import region_named

# What a board of unlimited parts is filled with. The balanced ones hold as many black cells as white ones.
ARTS = {
    "dominoes": [["XX"]],
    "trominoes": [["X.", "XX"]],
    "balanced": [["XX"], ["XXXX"], ["XXX", "X.."], ["XX", "XX"], [".XX", "XX."]],
}
MADE = re.compile(r"(dominoes|trominoes|balanced|pentominoes)-(\d+(?:x\d+)+)")
MATCHING = re.compile(r"board-(\d+)x(\d+)-(\d+)(?:-(\d+))?")  # sides, values, seed
BOUNDS = Bounds(placements=20_000_000)


class Family(msgspec.Struct, frozen=True):
    """Connected shapes of so many cells, each once, and the region that they fill.

    Attributes:
        one_sided: Whether mirror images are different parts.
        sample: So many of them, drawn at random; None takes all.
        box: The region.
        minus: Cells that the box lacks.
    """

    n_cells: int
    box: tuple[int, ...]
    minus: tuple[tuple[int, ...], ...] = ()
    one_sided: bool = False
    holes: bool = True
    sample: int | None = None


def cells_of(*spans: range) -> tuple[tuple[int, ...], ...]:
    """All cells of a rectangle."""
    return tuple((x, y) for x in spans[0] for y in spans[1])


FAMILIES = {
    "35 hexominoes, 15x15 less 3x5": Family(6, (15, 15), cells_of(range(6, 9), range(5, 10))),
    "60 one-sided hexominoes, 18x20": Family(6, (18, 20), one_sided=True),
    "60 one-sided hexominoes, 15x24": Family(6, (15, 24), one_sided=True),
    "40 heptominoes, 14x20": Family(7, (14, 20), holes=False, sample=40),
    "60 heptominoes, 20x21": Family(7, (20, 21), holes=False, sample=60),
    "107 heptominoes, 25x30 less a corner": Family(7, (25, 30), ((24, 29),), holes=False),
    "107 heptominoes, 7x107": Family(7, (7, 107), holes=False),
    "60 octominoes, 20x24": Family(8, (20, 24), holes=False, sample=60),
    # An odd number of octominoes hold two cells more of one colour of a chessboard, so the region must too.
    "363 octominoes, 54x54 less 12 cells": Family(
        8, (54, 54), ((0, 0), *((53, y) for y in range(43, 54))), holes=False
    ),
    "18 one-sided pentominoes, 9x10": Family(5, (9, 10), one_sided=True),
    "29 one-sided pentacubes, 5x5x6 less an edge": Family(
        5, (5, 5, 6), tuple((x, 0, 0) for x in range(5)), one_sided=True
    ),
    "166 one-sided hexacubes, 996 cells": Family(
        6, (10, 10, 10), ((9, 9, 6), (9, 9, 7), (9, 9, 8), (9, 9, 9)), one_sided=True
    ),
}


def is_made(name: str) -> bool:
    """Whether a name is that of a board, a box or a family that is made."""
    return name in FAMILIES or MADE.fullmatch(name) is not None or MATCHING.fullmatch(name) is not None


def text_of(name: str) -> str:
    """The puzzle file of a family, or of a board or box such as ``dominoes-8x8`` or ``pentominoes-10x10x8``.

    A board takes any number of its parts; of a balanced one two opposite corners are missing, so that where the sum of
    its sides is even the colours of the chessboard leave it no cover. A box takes each pentomino once, and single cells
    around them.

    Raises:
        UnsupportedError: the name says nothing of that kind.
    """
    if name in FAMILIES:
        return family_text(name, FAMILIES[name])
    match = MADE.fullmatch(name)
    if match is None:
        raise UnsupportedError(f"{name!r} is neither a shipped puzzle nor one that is made from its name")
    part, sizes = match.group(1), [int(size) for size in match.group(2).split("x")]
    lattice = "cubic" if len(sizes) == 3 else "square"
    head = f'name = "{name}"\nlattice = "{lattice}"\n[region]\nbox = {sizes}\n'
    if part == "pentominoes":
        return head + '[[parts]]\nset = "pentominoes"\n[[parts]]\nname = "cell"\nart = ["X"]\ncount = "unlimited"\n'
    if part == "balanced":
        head += f"minus = {{ cells = [[0, 0], [{sizes[0] - 1}, {sizes[1] - 1}]] }}\n"
    parts = (f'[[parts]]\nname = "{k}"\nart = {art}\ncount = "unlimited"\n' for k, art in enumerate(ARTS[part]))
    return head + "".join(parts)


def family_text(name: str, family: Family) -> str:
    """The puzzle file of a family."""
    lattice = load_lattice("cubic" if len(family.box) == 3 else "square")
    allowed = "rotations" if family.one_sided else "reflections"
    found = [*shapes(lattice, family.n_cells, lattice.allowed(allowed))]
    if not family.holes:
        found = [cells for cells in found if not has_hole(cells, lattice)]
    if family.sample is not None:
        found = random.Random(0).sample(found, family.sample)
    head = [
        *(f'name = "{name}"', f'lattice = "{lattice.name}"', f'transformations = "{allowed}"'),
        *("[region]", f"box = {list(family.box)}"),
    ]
    if family.minus:
        head.append(f"minus = {{ cells = {json.dumps(family.minus)} }}")
    parts = (f'[[parts]]\nname = "{k}"\ncells = {cells[:, 1:].tolist()}\n' for k, cells in enumerate(found))
    return "\n".join([*head, *parts])


def puzzle_of(name: str) -> Puzzle:
    """The puzzle of that name; of a shipped file that holds several, the first.

    ``board-6x6-5`` is a matching puzzle with five values inside, as `latcover design matching` makes it.
    """
    if name in names("instances"):
        return load_all(name)[0]
    if match := MATCHING.fullmatch(name):
        rows, columns, values, seed = match.groups()
        region = region_named(f"square:{rows}x{columns}")
        return make_board(region, BoardRequest(values=int(values), seed=int(seed or 1), name=name))
    return loads(text_of(name), BOUNDS)


@lru_cache(maxsize=4)
def prepared_of(name: str) -> Prepared:
    """The puzzle ready to be searched, reduced by its symmetries; one of parts without limit, or a family, is not."""
    made = is_made(name) and not MATCHING.fullmatch(name)
    return prepare(puzzle_of(name), Choices(symmetry="none") if made else Choices())
