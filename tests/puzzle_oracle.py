"""Brute force on puzzles, to compare latcover with: slow, plain, and free of latcover's own ways to place and encode.

Of latcover only plain data is used: puzzles, and how a lattice's transformations move cells, which test_lattices.py
checks by itself. Rules are looked at when all cells are filled, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, permutations, product
from math import floor
from operator import add

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, as_cells
from latcover.core.model.solution import Solution as Found

Cell = tuple[int, ...]  # node, x, y, ...
Sides = tuple[tuple[str, str], ...]  # half-edges of a cell and what is there, sorted; flat sides are not named
Copy = frozenset[tuple[Cell, str, Sides]]  # the cells that a copy of a part covers, its colours and its sides there
Placement = tuple[str, Copy]  # with the name of the part
Solution = frozenset[Placement]
Repainting = Mapping[str, str]
FLAT = "flat"


class Symmetry(Struct, frozen=True):
    """Where a symmetry of a puzzle takes each cell, each part, each half-edge and each colour; side:V is a value V."""

    cells: Mapping[Cell, Cell]
    parts: Mapping[str, str]
    edges: Mapping[str, str]
    colours: Repainting

    def image(self, solution: Solution) -> Solution:
        return frozenset((self.parts[name], self.goes_to(copy)) for name, copy in solution)

    def goes_to(self, copy: Copy) -> Copy:
        """Where it takes a copy of a part."""
        return frozenset(
            (self.cells[cell], self.colours[colour], tuple(sorted(map(self.side, sides))))
            for cell, colour, sides in copy
        )

    def side(self, side: tuple[str, str]) -> tuple[str, str]:
        """Where it takes a half-edge, and what stands there."""
        return self.edges[side[0]], self.value(side[1])

    def value(self, name: str) -> str:
        """What it makes of the value of a side."""
        return self.colours.get(f"side:{name}", f"side:{name}").removeprefix("side:")


def images(cells: Sequence[Cell], transformation: Transformation) -> list[Cell]:
    """Where a transformation takes *cells*."""
    dimension = len(cells[0]) - 1
    return [tuple(row) for row in transformation.apply(as_cells(cells, dimension)).tolist()]


def moved(cell: Cell, by: Sequence[int], period: Period) -> Cell:
    """*cell*, translated, and moved back between the vectors of the period."""
    at = [*map(add, cell[1:], by)]
    times = _coordinates(at[:], period.vectors) if period.vectors else []
    back = [sum(floor(n) * v[axis] for n, v in zip(times, period.vectors, strict=True)) for axis in range(len(at))]
    return (cell[0], *(x - b for x, b in zip(at, back, strict=True)))


def _coordinates(at: Sequence[int], vectors: Sequence[Sequence[int]]) -> list[Fraction]:
    """What multiples of *vectors* add up to *at*, on the first axes that settle it."""
    rows = [[*map(Fraction, column), Fraction(x)] for *column, x in zip(*vectors, at, strict=True)]
    for k in range(len(vectors)):
        pivot = next((row for row in rows[k:] if row[k]), None)
        assert pivot is not None
        rows.remove(pivot)
        rows = [[x - y * row[k] / pivot[k] for x, y in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(k, [x / pivot[k] for x in pivot])
    return [row[-1] for row in rows[: len(vectors)]]


def step(start: Cell, end: Cell) -> tuple[int, ...]:
    """The translation between two cells of one node."""
    return tuple(b - a for a, b in zip(start[1:], end[1:], strict=True))


def as_tuples(rows: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[Cell]:
    """Rows of an array of cells as tuples."""
    return [tuple(row) for row in rows.tolist()]


def neighbours(lattice: Lattice, cell: Cell) -> list[Cell]:
    """The cells that half-edges lead to, in their order."""
    return [
        (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
        for edge in lattice.half_edges
        if edge.node == cell[0]
    ]


def sides_of(puzzle: Puzzle, part: Part, transformation: Transformation) -> list[Sides]:
    """What is at the half-edges of each cell of *part* after *transformation*."""
    edges, values = puzzle.lattice.half_edges, puzzle.rules.sides
    found: list[list[tuple[str, str]]] = [[] for _ in range(part.size)]
    for k, label, value in part.sides.tolist():
        found[k].append((edges[transformation.labels[label]].label, values[value]))
    return [tuple(sorted(sides)) for sides in found]


def placements(puzzle: Puzzle, part: Part) -> set[Copy]:
    """Every way to put a copy of *part* that its colours allow, and sides that look out of the region."""
    region, colours = puzzle.region, puzzle.colours
    names = [colours[colour] for colour in part.colours.tolist()]
    there = {
        cell: colours[colour] for cell, colour in zip(as_tuples(region.cells), region.colours.tolist(), strict=True)
    }
    stands_on = {(colours[own], colours[cell]) for own, cell in puzzle.rules.stands_on}
    open_cells = may_cover(puzzle, part)
    found = set()
    for transformation in part.transformations:
        image = images(as_tuples(part.cells), transformation)
        sides = sides_of(puzzle, part, transformation)
        for start in (cell for cell in there if cell[0] == image[0][0]):
            shift = step(image[0], start)
            cells = [moved(cell, shift, region.period) for cell in image]
            if (
                len(set(cells)) == part.size
                and all(cell in open_cells for cell in cells)
                and all(
                    "" in (name, there[cell]) or name == there[cell] or (name, there[cell]) in stands_on
                    for name, cell in zip(names, cells, strict=True)
                )
            ):
                copy = frozenset(zip(cells, names, sides, strict=True))
                if _looks_out_well(puzzle, copy, there):
                    found.add(copy)
    return found


def may_cover(puzzle: Puzzle, part: Part) -> set[Cell]:
    """The cells of the region that *part* may cover, whatever their colours."""
    none = (0,) * puzzle.lattice.dimension
    found = set(as_tuples(puzzle.region.cells))
    if part.within is not None:
        found &= {moved(cell, none, puzzle.region.period) for cell in as_tuples(part.within)}
    if part.keep_off is not None:
        found -= {moved(cell, none, puzzle.region.period) for cell in as_tuples(part.keep_off)}
    return found


def _looks_out_well(puzzle: Puzzle, copy: Copy, region: Mapping[Cell, str]) -> bool:
    """Whether every side that looks out of the region may do so, and every side bears what is asked of it."""
    rules = puzzle.rules
    if len(rules.sides) == 1:
        return True
    own = {cell for cell, *_ in copy}
    asked = {(cell, puzzle.lattice.half_edges[label].label): value for cell, label, value in rules.asked}
    for cell, _, sides in copy:
        for edge in puzzle.lattice.half_edges:
            if edge.node == cell[0]:
                value = rules.sides.index(dict(sides).get(edge.label, FLAT))
                there = moved((edge.target, *cell[1:]), edge.step, puzzle.region.period)
                wanted = [asked[cell, edge.label]] if (cell, edge.label) in asked and there not in own else []
                if there not in region and rules.rim >= 0:
                    wanted.append(rules.rim)
                elif there not in region and not rules.open_sides[value]:
                    return False
                if any(value != each and not (value == 0 and rules.fits[0, each]) for each in wanted):
                    return False
    return True


def solutions(puzzle: Puzzle) -> set[Solution]:
    """Every solution."""
    found = list(each_solution(puzzle))
    assert len(found) == len(set(found))
    return set(found)


class TooLargeError(Exception):
    """Brute force would take too long."""


def each_solution(puzzle: Puzzle, patience: int = 10_000_000) -> Iterator[Solution]:
    """Every solution: the cells are filled, or left empty where that is allowed, one after the other.

    Raises:
        TooLargeError: after *patience* steps.
    """
    steps = count()
    region = puzzle.region
    cells = sorted(as_tuples(region.cells))
    optional = {cell for cell, free in zip(as_tuples(region.cells), region.optional.tolist(), strict=True) if free}
    counted = {cell for cell in optional if not puzzle.lattice.nodes[cell[0]].secondary}
    most_empty = len(cells) if region.max_empty is None else region.max_empty
    choices: dict[Cell, list[tuple[str, Copy, frozenset[Cell]]]] = {cell: [] for cell in cells}
    for part in puzzle.parts:
        for copy in placements(puzzle, part):
            covered = frozenset(cell for cell, *_ in copy)
            choices[min(covered)].append((part.name, copy, covered))
    most = {part.name: len(cells) if part.high is None else part.high for part in puzzle.parts}
    ruled = len(puzzle.rules.sides) > 1 or bool(puzzle.rules.apart or puzzle.rules.alike)

    def fill(k: int, taken: frozenset[Cell], chosen: tuple[Placement, ...]) -> Iterator[Solution]:
        if next(steps) > patience:
            raise TooLargeError
        names = [name for name, _ in chosen]
        if k == len(cells):
            n_empty = len(counted - taken)
            if all(names.count(part.name) >= part.low for part in puzzle.parts) and n_empty <= most_empty:
                solution = frozenset(chosen)
                if not ruled or obeys(puzzle, solution):
                    yield solution
            return
        if cells[k] in taken or cells[k] in optional:
            yield from fill(k + 1, taken, chosen)
        for name, copy, covered in choices[cells[k]]:
            if not covered & taken and names.count(name) < most[name]:
                yield from fill(k + 1, taken | covered, (*chosen, (name, copy)))

    yield from fill(0, frozenset(), ())


def obeys(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether sides and colours keep the rules: of every two cells that meet, in two copies of parts; and groups."""
    rules, lattice, period = puzzle.rules, puzzle.lattice, puzzle.region.period
    number = {name: value for value, name in enumerate(rules.sides)}
    owner = {cell: (copy, colour, dict(sides)) for _, copy in solution for cell, colour, sides in copy}
    apart = {frozenset(puzzle.colours[colour] for colour in pair) for pair in rules.apart}
    for cell, (own, colour, sides) in owner.items():
        for edge in lattice.half_edges:
            if edge.node != cell[0]:
                continue
            there = moved((edge.target, *cell[1:]), edge.step, period)
            mine = number[sides.get(edge.label, FLAT)]
            if there not in owner:
                outside = there not in as_tuples(puzzle.region.cells)
                if not (outside and rules.rim >= 0) and not rules.open_sides[mine]:
                    return False
            elif owner[there][0] != own:
                theirs = owner[there][2].get(lattice.half_edges[edge.twin].label, FLAT)
                if not rules.fits[mine, number[theirs]] or frozenset((colour, owner[there][1])) in apart:
                    return False
        for node, *by in lattice.touching[cell[0]] if rules.across_corners else ():
            other = owner.get(moved((node, *cell[1:]), by, period))
            if other is not None and other[0] != own and frozenset((colour, other[1])) in apart:
                return False
    return all(len({owner[cell][1] for cell in group if cell in owner} - {""}) <= 1 for group in rules.alike)


