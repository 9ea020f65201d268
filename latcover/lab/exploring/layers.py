"""What fills an unknown region: each layer is a tiling of it, by copies of a shape, or of each shape of a set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np
from msgspec import Struct

from latcover.core.model.puzzle import Part, PartSet
from latcover.files.formats.named_shapes import shapes_given

NONE = -(1 << 60)  # of areas that are no sum


class Layer(Struct, frozen=True):
    """The shapes of a tiling: each is used at least once."""

    name: str
    shapes: tuple[Part, ...]

    @property
    def size(self) -> int | None:
        """The size of every tile; None if they differ."""
        return self.shapes[0].size if len({shape.size for shape in self.shapes}) == 1 else None

    def fills(self, area: int) -> bool:
        """Whether so many cells are a sum of the sizes."""
        return self.most(area, [0] * len(self.shapes)) > NONE

    def most(self, area: int, values: Sequence[int]) -> int:
        """The largest sum of the values of tiles that have so many cells together, where each shape has its value."""
        rest = area - sum(shape.size for shape in self.shapes)
        if rest < 0:
            return NONE
        best = np.full(rest + 1, NONE)
        best[0] = sum(values)
        for cells in range(1, rest + 1):
            for shape, value in zip(self.shapes, values, strict=True):
                if shape.size <= cells and best[cells - shape.size] > NONE:
                    best[cells] = max(best[cells], best[cells - shape.size] + value)
        return int(best[rest])


class Layers(Struct, frozen=True):
    """The layers of a region; *apart* forbids that two layers have a tile in common."""

    layers: tuple[Layer, ...]
    apart: bool = False

    @property
    def shapes(self) -> tuple[Part, ...]:
        """All shapes, layer by layer."""
        return tuple(shape for layer in self.layers for shape in layer.shapes)

    @property
    def single(self) -> bool:
        """Whether each layer has one shape: then every component of a region is a region."""
        return all(len(layer.shapes) == 1 for layer in self.layers)

    def next_area(self, area: int) -> int:
        """The least area above *area* that the sizes of each layer add up to."""
        return next(more for more in count(area + 1) if all(layer.fills(more) for layer in self.layers))


def layers_given(who: str, given: object) -> tuple[Layer, ...]:
    """Layers as a function of Python is given them: shapes or their names, and sets of shapes.

    Args:
        who: The function, for messages.
        given: One of them, or several.

    Raises:
        PuzzleError: one is neither, or they lie on different lattices.
    """
    several = not isinstance(given, str | bytes | PartSet | Layer) and isinstance(given, Iterable)
    ones: Iterable[object] = given if several else [given]  # type: ignore[assignment]
    found = []
    for one in ones:
        if isinstance(one, Layer):
            found.append(one)
            continue
        shapes = shapes_given(who, one.parts if isinstance(one, PartSet) else one)
        found.append(Layer(one.name if isinstance(one, PartSet) and len(shapes) > 1 else shapes[0].name, shapes))
    shapes_given(who, [shape for layer in found for shape in layer.shapes])
    return tuple(found)
