"""A family of puzzles: one region, and parts of which some may be left out or used several times.

A *set* says how many copies of each part are used. Its puzzle has the same region and rules, and exactly these copies;
the solutions of a set are those of its puzzle.

Symmetries of the region may exchange the two hands of parts. They map a set to its mirror image, which has as many
solutions. Both are the same design. The one with more copies of the first part, then of the second, ... represents it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property, partial
from random import Random
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.encoding.part_images import PartShapes
from latcover.core.encoding.placement import PlacementTable, placements
from latcover.core.encoding.prepared import Choices, group_of
from latcover.core.encoding.symmetry import partial_renamings
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Rules
from latcover.core.model.puzzle_checks import complaints_about, fewest_covered
from latcover.core.model.rules.copies import CopiesTogether
from latcover.core.model.rules.rule import Rule, rules_of
from latcover.errors import Complaint, PuzzleError
from latcover.lab.designing.designs import Candidate

UNKNOWN: dict[str, Any] = {"title": "", "expect": {}, "published": (), "warnings": (), "level": (), "long": False}
MOST_DRAWS = 100_000  # of sets, until one is allowed
MOST_RENAMINGS = 100  # that are compared with each other
Copies = tuple[int, ...]  # of each part, in their order
Sets = npt.NDArray[np.int32]  # (number of sets, number of parts)


class Family:
    """A puzzle with optional parts or ranges, and its symmetries.

    Attributes:
        puzzle, choices: The puzzle, and which symmetries make solutions, and sets, count as the same.
        table: All placements of all parts.
        places: How many each part has.
        ranges: The least and the most copies of each part; a part that fits nowhere is left out.
        group: The symmetries that map parts to parts, whatever their bounds.
        plain: Whether these are all symmetries that any set has. If not, some set has more: its parts have mirror
            images among them, and others of the family have not.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        choices: Choices = Choices(),
        bounds: Bounds | None = None,
        *,
        both_hands: bool = False,
    ) -> None:
        """Place the parts, and find the symmetries.

        Args:
            puzzle: Its parts' bounds say which sets there are.
            choices: Which symmetries make solutions the same, and in which order cells are numbered.
            bounds: How much the puzzle may ask for.
            both_hands: Whether to take only sets that are their own mirror images.

        Raises:
            PuzzleError: the puzzle contradicts itself, or all its parts have fixed numbers of copies.
        """
        faults = [Complaint(c.message) for c in complaints_about(puzzle) if not c.warning]
        if faults:
            raise PuzzleError(faults)
        self.puzzle, self.choices = puzzle, choices
        self.ranges = [(part.low, puzzle.most_copies(part)) for part in puzzle.parts]
        if all(low >= high for low, high in self.ranges):
            raise PuzzleError(
                f"{puzzle.name!r} has nothing to choose: every part has a fixed number of copies; let some parts be "
                "left out with min = 0 and max = 1, or give ranges such as min = 1 and max = 3"
            )
        self.table: PlacementTable = placements(puzzle, choices.order, bounds)
        self.places = np.bincount(self.table.part_of, minlength=len(puzzle.parts)).tolist()
        self.ranges = [(low, high if n else low) for (low, high), n in zip(self.ranges, self.places, strict=True)]
        self.room = [len(puzzle.region.cells) // part.size for part in puzzle.parts]
        self._unbounded = replace(puzzle, parts=tuple(replace(part, low=0, high=None) for part in puzzle.parts))
        self.group = group_of(self._unbounded, self.table, choices.symmetry)
        renamed = any(moved != tuple(range(len(self.room))) for moved in self.renamings)
        self.both_hands = both_hands
        parts = range(len(puzzle.parts))
        tied = [tuple(sorted({r[p] for r in self.renamings if r[p] >= 0})) for p in parts]  # by symmetries
        self._units = sorted(set(tied)) if both_hands else [(p,) for p in parts]
        self.plain = self.group.order == self.group.candidates and not (renamed and self._has_equal_parts())

    def _has_equal_parts(self) -> bool:
        shapes = PartShapes(self.puzzle, self.table.axes)
        own = [tuple(np.unique(shapes.numbers[p, shapes.allowed[p]])) for p in range(len(self.puzzle.parts))]
        return len(set(own)) < len(own)

    @cached_property
    def renamings(self) -> list[Copies]:
        """What the symmetries do to the parts: for each part the one that it becomes. The identity is among them.

        If some part has no image in the family, a symmetry of the region still maps the sets without this part. Then
        -1 stands for the part's image.
        """
        whole = {tuple(element.moved.parts.tolist()) for element in self.group.elements}
        if self.group.order == self.group.candidates:
            return sorted(whole)
        some = _maximal(whole | {parts for _, parts in self._of_region})
        return sorted(some) if _form_classes(some) else sorted(whole)

    @cached_property
    def _of_region(self) -> set[tuple[bool, Copies]]:
        return partial_renamings(self._unbounded, self.table, self.choices.symmetry)

    @cached_property
    def _unpaired(self) -> set[int]:
        """The parts whose mirror images the family lacks, if the region has reflections."""
        if self.group.order == self.group.candidates:
            return set()
        reflected = [parts for proper, parts in self._of_region if not proper]
        return {p for p in range(len(self.ranges)) if reflected and all(parts[p] < 0 for parts in reflected)}

    def holds_both_hands(self, copies: Copies) -> bool:
        """Whether the set is its own mirror image."""
        return len(self.images(copies)) == 1 and not any(copies[p] for p in self._unpaired)

    @property
    def name(self) -> str:
        return self.puzzle.name

    def images(self, copies: Copies) -> list[Copies]:
        """The set and its images under the symmetries, as far as the family has them; the one that stands first."""
        found = set()
        for becomes in self.renamings:
            if any(n and other < 0 for n, other in zip(copies, becomes, strict=True)):
                continue
            image = [0] * len(copies)
            for part, other in enumerate(becomes):
                if other >= 0:
                    image[other] = copies[part]
            if all(low <= n <= high for n, (low, high) in zip(image, self.ranges, strict=True)):
                found.add(tuple(image))
        return sorted(found, reverse=True)

    def names(self, copies: Copies) -> dict[str, int]:
        """The parts of a set by name, with their copies; parts that are left out are not there."""
        return {part.name: n for part, n in zip(self.puzzle.parts, copies, strict=True) if n}

    def candidate_of(self, copies: Copies) -> Candidate:
        """A set as a candidate; sets with more copies of the first parts stand first."""
        name, place = f"count {' '.join(map(str, copies))}", tuple(-n for n in copies)
        return Candidate(name, partial(self.puzzle_with, copies), place, len(self.images(copies)))

    def puzzle_with(self, copies: Copies) -> Puzzle:
        """The puzzle of a set: the same region and rules, with exactly these copies."""
        used = [replace(part, low=n, high=n) for part, n in zip(self.puzzle.parts, copies, strict=True) if n]
        chosen = tuple(replace(part, number=number) for number, part in enumerate(used))
        return replace(
            self.puzzle,
            name=f"{self.name}: {in_words(self.names(copies))}",
            parts=chosen,
            rules=_rules_of(self.puzzle.rules, chosen),
            **UNKNOWN,
        )

    @cached_property
    def _together(self) -> list[CopiesTogether]:
        return [rule for rule in rules_of(self.puzzle) if isinstance(rule, CopiesTogether)]

    def allows(self, copies: Copies) -> bool:
        """Whether the rules on numbers of copies allow a set."""
        names = self.names(copies)
        return all(
            rule.min <= sum(n for name, n in names.items() if not rule.parts or name in rule.parts) <= rule.max
            for rule in self._together
        )

    def drawn(self, dice: Random) -> Copies:
        """A random set that the rules on numbers of copies allow.

        Raises:
            PuzzleError: hardly any set is allowed.
        """
        for _ in range(MOST_DRAWS):
            copies = self.candidate(dice.randrange(self.candidates))
            if self.allows(copies):
                return copies
        raise PuzzleError(
            f"of {MOST_DRAWS:,} random sets of {self.name!r} none has the numbers of copies that its rules ask for; "
            "take --search all"
        )

    # Sets by their volume. Parts that are tied together are a unit: the set has as many copies of each.

    @cached_property
    def volumes(self) -> range:
        """How many cells a set may have."""
        return range(fewest_covered(self.puzzle), len(self.puzzle.region.cells) + 1)

    @cached_property
    def candidates(self) -> int:
        """How many sets have such a volume; those that have no solution, and mirror images, are counted too."""
        return sum(self._ways[0][volume] for volume in self.volumes)

    def candidate(self, number: int) -> Copies:
        """The set of this number, from 0, among those with such a volume."""
        for volume in self.volumes:
            if number < self._ways[0][volume]:
                return self._unranked(number, volume, self._limits, self._ways)
            number -= self._ways[0][volume]
        raise IndexError(number)

    def neighbour(self, copies: Copies, dice: Random, removed: int) -> Copies:
        """The set with *removed* random copies of parts exchanged for others of the same volume."""
        now = [copies[unit[0]] for unit in self._units]
        before = sum(n * size for n, size in zip(now, self._sizes, strict=True))
        free = [u for u, (low, _) in enumerate(self._limits) for _ in range(now[u] - low)]
        for u in dice.sample(free, min(removed, len(free))):
            now[u] -= 1
        limits = [(n, high) for n, (_, high) in zip(now, self._limits, strict=True)]
        table = ways(self._sizes, limits, before)
        return self._unranked(dice.randrange(table[0][before]), before, limits, table)

    def _unranked(self, number: int, left: int, limits: Sequence[tuple[int, int]], table: list[list[int]]) -> Copies:
        copies = [0] * len(self.ranges)
        for unit, size, (low, high), rest in zip(self._units, self._sizes, limits, table[1:], strict=True):
            for n in range(high, low - 1, -1):
                below = rest[left - n * size] if n * size <= left else 0
                if number < below:
                    break
                number -= below
            for p in unit:
                copies[p] = n
            left -= n * size
        return tuple(copies)

    @cached_property
    def _sizes(self) -> list[int]:
        return [sum(self.puzzle.parts[p].size for p in unit) for unit in self._units]

    @cached_property
    def _limits(self) -> list[tuple[int, int]]:
        ranges = [
            (low, 0) if self.both_hands and p in self._unpaired else (low, high)
            for p, (low, high) in enumerate(self.ranges)
        ]
        return [(max(ranges[p][0] for p in unit), min(ranges[p][1] for p in unit)) for unit in self._units]

    @cached_property
    def _ways(self) -> list[list[int]]:
        return ways(self._sizes, self._limits, len(self.puzzle.region.cells))


def ways(sizes: Sequence[int], ranges: Sequence[tuple[int, int]], most: int) -> list[list[int]]:
    """Entry [p][v]: in how many ways parts p, p + 1, ... can have v cells together; v is at most *most*."""
    table = [[1] + [0] * most]
    for size, (low, high) in zip(reversed(sizes), reversed(ranges), strict=True):
        before, after = table[-1], [0] * (most + 1)
        for volume in range(low * size, most + 1):
            after[volume] = before[volume - low * size] + (after[volume - size] if volume >= size else 0)
            if volume >= (high + 1) * size:
                after[volume] -= before[volume - (high + 1) * size]
        table.append(after)
    return table[::-1]


def in_words(names: Mapping[str, int]) -> str:
    """The parts of a set with their copies."""
    return " ".join(name if n == 1 else f"{n}x{name}" for name, n in names.items())


def _rules_of(rules: Rules, parts: Sequence[Part]) -> Rules:
    """The rules without colours that no part has, and parts that are left out: a puzzle may not name these."""
    names = {part.name for part in parts}
    shown = {int(colour) for part in parts for colour in part.colours}
    exchangeable = [tuple(c for c in group if c in shown) for group in rules.exchangeable]
    return replace(
        rules,
        stands_on=frozenset(pair for pair in rules.stands_on if pair[0] in shown),
        apart=tuple(pair for pair in rules.apart if shown.issuperset(pair)),
        exchangeable=tuple(group for group in exchangeable if len(group) > 1),
        of_parts=tuple(kept for rule in rules.of_parts if (kept := _about(cast("Rule", rule), names)) is not None),
    )


def _about(rule: Rule, names: Set[str]) -> Rule | None:
    """A rule without the parts that are left out; None if it is about none, or about numbers of copies, all fixed."""
    kept = tuple(name for name in rule.named_parts if name in names)
    if isinstance(rule, CopiesTogether) or (rule.named_parts and not kept):
        return None
    return rule if kept == rule.named_parts else replace(rule, parts=kept)


def _maximal(renamings: set[Copies]) -> list[Copies]:
    """The renamings that no other one extends."""
    return [one for one in renamings if not any(other != one and _extends(other, one) for other in renamings)]


def _extends(whole: Copies, part: Copies) -> bool:
    return all(q in (-1, p) for p, q in zip(whole, part, strict=True))


def _form_classes(renamings: Sequence[Copies]) -> bool:
    """Whether the renamings are closed under composition and inversion, so that images of images are images."""
    if len(renamings) > MOST_RENAMINGS:
        return False
    done = {tuple(b[p] if p >= 0 else -1 for p in a) for a in renamings for b in renamings}
    for a in renamings:
        back = [-1] * len(a)
        for p, q in enumerate(a):
            if q >= 0:
                back[q] = p
        done.add(tuple(back))
    return all(any(_extends(whole, each) for whole in renamings) for each in done)
