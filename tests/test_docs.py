"""The documents' own examples are true: TOML blocks are sound files, Python blocks run, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import latcover
from latcover.inspection import inspect_file
from latcover.puzzle import Bounds

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, text in enumerate(re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL), 1):
            found.append((f"{page.name}-{number}", text))
    return found


def test_there_are_examples() -> None:
    assert len(blocks("toml")) >= 3
    assert blocks("python")


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in blocks("toml")])
def test_toml_blocks_are_sound_and_solvable(text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    path.write_text(text, encoding="utf-8")
    report = inspect_file(str(path), Bounds())
    assert report.sound, report.complaints
    assert not report.complaints
    if report.kind == "puzzle":
        answer = latcover.count(latcover.load(str(path)))
        assert answer.complete
        assert answer.different > 0


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in blocks("python")])
def test_python_blocks_run(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(text, "README", "exec"), {})
    expected = re.findall(r"print\(.*?\)\s+# (.*)", text)
    assert [line for line in capsys.readouterr().out.splitlines() if line in expected] == expected


# Those that show what their only command prints; others list commands.
PRINTED = [(name, text) for name, text in blocks("console") if "\n$ " not in text and "\n" in text.strip()]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in PRINTED])
def test_console_blocks_are_what_is_printed(text: str) -> None:
    """But for times and memory, the last columns of a table but one."""
    command, _, shown = text.partition("\n")
    words = command.removeprefix("$ latcover ").split()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "latcover", *words], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert [steady(line) for line in shown.splitlines()] == [steady(line) for line in done.stdout.splitlines()]


# Of two pages: what others list takes long, or is no use to run.
SESSIONS = [
    (name, text) for name, text in blocks("console") if "\n$ " in text and name.startswith(("formats.md", "proofs.md"))
]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SESSIONS])
def test_console_sessions_can_be_typed(text: str, tmp_path: Path) -> None:
    """Several commands, other programs among them, print what is shown, if anything is."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    for program in {command.split()[0] for command in commands}:
        if shutil.which(program, path=path) is None:
            pytest.skip(f"{program} is not installed")
    done = subprocess.run(
        ["bash", "-c", "\n".join(commands)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
    )
    shown = [line for line in text.splitlines() if not line.startswith("$ ")]
    assert done.stdout.splitlines()[-len(shown) :] == shown or not shown


FILES = [(name, text) for name, text in blocks("json") if '"problem"' in text]  # others show what is printed


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in FILES])
def test_json_blocks_are_sound_and_solvable(text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.json"
    path.write_text(text, encoding="utf-8")
    assert inspect_file(str(path), Bounds()).sound
    done = subprocess.run([sys.executable, "-P", "-m", "latcover", "solve", path], capture_output=True, check=True)
    assert b"(complete)" in done.stdout


def steady(line: str) -> list[str]:
    """The words of a line that are the same in every run."""
    words = line.split()
    return words[:5] + words[-1:] if words[-1:] == ["complete"] else words


def test_the_package_docstring() -> None:
    results = doctest.testmod(latcover)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_option_that_the_readme_names_exists() -> None:
    from latcover.cli import app

    runner = CliRunner()
    commands = (
        ["solve"],
        ["count"],
        ["estimate"],
        ["info"],
        ["show"],
        ["check"],
        ["compare"],
        ["runs"],
        ["export"],
        ["decode"],
        ["import"],
        ["bench", "table1"],
        ["bench", "suite"],
    )
    pages = [runner.invoke(app, [*command, "--help"], env={"COLUMNS": "200"}).output for command in commands]
    named = set(re.findall(r"`(--[a-z-]+)", (ROOT / "README.md").read_text("utf-8")))
    known = set(re.findall(r"--[a-z-]+", "".join(pages))) | {"--help", "--version"}
    assert named
    assert named <= known


def test_the_picture_in_the_readme_is_the_first_solution() -> None:
    from latcover.terminal import draw_solution

    puzzle = latcover.load("pent-10x6")
    drawn = draw_solution(puzzle, next(latcover.solutions(puzzle)), colour=False, width=80)
    shown = [line[:11].rstrip() for line in (ROOT / "README.md").read_text("utf-8").splitlines()]
    start = shown.index(drawn[0])
    assert shown[start : start + len(drawn)] == drawn
