"""Solutions as the server keeps them: rows of numbers of placements, each of which is sent once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Placed, Solution

Labels = tuple[int, int, int]  # of a solution: its number, its image, the size of its orbit


class KeptPlacement(msgspec.Struct, frozen=True, array_like=True):
    """A copy of a part: the number of the part, its cells, their colours, and the values of its sides."""

    part: int
    cells: tuple[tuple[int, ...], ...]
    colours: tuple[str, ...]
    sides: tuple[tuple[tuple[int, ...], str, str], ...]

    def in_puzzle(self, puzzle: Puzzle) -> Placed:
        """The placement in the puzzle that was searched."""
        return Placed(puzzle.parts[self.part].name, self.cells, self.colours, self.sides)


class KeptSolution(msgspec.Struct, frozen=True, array_like=True):
    """A solution: its labels, and the numbers of its placements (of a bare problem, of its options)."""

    labels: Labels
    chosen: tuple[int, ...]


def rebuilt_solutions(
    puzzle: Puzzle, placements: Sequence[KeptPlacement], kept: Sequence[KeptSolution]
) -> list[Solution]:
    """The solutions of *puzzle* that are *kept*."""
    placed = [placement.in_puzzle(puzzle) for placement in placements]
    return [Solution(tuple(placed[k] for k in one.chosen), *one.labels, puzzle) for one in kept]
