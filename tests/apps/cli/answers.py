"""What `count --json` and `solve --json` print, as data."""

from __future__ import annotations

import json
from typing import Any

from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import Verifier
from latcover.files.formats.library import load
from tests.command_line import DONE, run


def answer(*arguments: str, code: int = DONE) -> dict[str, Any]:
    """The one object that `count --json` prints."""
    result = run("count", *arguments, "--json")
    assert (result.returncode, result.stderr) == (code, "")
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def listed(*arguments: str, code: int = DONE) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The solutions that `solve --json` prints, and its summary."""
    result = run("solve", *arguments, "--json")
    assert (result.returncode, result.stderr) == (code, "")
    *solutions, last = map(json.loads, result.stdout.splitlines())
    assert list(last) == ["summary"]
    return solutions, last["summary"]


def as_solution(found: dict[str, Any]) -> Solution:
    """A solution of a lattice with one node, from its JSON."""
    placed = (
        (p["part"], tuple((0, *cell) for cell in p["cells"]), tuple(p.get("colours", ()))) for p in found["placements"]
    )
    return Solution(tuple(Placed(*p) for p in placed))


def faults_of(name: str, solutions: list[dict[str, Any]]) -> list[str]:
    verifier = Verifier(load(name))
    return [fault for found in solutions for fault in verifier.faults(as_solution(found))]


def figures(found: dict[str, Any]) -> tuple[bool, int, int]:
    return found["complete"], found["different"], found["total"]
