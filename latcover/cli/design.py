"""The command `design`: sets of parts that cover a region, regions that parts cover, and cuts of a region."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from latcover.cli.cuts import CutOptions, cut_region
from latcover.cli.options import InputOptions, PuzzleName, TalkOptions, WatchOptions, expanded
from latcover.cli.support import only_one


@dataclass(frozen=True)
class WantedOptions:
    """The options about which sets are wanted."""

    unique: Annotated[bool, typer.Option("--unique", help="Show what has exactly one solution.")] = False
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="What is drawn by chance.")] = 1
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each design as a puzzle file into this folder.")
    ] = None


@dataclass(frozen=True)
class TargetOptions:
    """The options about regions."""

    regions: Annotated[
        str | None,
        typer.Option("--regions", metavar="SIZE|FILE", help="Find the regions that the puzzle's parts cover."),
    ] = None


@expanded
def design(
    puzzle: PuzzleName = None,
    *,
    wanted: WantedOptions,
    target: TargetOptions,
    cutting: CutOptions,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Make puzzles: find the sets of parts that cover a region, the regions that parts cover, or cuts of a region."""
    only_one({"--regions": target.regions is not None, "--cut": cutting.cut is not None})
    if cutting.cut is not None:
        cut_region(puzzle, cutting, given, watch, talk)
        return
