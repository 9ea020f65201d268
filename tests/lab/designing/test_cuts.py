"""Cuts of a region: what the local search finds is what it says, by ways of counting and taking apart of our own."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.apps.cli.shared.options import ReportOptions
from latcover.apps.cli.shared.progress import watcher
from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.model.verifier import verify
from latcover.errors import InputError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing import cuts
from latcover.lab.designing.cut_designs import CutDesign
from latcover.lab.designing.cuts import Cutter, cut
from latcover.lab.designing.design_requests import CutRequest
from latcover.lab.designing.design_results import DesignResults
from latcover.lab.designing.region_names import region_named
from latcover.show.reporting.design_report import cuts_as_json, cuts_as_text
from tests.command_line import FAILED, LIMIT, run
from tests.shipped import rest_long


def walked(region: str, n_parts: int, n: int = 3, seed: int = 1, **wishes: object) -> list[CutDesign]:
    return cut(region, n_parts, seed=seed, walks=n, keep=n, patience=300, **wishes)


@pytest.mark.parametrize(
    ("region", "n_parts", "wishes"),
    [
        ("cubic:3x3x3", 4, {}),
        ("cubic:3x3x3", 4, {"holes": 1}),
        ("cubic:2x3x4", 4, {"hard": True}),
        ("square:4x6", 5, {}),
        ("square:4x4", 4, {"holes": 2}),
        ("hexagonal:4x4", 4, {}),
        ("triangular:3x4", 5, {}),
        ("triprism:2x3x2", 4, {}),
        ("sphere-pyramid", 4, {}),
    ],
)
def test_designs_have_one_solution_in_connected_parts_that_come_apart(region, n_parts, wishes) -> None:
    designs = walked(region, n_parts, **wishes)
    assert designs
    asked = region_named(region)
    for design in designs:
        assert latcover.count(design.puzzle).different == 1
        assert latcover.verify(design.puzzle, design.solution) == []
        in_full = latcover.count(design.puzzle, latcover.CountRequest(symmetry="none"))
        assert in_full.total == design.puzzle.expect["total"] == design.difficulty.solutions
        covered = [cell for placed in design.solution.placements for cell in placed.cells]
        assert len(set(covered)) == len(covered) >= len(asked.cells) - wishes.get("holes", 0)
        for placed in design.solution.placements:
            todo, left = [placed.cells[0]], set(placed.cells[1:])
            while todo:
                near = left & set(asked.lattice.neighbours(todo.pop()))
                left -= near
                todo += near
            assert not left, "a part is not connected"
        if asked.lattice.dimension == 3:
            assert latcover.disassemble(design.solution).level == design.level != ()


def test_a_walk_is_the_same_whatever_the_threads_and_the_walks_before_it() -> None:
    def files(**effort: int) -> list[str]:
        return [puzzle_as_toml([each.puzzle]) for each in cut("cubic:3x3x3", 4, keep=9, patience=100, **effort)]

    alone = files(walks=4)
    assert files(walks=4, threads=3) == alone
    single = files(first=2, walks=1)
    assert len(single) == 1
    assert single[0] in alone


def test_parts_have_about_five_cells_if_nobody_says_how_many() -> None:
    (design,) = cut("square:4x5", walks=1, patience=50)
    assert sum(part.low for part in design.puzzle.parts) == 4
    assert "--parts 4" in design.puzzle.source


def test_wishes_are_fulfilled() -> None:
    for design in walked("cubic:3x3x3", 5, 2, sizes="3,4,6,7,7", no_mirrors=True, asymmetric=True, different=True):
        assert design.as_json()["sizes"] == [3, 4, 6, 7, 7]
        assert all(part.low == 1 for part in design.puzzle.parts)
    for design in walked("cubic:3x3x3", 5, 2, sizes="5..6", no_flat=True):
        for part in design.puzzle.parts:
            assert part.size in (5, 6)
            assert np.linalg.matrix_rank(part.cells[:, 1:] - part.cells[0, 1:]) == 3
    rod = [[0, 0, k] for k in range(3)]
    for design in walked("square:3x5", 5, 2, sizes="3,3,3,3,3", shapes=[rod]):
        assert all(len(set(map(tuple, part.cells[:, 1:2]))) > 1 for part in design.puzzle.parts if part.size == 3)


ENDLESS = 1_000_000_000  # walks


class Impatient(latcover.Events):
    """Ends a search at its first report."""

    def on_progress(self, progress: object) -> bool:
        return False


@pytest.mark.parametrize("ends", ["by the time", "by who hears of it"])
def test_walks_that_are_always_ready_do_not_hide_the_time_and_the_progress(ends: str) -> None:
    seconds, events = (0.1, latcover.Events()) if ends == "by the time" else (None, Impatient())
    request = CutRequest(parts=3, walks=ENDLESS, patience=1, threads=2, seconds=seconds)
    assert Cutter(region_named("square:4x4"), request).search(events).walks < ENDLESS


class Listening(latcover.Events, DesignResults):
    """Notes what is heard, and takes longer for a walk than it may be silent: meanwhile the next walks end."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_progress(self, progress: object) -> bool:
        self.heard.append("progress")
        return True

    def put(self, name: str, result: object) -> None:
        self.heard.append("walk")
        time.sleep(0.06)


