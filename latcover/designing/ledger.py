"""What a design has found out so far, by name. A run keeps it in a file; another design need not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Entry = Mapping[str, Any]  # plain data


class Ledger(Protocol):
    """Keeps results, so that a design that goes on need not find them again.

    A design is fixed by what was asked and by its seed. So it goes on by beginning again: results that the ledger has
    are not computed a second time.
    """

    def get(self, name: str) -> Entry | None:
        """What was found out under a name; None if nothing was."""

    def put(self, name: str, entry: Entry) -> None:
        """Keep a result."""


class Nowhere:
    """Keeps nothing."""

    def get(self, name: str) -> Entry | None:
        """Nothing."""
        return None

    def put(self, name: str, entry: Entry) -> None:
        """Forget it."""
