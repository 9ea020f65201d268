"""A puzzle for a page on which it is played and solved: its whole cover problem, and the look of each option.

``static/play_puzzle.js`` reads it. `latcover.apps.publishing.short_numbers` packs rows of whole numbers.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import numpy as np

from latcover.apps.publishing.part_turns import turn_data
from latcover.apps.publishing.rule_words import item_words, rule_words
from latcover.apps.publishing.short_numbers import packed
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.veto import require_no_veto
from latcover.core.encoding.encode import part_items
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Prepared, placed_at
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.orientation import Orientation
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.connected import ConnectedVeto
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Cell
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.side_marks import Side, side_looks, side_signs
from latcover.show.drawing.shapes.outlines import padded
from latcover.show.drawing.space import scene_data
from latcover.show.drawing.space.shape_data import ShapeBook, numbers

FORMAT = 1


def puzzle_data(prepared: Prepared) -> dict[str, Any]:
    """The data with which a page lets people play a puzzle.

    The options are those of ``prepared.in_full()``, the whole cover problem without reduction by symmetry.

    Keys:
        ``format``, ``digest``: that of the rest, under which a player's progress is stored.
        ``puzzle``: as `latcover.show.drawing.space.scene_data.drawn_puzzle` describes it.
        ``cover``: ``n_options``, ``n_items``, ``n_cells``, ``n_parts`` and, packed, ``sizes`` (of the options; the
            differences of option_starts), ``items``, ``low``, ``high``, ``colours`` (left out if there are none),
            ``degrees`` (of the cells; the differences of neighbour_starts) and ``neighbours``, all as in a
            `latcover.core.cover.problem.CoverProblem`.
        ``item_words``: what each item after the parts stands for: "sides", "colours", "alike" or "rule".
        ``options``, packed, one for each option: ``orientation`` (its number among those of all parts; -1 if the
            option leaves a cell empty), ``shape`` (an index into ``shapes``) and ``stand`` (the cell whose unit is
            where the shape stands). ``handle``, only in periodic regions: the cell by which it is held.
        ``orientations``: packed ``first``, where those of each part begin and where the last ends; ``shape`` of each.
        ``parts``: for each what `scene_data.drawn_puzzle` gives, and ``low``, ``high`` (copies), ``item`` (-1: none),
            and its ``turns`` and ``to`` (`latcover.apps.publishing.part_turns`).
        ``turns``: the matrix of each turn.
        ``cells``: ``centres`` (x, y or x, y, z), ``units`` (where the unit of each stands, x, y, z) and, packed,
            ``shape``, ``optional``.
        ``shapes``: as in `latcover.show.drawing.space.shape_data.shape_data`.
        ``rules``: the rules on neighbours in words, a sentence each.
        ``judged``: rules that no item says, if there are any: each as ``words`` and, packed, ``sizes`` and ``cells``
            (those of each option that must hang together) and ``pairs`` (of cells that touch).
        ``known``: ``different`` and ``total`` numbers of solutions, if the puzzle's file gives them.
    """
    full = prepared if prepared.choices.symmetry == "none" else prepared.in_full()
    puzzle, table = full.puzzle, full.table
    drawn = _Drawn(puzzle, table, full.option_placement)
    shown = scene_data.drawn_puzzle(puzzle)
    matrices, turned = turn_data(puzzle.lattice, puzzle.parts, table.axes)
    items = part_items(puzzle, full.problem.n_cells).tolist()
    parts = [
        {**look, "low": part.low, "high": puzzle.most_copies(part), "item": item, **own}
        for look, part, item, own in zip(shown["parts"], puzzle.parts, items, turned, strict=True)
    ]
    data = {
        "format": FORMAT,
        "puzzle": shown["puzzle"],
        "cover": _cover_data(full.problem),
        "item_words": item_words(puzzle, table, full.problem),
        "options": drawn.options(),
        "orientations": {"first": packed(table.first_orientation), "shape": packed(drawn.oriented)},
        "parts": parts,
        "turns": matrices,
        "cells": drawn.cells(),
        "shapes": drawn.book.shapes,
        "rules": rule_words(puzzle),
        "known": {name: puzzle.expect[name] for name in ("different", "total") if name in puzzle.expect},
    }
    if judged := _judged(full):
        data["judged"] = judged
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return {"digest": blake2b(text.encode(), digest_size=8).hexdigest(), **data}


def _judged(full: Prepared) -> list[dict[str, Any]]:
    """The rules that a page judges itself.

    Raises:
        UnsupportedError: the puzzle has rules at once on all parts that pages do not know.
    """
    if full.veto is None:
        return []
    placements, found = full.table.arrays(full.puzzle), []
    for rule in rules_of(full.puzzle):
        veto = rule.veto(placements)
        if not isinstance(veto, ConnectedVeto):
            require_no_veto("a published page", full.name, veto)
            continue
        own = [veto.cells_of(placement) if placement >= 0 else [] for placement in full.option_placement.tolist()]
        flat = [cell for each in own for cell in each]
        rows = {"sizes": packed([*map(len, own)]), "cells": packed(flat), "pairs": packed(veto.touching.reshape(-1))}
        found.append({"words": rule.words(), **rows})
    return found


def _cover_data(problem: CoverProblem) -> dict[str, Any]:
    data: dict[str, Any] = {
        "n_options": problem.n_options,
        "n_items": problem.n_items,
        "n_cells": int(problem.n_cells),
        "n_parts": len(problem.part_sizes),
        "sizes": packed(np.diff(problem.option_starts)),
        "items": packed(problem.option_items),
        "low": packed(problem.low),
        "high": packed(problem.high),
        "degrees": packed(np.diff(problem.neighbour_starts)),
        "neighbours": packed(problem.neighbours),
    }
    if problem.has_colours:
        data["colours"] = packed(problem.option_colours)
    return data


class _Drawn:
    """The shapes of a puzzle's options, orientations and cells, without duplicates."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable, option_placement: Ints) -> None:
        self.puzzle, self.table, self.option_placement = puzzle, table, option_placement
        # Without cuts by layers, which players do not need.
        self.book = ShapeBook(
            puzzle.lattice, puzzle.region.period, (), side_looks(puzzle.rules), side_signs(puzzle.rules)
        )
        self.looks = scene.looks_of_colours(puzzle)
        # The shape of each orientation.
        self.oriented = [self._of_orientation(orientation) for orientation in self.table.orientations]

    def _place(self, cells: list[Cell], colours: tuple[str, ...], sides: tuple[Side, ...] = ()) -> int:
        tints = [(name, self.looks.get(name)) for name in colours]
        return self.book.place(cells, tints, sides)[0]

    def _of_orientation(self, orientation: Orientation) -> int:
        puzzle = self.puzzle
        cells = [tuple(cell) for cell in orientation.cells.tolist()]
        colours = orientation.colours.tolist()
        named = sorted(zip(cells, colours, strict=True))
        names = tuple(puzzle.colours[colour] for _, colour in named) if any(colours) else ()
        edges, values = puzzle.lattice.half_edges, puzzle.rules.sides
        sides = sorted((cells[k], edges[label].label, values[value]) for k, label, value in orientation.sides.tolist())
        return self._place([cell for cell, _ in named], names, tuple(sides))

    def options(self) -> dict[str, str]:
        """``orientation``, ``shape``, ``stand`` and, in a periodic region, ``handle`` of the options."""
        puzzle, table, placement = self.puzzle, self.table, self.option_placement
        real = placement >= 0
        orientation = np.full(len(placement), -1, np.int32)
        orientation[real] = table.orientation[placement[real]]
        which, own = placement[real], orientation[real]
        rows: dict[str, Any] = {}
        if puzzle.region.period:
            placed = [placed_at(puzzle, table, p) for p in which.tolist()]
            number = {tuple(cell): k for k, cell in enumerate(table.region.cells.tolist())}
            held = np.array([_widest(puzzle.lattice, orientation.cells) for orientation in table.orientations])
            rows["shape"] = [self._place(list(one.cells), one.colours, one.sides) for one in placed]
            rows["stand"] = [number[min(one.cells)] for one in placed]
            rows["handle"] = table.cells[table.starts[which] + held[own]]
        else:
            least = np.array([_least(orientation.cells) for orientation in table.orientations], np.int64)
            rows["shape"] = np.array(self.oriented)[own]
            rows["stand"] = table.cells[table.starts[which] + least[own]]
        found = {"orientation": packed(orientation)}
        for name, values in rows.items():
            row = np.zeros(len(orientation), np.int64)
            row[real] = values
            found[name] = packed(row)
        return found

    def cells(self) -> dict[str, Any]:
        """``centres``, ``units``, ``shape`` and ``optional`` of the region's cells."""
        lattice, region = self.puzzle.lattice, self.table.region
        shapes = []
        edges, values = lattice.half_edges, self.puzzle.rules.sides
        asked: dict[Cell, list[Side]] = {}
        for cell, label, value in self.puzzle.rules.asked:
            asked.setdefault(tuple(cell), []).append((tuple(cell), edges[label].label, values[value]))
        for row, colour in zip(region.cells.tolist(), region.colours.tolist(), strict=True):
            cell = tuple(row)
            sides = tuple(sorted(side for side in asked.get(cell, ()) if side[2] in self.book.looks))
            shapes.append(self._place([cell], (self.puzzle.colours[colour],) if colour else (), sides))
        return {
            "centres": numbers(padded(lattice.centres(region.cells), 2)),
            "units": numbers(padded(region.cells[:, 1:] @ lattice.basis, 3)),
            "shape": packed(shapes),
            "optional": packed(region.optional),
        }


def _least(cells: Cells) -> int:
    """The index of the least of *cells*, by node first, at whose unit a shape stands."""
    return int(np.lexsort(cells.T[::-1])[0])


def _widest(lattice: Lattice, cells: Cells) -> int:
    """The index of the first of *cells* that are drawn largest."""
    drawings = [node.drawing for node in lattice.nodes]  # a ball has no corners
    reach = [max(float(np.ptp(own.vertices, axis=0).max()) if len(own.vertices) else 0, own.radius) for own in drawings]
    return int(np.argmax(np.array(reach)[cells[:, 0]]))
