"""The options that several commands share, as dataclasses that `expanded` turns into a command's parameters."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from latcover.cli import completion

if TYPE_CHECKING:
    from latcover.cover.search import Limits
    from latcover.model.puzzle import Bounds


DEFAULT_BACKEND = "auto"


class SymmetryName(StrEnum):
    """Which images of a solution count as the same: none, turned ones, or all."""

    none = "none"
    rotations = "rotations"
    all = "all"


class StrandingName(StrEnum):
    """How the search detects islands of empty cells that no part can fill."""

    rows = "rows"
    anchor = "anchor"
    sums = "sums"


class MethodName(StrEnum):
    """How solutions are counted."""

    auto = "auto"
    enumeration = "enumeration"
    frontier = "frontier"
    components = "components"
    memo = "memo"
    kasteleyn = "kasteleyn"


class ProgressForm(StrEnum):
    """How a command shows its progress."""

    auto = "auto"
    bar = "bar"
    json = "json"
    none = "none"


class ReductionName(StrEnum):
    """How symmetry is used during the search."""

    auto = "auto"
    paper = "paper"
    none = "none"


PuzzleName = Annotated[
    str | None,
    typer.Argument(
        metavar="[PUZZLE]",
        autocompletion=completion.puzzles,
        help="A shipped puzzle's name, or a file; left out: pent-10x6.",
        show_default=False,
    ),
]
PuzzleOrLatticeName = Annotated[
    str | None,
    typer.Argument(
        metavar="[PUZZLE]",
        autocompletion=completion.puzzles_and_lattices,
        help="A shipped puzzle's name, or a file; left out: pent-10x6. Or a lattice, shipped or in a file.",
        show_default=False,
    ),
]
BackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="NAME",
        help="The backend that searches; `latcover list` names them.",
        autocompletion=completion.backends,
    ),
]
ClusterName = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="local|ADDRESS",
        autocompletion=completion.clusters,
        help="Search on a Dask cluster: processes of this machine, or the scheduler at tcp://HOST:PORT.",
        show_default=False,
    ),
]
ColourOption = Annotated[
    bool | None,
    typer.Option("--color/--no-color", help="Coloured blocks, or letters alone; by default as the terminal allows."),
]
SearchAnyway = Annotated[
    bool,
    typer.Option("--search-anyway", help="Search even if a simple argument shows that there is no solution."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
SatExitCodes = Annotated[
    bool,
    typer.Option(
        "--sat-exit-codes",
        help="Use the exit codes of SAT solvers: 10 for a solution, 20 for none; 3 still means cut short.",
    ),
]


@dataclasses.dataclass(frozen=True)
class TalkOptions:
    """The options for messages on standard error."""

    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log each step.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No messages, no warnings, no bar.")] = False


@dataclasses.dataclass(frozen=True)
class BoundsOptions:
    """The options that bound what a file may ask for."""

    max_cells: Annotated[int, typer.Option(min=1, help="Refuse regions, and files, with more cells.")] = 1_000_000
    max_placements: Annotated[int, typer.Option(min=1, help="Refuse puzzles with more placements.")] = 10_000_000

    def bounds(self) -> Bounds:
        """How much the input may ask for."""
        from latcover.model.puzzle import Bounds

        return Bounds(self.max_cells, self.max_placements)


@dataclasses.dataclass(frozen=True)
class InputOptions(BoundsOptions):
    """The options about the file that is read."""

    problem: Annotated[
        str | None,
        typer.Option(metavar="N|NAME", help="Which puzzle of a file that holds several.", show_default=False),
    ] = None


@dataclasses.dataclass(frozen=True)
class EncodingOptions:
    """The options about how a puzzle becomes a cover problem."""

    symmetry: Annotated[
        SymmetryName, typer.Option(help="Which images of a solution count as the same: none, turned ones, or all.")
    ] = SymmetryName.all
    reduction: Annotated[
        ReductionName,
        typer.Option(
            help="auto: place a pivot once in each class of positions. paper: keep one of its orientations for each "
            "class, as Barequet and Tal did. none: only test complete covers."
        ),
    ] = ReductionName.auto
    pivot: Annotated[
        str | None,
        typer.Option(
            metavar="PART", help="The part to take as pivot: it is placed only once where symmetry allows it."
        ),
    ] = None
    order: Annotated[
        str | None,
        typer.Option(metavar="AXES", help="Number the cells by these axes, slowest first, as in 0,2,1."),
    ] = None


@dataclasses.dataclass(frozen=True)
class BackendOptions:
    """The options for the backend."""

    size: Annotated[
        bool | None,
        typer.Option("--size/--no-size", help="Try first what fits in the fewest ways, or go in order."),
    ] = None
    strand: Annotated[
        bool | None,
        typer.Option("--strand/--no-strand", help="Refuse placements that cut off an island too small to fill."),
    ] = None
    stranding: Annotated[
        StrandingName | None,
        typer.Option(
            help="How --strand looks. anchor: at the island around the next empty cell (as --strand alone). sums: at "
            "the sizes of all islands. rows: only leave out, beforehand, placements that cut one off by themselves."
        ),
    ] = None
    threads: Annotated[int | None, typer.Option(min=1, metavar="N", help="How many threads the backend may use.")] = (
        None
    )
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="KEY=VALUE",
            help="An option of the backend; `latcover list` names them.",
            autocompletion=completion.backend_options,
        ),
    ] = None

    def for_backend(self) -> dict[str, object]:
        """The options that the user gave, by the names that the backend has for them."""
        strand: str | None = None if self.strand is None else "anchor" if self.strand else "no"
        if self.stranding is not None:
            if strand == "no":
                raise typer.BadParameter("--no-strand and --stranding exclude each other; leave one of them out")
            strand = self.stranding.value
        given = {"size": self.size, "strand": strand, "threads": self.threads}
        chosen: dict[str, object] = {key: value for key, value in given.items() if value is not None}
        for text in self.option or ():
            key, equals, value = text.partition("=")
            if not equals or not key.isidentifier():
                raise typer.BadParameter(f"{text!r} is not of the form KEY=VALUE (seed=1)", param_hint="--option")
            if key in chosen:
                raise typer.BadParameter(f"{key} is given twice; give it once", param_hint="--option")
            chosen[key] = value
        return chosen


@dataclasses.dataclass(frozen=True)
class SearchOptions(BackendOptions):
    """The options for the backend, and the limits."""

    limit: Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop after N different solutions.")] = None
    time: Annotated[
        float | None,
        typer.Option("--time", min=0, metavar="SECONDS", help="Stop the search after so many seconds."),
    ] = None
    max_branches: Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop after N branches.")] = None

    def limits(self) -> Limits:
        """The limits of the search."""
        from latcover.cover.search import Limits

        return Limits(self.limit, self.max_branches, self.time)


@dataclasses.dataclass(frozen=True)
class WatchOptions:
    """The option for progress."""

    progress: Annotated[
        ProgressForm,
        typer.Option(
            help="On standard error. bar: share, time left, rate. json: one object each second, and one at the end. "
            "auto: a bar if standard error is a terminal."
        ),
    ] = ProgressForm.auto


@dataclasses.dataclass(frozen=True)
class RunOptions:
    """The options for a run in a file, and for a cluster."""

    run: Annotated[
        Path | None,
        typer.Option(
            "--run",
            metavar="FILE",
            help="Keep the results in this file; `latcover resume FILE` continues the search after any end.",
        ),
    ] = None
    cluster: ClusterName = None

    @property
    def in_jobs(self) -> bool:
        """Whether the search is divided into jobs, which a file keeps."""
        return self.run is not None or self.cluster is not None


@dataclasses.dataclass(frozen=True)
class CountOptions:
    """The options for counting."""

    method: Annotated[
        MethodName,
        typer.Option(
            help="enumeration: one by one. frontier, components, memo, kasteleyn: without a list. frontier and "
            "components need parts of which one or any number may be used, memo only parts without limit, kasteleyn "
            "parts of two cells in a plane region. auto: tries them."
        ),
    ] = MethodName.auto
    memory: Annotated[
        int,
        typer.Option(min=1, max=1_000_000, metavar="MB", help="The most memory for a frontier or a memo."),
    ] = 1000


def expanded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* one parameter for each field of every options dataclass that it takes."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if dataclasses.is_dataclass(kind)}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name]))
            continue
        field_hints = get_type_hints(groups[name], include_extras=True)
        for field in dataclasses.fields(groups[name]):
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(
                inspect.Parameter(field.name, kind, default=field.default, annotation=field_hints[field.name])
            )

    @functools.wraps(command)
    def call(**values: Any) -> Any:
        for name, group in groups.items():
            fields = {field.name: values.pop(field.name) for field in dataclasses.fields(group)}
            values[name] = group(**fields)  # type: ignore[operator]  # is_dataclass narrows to instances too
        return command(**values)

    ordered = sorted(parameters, key=lambda parameter: parameter.kind)
    call.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return call
