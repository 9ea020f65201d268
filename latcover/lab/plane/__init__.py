"""Tilings of the whole plane: whether shapes have one, and how far a shape without one can be surrounded.

`latcover.lab.plane` is this package, and the function of this name too: a call of the package is one of
`latcover.lab.plane.plane_search.plane`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Plane(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        from latcover.lab.plane.plane_search import plane

        return plane(*arguments, **named)


sys.modules[__name__].__class__ = _Plane
