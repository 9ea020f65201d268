"""Options that several benchmarks have, and lists of names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from latcover.errors import UnsupportedError, suggest

Seconds = Annotated[float, typer.Option(min=0.1, help="The limit of each search.")]
Times = Annotated[int, typer.Option(min=1, help="Runs of each measure.")]
Only = Annotated[str, typer.Option(metavar="WORD", help="Only rows whose names hold this word.")]
Against = Annotated[str, typer.Option(metavar="PYTHON", help="The Python of another installation, shown as before.")]
Covers = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Count the problems (*.dlx) of this folder too.")]
Puzzles = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Take apart the puzzles of this folder too.")]


def puzzles_in(folder: Path | None) -> list[str]:
    """The puzzle files of a folder."""
    return [] if folder is None else [str(p) for p in sorted(folder.iterdir()) if p.suffix in (".toml", ".xmpuzzle")]


def chosen(kind: str, names: str | None, known: Iterable[str]) -> tuple[str, ...] | None:
    """The names in a list such as ``search,threads``, in the order of the list; None if there is no list.

    Args:
        kind: What is named, for messages.
        known: All that can be.

    Raises:
        UnsupportedError: one of them is not known, or none is named.
    """
    if names is None:
        return None
    known, wanted = tuple(known), tuple(dict.fromkeys(filter(None, map(str.strip, names.split(",")))))
    for name in wanted:
        if name not in known:
            raise UnsupportedError(f"there is no {kind} {name!r} among the benchmarks{suggest(name, known)}")
    if not wanted:
        raise UnsupportedError(f"no {kind} is named; there are {', '.join(known)}")
    return wanted
