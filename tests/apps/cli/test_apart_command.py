"""The command `assemble`, runs that keep results, and what files of BurrTools say of taking apart."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest

import latcover
from latcover.apps.cli.commands.apart_command import _Shower
from latcover.apps.cli.shared.progress import Watch, Watcher
from latcover.core.cover.search import Progress
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Bounds
from latcover.files.formats.burrtools.burrtools_solutions import read_solutions
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import source_at
from latcover.lab.runs.control import search_in_file
from tests import command_line
from tests.command_line import Result

LIGHT = ("--backend", "dlx")
ONE = SimpleNamespace(number=1)


def run(*words: str, code: int = 0) -> Result:
    result = command_line.run(*words)
    assert result.returncode == code, result.stderr
    return result


def lines_of(*words: str, code: int = 0) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(*words, code=code).stdout.splitlines()]


def test_a_line_for_each_solution_and_a_summary() -> None:
    *lines, last = lines_of("apart", "burr-piston", "--json", *LIGHT)
    assert [line["number"] for line in lines] == list(range(1, 11))
    (apart,) = (line for line in lines if line["result"] == "apart")
    assert (apart["level"], apart["moves"]) == ([9, 3], 12)
    assert {line["result"] for line in lines} == {"apart", "stuck"}
    summary = last["summary"]
    assert isinstance(summary, dict)
    assert [summary[key] for key in ("assemblies", "apart", "stuck", "unknown", "complete")] == [10, 1, 9, 0, True]
    assert summary["levels"] == [{"level": [9, 3], "solutions": 1}]


def test_text_and_the_plan_in_words() -> None:
    out = run("apart", "burr-dubois", *LIGHT).stdout
    assert "level 6.4, 10 moves" in out
    assert "2 solutions: 1 comes apart, 1 cannot by sliding (complete)" in out
    number = out.split("solution ")[1].split(":")[0]
    plan = run("apart", "burr-dubois", "--solution", number, *LIGHT).stdout.splitlines()
    assert len([line for line in plan if line.startswith("  ")]) == 13
    assert sum("off" in line for line in plan) == 5
    assert "has no solution 3: 2 were found" in run("apart", "burr-dubois", "--solution", "3", *LIGHT, code=1).stderr


def test_the_hardest_are_kept() -> None:
    hardest = run("apart", "burr-loves-dozen", "--keep", "2", *LIGHT).stdout.splitlines()
    assert [line.split(": ")[1] for line in hardest[:2]] == ["level 12.3, 15 moves", "level 6.2, 8 moves"]
    by_moves = run("apart", "burr-loves-dozen", "--sort", "moves", "--min-level", "4.3", *LIGHT).stdout.splitlines()
    assert [line.split(": ")[1] for line in by_moves[:4]] == [
        "level 12.3, 15 moves",
        "level 6.2, 8 moves",
        "level 4.4, 8 moves",
        "level 4.4, 8 moves",
    ]
    assert "is not a level such as 5 or 5.2" in run("apart", "soma", "--min-level", "x", code=2).stderr


def test_a_level_that_goes_on_is_harder() -> None:
    shower = _Shower(Watcher(), cast("Any", SimpleNamespace(sort="level", solution=None)), (), None, as_json=False)
    levels = [(1,), (12,), (12, 3), (12, 2, 9), (13,), (12, 3, 2)]
    taken = [SimpleNamespace(disassembly=SimpleNamespace(level=each, moves=sum(each)), solution=ONE) for each in levels]
    found = [each.disassembly.level for each in sorted(cast("Any", taken), key=shower._hardness)]
    assert found == [(13,), (12, 3, 2), (12, 3), (12, 2, 9), (12,), (1,)]


def moves_told(*words: str) -> tuple[str, list[str]]:
    """The solution whose moves a command lists at its end, and the plan."""
    head, _, plan = run("apart", *words, *LIGHT).stdout.partition(", the deepest of these, move by move")
    return head.rpartition("\n")[2] if plan else "", plan.splitlines()[1:]


def test_the_moves_of_the_hardest_follow() -> None:
    said, plan = moves_told("burr-loves-dozen")
    assert said == "solution 110"
    assert plan == run("apart", "burr-loves-dozen", "--solution", "110", *LIGHT).stdout.splitlines()[1:]
    assert moves_told("burr-loves-dozen", "--keep", "2")[0] == said
    assert moves_told("burr-dubois", "--min-level", "9") == ("", [])  # nothing was shown
    assert moves_told("pent-20x3") == ("", [])  # lifted


def test_limits_say_so() -> None:
    *lines, last = lines_of("apart", "burr-piston", "--states", "5", "--json", *LIGHT, code=3)
    unknown = [line for line in lines if line["result"] == "unknown"]
    assert unknown
    assert {line["stop"] for line in unknown} == {"state limit"}
    assert last["summary"]["complete"] is False
    assert "not known (state limit after" in run("apart", "burr-piston", "--states", "5", *LIGHT, code=3).stdout


def test_only_what_comes_apart() -> None:
    drawn, summary = lines_of("apart", "burr-piston", "--draw", "--json", *LIGHT)
    listed = lines_of("solve", "burr-piston", "--json", *LIGHT)
    assert drawn in listed
    assert (summary["summary"]["assemblies"], summary["summary"]["apart"]) == (10, 1)
    shown = run("apart", "burr-piston", "--draw", *LIGHT).stdout
    assert shown.splitlines()[0] == f"solution {drawn['number']}"
    assert "10 solutions: 1 comes apart" in shown
    images = lines_of("apart", "burr-piston", "--draw", "--images", "--json", *LIGHT)
    assert [line["number"] for line in images[:-1]] == [drawn["number"]] * drawn["orbit"]
    assert run("apart", "burr-piston", "--sat-exit-codes", "--limit", "10", *LIGHT, code=10).stdout
    (other,) = lines_of("count", "burr-piston", "--json", *LIGHT)
    assert other["assembly"] == "not examined"


def test_a_puzzle_that_an_argument_rules_out_is_not_searched() -> None:
    (last,) = lines_of("apart", "pent-10x6-eight-moved", "--json", "--min-level", "1", *LIGHT)
    assert last["summary"]["reasons"]


def test_flat_puzzles() -> None:
    flat = run("apart", "pent-10x6", "--limit", "2", *LIGHT, code=3)
    assert "comes apart upwards" in flat.stdout
    assert "--in-plane" in flat.stderr
    assert "lifted" not in run("apart", "pent-10x6", "--limit", "1", "--in-plane", *LIGHT, code=3).stderr


def test_a_run_keeps_results(tmp_path: Path) -> None:
    path = str(tmp_path / "run.db")
    words = ("apart", "burr-piston", "--run", path, "--json", *LIGHT)
    first, again = lines_of(*words), lines_of(*words)
    assert first[:-1] == again[:-1]
    assert again[-1]["summary"]["assembly_seconds"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("apart", "disc-cylinder"), "closes on itself"),
        (("apart", "soma", "--in-plane"), "does not lie in one layer"),
        (("apart", "soma", "--solution", "1", "--run", "x.db"), "leave one of them out"),
        (("apart", "soma", "--solution", "1", "--limit", "2"), "leave one of them out"),
        (("apart", "soma", "--solution", "1", "--sort", "level"), "leave out --sort, --keep and --min-level"),
        (("apart", "soma", "--output", ".html"), "is written as .html or .svg"),
        (("show", "soma", "--states", "5", "--output", "x.html"), "only with --assembly, --steps or --instructions"),
        (("show", "burr-dubois", "--steps", "--solution", "2", "--states", "5", "--output", "x.svg"), "state limit"),
        (("apart", "soma", "--images"), "give --draw too"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in run(*words, code=1).stderr


# ---- files


def test_a_run_that_is_interrupted_tells_how_many_solutions_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = str(tmp_path / "a.run")
    run("solve", "burr-piston", "--run", kept)
    with monkeypatch.context() as patched:
        patched.setattr(Watch, "interrupted", True)
        *shown, line = lines_of("apart", "burr-piston", "--run", kept, "--json", code=3)
    assert len(shown) == 1  # those that are not looked at are only counted
    last = line["summary"]
    assert [last[key] for key in ("assemblies", "unknown", "complete", "stop")] == [10, 10, False, "cancelled"]
    assert (
        "10 not known (cut short: time limit)"
        in run("apart", "burr-piston", "--run", kept, "--time", "0", code=3).stdout
    )
    assert "1 comes apart, 9 cannot by sliding (complete)" in run("apart", "burr-piston", "--run", kept).stdout


def test_a_limit_of_time_holds_for_the_search_of_a_run_and_for_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, hours = str(tmp_path / "a.run"), [0.0]
    run("solve", "burr-piston", "--run", kept)

    def searched_for_hours(*about: Any, **more: Any) -> Any:
        hours.append(3.0)
        return search_in_file(*about, **more)

    now = SimpleNamespace(perf_counter=lambda: time.perf_counter() + 3600 * sum(hours))
    monkeypatch.setattr("latcover.lab.assembly.survey.time", now)
    monkeypatch.setattr("latcover.lab.runs.assembling.search_in_file", searched_for_hours)
    cut_short = run("apart", "burr-piston", "--run", kept, "--time", "7200", code=3)
    assert "10 not known (cut short: time limit)" in cut_short.stdout


def test_an_interrupt_ends_the_drawing_and_says_that_nothing_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object, solutions: Iterable[object], *__: object) -> str:
        next(iter(solutions))
        raise KeyboardInterrupt

    monkeypatch.setattr("latcover.show.drawing.space.viewer_page.page", interrupted)
    path = tmp_path / "a.html"
    done = run("apart", "burr-dubois", "--limit", "2", "--output", str(path), code=130)
    assert "drawing 1 solution; Ctrl-C ends this" in done.stderr
    assert f"nothing was written to {path}" in done.stderr
    assert not path.exists()


def test_drawing_shows_its_progress() -> None:
    class Recorder(Watcher):
        shares: ClassVar[list[float | None]] = []

        def show(self, progress: Progress) -> None:
            self.shares.append(progress.share)

    assert [*Recorder().through(["a", "b", "c", "d"])] == ["a", "b", "c", "d"]
    assert Recorder.shares == [0, 0.25, 0.5, 0.75]


def test_a_page_of_nothing_is_not_written(tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    cut = run("apart", "burr-dubois", "--output", str(page), "--states", "1", code=3)
    assert "not known (cut short: state limit)" in cut.stdout
    assert "nothing was written" in cut.stderr
    none = run("apart", "burr-dubois", "--output", str(page), "--min-level", "8", code=1)
    assert "2 solutions: 1 comes apart" in none.stdout
    assert "none of those asked for comes apart" in none.stderr
    assert not page.exists()


def test_groups_and_weights_of_a_file(tmp_path: Path) -> None:
    text = """
