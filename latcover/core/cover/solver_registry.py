"""What solves and counts, by name: latcover's own, and what other packages add by entry points.

The tables are handed in from above (`latcover.core.cover.handed_in`), and a solver is loaded when it is created.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from latcover.core.cover.handed_in import handed_in
from latcover.errors import BackendUnavailableError, LatcoverError, UnsupportedError, suggest
from latcover.system.plugins import added

if TYPE_CHECKING:  # not at run time: a shell asks for names at every Tab, and numpy is slow
    from importlib.metadata import EntryPoint

    from latcover.core.cover.backend import Backend
    from latcover.core.cover.counter import Counter

DEFAULT = "auto"
ENUMERATION = "enumeration"  # the method of counting that lists all solutions, by a backend
ABILITIES = {  # members of `Backend`, and what they tell
    "takes_any_bounds": "several copies, rules that count",
    "honours_colours": "sides that match",
    "whole_rules": "rules on all parts",
    "costs_by": "best solution by",
}


class SolverOption(Struct, frozen=True):
    """An option of a solver: its name, the values that it takes, in words, and its default."""

    name: str
    takes: str
    default: object


class SolverTable(Struct, frozen=True):
    """Solvers of one kind. Each is a frozen struct whose fields are its options.

    Attributes:
        what: What they are, in messages.
        base: The class that they derive from, as ``module:attribute``. It is public in `latcover`.
        group: The group of entry points by which other packages add theirs.
        ours: Where latcover's own are, by name.
    """

    what: str
    base: str
    group: str
    ours: dict[str, str]

    def names(self) -> list[str]:
        """All names: ours, then the sorted names of other packages'."""
        return [*self.ours, *sorted(point.name for point in self._others())]

    def kind(self, name: str) -> type:
        """The class of the solver called *name*."""
        if name in self.ours:
            return _attribute(self.ours[name])
        for point in self._others():
            if point.name == name:
                return self._loaded(point)
        raise UnsupportedError(f"no {self.what} {name!r}{suggest(name, self.names())}")

    def create(self, name: str, /, **options: object) -> Any:
        """The solver called *name*; see `create`."""
        kind = self.kind(name)
        given = {key: value for key, value in options.items() if value is not None}
        types = self._types(kind)
        for key, value in given.items():
            if key not in types:
                has = f"it has {', '.join(sorted(types))}" if types else "it has none"
                raise UnsupportedError(f"{self.what} {name!r} has no option {key!r}; {has}")
            try:
                given[key] = _converted(value, types[key])
            except (msgspec.ValidationError, TypeError):
                raise UnsupportedError(
                    f"option {key!r} of {self.what} {name!r} cannot be {value!r}; it takes {_in_words(types[key])}"
                ) from None
        try:
            return kind(**given)
        except (LatcoverError, MemoryError):
            raise
        except Exception as fault:
            raise BackendUnavailableError(
                f"{self.what} {name!r} cannot be made: {type(fault).__name__}: {fault}"
            ) from fault

    def describe(self, name: str) -> tuple[str, list[SolverOption]]:
        """A line about the solver called *name*, and its options."""
        kind = self.kind(name)
        types = self._types(kind)
        summary = (kind.__doc__ or "").strip().split("\n", maxsplit=1)[0]
        defaults = {field.name: _default(field) for field in msgspec.structs.fields(cast(Any, kind))}
        return summary, [SolverOption(key, _in_words(hint), defaults[key]) for key, hint in types.items()]

    def has(self, solver: object) -> bool:
        """Whether a solver is one of latcover's own. The tests check that these keep the contract."""
        return f"{type(solver).__module__}:{type(solver).__qualname__}" in self.ours.values()

    def _others(self) -> Iterator[EntryPoint]:
        return (point for point in added(self.group) if point.name not in self.ours)

    def _loaded(self, point: EntryPoint) -> type:
        try:
            kind = point.load()
        except Exception as fault:
            raise BackendUnavailableError(
                f"{self.what} {point.name!r} cannot be loaded from {point.value}: {type(fault).__name__}: {fault}"
            ) from fault
        base = _attribute(self.base)
        if not (isinstance(kind, type) and issubclass(kind, base)):
            raise BackendUnavailableError(
                f"{self.what} {point.name!r}: {point.value} is not derived from `latcover.{base.__name__}`"
            )
        return kind

    def _types(self, kind: type) -> dict[str, Any]:
        try:
            return _types_of_options(kind)
        except Exception as fault:
            raise BackendUnavailableError(
                f"the options of {self.what} {kind.__name__} have types that are unknown: "
                f"{type(fault).__name__}: {fault}"
            ) from fault


