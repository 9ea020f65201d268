"""Sides that bear values: matching puzzles against brute force, and in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import OURS, create
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.side_counts import SideCounts, side_counts
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.impossible.side_values import side_values
from latcover.core.model.batch_verifier import BatchVerifier
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.verifier import Verifier
from latcover.core.solving.run import run
from latcover.errors import PuzzleError
from latcover.files.formats.cover_problems import dlx_text
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.library import load_lattice, load_subject
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing import boards
from latcover.lab.designing.boards import make_board
from latcover.lab.designing.design_requests import BoardRequest
from latcover.lab.designing.region_names import region_named
from tests.dice import TIMES, Seeded
from tests.puzzle_oracle import TooLargeError, classes, each_solution, plain, symmetries
from tests.random_puzzles import Features, random_puzzle

LATTICES = ("square", "triangular", "hexagonal", "cubic", "triprism")


# Those of the first seeds whose boards brute force gives up, which takes most of the time and tests nothing.
TOO_LARGE = {0, 4, 6, 7, 10, 12, 13, 14, 19, 20, 21, 24, 27, 33, 34, 35, 38, 39, 40, 43, 44, 49}


def test_random_boards_agree_with_brute_force() -> None:
    solvable = symmetric = coloured = 0
    for seed in (seed for seed in range(50 * TIMES["as many"]) if seed not in TOO_LARGE):
        dice = Seeded(seed)
        features = Features(matched=True, loose=seed % 5 == 4, periodic=seed % 7 == 6, boundless=seed % 3 == 0)
        puzzle = random_puzzle(dice, load_lattice(LATTICES[seed % len(LATTICES)]), features)
        try:
            expected = set(each_solution(puzzle, patience=1_000))
        except TooLargeError:
            continue
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            assert not expected, seed
            continue
        for symmetry in SYMMETRIES:
            listed: list[latcover.Solution] = []
            prepared = prepare(puzzle, Choices(symmetry))
            answer = run(prepared, create("dlx"), on_solution=listed.append, images=True)
            assert len(listed) == answer.total == len(expected), (seed, puzzle)
            assert set(map(plain, listed)) == expected, seed
            assert answer.different == len(classes(expected, symmetries(puzzle, symmetry))), (seed, symmetry)
            symmetric += answer.different < answer.total
        coloured += prepared.problem.has_colours
        solvable += bool(expected)
        bare = replace(puzzle, rules=replace(puzzle.rules, asked=(), rim=-1))
        one_by_one, together = Verifier(puzzle), BatchVerifier(puzzle)
        for solution in _some(bare):
            good = plain(solution) in expected
            assert good == (not one_by_one.faults(solution)), seed
            members = np.array([together.add(placed) for placed in solution.placements], np.int32)
            assert together.sound(np.array([0, len(members)]), members).tolist() == [good], seed
    assert solvable > 15
    assert symmetric > 2
    assert coloured > 15


def _some(puzzle: latcover.Puzzle) -> list[latcover.Solution]:
    found: list[latcover.Solution] = []
    run(prepare(puzzle, Choices("none")), create("dlx"), latcover.Limits(covers=20, branches=2_000), found.append)
    return found


@pytest.mark.parametrize(
    ("where", "choices"),
    [
        ("square:4x4", {"values": 4}),
        ("square:5x5", {"values": 4, "frame": 3}),
        ("hexagonal:3x3", {"values": 5, "mates": True}),
        ("triangular:2x3", {"values": 6, "rim": False}),
        ("cubic:2x2x2", {"values": 3}),
        ("square:3x3", {"values": 1, "alike": True}),
        ("square:5x4", {"values": 3, "alike": True}),
    ],
)
def test_a_board_has_a_solution_and_is_the_same_again(where: str, choices: dict[str, object]) -> None:
    region = region_named(where)
    puzzle, again, other = (make_board(region, BoardRequest(seed=seed, **choices)) for seed in (1, 1, 2))
    assert puzzle_as_toml([puzzle]) == puzzle_as_toml([again]) != puzzle_as_toml([other]) or "alike" in choices
    read = latcover.loads(puzzle_as_toml([puzzle]))
    assert sum(part.low for part in puzzle.parts) == len(region.cells)
    assert not [complaint for complaint in complaints_about(puzzle) if complaint.warning]
    for each in (puzzle, read):
        assert run(prepare(each), create("dlx"), latcover.Limits(covers=1)).different == 1


def test_more_tiles_than_the_values_tell_apart_are_refused_before_any_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PATIENCE", None)
    with pytest.raises(PuzzleError, match="no board of 900 different tiles"):
        make_board(region_named("square:30x30"), BoardRequest(values=5))


def test_boards_that_cannot_be_made_are_refused() -> None:
    for choices, words in (
        ({"values": 1}, "few values"),
        ({"values": 60}, "52 values"),
        ({"values": 2, "frame": 1, "rim": False}, "needs a rim"),
    ):
        with pytest.raises(PuzzleError, match=words):
            make_board(region_named("hexagonal:3x3"), BoardRequest(**choices))


def test_letters_and_cells_cut_in_four_agree() -> None:
    """A square with four sides, and four triangles of colours that may not touch: MacMahon, two colours."""
    words = ["AAAA", "AAAB", "AABB", "ABAB", "ABBB", "BBBB"]
    names = {"A": "amber", "B": "blue"}
    cut = "".join(
        f'[[parts]]\nname = "{word}"\ncells = [{", ".join(f"""[0, 0, "{n}"]""" for n in TRIANGLES)}]\n'
        f"colours = {[names[letter] for letter in word]}\n"
        for word in words
    )
    by_colours = f"""name = "cut"
