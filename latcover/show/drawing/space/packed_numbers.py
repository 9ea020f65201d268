"""Numbers as short text: a typed array in base64, which ``static/packing.js`` reads."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Meta

Packed = Annotated[str, Meta(extra={"typescript": "Packed"})]


def pack_numbers(values: npt.ArrayLike) -> Packed:
    """Numbers as ``<type>:<base64>``, little-endian: of type f4, or the narrowest of u1, u2, i4 for whole numbers.

    Raises:
        ValueError: whole numbers exceed 32 bits.
    """
    row = np.asarray(values).reshape(-1)
    name = "f4" if row.size and row.dtype.kind == "f" else _narrowest(row)
    return f"{name}:{b64encode(row.astype(f'<{name}').tobytes()).decode('ascii')}"


def _narrowest(row: npt.NDArray[np.int64]) -> str:
    low, high = int(row.min(initial=0)), int(row.max(initial=0))
    for name in ("u1", "u2", "i4"):
        bounds = np.iinfo(name)
        if bounds.min <= low and high <= bounds.max:
            return name
    raise ValueError(f"numbers from {low} to {high} do not fit 32 bits")
