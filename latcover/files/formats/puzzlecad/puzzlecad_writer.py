"""Writing the parts of a puzzle as a model for puzzlecad, which OpenSCAD turns into files for a printer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

from latcover.core.model.puzzle import Part, Puzzle
from latcover.errors import PuzzleError, UnsupportedError, written_lines
from latcover.files.formats.puzzlecad.components import WORDS, Component
from latcover.files.formats.puzzlecad.scad import DEFAULTS
from latcover.files.formats.puzzlecad.splitting import LABELS, Cubes, connected, printable_components

LATTICES = ("cubic", "square")
VERSION = "2.1"  # of puzzlecad, the oldest that has all of what is written


def write(puzzles: Sequence[Puzzle]) -> Iterator[bytes]:
    """The file: one plate with the components of all parts, as often as they are used.

    Raises:
        PuzzleError: not exactly one puzzle.
        UnsupportedError: its parts are not made of cubes or squares, or have keys and locks.
    """
    if len(puzzles) != 1:
        raise PuzzleError("a model has the parts of one puzzle; choose one with --problem")
    puzzle = puzzles[0]
    if puzzle.lattice.name not in LATTICES:
        raise UnsupportedError(f"puzzlecad makes parts of cubes, not of the lattice {puzzle.lattice.name!r}")
    if any(len(part.sides) for part in puzzle.parts):
        raise UnsupportedError("puzzlecad has no keys and locks on the sides of cells")
    yield from (f"{line}\n".encode() for line in _lines(puzzle))


def _lines(puzzle: Puzzle) -> Iterator[str]:
    for line in written_lines(puzzle.title or puzzle.name).splitlines():
        yield f"// {line}"
    yield from ("", "include <puzzlecad.scad>", f'require_puzzlecad_version("{VERSION}");', "")
    edge = DEFAULTS["$burr_scale"]
    if puzzle.lattice.dimension == 2:
        yield f"$burr_scale = [{edge:g}, {edge:g}, {DEFAULTS['$tray_opening_height']:g}];  // mm"
        edge = min(edge, DEFAULTS["$tray_opening_height"])
    else:
        yield f"$burr_scale = {edge:g};  // mm"
    if puzzle.turning is not None:
        yield f"$burr_inset = {puzzle.turning.play * edge:.4g};"
        yield f"$burr_bevel = {puzzle.turning.bevel * sqrt(2) * edge:.4g};"
    yield from ("", "burr_plate([")
    label = 0
    for part in puzzle.parts:
        many = part.high if part.high is not None else max(part.low, 1)
        cubes = _cubes(part)
        if len(connected(cubes)) > 1:
            raise UnsupportedError(f"part {part.name!r} is not connected, so it cannot be printed")
        components = printable_components(cubes, label, flat=puzzle.lattice.dimension == 2)
        label += sum(connector.male for each in components for connector in each.connectors)
        if label > len(LABELS):
            raise UnsupportedError(f"the parts need {label} joints, and puzzlecad names them by {len(LABELS)} letters")
        made = "" if len(components) == 1 else f", to be glued together from {len(components)} components"
        yield f"    // {' '.join(part.name.split())}: {'once' if many == 1 else f'{many:,} times'}{made}"
        for _ in range(many):
            yield from (f"    [{', '.join(_layers(each))}]," for each in components)
    yield "]);"


def _cubes(part: Part) -> Cubes:
    cells = np.zeros((len(part.cells), 3), np.int64)
    cells[:, : part.cells.shape[1] - 1] = part.cells[:, 1:]
    return frozenset((int(x), int(y), int(z)) for x, y, z in cells - cells.min(axis=0))


def _layers(component: Component) -> Iterator[str]:
    """The strings of a component, from the bottom up."""
    width, depth, height = (int(n) + 1 for n in np.max(list(component.cells), axis=0))
    for z in range(height):
        rows = ("".join(_cube(component, x, y, z) for x in range(width)) for y in range(depth))
        yield f'"{"|".join(rows)}"'


def _cube(component: Component, x: int, y: int, z: int) -> str:
    """A cube with its connectors, as a letter with notes; a point if there is none."""
    if (x, y, z) not in component.cells:
        return "."
    joints = [c for c in component.connectors if c.inside == (x, y, z)]
    said = [("m" if c.male else "f") + WORDS[c.face] + ("" if c.arrow is None else WORDS[c.arrow]) for c in joints]
    if not joints:
        return "x"
    connect, labels = ",".join(said), ",".join(c.label for c in joints)
    return (
        f"x{{connect={connect},clabel={labels}}}"
        if len(joints) == 1
        else f"x{{connect={{{connect}}},clabel={{{labels}}}}}"
    )
