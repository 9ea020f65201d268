"""What a page needs to count essentially different solutions as `latcover count` does: the reduction by symmetry.

``static/judge.js`` reads it. Options and placements have the numbers of the whole cover problem, which
`latcover.publishing.puzzle_data` writes: option k is placement k, and options that leave a cell empty come last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from latcover.encoding.prepared import Prepared
from latcover.encoding.reduction import Reduction, Stage
from latcover.publishing.packing import packed

FEW = 100  # symmetries of which each is written


def symmetry_data(prepared: Prepared) -> dict[str, Any]:
    """The reduction of *prepared* as plain data.

    Keys:
        ``under``: "all", "rotations" or "none", the symmetries that make solutions count as the same; ``acting``: how
            many of them act differently.
        ``n_placements``; ``dropped``, packed: the placements that are left out, as differences; ``exclusions``: sets
            of options that exclude each other, each packed as differences.
        ``everywhere``: whether every cover goes to the first stage; ``among_met``: whether it is compared only with
            images that hold nothing that is dropped, and at most one of each set of ``exclusions``; ``stage_of``,
            packed: rows (placement, number of a stage), of placements that lead to one.
        ``stages``: of each either ``residue``, numbers of symmetries, or ``of_helper``, packed rows (placement, index),
            and ``residues``. A cover is kept if it is the least of its images under its residue.
        ``permutations``: by the number of a symmetry the image of each placement, packed, of some symmetries;
            ``products``, packed: rows (symmetry, first, second) of the others that a residue needs. Such a symmetry
            does what the second does and then what the first does; both stand in rows before it or in `permutations`.
    """
    reduction = prepared.reduction
    used = sorted({element for stage in reduction.stages for residue in _residues(stage) for element in residue} - {0})
    given, products = _generated(reduction, used)
    return {
        "under": prepared.symmetry,
        "acting": len(reduction.group),
        "n_placements": len(prepared.table),
        "dropped": _rising(np.flatnonzero(~reduction.kept)),
        "exclusions": [_rising(members) for members in _exclusions(reduction)],
        "everywhere": reduction.everywhere,
        "among_met": reduction.among_met,
        "stage_of": _rows(reduction.stage_of),
        "stages": [_stage(stage) for stage in reduction.stages],
        "permutations": {str(element): packed(reduction.group.permutation(element)) for element in given},
        "products": packed(products),
    }


def _generated(reduction: Reduction, used: list[int]) -> tuple[list[int], list[tuple[int, int, int]]]:
    """A few symmetries, and how they make all others that are used: a group of thousands would be megabytes."""
    group = reduction.group
    if len(used) < FEW:
        return used, []
    number = {group.permutation(element).tobytes(): element for element in range(len(group))}
    given: list[int] = []
    known = {0}
    products: list[tuple[int, int, int]] = []
    for generator in used:
        if generator in known:
            continue
        given.append(generator)
        known.add(generator)
        fresh = sorted(known - {0})
        while fresh:
            met = []
            for first in given:
                for second in fresh:
                    image = group.permutation(first)[group.permutation(second)]
                    product = number[image.tobytes()]
                    if product not in known:
                        known.add(product)
                        products.append((product, first, second))
                        met.append(product)
            fresh = met
    return given, products


def _exclusions(reduction: Reduction) -> list[Any]:
    """Only placements that stay can exclude each other."""
    return [members[reduction.kept[members]] for members in reduction.exclusions]


def _residues(stage: Stage) -> tuple[tuple[int, ...], ...]:
    return (stage.residue,) if stage.of_helper is None else stage.residues


def _stage(stage: Stage) -> dict[str, Any]:
    if stage.of_helper is None:
        return {"residue": list(stage.residue)}
    return {"of_helper": _rows(stage.of_helper), "residues": [list(residue) for residue in stage.residues]}


def _rows(values: Any) -> str:
    """Those that are not -1, with their places."""
    places = np.flatnonzero(values >= 0)
    return packed(np.column_stack([places, values[places]]))


def _rising(numbers: Any) -> str:
    return packed(np.diff(numbers, prepend=0))