def plain(solution: Found) -> Solution:
    """A solution of latcover's in the form that is used here."""
    placed = []
    for p in solution.placements:
        sides = {cell: tuple(sorted((e, value) for c, e, value in p.sides if c == cell)) for cell in p.cells}
        colours = p.colours or [""] * len(p.cells)
        copy = frozenset((cell, colour, sides[cell]) for cell, colour in zip(p.cells, colours, strict=True))
        placed.append((p.part, copy))
    assert len(set(placed)) == len(placed)
    return frozenset(placed)


def symmetries(puzzle: Puzzle, which: str) -> list[Symmetry]:
    """Every transformation with translation, exchange of colours and of hands, that maps the puzzle to itself."""
    edges = [edge.label for edge in puzzle.lattice.half_edges]
    same = {colour: colour for colour in puzzle.colours}
    if which == "none":
        still = {c: c for c in as_tuples(puzzle.region.cells)}
        return [Symmetry(still, {p.name: p.name for p in puzzle.parts}, dict(zip(edges, edges, strict=True)), same)]
    all_placements = {part.name: placements(puzzle, part) for part in puzzle.parts}
    found = []
    for transformation in puzzle.lattice.transformations:
        if which == "rotations" and not transformation.proper:
            continue
        if puzzle.rules.apart and puzzle.rules.across_corners and not _keeps_corners(puzzle.lattice, transformation):
            continue
        labels = {edge: edges[there] for edge, there in zip(edges, transformation.labels, strict=True)}
        for repainted in _repaintings(puzzle):
            for cells in _cell_maps(puzzle, transformation, repainted):
                symmetry = Symmetry(cells, {}, labels, repainted)
                parts = _part_map(puzzle, all_placements, symmetry, proper=transformation.proper)
                asked = {(cell, (edges[label], puzzle.rules.sides[value])) for cell, label, value in puzzle.rules.asked}
                if {(cells[cell], symmetry.side(side)) for cell, side in asked} != asked:
                    continue
                alike = {frozenset(group) for group in puzzle.rules.alike}
                if {frozenset(cells[cell] for cell in group) for group in alike} != alike:
                    continue
                if parts is not None:
                    found.append(Symmetry(cells, parts, labels, repainted))
    if _is_group(found):
        return found
    return [symmetry for symmetry in found if all(part == there for part, there in symmetry.parts.items())]


