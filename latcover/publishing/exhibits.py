"""The puzzles of a site: the name of their files, their picture, and the data of their page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.backends import create
from latcover.cover.search import Limits
from latcover.drawing.paper.cards import card
from latcover.drawing.space.scene_data import scene_data
from latcover.encoding.prepared import Prepared, prepare
from latcover.errors import PuzzleError, UnsupportedError
from latcover.model.disassembly import Disassembly
from latcover.model.puzzle import Bounds, Puzzle
from latcover.model.solution import Solution
from latcover.publishing.apart_data import apart_data
from latcover.publishing.puzzle_data import puzzle_data
from latcover.publishing.symmetry_data import symmetry_data
from latcover.solving.run import run
from latcover.system.files import plain_name

MOST_OPTIONS = 200_000  # of a page: phones read more only slowly
# These limits count steps, not seconds, so that every machine finds the same.
MOST_BRANCHES = 30_000_000  # in the search for a solution
MOST_SOLUTIONS = 100  # tried until one comes apart
MOST_POSITIONS = 100_000  # in taking a solution apart


@dataclass(frozen=True, slots=True)
class ShelvedPuzzle:
    """A puzzle to show, and the name of its shelf."""

    puzzle: Puzzle
    shelf: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A puzzle that is shown.

    Attributes:
        puzzle: The puzzle.
        shelf: The name of its shelf.
        name: The name of its files, without suffix; unique on the site, whatever the case of letters.
        picture: The text of an SVG file.
        data: Plain data for the page's script; see `latcover.publishing.puzzle_data` and its neighbours.
    """

    puzzle: Puzzle
    shelf: str
    name: str
    picture: str
    data: dict[str, Any]

    @property
    def title(self) -> str:
        title = self.puzzle.title or self.puzzle.name
        return title[:1].upper() + title[1:]

    @property
    def solid(self) -> bool:
        """Whether its solutions can be taken apart in the page."""
        return self.data["apart"] is not None


def exhibits(chosen: Iterable[ShelvedPuzzle], bounds: Bounds, *, solutions: bool) -> Iterator[Exhibit]:
    """Prepare puzzles one by one, each with a solution if *solutions* is set and one is found.

    Raises:
        PuzzleError: a puzzle contradicts itself, or is too large for a page.
    """
    taken: set[str] = set()
    for one in chosen:
        prepared = prepare(one.puzzle, bounds=bounds)
        if prepared.n_members > MOST_OPTIONS:
            raise PuzzleError(
                f"{one.puzzle.name} has {prepared.n_members:,} placements, and a page can hold {MOST_OPTIONS:,}; "
                "leave it out"
            )
        found, apart = _shown(prepared) if solutions else (None, {})
        data = {
            "puzzle": puzzle_data(prepared),
            "symmetry": symmetry_data(prepared),
            "apart": apart_data(prepared),
            "stored": None if found is None else scene_data(one.puzzle, [found], apart),
        }
        yield Exhibit(one.puzzle, one.shelf, _free_name(one.puzzle.name, taken), card(one.puzzle, found), data)


def _shown(prepared: Prepared) -> tuple[Solution | None, dict[int, Disassembly]]:
    """A solution to show, None if the search finds none within its limit; and how it comes apart, if known.

    In three dimensions it prefers a solution that comes apart. The choice is the same on every machine.
    """
    known: dict[int, Disassembly] = {}
    for most in (1, MOST_SOLUTIONS):
        found: list[Solution] = []
        run(prepared, create("bitset", threads=1), Limits(covers=most, branches=MOST_BRANCHES), found.append)
        if not found or prepared.puzzle.lattice.dimension < 3:
            break
        try:
            taken = Assembler(prepared.puzzle).take_apart(found, ApartLimits(states=MOST_POSITIONS))
        except UnsupportedError:
            break
        for solution, disassembly in zip(found, taken, strict=True):
            if disassembly.result == "apart":
                return solution, {solution.number: disassembly}
        known = {found[0].number: taken[0]} if taken[0].result == "stuck" else {}
    return (found[0] if found else None), known


def _free_name(name: str, taken: set[str]) -> str:
    """A name for files, valid on every system and not *taken*, to which it is added."""
    plain = plain_name(name, "puzzle")
    found, number = plain, 1
    while found.casefold() in taken:
        number += 1
        found = f"{plain}-{number}"
    taken.add(found.casefold())
    return found
