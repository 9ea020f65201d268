"""Files that keep what is known of an optimum: interrupted searches go on, and no file makes a false answer."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.errors import DamagedRunError, RunFileError
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.asking.best import BestRequest, BestResult, best
from latcover.lab.designing.region_names import region_named
from latcover.lab.exploring.exploring_requests import ExcludeRequest, PackRequest
from latcover.lab.exploring.packing import (
    Packing,
    exclude,
    exclusion_in_words,
    pack,
    packing_in_words,
    region_to_pack,
)
from tests.command_line import DONE, FAILED, LIMIT, run
from tests.ledgers import accidents, records_of, sealed

GOLD = BestRequest(objective="gold", sense="maximize", backend="dlx")


class Stopped(Events):
    """Ends a search as soon as it has found something."""

    def __init__(self) -> None:
        self.found: list[int] = []

    def on_better(self, solution: Any) -> None:
        self.found.append(solution.value)

    def on_progress(self, progress: Progress) -> bool:
        return not self.found


def kept(path: Path) -> list[dict[str, Any]]:
    return [json.loads(record) for record in records_of(path)[1:]]


def found(path: Path, **more: Any) -> BestResult:
    return best(
        "treasure", BestRequest(**{"objective": "gold", "sense": "maximize", "backend": "dlx"} | more), run=path
    )


def test_an_interrupted_search_keeps_the_best_so_far_and_goes_on(tmp_path: Path) -> None:
    path, events = tmp_path / "gold.run", Stopped()
    short = best("treasure", GOLD, events, run=path)
    assert (short.proved, short.value) == (False, events.found[-1])
    assert [-line["cost"] for line in kept(path) if "cost" in line] == events.found
    events = Stopped()
    events.on_progress = lambda progress: True  # type: ignore[method-assign]
    whole = best("treasure", GOLD, events, run=path)
    assert (whole.proved, whole.value) == (True, 20)
    assert events.found[0] == short.value  # of the file
    assert events.found == sorted(events.found)
    again = found(path)
    assert (again.proved, again.value, again.search.branches) == (True, 20, 0)  # nothing is left to search


def test_several_of_the_best_are_found_once_each_however_often_it_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    for branches in (2_000, 4_000, 8_000, None):
        result = found(path, limit=6, branches=branches)
    placed = [tuple(sorted(p.cells for p in one.solution.placements)) for one in result.solutions]
    assert result.proved
    full = best("treasure", BestRequest(objective="gold", sense="maximize", limit=6))
    assert [one.value for one in result.solutions] == [one.value for one in full.solutions]
    assert len(set(placed)) == 6


def test_all_that_are_optimal_are_found_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "noise.run"
    asked: dict[str, Any] = {"objective": "noise", "sense": "minimize", "all_optimal": True}
    found(path, **asked, branches=3_000)
    assert found(path, **asked).search.different == best("treasure", BestRequest(**asked)).search.different


def test_a_search_ends_where_the_bound_of_an_earlier_one_is_met(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    found(path, branches=1)
    sealed(path, [*records_of(path), b'{"bound":-20}'])
    met = found(path)
    assert (met.proved, met.value) == (True, 20)
    full = best("treasure", GOLD).search.branches
    assert (met.search.branches or 0) <= (full or 0)


def test_what_is_no_solution_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    best("treasure", GOLD, Stopped(), run=path)
    lines = records_of(path)
    line = json.loads(lines[-1])
    for change in ({"cost": -21}, {"members": line["members"][1:]}):
        sealed(path, [*lines, json.dumps(line | change).encode()])
        with pytest.raises(DamagedRunError, match="not a solution, or has another value"):
            found(path)
    for wrong, said in ((b"{", "line 3"), (b'{"cost":1,"members":[999999]}', "members"), (b'{"x":1}', "x")):
        sealed(path, [lines[0], wrong])
        with pytest.raises(DamagedRunError, match=said):
            found(path)


def test_a_lost_line_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    assert found(path).value == 20
    for what, content in accidents(path.read_bytes()).items():
        path.write_bytes(content)
        with pytest.raises(RunFileError, match=r"damaged|not a file that"):
            print(what, found(path))


def test_what_is_lost_at_the_end_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    found(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for kept_lines in (0, len(lines) // 2, len(lines) - 1):
        for torn in (b"", lines[kept_lines][:-1]):
            path.write_bytes(b"".join([*lines[:kept_lines], torn]))
            again = found(path)
            assert (again.proved, again.value) == (True, 20)


def test_a_file_of_another_question_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.run"
    found(path, branches=1)
    for other in ({"objective": "noise", "sense": "minimize"}, {"limit": 2}, {"sense": "minimize"}):
        with pytest.raises(RunFileError, match=r"another question: the .*; choose another file"):
            found(path, **other)


@pytest.mark.parametrize("backend", ["sat", "cpsat", "dlx"])
def test_packings_and_exclusions_go_on(tmp_path: Path, backend: str) -> None:
    puzzle = region_to_pack([shape_named("pentominoes:X", "square")], region_named("square:6x6").cells)

    def packed(seconds: float | None, path: Path | None, *, clumsy: bool) -> Packing:
        return pack(puzzle, PackRequest(backend=backend, clumsy=clumsy, seconds=seconds), run=path)

    def excluded(seconds: float | None, path: Path | None) -> Packing:
        return exclude(puzzle, ExcludeRequest(backend=backend, seconds=seconds), run=path)

    for k, ask in enumerate((partial(packed, clumsy=False), partial(packed, clumsy=True), excluded)):
        path = tmp_path / f"{k}.run"
        ask(0.0, path)
        whole, again = ask(None, path), ask(None, path)
        assert (whole.proved, again.proved) == (True, True)
        assert whole.value == again.value == ask(None, None).value


def test_cells_of_a_file_that_do_not_keep_the_parts_out_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    puzzle = region_to_pack([shape_named("pentominoes:X", "square")], region_named("square:5x5").cells)
    exclude(puzzle, run=path)
    sealed(path, [records_of(path)[0], b'{"cost":1,"members":[0]}'])
    with pytest.raises(DamagedRunError, match="do not keep the parts out"):
        exclude(puzzle, run=path)


def test_the_commands_go_on_with_their_files(tmp_path: Path) -> None:
    path, page = tmp_path / "gold.run", tmp_path / "gold.html"
    words = ("solve", "treasure", "--best", "maximize", "gold", "--backend", "dlx", "--run", path)
    short = run(*words, "--max-branches", "2000")
    assert (short.returncode, "resumes from" in short.stderr) == (LIMIT, True)
    assert run(*words, "--output", page).returncode == DONE
    assert "1. 20 pieces of gold" in page.read_text()
    words = ("exclude", "pentominoes:X", "--region", "5x5", "--run", path)
    assert "holds an answer to another question" in run(*words).stderr
    assert run(*words).returncode == FAILED


def test_a_page_shows_each_of_the_best_with_its_value(tmp_path: Path) -> None:
    page = tmp_path / "best.html"
    asked = ("solve", "treasure", "--best", "maximize", "gold", "--limit", "3", "-q")
    assert run(*asked, "--output", page).returncode == DONE
    text = page.read_text()
    assert text.count('<img src="data:image/svg+xml;base64,') == 3
    assert [f"{rank}. {value} pieces of gold" in text for rank, value in ((1, 20), (2, 20), (3, 17))] == [True] * 3
    assert "the 3 best solutions, the best with 20 pieces of gold (proved)" in text
    assert "cannot write" in run(*asked, "--output", tmp_path / "best.svg").stderr
    assert "says what is good" in run("solve", "treasure", "--output", page).stderr


def test_an_end_without_anything_found_is_not_believed(tmp_path: Path) -> None:
    """The line of the best is lost, under right seals: the search runs again. Nothing is "cut short: exhausted"."""
    puzzle = region_to_pack([shape_named("pentominoes:X", "square")], region_named("square:5x5").cells)
    for ask, words, value in (
        (pack, lambda found: packing_in_words(PackRequest(), found), 2),
        (exclude, lambda found: exclusion_in_words(puzzle, found), 3),
    ):
        path = tmp_path / f"{value}.run"
        ask(puzzle, run=path)
        sealed(path, [records_of(path)[0], b'{"end":"all","records":0}'])
        found = ask(puzzle, run=path)
        assert (found.proved, found.value) == (True, value)
        assert "exhausted" not in words(replace(found, tiling=None, value=None))
