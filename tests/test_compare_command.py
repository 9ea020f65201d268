"""`latcover compare` as a command: real searches in real processes, limits, files, and what Ctrl-C leaves."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from latcover.backends import create
from latcover.encoding.prepared import prepare
from latcover.formats.library import load
from latcover.solving.run import run

COMMAND = [sys.executable, "-P", "-m", "latcover"]
PATIENCE = 60


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


def test_every_kind_of_backend_finds_the_same_set() -> None:
    methods = "BT+SZ,MC+SZ+ST,cpsat,sat:solver=minisat22,encoding=pairwise"
    data = json.loads(called("hex-prisms", "--methods", methods, "--json").stdout)
    assert [method["status"] for method in data["methods"]] == ["complete"] * 4
    assert data["methods"][3]["method"] == "sat:solver=minisat22,encoding=pairwise"
    assert data["agree"] is True
    assert data["verdict"][0].startswith("the 4 complete methods agree: 2 different solutions, 12 in all")


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
