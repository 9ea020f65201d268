"""The options that several subcommands of `design` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from latcover.apps.cli.shared.options import (
    AssemblyOptions,
    SearchOptions,
    ShowAll,
    TurningOptions,
    only_one,
    parsed_level,
)
from latcover.core.model.request_values import EachGoal, LeastLevel, Natural, Positive, Rank, Seconds, SymmetryChoice
from latcover.errors import PuzzleError, UnsupportedError

if TYPE_CHECKING:
    from latcover.core.model.lattice import Lattice

Seed = Annotated[Natural, typer.Option("--seed")]
Keep = Annotated[Positive | None, typer.Option("--keep")]
Output = Annotated[Path | None, typer.Option(metavar="DIR")]
RunFileToKeep = Annotated[Path | None, typer.Option("--run", metavar="FILE")]


class GoalOptions(Struct, frozen=True):
    """The options about which designs are wanted, and how long to look for them."""

    unique: bool = False
    at_most: Positive | None = None
    at_least: Positive | None = None
    fewest: bool = False
    most: bool = False
    min_level: Annotated[str | None, typer.Option(metavar="LEVEL")] = None
    sort: Rank | None = None
    keep: Keep = None
    output: Output = None
    run: RunFileToKeep = None
    seed: Seed = 1
    samples: Positive | None = None
    symmetry: SymmetryChoice = "all"

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


class ForGoalsOptions(Struct, frozen=True):
    """The options about designs for many goals."""

    each: EachGoal | None = None
    parts: Annotated[Positive | None, typer.Option(metavar="K")] = None


KINDS = ("rod", "flat")  # of parts that --forbid knows without a file


class PartRuleOptions(Struct, frozen=True):
    """The options about the parts of a cut."""

    sizes: Annotated[str, typer.Option(metavar="SIZES", show_default=False)] = ""
    min_level: LeastLevel = 0
    forbid: Annotated[list[str] | None, typer.Option(metavar="rod|flat|FILE")] = None
    different: bool = False
    no_mirrors: bool = False
    asymmetric: bool = False
    one_order: bool = False
    hard: bool = False

    def for_request(self, lattice: Lattice) -> dict[str, Any]:
        """The fields of a request that the options give.

        Raises:
            PuzzleError: forbidden parts lie on another lattice.
        """
        forbidden = self.forbid or []
        shapes = [name for name in forbidden if name not in KINDS]
        return {
            **{"sizes": self.sizes, "min_level": self.min_level, "different": self.different},
            **{"no_mirrors": self.no_mirrors, "asymmetric": self.asymmetric},
            **{"one_order": self.one_order, "hard": self.hard},
            **{"no_rods": "rod" in forbidden, "no_flat": "flat" in forbidden, "shapes": _shapes(shapes, lattice)},
        }


class CutTurningOptions(TurningOptions, frozen=True):
    """The options about parts of a cut that turn."""

    needs_play: Annotated[str, typer.Option(metavar="RANGE", show_default=False)] = ""

    def for_request(self) -> dict[str, Any]:
        """The fields of a request that the options give.

        Raises:
            UnsupportedError: they give room to turn, but no turns.
        """
        self.check()
        return {
            "turns": self.turns or ("needed" if self.has_room or self.needs_play else "never"),
            **{"play": self.play, "bevel": self.bevel, "needs_play": self.needs_play},
        }


class WalkOptions(Struct, frozen=True):
    """The options about which walks to make, and what becomes of the designs."""

    keep: Keep = None
    output: Output = None
    run: RunFileToKeep = None
    seed: Seed = 1
    limit: Natural | None = None
    time: Seconds | None = None
    walks: Positive | None = None
    walk: Seed | None = None
    threads: Positive | None = None
    every: ShowAll = False

    def for_request(self) -> dict[str, Any]:
        """The fields of a request that the options give.

        Raises:
            UnsupportedError: two options exclude each other.
        """
        if self.walk is not None and (self.walks is not None or self.run is not None):
            raise UnsupportedError("--walk makes one walk; leave --walks and --run out")
        return {
            **{"seed": self.seed, "first": self.walk or 0, "walks": self.walks if self.walk is None else 1},
            **{"limit": self.limit, "keep": self.keep or 1, "seconds": self.time, "threads": self.threads},
        }


def _shapes(names: list[str], lattice: Lattice) -> list[list[list[int]]]:
    """The cells of the parts of these puzzles, part sets and shapes."""
    from latcover.files.formats.library import kind_called, load
    from latcover.files.formats.named_shapes import names_shapes, set_named

    shapes = []
    for name in names:
        is_of_shapes = names_shapes(name) or kind_called(name) == "part set"
        found = set_named(name) if is_of_shapes else load(name)
        if found.lattice.name != lattice.name:
            raise PuzzleError(
                f"the parts of {name} lie on the lattice {found.lattice.name!r}, and the region on {lattice.name!r}"
            )
        shapes += [part.cells.tolist() for part in found.parts]
    return shapes
