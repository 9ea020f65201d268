"""The protocol of counters: they count the covers of a problem without listing them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from msgspec import Struct

from latcover.core.cover.backend import BackendMeta
from latcover.core.cover.keeping import Keeper
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress

MOST_BYTES = 1 << 30


class Budget(Struct, frozen=True):
    """What a count may use.

    Attributes:
        most_bytes: The memory that states may take.
        most_on_disk: The bytes that further states may take in a temporary file.
        threads: How many threads count together; None takes the available processors.
        keeper: Keeps the count of a frontier while it goes on; None keeps nothing.
    """

    most_bytes: int = MOST_BYTES
    most_on_disk: int = 0
    threads: int | None = 1
    keeper: Keeper | None = None


class CountTask(Struct, frozen=True, eq=False):
    """A count of covers.

    Attributes:
        problem: The problem.
        limits: The limit of seconds applies. Our own counters keep one of branches too: they stop when they have done
            about as much work as so many branches of an enumeration take.
        on_progress: May stop the count by returning False; None wants no reports.
        budget: What the count may use.
    """

    problem: CoverProblem
    limits: Limits = Limits()
    on_progress: OnProgress | None = None
    budget: Budget = Budget()


class Counter(Struct, frozen=True, metaclass=BackendMeta):
    """Counts covers without listing them. It holds no state between calls.

    A counter is a struct that derives from this class. It must have a name and `count`.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which users choose it."""

    @abstractmethod
    def count(self, task: CountTask) -> SearchResult:
        """Count the covers of a problem. ``figures.covers`` is a lower bound if the result is not complete.

        Raises:
            UnsupportedError: it cannot count them after all.
            TooLargeError: the budget does not suffice.
        """

    keeps_states = False  # no annotation: it is no option
    """Whether the keeper of its budget can keep how far it has come."""

    def why_not(self, problem: CoverProblem) -> str:
        """Why it cannot count the covers of *problem*, as in "needs ..."; "" if it can, or finds out by counting."""
        return ""

    @property
    def honours_colours(self) -> bool:
        """Whether it supports colours of items. If not, it is never asked to count a problem with colours."""
        return False

    def result(self, covers: int | None, stop: Stop, **figures: Any) -> SearchResult:
        """The result of a method that does not branch; None stands for covers that are not known."""
        return SearchResult(stop, SearchFigures(covers or 0, None, None, native=figures), self.engine, method=self.name)

    @property
    def engine(self) -> str:
        """What counts, as results name it."""
        return self.name
