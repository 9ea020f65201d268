"""Shipped puzzles for tests of what every puzzle goes through, such as files and pictures."""

from __future__ import annotations

import pytest

from latcover.formats.library import names

# Every lattice that puzzles use, and among them colours, cells that may stay empty, a period, several copies of a part
# and solutions that are many or none.
TYPICAL = (
    *("disc-cylinder", "example-2x2", "happy-cube-red", "hex-cluster-snowflake", "hex-prisms", "hexiamonds-6x6"),
    *("live-cube", "notebook-coloured-5x5", "pent-10x6", "pent-10x6-eight-moved", "pent-stairs", "soma"),
    *("sphere-pyramid-2", "tangram-square", "tetrahexes-4x7", "tetrasticks-5x5"),
)

# For a test's argument *name*: the others are for --long.
every_file = pytest.mark.parametrize(
    "name", [name if name in TYPICAL else pytest.param(name, marks=pytest.mark.long) for name in names("instances")]
)
