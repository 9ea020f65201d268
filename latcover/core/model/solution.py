"""A solution: placements with their cells. It holds nothing of the search that found it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from latcover.core.model.lattice import Lattice
from latcover.core.model.pictured import Pictured
from latcover.errors import counted

if TYPE_CHECKING:
    from latcover.core.model.puzzle import Puzzle

Cell = tuple[int, ...]  # node, x, y, ...


@dataclass(frozen=True, slots=True)
class Placed:
    """One copy of a part.

    Attributes:
        cells: The cells that it covers, sorted.
        colours: Its colour on each cell; empty if the part has no colours.
        sides: Its sides that are not flat, as (cell, half-edge, value), sorted.
    """

    part: str
    cells: tuple[Cell, ...]
    colours: tuple[str, ...] = ()
    sides: tuple[tuple[Cell, str, str], ...] = ()

    def as_json(self, lattice: Lattice) -> dict[str, Any]:
        """Plain data, cells written as in puzzle files."""
        data: dict[str, Any] = {"part": self.part, "cells": [lattice.written(cell) for cell in self.cells]}
        if self.colours:
            data["colours"] = list(self.colours)
        if self.sides:
            data["sides"] = [{"cell": lattice.written(c), "edge": edge, "is": value} for c, edge, value in self.sides]
        return data


@dataclass(frozen=True, slots=True)
class Solution(Pictured):
    """Placements, sorted by the order of the puzzle's parts and then by cells.

    A search hands over many solutions of which few are looked at, so `later` makes the placements when they are wanted.

    Attributes:
        number: Its number among the essentially different solutions, from 1, in the order found.
        image: The number of this image of the solution, from 1.
        orbit: How many images the solution has, itself included.
        puzzle: The puzzle, for pictures and files; a comparison of two solutions ignores it.
    """

    placements: tuple[Placed, ...]
    number: int = 1
    image: int = 1
    orbit: int = 1
    puzzle: Puzzle | None = field(default=None, compare=False, repr=False)
    _make: Callable[[], tuple[Placed, ...]] | None = field(default=None, init=False, compare=False, repr=False)

    @staticmethod
    def later(make: Callable[[], tuple[Placed, ...]], number: int, image: int, orbit: int, puzzle: Puzzle) -> Solution:
        """A solution whose placements *make* will return."""
        solution = _blank(Solution)
        _set_make(solution, make)
        _set_number(solution, number)
        _set_image(solution, image)
        _set_orbit(solution, orbit)
        _set_puzzle(solution, puzzle)
        return solution

    def __repr__(self) -> str:
        image = f", image {self.image} of {self.orbit}" if self.image > 1 else ""
        return f"<Solution {self.number}{image}: {counted(len(self.placements), 'piece')}>"

    def __getattr__(self, name: str) -> Any:
        """Only the placements may be missing."""
        if name != "placements" or self._make is None:
            raise AttributeError(f"a Solution has no attribute {name!r}")
        placements = self._make()
        _set_placements(self, placements)
        _set_make(self, None)
        return placements

    def __reduce__(self) -> tuple[type[Solution], tuple[Any, ...]]:
        """Pickle it without the puzzle, which would make every solution large."""
        return Solution, (self.placements, self.number, self.image, self.orbit)

    def as_json(self, lattice: Lattice | None = None) -> dict[str, Any]:
        """Plain data, cells written as in puzzle files; *lattice* None takes that of the solution's puzzle."""
        if lattice is None:
            assert self.puzzle is not None, "a solution without its puzzle needs the lattice"
            lattice = self.puzzle.lattice
        return {
            "number": self.number,
            "image": self.image,
            "orbit": self.orbit,
            "placements": [placed.as_json(lattice) for placed in self.placements],
        }


# A frozen class refuses plain assignments. These are much faster than `object.__setattr__`.
_blank = object.__new__
_set_placements, _set_number, _set_image, _set_orbit, _set_puzzle, _set_make = (
    getattr(Solution, slot).__set__ for slot in ("placements", "number", "image", "orbit", "puzzle", "_make")
)
