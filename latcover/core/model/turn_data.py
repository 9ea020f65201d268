"""Turns of parts: what is asked, and what is known of one. Plain data; nothing here searches."""

from __future__ import annotations

from math import ceil
from typing import Any, Literal

from msgspec import Struct

from latcover.core.model.request_values import MOST_BEVEL, MOST_PLAY
from latcover.errors import PuzzleError

Sense = Literal["left", "right"]
FARTHEST = 1 << 20  # lattice steps that a move may lead
PLAYS = 1000  # a play is told in thousandths, rounded up, so that nobody makes parts that are too tight


class Turning(Struct, frozen=True):
    """How much room parts have to turn.

    Attributes:
        play: How far each side of a part lies within its cells, as a share of the shortest edge of a cell.
        bevel: How much of both sides is cut off at each convex edge along the axis, as a share of the same.
    """

    play: float = 0.04
    bevel: float = 0.0

    def __post_init__(self) -> None:
        for name, value, most in (("play", self.play, MOST_PLAY), ("bevel", self.bevel, MOST_BEVEL)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
                raise PuzzleError(f"{name} must be a number from 0 to {most}, a share of an edge, not {value!r:.40}")

    def with_room(self, play: float | None, bevel: float | None) -> Turning:
        """The same with another play or bevel; None keeps it."""
        return Turning(self.play if play is None else play, self.bevel if bevel is None else bevel)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"play": self.play, "bevel": self.bevel}


def play_as_told(play: float) -> float:
    """A play as answers tell it, rounded up to a thousandth."""
    return ceil(round(play * PLAYS, 6)) / PLAYS


class Giving(Struct, frozen=True):
    """How one piece gives way while others turn, or how a piece that turns departs from the path of the others.

    Attributes:
        piece: Its index into the placements of the solution.
        path: Its poses, one beside each pose of `Turn.path`, of the same form and about the same middle. The first is
            at rest. The last is at rest for a piece that gives way, and that of the turn for a piece that turns.
    """

    piece: int
    path: tuple[tuple[float, ...], ...]


class Turn(Struct, frozen=True):
    """Cells turn together about an axis, and shift in the plane across it while they turn; they may tilt meanwhile.

    Attributes:
        axis: A unit vector along the axis, Cartesian; (0, 0, 1) in the plane.
        angle: Of the whole turn, in degrees; to the left, seen against the axis, if positive.
        transformation: The index of its lattice rotation in `Lattice.transformations`.
        shift: A cell ends where the rotation takes it, this many lattice steps further.
        certain: Whether it was proved; otherwise it is too tight to tell.
        middle: The point about which the angles of the path are measured, Cartesian.
        path: Poses from the start to the end, straight between each other: the angle in degrees, and the Cartesian
            shift of the middle. Empty if the turn is not certain. If parts tilt, three more numbers of every pose of
            the turn are a rotation vector across the axis in degrees, by which parts are turned after the angle, about
            the middle; and shifts may lead along the axis, too.
        least_play: The least play at which the turn is known to be certain, if that was looked for.
        giving: The pieces that give way meanwhile, and those that turn on a path of their own, ascending. All others
            stay, or turn on `path`. All move at once: pose k of each path is at the same time.
    """

    axis: tuple[float, float, float]
    angle: float
    transformation: int
    shift: tuple[int, ...]
    certain: bool
    middle: tuple[float, ...]
    path: tuple[tuple[float, ...], ...] = ()
    least_play: float | None = None
    giving: tuple[Giving, ...] = ()

    @property
    def tilts(self) -> bool:
        """Whether its poses say how parts tilt."""
        return any(len(pose) > len(self.middle) + 1 for pose in self.path)

    @property
    def sense(self) -> Sense:
        """Which way it turns, seen against the axis."""
        return "left" if self.angle > 0 else "right"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "axis": list(self.axis),
            "sense": self.sense,
            "angle": self.angle,
            "transformation": self.transformation,
            "shift": list(self.shift),
            "certain": self.certain,
            "middle": list(self.middle),
            "path": [list(pose) for pose in self.path],
            "least_play": self.least_play,
            "giving": [{"piece": one.piece, "path": [list(pose) for pose in one.path]} for one in self.giving],
        }
