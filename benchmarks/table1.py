"""Barequet and Tal's Table 1, and the table of Tal's thesis: our figures beside theirs.

Each puzzle is reduced as theirs was (`--reduction paper`, their unique part as pivot) and searched by each of their
methods. Their times are of Java on one core of a PC of 2010, so a ratio of times says how far machines and programs
have come together; ratios of branches compare the searches themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from benchmarks.harness.options import chosen
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.lattice import Cells
from latcover.core.model.orientation import orientations_of_each
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import ReductionMethod, SymmetryChoice
from latcover.files.formats.library import load
from latcover.lab.comparing.compare import Comparison, Run, Status
from latcover.lab.comparing.comparison_tables import as_json as comparison_as_json
from latcover.lab.comparing.comparison_tables import markdown_table, notes, ratio, seconds, whole
from latcover.lab.comparing.methods import Method
from latcover.show.reporting.puzzle_figures import info_as_json
from latcover.system.machine import machine

METHODS = ("BT", "BT+ST", "MC", "MC+ST", "MC+SZ", "MC+SZ+ST")
COUNTING = ("MC+SZ",)  # for puzzles of which only the count is printed
REDUCTION: ReductionMethod = "paper"
HEADINGS = ("method", "branches", "theirs", "ratio", "first s", "theirs", "all s", "theirs", "ratio", "end")
COLUMNS = {  # figure -> heading
    "cells": "cells",
    "parts": "parts",
    "orientations": "orientations",
    "orientations_reduced": "that fit, reduced",
    "placements": "placements, reduced",
    "symmetries": "symmetries",
    "solutions": "solutions",
}


class Printed(msgspec.Struct, frozen=True):
    """What is printed for one method: branches, and seconds to the first solution and to all."""

    branches: int | None = None
    first: float | None = None
    all: float | None = None


class Row(msgspec.Struct, frozen=True):
    """A row of the published tables.

    Attributes:
        puzzle: The shipped puzzle.
        table: Where it is printed.
        symmetry, pivot, order: With which choices the figures were made, as far as can be told.
        columns: The printed figures of the puzzle itself, by the names of `COLUMNS`.
        printed: By method.
        note: What keeps ours and theirs apart.
    """

    puzzle: str
    table: str
    symmetry: SymmetryChoice
    pivot: str | None
    order: str | None
    columns: Mapping[str, int]
    printed: Mapping[str, Printed]
    note: str = ""


class Entry(msgspec.Struct, frozen=True):
    """A row that has been run.

    Attributes:
        columns: Our figures, by the names of `COLUMNS`.
        expected: How many different solutions the puzzle's file expects.
    """

    row: Row
    columns: Mapping[str, int]
    expected: int | None
    published: tuple[str, ...]
    comparison: Comparison

    @property
    def miscounted(self) -> tuple[Run, ...]:
        """Complete runs that found another number of solutions than the puzzle's file expects."""
        complete = self.comparison.of_status(Status.COMPLETE)
        return tuple(run for run in complete if self.expected is not None and run.found[0] != self.expected)

    @property
    def sound(self) -> bool:
        """Whether the methods agree among themselves and with the puzzle's file, and none failed."""
        return not (self.comparison.disagreements or self.comparison.of_status(Status.FAILED) or self.miscounted)


def published_rows() -> tuple[Row, ...]:
    """Every row, in the order of the tables."""
    data = json.loads(Path(__file__).with_name("paper_tables.json").read_text("utf-8"))
    return tuple(_row(row) for row in data["rows"])


def _row(data: Mapping[str, Any]) -> Row:
    printed = {method: run for run in data["runs"] for method in run["methods"]}
    columns = {name: data[name] for name in COLUMNS if name in data}
    return msgspec.convert({**data, "printed": printed, "columns": columns}, Row)


def chosen_rows(names: str | None, *, counts: bool = False) -> tuple[Row, ...]:
    """The rows of the puzzles named, or all that print branches; with *counts* also those that print a count alone.

    Raises:
        UnsupportedError: no table has such a puzzle.
    """
    rows = published_rows()
    if names is None:
        return tuple(row for row in rows if row.printed or counts)
    by_name = {row.puzzle: row for row in rows}
    return tuple(by_name[name] for name in chosen("puzzle", names, by_name) or ())


