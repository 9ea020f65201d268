"""Checks what public functions are given: an argument of a wrong kind is refused in a sentence, before any work.

The annotations of a function say what it takes. What the function is about, its first argument, it judges itself: it
knows better what would mend it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, wraps
from operator import index
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import numpy as np

from latcover.errors import PuzzleError, listed


def checked(name: str, given: Any) -> Any:
    """A function that checks its arguments first, as *name* of the package; anything else stays as it is.

    Raises:
        PuzzleError: by the function, an argument is of another kind than its annotation says.
    """
    if not isinstance(given, FunctionType):
        return given
    signature = inspect.signature(given)

    @wraps(given)
    def performed(*args: Any, **named: Any) -> Any:
        try:
            bound = signature.bind(*args, **named)
        except TypeError:
            return given(*args, **named)  # Python says what is missing
        kinds = _kinds(given)
        for parameter, value in bound.arguments.items():
            values = value if signature.parameters[parameter].kind is inspect.Parameter.VAR_POSITIONAL else (value,)
            kind = kinds.get(parameter, Any)
            if not all(_fits(each, kind) for each in values):
                raise PuzzleError(f"{name}: {parameter} must be {_in_words(kind)}, not {value!r:.80}")
        return given(*args, **named)

    performed.__module__, performed.__qualname__ = "latcover", name  # where pickle finds it
    return performed


@cache
def _kinds(function: FunctionType) -> dict[str, Any]:
    """What each parameter but the first takes, where it is known when the program runs."""
    found = {}
    for name, text in [*function.__annotations__.items()][1:]:
        try:
            found[name] = eval(text, function.__globals__) if isinstance(text, str) else text
        except (NameError, TypeError):
            continue
    return found


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind. Elements of collections are not looked at."""
    origin: Any = get_origin(kind) or kind
    if origin is Any or value is kind:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if origin is Annotated:
        return _within(value, kind) if _fits(value, get_args(kind)[0]) else False
    if origin in (int, float):
        return not isinstance(value, bool) and (hasattr(value, "__index__") or isinstance(value, origin))
    if not isinstance(origin, type):
        return True
    if origin.__module__ == "collections.abc" and origin is Callable:
        return callable(value)
    if origin is not str and hasattr(origin, "__iter__") and not issubclass(origin, Mapping) and get_args(kind):
        return hasattr(value, "__iter__")
    try:
        return isinstance(value, NoneType if origin is None else origin)
    except TypeError:  # a protocol
        return True


def _within(value: Any, kind: Any) -> bool:
    """Whether a value keeps the bounds of a kind."""
    try:
        msgspec.convert(index(value) if hasattr(value, "__index__") else value, kind)
    except msgspec.ValidationError:
        return False
    return True


_WORDS: dict[Any, str] = {
    np.ndarray: "array",
    int: "whole number",
    float: "number",
    str: "text",
    bool: "truth value",
    Callable: "function",
}


def _in_words(kind: Any) -> str:
    """What a kind is: "an Events", "a number from 0 or None"."""
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        return " or ".join(_in_words(each) for each in get_args(kind))
    if origin is Literal:
        return f"one of {listed(map(repr, get_args(kind)))}"
    if origin is Annotated:
        base, *bounds = get_args(kind)
        return _in_words(base) + "".join(_bounds(each) for each in bounds)
    if kind is None or kind is NoneType:
        return "None"
    name = str(_WORDS.get(origin) or getattr(origin, "__name__", origin))
    return name if origin is str else f"{'an' if name[0] in 'AEIOUa' else 'a'} {name}"


def _bounds(bound: msgspec.Meta) -> str:
    low = "" if bound.ge is None else f" from {bound.ge}"
    return low if bound.le is None else f"{low} to {bound.le}"
