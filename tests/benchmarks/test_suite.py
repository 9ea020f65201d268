"""The benchmark suite: what it measures, and that it stops where methods disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks import suite, suite_counts, suite_finding, suite_searches
from benchmarks.harness.turns import DisagreementError, require_agreement
from benchmarks.suite_puzzles import FAMILIES, is_made, prepared_of, puzzle_of, text_of
from benchmarks.suite_registry import (
    CASES,
    KERNELS,
    METHODS,
    SECTIONS,
    Case,
    cases_of,
    chosen_sections,
)
from benchmarks.suite_setup import STEPS
from benchmarks.suite_timing import (
    QUICK_PLAN,
    Measured,
    Plan,
    search_of,
    take_turns,
)
from latcover.backends import _native, create
from latcover.backends import names as backend_names
from latcover.backends.compiled import kernels
from latcover.core.cover.backend import collect
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, SearchTask
from latcover.errors import UnsupportedError
from latcover.files.formats.source import names
from tests.command_line import FAILED, run
from tests.processes import GUARD


def silent(_: str) -> None:
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.section}-{case.puzzle}")
def test_every_row_has_a_puzzle_known_methods_and_a_reason(case: Case) -> None:
    assert case.section in SECTIONS
    assert case.puzzle in {*names("instances"), "*"} or is_made(case.puzzle)
    assert set(case.methods) <= set(METHODS)
    assert case.why


def test_every_section_is_measured_and_has_a_quick_row() -> None:
    assert set(suite.MEASURES) == set(SECTIONS)
    for section in SECTIONS:
        assert cases_of(section, quick=True)
        assert set(cases_of(section, quick=True)) <= set(cases_of(section, quick=False))


def test_every_method_of_ours_is_a_backend_with_these_options() -> None:
    for name, method in METHODS.items():
        if method.backend is not None and kernels().get(name, name not in KERNELS):
            assert method.backend in backend_names()
            create(method.backend, **method.options)
    assert set(KERNELS) >= set(_native.kernels())


def test_a_row_that_is_made_names_a_sound_puzzle() -> None:
    for puzzle in {case.puzzle for case in CASES if is_made(case.puzzle) and case.section != "finding"}:
        if "100x100" not in puzzle and "70x70" not in puzzle and not puzzle.startswith("pentominoes"):
            assert puzzle_of(puzzle).name == puzzle
    with pytest.raises(UnsupportedError, match="neither"):
        text_of("heptominoes-3x3")


def test_the_parts_of_a_family_fill_its_region() -> None:
    assert set(FAMILIES) == {case.puzzle for case in CASES if case.section == "finding"}
    for name, family in FAMILIES.items():
        if family.n_cells < 7:
            puzzle = puzzle_of(name)
            assert sum(len(part.cells) for part in puzzle.parts) == len(puzzle.region.cells)


@pytest.mark.parametrize(("name", "covers"), [("dominoes-2x5", 8), ("trominoes-3x4", 4), ("balanced-4x4", 0)])
def test_boards_have_the_covers_that_can_be_counted_by_hand(name: str, covers: int) -> None:
    assert len(collect(create("dlx"), prepared_of(name).problem)) == covers


def test_a_balanced_board_would_have_covers_but_for_its_colours() -> None:
    """Two corners of different colours leave covers, so it is the colours that leave none."""
    assert collect(create("dlx"), prepared_of("balanced-2x3").problem)


def test_a_box_has_each_pentomino_and_single_cells() -> None:
    assert len(puzzle_of("pentominoes-4x4x4").parts) == 13


def test_sections_are_chosen_by_name_in_the_suites_order() -> None:
    assert set(chosen_sections(None)) == set(SECTIONS) - {"finding", "colours"}
    assert chosen_sections("finding") == ("finding",)
    assert chosen_sections("delivery, search") == ("search", "delivery")
    with pytest.raises(UnsupportedError, match="did you mean 'threads'"):
        chosen_sections("treads")
    with pytest.raises(UnsupportedError, match="no section"):
        chosen_sections(",")


def test_methods_take_turns_and_the_least_counts() -> None:
    order = []

    def run_of(name: str, seconds: list[float]) -> Any:
        def run() -> Measured:
            order.append(name)
            return Measured(5, 7, seconds.pop(0))

        return run

    runs = {"a": run_of("a", [3.0, 1.0, 2.0]), "b": run_of("b", [30.0])}
    best = take_turns("x", runs, Plan(times=3, enough_seconds=10.0))
    assert order == ["a", "b", "a", "a"]
    assert [best[name].seconds for name in "ab"] == [1.0, 30.0]


def test_ns_a_branch() -> None:
    assert Measured(1, 1000, 0.001).nanoseconds == pytest.approx(1000)
    assert Measured(1, 0, 0.001).nanoseconds is None
    assert Measured(1, None, 0.001).nanoseconds is None


@pytest.mark.parametrize("figure", ["covers", "branches"])
def test_a_difference_is_no_result(figure: str) -> None:
    one = Measured(65, 41_228, 1.0)
    runs = {"dlx": lambda: one, "bitset": lambda: replace(one, **{figure: 64})}
    with pytest.raises(DisagreementError, match=f"soma: the methods disagree about the number of {figure}"):
        take_turns("soma", runs, Plan(times=1))
    take_turns("soma", {"dlx": lambda: one, "memo": lambda: replace(one, branches=None)}, Plan(times=1))
    require_agreement("soma", "answer", {"dlx": 5, "sat": None})


def test_a_method_that_differs_from_itself_is_seen() -> None:
    covers = iter([5, 6])
    with pytest.raises(DisagreementError, match="a 5, a again 6"):
        take_turns("x", {"a": lambda: Measured(next(covers), None, 0.1)}, Plan(times=2))


@pytest.mark.parametrize("section", ["search", "kernels"])
def test_a_planted_difference_in_branches_stops_the_section(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_too_many(problem: CoverProblem, method: str, *more: Any, **others: Any) -> Any:
        search = search_of(problem, method, *more, **others)
        planted = 0 if method == "dlx" else 1
        return lambda: replace(found := search(), branches=(found.branches or 0) + planted)

    monkeypatch.setattr(suite_searches, "search_of", one_too_many)
    with pytest.raises(DisagreementError, match="41,229"):
        suite.MEASURES[section](cases_of(section, quick=True), QUICK_PLAN, silent)
    done = run("bench", "suite", "--quick", "--only", section)
    assert done.returncode == FAILED
    assert "41,229" in done.stderr
    assert "##" not in done.stdout


def test_another_number_of_solutions_than_the_file_expects_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = prepared_of("pent-8x8-minus-2x2")
    wrong = replace(prepared, puzzle=replace(prepared.puzzle, expect={"different": 66}))
    monkeypatch.setattr(suite_searches, "prepared_of", lambda _: wrong)
    with pytest.raises(DisagreementError, match="has 66 different solutions, but 65"):
        suite.MEASURES["search"](cases_of("search", quick=True), QUICK_PLAN, silent)


def test_another_count_than_is_known_stops_it() -> None:
    case = replace(cases_of("counting", quick=True)[0], covers=12_988_817, methods=("memo", "frontier"))
    with pytest.raises(DisagreementError, match="12,988,816 were found"):
        suite_counts.counting([case], QUICK_PLAN, silent)


def test_a_count_that_is_cut_short_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_counts, "COUNT_SECONDS", 0.0)
    case = Case("counting", "dominoes-16x16", ("memo", "frontier"), "none is left")
    table = suite_counts.counting([case], QUICK_PLAN, silent)
    assert not table.rows
    assert [remark.split()[0] for remark in table.remarks] == ["memo", "frontier"]


def test_the_sections_say_what_was_found() -> None:
    tables = {t.section: t for t in suite.run_suite(("search", "size", "setup"), quick=True, say=silent)}
    (row,) = tables["search"].rows
    assert (row["different"], row["covers"], row["branches"]) == (65, 65, 41_228)
    assert row["ratio"] == pytest.approx(row["dlx_seconds"] / row["bitset_seconds"])
    assert row["ratio_plain"] == pytest.approx(1300e-9 * 41_228 / row["bitset_seconds"])
    assert [row["items"] for row in tables["size"].rows] == [10, 34, 62]
    for row in tables["setup"].rows:
        assert row["all"] == pytest.approx(sum(row[step] for step in STEPS))


def test_the_search_for_one_solution_counts_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = cases_of("finding", quick=True)
    monkeypatch.setattr(suite_finding, "QUICK_SECONDS", GUARD)
    monkeypatch.setattr(suite_finding, "LARGE", 0)  # nothing for general solvers
    (row,) = suite_finding.finding([replace(case, methods=("restarts", "cpsat"))], QUICK_PLAN, silent).rows
    assert [taken is not None for taken in row["restarts_seconds"]] == [True]
    assert row["cpsat"] == "too large"
    assert suite_finding._told([None]) == "-"
    assert suite_finding._told([3.0, None, 1.0, 2.5]) == "3 of 4; 2.50; 3.00"


def test_the_sizes_say_which_way_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_searches, "SIZE_BRANCHES", 20_000)
    case = Case("size", "balanced-70x70", ("dlx", "bitset"), "a large board")
    table = suite_searches.sizes([case], QUICK_PLAN, silent)
    assert table.rows[0]["searched"] == "bitmaps"


def test_thread_counts() -> None:
    assert suite_searches.thread_counts(1) == [1]
    assert suite_searches.thread_counts(6) == [1, 2, 4, 6]
    assert suite_searches.thread_counts(8) == [1, 2, 4, 8]


def test_delivery_hands_over_what_it_says() -> None:
    table = suite_counts.delivery(cases_of("delivery", quick=True), QUICK_PLAN, silent)
    assert [row["use"] for row in table.rows] == ["counted", "stored", "filtered"] * 2 + ["verified"]
    assert all(row["rate"] == round(row["covers"] / row["seconds"]) for row in table.rows)


def test_the_filter_is_what_it_says() -> None:
    problem = prepared_of("dominoes-4x4").problem
    half = problem.n_options // 2
    covers = collect(create("dlx"), problem)
    by_hand = sum(2 * sum(option < half for option in cover) == len(cover) for cover in covers)
    kept = []

    def take(batch: Batch) -> bool:
        kept.append(suite_counts.halved(batch, half))
        return True

    create("dlx").search(SearchTask(problem, take))
    assert sum(len(rows) for rows in kept) == by_hand
    assert 0 < by_hand < len(covers)


@pytest.mark.parametrize("case", [case for case in CASES if case.puzzle.startswith("dominoes") and case.covers])
def test_known_numbers_of_dominoes_follow_the_formula(case: Case) -> None:
    """Kasteleyn (1961): the product over half the rows and half the columns of 4 cos² + 4 cos²."""
    rows, columns = (int(size) for size in case.puzzle.removeprefix("dominoes-").split("x"))
    row = 4 * np.cos(np.pi * np.arange(1, rows // 2 + 1) / (rows + 1)) ** 2
    column = 4 * np.cos(np.pi * np.arange(1, columns // 2 + 1) / (columns + 1)) ** 2
    assert case.covers == pytest.approx(float(np.prod(row[:, None] + column[None, :])), rel=1e-10)


def test_sizes_at_which_dancing_links_are_faster_are_said() -> None:
    rows = [
        {"puzzle": "small", "searched": "bitmaps", "ratio": 2.0},
        {"puzzle": "middling", "searched": "bitmaps", "ratio": 0.5},
    ]
    assert suite_searches._size_remarks(rows)[1] == "Dancing links were faster than bitmaps on middling."
    assert suite_searches._size_remarks(rows[:1]) == ["Bitmaps searched all of them."]
