"""The bitmap kernel: the tree of dancing links, in every form that this processor runs, on any number of threads."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends.bitset import Bitset
from latcover.backends.compiled import chosen_kernel, kernels
from latcover.backends.dlx import Dlx
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_all
from tests.dice import cases
from tests.oracle import branches_by_level, coloured_problem, cover_problem, covers, either_problem
from tests.shipped import every_file
from tests.small_problems import dominoes

Found = list[tuple[int, ...]]  # options in the order chosen

FEW = 20_000  # branches: what dancing links do in a moment
RUNNING = [name for name, runs_here in kernels().items() if runs_here]


every_kernel = pytest.mark.parametrize("kernel", RUNNING)


def search(backend: Backend, problem: CoverProblem, limits: Limits = Limits()) -> tuple[Found, SearchResult]:
    """The covers in the order found, and the outcome."""
    found: Found = []

    def keep(batch: Batch) -> bool:
        found.extend(tuple(cover.tolist()) for cover in batch)
        return True

    return found, backend.search(SearchTask(problem, keep, limits))


def figures(statistics: SearchFigures) -> tuple[object, ...]:
    """What must not depend on who walks the tree."""
    by_level = statistics.branches_by_level
    while by_level and by_level[-1] == 0:
        by_level = by_level[:-1]
    return statistics.covers, statistics.branches, by_level, statistics.dead_ends


def assert_same_search(backend: Backend, problem: CoverProblem, limits: Limits = Limits()) -> SearchResult:
    """That *backend* does what dancing links do, cover by cover."""
    expected, reference = search(Dlx(), problem, limits)
    found, outcome = search(backend, problem, limits)
    assert figures(outcome.figures) == figures(reference.figures)
    assert found == expected
    assert outcome.stop is reference.stop
    return outcome


@cache
def shipped(name: str) -> list[tuple[CoverProblem, Found, SearchResult]]:
    """The problems of a shipped file, each with what dancing links find within a few branches."""
    problems = [prepare(puzzle).problem for puzzle in load_all(name)]
    return [(problem, *search(Dlx(), problem, Limits(branches=FEW))) for problem in problems]


@every_file
def test_same_tree_and_covers_as_dancing_links(name: str) -> None:
    for (problem, expected, reference), kernel in product(shipped(name), RUNNING):
        found, outcome = search(Bitset(kernel=kernel), problem, Limits(branches=FEW))
        assert figures(outcome.figures) == figures(reference.figures), kernel
        assert found == expected, kernel
        assert outcome.stop is reference.stop
        assert outcome.notes == ()
        assert outcome.figures.native["kernel"] == kernel


@every_kernel
@pytest.mark.parametrize(("n", "lengths"), [(20, (2, 3, 4, 5)), (24, (2, 3, 4, 5)), (66, (2, 11, 23, 24))])
def test_an_item_that_may_be_held_more_often_than_it_must(n: int, lengths: tuple[int, ...], kernel: str) -> None:
    """Bars on a strip, the short ones once or twice: needed no more, they still bind, where no item is to spare."""
    bars = [(start, length) for start in range(n) for length in lengths if start + length <= n]
    options = [[*range(start, start + length), *([n] if length == 2 else [])] for start, length in bars]
    problem = cover_problem(options, [(1, 1)] * n + [(1, 2)])
    assert_same_search(Bitset(kernel=kernel), problem)


# Any problem


@every_kernel
@cases(60, problem=either_problem)
def test_every_kernel_against_brute_force(kernel: str, problem: CoverProblem) -> None:
    found, outcome = search(Bitset(kernel=kernel), problem)
    assert len(found) == len(set(found))
    assert {tuple(sorted(cover)) for cover in found} == covers(problem)
    assert outcome.figures.branches_by_level == branches_by_level(problem, size=True)
    assert outcome.notes == ()


@cases(60, problem=either_problem)
def test_every_limit_of_branches_is_met_exactly(problem: CoverProblem) -> None:
    branches = Dlx().search(SearchTask(problem, lambda _: True)).figures.branches
    for limit in range(min(branches or 0, 40) + 2):
        assert_same_search(Bitset(), problem, Limits(branches=limit))


@every_kernel
def test_limits_of_branches_within_a_puzzle(kernel: str) -> None:
    for limit in (1, 2, 511, 512, 513, 12_345):
        assert_same_search(Bitset(kernel=kernel), shipped("soma")[0][0], Limits(branches=limit))


@every_kernel
def test_figures_at_a_limit_of_covers_are_those_of_dancing_links(kernel: str) -> None:
    for limit, name in product((1, 2, 10, 100), ("soma", "hexiamonds-6x6", "sphere-pyramid-2")):
        assert_same_search(Bitset(kernel=kernel, threads=1), shipped(name)[0][0], Limits(covers=limit))


def random_problem(n_columns: int, n_rows: int, seed: int, *, counted: bool = False) -> CoverProblem:
    """A random problem with a cover: most items exactly once, some at most once, with *counted* some more than once."""
    random = np.random.default_rng(seed)
    n_once = max(1, n_columns * 3 // 4)
    low, high = np.zeros(n_columns, int), np.ones(n_columns, int)
    low[:n_once] = 1
    hidden = np.split(random.permutation(n_once), np.arange(4, n_once, 4))
    options = [tuple(sorted(part.tolist())) for part in hidden]
    more = max(0, n_rows - len(options))
    drawn = zip(random.integers(0, n_columns, (more, 6)).tolist(), random.integers(2, 7, more).tolist(), strict=True)
    options += [tuple(sorted(set(items[:size]))) for items, size in drawn]
    ordered = sorted(options)
    if counted:
        for item in random.choice(n_columns, 3, replace=False).tolist():
            low[item], high[item] = [(0, 2), (1, 3), (2, 2)][item % 3]
    places = random.permutation(n_columns)  # so that kinds of items are mixed
    low[places], high[places] = low.copy(), high.copy()
    return cover_problem(
        [sorted(places[list(option)].tolist()) for option in ordered],
        list(zip(low.tolist(), high.tolist(), strict=True)),
    )


COLUMNS = (5, 32, 33, 63, 64, 65, 96, 97, 128, 129, 256, 257, 513)
ROWS = (64, 65, 129, 257, 512, 513, 1025, 2000)
MANY_ROWS = (8192, 8193)


@pytest.mark.parametrize("counted", [False, True], ids=["once", "counted"])
@pytest.mark.parametrize("n_columns", COLUMNS)
def test_bounds_of_the_sizes_that_are_compiled(n_columns: int, counted: bool) -> None:
    for n_rows in (*(ROWS[1::2] if counted else ROWS), *(MANY_ROWS if n_columns in (5, 128, 513) else ())):
        problem, limits = random_problem(n_columns, n_rows, seed=n_rows, counted=counted), Limits(branches=300)
        expected, reference = search(Dlx(), problem, limits)
        for kernel in RUNNING:
            found, outcome = search(Bitset(kernel=kernel), problem, limits)
            assert figures(outcome.figures) == figures(reference.figures), (n_rows, kernel)
            assert (found, outcome.stop, outcome.notes) == (expected, reference.stop, ()), (n_rows, kernel)


@pytest.mark.parametrize("seed", range(30))
def test_random_problems_to_their_end(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_columns = int(random.integers(8, 40))
    problem = random_problem(n_columns, int(random.integers(n_columns, 4 * n_columns)), seed, counted=seed % 2 == 1)
    for kernel in RUNNING:
        assert_same_search(Bitset(kernel=kernel), problem, Limits(branches=FEW))


@every_kernel
def test_long_options(kernel: str) -> None:
    random = np.random.default_rng(1)
    options = {tuple(sorted(random.choice(60, random.integers(1, 40), replace=False).tolist())) for _ in range(300)}
    blocks = [tuple(range(k, k + 15)) for k in range(0, 60, 15)]
    problem = cover_problem(sorted({*options, *blocks}), [(1, 1)] * 60)
    assert assert_same_search(Bitset(kernel=kernel), problem).figures.covers >= 1


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_large_random_problems_to_their_end_and_to_every_limit(seed: int) -> None:
    """More items than lists hold: the top is walked with scores."""
    problem = random_problem(150 + 40 * seed, 260 + 70 * seed, seed)
    for kernel in RUNNING:
        outcome = assert_same_search(Bitset(kernel=kernel, threads=1), problem, Limits(branches=FEW))
        assert_same_search(Bitset(kernel=kernel, threads=1), problem, Limits(covers=1))
        if outcome.stop is Stop.EXHAUSTED:
            assert Bitset(kernel=kernel).count(problem).figures.covers == outcome.figures.covers
    for limit in (*range(1, 60), 511, 512, 513, 5_000):
        assert_same_search(Bitset(), problem, Limits(branches=limit))


def test_a_large_problem_on_several_threads() -> None:
    """A strip that lists cannot hold at once, and whose covers are known: Fibonacci's numbers."""
    strip, loose = 22, [[item] for item in range(22, 300)]
    options = [[cell, cell + 1] for cell in range(strip - 1)] + [[cell] for cell in range(strip)] + loose
    problem = cover_problem(options, [(1, 1)] * 300)
    one, _ = search(Bitset(threads=1), problem)
    several, _ = search(Bitset(threads=3), problem)
    assert one == several
    assert len(one) == 28_657


