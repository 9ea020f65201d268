"""What pages read, as plain data."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import msgspec
import numpy as np

from latcover.apps.publishing.puzzle_data import play_data
from latcover.apps.publishing.symmetry_data import symmetry_data
from latcover.core.encoding.prepared import Prepared
from latcover.show.drawing.space.scene_data import scene_data


def scene_read(*arguments: Any) -> dict[str, Any]:
    """The scene of `scene_data`."""
    told: dict[str, Any] = msgspec.to_builtins(scene_data(*arguments))
    return told


def puzzle_played(prepared: Prepared) -> dict[str, Any]:
    """The puzzle of `play_data`."""
    told: dict[str, Any] = msgspec.to_builtins(play_data(prepared))
    return told


def symmetry_judged(prepared: Prepared) -> dict[str, Any]:
    """The reduction of `symmetry_data`."""
    told: dict[str, Any] = msgspec.to_builtins(symmetry_data(prepared))
    return told


def row_read(text: str) -> Any:
    """The numbers of a packed row, read by itself."""
    name, _, base64 = text.partition(":")
    return np.frombuffer(b64decode(base64), f"<{name}")
