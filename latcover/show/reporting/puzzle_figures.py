"""The figures of a puzzle or of a bare problem, as plain data and as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Choices, Prepared, made_ready
from latcover.core.impossible.reasons import reasons_of
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.search_request import Subject
from latcover.errors import UnsupportedError, counted, escaped, listed
from latcover.files.formats.library import lattice_called, load_with_goals, subject_called
from latcover.lab.assembly.directions import directions
from latcover.lab.assembly.taking_apart import layer
from latcover.show.reporting.lattice_report import lattice_as_json
from latcover.show.reporting.search_report import NOT_EXAMINED, reasons_as_json, reasons_as_lines

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals


def info(
    subject: Subject | Lattice | Goals, choices: Choices = Choices(), *, bounds: Bounds | None = None
) -> dict[str, Any]:
    """The figures of a puzzle, of goals, of a bare problem or of a lattice, as `latcover info --json` prints them.

    Args:
        subject: A puzzle, goals or a lattice, or a name or a path; or a bare problem, or a prepared puzzle.
        choices: How a puzzle is encoded.
        bounds: How much it may ask for.

    Raises:
        PuzzleError: there is no such puzzle or lattice, or the puzzle contradicts itself.
    """
    lattice = lattice_called(str(subject)) if isinstance(subject, str | Path) else subject
    if isinstance(lattice, Lattice):
        return lattice_as_json(lattice)
    if isinstance(subject, Prepared):
        return info_as_json(subject)
    if isinstance(subject, str | Path):
        subject = load_with_goals(str(subject), bounds)
    from latcover.core.model.goals import Goals
    from latcover.show.reporting.goals_figures import info_of_goals

    if isinstance(subject, Goals):
        return info_of_goals(subject)
    return info_as_json(made_ready(subject_called(subject, bounds), choices, bounds))


def info_as_json(subject: Searchable[Any]) -> dict[str, Any]:
    """The figures of a puzzle or of a bare problem, and the reasons for no solution if a simple argument finds any."""
    return {**subject.info(), **_assembly(subject), "reasons": reasons_as_json(reasons_of(subject))}


def _assembly(subject: Searchable[Any]) -> dict[str, Any]:
    """The cells that stay empty, the number of directions in which parts slide, and the known level."""
    if not isinstance(subject, Prepared):
        return {}
    puzzle = subject.puzzle
    held = [sum(part.size * n for part, n in zip(puzzle.parts, copies, strict=True)) for copies in _all_copies(puzzle)]
    try:
        slides: int | None = 0 if puzzle.region.period else len(directions(puzzle.lattice))
    except UnsupportedError:
        slides = None
    return {
        "empty_cells": [max(0, len(puzzle.region.cells) - most) for most in reversed(held)],
        "slides": slides,
        "flat": puzzle.lattice.dimension < 3 or layer(puzzle) is not None,
        "groups": sorted({name for part in puzzle.parts for name, _ in part.groups}),
        "level": list(puzzle.level),
        "assembly": NOT_EXAMINED,
    }


def _all_copies(puzzle: Puzzle) -> tuple[list[int], list[int]]:
    """The least and the greatest number of copies of each part."""
    return [part.low for part in puzzle.parts], [puzzle.most_copies(part) for part in puzzle.parts]


def info_as_text(info: dict[str, Any]) -> str:
    """The same figures as a page of text."""
    if "goals" in info:
        from latcover.show.reporting.goals_figures import info_of_goals_as_text

        return info_of_goals_as_text(info)
    if "lattice" not in info:
        width = max(len(name) for name in info) + 2
        figures = [(name.replace("_", " "), value) for name, value in info.items() if isinstance(value, int)]
        lines = [f"{info['puzzle']}: a cover problem", "", *(f"{a:<{width}}{b:,}" for a, b in figures)]
        return _page([*lines, *_reasons(info)])
    lines = [f"{info['puzzle']}: {info['title']}" if info["title"] else info["puzzle"]]
    if info["source"]:
        lines.append(f"source: {info['source']}")
    lines.append("")
    rows = [
        ("lattice", info["lattice"]),
        ("cells", info["cells"]),
        ("parts", _pieces(info)),
        ("orientations", info["orientations"]),
        ("orientations that fit", info["orientations_that_fit"]),
        ("placements", info["placements"]),
        ("symmetries", info["symmetry"]),
        ("options, reduced", info["options"]),
        ("items", info["items"]),
        ("pivot", info["pivot"] or "none"),
    ]
    rows += _freedom(info)
    rows += [(f"expected {key.replace('_', ' ')}", value) for key, value in info["expect"].items() if key in _COUNTS]
    width = max(len(name) for name, _ in rows)
    lines += [f"{name:<{width}}  {format(value, ',') if isinstance(value, int) else value}" for name, value in rows]
    for wrong in info["published"]:
        figure, value = wrong["figure"].replace("_", " "), f"{wrong['value']:,}"
        lines.append(f"published, but wrong: {figure} {value} ({wrong['source']}): {wrong['reason']}")
    lines += ["", "part          cells  copies  orientations  that fit  placements"]
    for part in info["by_part"]:
        lines.append(
            f"{part['part']:<12} {part['cells']:>6} {_copies(part):>7} {part['orientations']:>13} "
            f"{part['orientations_that_fit']:>9} {part['placements']:>11}"
        )
    return _page([*lines, *_reasons(info)])


def _freedom(info: dict[str, Any]) -> list[tuple[str, Any]]:
    """Rows about empty cells, sliding and groups."""
    if info["flat"]:
        return []  # pieces are lifted off
    fewest, most = info["empty_cells"]
    empty = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    rows: list[tuple[str, Any]] = [("cells left empty", empty)] if most else []
    if info["slides"]:
        known = f"level {'.'.join(map(str, info['level']))}" if info["level"] else "not examined; see `latcover apart`"
        rows.append(("assembly", f"parts slide along {info['slides']} lines, either way; {known}"))
    if info["groups"]:
        rows.append(("groups of parts", listed(info["groups"])))
    return rows


def _page(lines: list[str]) -> str:
    return "\n".join(map(escaped, lines))


def _reasons(info: dict[str, Any]) -> list[str]:
    lines = reasons_as_lines(info)
    return ["", *lines] if lines else []


_COUNTS = ("different", "different_under_rotations", "total")


def _pieces(info: dict[str, Any]) -> str:
    """The number of pieces, and the number of shapes if it differs."""
    parts = info["by_part"]
    low, shapes = sum(part["min"] for part in parts), counted(len(parts), "shape")
    if any(part["max"] is None for part in parts):
        return f"{shapes}, {f'{low:,} or more pieces' if low else 'any number of pieces'}"
    high = max(low, info["parts"])  # no more of a part than have room
    if low < high:
        return f"{shapes}, {low:,} to {counted(high, 'piece')}"
    return f"{high:,}" if high == len(parts) else f"{shapes}, {counted(high, 'piece')}"


def _copies(part: dict[str, Any]) -> str:
    low, high = part["min"], part["max"]
    if high is None:
        return "any" if low == 0 else f"{low}+"
    return str(low) if low == high else f"{low}-{high}"
