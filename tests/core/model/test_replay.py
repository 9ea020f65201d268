"""The replay of slides: against all pairs of cells, one after another, on random plans, right ones and damaged ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model import slide_replay
from latcover.core.model.disassembly import Disassembly, Separation, Step
from latcover.core.model.meetings import DEEP, meetings
from latcover.core.model.replay import disassembly_faults, faults_of_each
from latcover.core.model.solution import Solution
from latcover.lab.assembly.taking_apart import Assembler
from tests.dice import Dice, Seeded
from tests.random_assemblies import any_ground, assembled, random_assembly

CUBIC = latcover.load_lattice("cubic")
FAULT = re.compile(r"move (\d+) (.*)")
FAR = 1 << 19  # steps


def meets(lattice, mine, shift, theirs) -> bool:
    """Whether one cell that slides meets another."""
    one, other = np.array([mine]), np.array([theirs])
    offset, way = lattice.centres(other) - lattice.centres(one), np.array(shift) @ lattice.basis
    return bool(meetings(lattice).on_the_way(one[:, 0], other[:, 0], offset, way)[0])


def is_clear(lattice, mine, shift, theirs) -> bool:
    """Whether one cell lies wholly beyond another at the end of its slide."""
    way = np.array(shift) @ lattice.basis
    (low,), (high,) = (
        [end((lattice.centres(np.array([cell]))[0] + corner) @ way for corner in corners(lattice, cell[0], way))]
        for end, cell in ((min, mine), (max, theirs))
    )
    return bool(low + way @ way >= high - DEEP * np.linalg.norm(way))


def corners(lattice, node, way):
    drawing = lattice.nodes[node].drawing
    if drawing.radius:
        return [sign * drawing.radius * way / np.linalg.norm(way) for sign in (-1, 1)]
    return drawing.vertices[:, : lattice.dimension]


def faults_of_slides(lattice, solution: Solution, plan: Disassembly, refused: Set[int]) -> dict[int, str]:
    """The moves that are blocked or end too early, cell by cell; those that are *refused* are not made."""
    where = [list(placed.cells) for placed in solution.placements]
    found, number = {}, 0
    for separation in plan.separations:
        for step in separation.steps:
            number += 1
            if number in refused:
                continue
            own = [cell for k in step.pieces for cell in where[k]]
            rest = [cell for k in separation.pieces if k not in step.pieces for cell in where[k]]
            if any(meets(lattice, mine, step.shift, theirs) for mine, theirs in product(own, rest)):
                found[number] = "is blocked"
            elif step.separates and not all(is_clear(lattice, mine, step.shift, c) for mine, c in product(own, rest)):
                found[number] = "does not t"
            for k in step.pieces:
                where[k] = [(u, *(x + s for x, s in zip(at, step.shift, strict=True))) for u, *at in where[k]]
    return found


def damaged(dice: Dice, plan: Disassembly) -> Disassembly:
    """The plan with one move that is another."""
    k = dice.below(len(plan.separations))
    separation = plan.separations[k]
    j = dice.below(len(separation.steps))
    step = separation.steps[j]
    others = [other.direction for other in plan.steps]
    step = dice.pick([
        replace(step, distance=step.distance + dice.between(1, 3)),
        replace(step, distance=step.distance + dice.pick([70, FAR])),
        replace(step, distance=max(1, step.distance - 1)),
        replace(step, direction=tuple(-x for x in step.direction)),
        replace(step, direction=dice.pick(others)),
        replace(step, pieces=tuple({*separation.pieces} - {*step.pieces})),
        replace(step, pieces=tuple(sorted({*step.pieces} ^ {dice.pick(separation.pieces)}))),
    ])  # fmt: skip
    steps = (*separation.steps[:j], step, *separation.steps[j + 1 :])
    changed = replace(separation, steps=steps)
    return replace(plan, separations=(*plan.separations[:k], changed, *plan.separations[k + 1 :]))


@pytest.mark.parametrize("room", [slide_replay.MOST_ROOM, 60])
def test_slides_are_judged_as_cell_by_cell(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In many batches, and with grids that are too large for some slides."""
    monkeypatch.setattr(slide_replay, "MOST_CELLS", 100)
    monkeypatch.setattr(slide_replay, "MOST_ROOM", room)
    kinds: Counter[str] = Counter()
    for seed in range(8):
        dice = Seeded(f"replay {room} {seed}")
        ground = any_ground(dice)
        for _ in range(3):
            puzzle, solution = random_assembly(dice, ground).puzzle()
            (plan,) = Assembler(puzzle, in_plane=puzzle.lattice.dimension < 3).take_apart([solution])
            plans = [(solution, p) for p in (plan, *(damaged(dice, plan) for _ in range(8 * bool(plan.steps))))]
            found = faults_of_each(puzzle, plans)
            assert not found[0]
            for (_, each), faults in zip(plans, found, strict=True):
                named = {int(m[1]): m[2][:10] for fault in faults if (m := FAULT.fullmatch(fault))}
                of_slides = {move: text for move, text in named.items() if text in ("is blocked", "does not t")}
                expected = faults_of_slides(puzzle.lattice, solution, each, named.keys() - of_slides.keys())
                assert of_slides == expected
                kinds.update(of_slides.values())
    assert min(kinds["is blocked"], kinds["does not t"]) > 5