def _is_group(found: Sequence[Symmetry]) -> bool:
    """Whether what two of them do one after the other is done by one of them; parts may be exchanged in many ways."""
    if all(part == there for symmetry in found for part, there in symmetry.parts.items()):
        return True
    maps = [
        tuple(
            tuple(sorted(each.items())) for each in (symmetry.cells, symmetry.parts, symmetry.edges, symmetry.colours)
        )
        for symmetry in found
    ]
    known = set(maps)
    return all(
        tuple(
            tuple((thing, dict(second)[there]) for thing, there in first)
            for first, second in zip(one, other, strict=True)
        )
        in known
        for one in maps
        for other in maps
    )


def _repaintings(puzzle: Puzzle) -> Iterator[dict[str, str]]:
    """Every exchange of exchangeable colours and values."""
    values = [f"side:{name}" for name in puzzle.rules.sides]
    sets = [[puzzle.colours[c] for c in colours] for colours in puzzle.rules.exchangeable]
    sets += [[values[v] for v in exchanged] for exchanged in puzzle.rules.exchangeable_values]
    for orders in product(*map(permutations, sets)):
        becomes = {a: b for names, order in zip(sets, orders, strict=True) for a, b in zip(names, order, strict=True)}
        yield {name: becomes.get(name, name) for name in (*puzzle.colours, *values)}