lattice = "tetrakis"
transformations = "rotations"
colours = {{ A = "amber", B = "blue" }}
rules = {{ apart = [["amber", "blue"]] }}
region = {{ box = [2, 3] }}
{cut}"""
    by_letters = latcover.count(latcover.loads(TWO_COLOURS.format(words)))
    other = latcover.count(latcover.loads(by_colours))
    assert (by_letters.different, by_letters.total) == (other.different, other.total) == (104, 416)


TRIANGLES = ("north", "east", "south", "west")
TWO_COLOURS = """name = "tiles"
lattice = "square"
transformations = "rotations"
sides = {{ values = {{ A = "amber", B = "blue" }} }}
region = {{ box = [2, 3] }}
parts = [{{ tiles = {} }}]
"""


@pytest.mark.parametrize("backend", [name for name in OURS if create(name).honours_colours])
def test_backends_agree(backend: str) -> None:
    for name in ("mayblox", "nine-cards"):
        puzzle = latcover.load(name)
        assert run(prepare(puzzle), create(backend)).different == puzzle.expect["different"]


def test_tiles_drawn_on_several_lines_and_on_one_are_the_same() -> None:
    head = 'name = "x"\nlattice = "hexagonal"\nregion = { box = [1, 1] }\nsides = { values = ["A", "B", "C"] }\n'
    drawn, word = (
        latcover.loads(f'{head}parts = [{{ name = "t", tile = {tile} }}]')
        for tile in ('["  A B", " C   C", "  . A"]', '"BCA.CA"')
    )
    assert drawn.parts[0].sides.tolist() == word.parts[0].sides.tolist()
    assert len(word.parts[0].sides) == 5


def test_edges_of_a_part_of_several_cells() -> None:
    text = TWO_COLOURS.format(["AAAA"]).replace(
        "[{ tiles", '[{ name = "d", art = ["XX"], edges = ["A.BA", "BAA."] }, { tiles'
    )
    sides = latcover.loads(text.replace("box = [2, 3]", "box = [1, 3]")).parts[0].sides
    edges = load_lattice("square").half_edges
    assert {(k, edges[h].label): v for k, h, v in sides.tolist()} == {
        (0, "north"): 1, (0, "south"): 2, (0, "west"): 1, (1, "north"): 2, (1, "east"): 1, (1, "south"): 1
    }  # fmt: skip


FAULTY = {
    "a letter of no value": ('tile = "AAAX"', "no side value has the letter 'X'"),
    "too few letters": ('tile = "AAA"', "has 3 letters, but a cell 'square' has 4 sides: north, east, south, west"),
    "no text": ("tile = 5", "must be letters"),
    "beside cells": ('tile = "AAAA"\nart = ["X"]', "cannot be combined with tile"),
    "a side within": ('art = ["XX"]\nedges = ["AAAA", "AAAA"]', "leads to a cell of the part itself"),
    "letters for fewer cells": ('art = ["XX"]\nedges = ["AAAA"]', "for each of the 2 cells"),
    "an unknown node": ('tile = "AAAA"\nnode = "round"', "no node 'round'"),
    "no tiles": ("tiles = []", "must be the letters of tiles"),
    "a value of no name": ('tile = "AAAA"\n[sides]\nrim = "red"', "no side value 'red'"),
    "a mate of no name": ('tile = "AAAA"\n[sides]\nvalues = ["A"]\nmates = { A = "Z" }', "no value 'Z'"),
    "values that the rim treats differently": (
        'tile = "AAAA"\n[sides]\nvalues = ["A", "B"]\nrim = "A"\nexchangeable = [["A", "B"]]',
        "treat these values differently",
    ),
    "an unknown value exchanged": (
        'tile = "AAAA"\n[sides]\nvalues = ["A"]\nexchangeable = [["A", "Q"]]',
        "no side value 'Q'",
    ),
    "a letter of several": ('tile = "AAAA"\n[sides]\nvalues = { AB = "red" }', "must be a single character"),
    "a side asked for outside": (
        'tile = "AAAA"\n[region]\nbox = [1, 1]\nsides = [{ cell = [3, 3], edge = "east", is = "A" }]',
        "is not a cell of the region",
    ),
}


@pytest.mark.parametrize("case", FAULTY)
def test_faulty_letters_are_named(case: str) -> None:
    part, message = FAULTY[case]
    part, *tables = part.split("\n[")
    own = "".join(f"[{table}\n" for table in tables)
    values = "" if "[sides]" in own else '[sides]\nvalues = ["A"]\n'
    region = "" if "[region]" in own else "[region]\nbox = [1, 1]\n"
    text = f'name = "x"\nlattice = "square"\n{values}{own}{region}'
    name = "" if "tiles" in part else 'name = "t"\n'
    with pytest.raises(latcover.PuzzleFileError) as caught:
        latcover.loads(f"{text}[[parts]]\n{name}{part}\n")
    assert any(message in str(complaint) for complaint in caught.value.complaints), caught.value.complaints


def test_export_keeps_values_as_colours(tmp_path: Path) -> None:
    """Knuth's form has an item with colours for each of the 12 inner sides; read again it has as many covers."""
    prepared = prepare(latcover.load("nine-cards"), Choices("none"))
    assert len(np.unique(prepared.problem.option_items[prepared.problem.option_colours > 0])) == 12
    path = tmp_path / "cards.dlx"
    path.write_bytes(b"".join(dlx_text.write(exported(prepared))))
    assert run(load_subject(str(path)), create("dlx")).total == 4  # type: ignore[arg-type]


