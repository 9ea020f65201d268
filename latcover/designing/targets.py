"""Regions that a fixed set of parts covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from latcover.designing.counting import Count
from latcover.designing.designer import Designer, Designs, Means
from latcover.designing.family import UNKNOWN
from latcover.designing.regions import MOST_SHAPES, all_shapes, least_image, motions_of, random_shapes
from latcover.designing.sampling import count_each
from latcover.designing.wanted import SEARCHED, Candidate, Design, Looking, Summary, Wanted
from latcover.errors import PuzzleError, UnsupportedError
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.model.puzzle import Puzzle, Region, plain_region

SAMPLES = 1000


def design_regions(
    puzzle: Puzzle,
    regions: Sequence[Region] | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    looking: Looking = Looking(),  # noqa: B008 - frozen
    means: Means | None = None,
) -> Designs:
    """Find the regions that the parts of a puzzle cover.

    Args:
        puzzle: Its parts have fixed numbers of copies. Its own region is not looked at.
        regions: The regions to try; None tries all connected ones that have as many cells as the parts, or some by
            chance if they are too many. Regions that are images of each other are tried once.
        wanted: Which regions to show, in which order, by their solutions.
        looking: How to look for them: "all" and "sample" list them or draw them.
        means: Backend, limits, symmetries, and who hears of it.

    Raises:
        PuzzleError: some part has no fixed number of copies, or the regions lie on another lattice.
        UnsupportedError: options that do not go together, or a lattice whose regions cannot be listed.
    """
    return _Regions(puzzle, regions, wanted, looking, means).run()


class _Regions(Designer):
    def __init__(
        self,
        puzzle: Puzzle,
        regions: Sequence[Region] | None,
        wanted: Wanted,
        looking: Looking,
        means: Means | None,
    ) -> None:
        super().__init__(wanted, looking, means)
        self.puzzle, self.symmetric = puzzle, wanted.symmetric
        which = self.means.choices.symmetry
        ranges = [part.name for part in puzzle.parts if part.low != part.high]
        if ranges:
            raise PuzzleError(
                f"regions are found for a fixed set of parts, but {ranges[0]!r} may be used in different numbers; give "
                "each part a count"
            )
        if wanted.both_hands or looking.how == "climb":
            raise UnsupportedError(
                "--both-hands and --search climb are about sets of parts; leave them out for regions"
            )
        self.volume = sum(part.size * part.low for part in puzzle.parts)
        self.motions = motions_of(puzzle, reflections=which == "all")
        if which == "none":
            self.motions = self.motions[:1]
        listed = self._listed(regions)
        self.regions = listed
        self.samples = None if listed is not None else looking.samples or SAMPLES
        n = len(listed) if listed is not None else 0
        self.summary = Summary(puzzle.name, SEARCHED["all" if listed is not None else "sample"], n, of="regions")

    def _listed(self, regions: Sequence[Region] | None) -> list[Region] | None:
        """The regions to try; None if they are drawn by chance."""
        lattice = self.puzzle.lattice
        if regions is not None:
            if self.looking.how == "sample" or self.looking.samples is not None:
                raise UnsupportedError("all regions of a list are tried; leave --search and --samples out")
            orders = [least_image(region.cells, self.motions)[1] for region in regions]
            return [region for region, order in zip(regions, orders, strict=True) if order >= self.symmetric]
        if any(node.secondary for node in lattice.nodes):
            raise UnsupportedError(
                f"the lattice {lattice.name!r} has nodes between cells, so its regions cannot be listed; name a file "
                "with regions"
            )
        if self.looking.how == "sample" or self.looking.samples is not None:
            return None
        found = all_shapes(lattice, self.volume, self.motions)
        if found is None:
            if self.looking.how == "all":
                raise UnsupportedError(
                    f"there are more than {MOST_SHAPES:,} regions of {self.volume} cells; draw some with "
                    "--search sample"
                )
            return None
        return [
            plain_region(cells)
            for cells in found
            if self.symmetric == 1 or least_image(cells, self.motions)[1] >= self.symmetric
        ]

    def found(self) -> Iterator[Design]:
        """The regions that are wanted, in the order found."""
        if self.regions is not None:
            source = iter([self._candidate(region, number) for number, region in enumerate(self.regions)])
        else:
            self.summary.seed = self.looking.seed
            args = (self.puzzle.lattice, self.volume, self.motions, self.looking.seed, self.symmetric)
            source = (self._candidate(plain_region(cells), 0) for cells in random_shapes(*args))
        counted = count_each(source, self.counter, self.limit, self.threads)
        yield from self.drawn(counted, self._made, to_the_last=self.regions is not None)

    def _candidate(self, region: Region, number: int) -> Candidate:
        cells = region.cells.copy()
        cells[:, 1:] -= cells[:, 1:].min(axis=0)
        told = " ".join(",".join(map(str, cell)) for cell in cells.tolist())
        features = (region.colours, region.optional.astype(int), region.period, [region.max_empty or 0])
        if any(np.any(feature) for feature in features):  # the name says all that matters
            told = (
                f"{told}; {'; '.join(' '.join(map(str, feature)) for feature in (*features[:3], [region.max_empty]))}"
            )
        return Candidate(f"region {told}", partial(self._puzzle, region), (number, *cells.ravel().tolist()))

    def _puzzle(self, region: Region) -> Puzzle:
        return replace(self.puzzle, region=region, name=self.puzzle.name, **UNKNOWN)

    def _made(self, candidate: Candidate, count: Count) -> Design:
        puzzle = candidate.make()
        total = count.total if count.exact else None
        data = puzzle_as_data([puzzle], drawn=True)["region"]
        return Design(candidate, puzzle, count.solutions, count.exact, total, count.branches, region=data)