name = "grouped"
lattice = "cubic"
[region]
box = [1, 1, 3]
[[parts]]
name = "A"
group = "frame"
weight = 3
cells = [[0, 0, 0]]
[[parts]]
name = "B"
count = 2
groups = { frame = 1, other = 2 }
cells = [[0, 0, 0]]
"""
    path = tmp_path / "grouped.toml"
    path.write_text(text)
    puzzle = latcover.load(str(path))
    written = tmp_path / "written.toml"
    written.write_text(puzzle_as_toml([puzzle]))
    for each in (puzzle, latcover.load(str(written))):
        assert [(part.groups, part.weight) for part in each.parts] == [
            ((("frame", None),), 3),
            ((("frame", 1), ("other", 2)), 1),
        ]
    for wrong, message in (
        ('group = ""', "must be the name of the group"),
        ('groups = { "" = 1 }', "every group must have a name"),
        ('group = "a"\ngroups = { b = 1 }', "cannot be combined with group"),
        ("groups = { b = 0 }", "whole number from 1"),
    ):
        path.write_text(text.replace('group = "frame"', wrong))
        with pytest.raises(latcover.PuzzleFileError, match=message):
            latcover.load(str(path))


def burr_file(folder: Path, plan: Disassembly | None) -> Path:
    """Two hooks and a block as a BurrTools file: groups, weights, and one stored solution."""
    solution = "" if plan is None else f"<assembly>0 0 0 0 1 1 0 0</assembly>{tree(plan, 0)[0]}"
    stored = solution and f'<solutions><solution asmNum="0">{solution}</solution></solutions>'
    path = folder / "made.xmpuzzle"
    path.write_text(
        f"""<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="3" y="3" z="1" type="0" name="U" weight="5">####_####</voxel>
