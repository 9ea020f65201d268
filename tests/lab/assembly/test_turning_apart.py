"""Taking apart by turning: against brute force that asks for each turn by itself, and boxes that are known."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.turn_bounds import BOUNDS
from latcover.core.model.turn_data import Turning
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.lab.assembly.turning import turns
from latcover.show.reporting.assembly_report import result_as_text
from tests.random_assemblies import assembled

CASES = Path(__file__).parent / "cases"
CUBIC = load_lattice("cubic")
HOLE = set(product(range(3), range(3), [0]))
BAR = [(0, 0, 0, 0), (0, 0, 1, 0)]


def boxed(slot, wall=(range(-1, 4), range(-1, 4), range(-1, 3))):
    """A bar in a hole of 3 x 3 under a lid with a slot."""
    return [[(0, *c) for c in product(*wall) if c not in HOLE | set(slot)], BAR]


ACROSS = [(1, 1, 1), (2, 1, 1), (1, 1, 2), (2, 1, 2)]
TOO_SHORT = [(1, 1, 1), (1, 1, 2)]


def taken(pieces, lattice=CUBIC, **options):
    puzzle, solution = assembled(lattice, pieces)
    (found,) = Assembler(puzzle, **options).take_apart([solution])
    return found


def test_a_bar_leaves_its_box_by_one_turn():
    assert taken(boxed(ACROSS)).result == "stuck"
    found = taken(boxed(ACROSS), turns="needed")
    assert (found.result, found.level, found.turns, found.least) == ("apart", (2,), 1, True)
    assert found.steps[0].turn.least_play < 0.04
    assert found.turning == Turning()


def test_of_a_bar_that_no_turn_frees_nothing_is_claimed():
    found = taken(boxed(TOO_SHORT), turns="needed", turning=Turning(0.01))
    assert (found.result, found.turns, found.stop) == ("unproved", 0, "")
    assert ("too tight" in found.bounds) == bool(found.tight)


def corridors(width=8, length=26):
    """A bar of 20 in two corridors that meet in a corner; the second one is open at its end."""
    room = {cell for x, y in product(range(length), range(width)) for cell in ((x, y), (y, x))}
    open_end = {(length, y) for y in range(width)}
    walls = {(x + i, y + j) for x, y in room for i, j in product((-1, 0, 1), repeat=2)} - room - open_end
    return [[(0, *c) for c in sorted(walls)], [(0, 0, y) for y in range(3, 23)]]


@pytest.mark.long
def test_a_bar_rounds_a_corner_with_no_play_at_all():
    pieces, square = corridors(), load_lattice("square")
    assert taken(pieces, square, in_plane=True).result == "stuck"
    found = taken(pieces, square, in_plane=True, turns="needed", turning=Turning(0.0))
    assert (found.result, found.level, found.turns, found.needed_play) == ("apart", (2,), 1, 0.0)


@pytest.mark.parametrize("bar", [[(0, 0, 0), (0, 1, 0)], [(0, 1, 0), (0, 2, 0)], [(0, 0, 1), (0, 1, 1)]])
def test_a_bar_turns_in_contact_and_leaves_by_a_window_of_one_cell(bar):
    room = set(product(range(3), repeat=2))
    walls = {(x + i, y + j) for x, y in room for i, j in product((-1, 0, 1), repeat=2)} - room - {(0, 3)}
    pieces = [[(0, *cell) for cell in sorted(walls)], bar]
    found = taken(pieces, load_lattice("square"), in_plane=True, turns="needed", turning=Turning(0.0))
    assert (found.result, found.level, found.turns, found.needed_play) == ("apart", (2,), 1, 0.0)


def loose(name, play):
    puzzle = latcover.load(CASES / f"{name}.toml")
    solution = next(latcover.solutions(puzzle))
    (found,) = Assembler(puzzle, in_plane=True, turns="needed", turning=Turning(play)).take_apart([solution])
    assert disassembly_faults(puzzle, solution, found) == []
    return found


@pytest.mark.parametrize(
    ("name", "play", "level", "least"),
    [("loose-frame", 0.036, (2,), 0.0354), ("loose-walls", 0.03, (2, 2, 2), 0.0279)],
)
def test_bars_come_out_where_walls_give_way(name, play, level, least):
    """The least play is that of closed forms."""
    found = loose(name, play)
    assert (found.result, found.level, found.least) == ("apart", level, False)
    assert any(step.turn is not None and step.turn.giving for step in found.steps)
    assert least - 0.0001 < found.needed_play < least + 0.001


@pytest.mark.parametrize(
    ("name", "play"),
    [
        pytest.param("loose-frame", 0.034, marks=pytest.mark.long),
        pytest.param("loose-walls", 0.027, marks=pytest.mark.long),
    ],
)
def test_below_its_least_play_no_bar_is_said_to_come_out(name, play):
    found = loose(name, play)
    assert found.result == "unproved"
    assert {"others are pushed", "lattice places", "few steps"} <= set(found.bounds)
    assert loose(name, found.certain_at).result == "apart"


def test_a_verdict_rests_on_bounds_if_and_only_if_it_is_not_proved():
    for result, bounds in (("stuck", ("two steps",)), ("unproved", ()), ("apart", ("others stay",))):
        with pytest.raises(ValueError, match="does not rest on"):
            Disassembly(result, 3, bounds=bounds)


def test_the_page_names_each_bound_as_the_program_does():
    page = (Path(__file__).parents[3] / "docs" / "explanation" / "assembly.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z ]+)` \| ([^|]+) \|", page, re.MULTILINE))
    assert {name: rows.get(name) for name in BOUNDS} == BOUNDS


def test_what_slides_take_apart_keeps_its_plan():
    pieces = [[(0, x, y, 0) for x, y in product(range(-1, 4), repeat=2) if not (0 <= x < 3 and 0 <= y < 3)], BAR]
    slid = taken(pieces)
    assert slid.result == "apart"
    assert taken(pieces, turns="needed") == slid
    always = taken(pieces, turns="always")
    assert (always.level, always.turns) == (slid.level, 0)


def test_balls_and_twelve_sided_cells_only_slide():
    for name in ("fcc", "rhombic"):
        puzzle, _ = assembled(load_lattice(name), [[(0, 0, 0, 0)], [(0, 4, 0, 0)]])
        assert "turns are not examined" in Assembler(puzzle, turns="needed").only_slides


def test_threads_change_nothing():
    puzzle, solution = assembled(CUBIC, boxed(ACROSS))
    one, two = (Assembler(puzzle, turns="always").take_apart([solution], threads=n)[0] for n in (1, 2))
    assert one == two
    assert (one.states, one.tight) == (two.states, two.tight)


def test_a_limit_of_positions_is_said():
    puzzle, solution = assembled(CUBIC, boxed(TOO_SHORT))
    (found,) = Assembler(puzzle, turns="always").take_apart([solution], ApartLimits(2))
    assert (found.result, found.stop) == ("unknown", "state limit")


def crowd(n):
    """In a plane: walls, a bar in a hole of 3 x 3 with a slot to the left, and squares, each in a hole of its own."""
    side = int(np.ceil(np.sqrt(n)))
    places = [(4 + 2 * (k // side), 2 * (k % side)) for k in range(n)]
    walls = set(product(range(-1, 5 + 2 * side), range(-1, max(4, 2 * side)))) - {(0, 1)}
    walls -= {*places, (-1, 1), *product(range(3), range(3))}
    return [[(0, *c) for c in sorted(walls)], [(0, 1, 0), (0, 1, 1)], *([(0, *c)] for c in places)]


@pytest.mark.long
def test_of_more_than_sixteen_parts_only_single_ones_turn_and_that_is_said():
    puzzle, solution = assembled(load_lattice("square"), crowd(15))
    together = [part if k == 1 else replace(part, groups=(("walls", None),)) for k, part in enumerate(puzzle.parts)]
    puzzle = replace(puzzle, parts=tuple(together))
    (found,) = Assembler(puzzle, in_plane=True, turns="needed").take_apart([solution])
    assert (found.result, found.level, found.turns) == ("apart", (2,), 1)
    assert "perhaps fewer" in result_as_text(found)


@pytest.mark.parametrize(("n", "bound"), [(16, "single parts"), (64, "no turns")])
def test_too_many_parts_to_turn_together_prove_nothing(n, bound):
    walls, bar, *squares = crowd(n)
    closed = walls + bar + [(0, 0, 1), (0, -1, 1)]
    pieces, square = [closed, *squares], load_lattice("square")
    assert taken(pieces, square, in_plane=True).result == "stuck"
    found = taken(pieces, square, in_plane=True, turns="needed")
    assert (found.result, found.tight) == ("unproved", 0)
    assert bound in found.bounds


def test_slides_of_many_parts_are_tried_although_they_are_too_many_to_turn():
    found = taken([[(0, x, 0)] for x in range(65)], load_lattice("square"), in_plane=True, turns="always")
    assert found.result == "apart"


class Oracle:
    """Breadth-first over the cells of two or three pieces: all sets, slides step by step, turns one by one."""

    def __init__(self, lattice, pieces, turning, patience=60):
        self.lattice, self.turning, self.patience = lattice, turning, patience
        self.start = tuple(tuple(map(tuple, piece)) for piece in pieces)

    def fewest(self):
        """The least moves to a separation, and the turns among them; None: it does not come apart."""
        front, seen, depth = {self.start: 0}, {self.normal(self.start)}, 0
        while front:
            depth += 1
            after, exits = {}, []
            for state, n_turns in front.items():
                for there, turned in self.moves(state):
                    if there is None:
                        exits.append(n_turns)
                    elif (key := self.normal(there)) not in seen or key in {self.normal(s) for s in after}:
                        seen.add(key)
                        after[there] = min(after.get(there, 99), n_turns + turned)
            if exits:
                return depth, min(exits)
            front = after
            if len(seen) > self.patience:
                pytest.skip("too many positions for brute force")
        return None

    def normal(self, state):
        least = np.array([cell[1:] for piece in state for cell in piece]).min(axis=0)
        return tuple(tuple(sorted((c[0], *(np.array(c[1:]) - least).tolist()) for c in piece)) for piece in state)

    def moves(self, state):
        n = len(state)
        for size in range(1, n):
            for movers in combinations(range(n), size):
                own = [np.array(state[k], np.int32) for k in movers]
                rest = [np.array(state[k], np.int32) for k in range(n) if k not in movers]
                for axis, sign in product(range(3), (1, -1)):
                    way = np.zeros(3, int)
                    way[axis] = sign
                    for steps in range(1, 14):
                        if self.meets(own, rest, way * steps):
                            break
                        yield self.after(state, movers, lambda c, by=way * steps: (c[0], *(np.array(c[1:]) + by))), 0
                    else:
                        yield None, 0
                if sum(map(len, own)) > sum(map(len, rest)):
                    continue  # the smaller side turns
                for turn in turns(self.lattice, own, rest, self.turning, deepest=11, most_boxes=8000):
                    if turn.certain:
                        transformation = self.lattice.transformations[turn.transformation]
                        shift = np.array([0, *turn.shift], np.int32)
                        yield (
                            self.after(
                                state,
                                movers,
                                lambda c, t=transformation, s=shift: tuple((t.apply(np.array([c], np.int32)) + s)[0]),
                            ),
                            1,
                        )

    def meets(self, own, rest, way):
        taken = {tuple(cell) for piece in rest for cell in piece.tolist()}
        return any((u, *(np.array(at) + way).tolist()) in taken for piece in own for u, *at in piece.tolist())

    def after(self, state, movers, move):
        return tuple(
            tuple(tuple(map(int, move(c))) for c in piece) if k in movers else piece for k, piece in enumerate(state)
        )


def random_box(rng):
    """A bar or an L in a box with a few windows."""
    part = rng.choice([[(1, 1, 0), (1, 2, 0)], [(1, 1, 0), (1, 2, 0), (2, 1, 0)], [(0, 0, 0), (0, 1, 0)]])
    walls = [c for c in product(range(-1, 4), range(-1, 4), range(-1, 2)) if c not in HOLE]
    lid = [c for c in walls if c[2] == 1 and 0 <= c[0] < 3 and 0 <= c[1] < 3]
    open_cells = set(rng.sample(lid, rng.randint(1, 4)))
    return [[(0, *c) for c in walls if c not in open_cells], [(0, *c) for c in part]]


@pytest.mark.long
def test_random_boxes_need_as_few_moves_and_turns_as_brute_force_finds():
    rng, seen = Random(11), set()
    for _ in range(20):
        pieces = random_box(rng)
        found = taken(pieces, turns="always", turning=Turning(0.06))
        expected = Oracle(CUBIC, pieces, Turning(0.06)).fewest()
        seen.add(found.result)
        if expected is None:
            assert found.result == "unproved"
        else:
            assert (found.result, found.level[0], found.turns) == ("apart", *expected)


@pytest.mark.parametrize("play", [0.02, 0.08])
def test_the_room_to_turn_is_kept_in_puzzle_files(play):
    from latcover.files.formats.library import loads
    from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

    puzzle, _ = assembled(CUBIC, boxed(ACROSS))
    (read,) = [loads(puzzle_as_toml([replace(puzzle, turning=Turning(play, 0.1))]))]
    assert read.turning == Turning(play, 0.1)
