"""The table [goals] of puzzle files: what of the board is to be filled, and with which parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import fields

from latcover.core.model.goals import GoalRegion, Goals, GoalsError, OpenCells
from latcover.core.model.part_choices import PartChoice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.puzzle_costs import CellRow
from latcover.errors import counted
from latcover.files.formats.puzzle_files.file_keys import Coordinate, GoalsExpectTable
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.toml_layout import present
from latcover.files.formats.puzzle_files.written_shapes import ShapeContext, read_shape

EXPECTED = tuple(each.encode_name for each in fields(GoalsExpectTable) if each.encode_name != "long")


def read_goals(root: Table, board: Puzzle | None, context: ShapeContext) -> Goals | None:
    """The goals of a board; None, with complaints, if something is wrong with it or with them."""
    table = root.table("goals")
    before = root.file.n_complaints
    for key in ("expect", "published"):
        if key in root:
            mend = "write [goals.expect]" if key == "expect" else "leave it out"
            root.complain(key, f"cannot be combined with [goals], whose goals have figures of their own; {mend}")
    if table is None:
        return None
    open_cells = [_open_cells(group, board, context) for group in table.tables("open")]
    regions = [GoalRegion(each.get("name"), _cells(each, board, context)) for each in table.tables("regions")]
    choice = _choice(table)
    expect = table.table("expect")
    known = {} if expect is None else {key: expect.get(key) for key in EXPECTED if key in expect}
    exceptions = [tuple(names) for names in table.get("except")]
    if board is None or root.file.n_complaints > before:
        return None
    try:
        goals = Goals(
            board,
            tuple(open_cells),
            tuple(exceptions),
            tuple(regions),
            choice,
            known,
            bool(expect and expect.get("long")),
        )
    except GoalsError as error:
        for fault in error.faults:
            table.complain(fault.place, fault.message)
        return None
    _complain_of_volumes(table, goals)
    return goals


def _open_cells(table: Table, board: Puzzle | None, context: ShapeContext) -> OpenCells:
    cells = _cells(table, board, context)
    given = table.get("labels")
    labels = given.split() if isinstance(given, str) else list(given)
    if "labels" not in table:
        labels = [",".join(map(str, context.lattice.written(cell))) for cell in cells]
    return OpenCells(table.get("name"), cells, tuple(labels), table.get("count"))


def _cells(table: Table, board: Puzzle | None, context: ShapeContext) -> tuple[CellRow, ...]:
    """The cells of a table in the order in which it gives them, by the names that the board has for them."""
    shape = read_shape(table, context)
    at = table.row("at", Coordinate, context.lattice.dimension) or (0,) * context.lattice.dimension
    if shape is None or board is None:
        return ()
    cells = [(int(c[0]), *(int(x) + a for x, a in zip(c[1:], at, strict=True))) for c in shape.cells]
    return tuple(board.region.period.homes_of(cells))


def _choice(table: Table) -> PartChoice | None:
    choose = table.table("choose")
    if choose is None:
        return None
    given = choose.get("parts") if "parts" in choose else []
    return PartChoice(tuple([given] if isinstance(given, int) else given), tuple(choose.get("from")))


def _complain_of_volumes(table: Table, goals: Goals) -> None:
    """Complain if the parts fill no goal, because of their volume; warn if they do not fill some."""
    faults: dict[tuple[int, int, tuple[int, ...]], str] = {}
    wrong: list[str] = []
    for goal in goals:
        free = goals.board.region.optional[goal.kept]
        key = (len(free), int(free.sum()), goal.copies)
        if key not in faults:
            found = (each.message for each in complaints_about(goals.puzzle(goal)) if not each.warning)
            faults[key] = next((message for message in found if message.startswith("the volume")), "")
        if faults[key]:
            wrong.append(goal.name)
    if wrong:
        what = next(filter(None, faults.values()))
        how_many = "no goal" if len(wrong) == len(goals) else f"{counted(len(wrong), 'goal')} of {len(goals):,}"
        cannot = "can" if len(wrong) == len(goals) else "cannot"
        message = f"{how_many} {cannot} be filled; {wrong[0]!r}: {what}"
        table.complain((), message, warning=len(wrong) < len(goals))


def goals_as_data(goals: Goals, origin: Sequence[int]) -> dict[str, Any]:
    """The table [goals], where the cell at *origin* is written as the one at 0."""
    lattice = goals.board.lattice

    def written(cells: Sequence[CellRow]) -> list[Any]:
        return [lattice.written([c[0], *(x - o for x, o in zip(c[1:], origin, strict=True))]) for c in cells]

    open_cells = [
        {"name": group.name, "cells": written(group.cells), "labels": list(group.labels)}
        | ({"count": group.count} if group.count > 1 else {})
        for group in goals.open
    ]
    data = present(open=open_cells)
    if goals.exceptions:
        data["except"] = [list(labels) for labels in goals.exceptions]
    data |= present(regions=[{"name": each.name, "cells": written(each.cells)} for each in goals.regions])
    if goals.choice is not None:
        data["choose"] = present(**{"parts": list(goals.choice.numbers), "from": list(goals.choice.among)})
    return data | present(expect={**goals.expect, **present(long=goals.long)})