def backends() -> SolverTable:
    """The backends."""
    return cast(SolverTable, handed_in("solvers")["backends"])


def counters() -> SolverTable:
    """The methods of counting without a list."""
    return cast(SolverTable, handed_in("solvers")["counters"])


def names() -> list[str]:
    """The names of all backends: ours, then the sorted names of other packages' backends."""
    return backends().names()


def searchers() -> list[str]:
    """The names of the backends that search themselves; a backend that cannot be loaded is among them."""
    return [name for name in names() if not only_picks(name)]


def only_picks(name: str) -> bool:
    """Whether a backend searches nothing itself; False if that cannot be told."""
    try:
        return cast("type[Backend]", backends().kind(name)).only_picks
    except LatcoverError:
        return False


def create(name: str, /, **options: object) -> Backend:
    """The backend called *name*, with *options*; an option that is None keeps its default.

    Text is converted to the type of an option, so that options may come from a command line.

    Raises:
        UnsupportedError: the backend does not exist, or cannot honour an option.
        BackendUnavailableError: the backend cannot be loaded.
    """
    return cast("Backend", backends().create(name, **options))


def count_methods() -> list[str]:
    """The names of all methods of counting."""
    return [DEFAULT, ENUMERATION, *(name for name in counters().names() if name != DEFAULT)]


def counter(name: str) -> Counter:
    """The method of counting called *name*.

    Raises:
        UnsupportedError, BackendUnavailableError: as `create`.
    """
    if name not in counters().ours and name not in (known := count_methods()):  # entry points take milliseconds
        raise UnsupportedError(f"no method of counting {name!r}{suggest(name, known)}")
    return cast("Counter", counters().create(name))


def describe(name: str) -> tuple[str, list[SolverOption]]:
    """A line about a backend, and its options.

    Raises:
        UnsupportedError, BackendUnavailableError: as `create`.
    """
    return backends().describe(name)


def abilities(name: str) -> dict[str, bool | str]:
    """What a backend declares that it can, by the names of members of `latcover.Backend`.

    Raises:
        UnsupportedError, BackendUnavailableError: as `create`.
    """
    backend = create(name)
    return {ability: getattr(backend, ability) for ability in ABILITIES}


# ---- options


@cache  # reading types takes as long as a small count
def _types_of_options(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in msgspec.structs.fields(cast(Any, kind))}


def _attribute(place: str) -> type:
    module, attribute = place.split(":")
    return cast(type, getattr(import_module(module), attribute))


def _default(field: msgspec.structs.FieldInfo) -> object:
    """The default of an option; None if it has none, or one that cannot be shown."""
    return field.default if isinstance(field.default, (bool, int, float, str)) else None


def _alternatives(hint: Any) -> list[Any]:
    """The types of a union besides None; for another type, the type itself."""
    if get_origin(hint) is Literal or not get_args(hint):
        return [hint]
    return [alternative for alternative in get_args(hint) if alternative is not NoneType]


def _converted(value: object, hint: Any) -> object:
    """*value* converted to the type *hint*; text may stand for a number, or say yes or no."""
    if bool in _alternatives(hint) and isinstance(value, str) and value.lower() in ("yes", "no"):
        return value.lower() == "yes"
    return msgspec.convert(value, hint, strict=not isinstance(value, str))


def _in_words(hint: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return " or ".join(
        ", ".join(map(str, get_args(a))) if get_origin(a) is Literal else words.get(a, str(a))
        for a in _alternatives(hint)
    )
