"""What the core is handed from above it: solvers, and the reader of puzzles that are named.

The core imports neither. The package registers how to load each, and that is done at its first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # every command loads this module before it can be interrupted, and typing loads slowly
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_loaders: dict[str, Callable[[], Any]] = {}


def hand_in(**loaders: Callable[[], Any]) -> None:
    """Register functions that load what the core is to use, by its name there."""
    _loaders.update(loaders)


def handed_in(name: str) -> Any:
    """What was registered under *name*."""
    if name not in _loaders:
        raise NotImplementedError(f"the core was given no {name}: import latcover itself, not only its modules")
    return _loaders[name]()
