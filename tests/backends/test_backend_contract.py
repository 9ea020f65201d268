"""What every backend promises, tested on each of them against brute force."""

from __future__ import annotations

import _thread
import gc
import threading
from collections.abc import Callable
from inspect import getgeneratorlocals
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import OURS, create, describe, names
from latcover.backends.frontier import can_count
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.core.cover.simpler import without_implied_item
from latcover.core.solving import guard
from latcover.core.solving.guard import iterate
from latcover.errors import BackendFailedError, BackendUnavailableError, UnsupportedError
from tests.dice import cases
from tests.oracle import (
    Cover,
    any_coloured_problem,
    any_problem,
    branches_by_level,
    coloured_problem,
    cover_problem,
    covers,
)
from tests.processes import GUARD, wait_until
from tests.shipped import rest_long
from tests.small_problems import ENDLESS, HOPELESS, SMALL, pigeons

T = TypeVar("T")
NO_LIMITS = Limits()
SAME_TREE = ("auto", "dlx", "backtrack", "bitset")  # by problems without cells; test_backtrack.py compares others
THREADED = "minicard"  # a SAT solver that can be interrupted, and so needs no process of its own
# LONG: with --long only
VARIANTS: dict[str, list[dict[str, object]]] = {  # options with which a backend is tested besides its defaults
    "dlx": [{"size": False}],
    "backtrack": [{"size": True}],
    "auto": [{"size": False}],
    "sat": [{"solver": THREADED, "encoding": "native"}],
}
LONG: dict[str, list[dict[str, object]]] = {"sat": [{"solver": "cadical153", "encoding": "seqcounter"}]}
# What a process for each search changes nothing about; the variant without one is always tested.
WHATEVER_PROCESS = {
    "test_covers_with_colours_are_those_of_brute_force",
    "test_corner_cases",
    "test_same_covers_in_the_same_order_every_time",
    "test_limits_that_are_not_reached_do_not_show",
    "test_batches_are_well_formed_and_the_first_is_handed_over_at_once",
    "test_depth_is_not_bounded_by_the_stack",
    "test_batches_stay_valid_after_the_search",
    "test_iterate_gives_the_same_covers",
    "test_a_backend_without_colours_is_not_asked_about_them",
    "test_limit_of_covers",
    "test_closing_iterate_early_ends_its_thread",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what asks for a backend with all of ours, or with those that --backend chooses."""
    if "backend" not in metafunc.fixturenames:
        return
    wanted = metafunc.config.getoption("--backend")
    chosen = names() if wanted == "all" else [wanted] if wanted else list(OURS)
    more = LONG if metafunc.config.getoption("--long") else {}
    variants = [(name, options) for name in chosen for options in [{}, *VARIANTS.get(name, []), *more.get(name, [])]]
    usual = [
        variant
        for variant in variants
        if wanted or variant != ("sat", {}) or metafunc.function.__name__ not in WHATEVER_PROCESS
    ]
    metafunc.parametrize("backend", rest_long(variants, usual), indirect=True, ids=[_id(*each) for each in variants])


def _id(name: str, options: dict[str, object]) -> str:
    return "-".join([name, *(f"{key}={value}" for key, value in options.items())])


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    name, options = request.param
    try:
        return create(name, **options)
    except BackendUnavailableError as reason:
        pytest.skip(str(reason))


def examples(backend: Backend, most: int) -> int:
    """How many random problems *backend* is tried on: fewer where a search takes milliseconds, or a process."""
    if backend.name not in SAME_TREE:
        most = min(most, 2 if getattr(backend, "solver", THREADED) != THREADED else 50)
    return most


def takes_no_copies(backend: Backend, problem: CoverProblem) -> bool:
    """Whether an item of *problem* may be held more often than *backend* can."""
    return backend.name == "frontier" and not can_count(without_implied_item(problem))


def hopeless(backend: Backend, problem: CoverProblem) -> CoverProblem:
    """*problem*, or one that the frontier does not solve at once either."""
    return pigeons(24) if backend.name == "frontier" else problem


def branch_limit(backend: Backend, limit: int) -> int | None:
    """*limit*, for a backend that can keep it."""
    return limit if backend.limits_branches else None


ONE_COVER = cover_problem([[0]], [(1, 1)])
SHARED = coloured_problem([{0: 0, 2: 7}, {1: 0, 2: 7}], [(1, 1), (1, 1), (0, 1)])  # one cover, of both options

long_problems = pytest.mark.parametrize("problem", [ENDLESS, HOPELESS], ids=["endless", "hopeless"])


def search(backend: Backend, problem: CoverProblem, limits: Limits = NO_LIMITS) -> tuple[list[Cover], SearchResult]:
    """All covers as they come, and the outcome."""
    found: list[Cover] = []

    def keep(batch: Batch) -> bool:
        found.extend(tuple(sorted(cover.tolist())) for cover in batch)
        return True

    return found, backend.search(SearchTask(problem, keep, limits))


def ignore(_: object) -> bool:
    """Take a batch of covers, or a report of progress, and go on."""
    return True


def into(received: list[T], enough: int | None = None) -> Callable[[T], bool]:
    """A callback that keeps what it takes, and goes on, until that is *enough*."""

    def keep(what: T) -> bool:
        received.append(what)
        return len(received) != enough

    return keep


def test_covers_are_those_of_brute_force(backend: Backend) -> None:
    @cases(examples(backend, 30), problem=any_problem)
    def compare(problem: CoverProblem) -> None:
        compare_with_brute_force(backend, problem)

    compare()


def compare_with_brute_force(backend: Backend, problem: CoverProblem) -> None:
    if takes_no_copies(backend, problem):
        with pytest.raises(UnsupportedError, match="once, or any number of times"):
            search(backend, problem)
        return
    expected = covers(problem)
    found, outcome = search(backend, problem)
    assert len(found) == len(set(found))
    assert set(found) == expected
    statistics = outcome.figures
    assert outcome.stop is Stop.EXHAUSTED
    assert statistics.covers == len(expected)
    assert (statistics.first_seconds is None) == (not expected)
    if statistics.branches is not None:
        assert statistics.branches == sum(statistics.branches_by_level)
        assert statistics.deepest == len(statistics.branches_by_level)
        assert statistics.deepest >= max(map(len, expected), default=0)


def test_a_backend_without_colours_is_not_asked_about_them(backend: Backend) -> None:
    if backend.honours_colours:
        assert guard.search(backend, SearchTask(SHARED, ignore)).figures.covers == 1
    else:
        with pytest.raises(UnsupportedError, match="does not support item colours"):
            guard.search(backend, SearchTask(SHARED, ignore))


def test_covers_with_colours_are_those_of_brute_force(backend: Backend) -> None:
    if not backend.honours_colours:
        pytest.skip("knows no colours, and says so")
    shared = 0

    @cases(examples(backend, 30), problem=any_coloured_problem)
    def compare(problem: CoverProblem) -> None:
        nonlocal shared
        compare_with_brute_force(backend, problem)
        shared += covers(problem) != covers(replace(problem, option_colours=np.empty(0, np.int32)))

    compare()
    assert shared > 0  # colours made a difference


CORNER_CASES = [
    (cover_problem([], []), [()]),
    (cover_problem([], [(1, 1)]), []),
    (cover_problem([[0]], [(0, 0)]), [()]),
    (cover_problem([[]], [(0, 1)]), [(), (0,)]),
    (cover_problem([[0], [0], [0]], [(2, 2)]), [(0, 1), (0, 2), (1, 2)]),
    (cover_problem([[0], [0]], [(0, 1)]), [(), (0,), (1,)]),
    (cover_problem([[0], [0, 1], [1]], [(1, 1), (0, 1)]), [(0,), (0, 2), (1,)]),
]


def test_corner_cases(backend: Backend) -> None:
    problems = CORNER_CASES if examples(backend, 100) > 2 else CORNER_CASES[4:6]
    for problem, expected in problems:
        if takes_no_copies(backend, problem):
            continue
        assert sorted(search(backend, problem)[0]) == expected


@cases(30, problem=any_problem)
def test_branches_are_those_of_the_tree_that_all_share(backend: Backend, problem: CoverProblem) -> None:
    if backend.name not in SAME_TREE:
        pytest.skip("walks a tree of its own")
    statistics = backend.search(SearchTask(problem, ignore)).figures
    assert statistics.branches_by_level == branches_by_level(problem, size=getattr(backend, "size", True))


@cases(30, problem=any_coloured_problem)
def test_branches_with_colours_are_those_of_the_tree(backend: Backend, problem: CoverProblem) -> None:
    if backend.name not in SAME_TREE or not backend.honours_colours:
        pytest.skip("walks a tree of its own, or knows no colours")
    statistics = backend.search(SearchTask(problem, ignore)).figures
    assert statistics.branches_by_level == branches_by_level(problem, size=getattr(backend, "size", True))


def test_same_covers_in_the_same_order_every_time(backend: Backend) -> None:
    assert search(backend, SMALL)[0] == search(backend, SMALL)[0]


def test_backends_know_their_names(backend: Backend) -> None:
    assert backend.name in names()


def test_unknown_backends_and_options_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="no backend 'dlxx'; did you mean 'dlx'"):
        create("dlxx")
    with pytest.raises(UnsupportedError, match="no option 'colour'; it has size, strand"):
        create("dlx", colour=True)


def test_options_may_be_text() -> None:
    assert create("dlx", size="no", strand="sums") == create("dlx", size=False, strand="sums")
    assert create("dlx", size="TRUE", strand=None) == create("dlx")
    for key in ("name", "self"):  # as requests from elsewhere may say
        with pytest.raises(UnsupportedError, match=f"backend 'dlx' has no option '{key}'"):
            create("dlx", **{key: "dlx"})
    with pytest.raises(UnsupportedError, match="'size' of backend 'dlx' cannot be 'perhaps'; it takes true or false"):
        create("dlx", size="perhaps")
    with pytest.raises(UnsupportedError, match=r"'strand'.* cannot be 'some'; it takes no, rows, anchor, sums"):
        create("dlx", strand="some")


@pytest.mark.parametrize("name", names())
def test_every_backend_describes_itself(name: str) -> None:
    summary, options = describe(name)
    assert len(summary) > 20
    assert summary.endswith(".")
    assert create(name, **{option.name: option.default for option in options}) == create(name)


# Limits


@pytest.mark.parametrize("limit", [0, 1, 280])
def test_limit_of_covers(backend: Backend, limit: int) -> None:
    found, outcome = search(backend, SMALL, Limits(covers=limit))
    assert outcome.stop is Stop.SOLUTION_LIMIT
    assert len(set(found)) == len(found) == outcome.figures.covers == limit


@pytest.mark.parametrize("limit", [0, 1, 10_000])
def test_limit_of_branches(backend: Backend, limit: int) -> None:
    task = SearchTask(ENDLESS, ignore, Limits(branches=limit))
    if not backend.limits_branches:
        with pytest.raises(UnsupportedError, match=f"{backend.name}.* branches"):
            guard.search(backend, task)
        return
    outcome = guard.search(backend, task)
    assert outcome.stop is Stop.BRANCH_LIMIT
    assert outcome.figures.branches == limit


def test_limits_that_are_not_reached_do_not_show(backend: Backend) -> None:
    found, outcome = search(backend, SMALL, Limits(282, branch_limit(backend, 10**9), GUARD))
    assert outcome.stop is Stop.EXHAUSTED
    assert len(found) == 281


@pytest.mark.parametrize("seconds", [0, 0.03])
def test_limit_of_time(backend: Backend, seconds: float) -> None:
    problem = hopeless(backend, HOPELESS) if seconds else ENDLESS
    outcome = backend.search(SearchTask(problem, ignore, Limits(seconds=seconds)))
    assert outcome.stop is Stop.TIME_LIMIT


# Callbacks


def test_batches_are_well_formed_and_the_first_is_handed_over_at_once(backend: Backend) -> None:
    batches: list[Batch] = []
    outcome = backend.search(SearchTask(SMALL, into(batches)))
    assert len(batches[0]) == 1
    assert len(batches) > 1
    assert sum(map(len, batches)) == outcome.figures.covers == 281
    for batch in batches:
        assert batch.starts.dtype == np.dtype(np.int64)
        assert batch.options.dtype == np.dtype(np.int32)
        assert batch.starts[0] == 0
        assert batch.starts[-1] == len(batch.options)
        assert len(list(batch)) == len(batch) > 0


def test_batches_stay_valid_after_the_search(backend: Backend) -> None:
    batches: list[Batch] = []
    backend.search(SearchTask(SMALL, into(batches)))
    kept = {tuple(sorted(cover.tolist())) for batch in batches for cover in batch}
    assert kept == set(search(backend, SMALL)[0])


def test_false_from_on_covers_cancels(backend: Backend) -> None:
    batches: list[Batch] = []

    def third_time_is_enough(batch: Batch) -> bool:
        batches.append(batch)
        return len(batches) < 3

    outcome = backend.search(SearchTask(ENDLESS, third_time_is_enough, Limits(seconds=GUARD)))
    assert outcome.stop is Stop.CANCELLED
    assert len(batches) == 3
    assert outcome.figures.covers == sum(map(len, batches))


@long_problems
def test_progress_goes_forward_and_false_from_on_progress_cancels(backend: Backend, problem: CoverProblem) -> None:
    seen: list[Progress] = []
    outcome = backend.search(SearchTask(hopeless(backend, problem), ignore, Limits(seconds=GUARD), into(seen, 3)))
    assert outcome.stop is Stop.CANCELLED
    assert len(seen) == 3
    for earlier, later in pairwise(seen):
        assert earlier.seconds <= later.seconds
        assert earlier.covers <= later.covers
        assert (earlier.branches or 0) <= (later.branches or 0)
        assert (earlier.share or 0) <= (later.share or 0)


def test_progress_is_the_exact_share_of_the_tree(backend: Backend) -> None:
    n = 20  # items, each to be covered by one of three options of its own: the covers are leaves of equal share
    problem = cover_problem([[item] for item in range(n) for _ in range(3)], [(1, 1)] * n)
    seen: list[Progress] = []
    backend.search(SearchTask(problem, ignore, Limits(seconds=GUARD), into(seen, 2)))
    assert seen
    for progress in seen:
        if progress.share is not None:
            assert progress.share * 3**n == pytest.approx(progress.covers, abs=2)


class MishapError(Exception):
    """Raised in callbacks."""


def test_exceptions_in_callbacks_are_passed_on(backend: Backend) -> None:
    def fail(_: object) -> bool:
        raise MishapError

    with pytest.raises(MishapError):
        backend.search(SearchTask(SMALL, fail))
    with pytest.raises(MishapError):
        guard.search(backend, SearchTask(ENDLESS, ignore, Limits(seconds=GUARD), fail))
    assert len(search(backend, SMALL)[0]) == 281  # nothing is left over from the failures


def test_a_search_may_start_another(backend: Backend) -> None:
    inner: list[int] = []

    def search_again(_: Batch) -> bool:
        if len(inner) < 2:
            inner.append(len(search(backend, ONE_COVER)[0]))
        return True

    outcome = backend.search(SearchTask(SMALL, search_again))
    assert outcome.figures.covers == 281
    assert inner == [1, 1]


# Threads and signals


def test_iterate_gives_the_same_covers(backend: Backend) -> None:
    found = [tuple(sorted(cover.tolist())) for batch in iterate(backend, SMALL) for cover in batch]
    assert found == search(backend, SMALL)[0]


def searching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "latcover-search"]


def test_closing_iterate_early_ends_its_thread(backend: Backend) -> None:
    found = iterate(backend, ENDLESS)
    assert len(next(found)) >= 1
    assert len(searching()) == 1
    wait_until(getgeneratorlocals(found)["batches"].full)  # type: ignore[arg-type]  # now it waits
    found.close()  # type: ignore[attr-defined]
    assert searching() == []


def test_iterate_passes_errors_on() -> None:
    class Faulty(Backend):
        @property
        def name(self) -> str:
            return "faulty"

        def search(self, task: SearchTask) -> SearchResult:
            task.on_covers(Batch(np.array([0, 1]), np.array([0], dtype=np.int32)))
            raise MishapError

    found = iterate(Faulty(), ONE_COVER)
    assert [cover.tolist() for cover in next(found)] == [[0]]
    with pytest.raises(BackendFailedError, match="backend 'faulty' failed: MishapError"):
        next(found)
    assert searching() == []


@long_problems
def test_threads_run_during_a_search_and_may_interrupt_it(backend: Backend, problem: CoverProblem) -> None:
    """A search that lets no other thread run ends by its limit of time instead; without covers it calls nobody."""
    done = threading.Event()

    def tick() -> None:
        for _ in range(20):
            done.wait(0.001)
        _thread.interrupt_main()

    def begin() -> None:
        thread.start()
        backend.search(SearchTask(hopeless(backend, problem), ignore, Limits(seconds=GUARD)))

    thread = threading.Thread(target=tick)
    gc.disable()  # what is raised while garbage is collected would be lost
    try:
        with pytest.raises(KeyboardInterrupt):
            begin()
    finally:
        thread.join()
        gc.enable()


# Size


def test_depth_is_not_bounded_by_the_stack(backend: Backend) -> None:
    n = 20_000 if backend.name == "dlx" or backend == create("backtrack") else 5_000
    found, outcome = search(backend, cover_problem([[item] for item in range(n)], [(1, 1)] * n))
    assert outcome.stop is Stop.EXHAUSTED
    assert found == [tuple(range(n))]
