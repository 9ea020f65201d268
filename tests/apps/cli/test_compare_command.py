"""`latcover compare` as a command: real searches in real processes, limits, files, and what Ctrl-C leaves."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from latcover.backends import create
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.run import run
from latcover.files.formats.library import load
from tests import command_line
from tests.backends.test_registry import TEMPLATE_TEXT, put
from tests.command_line import LIMIT, Result, start
from tests.processes import GUARD, descendants, is_running, is_stopped, needs_proc, wait_until

within = pytest.mark.usefixtures("children_within")  # and one test really starts them


def called(*arguments: str) -> Result:
    return command_line.run("compare", *arguments)


@within
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


@within
def test_every_kind_of_backend_finds_the_same_set() -> None:
    methods = "BT+SZ,MC+SZ+ST,cpsat,sat:solver=minisat22,encoding=pairwise"
    data = json.loads(called("hex-prisms", "--methods", methods, "--json").stdout)
    assert [method["status"] for method in data["methods"]] == ["complete"] * 4
    assert data["methods"][3]["method"] == "sat:solver=minisat22,encoding=pairwise"
    assert data["agree"] is True
    assert data["verdict"][0].startswith("the 4 complete methods agree: 2 different solutions, 12 in all")


@within
def test_a_table_follows_a_line_for_each_method_as_it_ends() -> None:
    done = called("pent-20x3", "--methods", "BT,dlx:nonsense=1")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("BT: complete: 2 different, 8 in all, ")
    assert lines[1].startswith("dlx:nonsense=1: cannot be used: ")
    assert done.stdout.startswith("pent-20x3: 60 cells")
    assert called("pent-20x3", "--methods", "BT", "--quiet").stderr == ""


@within
def test_the_digest_is_that_of_the_library() -> None:
    data = json.loads(called("pent-20x3", "--backends", "dlx", "--json").stdout)
    assert data["methods"][0]["answer"]["digest"] == run(prepare(load("pent-20x3")), create("dlx")).digest
    assert "only dlx ran to its end" in data["verdict"][0]


@within
def test_a_time_limit_is_shown_and_not_compared() -> None:
    done = called("bedlam", "--methods", "MC,MC+SZ", "--time", "0.1")
    assert done.returncode == 3
    assert done.stdout.count("time limit") == 2
    assert "cut short, and not compared: MC, MC+SZ" in done.stdout


@pytest.mark.long
def test_a_solution_limit() -> None:
    done = called("soma", "--methods", "MC+SZ", "--limit", "7", "--format", "csv")
    assert done.returncode == 3
    assert [row["different"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["7"]


@within
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
        (["soma", "--pivot", "Q"], 1, "'Q' cannot be the pivot"),
        (["somma"], 1, "did you mean 'soma'?"),
        (["soma", "--plot", "x.bmp"], 1, "the forms are: .png, .svg"),
        (["soma", "--json", "--format", "csv"], 2, "exclude each other"),
        (["soma", "--output", "x.doc"], 2, "no form has this suffix"),
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


@within
def test_an_option_that_the_backend_lacks_does_not_stop_the_rest() -> None:
    done = called("soma", "--methods", "dlx:nonsense=1,MC+SZ", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert [method["status"] for method in data["methods"]] == ["cannot be used", "complete"]
    assert data["methods"][0]["reason"]


WAITING = """outbox.ready()
        import os, time
        open(os.environ["BEGUN"], "w").close()
        while not self._stopped:
            time.sleep(0.01)
        return False
"""


@pytest.fixture
def at_work(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A comparison whose first child asks a backend that says when it is at work, and ends when it is told to."""
    begun = tmp_path / "begun"
    module = TEMPLATE_TEXT.replace("outbox.ready()\n", WAITING)
    put(tmp_path, "latcover_simple", module, "simple = latcover_simple:Simple")
    # An empty entry of PYTHONPATH would be the current folder, where a checkout may lie.
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    with start("compare", "soma", "--backends", "simple,dlx", "--json", PYTHONPATH=path, BEGUN=str(begun)) as process:
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield process


@pytest.mark.long
def test_ctrl_c_ends_the_child_in_order_and_shows_what_there_is(at_work: subprocess.Popen[str]) -> None:
    process = at_work
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=GUARD)
    data = json.loads(stdout)
    assert process.returncode == LIMIT, stderr
    assert [method["status"] for method in data["methods"]] == ["cut short", "not run"]
    assert data["methods"][0]["answer"]["stop"] == "cancelled"
    assert data["interrupted"] is True
    assert "Traceback" not in stderr


@pytest.mark.long
@needs_proc
@pytest.mark.parametrize(("signals", "code"), [([signal.SIGTERM], 143), ([signal.SIGINT, signal.SIGINT], 130)])
def test_no_child_is_left_behind(at_work: subprocess.Popen[str], signals: list[signal.Signals], code: int) -> None:
    process = at_work
    child, its_own = descendants(process.pid)  # which searches, since the backend is another package's
    os.kill(child, signal.SIGSTOP)  # it cannot end by itself
    wait_until(lambda: is_stopped(child))  # until then it would take SIGINT first
    process.send_signal(signals[0])
    if signals[1:]:
        wait_until(lambda: has_pending(child, signals[0]))  # the first has been passed on
        process.send_signal(signals[1])
    process.communicate(timeout=GUARD)
    assert process.returncode == code
    assert not is_running(child)
    wait_until(lambda: not is_running(its_own))


def has_pending(process: int, number: signal.Signals) -> bool:
    """Whether a signal waits for a process, which is stopped; or did, and it was killed since."""
    try:
        status = Path(f"/proc/{process}/status").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return True
    (pending,) = re.findall(r"^ShdPnd:\s+([0-9a-f]+)$", status, re.MULTILINE)
    return bool(int(pending, 16) >> (number - 1) & 1)
