"""Taking apart: against brute force on every lattice, and against puzzles of known level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import TOUCH, Drawing, Lattice
from latcover.core.model.meetings import meetings
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.solution import Solution
from latcover.files.formats.library import load_all
from latcover.files.formats.source import names, shipped
from latcover.lab.assembly.directions import directions
from latcover.lab.assembly.sliding_sweeps import sweeps
from latcover.lab.assembly.survey import Survey
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.show.reporting.check_report import least_level
from tests import assembly_oracle
from tests.dice import Seeded, cases
from tests.random_assemblies import assembled, random_pieces
from tests.random_lattices import to_five_decimals
from tests.shipped import rest_long

Cell = tuple[int, ...]
Ids, Places = tuple[int, ...], tuple[Cell, ...]
EAST = np.array([1.0, 0.0, 0.0])
SOLID = ("cubic", "fcc", "hexprism", "triprism", "tetraocta", "rhombic")


class Oracle:
    """Brute force: every subset, every direction, every distance, by the drawings of all cells at all moments."""

    def __init__(self, lattice: Lattice, pieces: list[list[Cell]]) -> None:
        self.lattice, self.pieces = lattice, [np.array(p, np.int32) for p in pieces]
        ways = directions(lattice)
        self.ways = [tuple(map(int, w)) for w in (*ways, *-ways)]
        cells = np.concatenate(self.pieces)[:, 1:]
        self.far = 2 * int(np.ptp(cells, axis=0).max()) + 4
        self.blocked = cache(self._blocked)
        self.fewest = cache(self._fewest)

    def _blocked(self, i: int, j: int, offset: Cell, way: Cell) -> bool:
        """Whether piece i, one step along, meets piece j, which stands *offset* from its own place."""
        own, theirs = self.pieces[i], self.pieces[j]
        centres = (self.lattice.centres(theirs) + np.array(offset) @ self.lattice.basis)[None]
        offsets = (centres - self.lattice.centres(own)[:, None]).reshape(-1, self.lattice.dimension)
        u, w = np.repeat(own[:, 0], len(theirs)), np.tile(theirs[:, 0], len(own))
        return bool(meetings(self.lattice).on_the_way(u, w, offsets, np.array(way) @ self.lattice.basis).any())

    def moves(self, ids: Ids, places: Places) -> Iterator[tuple[Ids, Places | None]]:
        """Each move: who goes, and the places afterwards; None for those who can go on for ever."""
        for size in range(1, len(ids)):
            for movers in combinations(range(len(ids)), size):
                for way in self.ways:
                    now = list(places)
                    for steps in range(self.far):
                        if any(
                            self.blocked(ids[a], ids[b], tuple(q - p for p, q in zip(now[a], now[b], strict=True)), way)
                            for a in movers
                            for b in range(len(ids))
                            if b not in movers
                        ):
                            break
                        for a in movers:
                            now[a] = tuple(p + w for p, w in zip(now[a], way, strict=True))
                        if steps < self.far - 1:
                            yield movers, tuple(tuple(x - y for x, y in zip(p, now[0], strict=True)) for p in now)
                    else:
                        yield movers, None

    def _fewest(self, ids: tuple[int, ...], places: tuple[Cell, ...]) -> tuple[int, int] | None:
        """The moves to the first separation, and the least number of all moves if each group is parted early."""
        if len(ids) == 1:
            return 0, 0
        start = tuple(tuple(x - y for x, y in zip(p, places[0], strict=True)) for p in places)
        seen, front, depth = {start}, [start], 0
        while front:
            depth += 1
            totals, following = [], []
            for here in front:
                reached = list(self.moves(ids, here))
                for movers, there in reached:
                    if there is None:
                        groups = [[k for k in range(len(ids)) if (k in movers) == inside] for inside in (True, False)]
                        below = [self.fewest(tuple(ids[k] for k in g), self.relative(here, g)) for g in groups]
                        if None in below:
                            return None
                        totals.append(depth + sum(b[1] for b in below if b is not None))
                    elif there not in seen:
                        seen.add(there)
                        following.append(there)
            if totals:
                return depth, min(totals)
            front = following
        return None

    @staticmethod
    def relative(places: tuple[Cell, ...], group: list[int]) -> tuple[Cell, ...]:
        return tuple(tuple(x - y for x, y in zip(places[k], places[group[0]], strict=True)) for k in group)

    def answer(self) -> tuple[int, int] | None:
        n = len(self.pieces)
        return self.fewest(tuple(range(n)), ((0,) * self.lattice.dimension,) * n)


def compare_with_oracle(lattice: Lattice, pieces: list[list[Cell]]) -> Disassembly:
    puzzle, solution = assembled(lattice, pieces)
    (found,) = Assembler(puzzle, in_plane=lattice.dimension < 3).take_apart([solution])
    expected = Oracle(lattice, pieces).answer()
    if expected is None:
        assert found.result == "stuck"
    else:
        assert found.result == "apart"
        assert found.least
        assert (found.level[0], len(found.steps)) == expected
    return found


@pytest.mark.parametrize("name", [*SOLID, "square", "triangular", "hexagonal"])
def test_random_assemblies(name: str) -> None:
    lattice = latcover.load_lattice(name)

    @cases(5, pieces=lambda dice: random_pieces(dice, lattice, dice.between(6, 16), 3))
    def compare(pieces: list[list[Cell]]) -> None:
        compare_with_oracle(lattice, pieces)

    compare()


SHEARED = """
name = "sheared"
basis = [[1, 0, 0], [0.3, 1, 0], [0.2, 0.4, 1]]
[nodes.brick]
vertices = [[0, 0, 0], [1, 0, 0], [0.3, 1, 0], [1.3, 1, 0], [0.2, 0.4, 1], [1.2, 0.4, 1], [0.5, 1.4, 1], [1.5, 1.4, 1]]
faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
[half_edges]
a = { step = [1, 0, 0], twin = "A" }
A = { step = [-1, 0, 0], twin = "a" }
b = { step = [0, 1, 0], twin = "B" }
B = { step = [0, -1, 0], twin = "b" }
c = { step = [0, 0, 1], twin = "C" }
C = { step = [0, 0, -1], twin = "c" }
"""


@cases(4, pieces=lambda dice: random_pieces(dice, latcover.load_lattice("cubic"), dice.between(8, 16), 3))
def test_a_lattice_of_the_users(pieces: list[list[Cell]]) -> None:
    """A sheared cubic lattice: the same cells come apart as on the cubic one, in the same moves."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheared.toml"
        path.write_text(SHEARED)
        sheared = compare_with_oracle(latcover.load_lattice(str(path)), pieces)
    upright = compare_with_oracle(latcover.load_lattice("cubic"), pieces)
    assert (sheared.level, len(sheared.steps)) == (upright.level, len(upright.steps))


