"""What `auto` picks, and that it says so."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.generated import random_cover
from latcover.backends import auto, create
from latcover.backends.reordered import Order, Reordered, crowded, spread
from latcover.backends.side_by_side import search_side_by_side
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.files.formats.library import load, load_lattice
from tests.oracle import coloured_problem, cover_problem
from tests.small_problems import HOPELESS, SMALL, dominoes, langford, without_corners


def search(problem: CoverProblem, limits: Limits = Limits(), **options: object) -> SearchResult:
    return create("auto", **options).search(SearchTask(problem, lambda _: True, limits))


def test_the_kernel_or_what_can_do_what_it_cannot() -> None:
    assert search(SMALL).backend == "bitset"
    assert search(SMALL, threads=1).backend == "bitset"
    assert search(SMALL, size=False).backend == "backtrack"
    assert search(prepare(load("soma")).problem, strand="anchor").backend == "dlx"


def test_only_a_single_cover_is_left_to_another() -> None:
    assert search(SMALL, Limits(covers=1)).backend == "bitset"
    assert search(HOPELESS, Limits(covers=1, seconds=0.02)).backend == "bitset"
    assert search(HOPELESS, Limits(covers=1, branches=1000)).backend == "bitset"
    assert search(HOPELESS, Limits(covers=2, seconds=0.02)).backend == "bitset"


def test_restarts_have_a_try_after_the_first_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "FIRST_WORK", 1)
    problem = replace(dominoes(8, 8), n_cells=64)
    received: list[list[int]] = []
    for _ in range(2):
        outcome = create("auto", threads=1).search(
            SearchTask(
                problem, lambda batch: bool(received.extend(c.tolist() for c in batch)) or True, Limits(covers=1)
            )
        )
        assert (outcome.stop, outcome.backend, outcome.notes) == (Stop.SOLUTION_LIMIT, "restarts", ())
    assert received[0] == received[1]
    assert len(received[0]) == 32


def test_a_moment_in_another_order_comes_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order the options of Langford's problem of 32 pairs need more than 200,000 branches."""
    problem = langford(32)
    received: list[list[int]] = []
    outcome = create("auto", threads=1).search(
        SearchTask(problem, lambda batch: bool(received.extend(c.tolist() for c in batch)) or True, Limits(covers=1))
    )
    assert (outcome.stop, outcome.backend) == (Stop.SOLUTION_LIMIT, "bitset")
    assert outcome.notes == ("bitset found nothing in 4,000 branches; then another order of the options had a try",)
    (cover,) = received
    held = np.concatenate([problem.items_of(option) for option in cover])
    assert (np.bincount(held, minlength=problem.n_items) == 1).all()


def test_the_least_crowded_options_find_what_the_others_hide() -> None:
    """Within what the first try may take, its own order finds nothing, and the crowded one does; each run alike."""
    options = [[int(item[1:]) for item in option] for option in random_cover(90, 15 / 90**2)]
    problem = cover_problem(options, [(1, 1)] * 90)
    within = Limits(covers=1, branches=8000)
    kernel = create("bitset", threads=1)

    def branches(backend: Backend) -> int | None:
        outcome = backend.search(SearchTask(problem, lambda _: True, within))
        return outcome.figures.branches if outcome.figures.covers else None

    assert branches(kernel) is None
    found = [branches(Reordered(kernel, crowded(seed))) for seed in range(3)]
    assert found == [branches(Reordered(kernel, crowded(seed))) for seed in range(3)]
    assert found[0]
    assert len(set(found)) > 1


@pytest.mark.parametrize("order", [spread, crowded(0), crowded(1)])
def test_another_order_has_the_same_covers(order: Order) -> None:
    options = [{0: 0, 3: 7}, {1: 0, 2: 7}, {1: 0, 3: 7}, {0: 0, 2: 1, 3: 1}]
    coloured = coloured_problem(options, [(1, 1), (1, 1), (0, 1), (0, 1)])
    for problem in (prepare(load("pent-10x3x2")).problem, coloured):
        found: list[set[tuple[int, ...]]] = []
        for backend in (create("bitset"), Reordered(create("bitset"), order)):
            covers: set[tuple[int, ...]] = set()
            backend.search(
                SearchTask(problem, lambda batch, to=covers: not to.update(tuple(sorted(c.tolist())) for c in batch))
            )  # type: ignore[misc]
            found.append(covers)
        assert found[0] == found[1]
        assert found[0]