def test_progress_is_heard_between_walks_that_are_ready() -> None:
    both = Listening()
    Cutter(region_named("square:4x4"), CutRequest(parts=3, walks=5, patience=1, threads=1)).search(both, both)
    after = [now for before, now in pairwise(both.heard) if before == "walk"]
    assert after == ["progress"] * 5


def test_a_design_that_is_known_is_not_checked_again(monkeypatch) -> None:
    rebuilt, checked, puzzle_of_cut = [], [], Cutter._puzzle
    monkeypatch.setattr(Cutter, "_puzzle", lambda *about: rebuilt.append(about) or puzzle_of_cut(*about))
    monkeypatch.setattr(cuts, "verify", lambda *about: checked.append(about) or verify(*about))
    request = CutRequest(parts=2, walks=40, patience=20, threads=1, keep=1000)
    found = Cutter(region_named("cubic:2x2x3"), request).search()
    assert len(rebuilt) > len(checked) == len(found.designs) > 0


def test_a_cube_without_gaps_opens_by_one_move_and_one_with_gaps_by_more() -> None:
    assert {design.level[0] for design in walked("cubic:3x3x4", 3, 1)} == {1}
    assert max(design.level[0] for design in walked("cubic:4x4x4", 4, 1, holes=4)) > 1
    with pytest.raises(InputError, match="--holes"):
        walked("cubic:4x4x4", 4, min_level=2)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("cubic:4x4", "3 sides"),
        ("cubic:4x0x4", "not a region"),
        ("cubc:4x4x4", "cubic"),
        ("cubic:3x3x3 --parts 99", "2 to 27"),
        ("cubic:9x9x9 --parts 5", "512 cells"),
        ("cubic:3x3x3 --parts 5 --holes 2", "holes"),
        ("cubic:3x3x3 --parts 5 --sizes 1,2,3", "the sum"),
        ("cubic:3x3x3 --parts 5 --sizes 9..9", "do not make up"),
        ("cubic:3x3x3 --parts 5 --sizes some", r"'sizes' in the cut must be numbers of cells such as 4\.\.6"),
        ("square:1x1 --parts 2", "a region of 1 cell cannot be cut"),
        ("square:3x3 --parts 3 --sizes 5..2", r"as in 2\.\.5"),
        ("cubic:3x3x3 --parts 5 --forbid pent-10x6", "lie on the lattice"),
        ("square:6x6 --parts 5 --min-level 2", "lifted"),
        ("cubic:3x3x3 --parts 5 --walk 1 --walks 2", "--walks"),
    ],
)
def test_what_cannot_be_cut_is_refused_with_a_reason(words, told) -> None:
    result = run("design", "cut", *words.split())
    assert result.returncode == FAILED
    assert re.search(told, result.stderr)
    assert "Traceback" not in result.stderr


