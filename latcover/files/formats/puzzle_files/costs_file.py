"""Reading the costs of a puzzle file, and writing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Region
from latcover.core.model.puzzle_costs import CellCost, CellRow, NamedCosts, PlacementCost, TouchingCost
from latcover.errors import suggest
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.region_tables import moved_cells
from latcover.files.formats.puzzle_files.toml_layout import present
from latcover.files.formats.puzzle_files.written_shapes import ShapeContext

Data = dict[str, Any]


def read_costs(root: Table, context: ShapeContext, region: Region, parts: Sequence[str]) -> tuple[NamedCosts, ...]:
    """The tables [[costs]], for a puzzle with this region and the parts of these names."""
    if not (tables := root.tables("costs")):
        return ()
    from latcover.core.encoding.objectives import OBJECTIVES  # which hold much that other puzzles do not need

    found: list[NamedCosts] = []
    there = set(map(tuple, region.cells.tolist()))
    for table in tables:
        costs = _read(table, context, region)
        if costs.name in {other.name for other in found}:
            table.complain("name", f"two tables of costs are named {costs.name!r}")
        elif costs.name in OBJECTIVES:
            table.complain("name", f"{costs.name!r} is an objective of latcover's own; take another name")
        if not (costs.parts or costs.placements or costs.cells or costs.touching):
            table.complain((), "has no costs: give parts, placements, cells or touching")
        for fault in costs.faults(parts, there):
            if fault.part:
                table.complain(fault.place, f"no part {fault.part!r:.80}{suggest(fault.part, parts)}")
            else:
                table.complain(fault.place, f"{context.lattice.written(fault.cell)} is not a cell of the region")
        found.append(costs)
    return tuple(found)


def _read(table: Table, context: ShapeContext, region: Region) -> NamedCosts:
    def cells(inner: Table) -> tuple[CellRow, ...]:
        return tuple(sorted(region.period.homes_of([*(moved_cells(inner, context) or ())])))

    by_part = table.dictionary("parts")
    return NamedCosts(
        table.line("name"),
        table.line("words"),
        tuple((part, by_part.get(part, 0)) for part in by_part.data),
        tuple(PlacementCost(t.get("part"), cells(t), t.get("cost", 0)) for t in table.tables("placements")),
        tuple(CellCost(cells(t), t.get("cost", 0), tuple(t.get("parts"))) for t in table.tables("cells")),
        tuple(
            TouchingCost((pair[0], pair[1]), t.get("cost", 0), t.get("each"))
            for t in table.tables("touching")
            if len(pair := [*(t.get("parts") or [])]) == 2
        ),
    )


def costs_as_data(costs: NamedCosts, lattice: Lattice, written: Mapping[CellRow, Cells]) -> Data:
    """A table [[costs]].

    Args:
        written: The place that the file gives each cell of the region.
    """

    def cells(rows: tuple[CellRow, ...]) -> list[list[int | str]]:
        return [lattice.written([*map(int, written[row])]) for row in rows]

    return {"name": costs.name} | present(
        words=costs.words,
        parts=dict(costs.parts),
        placements=[{"part": p.part, "cells": cells(p.cells), "cost": p.cost} for p in costs.placements],
        cells=[{"cells": cells(c.cells)} | present(parts=[*c.parts]) | {"cost": c.cost} for c in costs.cells],
        touching=[
            {"parts": [*t.parts], "cost": t.cost} | ({} if t.each == "side" else {"each": t.each})
            for t in costs.touching
        ],
    )