def test_in_a_large_puzzle_restarts_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "LARGE", 0)
    problem = prepare(load("pent-10x6")).problem
    outcome = search(problem, Limits(covers=1), threads=1)
    assert (outcome.stop, outcome.backend, outcome.notes) == (Stop.SOLUTION_LIMIT, "restarts", ())
    assert search(langford(12), Limits(covers=1), threads=1).backend == "bitset"


def test_parts_of_very_different_sizes_fill_a_large_puzzle_from_its_corner() -> None:
    """Nine squares fill a rectangle (Moron 1925). Listed from the least, they are tried from the largest."""
    sizes = (1, 4, 7, 8, 9, 10, 14, 15, 18)
    parts = tuple(Part(str(size), box(size, size).cells) for size in sizes)
    problem = prepare(Puzzle("squares", load_lattice("square"), box(32, 33), parts)).problem
    assert len(problem.option_items) > auto.LARGE
    found = search(problem, Limits(covers=1))
    assert (found.backend, found.covers) == ("backtrack", 1)
    as_listed = create("backtrack").search(SearchTask(problem, lambda _: True, Limits(covers=1)))
    assert 10 * (found.branches or 0) < (as_listed.branches or 0)


def test_a_single_cover_that_takes_long_is_left_to_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "FIRST_WORK", 1 << 22)
    monkeypatch.setattr(auto, "TRY", 1000)
    outcome = search(without_corners(dominoes(10, 10)), Limits(covers=1))
    assert (outcome.stop, outcome.backend) == (Stop.EXHAUSTED, "cpsat")
    note = "bitset found nothing in 31,744 branches; then bitset, restarts and cpsat searched side by side"
    assert outcome.notes == (note,)
    cut = search(HOPELESS, Limits(covers=1, seconds=0.3))
    assert (cut.stop, cut.backend, cut.figures.covers) == (Stop.TIME_LIMIT, "", 0)


def test_side_by_side_the_first_that_decides_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "FIRST_WORK", 1)
    monkeypatch.setattr(auto, "TRY", 1)
    problem = prepare(load("soma")).problem
    received: list[list[int]] = []
    outcome = create("auto").search(
        SearchTask(problem, lambda batch: bool(received.extend(c.tolist() for c in batch)) or True, Limits(covers=1))
    )
    assert outcome.stop is Stop.SOLUTION_LIMIT
    (cover,) = received
    held = np.concatenate([problem.items_of(option) for option in cover])
    assert (np.bincount(held, minlength=problem.n_items) >= problem.low).all()


def test_one_that_fails_does_not_end_the_others() -> None:
    class Faulty(Backend):
        @property
        def name(self) -> str:
            return "faulty"

        def search(self, *_: object) -> SearchResult:
            raise MishapError

    problem = dominoes(4, 4)
    both = [Faulty(), create("dlx")]
    outcome = search_side_by_side(both, SearchTask(problem, lambda _: True))
    assert (outcome.stop, outcome.backend, outcome.figures.covers) == (Stop.SOLUTION_LIMIT, "dlx", 1)
    with pytest.raises(MishapError):
        search_side_by_side([Faulty()], SearchTask(problem, lambda _: True))


class MishapError(Exception):
    """Raised by a backend."""


@pytest.mark.parametrize("strand", ["anchor", "rows", "sums"])
def test_options_are_handed_on(strand: str) -> None:
    problem = prepare(load("pent-10x3x2")).problem
    expected = create("dlx", strand=strand).search(SearchTask(problem, lambda _: True)).figures.branches
    assert search(problem, strand=strand).figures.branches == expected
