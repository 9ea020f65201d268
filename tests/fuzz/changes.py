"""Changes to a puzzle of which it is known what becomes of its counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.puzzle import Part, Puzzle, Rules
from tests.dice import Dice
from tests.puzzle_oracle import neighbours
from tests.random_puzzles import make_part

MOST_SCALED_CELLS = 200


class Changed(Struct, frozen=True):
    """What a change makes of a puzzle.

    Attributes:
        puzzles: Their totals add up to that of the puzzle, *times* this number.
        times: See there.
        classes: Whether the essentially different solutions do so too, whatever counts as the same.
    """

    puzzles: tuple[Puzzle, ...]
    times: int = 1
    classes: bool = True


Change = Callable[[Puzzle, Dice], Changed | None]  # None where it does not apply


def parts_permuted(puzzle: Puzzle, dice: Dice) -> Changed:
    return Changed((replace(puzzle, parts=tuple(dice.shuffled(puzzle.parts))),))


def cells_permuted(puzzle: Puzzle, dice: Dice) -> Changed:
    region = puzzle.region
    by = dice.shuffled(range(len(region.cells)))
    region = replace(region, cells=region.cells[by], colours=region.colours[by], optional=region.optional[by])
    return Changed((replace(puzzle, region=region),))


def names_changed(puzzle: Puzzle, dice: Dice) -> Changed:
    """Other names of parts, and colours and sides numbered anew."""
    rules = puzzle.rules
    colour = np.array([0, *dice.shuffled(range(1, len(puzzle.colours)))], dtype=np.int32)  # what each becomes
    side = np.array([0, *dice.shuffled(range(1, len(rules.sides)))], dtype=np.int32)
    was = np.argsort(side)
    parts = []
    for part, number in zip(puzzle.parts, dice.shuffled(range(len(puzzle.parts))), strict=True):
        sides = part.sides.copy()
        sides[:, 2] = side[sides[:, 2]]
        parts.append(replace(part, name=f"named {number}", colours=colour[part.colours], sides=sides))
    apart = sorted((min(pair), max(pair)) for pair in (colour[list(pair)].tolist() for pair in rules.apart))
    rules = Rules(
        stands_on=frozenset((int(colour[own]), int(colour[cell])) for own, cell in rules.stands_on),
        apart=tuple(apart),
        across_corners=rules.across_corners,
        alike=rules.alike,
        exchangeable=tuple(tuple(sorted(colour[list(group)].tolist())) for group in rules.exchangeable),
        sides=tuple(rules.sides[k] for k in was),
        fits=rules.fits[np.ix_(was, was)],
        open_sides=rules.open_sides[was],
        rim=int(side[rules.rim]) if rules.rim >= 0 else -1,
        asked=tuple((cell, label, int(side[value])) for cell, label, value in rules.asked),
        exchangeable_values=tuple(tuple(sorted(side[list(group)].tolist())) for group in rules.exchangeable_values),
    )
    names = tuple(puzzle.colours[k] for k in np.argsort(colour))
    region = replace(puzzle.region, colours=colour[puzzle.region.colours])
    return Changed((replace(puzzle, region=region, parts=tuple(parts), colours=names, rules=rules),))


def region_and_parts_moved(puzzle: Puzzle, dice: Dice) -> Changed:
    """All of them turned or reflected together, and each then moved by itself."""
    lattice, region = puzzle.lattice, puzzle.region
    possible = list(lattice.transformations)
    if region.max_empty is not None:  # which does not count the cells of secondary nodes
        secondary = np.array([node.secondary for node in lattice.nodes])
        possible = [t for t in possible if np.array_equal(secondary[t.nodes], secondary)]
    if puzzle.rules.across_corners:
        possible = possible[:1]  # a lattice may be drawn with less symmetry than it has
    motion = dice.pick(possible)
    period = [(motion.matrix @ vector).tolist() for vector in region.period.vectors]

    def move(cells: Cells) -> Cells:
        image = motion.apply(cells)
        image[:, 1:] += np.array([dice.between(-5, 5) for _ in range(lattice.dimension)], dtype=np.int32)
        return image

    moved = replace(region, period=period)
    moved = replace(moved, cells=moved.wrapped(move(region.cells)))
    there = dict(zip(map(tuple, region.cells.tolist()), map(tuple, moved.cells.tolist()), strict=True))
    asked = [(there[cell], motion.labels[label], value) for cell, label, value in puzzle.rules.asked]
    alike = tuple(sorted(tuple(sorted(there[cell] for cell in group)) for group in puzzle.rules.alike))
    rules = replace(puzzle.rules, asked=tuple(sorted(asked)), alike=alike)
    back = _inverse(lattice, motion)
    parts = []
    for part in puzzle.parts:
        allowed = tuple(_known(lattice, motion.after(each.after(back))) for each in part.transformations)
        parts.append(replace(_turned(part, motion), cells=move(part.cells), transformations=allowed))
    return Changed((replace(puzzle, region=moved, parts=tuple(parts), rules=rules),))


def _inverse(lattice: Lattice, motion: Transformation) -> Transformation:
    identity = lattice.transformations[0].labels
    return next(t for t in lattice.transformations if t.after(motion).labels == identity)


def _known(lattice: Lattice, motion: Transformation) -> Transformation:
    return next(t for t in lattice.transformations if t.labels == motion.labels)


def _turned(part: Part, motion: Transformation) -> Part:
    sides = part.sides.copy()
    sides[:, 1] = np.array(motion.labels, dtype=np.int32)[sides[:, 1]]
    return replace(part, cells=motion.apply(part.cells), sides=sides)


def parts_turned(puzzle: Puzzle, dice: Dice) -> Changed:
    """Each part shown in another way that it is allowed to take."""
    parts = [_turned(part, dice.pick(part.transformations)) for part in puzzle.parts]
    return Changed((replace(puzzle, parts=tuple(parts)),))


def an_impossible_part(puzzle: Puzzle, dice: Dice) -> Changed:
    """A part that is larger than the region, and need not be used."""
    lattice = puzzle.lattice
    cells = [(0,) * (lattice.dimension + 1)]
    for cell in cells:
        cells += [near for near in dict.fromkeys(neighbours(lattice, cell)) if near not in cells]
        if len(cells) > len(puzzle.region.cells):
            break
    part = make_part("impossible", cells, lattice.transformations, 0, dice.pick([1, 2, None]))
    place = dice.between(0, len(puzzle.parts))
    return Changed((replace(puzzle, parts=(*puzzle.parts[:place], part, *puzzle.parts[place:])),))


def copies_that_no_room_is_for(puzzle: Puzzle, _: Dice) -> Changed:
    """Parts without a bound may be used as often as their volume allows, and as much more as one likes."""
    parts = [replace(part, high=1000) if part.high is None else part for part in puzzle.parts]
    return Changed((replace(puzzle, parts=tuple(parts)),))


def bounds_split(puzzle: Puzzle, dice: Dice) -> Changed | None:
    """So many copies of a part, or more; the symmetries may be others, so that only totals are known."""
    wide = [k for k, part in enumerate(puzzle.parts) if puzzle.most_copies(part) > part.low]
    if not wide:
        return None
    k = dice.pick(wide)
    part = puzzle.parts[k]
    middle = dice.between(part.low, puzzle.most_copies(part) - 1)
    halves = (replace(part, high=middle), replace(part, low=middle + 1))
    return Changed(
        tuple(replace(puzzle, parts=(*puzzle.parts[:k], half, *puzzle.parts[k + 1 :])) for half in halves),
        classes=False,
    )


def copies_told_apart(puzzle: Puzzle, dice: Dice) -> Changed | None:
    """A part that is used n times becomes n parts, which can change places in n! ways."""
    several = [k for k, part in enumerate(puzzle.parts) if part.low == part.high and 2 <= part.low <= 4]
    if not several:
        return None
    k = dice.pick(several)
    part = puzzle.parts[k]
    copies = [replace(part, name=f"{part.name} copy {n}", low=1, high=1) for n in range(part.low)]
    parts = (*puzzle.parts[:k], *copies, *puzzle.parts[k + 1 :])
    return Changed((replace(puzzle, parts=parts),), times=math.factorial(part.low), classes=False)


def all_optional_and_none_empty(puzzle: Puzzle, _: Dice) -> Changed | None:
    """Cells that may stay empty, none of them: they are all covered."""
    region = puzzle.region
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[region.cells[:, 0]]
    if (region.optional & ~secondary).any() or secondary.any():
        return None
    region = replace(region, optional=np.ones(len(region.cells), np.bool_), max_empty=0)
    return Changed((replace(puzzle, region=region),))


def scaled(puzzle: Puzzle, _: Dice | None = None) -> Changed | None:
    """Each cell becomes a block of three in each direction, whose colours hold the parts to the grid of blocks.

    Where cells are alike in all directions that the transformations exchange, and without rules and colours, the
    solutions are those of the puzzle.
    """
    lattice, region = puzzle.lattice, puzzle.region
    block = np.array(list(product((-1, 0, 1), repeat=lattice.dimension)), dtype=np.int32)
    if (
        len(lattice.nodes) > 1
        or any(abs(t.matrix).sum() > lattice.dimension for t in lattice.transformations)
        or len(puzzle.rules.sides) > 1
        or puzzle.rules.apart
        or puzzle.rules.exchangeable
        or puzzle.rules.alike
        or region.colours.any()
        or any(part.colours.any() for part in puzzle.parts)
        or len(region.cells) * len(block) > MOST_SCALED_CELLS
    ):
        return None
    middle = 1 + (block != 0).any(axis=1).astype(np.int32)  # the middle one colour, all else another

    def grown(
        cells: np.ndarray[tuple[int, ...], np.dtype[np.int32]],
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
        vectors = (3 * cells[:, None, 1:] + block).reshape(-1, lattice.dimension)
        return np.column_stack([np.zeros(len(vectors), np.int32), vectors]).astype(np.int32)

    wide = replace(region, period=[[3 * x for x in vector] for vector in region.period.vectors])
    larger = replace(
        wide,
        cells=wide.wrapped(grown(region.cells)),
        colours=np.tile(middle, len(region.cells)),
        optional=np.repeat(region.optional, len(block)),
        max_empty=None if region.max_empty is None else region.max_empty * len(block),
    )
    parts = [replace(part, cells=grown(part.cells), colours=np.tile(middle, part.size)) for part in puzzle.parts]
    return Changed((replace(puzzle, region=larger, parts=tuple(parts), colours=("", "middle", "rim"), rules=Rules()),))


CHANGES: tuple[Change, ...] = (
    parts_permuted,
    cells_permuted,
    names_changed,
    region_and_parts_moved,
    parts_turned,
    an_impossible_part,
    copies_that_no_room_is_for,
    bounds_split,
    copies_told_apart,
    all_optional_and_none_empty,
    scaled,
)
