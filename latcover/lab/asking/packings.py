"""Packings: regions that need not be filled."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.no_room import NoRoom
from latcover.core.model.rules.rule_forms import with_rules
from latcover.errors import UnsupportedError


def packing_of(puzzle: Puzzle | NamedProblem, *, clumsy: bool = False) -> Puzzle:
    """The same puzzle, but every cell may stay empty, and every part may be left out.

    Args:
        puzzle: The puzzle.
        clumsy: Whether no further part may fit on the cells that stay empty.

    Raises:
        UnsupportedError: it is a cover problem without a puzzle.
    """
    if not isinstance(puzzle, Puzzle):
        raise UnsupportedError(f"{puzzle.name} is a cover problem without a puzzle, so it has no cells to pack")
    region = replace(puzzle.region, optional=np.ones(len(puzzle.region.cells), np.bool_), max_empty=None)
    parts = tuple(replace(part, low=0) for part in puzzle.parts)
    return with_rules(replace(puzzle, region=region, parts=parts, expect={}), [NoRoom()] if clumsy else [])
