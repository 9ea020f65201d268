"""Whole numbers as short text: the narrowest typed array in base64, which ``static/packing.js`` reads."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
import numpy.typing as npt


def packed(values: npt.ArrayLike) -> str:
    """Whole numbers as ``<type>:<base64>``, little-endian, of type u1, u2 or i4; a `ValueError` above 32 bits."""
    row = np.asarray(values, np.int64).reshape(-1)
    low, high = int(row.min(initial=0)), int(row.max(initial=0))
    for name in ("u1", "u2", "i4"):
        bounds = np.iinfo(name)
        if bounds.min <= low and high <= bounds.max:
            return f"{name}:{b64encode(row.astype(f'<{name}').tobytes()).decode('ascii')}"
    raise ValueError(f"numbers from {low} to {high} do not fit 32 bits")
