"""The independent check of a disassembly: it makes every move with the lattice's drawings.

It shares nothing with the search: none of its directions, tables, or single steps. `slide_replay` makes the slides,
each of them as a whole, and all of them together, as one alone is little work; `turn_replay` makes the turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from latcover.core.model.disassembly import Disassembly, Separation, Step, Vector
from latcover.core.model.lattice import Lattice
from latcover.core.model.meetings import Ints
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.slide_replay import Slide, slide_faults
from latcover.core.model.solution import Cell, Solution
from latcover.core.model.turn_data import FARTHEST, Turn, Turning

AT_ONCE = 1000  # plans whose slides are made together


def disassembly_faults(puzzle: Puzzle, solution: Solution, disassembly: Disassembly) -> list[str]:
    """All faults of a disassembly of *solution*; empty for a correct one, and for one that gives no moves.

    It says nothing about a result that claims no moves ("stuck", say), nor whether fewer moves would do.
    """
    (found,) = faults_of_each(puzzle, [(solution, disassembly)])
    return found


def faults_of_each(puzzle: Puzzle, plans: Sequence[tuple[Solution, Disassembly]]) -> list[list[str]]:
    """The faults of several disassemblies, each beside its solution, as `disassembly_faults` gives them."""
    found = []
    for start in range(0, len(plans), AT_ONCE):
        replay = _Replay(puzzle)
        walks = [replay.walk(solution, disassembly) for solution, disassembly in plans[start : start + AT_ONCE]]
        of_slides = slide_faults(puzzle.lattice, replay.slides)
        for walk in walks:
            said = ((fault.move, fault.text or of_slides[fault.slide]) for fault in walk)
            found.append([f"move {move} {text}" if move else text for move, text in said if text])
    return found


class _Fault(NamedTuple):
    """A fault of a plan, or of one of its moves, from 1. Without a text it is that of a slide, if this has one."""

    text: str
    move: int = 0
    slide: int = 0


def _left_over(puzzle: Puzzle, solution: Solution, disassembly: Disassembly) -> list[int]:
    """Pieces that end up with others although the puzzle does not allow it."""
    groups: list[set[int]] = [set(range(disassembly.n_pieces))]
    for separation in disassembly.separations:
        whole, parts = set(separation.pieces), (set(separation.stays), set(separation.removed))
        if whole not in groups or not all(parts) or parts[0] & parts[1] or parts[0] | parts[1] != whole:
            return sorted(whole)
        groups.remove(whole)
        groups += parts
    return sorted(k for group in groups if len(group) > 1 and not _may_stay(puzzle, solution, group) for k in group)


def _may_stay(puzzle: Puzzle, solution: Solution, pieces: set[int]) -> bool:
    """Whether there is a group of the puzzle to which all of *pieces* may belong."""
    copies = Counter(solution.placements[k].part for k in pieces)
    allowed = {part.name: dict(part.groups) for part in puzzle.parts}

    def takes(group: str, name: str) -> bool:
        most = allowed[name].get(group, 0)
        return most is None or copies[name] <= most

    return any(all(takes(group, name) for name in copies) for group in {g for name in copies for g in allowed[name]})


class _Replay:
    """Walks through plans.

    Attributes:
        slides: Those of all plans so far; they are yet to be checked.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.lattice = puzzle, puzzle.lattice
        self.slides: list[Slide] = []
        self._arrays: dict[tuple[Cell, ...], Ints] = {}

    def walk(self, solution: Solution, disassembly: Disassembly) -> list[_Fault]:
        """The faults of a plan."""
        n = len(solution.placements)
        if disassembly.n_pieces != n:
            return [_Fault(f"it is of {disassembly.n_pieces} pieces, and the solution has {n}")]
        if disassembly.flat:
            return [] if self.lattice.dimension < 3 else [_Fault("the pieces do not lie in a plane")]
        if disassembly.result != "apart":
            return [_Fault("it gives moves, but no result")] if disassembly.separations else []
        left = _left_over(self.puzzle, solution, disassembly)
        return [_Fault(f"piece {k} is left over") for k in left] + self._moves(solution, disassembly)

    def _moves(self, solution: Solution, disassembly: Disassembly) -> list[_Fault]:
        where = [self._array(placed.cells) for placed in solution.placements]  # of each piece, its cells
        found, number = [], 0
        for separation in disassembly.separations:
            if not separation.steps:
                found.append(_Fault("a separation has no moves"))
            group = set(separation.pieces)
            for step in separation.steps if group <= {*range(len(where))} else ():
                number, shift = number + 1, step.shift
                fault = _fault_of_step(self.lattice, separation, group, step, shift)
                if not fault:
                    moving = {k: where[k] for k in step.pieces}
                    staying = {k: where[k] for k in separation.pieces if k not in moving}
                    if step.turn is None:
                        self.slides.append(Slide(moving, staying, shift, step.separates))
                        found.append(_Fault("", number, len(self.slides) - 1))
                    else:
                        fault = _fault_of_turn(self.lattice, moving, staying, step.turn, disassembly.turning)
                    moved = _moved(self.lattice, [*moving.values()], step.turn, shift)
                    for k, cells in zip(moving, moved, strict=True):
                        where[k] = cells
                if fault:
                    found.append(_Fault(fault, number))
        return found

    def _array(self, cells: tuple[Cell, ...]) -> Ints:
        if cells not in self._arrays:
            self._arrays[cells] = np.array(cells, np.int64)
        return self._arrays[cells]


def _fault_of_step(lattice: Lattice, separation: Separation, group: set[int], step: Step, shift: Vector) -> str:
    """What is wrong with a move by itself; "" if nothing is."""
    movers, last = set(step.pieces), step is separation.steps[-1]
    if not movers or not movers < group:
        return "does not move a part of its group"
    if len(step.direction) != lattice.dimension or max(map(abs, shift)) > FARTHEST:
        return "goes nowhere"
    if step.turn is None and (step.distance < 1 or not any(step.direction)):
        return "goes nowhere"
    if step.turn is not None and (step.distance or any(step.direction) or step.separates):
        return "slides or separates while it turns"
    if step.separates != last:
        return "separates too early" if step.separates else "should separate"
    if last and movers not in (set(separation.removed), set(separation.stays)):
        return "does not remove the pieces that it should"
    return ""


def _fault_of_turn(
    lattice: Lattice, moving: Mapping[int, Ints], staying: Mapping[int, Ints], turn: Turn, turning: Turning | None
) -> str:
    if turning is None or not turn.certain:
        return "is a turn that nothing proves"
    from latcover.core.model.turn_replay import turn_faults  # few plans turn

    pieces = {k: cells.astype(np.int32) for k, cells in {**moving, **staying}.items()}
    return "; ".join(turn_faults(lattice, pieces, moving, turn, turning)[:1])


def _moved(lattice: Lattice, pieces: Sequence[Ints], turn: Turn | None, shift: Vector) -> list[Ints]:
    """The cells of each piece after a move."""
    if turn is None:
        way = np.array((0, *shift))
        return [cells + way for cells in pieces]
    if not 0 <= turn.transformation < len(lattice.transformations):
        return [*pieces]
    transformation, way = lattice.transformations[turn.transformation], np.array((0, *turn.shift))
    return [transformation.apply(cells.astype(np.int32)) + way for cells in pieces]
