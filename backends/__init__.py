"""Backends: one adapter for each solver. Nothing here knows parts, geometry or files.

A backend is a frozen struct whose fields are its options; see `latcover.Backend` and
docs/reference/backends.md.
Other packages add backends by an entry point of the group `latcover.backends`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from latcover.errors import BackendUnavailableError, LatcoverError, UnsupportedError, suggest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from latcover.core.cover.problem import CoverProblem
    from latcover.core.cover.search import (
        Backend,  # not at run time: a shell asks for names at every Tab, and numpy is slow
    )

GROUP = "latcover.backends"
DEFAULT = "auto"
OURS = {
    "auto": "latcover.backends.auto:Auto",
    "bitset": "latcover.backends.bitset:Bitset",
    "dlx": "latcover.backends.dlx:Dlx",
    "backtrack": "latcover.backends.backtrack:Backtrack",
    "restarts": "latcover.backends.restarts:Restarts",
    "cpsat": "latcover.backends.cpsat:CpSat",
    "sat": "latcover.backends.sat:Sat",
    "frontier": "latcover.backends.sweeping:Frontier",
}


ABILITIES = {  # members of `Backend`, and what they tell
    "takes_any_bounds": "several copies, rules that count",
    "honours_colours": "sides that match",
    "whole_rules": "rules on all parts",
    "costs_by": "best solution by",
}


class BackendOption(Struct, frozen=True):
    """An option of a backend: its name, the values that it takes, in words, and its default."""

    name: str
    takes: str
    default: object


def names() -> list[str]:
    """The names of all backends: ours, then the sorted names of other packages' backends."""
    return [*OURS, *sorted(point.name for point in _others())]


def searchers() -> list[str]:
    """The names of the backends that search themselves; a backend that cannot be loaded is among them."""
    return [name for name in names() if not _only_picks(name)]


def _only_picks(name: str) -> bool:
    try:
        return cast("type[Backend]", _kind(name)).only_picks
    except LatcoverError:
        return False


def create(name: str, **options: object) -> Backend:
    """The backend called *name*, with *options*; an option that is None keeps its default.

    Text is converted to the type of an option, so that options may come from a command line.

    Raises:
        UnsupportedError: the backend does not exist, or cannot honour an option.
        BackendUnavailableError: the backend cannot be loaded.
    """
    kind = _kind(name)
    types = _types(kind)
    given = {}
    for key, value in options.items():
        if value is None:
            continue
        if key not in types:
            has = f"it has {', '.join(sorted(types))}" if types else "it has none"
            raise UnsupportedError(f"backend {name!r} has no option {key!r}; {has}")
        try:
            given[key] = _converted(value, types[key])
        except ValueError:
            raise UnsupportedError(
                f"option {key!r} of backend {name!r} cannot be {value!r}; it takes {_in_words(types[key])}"
            ) from None
    try:
        return cast("Backend", kind(**given))
    except (LatcoverError, MemoryError):
        raise
    except Exception as fault:
        raise BackendUnavailableError(f"backend {name!r} cannot be made: {type(fault).__name__}: {fault}") from fault


def describe(name: str) -> tuple[str, list[BackendOption]]:
    """A line about a backend, and its options.

    Raises:
        UnsupportedError, BackendUnavailableError: as `create`.
    """
    kind = _kind(name)
    types = _types(kind)
    summary = (kind.__doc__ or "").strip().split("\n", maxsplit=1)[0]
    defaults = {field.name: _default(field) for field in msgspec.structs.fields(cast(Any, kind))}
    return summary, [BackendOption(key, _in_words(hint), defaults[key]) for key, hint in types.items()]


def require_range(backend: str, option: str, value: int, least: int, most: int) -> None:
    """Refuse a *value* of an option below *least* or above *most*.

    Raises:
        UnsupportedError: the value is out of range.
    """
    if not least <= value <= most:
        raise UnsupportedError(f"backend {backend!r}: {option} must be from {least} to {most}, not {value}")


def _able(ability: str) -> str:
    """Our backends that declare an ability, the name of a member of `latcover.Backend` that is True."""
    *others, last = [name for name in OURS if not _only_picks(name) and getattr(_kind(name), ability) is True]
    return f"{', '.join(others)} or {last}"


