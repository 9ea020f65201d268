"""Data for programs: a terminal gets no more than a screen of it, unless asked; files and pipes get all."""

from __future__ import annotations

from pathlib import Path

import pytest

from latcover.files.formats.forms import SCAD, WRITTEN
from tests.command_line import DONE, FAILED, run, run_on_terminal

LONG = [
    *(
        ("export", "slothouber-graatsma", form.name)
        for form in WRITTEN.values()
        if not form.binary and form is not SCAD
    ),
    ("export", "bedlam", "scad"),
    ("import", "sticks.dlx"),
    ("design", "matching", "square:8x8"),
]


@pytest.fixture(autouse=True)
def _a_long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sticks.dlx").write_text("\n".join(["a b", *["a", "b"] * 20]) + "\n", encoding="utf-8")


@pytest.mark.parametrize("words", LONG, ids=" ".join)
def test_a_terminal_gets_more_than_a_screen_only_if_asked(words: tuple[str, ...]) -> None:
    shown, said, code = run_on_terminal("stdout", *words, LINES="24", COLUMNS="80")
    assert (shown, code) == ("", FAILED)
    assert "more than a screen of data: write it to a file with --output FILE" in said
    everything = run(*words).stdout
    shown, said, code = run_on_terminal("stdout", *words, "--output", "-", LINES="24", COLUMNS="80")
    assert (shown.replace("\r\n", "\n"), said, code) == (everything, "", DONE)
    assert run(*words, "--output", "-").stdout == everything
    assert not Path("-").exists()


def test_what_a_screen_holds_is_shown() -> None:
    """A line that is wider than the screen takes several rows of it."""
    words = ("export", "example-2x2", "dlx")
    text = run(*words).stdout
    shown, _, code = run_on_terminal("stdout", *words, LINES=str(text.count("\n") + 1), COLUMNS="500")
    assert (shown.replace("\r\n", "\n"), code) == (text, DONE)
    for rows, columns in ((text.count("\n"), 500), (text.count("\n") + 1, 5)):
        shown, _, code = run_on_terminal("stdout", *words, LINES=str(rows), COLUMNS=str(columns))
        assert (shown, code) == ("", FAILED)


def test_no_terminal_gets_what_is_binary() -> None:
    shown, said, code = run_on_terminal("stdout", "export", "soma", "npz", "--output", "-")
    assert (shown, code) == ("", FAILED)
    assert "is binary, no text for a terminal" in said
