"""Comparisons: agreement and disagreement, methods by name, and every form of output."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from latcover.backends import names, searchers
from latcover.errors import BackendUnavailableError, UnsupportedError
from latcover.lab.comparing import comparison_tables, plot
from latcover.lab.comparing.compare import Comparison, Status, compare
from latcover.lab.comparing.methods import PAPER, Method, chosen_methods, known_methods
from latcover.system.child_process import Finished

SEGMENTATION_FAULT = -11


def answer(**changes: Any) -> dict[str, Any]:
    """What `count --json` prints, in short."""
    usual = {
        "puzzle": "p",
        "complete": True,
        "stop": "exhausted",
        "different": 5,
        "total": 40,
        "different_is": "exact",
        "total_is": "exact",
        "covers": 5,
        "branches": 1200,
        "seconds": {"setup": 0.01, "first": 0.02, "search": 0.5, "check": 0.001},
        "dead_ends": 3,
        "branches_by_level": [10, 1000, 190],
        "digest": "00000000000000ab",
        "memory": 50 * 2**20,
    }
    return usual | changes


def printed(**changes: Any) -> Finished:
    found = answer(**changes)
    return Finished(0 if found["complete"] else 3, json.dumps(found) + "\n", "")


CUT = {"complete": False, "stop": "time limit", "different_is": "at least", "total_is": "at least"}


def compared(**finished: Finished) -> Comparison:
    """A comparison of methods whose processes left this."""
    methods = [Method(name, ("--backend", name)) for name in finished]

    def runner(arguments: Sequence[str]) -> Finished:
        return finished[arguments[arguments.index("--backend") + 1]]

    return compare("p", methods, ["--time", "9"], runner)


def test_each_run_is_told_before_the_next_one_starts() -> None:
    told: list[str] = []
    methods = [Method(name, ()) for name in "ab"]
    compare(
        "p",
        methods,
        [],
        lambda _: printed(**CUT, total=7),
        on_start=lambda method, _: told.append(method.name),
        on_end=lambda run: told.append(comparison_tables.run_as_line(run)),
    )
    line = "time limit: >= 5 different, >= 7 in all, 0.500 s"
    assert told == ["a", f"a: {line}", "b", f"b: {line}"]
    compare("p", methods[:1], [], lambda _: Finished(1, "", "error: no y\n"), on_end=lambda run: told.append(run.stop))
    assert told[-1] == "cannot be used"


# ---- agreement


def test_methods_that_agree() -> None:
    found = compared(a=printed(), b=printed(branches=600), c=printed(branches=None, branches_by_level=[]))
    assert (found.disagreements, found.exit_code) == ((), 0)
    assert "the 3 complete methods agree" in found.verdict()[0]
    assert [found.ratio(each, "branches") for each in found.runs] == [2.0, 1.0, None]


@pytest.mark.parametrize("change", [{"different": 6}, {"total": 41}, {"digest": "00000000000000ac"}])
def test_a_disagreement_is_loud(change: dict[str, Any]) -> None:
    found = compared(a=printed(), liar=printed(**change), c=printed())
    assert found.exit_code == 1
    assert found.verdict()[0].startswith("THE METHODS DISAGREE: a, c found 5 different")
    assert "liar found" in found.verdict()[0]
    for text in (comparison_tables.as_text(found), comparison_tables.as_markdown(found)):
        assert "THE METHODS DISAGREE" in text
    assert comparison_tables.as_json(found)["agree"] is False


@pytest.mark.parametrize(("change", "code"), [({"different": 6}, 1), ({"total": 41}, 1), ({"different": 4}, 3)])
def test_one_cut_short_must_not_find_more(change: dict[str, Any], code: int) -> None:
    found = compared(a=printed(), short=printed(**CUT, **change))
    assert found.exit_code == code
    assert bool(found.disagreements) == (code == 1)
    assert found.runs[1].status is Status.CUT_SHORT
    assert "short" in found.verdict()[0]


def test_those_cut_short_are_not_compared_with_each_other() -> None:
    found = compared(a=printed(**CUT), b=printed(**CUT, different=3, digest="1"))
    assert (found.disagreements, found.exit_code) == ((), 3)
    assert "no method ran to its end" in found.verdict()[0]
    assert found.ratio(found.runs[0], "search") is None


@pytest.mark.parametrize(
    ("finished", "status", "reason"),
    [
        (Finished(1, "", "error: backend 'x' needs y: pip install y\n"), Status.UNUSABLE, "backend 'x' needs y: pip"),
        (Finished(2, "", "Usage: ...\n╭─ Error ─╮\n│ No such option: --new │\n╰─╯\n"), Status.UNUSABLE, "No such op"),
        (Finished(SEGMENTATION_FAULT, "", ""), Status.FAILED, "ended by SIGSEGV"),
        (Finished(1, "", "Traceback (most recent call last):\nKeyError: 3\n"), Status.FAILED, "exit code 1: KeyError"),
        (Finished(0, "not JSON", ""), Status.FAILED, "exit code 0: it printed no answer"),
        (Finished(0, '{"complete": true}', ""), Status.FAILED, "exit code 0: it printed no answer"),
        (Finished(1, json.dumps(answer()), "error: but then\n"), Status.UNUSABLE, "but then"),
    ],
)
def test_a_method_without_an_answer_does_not_stop_the_rest(finished: Finished, status: Status, reason: str) -> None:
    found = compared(bad=finished, a=printed(), b=printed())
    assert found.runs[0].status is status
    assert found.runs[0].reason.startswith(reason)
    assert found.exit_code == (1 if status is Status.FAILED else 0)
    assert "the 2 complete methods agree" in found.verdict()[0]
    assert f"bad: {status.value}: {reason}" in comparison_tables.as_text(found)


def test_no_answer_at_all_is_an_error() -> None:
    assert compared(bad=Finished(1, "", "error: no\n")).exit_code == 1


def test_an_interrupt_leaves_the_rest_out() -> None:
    short = printed(**CUT)
    stopped = Finished(short.code, short.output, "", interrupted=True)
    found = compared(a=printed(), b=stopped, c=printed())
    assert [each.status for each in found.runs] == [Status.COMPLETE, Status.CUT_SHORT, Status.NOT_RUN]
    assert found.exit_code == 3
    assert "c: not run: interrupted before its turn" in comparison_tables.as_text(found)


# ---- methods


def test_methods_by_name() -> None:
    found = chosen_methods("BT, mc+sz ,dlx:size=false,threads=2,MC", names())
    assert [method.name for method in found] == ["BT", "MC+SZ", "dlx:size=false,threads=2", "MC"]
    assert found[0].arguments == tuple(PAPER["BT"].split())
    assert found[2].arguments == ("--backend", "dlx", "--option", "size=false", "--option", "threads=2")
    assert len(chosen_methods("MC,MC,mc", names())) == 1


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("MC,MX", "no method 'MX'; did you mean 'MC'?"),
        ("nothing-like-it", "no method 'nothing-like-it'; known: BT"),
        (" , ", "no method is named"),
        ("dlx:size", "'size' is not an option of the form key=value"),
        ("dlx:=1", "'=1' is not an option of the form key=value"),
        ("size=1,MC", "no method 'size=1'"),
    ],
)
def test_methods_that_do_not_exist(wanted: str, said: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        chosen_methods(wanted, names())
    assert said in str(error.value)


def test_every_backend_is_among_the_methods() -> None:
    used = {method.arguments[1] for method in known_methods([*searchers(), "another"]).values()}
    assert {*searchers(), "another"} == used
    assert {*names()} - {*searchers()} == {"auto"}
    assert known_methods(["another"])["another"].arguments == ("--backend", "another")


# ---- forms


def sample() -> Comparison:
    return compared(
        quick=printed(),
        slow=printed(branches=7_000_000, seconds={"setup": 0.0, "first": None, "search": 12.5, "check": 0.0}),
        cut=printed(**CUT, different=2, total=16),
        none=printed(branches=None, branches_by_level=[], memory=None),
        bad=Finished(1, "", 'error: a "quoted", reason | with a bar\n'),
    )


def test_json_parses_back() -> None:
    data = json.loads(json.dumps(comparison_tables.as_json(sample())))
    assert [method["method"] for method in data["methods"]] == ["quick", "slow", "cut", "none", "bad"]
    assert data["methods"][0]["answer"] == answer()
    assert (data["methods"][1]["time_ratio"], data["methods"][2]["time_ratio"]) == (25.0, None)
    assert (data["agree"], data["compared"]) == (True, ["quick", "slow", "none"])
    assert data["methods"][4]["answer"] is None


def test_csv_parses_back() -> None:
    rows = list(csv.DictReader(io.StringIO(comparison_tables.as_csv(sample()))))
    assert [row["method"] for row in rows] == ["quick", "slow", "cut", "none", "bad"]
    assert (rows[0]["different"], rows[0]["digest"], rows[0]["stop"]) == ("5", "00000000000000ab", "exhausted")
    assert float(rows[1]["search_seconds"]) == 12.5
    assert (rows[1]["first_seconds"], rows[3]["branches"], rows[3]["memory_bytes"]) == ("", "", "")
    assert rows[2]["status"] == "cut short"
    assert rows[4]["reason"] == 'a "quoted", reason | with a bar'
    assert len({len(row) for row in rows}) == 1


def test_markdown_parses_back() -> None:
    lines = comparison_tables.as_markdown(sample()).splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert table[0] == list(comparison_tables.HEADINGS)
    assert {len(row) for row in table} == {len(comparison_tables.HEADINGS)}
    assert table[3][:4] == ["slow", "5", "40", "7,000,000"]
    assert table[4][-1] == "time limit"


def test_text_is_aligned() -> None:
    lines = comparison_tables.as_text(sample()).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("method"))
    ends = [line.rfind(word) + len(word) for line, word in zip(lines[start : start + 2], ("MiB", "50"), strict=True)]
    assert len(set(ends)) == 1
    assert lines[start + 1].split() == [
        "quick",
        "5",
        "40",
        "1,200",
        "1.00",
        "0.020",
        "0.500",
        "1.00",
        "0.010",
        "50",
        "complete",
    ]


def test_the_profile_has_a_bar_for_every_level_and_says_its_scale() -> None:
    heading, quick, slow, cut = comparison_tables.profile_lines(sample())
    assert "logarithmic" in heading
    assert "top: 1,000" in heading
    assert quick == "quick  ▃█▇  most at level 2: 1,000"
    assert slow.split()[1] == cut.split()[1] == "▃█▇"
    few = compared(a=printed(branches_by_level=[1, 0, 8, 4]))
    assert comparison_tables.profile_lines(few)[1].startswith("a  ▁ █▄  most")
    assert "linear" in comparison_tables.profile_lines(few)[0]
    assert comparison_tables.profile_lines(compared(a=printed(branches_by_level=[]))) == []
    ascii_only = comparison_tables.as_text(sample(), blocks=comparison_tables.PLAIN_BLOCKS)
    assert ascii_only.isascii()


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_plot_is_a_real_picture(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture{suffix}"
    plot.plot(sample(), path)
    if suffix == ".png":
        from matplotlib.image import imread

        height, width, _ = imread(path).shape
        assert min(height, width) > 200
        assert len({tuple(pixel) for pixel in imread(path)[::7, ::7].reshape(-1, 4).tolist()}) > 3
    else:
        texts = {element.text for element in ElementTree.parse(path).iter() if element.text}
        said = " ".join(text.strip() for text in texts)
        assert all(word in said for word in ("quick", "slow", "cut", "7,000,000", "12.500", "logarithmic", "cut short"))
        assert "bad" not in said.split()


def test_plots_of_odd_figures(tmp_path: Path) -> None:
    nothing = printed(branches=0, seconds={"setup": 0.0, "first": None, "search": 0.0, "check": 0.0})
    for number, found in enumerate((compared(a=nothing), compared(bad=Finished(1, "", "error: no\n")))):
        plot.plot(found, tmp_path / f"{number}.svg")
        assert ElementTree.parse(tmp_path / f"{number}.svg").getroot().tag.endswith("svg")


def test_a_plot_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match=r"cannot plot a \.gif"):
        plot.require_plotting(Path("x.gif"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BackendUnavailableError, match="needs matplotlib, which is not installed; install with: "):
        plot.require_plotting(Path("x.png"))


def test_a_title_counts_one_of_a_kind() -> None:
    comparison = Comparison("p", (), {"cells": 6, "parts": 1, "options": 1200}, ())
    assert comparison_tables.title(comparison) == "p: 6 cells, 1 part, 1,200 options"


def test_names_cannot_give_orders_to_a_terminal() -> None:
    hostile = "p\x1b[2J\u202e\nforged"
    runs = compared(broken=Finished(1, "", f"error: {hostile}")).runs
    lines = comparison_tables.as_text(Comparison(hostile, ("--time", "9"), {}, runs)).splitlines()
    assert lines[0] == r"p\x1b[2J\u202e\nforged (--time 9)"
    assert all(line.isprintable() for line in lines)


def test_a_run_that_was_cut_short_has_lower_bounds_or_no_number() -> None:
    nothing = {"different": 0, "total": 0, "different_is": "not known", "total_is": "not known"}
    comparison = compared(whole=printed(), some=printed(**CUT, different=4), none=printed(**{**CUT, **nothing}))
    found = [row[1:3] for row in comparison_tables.table_rows(comparison)]
    assert found == [("5", "40"), (">= 4", ">= 40"), ("not known", "not known")]
