"""Groups solutions that differ only by blocks which are turned or flipped in their places.

A *block* of a solution is a set of its pieces, at least two and not all, whose cells a motion of the lattice maps to
themselves. The motion makes of each piece another placement of its part, where the part may lie so. Two solutions are
*neighbours* if the one becomes the other when such a block is replaced by its image. Solutions are in one group if a
chain of neighbours leads from one to the other; images under the symmetries, which count as one solution, are the same
solution here. All members of a chain are solutions.

If only shapes matter, a motion acts on each of the smallest blocks that it maps to themselves by itself, and what it
makes of a solution is a solution. So the smallest blocks make the same chains as all blocks. If colours, values or
rules matter, several blocks may have to turn at once; then all pairs of solutions are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.backend import Backend
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.time_limit import look_at_clock, time_limit
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.rules.copies import CopiesTogether
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Solution
from latcover.core.solving.collector import Collector, Verified
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import for_users, limits_of_covers
from latcover.core.solving.search_request import SearchRequest, Subject
from latcover.errors import OutOfTimeError, UnsupportedError, counted, escaped
from latcover.lab.asking.block_motions import BlockMotion, block_motions, cell_words

MOST_SOLUTIONS = 200_000
MOST_PIECES = 64  # of a solution
MOST_PAIRS = 300_000  # of solutions that are compared where more than shapes matter
AT_ONCE = 1 << 22  # numbers
Bools = npt.NDArray[np.bool_]


class SolutionGroup(Struct, frozen=True, eq=False):
    """Solutions that differ only by blocks.

    Attributes:
        first: The one that was found first, verified.
        size: How many essentially different solutions there are in the group.
        total: How many solutions these are in all, with their images.
    """

    first: Solution
    size: int
    total: int


class GroupedSolutions(Struct, frozen=True, eq=False):
    """The groups of a puzzle's solutions.

    Attributes:
        result: The search. If it was cut short, solutions are missing, and groups may be parts of one.
        groups: In the order of their first solutions.
        grouped: Whether all solutions that were found are in their groups; False if time ended before.
    """

    result: SearchResult
    groups: tuple[SolutionGroup, ...]
    grouped: bool = True

    @property
    def complete(self) -> bool:
        """Whether these are all groups, each with all its solutions."""
        return self.result.complete and self.grouped

    def __repr__(self) -> str:
        return f"<GroupedSolutions: {self.headline()}>"

    def headline(self) -> str:
        """How many groups there are, in one line."""
        found = self.result
        name, solutions = escaped(found.puzzle), counted(found.different, "solution")
        if not self.grouped:
            return f"{name}: groups not known: the time was over before {solutions} had been grouped"
        groups = counted(len(self.groups), "group")
        if not self.complete:
            return f"{name}: {solutions} found in {groups}, which may grow and join ({found.stop.verdict})"
        if not found.different:
            return f"{name}: no solutions, so no groups (complete)"
        return f"{name}: {groups} of solutions that differ only by blocks turned in place, {solutions} (complete)"

    def as_json(self) -> dict[str, Any]:
        """Plain data: the search, and for each group the number of its first solution and its sizes."""
        groups = [{"first": g.first.number, "solutions": g.size, "total": g.total} for g in self.groups]
        return {**self.result.as_json(), "groups": groups, "groups_complete": self.complete}


def group_by_blocks(
    subject: Subject,
    request: SearchRequest = SearchRequest(),
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
) -> GroupedSolutions:
    """List the solutions of *subject*, and group those that differ only by blocks which turn or flip in their places.

    Args:
        subject: The puzzle.
        request: The encoding, the backend and the limits.
        events: Receives the progress; ``on_solution`` the first solution of each group, at the end.
        solver: A backend to use instead of the request's.
        bounds: How much a puzzle may ask for.

    Raises:
        UnsupportedError: a bare problem; too many solutions, or pieces in one; or too large a region.
        As `latcover.solve`.
    """
    solver = solver or request.solver()
    ready = request.ready(subject, events, bounds)
    if not isinstance(ready, Prepared):
        raise UnsupportedError(f"{ready.name} is a cover problem without a puzzle, so it has no blocks")
    listed = _Listed(ready, request.limit)

    def search(on_progress: Any) -> SearchResult:
        limits = limits_of_covers(ready, request.limits)
        return for_users(listed.search(solver, ready.problem, limits, on_progress), ready, solver.name)

    result = forestalled(ready, search, events.on_progress, anyway=request.anyway)
    if listed.too_many:
        raise UnsupportedError(
            f"more than {MOST_SOLUTIONS:,} solutions cannot be grouped; give a --limit, or add rules"
        )
    left = None if request.seconds is None else max(0.0, request.seconds - result.figures.search_seconds)
    try:
        with time_limit(left, events):
            number = _Grouping(ready, listed.covers()).numbers()
    except OutOfTimeError:
        return GroupedSolutions(result, (), grouped=False)
    groups = tuple(_groups(ready, listed, number))
    for group in groups:
        events.on_solution(group.first)
    events.on_batch_end()
    return GroupedSolutions(result, groups)


class _Listed(Collector):
    """Keeps all different solutions, verified."""

    def __init__(self, subject: Prepared, most: int | None) -> None:
        super().__init__(subject, most)
        self.verified = Verified(subject)
        self.kept: list[Ints] = []
        self.orbits: list[int] = []
        self.too_many = False

    def hand_on(self, kept: JudgedCovers) -> int:
        """Keep these solutions."""
        alone = kept.alone()
        self.verified.require(alone.starts, alone.members)
        starts = alone.starts.tolist()
        self.kept += [np.sort(alone.members[a:b]) for a, b in pairwise(starts)]
        self.orbits += alone.orbits.tolist()
        if len(self.kept) > MOST_SOLUTIONS:
            self.too_many, self.stop = True, Stop.SOLUTION_LIMIT
        return len(kept)

    def covers(self) -> list[Ints]:
        """The placements of each solution, ascending."""
        return self.kept


def _groups(ready: Prepared, listed: _Listed, number: Sequence[int]) -> Iterator[SolutionGroup]:
    members: dict[int, list[int]] = {}
    for k, group in enumerate(number):
        members.setdefault(group, []).append(k)
    for own in members.values():
        first = listed.verified(listed.kept[own[0]], own[0] + 1, 1, listed.orbits[own[0]])
        yield SolutionGroup(first, len(own), sum(listed.orbits[k] for k in own))


class _Grouping:
    """Finds which solutions are neighbours, and joins them."""

    def __init__(self, ready: Prepared, covers: Sequence[Ints]) -> None:
        self.ready, self.covers = ready, covers
        self.group, self.table = ready.reduction.group, ready.table
        self.leader = list(range(len(covers)))
        if max(map(len, covers), default=0) > MOST_PIECES:
            raise UnsupportedError(f"solutions of more than {MOST_PIECES} pieces cannot be grouped by blocks")

    def numbers(self) -> list[int]:
        """For each solution the first one of its group."""
        sizes: dict[int, list[int]] = {}
        for k, cover in enumerate(self.covers):
            sizes.setdefault(len(cover), []).append(k)
        wanted = {size: own for size, own in sizes.items() if len(own) > 1 and size > 2}
        if wanted:
            motions = block_motions(self.ready.puzzle, self.table)
            join = self._by_smallest_blocks if only_shapes_matter(self.ready.puzzle) else self._by_pairs
            join(
                motions, [_SameSize(np.array(own), np.stack([self.covers[k] for k in own])) for own in wanted.values()]
            )
        return [self._first(k) for k in range(len(self.covers))]

    def _first(self, k: int) -> int:
        while self.leader[k] != k:
            self.leader[k] = self.leader[self.leader[k]]
            k = self.leader[k]
        return k

    def _join(self, one: int, other: int) -> None:
        first, last = sorted((self._first(one), self._first(other)))
        self.leader[last] = first

    def _least_images(self, sets: Ints) -> Ints:
        """The least image of each set of placements under the symmetries, shape (n, k)."""
        found = np.empty_like(sets)
        at_once = max(1, AT_ONCE // (len(self.group) * sets.shape[1]))
        for first in range(0, len(sets), at_once):
            look_at_clock()
            some = sets[first : first + at_once]
            images = self.group.images_under(range(len(self.group)), some.reshape(-1))
            images = np.sort(images.reshape(len(self.group), *some.shape), axis=2)
            # Big-endian bytes compare like the rows.
            keys = np.ascontiguousarray(images.astype(">u4")).view(f"S{4 * sets.shape[1]}")[..., 0]
            found[first : first + at_once] = images[_least(keys), np.arange(len(some))]
        return found

    def _by_smallest_blocks(self, motions: Iterator[BlockMotion], classes: Sequence[_SameSize]) -> None:
        words = cell_words(self.table)
        known = [self._by_image(same) for same in classes]
        for motion in motions:
            for same, of_image in zip(classes, known, strict=True):
                look_at_clock()
                for rows, made in _turned(motion, same.covers, words):
                    images = self._least_images(made)
                    for row, image in zip(rows.tolist(), images, strict=True):
                        other = of_image.get(image.tobytes())
                        if other is not None:
                            self._join(int(same.numbers[row]), other)

    def _by_image(self, same: _SameSize) -> dict[bytes, int]:
        """The solution with each least image."""
        images = self._least_images(same.covers)
        return {image.tobytes(): k for image, k in zip(images, same.numbers.tolist(), strict=True)}

    def _by_pairs(self, motions: Iterator[BlockMotion], classes: Sequence[_SameSize]) -> None:
        every, words = list(motions), cell_words(self.table)
        pairs = 0
        for same in classes:
            n, k = same.covers.shape
            flat = self.group.images_under(range(len(self.group)), same.covers.reshape(-1))
            for images in np.sort(flat.reshape(len(self.group), n, k), axis=2):
                holds, has = (_incidence(sets, len(self.table)) for sets in (same.covers, images))
                common = holds.astype(np.int32) @ has.T.astype(np.int32)
                for one, other in np.argwhere(np.triu((common > 0) & (common < k), 1)).tolist():
                    pairs += 1
                    look_at_clock()
                    if pairs > MOST_PAIRS:
                        raise UnsupportedError(
                            f"more than {MOST_PAIRS:,} pairs of solutions would have to be compared, because more than "
                            "shapes matter; group fewer solutions"
                        )
                    a, b = int(same.numbers[one]), int(same.numbers[other])
                    if self._first(a) != self._first(b):
                        own, theirs = same.covers[one], images[other]
                        differ = np.setdiff1d(own, theirs), np.setdiff1d(theirs, own)
                        cells = [np.bitwise_or.reduce(words[placements], axis=0) for placements in differ]
                        shared = np.intersect1d(own, theirs)
                        if np.array_equal(*cells) and any(_makes(motion, *differ, shared) for motion in every):
                            self._join(a, b)


class _SameSize(Struct, frozen=True, eq=False):
    """Solutions of one size: their numbers, shape (n,), and their placements, shape (n, k)."""

    numbers: npt.NDArray[np.intp]
    covers: Ints


def only_shapes_matter(puzzle: Puzzle) -> bool:
    """Whether a solution stays one when pieces are replaced by other placements of their parts on the same cells."""
    painted = any(part.colours.any() or len(part.sides) for part in puzzle.parts)
    return not (painted or any(not isinstance(rule, CopiesTogether) for rule in rules_of(puzzle)))


def _least(keys: npt.NDArray[np.bytes_]) -> npt.NDArray[np.intp]:
    """The row of the least of each column."""
    best = np.zeros(keys.shape[1], np.intp)
    columns = np.arange(keys.shape[1])
    for row in range(1, len(keys)):
        less = keys[row] < keys[best, columns]
        best[less] = row
    return best


def _incidence(sets: Ints, n: int) -> Bools:
    found = np.zeros((len(sets), n), np.bool_)
    found[np.arange(len(sets))[:, None], sets] = True
    return found


def _turned(motion: BlockMotion, covers: Ints, words: npt.NDArray[np.uint64]) -> Iterator[tuple[Ints, Ints]]:
    """What becomes of solutions when one of the smallest blocks of *motion* turns: their rows, and the placements."""
    n, k = covers.shape
    at_once = max(1, AT_ONCE // (k * k * words.shape[1]))
    for first in range(0, n, at_once):
        some = covers[first : first + at_once]
        for rows, chosen in _blocks(motion, some, words):
            made = np.where(chosen, motion.becomes[some[rows]], some[rows])
            legal = (made >= 0).all(axis=1)
            changed = (np.sort(made, axis=1) != some[rows]).any(axis=1)
            good = legal & changed
            if good.any():
                yield (first + rows[good]).astype(np.int32), np.sort(made[good], axis=1)


def _blocks(motion: BlockMotion, covers: Ints, words: npt.NDArray[np.uint64]) -> Iterator[tuple[Ints, Bools]]:
    """The smallest blocks of each of *covers* that *motion* maps to themselves: rows, and which pieces are theirs."""
    k = covers.shape[1]
    own, image = words[covers], motion.words[covers]
    covered = np.bitwise_or.reduce(own, axis=1)
    alive = motion.inside[covers] & ((image & ~covered[:, None]) == 0).all(axis=2)
    meets = ((image[:, :, None] & own[:, None]) != 0).any(axis=3)
    bit = np.uint64(1) << np.arange(k, dtype=np.uint64)
    reached = (np.where(meets, bit, np.uint64(0))).sum(axis=2, dtype=np.uint64)
    reached |= (np.where(meets.swapaxes(1, 2), bit, np.uint64(0))).sum(axis=2, dtype=np.uint64) | bit
    for q in range(k):
        through = (reached >> np.uint64(q)) & np.uint64(1)
        reached |= np.where(through.astype(np.bool_), reached[:, q : q + 1], np.uint64(0))
    dead = np.bitwise_or.reduce(np.where(alive, np.uint64(0), bit), axis=1)
    size = np.bitwise_count(reached)
    is_first = (reached & (bit - np.uint64(1))) == 0
    good = is_first & ((reached & dead[:, None]) == 0) & (size >= 2) & (size < k)
    rows, pieces = np.nonzero(good)
    if len(rows):
        yield rows.astype(np.int32), ((reached[rows, pieces][:, None] & bit) != 0)


def _makes(motion: BlockMotion, one: Ints, other: Ints, shared: Ints) -> bool:
    """Whether a motion, or its inverse, makes of some placements the others.

    A single piece is no block: then it takes one of the *shared* pieces along, which the motion leaves as it is.
    """
    if len(one) == 1 and not (len(shared) > 1 and (motion.becomes[shared] == shared).any()):
        return False
    return any(np.array_equal(np.sort(motion.becomes[goes]), comes) for goes, comes in ((one, other), (other, one)))