def _cell_maps(puzzle: Puzzle, transformation: Transformation, repainted: Repainting) -> Iterator[dict[Cell, Cell]]:
    """Every way in which *transformation*, with a translation, maps the region to itself, colours and all."""
    region = puzzle.region
    cells = as_tuples(region.cells)
    optional = zip(cells, region.optional.tolist(), strict=True)
    free = [may and not puzzle.lattice.nodes[cell[0]].secondary for cell, may in optional]
    binds = region.max_empty is not None and region.max_empty < sum(free)
    counted = [binds and may for may in free]
    seen = zip(region.colours.tolist(), region.optional.tolist(), counted, strict=True)
    kind = {cell: (puzzle.colours[colour], *more) for cell, (colour, *more) in zip(cells, seen, strict=True)}
    becomes = {cell: (repainted[colour], *more) for cell, (colour, *more) in kind.items()}
    image = images(cells, transformation)
    turned = [  # the images of the same cells, but named by coordinates a period further on
        images([moved(cell, once_round, Period(len(once_round))) for cell in cells], transformation)
        for once_round in region.period.vectors
    ]
    for target in (cell for cell in cells if cell[0] == image[0][0]):
        shift = step(image[0], target)
        targets = [moved(there, shift, region.period) for there in image]
        if (
            set(targets) == set(cells)
            and all(becomes[cell] == kind[there] for cell, there in zip(cells, targets, strict=True))
            and all([moved(there, shift, region.period) for there in again] == targets for again in turned)
        ):
            yield dict(zip(cells, targets, strict=True))


def _keeps_corners(lattice: Lattice, transformation: Transformation) -> bool:
    """Whether cells that touch go to cells that touch; the drawing of a lattice may have less symmetry than itself."""
    for node, around in enumerate(lattice.touching):
        here, *there = images([(node, *(0,) * lattice.dimension), *around], transformation)
        back = [-x for x in here[1:]]
        if {moved(cell, back, Period(lattice.dimension)) for cell in there} != set(lattice.touching[here[0]]):
            return False
    return True


def _part_map(
    puzzle: Puzzle, all_placements: Mapping[str, set[Copy]], symmetry: Symmetry, *, proper: bool
) -> dict[str, str] | None:
    """Where each part goes: to itself, from one hand to the other, or to one in other colours; None where nowhere."""
    partner = {}
    repaints = any(colour != becomes for colour, becomes in symmetry.colours.items())
    for part in puzzle.parts:
        mine = all_placements[part.name]
        there = {symmetry.goes_to(copy) for copy in mine}
        open_there = {symmetry.cells[cell] for cell in may_cover(puzzle, part)}
        if there == mine and open_there == may_cover(puzzle, part):
            partner[part.name] = part.name
            continue
        bounds = (part.low, puzzle.most_copies(part))
        alike = [p for p in puzzle.parts if (p.low, puzzle.most_copies(p)) == bounds]
        like_me = [
            p for p in alike if all_placements[p.name] == mine and may_cover(puzzle, p) == may_cover(puzzle, part)
        ]
        others = [p for p in alike if all_placements[p.name] == there and may_cover(puzzle, p) == open_there]
        if not repaints:
            others = [p for p in others if not proper and are_hands(puzzle, part, p)]
        if len(like_me) != len(others):
            return None
        partner[part.name] = others[like_me.index(part)].name
    return partner


def are_hands(puzzle: Puzzle, one: Part, other: Part) -> bool:
    """Whether two parts are a chiral pair: a reflection takes one to the other, and no rotation does."""
    identity, *_ = transformations = puzzle.lattice.transformations

    def shapes(part: Part, then: Transformation) -> set[frozenset[tuple[Cell, int, Sides]]]:
        found = set()
        for allowed in part.transformations:
            both = then.after(allowed)
            image = images(as_tuples(part.cells), both)
            back = [-x for x in min(image)[1:]]
            cells = [moved(cell, back, Period(len(back))) for cell in image]
            found.add(frozenset(zip(cells, part.colours.tolist(), sides_of(puzzle, part, both), strict=True)))
        return found

    target = shapes(other, identity)
    takes = [t for t in transformations if shapes(one, t) == target]
    return bool(takes) and not any(t.proper for t in takes)


def classes(found: set[Solution], group: Sequence[Symmetry]) -> set[frozenset[Solution]]:
    """The classes of solutions that *group* takes into one another."""
    orbits = {frozenset(symmetry.image(solution) for symmetry in group) for solution in found}
    assert sum(map(len, orbits)) == len(found)
    return orbits