RunMethods = Callable[[str, tuple[Method, ...], list[str], dict[str, Any]], Comparison]


def run_row(row: Row, methods: tuple[Method, ...], most_seconds: float, run: RunMethods) -> Entry:
    """Run *methods* on a row's puzzle, each for at most so many seconds."""
    puzzle = load(row.puzzle)
    order = None if row.order is None else tuple(int(axis) for axis in row.order.split(","))
    prepared = prepare(puzzle, Choices(row.symmetry, REDUCTION, row.pivot, order))
    figures = info_as_json(prepared)
    expected = puzzle.expect.get("different_under_rotations" if row.symmetry == "rotations" else "different")
    given = {"symmetry": row.symmetry, "reduction": REDUCTION, "pivot": row.pivot, "order": row.order}
    arguments = [word for name, value in given.items() if value is not None for word in (f"--{name}", value)]
    comparison = run(row.puzzle, methods, [*arguments, "--time", str(most_seconds)], figures)
    wrong = tuple(f"{p.figure.replace('_', ' ')} {p.value:,} ({p.source}): {p.reason}" for p in puzzle.published)
    columns = _our_columns(prepared, figures, comparison)
    columns["orientations"] -= orientations_fixed(puzzle, row)
    return Entry(row, columns, expected, wrong, comparison)


def orientations_fixed(puzzle: Puzzle, row: Row) -> int:
    """How many orientations of the fixed part are left out, whether they fit or not: the paper keeps one of each class.

    A class is what the symmetries of the region make of an orientation.
    """
    fixed = [part for part in puzzle.parts if part.name == row.pivot]
    if not fixed:
        return 0
    region = _shape(puzzle.region.cells)
    symmetries = [
        transformation
        for transformation in puzzle.lattice.transformations
        if (transformation.proper or row.symmetry == "all")
        and _shape(transformation.apply(puzzle.region.cells)) == region
    ]
    (own,) = orientations_of_each(fixed, range(puzzle.lattice.dimension))
    classes = {frozenset(_shape(symmetry.apply(one.cells)) for symmetry in symmetries) for one in own}
    return len(own) - len(classes)


def _shape(cells: Cells) -> frozenset[tuple[int, ...]]:
    """Cells up to translation."""
    return frozenset(map(tuple, (cells - np.array([0, *cells[:, 1:].min(axis=0)])).tolist()))


def _our_columns(prepared: Prepared, figures: Mapping[str, Any], comparison: Comparison) -> dict[str, int]:
    """Our figures for `COLUMNS`; as in the paper every copy of a part counts."""
    puzzle, table, kept = prepared.puzzle, prepared.table, prepared.reduction.kept
    fitting = placed = 0
    for p, part in enumerate(puzzle.parts):
        copies = max(1, puzzle.most_copies(part))
        own = kept & (table.part_of == p)
        fitting += copies * len(np.unique(table.orientation[own]))
        placed += copies * int(own.sum())
    columns = {name: figures[name] for name in ("cells", "parts", "orientations")}
    columns |= {"orientations_reduced": fitting, "placements": placed, "symmetries": figures["symmetry"]}
    complete = comparison.of_status(Status.COMPLETE)
    return columns | ({"solutions": complete[0].found[0]} if complete else {})


def entry_lines(entry: Entry) -> list[str]:
    """A puzzle's part of the page, in Markdown."""
    row, comparison = entry.row, entry.comparison
    pivot = f"; fixed part {row.pivot}" if row.pivot else ""
    lines = [f"### {row.puzzle}", "", f"{row.table}; symmetry: {row.symmetry}{pivot}", ""]
    sides = {"ours": entry.columns, "theirs": row.columns}
    columns = [[who, *(whole(figures.get(name)) for name in COLUMNS)] for who, figures in sides.items()]
    lines += [*markdown_table(("", *COLUMNS.values()), columns), ""]
    lines += [*markdown_table(HEADINGS, [_cells(row, run) for run in comparison.runs]), ""]
    said = [f"Published, but wrong: {text}." for text in entry.published]
    said += [f"Note: {row.note}."] if row.note else []
    said += notes(comparison)
    said += [f"MISCOUNTED: {run.name} found {run.found[0]:,}, expected {entry.expected:,}" for run in entry.miscounted]
    said += comparison.verdict()
    return [*lines, *(line for text in said for line in (text, ""))][:-1]


