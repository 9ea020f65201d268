"""The results of a design so far, by name."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from latcover.errors import InternalError, LatcoverError

T = TypeVar("T", bound=Struct)


class DesignResults:
    """Keeps results of a design. This one keeps nothing; a run keeps them in its file.

    A design is fixed by its request and its seed. So it continues by starting again: results that are kept are not
    computed a second time. What is kept under a name depends on the question and on that name alone.
    """

    def get(self, name: str, kind: type[T]) -> T | None:
        """The result of this name, a struct; None if there is none.

        Raises:
            DamagedRunError: it is no such struct.
        """

    def put(self, name: str, result: Struct) -> None:
        """Keep a result."""

    def fault(self, name: str, why: object) -> LatcoverError:
        """The error of a result that cannot be right."""
        return InternalError(f"the result {name!r:.60} of a design is wrong: {why}")


NO_RESULTS = DesignResults()
