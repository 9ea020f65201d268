"""What can be searched: a puzzle made ready (`Prepared`), or a bare cover problem (`NamedProblem`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.cover.search import Batch
from latcover.errors import Complaint


class Shown(Protocol):
    """A solution as users see it.

    Attributes:
        number: Which of the essentially different solutions it is, from 1, in the order found.
        image: Which of its images, from 1.
        orbit: How many images there are, itself included.
    """

    @property
    def number(self) -> int: ...
    @property
    def image(self) -> int: ...
    @property
    def orbit(self) -> int: ...
    def as_json(self) -> dict[str, Any]:
        """Plain data, as `latcover solve --json` prints it."""


S_co = TypeVar("S_co", bound=Shown, covariant=True)
Inspect = Callable[[Ints, int, int, int], tuple[S_co, list[str]]]
"""Makes the members of a cover, its number, its image and its orbit a solution, and lists what is wrong with it."""


class Searchable(Protocol[S_co]):
    """What all callers need to know of what they search.

    Users see a cover as a set of *members*: the placements of a puzzle, or the options of a bare problem.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str:
        """What it is, for a heading; "" where there is nothing to say."""

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        """What was odd about its file."""

    @property
    def problem(self) -> CoverProblem:
        """What backends see."""

    @property
    def seconds(self) -> float:
        """What making it ready took."""

    @property
    def n_members(self) -> int: ...
    @property
    def symmetry(self) -> str:
        """Which symmetries count as the same: none, rotations or all."""

    @property
    def symmetries(self) -> int:
        """How many symmetries there are."""

    @property
    def acting(self) -> int:
        """How many symmetries act differently: the covers of a class that no symmetry maps to itself."""

    @property
    def pivot(self) -> str: ...
    @property
    def tests_pending(self) -> bool:
        """Whether covers have to be judged; else each is a class of its own, of `acting` covers."""

    @property
    def repeats(self) -> bool:
        """Whether its search is likely to meet the same rest again and again, as tilings do."""

    def members(self, batch: Batch) -> tuple[Longs, Ints]:
        """A batch of covers as sets of members, in compressed rows."""

    def judge(self, starts: Longs, members: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Which of these covers to keep, and how many covers each stands for."""

    def images(self, members: Ints) -> list[Ints]:
        """The distinct images of a cover under the symmetries, itself first; each sorted."""

    def inspector(self) -> Inspect[S_co]:
        """A function that makes a cover a solution, and says everything that the verifier finds wrong with it."""

    def info(self) -> dict[str, Any]:
        """Its figures, as `latcover info --json` prints them."""

    def describe(self, member: int) -> Any:
        """A member as plain data."""

    def in_full(self) -> Searchable[S_co]:
        """The same without anything left out by symmetry: every cover is a solution, and all are."""

    def kept_by_each_symmetry(self) -> Iterator[CoverProblem]:
        """The problem of all covers; then for each other symmetry, the problem of those that it maps to themselves."""
