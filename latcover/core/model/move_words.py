"""The moves of a disassembly in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, degrees, hypot

import numpy as np

from latcover.core.model.disassembly import Pieces, Step, Vector
from latcover.core.model.giving_way import giving_way, pushed
from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turn, play_as_told

COMPASS = (
    "east", "east-northeast", "northeast", "north-northeast", "north", "north-northwest", "northwest", "west-northwest",
    "west", "west-southwest", "southwest", "south-southwest", "south", "south-southeast", "southeast", "east-southeast",
)  # fmt: skip
ARROWS = "→↗↑↖←↙↓↘"  # every 45 degrees, anticlockwise from the east
ANGLES = {60: "a sixth", 90: "a quarter", 120: "a third", 180: "half a turn"}  # in degrees
LEVEL = 1e-6  # of the length of a vector: a smaller part of it counts as nothing


def piece_names(solution: Solution, form: str = "{} ({})") -> list[str]:
    """A name for each piece: its part's; *form* adds a number where several copies are used."""
    copies, seen = Counter(placed.part for placed in solution.placements), Counter[str]()
    names = []
    for placed in solution.placements:
        seen[placed.part] += 1
        names.append(placed.part if copies[placed.part] == 1 else form.format(placed.part, seen[placed.part]))
    return names


def listed(pieces: Pieces, names: Sequence[str]) -> str:
    """The names of some pieces, as in "A, B and C"."""
    chosen = [names[k] for k in pieces]
    return chosen[0] if len(chosen) == 1 else f"{', '.join(chosen[:-1])} and {chosen[-1]}"


def level_as_text(level: tuple[int, ...]) -> str:
    """A level as BurrTools writes it, such as 98.2.5."""
    return ".".join(map(str, level))


def direction_as_text(lattice: Lattice, direction: Vector) -> str:
    """The label of the half-edge that leads this way, if all cells have it; else the nearest words of the compass."""
    return _label(lattice, direction) or _compass(*_cartesian(lattice, direction))


def direction_with_arrow(lattice: Lattice, direction: Vector) -> str:
    """The arrow of a direction in the picture of a layer, north at the top; with the half-edge's label, or up or down.

    As in "← west", "up", "↖ and down".
    """
    x, y, z = _cartesian(lattice, direction)
    length, label = hypot(x, y, z), _label(lattice, direction)
    if hypot(x, y) <= LEVEL * length:
        return label or _compass(x, y, z)
    if not label and abs(z) > LEVEL * length:
        label = f"and {'up' if z > 0 else 'down'}"
    elif not label and abs(abs(x) - abs(y)) > LEVEL * length and min(abs(x), abs(y)) > LEVEL * length:
        label = _compass(x, y, z)  # the arrow alone would stand for several directions of some lattices
    return f"{arrow_towards(x, y)} {label}".rstrip()


def arrow_towards(x: float, y: float) -> str:
    """The arrow that points most nearly to a direction on a page, y upwards."""
    return ARROWS[round(degrees(atan2(y, x)) / 45) % 8]


def _label(lattice: Lattice, direction: Vector) -> str:
    """The label of the half-edge that leads this way, if all cells have it; else nothing."""
    edges = lattice.half_edges if len(lattice.nodes) == 1 else ()
    return next((edge.label for edge in edges if edge.step == tuple(direction)), "")


def _cartesian(lattice: Lattice, direction: Vector) -> tuple[float, float, float]:
    x, y, z = [*(np.array(direction) @ lattice.basis).tolist(), 0.0, 0.0][:3]
    return x, y, z


def _compass(x: float, y: float, z: float) -> str:
    """The nearest words of the compass to a Cartesian direction."""
    length, level = hypot(x, y, z), hypot(x, y)
    words = []
    if level > LEVEL * length:
        words.append(COMPASS[round(degrees(atan2(y, x)) / 22.5) % 16])
    if abs(z) > LEVEL * length:
        words.append("up" if z > 0 else "down")
    return " and ".join(words)


