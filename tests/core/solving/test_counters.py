"""The methods of counting agree with brute force, also where a problem falls apart, and auto tries them."""

from __future__ import annotations

import math
from itertools import product
from math import prod

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks import generated
from latcover.backends import counting_race
from latcover.backends.bitset import EnumerationCounter, MemoCounter, Pauses
from latcover.backends.components import ComponentCounter
from latcover.backends.frontier import FrontierCounter, FrontierSearch, can_count, count_covers, orders_of
from latcover.backends.probing import expected_branches
from latcover.core.cover.counter import MOST_BYTES, Budget, Counter, CountTask
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.cover.simpler import split, without_implied_item
from latcover.core.cover.solver_registry import counter, counters
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.solving import long_count
from latcover.core.solving.count import count_prepared
from latcover.errors import UnsupportedError
from latcover.files.formats.cover_problems import dlx_text
from latcover.files.formats.library import load
from latcover.files.formats.source import Source, shipped
from tests.dice import Dice, cases
from tests.oracle import any_problem, cover_problem, covers, given
from tests.random_puzzles import box, make_part, make_puzzle
from tests.small_problems import DOMINO, SQUARE, TROMINO, board, dominoes, perfect_matchings

FEW_BYTES = 10  # no frontier is content with them


def named_problem(options: generated.Options) -> CoverProblem:
    """The problem of these options."""
    return dlx_text.read(Source(generated.text_of(options).encode(), "made.dlx", shipped)).problem


def bare(problem: CoverProblem) -> NamedProblem:
    """The same with names."""
    return NamedProblem("bare", problem, tuple(f"i{item}" for item in range(problem.n_items)))


def at_most_once(dice: Dice) -> CoverProblem:
    """A random problem whose items are held at most once."""
    problem = given(any_problem)(dice)
    return replace(problem, high=np.minimum(problem.high, 1), low=np.minimum(problem.low, 1))


def joined(dice: Dice) -> CoverProblem:
    """Several random problems as one, items and options in any order."""
    options: list[list[int]] = []
    bounds: list[tuple[int, int]] = []
    for _ in range(dice.between(1, 3)):
        problem = at_most_once(dice)
        options += [[item + len(bounds) for item in problem.items_of(o).tolist()] for o in range(problem.n_options)]
        bounds += list(zip(problem.low.tolist(), problem.high.tolist(), strict=True))
    place = dice.shuffled(range(len(bounds)))
    moved = dice.shuffled([sorted(place[item] for item in option) for option in options])
    at = sorted(range(len(bounds)), key=lambda item: place[item])
    return cover_problem(moved, [bounds[item] for item in at])


def raced(problem: CoverProblem, most_bytes: int = MOST_BYTES) -> SearchResult:
    """What the counter finds that chooses a method."""
    return counter("auto").count(CountTask(problem, budget=Budget(most_bytes)))


@cases(100, problem=at_most_once)
def test_all_counters_agree_with_brute_force(problem: CoverProblem) -> None:
    expected = len(covers(problem))
    every = [EnumerationCounter(), *(counter(name) for name in counters().ours if name not in ("auto", "kasteleyn"))]
    for each in every:
        assert each.count(CountTask(problem)).covers == expected, each.name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting_race, "WORTH_ORDERS", 0)
        patch.setattr(counting_race, "FIRST_WORK", 1)
        for first, most in product((1, 4000), (FEW_BYTES, MOST_BYTES)):
            patch.setattr(counting_race, "FIRST_BRANCHES", first)
            assert raced(problem, most).covers == expected, most


@cases(20, problem=joined)
def test_problems_that_fall_apart(problem: CoverProblem) -> None:
    whole = split(problem)
    expected = ComponentCounter().count(CountTask(problem)).covers
    assert whole.factor * prod(len(covers(part)) for part in whole.parts) == expected
    for method in ("auto", "frontier", "components"):
        answer = count_prepared(bare(problem), method=method)  # type: ignore[arg-type]
        assert (answer.total, answer.complete) == (expected, True)


def many_boards(n: int) -> CoverProblem:
    """As many boards of 2 by 3, with 3 covers each, their cells mixed."""
    one = dominoes(2, 3)
    place = np.random.default_rng(n).permutation(6 * n)
    options = [sorted(place[6 * k + one.items_of(o)].tolist()) for k in range(n) for o in range(one.n_options)]
    return cover_problem(sorted(options), [(1, 1)] * (6 * n))


@pytest.mark.parametrize("method", ["auto", "frontier", "components", "memo"])
def test_parts_are_multiplied_beyond_256_items_and_256_bits(method: str) -> None:
    answer = count_prepared(bare(many_boards(200)), method=method)
    assert (answer.total, answer.native["parts"]) == (3**200, 200)