REFUTED = {
    "the parts bear 'blue'; two of them meet each time, so their number must be even": ["AABC", "AABB", "AABB", "AABB"],
    "4 cells of the region have 2 or more sides at the rim, but only 3 tiles fit there": [
        "AABB",
        "AABB",
        "AABB",
        "ABAB",
    ],
}


@pytest.mark.parametrize("sentence", REFUTED)
def test_values_that_do_not_add_up(sentence: str) -> None:
    text = TWO_COLOURS.format(REFUTED[sentence]).replace("box = [2, 3]", "box = [2, 2]")
    text = text.replace('B = "blue" }', 'B = "blue", C = "coral" }, rim = "amber"')
    puzzle = latcover.loads(text.replace("AAAA", "AAAB"))
    table = placements(puzzle)
    assert [sentence in told for told in side_values(puzzle, table)] == [True]
    assert run(prepare(puzzle), create("dlx")).total == 0


def test_a_value_that_the_rim_takes_up_is_on_no_inner_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Placements that show it inside are left out: the solutions are those that are found with them."""
    fewer = 0
    for seed in range(50 * TIMES["as many"]):
        dice = Seeded(seed)
        region = region_named(dice.pick(["square:3x3", "hexagonal:2x3", "triangular:2x2", "cubic:2x2x1"]))
        request = BoardRequest(values=dice.between(1, 3), mates=dice.chance(50), alike=True, seed=seed)
        puzzle = make_board(region, request)
        found: list[set[object]] = []
        options = []
        for spent in (SideCounts.spent, lambda *_: []):
            listed: list[latcover.Solution] = []
            with monkeypatch.context() as patch:
                patch.setattr(SideCounts, "spent", spent)
                prepared = prepare(puzzle, Choices("none"))
                run(prepared, create("dlx"), on_solution=listed.append)
            found.append(set(map(plain, listed)))
            options.append(prepared.problem.n_options)
        assert found[0] == found[1] != set(), seed
        fewer += options[0] < options[1]
    assert fewer > 3
    squares = latcover.load("macmahon-squares")  # the colour of its rim stands inside too
    counts = side_counts(squares, placements(squares))
    assert counts is not None
    assert counts.spent(squares.rules.rim) == []


def test_no_board_with_a_solution_is_refuted_and_what_is_refuted_has_none() -> None:
    refuted = 0
    for seed in range(50 * TIMES["as many"]):
        dice = Seeded(seed)
        region = region_named(dice.pick(["square:3x3", "hexagonal:2x3", "triangular:2x2", "cubic:2x2x1"]))
        request = BoardRequest(values=dice.between(2, 4), mates=dice.chance(50), alike=True, seed=seed)
        puzzle = make_board(region, request)
        assert not list(side_values(puzzle, placements(puzzle))), seed
        part = dice.pick(puzzle.parts)
        sides = part.sides.copy()
        sides[dice.below(len(sides)), 2] = dice.between(1, len(puzzle.rules.sides) - 1)
        parts = [replace(each, sides=sides) if each is part else each for each in puzzle.parts]
        other = replace(puzzle, parts=tuple(parts))
        if list(side_values(other, placements(other))):
            refuted += 1
            assert run(prepare(other), create("dlx")).total == 0, seed
    assert refuted > 10
