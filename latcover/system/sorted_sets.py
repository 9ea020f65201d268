"""Sets of numbers as sorted arrays, made without what numpy imports for masked arrays.

`np.unique` and `np.setdiff1d` look first whether their values are masked, and import masked arrays for it: each command
that a user waits for would take 20 ms longer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]


def distinct(values: Values, axis: int | None = None) -> Values:
    """The sorted distinct values, or rows along *axis*, as `np.unique` has them."""
    return np.unique(values, axis=axis, return_counts=True)[0]


def without(values: Values, others: Values) -> Values:
    """The sorted distinct *values* that are not among *others*, as `np.setdiff1d` has them."""
    mine = distinct(values)
    return mine[~np.isin(mine, others, assume_unique=True)]
