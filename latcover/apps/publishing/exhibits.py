"""The puzzles of a site: the name of their files, their picture, and the data of their page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec import Struct, structs
from msgspec.structs import replace

from latcover.apps.publishing.apart_data import ApartData, apart_data
from latcover.apps.publishing.puzzle_data import PlayData, play_data
from latcover.apps.publishing.symmetry_data import SymmetryData, symmetry_data
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.move_words import level_as_text
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.run import run
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.lab.asking.assemble import AssembleRequest, AssemblyResult, assemble
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.taking_apart import stays_in_plane
from latcover.show.drawing.paper.cards import card, card_of_parts
from latcover.show.drawing.space.scene_data import scene_data
from latcover.show.drawing.space.scene_structs import SceneData
from latcover.system.files import plain_name

MOST_OPTIONS = 200_000  # of a page: phones read more only slowly
# These limits count steps, not seconds, so that every machine finds the same.
MOST_BRANCHES = 30_000_000  # in the search for a solution
# Many solutions are examined for a short while; if none comes apart, some for longer.
EXAMINATIONS = tuple(
    AssembleRequest(backend="bitset", options={"threads": 1}, branches=5_000_000, limit=limit, states=states)
    for limit, states in ((300, 30_000), (10, 300_000))
)


class ShelvedPuzzle(Struct, frozen=True):
    """A puzzle to show, and the name of its shelf."""

    puzzle: Puzzle
    shelf: str


class ShownSolution(Struct, frozen=True):
    """The solution that a page shows.

    Attributes:
        solution: None if the search finds none.
        disassembly: How it comes apart, or that it does not; None if this is not known.
        among: Of how many solutions it is the hardest, in words; "" if there was no choice.
    """

    solution: Solution | None = None
    disassembly: Disassembly | None = None
    among: str = ""

    @property
    def level(self) -> str:
        """Its level; "" if it is not known to come apart."""
        return level_as_text(self.disassembly.level) if self.disassembly else ""

    @property
    def turns(self) -> int:
        """How many of the moves that take it apart are turns."""
        return self.disassembly.turns if self.disassembly else 0

    @property
    def play(self) -> float | None:
        """The play that the plan needs; None if nothing turns."""
        return self.disassembly.needed_play if self.disassembly else None

    def scene(self, puzzle: Puzzle) -> SceneData | None:
        """Its data for the viewer."""
        if self.solution is None:
            return None
        known = {self.solution.number: self.disassembly} if self.disassembly else {}
        return scene_data(puzzle, [self.solution], known)


class PageData(Struct, frozen=True, kw_only=True):
    """What a page's script reads.

    Attributes:
        puzzle, symmetry: For playing, and for counting.
        apart: Of a puzzle in space whose parts slide.
        stored: The solution on the page.
        among: Of how many solutions that is the hardest, in words.
        turning: Whether the parts have room to turn.
        turns: Of the plan that takes the stored one apart.
    """

    puzzle: PlayData
    symmetry: SymmetryData
    apart: ApartData | None
    stored: SceneData | None
    among: str
    turning: bool
    turns: int


class Exhibit(Struct, frozen=True):
    """A puzzle that is shown.

    Attributes:
        puzzle: The puzzle.
        shelf: The name of its shelf.
        name: The name of its files, without suffix; unique on the site, whatever the case of letters.
        picture: The text of an SVG file: of the solution on its page, or of the parts if there is none.
        outline: The same of the parts in their colours, for those who have not solved it.
        data: What the page's script reads.
        shown: The solution on its page.
    """

    puzzle: Puzzle
    shelf: str
    name: str
    picture: str
    outline: str
    data: PageData
    shown: ShownSolution

    @property
    def title(self) -> str:
        title = self.puzzle.title or self.puzzle.name
        return title[:1].upper() + title[1:]

    @property
    def level(self) -> str:
        """That of the solution on the page, or else of the easiest, from the puzzle's file; "" if neither is known."""
        return self.shown.level or level_as_text(self.puzzle.level)

    @property
    def comes_apart(self) -> bool:
        """Whether its page takes solutions apart, or shows how the one that came with it turns."""
        return self.data.apart is not None or self.shown.turns > 0


