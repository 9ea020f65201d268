"""Answers as lines of JSON: what worker processes send, and what run files keep."""

from __future__ import annotations

import msgspec

from latcover.core.cover.result import Stop
from latcover.core.model.period import Period
from latcover.errors import InputError
from latcover.lab.plane.patch_check import faults_of_patch
from latcover.lab.plane.plane_answer import Heesch, PlaneAnswer, Verdict
from latcover.lab.plane.prototiles import Patch, PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import check_tiling, group_of

TileRow = tuple[int, int, int, int]  # shape, turn, shift


class TilingRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A periodic tiling."""

    period: tuple[tuple[int, int], tuple[int, int]]
    tiles: tuple[TileRow, ...]

    @classmethod
    def of(cls, tiling: PeriodicTiling) -> TilingRecord:
        """The record of a tiling."""
        (a, b), (c, d) = tiling.period.vectors
        return cls(period=((a, b), (c, d)), tiles=_rows(tiling.tiles))

    def tiling(self, prototiles: Prototiles) -> PeriodicTiling:
        """The tiling."""
        return PeriodicTiling(prototiles, Period(2, self.period), _tiles(self.tiles))


class PatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A patch with coronas."""

    tiles: tuple[TileRow, ...]
    coronas: tuple[int, ...]

    @classmethod
    def of(cls, patch: Patch) -> PatchRecord:
        """The record of a patch."""
        return cls(tiles=_rows(patch.tiles), coronas=patch.coronas)

    def patch(self, prototiles: Prototiles) -> Patch:
        """The patch."""
        return Patch(prototiles, _tiles(self.tiles), self.coronas)


class HeeschRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How often a shape can be surrounded."""

    number: int
    patch: PatchRecord
    with_hole: int | None
    patch_with_hole: PatchRecord | None
    exact: bool

    @classmethod
    def of(cls, heesch: Heesch) -> HeeschRecord:
        """The record of a Heesch number."""
        hollow = heesch.patch_with_hole
        return cls(
            number=heesch.number,
            patch=PatchRecord.of(heesch.patch),
            with_hole=heesch.with_hole,
            patch_with_hole=None if hollow is None else PatchRecord.of(hollow),
            exact=heesch.exact,
        )

    def heesch(self, prototiles: Prototiles) -> Heesch:
        """The Heesch number, as it was."""
        hollow = None if self.patch_with_hole is None else self.patch_with_hole.patch(prototiles)
        return Heesch(self.number, self.patch.patch(prototiles), self.with_hole, hollow, self.exact)


class AnswerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A `PlaneAnswer`, but for the smallest torus."""

    verdict: Verdict
    tiling: TilingRecord | None
    classes: int | None
    classes_exact: bool
    group: str
    heesch: HeeschRecord | None
    excluded: int
    searched: int
    stop: Stop

    @classmethod
    def of(cls, answer: PlaneAnswer) -> AnswerRecord:
        """The record of an answer."""
        return cls(
            verdict=answer.verdict,
            tiling=None if answer.tiling is None else TilingRecord.of(answer.tiling),
            classes=answer.classes,
            classes_exact=answer.classes_exact,
            group=answer.group,
            heesch=None if answer.heesch is None else HeeschRecord.of(answer.heesch),
            excluded=answer.excluded,
            searched=answer.searched,
            stop=answer.stop,
        )

    def answer(self, prototiles: Prototiles) -> PlaneAnswer:
        """The answer about these shapes."""
        return PlaneAnswer(
            self.verdict,
            None if self.tiling is None else self.tiling.tiling(prototiles),
            self.classes,
            self.classes_exact,
            self.group,
            None if self.heesch is None else self.heesch.heesch(prototiles),
            self.excluded,
            self.searched,
            stop=self.stop,
        )


def checked(answer: PlaneAnswer) -> PlaneAnswer:
    """An answer that comes from a file, after its tiling and its patches passed their checkers.

    Raises:
        InputError: they do not show what the answer says.
    """
    if (answer.tiling is None) is (answer.verdict in (Verdict.ISOHEDRAL, Verdict.PERIODIC)):
        raise InputError("an answer says that there is a tiling, but does not show it, or shows one that it denies")
    if answer.tiling is not None:
        check_tiling(answer.tiling)
        group = group_of(answer.tiling)
        if (group.name, group.n_classes) != (answer.group, answer.classes):
            raise InputError("an answer gives a tiling another group, or other classes, than it has")
    if answer.heesch is not None:
        _check_patches(answer.heesch)
    return answer


def _check_patches(heesch: Heesch) -> None:
    faults = faults_of_patch(heesch.patch) if heesch.number else []  # a shape alone may have a hole of its own
    if heesch.patch_with_hole is not None:
        faults = [*faults, *faults_of_patch(heesch.patch_with_hole, hole_in_last=True)]
    if faults or max(heesch.patch.coronas) != heesch.number:
        raise InputError(f"an answer shows a patch that is none: {', '.join(map(str, faults)) or 'too few coronas'}")


def _rows(tiles: tuple[Tile, ...]) -> tuple[TileRow, ...]:
    return tuple((tile.shape, tile.turn, *tile.shift) for tile in tiles)  # type: ignore[misc]  # two axes


def _tiles(rows: tuple[TileRow, ...]) -> tuple[Tile, ...]:
    return tuple(Tile(shape, turn, (x, y)) for shape, turn, x, y in rows)
