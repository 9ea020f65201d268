"""The solutions that a run's file holds, as other programs get them: JSON lines, Parquet, and views of the database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from latcover.lab.runs.control import go_on
from latcover.lab.runs.export import as_json_lines, solutions_of, write_parquet
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.thread_crew import Orders, Pace
from tests.run_files import DIFFERENT, begun, dominoes, recipe_of

MANY = Orders(threads=2, pace=Pace(at_first=30))


def test_solutions_leave_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())
    go_on(path, MANY)
    with RunFile(path) as file:
        solutions = list(solutions_of(file))
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
        views = [json.loads(row["solution"]) for row in file.rows("SELECT * FROM solutions_as_json ORDER BY number")]
    assert len(solutions) == DIFFERENT
    assert lines == [solution.as_json() for solution in solutions]
    for line, view in zip(lines, views, strict=True):
        assert (line["number"], line["orbit"]) == (view["number"], view["orbit"])
        assert sorted(map(json.dumps, line["placements"])) == sorted(map(json.dumps, view["placements"]))


@pytest.mark.parametrize(
    "name",
    ["slothouber-graatsma", "tangram-square", "hex-prisms", pytest.param("disc-cylinder", marks=pytest.mark.long)],
)
def test_parquet_holds_what_json_lines_do(tmp_path: Path, name: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "run.db"
    begun(path, recipe_of(name, "solve", "bitset"))
    go_on(path, MANY)
    with RunFile(path) as file:
        write_parquet(file, solutions_of(file), tmp_path / "out.parquet")
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(rows) == len(lines) > 0
    for row, line in zip(rows, lines, strict=True):
        assert (row["number"], row["orbit"]) == (line["number"], line["orbit"])
        for placed, told in zip(row["placements"], line["placements"], strict=True):
            assert placed["part"] == told["part"]
            cells = [cell["x"] + ([cell["node"]] if "node" in cell else []) for cell in placed["cells"]]
            assert cells == told["cells"]
            assert placed["colours"] == told.get("colours", [])
            assert len(placed["sides"]) == len(told.get("sides", []))


def test_runs_of_bare_problems_are_exported(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "bare.dlx").write_text("a b c | p\na b\nc p:x\na p:x\nb p:y\nb p:x\n")
    path = tmp_path / "run.db"
    begun(path, recipe_of(str(tmp_path / "bare.dlx")))
    (tmp_path / "bare.dlx").unlink()
    answer = go_on(path, MANY)
    assert answer.different == 2
    with RunFile(path) as file:
        lines = [json.loads(line) for line in b"".join(as_json_lines(solutions_of(file))).splitlines()]
        write_parquet(file, solutions_of(file), tmp_path / "out.parquet")
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert rows == [{"number": line["number"], "options": line["options"]} for line in lines]
    assert {tuple(map(tuple, row["options"])) for row in rows} == {
        (("a", "b"), ("c", "p:x")),
        (("c", "p:x"), ("a", "p:x"), ("b", "p:x")),
    }
