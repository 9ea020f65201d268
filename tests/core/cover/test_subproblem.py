"""Searches cut into jobs: every cover lies in one job, and branches add up to those of a search in one go."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, SearchTask
from latcover.core.cover.subproblem import EXTENSION, Job, SearchTree, restrict, split
from latcover.core.encoding.prepared import prepare
from latcover.errors import PuzzleError
from latcover.files.formats.library import load
from tests.dice import Dice, cases
from tests.oracle import (
    Cover,
    any_coloured_problem,
    any_problem,
    coloured_problem,
    cover_problem,
    covers,
    either_problem,
)

SAME_TREE = {
    "dlx": create("dlx"),
    "dlx-first": create("dlx", size=False),
    "bitset": create("bitset", threads=1),
    "backtrack": create("backtrack"),
    "backtrack-size": create("backtrack", size=True),
}
OTHERS = {"cpsat": create("cpsat"), "sat": create("sat", solver="minicard"), "auto": create("auto")}


def jobs_of(tree: SearchTree, draw_pieces: list[int]) -> tuple[list[Job], Counter[int], int]:
    """Cut the whole search, some pieces again, and so on; what was tried above the jobs by level, and dead ends."""
    jobs, tried, dead_ends = [Job()], Counter[int](), 0
    for k, pieces in enumerate(draw_pieces):
        if not jobs:
            break
        at = (7 * k) % len(jobs)
        cut = tree.cut(jobs[at], pieces)
        jobs[at : at + 1] = [piece.job for piece in cut.pieces]
        tried.update(dict(enumerate(cut.branches_by_level)))
        dead_ends += cut.dead_ends
        assert sum(piece.share for piece in cut.pieces) + cut.closed == pytest.approx(1)
    return jobs, tried, dead_ends


def search_jobs(tree: SearchTree, jobs: list[Job], backend: Backend) -> tuple[list[Cover], list[SearchResult]]:
    found: list[Cover] = []
    outcomes = []
    for job in jobs:
        sub = tree.restrict(job)

        def keep(batch: Batch, sub: object = sub) -> bool:
            found.extend(tuple(sorted(cover.tolist())) for cover in sub.in_full(batch))  # type: ignore[attr-defined]
            return True

        outcomes.append(backend.search(SearchTask(sub.problem, keep)))
    return found, outcomes


def compare(problem: CoverProblem, backend: Backend, pieces: list[int], *, same_tree: bool) -> None:
    tree = SearchTree(problem, backend.rule)
    jobs, tried, dead_ends = jobs_of(tree, pieces)
    found, outcomes = search_jobs(tree, jobs, backend)
    assert len(found) == len(set(found))
    assert set(found) == covers(problem)
    if not same_tree:
        return
    whole = backend.search(SearchTask(problem, lambda _: True)).figures
    for job, outcome in zip(jobs, outcomes, strict=True):
        for level, number in enumerate(outcome.figures.branches_by_level, len(job.chosen)):
            tried[level] += number
    levels = [tried[level] for level in range(max((k for k in tried if tried[k]), default=-1) + 1)]
    assert levels == list(whole.branches_by_level)
    assert dead_ends + sum(o.figures.dead_ends or 0 for o in outcomes) == whole.dead_ends


def several(dice: Dice) -> list[int]:
    return [dice.between(2, 9) for _ in range(dice.between(0, 8))]


@pytest.mark.parametrize("name", SAME_TREE)
def test_jobs_hold_every_cover_once_and_their_branches_add_up(name: str) -> None:
    @cases(30, problem=any_problem, pieces=several)
    def check(problem: CoverProblem, pieces: list[int]) -> None:
        once = bool((problem.high <= 1).all())
        compare(problem, SAME_TREE[name], pieces, same_tree=once or name in ("dlx", "bitset"))

    check()


@pytest.mark.parametrize("name", ["dlx", "dlx-first"])
def test_branches_of_jobs_add_up_with_colours(name: str) -> None:
    @cases(30, problem=any_coloured_problem, pieces=several)
    def check(problem: CoverProblem, pieces: list[int]) -> None:
        once = bool((problem.high <= 1).all())
        compare(problem, SAME_TREE[name], pieces, same_tree=once or name == "dlx")

    check()


@pytest.mark.parametrize("name", OTHERS)
def test_jobs_of_other_backends_hold_every_cover_once(name: str) -> None:
    @cases(4, problem=either_problem, pieces=several)
    def check(problem: CoverProblem, pieces: list[int]) -> None:
        compare(problem, OTHERS[name], pieces, same_tree=False)

    check()


def test_an_extended_cover_is_reported_by_itself_and_then_extended() -> None:
    problem = cover_problem([[0], [1], [1]], [(1, 1), (0, 2)])
    below = split(problem, Job((0,)))
    itself, *extended = [piece.job for piece in below.pieces]
    assert itself == Job((0,), ((EXTENSION, 3),))
    assert extended == [Job((0, 1), ((EXTENSION, 1),)), Job((0, 2), ((EXTENSION, 2),))]
    assert restrict(problem, itself).problem.n_options == 0
    assert restrict(problem, extended[0]).options.tolist() == [2]


def test_a_chosen_colour_leaves_options_of_the_same_colour() -> None:
    options = [{0: 0, 1: 1}, {0: 0, 1: 2}, {2: 0, 1: 1}, {2: 0, 1: 2}, {2: 0, 1: 0}, {2: 0}]
    problem = coloured_problem(options, [(1, 1), (0, 1), (1, 1)])
    assert restrict(problem, Job((0,))).options.tolist() == [2, 5]
    assert restrict(problem, Job((4,))).options.tolist() == []
    assert restrict(problem, Job((5,))).options.tolist() == [0, 1]


@pytest.mark.parametrize("job", [Job((9,)), Job((-1,)), Job((0, 0)), Job((0, 1))])
def test_jobs_that_the_problem_cannot_have_are_refused(job: Job) -> None:
    with pytest.raises(PuzzleError, match="a job has"):
        restrict(cover_problem([[0], [0]], [(1, 1)]), job)


@pytest.mark.parametrize("strand", ["anchor", "sums", "rows"])
@pytest.mark.parametrize("backend", ["dlx", "backtrack"])
def test_stranding_is_right_for_what_is_left(backend: str, strand: str) -> None:
    prepared = prepare(load("pent-20x3"))
    solver = create(backend, size=True, strand=strand)
    tree = SearchTree(prepared.problem, solver.rule)
    jobs, *_ = jobs_of(tree, [6, 20, 40, 40])
    found, _ = search_jobs(tree, jobs, solver)
    assert len(jobs) > 20
    assert len(found) == len(set(found)) == 2


def test_cells_parts_and_neighbours_are_those_that_are_left() -> None:
    prepared = prepare(load("soma"))
    whole = prepared.problem
    for option in range(0, whole.n_options, 17):
        sub = restrict(whole, Job((option,)))
        held = set(whole.items_of(option).tolist())
        assert sub.items.tolist() == [item for item in range(whole.n_items) if item not in held]
        rest = sub.problem
        assert rest.n_cells == sum(item not in held for item in range(whole.n_cells))
        assert len(rest.part_sizes) == len(whole.part_sizes) - 1
        for cell in range(rest.n_cells):
            left = sub.items[rest.neighbours[rest.neighbour_starts[cell] : rest.neighbour_starts[cell + 1]]].tolist()
            number = int(sub.items[cell])
            neighbours = whole.neighbours[whole.neighbour_starts[number] : whole.neighbour_starts[number + 1]]
            assert left == [n for n in neighbours.tolist() if n not in held]


def test_pieces_come_in_the_order_of_the_search() -> None:
    problem = replace(prepare(load("soma")).problem)
    backend = create("dlx")
    one_go: list[Cover] = []
    backend.search(SearchTask(problem, lambda batch: one_go.extend(tuple(sorted(c.tolist())) for c in batch) is None))
    tree = SearchTree(problem)
    found, _ = search_jobs(tree, [piece.job for piece in tree.cut(Job(), 100).pieces], backend)
    assert found == one_go
    assert np.unique(found, axis=0).shape[0] == len(one_go)
