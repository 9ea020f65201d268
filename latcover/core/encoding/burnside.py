"""The covers that each symmetry fixes, as cover problems of their own.

By Burnside's lemma the number of classes is the mean, over the symmetries, of the number of covers that a symmetry
fixes. A fixed cover consists of whole orbits of options. Conjugate symmetries fix equally many, so one of them will do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.searchable import KeptCovers
from latcover.core.cover.simpler import without_implied_item
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.puzzle import Puzzle


def kept_by_symmetries(puzzle: Puzzle, table: PlacementTable, group: SymmetryGroup) -> Iterator[KeptCovers]:
    """The problem of all covers; then that of the covers that a symmetry fixes, for one of each class of conjugates."""
    from latcover.core.encoding.conjugates import conjugates  # here, since a pivot mostly leaves nothing to count so

    problem, option_placement = encode(puzzle, table)
    problem = without_implied_item(problem)  # an orbit would hold the item several times
    yield KeptCovers(problem, 1)
    for alike in conjugates(group)[1:]:
        permuted = images_of_options(group, alike[0], problem, option_placement)
        yield KeptCovers(_of_orbits(problem, permuted)[0], len(alike))


def kept_by_symmetry(
    problem: CoverProblem, option_placement: Ints, group: SymmetryGroup, element: int
) -> tuple[CoverProblem, Ints]:
    """The problem of the covers that a symmetry fixes, and the orbit that each option belongs to.

    The orbits are the options of the new problem; -1 stands for an orbit that no cover holds. Items that may be held
    several times are left out: whoever needs the bounds of parts with several copies looks at the covers found.

    *problem* and *option_placement* are the problem of all covers: see `encode`.
    """
    goes_to = images_of_options(group, element, problem, option_placement)
    single = problem.high[problem.option_items] == 1
    starts = np.concatenate([[0], np.cumsum(single)])[problem.option_starts]
    low = np.where(problem.high > 1, 0, problem.low)
    colours = problem.option_colours[single] if problem.has_colours else problem.option_colours
    kept = CoverProblem(starts, problem.option_items[single], low, problem.high, option_colours=colours)
    return _of_orbits(kept, goes_to)


def images_of_options(group: SymmetryGroup, element: int, problem: CoverProblem, option_placement: Ints) -> Ints:
    """The image of each option under a symmetry, shape (n_options,)."""
    real = option_placement >= 0
    number = np.full(len(group.table), -1, np.int32)
    number[option_placement[real]] = np.flatnonzero(real)
    goes_to = np.empty(problem.n_options, np.int32)
    goes_to[real] = number[group.images(element, option_placement[real])]
    empty = np.flatnonzero(~real)
    cell_of = problem.option_items[problem.option_starts[empty]]  # an option that leaves a cell empty holds it first
    option_of = dict(zip(cell_of.tolist(), empty.tolist(), strict=True))
    goes_to[empty] = [option_of[int(cell)] for cell in group.elements[element].cells[cell_of]]
    return goes_to


def _of_orbits(problem: CoverProblem, goes_to: Ints) -> tuple[CoverProblem, Ints]:
    """The problem whose options are the orbits of a permutation of options, if one cover may hold a whole orbit.

    It may if its options hold different items, or the same in the same colour. With the orbit of each option, shape
    (n_options,), -1 if no cover may.
    """
    label = np.arange(problem.n_options)
    image = goes_to.copy()
    while not np.array_equal(image, np.arange(problem.n_options)):
        label = np.minimum(label, image)
        image = goes_to[image]
    _, orbit = np.unique(label, return_inverse=True)
    owners = np.repeat(orbit.reshape(-1), np.diff(problem.option_starts))
    entries = owners.astype(np.int64) * problem.n_items + problem.option_items
    keys, first, which, times = np.unique(entries, return_index=True, return_inverse=True, return_counts=True)
    clash, colours = times > 1, problem.option_colours
    if problem.has_colours:
        alike = (colours > 0) & (colours == colours[first][which.reshape(-1)])
        clash &= np.bincount(which.reshape(-1), alike, len(keys)) < times
        colours = colours[first]
    n_orbits = int(orbit.max(initial=-1)) + 1
    whole = np.ones(n_orbits, np.bool_)
    whole[keys[clash] // problem.n_items] = False
    kept = whole[keys // problem.n_items]
    number = np.cumsum(whole) - 1
    rows = number[keys[kept] // problem.n_items]
    starts = np.searchsorted(rows, np.arange(int(whole.sum()) + 1))
    items = (keys[kept] % problem.n_items).astype(np.int32)
    shown = colours[kept] if problem.has_colours else colours
    of_orbits = CoverProblem(starts, items, problem.low, problem.high, option_colours=shown)
    return of_orbits, np.where(whole, number, -1)[orbit.reshape(-1)].astype(np.int32)
