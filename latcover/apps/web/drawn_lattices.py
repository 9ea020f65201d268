"""Lattices that clients draw or open: what is wrong with one, its file, and a first puzzle on it."""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from msgspec import Struct

from latcover.apps.web.answers import FileTable, JudgedComplaint, JudgedLattice
from latcover.apps.web.subject import form_of_name, upload
from latcover.apps.web.tasks import LatticeTask, SentFile
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region
from latcover.errors import LatticeError, PuzzleError
from latcover.files.formats.forms import TOML
from latcover.files.formats.library import read, usable
from latcover.files.formats.puzzle_files.file_keys import kind_of
from latcover.files.formats.puzzle_files.lattice_drawings import FILL, HINTS, TOUCH
from latcover.files.formats.puzzle_files.lattice_file import lattice_of_data, read_lattice
from latcover.files.formats.puzzle_files.lattice_writer import lattice_as_data, lattice_as_toml
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Finder, Kind, Source, names, shipped

LONGEST_NAME = 200
FIRST_CELLS = 64  # of the region of a first puzzle, about
DIGITS = 12


def lattice_of(task: LatticeTask) -> Lattice:
    """The lattice that a client draws or opens.

    The table may give the corners of a cell without its position, which is then their mean; complaints quote the
    corners as given.

    Raises:
        LatticeError: it is faulty.
        PuzzleError: the task has none.
    """
    if task.lattice is not None:
        source = Source(b"", "lattice", shipped)
        lattice_of_data(source, task.lattice)
        return lattice_of_data(source, _centred(task.lattice))
    if task.text is None:
        raise PuzzleError("the request has neither a lattice nor the text of one")
    return read_lattice(Source(task.text.encode(), "lattice.toml", shipped))


def _centred(table: FileTable) -> FileTable:
    """The table of a sound lattice, with a position for each cell that has none."""
    nodes = dict(table["nodes"])
    for name, node in nodes.items():
        if "polygon" in node and "position" not in node:
            corners = np.array(node["polygon"], dtype=np.float64)
            middle = corners.mean(axis=0)
            position = [*middle.tolist(), *[0.0] * (len(table["basis"]) - 2)][: len(table["basis"])]
            nodes[name] = node | {
                "position": [round(x, DIGITS) for x in position],
                "polygon": (corners - middle.round(DIGITS)).round(DIGITS).tolist(),
            }
    return table | {"nodes": nodes}


def judged(task: LatticeTask) -> JudgedLattice:
    """The complaints about a lattice; or its text and its table, if it is sound."""
    try:
        lattice = lattice_of(task)
    except LatticeError as fault:
        nodes = (task.lattice or {}).get("nodes")
        known = sorted(nodes, key=len, reverse=True) if isinstance(nodes, dict) else []
        return JudgedLattice(complaints=[_about_node(complaint.message, known) for complaint in fault.complaints])
    sides = [edge.node for edge in lattice.half_edges]
    return JudgedLattice(
        complaints=[],
        toml=lattice_as_toml(lattice),
        lattice=lattice_as_data(lattice),
        neighbours={node.name: sides.count(k) for k, node in enumerate(lattice.nodes)},
        transformations=len(lattice.transformations),
        rotations=len(lattice.allowed("rotations")),
    )


def _about_node(message: str, known: list[str]) -> JudgedComplaint:
    message = message.replace(HINTS[FILL], "; if cells may leave gaps, say so below").replace(HINTS[TOUCH], "")
    for name in known:
        if message.startswith(f"nodes.{name}: "):
            return JudgedComplaint(name, message.removeprefix(f"nodes.{name}: "))
    return JudgedComplaint(None, message)


