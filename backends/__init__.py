"""Backends: one adapter for each solver. Nothing here knows parts, geometry or files."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import cast

from latcover.errors import UnsupportedError, suggest
from latcover.search import Backend

_WHERE = {"dlx": ("latcover.backends.dlx", "Dlx"), "bitset": ("latcover.backends.bitset", "Bitset")}
NAMES = tuple(_WHERE)
DEFAULT = "dlx"


def create(name: str, **options: object) -> Backend:
    """The backend called *name*, with *options*; an option that is None is left at its default.

    Raises:
        UnsupportedError: there is no such backend, or it cannot honour an option.
    """
    if name not in _WHERE:
        raise UnsupportedError(f"no backend {name!r}{suggest(name, NAMES)}")
    module, attribute = _WHERE[name]
    kind = getattr(import_module(module), attribute)
    known = {field.name for field in dataclasses.fields(kind)}
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in known:
            raise UnsupportedError(f"backend {name!r} has no option {key!r}; it has {', '.join(sorted(known))}")
    return cast(Backend, kind(**given))
