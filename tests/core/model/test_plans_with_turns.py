"""Plans that hold turns: where pieces are after them, their data, and the replay of plans that are wrong."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.disassembly import Disassembly, Pose, Separation, Step, disassembly_of, turning_step
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.turn_data import Giving, Turn, Turning
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.taking_apart import usual_turns
from latcover.lab.assembly.turning import turns
from tests.random_assemblies import assembled

CUBIC = load_lattice("cubic")
HOLE = [(0, x, y, 0) for x, y in product(range(-1, 4), repeat=2) if not (0 <= x < 3 and 0 <= y < 3)]
BAR = [(0, 0, 0, 0), (0, 0, 1, 0)]
PLAY = Turning(0.05)


@pytest.fixture(scope="module")
def framed():
    """A bar in a hole of 3 x 3: it turns a quarter, and is then lifted."""
    puzzle, solution = assembled(CUBIC, [HOLE, BAR])
    parts = [np.array(placed.cells, np.int32) for placed in solution.placements]
    turn = next(t for t in turns(CUBIC, parts[1:], parts[:1], PLAY) if t.certain and t.angle == 90)
    steps = (turning_step((1,), turn), Step((1,), (0, 0, 1), 1, separates=True))
    plan = Disassembly("apart", 2, (Separation((0, 1), steps, (0,), (1,)),), turning=PLAY)
    return puzzle, solution, plan


def test_python_takes_apart_as_the_command_does() -> None:
    """With turns where the puzzle's file has room for them, or else where they are asked for."""
    turning, sliding = (next(latcover.solutions(name)) for name in ("turning-bar-1", "burr-piston"))
    taken: list[Any] = []
    events = latcover.Events()
    events.on_solution = taken.append  # type: ignore[method-assign]
    latcover.apart("turning-bar-1", latcover.AssembleRequest(limit=1), events)
    plan = latcover.disassemble(turning)
    assert plan.turns == 1
    assert plan.as_json() == taken[0].disassembly.as_json()
    assert latcover.disassemble(turning, turns="never").result == "stuck"
    assert not latcover.disassemble(sliding).turns
    assert usual_turns(None) == "never" != usual_turns(Turning(play=0.1))


def test_a_plan_with_a_turn_passes_its_replay_and_counts_its_turns(framed):
    puzzle, solution, plan = framed
    assert disassembly_faults(puzzle, solution, plan) == []
    assert (plan.level, plan.turns) == ((2,), 1)
    assert "level 2 (1 turn), 2 moves" in repr(plan)


def test_its_data_is_read_as_it_was_written(framed):
    plan = framed[2]
    data = json.loads(json.dumps(plan.as_json()))
    assert disassembly_of(data) == plan
    assert data["turns"] == 1
    turning, sliding = data["separations"][0]["steps"]
    assert "turn" not in sliding
    assert turning["turn"]["sense"] == "left"
    assert turning["turn"]["path"][0] == [0, 0, 0, 0]


def test_what_gives_way_is_kept_and_older_plans_without_it_are_read(framed):
    puzzle, solution, plan = framed
    path = plan.steps[0].turn.path
    given = changed(plan, replace_turn={"giving": (Giving(0, ((0.0,) * 4,) * len(path)),)})
    data = json.loads(json.dumps(given.as_json()))
    assert disassembly_of(data) == given
    assert data["separations"][0]["steps"][0]["turn"]["giving"][0]["piece"] == 0
    assert disassembly_faults(puzzle, solution, given) == []
    del data["separations"][0]["steps"][0]["turn"]["giving"]
    assert disassembly_of(data) == plan
    data["separations"][0]["steps"][0]["turn"]["giving"] = [{"piece": "all", "path": []}]
    with pytest.raises(ValueError, match="piece"):
        disassembly_of(data)


def test_pieces_are_where_the_turn_takes_them(framed):
    _, solution, plan = framed
    at_rest, turned = plan.poses(CUBIC, 0)[1], plan.poses(CUBIC, 1)[1]
    cells = np.array(solution.placements[1].cells, np.int32)
    assert (at_rest.apply(cells, CUBIC) == cells).all()
    turn = plan.steps[0].turn
    expected = CUBIC.transformations[turn.transformation].apply(cells)[:, 1:] + np.array(turn.shift)
    assert (turned.apply(cells, CUBIC)[:, 1:] == expected).all()
    assert plan.poses(CUBIC, 2)[1] == Pose(turned.transformation, (*turned.shift[:2], turned.shift[2] + 1))


@pytest.mark.parametrize("name", ["hexprism", "triprism", "triangular", "tetraocta"])
def test_poses_follow_each_other_on_every_lattice(name):
    lattice = load_lattice(name)
    rng = np.random.default_rng(3)
    n, dimension = len(lattice.transformations), lattice.dimension
    cells = rng.integers(-3, 4, (9, dimension + 1)).astype(np.int32)
    cells[:, 0] %= len(lattice.nodes)
    pose, where = Pose(0, (0,) * dimension), cells
    for _ in range(6):
        shift = tuple(rng.integers(-4, 5, dimension).tolist())
        turn = replace(a_turn(lattice, int(rng.integers(n))), shift=shift)
        pose = pose.after(turning_step((0,), turn), lattice)
        where = lattice.transformations[turn.transformation].apply(where)
        where[:, 1:] += np.array(shift)
        assert (pose.apply(cells, lattice) == where).all()