def test_more_rows_than_bitmaps_hold() -> None:
    options = [list(three) for three in combinations(range(75), 3)]
    assert len(options) > 1 << 16
    outcome = assert_same_search(Bitset(threads=1), cover_problem(options, [(1, 1)] * 75), Limits(branches=600))
    assert outcome.notes == ()


def test_what_is_too_large_is_searched_by_dancing_links_and_said() -> None:
    n = 20_000
    options = [[0, n - 1], *([item] for item in range(1, n))]
    found, outcome = search(Bitset(), cover_problem(options, [(1, 1)] * (n - 1) + [(2, 2)]))
    assert [sorted(cover) for cover in found] == [[*range(n)]]
    assert outcome.notes == (f"{n} options on {n} items are too many for bitmaps: dancing links searched instead",)
    assert outcome.figures.native["kernel"] == "dancing links"


def test_deep_searches_within_bitmaps() -> None:
    n = 1000
    outcome = assert_same_search(Bitset(), cover_problem([[item] for item in range(n)], [(1, 1)] * n))
    assert outcome.notes == ()
    added = cover_problem([[0]] * n, [(0, n - 1)])  # any subset but the whole
    outcome = Bitset().search(SearchTask(added, lambda _: True, Limits(branches=10 * n)))
    assert outcome.figures.deepest == n - 1
    assert outcome.figures.covers == 10 * n + 1


