"""The protocol of what can be searched: a prepared puzzle (`Prepared`) or a bare problem (`NamedProblem`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch
from latcover.core.cover.veto import OptionVeto, Veto
from latcover.errors import Complaint


class AnySolution(Protocol):
    """A solution of a puzzle, or a cover of a bare problem.

    Attributes:
        number: Its number among the essentially different solutions, from 1, in the order found.
        image: The number of this image of the solution, from 1.
        orbit: How many images the solution has, itself included.
    """

    @property
    def number(self) -> int: ...
    @property
    def image(self) -> int: ...
    @property
    def orbit(self) -> int: ...
    def as_json(self) -> dict[str, Any]:
        """Plain data, as `latcover solve --json` prints it."""


S_co = TypeVar("S_co", bound=AnySolution, covariant=True)


class Inspector(Protocol[S_co]):
    """Checks covers, and turns them into solutions."""

    def sound(self, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
        """Whether each of these covers is a solution; the arguments are as from `Searchable.members`."""

    def faults(self, members: Ints) -> list[str]:
        """All faults of a cover; empty for a solution."""

    def solution(self, members: list[int], number: int, image: int, orbit: int) -> S_co:
        """A cover as a solution, unchecked."""


class KeptCovers(Struct, frozen=True, eq=False):
    """The covers that a symmetry maps to themselves, as a problem; so many symmetries keep equally many."""

    problem: CoverProblem
    symmetries: int


class Searchable(Protocol[S_co]):
    """A puzzle or a bare problem, as a search sees it.

    Users see a cover as a set of *members*: the placements of a puzzle, or the options of a bare problem.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str:
        """A heading; "" if there is none."""

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        """Warnings of the reader of its file."""

    @property
    def problem(self) -> CoverProblem:
        """The cover problem for backends."""

    @property
    def seconds(self) -> float:
        """How long the preparation took."""

    @property
    def n_members(self) -> int: ...
    @property
    def symmetry(self) -> str:
        """The symmetries under which covers count as the same: none, rotations or all."""

    @property
    def symmetries(self) -> int:
        """How many symmetries there are."""

    @property
    def acting(self) -> int:
        """How many symmetries act differently; the size of a class whose covers no symmetry fixes."""

    @property
    def pivot(self) -> str: ...
    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its counts should know besides the symmetry, a sentence each."""

    @property
    def tests_pending(self) -> bool:
        """Whether covers must be judged. If not, each cover represents a class of `acting` covers."""

    @property
    def veto(self) -> Veto | None:
        """The rules on covers that no item says, on members; None if there are none."""

    @property
    def option_veto(self) -> OptionVeto | None:
        """The same on options."""

    @property
    def must_list(self) -> bool:
        """Whether a count must list the covers."""

    def members(self, batch: Batch) -> tuple[Longs, Ints]:
        """A batch of covers as sets of members, in compressed rows."""

    def judge(self, starts: Longs, members: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Whether to keep each of these covers, and how many covers each represents."""

    def images(self, covers: Ints) -> Iterator[npt.NDArray[np.int32]]:
        """For each cover the distinct images under the symmetries, itself first; each sorted; shape (n_images, k).

        Args:
            covers: The members of each cover, shape (n, k).
        """

    def inspector(self) -> Inspector[S_co]:
        """Checks covers independently of the search."""

    def info(self) -> dict[str, Any]:
        """Its figures, as `latcover info --json` prints them."""

    def describe(self, member: int) -> Any:
        """A member as plain data."""

    def in_full(self) -> Searchable[S_co]:
        """The same without symmetry: no option is left out, and every cover counts as a solution."""

    def sweeps(self) -> Ints:
        """Places of the cells along the lattice's directions and between them, shape (n_sweeps, n_cells), int32."""

    def kept_by_symmetries(self) -> Iterator[KeptCovers]:
        """The problem of all covers; then those of the covers that the other symmetries keep."""