@pytest.mark.parametrize("name", ["fcc", "hexprism", "triprism", "hexagonal"])
def test_numbers_of_five_decimals(name: str) -> None:
    """Neighbours then reach a little into each other, and edges are not quite parallel to lattice vectors."""
    exact = latcover.load_lattice(name)
    for seed in range(3):
        rough = to_five_decimals(Seeded(seed), name)
        assert directions(rough).tolist() == directions(exact).tolist()
        one, other = (sweeps(lattice) for lattice in (exact, rough))
        assert (one.starts.tolist(), one.offsets.tolist()) == (other.starts.tolist(), other.offsets.tolist())
        pieces = random_pieces(Seeded(seed), exact, 10, 3)
        (_, solution), (_, other_solution) = (assembled(lattice, pieces) for lattice in (exact, rough))
        in_plane = exact.dimension < 3
        taken = [latcover.disassemble(each, in_plane=in_plane) for each in (solution, other_solution)]
        assert taken[0].level == taken[1].level
        assert taken[0].result == taken[1].result


def reaching(depth: float, *, balls: bool) -> Lattice:
    """Cubes, or balls, whose neighbours reach so deep into each other."""
    lattice = latcover.load_lattice("cubic")
    (node,) = lattice.nodes
    if balls:
        drawing = Drawing(np.empty((0, 3)), (), (1 + depth) / 2)
    else:
        drawing = replace(node.drawing, vertices=node.drawing.vertices * (1 + depth))
    return replace(lattice, nodes=(replace(node, drawing=drawing),), slides=((1, 0, 0),))