@pytest.mark.parametrize("items", [40, 64, 65, 130, 200, 300, 700])
def test_extensions_beyond_one_word_of_columns(items: int) -> None:
    """Contexts in which nothing is needed any more cannot shrink for good; once they tried to, for ever."""
    problem = cover_problem([[item] for item in range(items)], [(1, 1)] + [(0, 1)] * (items - 1))
    assert_same_search(Bitset(threads=1), problem, Limits(branches=3000))


# Colours


def random_coloured(n_items: int, n_options: int, seed: int, *, counted: bool = False) -> CoverProblem:
    """A random problem with a cover, and as many items in colours again: some options hold these without a colour."""
    plain, random = random_problem(n_items, n_options, seed, counted=counted), np.random.default_rng(seed)
    colours = random.integers(1, 8, n_items) if seed % 3 else np.full(n_items, 2)  # how many each item has
    shown = random.integers(0, 1 << 20, n_items) % colours  # by half of the options: else few covers would be left
    options: list[dict[int, int]] = []
    for option in range(plain.n_options):
        held = random.choice(n_items, min(n_items, int(random.integers(0, 5))), replace=False).tolist()
        other = random.random() < 0.5
        seen = {
            n_items + item: int(random.integers(0, colours[item] + 1)) if other else int(shown[item] + 1)
            for item in held
        }
        options.append(dict.fromkeys(plain.items_of(option).tolist(), 0) | seen)
    bounds = list(zip(plain.low.tolist(), plain.high.tolist(), strict=True)) + [(0, 1)] * n_items
    return coloured_problem(options, bounds)


