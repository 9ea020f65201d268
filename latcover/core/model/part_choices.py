"""Choices of parts out of a bag: all sets that have the volume of a region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.puzzle import Part, Puzzle
from latcover.core.model.puzzle_checks import fewest_covered, reachable_volumes
from latcover.errors import suggest

Copies = tuple[int, ...]


class PartChoice(Struct, frozen=True):
    """Which parts to choose from, and how many.

    Attributes:
        numbers: How many pieces are chosen; empty if any number will do.
        among: The names of the parts to choose from; empty if these are all. Every choice has all others.
    """

    numbers: tuple[int, ...] = ()
    among: tuple[str, ...] = ()

    def indices(self, parts: tuple[Part, ...]) -> list[int]:
        """The parts to choose from."""
        return [k for k, part in enumerate(parts) if not self.among or part.name in self.among]

    def faults(self, parts: tuple[Part, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """What does not fit these parts, with the key of a file that is to blame."""
        names = [part.name for part in parts]
        for name in self.among:
            if name not in names:
                yield ("from",), f"there is no part {name!r:.80}{suggest(name, names)}"
        for k in self.indices(parts):
            if parts[k].high is None:
                yield (), f"part {parts[k].name!r} may be used any number of times; choose from parts with a count"
                return
        most = sum(parts[k].high or 0 for k in self.indices(parts))
        for number in self.numbers:
            if not 1 <= number <= most:
                yield ("parts",), f"{number} of {most} pieces cannot be chosen"


def chosen_copies(puzzle: Puzzle, choice: PartChoice) -> PartSets:
    """The sets of parts that have the volume of the region."""
    chosen = choice.indices(puzzle.parts)
    return PartSets(puzzle, {k: range(puzzle.most_copies(puzzle.parts[k]) + 1) for k in chosen}, choice.numbers)


class PartSets:
    """Sets of parts with the volume of a puzzle's region: the copies of each part, or -1 for what is not chosen.

    They come in the order of the parts: first those that have most of the first part. Their number is known without a
    list of them, and one can be drawn by chance, each alike.

    Args:
        puzzle: The region and all parts.
        copies: How many copies of each part that is chosen there may be, by its index.
        numbers: How many pieces are chosen; empty for any number from 1.
    """

    def __init__(self, puzzle: Puzzle, copies: Mapping[int, range], numbers: Sequence[int] = ()) -> None:
        self._n_parts, self._copies = len(puzzle.parts), [(k, copies[k]) for k in sorted(copies)]
        self._sizes = [puzzle.parts[k].size for k, _ in self._copies]
        rest = replace(puzzle, parts=tuple(part for k, part in enumerate(puzzle.parts) if k not in copies))
        low, n_cells = fewest_covered(puzzle), len(puzzle.region.cells)
        window, others = (1 << (n_cells + 1)) - (1 << low), reachable_volumes(rest)
        volumes = [volume for volume in range(n_cells + 1) if others << volume & window]
        wanted = numbers or range(1, sum(each[-1] for _, each in self._copies) + 1)
        # From pieces and cells so far to how many sets they can become, by what the parts from the i-th on add.
        ways = [{(number, volume): 1 for number in wanted for volume in volumes}]
        for size, (_, each) in zip(reversed(self._sizes), reversed(self._copies), strict=True):
            before: dict[tuple[int, int], int] = {}
            for (number, volume), many in ways[-1].items():
                for n in each:
                    key = (number - n, volume - n * size)
                    if min(key) >= 0:
                        before[key] = before.get(key, 0) + many
            ways.append(before)
        self._ways = ways[::-1]

    @property
    def total(self) -> int:
        """How many sets there are."""
        return self._ways[0].get((0, 0), 0)

    def __iter__(self) -> Iterator[Copies]:
        return self._from(0, 0, 0, [-1] * self._n_parts)

    def _from(self, i: int, number: int, volume: int, own: list[int]) -> Iterator[Copies]:
        if (number, volume) not in self._ways[i]:
            return
        if i == len(self._copies):
            yield tuple(own)
            return
        part, each = self._copies[i]
        for n in reversed(each):
            own[part] = n
            yield from self._from(i + 1, number + n, volume + n * self._sizes[i], own)

    def nth(self, place: int) -> Copies:
        """The set at a place in their order, from 0."""
        own, number, volume = [-1] * self._n_parts, 0, 0
        for i, (part, each) in enumerate(self._copies):
            for n in reversed(each):
                many = self._ways[i + 1].get((number + n, volume + n * self._sizes[i]), 0)
                if place < many:
                    own[part], number, volume = n, number + n, volume + n * self._sizes[i]
                    break
                place -= many
        return tuple(own)