@pytest.mark.parametrize("balls", [False, True])
@pytest.mark.parametrize(
    ("depth", "searched", "checked"), [(0.0, 0, 0), (0.9, 0, 0), (1.02, 1, 0), (1.2, 1, 1)], ids=str
)
def test_what_touches_does_not_meet(depth: float, searched: int, checked: int, balls: bool) -> None:
    """Depths in units of `TOUCH`; the check lets a little more pass, so that rounding makes no plan a faulty one."""
    lattice = reaching(depth * TOUCH, balls=balls)
    met = {tuple(x) for x in sweeps(lattice).offsets.tolist()}
    assert ((0, 1, 0) in met) == searched
    assert meetings(lattice).on_the_way(*np.zeros((2, 1), np.int32), np.array([[0, 1.0, 0]]), EAST).tolist() == [
        checked
    ]
    assert ((0, 1, 0) in assembly_oracle.met(lattice, (1, 0, 0))[0, 0]) == searched
    assert {(0, 0, 0), (1, 0, 0)} <= met


def ring(size: int, axis: int, at: Cell) -> list[Cell]:
    """A square ring of *size* cells a side, across *axis*, its first corner at *at*."""
    flat = [(a, b) for a, b in product(range(size), repeat=2) if {a, b} & {0, size - 1}]
    return [(0, *(x + y for x, y in zip(np.insert(c, axis, 0).tolist(), at, strict=True))) for c in flat]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_linked_rings_never_come_apart(size: int) -> None:
    lattice = latcover.load_lattice("cubic")
    middle = size // 2
    rings = [ring(size, 2, (0, 0, 0)), ring(size, 1, (middle, middle, -middle))]
    assert len({*rings[0], *rings[1]}) == len(rings[0]) + len(rings[1])
    _, solution = assembled(lattice, rings)
    found = latcover.disassemble(solution)
    assert (found.result, found.level, found.moves, found.steps) == ("stuck", (), 0, ())
    assert (found.states > 1) == (size > 3)
    apart = [rings[0], [(0, x + 9, y, z) for _, x, y, z in rings[1]]]
    assert latcover.disassemble(assembled(lattice, apart)[1]).level == (1,)


# ---- the parts of an assembly


def grid(*sizes: int) -> list[list[Cell]]:
    return [[(0, *cell)] for cell in product(*map(range, sizes))]


@pytest.mark.parametrize("sizes", [(2, 4, 8), (5, 5, 5), (1, 1, 130), (16, 16, 1)])
def test_many_parts(sizes: tuple[int, ...]) -> None:
    """Up to 256 parts, in sets of one, two and four words."""
    _, solution = assembled(latcover.load_lattice("cubic"), grid(*sizes))
    found = latcover.disassemble(solution)
    assert (found.result, found.level, len(found.steps)) == ("apart", (1,), len(grid(*sizes)) - 1)


def test_too_many_parts() -> None:
    _, solution = assembled(latcover.load_lattice("cubic"), grid(1, 1, 257))
    with pytest.raises(latcover.UnsupportedError, match="at most 256 pieces"):
        latcover.disassemble(solution)


def test_far_apart() -> None:
    """Offsets beyond a byte, and lines of more than a word of bits."""
    long = 300
    tube = [(0, x, y, z) for x in range(long) for y, z in product(range(3), repeat=2) if (y, z) != (1, 1)]
    core = [(0, x, 1, 1) for x in range(long)]
    found = latcover.disassemble(assembled(latcover.load_lattice("cubic"), [tube, core])[1])
    assert found.level == (1,)
    assert found.steps[0].distance == long
    plugged = [*tube, (0, 0, 1, 1), (0, long - 1, 1, 1)]
    _, solution = assembled(latcover.load_lattice("cubic"), [plugged, core[2:-200]])
    found = latcover.disassemble(solution)
    assert (found.result, found.states) == ("stuck", 201)  # where the core can be


