"""What is read is a regular file, wherever a command takes its name: a pipe never begins, a device never ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import FAILED, run
from tests.processes import posix_only

pytestmark = posix_only
PATIENCE = 60  # seconds, until a command that waits for a pipe is woken up
READERS = [  # {} is the name of the file, without a suffix
    "solve {}.toml",
    "solve {}.xmpuzzle",
    "count {}.json",
    "apart {}.toml",
    "difficulty {}.toml",
    "show {}.toml",
    "info {}.toml",
    "export {}.toml dlx",
    "sample {}.toml",
    "compare {}.toml",
    "solve example-2x2 --run {}",
    "count example-2x2 --run {}",
    "apart example-2x2 --run {}",
    "solve example-2x2 --best minimize crossroads --run {}",
    "runs status {}",
    "runs resume {}",
    "runs solutions {}",
    "sequence dominoes-square --to 2 --output {}",
    "sequence {}.toml --to 2",
    "import {}.scad",
    "import {}.xmpuzzle",
    "import {}.txt --lattice square",
    "decode example-2x2 {}",
    "pieces {}.toml",
    "pieces {}.toml 3",
    "atlas {}.toml:F",
    "atlas pentominoes:I --size 1 --run {}",
    "common pentominoes:I {}.txt",
    "common trominoes --pairs --run {}",
    "multiples {}.txt 2",
    "pack pentominoes:I --region {}.toml",
    "pack pentominoes:I --region 5x5 --run {}",
    "exclude pentominoes:I --region 5x5 --run {}",
    "plane {}.txt",
    "plane square --cells 3 --run {}",
    "design sets example-2x2 --run {}",
    "design regions example-2x2 --among {}.toml",
    "design cut cubic:2x2x2 --walks 1 --run {}",
    "design cut cubic:2x2x2 --walks 1 --forbid {}.toml",
    "design cut {}.toml",
    "design matching {}.toml",
]


@pytest.fixture(autouse=True)
def woken_up() -> Iterator[None]:
    """Whoever waits for a pipe fails after a while."""

    def wake(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("words", READERS)
def test_a_pipe_and_a_device_are_refused(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, make in (("pipe", os.mkfifo), ("endless", lambda path: os.symlink("/dev/zero", path))):
        file = next(word for word in words.split() if "{}" in word).partition(":")[0].format(name)
        make(file)
        done = run(*words.format(name).split())
        assert (done.returncode, done.stderr.count("regular file")) == (FAILED, 1), done.stderr


def test_no_site_is_read_from_pipes(tmp_path: Path) -> None:
    assert run("publish", "example-2x2", "--output", tmp_path).returncode == 0
    (tmp_path / "index.html").unlink()
    os.mkfifo(tmp_path / "index.html")
    assert "was changed since latcover wrote it" in run("publish", "example-2x2", "--output", tmp_path).stderr


def test_files_that_sqlite_adds_are_regular_too(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    assert run("solve", "example-2x2", "--run", path).returncode == 0
    os.mkfifo(tmp_path / "x.run-journal")
    assert "x.run-journal: is not a regular file" in run("runs", "status", path).stderr
