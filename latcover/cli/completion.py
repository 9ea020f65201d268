"""The values that a shell offers when the user presses Tab.

The shell starts the program for each Tab. So this module imports numpy only where the values need it. It never prints.
If it has no values, the shell completes the names of files.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from importlib.resources import files

import typer

VARIABLE = "_LATCOVER_COMPLETE"  # the name that typer gives the variable by which a shell asks
Completer = Callable[[typer.Context, str], list[str]]
_key_before: list[str] = []  # the KEY, when bash completes the value of KEY=VALUE


def _silent(complete: Completer) -> Completer:
    """*complete* without its errors. A backend of another package may raise anything."""

    @functools.wraps(complete)
    def attempt(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            return [value for value in complete(ctx, incomplete) if value.startswith(incomplete)]
        except Exception:
            return []

    return attempt


def _shipped(package: str, *inner: str) -> list[str]:
    folder = files(f"latcover.{package}")
    for name in inner:
        folder = folder.joinpath(name)
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _listed(known: Iterable[str], incomplete: str) -> list[str]:
    """Values of a list A,B,...: the values before the last comma stay, and are not offered again."""
    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in known if name not in before.split(",")]


def shipped_puzzles() -> list[str]:
    """The names of the shipped puzzles."""
    return _shipped("instances")


@_silent
def puzzles(ctx: typer.Context, incomplete: str) -> list[str]:
    """Shipped puzzles."""
    return shipped_puzzles()


@_silent
def listed_puzzles(ctx: typer.Context, incomplete: str) -> list[str]:
    """Shipped puzzles, as a list A,B,..."""
    return _listed(_shipped("instances"), incomplete)


@_silent
def lattices(ctx: typer.Context, incomplete: str) -> list[str]:
    """Shipped lattices."""
    return _shipped("lattices")


@_silent
def puzzles_and_lattices(ctx: typer.Context, incomplete: str) -> list[str]:
    """Shipped puzzles and lattices."""
    return sorted({*shipped_puzzles(), *_shipped("lattices")})


@_silent
def lattices_and_sets(ctx: typer.Context, incomplete: str) -> list[str]:
    """Shipped lattices and part sets."""
    return sorted({*_shipped("lattices"), *_shipped("instances", "sets")})


@_silent
def everything_shipped(ctx: typer.Context, incomplete: str) -> list[str]:
    """All names that `check` takes."""
    return sorted({*_shipped("instances"), *_shipped("lattices"), *_shipped("instances", "sets")})


@_silent
def puzzles_and_forms(ctx: typer.Context, incomplete: str) -> list[str]:
    """The arguments of `export`: a puzzle and a form, in either order."""
    from latcover.formats.forms import WRITTEN

    given = set(ctx.params.get("words") or ())
    forms = [] if given & set(WRITTEN) else [*WRITTEN]
    return [*forms, *([] if given - set(WRITTEN) else _shipped("instances"))]


@_silent
def backends(ctx: typer.Context, incomplete: str) -> list[str]:
    """Backends, also those of other packages."""
    from latcover.backends import names

    return names()


@_silent
def listed_backends(ctx: typer.Context, incomplete: str) -> list[str]:
    """Backends, as a list A,B,..."""
    from latcover.backends import names

    return _listed(names(), incomplete)


@_silent
def methods(ctx: typer.Context, incomplete: str) -> list[str]:
    """Methods, as a list A,B,..."""
    from latcover.backends import names
    from latcover.comparing.methods import known_methods

    return _listed({**known_methods(names()), **dict.fromkeys(names())}, incomplete)


@_silent
def backend_options(ctx: typer.Context, incomplete: str) -> list[str]:
    """KEY=VALUE for the backend that the command line names. KEY= alone if the value can be any text or number."""
    from latcover.backends import DEFAULT, describe

    pairs = []
    for option in describe(ctx.params.get("backend") or DEFAULT)[1]:
        if option.takes == "true or false":
            values = ["true", "false"]
        elif option.name == "solver":
            values = _solvers()
        elif option.name == "encoding":
            values = _encodings()
        else:
            values = option.takes.split(", ") if ", " in option.takes else [""]
        pairs += [f"{option.name}={value}" for value in values]
    if _key_before:
        start = f"{_key_before[0]}="
        return [pair.removeprefix(start) for pair in pairs if pair.startswith(start)]
    return pairs


@_silent
def encodings(ctx: typer.Context, incomplete: str) -> list[str]:
    """Encodings of "at most one" as clauses."""
    return _encodings()


def _encodings() -> list[str]:
    from latcover.backends.sat_encoding import encodings as known

    return [*known()]


def _solvers() -> list[str]:
    from latcover.backends.sat_solvers import aliases

    return [*aliases()]


@_silent
def sections(ctx: typer.Context, incomplete: str) -> list[str]:
    """Sections of the benchmark suite, as a list A,B,..."""
    from latcover.benchmarks.suite_registry import SECTIONS

    return _listed(SECTIONS, incomplete)


@_silent
def compared_tasks(ctx: typer.Context, incomplete: str) -> list[str]:
    """What `bench compared` asks, as a list A,B,..."""
    from latcover.benchmarks.compared.cases import TASKS

    return _listed(TASKS, incomplete)


@_silent
def compared_programs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Whom `bench compared` asks, as a list A,B,..."""
    from latcover.benchmarks.compared.programs import BY_NAME

    return _listed(BY_NAME, incomplete)


@_silent
def kinds_of_answer(ctx: typer.Context, incomplete: str) -> list[str]:
    """What `decode` can read."""
    from latcover.formats.cover_problems.answers import Kind

    return [*Kind]


@_silent
def clusters(ctx: typer.Context, incomplete: str) -> list[str]:
    """The only cluster with a name; others have addresses."""
    return ["local"]


def rejoin_words() -> None:
    """Join the words that bash split at "=": it hands over --backend=sat as three words.

    bash completes only the value, so this function keeps the KEY of a KEY=VALUE in `_key_before`.
    """
    if os.environ.get(VARIABLE) != "complete_bash":
        return
    words = os.environ.get("COMP_WORDS", "").split("\n")
    asked = os.environ.get("COMP_CWORD", "")
    if not asked.isdecimal():
        return
    words = (words + [""] * int(asked))[: int(asked) + 1]
    joined, open_pair = words[:1], False
    for word in words[1:]:
        if word == "=" and joined[-1].startswith("--"):
            continue
        if word == "=" or open_pair:
            joined[-1] += word
        else:
            joined.append(word)
        open_pair = word == "="
    if words[-1] == "=" and not open_pair:
        joined.append("")
    key, equals, value = joined[-1].partition("=")
    if equals and "=" in words[-2:]:
        _key_before[:] = [key]
        joined[-1] = value
    os.environ.update(COMP_WORDS="\n".join(joined), COMP_CWORD=str(len(joined) - 1))
