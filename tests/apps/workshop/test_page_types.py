"""The types and the bounds of the pages are those of the structures that they exchange with Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "latcover" / "apps" / "web" / "static"
MAKER = ROOT / "packaging" / "page_types.py"
if not MAKER.is_file():
    pytest.skip("only a checkout has the maker of types", allow_module_level=True)


def test_made_files_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "-P", str(MAKER), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_requests_may_leave_out_what_answers_hold() -> None:
    """A field with a default may be absent from a request; an answer has it, unless its structure omits defaults."""
    told = (STATIC / "server_types.d.ts").read_text("utf-8")
    of = {text.partition(" = ")[0]: text.partition(";\n\n")[0] for text in told.split("export type ")}
    assert "  solution?: number | null;" in of["ExportRequest"]
    assert " complaints: string[]" in of["Fault"]
    assert "  badges?: string[];" in of["DesignFacts"]
    assert "export type WatchedStep = [kind: " in told


def test_bounds_are_those_of_the_requests() -> None:
    told = "".join((STATIC / "bounds.js").read_text("utf-8").split())
    assert "best:{limit:{min:1,max:20}" in told
    assert "play:{min:0,max:0.2}" in told
    assert "period:{min:0,max:100000}" in told
