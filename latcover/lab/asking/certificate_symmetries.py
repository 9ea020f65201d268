"""The symmetries of a cover problem as a certificate has them: as images of options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.burnside import images_of_options
from latcover.core.encoding.prepared import Prepared

MOST_NUMBERS = 1 << 24  # images of options under all symmetries; larger groups are left out

Images = npt.NDArray[np.int32]  # of options, under symmetries: shape (n_symmetries, n_options)
Holders = tuple[int, npt.NDArray[np.int64]]  # an item, and the options that hold it


def images_of(subject: Searchable[Any], full: Searchable[Any]) -> Images:
    """The images of all options of the full problem under each symmetry, the identity first, without repetition."""
    one = np.arange(full.problem.n_options, dtype=np.int32)
    if not isinstance(subject, Prepared) or not isinstance(full, Prepared):
        return one[None]
    group = subject.reduction.group
    if len(group) * len(one) > MOST_NUMBERS:
        return one[None]
    rows = [images_of_options(group, k, full.problem, full.option_placement) for k in range(1, len(group))]
    return np.unique(np.array([one, *rows], np.int32), axis=0)


def words_of(images: Images, made_by: list[int]) -> dict[int, list[int]]:
    """For each row the generators that make it one after another, by their places in *made_by*."""
    number = {bytes(row): k for k, row in enumerate(images)}
    words: dict[int, list[int]] = {0: []}
    reached = [0]
    for each in reached:
        for k, generator in enumerate(made_by):
            other = number[bytes(images[generator][images[each]])]
            if other not in words:
                words[other] = [*words[each], k]
                reached.append(other)
    return words


def _holders(problem: CoverProblem) -> Iterator[Holders]:
    """Each item that every cover holds exactly once and in no colour, and the options that hold it."""
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    order = np.argsort(problem.option_items, kind="stable")
    ends = np.searchsorted(problem.option_items[order], np.arange(problem.n_items + 1))
    for item in np.flatnonzero((problem.low == 1) & (problem.high == 1)).tolist():
        yield item, owners[order[ends[item] : ends[item + 1]]]


def pivot_of(problem: CoverProblem, images: Images) -> Holders | None:
    """The item that all symmetries keep and whose options have the fewest orbits, and these options."""
    best, fewest = None, problem.n_options + 1
    for item, held in _holders(problem) if len(images) > 1 else ():
        moved = images[:, held]
        if len(held) and np.isin(moved, held).all():
            orbits = len(np.unique(moved.min(axis=0)))
            if orbits < fewest:
                best, fewest = (item, held), orbits
    return best


def moves_all(problem: CoverProblem, image: Ints) -> bool:
    """Whether an item that is held exactly once is kept, but none of its options is: then no cover is."""
    return any(
        len(held) > 0 and not (image[held] == held).any() and np.isin(image[held], held).all()
        for _, held in _holders(problem)
    )


def orbits_of(image: Ints) -> list[list[int]]:
    """The orbits of options under one symmetry, by their least options."""
    found, seen = [], set[int]()
    goes_to = image.tolist()
    for first in range(len(goes_to)):
        if first in seen:
            continue
        orbit = [first]
        while (following := goes_to[orbit[-1]]) != first:
            orbit.append(following)
        seen.update(orbit)
        found.append(sorted(orbit))
    return found
