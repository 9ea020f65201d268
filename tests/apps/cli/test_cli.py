"""The command line as a whole: its commands, their help, and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from latcover.apps.cli import registry
from latcover.apps.cli.main import app
from tests.command_line import DONE, USAGE, run, run_on_terminal

ESCAPE = "\x1b"


COMMANDS = (
    "solve",
    "count",
    "estimate",
    "info",
    "show",
    "check",
    "compare",
    "decode",
    "list",
)
OTHERS = ("bench", "design", "runs", "export", "import", "serve")  # groups, and commands whose output is no answer


def test_list_names_all_that_is_shipped() -> None:
    found = json.loads(run("list", "--json").stdout)
    assert list(found) == ["puzzles", "goals", "lattices", "sets", "families", "rules", "backends"]
    assert {"pent-10x6", "soma", "hex-prisms", "sphere-pyramid"} < set(found["puzzles"])
    assert {"square", "cubic", "hexprism", "fcc"} <= set(found["lattices"])
    assert "pentominoes" in found["sets"]
    assert "dlx" in found["backends"]
    text = run("list").stdout
    for kind in ("puzzles", "lattices", "sets"):
        assert all(
            title and re.search(rf"^  {name} +{re.escape(title)}$", text, re.MULTILINE)
            for name, title in found[kind].items()
        )


def test_version() -> None:
    result = run("--version")
    assert result.returncode == DONE
    assert re.fullmatch(r"latcover \d+\.\d+\.\d+\n", result.stdout)


@pytest.mark.parametrize("command", [*COMMANDS, "design sets", "design cut", "runs status", "runs resume"])
def test_every_command_has_help(command: str) -> None:
    result = run(*command.split(), "--help")
    assert (result.returncode, result.stderr) == (DONE, "")
    assert f"latcover {command}" in result.stdout
    assert "--json" in result.stdout


def test_the_first_screen_is_short_and_its_lines_are_commands() -> None:
    result = run()
    assert (result.returncode, result.stderr) == (DONE, "")
    lines = result.stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    examples = [re.split(r"\s{2,}", line.strip())[0] for line in lines if line.startswith("  latcover ")]
    assert len(examples) == 10
    for line in examples:
        _, name, *words = line.split()
        root: Any = typer.main.get_command(app)
        command = root.commands[name]
        while hasattr(command, "commands"):
            command, *words = command.commands[words[0]], *words[1:]
        command.make_context(name, list(words))  # the options exist, and take these values


def test_help_of_a_command_is_asked_for_in_two_ways() -> None:
    for words in (("count",), ("design", "cut"), ()):
        assert run("help", *words).stdout == run(*words, "--help").stdout
    assert run("help", "nonsense").returncode == USAGE


def test_help_lists_each_command_on_a_line_of_80_columns() -> None:
    shown = run("--help", COLUMNS="80").stdout.splitlines()
    assert max(map(len, shown)) <= 80
    assert [word for line in shown if (word := line[2:12].strip()) in registry.COMMANDS] == [*registry.COMMANDS]
    assert "<bool>" not in run("solve", "--help-all").stdout


@pytest.mark.parametrize("words", [("bench",), ("runs",)])
def test_a_command_line_without_a_command_says_what_to_try(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert (result.returncode, result.stderr) == (DONE, "")
    tried = result.stdout.splitlines()
    assert len(tried) == 3
    assert all(line.startswith("latcover ") for line in tried)


def test_help_names_every_command() -> None:
    for result in (run("--help"), run("-h")):
        text = result.stdout + result.stderr
        assert result.returncode == DONE
        assert all(re.search(rf"^\W*{command}\s", text, re.MULTILINE) for command in (*COMMANDS, *OTHERS))


@pytest.mark.usefixtures("children_within")
@pytest.mark.parametrize("columns", ["40", pytest.param("80", marks=pytest.mark.long), "200"])
def test_a_comparison_on_a_terminal_is_a_table_with_nothing_cut(columns: str) -> None:
    shown, _, code = run_on_terminal("stdout", "compare", "soma", "--methods", "MC+SZ,BT", "--all", COLUMNS=columns)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert code == DONE
    assert ESCAPE in shown
    assert "…" not in plain
    rows = [line.split() for line in plain.splitlines() if line.split()[:1] == ["BT"]]
    assert rows[0][1:4] == ["240", "11,520", "269,477"]
    assert len(rows) == (2 if columns == "200" else 3)  # with the profile's: one table, or two
    assert "the 2 complete methods agree" in plain


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("solve", "soma", "--limit", "1"), 10),
        (("count", "soma"), 10),
        (("count", "soma", "--limit", "0"), 3),
        (("count", "pent-10x6-eight-moved"), 20),
    ],
)
def test_exit_codes_of_sat_solvers(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    assert run(*arguments, "--quiet", "--sat-exit-codes").returncode == code
    kept = ("--run", str(tmp_path / "run.db"))
    assert run(*arguments, *kept, "--quiet", "--sat-exit-codes").returncode == code
    assert run("runs", "resume", str(tmp_path / "run.db"), "--limit", "0", "--sat-exit-codes").returncode == code


def test_a_proof_with_the_exit_code_of_sat_solvers(tmp_path: Path) -> None:
    proof = str(tmp_path / "x.drat")
    assert run("solve", "pent-10x6-eight-moved", "--proof", proof, "--sat-exit-codes").returncode == 20


@pytest.mark.parametrize(("old", "new"), [("assemble", "apart"), ("design board", "design matching")])
def test_old_names_are_understood_and_not_shown(old: str, new: str) -> None:
    assert run(*old.split(), "--help").stdout == run(*new.split(), "--help").stdout
    assert old.rsplit(maxsplit=1)[-1] not in run(*old.split()[:-1], "--help").stdout.split()
