"""The man page: it says what the command line says, and nothing that a formatter would complain of."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import files, version
from pathlib import Path

import pytest
import typer.main

from latcover.apps.cli import VERSION
from latcover.apps.cli.main import app
from tests.processes import GUARD

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "man" / "latcover.1"


def test_the_page_is_current() -> None:
    command = [sys.executable, "-P", str(ROOT / "man" / "make.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_and_option_is_told_of() -> None:
    text = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    root = typer.main.get_command(app)
    groups = [("", root), *((f"{name} ", inner) for name, inner in root.commands.items())]  # type: ignore[attr-defined]
    for group, command in groups:
        for name, inner in getattr(command, "commands", {}).items():
            assert f'"latcover {group}{name}"' in text or getattr(inner, "commands", None)
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or f"\\fB{parameter.opts[0]}\\fR" in text


@pytest.mark.parametrize("command", [["mandoc", "-Tlint"], ["man", "-l", "--warnings"]], ids=["mandoc", "man"])
def test_formatters_do_not_complain(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*command, str(PAGE)], capture_output=True, text=True, timeout=GUARD, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert command[0] == "man" or done.stdout == ""


def test_the_page_is_installed() -> None:
    assert any(str(path).endswith("share/man/man1/latcover.1") for path in files("latcover") or ())


def test_the_versions_agree() -> None:
    assert f'"latcover {version("latcover")}"'.replace("-", "\\-") in PAGE.read_text(encoding="utf-8")
    assert version("latcover") == VERSION
    assert f"\nversion: {version('latcover')}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version('latcover')} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
