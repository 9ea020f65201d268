"""Decides whether shapes tile the plane: what is quick and settles much first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.puzzle import Part
from latcover.errors import InternalError, UnsupportedError, counted
from latcover.files.formats.named_shapes import shapes_given
from latcover.lab.plane.orbits import with_classes
from latcover.lab.plane.plane_answer import PlaneAnswer, Verdict
from latcover.lab.plane.plane_request import TILES, PlaneRequest
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles
from latcover.lab.plane.tiling_group import check_tiling, group_of, with_shortest_period
from latcover.lab.plane.tori import smallest_torus

if TYPE_CHECKING:
    from latcover.lab.plane.coronas import Surrounder

Shapes = Part | str | Iterable[Part | str]
GROUPS, CORONAS, MORE = 2000, 2, 8  # a first look: so many groups and coronas; then so many times as many groups
MOST_GROUPS = 1_024_000  # of one number of classes; then tori are searched


def plane(
    shapes: Shapes | Prototiles,
    request: PlaneRequest = PlaneRequest(),
    events: Events = SILENT,
    **fields: object,
) -> PlaneAnswer:
    """Whether a shape, or a set of shapes that must all be used, tiles the plane; if not, how far it reaches.

    Args:
        shapes: A part of a flat lattice, or its name as `shape_named` takes it; or several, of one lattice.
        request: How far to search.
        events: Receives stages and progress.
        fields: Fields of the request, for short: ``plane(shape, classes=3)``.

    Raises:
        PuzzleError: the shapes lie on no lattice of the plane.
        UnsupportedError: the request has no such field, or not this value of it.
    """
    prototiles = shapes if isinstance(shapes, Prototiles) else as_prototiles(shapes)
    try:
        asked = msgspec.convert(msgspec.to_builtins(request) | fields, PlaneRequest) if fields else request
    except msgspec.ValidationError as fault:
        raise UnsupportedError(f"a request about the plane: {fault}; its fields are those of PlaneRequest") from None
    return _Performer(prototiles, asked, events).answer()


def as_prototiles(shapes: Shapes) -> Prototiles:
    """Parts as shapes of the plane, on the lattice of the first.

    Raises:
        PuzzleError: one is no part, has no lattice, or another one.
    """
    parts = shapes_given("plane", shapes)
    assert parts[0].lattice is not None
    return Prototiles(parts[0].lattice, parts)


class _Performer(Struct):
    prototiles: Prototiles
    request: PlaneRequest
    events: Events
    begun: float = field(default_factory=time.perf_counter)
    stop: Stop = Stop.EXHAUSTED
    excluded: int = 0

    def answer(self) -> PlaneAnswer:
        surrounder: Surrounder | None = None  # most shapes tile, and need none
        groups, coronas, complete = GROUPS, CORONAS, False
        found = self._unknown()
        while not complete or coronas <= self.request.coronas:
            tiling, complete = self._of_few_classes(min(groups, MOST_GROUPS))
            if tiling is not None:
                return self._with_smallest(self._tiled(tiling))
            complete |= groups >= MOST_GROUPS
            found = replace(self._unknown(), heesch=found.heesch)
            if self.stop is not Stop.EXHAUSTED:
                return found
            self.events.on_stage("surrounding the shape", found)
            surrounder = surrounder or _surrounder(self.prototiles, self._goes_on)
            reach = surrounder.heesch(min(coronas, self.request.coronas), holes=self.request.holes)
            if reach.exact:
                return PlaneAnswer(Verdict.NONE, heesch=reach, excluded=self.excluded)
            found = replace(self._unknown(), heesch=reach)
            if self.stop is not Stop.EXHAUSTED:
                return found
            groups, coronas = groups * MORE, coronas + 1
        return self._by_tori(found)

    def _by_tori(self, found: PlaneAnswer) -> PlaneAnswer:
        """The answer that tori give, where few classes and coronas give none."""
        self.events.on_stage("searching tori", found)
        torus = smallest_torus(self.prototiles, self._area(), seconds=self._left(), events=self.events)
        self.stop = torus.stop
        if torus.tiling is not None:
            return self._with_smallest(self._tiled(torus.tiling))
        return replace(found, searched=torus.searched, stop=self.stop)

    def _unknown(self) -> PlaneAnswer:
        return PlaneAnswer(Verdict.UNKNOWN, excluded=self.excluded, stop=self.stop)

    def _of_few_classes(self, most: int) -> tuple[PeriodicTiling | None, bool]:
        """A tiling with the fewest classes, from at most so many groups; and whether no further search is needed."""
        for classes in range(self.excluded + 1, self.request.classes + 1):
            self.events.on_stage(f"looking for tilings with {counted(classes, 'class')}")
            found = with_classes(self.prototiles, classes, nodes=most, goes_on=self._goes_on)
            if found.tiling is not None or not self._goes_on():
                return found.tiling, True
            if not found.complete:
                return None, False
            self.excluded = classes
        return None, True

    def _tiled(self, tiling: PeriodicTiling) -> PlaneAnswer:
        """The answer that a tiling gives, after its check."""
        check_tiling(tiling)
        tiling = with_shortest_period(tiling)
        check_tiling(tiling)
        group = group_of(tiling)
        if group.n_classes <= self.excluded:
            raise InternalError(f"a tiling has {group.n_classes} classes, which a search has excluded")
        return PlaneAnswer(
            Verdict.ISOHEDRAL if group.n_classes == 1 else Verdict.PERIODIC,
            tiling,
            group.n_classes,
            self.excluded == group.n_classes - 1,
            group.name,
            excluded=self.excluded,
        )

    def _with_smallest(self, answer: PlaneAnswer) -> PlaneAnswer:
        """The same with the smallest torus, if that is asked for."""
        if self.request.smallest is None:
            return answer
        self.events.on_stage("searching the smallest torus")
        torus = smallest_torus(
            self.prototiles, self._area(), kind=self.request.smallest, seconds=self._left(), events=self.events
        )
        if torus.tiling is not None:
            check_tiling(torus.tiling)
        return replace(answer, smallest=torus.tiling, searched=torus.searched, stop=torus.stop)

    def _area(self) -> int:
        sizes = sum(shape.size for shape in self.prototiles.shapes)
        return self.request.area or TILES * sizes

    def _left(self) -> float | None:
        seconds = self.request.seconds
        return None if seconds is None else max(0.0, seconds - (time.perf_counter() - self.begun))

    def _goes_on(self) -> bool:
        """Whether there is time left, and nobody stops the work."""
        spent = time.perf_counter() - self.begun
        if self.request.seconds is not None and spent >= self.request.seconds:
            self.stop = Stop.TIME_LIMIT
        elif not self.events.on_progress(Progress(None, None, 0, spent)):
            self.stop = Stop.CANCELLED
        return self.stop.is_complete


def _surrounder(prototiles: Prototiles, goes_on: Callable[[], bool]) -> Surrounder:
    """What surrounds a shape; only shapes that do not tile at once load it."""
    from latcover.lab.plane.coronas import Surrounder

    return Surrounder(prototiles, goes_on)
