"""What every benchmark stands on: commands with limits, turns, agreement, tables, lists of names, the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES, main
from benchmarks.compare_counts import ratios
from benchmarks.harness.counting import CountInTurn, counts_in_turns, counts_of
from benchmarks.harness.options import chosen
from benchmarks.harness.processes import run_command
from benchmarks.harness.tables import Question, Reply, answers_of, filled, lines_of
from benchmarks.harness.turns import DisagreementError, in_turns, require_agreement
from benchmarks.suite_puzzles import puzzle_of
from benchmarks.waits import Wait, cells, taken_by
from latcover.errors import LatcoverError, UnsupportedError
from tests.command_line import run

PYTHON = [sys.executable, "-S", "-c"]


def test_a_command_is_told_with_its_end() -> None:
    done = run_command([*PYTHON, "import sys; print(7); sys.exit('no')"], seconds=20, environment={"LANG": "C"})
    assert (done.output, done.messages, done.code) == ("7\n", "no\n", 1)
    assert done.seconds > 0


def test_a_command_is_ended_at_its_limits(tmp_path: Path) -> None:
    assert run_command([*PYTHON, "while True: pass"], seconds=1, folder=tmp_path).code < 0
    greedy = run_command([*PYTHON, "bytes(2 << 30)"], megabytes=1024)
    assert "MemoryError" in greedy.messages


def test_runs_take_turns_as_long_as_they_go_on() -> None:
    order: list[str] = []
    runs = {name: lambda name=name: order.append(name) or len(order) for name in "ab"}  # type: ignore[misc]
    assert in_turns(runs, 3, lambda earlier: earlier[0] == 1) == {"a": [1, 3, 4], "b": [2]}
    assert order == ["a", "b", "a", "a"]


def test_what_differs_is_no_result() -> None:
    require_agreement("soma", "answer", {"dlx": 5, "sat": None, "cpsat": 5})
    with pytest.raises(DisagreementError, match="soma: the methods disagree about the answer: dlx 5,000, sat 6"):
        require_agreement("soma", "answer", {"dlx": 5000, "sat": 6})


def test_rows_are_there_as_soon_as_they_are_answered() -> None:
    replies = {"dlx": Reply("0.1", 1234), "sat": Reply("> 5")}
    asked: list[str] = []

    def ask(backend: str) -> Reply:
        asked.append(backend)
        return replies[backend]

    lines = lines_of(("what", "answer", "dlx", "sat"), answers_of([Question(("a",), ask)], ("dlx", "sat")))
    assert [next(lines), next(lines)] == ["| what | answer | dlx | sat |", "| --- | --: | --: | --- |"]
    assert not asked
    assert next(lines) == "| a | 1,234 | 0.1 | > 5 |"
    replies["sat"] = Reply("0.2", 1235)
    with pytest.raises(DisagreementError, match="a: the methods disagree"):
        next(answers_of([Question(("a",), ask)], ("dlx", "sat")))


def test_a_template_is_filled(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Head\n\n<!-- one -->\n\nend\n")
    assert filled(page, {"one": ["a", "", "b", ""]}) == "# Head\n\na\n\nb\n\nend"


def test_names_are_chosen_from_a_list() -> None:
    assert chosen("section", None, ("a", "b")) is None
    assert chosen("section", " b,a,b", ("a", "b")) == ("b", "a")
    for names, said in (("c", "no section 'c'"), (",", "no section is named; there are a, b")):
        with pytest.raises(UnsupportedError, match=said):
            chosen("section", names, ("a", "b"))


def test_counts_stop_where_two_methods_agree(tmp_path: Path) -> None:
    file = tmp_path / "a.dlx"
    file.write_text("a b\na\nb\na b\n")
    found = counts_of(file, ["auto", "frontier", "components", "enumeration"], 20, times=1)
    assert {method: count for method, (_, count) in found.items()} == dict.fromkeys(
        ("auto", "frontier", "components"), "2"
    )


def counted(seconds: float) -> CountInTurn:
    return CountInTurn(seconds, "1", "frontier")


def test_methods_that_count_by_turns_are_those_that_can(tmp_path: Path) -> None:
    file = tmp_path / "a.dlx"
    file.write_text("a b\na\nb\na b\n")
    found = counts_in_turns(str(file), ["auto", "frontier", "memo", "nonsense"], 20, times=1)
    assert {method: each.covers for method, each in found.items()} == dict.fromkeys(("auto", "frontier", "memo"), "2")
    assert found["auto"].method == "enumeration"


def test_ratios_are_of_what_ends() -> None:
    rows = {
        "a": {"auto": counted(4.0), "frontier": counted(2.0), "enumeration": counted(1.0)},
        "b": {"auto": counted(1.0), "frontier": None, "enumeration": counted(1.0)},
        "c": {"auto": None, "frontier": None, "enumeration": counted(1.0)},
        "short": {"auto": counted(0.0009), "enumeration": counted(0.0001)},
    }
    said = ratios("the best", rows, ("frontier", "enumeration"))
    assert said == "auto / the best: mean 2.00 (geometric), worst 4.0 (a), 1 of 2 above 1.3"
    assert ratios("before", {"c": rows["c"]}, ("frontier",)) == "auto / before: nothing to compare"


def test_a_wait_has_a_time_or_a_reason() -> None:
    assert isinstance(taken_by(Wait("nothing", ("-S", "-c", "")), sys.executable, 5), float)
    cut = 'print(\'{"summary": {"complete": false, "different": 0}}\')'
    assert taken_by(Wait("a search", ("-S", "-c", cut), is_limited=True), sys.executable, 5) == "not in 5 s"
    with pytest.raises(LatcoverError, match="a fault failed: no"):
        taken_by(Wait("a fault", ("-S", "-c", "raise SystemExit('no')")), sys.executable, 5)
    assert cells([[2.0, 1.0], [0.5]]) == ["1.00", "0.50", "2.0"]
    assert cells([["refused"], [0.5]]) == ["refused", "0.50", ""]


def test_a_matching_board_is_made_from_its_name() -> None:
    assert puzzle_of("board-4x4-4").name == "board-4x4-4"
    assert len(puzzle_of("board-3x4-5-2").parts) == 12


def test_every_benchmark_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        with pytest.raises(SystemExit) as end:
            main([name, "--help"])
        assert not end.value.code
        assert f"python -m benchmarks {name}" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="assembly"):
        main(["nothing"])


def test_outside_a_checkout_a_sentence_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("suite", "table1", "compared"):
        done = run("bench", name)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{tmp_path} is in none: change to the folder of a checkout" in " ".join(done.stderr.split())