<voxel x="1" y="1" z="1" type="0" name="I">#</voxel>
<voxel x="3" y="3" z="1" type="0" name="all">#########</voxel>
</shapes><problems><problem state="2" assemblies="1"><shapes><shape id="0" group="1"/>
<shape id="1"><group group="1" count="1"/><group group="2" count="1"/></shape></shapes><result id="2"/><bitmap/>{stored}
</problem></problems></puzzle>"""
    )
    return path


def tree(plan: Disassembly, at: int, kind: str = "") -> tuple[str, int]:
    """A plan as BurrTools stores it, from the separation *at* on."""
    separation = plan.separations[at]
    shifts = {piece: [0, 0, 0] for piece in separation.pieces}
    states = [[tuple(shifts[p]) for p in separation.pieces]]
    for step in separation.steps:
        for piece in step.pieces:
            far = 10_000 if step.separates else step.distance
            shifts[piece] = [x + far * d for x, d in zip(shifts[piece], step.direction, strict=True)]
        states.append([tuple(shifts[p]) for p in separation.pieces])
    rows = "".join(
        "<state>"
        + "".join(f"<d{axis}>{' '.join(str(p[k]) for p in state)}</d{axis}>" for k, axis in enumerate("xyz"))
        + "</state>"
        for state in states
    )
    inner, at = "", at + 1
    for name, group in (("left", separation.stays), ("removed", separation.removed)):
        if len(group) > 1:
            text, at = tree(plan, at, f' type="{name}"')
            inner += text
    pieces = f'<pieces count="{len(separation.pieces)}">{" ".join(map(str, separation.pieces))}</pieces>'
    return f"<separation{kind}>{pieces}{rows}{inner}</separation>", at


def test_what_burrtools_says(tmp_path: Path) -> None:
    puzzle = latcover.load(str(burr_file(tmp_path, None)))
    assert [(part.groups, part.weight) for part in puzzle.parts] == [
        ((("group 1", None),), 5),
        ((("group 1", 1), ("group 2", 1)), 1),
    ]
    assert next(latcover.solutions(puzzle)).placements
    found = latcover.disassemble(next(latcover.solutions(puzzle)))
    assert (found.result, found.left_together) == ("apart", ((0, 1),))


@pytest.mark.parametrize("name", ["burr-piston", "burr-dubois"])
def test_stored_solutions_are_read(name: str, tmp_path: Path) -> None:
    """Our plan as BurrTools stores it: the same level, moves and groups are read."""
    plans = [latcover.disassemble(solution) for solution in latcover.solutions(latcover.load(name))]
    (plan,) = (plan for plan in plans if plan.result == "apart")
    (stored,) = read_solutions(source_at(burr_file(tmp_path, plan)), Bounds())["P1"]
    assert stored.separation is not None
    assert (stored.number, stored.places) == (1, ((0, 0, 0, 0), (1, 1, 0, 0)))
    assert stored.separation.level == plan.level
    assert stored.separation.removed == plan.separations[0].removed
    assert stored.separation.moves == len(plan.separations[0].steps)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<dx>", "<dx>x ", "must be whole numbers"),
        ("<dx>", "<dx>1 ", "a number for each of its 6 pieces"),
        ("0 0 0 0 1", "0 0 0 1", "four whole numbers"),
        ('asmNum="0"', 'asmNum="-4"', "must be a whole number"),
    ],
)
def test_faulty_stored_solutions(old: str, new: str, message: str, tmp_path: Path) -> None:
    plans = [latcover.disassemble(solution) for solution in latcover.solutions(latcover.load("burr-dubois"))]
    path = burr_file(tmp_path, next(plan for plan in plans if plan.result == "apart"))
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(latcover.PuzzleFileError, match=message):
        read_solutions(source_at(path), Bounds())
    assert latcover.load(str(path)).parts
