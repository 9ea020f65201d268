"""The options that several commands share, as structs that `expanded` turns into a command's parameters."""

from __future__ import annotations

import copy
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import typer
from msgspec import Meta, Struct

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.foreign import performed_by_child
from latcover.core.model.request_values import (
    Bevel,
    DiskMegabytes,
    Megabytes,
    Natural,
    Play,
    Positive,
    ReductionMethod,
    Seconds,
    SymmetryChoice,
    When,
)

if TYPE_CHECKING:
    from latcover.core.cover.search import Limits
    from latcover.core.encoding.prepared import Choices
    from latcover.core.model.puzzle import Bounds
    from latcover.lab.asking.all_solutions import DiagramRequest


DEFAULT_BACKEND = "auto"
SYMMETRY_NEEDED = "--pivot and --reduction need symmetries: they need --symmetry rotations or all"


StrandingName = Literal["rows", "anchor", "sums"]  # how the search detects islands of empty cells that no part can fill
ProgressForm = Literal["auto", "bar", "json", "none"]  # how a command shows its progress
PuzzleName = Annotated[
    str | None, typer.Argument(metavar="[PUZZLE]", autocompletion=completion.puzzles, show_default=False)
]
GivenPuzzleName = Annotated[str, typer.Argument(metavar="PUZZLE", autocompletion=completion.puzzles)]
PuzzleOrLatticeName = Annotated[
    str | None, typer.Argument(metavar="[PUZZLE]", autocompletion=completion.puzzles_and_lattices, show_default=False)
]
BackendName = Annotated[
    str,
    typer.Option("--backend", metavar="NAME", autocompletion=completion.backends, callback=performed_by_child),
]
MethodName = Annotated[
    str, typer.Option("--method", metavar="NAME", autocompletion=completion.count_methods)
]  # how solutions are counted
ClusterName = Annotated[
    str | None,
    typer.Option("--cluster", metavar="local|ADDRESS", autocompletion=completion.clusters, show_default=False),
]
Given = Annotated[list[str] | None, typer.Option("--given", metavar="PART@CELLS")]
Memory = Megabytes
Rule = Annotated[list[str] | None, typer.Option("--rule", metavar="NAME[=VALUE]", autocompletion=completion.rules)]
AsJson = Annotated[bool, typer.Option("--json")]
ShowAll = Annotated[bool, typer.Option("--all")]


class MessageOptions(Struct, frozen=True):
    """The options for messages on standard error."""

    verbose: Annotated[bool, typer.Option("--verbose", "-v")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q")] = False


class ReportOptions(MessageOptions, frozen=True):
    """The options about what a search reports."""

    progress: ProgressForm = "auto"
    as_json: AsJson = False


class BoundsOptions(Struct, frozen=True):
    """The options that bound what a file may ask for."""

    max_cells: Positive = 1_000_000
    max_placements: Positive = 10_000_000

    def bounds(self) -> Bounds:
        """How much the input may ask for."""
        from latcover.core.model.puzzle import Bounds

        return Bounds(self.max_cells, self.max_placements)


class InputOptions(BoundsOptions, frozen=True):
    """The options about the file that is read."""

    problem: Annotated[str | None, typer.Option("--problem", "--goal", metavar="N|NAME", show_default=False)] = None


class EncodingOptions(Struct, frozen=True):
    """The options about how a puzzle becomes a cover problem."""

    symmetry: SymmetryChoice = "all"
    reduction: ReductionMethod = "auto"
    pivot: Annotated[str | None, typer.Option(metavar="PART")] = None
    order: Annotated[str | None, typer.Option(metavar="AXES")] = None
    given: Given = None
    rule: Rule = None

    def choices(self) -> Choices:
        """How a puzzle becomes a cover problem.

        Raises:
            BadParameter: two options contradict each other, or --order is not a list of axes.
        """
        from latcover.core.encoding.prepared import Choices

        order = None
        if self.order is not None:
            words = self.order.replace(",", " ").split()
            if not all(word.isascii() and word.isdigit() for word in words):
                raise typer.BadParameter(f"{self.order!r} is not a list of axes such as 0,2,1", param_hint="--order")
            order = tuple(int(word[:9]) for word in words)
        choices = Choices(
            symmetry=self.symmetry,
            reduction=self.reduction,
            pivot=self.pivot,
            order=order,
            given=tuple(self.given or ()),
            rules=tuple(self.rule or ()),
        )
        if self.pivot is not None and choices.reduction == "none":
            raise typer.BadParameter("--pivot needs --reduction auto or paper")
        if choices.symmetry == "none" and (self.pivot is not None or choices.reduction == "paper"):
            raise typer.BadParameter(SYMMETRY_NEEDED)
        return choices


class BackendOptions(Struct, frozen=True):
    """The options for the backend."""

    size: bool | None = None
    strand: bool | None = None
    stranding: StrandingName | None = None
    threads: Positive | None = None
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE", autocompletion=completion.backend_options)
    ] = None

    def for_backend(self) -> dict[str, object]:
        """The options that the user gave, by the names that the backend has for them."""
        strand: str | None = None if self.strand is None else "anchor" if self.strand else "no"
        if self.stranding is not None:
            if strand == "no":
                raise typer.BadParameter("--no-strand and --stranding exclude each other; leave one of them out")
            strand = self.stranding
        given = {"size": self.size, "strand": strand, "threads": self.threads}
        chosen: dict[str, object] = {key: value for key, value in given.items() if value is not None}
        for text in self.option or ():
            key, equals, value = text.partition("=")
            if not equals or not key.isidentifier():
                raise typer.BadParameter(
                    f"{text!r} is not of the form KEY=VALUE (seed=1); a file to write is named by --output",
                    param_hint="--option",
                )
            if key in chosen:
                raise typer.BadParameter(f"{key} is given twice; give it once", param_hint="--option")
            chosen[key] = value
        return chosen


