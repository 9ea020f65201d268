"""`latcover bench table1`: the published figures, and ours beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks import table1
from latcover.backends import create, names
from latcover.core.cover.search import SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from latcover.lab.comparing.compare import Comparison, compare
from latcover.lab.comparing.methods import PAPER, Method, chosen_methods
from latcover.show.reporting.puzzle_figures import info_as_json
from latcover.system.child_process import Children, Finished
from tests.command_line import Result, run

within = pytest.mark.usefixtures("children_within")
ROWS = {row.puzzle: row for row in table1.published_rows()}


def called(*arguments: str) -> Result:
    return run("bench", "table1", *arguments)


def really(puzzle: str, methods: tuple[Method, ...], arguments: list[str], figures: dict[str, Any]) -> Comparison:
    with Children() as children:
        return compare(puzzle, methods, arguments, children, figures=figures)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_row_can_be_run(row: table1.Row) -> None:
    """The puzzle is shipped, its fixed part can be the pivot, and the methods are ours."""
    order = None if row.order is None else tuple(map(int, row.order.split(",")))
    prepared = prepare(load(row.puzzle), Choices(row.symmetry, table1.REDUCTION, row.pivot, order))
    if row.pivot is not None and len(prepared.reduction.group) > 1:
        assert prepared.reduction.pivot == row.pivot
    assert set(row.printed) <= set(PAPER)
    assert "solutions" in row.columns


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_printed_count_is_right_or_known_to_be_wrong(row: table1.Row) -> None:
    puzzle = load(row.puzzle)
    expected = puzzle.expect["different_under_rotations" if row.symmetry == "rotations" else "different"]
    wrong = {published.value for published in puzzle.published}
    assert row.columns["solutions"] == expected or row.columns["solutions"] in wrong


def test_the_tables_hold_what_is_printed() -> None:
    of_table = [row for row in ROWS.values() if row.table == "Table 1"]
    assert len(of_table) == 12
    assert all({*table1.METHODS} == {*row.printed} for row in of_table)
    first = ROWS["pent-8x8-minus-2x2"]
    assert first.printed["MC+SZ"] == table1.Printed(117723, 0.2, 1.1)
    assert ROWS["hex-prisms"].printed["MC"] == ROWS["hex-prisms"].printed["MC+ST"]  # printed as MC(+ST)
    assert ROWS["pent-stairs"].printed["MC+SZ"].first is None
    assert ROWS["disc-cylinder-labelled"].printed["MC"].branches is None


@pytest.mark.parametrize("name", ["pent-10x6", "pent-strip", "happy-cube-green", "happy-cube-orange", "hex-prisms"])
def test_orientations_are_counted_as_the_paper_does(name: str) -> None:
    """It keeps one orientation of the fixed part of each class, also of those that do not fit."""
    row, puzzle = ROWS[name], load(name)
    ours = info_as_json(prepare(puzzle))["orientations"] - table1.orientations_fixed(puzzle, row)
    assert ours == row.columns["orientations"]


@pytest.mark.parametrize(("strand", "branches", "theirs"), [("no", 178_345, 178_350), ("rows", 159_742, 159_868)])
def test_the_paper_asked_for_all_parts_of_the_stairs_where_sizes_decide(
    strand: str, branches: int, theirs: int
) -> None:
    """Eleven parts fill the stairs; its matrix by size demands all twelve, so it searches in vain.

    That explains why the paper prints no time to a first solution, and its number of branches.
    """
    problem = prepare(load("pent-stairs"), Choices("none")).problem
    low = problem.low.copy()
    low[problem.n_cells : problem.n_cells + 12] = 1
    outcome = create("dlx", strand=strand).search(SearchTask(replace(problem, low=low), lambda _: True))
    assert (outcome.figures.covers, outcome.figures.branches) == (0, branches)
    assert branches == pytest.approx(theirs, rel=0.001)


def test_rows_by_name() -> None:
    assert [row.puzzle for row in table1.chosen_rows("hex-prisms, pent-10x6,hex-prisms")] == ["hex-prisms", "pent-10x6"]
    assert all(row.printed for row in table1.chosen_rows(None))
    assert len(table1.chosen_rows(None, counts=True)) == len(ROWS) > len(table1.chosen_rows(None))
    with pytest.raises(UnsupportedError, match="did you mean 'hex-prisms'"):
        table1.chosen_rows("hex-prism")


@within
def test_the_choices_of_the_paper_give_its_figures() -> None:
    """The order of cells and the fixed part's orientations determine BT's branches; others are near."""
    row = ROWS["pent-8x8-minus-2x2"]
    entry = table1.run_row(row, chosen_methods("BT,MC+SZ,MC+SZ+ST", names()), 60, really)
    assert entry.comparison.runs[0].figure("branches") == row.printed["BT"].branches == 2_757_203
    assert (entry.columns["solutions"], entry.columns["orientations_reduced"]) == (65, 56)
    assert entry.sound
    assert "| BT | 2,757,203 | 2,757,203 | 1.00 |" in "\n".join(table1.entry_lines(entry))
    for ours in entry.comparison.runs:
        assert ours.figure("branches") == pytest.approx(row.printed[ours.name].branches, rel=0.005)


def planted(row: table1.Row, different: int, *, complete: bool = True) -> table1.Entry:
    """An entry of runs that claim so many solutions."""
    answer = {
        "complete": complete,
        "stop": "exhausted" if complete else "time limit",
        "different": different,
        "total": 4 * different,
        "different_is": "exact" if complete else "at least",
        "total_is": "exact" if complete else "at least",
        "digest": "1",
        "branches": 1000,
        "branches_by_level": [1000],
        "memory": None,
        "seconds": {"setup": 0.0, "first": 0.1, "search": 0.5, "check": 0.0},
    }

    def runner(_: Sequence[str]) -> Finished:
        return Finished(0, json.dumps(answer), "")

    def run(puzzle: str, methods: tuple[Method, ...], arguments: list[str], figures: dict[str, Any]) -> Comparison:
        return compare(puzzle, methods, arguments, runner, figures=figures)

    return table1.run_row(row, chosen_methods("MC,MC+SZ", names()), 5, run)


def test_a_wrong_count_is_loud_though_all_agree() -> None:
    entry = planted(ROWS["soma"], 239)
    assert not entry.comparison.disagreements
    assert not entry.sound
    assert "MISCOUNTED: MC found 239, expected 240" in table1.entry_lines(entry)
    assert "| soma | 239 | 240 | WRONG |" in table1.page([entry], 5)
    right = planted(ROWS["soma"], 240)
    assert right.sound
    assert "| soma | 240 | 240 | 2 agree |" in table1.page([right], 5)


def test_what_was_cut_short_is_a_bound_without_a_ratio() -> None:
    entry = planted(ROWS["pent-10x6"], 7, complete=False)
    assert entry.sound
    (line,) = [line for line in table1.entry_lines(entry) if line.startswith("| MC+SZ ")]
    assert line == "| MC+SZ | >1,000 | 1,732,537 | - | 0.100 | 0.2 | >0.500 | 11.8 | - | time limit |"
    assert "solutions" not in entry.columns
    assert "| pent-10x6 | - | - | none complete |" in table1.page([entry], 5)


def test_published_errors_are_told() -> None:
    text = "\n".join(table1.entry_lines(planted(ROWS["happy-cube-green"], 10)))
    assert "Published, but wrong: different under rotations 20" in text


@within
def test_the_command_writes_page_and_data(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    done = called("--puzzles", "hex-prisms,happy-cube-red", "--methods", "MC,MC+SZ", "--output", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("### ") == 2
    page, data = path.read_text("utf-8"), json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert done.stdout.split("###")[1].strip() in page
    assert [row["puzzle"] for row in data["rows"]] == ["hex-prisms", "happy-cube-red"]
    assert data["rows"][0]["ours"]["solutions"] == data["rows"][0]["theirs"]["columns"]["solutions"] == 2
    assert data["rows"][0]["ratios"]["MC+SZ"]["branches"] > 0
    assert data["machine"] in page
    assert data["seconds"] == 60


@within
def test_the_command_in_json() -> None:
    done = called("--puzzles", "slothouber-graatsma,sphere-pyramid", "--methods", "MC+SZ", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["sound"] for row in rows] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--puzzles", "pent-10x7"], 1, "did you mean 'pent-10x6'?"),
        (["--methods", "SZ"], 1, "no method 'SZ'"),
        (["--output", "x.json"], 2, "name a file .md"),
        (["--output", "/no/such/folder/x.md"], 1, "there is no folder /no/such/folder"),
    ],
)
def test_bad_requests(arguments: list[str], code: int, said: str) -> None:
    done = called(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in " ".join(done.stderr.split())


def test_no_puzzle_at_all_is_named() -> None:
    with pytest.raises(UnsupportedError, match="no puzzle is named; there are pent-8x8-minus-2x2"):
        table1.chosen_rows(" , ")
