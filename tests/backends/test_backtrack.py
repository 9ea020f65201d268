"""The direct method: the paper's own figures, its tree, and every way in which it compares masks."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.backends.compiled import kernels
from latcover.core.cover.backend import collect
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from tests.dice import cases
from tests.oracle import any_problem, branches_by_level, cover_problem

# Barequet and Tal (2010), Table 1: BT; the last is pent-6x5x2's, which takes seconds
PAPER = [
    pytest.param("pent-8x8-minus-2x2", None, 2_757_203, 65),
    pytest.param("pent-10x6", None, 10_595_621, 2339),
    pytest.param("pent-10x3x2", (0, 2, 1), 1_315_930, 12),
    pytest.param("pent-6x5x2", None, 107_590_605, 264, marks=pytest.mark.long),
]


def statistics(problem: CoverProblem, name: str, **options: object) -> SearchFigures:
    return create(name, **options).search(SearchTask(problem, lambda _: True)).figures


@pytest.mark.parametrize(("name", "order", "branches", "different"), PAPER)
def test_placements_tried_are_those_of_the_paper(
    name: str, order: tuple[int, ...] | None, branches: int, different: int
) -> None:
    prepared = prepare(load(name), Choices(reduction="paper", pivot="F", order=order))
    answer = run(prepared, create("backtrack", size=False, strand="no"))
    assert (answer.branches, answer.different) == (branches, different)


@pytest.mark.parametrize(
    ("name", "choices", "theirs", "within"),
    [
        ("pent-8x8-minus-2x2", Choices(), 117_723, 0.02),
        pytest.param("pent-10x6", Choices(), 1_732_537, 0.02, marks=pytest.mark.long),
        ("pent-big-y", Choices("rotations"), 205_230, 0.02),
        ("pent-10x3x2", Choices(order=(0, 2, 1)), 74_947, 0.1),
        pytest.param("pent-6x5x2", Choices(), 759_343, 0.1, marks=pytest.mark.long),
        ("pent-strip", Choices("rotations"), 14_274, 0.1),
        pytest.param("pent-5x4x3", Choices(), 10_107_229, 0.02, marks=pytest.mark.long),
    ],
)
def test_dancing_links_with_size_come_near_the_papers(name: str, choices: Choices, theirs: int, within: float) -> None:
    prepared = prepare(load(name), replace(choices, reduction="paper", pivot="F"))
    branches = run(prepared, create("dlx")).branches
    assert branches == pytest.approx(theirs, rel=within)


@cases(125, problem=any_problem, n_cells=lambda dice: dice.between(0, 6), size=lambda dice: dice.chance(50))
def test_cells_come_first(problem: CoverProblem, n_cells: int, size: bool) -> None:
    problem = replace(problem, n_cells=min(n_cells, problem.n_items))
    tried = statistics(problem, "backtrack", size=size).branches_by_level
    assert tried == branches_by_level(problem, size=size, cells_first=True)


@pytest.mark.parametrize("name", ["pent-10x3x2", "pairs-4x4x5", "sphere-pyramid-2", "hex-prisms", "fig4-3x3", "soma"])
def test_without_size_the_tree_is_that_of_dancing_links(name: str) -> None:
    problem = prepare(load(name)).problem
    limits = Limits(branches=50_000)
    trees = [
        create(backend, size=False).search(SearchTask(problem, lambda _: True, limits)).figures.branches_by_level
        for backend in ("dlx", "backtrack")
    ]
    assert trees[0] == trees[1]


def padded(problem: CoverProblem, items: int) -> CoverProblem:
    """The same problem with so many items more before its own that nothing has to hold."""
    low, high = np.zeros(items, np.int32), np.ones(items, np.int32)
    return CoverProblem(
        problem.option_starts,
        problem.option_items + np.int32(items),
        np.concatenate([low, problem.low]),
        np.concatenate([high, problem.high]),
    )


@pytest.mark.parametrize("items", [0, 1, 60, 64, 120, 300, 500, 505, 520, 1000])  # masks of 1 to 8 words; and none
@pytest.mark.parametrize("size", [False, True])
def test_however_many_words_a_mask_has(items: int, size: bool) -> None:
    problem = prepare(load("fig4-3x3"), Choices("none")).problem
    many = cover_problem([[i] for i in range(7)] * 2, [(1, 1), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (1, 1)])
    for each in (problem, many):
        wide = padded(each, items)
        found = collect(create("backtrack", size=size), wide)
        assert len(found) == len(set(found)) > 0
        assert set(found) == set(collect(create("dlx"), each))


@pytest.mark.parametrize("kernel", [name for name, runs_here in kernels().items() if runs_here])
@pytest.mark.parametrize("size", [False, True])
def test_every_unit_walks_the_same_tree(kernel: str, size: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = prepare(load("pent-10x3x2")).problem
    backend, limits = create("backtrack", size=size), Limits(branches=50_000)
    expected = backend.search(SearchTask(problem, lambda _: True, limits)).figures
    monkeypatch.setenv("LATCOVER_KERNEL", kernel)
    found = backend.search(SearchTask(problem, lambda _: True, limits)).figures
    assert (found.covers, found.branches_by_level) == (expected.covers, expected.branches_by_level)


def test_a_kernel_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATCOVER_KERNEL", "fastest")
    with pytest.raises(UnsupportedError, match="LATCOVER_KERNEL asks for a kernel 'fastest'"):
        statistics(prepare(load("soma")).problem, "backtrack")
