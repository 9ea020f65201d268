"""Packings and exclusions: against brute force, and the terms that OEIS has."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import latcover
from latcover import ExcludeRequest, Packing, PackRequest, box, exclude, pack, region_to_pack, shape_named
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Solution
from latcover.core.model.verifier import verify
from latcover.errors import UnsupportedError
from latcover.lab.asking.packings import packing_of
from tests import puzzle_oracle
from tests.command_line import run
from tests.dice import Dice, cases
from tests.packing_oracle import fewest_painted, fewest_trominoes

SHAPES = {"d": "XX", "i": "XXX", "v": "XX\nX.", "s": "XX.\n.XX", "o": "XX\nXX"}


def any_puzzle(dice: Dice) -> Puzzle:
    height, width = dice.pick([(2, 3), (3, 3), (2, 5), (3, 4)])
    rows = [["X"] * width for _ in range(height)]
    rows[dice.below(height)][dice.below(width)] = dice.pick("X.")
    names = sorted({dice.pick([*SHAPES]) for _ in range(2)})
    parts = tuple(Part(name, SHAPES[name], low=0, high=dice.pick([None, 1])) for name in names)
    return Puzzle("random", latcover.load_lattice("square"), Region(["".join(row) for row in rows]), parts)


def room(puzzle: Puzzle, part: Part, empty: set[tuple[int, ...]]) -> bool:
    return any({cell for cell, *_ in copy} <= empty for copy in puzzle_oracle.placements(puzzle, part))


def is_clumsy(puzzle: Puzzle, solution: puzzle_oracle.Solution) -> bool:
    used = [name for name, _ in solution]
    empty = set(map(tuple, puzzle.region.cells.tolist())) - {cell for _, copy in solution for cell, *_ in copy}
    left = [part for part in puzzle.parts if part.high is None or used.count(part.name) < part.high]
    return not any(room(puzzle, part, empty) for part in left)


@cases(5, puzzle=any_puzzle, backend=lambda dice: dice.pick(("cpsat", "sat", "dlx", "bitset")))
def test_packings_are_those_of_brute_force(puzzle: Puzzle, backend: str) -> None:
    every = puzzle_oracle.solutions(packing_of(puzzle))
    densest = pack(puzzle, PackRequest(backend=backend))
    assert (densest.proved, densest.value) == (True, max(map(len, every)))
    covered = pack(puzzle, PackRequest(backend=backend, cells=True))
    assert covered.value == max(sum(len(copy) for _, copy in each) for each in every)
    clumsiest = pack(puzzle, PackRequest(backend=backend, clumsy=True))
    assert (clumsiest.proved, clumsiest.value) == (True, min(len(each) for each in every if is_clumsy(puzzle, each)))
    clumsy = packing_of(puzzle, clumsy=True)
    assert latcover.count(clumsy).total == sum(is_clumsy(puzzle, each) for each in every)


@cases(5, puzzle=any_puzzle, backend=lambda dice: dice.pick(("cpsat", "sat", "dlx", "bitset")))
def test_the_fewest_forbidden_cells_are_those_of_brute_force(puzzle: Puzzle, backend: str) -> None:
    cells = set(map(tuple, puzzle.region.cells.tolist()))
    found = exclude(puzzle, ExcludeRequest(backend=backend))
    least = next(
        k
        for k in range(len(cells) + 1)
        for chosen in combinations(sorted(cells), k)
        if not any(room(puzzle, part, cells - {*chosen}) for part in puzzle.parts)
    )
    assert (found.proved, found.value) == (True, least)


def squares(names: tuple[str, ...], n: int, *, torus: bool = False) -> Puzzle:
    shapes = [shape_named(name, "square") for name in names]
    return region_to_pack(shapes, box(n, n).cells, period=[n, n] if torus else None)


Ask = Callable[[Puzzle], Packing]
dense: Ask = pack
clumsy: Ask = lambda puzzle: pack(puzzle, PackRequest(clumsy=True))  # noqa: E731 - beside the others
excluded: Ask = exclude


@pytest.mark.parametrize(
    ("ask", "names", "first", "terms"),
    [
        pytest.param(dense, ("tetrominoes:S",), 1, (0, 0, 1, 3, 4, 8, 9, 14), id="A355477"),
        pytest.param(dense, ("pentominoes:V",), 1, (0, 0, 1, 2, 4, 6, 8, 12), id="A214294"),
        pytest.param(dense, ("tetrominoes:I",), 1, (0, 0, 0, 4, 6, 8, 12, 16), id="A233036"),
        pytest.param(clumsy, ("square-2:1",), 1, (0, 2, 3, 6, 9, 12), id="A280984"),
        pytest.param(excluded, ("pentominoes:X",), 3, (1, 2, 3, 4, 7), id="A104519"),
        pytest.param(excluded, ("square-3:I", "square-3:V"), 1, (0, 2, 4, 8, 11), id="A337501"),
        pytest.param(excluded, ("square-2:1",), 1, (0, 2, 4, 8, 12, 18), id="A007590"),
        pytest.param(excluded, ("tetrominoes:O",), 1, (0, 1, 1, 4, 4, 9), id="A008794"),
    ],
)
def test_terms_of_sequences(ask: Ask, names: tuple[str, ...], first: int, terms: tuple[int, ...]) -> None:
    found = [ask(squares(names, n)) for n in range(first, first + len(terms))]
    assert all(each.proved for each in found)
    assert tuple(each.value for each in found) == terms


def test_a_packing_with_room_fails_its_check() -> None:
    puzzle = packing_of(squares(("square-2:1",), 3), clumsy=True)
    tiling = pack(puzzle, PackRequest(clumsy=True)).tiling
    assert tiling is not None
    assert verify(tiling.puzzle, tiling.solution) == []
    fewer = Solution(tiling.solution.placements[1:])
    assert "fits on the cells that stay empty" in verify(tiling.puzzle, fewer)[0]


def test_a_torus_has_more_places() -> None:
    assert pack(squares(("square-2:1",), 3, torus=True), PackRequest(clumsy=True)).value == 3
    assert exclude(squares(("tetrominoes:I",), 4)).value == 4
    assert exclude(squares(("square-2:1",), 3, torus=True)).value == 6


@pytest.mark.parametrize(
    ("name", "vectors", "forbidden"),
    [
        ("pentominoes:V", [[2, 3], [5, 1]], 4),  # Klamkin and Liu (1980), Barnes and Shearer (1982)
        ("pentominoes:Z", [[3, 0], [0, 3]], 3),  # Shearer (1982)
        ("pentominoes:X", [[1, 2], [0, 5]], 1),
        ("pentominoes:I", [[1, 1], [0, 5]], 1),
        ("tetrominoes:L", [[3, 0], [0, 3]], 3),
        ("tetrominoes:T", [[1, 2], [0, 6]], 2),
    ],
)
def test_densities_in_the_plane(name: str, vectors: list[list[int]], forbidden: int) -> None:
    """The cells are forbidden in the plane again and again: then no copy fits in a large window."""
    period, part = Period(2, tuple(map(tuple, vectors))), shape_named(name, "square")
    homes = np.column_stack([np.zeros(period.volume, np.int32), period.homes()]).astype(np.int32)
    found = exclude(region_to_pack([part], homes, period=vectors))
    assert (found.value, found.proved) == (forbidden, True)
    assert found.tiling is not None
    cells = {cell[1:] for placed in found.tiling.solution.placements for cell in placed.cells}
    window = box(2 * period.volume, 2 * period.volume).cells
    plane = region_to_pack([part], window)
    free = {cell for cell in map(tuple, window.tolist()) if period.home_of(cell)[1:] not in cells}
    assert len(cells) == forbidden
    assert not room(plane, plane.parts[0], free)


def test_the_command_takes_a_region_that_closes(tmp_path: Path) -> None:
    path = tmp_path / "torus.toml"
    head = 'name = "torus"\nlattice = "square"\n[region]\nperiod = [[2, 3], [5, 1]]\n'
    path.write_text(head + '[[parts]]\nname = "cell"\nart = "X"\ncount = "unlimited"\n')
    assert run("exclude", "pentominoes:V", "--region", str(path), "--json", "-q").stdout.count('"value": 4') == 1


def test_parts_with_sides_are_refused() -> None:
    head = 'name = "tiles"\nlattice = "square"\n[sides]\nvalues = { A = "red" }\n[region]\nbox = [2, 2]\n'
    puzzle = latcover.loads(head + '[[parts]]\nname = "a"\ntile = "AAAA"\ncount = 4\n')
    with pytest.raises(UnsupportedError, match="no_room"):
        pack(puzzle, PackRequest(clumsy=True))


def test_the_commands(tmp_path: Path) -> None:
    path = tmp_path / "packing.svg"
    shown = run("pack", "tetrominoes:S", "--region", "5x5", "--output", str(path), "-q", "--no-color")
    assert "4 parts that fit: no packing has more (proved)" in shown.stdout
    assert path.read_text().startswith("<svg")
    shown = run("exclude", "pentominoes:X", "--region", "square:5x5", "--json", "-q")
    assert '"value": 3, "bound": 3, "proved": true' in shown.stdout
    shown = run("solve", "fig4-3x3", "--pack", "-q", "--no-color")
    assert "3 parts; no solution has more (proved)" in shown.stdout
    shown = run("solve", "fig4-3x3", "--clumsy", "-q", "--no-color")
    assert "no solution has fewer (proved)" in shown.stdout
    for wrong, said in (
        (("--region", "soma"), "lies on cubic"),
        (("--region", "pent-10x6", "--torus"), "--torus joins"),
        (("--region", "8"), "2 sides"),
    ):
        refused = run("pack", "tetrominoes:S", *wrong)
        assert refused.returncode == 1
        assert said in refused.stderr


@pytest.mark.parametrize("n", [6, 9])
def test_painted_cells_are_those_of_another_program(n: int) -> None:
    found = exclude(squares(("square-3:I", "square-3:V"), n))
    assert (found.value, found.proved) == (fewest_painted(n), True)


def test_the_other_program_finds_what_oeis_has() -> None:
    assert [fewest_painted(n) for n in range(1, 11)] == [0, 2, 4, 8, 11, 18, 23, 32, 39, 50]  # A337501
    assert [fewest_trominoes(n) for n in range(1, 8)] == [0, 0, 3, 4, 5, 7, 9]  # A226918


@pytest.mark.parametrize("n", [4, 6])
def test_clumsy_trominoes_are_those_of_another_program(n: int) -> None:
    found = pack(squares(("square-3:I",), n), PackRequest(clumsy=True))
    assert (found.value, found.proved) == (fewest_trominoes(n), True)