def refuse_colours(who: str, problem: CoverProblem) -> None:
    """Refuse a problem with colours on behalf of *who*, which does not support them.

    Raises:
        UnsupportedError: the problem has colours.
    """
    if problem.has_colours:
        raise UnsupportedError(
            f"{who} does not know colours of items, as sides that match make them, so its results would be wrong; "
            f"choose a backend that knows them: {_able('honours_colours')}"
        )


def refuse_repeated_items(who: str, problem: CoverProblem) -> None:
    """Refuse a problem with items that may be held several times on behalf of *who*, which does not take them.

    Raises:
        UnsupportedError: the problem has such items.
    """
    if (problem.high > 1).any():
        raise UnsupportedError(
            f"{who} takes only parts that may be used once, or any number of times, and no rules that count parts, as "
            "those on lines, crossroads and room do (so no clumsy packings); choose a backend that takes them: "
            f"{_able('takes_any_bounds')}"
        )


def abilities(name: str) -> dict[str, bool | str]:
    """What a backend declares that it can, by the names of members of `latcover.core.cover.search.Backend`.

    Raises:
        UnsupportedError, BackendUnavailableError: as `create`.
    """
    backend = create(name)
    return {ability: getattr(backend, ability) for ability in ABILITIES}


def is_ours(backend: Backend) -> bool:
    """Whether a backend is one of latcover's own. The tests check that these keep the contract."""
    return f"{type(backend).__module__}:{type(backend).__qualname__}" in OURS.values()


def _default(field: msgspec.structs.FieldInfo) -> object:
    """The default of an option; None if it has none, or one that cannot be shown."""
    return field.default if isinstance(field.default, (bool, int, float, str)) else None


def _others() -> Iterator[EntryPoint]:
    from importlib.metadata import entry_points  # slow, and only other packages' backends need it

    return (point for point in entry_points(group=GROUP) if point.name not in OURS)


def _kind(name: str) -> type:
    if name in OURS:
        module, attribute = OURS[name].split(":")
        return cast(type, getattr(import_module(module), attribute))
    for point in _others():
        if point.name == name:
            return _loaded(point)
    raise UnsupportedError(f"no backend {name!r}{suggest(name, names())}")


def _loaded(point: EntryPoint) -> type:
    try:
        kind = point.load()
    except Exception as fault:
        raise BackendUnavailableError(
            f"backend {point.name!r} cannot be loaded from {point.value}: {type(fault).__name__}: {fault}"
        ) from fault
    from latcover.core.cover.search import Backend

    if not (isinstance(kind, type) and issubclass(kind, Backend)):
        raise BackendUnavailableError(f"backend {point.name!r}: {point.value} is not derived from `latcover.Backend`")
    return kind


def _types(kind: type) -> dict[str, Any]:
    try:
        hints = get_type_hints(kind)
    except Exception as fault:
        raise BackendUnavailableError(
            f"the options of backend {kind.__name__} have types that are unknown: {type(fault).__name__}: {fault}"
        ) from fault
    return {field.name: hints[field.name] for field in msgspec.structs.fields(cast(Any, kind))}


def _alternatives(hint: Any) -> list[Any]:
    """The types of a union besides None; for another type, the type itself."""
    if get_origin(hint) is Literal or not get_args(hint):
        return [hint]
    return [alternative for alternative in get_args(hint) if alternative is not NoneType]


def _converted(value: object, hint: Any) -> object:
    """*value* converted to the type *hint*; ValueError if that is impossible."""
    for alternative in _alternatives(hint):
        if get_origin(alternative) is Literal:
            if value in get_args(alternative):
                return value
        elif type(value) is alternative:
            return value
        elif isinstance(value, str) and alternative is bool:
            if value.lower() in ("true", "yes", "1", "false", "no", "0"):
                return value.lower() in ("true", "yes", "1")
        elif isinstance(value, str) and alternative is int:
            return int(value)
        elif isinstance(value, (str, int)) and alternative is float:
            return float(value)
    raise ValueError(value)


def _in_words(hint: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return " or ".join(
        ", ".join(map(str, get_args(a))) if get_origin(a) is Literal else words.get(a, str(a))
        for a in _alternatives(hint)
    )