@pytest.mark.parametrize("counted", [False, True], ids=["once", "counted"])
@pytest.mark.parametrize("n_items", [5, 33, 65, 129, 300])
def test_colours_at_the_bounds_of_the_sizes_that_are_compiled(n_items: int, counted: bool) -> None:
    for n_options in (65, 300, 1200, *((9000,) if n_items == 33 and not counted else ())):
        problem, limits = random_coloured(n_items, n_options, n_options, counted=counted), Limits(branches=1000)
        expected, reference = search(Dlx(), problem, limits)
        for kernel in RUNNING:
            found, outcome = search(Bitset(kernel=kernel), problem, limits)
            assert figures(outcome.figures) == figures(reference.figures), (n_options, kernel)
            assert (found, outcome.stop, outcome.notes) == (expected, reference.stop, ()), (n_options, kernel)


@pytest.mark.parametrize("n_columns", [1, 16, 17, 32, 33, 64, 65, 254, 255])
def test_colours_in_columns_that_fill_octets(n_columns: int) -> None:
    """So many items, of which every other has `ways` options and the others three."""
    limits = Limits(branches=300)
    for ways in (8, 9, 64, 65, 248, 249, 256):
        random = np.random.default_rng(ways)
        options = [
            {item: 0, n_columns + int(random.integers(5)): int(random.integers(1, 4)), n_columns + 5 + k % 7: 1 + k % 2}
            for item in range(n_columns)
            for k in range(3 if item % 2 else ways)
        ]
        problem = coloured_problem(options, [(1, 1)] * n_columns + [(0, 1)] * 12)
        expected, reference = search(Dlx(), problem, limits)
        for kernel in RUNNING:
            found, outcome = search(Bitset(kernel=kernel, threads=1), problem, limits)
            assert figures(outcome.figures) == figures(reference.figures), (ways, kernel)
            assert (found, outcome.stop, outcome.notes) == (expected, reference.stop, ()), (ways, kernel)


