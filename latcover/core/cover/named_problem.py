"""A cover problem whose items have names, without a puzzle, as in the files of Knuth's programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch
from latcover.core.cover.searchable import KeptCovers
from latcover.errors import Complaint, PuzzleError
from latcover.system.sorted_sets import distinct

AT_ONCE = 1 << 20  # numbers in the sets that are checked together


class ListedCover(Struct, frozen=True):
    """A cover of a bare problem.

    Attributes:
        options: For each chosen option the names of its items, with ``:colour`` if they have one.
        numbers: The numbers of these options, from 1, ascending.
    """

    options: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    number: int = 1
    image: int = 1
    orbit: int = 1

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"number": self.number, "options": [list(option) for option in self.options]}

    def lines(self) -> list[str]:
        """One line for each option."""
        return [" ".join(option) for option in self.options]


class NamedProblem(Struct, frozen=True, eq=False):
    """A cover problem without a puzzle; `latcover.core.solving.run.run` searches it as it is.

    Each option holds an item. A `CoverProblem` may have options without any, which are free to be chosen: they arise
    when a problem is simplified. What a user gives has none: there, as for other programs, such a row is no option.

    Attributes:
        name: The name of its file.
        items: The name of each item, all different.
        colours: The names of colours 1, 2, ... of secondary items.
        warnings: Warnings of the reader of its file.

    Raises:
        PuzzleError: the names do not fit the problem, or an option holds no item.
    """

    BESIDE_THE_QUESTION = frozenset(("warnings",))

    name: str
    problem: CoverProblem
    items: tuple[str, ...]
    colours: tuple[str, ...] = ()
    warnings: tuple[Complaint, ...] = ()

    def __post_init__(self) -> None:
        if len(self.items) != self.problem.n_items or len(set(self.items)) < len(self.items):
            raise PuzzleError("each item needs its own name")
        holds = np.diff(self.problem.option_starts) > 0
        if not holds.all():
            raise PuzzleError(f"option {int(holds.argmin()) + 1} holds no item, and so is no option; leave it out")

    def written(self, option: int) -> tuple[str, ...]:
        """The names of an option's items, with their colours."""
        return tuple(
            self.items[item] + (f":{self.colours[colour - 1]}" if colour else "")
            for item, colour in self.entries(option)
        )

    def entries(self, option: int) -> list[tuple[int, int]]:
        """The items of an option, each with its colour (0: none)."""
        problem = self.problem
        return list(zip(problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True))

    # The members of `Searchable`.
    title: ClassVar = "a cover problem"
    seconds: ClassVar = 0.0
    symmetry: ClassVar = "none"
    symmetries: ClassVar = 1
    acting: ClassVar = 1
    pivot: ClassVar = ""
    remarks: ClassVar[tuple[str, ...]] = ()
    tests_pending: ClassVar = False
    veto: ClassVar = None
    option_veto: ClassVar = None
    must_list: ClassVar = False

    @property
    def n_members(self) -> int:
        return self.problem.n_options

    def members(self, batch: Batch) -> tuple[Longs, Ints]:
        """The batch as it is: users see options."""
        return batch.starts, batch.options

    def judge(self, starts: Longs, members: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Keep all covers; each stands for itself."""
        n = len(starts) - 1
        return np.ones(n, np.bool_), np.ones(n, np.int64)

    def images(self, covers: Ints) -> Iterator[Ints]:
        """Each cover itself."""
        yield from np.sort(covers, axis=1)[:, None]

    def info(self) -> dict[str, Any]:
        """Its figures, as `latcover info --json` prints them."""
        problem = self.problem
        return {
            "puzzle": self.name,
            "options": problem.n_options,
            "items": problem.n_items,
            "items_held_exactly_once": int(((problem.low == 1) & (problem.high == 1)).sum()),
            "items_held_at_most_once": int(((problem.low == 0) & (problem.high == 1)).sum()),
            "colours": len(self.colours),
            "entries": len(problem.option_items),
        }

    def describe(self, member: int) -> list[str]:
        """The names of an option's items."""
        return list(self.written(member))

    def in_full(self) -> NamedProblem:
        """Itself: nothing is left out."""
        return self

    def sweeps(self) -> Ints:
        """None: a bare problem has no directions."""
        return np.empty((0, 0), np.int32)

    def kept_by_symmetries(self) -> Iterator[KeptCovers]:
        """The problem itself: the identity is its only symmetry."""
        yield KeptCovers(self.problem, 1)

    def inspector(self) -> NamedProblem:
        """Itself: a check uses only the arrays of the problem."""
        return self

    # The members of `Inspector`.
    def sound(self, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
        """Whether each set of options is a cover; many sets are checked at once."""
        n_sets = len(starts) - 1
        found = np.zeros(n_sets, np.bool_)
        at_once = max(1, AT_ONCE // max(1, self.problem.n_items))
        for first in range(0, n_sets, at_once):
            edges = starts[first : first + at_once + 1]
            found[first : first + len(edges) - 1] = self._covers(edges - edges[0], members[edges[0] : edges[-1]])
        return found

    def _covers(self, starts: Longs, options: Ints) -> npt.NDArray[np.bool_]:
        problem = self.problem
        held = problem.held(starts, options)
        good: npt.NDArray[np.bool_] = np.logical_and.reduce((held >= problem.low) & (held <= problem.high), axis=1)
        chosen = np.sort(np.repeat(np.arange(len(good)), np.diff(starts)) * problem.n_options + options)
        good[chosen[1:][chosen[1:] == chosen[:-1]] // problem.n_options] = False  # an option is chosen twice
        return good

    def faults(self, members: Ints) -> list[str]:
        """All faults of a set of options; empty for a cover."""
        twice = ["an option is chosen twice"] if len(distinct(members)) < len(members) else []
        (held,) = self.problem.held(np.array([0, len(members)]), members).tolist()
        bounds = zip(self.items, held, self.problem.low.tolist(), self.problem.high.tolist(), strict=True)
        return twice + [
            f"item {item!r} is held {times} times, not {low if low == high else f'{low} to {high}'}"
            for item, times, low, high in bounds
            if not low <= times <= high
        ]

    def solution(self, members: list[int], number: int, image: int, orbit: int) -> ListedCover:
        """A set of options as the names of their items."""
        numbers = tuple(option + 1 for option in sorted(members))
        return ListedCover(tuple(self.written(k - 1) for k in numbers), numbers, number, image, orbit)
