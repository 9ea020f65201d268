"""The page of known figures: its commands can be run again, and the seconds go into the rows that name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import known_figures
from benchmarks.harness.processes import EndedCommand
from benchmarks.known_figures import ATLASES, PAGE, commands_of
from latcover.errors import LatcoverError

ROWS = """# A page

Measured on another machine.

| question | command | answer | seconds |
| --- | --- | --- | --- |
| Order | `latcover atlas A --size 2` | 2 | 9.9 |
| Two | `latcover multiples A 5`, `latcover multiples B 5` | 1; 2 | |
| How many | `latcover count` with a rule | 3 | |
| Pairs | `latcover common A B --output pairs.md` | 4 | 9 |
"""


def test_commands_of_rows() -> None:
    found = [commands_of(line) for line in ROWS.splitlines()]
    assert [each for each in found if each] == [
        ["atlas A --size 2"],
        ["multiples A 5", "multiples B 5"],
        ["common A B --output pairs.md"],
    ]


def test_seconds_go_into_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(ROWS, "utf-8")
    ran: list[tuple[str, Path | None]] = []

    def run(words: Sequence[str], *, folder: Path | None) -> EndedCommand:
        ran.append((words[-1], folder))
        return EndedCommand("", "no such shape", int(words[-1] == "fails"), 5.234 * len(ran))

    monkeypatch.setattr(known_figures, "PAGE", page)
    monkeypatch.setattr(known_figures, "run_command", run)
    rows = list(known_figures.known_figures())
    assert [row.split(" | ")[-1] for row in rows] == ["5.2 |", "10; 16 |", "21 |"]
    assert ran == [("2", None), ("5", None), ("5", None), ("pairs.md", ATLASES)]
    text = page.read_text("utf-8")
    assert all(row in text for row in rows)
    assert "another machine" not in text
    assert re.search(r"^Measured on .+ to use.*\.$", text, re.MULTILINE)

    page.write_text(ROWS.replace("--size 2", "--size fails"), "utf-8")
    with pytest.raises(LatcoverError, match="latcover atlas A --size fails ends with 1: no such shape"):
        list(known_figures.known_figures(only="Order"))


def test_the_page_names_the_command_of_each_atlas() -> None:
    named = [each for line in PAGE.read_text("utf-8").splitlines() for each in commands_of(line)]
    made: dict[str, Any] = {
        page.name: re.search(r"made by `latcover (.+)`\.", page.read_text("utf-8")) for page in ATLASES.glob("*.md")
    }
    assert made
    assert [name for name, found in made.items() if not found or found[1] not in named] == []
