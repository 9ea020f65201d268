"""What a search says on the way: shares that go forward to 1, and the forms in which commands show them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from latcover.apps.cli.shared import progress as cli_progress
from latcover.apps.cli.shared.printed_answers import SolutionPrinter
from latcover.backends import create
from latcover.backends.bitset import Bitset
from latcover.core.cover.search import Limits, OnProgress, Pieces, Progress, SearchTask
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.model.solution import Solution
from latcover.core.solving.count import count_prepared
from latcover.core.solving.run import run as searched
from latcover.files.formats.library import load
from tests.command_line import LIMIT, Result, run, run_on_terminal
from tests.oracle import cover_problem

KEYS = ["share", "branches", "covers", "seconds", "rate", "left"]
SEARCH = ("fig4-3x3", "--backend", "dlx")
DOMINOES = """
name = "dominoes"
lattice = "square"
region = { box = [6, 6] }
parts = [{ name = "domino", box = [1, 2], count = "unlimited" }]
"""


def lines_of(done: Result) -> list[dict[str, float]]:
    lines: list[dict[str, float]] = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(list(line) == KEYS for line in lines)
    return lines


def into(seen: list[Progress]) -> OnProgress:
    def keep(progress: Progress) -> bool:
        seen.append(progress)
        return True

    return keep


def require_forward(seen: list[Progress]) -> None:
    for earlier, later in pairwise(seen):
        assert (earlier.share or 0) <= (later.share or 0)
        assert earlier.seconds <= later.seconds
        assert earlier.covers <= later.covers


@pytest.fixture(scope="module")
def long() -> Prepared:
    """A puzzle whose search reports several times."""
    return prepare(load("pent-12x5"))


@pytest.mark.parametrize(("threads", "ordered"), [(1, True), (2, False), (5, True)])
def test_shares_of_threads_go_forward_to_one(threads: int, ordered: bool, long: Prepared) -> None:
    seen: list[Progress] = []
    found = searched(long, Bitset(threads=threads, ordered=ordered), on_progress=into(seen))
    require_forward(seen)
    last = seen[-1]
    assert (last.share, last.covers, last.branches) == (1.0, found.covers, found.branches)


@pytest.mark.parametrize("name", ["dlx", "backtrack", "bitset", "auto"])
def test_the_last_report_says_that_all_is_done(name: str) -> None:
    seen: list[Progress] = []
    prepared = prepare(load("fig4-3x3"))
    found = searched(prepared, create(name), on_progress=into(seen))
    assert (seen[-1].share, seen[-1].covers) == (1.0, found.covers)
    seen.clear()
    searched(prepared, create(name), Limits(covers=1), on_progress=into(seen))
    assert all(progress.share != 1 for progress in seen)


@pytest.mark.parametrize("name", ["dlx", "backtrack", "bitset", "auto"])
def test_the_last_report_stops_nothing(name: str) -> None:
    assert searched(prepare(load("fig4-3x3")), create(name), on_progress=lambda _: False).complete


def test_a_count_over_all_symmetries_goes_forward_as_one(tmp_path: Path) -> None:
    file = tmp_path / "dominoes.toml"
    file.write_text(DOMINOES)
    prepared = prepare(load(str(file)))
    assert (prepared.tests_pending, prepared.acting) == (True, 8)
    seen: list[Progress] = []
    found = count_prepared(prepared, method="memo", on_progress=into(seen))
    assert found.total == 6728  # Kasteleyn 1961
    # Conjugate symmetries are counted once: the identity, reflections of two kinds, the half turn, two quarter turns.
    assert [progress.share for progress in seen] == pytest.approx([share / 8 for share in (1, 3, 5, 6, 8)])
    require_forward(seen)


def test_pieces_share_what_is_left() -> None:
    seen: list[Progress] = []
    pieces = Pieces(into(seen))
    first = pieces.next()
    for share in (0.1, 0.5):
        first(Progress(share, 7, 3, 0.0))
    second = pieces.next()
    for told in (0.0, None, 0.5, 1.0):
        second(Progress(told, None, 1, 0.0))
    assert [progress.share for progress in seen] == [0.1, 0.5, 0.5, None, 0.75, 1.0]
    assert [progress.covers for progress in seen] == [3] * 6
    assert Pieces(None).next()(seen[0])


def test_rate_and_time_left() -> None:
    progress = Progress(0.25, 1000, 0, 2.0)
    assert (progress.rate, progress.left) == (500, 6.0)
    assert (Progress(None, None, 0, 2.0).rate, Progress(None, None, 0, 2.0).left) == (None, None)
    assert (Progress(0.0, 0, 0, 0.0).rate, Progress(0.0, 0, 0, 0.0).left) == (None, None)
    assert Progress(1.0, 5, 0, 2.0).left == 0


def test_one_at_a_time_is_shared_out_evenly() -> None:
    problem = cover_problem([[item] for item in range(12) for _ in range(2)], [(1, 1)] * 12)
    for name in ("dlx", "backtrack", "bitset"):
        seen: list[Progress] = []
        create(name).search(SearchTask(problem, lambda _: True, Limits(), into(seen)))
        assert seen[-1].share == 1.0
        assert all(progress.share == pytest.approx(progress.covers / 2**12, abs=2 / 2**12) for progress in seen)


# ---- commands


def test_a_line_of_json_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    lines = cli_progress.Lines()
    for seconds in (0.1, 0.9, 1.0, 1.5, 2.1, 2.2):
        lines.show(Progress(0.1, 1000, 3, seconds))
    lines.end(Progress(0.2, 2000, 4, 2.3))
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["seconds"] for line in told] == [1.0, 2.1, 2.3]


def test_lines_of_json_also_when_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_progress, "BETWEEN_LINES", 0.0)
    done = run("count", "bedlam", "--backend", "dlx", "--progress", "json", "--max-branches", "300_000")
    early, *_, last = lines_of(done)
    assert done.returncode == LIMIT
    for line in (early, last):
        assert list(line) == KEYS
        assert 0 < line["share"] < 1
        assert line["rate"] > 0
        assert line["left"] > 0
    assert early["branches"] <= last["branches"]


@pytest.mark.parametrize("command", ["count", "solve", "show"])
def test_a_complete_search_ends_with_a_share_of_one(command: str) -> None:
    more = ["--solution", "9"] if command == "show" else []
    done = run(command, "fig4-3x3", *more, "--progress", "json", "-q")
    if command == "show":  # a search for one solution too many
        *lines, complaint = done.stderr.splitlines()
        assert complaint.startswith("error: fig4-3x3 has only 2 different solutions")
        assert json.loads(lines[-1])["share"] == 1
    else:
        (last,) = lines_of(done)
        assert (last["share"], last["left"], last["covers"]) == (1, 0, 2)


def test_the_probing_of_an_estimate_ends_with_a_line() -> None:
    (last,) = lines_of(run("estimate", "fig4-3x3", "--probes", "8", "--progress", "json"))
    assert (last["share"], last["left"], last["branches"]) == (1, 0, None)
    assert last["covers"] > 0


def test_counts_without_branches_say_so() -> None:
    (last,) = lines_of(run("count", "fig4-3x3", "--backend", "cpsat", "--progress", "json"))
    assert (last["share"], last["branches"], last["rate"]) == (1, None, None)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars are shown from the beginning of a search."""
    monkeypatch.setattr(cli_progress, "BEFORE_A_BAR", 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("form", ["auto", "none"])
def test_nothing_is_shown_where_nobody_looks(form: str) -> None:
    assert run("count", *SEARCH, "--progress", form).stderr == ""


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("terminal", ["dumb", "xterm-256color"])
def test_a_bar_that_was_asked_for_is_shown_when_piped(terminal: str) -> None:
    shown = run("count", *SEARCH, "--progress", "bar", TERM=terminal).stderr
    assert "%" in shown
    assert "branches/s" in shown
    assert "left" in shown


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("options", "name", "seen"),
    [
        ((), "xterm-256color", True),
        (("--progress", "none"), "xterm-256color", False),
        (("-q",), "xterm-256color", False),
        ((), "dumb", False),
    ],
)
def test_a_terminal_gets_a_bar(options: tuple[str, ...], name: str, seen: bool) -> None:
    shown, _, _ = run_on_terminal("stderr", "count", *SEARCH, *options, TERM=name, COLUMNS="120")
    assert ("branches/s" in shown) == seen
    assert seen or not shown


