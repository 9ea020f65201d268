"""Puzzles written as files of ours read back as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Bounds, Part, Puzzle, as_cells
from latcover.core.model.puzzle_checks import complaints_about
from latcover.errors import PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.library import load_all, load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from latcover.show.reporting.puzzle_figures import info_as_json
from tests.dice import Dice, cases
from tests.random_puzzles import puzzles
from tests.shipped import every_file

EVERYTHING = """
name = "everything"
title = "quotes \\" and [brackets], a line\\u2028separator, ñ"
lattice = "triprism"
[colours]
A = "red"
b = "Blue"
c = "beige"
[rules]
stands_on = { red = ["Blue"] }
apart = ["red", ["red", "Blue"]]
across = "corners"
[sides]
keys = ["k1", "k2"]
locks = ["l1", "l2"]
fits = { k1 = ["l1"], k2 = ["l1", "l2"] }
flat_meets = ["flat", "locks"]
locks_meet_locks = true
may_look_out = ["keys"]
[region]
cells = [[0, 0, 0, "down"], [0, 0, 0, "up"], [0, 1, 0, "down"], [0, 1, 0, "up"], [3, 3, 1, "up"]]
colours = ["Blue", "", "", "red", ""]
optional = [[3, 3, 1, "up"], [0, 0, 0, "down"]]
max_empty = 1
alike = [{ cells = [[0, 0, 0, "up"], [0, 1, 0, "up"]] }, { box = [1, 1, 1], at = [0, 1, 0] }]
[[parts]]
name = "one"
min = 0
max = 2
transformations = ["sixth turn"]
cells = [[0, 0, 0, "down"], [0, 0, 0, "up"]]
colours = ["red", ""]
sides = [{ cell = [0, 0, 0, "up"], edge = "up-northeast", is = "k1" },
         { cell = [0, 0, 0, "down"], edge = "down-north", is = "l2" }]
