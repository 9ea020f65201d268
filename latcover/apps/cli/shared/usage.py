"""What is wrong with a command line, in one paragraph that says what to type instead.

typer stops at the first fault, and its own messages differ between versions. So we read only the fault's kind and its
parameter from typer, and the type and the bounds of the parameter from the command's signature.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from latcover.errors import OTHER_WORDS, listed, suggest

UNITS = {"SECONDS": " of seconds", "MB": " of megabytes", "MM": " of millimetres"}


def usage_message(fault: Any, words: Sequence[str]) -> str:
    """What is wrong, and where help is. *fault* is a `UsageError`; *words* are those of the command line."""
    wrong = _WRONG.get(type(fault).__name__, _other)(fault, words)
    return f"{wrong} (see `{fault.ctx.command_path if fault.ctx else _command_of(words)} --help`)"


def _command_of(words: Sequence[str]) -> str:
    """The command that *words* call, for faults that typer finds before it knows: "latcover solve"."""
    from latcover.apps.cli.shared.help_table import help_table

    known = [end for end in (1, 2) if " ".join(words[:end]) in help_table()]
    return " ".join(["latcover", *words[: max(known, default=0)]])


def _bad_value(fault: Any, words: Sequence[str]) -> str:
    """A value of a wrong type, or one that a command refuses."""
    if fault.param is None:
        hint = fault.param_hint
        return f"{hint}: {fault.message}" if hint and hint not in fault.message else str(fault.message)
    option = fault.param.opts[0]
    needs = _needs(fault.ctx.command.callback, fault.param.name)
    if not option.startswith("-"):  # the word of an argument has no option before it by which to find it
        word = (fault.param.metavar or option).strip("[]")
        return f"{word.upper()} takes {listed(needs)}" if isinstance(needs, list) else f"{word} needs {needs}"
    value = _value(fault.param, words)
    if isinstance(needs, list):
        return f"{option} cannot be {value!r}; it takes {listed(needs)}{suggest(value or '', needs, listing=False)}"
    return f"{option} needs {needs}, not {value!r}"


def _needs(command: Any, name: str) -> list[str] | str:
    """The values that a parameter takes, or what they are in words."""
    annotation = inspect.signature(command).parameters[name].annotation
    kind, info = get_args(annotation)[:2]
    inner = () if get_origin(kind) is Literal else get_args(kind)
    kinds = [each for each in inner or (kind,) if each is not type(None)]
    if get_origin(kinds[0]) is Literal:
        return [*get_args(kinds[0])]
    if issubclass(kinds[0], Enum):
        return [str(member.value) for member in kinds[0]]
    if kinds[0] not in (int, float):
        return "another value"
    number = ("a whole number" if kinds[0] is int else "a number") + UNITS.get(info.metavar or "", "")
    if info.max is not None:
        return f"{number} from {_figure(info.min)} to {_figure(info.max)}"
    return number if info.min is None else f"{number}, {_figure(info.min)} or more"


def _figure(bound: float) -> str:
    return f"{int(bound) if bound == int(bound) else bound:,}"


def _value(parameter: Any, words: Sequence[str]) -> str | None:
    """The value that the command line gives a parameter; the last one counts."""
    found = None
    for word, following in zip(words, [*words[1:], ""], strict=True):
        for option in parameter.opts:
            if word == option:
                found = following
            elif word.startswith(f"{option}=" if option.startswith("--") else option):
                found = word.removeprefix(option).removeprefix("=")
    return found


def _no_option(fault: Any, _: Sequence[str]) -> str:
    from latcover.apps.cli.shared.help_table import help_table

    known = [name for parameter in fault.ctx.command.params for name in (*parameter.opts, *parameter.secondary_opts)]
    long = [name for name in (*known, "--help") if name.startswith("--")]
    word = fault.option_name.lstrip("-")
    own = {name: texts.get("options", {}) for name, texts in help_table().items() if "about" in texts}
    elsewhere = [f"`latcover {name}`" for name, options in own.items() if word.replace("-", "_") in options]
    if elsewhere and word not in OTHER_WORDS:
        return f"`{fault.ctx.command_path}` has no option {fault.option_name}; {listed(elsewhere[:4])} can take it"
    meant = suggest(fault.option_name, long, listing=False)
    return f"`{fault.ctx.command_path}` has no option {fault.option_name}{meant}"


def _missing(fault: Any, _: Sequence[str]) -> str:
    return f"{fault.param.metavar or fault.param.opts[0]} is missing"


def _no_value(fault: Any, _: Sequence[str]) -> str:
    """An option without its value, or a flag with one."""
    if "not take" in fault.message:
        return f"{fault.option_name} takes no value: leave out what follows the ="
    several = re.search(r"requires (\d+) arguments", fault.message)
    return f"{f'{several[1]} values' if several else 'a value'} must follow {fault.option_name}"


def _other(fault: Any, _: Sequence[str]) -> str:
    """A word too many, or an unknown command."""
    from latcover.apps.cli.shared.completion import shipped_puzzles
    from latcover.apps.cli.shared.help_table import help_table

    extra = re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", fault.message)
    if extra:
        return f"there is no place for {extra[1]!r}: it is one word too many, or a value whose option is missing"
    unknown = re.match(r"No such command '(.*?)'", fault.message)
    if unknown is None:
        return str(fault.message).rstrip(".")
    if unknown[1] in shipped_puzzles():
        return f"{unknown[1]!r} is a puzzle, not a command; type for example `latcover solve {unknown[1]}`"
    of_group = next((name for name in help_table() if name.endswith(f" {unknown[1]}")), None)
    if of_group is not None:
        return f"there is no command {unknown[1]!r}; did you mean `latcover {of_group}`?"
    return f"there is no command {unknown[1]!r}{suggest(unknown[1], fault.ctx.command.commands)}"


_WRONG = {
    "BadParameter": _bad_value,
    "NoSuchOption": _no_option,
    "MissingParameter": _missing,
    "BadOptionUsage": _no_value,
}
