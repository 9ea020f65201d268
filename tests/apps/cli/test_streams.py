"""What stands on which stream: colours, bars, messages, and readers that go away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from latcover.apps.cli.shared import progress
from tests.command_line import DONE, LIMIT, run, run_on_terminal, start
from tests.processes import GUARD

ESCAPE = "\x1b"
TWICE = """
name = "twice"
lattice = "square"
region = { box = [2, 2] }
parts = [{ name = "a", box = [1, 2] }, { name = "b", box = [2, 1] }]
"""


def test_colour_is_forced_or_left_out() -> None:
    assert ESCAPE not in run("solve", "fig4-3x3").stdout
    assert "\x1b[48;5;" in run("solve", "fig4-3x3", "--color", NO_COLOR="1").stdout


@pytest.mark.parametrize(
    ("options", "changes", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": ""}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--no-color"], {}, False),
    ],
)
def test_colour_on_a_terminal(options: list[str], changes: dict[str, str], coloured: bool) -> None:
    shown, stderr, code = run_on_terminal("stdout", "show", "fig4-3x3", *options, **changes)
    assert (code, stderr) == (DONE, "")
    assert ("\x1b[48;5;" in shown) == (ESCAPE in shown) == coloured
    assert "C" in shown


def test_a_long_search_shows_a_bar_on_a_terminal_and_keeps_stdout_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", 0.0)
    shown, stdout, code = run_on_terminal("stderr", "solve", "soma", "--json", "--backend", "dlx")
    assert code == DONE
    assert "%" in shown
    assert "covers" in shown
    assert ESCAPE not in stdout
    *solutions, last = map(json.loads, stdout.splitlines())
    assert len(solutions) == last["summary"]["different"]


@pytest.mark.parametrize(("before", "option"), [(1e9, "--progress=auto"), (0.0, "-q")])
def test_a_short_or_quiet_search_shows_no_bar(before: float, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", before)
    shown, stdout, _ = run_on_terminal("stderr", "count", "soma", "--backend", "dlx", option)
    assert shown == ""
    assert "in all" in stdout


def test_without_a_terminal_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", 0.0)
    result = run("count", "soma", "--limit", "3", "--backend", "dlx")
    assert (result.returncode, result.stderr) == (LIMIT, "")
    assert "cut short: solution limit" in result.stdout


def test_an_error_on_a_terminal_is_one_paragraph_as_wide_as_that() -> None:
    shown, stdout, code = run_on_terminal("stderr", "count", "nothing-like-it", COLUMNS="60")
    lines = shown.replace("\r\n", "\n").splitlines()
    assert (code, stdout) == (1, "")
    assert lines[0].startswith("error: ")
    assert len(lines) > 1
    assert all(0 < len(line) <= 60 for line in lines)


def test_quiet_says_nothing_and_verbose_says_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "twice.toml"
    path.write_text(TWICE)
    plain, quiet, verbose = (run("count", str(path), *options) for options in ([], ["-q"], ["-v"]))
    assert re.fullmatch(
        rf"{re.escape(str(path))}:5:\d+: warning: .*'b' equals part 'a'.*use one part with a count.*\n", plain.stderr
    )
    assert quiet.stderr == ""
    assert re.search(r" ms  \d+ placements of 2 parts$", verbose.stderr, re.MULTILINE)
    assert re.search(r" ms  \d+ options on \d+ items$", verbose.stderr, re.MULTILINE)
    assert run("count", "--limit", "1", "-q").stderr == ""
    assert run("count", str(path), "-q", "-v").stderr == ""
    for result in (plain, quiet, verbose):
        assert re.match(r"twice: 1 solution different .*, 4 in all \(complete\)\nauto picked bitset: ", result.stdout)


@pytest.mark.parametrize("command", ["solve", "count", "info", "show", "check"])
def test_stdout_holds_results_alone(command: str, tmp_path: Path) -> None:
    path = tmp_path / "twice.toml"
    path.write_text(TWICE)
    result = run(command, str(path), "--json", "-v")
    assert result.returncode == DONE
    assert [type(json.loads(line)) for line in result.stdout.splitlines()] == [dict] * (2 if command == "solve" else 1)


@pytest.mark.parametrize("options", [[], pytest.param(["--json"], marks=pytest.mark.long)])
def test_a_reader_that_goes_away_is_no_error_of_ours(options: list[str]) -> None:
    process = start("solve", "pent-10x6", *options)
    assert process.stdout is not None
    assert process.stderr is not None
    assert "pent-10x6" in process.stdout.readline() or options
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=GUARD) not in (DONE, LIMIT)
