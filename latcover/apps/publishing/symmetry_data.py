"""The reduction by symmetry, with which a page counts essentially different solutions as `latcover count` does.

``static/judge.js`` reads it. Placements are those of the whole cover problem that
`latcover.apps.publishing.puzzle_data` writes, and have the numbers of its options: rules may leave out some, which are
in no solution. Options that leave a cell empty come last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Struct, UnsetType

from latcover.core.cover.problem import Ints
from latcover.core.encoding.prepared import Prepared
from latcover.core.encoding.reduction import Stage
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.request_values import SymmetryChoice
from latcover.show.drawing.space.packed_numbers import Packed, pack_numbers

MOST_SYMMETRIES = 200  # that a page goes through for each solution that a player finds


class JudgeStage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stage: ``residue``, numbers of symmetries; or ``of_helper``, rows (placement, index), and ``residues``.

    A cover is kept if it is the least of its images under its residue.
    """

    residue: list[int] | UnsetType = UNSET
    of_helper: Packed | UnsetType = UNSET
    residues: list[list[int]] | UnsetType = UNSET


class SymmetryData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reduction of a puzzle by symmetry.

    Attributes:
        under: The symmetries under which solutions count as the same.
        acting: The number of different ones.
        n_placements: How many placements the whole problem has.
        dropped: The placements left out, as differences.
        exclusions: Sets of options that exclude each other, each as differences.
        everywhere: Whether every cover goes to the first stage.
        among_met: Whether it is only compared with images that contain no dropped placement and at most one of each set
            of ``exclusions``.
        stage_of: Rows (placement, number of a stage), for placements that lead to one.
        stages: The stages.
        permutations: For generators of all residues, by their numbers, the image of each placement.
        products: Rows (symmetry, generator, earlier symmetry): the other symmetries, each as its generator after the
            earlier symmetry. Seven exchangeable colours give 5,040 symmetries from a few generators.
        whole: The numbers of symmetries that generate all; left out if there are too many.
    """

    under: SymmetryChoice
    acting: int
    n_placements: int
    dropped: Packed
    exclusions: list[Packed]
    everywhere: bool
    among_met: bool
    stage_of: Packed
    stages: list[JudgeStage]
    permutations: dict[str, Packed]
    products: Packed
    whole: list[int] | UnsetType = UNSET


def symmetry_data(prepared: Prepared) -> SymmetryData:
    """The reduction of *prepared* for a page."""
    reduction = prepared.reduction
    used = sorted({element for stage in reduction.stages for residue in stage.residues for element in residue} - {0})
    makers, products = _products(reduction.group, used)
    whole = _generators(reduction.group)
    there = _placements_of_options(prepared)
    number = np.full(len(prepared.table), -1)
    number[there] = np.arange(len(there))
    kept = reduction.kept & (number >= 0)
    permutations = {element: reduction.group.permutation(element) for element in sorted({*makers, *(whole or ())})}
    return SymmetryData(
        under=prepared.symmetry,
        acting=len(reduction.group),
        n_placements=len(there),
        dropped=_rising(np.flatnonzero(~kept[there])),
        exclusions=[_rising(number[members[kept[members]]]) for members in reduction.exclusions],
        everywhere=reduction.everywhere,
        among_met=reduction.among_met,
        stage_of=_rows(reduction.stage_of[there]),
        stages=[_stage(stage, there) for stage in reduction.stages],
        permutations={str(element): pack_numbers(number[image[there]]) for element, image in permutations.items()},
        products=pack_numbers(products),
        whole=UNSET if whole is None else whole,
    )


def _generators(group: SymmetryGroup) -> list[int] | None:
    """Symmetries that generate all; None if there are too many for a page to go through them."""
    return _products(group, range(1, len(group)))[0] if len(group) <= MOST_SYMMETRIES else None


def _products(group: SymmetryGroup, used: Sequence[int]) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Generators of all of *used*, and the products: rows (symmetry, generator, earlier symmetry)."""
    if not used:
        return [], []
    images = _probe(group)
    number = {images[element].tobytes(): element for element in used}
    made = {0: None}  # a set in order
    makers: list[int] = []
    products: list[tuple[int, int, int]] = []
    for element in used:
        if element in made:
            continue
        makers.append(element)
        made[element] = None
        queue = list(made)  # the new maker meets those that were made before it, too
        for earlier in queue:
            for maker in makers:
                found = number.get(group.permutation(maker)[images[earlier]].tobytes())
                if found is not None and found not in made:
                    made[found] = None
                    queue.append(found)
                    products.append((found, maker, earlier))
    return makers, products


def _probe(group: SymmetryGroup) -> Ints:
    """The images of some placements under each symmetry, shape (len(group), n), different for any two symmetries."""
    every, n = range(len(group)), 8
    while True:
        images = group.images_under(every, np.arange(min(n, len(group.table)), dtype=np.int32))
        if len(np.unique(images, axis=0)) == len(group) or n >= len(group.table):
            return images
        n *= 2


def _placements_of_options(prepared: Prepared) -> Ints:
    """The placement of each option of the whole problem that is one, ascending."""
    rules = prepared.puzzle.rules
    if not rules.of_parts and len(rules.sides) == 1:
        return np.arange(len(prepared.table), dtype=np.int32)  # no rule leaves one out
    placements = prepared.in_full().option_placement
    return placements[placements >= 0]


def _stage(stage: Stage, there: Ints) -> JudgeStage:
    if stage.of_helper is None:
        return JudgeStage(residue=list(stage.residues[0]))
    return JudgeStage(of_helper=_rows(stage.of_helper[there]), residues=[list(residue) for residue in stage.residues])


def _rows(values: Ints) -> Packed:
    """The values that are not -1, with their indices."""
    places = np.flatnonzero(values >= 0)
    return pack_numbers(np.column_stack([places, values[places]]))


def _rising(numbers: npt.NDArray[np.signedinteger[Any]]) -> Packed:
    return pack_numbers(np.diff(numbers, prepend=0))
