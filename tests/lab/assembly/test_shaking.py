"""Turns among parts that give way, against brute force: a shaker that finds motions, and a judge that samples them.

`judged` is what any search of such turns can be given to.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.turn_data import Giving, Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.lab.assembly.turning import turns
from tests.hand_made_turns import LOOSE, ROOM, SQUARE, as_path, plane_turn
from tests.shipped import rest_long

pytest.importorskip("shapely")
from tests.random_turns import PLANE, SPACE, random_question
from tests.shaking_oracle import Shaker
from tests.turn_judge import Ground, refutation, refutations


def judged(lattice, pieces, moving, turn, play, samples=300):
    """What the replay and the judge say of a turn: nothing, of one that is certified."""
    return [
        *turn_faults(lattice, pieces, moving, turn, Turning(play)),
        *filter(None, [refutation(lattice, pieces, moving, turn, play, samples=samples)]),
    ]


@pytest.mark.parametrize(("loose", "found"), [((), False), ((2, 3), True)])
def test_the_shaker_turns_a_bar_only_where_walls_give_way(loose, found) -> None:
    """The bar needs a play of 0.0354 if they do, and of 0.0505 if they do not."""
    turn = Shaker(Ground.along(SQUARE, (0, 0, 1)), LOOSE, {1}, loose, 0.045, Random(1)).turn(np.pi / 2)
    assert (turn is not None) == found
    assert turn is None or 3 in {one.piece for one in turn.giving} <= {2, 3}
    assert turn is None or judged(SQUARE, LOOSE, {1}, turn, 0.045) == []
    assert turn is None or "overlap" in refutation(SQUARE, LOOSE, {1}, replace(turn, giving=()), 0.045)
    assert turn is None or "should" in refutation(SQUARE, LOOSE, {1}, replace(turn, shift=(0, 0)), 0.045)


@pytest.mark.parametrize(("kinds", "usual"), [(PLANE, 300), (SPACE, 100)])
def test_what_the_shaker_finds_is_certified_and_contradicts_nothing(kinds, usual, request) -> None:
    """Of single parts among others that stay, all turns are known; of others only those of the shaker."""
    rng, met = Random(usual), Counter()
    for case in range(usual if request.config.getoption("--long") else 1):
        asked = random_question(rng, kinds[case % len(kinds)])
        lattice, pieces, moving, play = asked.ground.lattice, asked.pieces, asked.moving, asked.play
        axis, others = tuple(asked.ground.axis.tolist()), [k for k in pieces if k not in moving]
        for loose in ((), others[1:]):
            turn = Shaker(asked.ground, pieces, moving, loose, play, rng).turn(asked.angle, trials=2)
            met[bool(loose), turn is not None] += 1
            assert turn is None or judged(lattice, pieces, moving, turn, play) == [], case
            if not loose and len(moving) == 1:
                known = turns(lattice, [pieces[k] for k in moving], [pieces[k] for k in others], Turning(play))
                ends = {(one.axis, one.transformation, one.shift) for one in known}
                assert turn is None or (axis, turn.transformation, turn.shift) in ends, case
                numbered = {k: pieces[k] for k in [*moving, *others]}
                certain = [one for one in known if one.certain]
                for one in rng.sample(certain, min(3, len(certain))):
                    assert refutation(lattice, numbered, moving, one, play, samples=200) == "", case
    if request.config.getoption("--long"):
        assert min(met[loose, True] for loose in (False, True)) > usual // 20


def bent(rng, path):
    """A path with one pose elsewhere: a little, or more."""
    poses, size = [list(pose) for pose in path], 10 ** rng.uniform(-4, -0.5)
    at = rng.randrange(1, len(path) - 1)
    for k, scale in enumerate((30, 1, 1)):
        poses[at][k] += rng.choice([0, 1]) * rng.gauss(0, size * scale)
    return as_path(poses)


@pytest.mark.parametrize("play", [0.045, 0.0])
def test_what_the_replay_passes_is_not_refuted_however_a_path_is_bent(play, request) -> None:
    """A motion that the shaker found, and one without play that slides in contact before it turns and afterwards."""
    rng = Random(3)
    if play:
        pieces = LOOSE
        turn = Shaker(Ground.along(SQUARE, (0, 0, 1)), LOOSE, {1}, (2, 3), play, rng).turn(np.pi / 2)
    else:
        pieces, middle = ROOM, (0.5, -1)
        path = [(0, 0, 0), (0, 0.5, 0), (0, *middle), (45, *middle), (90, *middle), (90, 0.5, -0.5), (90, -0.5, -0.5)]
        turn = plane_turn(ROOM[1], (1.5, -1), [*path, (90, 0.5, -0.5)])
    met: Counter[tuple[bool, bool]] = Counter()
    for _ in range(400 if request.config.getoption("--long") else 24):
        which = rng.choice(turn.giving) if play else None
        if which is None:
            worse = replace(turn, path=bent(rng, turn.path))
        else:
            others = [one for one in turn.giving if one is not which]
            worse = replace(turn, giving=(*others, Giving(which.piece, bent(rng, which.path))))
        faults = turn_faults(SQUARE, pieces, {1}, worse, Turning(play))
        refuted = refutation(SQUARE, pieces, {1}, worse, play, samples=2 * len(turn.path) + 50)
        assert faults or not refuted
        met[bool(faults), bool(refuted)] += 1
    assert met.total() / 10 < min(met[True, True], met[False, False])


@pytest.mark.parametrize(
    "name", rest_long(["turning-bar-1", "turning-hexes", "turning-cube"], ["turning-bar-1", "turning-cube"])
)
def test_plans_of_shipped_puzzles_are_not_refuted(name) -> None:
    puzzle, solution = latcover.load(name), next(latcover.solutions(name))
    plan = latcover.disassemble(solution)
    assert plan.turns
    assert list(refutations(puzzle.lattice, solution, plan, samples=200)) == []
    worse = replace(plan, turning=Turning(0.0))
    assert list(refutations(puzzle.lattice, solution, worse, samples=200))
