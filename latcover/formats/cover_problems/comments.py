"""What a file says of itself in comments: what it is, and what each of its variables means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from latcover.formats.cover_problems.exported import Exported

_LINES = 5000  # written at once


def in_ascii(text: str) -> str:
    """*text* in one line of printable ASCII, which no program's parser stumbles over."""
    return " ".join(text.split()).encode("unicode_escape").decode("ascii")


def about(exported: Exported) -> Iterator[str]:
    """What the file is, in a few lines."""
    yield f"latcover: {in_ascii(exported.name)}"
    yield from map(in_ascii, exported.remarks)


def legend(exported: Exported, before: str = "") -> Iterator[str]:
    """What each variable means: ``17 = F 0,0 0,1 1,1``, the variable's name being *before* and its number."""
    meanings = chain(exported.descriptions(), (f"{cell} left empty" for cell in exported.empty_cells()))
    return (f"{before}{number} = {meaning}" for number, meaning in enumerate(meanings, 1))


def commented(lines: Iterable[str], mark: str) -> Iterator[bytes]:
    """*lines* as comments, some at a time; *mark* begins each, and a blank parts it from what follows."""
    rest = iter(lines)
    while block := list(islice(rest, _LINES)):
        yield "".join(f"{mark} {line}\n" for line in block).encode("ascii")
