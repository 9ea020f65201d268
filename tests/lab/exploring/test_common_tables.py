"""Tables of common regions: pairs and triples, run files, pages, wrong input, and that nothing is lost."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from latcover.core.cover.events import Events
from latcover.core.cover.result import Stop
from latcover.core.model.puzzle import Part
from latcover.core.model.verifier import verify
from latcover.errors import BackendFailedError, DamagedRunError, RunFileError, UnsupportedError
from latcover.files.formats.named_shapes import shape_named, shapes_named
from latcover.lab.exploring import common_table as tables
from latcover.lab.exploring.common import common
from latcover.lab.exploring.common_record import CommonRecord
from latcover.lab.exploring.common_table import CommonTable, common_table, pairs
from latcover.lab.exploring.exploring_requests import CommonRequest, PairsRequest
from latcover.show.reporting.common_pages import as_csv, as_html, as_markdown, as_text, in_words, pictures_of_rows
from latcover.system.line_workers import LineWorkers
from tests.command_line import FAILED, LIMIT, USAGE, run, start
from tests.ledgers import records_of, sealed
from tests.processes import GUARD, wait_until

SHAPES = shapes_named("trominoes")
REQUEST = PairsRequest(common=CommonRequest(effort=20.0), processes=1)


class Cancelled(Events):
    def on_progress(self, progress: object) -> bool:
        return False


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run file of trominoes and dominoes."""
    path = tmp_path_factory.mktemp("pairs") / "trominoes.run"
    made(path)
    return path


def made(run: Path, rows: list[Part] = SHAPES) -> CommonTable:
    return pairs(rows, shapes_named("square-2"), REQUEST, run=run)


def test_a_table_has_the_regions_of_its_pairs(kept: Path) -> None:
    found = made(kept)
    assert (found.found, found.proved, found.complete, found.stop) == (2, 2, True, Stop.EXHAUSTED)
    for place, entry in found.entries.items():
        alone = common([own[k] for own, k in zip(found.sets, place, strict=True)])
        assert (entry.area, entry.smallest, entry.connected) == (alone.area, True, True) == (6, True, True)
        assert all(not verify(tiling.puzzle, tiling.solution) for tiling in entry.tilings)


def test_a_table_goes_on_where_it_was_cut_short(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "again.run"
    lines = kept.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])  # as after a crash
    assert made(path).proved == 2
    monkeypatch.setattr(tables, "LineWorkers", None)  # nothing is left to do for a process
    assert made(path).proved == 2


def test_each_step_is_kept(kept: Path) -> None:
    lines = [json.loads(record) for record in records_of(kept)[1:-1]]
    assert [line["record"]["last"] for line in lines if line["number"] == 0][-2:] == [False, True]
    assert all(line["record"]["layers"] for line in lines if line["record"]["last"])


