"""The values that a shell offers when the user presses Tab.

The shell starts the program for each Tab. So this module imports numpy only where the values need it. It never prints.
If it has no values, the shell completes the names of files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer

from latcover.apps.cli.shared.checkout import benchmark

if TYPE_CHECKING:
    from latcover.files.formats.source import Kind

VARIABLE = "_LATCOVER_COMPLETE"  # the name that typer gives the variable by which a shell asks
Completer = Callable[[typer.Context, str], list[str]]
_key_before: list[str] = []  # the KEY, when bash completes the value of KEY=VALUE


def _offering(values: Callable[[typer.Context], Iterable[str]], *, listed: bool = False) -> Completer:
    """A completer that offers *values*; if *listed*, those of a list A,B,... that the list does not have yet.

    It hides errors: a backend of another package may raise anything.
    """

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        before, comma, _ = incomplete.rpartition(",") if listed else ("", "", "")
        try:
            offered = [f"{before}{comma}{name}" for name in values(ctx) if name not in before.split(",")]
        except Exception:
            return []
        return [value for value in offered if value.startswith(incomplete)]

    return complete


def _named(module: str, name: str) -> Callable[[typer.Context], Iterable[str]]:
    """The names in a module that is imported when they are wanted: those of a table, or those that a function tells."""

    def values(_: typer.Context) -> Iterable[str]:
        found: Any = getattr(import_module(f"latcover.{module}"), name)
        return found() if callable(found) and not isinstance(found, type) else map(str, found)

    return values


def _shipped(*kinds: Kind) -> list[str]:
    """The names of what is shipped, of several kinds."""
    from latcover.files.formats.source import names

    return sorted({name for kind in kinds for name in names(kind)})


def shipped_puzzles() -> list[str]:
    """The names of the shipped puzzles."""
    return _shipped("instances")


def _puzzles_and_forms(ctx: typer.Context) -> list[str]:
    """The arguments of `export`: a puzzle and a form, in either order."""
    from latcover.files.formats.forms import WRITTEN

    given = set(ctx.params.get("words") or ())
    forms = [] if given & set(WRITTEN) else [*WRITTEN]
    return [*forms, *([] if given - set(WRITTEN) else shipped_puzzles())]


def _ready_sets() -> list[str]:
    """Some ready sets."""
    from latcover.files.formats.ready_sets import offered

    return [each.name for each in offered()]


def _methods(_: typer.Context) -> dict[str, Any]:
    from latcover.backends import names
    from latcover.lab.comparing.methods import known_methods

    return {**known_methods(names()), **dict.fromkeys(names())}


def _rules(_: typer.Context) -> list[str]:
    from latcover.core.model.rules.rule_forms import known_texts

    return [name + equals for name, equals, _ in (text.partition("=") for text in known_texts())]


def _backend_options(ctx: typer.Context) -> list[str]:
    """KEY=VALUE for the backend that the command line names. KEY= alone if the value can be any text or number."""
    from latcover.backends import DEFAULT, describe
    from latcover.backends.sat_solvers import aliases
    from latcover.core.cover.clauses import encodings as encodings_known

    pairs = []
    for option in describe(ctx.params.get("backend") or DEFAULT)[1]:
        if option.takes == "true or false":
            values = ["true", "false"]
        elif option.name == "solver":
            values = [*aliases()]
        elif option.name == "encoding":
            values = [*encodings_known()]
        else:
            values = option.takes.split(", ") if ", " in option.takes else [""]
        pairs += [f"{option.name}={value}" for value in values]
    if _key_before:
        start = f"{_key_before[0]}="
        return [pair.removeprefix(start) for pair in pairs if pair.startswith(start)]
    return pairs


puzzles = _offering(lambda _: _shipped("instances", "goals"))
listed_puzzles = _offering(lambda _: shipped_puzzles(), listed=True)
lattices = _offering(lambda _: _shipped("lattices"))
puzzles_and_lattices = _offering(lambda _: _shipped("instances", "goals", "lattices"))
families = _offering(lambda _: _shipped("families"))
lattices_and_sets = _offering(lambda _: [*_shipped("lattices", "sets"), *_ready_sets(), "polyaboloes"])
everything_shipped = _offering(lambda _: [*_shipped("instances", "goals", "lattices", "sets"), *_ready_sets()])
puzzles_and_forms = _offering(_puzzles_and_forms)
backends = _offering(_named("backends", "names"))
count_methods = _offering(_named("core.cover.solver_registry", "count_methods"))
listed_backends = _offering(_named("backends", "names"), listed=True)
methods = _offering(_methods, listed=True)
backend_options = _offering(_backend_options)
rules = _offering(_rules)
encodings = _offering(_named("core.cover.clauses", "encodings"))
sections = _offering(lambda _: benchmark("suite_registry").SECTIONS, listed=True)
compared_tasks = _offering(lambda _: benchmark("compared.cases").TASKS, listed=True)
compared_programs = _offering(lambda _: benchmark("compared.programs").BY_NAME, listed=True)
kinds_of_answer = _offering(_named("files.exchange.foreign_answers", "Kind"))
clusters = _offering(lambda _: ["local"])  # the only cluster with a name; others have addresses


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
