"""What cuts are asked for, against a list of all cuts of small regions, and one order against all positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
import pytest
from msgspec import Struct

import latcover
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.directions import directions
from latcover.lab.designing.cut_designs import CutDesign
from latcover.lab.designing.cuts import Cutter, WalkResult, cut
from latcover.lab.designing.design_requests import CutRequest
from latcover.lab.designing.design_results import DesignResults
from latcover.lab.designing.region_names import region_named
from tests.assembly_oracle import Oracle
from tests.cut_oracle import Board, Cuts, Division, Piece, Shapes, plus
from tests.oracle import branches_by_level, cover_problem

WALKS = 600
STICKS = [c for r, k in product(range(3), range(2)) for c in ((2 * r, 2 * k + 1), (2 * r + 1, 2 * k))]
SQUARES = Cuts(Board(2, turns_over=True), list(product(range(4), range(4))), 3, range(5, 7))
CUBES = Cuts(Board(3), list(product(range(2), range(2), range(3))), 3, range(4, 5))
LINES = Cuts(Board(2, sticks=True, turns_over=True), STICKS, 3, range(4, 5))
BOXES = {"square:4x4": (SQUARES, "5..6"), "cubic:2x2x3": (CUBES, "4..4"), "polystick:3x2": (LINES, "4..4")}


FORBIDDEN = {
    "square:4x4": [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1], [0, 1, 2]],
    "cubic:2x2x3": [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]],
    "polystick:3x2": [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [2, 0, 1]],  # with the junction between two
}


def as_brute_force_has_it(rows: Iterable[Sequence[int]], nodes: Sequence[str]) -> Piece:
    if len(nodes) == 1:
        return frozenset(tuple(at) for _, *at in rows)
    odd = {"across": (0, 1), "down": (1, 0)}
    named = [(nodes[node], at) for node, *at in rows]
    return frozenset(plus((2 * at[0], 2 * at[1]), odd[name]) for name, at in named if name in odd)


def pieces_of(design: CutDesign) -> Division:
    nodes = [node.name for node in design.puzzle.lattice.nodes]
    return tuple(as_brute_force_has_it(placed.cells, nodes) for placed in design.solution.placements)


def comes_apart(pieces: Division) -> bool:
    cells = [[(0, *cell) for cell in piece] for piece in pieces]
    ways = np.eye(3, dtype=int).tolist()
    return len(cells[0][0]) < 4 or Oracle(load_lattice("cubic"), cells, ways).answer() is not None


def wanted(box: str, wish: str) -> set[Shapes]:
    cuts, _ = BOXES[box]
    nodes = [node.name for node in region_named(box).lattice.nodes]
    forbidden = cuts.board.shape(as_brute_force_has_it(FORBIDDEN[box], nodes), mirrors=True)
    obeys = {
        "nothing": lambda division: True,
        "different": cuts.different,
        "no_mirrors": cuts.no_mirrors,
        "asymmetric": cuts.asymmetric,
        "no_rods": lambda division: cuts.rank(division) > 1,
        "shapes": lambda division: forbidden not in [cuts.board.shape(piece, mirrors=True) for piece in division],
    }[wish]
    return {shapes for shapes, division in cuts.single().items() if obeys(division) and comes_apart(division)}


def searched(box: str, **choices: object) -> list[CutDesign]:
    request = CutRequest(parts=3, sizes=BOXES[box][1], walks=WALKS, keep=1000, patience=5, threads=1, **choices)
    return Cutter(region_named(box), request).search().designs


WISHES = [
    ("square:4x4", "asymmetric"),
    ("square:4x4", "shapes"),
    ("cubic:2x2x3", "different"),
    ("cubic:2x2x3", "no_mirrors"),
    ("cubic:2x2x3", "shapes"),
    ("polystick:3x2", "asymmetric"),
    ("polystick:3x2", "no_rods"),
    ("polystick:3x2", "shapes"),
]


@pytest.mark.parametrize(
    ("box", "wish"),
    [
        pytest.param(*each, marks=[] if each[1] in ("different", "no_mirrors", "no_rods") else pytest.mark.long)
        for each in WISHES
    ],
)
def test_the_cuts_that_are_found_are_all_that_obey(box: str, wish: str) -> None:
    choices = {"shapes": [FORBIDDEN[box]]} if wish == "shapes" else {wish: True}
    expected = wanted(box, wish)
    assert {BOXES[box][0].shapes(pieces_of(design)) for design in searched(box, **choices)} == expected
    assert expected < wanted(box, "nothing")


def test_ways_to_fill_a_region_count_only_if_no_parts_cross() -> None:
    """One of these cuts has another filling, whose parts cross at the junction in the middle."""
    quarters = Cuts(Board(2, sticks=True, turns_over=True), STICKS, 4, range(3, 4))
    request = CutRequest(parts=4, sizes="3..3", walks=60, keep=1000, patience=20, threads=1)
    designs = Cutter(region_named("polystick:3x2"), request).search().designs
    assert {quarters.shapes(pieces_of(design)) for design in designs} == {*quarters.single()}


def branches_of(cuts: Cuts, design: CutDesign) -> int:
    """The branches of the plain search for the parts of a design, by a search of our own."""
    cells, (nodes,) = sorted(cuts.region), [[node.name for node in design.puzzle.lattice.nodes]]
    options, copies = [], []
    for number, part in enumerate(design.puzzle.parts):
        copies.append((part.low, part.low))
        piece = as_brute_force_has_it(part.cells.tolist(), nodes)
        options += [[*map(cells.index, placed), len(cells) + number] for placed in cuts.placements(piece)]
    return sum(branches_by_level(cover_problem(options, [(1, 1)] * len(cells) + copies), size=True))


@pytest.mark.long
def test_a_hard_search_ranks_by_branches_and_finds_the_hardest_cut() -> None:
    designs = searched("square:4x4", hard=True)
    branches = [branches_of(SQUARES, design) for design in designs]
    assert branches == [design.difficulty.branches for design in designs]
    scores = [n / design.puzzle.expect["total"] for n, design in zip(branches, designs, strict=True)]
    assert scores == sorted(scores, reverse=True)
    plain = searched("square:4x4")
    assert {SQUARES.shapes(pieces_of(design)) for design in plain} == wanted("square:4x4", "nothing")
    (best,) = cut("square:4x4", 3, sizes="5..6", hard=True, walks=1, patience=500)
    assert branches_of(SQUARES, best) == max(branches_of(SQUARES, design) for design in plain)


class Walks(DesignResults):
    """Keeps all walks."""

    def __init__(self) -> None:
        self.walks: list[WalkResult] = []

    def put(self, name: str, result: Struct) -> None:
        assert isinstance(result, WalkResult)
        self.walks.append(result)


@pytest.mark.parametrize(
    ("region", "parts", "wishes", "verdicts"),
    [
        ("cubic:3x3x3", 3, {"walks": 12, "patience": 600}, {True, False}),
        ("cubic:3x3x3", 4, {"walks": 8, "patience": 200}, {False}),
        ("cubic:3x3x3", 3, {"walks": 8, "patience": 100, "holes": 1}, {True, False}),
        ("hexprism:2x2x2", 3, {"walks": 12, "patience": 300}, {False}),
        ("triprism:2x2x2", 3, {"walks": 8, "patience": 300}, {False}),
        ("sphere-pyramid", 3, {"walks": 12, "patience": 2}, {True, False}),
    ],
)
@pytest.mark.long
def test_one_order_by_single_steps_to_all_positions(
    region: str, parts: int, wishes: dict[str, int], verdicts: set[bool]
) -> None:
    asked, kept = region_named(region), Walks()
    request = CutRequest(parts=parts, threads=1, one_order=True, **wishes)
    cutter = Cutter(asked, request)
    cutter.search(ledger=kept)
    met = set()
    for walk in kept.walks:
        pieces = [list(map(tuple, cutter.cells[walk.owner == k].tolist())) for k in range(parts)]
        if walk.level > 0 and not walk.violations:
            met.add(walk.one_order)
            oracle = Oracle(asked.lattice, pieces, directions(asked.lattice).tolist())
            assert oracle.in_one_order(tuple(range(parts))) == walk.one_order, walk
    assert met == verdicts


def test_the_shipped_cube_comes_apart_in_one_order() -> None:
    puzzle = latcover.load("cut-4x4x4-one-order")
    (solution,) = latcover.solutions(puzzle)
    pieces = [placed.cells for placed in solution.placements]
    assert Oracle(puzzle.lattice, pieces, np.eye(3, dtype=int).tolist()).in_one_order(tuple(range(len(pieces))))
