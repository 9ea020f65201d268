"""Find regions that a fixed set of parts covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.question import digest_of
from latcover.core.model.connected_shapes import shapes
from latcover.core.model.puzzle import Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about_parts
from latcover.errors import Complaint, PuzzleError, TooLargeError, UnsupportedError
from latcover.files.formats.library import parts_called
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.lab.designing.candidate_counts import Count
from latcover.lab.designing.design_requests import DesignRegionsRequest
from latcover.lab.designing.design_results import NO_RESULTS, DesignResults
from latcover.lab.designing.designer import Designer
from latcover.lab.designing.designs import SEARCHED, Candidate, Design, Designs, DesignSummary
from latcover.lab.designing.regions import least_image, motions_of, random_shapes
from latcover.lab.designing.sampling import count_each
from latcover.lab.designing.set_family import UNKNOWN
from latcover.system.decoding import decoded

MOST_SHAPES = 20_000  # that are listed
SAMPLES = 1000


def design_regions(puzzle: Puzzle | str | Path, regions: Sequence[Region] | None = None, **choices: Any) -> Designs:
    """Find the regions that the parts of a puzzle cover.

    Args:
        puzzle: A puzzle, or the name or the path of one. Its parts have fixed numbers of copies. Its own region is not
            looked at.
        regions: The regions to try; None tries all connected ones that have as many cells as the parts, or some by
            chance if they are too many. Regions that are images of each other are tried once.
        choices: Fields of a `DesignRegionsRequest`, such as ``at_most=1`` and ``symmetric=2``.

    Raises:
        PuzzleError: some part has no fixed number of copies, or the regions lie on another lattice.
        UnsupportedError: choices that do not go together, or a lattice whose regions cannot be listed.
    """
    return find_regions(parts_called(puzzle), decoded(DesignRegionsRequest, choices, "the design"), regions=regions)


def find_regions(
    puzzle: Puzzle,
    request: DesignRegionsRequest,
    events: Events = SILENT,
    ledger: DesignResults = NO_RESULTS,
    regions: Sequence[Region] | None = None,
) -> Designs:
    """Find the regions that a request asks for, among *regions* if they are given. *ledger* keeps results.

    Raises:
        PuzzleError, UnsupportedError: as `design_regions`.
    """
    return _RegionDesigner(puzzle, request, events, ledger, regions).run()


class _RegionDesigner(Designer):
    def __init__(
        self,
        puzzle: Puzzle,
        request: DesignRegionsRequest,
        events: Events,
        ledger: DesignResults,
        regions: Sequence[Region] | None,
    ) -> None:
        super().__init__(request, events, ledger)
        self.puzzle, self.request, self.symmetric = puzzle, request, request.symmetric
        faults = [Complaint(fault.message) for fault in complaints_about_parts(puzzle) if not fault.warning]
        if faults or not puzzle.parts:
            raise PuzzleError(faults or f"regions are found for parts, and {puzzle.name} has none")
        ranges = [part.name for part in puzzle.parts if part.low != part.high]
        if ranges:
            raise PuzzleError(
                f"regions are found for a fixed set of parts, but {ranges[0]!r} may be used in different numbers; give "
                "each part a count"
            )
        if confined := [part.name for part in puzzle.parts if part.is_confined]:
            raise PuzzleError(
                f"part {confined[0]!r} is confined to cells of the puzzle's own region, and other regions are wanted; "
                "leave within and keep_off out"
            )
        self.volume = sum(part.size * part.low for part in puzzle.parts)
        self.motions = motions_of(puzzle, reflections=request.symmetry == "all")
        if request.symmetry == "none":
            self.motions = self.motions[:1]
        self.regions = self._listed(regions)
        self.samples = None if self.regions is not None else request.samples or SAMPLES
        searched = "sample" if self.regions is None else "all"
        self.summary = DesignSummary(puzzle.name, SEARCHED[searched], len(self.regions or ()), of="regions")

    def _listed(self, regions: Sequence[Region] | None) -> list[Region] | None:
        """The regions to try; None if they are drawn by chance."""
        lattice = self.puzzle.lattice
        if regions is not None:
            if self.request.search == "sample" or self.request.samples is not None:
                raise UnsupportedError("all regions of a list are tried; leave --search and --samples out")
            return [each for each in regions if least_image(each.cells, self.motions)[1] >= self.symmetric]
        if any(node.secondary for node in lattice.nodes):
            raise UnsupportedError(
                f"the lattice {lattice.name!r} has nodes between cells, so its regions cannot be listed; name a file "
                "with regions"
            )
        if self.request.search == "sample" or self.request.samples is not None:
            return None
        try:
            found = shapes(lattice, self.volume, self.motions, MOST_SHAPES)
        except TooLargeError:
            if self.request.search == "auto":
                return None
            raise UnsupportedError(
                f"there are more than {MOST_SHAPES:,} regions of {self.volume} cells; draw some with --search sample"
            ) from None
        return [
            Region(cells)
            for cells in found
            if self.symmetric == 1 or least_image(cells, self.motions)[1] >= self.symmetric
        ]

    def found(self) -> Iterator[Design]:
        """The regions that are asked for, in the order found."""
        if self.regions is not None:
            source = iter([self._candidate(region, number) for number, region in enumerate(self.regions)])
        else:
            self.summary.seed = self.request.seed
            drawn = random_shapes(self.puzzle.lattice, self.volume, self.motions, self.request.seed, self.symmetric)
            source = (self._candidate(Region(cells), 0) for cells in drawn)
        counted = count_each(source, self.counter, self.limit, self.threads)
        yield from self.drawn(counted, self._design_of, to_the_last=self.regions is not None)

    def _candidate(self, region: Region, number: int) -> Candidate:
        cells = region.cells.copy()
        cells[:, 1:] -= cells[:, 1:].min(axis=0)
        name = f"region {digest_of(replace(region, cells=cells))}"
        return Candidate(name, partial(self._puzzle, region), (number, *cells.ravel().tolist()))

    def _puzzle(self, region: Region) -> Puzzle:
        return replace(self.puzzle, region=region, name=self.puzzle.name, **UNKNOWN)

    def _design_of(self, candidate: Candidate, count: Count) -> Design:
        puzzle = candidate.make()
        total = count.total if count.exact else None
        data = puzzle_as_data([puzzle], drawn=True)["region"]
        return Design(candidate, puzzle, count.solutions, count.exact, total, count.branches, region=data)