def test_what_a_file_says_is_checked(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.run"
    path.write_bytes(kept.read_bytes())
    head, *records = records_of(kept)
    line = json.loads(records[-2])
    line["record"]["layers"][1][0][0][2] += 1  # one cell of one tile elsewhere
    sealed(path, [head, json.dumps(line).encode()])
    with pytest.raises(DamagedRunError, match=r"wrong\.run: is damaged: line 3 .*: a common region of .* is wrong"):
        made(path)
    line["record"]["layers"][1][0][0][2] = 1 << 32  # no array of cells holds it
    sealed(path, [head, json.dumps(line).encode()])
    with pytest.raises(DamagedRunError, match=r"line 3 .*: Expected `int` <= 1000000"):
        made(path)
    line["record"]["layers"][1][0][0][2] = 0
    line["record"]["effort"] = -1.0
    sealed(path, [head, json.dumps(line).encode()])
    with pytest.raises(DamagedRunError, match=r"line 3 .*: Expected `float` >= 0"):
        made(path)
    with pytest.raises(RunFileError, match="another shapes"):
        made(kept, SHAPES[:1])


def test_a_search_goes_on_from_what_is_known() -> None:
    shapes = [shape_named("square-2:1"), shape_named("trominoes:V")]
    whole = common(shapes)
    record = CommonRecord.of(whole, 1.0, last=False)
    assert common(shapes, CommonRequest(seconds=0), known=record.common(shapes)).smallest
    assert record.common(shapes).stop is Stop.TIME_LIMIT


def test_pairs_that_are_not_proved_get_more_time_by_turns() -> None:
    table = tables._Table((tuple(SHAPES),) * 2, REQUEST, Events(), None)
    record = CommonRecord(layers=(), smallest=False, refuted=0, effort=0.0)
    efforts = []
    while (more := table._next_effort(0)) > 0:
        efforts.append(more)
        record = CommonRecord(layers=(), smallest=False, refuted=0, effort=record.effort + more)
        table.known[0] = record
    assert efforts == [8.0, 12.0]
    table.known[0] = CommonRecord(layers=(), smallest=False, refuted=0, effort=1.0, ended=True)
    assert table._next_effort(0) == 0


def test_a_table_that_is_cancelled_says_so(tmp_path: Path) -> None:
    found = pairs(SHAPES, None, REQUEST, Cancelled(), run=tmp_path / "none.run")
    assert (found.stop, found.found, found.complete) == (Stop.CANCELLED, 0, False)
    assert "?" in as_text(found)


def test_a_worker_that_dies_is_a_message() -> None:
    with LineWorkers("latcover.lab.exploring.common_worker", ["square", "rotations", "{}"], 1, "looks") as crew:
        crew.put(0, b"{")
        with pytest.raises(BackendFailedError, match="a process that looks has ended"):
            wait_until(lambda: bool(crew.take()))


def test_pages(kept: Path) -> None:
    found = made(kept)
    assert as_text(found).splitlines()[:3] == ["   1", "I  6", "V  6"]
    assert as_csv(found).splitlines()[1].startswith("I,1,6,true,true,false,0,")
    assert as_html("<", found).count("<svg") == 2
    files = [(name, f"{name}.svg") for name, svg in pictures_of_rows(found) if svg.startswith("<svg")]
    page = as_markdown("Title", "latcover", found, files)
    assert "|I|6|" in page
    assert "![Regions that V and another shape fill](V.svg)" in page
    assert "2 pairs: 2 have a region, 2 proved the smallest" in page
    assert "Not proved" not in page
    unsure = replace(found.entries[0, 0], smallest=False, refuted=3)
    page = as_markdown("Title", "latcover", replace(found, entries=found.entries | {(0, 0): unsure}), files)
    assert "cut short" not in page
    assert "cut short: time limit" in as_markdown("T", "latcover", replace(found, stop=Stop.TIME_LIMIT), files)
    assert "- I and 1: 6 cells, in one piece: not proved to be the smallest; there is none of 3 cells or fewer" in page
    assert in_words(found.entries[0, 0]) == "6 cells, in one piece: the smallest, since all smaller areas are refuted"


def test_the_command(kept: Path, tmp_path: Path) -> None:
    words = ("common", "trominoes", "square-2", "--pairs", "--each", "20", "--run", str(kept))
    answer = run(*words, "--json", "--output", str(tmp_path / "page.md"))
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [line["area"] for line in lines[:-1]] == [6, 6]
    assert len(lines[0]["tilings"][1]) == 3
    assert lines[-1]["summary"]["smallest"] == 2
    command = "latcover common trominoes square-2 --table --each 20 --output page.md"
    assert command in (tmp_path / "page.md").read_text("ascii")
    for suffix, begin in ((".html", "<!doctype"), (".csv", "one,other"), (".txt", "   1"), (".json", '{"pairs"')):
        run(*words, "--output", str(tmp_path / f"page{suffix}"))
        assert (tmp_path / f"page{suffix}").read_text("utf-8").startswith(begin)


def test_a_table_of_triples(tmp_path: Path) -> None:
    """Of a set that is named twice, each choice is there once; a row is what an entry has of all sets but the last."""
    sets = (SHAPES, SHAPES, shapes_named("square-2"))
    found = common_table(sets, REQUEST, run=tmp_path / "triples.run")
    assert {*found.entries} == {(0, 1, 0)}
    (entry,) = found.entries.values()
    alone = common([*SHAPES, *sets[2]])
    assert (entry.area, entry.smallest, len(entry.tilings)) == (alone.area, True, 3)
    assert as_text(found).splitlines()[1] == f"I and V  {entry.area:>{1}}"
    assert as_csv(found).splitlines()[0].startswith("shape1,shape2,shape3,area")
    assert as_html("<", found).count("<svg") == 1
    assert "1 triple: 1 have a region" in as_text(found)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("trominoes", "tetriamonds", "--pairs"), FAILED, "different lattices"),
        (("trominoes:I", "--pairs"), FAILED, "no choice of shapes"),
        (("trominoes", "--table"), FAILED, "a table needs two sets of shapes"),
        (("trominoes", "--pairs", "--galvagni"), FAILED, "Galvagni figure is of one shape"),
        (("trominos", "--pairs"), FAILED, "did you mean 'trominoes'"),
        (("square-30", "--pairs"), FAILED, "more than 20,000 shapes"),
        (("a", "b", "c", "--pairs"), USAGE, "--pairs takes one set of shapes or two"),
        (("trominoes:I", "trominoes:V", "--run", "x"), USAGE, "--run is for a table; add --table"),
        (("trominoes", "--pairs", "--output", "x.svg"), FAILED, "cannot write a table as a .svg"),
        (("trominoes", "--pairs", "--run", "/none/x"), FAILED, "there is no folder"),
    ],
)
def test_wrong_input_is_a_message(words: tuple[str, ...], code: int, message: str) -> None:
    answer = run("common", *words)
    assert (answer.returncode, answer.stdout) == (code, "")
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.long
def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pentominoes.run"
    with start("common", "pentominoes", "tetrominoes", "--pairs", "--workers", "1", "--run", str(path)) as process:
        wait_until(lambda: path.exists() and b'"layers":[[' in path.read_bytes())
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=GUARD)
    assert process.returncode == LIMIT
    assert "cut short: cancelled; the same command resumes" in output
    assert "Traceback" not in messages
    shown = sum(cell.rstrip("*").isdigit() for line in output.splitlines()[1:13] for cell in line.split())
    regions = {json.loads(record)["number"] for record in records_of(path)[1:] if b'"layers":[[' in record}
    assert len(regions) == shown >= 1


