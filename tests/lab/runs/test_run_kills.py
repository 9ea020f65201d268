"""Assemblies and designs that are killed again and again: what they come to is what they come to in one go."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import DONE, LIMIT, run
from tests.shipped import rest_long

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform cannot fork")
FAMILY = """
name = "five of twelve"
lattice = "square"
region = { box = [5, 5] }
[[parts]]
set = "pentominoes"
min = 0
max = 1
"""
ASKED = {
    "assemble": ("apart", "burr-loves-dozen", "--backend", "dlx", "--json"),
    "design": (
        "design",
        "sets",
        "five.toml",
        "--unique",
        "--json",
        "--search",
        "sample",
        "--samples",
        100,
        "--seed",
        7,
    ),
}
TABLES = {"assemble": "assemblies", "design": "entries"}
LONGEST = 0.4  # seconds of processor time that a process may live


def told(*words: object) -> list[dict[str, Any]]:
    """What a command prints, without times, and the branches of a search that is cut into jobs."""
    done = run(*words)
    assert done.returncode in (DONE, LIMIT), done.stderr  # a sample is not the whole
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:
        for name in [name for name in line.get("summary", {}) if "seconds" in name or name == "branches"]:
            del line["summary"][name]
    return lines


def is_killed(seconds: float, *words: object) -> bool:
    """Run a command in a process that ends after so much processor time, at whatever it is; whether it came to that.

    The system ends it at once, as by SIGKILL: no handler is there for this signal.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            code = run(*words).returncode
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (DONE, LIMIT, -signal.SIGPROF)
    return code < 0


def rows(path: Path, table: str) -> int:
    """How many results a run has kept."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            return 0  # killed while it made the file
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.parametrize("task", rest_long(ASKED, ["assemble"]))
def test_runs_killed_at_any_moment_end_as_in_one_go(
    task: str, kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "five.toml").write_text(FAMILY)
    chance, path, asked = random.Random(5), tmp_path / "a.run", ASKED[task]
    expected = told(*asked)
    killed, kept = 0, 0
    while killed < kills:
        if is_killed(chance.uniform(0.01, LONGEST), *asked, "--run", path):
            killed += 1
            now = rows(path, TABLES[task])
            assert now >= kept  # nothing that was kept is lost
            kept = now
        else:  # it came to its end: the next one begins anew
            assert told(*asked, "--run", path) == expected
            path.unlink()
            kept = 0
    assert told(*asked, "--run", path) == expected
