"""Sets of a family and regions of a set: each number against a count of that one puzzle."""

from __future__ import annotations

import json
import time
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.cover.search import Batch
from latcover.core.encoding.prepared import Choices
from latcover.core.model.connected_shapes import shapes
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.request_values import SymmetryChoice
from latcover.errors import PuzzleError, TooLargeError, UnsupportedError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing.classify import classify, rows_of
from latcover.lab.designing.design_regions import design_regions
from latcover.lab.designing.design_sets import design
from latcover.lab.designing.designs import Designs
from latcover.lab.designing.regions import least_image, motions_of, random_shapes
from latcover.lab.designing.set_family import Family, ways
from latcover.lab.designing.set_tables import Packing, SetTable, keys_of
from tests.command_line import run
from tests.dice import Dice, cases
from tests.random_puzzles import any_puzzle, chiral_puzzles


def pentominoes(*sides: int) -> Puzzle:
    """Any of the twelve, once at most, in a rectangle."""
    puzzle = latcover.load("pent-10x6")
    parts = tuple(replace(part, low=0) for part in puzzle.parts)
    return replace(puzzle, name="some", region=box(*sides), parts=parts, expect={})


def test_the_example_of_the_reference_is_what_is_printed(tmp_path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "reference" / "json.md").read_text("utf-8")
    shown = [json.loads(line) for line in text.split("```json\n")[1].split("```")[0].splitlines()]
    guide = (Path(__file__).parents[3] / "docs" / "how-to" / "designing.md").read_text("utf-8")
    (tmp_path / "five.toml").write_text(guide.split("```toml\n")[1].split("```")[0], "utf-8")
    printed = run("design", "sets", tmp_path / "five.toml", "--unique", "--json").stdout.splitlines()
    first, last = json.loads(printed[0]), json.loads(printed[-1])
    assert shown[0] == first
    assert {**shown[1]["summary"], "seconds": 0} == {**last["summary"], "seconds": 0}


def box(*sides: int) -> Region:
    return Region(np.array([(0, *at) for at in np.ndindex(*sides)], np.int32))


def a_family(dice: Dice) -> Puzzle:
    """A random puzzle with ranges."""
    return _loosened(dice, (chiral_puzzles("square") if dice.below(3) == 0 else any_puzzle)(dice))