def test_a_table_has_no_box() -> None:
    with pytest.raises(UnsupportedError, match="in no given box"):
        common_table([SHAPES, SHAPES], PairsRequest(common=CommonRequest(within=(4, 4))))
    assert "exclude each other" in run("common", "trominoes", "tetrominoes", "--table", "--within", "4x4").stderr
    assert "is no box such as" in run("common", "trominoes", "tetrominoes", "--within", "4by4").stderr
    done = run("common", "square-2:1", "trominoes:V", "--within", "2x3", "--json")
    assert json.loads(done.stdout.splitlines()[-1])["summary"]["within"] == [2, 3]
    assert (
        "6 cells, in one piece: the smallest within a box of 2 by 3"
        in run("common", "square-2:1", "trominoes:V", "--within", "2x3").stdout
    )


def test_words_of_what_is_not_refuted() -> None:
    nothing = common([shape_named("pentominoes:U"), shape_named("pentominoes:X")], CommonRequest(seconds=0))
    assert in_words(nothing) == "no region was found (time limit)"
    boxed = common([shape_named("square-2:1"), shape_named("trominoes:V")], CommonRequest(within=(1, 7)))
    assert in_words(boxed) == "no region was found; there is none of 7 cells or fewer within a box of 1 by 7"


def test_what_was_too_large_is_not_told_as_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that took it from a record said nothing of it, as if there were no region at all."""
    shapes = [shape_named("pentominoes:X"), shape_named("tetrominoes:O")]
    monkeypatch.setattr("latcover.lab.exploring.common.MOST_PLACES", 100)
    found = common(shapes)
    assert found.stop is Stop.NOT_PROVED
    kept = CommonRecord.of(found, 1.0, last=True).common(shapes)
    assert kept.stop is Stop.NOT_PROVED
    assert in_words(kept) == in_words(found)
    assert in_words(found).endswith("; what is left is too large to be searched")
