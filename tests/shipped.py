"""Shipped puzzles for tests of what every puzzle goes through, such as files and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from latcover.files.formats.source import names

# Every lattice that puzzles use, and among them colours, cells that may stay empty, a period, several copies of a part
# and solutions that are many or none.
TYPICAL = (
    *("disc-cylinder", "example-2x2", "happy-cube-red", "hex-prisms", "hexiamonds-6x6", "live-cube"),
    *("notebook-coloured-5x5", "pent-10x6-eight-moved", "soma", "sphere-pyramid-2", "tangram-square"),
    *("tetrahexes-4x7", "tetrasticks-5x5"),
)

# The same for what takes longer: each lattice once, keys and locks, and parts of several bodies.
FEW = (
    *("disc-cylinder", "happy-cube-red", "hex-prisms", "hexiamonds-6x6", "live-cube", "soma", "sphere-pyramid"),
    *("tangram-square", "tetrasticks-5x5"),
)


def rest_long(values: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Parameters of a test: *usual* ones are always tried, the rest with --long."""
    usual = list(usual)
    return [value if value in usual else pytest.param(value, marks=pytest.mark.long) for value in values]


# For a test's argument *name*.
every_file = pytest.mark.parametrize("name", rest_long(names("instances"), TYPICAL))
every_kind = pytest.mark.parametrize("name", rest_long(names("instances"), FEW))