def _loosened(dice: Dice, puzzle: Puzzle) -> Puzzle:
    room = len(puzzle.region.cells)
    parts = []
    for part in puzzle.parts:
        high = min(part.low if part.high is None else part.high, room // part.size) + dice.below(2)
        parts.append(replace(part, low=dice.below(part.low + 1), high=max(high, 1)))
    return replace(puzzle, parts=tuple(parts))


def different(puzzle: Puzzle, which: SymmetryChoice) -> int:
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        return 0
    return latcover.count(puzzle, latcover.CountRequest(backend="dlx", symmetry=which)).different


@cases(10, puzzle=a_family)
def test_the_number_of_each_set_is_that_of_its_own_puzzle(puzzle: Puzzle) -> None:
    """All sets are counted one by one; those that the table lacks have no solution, or stand for an image."""
    which: SymmetryChoice = ("all", "rotations", "none")[len(puzzle.parts) % 3]
    try:
        family = Family(puzzle, Choices(symmetry=which))
    except PuzzleError:
        return  # nothing to choose, or it contradicts itself
    if np.prod([high + 1 - low for low, high in family.ranges]) > 100:
        return
    table = classify(family, create("bitset"))
    told = {copies: number for copies, _, number in rows_of(table)}
    for copies in product(*(range(low, high + 1) for low, high in family.ranges)):
        number = different(family.puzzle_with(copies), which)
        first = family.images(copies)[0]
        assert (first in told) == (number > 0)
        if number and told[first] >= 0:
            assert told[first] == number
        assert copies not in told or copies == first


def test_five_pentominoes_fill_a_square_in_45_sets_of_which_19_are_unique() -> None:
    puzzle = pentominoes(5, 5)
    found = design(puzzle, at_most=1)
    chosen = Counter(tuple(p.part for p in s.placements) for s in latcover.solutions(puzzle))  # the slow way
    alone = {parts for parts, times in chosen.items() if times == 1}
    assert (found.summary.sets, found.summary.unique, found.summary.complete) == (len(chosen), len(alone), True)
    assert (len(chosen), len(alone)) == (45, 19)
    assert {tuple(each.parts) for each in found} == alone
    assert {each.verified for each in found} == {"dlx"}
    assert found.summary.as_json()["sets"] == 45


# The last column is also in a public table of pentominoes ("About Pentominos", the puzzles that it calls degenerate).
@pytest.mark.parametrize(
    ("sides", "sets", "unique", "solutions"),
    [((3, 5), 7, 7, 7), ((5, 6), 172, 68, 541), ((3, 10), 75, 53, 145), ((5, 7), 245, 60, 1396), ((2, 15), 0, 0, 0)],
)
def test_every_set_of_pentominoes_on_a_rectangle(
    sides: tuple[int, int], sets: int, unique: int, solutions: int
) -> None:
    table = classify(Family(pentominoes(*sides)), create("bitset"))
    assert len(table.sets) == sets
    assert (table.different == 1).sum() == unique
    assert table.different.sum() == solutions == latcover.count(pentominoes(*sides)).different


def one_sided(*names: str) -> Puzzle:
    lattice = latcover.load_lattice("square")
    art = {
        "L": [(0, 0), (1, 0), (2, 0), (0, 1)],
        "J": [(0, 0), (1, 0), (2, 0), (2, 1)],
        "S": [(0, 0), (1, 0), (1, 1), (2, 1)],
        "Z": [(0, 1), (1, 1), (1, 0), (2, 0)],
        "F": [(1, 0), (1, 1), (1, 2), (0, 1), (2, 2)],
        "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
    }
    parts = []
    for number, name in enumerate(names):
        cells = np.array([(0, *cell) for cell in art[name]], np.int32)
        none = np.zeros(len(cells), np.int32)
        parts.append(Part(name, cells, none, 0, 2, lattice.allowed("rotations"), lattice=lattice, number=number))
    return Puzzle("hands", lattice, box(4, 4), tuple(parts))


def test_mirror_images_of_a_set_are_one_design() -> None:
    family = Family(one_sided("L", "J", "S", "Z", "O"))
    assert family.plain
    assert family.images((0, 2, 0, 0, 2)) == [(2, 0, 0, 0, 2), (0, 2, 0, 0, 2)]
    found = design(family.puzzle)
    candidates = map(family.candidate, range(family.candidates))
    covering = {copies for copies in candidates if different(family.puzzle_with(copies), "all")}
    assert found.summary.sets == len({family.images(copies)[0] for copies in covering}) < len(covering)
    both = design(family.puzzle, both_hands=True)
    assert all(each.candidate.images == 1 and each.parts.get("L") == each.parts.get("J") for each in both)
    assert len(design(family.puzzle, symmetry="rotations")) == len(covering)


def test_a_part_without_its_mirror_image_leaves_sets_without_it_their_own() -> None:
    paired, more = (replace(one_sided(*names), region=box(3, 4)) for names in ("LJSZ", "LJSZF"))
    designs = [[(each.parts, each.solutions, each.candidate.images) for each in design(p)] for p in (paired, more)]
    assert len(designs[0]) == 2
    assert {images for _, _, images in designs[0]} == {2}
    assert designs[1] == designs[0]
    drawn = design(more, at_most=9, search="sample")
    assert sorted(told(drawn)) == sorted(told(design(more)))
    wide = replace(one_sided(*"LJSZOF"), region=box(4, 4))
    both = design(wide, both_hands=True)
    assert told(both) == told_by_parts(design(replace(wide, parts=wide.parts[:-1]), both_hands=True))


def told_by_parts(found: Designs) -> list[tuple[str, int]]:
    """As `told`, for a family with one more part."""
    return [(f"{name} 0", number) for name, number in told(found)]


def test_a_family_without_some_mirror_images_counts_each_set_by_itself() -> None:
    """The set of O alone has reflections that the family has not."""
    family = Family(one_sided("L", "O"))
    assert not family.plain
    for each in design(family.puzzle):
        assert each.solutions == latcover.count(each.puzzle).different


def told(found: Designs) -> list[tuple[str, int]]:
    return [(each.candidate.name, each.solutions) for each in found]


def test_sampling_to_the_last_set_finds_what_the_search_finds() -> None:
    puzzle = one_sided("L", "J", "S", "Z", "O")
    drawn, whole = (design(puzzle, at_most=1, search=search, seed=5) for search in ("sample", "all"))
    assert drawn.summary.complete
    assert drawn.summary.searched == "by sampling"
    assert sorted(told(drawn)) == sorted(told(whole))
    assert (drawn.summary.sets, drawn.summary.unique) == (whole.summary.sets, whole.summary.unique)


@pytest.mark.parametrize("search", ["sample", "climb"])
def test_what_is_drawn_depends_on_the_seed_alone(search: str) -> None:
    puzzle = pentominoes(5, 6)
    runs = [
        design(puzzle, at_most=2, search=search, seed=seed, samples=16, threads=threads)
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    ]
    assert told(runs[0]) == told(runs[1]) != told(runs[2])
    assert {(run.summary.counted, run.summary.complete) for run in runs} == {(16, False)}


def test_a_climb_comes_to_sets_with_one_solution() -> None:
    found = design(pentominoes(5, 6), at_most=1, search="climb", limit=2)
    assert [each.solutions for each in found] == [1, 1]
    assert (found.summary.complete, found.summary.stop) == (False, "enough designs")


def test_ranks_and_bounds() -> None:
    puzzle = pentominoes(5, 5)
    most = design(puzzle, extreme="most").designs
    assert [dict(each.parts) for each in most] == [dict.fromkeys("ILPWY", 1)]
    numbers = [each.solutions for each in design(puzzle, at_least=2, at_most=4, sort="solutions")]
    assert numbers == sorted(numbers)
    assert set(numbers) <= {2, 3, 4}
    searched = [each.branches or 0 for each in design(puzzle, at_most=1, sort="branches", keep=5)]
    assert len(searched) == 5
    assert searched == sorted(searched, reverse=True)


def test_the_level_of_a_set_is_that_of_its_easiest_solution() -> None:
    cube = latcover.load("soma")
    parts = tuple(replace(part, low=0, high=2) for part in cube.parts)
    found = design(replace(cube, parts=parts, region=box(2, 2, 3), expect={}), min_level="1").designs
    assert found
    for each in found:
        ends = [latcover.disassemble(solution) for solution in latcover.solutions(each.puzzle)]
        levels = [end.level for end in ends if end.result == "apart"]
        assert (each.level, each.assemblable) == (min(levels), len(levels))


@pytest.mark.long
def test_the_time_ends_the_search_for_a_level() -> None:
    bars = [Part(f"I{n}", [(k, 0, 0) for k in range(n)], low=0, high=31) for n in (2, 3)]
    puzzle = replace(latcover.load("soma"), name="bars", parts=tuple(bars), region=box(5, 4, 3), expect={})
    begun = time.process_time()
    found = design(puzzle, min_level="1", search="sample", samples=4, seconds=1)
    assert time.process_time() - begun < 20  # of work, however busy the machine is
    assert (found.summary.complete, found.summary.stop, len(found)) == (False, "time limit", 0)


def test_a_design_that_is_cut_short_says_so() -> None:
    found = design(pentominoes(5, 8), seconds=0)
    assert not found.summary.complete
    assert (found.summary.unique, len(found)) == (None, 0)
    assert found.summary.stop == "time limit"


def test_what_has_nothing_to_choose_is_refused() -> None:
    with pytest.raises(PuzzleError, match=r"nothing to choose.*min = 0 and max = 1"):
        design(latcover.load("soma"))
    with pytest.raises(UnsupportedError, match="--search sample for many"):
        design(pentominoes(5, 5), at_least=2, search="climb")
    with pytest.raises(UnsupportedError, match="at least 3 and at most 2"):
        design(pentominoes(5, 5), at_least=3, at_most=2)
    with pytest.raises(PuzzleError, match=r"the design has 'at_mos', which is not known; did you mean 'at_most'"):
        design(pentominoes(5, 5), at_mos=1)


# The table.


@cases(15, dice=lambda dice: dice)
def test_the_table_counts_covers_by_set(dice: Dice) -> None:
    radices = [dice.below(6) + 2 for _ in range(dice.below(40) + 1)]
    packing = Packing(radices)
    sets = np.array([[dice.below(radix) for radix in radices] for _ in range(20)], np.int32)
    assert (packing.unpack(packing.pack(sets)) == sets).all()
    weights = packing.weights(np.arange(len(radices)))
    covers = [np.repeat(np.arange(len(radices)), copies) for copies in sets]
    starts = np.cumsum([0, *map(len, covers)])
    keys = keys_of(Batch(starts.astype(np.int64), np.concatenate(covers).astype(np.int32)), weights)
    assert (keys == packing.pack(sets)).all()
    table = SetTable(packing.words, 1 << 20)
    table.add(keys)
    table.add(keys[:5], np.full(5, 3, np.int64))
    counted = Counter(map(tuple, sets.tolist()))
    for copies in sets[:5].tolist():
        counted[tuple(copies)] += 3
    found = dict(zip(map(tuple, packing.unpack(table.keys).tolist()), table.covers.tolist(), strict=True))
    assert found == counted
    assert table.of(table.keys).tolist() == table.covers.tolist()


def test_a_table_that_is_full_says_what_to_do() -> None:
    with pytest.raises(TooLargeError, match="--memory, or pick sets at random"):
        classify(Family(pentominoes(5, 6)), create("bitset"), most_bytes=1000)


def test_candidates_are_all_sets_of_the_volume() -> None:
    family = Family(one_sided("L", "J", "O"))
    fit = {c for c in product(range(3), repeat=3) if sum(c) == 4}
    assert {family.candidate(k) for k in range(family.candidates)} == fit
    assert ways([1, 2], [(0, 3), (0, 1)], 3)[0] == [1, 1, 2, 2]
    assert ways([2, 3, 2], [(1, 2), (0, 1), (0, 3)], 9)[0] == [
        sum(2 * a + 3 * b + 2 * c == v for a in (1, 2) for b in (0, 1) for c in range(4)) for v in range(10)
    ]


# Regions.


def domino_puzzle(n: int) -> Puzzle:
    lattice = latcover.load_lattice("square")
    cells = np.array([(0, 0, 0), (0, 1, 0)], np.int32)
    part = Part("D", cells, np.zeros(2, np.int32), n, n, lattice.allowed("reflections"), lattice=lattice)
    return Puzzle("dominoes", lattice, Region(cells), (part,))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_regions_against_a_count_of_each(n: int) -> None:
    puzzle = domino_puzzle(n)
    all_of_them = shapes(puzzle.lattice, 2 * n, puzzle.lattice.transformations)
    once = [c for c in all_of_them if latcover.count(replace(puzzle, region=Region(c))).different == 1]
    found = design_regions(puzzle, at_most=1)
    assert (found.summary.counted, len(found)) == (len(all_of_them), len(once))
    assert found.summary.complete
    assert found.summary.as_json()["regions"] == found.summary.sets
    symmetric = design_regions(puzzle, symmetric=4).summary
    assert symmetric.counted == sum(least_image(c, puzzle.lattice.transformations)[1] >= 4 for c in all_of_them)


def test_regions_are_found_for_parts_that_the_own_region_does_not_suit(tmp_path: Path) -> None:
    """The how-to says that a puzzle's own region is ignored."""
    path = tmp_path / "mine.toml"
    text = 'name = "mine"\nlattice = "square"\n[region]\nbox = [2, 2]\n'
    text += '[[parts]]\nname = "A"\nart = ["XXX"]\n[[parts]]\nname = "B"\nart = ["XX"]\n'
    path.write_text(text, "utf-8")
    fitting = latcover.loads(text.replace("box = [2, 2]", "box = [1, 5]"))
    assert told(design_regions(path, at_most=1)) == told(design_regions(fitting, at_most=1))
    kept = tmp_path / "kept.run"
    for words in (["--limit", "1", "--run", kept], []):
        done = run("design", "regions", path, "--at-most", "1", *words)
        assert done.returncode in (0, 3), done.stderr
        assert "volume" not in done.stderr
    assert run("runs", "resume", kept).returncode in (0, 3)
    path.write_text(text.replace('"B"', '"A"'), "utf-8")
    assert "a second part is named 'A'" in run("design", "regions", path).stderr
    path.write_text(text.partition("[[parts]]")[0], "utf-8")
    with pytest.raises(PuzzleError, match="has none"):
        design_regions(path)


def test_regions_of_a_list_and_by_chance() -> None:
    puzzle = domino_puzzle(4)
    listed = design_regions(puzzle, [box(2, 4), box(1, 8), box(3, 3)])
    found = [(each.region, each.solutions, each.exact) for each in listed]
    assert found == [({"art": ["XXXX", "XXXX"]}, 2, False), ({"art": ["XXXXXXXX"]}, 1, True)]
    drawn = [design_regions(puzzle, at_most=1, symmetric=2, search="sample", seed=3, samples=20) for _ in range(2)]
    assert told(drawn[0]) == told(drawn[1])
    assert drawn[0].summary.counted == 20
    assert not drawn[0].summary.complete
    with pytest.raises(PuzzleError, match="give each part a count"):
        design_regions(pentominoes(5, 5))


def test_regions_by_chance_are_connected_symmetric_and_distinct() -> None:
    lattice = latcover.load_lattice("hexagonal")
    seen = set()
    for cells, _ in zip(random_shapes(lattice, 9, lattice.transformations, 1, 3), range(10), strict=False):
        key, order = least_image(cells, lattice.transformations)
        assert order >= 3
        assert key not in seen
        seen.add(key)
    assert len(seen) == 10


def test_a_region_and_its_mirror_image_differ_for_parts_of_one_hand() -> None:
    assert len(motions_of(one_sided("L", "J"), reflections=True)) == 8
    assert len(motions_of(one_sided("L"), reflections=True)) == 4


def test_files_of_designs_say_what_is_known(tmp_path: Path) -> None:
    for number, each in enumerate(design(one_sided("L", "J", "O")), 1):
        path = tmp_path / f"{number}.toml"
        path.write_text(puzzle_as_toml([each.as_puzzle(f"design {number}", "all")]))
        again = latcover.load(str(path))
        answer = latcover.count(again, latcover.CountRequest(backend="dlx"))
        assert (answer.different, answer.total) == (again.expect["different"], again.expect["total"])
        assert answer.different == each.solutions
