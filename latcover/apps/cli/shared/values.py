"""The words of a command line as values: numbers within their bounds, files, one of some names.

typer converts each by a library that takes longer to load than a small puzzle takes to solve, so this does it instead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from msgspec import Struct

PLAIN: Mapping[Any, Callable[[Any], Any]] = {int: int, float: float, str: str, bool: bool, Path: Path}


class Kind(Struct, frozen=True):
    """What a parameter holds, and what typer was told of it."""

    plain: Any
    told: Any

    def value_of(self, words: Any) -> Any:
        """The value that one word stands for, or several.

        Raises:
            ValueError: they stand for none.
        """
        origin, inner = get_origin(self.plain), get_args(self.plain)
        if origin in (list, tuple):
            return origin(PLAIN[inner[0]](word) for word in words)
        if origin is Literal or issubclass(self.plain, Enum):
            known = {str(getattr(each, "value", each)): each for each in inner or self.plain}
            if words not in known:
                raise ValueError
            return known[words]
        value = PLAIN[self.plain](words)
        low, high = self.told.min, self.told.max
        if not ((low is None or value >= low) and (high is None or value <= high)):  # a bound refuses nan, too
            raise ValueError
        return value


def convert(parameters: Sequence[Any], callback: Callable[..., Any]) -> None:
    """Let the *parameters* of a command convert their words themselves; *callback* says what they hold."""
    told = {name: of.annotation for name, of in inspect.signature(callback).parameters.items()}
    kinds = {name: _kind_of(each) for name, each in told.items() if get_origin(each) is Annotated}
    for parameter in parameters:
        if not isinstance(parameter.process_value, partial):
            kind = kinds.get(parameter.name)
            parameter.process_value = partial(_value, parameter, parameter.process_value, kind)


def _kind_of(annotation: Any) -> Kind:
    plain, told, *_ = get_args(annotation)
    if NoneType in get_args(plain):
        (plain,) = (each for each in get_args(plain) if each is not NoneType)
    return Kind(plain, told)


def _value(parameter: Any, by_typer: Callable[..., Any], kind: Kind | None, context: Any, words: Any) -> Any:
    is_given = words is not parameter.default and words is not None
    if (parameter.required and words in (None, (), [])) or (kind is None and is_given):
        return by_typer(context, words)  # it says what is missing, or the option is its own
    value = words
    if kind is not None and is_given:
        try:
            value = kind.value_of(words)
        except (ValueError, OverflowError):
            raise typer.BadParameter("", ctx=context, param=parameter) from None
    return value if parameter.callback is None else parameter.callback(context, parameter, value)
