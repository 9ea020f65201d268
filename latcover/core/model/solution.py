"""A solution: placements with their cells. It holds nothing of the search that found it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from latcover.core.model.lattice import Lattice
from latcover.core.model.pictured import Pictured
from latcover.errors import counted

if TYPE_CHECKING:
    from latcover.core.model.puzzle import Puzzle

Cell = tuple[int, ...]  # node, x, y, ...


class Placed(Struct, frozen=True):
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


class Solution(Pictured):
    """Placements, sorted by the order of the puzzle's parts and then by cells.

    A search hands over many solutions of which few are looked at, so `later` makes the placements when they are wanted.
    That is why it is no struct.

    Attributes:
        number: Its number among the essentially different solutions, from 1, in the order found.
        image: The number of this image of the solution, from 1.
        orbit: How many images the solution has, itself included.
        puzzle: The puzzle, for pictures and files; a comparison of two solutions ignores it.
    """

    __slots__ = ("_make", "_placements", "image", "number", "orbit", "puzzle")
    number: int
    image: int
    orbit: int
    puzzle: Puzzle | None
    _placements: tuple[Placed, ...]
    _make: Callable[[], tuple[Placed, ...]] | None

    def __init__(
        self,
        placements: tuple[Placed, ...],
        number: int = 1,
        image: int = 1,
        orbit: int = 1,
        puzzle: Puzzle | None = None,
    ) -> None:
        self._set(placements, None, number, image, orbit, puzzle)

    @staticmethod
    def later(make: Callable[[], tuple[Placed, ...]], number: int, image: int, orbit: int, puzzle: Puzzle) -> Solution:
        """A solution whose placements *make* will return."""
        solution = Solution.__new__(Solution)
        solution._set((), make, number, image, orbit, puzzle)
        return solution

    def _set(self, *values: Any) -> None:
        for put, value in zip(_PUT, values, strict=True):
            put(self, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Solution is frozen: {name!r} cannot be set")

    @property
    def placements(self) -> tuple[Placed, ...]:
        """Its placements."""
        if self._make is not None:
            _PUT[0](self, self._make())
            _PUT[1](self, None)
        return self._placements

    def of_puzzle(self, puzzle: Puzzle) -> Solution:
        """The same solution, which knows its puzzle."""
        return Solution(self.placements, self.number, self.image, self.orbit, puzzle)

    def _key(self) -> tuple[object, ...]:
        return self.placements, self.number, self.image, self.orbit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        image = f", image {self.image} of {self.orbit}" if self.image > 1 else ""
        return f"<Solution {self.number}{image}: {counted(len(self.placements), 'piece')}>"

    def __reduce__(self) -> tuple[type[Solution], tuple[Any, ...]]:
        """Pickle it without the puzzle, which would make every solution large."""
        return Solution, self._key()

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
_PUT = [getattr(Solution, name).__set__ for name in ("_placements", "_make", "number", "image", "orbit", "puzzle")]