def test_the_command_writes_designs_that_read_back(tmp_path) -> None:
    result = run(
        "design", "cut", "cubic:2x2x3", "--parts", 3, "--limit", 2, "--threads", 1, "--json", "--output", tmp_path
    )
    *shown, last = map(json.loads, result.stdout.splitlines())
    assert len(shown) == last["summary"]["designs"] == len(last["summary"]["files"]) == 2
    for file in last["summary"]["files"]:
        checked = run("check", file, "--json")
        assert checked.returncode == 0, checked.stdout
        puzzle = latcover.load(file)
        assert latcover.count(puzzle).different == puzzle.expect["different"] == 1
        walk = json.loads(
            run("design", "cut", *puzzle.source.split("`")[1].split()[3:], "--json").stdout.splitlines()[0]
        )
        assert walk["puzzle"] == puzzle.name


def test_a_design_is_drawn_and_the_option_for_a_file_named(tmp_path) -> None:
    words = ("design", "cut", "square:3x4", "--parts", 3, "--limit", 1, "--threads", 1)
    head, *picture = run(*words).stdout.split("\n\n")[0].splitlines()
    assert "one solution" in head
    drawn = Counter("".join(picture).replace(" ", ""))
    assert sorted(drawn.values()) == sorted(map(int, head.split(" parts of ")[1].split(" cells")[0].split(", ")))
    named = "--output DIR writes each design that is kept as a puzzle file; with --seed 1 --walk "
    assert named in run(*words).stdout
    assert "--output" not in run(*words, "--output", tmp_path).stdout


@pytest.mark.parametrize(("ends", "share"), [({"walks": 4, "seconds": 10.0}, 0.5), ({"limit": 1}, None)])
def test_the_progress_counts_walks_or_the_time(ends, share) -> None:
    told = []

    class Listener(latcover.Events):
        def on_progress(self, progress: Progress) -> bool:
            told.append(progress.share)
            return True

    class Native:
        def run(self, *, on_progress, **_) -> None:
            on_progress(2, 100, 3.0)

    cutter = Cutter(region_named("square:3x4"), CutRequest(parts=3, **ends))
    cutter._native = Native()
    cutter.search(Listener())
    assert told == [share]


def test_the_bar_names_walks_and_cuts(capsys) -> None:
    bar = watcher(ReportOptions(progress="bar"), covers="walks", branches="cuts")
    bar.show(Progress(0.5, 100, 3, 2.0))
    bar.close()
    assert re.search(r"50\.0 %.* 3 walks .*50 cuts/s", capsys.readouterr().err)
    bar.show(Progress(None, 100, 3, 2.0))
    bar.close()
    assert "%" not in capsys.readouterr().err  # where nobody knows how far it has come


@pytest.mark.parametrize("order", rest_long([(), ("--one-order",)], [()]))
def test_more_parts_than_a_word_has_bits(order) -> None:
    result = run("design", "cut", "cubic:5x5x5", "--parts", 99, *order, "--time", 0.3, "--threads", 1)
    assert result.returncode in (0, LIMIT), result.stderr


def test_a_search_that_finds_nothing_says_that_it_was_cut_short() -> None:
    result = run("design", "cut", "square:2x2", "--parts", 2, "--different", "--sizes", "2,2", "--walks", 1)
    assert result.returncode == LIMIT
    assert "there may still be one" in result.stdout


class StopAtSecondWalk(Events):
    """Ends a search as Ctrl-C does, once a walk has come to its end."""

    def on_progress(self, progress: Progress) -> bool:
        return progress.covers < 1


