"""The verifier: every solution passes, and nothing else does."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.batch_verifier import BatchVerifier
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import Verifier, verify
from latcover.core.solving.collector import Verified
from latcover.core.solving.run import run
from latcover.core.solving.solutions import solutions
from latcover.errors import InternalError
from latcover.files.formats.library import load, load_lattice
from latcover.show.reporting.search_report import JsonLines
from tests import puzzle_oracle as oracle
from tests.dice import Dice, cases
from tests.puzzle_oracle import Cell, images, moved, neighbours
from tests.random_puzzles import box, make_part, make_puzzle, puzzles

SQUARE = load_lattice("square")
FIXED = SQUARE.allowed("fixed")
SHIPPED = ["example-2x2", "fig4-3x3", "hex-prisms", "hexiamonds-4x9", "soma", "sphere-pyramid"]
SINGLE = [(0, 0, 0)]
DOMINO = [(0, 0, 0), (0, 0, 1)]
ELL = [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 2, 1)]


def first_solution(name: str) -> tuple[Puzzle, list[Placed]]:
    puzzle, placements = _first_solution(name)
    return puzzle, list(placements)


@cache
def _first_solution(name: str) -> tuple[Puzzle, tuple[Placed, ...]]:
    puzzle = load(name)
    return puzzle, next(solutions(puzzle, create("dlx"))).placements


def faults(puzzle: Puzzle, placements: Sequence[Placed]) -> list[str]:
    """What is wrong with them, found twice over: a verifier remembers what it has found legal."""
    verifier = Verifier(puzzle)
    solution = Solution(tuple(placements))
    found = verifier.faults(solution)
    assert verifier.faults(solution) == verify(puzzle, solution) == found
    assert sound(puzzle, placements) == (not found)
    return found


def sound(puzzle: Puzzle, placements: Sequence[Placed]) -> bool:
    """What the check of many solutions says of them, in either of its ways."""
    said = []
    for most_words in (8, 0):  # bits, then counts
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("latcover.core.model.batch_verifier.MOST_WORDS", most_words)
            verifier = BatchVerifier(puzzle)
            numbers = np.array([verifier.add(placed) for placed in placements], dtype=np.int32)
            said.append(bool(verifier.sound(np.array([0, len(numbers)]), numbers)[0]))
    assert said[0] == said[1]
    return said[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_solutions_pass(name: str) -> None:
    puzzle = load(name)
    verifier = Verifier(puzzle)
    found = 0
    for solution in solutions(puzzle, create("dlx"), Choices("all")):
        assert verifier.faults(solution) == []
        found += 1
    assert found == puzzle.expect["different"]


# Each kind of corruption. Those that change a placement change the first one of two cells or more.


def _changed(placements: list[Placed], change: Callable[[Placed], Placed]) -> list[Placed]:
    k = next(k for k, placed in enumerate(placements) if len(placed.cells) > 1)
    return [*placements[:k], change(placements[k]), *placements[k + 1 :]]


def _elsewhere(cell: Cell, by: int) -> Cell:
    return (*cell[:-1], cell[-1] + by)


def a_cell_of_another_part(placements: list[Placed]) -> list[Placed]:
    there = next(p for p in reversed(placements)).cells[0]
    return _changed(placements, lambda p: replace(p, cells=(*p.cells[:-1], there)))


def a_cell_outside(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=(*p.cells[:-1], _elsewhere(p.cells[-1], 99))))


def a_part_outside(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=tuple(_elsewhere(cell, 99) for cell in p.cells)))


def a_part_one_further(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=tuple(_elsewhere(cell, 1) for cell in p.cells)))


def a_cell_missing(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=p.cells[:-1], colours=p.colours[:-1]))


def a_cell_twice(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=(*p.cells[:-1], p.cells[0])))


def a_cell_too_many(placements: list[Placed]) -> list[Placed]:
    there = placements[-1].cells[0]
    return _changed(placements, lambda p: replace(p, cells=(*p.cells, there), colours=(*p.colours, *p.colours[:1])))


def no_cells(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, cells=(), colours=()))


def a_part_missing(placements: list[Placed]) -> list[Placed]:
    return placements[1:]


def nothing_at_all(_: list[Placed]) -> list[Placed]:
    return []


def a_part_twice(placements: list[Placed]) -> list[Placed]:
    return [*placements, placements[0]]


def names_exchanged(placements: list[Placed]) -> list[Placed]:
    first, *between, last = placements
    return [replace(first, part=last.part), *between, replace(last, part=first.part)]


def an_unknown_name(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, part="nobody"))


def a_colour_of_its_own(placements: list[Placed]) -> list[Placed]:
    return _changed(placements, lambda p: replace(p, colours=("green",) * len(p.cells)))


CORRUPTIONS = [
    a_cell_of_another_part,
    a_cell_outside,
    a_part_outside,
    a_part_one_further,
    a_cell_missing,
    a_cell_twice,
    a_cell_too_many,
    no_cells,
    a_part_missing,
    nothing_at_all,
    a_part_twice,
    names_exchanged,
    an_unknown_name,
    a_colour_of_its_own,
]


@pytest.mark.parametrize("corrupt", CORRUPTIONS, ids=lambda corrupt: corrupt.__name__)
@pytest.mark.parametrize("name", SHIPPED)
def test_corrupted_solutions_fail(name: str, corrupt: Callable[[list[Placed]], list[Placed]]) -> None:
    puzzle, placements = first_solution(name)
    assert faults(puzzle, placements) == []
    assert faults(puzzle, corrupt(placements))


def test_a_part_round_a_ring_stands_on_its_own_colours_alone(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    part = '[[parts]]\nname = "{0}"\nart = ["{0}"]\n'
    head = 'name = "two"\nlattice = "square"\ncolours = { R = "red", B = "blue" }\n'
    head += 'region = { art = ["RB"], period = [0, 2] }\n'
    path.write_text(head + part.format("R") + part.format("B"), encoding="utf-8")
    puzzle, placements = first_solution(str(path))
    red, blue = placements
    assert faults(puzzle, [red, blue]) == []
    assert faults(puzzle, [replace(red, cells=blue.cells), replace(blue, cells=red.cells)])


def test_what_is_no_solution_does_not_leave_the_program() -> None:
    show = Verified(prepare(load("soma")))
    with pytest.raises(InternalError, match="fails its check"):
        show(np.array([0, 1], dtype=np.int32), 1, 1, 1)


@pytest.mark.parametrize("name", ["soma", "hex-prisms", "happy-cube-red"])
def test_solutions_list_their_placements_when_somebody_looks(name: str) -> None:
    found: list[Solution] = []
    run(prepare(load(name)), create("dlx"), Limits(covers=3), found.append, images=True)
    lines = JsonLines()
    for solution in found:
        assert solution == Solution(solution.placements, solution.number, solution.image, solution.orbit)
        assert pickle.loads(pickle.dumps(solution)) == solution
        assert lines.line(solution) == lines.line(solution) == json.dumps(solution.as_json())
    assert len(set(found)) == len(found)
    with pytest.raises(AttributeError, match="has no attribute"):
        found[0].nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_mirror_image_passes_only_with_its_hands_exchanged() -> None:
    puzzle, placements = first_solution("soma")

    def mirrored(cells: Sequence[Cell]) -> tuple[Cell, ...]:
        return tuple(sorted((node, 2 - x, y, z) for node, x, y, z in cells))

    image = [replace(p, cells=mirrored(p.cells)) for p in placements]
    assert len(faults(puzzle, image)) == 2
    other_hand = {"A": "B", "B": "A"}
    assert faults(puzzle, [replace(p, part=other_hand.get(p.part, p.part)) for p in image]) == []


@pytest.mark.parametrize(("allowed", "passes"), [("fixed", False), ("rotations", False), ("reflections", True)])
def test_a_mirror_image_of_one_part(allowed: str, passes: bool) -> None:
    mirrored = [(0, r, 1 - c) for _, r, c in ELL]
    puzzle = make_puzzle(
        box(SQUARE, (3, 2)), [make_part("L", ELL, SQUARE.allowed(allowed), 1, 1)], optional=ELL + mirrored
    )
    assert (faults(puzzle, [Placed("L", tuple(sorted(mirrored)))]) == []) == passes


@pytest.mark.parametrize(("allowed", "passes"), [("fixed", False), ("rotations", True)])
def test_a_turned_part(allowed: str, passes: bool) -> None:
    puzzle = make_puzzle(box(SQUARE, (2, 1)), [make_part("domino", DOMINO, SQUARE.allowed(allowed), 1, 1)])
    assert (faults(puzzle, [Placed("domino", ((0, 0, 0), (0, 1, 0)))]) == []) == passes


def test_a_hole_of_one_cell_is_a_fault() -> None:
    puzzle = make_puzzle(box(SQUARE, (1, 3)), [make_part("domino", DOMINO, SQUARE.allowed("rotations"), 1, 1)])
    assert faults(puzzle, [Placed("domino", tuple(DOMINO))]) == ["cell [0, 2] is not covered"]


def test_colours() -> None:
    part = replace(
        make_part("part", DOMINO, SQUARE.allowed("rotations"), 1, 1), colours=np.array([1, 2], dtype=np.int32)
    )
    here = tuple(DOMINO)
    good, turned, alike, plain = [
        [Placed("part", here, colours)] for colours in (("black", "white"), ("white", "black"), ("black", "black"), ())
    ]
    for of_region, passes_as_written, passes_turned in (
        ([1, 2], True, False),
        ([2, 1], False, True),
        ([1, 1], False, False),
        ([0, 0], True, True),
        ([0, 2], True, False),
    ):
        puzzle = make_puzzle(box(SQUARE, (1, 2)), [part], of_region)
        assert (faults(puzzle, good) == []) == passes_as_written
        assert (faults(puzzle, turned) == []) == passes_turned
        assert faults(puzzle, alike)
        assert faults(puzzle, plain)


@pytest.mark.parametrize(
    ("low", "high", "good"), [(0, 1, (0, 1)), (2, 2, (2,)), (1, None, (1, 2, 3)), (0, 2, (0, 1, 2))]
)
def test_numbers_of_copies(low: int, high: int | None, good: tuple[int, ...]) -> None:
    ground = box(SQUARE, (1, 3))
    puzzle = make_puzzle(ground, [make_part("single", SINGLE, FIXED, low, high)], optional=ground.cells)
    for number in range(4):
        placed = [Placed("single", (cell,)) for cell in ground.cells[:number]]
        assert (faults(puzzle, placed) == []) == (number in good)


def test_parts_may_go_round_a_ring_but_not_over_an_edge() -> None:
    across_the_seam = [Placed("domino", ((0, 0, 0), (0, 2, 0))), Placed("single", ((0, 1, 0),))]
    for period, passes in (((3, 0), True), ((0, 0), False)):
        parts = [make_part("domino", [(0, 0, 0), (0, 1, 0)], FIXED, 1, 1), make_part("single", SINGLE, FIXED, 1, 1)]
        assert (faults(make_puzzle(box(SQUARE, (3, 1), period), parts), across_the_seam) == []) == passes


# Random solutions, changed at random, pass exactly if brute force knows what they have become.


def placed(name: str, copy: Sequence[tuple[Cell, str]]) -> Placed:
    colours = tuple(colour for _, colour in sorted(copy))
    return Placed(name, tuple(cell for cell, _ in sorted(copy)), colours if any(colours) else ())


def without_sides(copy: oracle.Copy) -> list[tuple[Cell, str]]:
    return sorted((cell, colour) for cell, colour, _ in copy)


def changed(random: Random, puzzle: Puzzle, solution: oracle.Solution) -> list[tuple[str, list[tuple[Cell, str]]]]:
    copies = [(name, without_sides(copy)) for name, copy in sorted(solution, key=repr)]
    k = random.randrange(len(copies))
    name, copy = copies[k]
    cells = [cell for cell, _ in copy]
    period = puzzle.region.period
    kind = random.choice(["image", "image", "cell", "name", "drop", "double", "add"])
    if kind == "image":
        moves = [(0,) * period.dimension] + [
            cell[1:] for cell in neighbours(puzzle.lattice, (cells[0][0], *[0] * period.dimension))
        ]
        cells = images(cells, random.choice(puzzle.lattice.transformations))
        back = [a - b for a, b in zip(copy[0][0][1:], random.choice(cells)[1:], strict=True)]
        cells = [moved(moved(cell, back, period), random.choice(moves[:1] * 9 + moves), period) for cell in cells]
    elif kind == "cell":
        cells[random.randrange(len(cells))] = random.choice(oracle.as_tuples(puzzle.region.cells))
    elif kind == "name":
        name = random.choice(puzzle.parts).name
    copies[k] = (name, list(zip(cells, [colour for _, colour in copy], strict=True)))
    if kind == "drop":
        del copies[k]
    elif kind in ("double", "add"):
        cell = random.choice(oracle.as_tuples(puzzle.region.cells))
        copies.append(copies[k] if kind == "double" else (name, [(cell, copy[0][1])]))
    return copies


def one_of_three_kinds(dice: Dice) -> Puzzle:
    form = dice.pick([{}, {"coloured": True}, {"periodic": True}])
    return puzzles(dice.pick(["square", "triangular", "cubic"]), **form)(dice)


@cases(40, puzzle=one_of_three_kinds, random=lambda dice: Random(dice.below(10**6)))
def test_changed_solutions_pass_only_if_brute_force_finds_them(puzzle: Puzzle, random: Random) -> None:
    found = oracle.solutions(puzzle)
    if frozenset() in found:
        return
    solution = random.choice(sorted(found, key=repr))
    assert faults(puzzle, [placed(name, without_sides(copy)) for name, copy in solution]) == []
    copies = changed(random, puzzle, solution)
    known = frozenset((name, frozenset((cell, colour, ()) for cell, colour in copy)) for name, copy in copies)
    sound = known in found and len(known) == len(copies) and all(len(set(copy)) == len(copy) for _, copy in copies)
    assert (faults(puzzle, [placed(name, copy) for name, copy in copies]) == []) == sound