def exhibits(
    chosen: Iterable[ShelvedPuzzle],
    bounds: Bounds,
    *,
    solutions: bool,
    how: AssembleRequest = AssembleRequest(),
) -> Iterator[Exhibit]:
    """Prepare puzzles one by one, each with a solution if *solutions* is set and one is found.

    The turns, the play and the bevel of *how* hold for each of them; it shows and saves them so.

    Raises:
        PuzzleError: a puzzle contradicts itself, or is too large for a page.
    """
    taken: set[str] = set()
    for one in chosen:
        turns = how.may_turn(one.puzzle) and axes(one.puzzle.lattice)
        puzzle = replace(one.puzzle, turning=how.room(one.puzzle) if turns else None)
        prepared = prepare(puzzle, bounds=bounds)
        if prepared.n_members > MOST_OPTIONS:
            raise PuzzleError(f"{too_large(prepared)}; leave it out")
        shown = _shown(prepared, how) if solutions else ShownSolution()
        data = page_data(prepared, shown)
        outline = card_of_parts(puzzle)
        picture = outline if shown.solution is None else card(puzzle, shown.solution)
        yield Exhibit(puzzle, one.shelf, _free_name(puzzle.name, taken), picture, outline, data, shown)


def page_data(prepared: Prepared, shown: ShownSolution = ShownSolution()) -> PageData:
    """What a page's script reads of a puzzle, with the solution that the page shows."""
    return PageData(
        puzzle=play_data(prepared),
        symmetry=symmetry_data(prepared),
        apart=apart_data(prepared),
        stored=shown.scene(prepared.puzzle),
        among=shown.among,
        turning=prepared.puzzle.turning is not None,
        turns=shown.turns,
    )


def too_large(prepared: Prepared) -> str:
    """Why a page cannot hold a puzzle."""
    return f"{prepared.name} has {prepared.n_members:,} placements, and a page can hold {MOST_OPTIONS:,}"


def _shown(prepared: Prepared, how: AssembleRequest) -> ShownSolution:
    """The solution to show: the hardest of those that come apart, or else the first. The same on every machine."""
    examined = _examined(prepared, how)
    if examined and (hardest := examined.tally.hardest):
        known = hardest.disassembly if hardest.disassembly.result != "unknown" else None
        if prepared.puzzle.lattice.dimension < 3 and not (known and known.turns):
            return ShownSolution(hardest.solution)  # it is lifted off
        return ShownSolution(hardest.solution, known, _among(examined))
    found: list[Solution] = []
    if not (examined and examined.search.complete):
        run(prepared, create("bitset", threads=1), Limits(covers=1, branches=MOST_BRANCHES), found.append)
    return ShownSolution(found[0] if found else None)


def _examined(prepared: Prepared, how: AssembleRequest) -> AssemblyResult | None:
    """How the solutions of a puzzle in space, or of one that turns, come apart; None if its parts do not slide."""
    result, in_plane = None, stays_in_plane(prepared.puzzle)
    if in_plane or prepared.puzzle.lattice.dimension == 3:
        with suppress(UnsupportedError):
            for request in EXAMINATIONS:
                result = assemble(prepared, structs.replace(request, turns=how.turns, in_plane=in_plane))
                if result.complete or result.tally.results["apart"]:
                    break
    return result


def _among(examined: AssemblyResult) -> str:
    """Of how many solutions the hardest was chosen; "" if there was no choice."""
    apart = examined.tally.results["apart"]
    if examined.complete:
        return f"the deepest of {apart:,} solutions that come apart" if apart > 1 else ""
    return f"the deepest of {counted(apart, 'solution')} known to come apart; there may be deeper ones" if apart else ""


def _free_name(name: str, taken: set[str]) -> str:
    """A name for files, valid on every system and not *taken*, to which it is added."""
    plain = plain_name(name, "puzzle")
    found, number = plain, 1
    while found.casefold() in taken:
        number += 1
        found = f"{plain}-{number}"
    taken.add(found.casefold())
    return found
