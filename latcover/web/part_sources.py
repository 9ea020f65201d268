"""Parts for the editor to take into a puzzle: of a shipped set, of another puzzle, or of a file that a client sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latcover.errors import PuzzleError, PuzzleFileError, suggest
from latcover.formats.forms import TOML
from latcover.formats.library import load_set, names
from latcover.formats.puzzle_files.kinds import kind_of
from latcover.formats.puzzle_files.part_tables import read_set
from latcover.formats.puzzle_files.toml_file import TomlFile
from latcover.model.puzzle import Bounds, PartSet, Puzzle, Region
from latcover.web.editor_data import editor_data
from latcover.web.subject import puzzle_of, text_of, upload

SET = "set"


def parts_of(data: Mapping[str, Any], bounds: Bounds) -> dict[str, Any]:
    """The parts of a subject, or of ``{"form": "set", "name": ...}``; the text of a file may be that of a set.

    Keys: ``title``, ``lattice``, ``colours``, ``sides`` and ``parts``, as `editor_data` has them.

    Raises:
        PuzzleError: there is no such set or puzzle, or it has no parts.
        InputError: what it holds is at fault.
    """
    found = _set_of(data, bounds)
    puzzle = puzzle_of(data, bounds) if found is None else _as_puzzle(found)
    if not puzzle.parts:
        raise PuzzleError(f"{puzzle.name!r} has no parts to take")
    told = editor_data(puzzle)
    return {key: told[key] for key in ("title", "lattice", "colours", "sides", "parts")}


def _set_of(data: Mapping[str, Any], bounds: Bounds) -> PartSet | None:
    form = text_of(data, "form")
    if form == SET:
        name = text_of(data, "name")
        if name not in names("sets"):
            raise PuzzleError(f"no part set {name[:80]!r} is shipped{suggest(name, names('sets'))}")
        return load_set(name, bounds)
    if form == TOML.name:
        source = upload(text_of(data, "text").encode(), text_of(data, "file", "parts.toml"), TOML)
        source.require_at_most(bounds.file_bytes)
        if kind_of(TomlFile(source, PuzzleFileError).data) == "part set":
            return read_set(source, bounds)
    return None


def _as_puzzle(found: PartSet) -> Puzzle:
    """A set as a puzzle whose region does not matter."""
    if not found.parts:
        raise PuzzleError(f"{found.name!r} has no parts to take")
    region = Region(found.parts[0].cells)
    return Puzzle(
        found.name, found.lattice, region, found.parts, found.title, found.source, found.colours, rules=found.rules
    )
