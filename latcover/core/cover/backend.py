"""The protocol of backends: a name, one call with a task, and declarations of what it honours beyond that."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from functools import cache
from typing import Any, cast, get_args, get_type_hints

import numpy as np
from msgspec import Meta, Struct, StructMeta
from msgspec.structs import replace

from latcover.core.cover.cover_costs import Optima
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, Rule, SearchTask
from latcover.errors import UnsupportedError


class Tree(Struct, frozen=True):
    """A search tree that can be probed: the tree of ``dlx``, which `bitset` walks too, or the tree of ``backtrack``."""

    kind: str
    size: bool
    strand: str = "no"


class BackendMeta(StructMeta, ABCMeta):
    """Makes structs that may have abstract methods."""


class Backend(Struct, frozen=True, metaclass=BackendMeta):
    """A solver of cover problems. It holds no state between calls.

    A backend is a struct that derives from this class; its fields are its options. It must have a name and
    `search`. It declares further abilities by the other members, as properties or as class attributes without an
    annotation. The defaults suit a backend that only finds covers.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which users choose it."""

    @abstractmethod
    def search(self, task: SearchTask) -> SearchResult:
        """Find every cover that *task* asks for, once each.

        An exception in a callback ends the search and is passed on, KeyboardInterrupt too.
        """

    def __post_init__(self) -> None:
        """Refuse an option beyond the bounds that its type states by `msgspec.Meta`."""
        for name, least, most in _bounds(type(self)):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise UnsupportedError(f"backend {self.name!r}: {name} must be from {least} to {most}, not {value}")

    def optima(self, task: SearchTask) -> Optima | None:
        """What the cheapest covers cost, and how many they are, without listing them; None if that is not known.

        This default knows nothing. Of the limits only that of seconds applies.
        """
        return None

    @property
    def honours_colours(self) -> bool:
        """Whether it supports colours of items. If not, it is never asked to search a problem with colours."""
        return False

    takes_any_bounds = True  # no annotation: it is no option
    """Whether it takes items that may be held several times, as parts of which there are several copies make them."""

    limits_branches = False
    """Whether it branches on options, and so keeps a limit of branches."""

    version = 1  # no annotation
    """Rises whenever it may count branches, or cut a search into jobs, in another way; kept runs compare it."""

    whole_rules = "checks covers"
    """What it does about a veto: it "checks covers" when they are whole, and so is told of none, "prunes" before, or
    "learns" from them."""

    rests_on = ""  # no annotation: it is no option
    """Somebody else's solver whose word its results are, in messages; "" if the search is its own."""

    costs_by = "listing"
    """How it finds what costs least, in a few words."""

    @property
    def rule(self) -> Rule:
        """How it branches. If it does not branch on options, this is how its searches are cut into jobs."""
        return "fewest"

    only_picks = False  # no annotation: it is no option
    """Whether it only picks another backend. A comparison of all backends leaves it out."""

    @property
    def leaves_method_open(self) -> bool:
        """Whether its options leave a count free to use another method."""
        return False

    def on_one_thread(self) -> Backend:
        """The same backend on one thread, if it has the option ``threads``."""
        if not hasattr(self, "threads"):
            return self
        single: Backend = replace(cast(Any, self), threads=1)
        return single

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree that it walks on *problem*, for probes.

        Raises:
            UnsupportedError: its tree cannot be probed, or it cannot search the problem.
        """
        raise UnsupportedError(
            f"the tree of {self.name} cannot be probed; choose the backend bitset, dlx, backtrack or auto"
        )


@cache
def _bounds(kind: type) -> tuple[tuple[str, Any, Any], ...]:
    """The options of a backend that have bounds, and these."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for part in (hint, *get_args(hint)):
            found += [(name, each.ge, each.le) for each in getattr(part, "__metadata__", ()) if isinstance(each, Meta)]
    return tuple(found)


def collect(backend: Backend, problem: CoverProblem) -> list[tuple[int, ...]]:
    """All covers of a small problem, in the order found; the options of each cover ascend."""
    found: list[tuple[int, ...]] = []

    def keep(batch: Batch) -> bool:
        found.extend(tuple(np.sort(cover).tolist()) for cover in batch)
        return True

    backend.search(SearchTask(problem, keep))
    return found
