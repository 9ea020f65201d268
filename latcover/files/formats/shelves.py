"""Puzzles on shelves, as the web app and published sites show them: each on the first shelf that takes it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.library import load_all
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.files.formats.source import find, names

Data = Mapping[str, Any]  # of a puzzle file
FLAT_HEXES = ("hexagonal", "triangular", "tetrakis")
MATCHING = ("colours", "rules", "sides")
SOLIDS = ("hexprism", "triprism", "tetraocta", "rhombic")


class Shelf(Struct, frozen=True):
    """A shelf: its name, a line about it, and which puzzle files belong on it."""

    name: str
    about: str
    takes: Callable[[Data], bool]


def _on(*lattices: str) -> Callable[[Data], bool]:
    return lambda data: data["lattice"] in lattices


def _of_pentominoes(lattice: str) -> Callable[[Data], bool]:
    return lambda data: data["lattice"] == lattice and any(part.get("set") == "pentominoes" for part in data["parts"])


def _interlocks(data: Data) -> bool:
    """Whether it is about taking apart: it is known how many solutions come apart, or the first part takes moves."""
    expected = data.get("expect", {})
    return "assemblable" in expected or expected.get("level", [1])[0] > 1


def _matches(data: Data) -> bool:
    return data["lattice"] == "disc" or any(word in data for word in MATCHING)


SHELVES = (
    Shelf("Spheres", "packed balls", _on("fcc")),
    Shelf("Prisms and other solids", "columns of hexagons, triangles and more", _on(*SOLIDS)),
    Shelf("To take apart", "burrs and cubes whose parts hold each other", _interlocks),
    Shelf("Colours and matching sides", "keys and locks, and colours that must meet or may not", _matches),
    Shelf("Pentominoes", "the twelve shapes of five squares", _of_pentominoes("square")),
    Shelf("Solid pentominoes", "the same twelve, one cube thick", _of_pentominoes("cubic")),
    Shelf("Cubes", "parts made of cubes", _on("cubic")),
    Shelf("Hexagons and triangles", "and the tangram", _on(*FLAT_HEXES)),
    Shelf("Sticks", "parts made of the lines of a grid", _on("polystick")),
    Shelf("Squares", "more parts made of squares", _on("square")),
)
ORDER = (
    "Pentominoes", "Cubes", "To take apart", "Hexagons and triangles", "Spheres", "Prisms and other solids",
    "Solid pentominoes", "Colours and matching sides", "Sticks", "Squares",
)  # fmt: skip
OTHERS = "Others"


def shelf_of(data: Data) -> str:
    """The name of the shelf for a puzzle file."""
    shelved = {"parts": (), **data}
    return next((shelf.name for shelf in SHELVES if shelf.takes(shelved)), OTHERS)


def shelves() -> list[dict[str, str]]:
    """All shelves in the order in which they are shown."""
    about = {shelf.name: shelf.about for shelf in SHELVES}
    return [{"name": name, "about": about.get(name, "")} for name in (*ORDER, OTHERS)]


def counts_of_parts() -> dict[str, int | None]:
    """How many parts each shipped puzzle may use, copies counted; None: any number. Of several the first counts."""
    return {name: _parts(load_all(name)[0]) for name in names("instances")}


def _parts(puzzle: Puzzle) -> int | None:
    highs = [part.high for part in puzzle.parts]
    return None if None in highs else sum(high for high in highs if high is not None)


def shelf_of_puzzle(puzzle: Puzzle) -> str:
    """The name of the shelf for a puzzle of any file."""
    return shelf_of(puzzle_as_data([puzzle]))


def shelf_of_shipped(name: str) -> str:
    """The name of the shelf for a shipped puzzle file."""
    return shelf_of(tomllib.loads(find("instances", name).read_text("utf-8")))