class SearchOptions(BackendOptions, frozen=True):
    """The options for the backend, and the limits."""

    limit: Natural | None = None
    time: Seconds | None = None
    max_branches: Natural | None = None

    def limits(self) -> Limits:
        """The limits of the search."""
        from latcover.core.cover.search import Limits

        return Limits(self.limit, self.max_branches, self.time)


class RunOptions(Struct, frozen=True):
    """The options for a run in a file, and for a cluster."""

    run: Annotated[Path | None, typer.Option(metavar="FILE")] = None
    cluster: ClusterName = None

    @property
    def in_jobs(self) -> bool:
        """Whether the search is divided into jobs, which a file keeps."""
        return self.run is not None or self.cluster is not None


GroupBy = Literal["blocks"] | None


class CountOptions(Struct, frozen=True):
    """The options for counting."""

    method: MethodName = "auto"
    memory: Memory = 1000
    disk: DiskMegabytes = 0


class DiagramOptions(Struct, frozen=True):
    """The options for finding all solutions."""

    given: Given = None
    method: Literal["auto", "frontier", "enumeration"] = "auto"
    memory: Memory = 1000
    time: Seconds | None = None

    def request(self) -> DiagramRequest:
        """The request for all solutions."""
        from latcover.lab.asking.all_solutions import DiagramRequest

        return DiagramRequest(given=tuple(self.given or ()), method=self.method, memory=self.memory, seconds=self.time)


class AssemblyOptions(Struct, frozen=True):
    """The options about taking apart."""

    states: Natural = 10_000_000
    in_plane: bool = False


class TurningOptions(Struct, frozen=True):
    """The options about parts that turn."""

    turns: When | None = None
    play: Play | None = None
    bevel: Bevel | None = None

    def check(self) -> None:
        """Refuse room to turn for parts that only slide.

        Raises:
            UnsupportedError: there is some.
        """
        from latcover.errors import UnsupportedError

        if self.turns == "never" and self.has_room:
            raise UnsupportedError("--play and --bevel are room to turn; leave out --turns never")

    @property
    def has_room(self) -> bool:
        """Whether they give room to turn."""
        return self.play is not None or self.bevel is not None


def parsed_level(text: str | None) -> tuple[int, ...]:
    """The level that --min-level asks for; empty without it."""
    if text is None:
        return ()
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){0,99}", text):
        raise typer.BadParameter(f"{text!r} is not a level such as 5 or 5.2", param_hint="--min-level")
    return tuple(map(int, text.split(".")))


def options_given(group: Any) -> list[str]:
    """The options of a group that the user gave: those that differ from their defaults."""
    found = []
    for field in msgspec.structs.fields(group):
        name, value = field.name.replace("_", "-"), getattr(group, field.name)
        if value != field.default:
            found.append(f"--no-{name}" if value is False else f"--{name}")
    return found


def only_one(given: Mapping[str, bool]) -> None:
    """Refuse options that exclude each other if more than one of them is *given*."""
    names = [name for name, is_given in given.items() if is_given]
    if len(names) > 1:
        kept = "leave one of them out" if len(names) == 2 else "keep only one of them"
        raise typer.BadParameter(f"{', '.join(names[:-1])} and {names[-1]} exclude each other; {kept}")


def expanded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* one parameter for each field of every struct of options that it takes.

    What help says of the parameters stands in help.toml.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            field_hints = get_type_hints(groups[name], include_extras=True)
            parameters += [
                _option(field.name, field_hints[field.name], field.default)
                for field in msgspec.structs.fields(groups[name])
            ]
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            parameters.append(_option(name, hints[name], parameter.default))
        else:
            parameters.append(parameter.replace(annotation=_bounded(hints[name])))

    @functools.wraps(command)
    def call(**values: Any) -> Any:
        for name, group in groups.items():
            fields = {field.name: values.pop(field.name) for field in msgspec.structs.fields(group)}
            values[name] = group(**fields)
        return command(**values)

    ordered = sorted(parameters, key=lambda parameter: parameter.kind)
    call.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return call


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    """An option as a parameter. A flag that is off by default has no --no-NAME, which would say nothing."""
    if get_origin(kind) is not Annotated or isinstance(get_args(kind)[-1], Meta):
        names = [f"--{name.replace('_', '-')}"] if kind is bool and default is False else []
        kind = Annotated[kind, typer.Option(*names)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_bounded(kind))


def _bounded(kind: Any) -> Any:
    """The type of a parameter whose bounds stand in a `Meta`, as typer takes it."""
    bounds = _bounds_of(kind)
    if bounds is None:
        return kind
    (plain, *_, stated) = get_args(kind)
    stated = copy.copy(stated)
    stated.min, stated.max, stated.metavar = bounds.ge, bounds.le, stated.metavar or bounds.title or "N"
    return Annotated[_without_bounds(plain), stated]


def _bounds_of(kind: Any) -> Meta | None:
    """The bounds of a number, as requests have them; None if it has none."""
    inner = (_bounds_of(each) for each in get_args(kind))
    return kind if isinstance(kind, Meta) else next((found for found in inner if found is not None), None)


def _without_bounds(kind: Any) -> Any:
    if get_origin(kind) is Annotated:
        return get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(map(_without_bounds, get_args(kind)))]  # noqa: UP007 - of types that are not known here
    return kind
