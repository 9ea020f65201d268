"""Turns in which parts tilt, because they need more play in a plane."""

from __future__ import annotations

from math import isclose, pi

import numpy as np
import pytest

from latcover.core.model.turn_data import Turning
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.giving import GivingTask, given_way, least_given_way
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.tilting import from_poses, to_poses
from latcover.lab.assembly.turning import TurnQuestion, proved_turns

CUBIC = load_lattice("cubic")
LOW = {(0, y, 0) for y in range(3)} | {(x, 0, 0) for x in range(3)}
HIGH = {(3, y, 2) for y in range(1, 4)} | {(x, 3, 2) for x in range(1, 4)}
WALLS = np.array([(0, *cell) for cell in sorted(LOW | HIGH)], np.int32)
PLATE = np.array([(0, 1, y, z) for y in (1, 2) for z in range(3)], np.int32)
"""It turns between walls that make a hole of 2 x 2, of which two stand in the lowest layer and two in the highest."""
LOOSE = 0.06


@pytest.fixture(scope="module")
def guide():
    axis = next(axis for axis in axes(CUBIC) if axis.direction[2] == 1)
    rotation = next(each for each in axis.rotations if isclose(each.angle, pi / 2))
    found = proved_turns(TurnQuestion(CUBIC, [PLATE], [WALLS], Turning(LOOSE)), axis, rotation)
    return GivingTask(CUBIC, axis, {0: WALLS, 1: PLATE}, (1,), 0.0), found[0]


def test_a_plate_tilts_between_walls_that_are_too_near_in_a_plane(guide) -> None:
    """In the plane it needs what a bar of two needs in a hole of 2 x 2: a play of 0.0505."""
    task, turn = guide
    upright = given_way(task, turn, LOOSE, 0.052).turn
    assert upright is not None
    assert not upright.tilts
    tilted = given_way(task, turn, LOOSE, 0.04).turn
    assert tilted is not None
    assert tilted.tilts
    assert task.faults(tilted, 0.04) == []
    assert task.faults(tilted, 0.02) != []
    assert least_given_way(task, tilted, 0.04) < 0.036


def test_what_tilts_is_followed_on_from_its_own_path(guide) -> None:
    task, turn = guide
    tilted = given_way(task, turn, LOOSE, 0.045).turn
    rows = from_poses(task.axis, np.array(tilted.path))
    assert np.abs(to_poses(task.axis, rows) - np.array(tilted.path)).max() < 1e-9
    assert least_given_way(task, tilted, 0.045) < 0.04