def _cells(row: Row, run: Run) -> tuple[str, ...]:
    """A line of a puzzle's table; what was cut short are lower bounds, and has no ratio."""
    printed = row.printed.get(run.name, Printed())
    sign = ">" if run.status is Status.CUT_SHORT else ""
    ours = {"branches": run.figure("branches"), "first": run.figure("first"), "all": run.figure("search")}
    return (
        run.name,
        f"{sign}{whole(ours['branches'])}",
        whole(printed.branches),
        ratio(_ratio(row, run, "branches")),
        seconds(ours["first"]),
        _their_seconds(printed.first),
        f"{sign}{seconds(ours['all'])}",
        _their_seconds(printed.all),
        ratio(_ratio(row, run, "all")),
        run.stop,
    )


def _their_seconds(printed: float | None) -> str:
    return "-" if printed is None else f"{printed:,}"


def _ratio(row: Row, run: Run, name: str) -> float | None:
    """Ours to theirs; None where one is missing, or ours was cut short."""
    printed = getattr(row.printed.get(run.name, Printed()), name)
    ours = run.figure("search" if name == "all" else name)
    return None if run.status is not Status.COMPLETE or ours is None or not printed else ours / printed


def page(entries: Sequence[Entry], most_seconds: float) -> str:
    """The whole page, in Markdown: a summary, then every puzzle."""
    names = list(dict.fromkeys(run.name for entry in entries for run in entry.comparison.runs))
    lines = [
        "# Barequet and Tal (2010), Table 1, and Tal's thesis: ours beside theirs",
        "",
        f"Ours: {machine()}, at most {most_seconds:g} s of search for each method. Theirs: Java, one core of a 2.2 GHz "
        "PC of 2010. Ratios are ours to theirs; `-` where one was not printed or ours was cut short. Orientations: "
        "with the fixed part in one of each class that the region's symmetries make of them.",
        "",
    ]
    for title, name in (("Branches, ours to theirs", "branches"), ("Seconds to all solutions, ours to theirs", "all")):
        rows = []
        for entry in (entry for entry in entries if entry.row.printed):
            runs = {run.name: run for run in entry.comparison.runs}
            cells = (ratio(_ratio(entry.row, runs[method], name)) if method in runs else "-" for method in names)
            rows.append((entry.row.puzzle, *cells, _counts(entry)))
        if rows:
            lines += [f"## {title}", "", *markdown_table(("puzzle", *names, "counts"), rows), ""]
    rows = [
        (entry.row.puzzle, whole(entry.columns.get("solutions")), whole(entry.row.columns["solutions"]), _counts(entry))
        for entry in entries
    ]
    lines += ["## Solutions", "", *markdown_table(("puzzle", "ours", "theirs", "counts"), rows), ""]
    lines += ["## Every puzzle", ""]
    return "\n".join([*lines, *(line for entry in entries for line in (*entry_lines(entry), ""))]).rstrip("\n")


def _counts(entry: Entry) -> str:
    """What the counts of all methods come to."""
    if not entry.sound:
        return "WRONG"
    complete = len(entry.comparison.of_status(Status.COMPLETE))
    return f"{complete} agree" if complete > 1 else "one alone" if complete else "none complete"


def entry_as_json(entry: Entry) -> dict[str, Any]:
    """A row as plain data: ours, theirs, and the whole comparison."""
    return {
        "puzzle": entry.row.puzzle,
        "theirs": msgspec.to_builtins(entry.row),
        "ours": dict(entry.columns),
        "expected": entry.expected,
        "published_but_wrong": list(entry.published),
        "ratios": {
            run.name: {name: _ratio(entry.row, run, name) for name in ("branches", "first", "all")}
            for run in entry.comparison.runs
        },
        "sound": entry.sound,
        "comparison": comparison_as_json(entry.comparison),
    }


def as_json(entries: Sequence[Entry], most_seconds: float) -> dict[str, Any]:
    """All rows as plain data."""
    return {"machine": machine(), "seconds": most_seconds, "rows": [entry_as_json(entry) for entry in entries]}