# Solutions are printed batch by batch


def test_a_search_says_that_a_batch_has_ended() -> None:
    said: list[str] = []
    prepared = prepare(load("pent-20x3"))
    searched(
        prepared, create("dlx"), on_solution=lambda _: said.append("solution"), on_batch_end=lambda: said.append("end")
    )
    assert said.count("solution") == 2
    assert said[-1] == "end"


@pytest.mark.parametrize("as_json", [True, False])
def test_solutions_are_printed_at_the_end_of_their_batch(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    found: list[Solution] = []
    searched(prepare(load("pent-20x3")), create("dlx"), on_solution=found.append)
    shown = cli_progress.Watcher()
    show = SolutionPrinter(shown, images=False, color=False, as_json=as_json, held=True)
    with cli_progress.watched(shown, show) as events:
        for solution in found:
            events.on_solution(solution)
        assert not capsys.readouterr().out
        events.on_batch_end()
        assert capsys.readouterr().out.count('"number": ' if as_json else "solution ") == 2
    assert not capsys.readouterr().out


def test_what_was_found_is_printed_when_a_search_breaks_down(capsys: pytest.CaptureFixture[str]) -> None:
    def break_down(solution: Solution) -> None:
        events.on_solution(solution)
        raise RuntimeError

    shown = cli_progress.Watcher()
    show = SolutionPrinter(shown, images=False, color=False, as_json=True, held=True)
    with pytest.raises(RuntimeError), cli_progress.watched(shown, show) as events:
        searched(prepare(load("pent-20x3")), create("dlx"), on_solution=break_down)
    assert json.loads(capsys.readouterr().out)["number"] == 1
