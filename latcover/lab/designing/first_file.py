"""A first puzzle file to begin with: a region of any lattice, cut into parts, with comments on its keys.

The parts are cut from the region, so the file has a solution as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about
from latcover.errors import PuzzleError, counted
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing.region_names import region_named
from latcover.system.terminal import quoted

PART_CELLS = 4  # of most parts
FIRST_CELLS = 24  # of a region, if none is asked for
MOST_CELLS = 2_000
SEEDS = 200  # ways to cut that are tried, until no two parts are equal
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEAD = """# A puzzle for latcover. It has a solution as it is:
#
#     latcover check {file}      is everything right?
#     latcover solve {file}      draw the solutions
#     latcover count {file}      only count them
#     latcover open {file}       change it in the browser
#
# docs/reference/puzzle-files.md has every key; `latcover info --schema puzzle` tells an editor.

"""
REGION = """# The cells to fill. A box counts units along each axis. For another form, draw it as parts are drawn:
# X is a cell, a dot is not.
"""
PARTS = """# The parts. Each is used once; add count = 2 for two copies, or count = "unlimited".
"""
REFLECTED = """# Parts may be rotated and reflected; add transformations = "rotations" to forbid reflections.
"""
ROTATED = """# Parts may be rotated, not reflected; add transformations = "reflections" to allow reflections.
"""
LATTICE = "# `latcover list` names all lattices.\n"
COMMENTS = {"lattice = ": LATTICE, "[region]": REGION}


def first_file(name: str, lattice: str = "square", region: str | None = None, *, file: str = "") -> str:
    """The text of a puzzle file.

    Args:
        name: The name of the puzzle.
        lattice: A shipped lattice's name, or a lattice file.
        region: Units along each axis, as in ``6x4``; None takes about `FIRST_CELLS` cells.
        file: What its comments call the file.

    Raises:
        PuzzleError: there is no such region, or it is too large to begin with.
        LatticeError: the lattice file is at fault.
    """
    ground = load_lattice(lattice)
    found = region_named(f"{lattice}:{region or _usual_sides(ground)}")
    if len(found.cells) > MOST_CELLS:
        raise PuzzleError(f"{region} has {counted(len(found.cells), 'cell')}; begin with at most {MOST_CELLS:,}")
    cells = found.cells[np.lexsort(found.cells.T[::-1])]
    cuts = (_puzzle(name, ground, cells, seed) for seed in range(SEEDS))
    first = next(cuts)
    text = puzzle_as_toml([next((puzzle for puzzle in (first, *cuts) if not [*complaints_about(puzzle)]), first)])
    turned = REFLECTED if ground.allowed("reflections") == ground.allowed(ground.default_transformations) else ROTATED
    for begins, comment in {**COMMENTS, "[[parts]]": PARTS + turned}.items():
        text = text.replace(f"\n{begins}", f"\n{comment}{begins}", 1)
    return HEAD.format(file=quoted(file or f"{name}.toml")) + text


def _puzzle(name: str, lattice: Lattice, cells: Cells, seed: int) -> Puzzle:
    none, motions = np.zeros(len(cells), np.int32), lattice.allowed(lattice.default_transformations)
    parts = tuple(
        Part(_letters(k), cells[owned], none[: len(owned)], 1, 1, motions, lattice=lattice, number=k)
        for k, owned in enumerate(_cut(lattice, cells, seed))
    )
    return Puzzle(name, lattice, Region(cells), parts)


def _usual_sides(lattice: Lattice) -> str:
    """Sides of a region of about `FIRST_CELLS` cells, the first one longer."""
    sides = [1] * lattice.dimension
    while len(lattice.nodes) * int(np.prod(sides)) < FIRST_CELLS:
        sides[sides.index(min(sides))] += 1
    return "x".join(map(str, sorted(sides, reverse=True)))


def _letters(number: int) -> str:
    return LETTERS[number % 26] + (str(number // 26) if number >= 26 else "")


def _cut(lattice: Lattice, cells: Cells, seed: int) -> list[list[int]]:
    """The cells of each part: connected, of `PART_CELLS` and at times one more; *seed* decides."""
    place = {tuple(cell): k for k, cell in enumerate(cells.tolist())}
    random, free = Random(seed), set(place.values())
    parts: list[list[int]] = []
    owner: dict[int, int] = {}

    def beside(k: int) -> Iterator[int]:
        node, *unit = cells[k].tolist()
        for edge in lattice.half_edges:
            if edge.node == node:
                other = place.get((edge.target, *(a + b for a, b in zip(unit, edge.step, strict=True))))
                if other is not None:
                    yield other

    while free:
        part = [min(free, key=lambda k: (sum(other in free for other in beside(k)), k))]  # corners first
        free.discard(part[0])
        size = PART_CELLS + random.choice((0, 0, 1))
        while len(part) < size and (edge := sorted({other for k in part for other in beside(k)} & free)):
            part.append(random.choice(edge))
            free.discard(part[-1])
        around = sorted({owner[other] for other in beside(part[0]) if other in owner}, key=lambda k: len(parts[k]))
        if len(part) == 1 and around:  # a single cell joins the smallest part beside it
            parts[around[0]] += part
            owner[part[0]] = around[0]
            continue
        owner |= dict.fromkeys(part, len(parts))
        parts.append(part)
    return [sorted(part) for part in parts]