def a_turn(lattice, transformation):
    dimension = lattice.dimension
    return Turn((0.0, 0.0, 1.0), 90.0, transformation, (0,) * dimension, True, (0.0,) * dimension)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"shift": (9, 9, 9)}, "does not end where"),
        ({"transformation": 99}, "no such rotation"),
        ({"transformation": -1}, "no such rotation"),
        ({"axis": (0.0, 0.0, 0.0)}, "no direction"),
        ({"axis": (0.0, 0.0, float("nan"))}, "do not describe a turn"),
        ({"axis": (1.0, 0.0, 0.0)}, "no such rotation"),
        ({"angle": 180.0}, "no such rotation"),
        ({"middle": (0.0, 0.0)}, "do not describe a turn"),
        ({"path": ()}, "does not begin at rest"),
        ({"path": ((0.0, 0.0),)}, "do not describe a turn"),
        ({"path": ((0.0,) * 4,) * 10_001}, "more than 10,000 poses"),
        ({"giving": (Giving(2, ()),)}, "piece 2 gives way, but is not in the group"),
        ({"giving": (Giving(0, ((0.0,) * 4,)),)}, "the path of piece 0 has 1 poses"),
        ({"giving": (Giving(0, ((0.0,) * 3,)),)}, "do not describe a turn"),
        ({"certain": False}, "nothing proves"),
    ],
)
def test_the_replay_refuses_a_wrong_turn(framed, change, fault):
    puzzle, solution, plan = framed
    assert any(fault in one for one in disassembly_faults(puzzle, solution, changed(plan, replace_turn=change)))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"distance": 1}, "slides or separates while it turns"),
        ({"direction": (0, 0, 1)}, "slides or separates while it turns"),
        ({"direction": (0, 0)}, "goes nowhere"),
        ({"separates": True}, "slides or separates while it turns"),
        ({"turn": None}, "goes nowhere"),
    ],
)
def test_the_replay_refuses_a_wrong_step(framed, change, fault):
    puzzle, solution, plan = framed
    assert any(fault in one for one in disassembly_faults(puzzle, solution, changed(plan, replace_step=change)))


@pytest.mark.parametrize(("by", "fault"), [(0.09, ""), (0.11, "piece 1 touches piece 0")])
def test_in_space_what_gives_way_keeps_to_its_layers(framed, by, fault):
    """The frame moves towards the bar and back before that turns, first within the gap, and then further."""
    puzzle, solution, plan = framed
    turn = plan.steps[0].turn
    path = ((0.0,) * 4, (0.0,) * 4, *turn.path)
    frame = ((0.0,) * 4, (0.0, by, 0.0, 0.0), *[(0.0,) * 4] * len(turn.path))
    moved = changed(plan, replace_turn={"path": path, "giving": (Giving(0, frame),)})
    found = disassembly_faults(puzzle, solution, moved)
    assert [fault in text for text in found] == [True] * bool(fault)
    lifted = (*frame[:1], (0.0, 0.0, 0.0, by), *frame[2:])
    moved = changed(plan, replace_turn={"path": path, "giving": (Giving(0, lifted),)})
    assert "the path of piece 0 leaves the plane" in disassembly_faults(puzzle, solution, moved)[0]


def test_the_replay_refuses_turns_without_play_and_with_too_little(framed):
    puzzle, solution, plan = framed
    assert disassembly_faults(puzzle, solution, replace(plan, turning=None))
    assert disassembly_faults(puzzle, solution, replace(plan, turning=Turning(0.0)))


def test_the_replay_refuses_cells_that_are_no_prisms():
    puzzle, solution = assembled(load_lattice("rhombic"), [[(0, 0, 0, 0)], [(0, 4, 0, 0)]])
    lattice = puzzle.lattice
    number = next(
        k for k, t in enumerate(lattice.transformations)
        if t.proper and np.allclose(np.linalg.inv(lattice.basis) @ t.matrix.T @ lattice.basis, np.diag([-1, -1, 1]))
    )  # fmt: skip
    where = lattice.transformations[number].apply(np.array([(0, 0, 0, 0)], np.int32))
    shift = tuple((-where[0, 1:]).tolist())
    path = tuple((angle, 0.0, 0.0, 0.0) for angle in (0.0, 180.0))
    turn = replace(a_turn(lattice, number), angle=180.0, shift=shift, path=path)
    step = turning_step((0,), turn)
    last = Step((0,), (1, 0, 0), 9, separates=True)
    plan = Disassembly("apart", 2, (Separation((0, 1), (step, last), (1,), (0,)),), turning=PLAY)
    assert any("layers of prisms" in fault for fault in disassembly_faults(puzzle, solution, plan))


def changed(plan, replace_turn=None, replace_step=None):
    separation = plan.separations[0]
    step = separation.steps[0]
    if replace_turn:
        step = replace(step, turn=replace(step.turn, **replace_turn))
    step = replace(step, **(replace_step or {}))
    return replace(plan, separations=(replace(separation, steps=(step, separation.steps[1])),))
