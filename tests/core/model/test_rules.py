"""Rules on sides and colours against brute force, against the same puzzle posed by geometry, and malformed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
import tomli_w
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.reduction import REDUCTIONS
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.batch_verifier import BatchVerifier
from latcover.core.model.puzzle import Rules
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.verifier import Verifier
from latcover.core.solving.run import run
from latcover.files.formats.library import load_lattice
from tests.dice import TIMES, Seeded
from tests.puzzle_oracle import TooLargeError, as_tuples, classes, each_solution, plain, solutions, symmetries
from tests.random_puzzles import Features, box, make_part, make_puzzle, random_puzzle
from tests.shipped import rest_long

FEATURES = (
    Features(painted=True),
    Features(sided=True),
    Features(painted=True, sided=True, loose=True),
    Features(painted=True, sided=True, periodic=True),
)


# Those of the first seeds whose puzzles brute force gives up, which takes most of the time and tests nothing.
TOO_LARGE = {
    *(1, 6, 7, 9, 10, 11, 14, 15, 18, 19, 20, 21, 23, 26, 28, 30, 35, 43, 50, 51, 54, 60, 62, 64, 77, 82),
}


def test_random_puzzles_agree_with_brute_force() -> None:
    solvable = symmetric = 0
    for seed in (seed for seed in range(42 * TIMES["as many"]) if seed not in TOO_LARGE):
        dice = Seeded(seed)
        lattice = load_lattice(dice.pick(["square", "triangular", "cubic"]))
        puzzle = random_puzzle(dice, lattice, FEATURES[seed % len(FEATURES)])
        try:
            expected = set(each_solution(puzzle, patience=2_000))
        except TooLargeError:
            continue
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            assert not expected, seed
            continue
        for symmetry in SYMMETRIES if expected else SYMMETRIES[-1:]:
            listed: list[latcover.Solution] = []
            answer = run(prepare(puzzle, Choices(symmetry)), create("dlx"), on_solution=listed.append, images=True)
            assert len(listed) == answer.total == len(expected), seed
            assert set(map(plain, listed)) == expected, seed
            symmetric += answer.different < answer.total
        solvable += bool(expected)
    assert solvable > 15
    assert symmetric > 10


WHOLE = "00 01 02 11 12 22"
QUADRILLES = ["box = [2, 2]", "box = [2, 2], at = [0, 2]", "box = [2, 2], at = [2, 1]"]
ENDS = ["cells = [[0, 0], [1, 0]]", "cells = [[0, 3], [1, 3]]"]
EXCHANGES = {  # of numbers of dominoes: which there are, the region, groups of cells that must be alike
    "two numbers": ("00 01 11", ["XXX", "XXX"], []),
    "mixed": ("01 02 12", ["XXX", "XXX"], []),
    "doubles": ("00 11 22 33", ["XXXX", "XXXX"], []),
    "doubles at the ends": ("00 11 22 33", ["XXXX", "XXXX"], ENDS),
    "mixed with ends": ("01 12 23 03", ["XXXX", "XXXX"], ENDS[:1]),
    "quadrilles": (WHOLE, ["XXXX", "XXXX", ".XX.", ".XX."], QUADRILLES),
}


@pytest.mark.parametrize("case", rest_long(EXCHANGES, ["doubles"]))
def test_numbers_of_dominoes_are_exchanged_where_no_cell_stays(case: str) -> None:
    """A reflection moves every cell, and an exchange every domino: there is no pivot for both."""
    words, art, groups = EXCHANGES[case]
    numbers = sorted(set(words) - {" "})
    data = {
        "name": "dominoes",
        "lattice": "square",
        "colours": {n: f"number {n}" for n in numbers},
        "rules": {"exchangeable": [[f"number {n}" for n in numbers]]},
        "parts": [{"name": word, "art": [word]} for word in words.split()],
    }
    alike = ", ".join(f"{{ {group} }}" for group in groups)
    puzzle = latcover.loads(f"{tomli_w.dumps(data)}\n[region]\nart = {art}\nalike = [{alike}]\n")
    expected = set(each_solution(puzzle))
    assert expected
    for symmetry in SYMMETRIES:
        different = len(classes(expected, symmetries(puzzle, symmetry)))
        for reduction in REDUCTIONS:
            prepared = prepare(puzzle, Choices(symmetry, reduction))
            listed: list[latcover.Solution] = []
            answer = run(prepared, create("dlx"), on_solution=listed.append, images=True)
            assert (answer.different, answer.total) == (different, len(expected)), (symmetry, reduction)
            assert set(map(plain, listed)) == expected, (symmetry, reduction)
            if symmetry == "all" and reduction == "auto":
                assert answer.covers < answer.total, "one placement of each orbit is tried"
                assert (prepared.reduction.everywhere and prepared.pivot != "") == (case != "two numbers")


def test_no_placement_is_left_after_the_first_of_two_groups_that_are_alike() -> None:
    puzzle = latcover.loads(
        """
        name = "groups"
        lattice = "square"
        colours = { A = "red", B = "blue" }
        region = { box = [2, 2], alike = [{ cells = [[0, 0], [0, 1]] }, { cells = [[1, 0], [1, 1]] }] }
        parts = [{ name = "part", art = ["AB", "XX"] }]
        transformations = "fixed"
        """
    )
    assert len(prepare(puzzle).table) == 0
    assert latcover.count(puzzle).total == 0


def test_covers_that_break_a_rule_fail_either_check() -> None:
    """The covers of puzzles without their rules: one by one, and all at once."""
    kept = broken = 0
    for seed in range(24 * TIMES["as many"]):
        dice = Seeded(seed)
        lattice = load_lattice(dice.pick(["square", "triangular", "cubic"]))
        puzzle = random_puzzle(dice, lattice, FEATURES[seed % len(FEATURES)])
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            continue
        anything = np.ones_like(puzzle.rules.fits)
        loose = replace(puzzle.rules, apart=(), alike=(), fits=anything, open_sides=anything[0])
        covers: list[latcover.Solution] = []
        prepared = prepare(replace(puzzle, rules=loose), Choices("none"))
        run(prepared, create("dlx"), Limits(covers=40, branches=2_000), covers.append)
        one_by_one, together = Verifier(puzzle), BatchVerifier(puzzle)
        rows = [[together.add(placed) for placed in cover.placements] for cover in covers]
        starts = np.cumsum([0, *map(len, rows)])
        sound = together.sound(starts, np.array([number for row in rows for number in row], dtype=np.int32)).tolist()
        assert sound == [not one_by_one.faults(cover) for cover in covers], seed
        kept, broken = kept + sum(sound), broken + len(sound) - sum(sound)
    assert kept > 30
    assert broken > 30


def test_flat_sides_that_do_not_meet_flat_ones() -> None:
    """A rule that binds parts without any key or lock."""
    lattice = load_lattice("square")
    part = make_part("domino", [(0, 0, 0), (0, 0, 1)], lattice.transformations, 1, 2)
    puzzle = make_puzzle(box(lattice, (1, 4)), [part])
    assert run(prepare(puzzle), create("dlx")).total == 1
    never = np.zeros((2, 2), np.bool_)
    alone = Rules(sides=("flat", "key"), fits=never, open_sides=np.ones(2, np.bool_))
    assert run(prepare(replace(puzzle, rules=alone)), create("dlx")).total == 0


def test_sides_of_a_part_that_fits_nowhere_bear_on_no_other(tmp_path: Path) -> None:
    """Its cells are more than those of any part that is placed, and its sides are looked up in the same table."""
    text = """
