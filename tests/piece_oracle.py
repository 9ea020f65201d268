"""Brute force on regions whose pieces are exchangeable, and random puzzles with such regions.

It shares nothing with latcover's own group: every choice of a motion for each piece is tried on all placements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules, as_cells
from latcover.core.model.rules.copies import CopiesTogether
from latcover.files.formats.library import load_lattice
from tests import puzzle_oracle as oracle
from tests.dice import Dice
from tests.puzzle_oracle import Cell, Copy, Solution, Symmetry, TooLargeError, images, moved, neighbours, step
from tests.random_puzzles import Ground, ShownPuzzle, _allowed, _cut, _parts
from tests.random_rules import COLOURS, Piece

LATTICES = ("square", "triangular", "hexagonal", "cubic", "trihex")
MOST_SYMMETRIES = 1200
Repainting = dict[str, str]
PartMap = dict[str, str]


class PieceSymmetry(Struct, frozen=True):
    """A motion of each piece of a region; each is a symmetry that knows the cells of its piece alone."""

    motions: tuple[Symmetry, ...]

    def image(self, solution: Solution) -> Solution:
        return frozenset((self._of(copy).parts[name], self._of(copy).goes_to(copy)) for name, copy in solution)

    def _of(self, copy: Copy) -> Symmetry:
        cell = min(cell for cell, *_ in copy)
        return next(motion for motion in self.motions if cell in motion.cells)


def pieces_of(puzzle: Puzzle) -> list[frozenset[Cell]]:
    """The pieces of the region."""
    none = (0,) * puzzle.lattice.dimension
    cells = set(oracle.as_tuples(puzzle.region.cells))
    together = [
        {cell, moved(there, none, puzzle.region.period)}
        for cell in cells
        for there in neighbours(puzzle.lattice, cell)
        if moved(there, none, puzzle.region.period) in cells
    ]
    if puzzle.rules.apart and puzzle.rules.across_corners:
        for cell in cells:
            for node, *by in puzzle.lattice.touching[cell[0]]:
                if (there := moved((node, *cell[1:]), by, puzzle.region.period)) in cells:
                    together.append({cell, there})
    together += [set(group) & cells for group in puzzle.rules.alike]
    together += [{cell for cell, *_ in copy} for part in puzzle.parts for copy in oracle.placements(puzzle, part)]
    found = [{cell} for cell in cells]
    for group in together:
        joined = [piece for piece in found if piece & group]
        found = [piece for piece in found if not piece & group] + ([set().union(*joined)] if joined else [])
    return sorted(map(frozenset, found), key=min)


def piece_symmetries(puzzle: Puzzle, which: str) -> list[PieceSymmetry]:
    """Every symmetry of a puzzle with exchangeable pieces.

    Raises:
        TooLargeError: there are too many.
    """
    pieces, every = pieces_of(puzzle), {part.name: oracle.placements(puzzle, part) for part in puzzle.parts}
    transformations = [t for t in puzzle.lattice.transformations if which == "all" or t.proper]
    if puzzle.rules.apart and puzzle.rules.across_corners:
        transformations = [t for t in transformations if oracle._keeps_corners(puzzle.lattice, t)]
    by_kind: list[tuple[Repainting, PartMap, list[PieceSymmetry]]] = []
    for repainted in oracle._repaintings(puzzle):
        maps: list[PartMap] = []
        if all(a == b for a, b in repainted.items()):
            maps.append({part.name: part.name for part in puzzle.parts})
        for t in transformations:
            found = _part_map(puzzle, every, t, repainted)
            if found is not None and found not in maps:
                maps.append(found)
        for parts in maps:
            made = list(_of_kind(puzzle, pieces, every, transformations, repainted, parts))
            if made:
                by_kind.append((repainted, parts, made))
    if sum(len(made) for *_, made in by_kind) > MOST_SYMMETRIES:
        raise TooLargeError
    kinds = [(repainted, parts) for repainted, parts, _ in by_kind]
    closed = all((_after(a, b), _after(p, q)) in kinds for a, p in kinds for b, q in kinds)
    return [
        each for _, parts, made in by_kind for each in made if closed or all(name == to for name, to in parts.items())
    ]


def _after(last: dict[str, str], first: dict[str, str]) -> dict[str, str]:
    return {name: last[there] for name, there in first.items()}


def _part_map(
    puzzle: Puzzle, every: dict[str, set[Copy]], transformation: Transformation, repainted: Repainting
) -> PartMap | None:
    """The part that each becomes by its shape; None if one becomes none. Parts without a placement stay."""
    identity, still = puzzle.lattice.transformations[0], {name: name for name in repainted}
    own = {part.name: _shapes(puzzle, part, identity, still) for part in puzzle.parts}
    bounds = {
        part.name: (
            part.low,
            puzzle.most_copies(part),
            *(part.name in rule.named_parts for rule in puzzle.rules.of_parts),  # type: ignore[attr-defined]
        )
        for part in puzzle.parts
    }
    repaints = repainted != still
    found = {}
    for part in puzzle.parts:
        becomes = _shapes(puzzle, part, transformation, repainted)
        if becomes == own[part.name] or not every[part.name]:
            found[part.name] = part.name
            continue
        if transformation.proper and not repaints:
            return None
        like = [p for p in puzzle.parts if bounds[p.name] == bounds[part.name] and every[p.name]]
        equals = [p.name for p in like if own[p.name] == own[part.name]]
        others = [p.name for p in like if own[p.name] == becomes and (repaints or oracle.are_hands(puzzle, part, p))]
        if len(equals) != len(others):
            return None
        found[part.name] = others[equals.index(part.name)]
    return found


def _shapes(puzzle: Puzzle, part: Part, then: Transformation, repainted: Repainting) -> set[object]:
    """What a part looks like after each of its transformations and *then*, wherever it lies."""
    found: set[object] = set()
    colours = [repainted[puzzle.colours[colour]] for colour in part.colours.tolist()]
    for allowed in part.transformations:
        both = then.after(allowed)
        image = images(oracle.as_tuples(part.cells), both)
        back = [-x for x in min(image)[1:]]
        cells = [moved(cell, back, Period(len(back))) for cell in image]
        sides = [
            tuple((edge, repainted[f"side:{value}"]) for edge, value in own)
            for own in oracle.sides_of(puzzle, part, both)
        ]
        found.add(frozenset(zip(cells, colours, sides, strict=True)))
    return found


def _of_kind(
    puzzle: Puzzle,
    pieces: Sequence[frozenset[Cell]],
    every: dict[str, set[Copy]],
    transformations: Sequence[Transformation],
    repainted: Repainting,
    parts: PartMap,
) -> Iterator[PieceSymmetry]:
    ways = [
        [list(_motions(puzzle, piece, to, every, transformations, repainted, parts)) for to in pieces]
        for piece in pieces
    ]
    for order in permutations(range(len(pieces))):
        for motions in product(*(ways[piece][to] for piece, to in enumerate(order))):
            yield PieceSymmetry(motions)


def _motions(
    puzzle: Puzzle,
    piece: frozenset[Cell],
    to: frozenset[Cell],
    every: dict[str, set[Copy]],
    transformations: Sequence[Transformation],
    repainted: Repainting,
    parts: PartMap,
) -> Iterator[Symmetry]:
    """Every way to move a piece to another, with its placements."""
    cells, edges, seen = sorted(piece), [edge.label for edge in puzzle.lattice.half_edges], []
    for transformation in transformations:
        labels = {edge: edges[there] for edge, there in zip(edges, transformation.labels, strict=True)}
        image = images(cells, transformation)
        for target in (cell for cell in to if cell[0] == image[0][0]):
            goes = {
                c: moved(i, step(image[0], target), puzzle.region.period) for c, i in zip(cells, image, strict=True)
            }
            motion = Symmetry(goes, parts, labels, repainted)
            if set(goes.values()) != to or not _keeps(puzzle, motion, piece, to):
                continue
            acts = {
                name: {copy: motion.goes_to(copy) for copy in copies if _lies_on(copy, piece)}
                for name, copies in every.items()
            }
            if (
                all(
                    set(acts[name].values()) == {copy for copy in every[parts[name]] if _lies_on(copy, to)}
                    for name in every
                )
                and (goes, acts) not in seen
            ):
                seen.append((goes, acts))
                yield motion


def _lies_on(copy: Copy, piece: frozenset[Cell]) -> bool:
    return all(cell in piece for cell, *_ in copy)


def _keeps(puzzle: Puzzle, motion: Symmetry, piece: frozenset[Cell], to: frozenset[Cell]) -> bool:
    """Whether colours, optional cells, required sides, cells that are alike and confines go where they must."""
    region, rules = puzzle.region, puzzle.rules
    bounded = region.bounded_empty(puzzle.lattice)
    look = {
        cell: (puzzle.colours[colour], free, counts)
        for cell, colour, free, counts in zip(
            oracle.as_tuples(region.cells),
            region.colours.tolist(),
            region.optional.tolist(),
            bounded.tolist(),
            strict=True,
        )
    }
    edges = puzzle.lattice.half_edges
    asked = {(cell, (edges[label].label, rules.sides[value])) for cell, label, value in rules.asked}
    alike = [frozenset(group) for group in rules.alike]
    return (
        all((motion.colours[look[c][0]], *look[c][1:]) == look[there] for c, there in motion.cells.items())
        and {(motion.cells[c], motion.side(s)) for c, s in asked if c in piece}
        == {row for row in asked if row[0] in to}
        and {frozenset(motion.cells[c] for c in group) for group in alike if group <= piece}
        == {group for group in alike if group <= to}
        and all(
            {motion.cells[c] for c in oracle.may_cover(puzzle, part) & piece}
            == oracle.may_cover(puzzle, next(p for p in puzzle.parts if p.name == motion.parts[part.name])) & to
            for part in puzzle.parts
        )
    )


# ---- random puzzles


def confined(dice: Dice, puzzle: Puzzle, percent: int = 50) -> Puzzle:
    """The puzzle with some parts confined to cells, or kept off some."""
    cells = oracle.as_tuples(puzzle.region.cells)

    def some(often: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
        return as_cells([cell for cell in cells if dice.chance(often)] or cells[:1], puzzle.lattice.dimension)

    parts = [
        part
        if not dice.chance(percent)
        else replace(part, within=some(85))
        if dice.chance(50)
        else replace(part, keep_off=some(15))
        for part in puzzle.parts
    ]
    return ShownPuzzle(**{name: getattr(puzzle, name) for name in puzzle.__struct_fields__} | {"parts": tuple(parts)})


def chosen(dice: Dice, puzzle: Puzzle) -> Puzzle:
    """The puzzle with rules on how many copies of some parts are used together."""
    names, rules = [part.name for part in puzzle.parts], []
    for _ in range(dice.between(1, 2)):
        own = tuple(name for name in names if dice.chance(60))
        low = dice.below(4)
        rules.append(CopiesTogether(low, dice.pick([low, low + 1, 1_000_000]), own))
    return replace(puzzle, rules=replace(puzzle.rules, of_parts=tuple(rules)))


def keeps_numbers(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether a solution has as many copies of parts together as the rules ask for."""
    return all(
        rule.min <= sum(not rule.parts or name in rule.parts for name, _ in solution) <= rule.max
        for rule in puzzle.rules.of_parts
        if isinstance(rule, CopiesTogether)
    )