def test_a_problem_falls_apart_inside_the_memo() -> None:
    """One option joins all parts at the root; without it they fall apart."""
    problem = many_boards(40)
    options = [problem.items_of(o).tolist() for o in range(problem.n_options)]
    tied = cover_problem([*options, list(range(problem.n_items))], [(1, 1)] * problem.n_items)
    found = ComponentCounter().count(CountTask(tied))
    assert found.covers == 3**40 + 1
    assert found.native["nodes"] < 500


def test_what_components_cannot_count() -> None:
    with pytest.raises(UnsupportedError, match="held at most once"):
        ComponentCounter().count(CountTask(cover_problem([[0]], [(0, 2)])))
    with pytest.raises(UnsupportedError, match="at most 8192 items"):
        ComponentCounter().count(CountTask(cover_problem([[0]], [(0, 1)] * 8193)))
    with pytest.raises(UnsupportedError, match=r"2\^256 covers and more"):
        ComponentCounter().count(CountTask(dominoes(2, 400)))


# An item whose bounds follow from the others


@pytest.mark.parametrize("copies", [(8, 8), (0, 9)])
@pytest.mark.parametrize("which", ["none", "all"])
def test_a_single_part_in_a_number_that_follows(copies: tuple[int, int], which: SymmetryChoice) -> None:
    part = make_part("domino", DOMINO, SQUARE.allowed("reflections"), *copies)
    prepared = prepare(make_puzzle(box(SQUARE, (4, 4)), [part]), Choices(which))
    listed = count_prepared(prepared, method="enumeration")
    assert listed.total == 36
    methods: tuple[str, ...] = ("auto", "frontier", "components", "memo")
    for method in methods:
        answer = count_prepared(prepared, method=method)
        assert (answer.different, answer.total) == (listed.different, listed.total)


@pytest.mark.parametrize(("bounds", "expected"), [((0, 7), 0), ((9, 20), 0), ((2, 8), 36)])
def test_a_number_that_follows_and_is_excluded(bounds: tuple[int, int], expected: int) -> None:
    plain = dominoes(4, 4)
    options = [[*plain.items_of(o).tolist(), 16] for o in range(plain.n_options)]
    problem = cover_problem(options, [(1, 1)] * 16 + [bounds])
    assert count_prepared(bare(problem)).total == expected
    assert can_count(without_implied_item(problem))


@cases(75, problem=any_problem)
def test_no_other_item_is_left_out(problem: CoverProblem) -> None:
    simpler = without_implied_item(problem)
    assert len(covers(simpler)) == len(covers(problem))


# Trying


def test_what_auto_does_when_the_frontier_fails() -> None:
    found = raced(dominoes(6, 6), FEW_BYTES)
    assert found.covers == 6728
    assert found.method in ("components", "memo", "enumeration")
    assert "the frontier takes more memory than it may" in found.notes[0]