@pytest.mark.parametrize("ends", [{"walks": 1_000_000}, {"seconds": 3600.0}])
def test_a_search_is_complete_only_if_it_did_what_was_asked_for(ends: dict[str, Any]) -> None:
    cutter = Cutter(region_named("cubic:2x2x3"), CutRequest(parts=3, threads=1, **ends))
    stopped = cutter.search(StopAtSecondWalk())
    assert stopped.designs
    assert not stopped.complete
    assert not cuts_as_json(stopped, 1, [])["complete"]
    assert "cut short" in cuts_as_text(stopped, cutter.request, [])


def test_a_search_is_complete_with_all_walks_or_with_as_many_designs() -> None:
    for ends, complete in (({"walks": 2}, True), ({"limit": 1}, True), ({"walks": 2, "limit": 99}, False)):
        search = Cutter(region_named("cubic:2x2x3"), CutRequest(parts=3, threads=1, **ends)).search()
        assert (search.complete, bool(search.designs)) == (complete, True)


def test_a_run_goes_on_where_it_stopped(tmp_path) -> None:
    file = tmp_path / "cuts.run"
    words = ("design", "cut", "cubic:2x2x3", "--parts", 3, "--threads", 1, "--keep", 9, "--json")
    run(*words, "--walks", 1, "--run", file)
    both = run(*words, "--walks", 2, "--run", file)
    assert both.stdout == run(*words, "--walks", 2).stdout
    assert run("runs", "resume", file, "--limit", 1, "--json").returncode == 0
    assert run(*words, "--walks", 2, "--seed", 5, "--run", file).returncode == FAILED


def test_a_resumed_run_makes_as_many_walks_and_designs_as_were_asked_for(tmp_path) -> None:
    words = ("design", "cut", "cubic:2x2x3", "--parts", 3, "--threads", 1, "--keep", 5, "--json")
    for number, ends in enumerate((("--walks", 2), ("--limit", 2))):
        file = tmp_path / f"{number}.run"
        first = run(*words, *ends, "--run", file)
        assert first.returncode == 0
        assert run("runs", "resume", file, "--threads", 1, "--json").stdout == first.stdout


def test_a_part_set_file_is_forbidden_and_found_again_from_another_folder(tmp_path, monkeypatch) -> None:
    (tmp_path / "bars.toml").write_text('lattice = "square"\n\n[[parts]]\nname = "I"\nart = "XXX"\n')
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    words = (
        "design",
        "cut",
        "square:3x3",
        "--parts",
        3,
        "--sizes",
        "3,3,3",
        "--forbid",
        "bars.toml",
        "--walks",
        1,
        "--json",
    )
    first = run(*words, "--run", "cuts.run", "--output", "made")
    assert '"designs": ' in first.stdout, first.stderr
    monkeypatch.chdir(tmp_path / "other")
    assert (
        run("runs", "resume", tmp_path / "cuts.run", "--json").stdout.splitlines()[:-1]
        == first.stdout.splitlines()[:-1]
    )
    assert not (tmp_path / "other" / "made").exists()


@pytest.mark.parametrize(
    "extreme",
    [{"least_size": -(1 << 31)}, {"most_size": -(1 << 31)}, {"sizes": [-(1 << 31), 1]}, {"holes": (1 << 31) - 1}],
)
def test_sizes_beyond_the_region_are_refused(extreme: dict[str, Any]) -> None:
    nothing = np.array([], np.int32)
    usual: dict[str, Any] = {"least_size": 1, "most_size": 4, "sizes": [], "holes": 0}
    native = Cutter(region_named("square:2x2"), CutRequest(parts=2)).region.native_search()
    with pytest.raises(ValueError, match="no number of the region's cells"):
        native.rules(
            n_parts=2,
            different=False,
            no_mirrors=False,
            asymmetric=False,
            least_rank=0,
            forbidden=nothing,
            inner=nothing,
            one_order=False,
            hard=False,
            min_level=0,
            **{**usual, **extreme},
        )


def test_a_range_of_sizes_may_end_beyond_the_region() -> None:
    assert Cutter(region_named("square:2x2"), CutRequest(parts=2, sizes="1..999999")).region.between == (1, 4)