def two_cubes(distance: int, shift, *, n_steps: int = 1):
    """Two cubes, the second of which lies *distance* to the east, and the plan by which the first goes away."""
    puzzle, solution = assembled(CUBIC, [[(0, 0, 0, 0)], [(0, distance, 0, 0)]])
    step = Step((0,), shift, n_steps, separates=True)
    return puzzle, solution, Disassembly("apart", 2, (Separation((0, 1), (step,), (1,), (0,)),))


@pytest.mark.parametrize("distance", [2, 40, 100_000])
def test_nothing_is_in_the_way_of_a_slide_however_long(distance: int) -> None:
    """A part through a part, a part beside it, and one that does not get there."""
    for shift, n_steps, fault in (
        ((1, 0, 0), distance + 1, "is blocked"),
        ((1, 0, 0), distance - 1, "does not take"),
        ((1, 0, 0), distance, "is blocked"),
        ((-1, 0, 0), 1, ""),
        ((0, 1, 0), 1, ""),
    ):
        faults = disassembly_faults(*two_cubes(distance, shift, n_steps=n_steps))
        assert (fault in faults[0]) if fault else not faults


def test_pieces_that_lie_far_apart_are_checked_too() -> None:
    """The grid of the cells that stay would be too large."""
    far = [(0, 0, 0, 0), (0, 3, 0, 0), (0, 1 << 18, 1 << 18, 1 << 18)]
    puzzle, solution = assembled(CUBIC, [[far[0]], far[1:]])
    for distance, result in ((2, ["move 1 does not take the pieces clear of the others"]), (3, None), (1 << 19, None)):
        step = Step((0,), (1, 0, 0), distance, separates=True)
        plan = Disassembly("apart", 2, (Separation((0, 1), (step,), (1,), (0,)),))
        faults = disassembly_faults(puzzle, solution, plan)
        assert faults == (result or ["move 1 is blocked: piece 0 meets piece 1"])


def test_pieces_that_are_none_are_refused() -> None:
    """A plan may come from a file."""
    puzzle, solution, plan = two_cubes(2, (-1, 0, 0))
    (separation,) = plan.separations
    for pieces in ((0, 1, 2), (-1, 0), (0, 0, 1), ()):
        wrong = replace(plan, separations=(replace(separation, pieces=pieces),))
        assert bool(disassembly_faults(puzzle, solution, wrong)) == (pieces != (0, 0, 1))