@pytest.mark.parametrize("seed", range(20))
def test_coloured_problems_to_their_end_and_to_every_limit(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_items = int(random.integers(8, 60))
    n_options = int(random.integers(2 * n_items, 8 * n_items))
    problem = random_coloured(n_items, n_options, seed, counted=seed % 4 == 3)
    for kernel in RUNNING:
        outcome = assert_same_search(Bitset(kernel=kernel, threads=1), problem, Limits(branches=FEW))
        assert_same_search(Bitset(kernel=kernel, threads=1), problem, Limits(covers=2))
        if outcome.stop is Stop.EXHAUSTED:
            for memory in (0, 1):
                counted = Bitset(kernel=kernel, memory=memory).count(problem).figures
                assert counted.covers == outcome.figures.covers
    for limit in (*range(1, 40), 511, 512, 513, 5_000):
        assert_same_search(Bitset(), problem, Limits(branches=limit))


def edge_tilings(rows: int, columns: int, colours: int, twos: int | None = None) -> CoverProblem:
    """Squares with a colour on each side, without limit, in a rectangle: the sides that meet agree.

    There are squares of every kind; or those with so many sides of the second colour.
    """
    n_cells = rows * columns
    options: list[dict[int, int]] = []
    for r, c in product(range(rows), range(columns)):
        left = n_cells + r * (columns + 1) + c
        top = n_cells + rows * (columns + 1) + r * columns + c
        shown = (left, left + 1, top, top + columns)
        every = [sides for sides in product(range(1, colours + 1), repeat=4) if twos in (None, sides.count(2))]
        options += [{r * columns + c: 0} | dict(zip(shown, sides, strict=True)) for sides in every]
    n_sides = rows * (columns + 1) + (rows + 1) * columns
    return coloured_problem(options, [(1, 1)] * n_cells + [(0, 1)] * n_sides)


@every_kernel
@pytest.mark.parametrize(("rows", "columns", "colours"), [(2, 3, 2), (4, 5, 2)])
def test_a_memo_knows_what_colours_are_left(rows: int, columns: int, colours: int, kernel: str) -> None:
    statistics = Bitset(kernel=kernel).count(edge_tilings(rows, columns, colours)).figures
    assert statistics.covers == colours ** (rows * (columns + 1) + (rows + 1) * columns)
    assert "memo_bytes" in statistics.native


@every_kernel
@pytest.mark.parametrize("twos", [1, 2])
def test_a_memo_tells_states_apart_whose_colours_leave_other_numbers_of_ways(twos: int, kernel: str) -> None:
    problem = edge_tilings(3, 4, 2, twos)
    plain, with_memo = (Bitset(kernel=kernel, memory=memory).count(problem).figures for memory in (0, 64))
    assert "memo_bytes" in with_memo.native
    assert with_memo.covers == plain.covers == Dlx().search(SearchTask(problem, lambda _: True)).figures.covers


# Threads


@pytest.mark.parametrize("name", ["pent-10x6", "dudeney-part", "counted", "loose", "coloured"])
def test_threads_walk_the_same_tree(name: str) -> None:
    problem = enough_for_threads(name)
    expected, reference = rows_found(Bitset(threads=1), problem)
    in_any_order = sorted(expected)
    assert (reference.figures.native["threads"], reference.figures.native["subproblems"]) == (1, 0)
    for threads, ordered in ((3, True), (2, False)):
        found, outcome = rows_found(Bitset(threads=threads, ordered=ordered), problem)
        assert figures(outcome.figures) == figures(reference.figures)
        assert found == expected if ordered else sorted(found) == in_any_order
        assert outcome.figures.native["threads"] == threads
        assert outcome.figures.native["subproblems"] > 0


def rows_found(backend: Backend, problem: CoverProblem) -> tuple[list[bytes], SearchResult]:
    """The covers in the order found, as bytes, of which there may be a hundred thousand; and the outcome."""
    found: list[bytes] = []

    def keep(batch: Batch) -> bool:
        found.extend(cover.tobytes() for cover in batch)
        return True

    return found, backend.search(SearchTask(problem, keep))


@cache
def enough_for_threads(name: str) -> CoverProblem:
    """A problem that takes one thread several hundredths of a second."""
    if name == "dudeney-part":  # with many covers
        whole = shipped("dudeney")[0][0]
        kept = [option for option in range(whole.n_options) if option % 6]
        return cover_problem(
            [whole.items_of(option).tolist() for option in kept], list(zip(whole.low, whole.high, strict=True))
        )
    if name == "loose":  # covers of any number of options, those of few above the split
        rows, columns = 4, 5
        across = [[columns * r + c, columns * r + c + 1] for r in range(rows) for c in range(columns - 1)]
        down = [[columns * r + c, columns * (r + 1) + c] for r in range(rows - 1) for c in range(columns)]
        return cover_problem(across + down, [(0, 1)] * (rows * columns))
    if name == "counted":  # optional cells, so that covers are found at every depth and extended
        n = 5
        across = [[n * r + c, n * r + c + 1, n * n] for r in range(n) for c in range(n - 1)]
        down = [[n * r + c, n * r + n + c, n * n + 1] for r in range(n - 1) for c in range(n)]
        return cover_problem(across + down, [(0, 1)] * n * n + [(6, 20), (3, 4)])
    if name == "coloured":  # a part of a board of tiles with sides
        return edge_tilings(2, 2, 3)
    return shipped(name)[0][0]


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("limit", [1, 100, 2000])
def test_limit_of_covers_with_threads(limit: int, ordered: bool) -> None:
    problem = enough_for_threads("pent-10x6")
    found, outcome = search(Bitset(threads=3, ordered=ordered), problem, Limits(covers=limit))
    assert outcome.stop is Stop.SOLUTION_LIMIT
    assert len(set(found)) == len(found) == outcome.figures.covers == limit
    if ordered:
        assert found == search(Bitset(threads=1), problem, Limits(covers=limit))[0]


def test_a_limit_of_branches_is_met_exactly_whatever_the_threads() -> None:
    problem = enough_for_threads("pent-10x6")
    assert_same_search(Bitset(threads=3), problem, Limits(branches=123_456))


def test_more_threads_than_the_covers_can_be_taken() -> None:
    """A receiver slower than its senders: these wait, and nothing is lost."""
    problem = enough_for_threads("counted")
    expected, _ = rows_found(Bitset(threads=1), problem)
    found, outcome = rows_found(Bitset(threads=4), problem)
    assert outcome.figures.native["subproblems"] > 0
    assert found == expected
    assert len(found) > 100_000


class MishapError(Exception):
    """Raised in callbacks."""


@pytest.mark.parametrize("ordered", [False, True])
def test_callbacks_end_searches_on_threads(ordered: bool) -> None:
    problem = enough_for_threads("counted")
    calls = 0

    def no_more(batch: Batch) -> bool:
        nonlocal calls
        calls += len(batch)
        return calls < 50_000

    outcome = Bitset(threads=3, ordered=ordered).search(SearchTask(problem, no_more))
    assert outcome.stop is Stop.CANCELLED
    assert outcome.figures.covers == calls

    def fail(batch: Batch) -> bool:
        if not no_more(batch):
            raise MishapError
        return True

    calls = 0
    with pytest.raises(MishapError):
        Bitset(threads=3, ordered=ordered).search(SearchTask(problem, fail))


def test_progress_on_threads_ends_near_the_whole() -> None:
    seen: list[Progress] = []

    def keep(progress: Progress) -> bool:
        seen.append(progress)
        return True

    problem = shipped("pent-5x4x3")[0][0]
    Bitset(threads=3).search(SearchTask(problem, lambda _: True, Limits(), keep))
    shares = [progress.share or 0.0 for progress in seen]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1 + 1e-9


# Choosing a kernel


def test_the_environment_chooses_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATCOVER_KERNEL", "portable")
    problem = cover_problem([[0]], [(1, 1)])
    assert Bitset().search(SearchTask(problem, lambda _: True)).figures.native["kernel"] == "portable"
    assert (
        Bitset(kernel=RUNNING[-1]).search(SearchTask(problem, lambda _: True)).figures.native["kernel"] == RUNNING[-1]
    )
    monkeypatch.delenv("LATCOVER_KERNEL")
    assert Bitset().search(SearchTask(problem, lambda _: True)).figures.native["kernel"] == RUNNING[-1]


def test_kernels_that_there_are_not_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match="the option kernel asks for a kernel 'fast'; the kernels are portable"):
        chosen_kernel("fast")
    monkeypatch.setenv("LATCOVER_KERNEL", "sse")
    with pytest.raises(UnsupportedError, match="LATCOVER_KERNEL asks for a kernel 'sse'"):
        chosen_kernel()
    monkeypatch.setattr("latcover.backends._native.kernels", lambda: {"portable": True, "avx512": False})
    with pytest.raises(UnsupportedError, match="'avx512', which this processor cannot run; it runs portable"):
        chosen_kernel("avx512")


