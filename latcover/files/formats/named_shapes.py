"""Shapes by name: a part of a set, a piece of so many cells, or art."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from latcover.core.model.lattice import REFLECTIONS, ROTATIONS
from latcover.core.model.puzzle import Bounds, Part, PartSet
from latcover.errors import PuzzleError, suggest
from latcover.files.formats.library import load_lattice, load_set
from latcover.files.formats.piece_sets import pieces
from latcover.files.formats.source import names, source_at

FORMS = (
    "name a part of a set (pentominoes:X), a piece of so many cells (square-7:3, as `latcover pieces square 7` numbers "
    "them), a file (a part set of one part, or art in a .txt), or draw it: X./XX"
)
_PIECE = re.compile(r"(.+)-([1-9][0-9]?)")
_ART = re.compile(r"[X#._ /\n]+")
_DRAWING_BYTES = 1 << 20  # of a drawing of one shape


_pieces = lru_cache(maxsize=1)(pieces)  # a table asks for all of a lattice by their names, one after the other


def shape_named(name: str, lattice: str = "square", *, one_sided: bool = False, bounds: Bounds | None = None) -> Part:
    """The shape of this name, which may be used without limit.

    Args:
        name: See `FORMS`.
        lattice: On which art lies: a shipped lattice, or a file.
        one_sided: Whether copies may not be turned over.
        bounds: How much files may ask for.

    Raises:
        PuzzleError: there is no such shape, or its cells do not hang together.
    """
    return _plain(_found(name, lattice, bounds), name, one_sided=one_sided)


def shapes_named(
    name: str, lattice: str = "square", *, one_sided: bool = False, bounds: Bounds | None = None
) -> list[Part]:
    """The shapes of a part set (pentominoes), all of so many cells (square-5), or a single one, see `shape_named`.

    Raises:
        PuzzleError: there are none, or one is no plain shape that hangs together.
    """
    piece = _PIECE.fullmatch(name)
    if name in names("sets") or name.endswith(".toml"):
        found = load_set(name, bounds)
    elif piece and (piece[1] in names("lattices") or piece[1].endswith(".toml")):
        found = _pieces(load_lattice(piece[1]), int(piece[2]))
    else:
        return [shape_named(name, lattice, one_sided=one_sided, bounds=bounds)]
    own = [replace(part, lattice=found.lattice) for part in found.parts]
    return [_plain(part, f"{name}:{part.name}", one_sided=one_sided) for part in own]


def _plain(found: Part, name: str, *, one_sided: bool) -> Part:
    assert found.lattice
    if len(found.sides) or found.colours.any():
        raise PuzzleError(f"{name}: a shape with colours or with values at its sides; the explorer takes plain shapes")
    if any(node.secondary for node in found.lattice.nodes):
        raise PuzzleError(
            f"{name}: the cells of the lattice {found.lattice.name!r} do not fill it; take another lattice"
        )
    if not found.lattice.connects(found.cells.tolist()):
        raise PuzzleError(f"{name}: the shape does not hang together; draw it in one piece")
    motions = found.lattice.allowed(ROTATIONS if one_sided else REFLECTIONS)
    return replace(found, low=0, high=None, transformations=motions)


def _found(name: str, lattice: str, bounds: Bounds | None) -> Part:
    group, colon, own = name.rpartition(":")
    if colon and (group in names("sets") or group.endswith(".toml")):
        return _of_set(load_set(group, bounds), own, name)
    piece = _PIECE.fullmatch(group) if colon else None
    if piece and (piece[1] in names("lattices") or piece[1].endswith(".toml")):
        return _of_set(_pieces(load_lattice(piece[1]), int(piece[2])), own, name)
    if name.endswith(".toml") or name in names("sets"):
        parts = load_set(name, bounds)
        if len(parts.parts) != 1:
            listed = ", ".join(part.name for part in parts.parts[:20])
            raise PuzzleError(
                f"{name} holds several shapes: name one, as in {name}:{parts.parts[0].name}; it has {listed}"
            )
        return parts.parts[0]
    if name.endswith(".txt"):
        return _drawn(_text_of(Path(name)), name, lattice)
    if _ART.fullmatch(name) and set(name) & set("X#"):
        return _drawn(name, name, lattice)
    known = [*names("sets"), *(f"{each}-5" for each in names("lattices"))]
    raise PuzzleError(f"there is no shape {name!r}{suggest(group or name, known, listing=False) or ''}: {FORMS}")


def _of_set(parts: PartSet, own: str, name: str) -> Part:
    for part in parts.parts:
        if part.name == own:
            return replace(part, lattice=parts.lattice)
    known = [part.name for part in parts.parts]
    raise PuzzleError(f"{name}: {parts.name} has no shape {own!r}{suggest(own, known)}")


def _text_of(path: Path) -> str:
    return source_at(path, _DRAWING_BYTES, "a drawing of a shape").text()


def _drawn(art: str, name: str, lattice: str) -> Part:
    rows = art.replace("/", "\n").strip("\n").split("\n")
    return Part(name.replace("\n", "/"), rows, lattice=load_lattice(lattice))
