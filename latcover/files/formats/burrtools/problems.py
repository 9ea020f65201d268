"""Puzzles of BurrTools: its .xmpuzzle files, described for users in docs/reference/burrtools.md.

A file holds shapes, and problems that use them. Each problem becomes a puzzle. `solutions.py` reads stored solutions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.problem import Ints
from latcover.core.model.given import FARTHEST, LONGEST_TEXT
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import MAX_GRID, Bounds, Part, Puzzle, Region, Rules
from latcover.core.model.puzzle_checks import complaints_about
from latcover.errors import Complaint, PuzzleFileError
from latcover.files.formats.burrtools.burrtools_shapes import (
    ElementError,
    File,
    VoxelShape,
    clean,
    comment_of,
    integer,
    shape_label,
    unique_names,
)
from latcover.files.formats.burrtools.grids import GRIDS, cells_at, motions_of, turns_off_the_lattice
from latcover.files.formats.burrtools.tree import Element, read_tree
from latcover.files.formats.puzzle_files.file_keys import MOST_COPIES, MOST_WEIGHT
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import Source, shipped

MOST_COLOURS = 63
MANY = 1 << 31  # BurrTools is a 32-bit program
SOLVED = 2
COMPARE = "compare --symmetry all; if BurrTools kept mirror images apart, compare --symmetry rotations"
SLIDING = 5


def read_problems(source: Source, bounds: Bounds, unfinished: bool = False) -> dict[str, Puzzle | PuzzleFileError]:
    """Each problem of a BurrTools file by its name: a puzzle, or the error that says why it cannot be used.

    With *unfinished*, what is wrong with a puzzle as a whole is a warning.

    Raises:
        PuzzleFileError: the file as a whole cannot be read.
    """
    root = read_tree(source, bounds.file_bytes)
    try:
        file = open_file(source, root, bounds)
        problems = root.each("problems", "problem")
        if not problems:
            raise ElementError(root, "has no problem; define one in BurrTools, on the Puzzle tab")
    except ElementError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None
    names = names_of(problems)
    return {
        name: read_problem(file, problem, name, k, unfinished)
        for k, (name, problem) in enumerate(zip(names, problems, strict=True), 1)
    }


def names_of(problems: Sequence[Element]) -> list[str]:
    """What the problems of a file are called."""
    return unique_names(clean(p.attributes.get("name", "")) or f"P{k}" for k, p in enumerate(problems, 1))


def open_file(source: Source, root: Element, bounds: Bounds) -> File:
    """What the problems of a file share.

    Raises:
        ElementError: its grid or its colours are at fault.
    """
    integer(root, "version", "the puzzle", 1, 2)
    types = [integer(element, "type", "gridType", 0, MANY) for element in root.all("gridType")]
    number = types[0] if types and types[0] is not None else 0
    if number not in GRIDS:
        what = "the sliding grid of a variant of BurrTools" if number == SLIDING else "no grid of BurrTools"
        known = ", ".join(f"{k} ({grid.name})" for k, grid in GRIDS.items())
        raise ElementError(root.all("gridType")[0], f"grid type {number} is {what}; latcover reads {known}")
    colours = root.each("colors", "color")
    if len(colours) > MOST_COLOURS:
        raise ElementError(
            colours[MOST_COLOURS], f"defines {len(colours):,} colours; BurrTools has at most {MOST_COLOURS}"
        )
    shapes = root.each("shapes", "voxel")
    names = [clean(s.attributes.get("name", "")) or f"S{k}" for k, s in enumerate(shapes, 1)]
    lattice = read_lattice(shipped("lattices", GRIDS[number].lattice))
    comment = comment_of("".join(text for element in root.all("comment") for text in element.text))
    if len(comment) > LONGEST_TEXT:
        raise ElementError(root, f"has a comment of more than {LONGEST_TEXT:,} characters; shorten it")
    return File(source, bounds, GRIDS[number], lattice, len(colours), shapes, names, comment)


class UsedPiece(Struct, frozen=True, eq=False):
    """A shape as a problem uses it."""

    element: Element
    name: str
    shape: VoxelShape
    low: int
    high: int
    groups: tuple[tuple[str, int | None], ...]


def read_problem(
    file: File, problem: Element, name: str, number: int, unfinished: bool = False
) -> Puzzle | PuzzleFileError:
    """A problem as a puzzle, or the error that says why it cannot be used."""
    what = f"problem {number}" if name == f"P{number}" else f"problem {number} ({name})"
    try:
        pieces = pieces_of(file, problem, what)
        goal = _goal(file, problem, what)
        puzzle, odd = _puzzle(file, problem, name, pieces, goal)
    except ElementError as fault:
        message = fault.message if fault.message.startswith(what) else f"{what}: {fault.message}"
        return PuzzleFileError([_complaint(file, fault.element, message)])
    complaints = [replace(_complaint(file, problem, f"{what}: {text}"), warning=True) for text in odd]
    for complaint in complaints_about(puzzle):
        element = problem if complaint.part is None else pieces[complaint.part].element
        told = _complaint(file, element, f"{what}: {complaint.message}")
        complaints.append(replace(told, warning=complaint.warning or unfinished))
    if any(not complaint.warning for complaint in complaints):
        return PuzzleFileError(complaints)
    return replace(puzzle, warnings=tuple(complaints))


def _complaint(file: File, element: Element, message: str) -> Complaint:
    return ElementError(element, message).complaint(file.source.name)


def pieces_of(file: File, problem: Element, what: str) -> list[UsedPiece]:
    """The pieces that a problem uses, in its order.

    Raises:
        ElementError: one of them is at fault.
    """
    found: list[UsedPiece] = []
    for element in problem.each("problemShapes", "shape"):
        index = _index(file, element, f"{what}, piece {len(found) + 1}")
        if index is None:
            raise ElementError(element, f"{what}: a piece has no id, which says what shape it is")
        label = f"{what}, piece {shape_label(index, file.shapes[index])}"
        low, high = _copies(element, label)
        if high == 0:
            continue
        shape = file.shape(index)
        if not len(shape.places):
            raise ElementError(shape.element, f"{what}: {shape.label} is empty, but is to be used as a piece")
        if shape.variable.any():
            raise ElementError(shape.element, f"{what}: {shape.label} has variable voxels (+); only the result may")
        found.append(UsedPiece(element, file.names[index], shape, low, high, _groups(element, label)))
    if not found:
        raise ElementError(problem, f"{what}: has no pieces; give it some in BurrTools, on the Puzzle tab")
    names = unique_names(piece.name for piece in found)
    return [replace(piece, name=name) for piece, name in zip(found, names, strict=True)]


def _index(file: File, element: Element, what: str) -> int | None:
    index = integer(element, "id", what, 0, MANY)
    if index is not None and index >= len(file.shapes) and element.name == "shape":
        raise ElementError(element, f"{what}: there is no shape of id {index}; the file has {len(file.shapes)}, from 0")
    return index


def _copies(element: Element, what: str) -> tuple[int, int]:
    """``count``; or ``min`` and ``max``; or 1."""
    count, low, high = (integer(element, name, what, 0, MOST_COPIES) for name in ("count", "min", "max"))
    if count is not None:
        return count, count
    if low is None and high is None:
        return 1, 1
    if low is None or high is None or low > high:
        raise ElementError(
            element, f"{what}: needs a count, or a min and a max that is at least min; it has min {low} and max {high}"
        )
    return low, high


def _groups(element: Element, what: str) -> tuple[tuple[str, int | None], ...]:
    """The groups that copies of a shape may stay in: ``group`` for all copies, or <group> elements with a count."""
    whole = integer(element, "group", what, 0, MOST_COPIES)
    found: dict[str, int | None] = {f"group {whole}": None} if whole else {}
    for inner in element.all("group"):
        number, count = (integer(inner, name, f"{what}, a group", 0, MOST_COPIES) for name in ("group", "count"))
        if number and count != 0:
            found[f"group {number}"] = count
    return tuple(found.items())


def _goal(file: File, problem: Element, what: str) -> VoxelShape:
    """The result shape."""
    results = problem.all("result")
    index = _index(file, results[0], f"{what}, result") if results else None
    if index is None or index >= len(file.shapes):
        raise ElementError(problem, f"{what}: has no result shape; choose one in BurrTools, on the Puzzle tab")
    goal = file.shape(index)
    if not len(goal.places):
        raise ElementError(goal.element, f"{what}: {goal.label} is empty, but is to be the result")
    return goal


def _puzzle(
    file: File, problem: Element, name: str, pieces: Sequence[UsedPiece], goal: VoxelShape
) -> tuple[Puzzle, list[str]]:
    """The puzzle, and what is odd about it."""
    colours, of_pieces, of_goal, rules = _colours(file, problem, pieces, goal)
    parts = tuple(_part(file, piece, of_pieces) for piece in pieces)
    odd = [
        f"{piece.shape.label} is not connected: BurrTools may also turn it by a sixth of a turn about a diagonal; "
        "latcover uses only the rotations of the lattice"
        for piece in pieces
        if turns_off_the_lattice(file.grid, piece.shape.places)
    ]
    n_optional = int(goal.variable.sum())
    most = integer(problem, "maxHoles", "the problem", 0, MANY)
    if all(piece.low == piece.high for piece in pieces):  # their volume says how many stay empty
        left = len(goal.places) - sum(piece.low * len(piece.shape.places) for piece in pieces)
        if most is not None and most < left:
            odd.append(
                f"maxHoles is {most}, but {left} must stay empty; latcover ignores maxHoles here, as BurrTools does"
            )
        most = None
    region = Region(_cells(file, goal), of_goal[goal.colours], goal.variable, (0, 0, 0))
    if most is not None and most < n_optional:
        region = replace(region, max_empty=most)
    puzzle = Puzzle(
        name,
        file.lattice,
        region,
        parts,
        f"{file.source.stem}, from BurrTools",
        _source(file, problem),
        colours,
        rules=rules,
        comment=file.comment,
    )
    return puzzle, odd


def _part(file: File, piece: UsedPiece, colours: Ints) -> Part:
    shape = piece.shape
    weight = integer(shape.element, "weight", shape.label, -MOST_WEIGHT, MOST_WEIGHT)
    cells, motions = _cells(file, shape), motions_of(file.grid, file.lattice, shape.places)
    part = Part(piece.name, cells, colours[shape.colours], piece.low, piece.high, motions, groups=piece.groups)
    return part if weight is None else replace(part, weight=weight)


def _cells(file: File, shape: VoxelShape) -> Cells:
    cells = cells_at(file.grid, file.lattice, shape.places)
    spans = np.ptp(cells[:, 1:], axis=0) + 1
    if np.abs(cells[:, 1:]).max() > FARTHEST or prod(spans.tolist()) * len(file.lattice.nodes) > MAX_GRID:
        raise ElementError(
            shape.element, f"{shape.label}: its voxels are too far apart: their bounding box is too large"
        )
    return cells


def _colours(
    file: File, problem: Element, pieces: Sequence[UsedPiece], goal: VoxelShape
) -> tuple[tuple[str, ...], Ints, Ints, Rules]:
    """The names of our colours; our colour for each of BurrTools', on pieces and in the result; and the rules.

    In BurrTools a piece's colour may cover a colour of the result only if the problem lists this pair, even for equal
    colours. With us equal colours may always do so. If such a pair is not listed, the colour in the result gets another
    name.
    """
    on_pieces = sorted({int(colour) for piece in pieces for colour in piece.shape.colours} - {0})
    in_goal = sorted({int(colour) for colour in goal.colours} - {0})
    pairs = set(_pairs(file, problem))
    names = ["", *(f"colour {colour}" for colour in on_pieces)]
    of_pieces, of_goal = np.zeros(file.n_colours + 1, np.int32), np.zeros(file.n_colours + 1, np.int32)
    of_pieces[on_pieces] = np.arange(1, len(names))
    for colour in in_goal:
        if (colour, colour) in pairs and colour in on_pieces:
            of_goal[colour] = of_pieces[colour]
            continue
        of_goal[colour] = len(names)
        names.append(f"{'ground' if colour in on_pieces else 'colour'} {colour}")
    stands_on = {
        (int(of_pieces[piece]), int(of_goal[result]))
        for piece, result in pairs
        if piece in on_pieces and result in in_goal and of_pieces[piece] != of_goal[result]
    }
    return tuple(names), of_pieces, of_goal, Rules(stands_on=frozenset(stands_on))


def _pairs(file: File, problem: Element) -> Iterator[tuple[int, int]]:
    """The colours of pieces and results that may meet, from 1."""
    for pair in problem.each("bitmap", "pair"):
        piece, result = (integer(pair, name, "a pair of colours", 0, MANY) for name in ("piece", "result"))
        if piece is None or result is None or max(piece, result) >= file.n_colours:
            known = f"the file defines {file.n_colours}, from 0"
            raise ElementError(pair, f"a pair of colours names {piece} and {result}; {known}")
        yield piece + 1, result + 1


def _source(file: File, problem: Element) -> str:
    """The file's name, and how many assemblies BurrTools found.

    The number is not an expectation, because the file does not say whether BurrTools kept mirror images apart.
    """
    try:
        solved = integer(problem, "state", "", 0, MANY) == SOLVED
        found = integer(problem, "assemblies", "", 0, 1 << 62) if solved else None
    except ElementError:
        found = None  # these figures are no part of the puzzle
    return file.source.file_name + (f"; BurrTools found {found:,} assemblies ({COMPARE})" if found is not None else "")
