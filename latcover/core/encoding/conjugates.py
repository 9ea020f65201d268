"""The classes of conjugate symmetries. Conjugates do the same to a puzzle, seen from another side of it.

Symmetries g and h g h^-1 fix equally many covers: h maps those of the one to those of the other.
"""

from __future__ import annotations

import numpy as np

from latcover.core.cover.problem import Ints
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.symmetry import SymmetryGroup

MOST_NUMBERS = 1 << 24  # of all images of cells and placements; of larger groups each symmetry has a class of its own


def conjugates(group: SymmetryGroup) -> list[list[int]]:
    """The elements of a group in classes of conjugates, each ascending; that of the identity comes first."""
    n, table = len(group), group.table
    if n * (len(table) + len(table.region.cells)) > MOST_NUMBERS:
        return [[k] for k in range(n)]
    placed = group.images_under(range(n), np.arange(len(table), dtype=np.int32))
    cells = np.stack([element.cells for element in group.elements])
    return conjugate_classes(np.concatenate([cells, cells.shape[1] + placed], axis=1).astype(np.int32))


def conjugate_classes(images: Ints) -> list[list[int]]:
    """The same of a group of permutations, shape (n_elements, n), all different, the identity first."""
    number = {bytes(image): k for k, image in enumerate(images)}
    pairs = [(images[k], np.argsort(images[k]).astype(np.int32)) for k in generators(images)]
    classes: list[list[int]] = []
    seen: set[int] = set()
    for k in range(len(images)):
        if k in seen:
            continue
        alike = [k]
        seen.add(k)
        for each in alike:
            look_at_clock()
            for forth, back in pairs:
                other = number[bytes(forth[images[each][back]])]
                if other not in seen:
                    seen.add(other)
                    alike.append(other)
        classes.append(sorted(alike))
    return classes


def generators(images: Ints) -> list[int]:
    """Elements of such a group that make all others one after another."""
    number = {bytes(image): k for k, image in enumerate(images)}
    made, found = {0}, list[int]()
    for k in range(len(images)):
        if k in made:
            continue
        found.append(k)
        reached = sorted(made)
        for each in reached:
            look_at_clock()
            for generator in found:
                other = number[bytes(images[generator][images[each]])]
                if other not in made:
                    made.add(other)
                    reached.append(other)
    return found