name = "strip"
lattice = "square"
region = { box = [1, 3] }
sides = { keys = ["key"], locks = ["lock"], fits = { key = ["lock"] } }
parts = [
    { name = "cell", count = 3, art = ["X"] },
    { name = "long", min = 0, max = 1, art = ["XXXXX"], sides = [{ cell = [0, 4], edge = "east", is = "key" }] },
]
"""
    path = tmp_path / "strip.toml"
    path.write_text(text)
    puzzle = latcover.load(str(path))
    for parts in (puzzle.parts, puzzle.parts[::-1]):
        assert run(prepare(replace(puzzle, parts=parts)), create("dlx")).total == 1


def test_keys_and_locks_by_rule_and_by_geometry_agree(tmp_path: Path) -> None:
    """A cell becomes a block of 3 by 3; a key is a further cell before the side's middle, a lock a missing one."""
    solvable = 0
    for seed in range(20 * TIMES["as many"]):
        by_rule, by_geometry = (
            latcover.load(str(_written(tmp_path / f"{seed}-{form}.toml", text)))
            for form, text in zip("ab", _two_forms(Random(seed)), strict=True)
        )
        for symmetry in ("none", "all"):
            answers = [
                latcover.count(puzzle, latcover.CountRequest(symmetry=symmetry))
                for puzzle in (by_rule, by_geometry)  # type: ignore[arg-type]
            ]
            assert (answers[0].different, answers[0].total) == (answers[1].different, answers[1].total), seed
        solvable += answers[0].total > 0
    assert solvable > 6


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _two_forms(random: Random) -> tuple[str, str]:
    """Two or three pieces of a rectangle, with keys and locks where they meet, in both forms."""
    rows, columns = random.choice([(2, 2), (2, 3), (3, 3)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    owner = {cell: random.randrange(3) for cell in cells}
    steps = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
    twins = {"north": "south", "south": "north", "west": "east", "east": "west"}
    sides: dict[tuple[tuple[int, int], str], str] = {}
    for cell in cells:
        for edge in ("south", "east"):
            there = (cell[0] + steps[edge][0], cell[1] + steps[edge][1])
            if there in owner and owner[there] != owner[cell] and random.random() < 0.7:
                key = random.random() < 0.5
                sides[cell, edge] = "key" if key else "lock"
                sides[there, twins[edge]] = "lock" if key else "key"
    rule = 'name = "a"\nlattice = "square"\n[sides]\nkeys = ["key"]\nlocks = ["lock"]\nfits = { key = ["lock"] }\n'
    rule += f"may_look_out = []\n[region]\nbox = [{rows}, {columns}]\n"
    blocks = [f"[{r}, {c}]" for r in range(3 * rows) for c in range(3 * columns)]
    kinds = ['"m"' if r % 3 == c % 3 == 1 else '"r"' for r in range(3 * rows) for c in range(3 * columns)]
    geometry = 'name = "b"\nlattice = "square"\n[colours]\nM = "m"\nR = "r"\n[region]\n'
    geometry += f"cells = [{', '.join(blocks)}]\ncolours = [{', '.join(kinds)}]\n"
    for part in sorted(set(owner.values())):
        own = [cell for cell in cells if owner[cell] == part]
        mine = [(cell, edge, value) for (cell, edge), value in sides.items() if cell in own]
        rule += f'[[parts]]\nname = "p{part}"\ncells = {[list(cell) for cell in own]}\nsides = ['
        rule += ", ".join(f'{{ cell = {list(c)}, edge = "{e}", is = "{v}" }}' for c, e, v in mine) + "]\n"
        fine = {(3 * r + i, 3 * c + j) for r, c in own for i in range(3) for j in range(3)}
        for (r, c), edge, value in mine:
            dr, dc = steps[edge]
            middle = (3 * r + 1 + dr, 3 * c + 1 + dc)
            if value == "lock":
                fine.remove(middle)
            else:
                fine.add((middle[0] + dr, middle[1] + dc))
        tints = ['"m"' if r % 3 == c % 3 == 1 else '"r"' for r, c in sorted(fine)]
        geometry += f'[[parts]]\nname = "p{part}"\ncells = {[list(cell) for cell in sorted(fine)]}\n'
        geometry += f"colours = [{', '.join(tints)}]\n"
    return rule, geometry


def test_discs_by_keys_and_as_pure_exact_cover() -> None:
    """Two instance files pose the cylinder: with lengths of keys and equal discs merged, and as cells, told apart."""
    merged, labelled = latcover.load("disc-cylinder"), latcover.load("disc-cylinder-labelled")
    shapes = {frozenset(as_tuples(part.cells)) for part in merged.parts}
    assert shapes == {frozenset(as_tuples(part.cells)) for part in labelled.parts}
    assert latcover.count(merged).total * 4 == latcover.count(labelled).total == 87_904


@pytest.mark.parametrize(("paint", "total"), [('colour = "red"', 1), ('colours = ["red"]', 2), ("", 2)])
def test_the_colour_of_a_part_is_that_of_its_keys(paint: str, total: int, tmp_path: Path) -> None:
    path = tmp_path / "key.toml"
    path.write_text(
        f"""
name = "key"
lattice = "square"
colours = {{ R = "red", B = "blue" }}
region = {{ art = ["RRB"], optional = [[0, 0], [0, 1], [0, 2]], max_empty = 1 }}
[[parts]]
name = "a"
cells = [[0, 0]]
keys = [{{ cell = [0, 0], edge = "east", length = 1 }}]
transformations = "fixed"
{paint}
"""
    )
    assert run(prepare(latcover.load(str(path))), create("dlx")).total == total


@pytest.mark.long
def test_size_is_complete_on_stairs() -> None:
    """The paper's SZ found nothing where a part is left over."""
    prepared = prepare(latcover.load("pent-stairs"), Choices(symmetry="rotations"))
    assert run(prepared, create("dlx", size=True)).different == 640


BASE = """name = "x"
lattice = "square"
{top}
[region]
{box}
{region}
[[parts]]
name = "a"
art = ["XX"]
{part}
[[parts]]
name = "b"
art = ["XX"]
transformations = "rotations"
"""

MALFORMED = {
    "a key without a table": ({"top": '[sides]\nkeys = ["k"]'}, "fits"),
    "a table of an unknown key": (
        {"top": '[sides]\nkeys = ["k"]\nlocks = ["l"]\nfits = { kk = ["l"] }'},
        "no key 'kk'",
    ),
    "an unknown lock": ({"top": '[sides]\nkeys = ["k"]\nlocks = ["l"]\nfits = { k = ["m"] }'}, "no lock 'm'"),
    "a key named twice": ({"top": '[sides]\nkeys = ["k", "k"]\nfits = { k = [] }'}, "'k' is named twice"),
    "an unknown group": ({"top": '[sides]\nflat_meets = ["keys", "holes"]'}, "holes"),
    "a side of unknown value": ({"part": 'sides = [{ cell = [0, 0], edge = "west", is = "k" }]'}, "no side value 'k'"),
    "a side of no cell": (
        {"part": 'sides = [{ cell = [5, 0], edge = "west", is = "flat" }]'},
        "is not a cell of the part",
    ),
    "a side within": ({"part": 'sides = [{ cell = [0, 0], edge = "east", is = "flat" }]'}, "cell of the part itself"),
    "an unknown edge": ({"part": 'sides = [{ cell = [0, 0], edge = "wst", is = "flat" }]'}, "did you mean 'west'"),
    "a colour that nothing names": ({"top": '[rules]\napart = ["red"]'}, "no colour 'red'"),
    "a part of unknown colour": ({"part": 'colour = "red"'}, "no colour 'red'"),
    "unknown way to touch": ({"top": '[rules]\nacross = "edges"'}, "corners"),
    "one colour exchanged": ({"top": '[colours]\nR = "red"\n[rules]\nexchangeable = [["red"]]'}, "two or more"),
    "colours that differ by rule": (
        {"top": '[colours]\nR = "red"\nB = "blue"\n[rules]\napart = ["red"]\nexchangeable = [["red", "blue"]]'},
        "differently",
    ),
    "a rule on a colour that no part has": (
        {"top": '[colours]\nR = "red"\n[rules]\napart = ["red"]'},
        "x.toml:5:1: rules: the rules name the colour 'red', which no part has",
    ),
    "a colour that no cell has": (
        {
            "top": '[colours]\nR = "red"\nB = "blue"',
            "region": "",
            "part": 'colour = "red"',
            "box": 'art = ["BB", "BB"]',
        },
        "no cell of the region takes it",
    ),
    "min above max": ({"part": "min = 3\nmax = 2"}, "above max"),
    "a negative period": ({"region": "period = [-1, 0]"}, "period"),
    "a period too short": ({"region": "period = [1, 0]"}, "become the same cell"),
    "a scale of nought": ({"region": "scale = [0, 1]"}, "sizes of 1 or more"),
    "a key into its own part": ({"part": 'keys = [{ cell = [0, 0], edge = "east", length = 1 }]'}, "its own part"),
    "a lock outside": ({"part": "locks = [[7, 7]]"}, "is not a cell of the part"),
    "locks alone": ({"part": "locks = [[0, 0], [0, 1]]"}, "take all cells of the part"),
    "a key of no length": ({"part": 'keys = [{ cell = [0, 0], edge = "west", length = 0 }]'}, "from 1"),
    "one cell that is alike": ({"region": "alike = [{ cells = [[0, 0]] }]"}, "region.alike[0]: has only one cell"),
    "cells that are alike elsewhere": (
        {"region": "alike = [{ box = [1, 2], at = [0, 1] }]"},
        "region.alike[0]: [0, 2] is not a cell of the region",
    ),
    "cells that are alike without colours": (
        {"region": "alike = [{ box = [1, 2] }]"},
        "the puzzle has no colours; name them under [colours]",
    ),
    "a group that is no table": ({"region": "alike = [[[0, 0], [0, 1]]]"}, "alike"),
    "an unknown rule": ({"top": "[rules]\napartt = []"}, "did you mean 'apart'"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_rules_are_named(case: str, tmp_path: Path) -> None:
    pieces, message = MALFORMED[case]
    path = _written(
        tmp_path / "x.toml", BASE.format(**{"box": "box = [2, 2]", "top": "", "region": "", "part": "", **pieces})
    )
    with pytest.raises(latcover.PuzzleFileError) as caught:
        latcover.load(str(path))
    told = [str(complaint) for complaint in caught.value.complaints]
    assert any(message in line for line in told), told
    assert all(complaint.line for complaint in caught.value.complaints)


TALL_CELLS = """
name = "tall cells"
drawings = "symbols"
basis = [[0, 1], [1, 0]]
[nodes.cell]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 1.5], [-0.5, 1.5]]
[half_edges]
down = { step = [1, 0], twin = "up" }
up = { step = [-1, 0], twin = "down" }
left = { step = [0, -1], twin = "right" }
right = { step = [0, 1], twin = "left" }
[[transformations]]
name = "quarter turn"
cycles = ["up left down right"]
"""


def test_corners_that_a_lattice_is_drawn_with_and_its_turns_do_not_keep(tmp_path: Path) -> None:
    """Cells touch the second one above them, but not the second one beside them."""
    lattice = load_lattice(str(_written(tmp_path / "tall.toml", TALL_CELLS)))
    ground = box(lattice, (3, 3))
    red = replace(make_part("red", [(0, 0, 0)], lattice.transformations, 2, 2), colours=np.ones(1, np.int32))
    other = make_part("other", [(0, 0, 0)], lattice.transformations, 7, 7)
    rules = Rules(apart=((1, 1),), across_corners=True)
    puzzle = replace(make_puzzle(ground, [red, other]), rules=rules)
    totals = {run(prepare(puzzle, Choices(which)), create("dlx")).total for which in SYMMETRIES}
    assert totals == {len(solutions(puzzle))}
