"""Lattices that clients draw or open: what is wrong with one, its file, and a first puzzle on it."""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from latcover.errors import LatticeError, PuzzleError
from latcover.formats.forms import TOML
from latcover.formats.puzzle_files.kinds import kind_of
from latcover.formats.puzzle_files.lattice_drawings import FILL, HINTS, TOUCH
from latcover.formats.puzzle_files.lattice_file import lattice_of_data, read_lattice
from latcover.formats.puzzle_files.lattice_writer import lattice_as_data, lattice_as_toml
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.formats.reading import read, usable
from latcover.formats.source import Finder, Kind, Source, names, shipped
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Bounds, Part, Puzzle, Region
from latcover.web.subject import form_of_name, text_of, upload

MOST_FILES = 20  # that are sent at once
LONGEST_NAME = 200
FIRST_CELLS = 64  # of the region of a first puzzle, about
DIGITS = 12


def lattice_asked(data: Mapping[str, Any]) -> Lattice:
    """The lattice of a request: a table as a file says it, ``lattice``, or the ``text`` of a file.

    In a table the corners of cells may be given without positions. They are then measured from the middle of their
    cell; complaints tell them as they were given.

    Raises:
        LatticeError: it is faulty.
        PuzzleError: there is none.
    """
    if isinstance(data.get("lattice"), dict):
        source = Source(b"", "lattice", shipped)
        lattice_of_data(source, data["lattice"])
        return lattice_of_data(source, _centred(data["lattice"]))
    return read_lattice(Source(text_of(data, "text").encode(), "lattice.toml", shipped))


def _centred(table: dict[str, Any]) -> dict[str, Any]:
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


def judged(data: Mapping[str, Any]) -> dict[str, Any]:
    """What `latcover check` says of a lattice, its text, and its table.

    Keys: ``complaints``, each with its ``text`` and, where it is about one, its ``node``; and of a sound lattice
    ``toml``, ``lattice``, ``neighbours`` (of each node, how many) and the numbers ``transformations``, ``rotations``.
    """
    try:
        lattice = lattice_asked(data)
    except LatticeError as fault:
        table = data.get("lattice")
        nodes = table.get("nodes") if isinstance(table, dict) else None
        known = sorted(nodes, key=len, reverse=True) if isinstance(nodes, dict) else []
        return {"complaints": [_about_node(complaint.message, known) for complaint in fault.complaints]}
    sides = [edge.node for edge in lattice.half_edges]
    return {
        "complaints": [],
        "toml": lattice_as_toml(lattice),
        "lattice": lattice_as_data(lattice),
        "neighbours": {node.name: sides.count(k) for k, node in enumerate(lattice.nodes)},
        "transformations": len(lattice.transformations),
        "rotations": len(lattice.allowed("rotations")),
    }


def _about_node(message: str, known: list[str]) -> dict[str, Any]:
    message = message.replace(HINTS[FILL], "; if cells may leave gaps, say so below").replace(HINTS[TOUCH], "")
    for name in known:
        if message.startswith(f"nodes.{name}: "):
            return {"node": name, "text": message.removeprefix(f"nodes.{name}: ")}
    return {"node": None, "text": message}


def first_puzzle(lattice: Lattice) -> str:
    """The text of a puzzle to begin with on a lattice, which stands in it: some units, and a part of one cell."""
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


def together(job: Mapping[str, Any], bounds: Bounds) -> dict[str, Any]:
    """What several files mean together, as one job: a puzzle's file that needs no other, or the ``text`` of a lattice.

    *job* has a list of ``files``, each with its ``name`` and its ``content`` in base64; or is one such file.

    Raises:
        PuzzleError: it is not clear which file is meant, or one is missing.
        InputError: one is at fault.
    """
    sent = [_sent(file) for file in _listed(job)]
    kinds = [_kind(name, content) for name, content in sent]
    if kinds == ["lattice"]:
        return {"text": sent[0][1].decode("utf-8-sig", "replace")}
    if len(sent) > 1 and kinds.count("puzzle") != 1:
        these = f"these are {kinds.count('puzzle')}, beside {kinds.count('lattice')} of lattices"
        raise PuzzleError(f"choose the file of one puzzle, and with it those that it names; {these}")
    name, content = sent[kinds.index("puzzle") if len(sent) > 1 else 0]
    if form_of_name(name) is TOML and (len(sent) > 1 or _names_file(content)):
        beside = {other: text for other, text in sent if other != name}
        source = Source(content, upload(content, name, TOML).name, sent_along(beside))
        found = usable(read(source, bounds, unfinished=True))
        puzzles = [puzzle for puzzle in found if isinstance(puzzle, Puzzle)]
        content = puzzle_as_toml(puzzles, name=str(_table(content).get("name", ""))).encode()
    return {"name": name, "content": base64.b64encode(content).decode(), "problem": job.get("problem")}


def _listed(job: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    files = [job] if "content" in job else job.get("files")
    if not isinstance(files, list) or not 0 < len(files) <= MOST_FILES or not all(isinstance(f, dict) for f in files):
        raise PuzzleError(f"the request must have a list of 1 to {MOST_FILES} files")
    return files


def _sent(file: Mapping[str, Any]) -> tuple[str, bytes]:
    """The name and the content of a file."""
    try:
        return text_of(file, "name")[:LONGEST_NAME], base64.b64decode(text_of(file, "content"), validate=True)
    except ValueError:
        raise PuzzleError("the content of a file must be written in base64") from None


def _kind(name: str, content: bytes) -> str:
    return kind_of(_table(content)) if name.lower().endswith(".toml") else "puzzle"


def _table(content: bytes) -> dict[str, Any]:
    """What a TOML file says; nothing of a faulty one, which its reader refuses."""
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}


def _names_file(content: bytes) -> bool:
    """Whether a puzzle lies on a lattice of a file."""
    named = _table(content).get("lattice")
    return isinstance(named, str) and named.lower().endswith(".toml")


def sent_along(contents: Mapping[str, bytes]) -> Finder:
    """The finder of what is shipped, and of files that were sent with the one that names them, whatever their folder.

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
