"""Plans in which a part gives way, made by hand: tests ask how they are shown, not whether parts collide."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

import latcover
from latcover.core.model.disassembly import Disassembly, Separation, Step
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Giving
from latcover.lab.assembly.taking_apart import disassemble

PUSHED, YIELDING = 0.03, 0.001  # steps of the lattice


@cache
def giving_plan(up: float = PUSHED) -> tuple[Puzzle, Solution, Disassembly]:
    """A cube whose one turn needs that another part goes *up* first, and comes down at the end."""
    puzzle = latcover.load("turning-cube")
    solution = next(iter(latcover.solutions(puzzle)))
    plan = disassemble(solution)
    return puzzle, solution, replace(plan, separations=tuple(_giving(one, up) for one in plan.separations))


def _giving(separation: Separation, up: float) -> Separation:
    return replace(separation, steps=tuple(_step(separation, step, up) for step in separation.steps))


def _step(separation: Separation, step: Step, up: float) -> Step:
    if step.turn is None:
        return step
    (other,) = set(separation.pieces) - set(step.pieces)
    path = step.turn.path
    longer = (path[0], *path)  # it is pushed before anything turns
    heights = [0.0, *[up] * (len(path) - 1), 0.0]
    giving = Giving(other, tuple((0.0, 0.0, 0.0, height) for height in heights))
    return replace(step, turn=replace(step.turn, path=longer, giving=(giving,)))
