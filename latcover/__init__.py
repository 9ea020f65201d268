"""latcover: models and solves put-together puzzles on any lattice.

>>> import latcover
>>> soma = latcover.load("soma")
>>> answer = latcover.count(soma)
>>> answer.different, answer.total
(240, 11520)
>>> first = next(latcover.solutions(soma))
>>> [placed.part for placed in first.placements]
['V', 'T', 'L', 'Z', 'A', 'B', 'P']
"""

from __future__ import annotations

import os

if not os.path.isdir(os.path.join(os.path.dirname(__file__), "backends")):  # in a checkout they lie elsewhere
    from importlib.util import find_spec

    if find_spec("latcover.backends") is None:  # an editable install finds them
        raise ImportError(
            f"{os.path.dirname(__file__)} is the folder of a checkout, where its backends are not compiled: start"
            " Python in another folder, or as `python -P`, to import the installed latcover; or install the checkout in"
            " place, by `pip install -e .`"
        )

from latcover.core.cover.handed_in import hand_in
from latcover.core.model.pictured import show_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from latcover.core.cover.solver_registry import SolverTable
    from latcover.core.model.pictured import Painter
    from latcover.core.solving.search_request import Library


def __getattr__(name: str) -> Any:
    """A public name. The stub says where each is.

    At the first use of one this function and those below give way to those of the library. So a command loads neither
    the library nor a solver before it can be interrupted.
    """
    _attach()
    return globals()[name] if name == "__all__" else globals()["__getattr__"](name)


def __dir__() -> list[str]:
    """The public names."""
    _attach()
    return [*globals()["__all__"]]


def _attach() -> None:
    import lazy_loader

    from latcover.core.model.arguments import checked

    imported, names, every = lazy_loader.attach_stub(__name__, __file__)

    def found(name: str) -> Any:
        globals()[name] = checked(name, imported(name))
        return globals()[name]

    globals().update({"__getattr__": found, "__dir__": names, "__all__": every})


def _painter() -> Painter:
    from latcover.show.printing import picture

    return picture


def _solvers() -> Mapping[str, SolverTable]:
    from latcover.backends import SOLVERS

    return SOLVERS


def _library() -> Library:
    from latcover.files.formats import library

    return library


# Each is loaded at its first use.
show_with(_painter)
hand_in(solvers=_solvers, library=_library)
