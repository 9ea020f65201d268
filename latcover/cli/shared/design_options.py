"""The options that several subcommands of `design` share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from latcover.cli.shared.options import AssemblyOptions, SearchOptions, SymmetryName, only_one, parsed_level

SetSearchName = Literal["auto", "all", "sample", "climb"]  # how sets are looked for
RegionSearchName = Literal["auto", "all", "sample"]  # how regions are looked for
RankName = Literal["solutions", "level", "branches", "parts"]  # by what designs are ranked
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N")]
Keep = Annotated[int | None, typer.Option("--keep", min=1, metavar="N")]
Output = Annotated[Path | None, typer.Option(metavar="DIR")]
RunFileToKeep = Annotated[Path | None, typer.Option("--run", metavar="FILE")]


@dataclass(frozen=True)
class GoalOptions:
    """The options about which designs are wanted, and how long to look for them."""

    unique: bool = False
    at_most: Annotated[int | None, typer.Option(min=1, metavar="N")] = None
    at_least: Annotated[int | None, typer.Option(min=1, metavar="N")] = None
    fewest: bool = False
    most: bool = False
    min_level: Annotated[str | None, typer.Option(metavar="LEVEL")] = None
    sort: RankName | None = None
    keep: Keep = None
    output: Output = None
    run: RunFileToKeep = None
    seed: Seed = 1
    samples: Annotated[int | None, typer.Option(min=1, metavar="N")] = None
    symmetry: SymmetryName = "all"

    def for_request(self, assembly: AssemblyOptions, backend: str, limits: SearchOptions) -> dict[str, Any]:
        """The fields of a request for designs that the options give.

        Raises:
            BadParameter: two options exclude each other, or --min-level is no level.
        """
        only_one({"--unique": self.unique, "--at-most": self.at_most is not None})
        only_one({"--unique": self.unique, "--at-least": self.at_least is not None})
        only_one({"--fewest": self.fewest, "--most": self.most})
        parsed_level(self.min_level)
        options = limits.for_backend()
        options.pop("threads", None)
        return {
            "at_least": self.at_least or 1,
            "at_most": 1 if self.unique else self.at_most,
            "extreme": "fewest" if self.fewest else "most" if self.most else None,
            "min_level": self.min_level or "",
            "sort": self.sort,
            "keep": self.keep,
            "seed": self.seed,
            "samples": self.samples,
            "branches": limits.max_branches,
            "symmetry": self.symmetry,
            "states": assembly.states,
            "in_plane": assembly.in_plane,
            "backend": backend,
            "options": options,
            "limit": limits.limit,
            "seconds": limits.time,
            "threads": limits.threads,
        }
