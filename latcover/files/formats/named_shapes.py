"""Shapes by name: a part of a set, a piece of so many cells, or art."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from latcover.core.model.lattice import REFLECTIONS, ROTATIONS
from latcover.core.model.puzzle import Bounds, Part, PartSet
from latcover.errors import PuzzleError, suggest
from latcover.files.formats.library import is_ready, load_lattice, load_set
from latcover.files.formats.piece_sets import pieces
from latcover.files.formats.source import names, source_at

FORMS = (
    "name a part of a set (pentominoes:X, polyominoes:1-5:X5), a small polyomino (domino, V3, T4, W5), a numbered "
    "shape (square-7:3, number 3 in `latcover pieces square 7`), a file (a part set of one part, or art in a .txt), "
    "or draw it: X./XX"
)
_PIECE = re.compile(r"(.+)-([1-9][0-9]?)")
_ART = re.compile(r"[X#._ /\n]+")
_SMALL = re.compile(r"([A-Z])(?:([1-5])|[ -](tromino|tetromino|pentomino))")
_LETTERS = {1: "I", 2: "I", 3: "IV", 4: "ILOST", 5: "FILNPTUVWXYZ"}  # of the polyominoes of so many squares
_OTHER_LETTERS = {"L3": "V", "J4": "L", "Z4": "S"}  # that people use besides: a free shape has one name with us
_WORDS = {"monomino": "I1", "domino": "I2"}
_CELLS = {"tromino": 3, "tetromino": 4, "pentomino": 5}
SMALL = (*_WORDS, *(f"{letter}{n}" for n, letters in _LETTERS.items() for letter in letters), *_OTHER_LETTERS)
_DRAWING_BYTES = 1 << 20  # of a drawing of one shape

_pieces = lru_cache(maxsize=1)(pieces)  # a table asks for all of a lattice by their names, one after the other


def shapes_given(who: str, given: object) -> tuple[Part, ...]:
    """Shapes of one lattice, as a function of Python is given them: one or several, parts or names for `shape_named`.

    Args:
        who: The function, for messages.
        given: The shapes.

    Raises:
        PuzzleError: one is no part, has no lattice, or another one; or there is none.
    """
    several: Iterable[Any] = given if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (given,)
    parts = [shape_named(shape) if isinstance(shape, str) else shape for shape in several]
    lattices: dict[str, None] = {}
    for part in parts:
        if not isinstance(part, Part):
            such_as = "latcover.load_set('pentominoes').parts"
            raise PuzzleError(f"{who} takes parts, as {such_as} holds them; not {part!r:.80}")
        if part.lattice is None:
            raise PuzzleError(f"the part {part.name!r} has no lattice; make it with Part(..., lattice=...)")
        lattices[part.lattice.name] = None
    if len(lattices) > 1:
        raise PuzzleError(f"the shapes lie on {' and '.join(map(repr, lattices))}; take one lattice")
    if not parts:
        raise PuzzleError("there is no shape; give one at least")
    return tuple(parts)


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
    found = set_named(name, lattice, bounds)
    if len(found.parts) != 1:
        listed = ", ".join(part.name for part in found.parts[:20])
        raise PuzzleError(f"{name} holds several shapes: name one, as in {name}:{found.parts[0].name}; it has {listed}")
    return _plain(found, found.parts[0], name, one_sided=one_sided)


def shapes_named(
    name: str, lattice: str = "square", *, one_sided: bool = False, bounds: Bounds | None = None
) -> list[Part]:
    """The shapes of a part set (pentominoes), all of so many cells (square-5), or a single one, see `shape_named`.

    Raises:
        PuzzleError: there are none, or one is no plain shape that hangs together.
    """
    found = set_named(name, lattice, bounds)
    several = len(found.parts) > 1
    return [
        _plain(found, part, f"{name}:{part.name}" if several else name, one_sided=one_sided) for part in found.parts
    ]


def set_named(name: str, lattice: str = "square", bounds: Bounds | None = None) -> PartSet:
    """What a name of shapes stands for, as a set: a set, all pieces of so many cells, or a single part.

    This is the one place that says what such a name means. Its parts may have colours; `shape_named` takes plain ones.

    Raises:
        PuzzleError: there is no such shape.
    """
    if not isinstance(name, str):
        raise PuzzleError(f"the name of a shape is a text, such as 'pentominoes:F', not {name!r:.80}")
    group, colon, own = name.rpartition(":")
    if (whole := _group(name, bounds)) is not None:  # its path may have a colon
        return whole
    if colon and (whole := _group(group, bounds)) is not None:
        return _one_of(whole, own, name)
    if small := _small(name):
        return _named_by(*small, name)
    if name.endswith(".txt"):
        return _drawn(_text_of(Path(name)), name, lattice)
    if _ART.fullmatch(name) and set(name) & set("X#"):
        return _drawn(name, name, lattice)
    piece = _PIECE.fullmatch(group or name)
    known = [*names("sets"), *SMALL, *(f"{each}-{piece[2] if piece else 5}" for each in names("lattices"))]
    raise PuzzleError(f"there is no shape {name!r}{suggest(group or name, known, listing=False) or ''}: {FORMS}")


def names_shapes(name: str) -> bool:
    """Whether *name* has the form of a name of shapes, and not of a puzzle or of a file."""
    group = name.rpartition(":")[0] or name
    piece = _PIECE.fullmatch(group)
    return bool(
        group in names("sets")
        or is_ready(name)
        or is_ready(group)
        or (piece and piece[1] in names("lattices"))
        or _small(name)
        or (_ART.fullmatch(name) and set(name) & set("X#"))
    )


def _group(name: str, bounds: Bounds | None) -> PartSet | None:
    """A part set, or all pieces of so many cells; None if the name is of neither."""
    if name in names("sets") or name.endswith(".toml") or is_ready(name):
        return load_set(name, bounds)
    piece = _PIECE.fullmatch(name)
    if piece and (piece[1] in names("lattices") or piece[1].endswith(".toml")):
        return _pieces(load_lattice(piece[1]), int(piece[2]))
    return None


def _small(name: str) -> tuple[int, str] | None:
    """The number of squares and the letter of a small polyomino: of "domino", "I4", "Z4" or "T tetromino"."""
    found = _SMALL.fullmatch(_WORDS.get(name, name))
    if found is None:
        return None
    n = int(found[2]) if found[2] else _CELLS[found[3]]
    letter = _OTHER_LETTERS.get(f"{found[1]}{n}", found[1])
    return (n, letter) if letter in _LETTERS[n] else None


def _named_by(n: int, letter: str, name: str) -> PartSet:
    every = _pieces(load_lattice("square"), n)
    chosen = every.parts[_LETTERS[n].index(letter)]
    return replace(every, name=name, title=name, parts=(replace(chosen, name=name, number=0),))


def _plain(of: PartSet, part: Part, name: str, *, one_sided: bool) -> Part:
    lattice = of.lattice
    if len(part.sides) or part.colours.any():
        hint = suggest(name.rpartition(":")[0], SMALL, listing=False)
        raise PuzzleError(
            f"{name}: a shape with colours or with values at its sides; the explorer takes plain shapes{hint}"
        )
    if any(node.secondary for node in lattice.nodes):
        raise PuzzleError(f"{name}: the cells of the lattice {lattice.name!r} do not fill it; take another lattice")
    if not lattice.connects(part.cells.tolist()):
        raise PuzzleError(f"{name}: the shape is not connected; draw it in one piece")
    motions = lattice.allowed(ROTATIONS if one_sided else REFLECTIONS)
    return replace(part, lattice=lattice, low=0, high=None, transformations=motions)


def _one_of(parts: PartSet, own: str, name: str) -> PartSet:
    """The set with one of its parts, by its name; pieces of so many cells also by their number, from 1."""
    by_name = {part.name: part for part in parts.parts}
    numbered = _PIECE.fullmatch(parts.name) and own.isascii() and own.isdigit() and len(own) < 9
    if own not in by_name and numbered and 0 < int(own) <= len(parts.parts):
        own = parts.parts[int(own) - 1].name
    if own not in by_name:
        hint = suggest(name.rpartition(":")[0], SMALL, listing=False) if _is_painted(parts) else ""
        raise PuzzleError(f"{name}: {parts.name} has no shape {own!r}{hint or suggest(own, by_name)}")
    return replace(parts, title=name, parts=(replace(by_name[own], number=0),))


def _is_painted(parts: PartSet) -> bool:
    return any(len(part.sides) or part.colours.any() for part in parts.parts)


def _text_of(path: Path) -> str:
    return source_at(path, _DRAWING_BYTES, "a drawing of a shape").text()


def _drawn(art: str, name: str, lattice: str) -> PartSet:
    own, rows = load_lattice(lattice), art.replace("/", "\n").strip("\n").split("\n")
    part = Part(name.replace("\n", "/"), rows, lattice=own)
    return PartSet(part.name, own, (part,), part.name)