def first_puzzle(lattice: Lattice) -> str:
    """The text of a first puzzle, with its lattice in it: some units, and a part of one cell."""
    most = 4 if lattice.dimension < 3 else 2
    sizes = [most] * lattice.dimension
    while prod(sizes) * len(lattice.nodes) > FIRST_CELLS and max(sizes) > 1:
        sizes[sizes.index(max(sizes))] -= 1
    units = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), -1).reshape(-1, lattice.dimension)
    cells = np.concatenate([np.insert(units, 0, node, axis=1) for node in range(len(lattice.nodes))]).astype(np.int32)
    secondary = np.array([node.secondary for node in lattice.nodes])
    cell = np.array([[int(np.argmin(secondary)), *[0] * lattice.dimension]], dtype=np.int32)
    none = np.zeros(len(cells), dtype=np.int32)
    region = Region(cells, none, secondary[cells[:, 0]], (0,) * lattice.dimension)
    allowed = lattice.allowed(lattice.default_transformations)
    part = Part("A", cell, none[:1], 1, 1, allowed, lattice=lattice, number=0)
    return puzzle_as_toml([Puzzle("my puzzle", lattice, region, (part,))])


class UploadedFile(Struct, frozen=True):
    """A file that a client sent."""

    name: str
    content: bytes


def one_of_files(files: Sequence[SentFile], bounds: Bounds) -> UploadedFile | LatticeTask:
    """Combine several files into a puzzle file that needs no other, or a lattice.

    Raises:
        PuzzleError: it is not clear which file is meant, or one is missing.
        InputError: one is at fault.
    """
    sent = [_received(file) for file in files]
    kinds = [_kind(file.name, file.content) for file in sent]
    if kinds == ["lattice"]:
        return LatticeTask(text=sent[0].content.decode("utf-8-sig", "replace"))
    if len(sent) > 1 and kinds.count("puzzle") != 1:
        these = f"these are {kinds.count('puzzle')}, beside {kinds.count('lattice')} of lattices"
        raise PuzzleError(f"choose the file of one puzzle, and with it those that it names; {these}")
    file = sent[kinds.index("puzzle") if len(sent) > 1 else 0]
    if form_of_name(file.name) is not TOML or not (len(sent) > 1 or _names_file(file.content)):
        return file
    beside = {other.name: other.content for other in sent if other is not file}
    source = Source(file.content, upload(file.content, file.name, TOML).name, sent_along(beside))
    puzzles = [puzzle for puzzle in usable(read(source, bounds, unfinished=True)) if isinstance(puzzle, Puzzle)]
    whole = puzzle_as_toml(puzzles, name=str(_table(file.content).get("name", "")))
    return UploadedFile(file.name, whole.encode())


def _received(file: SentFile) -> UploadedFile:
    try:
        return UploadedFile(file.name[:LONGEST_NAME], base64.b64decode(file.content, validate=True))
    except ValueError:
        raise PuzzleError("the content of a file must be written in base64") from None


def _kind(name: str, content: bytes) -> str:
    return kind_of(_table(content)) if name.lower().endswith(".toml") else "puzzle"


def _table(content: bytes) -> FileTable:
    """The data of a TOML file; empty for a faulty one, which its reader refuses."""
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}


def _names_file(content: bytes) -> bool:
    """Whether a puzzle names a lattice file."""
    named = _table(content).get("lattice")
    return isinstance(named, str) and named.lower().endswith(".toml")


def sent_along(contents: Mapping[str, bytes]) -> Finder:
    """A finder of shipped files, and of files that were sent together, whatever folder is named.

    Raises:
        PuzzleError: a file is named that was not sent.
    """

    def found(kind: Kind, name: str) -> Source:
        if name in names(kind):
            return shipped(kind, name)
        plain = name.replace("\\", "/").rpartition("/")[2]
        if plain in contents:
            return Source(contents[plain], plain, found)
        if plain.lower().endswith(".toml"):
            inside = "; or write the lattice into the puzzle, as a table [lattice]" if kind == "lattices" else ""
            raise PuzzleError(f"this names the file {plain[:80]!r}: choose both files at once{inside}")
        return shipped(kind, name)

    return found
