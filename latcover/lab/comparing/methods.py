"""The methods to compare: their names, and their arguments on the command line of `latcover count`.

The names are those of Barequet and Tal (2010). BT is the direct method: it fills the first empty cell by every free
part. MC is the matrix cover. SZ branches on the item with the fewest options. ST avoids islands that no part can fill.
In BT it checks the island around the next cell. In MC it leaves out rows that strand an island by themselves; this
agrees with the branches in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from latcover.errors import UnsupportedError, suggest


class Method(Struct, frozen=True):
    """A way to search: ``arguments`` are those of `latcover count`."""

    name: str
    arguments: tuple[str, ...]


PAPER = {
    "BT": "--backend backtrack --no-size",
    "BT+ST": "--backend backtrack --no-size --stranding anchor",
    "BT+SZ": "--backend backtrack --size",
    "MC": "--backend dlx --no-size",
    "MC+ST": "--backend dlx --no-size --stranding rows",
    "MC+SZ": "--backend dlx --size",
    "MC+SZ+ST": "--backend dlx --size --stranding rows",
}


def known_methods(backends: Iterable[str]) -> dict[str, Method]:
    """The paper's methods, and those of these backends that the paper's methods do not use."""
    known = {name: Method(name, tuple(arguments.split())) for name, arguments in PAPER.items()}
    used = {method.arguments[1] for method in known.values()}
    return known | {name: _of_backend(name) for name in backends if name not in used}


def chosen_methods(wanted: str, backends: Iterable[str]) -> tuple[Method, ...]:
    """The methods that a list such as ``MC,dlx,sat:solver=minisat22,encoding=pairwise`` names, each once.

    A name is one of the paper's or a backend's; options of the backend may follow it.

    Raises:
        UnsupportedError: a method does not exist, or an option has no value.
    """
    names = tuple(backends)
    known = known_methods(names) | {name: _of_backend(name) for name in names}
    found: dict[str, Method] = {}
    for text in _parted(wanted):
        name, colon, options = text.partition(":")
        method = known.get(name) or known.get(name.upper())
        if method is None:
            raise UnsupportedError(f"no method {name!r}{suggest(name, known)}")
        given = options.split(",") if colon else []
        for option in given:
            if not all(option.partition("=")):
                raise UnsupportedError(f"method {text!r}: {option!r} is not an option of the form key=value")
        full = f"{method.name}:{','.join(given)}" if given else method.name
        arguments = (*method.arguments, *(word for option in given for word in ("--option", option)))
        found[full] = Method(full, arguments)
    if not found:
        raise UnsupportedError(f"no method is named; known: {', '.join(known)}")
    return tuple(found.values())


def _of_backend(name: str) -> Method:
    return Method(name, ("--backend", name))


def _parted(wanted: str) -> list[str]:
    """The words between commas, except that ``key=value`` goes with the method before it."""
    parts: list[str] = []
    for word in (word.strip() for word in wanted.split(",")):
        if parts and "=" in word and ":" not in word.partition("=")[0]:
            parts[-1] += f",{word}"
        elif word:
            parts.append(word)
    return parts
