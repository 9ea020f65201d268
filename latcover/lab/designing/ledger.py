"""The results of a design so far, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Entry = Mapping[str, Any]  # plain data


class Ledger:
    """Keeps results of a design. This one keeps nothing; a run keeps them in its file.

    A design is fixed by its request and its seed. So it continues by starting again: results that the ledger has are
    not computed a second time.
    """

    def get(self, name: str) -> Entry | None:
        """The result of this name; None if there is none."""

    def put(self, name: str, entry: Entry) -> None:
        """Keep a result."""


NO_LEDGER = Ledger()