@pytest.mark.parametrize("corner", [(999_999, 999_998, 999_999), (-1_000_000,) * 3])
def test_as_far_from_0_as_cells_may_lie(corner: tuple[int, int, int]) -> None:
    cubic = latcover.load_lattice("cubic")
    low, high = ([(0, *(int(x) for x in np.add(corner, (0, y, z)))) for z in range(2)] for y in range(2))
    puzzle, solution = assembled(cubic, [low, high])
    assert latcover.disassemble(solution).level == (1,)
    assert latcover.cut(puzzle, 2, walks=1, patience=1)


def test_groups_and_weights() -> None:
    rings = [ring(3, 2, (0, 0, 0)), ring(3, 1, (1, 1, -1)), [(0, 9, 9, 9)]]
    puzzle, solution = assembled(latcover.load_lattice("cubic"), rings)
    assert latcover.disassemble(solution).result == "stuck"
    chain = [replace(part, groups=(("chain", None),)) for part in puzzle.parts[:2]]
    grouped = replace(puzzle, parts=(*chain, puzzle.parts[2]))
    found = latcover.disassemble(solution, puzzle=grouped)
    assert (found.result, found.level, found.left_together) == ("apart", (1,), ((0, 1),))
    assert found.separations[0].stays == (0, 1)
    heavy = replace(grouped, parts=(*chain, replace(puzzle.parts[2], weight=2)))
    assert latcover.disassemble(solution, puzzle=heavy).separations[0].stays == (2,)
    apart = replace(grouped, parts=(chain[0], replace(chain[1], groups=(("other", None),)), puzzle.parts[2]))
    assert latcover.disassemble(solution, puzzle=apart).result == "stuck"
    assert disassembly_faults(puzzle, solution, found) == ["piece 0 is left over", "piece 1 is left over"]


def test_only_some_copies_may_stay_together() -> None:
    """Two rings of one part, linked: both must be allowed to stay."""
    rings = [ring(3, 2, (0, 0, 0)), ring(3, 1, (1, 1, -1))]
    puzzle, solution = assembled(latcover.load_lattice("cubic"), rings, ["ring", "ring"])
    for most, result in ((1, "stuck"), (2, "apart"), (None, "apart")):
        grouped = replace(puzzle, parts=(replace(puzzle.parts[0], groups=(("chain", most),)),))
        assert latcover.disassemble(solution, puzzle=grouped).result == result


