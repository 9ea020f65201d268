"""Candidate regions: those of other puzzles, and random connected shapes, also symmetric ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.puzzle import Puzzle, Region
from latcover.errors import PuzzleError

IN_VAIN = 2_000  # draws end after so many known shapes in a row
FAR = 2  # the most that a random symmetry shifts along an axis


def motions_of(puzzle: Puzzle, *, reflections: bool) -> tuple[Transformation, ...]:
    """The transformations that map the parts of a puzzle to parts: a region and its image are then equivalent.

    Args:
        puzzle: Its parts, with their copies.
        reflections: Whether reflections are among them.
    """
    lattice = puzzle.lattice
    parts = [
        (
            [_key(np.column_stack([t.apply(part.cells), part.colours])) for t in lattice.transformations],
            [lattice.number_of[t.labels] for t in part.transformations],
            part.low,
        )
        for part in puzzle.parts
    ]

    def images(then: Sequence[int]) -> list[tuple[tuple[bytes, ...], int]]:
        return sorted((tuple(sorted({keys[then[t]] for t in allowed})), copies) for keys, allowed, copies in parts)

    identity, *others = lattice.transformations
    if any(len(part.sides) for part in puzzle.parts):
        return (identity,)
    own = images(range(len(lattice.transformations)))
    wanted = (t for t in others if reflections or t.proper)
    return (identity, *(t for t in wanted if images(lattice.then(t).tolist()) == own))


def _key(rows: np.ndarray) -> bytes:
    """Rows (node, x, y, …, colour) up to translation and order, as bytes."""
    rows = rows.astype(np.int32)
    rows[:, 1:-1] -= rows[:, 1:-1].min(axis=0)
    return rows[np.lexsort(rows.T[::-1])].tobytes()


def regions_for(puzzle: Puzzle, others: Sequence[Puzzle]) -> list[Region]:
    """The regions of other puzzles, with the colour numbers of *puzzle*.

    Raises:
        PuzzleError: one lies on another lattice, or has a colour that *puzzle* lacks.
    """
    found = []
    for other in others:
        if other.lattice.name != puzzle.lattice.name:
            raise PuzzleError(f"the region of {other.name!r} lies on another lattice than {puzzle.lattice.name!r}")
        used = sorted(set(other.region.colours.tolist()))
        lacking = next((other.colours[number] for number in used if other.colours[number] not in puzzle.colours), None)
        if lacking is not None:
            raise PuzzleError(
                f"the region of {other.name!r} has the colour {lacking!r}, which {puzzle.name!r} does not name under "
                "[colours]"
            )
        numbers = [puzzle.colours.index(name) if name in puzzle.colours else 0 for name in other.colours]
        colours = np.array(numbers, np.int32)[other.region.colours]
        found.append(replace(other.region, colours=colours))
    return found


def least_image(cells: Cells, motions: Sequence[Transformation]) -> tuple[bytes, int]:
    """A key that a shape shares with its images, and how many of *motions* map it to itself."""
    none = np.zeros((len(cells), 1), np.int32)
    keys = [_key(np.hstack([motion.apply(cells), none])) for motion in motions]
    own = _key(np.hstack([cells, none]))
    return min(keys), keys.count(own)


def random_shapes(
    lattice: Lattice, n: int, motions: Sequence[Transformation], seed: int, symmetric: int
) -> Iterator[Cells]:
    """Random connected shapes, each once up to *motions*, not equally likely.

    If *symmetric* is above 1, a shape grows by orbits: each cell is added with its images under some transformations.
    Draws end when many in a row bring nothing new.
    """
    dice, seen, in_vain = Random(seed), set(), 0
    while in_vain < IN_VAIN:
        in_vain += 1
        cells = _grown(lattice, n, motions if symmetric > 1 else (), dice)
        if cells is None:
            continue
        key, order = least_image(cells, motions)
        if order >= symmetric and key not in seen:
            seen.add(key)
            in_vain = 0
            yield cells


Cell = tuple[int, ...]
Motion = tuple[Transformation, np.ndarray]  # with the translation that follows


def _grown(lattice: Lattice, n: int, motions: Sequence[Transformation], dice: Random) -> Cells | None:
    """A random shape; None if its orbits do not add up to *n* cells."""
    primary = [node for node in range(len(lattice.nodes)) if not lattice.nodes[node].secondary]
    start = (dice.choice(primary), *[0] * lattice.dimension)
    generators: list[Motion] = []
    for _ in range(dice.choice((1, 1, 2)) if motions else 0):
        shift = np.array([dice.randint(-FAR, FAR) for _ in range(lattice.dimension)], np.int32)
        generators.append((dice.choice(motions), shift))
    held = _orbit(start, generators, n)
    if held is None:
        return None
    while len(held) < n:
        neighbours = sorted({c for cell in held for c in lattice.neighbours(cell) if c not in held and c[0] in primary})
        dice.shuffle(neighbours)
        for cell in neighbours:
            more = _orbit(cell, generators, n)
            if more is not None and len(held) + len(more) <= n:
                held |= more
                break
        else:
            return None
    return np.array(sorted(held), np.int32) if lattice.connects(held) else None


def _orbit(cell: Cell, generators: Sequence[Motion], most: int) -> set[Cell] | None:
    """A cell with all its images; None if there are more than *most*."""
    found, queue = {cell}, [cell]
    for each in queue:
        for motion, shift in generators:
            moved = motion.apply(np.array([each], np.int32))[0]
            moved[1:] += shift
            image = tuple(moved.tolist())
            if image not in found:
                found.add(image)
                queue.append(image)
                if len(found) > most:
                    return None
    return found
