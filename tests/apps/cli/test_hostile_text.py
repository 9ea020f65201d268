"""Names and texts that would command a terminal: no command prints them as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_line import run

HOSTILE = r"""
name = "evil\u001b]0;title\u0007\u001b[2J\nevil: 5 solutions"
title = "T\u001b]0;...\u0007\u001b[2J\u202e\u200f"
source = "S\u001b[31m\u009b2J"
lattice = "square"
colours = { B = "bl\u001b[5mack" }
region = { box = [2, 3] }

[[parts]]
name = "L\u001b[2J"
art = ["XX", "X."]

[[parts]]
name = "K"
colour = "bl\u001b[5mack"
art = ["XX", "X."]

[[published]]
figure = "total"
value = 5
source = "p\u001b[2J"
reason = "q\u001b[2J"
"""
OURS = re.compile(r"\x1b\[(48;5;\d+;38;5;\d+|0)m")  # the colours of a picture


def write(folder: Path, text: str, name: str = "file.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def assert_harmless(text: str) -> None:
    assert all(sign.isprintable() or sign == "\n" for sign in OURS.sub("", text)), text


@pytest.mark.parametrize("part", ["L\\u001b[2J", "L"])  # a name that is refused, and one that is not
@pytest.mark.parametrize(
    "words",
    [
        *("info", "check", "count -v", "estimate --probes 2 -v", "solve --color"),
        *("show --region --color", "show --part K --color", "show --color", "export json", "count --pivot \x1b[2J"),
        *("check \x1b[2J.toml", "count --symmetry \x1b[2J", "show --output \x1b[2J/x.svg", "count --run \x1b[2J/x.db"),
    ],
)
def test_no_command_prints_what_a_terminal_would_obey(words: str, part: str, tmp_path: Path) -> None:
    path = write(tmp_path, HOSTILE.replace("L\\u001b[2J", part), "\x1b]0;x\x07.toml")
    command, *options = words.split(" ")
    result = run(command, path, *options)
    assert_harmless(result.stdout)
    assert_harmless(result.stderr)


def test_a_name_cannot_forge_a_line(tmp_path: Path) -> None:
    result = run("count", write(tmp_path, HOSTILE.replace("L\\u001b[2J", "L")))
    assert result.stdout.splitlines()[0].startswith(r"evil\x1b]0;title\x07\x1b[2J\nevil: 5 solutions: 1 solution ")


def test_names_in_cover_problems_are_harmless(tmp_path: Path) -> None:
    result = run("solve", write(tmp_path, "a\x1b[2J b\u202e\na\x1b[2J b\u202e\n", "p.dlx"), "--color")
    assert r"a\x1b[2J b\u202e" in result.stdout
    assert_harmless(result.stdout)