def test_every_position_is_met() -> None:
    """Cubes that are locked in and free to move take every arrangement; equal cubes are exchanged."""
    inside = set(product(range(3), range(2), range(2)))
    walls = [c for c in product(range(-1, 4), range(-1, 3), range(-1, 3)) if c not in inside]
    pieces = [[(0, *c) for c in walls], *([(0, *c)] for c in sorted(inside)[:4])]
    for names_, states in (
        (list("ABCDE"), 12 * 11 * 10 * 9),
        (list("ABBBB"), 495),
        (list("ABBCC"), 12 * 11 * 10 * 9 // 4),
    ):
        puzzle, solution = assembled(latcover.load_lattice("cubic"), pieces, names_)
        for threads in (1, 2):
            (found,) = Assembler(puzzle).take_apart([solution], threads=threads)
            assert (found.result, found.states) == ("stuck", states)


# ---- limits and threads


@cache
def piston() -> tuple[Puzzle, list[Solution]]:
    puzzle = latcover.load("burr-piston")
    return puzzle, list(latcover.solutions(puzzle))


def test_threads_change_nothing() -> None:
    puzzle, solutions = piston()
    one, three = (Assembler(puzzle).take_apart(solutions, threads=threads) for threads in (1, 3))
    assert one == three
    assert [d.states for d in one] == [d.states for d in three]


@pytest.mark.parametrize("threads", [1, 2])
def test_limits(threads: int) -> None:
    puzzle, solutions = piston()
    assembler = Assembler(puzzle)
    whole = assembler.take_apart(solutions)
    hard = next(k for k, d in enumerate(whole) if d.result == "apart")
    (cut,) = assembler.take_apart([solutions[hard]], ApartLimits(states=5), threads=threads)
    assert (cut.result, cut.stop, cut.level, cut.separations) == ("unknown", "state limit", (), ())
    assert 0 < cut.reached < whole[hard].level[0]
    stopped = assembler.take_apart(solutions, threads=threads, on_progress=lambda _: False)
    assert {d.stop for d in stopped if d.result == "unknown"} <= {"cancelled"}
    for wrong in ({"states": -1}, {"states": 1.5}, {"seconds": float("nan")}):
        with pytest.raises(latcover.UnsupportedError, match="a limit of"):
            ApartLimits(**wrong)  # type: ignore[arg-type]


# ---- the check


def test_the_check_finds_every_change() -> None:
    """Each move of a plan, changed in each way: the check refuses it, or the plan is a good one still."""
    puzzle, solutions = piston()
    found = next(d for d in Assembler(puzzle).take_apart(solutions) if d.result == "apart")
    (solution,) = (s for s in solutions if latcover.disassemble(s).result == "apart")
    assert disassembly_faults(puzzle, solution, found) == []
    refused = 0
    for k, separation in enumerate(found.separations):
        for j, step in enumerate(separation.steps):
            for changed in (
                replace(step, distance=step.distance + 1),
                replace(step, distance=max(1, step.distance - 1)),
                replace(step, direction=tuple(-x for x in step.direction)),
                replace(step, direction=step.direction[1:] + step.direction[:1]),
                replace(step, pieces=step.pieces[1:]),
                replace(step, pieces=tuple(sorted({*step.pieces, separation.stays[0]}))),
                replace(step, separates=not step.separates),
            ):
                steps = (*separation.steps[:j], changed, *separation.steps[j + 1 :])
                other = (*found.separations[:k], replace(separation, steps=steps), *found.separations[k + 1 :])
                refused += bool(disassembly_faults(puzzle, solution, replace(found, separations=other)))
    assert refused > 5 * len(found.steps)
    for wrong in (
        replace(found, separations=found.separations[1:]),
        replace(found, separations=found.separations[:-1]),
        replace(found, n_pieces=5),
        replace(found, flat=True),
        replace(found, result="stuck"),
    ):
        assert disassembly_faults(puzzle, solution, wrong)


# ---- what cannot be asked


def test_flat_pieces_are_lifted() -> None:
    solution = next(latcover.solutions(latcover.load("pent-10x6")))
    lifted = latcover.disassemble(solution)
    assert (lifted.result, lifted.flat, lifted.level, lifted.separations) == ("apart", True, (1,), ())
    within = latcover.disassemble(solution, in_plane=True)
    assert not within.flat
    assert len(within.steps) == 11 if within.result == "apart" else within.result == "stuck"


def test_one_layer_of_a_solid_lattice() -> None:
    lattice = latcover.load_lattice("cubic")
    hook = [(0, 0, 0, 0), (0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 2, 0)]
    outside = [*((0, -1, y, 0) for y in range(-1, 4)), (0, 0, 1, 0), *((0, 2, y, 0) for y in range(-1, 4))]
    sides = [*((0, x, -1, 0) for x in (0, 1)), *((0, x, 3, 0) for x in (0, 1))]
    _, solution = assembled(lattice, [hook, outside + sides])
    assert latcover.disassemble(solution).level == (1,)
    assert latcover.disassemble(solution, in_plane=True).result == "stuck"
    with pytest.raises(latcover.UnsupportedError, match="does not lie in one layer"):
        latcover.disassemble(next(latcover.solutions(latcover.load("soma"))), in_plane=True)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(latcover.UnsupportedError, match="closes on itself"):
        Assembler(cylinder := latcover.load("disc-cylinder"))
    with pytest.raises(latcover.UnsupportedError, match="is not convex"):
        Assembler(replace(cylinder, region=replace(cylinder.region, period=None)), in_plane=True)
    for change, message in (
        ('name = "sheared"', 'name = "sheared"\ndrawings = "symbols"'),
        ("basis", 'drawings = "symbols"\nslides = [[1, 0, 0], [0, 1, 0]]\nbasis'),
    ):
        path = tmp_path / "sheared.toml"
        path.write_text(SHEARED.replace(change, message, 1))
        with pytest.raises(latcover.UnsupportedError, match=r"does not say in which|are mere symbols"):
            Assembler(replace(piston()[0], lattice=latcover.load_lattice(str(path))))
    solution = Solution(piston()[1][0].placements)
    with pytest.raises(latcover.UnsupportedError, match="has lost its puzzle"):
        latcover.disassemble(solution)


@pytest.mark.parametrize(
    ("slides", "message"),
    [
        ("[]", "is empty; leave it out"),
        ("[[1, 0]]", "must be a list of 3 whole numbers"),
        ("[[0, 0, 0]]", "not the null vector"),
        ("[[2, 0, 4]]", "must be a single step, not several steps; one is \\[1, 0, 2\\]"),
        ("[[1, 0, 0], [-1, 0, 0]]", "is listed before"),
        ("[[99, 1, 0]]", "no number may be greater than 50"),
        ("[[1, 0, 0], [0, 1, 0]]", "takes it to"),
    ],
)
def test_slides_of_a_lattice_file(tmp_path: Path, slides: str, message: str) -> None:
    text = shipped("lattices", "cubic").content.decode()
    (tmp_path / "mine.toml").write_text(text.replace("basis", f"slides = {slides}\nbasis", 1))
    with pytest.raises(latcover.LatticeError, match=message):
        latcover.load_lattice(str(tmp_path / "mine.toml"))


def test_directions_of_the_shipped_lattices() -> None:
    known = {"cubic": 3, "fcc": 9, "hexprism": 4, "triprism": 4, "tetraocta": 9, "rhombic": 13, "square": 2}
    assert {name: len(directions(latcover.load_lattice(name))) for name in known} == known


# ---- shipped puzzles


def solids() -> list[str]:
    """The files with puzzles on solid lattices; told from their words, for they are asked before any test runs."""
    return [
        name
        for name in names("instances")
        if re.search(rf'^lattice = "({"|".join(SOLID)})"', shipped("instances", name).content.decode(), re.MULTILINE)
    ]


SOLIDS = solids()
SLOW = ("box-of-sixteen", "turning-bar-2", "turning-bar-3", "turning-hexes")


@pytest.mark.parametrize("name", rest_long(SOLIDS, (name for name in SOLIDS if name not in SLOW)))
def test_shipped_levels(name: str) -> None:
    for puzzle in load_all(name):
        if puzzle.lattice.dimension == 3 and puzzle.expect.get("different") != 0:
            assert puzzle.level
            assert least_level(puzzle) == puzzle.level


@pytest.mark.parametrize(
    ("name", "assemblies", "levels"),
    [
        ("burr-piston", 10, [(9, 3)]),
        ("burr-dubois", 2, [(6, 4)]),
        ("burr-unique-10", 7, [(10,)]),
        ("burr-loves-dozen", 154, [(12, 3)]),
    ],
)
def test_published_levels(name: str, assemblies: int, levels: list[tuple[int, ...]]) -> None:
    """Six-piece burrs: assemblies and the greatest level, as published; see the source of each."""
    puzzle = latcover.load(name)
    tally = Survey(Assembler(puzzle)).take_all(latcover.solutions(puzzle))
    assert tally.assemblies == assemblies
    assert [max(tally.levels)] == levels
    assert tally.results["unknown"] == 0