def turn_as_text(lattice: Lattice, turn: Turn, *, backwards: bool = False) -> str:
    """A turn, as in "a quarter to the left about the upright axis".

    Left is anticlockwise where the axis points towards the viewer. An axis points up, or as far to the east as it can.
    """
    axis = np.array(turn.axis)
    up = axis[2] if abs(axis[2]) > LEVEL else axis[0] if abs(axis[0]) > LEVEL else axis[1]
    left = (turn.angle > 0) == (up > 0)
    way = f"{_share(turn)} to the {'left' if left != backwards else 'right'}"
    if lattice.dimension < 3:
        return way
    if abs(axis[2]) > 1 - LEVEL:
        return f"{way} about the upright axis"
    return f"{way} about the axis that points {_compass(*(axis if up > 0 else -axis).tolist())}"


def _share(turn: Turn) -> str:
    """How far a turn goes, as in "a quarter"."""
    return ANGLES.get(round(abs(turn.angle)), f"by {abs(turn.angle):g} degrees")


def move_as_text(
    lattice: Lattice, step: Step, names: Sequence[str], *, backwards: bool = False, directed: bool = True
) -> str:
    """A move, as in "parts A and C slide 2 up"; *backwards* puts together what the move takes apart.

    A turn is as in "part C turns a quarter to the left about the upright axis". If parts give way, it is as in "push
    part A aside a little, then turn part C ..." or "part C turns ...; A and B give way": `pushed` says when.
    Without *directed* the direction is left out, for a text beside an arrow.
    """
    one = len(step.pieces) == 1
    who = _parts(step.pieces, names)
    if step.turn is not None:
        how = turn_as_text(lattice, step.turn, backwards=backwards) if directed else _share(step.turn)
        hand, rest = pushed(step), tuple(giving.piece for giving in giving_way(step))
        if hand:
            return f"push {_parts(hand, names)} aside a little, then turn {who} {how}"
        return f"{who} {'turns' if one else 'turn'} {how}{_gives_way(rest, names)}"
    way = direction_as_text(lattice, tuple(-x for x in step.direction) if backwards else step.direction)
    where = f" {way}" if directed else ""
    slide = "slides" if one else "slide"
    if not step.separates:
        return f"{who} {slide} {step.distance}{where}"
    if backwards:
        return f"put in {who}{'' if one else ' together'}{f', going{where}' if where else ''}"
    return f"{who} {slide}{where} and {'comes' if one else 'come'} off{'' if one else ' together'}"


def _parts(pieces: Pieces, names: Sequence[str]) -> str:
    return f"{'part' if len(pieces) == 1 else 'parts'} {listed(pieces, names)}"


def _gives_way(pieces: Pieces, names: Sequence[str]) -> str:
    return f"; {listed(pieces, names)} {'gives' if len(pieces) == 1 else 'give'} way" if pieces else ""


def turn_in_plan(lattice: Lattice, step: Step, turn: Turn, names: Sequence[str]) -> str:
    """A turn as a plan says it: as `move_as_text`, and short."""
    who, how = listed(step.pieces, names), turn_as_text(lattice, turn)
    together = "" if len(step.pieces) == 1 else " together"
    if hand := pushed(step):
        return f"push {listed(hand, names)} aside a little, then turn {who}{together} {how}"
    rest = tuple(giving.piece for giving in giving_way(step))
    return f"{who} {'turn' if together else 'turns'}{together} {how}{_gives_way(rest, names)}"


def play_in_words(play: float, edge: float | None = None) -> str:
    """As in "needs a play of 0.022 (0.35 mm a side at a cell of 16 mm)".

    Args:
        play: A share of the shortest edge of a cell.
        edge: That edge in mm, if it is known.
    """
    words = f"needs a play of {play_as_told(play):g}"
    return words if edge is None else f"{words} ({play * edge:.2f} mm a side at a cell of {edge:g} mm)"
