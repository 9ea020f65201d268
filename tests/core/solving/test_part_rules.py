"""Rules on parts: against brute force, published figures, and the verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.cover.backend import collect
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.rules.colourable import ColourableParts
from latcover.core.model.rules.connected import ConnectedParts
from latcover.core.model.rules.crossroads import NoCrossroads
from latcover.core.model.rules.lines import CutAtMost, NoFaultLines
from latcover.core.model.rules.on_rim import OnRim
from latcover.core.model.rules.rule import Rule, rules_of
from latcover.core.model.rules.rule_forms import in_order, with_rules
from latcover.core.model.rules.separate import SeparateParts
from latcover.core.model.verifier import verify
from latcover.core.solving.count import CountRequest
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.asking.best import BestRequest, best
from tests import puzzle_oracle
from tests.command_line import run
from tests.dice import Dice, cases

SHAPES = {"m": "X", "d": "XX", "i": "XXX", "v": "XX\nX.", "s": "XX.\n.XX", "l": "XXX\nX..", "j": "XXX\n..X"}
R = TypeVar("R", bound=Rule)
BACKENDS = ("bitset", "dlx", "backtrack", "cpsat", "sat")


def any_ruled_puzzle(dice: Dice) -> Puzzle:
    """A small region, some of whose cells may stay empty, parts in it, and rules on these."""
    height, width = dice.pick([(2, 4), (3, 3), (2, 5), (3, 4)])
    rows = [["X"] * width for _ in range(height)]
    for _ in range(dice.below(3)):
        rows[dice.below(height)][dice.below(width)] = dice.pick("+.")
    names = sorted({dice.pick([*SHAPES]) for _ in range(3)})
    hand = "rotations" if dice.chance(50) else None
    copies = [None, *(dice.pick([1, 2, None]) for _ in names[1:])]
    parts = [Part(n, SHAPES[n], low=0, high=k, transformations=hand) for n, k in zip(names, copies, strict=True)]
    parts = [painted(dice, part) for part in parts] if dice.chance(30) else parts
    tori = [[0, width], [height, 0], [height, width], [[height, 1], [0, width]]]
    period = dice.pick(tori) if dice.chance(20) else None
    coloured = [(dice.between(1, 3), some_of(dice, names), dice.chance(50)) for _ in range(dice.chance(50))]
    hung = [
        ConnectedParts(some_of(dice, names), dice.chance(30), "red" if any_red(parts) and dice.chance(70) else "")
        for _ in range(dice.chance(50))
    ]
    crossroads = [NoCrossroads()] if dice.chance(30) and period is None else []
    rules = [
        *crossroads,
        *(NoFaultLines() for _ in range(dice.chance(30))),
        *(CutAtMost(dice.below(4)) for _ in range(dice.chance(25))),
        *(OnRim() for _ in range(dice.chance(20))),
        *(SeparateParts(some_of(dice, names), dice.chance(50)) for _ in range(dice.chance(40))),
        *(ColourableParts(*each) for each in coloured),
        *hung,
    ]
    region = Region(["".join(row) for row in rows], period=period)
    region = replace(region, cells=region.wrapped(region.cells))
    puzzle = Puzzle("ruled", load_lattice("square"), region, tuple(parts), colours=("", "red", "blue"))
    if any(not complaint.warning for complaint in complaints_about(puzzle)):  # of the volume
        puzzle = replace(puzzle, region=replace(region, optional=np.ones(len(region.cells), np.bool_)))
    return replace(puzzle, rules=replace(puzzle.rules, of_parts=tuple(rules)))


def painted(dice: Dice, part: Part) -> Part:
    """A part, some cells of which are red and some blue."""
    return replace(part, colours=np.array([dice.below(3) for _ in part.cells], np.int32))


def any_red(parts: Sequence[Part]) -> bool:
    return any(1 in part.colours for part in parts)


def some_of(dice: Dice, names: list[str]) -> tuple[str, ...]:
    return tuple(name for name in names if dice.chance(60))


def obeys(puzzle: Puzzle, solution: puzzle_oracle.Solution) -> bool:
    """Whether a filling keeps the rules: everything is tried, in the plane of squares, on which a torus is unrolled."""

    def of(kind: type[R]) -> list[R]:
        return [rule for rule in rules_of(puzzle) if isinstance(rule, kind)]

    copies = [(name, {cell[1:] for cell, *_ in copy}) for name, copy in solution]
    there = {tuple(cell[1:]) for cell in puzzle.region.cells.tolist()}

    period = puzzle.region.period
    owners = {cell: k for k, (_, cells) in enumerate(copies) for cell in cells}

    def home(x: int, y: int) -> tuple[int, ...]:
        return home_of(period, x, y)

    def owner(x: int, y: int) -> int:
        return owners.get(home(x, y), -1)

    def around(x: int, y: int, *, corners: bool) -> set[tuple[int, ...]]:
        steps = [(a, b) for a, b in product((-1, 0, 1), repeat=2) if abs(a) + abs(b) in ((1, 2) if corners else (1,))]
        return {home(x + a, y + b) for a, b in steps}

    def touch(one: set[tuple[int, ...]], other: set[tuple[int, ...]], *, corners: bool) -> bool:
        return any(around(x, y, corners=corners) & other for x, y in one)

    if of(NoCrossroads):
        for x, y in there:
            square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
            met = {owner(*cell) for cell in square}
            if set(square) <= there and len(met) == 4 and -1 not in met:
                return False
    copies_cut = cut_where_it_closes(there, home, owner) if period else cut_in_the_plane(there, copies)
    cuts = [len(cut) for cut in copies_cut]
    if of(NoFaultLines) and 0 in cuts:
        return False
    if any(cut > rule.most for rule in of(CutAtMost) for cut in cuts):
        return False
    if of(OnRim) and not all(any(around(x, y, corners=False) - there for x, y in cells) for _, cells in copies):
        return False
    for apart in of(SeparateParts):
        own = [cells for name, cells in copies if not apart.parts or name in apart.parts]
        if any(touch(a, b, corners=apart.corners) for k, a in enumerate(own) for b in own[:k]):
            return False
    for rule in of(ColourableParts):
        own = [cells for name, cells in copies if not rule.parts or name in rule.parts]
        pairs = [(k, j) for k, a in enumerate(own) for j in range(k) if touch(a, own[j], corners=rule.corners)]
        paints = product(range(rule.colours), repeat=len(own))
        if not any(all(paint[a] != paint[b] for a, b in pairs) for paint in paints):
            return False
    for hung in of(ConnectedParts):
        left = {
            cell[1:]
            for name, copy in solution
            for cell, colour, _ in copy
            if (not hung.parts or name in hung.parts) and hung.colour in ("", colour)
        }
        front = {min(left)} if left else set()
        while front:
            left -= front
            front = left & {there for cell in front for there in around(*cell, corners=hung.corners)}
        if left:
            return False
    return True


@cache
def home_of(period: Period, x: int, y: int) -> tuple[int, ...]:
    return puzzle_oracle.moved((0, x, y), (0, 0), period)[1:]


Square = tuple[int, ...]


def cut_in_the_plane(there: set[Square], copies: list[tuple[str, set[Square]]]) -> Iterator[set[int]]:
    """The copies that each straight line cuts: those with squares on both sides of it."""
    for axis, values in enumerate(zip(*there, strict=True)):
        for line in range(min(values) + 1, max(values) + 1):
            yield {k for k, (_, cells) in enumerate(copies) if len({cell[axis] < line for cell in cells}) == 2}


def cut_where_it_closes(
    there: set[Square], home: Callable[[int, int], Square], owner: Callable[[int, int], int]
) -> Iterator[set[int]]:
    """The same where the region closes on itself: its squares are laid out again and again in a large window."""
    reach = range(-9, 10)
    for axis in range(2):
        for line in reach:
            sides = [((line - 1, k), (line, k)) if axis == 0 else ((k, line - 1), (k, line)) for k in reach]
            met = [(a, b) for a, b in sides if home(*a) in there and home(*b) in there]
            if met:
                yield {owner(*a) for a, b in met if owner(*a) == owner(*b)} - {-1}


@cases(3, puzzle=any_ruled_puzzle, backend=lambda dice: dice.pick(BACKENDS))
def test_solutions_with_rules_are_those_of_brute_force(puzzle: Puzzle, backend: str) -> None:
    free = replace(puzzle, rules=replace(puzzle.rules, of_parts=()))
    every = puzzle_oracle.solutions(free)
    expected = {solution for solution in every if obeys(puzzle, solution)}
    for each in (backend, "auto"):
        found = [puzzle_oracle.plain(one) for one in latcover.solutions(puzzle, each, Choices(symmetry="none"))]
        assert len(found) == len(set(found))
        assert set(found) == expected, each
    answer = latcover.count(puzzle, CountRequest(backend=backend))
    assert answer.total == len(expected)
    again = latcover.count(puzzle)
    assert (again.total, again.different) == (len(expected), answer.different)


@pytest.mark.long
@cases(10, puzzle=any_ruled_puzzle)
def test_every_backend_keeps_the_rules(puzzle: Puzzle) -> None:
    free = replace(puzzle, rules=replace(puzzle.rules, of_parts=()))
    expected = {solution for solution in puzzle_oracle.solutions(free) if obeys(puzzle, solution)}
    for backend in BACKENDS:
        found = [puzzle_oracle.plain(one) for one in latcover.solutions(puzzle, backend, Choices(symmetry="none"))]
        assert len(found) == len(set(found))
        assert set(found) == expected, backend
    different = {latcover.count(puzzle, CountRequest(backend=backend)).different for backend in BACKENDS}
    assert len(different) == 1


@cases(3, puzzle=any_ruled_puzzle)
def test_the_verifier_accepts_what_obeys_and_nothing_else(puzzle: Puzzle) -> None:
    free = replace(puzzle, rules=replace(puzzle.rules, of_parts=()))
    for solution in latcover.solutions(free, choices=Choices(symmetry="none")):
        assert (not verify(puzzle, solution)) == obeys(puzzle, puzzle_oracle.plain(solution))


def test_no_part_may_be_cut() -> None:
    """A bound of none: only parts in one row and one column are left."""
    domino = tiles("tile", "XX", 1, 2)
    assert latcover.count(domino, CountRequest(rules=("cut-at-most=0",))).total == 0
    assert latcover.count(domino, CountRequest(rules=("cut-at-most=1",))).total == 1


def test_a_part_at_the_rim_may_take_any_cell_but_the_middle() -> None:
    alone = Puzzle("rim", load_lattice("square"), Region(["+++"] * 3), (Part("m", "X"),))
    assert latcover.count(alone, CountRequest(symmetry="none")).total == 9
    assert latcover.count(alone, CountRequest(symmetry="none", rules=("on-rim",))).total == 8


def test_cells_of_one_colour_hang_together_whatever_the_others_do() -> None:
    red = replace(Part("r", "X", low=2), colours=np.array([1], np.int32))
    row = Puzzle("row", load_lattice("square"), Region(["XXX"]), (red, Part("m", "X")), colours=("", "red"))
    assert latcover.count(row, CountRequest(symmetry="none")).total == 3
    assert latcover.count(row, CountRequest(symmetry="none", rules=("connected-colour=red",))).total == 2


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_a_cheapest_cover_that_breaks_a_rule_is_not_the_best(backend: str) -> None:
    """Two dominoes would fill the two blocks, and do not touch."""
    parts = (Part("d", "XX", low=0, high=None), Part("m", "X", low=0, high=None))
    blocks = Puzzle("blocks", load_lattice("square"), Region(["XX.XX"]), parts)
    found = best(with_rules(blocks, ["connected=d"]), BestRequest(objective="parts", backend=backend))
    assert (found.value, found.proved) == (3, True)
    assert found.search.figures.native["refused"] > 0


@pytest.mark.parametrize(
    ("name", "rule", "different"),
    [
        ("pent-10x6", "no-crossroads", 563),  # Puzzlart: no crosses among pentominoes
        pytest.param("pent-12x5", "no-crossroads", 325, marks=pytest.mark.long),
        pytest.param("pent-15x4", "no-crossroads", 238, marks=pytest.mark.long),
        ("pent-20x3", "no-crossroads", 2),
        ("pent-10x6", "colourable-corners=3", 94),  # Knuth, TAOCP 4B, exercise 7.2.2.1-277
    ],
)
def test_published_counts(name: str, rule: str, different: int) -> None:
    assert latcover.count(name, CountRequest(rules=(rule,))).different == different


def tiles(name: str, art: str, *sizes: int) -> Puzzle:
    return Puzzle(name, load_lattice("square"), latcover.box(*sizes), (Part(name, art, low=0, high=None),))


@pytest.mark.parametrize(
    ("art", "sizes", "exists"),
    [
        ("XX", (5, 6), True),  # the smallest fault-free rectangle of dominoes
        ("XX", (6, 6), False),  # Golomb
        ("XX", (4, 7), False),
        ("XX", (6, 8), True),
        ("XX\nX.", (4, 6), True),  # L trominoes, besides 2 x 3
        ("XX\nX.", (3, 8), False),
        ("XX\nX.", (5, 6), True),
        ("XX\nXX\nX.", (4, 5), True),  # P pentominoes, besides 2 x 5
        ("XX\nXX\nX.", (3, 10), False),
        ("XX\nXX\nX.", (6, 5), True),
    ],
)
def test_fault_free_rectangles(art: str, sizes: tuple[int, int], exists: bool) -> None:
    answer = latcover.count(tiles("tile", art, *sizes), CountRequest(rules=("no-fault-lines",), limit=1))
    assert (answer.different > 0) == exists
    assert answer.complete or exists


SKEWED = ([[2, 2], [-2, 2]], [[3, 1], [-1, 3]], [[4, 2], [0, 3]], [[2, 0], [1, 4]])


@pytest.mark.parametrize("vectors", [*SKEWED[:2], *(pytest.param(each, marks=pytest.mark.long) for each in SKEWED[2:])])
def test_lines_of_skewed_tori_are_those_of_the_plane_that_repeats_them(vectors: list[list[int]]) -> None:
    homes = Period(2, tuple(map(tuple, vectors))).homes()
    region = Region(np.column_stack([np.zeros(len(homes), np.int64), homes]), period=vectors)
    free = Puzzle("torus", load_lattice("square"), region, (Part("d", "XX", low=0, high=None),))
    for rule in ("no-fault-lines", "cut-at-most=2", "cut-at-most=3"):
        puzzle = with_rules(free, [rule])
        expected = {solution for solution in puzzle_oracle.solutions(free) if obeys(puzzle, solution)}
        found = latcover.solutions(puzzle, choices=Choices(symmetry="none"))  # which the verifier checks
        assert {puzzle_oracle.plain(one) for one in found} == expected


def test_dominoes_on_tori_without_fault_lines() -> None:
    """The verifier reads each line off the cells again."""
    torus = tiles("tile", "XX", 4, 4)
    torus = replace(torus, region=replace(torus.region, period=Period(2, ((4, 0), (0, 4)))))
    assert latcover.count(torus, CountRequest(rules=("no-fault-lines",), symmetry="none")).total == 8
    every = [*latcover.solutions(torus, choices=Choices(symmetry="none"))]
    ruled = with_rules(torus, ["no-fault-lines"])
    assert sum(not verify(ruled, solution) for solution in every) == 8
    assert best(torus, BestRequest(objective="fault-lines")).value == 0


def test_rules_survive_files(tmp_path: Path) -> None:
    coloured = (ColourableParts(3), ColourableParts(2, ("F", "I")))
    hung = (ConnectedParts(("X", "Y"), True), ConnectedParts())
    plain = (NoCrossroads(), NoFaultLines(), CutAtMost(3), OnRim(), SeparateParts(("X", "Y"), True))
    rules = in_order((*plain, *coloured, *hung))
    puzzle = latcover.load("pent-10x6")
    puzzle = replace(puzzle, rules=replace(puzzle.rules, of_parts=rules))
    path = tmp_path / "ruled.toml"
    path.write_text(puzzle_as_toml([puzzle]))
    assert latcover.load(path).rules.of_parts == rules
    assert len({rule.words() for rule in rules}) == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("crossroads", "no-crossroads"),
        ("on-rim=2", "takes no value"),
        ("colourable=9", "from 1 to 6"),
        ("cut-at-most=", "a whole number"),
        ("separate=X,Q", "does not have"),
        ("connected=X,Q", "does not have"),
        ("connected-colour", "takes the colour"),
        ("connected-colour=red", "which no part has"),
    ],
)
def test_what_is_no_rule_is_refused(text: str, said: str) -> None:
    with pytest.raises(PuzzleError, match=said):
        prepare(latcover.load("pent-10x6"), Choices(rules=(text,)))


def test_rules_that_a_puzzle_cannot_have_are_refused() -> None:
    for name, text in (("soma", "no-crossroads"), ("path-torus", "no-fault-lines")):
        with pytest.raises(UnsupportedError):
            prepare(latcover.load(name), Choices(rules=(text,)))


def test_what_takes_all_covers_says_that_it_cannot_honour_colours() -> None:
    puzzle = with_rules(latcover.load("fig4-3x3"), ["colourable=2"])
    with pytest.raises(UnsupportedError, match="rules on parts"):
        latcover.count(puzzle, CountRequest(method="frontier"))
    assert latcover.all_solutions(puzzle).total == latcover.count(puzzle).total


def test_every_search_of_one_solution_keeps_the_rules() -> None:
    puzzle = with_rules(latcover.load("pent-10x6"), ["colourable-corners=3"])
    for backend in ("bitset", "dlx"):
        first = next(latcover.solutions(puzzle, create(backend)))
        assert not verify(puzzle, first)


def test_the_command_takes_rules() -> None:
    shown = run("count", "pent-20x3", "--rule", "no-crossroads", "--rule", "colourable=3", "-q")
    assert "2 solutions different" in shown.stdout
    assert run("count", "pent-20x3", "--rule", "on-rims").returncode == 1


def test_a_reflection_does_not_exchange_parts_of_different_classes() -> None:
    """Two hands of one shape, one of which may not touch the other copies of itself: its mirror image may."""
    hands = tuple(Part(name, SHAPES[name], low=2, transformations="rotations") for name in "lj")
    puzzle = Puzzle("hands", load_lattice("square"), latcover.box(3, 6), (*hands, Part("m", "X", low=2)))
    puzzle = with_rules(puzzle, ["separate=l"])
    every = latcover.count(puzzle, CountRequest(symmetry="none"))
    assert every.total == latcover.count(puzzle).total > 0


@cases(6, puzzle=any_ruled_puzzle)
def test_reasons_exclude_what_is_refused_and_nothing_else(puzzle: Puzzle) -> None:
    require_right_reasons(prepare(puzzle, Choices(symmetry="none")))


@pytest.mark.parametrize("rule", ["connected=T,U,V,X,Y,Z", "colourable-corners=3", "colourable=2"])
def test_reasons_are_about_options_also_where_symmetry_leaves_some_out(rule: str) -> None:
    require_right_reasons(prepare(latcover.load("pent-15x4"), Choices(rules=(rule,))))


def two_kinds() -> Puzzle:
    """Four dominoes of one kind and four of another."""
    kinds = (Part("a", "XX", low=4), Part("b", "XX", low=4))
    return Puzzle("two kinds", load_lattice("square"), latcover.box(4, 4), kinds)


def require_right_reasons(prepared: latcover.Prepared) -> None:
    """Every clause fails for the cover that it is about, and holds for all covers that are wanted."""
    veto = prepared.option_veto
    if veto is None:
        return
    wanted, refused = [], []
    for cover in (np.array(each, np.int32) for each in collect(create("bitset"), prepared.problem)):
        members = prepared.option_placement[cover]
        (refused if veto.veto.refuses(members[members >= 0]) else wanted).append(cover)
    assert not any(veto.clauses(cover) for cover in wanted)
    for number, cover in enumerate(refused):
        clauses, members = veto.clauses(cover), prepared.option_placement[cover]
        assert clauses
        for clause, nogood in zip(clauses, veto.veto.nogoods(members[members >= 0]), strict=True):
            assert not holds(clause, cover)
            assert len(nogood.missing) or veto.veto.refuses(nogood.chosen)
            assert number >= 20 or all(holds(clause, other) for other in wanted)


def holds(clause: list[int], cover: np.ndarray) -> bool:
    there = {*cover.tolist()}
    return any((abs(literal) - 1 in there) == (literal > 0) for literal in clause)


@pytest.mark.parametrize("backend", ["sat", pytest.param("cpsat", marks=pytest.mark.long)])
def test_few_refused_covers_teach_many_others(backend: str) -> None:
    """Four dominoes of one kind that hang together, and four of another: 1,400 of 2,520 covers break the rule."""
    puzzle = two_kinds()
    answer, other = (
        latcover.count(puzzle, CountRequest(symmetry="none", rules=("connected=a",), backend=each))
        for each in (backend, "dlx")
    )
    assert (answer.total, other.total) == (1120, 1120)
    assert 0 < answer.figures.native["refused"] < 700
    ruled = with_rules(puzzle, ["connected=a", "connected=b"])
    found = best(ruled, BestRequest(objective="crossroads", backend=backend))
    assert found.value == best(ruled, BestRequest(objective="crossroads", backend="dlx")).value
    assert found.search.figures.native["refused"] < 700  # none, if the first that is met is the best


@cases(3, puzzle=any_ruled_puzzle, backend=lambda dice: dice.pick(BACKENDS))
def test_the_best_solution_keeps_the_rules(puzzle: Puzzle, backend: str) -> None:
    free = replace(puzzle, rules=replace(puzzle.rules, of_parts=()))
    wanted = [solution for solution in puzzle_oracle.solutions(free) if obeys(puzzle, solution)]
    found = best(puzzle, BestRequest(objective="parts", sense="maximize", backend=backend))
    assert found.proved
    assert found.value == max(map(len, wanted), default=None)
