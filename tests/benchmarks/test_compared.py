"""The comparison with other programs: its statistics, its judgement of answers, and what the page says of them."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.compared import figures
from benchmarks.compared.cases import BY_NAME, FAMILIES, SUDOKUS, TASKS, Case, cases_of, problem_of
from benchmarks.compared.figures import Ratio, at_least, form, geometric_mean, number, paired
from benchmarks.compared.growth import draw_growth
from benchmarks.compared.page import page
from benchmarks.compared.programs import PROGRAMS, REFERENCE
from benchmarks.compared.results import Comparison, Result, as_csv, as_json, from_json, judged
from benchmarks.compared.run import page_of, read
from benchmarks.compared.standing import overall, reach, standings, winners
from benchmarks.compared.worker import checked, digest_of, fault_of
from benchmarks.generated import latin, sudoku, text_of
from latcover.errors import InputError
from tests.command_line import FAILED, run

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "compared.json"
CONDITIONS: dict[str, Any] = {
    **{"machine": "some machine", "processors": 2, "load": 0.5, "day": "2026-01-01", "minutes": 1.0, "quick": False},
    **{"turns": 3, "few": 3, "long": 0.5, "seconds": 3.0, "megabytes": 1000, "ours": [REFERENCE, "dlx", "bitset"]},
    "versions": {REFERENCE: "1", "dlx": "1", "clasp": "3", "BurrTools": None},
}
QUEENS = [case for case in cases_of("all") if case.family == "queens"]


@pytest.fixture(autouse=True)
def _with_scipy() -> None:
    pytest.importorskip("scipy")


def answered(case: Case, program: str, *seconds: float, **more: Any) -> Result:
    return Result.of(case, program, "answered", number=case.answer, seconds=seconds, **more)


# The statistics


@pytest.mark.parametrize(("freedom", "known"), [(1, 12.7062), (2, 4.3027), (4, 2.7764), (30, 2.0423)])
def test_the_quantile_is_that_of_the_tables(freedom: int, known: float) -> None:
    assert figures.student(freedom) == pytest.approx(known, abs=1e-4)


def test_the_interval_of_three_known_logarithms() -> None:
    """Logarithms 0, 1, 2: mean 1, standard deviation 1, so the interval is 1 plus or minus 4.3027 / sqrt 3."""
    mean = geometric_mean([1.0, math.e, math.e**2])
    reach_ = 4.302653 / math.sqrt(3)
    assert mean.mean == pytest.approx(math.e)
    assert mean.low == pytest.approx(math.exp(1 - reach_), rel=1e-5)
    assert mean.high == pytest.approx(math.exp(1 + reach_), rel=1e-5)


def test_what_disturbs_a_whole_turn_disturbs_no_ratio() -> None:
    ratio = paired([2.0, 20.0, 5.0], [1.0, 10.0, 2.5])
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((2, 2, 2))
    assert ratio.slower
    assert not ratio.faster


def test_a_ratio_of_one_turn_or_of_a_limit_has_no_interval() -> None:
    once = paired([3.0], [2.0, 1.0])
    assert once == Ratio(1.5)
    assert not once.slower
    bound = at_least(3.0, [0.5, 0.125])
    assert bound == Ratio(pytest.approx(12.0), at_least=True)
    assert bound.slower
    assert not at_least(3.0, [10.0]).slower  # latcover took longer than the limit of the other


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    dice = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        interval = geometric_mean(list(np.exp(dice.normal(0.7, 0.3, 5))))
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= math.exp(0.7) <= interval.high
    assert 930 <= held <= 970


@pytest.mark.parametrize(
    ("ratio", "told"),
    [
        (Ratio(1234.5, 1100.4, 1399.6), "1,230 (1,100 to 1,400)"),
        (Ratio(12.345, 11.0, 13.7), "12.3 (11 to 13.7)"),
        (Ratio(2.0, 1.5, 2.51), "2 (1.5 to 2.51)"),
        (Ratio(0.04567, 0.04, 0.05), "0.046 (0.04 to 0.05)"),
        (Ratio(1234.5, at_least=True), "> 1,230"),
        (Ratio(2.5), "2.5"),
    ],
)
def test_ratios_are_written_with_the_digits_that_count(ratio: Ratio, told: str) -> None:
    assert form(ratio) == told
    assert number(99.96) == "100"


# The problems


def test_every_size_of_every_task_is_known_and_named_once() -> None:
    for task in TASKS:
        problems = [case.problem for case in cases_of(task)]
        assert problems
        assert len(set(problems)) == len(problems)
        assert {case.family for case in cases_of(task, quick=True)} <= {case.family for case in cases_of(task)}
    for family in FAMILIES:
        assert family.about
        assert family.source
        for answers in family.answers.values():
            sizes = list(answers)
            assert all(isinstance(size, int) == bool(family.size) for size in sizes)
            assert not family.size or sizes == sorted(sizes)  # who gives up is not asked for more


def test_known_numbers_follow_their_formulas() -> None:
    bell = [1]
    for n in range(12):
        bell.append(sum(math.comb(n, k) * bell[k] for k in range(n + 1)))
    assert all(bell[int(n)] == value for n, value in BY_NAME["partitions"].answers["count"].items())
    for n, value in BY_NAME["dominoes"].answers["count"].items():
        half = 4 * np.cos(np.pi * np.arange(1, int(n) // 2 + 1) / (int(n) + 1)) ** 2
        assert value == pytest.approx(float(np.prod(half[:, None] + half[None, :])), rel=1e-9)
    pairs = {**BY_NAME["Latin squares"].answers["count"], **BY_NAME["Latin squares"].answers["all"]}
    assert pairs == {3: 12, 4: 576, 5: 161280, 6: 812851200}


def test_no_clue_of_a_sudoku_can_be_left_out() -> None:
    from latcover.backends import create
    from latcover.core.cover.search import Limits, SearchTask
    from tests.oracle import cover_problem

    def is_only_one(clues: str) -> bool:
        options = list(sudoku(clues))
        items = {item: number for number, item in enumerate(sorted({item for option in options for item in option}))}
        problem = cover_problem([[items[item] for item in option] for option in options], [(1, 1)] * len(items))
        return (
            create("bitset", threads=1).search(SearchTask(problem, lambda _: True, Limits(covers=2))).figures.covers
            == 1
        )

    (clues, *others) = SUDOKUS.values()
    assert all(map(is_only_one, (clues, *others)))
    given = [k for k in range(81) if clues[k] != "."]
    assert not any(is_only_one(f"{clues[:k]}.{clues[k + 1 :]}") for k in given)


def test_a_made_problem_is_written_with_its_optional_items_last() -> None:
    assert text_of([["a", "~x:1"], ["~y", "b"]]) == "a b | ~x ~y\na ~x:1\n~y b\n"
    assert text_of(latin(1, 1)) == "0.0 r0=0 c0=0\n0.0 r0=0 c0=0\n"


# Answers


def test_lists_of_covers_are_checked() -> None:
    case = QUEENS[0]
    problem = problem_of(case).problem
    from latcover.backends import create
    from latcover.core.cover.backend import collect

    covers = collect(create("dlx"), problem)
    right = checked(case, covers)
    assert (right.number, right.fault) == (4, "")
    turned = [cover[::-1] for cover in covers[::-1]]
    assert checked(case, turned).digest == right.digest
    assert digest_of(covers[:3]) != right.digest
    assert fault_of(case, [*covers, covers[0][::-1]]) == "a cover is listed twice"
    assert fault_of(case, [covers[0], covers[1][1:]]) == "1 of 2 covers are none"
    assert fault_of(case, [(0, problem.n_options)]) == "an option is named that there is not"
    assert checked(case, [covers[0][1:]]).number is None
    assert checked(case, None).fault == "no answer"
    assert checked(case, []).number == 0


def test_another_number_than_is_known_is_wrong() -> None:
    reply = {"seconds": 1.0, "number": 5, "digest": "", "fault": ""}
    result = Result.answered(QUEENS[0], "clasp", (1.0,), reply)
    assert (result.status, result.seconds) == ("wrong", ())
    assert result.reason == "it found 5 instead of 4"
    right = Result.answered(QUEENS[0], "clasp", (1.0,), reply | {"number": 4})
    assert (right.status, right.seconds) == ("answered", (1.0,))
    assert Result.answered(QUEENS[0], "clasp", (1.0,), reply | {"number": 4, "fault": "none"}).status == "wrong"


def test_the_right_number_of_wrong_covers_is_wrong() -> None:
    results = [answered(QUEENS[0], name, 1.0, digest=digest) for name, digest in zip("abc", "xyx", strict=True)]
    assert [each.status for each in judged(results)] == ["answered", "wrong", "answered"]
    assert judged(results)[1].reason == "it found another set of covers than most"
    assert judged(results[:1]) == results[:1]


# Standing


def two_problems() -> list[Result]:
    small, large = QUEENS[:2]
    return [
        *(answered(small, REFERENCE, 2.0, 2.1, 2.2), answered(large, REFERENCE, 0.5, 0.5, 0.5)),
        *(answered(small, "dlx", 4.0, 4.2, 4.4), answered(large, "dlx", 0.5, 0.6, 0.4)),
        *(answered(small, "clasp", 1.0, 1.05, 1.1), Result.of(large, "clasp", "time")),
        Result.of(small, "Gecode", "refused", reason="it cannot"),
        Result.of(large, "Gecode", "wrong", number=3, reason="it found 3 instead of 4"),
    ]


def test_who_stands_where() -> None:
    problems = standings(two_problems(), 3.0)
    dlx, clasp, gecode = (overall(name, problems) for name in ("dlx", "clasp", "Gecode"))
    assert (dlx.answered, dlx.asked, dlx.wins, dlx.losses, dlx.bound) == (2, 2, 0, 1, None)
    assert (clasp.answered, clasp.asked, clasp.wins, clasp.losses) == (1, 2, 1, 1)
    assert clasp.both == Ratio(pytest.approx(0.5))
    assert clasp.bound == Ratio(pytest.approx(math.sqrt(0.5 * 6)), at_least=True)
    assert (gecode.answered, gecode.asked, gecode.both) == (0, 1, None)
    assert reach(problems, "dlx") == (8, True)
    assert reach(problems, "clasp") == (6, False)
    assert reach(problems, "Gecode") == (None, False)


def test_a_program_that_latcover_cannot_be_compared_with_has_no_ratio() -> None:
    results = [Result.of(QUEENS[0], REFERENCE, "time"), answered(QUEENS[0], "dlx", 1.0, 1.0)]
    (problem,) = standings(results, 3.0)
    assert problem.reference is None
    assert not problem.ratios
    assert "latcover does not answer queens 6; dlx does." in page(Comparison(CONDITIONS, tuple(results)))


# The page


def test_the_page_says_where_latcover_loses() -> None:
    made = page(Comparison(CONDITIONS, tuple(two_problems())))
    assert "Of 2 problems, latcover is surely faster than every other program on 1, and surely slower" in made
    assert "- queens 6: clasp takes 0.5 (0.5 to 0.5) of its 2.100 s" in made
    assert "| queens 8 | 92 | 0.500 | 0.99 (0.6 to 1.63) | > 6 | **wrong** |" in made
    assert "- Gecode: wrong (it found 3 instead of 4): queens 8." in made
    assert "- Gecode: cannot (it cannot): queens 6." in made
    assert "| queens, n | 8+ | 8+ | 6 | - |" in made
    assert "therefore not measured: BurrTools" in made


def test_the_page_says_where_another_method_of_ours_is_better() -> None:
    results = [answered(QUEENS[0], REFERENCE, 2.0, 2.0), answered(QUEENS[0], "bitset", 1.0, 1.0)]
    made = page(Comparison(CONDITIONS, tuple(results)))
    assert "surely slower than another method of its own on queens 6 (bitset: 0.5 (0.5 to 0.5))." in made
    assert "No other program was available to compare with; latcover answers 1 of 1 problem." in made
    assert "None: every answer given is right." in made


def test_short_questions_are_told_apart() -> None:
    def lines(*seconds: float) -> str:
        results = []
        for case, each in zip(QUEENS, seconds, strict=False):
            results += [answered(case, REFERENCE, each, each), answered(case, "clasp", each / 2, each / 2)]
            results.append(answered(case, "dlx", each / 4, each / 4))
        return "\n".join(winners("all", standings(results, 3.0)))

    assert "slower than at least one on 1 (which takes it less than a millisecond" in lines(1e-4)
    assert "slower than at least one on 2 (all of which take it less than" in lines(1e-4, 1e-4)
    mixed = lines(1e-4, 1e-4, 1.0)
    assert "slower than at least one on 3 (2 of which take it less than" in mixed
    assert "on queens 10 (dlx: 0.25 (0.25 to 0.25)) and on 2 that take it less than a millisecond." in mixed
    assert "one on 1; on 0 the difference" in lines(1.0)


def test_results_go_through_json_and_csv() -> None:
    burr = next(cases_of("apart"))
    results = (*two_problems(), answered(burr, REFERENCE, 0.25))
    comparison = Comparison(CONDITIONS, results)
    assert from_json(as_json(comparison), "x") == comparison
    lines = as_csv(comparison).splitlines()
    assert lines[0].startswith("task,family,size,problem,program,status,answer,turn,seconds")
    assert len(lines) == 1 + sum(max(1, len(each.seconds)) for each in results)
    assert "all,queens,6,queens 6,latcover,answered,4,2,2.1," in lines
    spoilt = as_json(comparison).replace('"minutes": ', '"minutes": null, "old": ')
    for text in ("", "[]", '{"results": [{}], "conditions": {}}', '{"results": [], "conditions": null}', spoilt):
        with pytest.raises(InputError, match="x holds no results of a comparison"):
            from_json(text, "x")


def test_the_chart_draws_every_program_that_answered(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "growth.svg"
    assert draw_growth(Comparison(CONDITIONS, tuple(two_problems())), "all", path)
    root = ElementTree.parse(path).getroot()
    texts = {"".join(element.itertext()).strip() for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"queens", REFERENCE, "dlx", "clasp"} <= texts
    assert "Gecode" not in texts
    assert not draw_growth(Comparison(CONDITIONS, tuple(two_problems())), "one", path)


def test_every_program_has_a_line_of_its_own_look() -> None:
    for task in TASKS:
        looks = [program.look for program in PROGRAMS if task in program.tasks]
        assert len(set(looks)) == len(looks)


# The committed run


def test_the_committed_page_is_made_of_the_committed_results(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    comparison = read(RESULTS)
    made = page_of(comparison, tmp_path / "compared.md")
    assert f"{made}\n" == (ROOT / "docs" / "results" / "compared.md").read_text("utf-8")
    assert f"{as_csv(comparison)}\n" == RESULTS.with_suffix(".csv").read_text("utf-8")
    for chart in tmp_path.glob("*.svg"):
        assert ElementTree.parse(ROOT / "docs" / "results" / chart.name).getroot().tag.endswith("svg")


def test_the_committed_run_is_whole_and_latcover_is_right() -> None:
    comparison = read(RESULTS)
    assert not comparison.conditions["quick"]
    assert not comparison.ours_wrong
    for task in TASKS:
        asked = {(each.problem, each.expected) for each in comparison.of(task)}
        assert asked == {(case.problem, case.answer) for case in cases_of(task)}
    assert {each.program for each in comparison.results} <= {program.name for program in PROGRAMS}


# The command


@pytest.mark.long
def test_the_command_measures_and_makes_the_same_page_again(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    output = tmp_path / "x.md"
    asked = ("bench", "compared", "--quick", "--turns", "1", "--only", "count", "--programs", "frontier")
    done = run(*asked, "--output", output)
    assert done.returncode == 0, done.stderr
    made = output.read_text("utf-8")
    data = json.loads(output.with_suffix(".json").read_text("utf-8"))
    assert {each["status"] for each in data["results"]} == {"answered"}
    assert {each["program"] for each in data["results"]} == {REFERENCE, "frontier"}
    assert output.with_suffix(".csv").read_text("utf-8") == f"{as_csv(read(output.with_suffix('.json')))}\n"
    assert made.endswith(".\n")
    assert "## Counting" in made
    again = tmp_path / "again" / "x.md"
    again.parent.mkdir()
    done = run("bench", "compared", "--from", output.with_suffix(".json"), "--output", again)
    assert done.returncode == 0, done.stderr
    assert again.read_text("utf-8") == made
    assert not again.with_suffix(".json").exists()


def test_a_wrong_answer_of_ours_is_an_error(tmp_path: Path) -> None:
    wrong = Result.of(QUEENS[0], "bitset", "wrong", number=3, reason="it found 3 instead of 4")
    file = tmp_path / "wrong.json"
    file.write_text(as_json(Comparison(CONDITIONS, (answered(QUEENS[0], REFERENCE, 1.0, 1.0), wrong))), "utf-8")
    done = run("bench", "compared", "--from", file)
    assert done.returncode == FAILED
    assert "queens 6: bitset is wrong: it found 3 instead of 4" in done.stderr
    assert "**wrong**" in done.stdout
    theirs = replace(wrong, program="clasp")
    file.write_text(as_json(Comparison(CONDITIONS, (answered(QUEENS[0], REFERENCE, 1.0, 1.0), theirs))), "utf-8")
    assert run("bench", "compared", "--from", file).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--only", "al"], 1, "there is no task 'al' among the benchmarks; did you mean 'all'?"),
        (["--only", ","], 1, "no task is named; there are all, count"),
        (["--programs", "clas"], 1, "there is no program 'clas' among the benchmarks; did you mean 'clasp'?"),
        (["--programs", ","], 1, "no program is named"),
        (["--output", "x.txt"], 2, "name a file .md"),
        (["--output", "no-such-folder/x.md"], 1, "no folder"),
        (["--results", "x.csv"], 2, "name a file .json"),
        (["--from", "no-such-file.json"], 1, "there is no such file"),
        (["--from", os.devnull], 1, "is not a regular file"),
        (["--from", str(ROOT / "pyproject.toml")], 1, "holds no results of a comparison"),
        (["--turns", "0"], 2, "--turns"),
        (["--seconds", "0"], 2, "--seconds"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_measured(arguments: list[str], code: int, said: str) -> None:
    done = run("bench", "compared", "--quick", *arguments)
    assert done.returncode == code, done.stderr
    assert said in re.sub(r"[\s│]+", " ", done.stderr)
    assert not done.stdout