@pytest.mark.parametrize("threads", [0, -1, 5000])
def test_impossible_numbers_of_threads_are_refused(threads: int) -> None:
    with pytest.raises(UnsupportedError, match="threads must be from 1 to"):
        Bitset(threads=threads)


# Counting


@every_kernel
@cases(50, problem=either_problem)
def test_counts_against_brute_force(kernel: str, problem: CoverProblem) -> None:
    expected = len(covers(problem))
    for memory in (0, 1):
        outcome = Bitset(kernel=kernel, memory=memory).count(problem)
        assert outcome.figures.covers == expected
        assert (outcome.figures.first_seconds is None) == (expected == 0)


@pytest.mark.parametrize("seed", range(30))
def test_counts_of_random_problems(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_columns = int(random.integers(8, 80))
    problem = random_problem(n_columns, int(random.integers(n_columns, 3 * n_columns)), seed, counted=seed % 3 == 2)
    expected = Dlx().search(SearchTask(problem, lambda _: True, Limits(branches=FEW)))
    if expected.stop is not Stop.EXHAUSTED:
        return
    for kernel in RUNNING:
        counted = [Bitset(kernel=kernel, memory=memory).count(problem).figures for memory in (0, 1, 64)]
        assert [statistics.covers for statistics in counted] == [expected.figures.covers] * 3
        assert figures(counted[0]) == figures(expected.figures)


@pytest.mark.parametrize("name", ["dudeney-part", "counted"])
def test_a_count_without_memo_tries_the_same_branches(name: str) -> None:
    problem = enough_for_threads(name)
    searched = Bitset(threads=1).search(SearchTask(problem, lambda _: True)).figures
    for threads, kernel in [(1, RUNNING[-1]), *((3, kernel) for kernel in RUNNING)]:
        counted = Bitset(threads=threads, memory=0, kernel=kernel).count(problem).figures
        assert figures(counted) == figures(searched)
        assert counted.branches_by_level == searched.branches_by_level


def arcs(n: int, length: int) -> list[list[int]]:
    """Every arc of so many places of a circle of n."""
    return [sorted((start + k) % n for k in range(length)) for start in range(n)]


@every_kernel
@pytest.mark.parametrize("n", [136, 200, 256])
def test_long_options_in_more_columns_than_lists_have(n: int, kernel: str) -> None:
    """Bitmaps take these, where the short options of random problems would make the matrix sparse."""
    for length in (n // 4, n // 2):
        assert_same_search(Bitset(kernel=kernel), cover_problem(arcs(n, length), [(1, 1)] * n))


@every_kernel
@pytest.mark.parametrize("n", [12, 136])  # in lists, and in bitmaps
def test_a_count_takes_pairs_in_one_step_and_knows_which_are_dead(n: int, kernel: str) -> None:
    """Halves of a circle, each of which has one other beside it, and three options that have none."""
    dead = [[*range(0, n, 2)], [0, *range(1, n - 1, 2)], [2, *range(3, n, 2)]]
    problem = cover_problem([*arcs(n, n // 2), *dead], [(1, 1)] * n)
    searched = Bitset(threads=1).search(SearchTask(problem, lambda _: True)).figures
    counted = Bitset(threads=1, memory=0, kernel=kernel).count(problem).figures
    assert figures(counted) == figures(searched)
    assert (counted.covers, counted.dead_ends) == (n // 2, 1)


def test_a_count_meets_its_limit_of_branches_exactly() -> None:
    """Also where two parts are left and no cell must be covered: a count may take all such pairs in one step."""
    whole = shipped("cut-3x3x3-hard")[0][0]
    low, high = whole.low.copy(), whole.high.copy()
    low[: whole.n_cells] = 0
    low[whole.n_cells] = high[whole.n_cells] = 0  # without the first part the rest fits in many ways
    problem = replace(whole, low=low, high=high)
    for limit in (0, 1, 1_000, 1_001, 12_345):
        expected = Bitset(threads=1).search(SearchTask(problem, lambda _: True, Limits(branches=limit)))
        for kernel in RUNNING:
            found = Bitset(threads=3, kernel=kernel).count(problem, Limits(branches=limit))
            assert (found.stop, figures(found.figures)) == (expected.stop, figures(expected.figures))


def domino_coverings(rows: int, columns: int) -> int:
    """Cell by cell, with the number of ways for each set of cells that stick out of what is filled."""
    ways = {0: 1}
    for cell in range(rows * columns):
        then: dict[int, int] = {}
        for out, count in ways.items():  # bit 0 is this cell
            if out & 1:
                choices = [out >> 1]
            else:
                choices = [out >> 1 | 1 << rows - 1] + ([out >> 1 | 1] if (cell + 1) % rows and not out & 2 else [])
            for choice in choices:
                then[choice] = then.get(choice, 0) + count
        ways = then
    return ways.get(0, 0)


@every_kernel
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (7, 7), (3, 14), (5, 8), (2, 100), (2, 300)])
def test_dominoes(rows: int, columns: int, kernel: str) -> None:
    statistics = Bitset(kernel=kernel).count(dominoes(rows, columns)).figures
    assert statistics.covers == domino_coverings(rows, columns)
    assert statistics.branches is None
    assert statistics.dead_ends is None


def test_known_counts() -> None:
    assert domino_coverings(8, 8) == 12_988_816
    assert domino_coverings(2, 300) > 2**200
    with pytest.raises(OverflowError, match="too many to count exactly"):
        Bitset().count(dominoes(2, 400))


@pytest.mark.parametrize("memory", [1, 2])
def test_a_memo_too_small_gives_the_same_count(memory: int) -> None:
    statistics = Bitset(memory=memory).count(dominoes(12, 12)).figures
    assert statistics.covers == 53_060_477_521_960_000
    assert statistics.native["memo_bytes"] <= memory << 20
    assert statistics.native["memo_hits"] > 0


# A028420 of the OEIS: n by n boards
@pytest.mark.parametrize(("size", "expected"), [(4, 10_012), (6, 2_989_126_727), (7, 11_945_257_052_321)])
def test_a_memo_of_dominoes_and_single_cells(size: int, expected: int) -> None:
    """Sets of cells may differ in one cell, as those that dominoes alone leave never do."""
    board = dominoes(size, size)
    options = [board.items_of(option).tolist() for option in range(board.n_options)]
    problem = cover_problem(sorted([*options, *([cell] for cell in range(size**2))]), [(1, 1)] * size**2)
    statistics = Bitset(memory=1).count(problem).figures
    assert statistics.covers == expected
    assert statistics.native["memo_entries"] > 0


def test_a_count_with_parts_keeps_no_memo() -> None:
    statistics = Bitset().count(shipped("soma")[0][0]).figures
    assert "memo_bytes" not in statistics.native
    assert statistics.branches == Dlx().search(SearchTask(shipped("soma")[0][0], lambda _: True)).figures.branches


def test_limits_of_a_count() -> None:
    problem = dominoes(9, 10)
    outcome = Bitset().count(problem, Limits(covers=1000))
    assert (outcome.stop, outcome.figures.covers) == (Stop.SOLUTION_LIMIT, 1000)
    outcome = Bitset().count(problem, Limits(branches=5000))
    assert outcome.stop is Stop.BRANCH_LIMIT
    assert Bitset().count(problem, Limits(seconds=0)).stop is Stop.TIME_LIMIT
    endless = dominoes(30, 30)
    assert Bitset().count(endless, Limits(seconds=0.1)).stop is Stop.TIME_LIMIT
    assert Bitset().count(endless, Limits(), lambda _: False).stop is Stop.CANCELLED
    assert Bitset(memory=0).count(endless, Limits(), lambda _: False).stop is Stop.CANCELLED
