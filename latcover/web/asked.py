"""The options in a request, each checked when it is taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from latcover.errors import PuzzleError, suggest

MOST = 1_000_000_000  # what a whole number may be
LONGEST = 1000  # characters of a text


@dataclass(slots=True)
class Asked:
    """Options by name. One that is left out, or null, has its usual value; `end` refuses those that nobody took."""

    data: Mapping[str, Any]
    _known: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, data: object) -> Asked:
        """The options in plain data.

        Raises:
            PuzzleError: it is no object.
        """
        if data is not None and not isinstance(data, dict):
            raise PuzzleError("what is wanted of a design must be an object of names and values")
        return cls(data or {})

    def _take(self, name: str) -> Any:
        self._known.append(name)
        return self.data.get(name)

    def whole(self, name: str, least: int, most: int = MOST) -> int | None:
        """A whole number, or None."""
        value = self._take(name)
        if value is None:
            return None
        if type(value) is not int or not least <= value <= most:
            raise PuzzleError(f"{name!r} must be a whole number from {least:,} to {most:,}, or left out")
        return value

    def flag(self, name: str) -> bool:
        """Yes or no; usually no."""
        value = self._take(name)
        if value is not None and type(value) is not bool:
            raise PuzzleError(f"{name!r} must be true or false, or left out")
        return bool(value)

    def word(self, name: str, known: tuple[str, ...]) -> Any:
        """One of several words, or None."""
        value = self._take(name)
        if value is not None and value not in known:
            raise PuzzleError(f"{name!r} must be one of {', '.join(known)}, or left out")
        return value

    def numbers(self, name: str, what: str) -> tuple[int, ...]:
        """Whole numbers in a text, which *what* describes; usually none."""
        text = self._take(name)
        if text is None or text == "":
            return ()
        words = re.split(r"[\s.,-]+", text.strip()) if isinstance(text, str) and len(text) <= LONGEST else [""]
        if not all(re.fullmatch("[0-9]{1,6}", word) for word in words):
            raise PuzzleError(f"{name!r} must be {what}, or left out")
        return tuple(map(int, words))

    def seed(self) -> int:
        """What is drawn by chance depends on it."""
        seed = self.whole("seed", 0)
        return 1 if seed is None else seed

    def end(self) -> None:
        """Refuse what is not known.

        Raises:
            PuzzleError: there is such an option.
        """
        unknown = sorted(str(name) for name in set(self.data) - set(self._known))
        if unknown:
            hint = suggest(unknown[0][:40], self._known)
            known = ", ".join(self._known)
            raise PuzzleError(f"{unknown[0][:40]!r} is no option of this way to make puzzles{hint}; known: {known}")
