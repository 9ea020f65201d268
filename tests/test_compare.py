"""`latcover compare`: agreement and disagreement, every form of output, limits, and what becomes of the processes."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from latcover import comparison_report, plot
from latcover.backends import create, names
from latcover.child_process import Finished
from latcover.compare import Comparison, Status, compare
from latcover.errors import BackendUnavailableError, UnsupportedError
from latcover.library import load
from latcover.methods import PAPER, PICKING, Method, chosen_methods, known_methods
from latcover.solve import prepare, run

COMMAND = [sys.executable, "-P", "-m", "latcover"]
PATIENCE = 60
SEGMENTATION_FAULT = -11


def answer(**changes: Any) -> dict[str, Any]:
    """What `count --json` prints, in short."""
    usual = {
        "puzzle": "p",
        "complete": True,
        "stop": "exhausted",
        "different": 5,
        "total": 40,
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


CUT = {"complete": False, "stop": "time limit"}


def compared(**finished: Finished) -> Comparison:
    """A comparison of methods whose processes left this."""
    methods = [Method(name, ("--backend", name)) for name in finished]

    def runner(arguments: Sequence[str]) -> Finished:
        return finished[arguments[arguments.index("--backend") + 1]]

    return compare("p", methods, ["--time", "9"], runner)


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
    for text in (comparison_report.as_text(found), comparison_report.as_markdown(found)):
        assert "THE METHODS DISAGREE" in text
    assert comparison_report.as_json(found)["agree"] is False


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
    assert f"bad: {status.value}: {reason}" in comparison_report.as_text(found)


def test_no_answer_at_all_is_an_error() -> None:
    assert compared(bad=Finished(1, "", "error: no\n")).exit_code == 1


def test_an_interrupt_leaves_the_rest_out() -> None:
    short = printed(**CUT)
    stopped = Finished(short.code, short.output, "", interrupted=True)
    found = compared(a=printed(), b=stopped, c=printed())
    assert [each.status for each in found.runs] == [Status.COMPLETE, Status.CUT_SHORT, Status.NOT_RUN]
    assert found.exit_code == 3
    assert "c: not run: interrupted before its turn" in comparison_report.as_text(found)


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
        ("MC,MX", "no method 'MX'; known: BT"),
        ("nothing-like-it", "no method 'nothing-like-it'; known: BT"),
        (" , ", "no method is named"),
        ("dlx:size", "'size' is no option of the form key=value"),
        ("dlx:=1", "'=1' is no option of the form key=value"),
        ("size=1,MC", "no method 'size=1'"),
    ],
)
def test_methods_that_do_not_exist(wanted: str, said: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        chosen_methods(wanted, names())
    assert said in str(error.value)


def test_every_backend_is_among_the_methods() -> None:
    used = {method.arguments[1] for method in known_methods([*names(), "another"]).values()}
    assert {*names(), "another"} - PICKING == used
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
    data = json.loads(json.dumps(comparison_report.as_json(sample())))
    assert [method["method"] for method in data["methods"]] == ["quick", "slow", "cut", "none", "bad"]
    assert data["methods"][0]["answer"] == answer()
    assert (data["methods"][1]["time_ratio"], data["methods"][2]["time_ratio"]) == (25.0, None)
    assert (data["agree"], data["compared"]) == (True, ["quick", "slow", "none"])
    assert data["methods"][4]["answer"] is None


def test_csv_parses_back() -> None:
    rows = list(csv.DictReader(io.StringIO(comparison_report.as_csv(sample()))))
    assert [row["method"] for row in rows] == ["quick", "slow", "cut", "none", "bad"]
    assert (rows[0]["different"], rows[0]["digest"], rows[0]["stop"]) == ("5", "00000000000000ab", "exhausted")
    assert float(rows[1]["search_seconds"]) == 12.5
    assert (rows[1]["first_seconds"], rows[3]["branches"], rows[3]["memory_bytes"]) == ("", "", "")
    assert rows[2]["status"] == "cut short"
    assert rows[4]["reason"] == 'a "quoted", reason | with a bar'
    assert len({len(row) for row in rows}) == 1


def test_markdown_parses_back() -> None:
    lines = comparison_report.as_markdown(sample()).splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert table[0] == list(comparison_report.HEADINGS)
    assert {len(row) for row in table} == {len(comparison_report.HEADINGS)}
    assert table[3][:4] == ["slow", "5", "40", "7,000,000"]
    assert table[4][-1] == "time limit"


def test_text_is_aligned() -> None:
    lines = comparison_report.as_text(sample()).splitlines()
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
    heading, quick, slow, cut = comparison_report.profile_lines(sample())
    assert "logarithmic" in heading
    assert "top: 1,000" in heading
    assert quick == "quick  ▃█▇  most at level 2: 1,000"
    assert slow.split()[1] == cut.split()[1] == "▃█▇"
    few = compared(a=printed(branches_by_level=[1, 0, 8, 4]))
    assert comparison_report.profile_lines(few)[1].startswith("a  ▁ █▄  most")
    assert "linear" in comparison_report.profile_lines(few)[0]
    assert comparison_report.profile_lines(compared(a=printed(branches_by_level=[]))) == []
    ascii_only = comparison_report.as_text(sample(), blocks=comparison_report.PLAIN_BLOCKS)
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
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    with pytest.raises(BackendUnavailableError, match=r"pip install 'latcover\[plot\]'"):
        plot.require_plotting(Path("x.png"))


# ---- the command


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "compare", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_the_command_compares_real_searches() -> None:
    done = called("soma", "--methods", "MC,MC+SZ", "--symmetry", "rotations", "--pivot", "L", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data["arguments"] == ["--symmetry", "rotations", "--pivot", "L"]
    assert data["figures"]["pivot"] == "L"
    assert [method["answer"]["different"] for method in data["methods"]] == [480, 480]
    first, second = (method["answer"]["digest"] for method in data["methods"])
    assert first == second
    assert data["methods"][1]["branches_ratio"] == 1.0


def test_the_digest_is_that_of_the_library() -> None:
    data = json.loads(called("pent-20x3", "--backends", "dlx", "--json").stdout)
    assert data["methods"][0]["answer"]["digest"] == run(prepare(load("pent-20x3")), create("dlx")).digest
    assert "only dlx ran to its end" in data["verdict"][0]


def test_a_time_limit_is_shown_and_not_compared() -> None:
    done = called("pent-5x4x3", "--methods", "MC,MC+SZ", "--time", "0.2")
    assert done.returncode == 3
    assert done.stdout.count("time limit") == 2
    assert "cut short, and not compared: MC, MC+SZ" in done.stdout


def test_a_solution_limit() -> None:
    done = called("soma", "--methods", "MC,MC+SZ", "--limit", "7", "--format", "csv")
    assert done.returncode == 3
    assert [row["different"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["7", "7"]


def test_files_and_plots(tmp_path: Path) -> None:
    table, picture = tmp_path / "soma.md", tmp_path / "soma.png"
    done = called("soma", "--methods", "MC+SZ", "--output", str(table), "--plot", str(picture))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [f"wrote {table}", f"wrote {picture}"]
    assert "| MC+SZ | 240 | 11,520 |" in table.read_text("utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["soma", "--methods", "XX"], 1, "no method 'XX'"),
        (["soma", "--backends", "dlxx"], 1, "did you mean 'dlx'?"),
        (["soma", "--pivot", "Q"], 1, "'Q' is no part"),
        (["somma"], 1, "did you mean 'soma'?"),
        (["soma", "--plot", "x.bmp"], 1, "the forms are: .png, .svg"),
        (["soma", "--json", "--format", "csv"], 2, "exclude each other"),
        (["soma", "--output", "x.doc"], 2, "tells no form"),
        (["soma", "--plot", "/no/such/folder/x.png"], 1, "there is no folder"),
        (
            ["soma", "--methods", "MC+SZ", "--output", "/no/such/folder/x.md"],
            1,
            "no folder /no/such/folder",
        ),
    ],
)
def test_bad_requests(arguments: list[str], code: int, said: str) -> None:
    done = called(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_an_option_that_the_backend_lacks_does_not_stop_the_rest() -> None:
    done = called("soma", "--methods", "dlx:nonsense=1,MC+SZ", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert [method["status"] for method in data["methods"]] == ["cannot be used", "complete"]
    assert data["methods"][0]["reason"]


def test_ctrl_c_ends_the_child_in_order_and_shows_what_there_is() -> None:
    process = started("pent-5x4x3", "--methods", "MC,MC+SZ", "--json", "-v")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    data = json.loads(stdout)
    assert process.returncode == 3
    assert [method["status"] for method in data["methods"]] == ["cut short", "not run"]
    assert data["methods"][0]["answer"]["stop"] == "cancelled"
    assert data["interrupted"] is True
    assert "Traceback" not in stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
@pytest.mark.parametrize(("signals", "code"), [([signal.SIGTERM], 143), ([signal.SIGINT, signal.SIGINT], 130)])
def test_no_child_is_left_behind(signals: list[signal.Signals], code: int) -> None:
    process = started("pent-5x4x3", "--methods", "MC", "-v")
    (child,) = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
    os.kill(child, signal.SIGSTOP)  # it cannot end by itself
    for each in signals:
        process.send_signal(each)
        time.sleep(0.2)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert not Path(f"/proc/{child}").exists()


def started(*arguments: str) -> subprocess.Popen[str]:
    """The command with -v, once its first child has had time to begin its search."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([*COMMAND, "compare", *arguments], stdout=pipe, stderr=pipe, text=True)
    assert process.stderr is not None
    assert any("latcover count" in line for line in process.stderr)
    time.sleep(3)
    return process
