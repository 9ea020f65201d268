"""The commands that one begins with: `new` and `open`."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import Any

import pytest

from latcover.apps.cli.commands import serve_command
from tests.command_line import DONE, FAILED, run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_new_writes_a_file_that_can_be_solved() -> None:
    done = run("new", "mine")
    assert done.returncode == DONE
    assert "next: latcover solve mine.toml" in done.stderr
    assert "(complete)" in run("count", "mine.toml").stdout
    assert run("new", "cube.toml", "cubic", "2x2x2").returncode == DONE
    assert run("check", "cube.toml").returncode == DONE


def test_new_writes_over_nothing() -> None:
    Path("mine.toml").write_text("mine\n")
    done = run("new", "mine")
    assert (done.returncode, done.stderr) == (
        FAILED,
        "error: mine.toml is there already, and is not overwritten; choose another name, or delete it\n",
    )
    assert Path("mine.toml").read_text() == "mine\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the browser is sent to; the server does not start."""
    addresses: list[str] = []
    monkeypatch.setattr(serve_command, "_serve", lambda *_: None)
    monkeypatch.setattr("webbrowser.open", lambda address: not addresses.append(address))
    return addresses


def test_open_leads_the_browser_to_the_puzzle(opened: list[str]) -> None:
    assert run("open").returncode == DONE
    done = run("open", "soma")
    run("new", "mine")
    assert run("open", "mine.toml").returncode == DONE
    first, shipped, whole = opened
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", first)
    assert shipped.endswith("/#puzzle/soma")
    assert f"latcover is open at {shipped}" in done.stdout
    word = whole.partition("#puzzle/=")[2]
    text = zlib.decompress(urlsafe_b64decode(word + "=" * (-len(word) % 4))).decode()
    assert 'name = "mine"' in text


def test_open_tells_the_address_alone(opened: list[str]) -> None:
    done = run("open", "soma", "--no-browser")
    assert "latcover is served at http://127.0.0.1:" in done.stdout
    assert not opened


def test_open_refuses_what_is_no_puzzle(opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done: Any = run("open", "missing.toml")
    assert done.returncode == FAILED
    assert "there is no such file" in done.stderr
    monkeypatch.setattr(serve_command, "LONGEST", 10)
    run("new", "mine")
    assert "drop the file on the page Files" in run("open", "mine.toml").stderr
    assert not opened
