"""Models side by side on the plate of a printer, without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from latcover.outlines import Points

if TYPE_CHECKING:
    from latcover.models import Model

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
