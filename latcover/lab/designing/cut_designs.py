"""Cuts of a region: puzzles with one solution each."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.lab.designing.difficulty import Difficulty


class CutDesign(Struct, frozen=True, eq=False):
    """A cut that fulfils the request, checked.

    Attributes:
        puzzle: The puzzle, with what is known of it as its expectations.
        solution: Its one solution.
        disassembly: How it comes apart; None if the parts of the lattice do not slide.
        difficulty: Its figures, without near-solutions.
        one_order: Whether it comes apart in one order; None if that was not asked.
        seed, walk: Where it was found.
        whole: Whether that walk came to its end; if not, the walk may find better ones.
    """

    puzzle: Puzzle
    solution: Solution
    disassembly: Disassembly | None
    difficulty: Difficulty
    one_order: bool | None
    seed: int
    walk: int
    whole: bool

    def __repr__(self) -> str:
        how = self.disassembly if self.disassembly is not None else "its parts do not slide"
        return f"<CutDesign {self.puzzle.name}: {self.puzzle.title}; {how}>"

    @property
    def level(self) -> tuple[int, ...]:
        return () if self.disassembly is None else self.disassembly.level

    @property
    def moves(self) -> int:
        """The sum of the level; 0 if the parts lie in a plane."""
        return 0 if self.disassembly is None else self.disassembly.moves

    @property
    def turns(self) -> int:
        """How many of its moves are turns."""
        return 0 if self.disassembly is None else self.disassembly.turns

    @property
    def needed_play(self) -> float | None:
        """The play that its plan needs, as a share of an edge; None if no part turns."""
        return None if self.disassembly is None else self.disassembly.needed_play

    @property
    def sizes(self) -> list[int]:
        """The cells of each piece, ascending; secondary ones do not count."""
        return sorted(self._primary(part.cells) for part in self.puzzle.parts for _ in range(part.low))

    @property
    def holes(self) -> int:
        """How many cells stay empty; secondary ones do not count."""
        return self._primary(self.puzzle.region.cells) - sum(self.sizes)

    def _primary(self, cells: Cells) -> int:
        nodes = self.puzzle.lattice.nodes
        return sum(not nodes[node].secondary for node in cells[:, 0])

    def worth(self, *, hard: bool) -> tuple[float, ...]:
        """A key for ranking: greater is better."""
        first = self.level[0] if self.level else 0
        steps = 0 if self.disassembly is None else len(self.disassembly.steps)
        by_search = self.difficulty.score or 0.0
        by_moves = (first, steps, self.turns)
        return (bool(self.one_order), *((by_search, *by_moves) if hard else (*by_moves, by_search)))

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "puzzle": self.puzzle.name,
            "walk": self.walk,
            "seed": self.seed,
            "whole": self.whole,
            "sizes": self.sizes,
            "holes": self.holes,
            "level": list(self.level),
            "moves": self.moves,
            "turns": self.turns,
            "needed_play": self.needed_play,
            "one_order": self.one_order,
            "difficulty": round(self.difficulty.score or 0.0, 4),
            "parts": [placed.as_json(self.puzzle.lattice) for placed in self.solution.placements],
        }


class CutSearch(Struct):
    """The result of a search for cuts.

    Attributes:
        designs: The best first.
        walks: How many walks came to their end, from the first one on.
        candidates: How many cuts were judged.
        complete: Whether what was asked for has been done, and there is a design: as many designs as the limit; without
            one, all walks to their end; without a number of walks, a search as long as the time.
        start: The level of the assembly from which they grew; None for cuts of a region.
    """

    designs: list[CutDesign] = field(default_factory=list)
    walks: int = 0
    candidates: int = 0
    complete: bool = False
    start: tuple[int, ...] | None = None
