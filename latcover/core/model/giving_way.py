"""The pieces that give way while others turn: which of them a hand pushes aside, and how far they go."""

from __future__ import annotations

from math import hypot, radians

from latcover.core.model.disassembly import Pieces, Step
from latcover.core.model.turn_data import Giving, Turning

NOTICED = 0.1  # of the play: what gives way by less is not pushed by a hand


def giving_way(step: Step) -> tuple[Giving, ...]:
    """How the pieces give way that do not turn themselves."""
    return () if step.turn is None else tuple(one for one in step.turn.giving if one.piece not in step.pieces)


def pushed(step: Step) -> Pieces:
    """The pieces that give way so far that a hand must push them, farthest first."""
    if step.turn is None:
        return ()
    play = Turning().play if step.turn.least_play is None else step.turn.least_play
    far = sorted((-yielded(one), one.piece) for one in giving_way(step))
    return tuple(piece for way, piece in far if -way > NOTICED * play)


def farthest(giving: Giving) -> tuple[float, ...]:
    """The pose at which a piece has given way most."""
    return max(giving.path, key=_way)


def yielded(giving: Giving) -> float:
    """How far a piece gives way at most: its shift, or the way of a point at distance 1 from the axis of its tilt."""
    return _way(farthest(giving))


def _way(pose: tuple[float, ...]) -> float:
    return max(hypot(*pose[1:4]), radians(hypot(pose[0], *pose[4:])))
