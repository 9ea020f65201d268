"""What a page is told of a puzzle to play: read again here, it is the cover problem, and what pictures draw."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.apps.publishing.rule_words import rule_words
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.source import names
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.space.packed_numbers import pack_numbers
from tests.page_data import puzzle_played, row_read
from tests.shipped import FEW, rest_long
from tests.show.drawing.test_scene_data import corners, corners_of_data

# One puzzle of many rules is left out: to tell of it takes longer than to tell of all others.
every_kind = pytest.mark.parametrize("name", rest_long(sorted({*names("instances")} - {"dominoes-quadrilles"}), FEW))


def loaded(name: str) -> Puzzle:
    return latcover.load(name, problem="1") if name.startswith("tetrasticks") else latcover.load(name)


@cache
def told(name: str) -> dict[str, Any]:
    return puzzle_played(prepare(loaded(name)))


def row(text: str) -> Any:
    """A packed row, read by itself."""
    return row_read(text).astype(np.int64)


def starts(sizes: Any) -> Any:
    return np.concatenate([[0], np.cumsum(sizes)])


@pytest.mark.parametrize(
    ("values", "name"),
    [([], "u1"), ([0, 255], "u1"), ([256], "u2"), ([65536], "i4"), ([-1, 3], "i4"), ([2**31 - 1], "i4")],
)
def test_numbers_are_packed_as_narrowly_as_they_allow(values: list[int], name: str) -> None:
    text = pack_numbers(values)
    assert text.startswith(f"{name}:")
    assert row(text).tolist() == values


def test_what_32_bits_do_not_hold_is_not_packed() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        pack_numbers([2**31])


@every_kind
@pytest.mark.long
def test_the_whole_problem_is_told_whatever_symmetry_the_search_uses(name: str) -> None:
    data = told(name)
    puzzle = loaded(name)
    problem, _ = encode(puzzle, placements(puzzle))  # a search leaves out what wastes too much; a player need not
    cover = data["cover"]
    assert (cover["n_options"], cover["n_items"]) == (problem.n_options, problem.n_items)
    assert (cover["n_cells"], cover["n_parts"]) == (problem.n_cells, len(problem.part_sizes))
    for key, array in (("items", problem.option_items), ("low", problem.low), ("high", problem.high)):
        np.testing.assert_array_equal(row(cover[key]), array)
    np.testing.assert_array_equal(starts(row(cover["sizes"])), problem.option_starts)
    np.testing.assert_array_equal(row(cover["colours"]) if "colours" in cover else [], problem.option_colours)
    assert len(data["item_words"]) == problem.n_items - problem.n_cells - len(problem.part_sizes)


def options_of(full: Prepared, solution: latcover.Solution) -> list[int]:
    """The options whose placements a solution holds."""
    number = {full.entry(int(p)): o for o, p in enumerate(full.option_placement.tolist()) if p >= 0}
    return [number[placed] for placed in solution.placements]


@every_kind
def test_options_are_drawn_as_every_picture_draws_them(name: str) -> None:
    puzzle, data = loaded(name), told(name)
    full = prepare(puzzle).in_full()
    solution = next(latcover.solutions(puzzle), None)
    if solution is None:
        pytest.skip("there is no solution to draw")
    options, units = data["options"], np.array(data["cells"]["units"]).reshape(-1, 3)
    shape, stand, way = row(options["shape"]), row(options["stand"]), row(options["orientation"])
    first = row(data["orientations"]["first"])
    drawn = [item for item in scene.of_solution(puzzle, solution).items if not item.faint]
    for option, placed, item in zip(options_of(full, solution), solution.placements, drawn, strict=True):
        here = corners_of_data(data["shapes"][shape[option]], units[stand[option]])
        assert Counter(map(tuple, np.round(here, 3) + 0.0)) == Counter(map(tuple, np.round(corners(item), 3) + 0.0))
        part = int(np.searchsorted(first, way[option], side="right")) - 1
        assert data["parts"][part]["name"] == placed.part
        if not puzzle.region.period:  # there the shape of an orientation depends on where it lies
            assert row(data["orientations"]["shape"])[way[option]] == shape[option]


@pytest.mark.parametrize("name", ["pent-10x6", "hexiamonds-6x6", "soma", "sphere-pyramid-2", "hex-prisms", "live-cube"])
def test_turns_take_orientations_to_each_other(name: str) -> None:
    """The matrices of turns, applied to the centres of cells, say the same as the table."""
    puzzle, data = loaded(name), told(name)
    axes, lattice = puzzle.region.default_order(), puzzle.lattice
    for part, turned in zip(puzzle.parts, data["parts"], strict=True):
        own = orientations(part, axes)
        looks = [as_drawn(lattice.centres(o.cells), o.colours) for o in own]
        turns, table = row(turned["turns"]), row(turned["to"]).reshape(-1, len(own))
        assert len(turns) == len(table) == len(part.transformations) - 1
        for turn, images in zip(turns, table, strict=True):
            matrix = np.array(data["turns"][turn]).reshape(3, 3)
            for orientation, image in zip(own, images, strict=True):
                centres = np.pad(lattice.centres(orientation.cells), ((0, 0), (0, 3 - lattice.dimension)))
                assert alike(as_drawn(centres @ matrix.T, orientation.colours), looks[image])


def as_drawn(centres: Any, colours: Any) -> Any:
    """Cells and their colours, wherever they lie: rows x, y, z, colour."""
    places = np.pad(centres, ((0, 0), (0, 3 - centres.shape[1])))
    return np.column_stack([places - places.mean(axis=0), colours])


def alike(one: Any, other: Any) -> bool:
    near = np.abs(one[:, None] - other).max(axis=2) < 1e-3
    return bool((near.sum(axis=0) == 1).all() and (near.sum(axis=1) == 1).all())


def test_rules_are_told_in_words() -> None:
    assert rule_words(loaded("soma")) == []
    assert rule_words(loaded("macmahon-squares")) == [
        "Sides that meet must have the same value.",
        "Every side that faces the outside must have amber.",
    ]
    assert rule_words(loaded("nine-cards"))[0] == "Amber head fits amber tail."
    assert rule_words(loaded("pent-stairs")) == ["Every part is optional."]
    assert rule_words(loaded("happy-cube-red")) == rule_words(loaded("bedlam")) == []
    assert rule_words(loaded("burr-piston")) == ["Pale cells may stay empty."]
    coloured = puzzle_played(prepare(loaded("notebook-coloured-5x5")))
    assert coloured["rules"][0] == "Red may not touch red of another part, not even at corners."
    assert set(coloured["item_words"]) == {"colours"}


ALIKE = """
name = "alike"
lattice = "square"
colours = { 0 = "red", 1 = "blue" }
parts = [{ name = "p", art = ["01"], count = 3 }]
region = { art = ["XXX", "XXX"], alike = [{ box = [2, 1] }] }
"""


def test_cells_that_must_be_alike_are_told_in_words() -> None:
    puzzle = latcover.loads(ALIKE)
    assert rule_words(puzzle) == ["In a group of cells all colours must be equal."]
    assert puzzle_played(prepare(puzzle))["item_words"] == ["alike"]
    other = latcover.loads(ALIKE.replace("rules", "") + 'rules = { apart = [["red", "red"]] }\n')
    told = puzzle_played(prepare(other))["item_words"]
    assert told == ["colours"] * (len(told) - 1) + ["alike"]


def test_a_puzzle_without_a_placement_is_told() -> None:
    data = puzzle_played(
        prepare(
            latcover.loads("""
name = "empty"
lattice = "square"
region = { art = ["++"] }
parts = [{ name = "too long", art = ["XXX"], min = 0 }]
""")
        )
    )
    assert data["cover"]["n_options"] == 0
    assert data["options"] == {"orientation": "u1:", "shape": "u1:", "stand": "u1:"}


def test_balls_on_a_ring_are_held_by_a_cell() -> None:
    data = puzzle_played(
        prepare(
            latcover.loads("""
name = "ring"
lattice = "fcc"
region = { box = [4, 1, 1], period = [4, 0, 0] }
parts = [{ name = "two", cells = [[0, 0, 0], [1, 0, 0]], count = 2 }]
""")
        )
    )
    assert data["cover"]["n_options"] == 4
    assert len(data["options"]["handle"]) > len("u1:")


def test_the_digest_tells_puzzles_apart() -> None:
    one, same, other = (puzzle_played(prepare(loaded(name))) for name in ("fig4-3x3", "fig4-3x3", "example-2x2"))
    assert one == same
    assert one["digest"] != other["digest"]
    assert one["known"] == {"different": 2, "total": 16}
