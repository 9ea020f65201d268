"""The figures of a family: how many shapes tile, in how many classes, and how far the others reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from latcover.lab.plane.plane_answer import PlaneAnswer, Verdict


class FamilySummary(Struct, frozen=True):
    """Figures of some answers.

    Attributes:
        verdicts: How many answers there are of each kind.
        classes: How many shapes tile with each number of classes, at least 2.
        heesch: Of those that do not tile: how many have each Heesch number, from 0.
        heesch_with_hole: The same with a hole allowed in the last corona; empty if that was not asked.
    """

    verdicts: Counter[Verdict]
    classes: Counter[int]
    heesch: tuple[int, ...]
    heesch_with_hole: tuple[int, ...]

    @classmethod
    def of(cls, answers: Iterable[PlaneAnswer]) -> FamilySummary:
        """The figures of these answers."""
        every = [*answers]
        reaches = [a.heesch for a in every if a.verdict is Verdict.NONE and a.heesch is not None]
        with_hole = [reach.with_hole for reach in reaches if reach.with_hole is not None]
        return cls(
            Counter(answer.verdict for answer in every),
            Counter(a.classes for a in every if a.verdict is Verdict.PERIODIC and a.classes is not None),
            _histogram([reach.number for reach in reaches]),
            _histogram(with_hole),
        )

    def as_data(self) -> dict[str, Any]:
        """The promised summary."""
        figures = {str(verdict): self.verdicts[verdict] for verdict in Verdict}
        whole = {"shapes": self.verdicts.total(), **figures, "heesch": [*self.heesch]}
        return whole | {"heesch_with_hole": [*self.heesch_with_hole]}

    def columns(self, what: str) -> tuple[list[str], list[str]]:
        """The head of a table, and its one row."""
        reach = ": " + ", ".join(map(str, self.heesch)) if self.heesch else ""
        several = ", ".join(f"{n} with {k}" for k, n in sorted(self.classes.items()))
        head = ["shapes", "in all", "isohedral", "k-isohedral, k > 1", "do not tile: Hc 0, 1, 2, ..."]
        row = [
            what,
            f"{self.verdicts.total():,}",
            f"{self.verdicts[Verdict.ISOHEDRAL]:,}",
            f"{self.verdicts[Verdict.PERIODIC]:,}" + f" ({several} classes)" * bool(several),
            f"{self.verdicts[Verdict.NONE]:,}{reach}",
        ]
        if self.verdicts[Verdict.UNKNOWN]:
            head, row = [*head, "unknown"], [*row, f"{self.verdicts[Verdict.UNKNOWN]:,}"]
        return head, row

    def lines(self, what: str) -> list[str]:
        """A table of one row, as text."""
        head, row = self.columns(what)
        widths = [max(len(a), len(b)) for a, b in zip(head, row, strict=True)]
        return ["  ".join(text.ljust(n) for text, n in zip(line, widths, strict=True)).rstrip() for line in (head, row)]


def _histogram(numbers: list[int]) -> tuple[int, ...]:
    return tuple(numbers.count(k) for k in range(max(numbers, default=-1) + 1))
