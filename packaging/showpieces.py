"""The data of the three small films on the app's page Start: cells of parts in their colours, and moves.

``python packaging/showpieces.py``, from the root of a checkout, writes them; a test compares.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

import latcover
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.solution import Solution
from latcover.lab.assembly.taking_apart import disassemble
from latcover.show.drawing.palette import hexadecimal
from latcover.show.drawing.scenes import scene

FILE = Path("latcover/apps/web/static/showpieces_data.js")
HEAD = """// Made by packaging/showpieces.py from shipped puzzles: do not edit.

/** @typedef {{ colour: string, cells: number[][] }} ShownPiece */
/** @typedef {{ pieces: ShownPiece[], moves: { pieces: number[], by: number[] }[] }} Showpiece */

"""
WHOLE = ("soma", "cut-3x3x3-hard")
TAKEN_APART = "burr-piston"


def text() -> str:
    """The file."""
    found = {name: _piece(next(iter(latcover.solutions(latcover.load(name))))) for name in WHOLE}
    for solution in latcover.solutions(latcover.load(TAKEN_APART)):
        plan = disassemble(solution)
        if plan.result == "apart":
            found[TAKEN_APART] = _piece(solution, plan)
            break
    rows = [
        f"  {msgspec.json.encode(name).decode()}: {msgspec.json.encode(one).decode()},\n" for name, one in found.items()
    ]
    return f"{HEAD}/** @type {{Record<string, Showpiece>}} */\nexport const SHOWPIECES = {{\n{''.join(rows)}}};\n"


def _piece(solution: Solution, plan: Disassembly | None = None) -> dict[str, Any]:
    """A solution, and the moves until its first part comes off."""
    assert solution.puzzle is not None
    items = scene.of_solution(solution.puzzle, solution).items
    pieces = [
        {"colour": hexadecimal(item.rgb), "cells": [cell[1:] for cell in placed.cells]}
        for item, placed in zip(items, solution.placements, strict=False)
    ]
    steps = plan.separations[0].steps if plan else ()
    return {"pieces": pieces, "moves": [{"pieces": step.pieces, "by": step.shift} for step in steps]}


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
    sys.stdout.write(f"{FILE}: {FILE.stat().st_size} bytes\n")
