"""What a packing has to spare: no solution is lost, and what is known of famous packings comes out."""

from __future__ import annotations

import numpy as np
import pytest

from latcover.backends import create
from latcover.core.encoding import spare
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells, box
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.solving.run import run
from latcover.files.formats.library import load_lattice
from tests.dice import Dice, cases
from tests.puzzle_oracle import Cell, neighbours, solutions

LATTICES = ("square", "cubic", "triangular", "hexagonal", "triprism")
SIZES = {2: ((3, 4), (5, 2), (4, 4), (3, 3)), 3: ((2, 2, 2), (3, 2, 2), (2, 2, 1))}


@pytest.fixture(autouse=True)
def _few_are_weighed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spare, "FEW", 1)


def packing(lattice: Lattice, sizes: tuple[int, ...], parts: list[Part], most: int | None = None) -> Puzzle:
    """These parts in a box any cell of which may stay empty."""
    cells = box(*sizes, lattice=lattice).cells
    return Puzzle("box", lattice, Region(cells, optional=np.ones(len(cells), np.bool_), max_empty=most), tuple(parts))


def some_packing(dice: Dice) -> Puzzle:
    """Bricks, or other shapes, of which nearly as many as there is room for are used."""
    lattice = load_lattice(dice.pick(LATTICES))
    sizes = dice.pick(SIZES[lattice.dimension])
    room = int(np.prod(sizes)) * len(lattice.nodes)
    if room > 16:
        sizes = (2,) * (lattice.dimension - 1) + (1,)
        room = int(np.prod(sizes)) * len(lattice.nodes)
    parts = []
    left = room - dice.below(4)
    for k in range(dice.between(1, 2)):
        cells = _shape(dice, lattice)
        many = dice.between(1, 4)
        if many * len(cells) > left:
            break
        left -= many * len(cells)
        high = many if dice.chance(70) else many + dice.below(2)
        motions = lattice.allowed(dice.pick(("fixed", "rotations", "reflections")))
        parts.append(Part(f"P{k}", as_cells(cells, lattice.dimension), low=many, high=high, transformations=motions))
    if not parts:
        parts = [Part("P", as_cells([(0,) * (lattice.dimension + 1)], lattice.dimension), low=1, high=1)]
    puzzle = packing(lattice, sizes, parts, dice.below(room) if dice.chance(40) else None)
    return packing(lattice, sizes, parts) if cannot_fill(puzzle) else puzzle


def _shape(dice: Dice, lattice: Lattice) -> list[Cell]:
    if len(lattice.nodes) == 1 and dice.chance(60):
        return [
            (int(c[0]), *map(int, c[1:])) for c in box(*(dice.between(1, 3) for _ in range(lattice.dimension))).cells
        ]
    cells = [(0,) * (lattice.dimension + 1)]
    for _ in range(dice.below(4)):
        beside = sorted({near for cell in cells for near in neighbours(lattice, cell)} - set(cells))
        cells.append(dice.pick(beside))
    return cells


@cases(12, puzzle=some_packing)
def test_no_solution_is_lost(puzzle: Puzzle) -> None:
    prepared = prepare(puzzle, Choices(symmetry="none"))
    assert run(prepared, create("dlx")).total == len(solutions(puzzle))


def brick(name: str, *sizes: int, count: int = 1, lattice: Lattice) -> Part:
    motions = lattice.allowed("rotations")
    return Part(name, box(*sizes, lattice=lattice).cells, low=count, high=count, transformations=motions)


def test_what_nothing_can_be_spared_at_must_be_covered() -> None:
    """Three lines of each direction through each of nine places: 27 lines of 15 cells, of which 27 lie on three."""
    lattice = load_lattice("cubic")
    puzzle = packing(lattice, (15, 15, 15), [brick("brick", 4, 5, 6, count=27, lattice=lattice)])
    problem = prepare(puzzle, Choices(symmetry="none")).problem
    assert int(problem.low[: problem.n_cells].sum()) == 27 * 15 - 2 * 27
    assert problem.n_options < 4000


def test_a_line_wastes_nothing_where_nothing_is_to_spare() -> None:
    """Edges of 3 and 5: a square begins at no 1, 2, 4 or 7, from either end."""
    lattice = load_lattice("square")
    parts = [brick("A", 3, 3, count=9, lattice=lattice), brick("B", 5, 5, count=9, lattice=lattice)]
    cells = box(17, 18, lattice=lattice).cells
    prepared = prepare(Puzzle("box", lattice, Region(cells), tuple(parts)), Choices(symmetry="none"))
    table = prepared.table
    starts = {int(table.cells_of(p)[:, 1].min()) for p in prepared.option_placement.tolist()}
    assert starts.isdisjoint({1, 2, 4, 7})
    assert {0, 3, 5, 6} <= starts


def test_as_many_as_fit_keep_their_places() -> None:
    """Four squares of 3 by 3 in 7 by 7: each covers one of the four cells that nothing can be spared at."""
    lattice = load_lattice("square")
    puzzle = packing(lattice, (7, 7), [brick("square", 3, 3, count=4, lattice=lattice)])
    prepared = prepare(puzzle, Choices(symmetry="none"))
    assert run(prepared, create("dlx")).total == len(solutions(puzzle))
    must = prepared.table.region.cells[prepared.problem.low[: prepared.problem.n_cells] == 1][:, 1:]
    assert {tuple(cell) for cell in must.tolist()} >= {(2, 2), (2, 4), (4, 2), (4, 4)}


def test_a_cell_to_spare_may_be_any() -> None:
    """Four dominoes leave one cell of nine empty: the middle, a corner or none that is beside a corner."""
    lattice = load_lattice("square")
    puzzle = packing(lattice, (3, 3), [brick("domino", 1, 2, count=4, lattice=lattice)])
    assert run(prepare(puzzle, Choices(symmetry="none")), create("dlx")).total == len(solutions(puzzle)) == 18


def test_too_many_have_no_place() -> None:
    """Four squares of 3 by 3 in 7 by 7: five do not fit, though the volume would."""
    lattice = load_lattice("square")
    puzzle = packing(lattice, (7, 7), [brick("square", 3, 3, count=5, lattice=lattice)])
    assert prepare(puzzle, Choices(symmetry="none")).problem.n_options == 0
    assert run(prepare(puzzle), create("dlx")).total == 0


@pytest.mark.long
def test_hoffmans_bricks_have_21_packings() -> None:
    lattice = load_lattice("cubic")
    puzzle = packing(lattice, (15, 15, 15), [brick("brick", 4, 5, 6, count=27, lattice=lattice)])
    found = run(prepare(puzzle), create("auto"))
    assert found.complete
    assert found.different == 21
