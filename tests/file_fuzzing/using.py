"""What is done with files that could be read: they are searched, drawn, written again and compared."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Part, PartSet, Puzzle, Region, as_cells
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.solving.run import run
from latcover.errors import LatcoverError, UnsupportedError
from latcover.files.formats.cover_problems import dlx_text, json_form, npz
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import WRITTEN, XMPUZZLE
from latcover.files.formats.library import load_problems
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

BOUNDS = Bounds(cells=5_000, placements=50_000)
MOST_CELLS, MOST_PARTS, MOST_PLACES = 64, 16, 1_000  # of what is searched: more would only take longer
FEW = Limits(2, 200)
ARRAYS = ("option_starts", "option_items", "low", "high", "part_sizes", "neighbour_starts", "neighbours")


class DifferentError(Exception):
    """What was written is not read as it was."""


def use_problems(found: object, path: Path) -> None:
    """Search everything that a file holds; write it, and read it again."""
    if not isinstance(found, dict):
        return
    for subject in list(found.values())[:3]:
        if isinstance(subject, NamedProblem):
            _use_bare(subject, path)
        elif isinstance(subject, Puzzle):
            _use_puzzle(subject, path)


def _use_bare(named: NamedProblem, path: Path) -> None:
    if named.problem.n_items > 1000 or named.problem.n_options > 1000:
        return
    _search(named, path)
    _export(named)
    for form, suffix in ((json_form, ".json"), (npz, ".npz"), (dlx_text, ".dlx")):
        try:
            content = b"".join(form.write(exported(named)))
        except UnsupportedError:
            continue
        (again,) = _again(content, path, suffix)
        if suffix == ".dlx":  # orders and names may be others, but not from the second time on
            _require(_as_sets(named) == _as_sets(again), "a problem in Knuth's form")
            continue
        names = exported(named)
        same = again.items == names.items and again.colours == names.colours
        same = same and all(
            np.array_equal(getattr(named.problem, name), getattr(again.problem, name)) for name in ARRAYS
        )
        _require(same and np.array_equal(_shades(named), _shades(again)), f"a problem in the form {suffix}")


def _export(subject: Any) -> None:
    """Write it in every form, but for those that take long."""
    for name, form in WRITTEN.items():
        if name in ("lp", "mps") or form.of_puzzles or form.of_diagram:
            continue
        try:
            b"".join(form.write(exported(subject)))
        except UnsupportedError:
            continue


def _shades(named: NamedProblem) -> Any:
    problem = named.problem
    return problem.option_colours if problem.has_colours else np.zeros(len(problem.option_items), np.int32)


def _as_sets(named: NamedProblem) -> tuple[dict[str, tuple[int, int]], list[list[str]]]:
    """Items with their bounds, and options that can be chosen, whatever the order of their items."""
    written, problem = exported(named), named.problem
    names, colours = written.short_items(), ["", *(f":{colour}" for colour in written.colours)]
    bounds = zip(problem.low.tolist(), problem.high.tolist(), strict=True)
    options = [
        sorted(names[item] + colours[colour] for item, colour in named.entries(option))
        for option in range(problem.n_options)
        if (problem.high[problem.items_of(option)] > 0).all()
    ]
    return dict(zip(names, bounds, strict=True)), options


def _use_puzzle(puzzle: Puzzle, path: Path) -> None:
    written = _text(puzzle)
    burr = _as_burrtools(puzzle)
    if burr is not None:
        (again,) = _again(burr, path, XMPUZZLE.suffixes[0])
        _require(_as_burrtools(again) is not None and _shapes(again) == _shapes(puzzle), "a puzzle as a BurrTools file")
    if written is not None:
        (again,) = _again(written, path, ".toml")
        _require(_text(again) == written, "a puzzle as TOML")
    if not _is_small(puzzle):
        return
    for choices in (Choices(), Choices("none")):
        try:
            prepared = prepare(puzzle, choices, BOUNDS)
        except LatcoverError:
            return
        _search(prepared, path)
        if prepared.problem.n_options <= MOST_PLACES:
            _export(prepared)
    if zlib.crc32(path.name.encode() + puzzle.name.encode("utf-8", "replace")) % 4 == 0:
        puzzle._repr_svg_()
    if written is None:
        return
    try:
        more = prepare(again, Choices("none"), BOUNDS)
    except LatcoverError as fault:
        raise DifferentError(f"a puzzle as TOML cannot be prepared any more: {fault}") from fault
    one, other = prepared.problem, more.problem
    _require((one.n_items, one.n_options) == (other.n_items, other.n_options), "the problem of a puzzle as TOML")


def _text(puzzle: Puzzle) -> bytes | None:
    try:
        text = puzzle_as_toml([puzzle]).encode()
    except UnsupportedError:
        return None
    return None if b'\nlattice = "./' in text else text  # a lattice that would have to stand beside it


def _as_burrtools(puzzle: Puzzle) -> bytes | None:
    try:
        return b"".join(XMPUZZLE.write([puzzle]))
    except UnsupportedError:
        return None


def _shapes(puzzle: Puzzle) -> Any:
    """What is the same in a BurrTools file, whatever becomes of unused parts and of names of colours."""
    parts = [(part.name, part.size, part.low, part.weight) for part in puzzle.parts if puzzle.most_copies(part)]
    return len(puzzle.region.cells), int(puzzle.region.optional.sum()), parts


def _again(content: bytes, path: Path, suffix: str) -> Iterator[Any]:
    other = path.with_name(f"{path.stem}{suffix}") if path.suffix != suffix else path.with_name(f"input{suffix}")
    other = path.parent / "again" / other.name
    other.parent.mkdir(exist_ok=True)
    other.write_bytes(content)
    try:
        found = load_problems(str(other), Bounds())
    except LatcoverError as fault:
        raise DifferentError(f"what was written as {suffix} cannot be read: {fault}") from fault
    return iter(found.values())


def _require(same: bool, what: str) -> None:
    if not same:
        raise DifferentError(f"{what} comes back as another one")


def _is_small(puzzle: Puzzle) -> bool:
    places = sum(len(puzzle.region.cells) * len(part.transformations) for part in puzzle.parts)
    return len(puzzle.region.cells) <= MOST_CELLS and len(puzzle.parts) <= MOST_PARTS and places <= 20 * MOST_PLACES


def _search(subject: Any, path: Path) -> None:
    backend = "dlx" if zlib.crc32(path.read_bytes()) % 2 else "bitset"
    try:
        run(subject, create(backend), FEW, lambda _: None)
    except UnsupportedError:
        return


def use_lattice(lattice: object, path: Path) -> None:
    """Pack a few cells of a lattice, and draw them."""
    if not isinstance(lattice, Lattice) or len(lattice.nodes) > 8:
        return
    assert len(lattice.touching) == len(lattice.nodes)
    _use_sound(_packed(lattice), path)


def _use_sound(puzzle: Puzzle, path: Path) -> None:
    if all(complaint.warning for complaint in complaints_about(puzzle)):
        _use_puzzle(puzzle, path)


def _packed(lattice: Lattice) -> Puzzle:
    """A unit of the lattice and its neighbours, to be filled with single cells and a pair."""
    node, edge = lattice.half_edges[0].node, lattice.half_edges[0]
    pair = sorted([(node, *(0,) * lattice.dimension), (edge.target, *edge.step)])
    cells = sorted({*pair, *((e.target, *e.step) for e in lattice.half_edges if e.node == node)})
    motions = lattice.allowed(lattice.default_transformations)
    pieces = [
        _part("pair", pair, lattice, 1),
        *(_part(f"cell {u}", [(u, *pair[0][1:])], lattice, None) for u in (node,)),
    ]
    region = replace(Region(as_cells(cells, lattice.dimension)), optional=np.ones(len(cells), np.bool_))
    parts = tuple(replace(piece, transformations=motions, lattice=lattice) for piece in pieces)
    return Puzzle("packed", lattice, region, parts)


def _part(name: str, cells: list[tuple[int, ...]], lattice: Lattice, high: int | None) -> Part:
    return Part(name, as_cells(cells, lattice.dimension), np.zeros(len(cells), np.int32), 0, high, ())


def use_parts(found: object, path: Path) -> None:
    """Pack the parts of a set into the cells that they have side by side."""
    if not isinstance(found, PartSet):
        return
    lattice, parts = found.lattice, found.parts
    if not parts or len(parts) > MOST_PARTS or sum(part.size for part in parts) > MOST_CELLS:
        return
    cells = sorted({tuple(cell) for part in parts for cell in part.cells.tolist()})
    parts = tuple(replace(part, low=0) for part in parts)
    region = Region(as_cells(cells, lattice.dimension))
    _use_sound(Puzzle("packed", lattice, region, parts, colours=found.colours, rules=found.rules), path)
