"""Where models stand: side by side on the plate of a printer without overlap, or moved apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np

from latcover.drawing.outlines import Points
from latcover.errors import PuzzleError

if TYPE_CHECKING:
    from latcover.printing.models import Model

GAP = 5.0  # millimetres between models


def grounded(models: Sequence[Model]) -> tuple[Model, ...]:
    """*models* moved together so that all coordinates are at least 0: slicers want them there."""
    if not models:
        return ()
    low = np.min([model.low for model in models], axis=0)
    return tuple(model.moved(-low) for model in models)


def laid_out(models: Sequence[Model]) -> tuple[Model, ...]:
    """*models* in their order, each on the plate and apart from the others."""
    sizes = [(model.high - model.low) for model in models]
    places = shelves([(float(size[0]), float(size[1])) for size in sizes], GAP)
    return tuple(model.moved(place - model.low) for model, place in zip(models, places, strict=True))


def shelves(sizes: Sequence[tuple[float, float]], gap: float) -> list[Points]:
    """Where boxes of these widths and depths may lie: in rows, about as wide as deep in all; low corners, z being 0."""
    width = max(max((w for w, _ in sizes), default=0.0), sqrt(sum((w + gap) * (d + gap) for w, d in sizes)))
    places: list[Points] = [np.zeros(3)] * len(sizes)
    x = y = depth = 0.0
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k][1]):  # deep ones first waste least
        if x and x + sizes[k][0] > width:
            x, y, depth = 0.0, y + depth + gap, 0.0
        places[k] = np.array([x, y, 0.0])
        x += sizes[k][0] + gap
        depth = max(depth, sizes[k][1])
    return places


def exploded(boxes: Sequence[tuple[Points, Points]], share: float) -> list[Points]:
    """How far to move what lies in each of *boxes*, opposite corners, away from the middle of all.

    Raises:
        PuzzleError: a share that is no number, or negative.
    """
    if not (isfinite(share) and 0 <= share <= 100):
        raise PuzzleError(f"parts cannot be moved apart by {share:g} times their distance; give 0 to 100")
    if not boxes:
        return []
    middle = (np.min([low for low, _ in boxes], axis=0) + np.max([high for _, high in boxes], axis=0)) / 2
    return [share * ((low + high) / 2 - middle) for low, high in boxes]
