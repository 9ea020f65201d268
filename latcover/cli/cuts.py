"""The mode --cut of the command `design`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from latcover.cli.options import InputOptions, TalkOptions, WatchOptions
from latcover.errors import UnsupportedError


@dataclass(frozen=True)
class CutOptions:
    """The options about cutting a region."""

    cut: Annotated[
        int | None,
        typer.Option("--cut", min=1, metavar="K", help="Cut the puzzle's region into K parts that have one solution."),
    ] = None


def cut_region(
    puzzle: str | None, options: CutOptions, given: InputOptions, watch: WatchOptions, talk: TalkOptions
) -> None:
    """Cut the region of a puzzle into parts."""
    raise UnsupportedError("--cut is not there yet")
