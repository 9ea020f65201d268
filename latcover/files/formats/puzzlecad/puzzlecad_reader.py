"""Reading parts from models made with puzzlecad; docs/reference/puzzlecad.md describes it for users.

A model says what to print: components, in plates. It has no region. `read_parts` gives the parts; `in_a_box` makes a
puzzle of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Bounds, Part, PartSet, Puzzle, Region, box
from latcover.core.model.request_values import MOST_BEVEL, MOST_PLAY
from latcover.core.model.turn_data import Turning
from latcover.errors import Complaint, PuzzleError, PuzzleFileError, counted, listed, suggest
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzlecad.components import SpecError, Vector
from latcover.files.formats.puzzlecad.diagonal import tetrahedra
from latcover.files.formats.puzzlecad.joining import PrintedComponent, alike, join
from latcover.files.formats.puzzlecad.scad import ModuleCall, module_calls
from latcover.files.formats.puzzlecad.scad_components import component_of
from latcover.files.formats.source import Source, shipped

PLATES = ("burr_piece", "burr_plate")
MOST_COPIES = 1000
MOST_COMPONENTS = 10_000


class ReadParts(Struct, frozen=True):
    """The parts of a model, how much room they have to turn, and what was left out."""

    parts: PartSet
    turning: Turning | None
    warnings: tuple[Complaint, ...]


def read_puzzles(source: Source, bounds: Bounds, unfinished: bool = False) -> tuple[Puzzle, ...]:
    """A model as a puzzle, for an editor: its region is the smallest cube, or square, that has room for the parts.

    Raises:
        PuzzleFileError: the puzzle is to be solved, but a model has no region.
    """
    found = read_parts(source, bounds)
    if not unfinished:
        name = source.file_name
        raise source.fault(
            f"holds parts, but no region to fill; write a puzzle: latcover import {name} --box 4x4x4 --output p.toml"
        )
    dimension = found.parts.lattice.dimension
    most = max(int(np.ptp(part.cells[:, 1:], axis=0).max()) + 1 for part in found.parts.parts)
    volume = _n_cells(found.parts.parts) / len(found.parts.lattice.nodes)
    side = max(most, math.ceil(volume ** (1 / dimension) - 1e-9))
    return (in_a_box(found, (side,) * dimension, bounds),)


def in_a_box(found: ReadParts, sizes: Sequence[int], bounds: Bounds) -> Puzzle:
    """The puzzle to fill a box with the parts of a model. Cells that they leave over may stay empty.

    Raises:
        PuzzleError: the box has another number of axes than the lattice, or is too small.
    """
    lattice, parts = found.parts.lattice, found.parts.parts
    if len(sizes) != lattice.dimension:
        raise PuzzleError(
            f"the parts lie on the lattice {lattice.name!r}: a box has {lattice.dimension} sizes, not {len(sizes)}"
        )
    volume = math.prod(sizes) * len(lattice.nodes)
    if volume > bounds.cells:
        raise PuzzleError(f"the box has more than {bounds.cells:,} cells; raise the bound with --max-cells")
    spare = volume - _n_cells(parts)
    if spare < 0:
        raise PuzzleError(f"the box has {volume:,} cells, but the parts have {_n_cells(parts):,}")
    region = box(*sizes, lattice=lattice)
    if spare:
        region = Region(region.cells, optional=np.ones(len(region.cells), np.bool_), max_empty=spare, lattice=lattice)
    return Puzzle(
        found.parts.name,
        lattice,
        region,
        parts,
        found.parts.title,
        found.parts.source,
        turning=found.turning,
        warnings=found.warnings,
    )


def _n_cells(parts: Sequence[Part]) -> int:
    return sum(len(part.cells) * part.low for part in parts)


def read_parts(source: Source, bounds: Bounds, plate: str | None = None) -> ReadParts:
    """The parts of a model; components that connectors join are one part.

    Args:
        source: The file.
        bounds: How much it may ask for.
        plate: The module at the top of the file whose parts are wanted; by default, those of all.

    Raises:
        PuzzleFileError: it is not OpenSCAD, or has no part of whole cells, or no such module.
    """
    calls = module_calls(source, lambda name: name in PLATES)
    tops = list(dict.fromkeys(call.top for call in calls))
    if plate is not None:
        calls = [call for call in calls if call.top == plate]
        if not calls:
            raise source.fault(f"has no plate {plate!r}{suggest(plate, tops)}; its plates are {listed(tops)}")
    faults: list[Complaint] = []
    warnings: list[Complaint] = []

    def warn(message: str, line: int = 0) -> None:
        warnings.append(Complaint(message, source.name, line, warning=True))

    components: list[PrintedComponent] = []
    n_cells = n_components = 0
    for call in calls:
        for number, (spec, copies) in enumerate(_specs(call), 1):
            try:
                printed = PrintedComponent(component_of(spec), call.top)
            except SpecError as fault:
                what = f"component {number} of {call.top}(): {fault.complaints[0].message}"
                faults.append(Complaint(what, source.name, call.line))
                printed, copies = None, 1
            n_components += copies
            n_cells += copies * (0 if printed is None else len(printed.component.cells))
            if n_components > MOST_COMPONENTS:
                raise source.fault(f"prints more than {MOST_COMPONENTS:,} components", call.line)
            if n_cells > bounds.cells:
                raise source.fault(f"has more than {bounds.cells:,} cells; raise the bound with --max-cells", call.line)
            components += [] if printed is None else [printed] * copies
    if faults:
        raise PuzzleFileError(faults)
    if not components:
        raise source.fault("has no part in burr_piece() or burr_plate()")
    joined = join(components)
    for text in joined.left_open:
        warn(text)
    if len(tops) > 1 and plate is None:
        warn(f"all plates are taken: {listed(tops)}; --problem takes one, if some are alternatives")
    scale = calls[0].special.get("$burr_scale")
    flat = (
        isinstance(scale, list) and not joined.in_wedges and all(z == 0 for part in joined.parts for (_, _, z) in part)
    )
    lattice = read_lattice(shipped("lattices", "rhombic" if joined.in_wedges else "square" if flat else "cubic"))
    try:
        rows = [(_rows(part, lattice, joined.in_wedges), copies) for part, copies in alike(joined, flat=flat)]
    except SpecError as fault:
        raise source.fault(fault.complaints[0].message) from None
    motions = lattice.allowed(lattice.default_transformations)
    parts = [Part(f"P{k}", cells, low=copies, transformations=motions) for k, (cells, copies) in enumerate(rows, 1)]
    numbered = tuple(replace(part, lattice=lattice, number=k) for k, part in enumerate(parts))
    turning = None if joined.in_wedges else _turning(calls[0], warn)
    about = f"{counted(len(components), 'component')} of a model made with puzzlecad"
    return ReadParts(PartSet(source.stem, lattice, numbered, source=about), turning, tuple(warnings))


def _rows(part: frozenset[Vector], lattice: Lattice, in_wedges: bool) -> Cells:
    """The cells of a part on a lattice, sorted."""
    if not in_wedges:
        return np.array([(0, *cell[: lattice.dimension]) for cell in sorted(part)], np.int32)
    numbers = {node.name: k for k, node in enumerate(lattice.nodes)}
    return np.array(sorted((numbers[name], *cube) for name, cube in tetrahedra(part)), np.int32)


def _specs(call: ModuleCall) -> list[tuple[Any, int]]:
    """What a call prints, each with its number of copies."""
    if call.name == "burr_piece":
        return [(call.argument("burr_spec", 0), 1)]
    copies, specs = call.argument("num_copies", 1), call.argument("burr_specs", 0)
    many = int(copies) if isinstance(copies, float) and 1 <= copies <= MOST_COPIES else 1
    return [(spec, many) for spec in specs] if isinstance(specs, list) else [(specs, 1)]


def _turning(call: ModuleCall, warn: Callable[[str], None]) -> Turning | None:
    """The room to turn, from the inset of the sides and the bevel of the edges; None where no part could turn."""
    scale, inset, bevel = (call.special.get(name) for name in ("$burr_scale", "$burr_inset", "$burr_bevel"))
    edges = scale if isinstance(scale, list) else [scale]
    if not all(isinstance(value, float) for value in (inset, bevel, *edges)) or min(edges) <= 0:
        return None
    play, cut = inset / min(edges), bevel / (math.sqrt(2) * min(edges))  # puzzlecad gives the width of the cut face
    if not (0 <= play <= MOST_PLAY and 0 <= cut <= MOST_BEVEL):
        warn(
            f"its inset of {inset:g} and its bevel of {bevel:g} mm are not those of parts that turn; they are left out"
        )
        return None
    return Turning(round(play, 6), round(cut, 6))
