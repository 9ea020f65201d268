"""Runs with a memory on the command line: --run, resume and runs, and what they say when something is wrong."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from latcover.errors import LatcoverError
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.state import state_as_json
from tests.command_line import DONE, FAILED, LIMIT, Result, run, start
from tests.processes import GUARD
from tests.run_files import DIFFERENT, DOMINOES, TOTAL

ANSWER = ("different", "total", "covers", "branches", "dead_ends", "branches_by_level", "digest", "complete", "stop")


def summary(done: Result) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return data.get("summary", data)


def solutions(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"number"')]


@pytest.fixture(scope="module")
def puzzle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzle") / "dominoes.toml"
    path.write_bytes(DOMINOES)
    return path


def test_solve_in_a_file_says_what_solve_says(tmp_path: Path, puzzle: Path) -> None:
    plain = run("solve", puzzle, "--backend", "dlx", "--json")
    kept = run("solve", puzzle, "--backend", "dlx", "--json", "--run", tmp_path / "run.db", "--threads", 2)
    again = run("runs", "resume", tmp_path / "run.db", "--json")
    assert plain.returncode == kept.returncode == again.returncode == DONE
    for name in ANSWER:
        assert summary(plain)[name] == summary(kept)[name] == summary(again)[name]
    assert solutions(plain) == solutions(kept)
    assert not solutions(again)
    assert solutions(run("runs", "solutions", tmp_path / "run.db", "--json")) == solutions(plain)


def test_a_limit_and_then_the_rest(tmp_path: Path, puzzle: Path) -> None:
    path = tmp_path / "run.db"
    first = run("solve", puzzle, "--run", path, "--limit", 3, "--no-color")
    assert first.returncode == LIMIT
    assert "cut short: solution limit" in first.stdout
    assert "solution 3" in first.stdout
    assert run("runs", "resume", path).returncode == LIMIT
    state = json.loads(run("runs", "status", path, "--json").stdout)
    assert (state["state"], state["stop"], state["different"]) == ("interrupted", "solution limit", 3)
    rest = run("runs", "resume", path, "--limit", 999, "--json")
    assert rest.returncode == DONE
    assert [solution["number"] for solution in solutions(rest)] == list(range(4, DIFFERENT + 1))
    assert run("solve", puzzle, "--run", path, "--json").returncode == DONE
    assert f"{DIFFERENT} solutions, {TOTAL} in all" in run("runs", "status", path).stdout


@pytest.mark.long
def test_ctrl_c_ends_it_in_order(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    process = start("count", "bedlam", "--backend", "dlx", "--run", path, "--json")
    while not _at_work(path):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, messages = process.communicate(timeout=GUARD)
    assert process.returncode == LIMIT, messages
    assert json.loads(out)["stop"] == "cancelled"
    state = json.loads(run("runs", "status", path, "--json").stdout)
    assert (state["state"], state["stop"]) == ("interrupted", "cancelled")
    assert state["different"] == json.loads(out)["different"]


def _at_work(path: Path) -> bool:
    try:
        with RunFile(path) as file:
            return bool(state_as_json(file)["state"] == "at work")
    except LatcoverError:  # it is not there yet, or not whole
        return False


def test_exports(tmp_path: Path, puzzle: Path) -> None:
    path = tmp_path / "run.db"
    run("solve", puzzle, "--run", path, "--json")
    assert run("runs", "solutions", path, "--output", tmp_path / "all.jsonl", "-q").stderr == ""
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(1, DIFFERENT + 1))
    pytest.importorskip("pyarrow")
    assert (
        f"wrote {tmp_path / 'all.parquet'}"
        in run("runs", "solutions", path, "--output", tmp_path / "all.parquet").stderr
    )
    assert {file.name for file in tmp_path.iterdir()} == {"run.db", "all.jsonl", "all.parquet"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The file of a run that was begun, and of a count."""
    folder = tmp_path_factory.mktemp("runs")
    assert run("solve", "fig4-3x3", "--run", folder / "RUN", "--limit", 1, "-q").returncode == LIMIT
    assert run("count", "fig4-3x3", "--run", folder / "COUNT", "-q").returncode == DONE
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("count", "fig4-3x3", "--run", "RUN"), "another request (solve, not count)"),
        (("solve", "pent-10x6", "--run", "RUN"), "another puzzle (fig4-3x3, not pent-10x6)"),
        (("solve", "fig4-3x3", "--run", "RUN", "--backend", "dlx"), "the backend auto, not dlx"),
        (("solve", "fig4-3x3", "--run", "RUN", "--max-branches", "7"), "no limit of branches"),
        (("solve", "fig4-3x3", "--run", "OTHER"), "not a file of a run"),
        (("solve", "fig4-3x3", "--run", "NOWHERE/run.db"), "no folder"),
        (("count", "fig4-3x3", "--run", "NEW", "--method", "memo"), "cannot honour --run: leave that out"),
        (("count", "fig4-3x3", "--run", "NEW", "-o", "threads=2"), "give --threads N instead"),
        (("count", "fig4-3x3", "--run", "NEW", "--backend", "dlx", "-o", "x=2"), "no option 'x'"),
        (("runs", "resume", "OTHER"), "not a file of a run"),
        (("runs", "resume", "MISSING"), "no such file"),
        (("runs", "status", "EMPTY"), "holds no run"),
        (("runs", "solutions", "RUN", "--output", "all.csv"), "name a file with one of: .jsonl, .parquet, .xmpuzzle"),
        (("runs", "solutions", "COUNT"), "a count keeps no solutions"),
    ],
)
def test_what_cannot_be_is_refused_in_one_paragraph(
    tmp_path: Path, files: dict[str, bytes], arguments: tuple[str, ...], complaint: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "OTHER").write_text("text\n" * 99)
    (tmp_path / "EMPTY").touch()
    here = [str(tmp_path / word) if word.split("/")[0].isupper() else word for word in arguments]
    done = run(*here)
    assert done.returncode == FAILED
    assert complaint in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "NEW").exists()
    assert (tmp_path / "OTHER").read_text() == "text\n" * 99
