"""The options of `design`: what is wanted, how it is looked for, and which regions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.assemble import level_asked
from latcover.cli.options import SymmetryName
from latcover.cli.support import only_one
from latcover.errors import PuzzleError, counted

if TYPE_CHECKING:
    from latcover.designing.wanted import Wanted
    from latcover.model.puzzle import Puzzle, Region


class HowName(StrEnum):
    """How sets are looked for."""

    auto = "auto"
    all = "all"
    sample = "sample"
    climb = "climb"


class RankName(StrEnum):
    """By what designs are ranked."""

    solutions = "solutions"
    level = "level"
    branches = "branches"
    parts = "parts"


@dataclass(frozen=True)
class WantedOptions:
    """The options about which designs are wanted."""

    unique: Annotated[bool, typer.Option("--unique", help="Show what has exactly one solution.")] = False
    at_most: Annotated[
        int | None, typer.Option("--at-most", min=1, metavar="N", help="Show what has at most N solutions.")
    ] = None
    at_least: Annotated[
        int | None, typer.Option("--at-least", min=1, metavar="N", help="Show what has at least N solutions.")
    ] = None
    fewest: Annotated[bool, typer.Option("--fewest", help="Show only what has the fewest solutions.")] = False
    most: Annotated[bool, typer.Option("--most", help="Show only what has the most solutions.")] = False
    min_level: Annotated[
        str | None,
        typer.Option("--min-level", metavar="LEVEL", help="Show only what has this level of assembly or a higher one."),
    ] = None
    sort: Annotated[
        RankName | None,
        typer.Option(help="Show all at the end: few solutions, a high level, a long search or many parts first."),
    ] = None
    keep: Annotated[int | None, typer.Option("--keep", min=1, metavar="N", help="Show only the first N.")] = None
    both_hands: Annotated[
        bool,
        typer.Option("--both-hands", help="Only sets that hold the mirror image of each part as often as the part."),
    ] = False
    symmetry: Annotated[
        SymmetryName, typer.Option(help="Which images of a solution, or of a set, count as the same.")
    ] = SymmetryName.all
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each design as a puzzle file into this folder.")
    ] = None

    def wanted(self) -> Wanted:
        """What the options ask for."""
        from latcover.designing.wanted import Wanted

        only_one({"--unique": self.unique, "--at-most": self.at_most is not None})
        only_one({"--unique": self.unique, "--at-least": self.at_least is not None})
        only_one({"--fewest": self.fewest, "--most": self.most})
        return Wanted(
            self.at_least or 1,
            1 if self.unique else self.at_most,
            "fewest" if self.fewest else "most" if self.most else None,
            level_asked(self.min_level),
            self.sort.value if self.sort is not None else None,
            self.keep,
            self.both_hands,
        )


@dataclass(frozen=True)
class LookingOptions:
    """The options about how designs are looked for."""

    search: Annotated[
        HowName,
        typer.Option(
            help="all: classify every set in one search. sample: draw sets by chance, and count each. climb: change "
            "sets until they have few solutions. auto: all, unless that takes long; else sample."
        ),
    ] = HowName.auto
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="What is drawn by chance.")] = 1
    samples: Annotated[
        int | None, typer.Option("--samples", min=1, metavar="N", help="How many to draw, or to try in a climb.")
    ] = None
    memory: Annotated[
        int, typer.Option("--memory", min=1, max=1_000_000, metavar="MB", help="The most memory for the table of sets.")
    ] = 1000
    run: Annotated[
        Path | None,
        typer.Option(
            "--run", metavar="FILE", help="Keep results in this file; the same command, or `resume FILE`, goes on."
        ),
    ] = None


@dataclass(frozen=True)
class TargetOptions:
    """The options about regions."""

    regions: Annotated[
        str | None,
        typer.Option(
            "--regions",
            metavar="SIZE|FILE",
            help="Find the regions of so many cells, or those of a puzzle file, that the parts cover.",
        ),
    ] = None
    symmetric: Annotated[
        int,
        typer.Option(
            "--symmetric", min=1, metavar="N", help="Only regions that N turns and reflections leave the same."
        ),
    ] = 1

    def listed(self, puzzle: Puzzle) -> list[Region] | None:
        """The regions of the file; None if a size is given.

        Raises:
            PuzzleError: the parts hold another number of cells; or the file is on another lattice, or has a colour that
                the puzzle lacks.
        """
        assert self.regions is not None
        volume = sum(part.size * part.low for part in puzzle.parts)
        if self.regions.isascii() and self.regions.isdigit():
            if int(self.regions[:9]) != volume:
                raise PuzzleError(
                    f"the parts of {puzzle.name!r} hold {counted(volume, 'cell')}, so they cover no region of "
                    f"{self.regions[:9]}; give --regions {volume}"
                )
            return None
        from latcover.designing.regions import regions_for
        from latcover.formats.library import load_all

        return regions_for(puzzle, load_all(self.regions))