def test_when_the_frontier_has_failed_the_others_take_turns_that_double(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[tuple[str, int | None]] = []

    def patient(each: Counter, task: CountTask) -> SearchResult:
        """Ends in the third turn."""
        turns.append((each.name, task.limits.branches))
        stop = Stop.EXHAUSTED if len(turns) == 3 else Stop.BRANCH_LIMIT
        return SearchResult(stop, SearchFigures(len(turns)), method=each.name)

    monkeypatch.setattr(counting_race, "FIRST_TURN", 10_000)
    for kind in (ComponentCounter, MemoCounter):
        monkeypatch.setattr(kind, "count", patient)
    found = raced(dominoes(6, 6), FEW_BYTES)
    assert turns == [("components", 10_000), ("memo", 10_000), ("components", 20_000)]
    assert (found.covers, found.method) == (3, "components")


QUEENS, RECTANGLES, PAIRINGS = generated.queens(6), generated.rectangles(4), generated.pairings(14)


@pytest.mark.parametrize(
    ("options", "expected", "method"),
    [(QUEENS, 4, "enumeration"), (RECTANGLES, 269, "enumeration"), (PAIRINGS, 135_135, "frontier")],
)
def test_the_method_that_takes_less_ends_first(options: generated.Options, expected: int, method: str) -> None:
    found = raced(named_problem(options))
    assert (found.covers, found.method) == (expected, method)


def test_a_tiny_tree_needs_no_order_of_the_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(counting_race, "orders_of")
    wide = dominoes(24, 24)
    options = [wide.items_of(o).tolist() for o in range(wide.n_options) if 0 not in wide.items_of(o)]
    found = raced(cover_problem(options, [(1, 1)] * wide.n_items))
    assert (found.covers, found.method) == (0, "enumeration")


@pytest.mark.parametrize(("side", "different", "method"), [(2, 1, "enumeration"), (6, 930, "frontier")])
def test_a_tiny_puzzle_with_symmetries_is_listed(side: int, different: int, method: str) -> None:
    answer = count_prepared(prepare(board(side, side, DOMINO)))
    assert (answer.different, answer.method) == (different, method)


def test_the_enumeration_is_expected_to_take_what_it_takes() -> None:
    """And the expectation is the same in every run."""
    for options, branches in [(generated.queens(8), 1030), (generated.latin(4, 4), 4600)]:
        problem = named_problem(options)
        expected = expected_branches(problem)
        assert branches / 2 < expected < 2 * branches
        assert expected == expected_branches(problem)
    assert expected_branches(dominoes(24, 24)) > 1e30


@cases(20, problem=at_most_once)
def test_what_pauses_counts_what_it_counts_without(problem: CoverProblem) -> None:
    task, pauses = CountTask(problem), []
    whole = EnumerationCounter().count(task)
    paused = EnumerationCounter().count(task, Pauses(1, lambda *figures: pauses.append(figures) or figures[0] + 1))
    assert [n for n, *_ in pauses] == sorted({n for n, *_ in pauses})
    assert paused.figures.branches_by_level == whole.figures.branches_by_level
    assert (paused.covers, paused.dead_ends, paused.stop) == (whole.covers, whole.dead_ends, Stop.EXHAUSTED)
    search, found = FrontierSearch(task, orders_of(problem)), None
    while found is None or found.stop is Stop.BRANCH_LIMIT:
        found = search.count(Limits(), 1 if found is None else found.work + 1)
    alone = count_covers(task)
    assert (found.covers, found.work, found.states) == (alone.covers, alone.work, alone.states)


def test_a_pause_may_end_an_enumeration() -> None:
    task = CountTask(named_problem(generated.queens(8)))
    found = EnumerationCounter().count(task, Pauses(100, lambda *_: 0))
    assert (found.stop, found.branches) == (Stop.CANCELLED, 100)


def begins_early(monkeypatch: pytest.MonkeyPatch, doubt: float, least: float) -> None:
    """Let the frontier begin after a few branches, and be judged soon."""
    early = {"FIRST_BRANCHES": 100, "WORTH_ORDERS": 0, "FIRST_WORK": 1000, "DOUBT": doubt, "LEAST_SHARE": least}
    for name, value in early.items():
        monkeypatch.setattr(counting_race, name, value)


@pytest.mark.parametrize(
    ("doubt", "least", "method"),
    [(0, 0, "frontier"), (0, 1, "enumeration"), (1e9, 0, "enumeration"), (3, 1 / 32, "enumeration")],
)
def test_the_one_that_has_less_left_goes_on(
    doubt: float, least: float, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The enumeration of the queens takes 1030 branches, and the frontier more. Neither falls far behind."""
    begins_early(monkeypatch, doubt, least)
    found = raced(named_problem(generated.queens(8)))
    assert (found.covers, found.method, found.complete) == (92, method, True)
    assert found.branches == (1030 if method == "enumeration" else None)


def test_the_frontier_does_not_fall_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """It never seems to end sooner, but it does."""
    begins_early(monkeypatch, math.inf, least=1)
    assert raced(named_problem(PAIRINGS)).method == "frontier"
    begins_early(monkeypatch, math.inf, least=0)
    assert raced(named_problem(PAIRINGS)).method == "enumeration"


def test_the_work_of_the_frontier_is_the_same_in_every_run() -> None:
    search = FrontierSearch(CountTask(dominoes(8, 8)), orders_of(dominoes(8, 8)))
    half = search.count(Limits(), 40_000)
    assert half.stop is Stop.BRANCH_LIMIT
    assert half.work >= 40_000
    assert half.left > 0
    again = count_covers(CountTask(dominoes(8, 8)), most_work=40_000)
    assert (again.work, again.left, again.covers) == (half.work, half.left, None)
    assert search.count(Limits()).work == count_covers(CountTask(dominoes(8, 8))).work


def test_a_frontier_has_its_turn_when_an_enumeration_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    task = CountTask(prepare(load("pent-10x6")).problem)
    sweep = long_count._SweepInTurn(prepare(load("pent-10x6")), task)

    def turn(share: float, branches: int) -> int:
        return sweep.turn(Progress(share, branches, 0, 1.0))

    assert turn(0.001, 1 << 24) == 0  # too early
    assert turn(0.9, 1 << 30) == 0  # nearly done
    assert turn(0.001, 1 << 26) == pytest.approx(0.05 * 999 * (1 << 26), rel=1e-6)
    sweep._taken = 1 << 31
    assert turn(0.001, 1 << 26) == 0  # not even as long as the turns before
    sweep._taken, sweep._fails = 0, True
    assert turn(0.001, 1 << 26) == 0


def takes_a_turn(monkeypatch: pytest.MonkeyPatch, branches: int = 1 << 40) -> None:
    """Let each report of an enumeration be the time for a turn of the frontier, of so many branches."""
    monkeypatch.setattr(long_count._SweepInTurn, "turn", lambda each, _: 0 if each._fails else branches)


def test_what_the_frontier_counts_in_its_turn_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    takes_a_turn(monkeypatch)
    prepared = prepare(load("pent-10x6"), Choices("none"))
    seen: list[Progress] = []
    answer = count_prepared(prepared, on_progress=lambda progress: not seen.append(progress))
    assert (answer.total, answer.method, answer.complete) == (9356, "frontier", True)
    assert seen


@pytest.mark.parametrize(("memory", "branches"), [(FEW_BYTES, 1 << 40), (MOST_BYTES, 1)])
def test_an_enumeration_goes_on_after_a_turn_in_vain(memory: int, branches: int) -> None:
    prepared = prepare(load("pent-10x6"), Choices("none"))
    sweep = long_count._SweepInTurn(prepared, CountTask(prepared.problem, budget=Budget(memory)))
    assert sweep._sweep(branches, Progress(0.1, 1, 0, 1.0))  # whether to go on
    assert sweep.found is None


@pytest.mark.parametrize(("seconds", "stop"), [(0.2, Stop.TIME_LIMIT), (None, Stop.CANCELLED)])
def test_limits_hold_in_all_turns(seconds: float | None, stop: Stop, monkeypatch: pytest.MonkeyPatch) -> None:
    takes_a_turn(monkeypatch)
    waits: list[Progress] = []

    def waiting(_: long_count._SweepInTurn, progress: Progress) -> bool:
        waits.append(progress)
        return seconds is not None

    monkeypatch.setattr(long_count._SweepInTurn, "_waits", waiting)
    answer = count_prepared(prepare(load("bedlam")), limits=Limits(seconds=seconds), on_progress=lambda _: True)
    assert (answer.stop, answer.method) == (stop, "enumeration")
    assert waits or seconds is not None  # on a loaded machine the time may end before the turn begins


# Limits


@pytest.mark.parametrize("method", ["auto", "frontier", "components", "memo"])
def test_no_time_and_a_caller_who_stops(method: str) -> None:
    prepared = prepare(board(9, 10, TROMINO))
    for cut, stop in [
        (count_prepared(prepared, limits=Limits(seconds=0), method=method), Stop.TIME_LIMIT),
        (count_prepared(prepare(board(24, 24, DOMINO)), on_progress=lambda _: False, method=method), Stop.CANCELLED),
    ]:
        assert (cut.complete, cut.stop) == (False, stop.value)
        assert cut.headline().endswith(f"number of solutions not known (cut short: {stop.value})")


def test_a_count_that_is_cut_short_tells_what_was_met() -> None:
    """The frontier fails, and enumeration has met some covers when it is stopped."""
    stopped = False

    def stop(progress: Progress) -> bool:
        nonlocal stopped
        stopped = stopped or progress.covers > 0
        return not stopped

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr(ComponentCounter, "count", _refuses)
        patch.setattr(MemoCounter, "count", _refuses)
        patch.setattr(counting_race, "kasteleyn_is_installed", lambda: False)
        answer = count_prepared(bare(dominoes(12, 12)), on_progress=stop, budget=Budget(FEW_BYTES))
    assert not answer.complete
    assert 0 < answer.total < perfect_matchings(12, 12)
    assert answer.headline().startswith(f"bare: at least {answer.total:,} solutions in all (cut short")


def test_what_another_method_met_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frontier is cut short, and an enumeration that was tried beside it has met covers."""
    cut = SearchResult(Stop.TIME_LIMIT, SearchFigures(covers=5), method="frontier")
    monkeypatch.setattr(FrontierCounter, "count", lambda *_: cut)
    answer = count_prepared(bare(dominoes(4, 4)), method="frontier")
    assert (answer.total, answer.total_is, answer.different_is) == (5, "at least", "at least")


def _refuses(*_: object) -> SearchResult:
    raise UnsupportedError("not today")


def test_part_of_a_product_is_no_bound() -> None:
    """If a part is cut short, what was met of it counts only if all the others are known."""
    two = cover_problem(
        [*([item, item + 1] for item in range(0, 8)), *([item, item + 1] for item in range(9, 30))], [(1, 1)] * 31
    )
    assert can_count(two)
    assert count_prepared(bare(two), limits=Limits(seconds=0)).total == 0