def _grown(dice: Dice, lattice: Lattice, size: int) -> list[Cell]:
    cells = [(dice.below(len(lattice.nodes)), *(0,) * lattice.dimension)]
    for _ in range(30):
        if len(cells) >= size:
            break
        cell = dice.pick(neighbours(lattice, dice.pick(cells)))
        if cell not in cells:
            cells.append(cell)
    return cells


def _put(dice: Dice, lattice: Lattice, cells: Sequence[Cell], far: int) -> list[Cell]:
    """The cells, turned, and moved so far along the first axis."""
    image = images(cells, dice.pick(lattice.transformations))
    low = min(cell[1] for cell in image)
    return [(cell[0], cell[1] - low + far, *cell[2:]) for cell in image]


def puzzle_in_pieces(dice: Dice) -> Puzzle:
    """A puzzle whose region has several pieces, most of them congruent, which are exchangeable."""
    lattice = load_lattice(dice.pick(LATTICES))
    base = _grown(dice, lattice, dice.between(2, 4))
    colour = [dice.pick([0, 1, 2]) if dice.chance(30) else 0 for _ in base] if dice.chance(30) else [0] * len(base)
    free = [dice.chance(50) for _ in base] if dice.chance(20) else [False] * len(base)
    cells: list[Cell] = []
    colours: list[int] = []
    optional: list[bool] = []
    cut: list[Piece] = []
    for k in range(dice.pick([2, 2, 3])):
        piece = _put(dice, lattice, base, 8 * k)
        kept = len(piece) - (len(piece) > 2 and dice.chance(20))
        cells, colours, optional = cells + piece[:kept], colours + colour[:kept], optional + free[:kept]
        ground = Ground(lattice, tuple((cell,) for cell in piece[:kept]), Period(lattice.dimension))
        below = dict(zip(piece, colour, strict=True))
        cut += [Piece(tuple(own), tuple(below[cell] for cell in own)) for own in _cut(dice, ground)]
    parts = _parts(dice, cut, _allowed(dice, lattice))
    if dice.chance(5):  # a part that covers cells of two pieces
        parts.append(Part("both", as_cells([cells[0], cells[-1]], lattice.dimension), low=0, lattice=lattice))
    swap = ((1, 2),) if dice.chance(50) and {1, 2} <= {int(c) for part in parts for c in part.colours} else ()
    region = Region(
        as_cells(cells, lattice.dimension), np.array(colours, np.int32), np.array(optional, np.bool_), exchangeable=True
    )
    puzzle = ShownPuzzle("pieces", lattice, region, tuple(parts), colours=COLOURS, rules=Rules(exchangeable=swap))
    if dice.chance(20):
        puzzle = confined(dice, puzzle, 30)
    return chosen(dice, puzzle) if dice.chance(20) else puzzle
