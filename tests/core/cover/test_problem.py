"""Cover problems: what their arrays must satisfy, and how puzzles become such problems."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.encode import encode, neighbour_graph
from latcover.core.encoding.placement import CellIndex, placements
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle, Region, as_cells
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice
from tests.random_puzzles import box, make_part, make_puzzle

SQUARE = load_lattice("square")
TURNED = SQUARE.allowed("rotations")
SINGLE = [(0, 0, 0)]
DOMINO = [(0, 0, 0), (0, 0, 1)]
CORNER = [(0, 0, 0), (0, 0, 1), (0, 1, 0)]


def make_problem(
    starts: Sequence[int] = (0, 2),
    items: Sequence[int] = (0, 1),
    low: Sequence[int] = (1, 1),
    high: Sequence[int] = (1, 1),
) -> CoverProblem:
    return CoverProblem(
        np.array(starts, dtype=np.int64),
        np.array(items, dtype=np.int32),
        np.array(low, dtype=np.int32),
        np.array(high, dtype=np.int32),
    )


def test_sound_arrays_are_taken() -> None:
    problem = make_problem(starts=[0, 1, 1, 3], items=[1, 0, 1])
    assert (problem.n_options, problem.n_items) == (3, 2)
    assert [problem.items_of(option).tolist() for option in range(3)] == [[1], [], [0, 1]]


def test_arrays_are_made_contiguous_and_of_the_right_type() -> None:
    arrays: list[Any] = [np.array(x, dtype=np.int16)[::2] for x in ([0, 9, 2], [0, 9, 1], [1, 9, 1], [1, 9, 1])]
    problem = CoverProblem(*arrays)
    assert problem.option_starts.dtype == np.int64
    for array in (problem.option_items, problem.low, problem.high):
        assert array.dtype == np.int32
        assert array.flags.c_contiguous


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"starts": []}, "option_starts must ascend"),
        ({"starts": [1, 2]}, "option_starts must ascend"),
        ({"starts": [0, 1]}, "option_starts must ascend"),
        ({"starts": [0, 3]}, "option_starts must ascend"),
        ({"starts": [0, 2, 1, 2]}, "option_starts must ascend"),
        ({"starts": [[0, 2]]}, "one-dimensional"),
        ({"items": [0, 2]}, "does not exist"),
        ({"items": [-1, 1]}, "does not exist"),
        ({"items": [1, 0]}, "items of an option must ascend"),
        ({"items": [1, 1]}, "items of an option must ascend"),
        ({"low": [1]}, "same length"),
        ({"low": [-1, 1]}, "0 <= low <= high"),
        ({"low": [2, 1]}, "0 <= low <= high"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(change: dict[str, Sequence[int]], complaint: str) -> None:
    with pytest.raises(PuzzleError, match=complaint):
        make_problem(**change)


def with_colours(colours: Sequence[int], low: Sequence[int] = (1, 0), high: Sequence[int] = (1, 1)) -> CoverProblem:
    return replace(make_problem(low=low, high=high), option_colours=np.array(colours))


def test_colours_are_taken_and_none_at_all_is_an_empty_array() -> None:
    problem = with_colours([0, 3])
    assert problem.has_colours
    assert (problem.option_colours.dtype, problem.option_colours.tolist()) == (np.int32, [0, 3])
    for problem in (with_colours([]), with_colours([0, 0]), make_problem()):
        assert not problem.has_colours
        assert len(problem.option_colours) == 0


@pytest.mark.parametrize(
    ("colours", "low", "high", "complaint"),
    [
        ([0], (1, 0), (1, 1), "each entry of option_items"),
        ([0, 1, 1], (1, 0), (1, 1), "each entry of option_items"),
        ([0, -1], (1, 0), (1, 1), "each entry of option_items"),
        ([0, 2**31], (1, 0), (1, 1), "option_colours must be one-dimensional"),
        ([1, 1], (1, 0), (1, 1), r"item 0 has a colour and the bounds \[1, 1\]"),
        ([0, 1], (1, 0), (1, 2), r"item 1 has a colour and the bounds \[0, 2\]"),
        ([0, 1], (1, 0), (1, 0), r"item 1 has a colour and the bounds \[0, 0\]"),
    ],
)
def test_colours_that_contradict_the_items_are_refused(
    colours: Sequence[int], low: Sequence[int], high: Sequence[int], complaint: str
) -> None:
    with pytest.raises(PuzzleError, match=complaint):
        with_colours(colours, low, high)


def test_items_need_not_ascend_from_one_option_to_the_next() -> None:
    assert make_problem(starts=[0, 0, 1, 1, 2], items=[1, 0]).n_options == 4


# Encoding


def full(puzzle: Puzzle, axes: Sequence[int] | None = None) -> CoverProblem:
    return encode(puzzle, placements(puzzle, axes))[0]


def test_neighbours_in_two_rows_of_three() -> None:
    region = Region(as_cells([(0, r, c) for r in range(2) for c in range(3)], 2))
    starts, neighbours = neighbour_graph(CellIndex(region), SQUARE)
    rows = [neighbours[a:b].tolist() for a, b in pairwise(starts)]
    assert rows == [[1, 3], [0, 2, 4], [1, 5], [0, 4], [1, 3, 5], [2, 4]]


def test_neighbours_round_a_ring() -> None:
    puzzle = make_puzzle(box(SQUARE, (4, 1), (4, 0)), [make_part("single", SINGLE, TURNED, 4, 4)])
    problem = full(puzzle)
    assert problem.neighbour_starts.tolist() == [0, 2, 4, 6, 8]
    assert problem.neighbours.tolist() == [1, 3, 0, 2, 1, 3, 0, 2]


def test_cells_are_numbered_across_the_short_side() -> None:
    puzzle = make_puzzle(box(SQUARE, (2, 3)), [make_part("domino", DOMINO, TURNED, 3, 3)])
    by_column = [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]]
    assert placements(puzzle).region.cells[:, 1:].tolist() == by_column
    assert placements(puzzle, (1, 0)).region.cells[:, 1:].tolist() == by_column
    assert placements(puzzle, (0, 1)).region.cells[:, 1:].tolist() == sorted(by_column)


def test_items_are_cells_then_parts() -> None:
    parts = [make_part("corner", CORNER, TURNED, 1, 1), make_part("single", SINGLE, TURNED, 1, 2)]
    puzzle = make_puzzle(box(SQUARE, (2, 2)), parts, optional=[(0, 1, 1)])
    problem = full(puzzle, (0, 1))
    assert problem.low.tolist() == [1, 1, 1, 0, 1, 1]
    assert problem.high.tolist() == [1, 1, 1, 1, 1, 2]
    assert (problem.n_cells, problem.part_sizes.tolist()) == (4, [3, 1])
    options = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    assert sorted(options[:4]) == [[0, 1, 2, 4], [0, 1, 3, 4], [0, 2, 3, 4], [1, 2, 3, 4]]
    assert options[4:] == [[0, 5], [1, 5], [2, 5], [3, 5]]


@pytest.mark.parametrize(
    ("low", "high", "has_item"), [(0, None, False), (0, 4, False), (0, 3, True), (1, None, True), (1, 4, True)]
)
def test_parts_that_nothing_limits_have_no_item(low: int, high: int | None, has_item: bool) -> None:
    puzzle = make_puzzle(box(SQUARE, (2, 2)), [make_part("single", SINGLE, TURNED, low, high)])
    problem = full(puzzle)
    assert problem.n_items == 4 + has_item
    assert len(problem.part_sizes) == has_item


def test_exclusions_of_a_reduction_are_secondary_items_after_the_parts() -> None:
    bars = [
        make_part("long", [(0, 0, 0), (0, 0, 1), (0, 0, 2)], TURNED, 1, 1),
        make_part("domino", DOMINO, TURNED, 1, 1),
    ]
    puzzle = make_puzzle(box(SQUARE, (3, 3)), [*bars, make_part("single", SINGLE, TURNED, 4, 4)])
    prepared = prepare(puzzle, Choices("all"))
    problem = prepared.problem
    n_exclusions = len(prepared.reduction.exclusions)
    assert n_exclusions > 0
    assert problem.n_items == 9 + 3 + n_exclusions
    assert problem.low[12:].tolist() == [0] * n_exclusions
    assert problem.high[12:].tolist() == [1] * n_exclusions
    assert problem.n_options == prepared.reduction.kept.sum() < len(prepared.table)


def test_options_are_the_placements_that_are_kept_in_their_order() -> None:
    puzzle = make_puzzle(box(SQUARE, (2, 3)), [make_part("corner", CORNER, TURNED, 2, 2)])
    table = placements(puzzle)
    problem, option_placement = encode(puzzle, table)
    assert option_placement.tolist() == list(range(len(table)))
    for option, placement in enumerate(option_placement):
        cells = table.cells[table.starts[placement] : table.starts[placement + 1]]
        assert problem.items_of(option).tolist() == [*sorted(cells.tolist()), 6]
