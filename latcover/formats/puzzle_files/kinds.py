"""What kind of file of our own a TOML file is, by its keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Kind = Literal["puzzle", "lattice", "part set"]
OF_LATTICES = {"half_edges", "basis", "nodes"}
BESIDE = "on the command line, a puzzle in the same folder can use it"
OF_PUZZLES = {"region", "puzzles"}


def kind_of(keys: Iterable[str]) -> Kind:
    """The kind of a file with these *keys* at its top; "puzzle" if they do not tell."""
    found = set(keys)
    if found & OF_LATTICES and not found & OF_PUZZLES:
        return "lattice"
    return "puzzle" if found & OF_PUZZLES or "parts" not in found else "part set"