[[parts]]
name = "two"
count = "unlimited"
transformations = "fixed"
cells = [[0, 0, 0, "up"]]
[[parts]]
name = "three"
min = 1
colour = "Blue"
cells = [[0, 0, 0, "up"]]
[expect]
total = 7
long = true
[[published]]
figure = "total"
value = 8
source = "nowhere"
reason = "made up"
"""
SEVERAL = """
name = "several"
lattice = "square"
[colours]
R = "red"
G = "green"
[[parts]]
name = "domino"
art = "RX"
[[parts]]
name = "bar"
count = 2
art = "XXX"
[[puzzles]]
name = "first"
title = "the first"
region = { art = ["GRRR", "RRRR"] }
rules = { stands_on = { red = ["green"] } }
[[puzzles]]
name = "second"
source = "made up"
region = { art = ["GRRR", "RRRR", "XX.."] }
[[puzzles.parts]]
name = "extra"
art = "XX"
"""


def shape(cells: np.ndarray, *also: list[Any]) -> list[tuple[Any, ...]]:
    """Cells, wherever they lie, with what else is told of them, in no order."""
    moved = cells.copy()
    moved[:, 1:] -= moved[:, 1:].min(axis=0)
    return sorted(zip(map(tuple, moved.tolist()), *also, strict=True))


def plain(puzzle: Puzzle) -> dict[str, Any]:
    """All that a file says of a puzzle, as plain data."""
    region, rules, edges = puzzle.region, puzzle.rules, puzzle.lattice.half_edges

    def named(colours: Any) -> list[str]:
        return [puzzle.colours[colour] for colour in colours]

    parts = []
    for part in puzzle.parts:
        low = part.cells[:, 1:].min(axis=0)
        sides = sorted(
            ((part.cells[k, 1:] - low).tolist(), int(part.cells[k, 0]), edges[label].label, rules.sides[value])
            for k, label, value in part.sides.tolist()
        )
        motions = [motion.labels for motion in part.transformations]
        parts.append((part.name, part.low, part.high, motions, shape(part.cells, named(part.colours)), sides))
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[region.cells[:, 0]]
    return {
        "about": (puzzle.name, puzzle.title, puzzle.source, puzzle.lattice.name, puzzle.long, puzzle.published),
        "expect": dict(puzzle.expect),
        "region": shape(region.cells, named(region.colours), (region.optional & ~secondary).tolist()),
        "bounds": (region.period, region.max_empty),
        "parts": parts,
        "stands_on": sorted(tuple(named(pair)) for pair in rules.stands_on),
        "apart": sorted(sorted(named(pair)) for pair in rules.apart),
        "rules": (rules.across_corners, sorted(sorted(named(group)) for group in rules.exchangeable)),
        "sides": (rules.sides, rules.fits.tolist(), rules.open_sides.tolist(), rules.rim, rules.exchangeable_values),
        "asked": _asked(puzzle),
        "alike": sorted(shape(np.array(group), [0] * len(group)) for group in rules.alike),
    }


def _asked(puzzle: Puzzle) -> list[Any]:
    low = puzzle.region.cells[:, 1:].min(axis=0)
    return sorted(((np.array(c[1:]) - low).tolist(), c[0], label, value) for c, label, value in puzzle.rules.asked)


def again(tmp_path: Path, given: tuple[Puzzle, ...] | list[Puzzle]) -> tuple[Puzzle, ...]:
    file = tmp_path / "written.toml"
    file.write_text(puzzle_as_toml(given), encoding="utf-8")
    return load_all(str(file))


@every_file
def test_shipped_puzzles(name: str, tmp_path: Path) -> None:
    given = load_all(name)
    found = again(tmp_path, given)
    assert [plain(puzzle) for puzzle in found] == [plain(puzzle) for puzzle in given]
    for old, new in zip(given, found, strict=True):
        assert info_as_json(prepare(new)) == info_as_json(prepare(old))


@pytest.mark.parametrize("text", [EVERYTHING, SEVERAL], ids=["everything", "several"])
def test_all_that_a_file_can_say(text: str, tmp_path: Path) -> None:
    file = tmp_path / "given.toml"
    file.write_text(text, encoding="utf-8")
    given = load_all(str(file))
    found = again(tmp_path, given)
    assert [plain(puzzle) for puzzle in found] == [plain(puzzle) for puzzle in given]


def varied(dice: Dice) -> Puzzle:
    lattice = dice.pick(["square", "cubic", "triangular", "polystick", "fcc"])
    puzzle = puzzles(lattice, coloured=dice.chance(50), periodic=dice.chance(50))(dice)
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[puzzle.region.cells[:, 0]]
    puzzle = replace(puzzle, region=replace(puzzle.region, optional=puzzle.region.optional | secondary))
    if (puzzle.region.optional & ~secondary).any():
        puzzle = replace(puzzle, region=replace(puzzle.region, max_empty=dice.between(0, 2)))
    used = sorted({int(colour) for part in puzzle.parts for colour in part.colours} - {0})
    if used and dice.chance(50):
        puzzle = replace(puzzle, rules=replace(puzzle.rules, stands_on=frozenset({(used[0], 1), (used[0], 2)})))
    return puzzle


@cases(30, puzzle=varied)
def test_random_puzzles(tmp_path: Path, puzzle: Puzzle) -> None:
    (found,) = again(tmp_path, [puzzle])
    assert plain(found) == plain(puzzle)


def unfinished(puzzle: Puzzle) -> list[Puzzle]:
    """What an editor may hold on the way to another puzzle: too few parts, or cells, or two parts of one name."""
    region = puzzle.region
    one = replace(region, cells=region.cells[:1], colours=region.colours[:1], optional=np.zeros(1, np.bool_))
    ways = ({"parts": ()}, {"parts": puzzle.parts[:1]}, {"parts": puzzle.parts + puzzle.parts[:1]}, {"region": one})
    return [replace(puzzle, expect={}, published=(), warnings=(), **way) for way in ways]


@pytest.mark.parametrize("name", ["soma", "disc-cylinder", "tetrasticks-5x5", "hex-prisms", "pent-10x6"])
def test_unfinished_puzzles(name: str) -> None:
    """They read back for an editor, with warnings, and for nobody else."""
    for given in unfinished(load_all(name)[0]):
        source = Source(puzzle_as_toml([given]).encode(), "mine.toml", shipped)
        (found,) = read(source, Bounds(), unfinished=True).values()
        assert isinstance(found, Puzzle)
        assert plain(found) == plain(given)
        faults = [complaint.message for complaint in complaints_about(given) if not complaint.warning]
        told = [warning.message for warning in found.warnings]
        assert all(any(text.endswith(fault) for text in told) for fault in faults)
        if faults:
            with pytest.raises(PuzzleFileError):
                read(source, Bounds())


def test_drawings_read_as_people_write_them(tmp_path: Path) -> None:
    text = puzzle_as_toml(load_all("pent-10x3x2"))
    assert 'layers = [[".XX", "XX.", ".X."]]' in text
    assert "box = [10, 3, 2]" in text
    assert 'art = [\n    "X.",\n    "X.",\n    "X.",\n    "XX",\n]' in puzzle_as_toml(load_all("pent-10x6"))
    assert '[0, 1, "east"], [0, 1, "south"], ' in puzzle_as_toml(load_all("tangram-square"))


def test_a_part_of_far_cells_is_a_list() -> None:
    (puzzle,) = load_all("fig4-3x3")
    far = replace(puzzle.parts[0], cells=as_cells([[0, 0, 0], [0, 90, 90]], 2), colours=np.zeros(2, np.int32))
    assert "cells = [[0, 0], [90, 90]]" in puzzle_as_toml([replace(puzzle, parts=(far,))])


def test_what_goes_into_no_file() -> None:
    (flat,), (solid,) = load_all("fig4-3x3"), load_all("soma")
    with pytest.raises(PuzzleError, match="no puzzle to write"):
        puzzle_as_toml([])
    with pytest.raises(PuzzleError, match="different lattices"):
        puzzle_as_toml([flat, solid])
    with pytest.raises(PuzzleError, match="same name"):
        puzzle_as_toml([flat, flat])
    with pytest.raises(PuzzleError, match="two colours of one name"):
        puzzle_as_toml([replace(flat, colours=("", "red", "red"))])
    odd = tuple(load_lattice("square").transformations[:3])  # no group
    part: Part = replace(flat.parts[0], transformations=odd)
    with pytest.raises(UnsupportedError, match="no names for"):
        puzzle_as_toml([replace(flat, parts=(part, *flat.parts[1:]))])
