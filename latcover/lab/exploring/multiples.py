"""All regions that some copies of a shape form, up to the motions of the shape.

A region of k copies hangs together, and so do the copies in it: take a tree of copies that touch, and leave out a leaf.
The k - 1 copies that are left form a region too. So all regions of k copies are those of k - 1 with one more copy
beside them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct

from latcover.backends import _native
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.question import Method, Question
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.connected_shapes import neighbour_steps, shapes
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part
from latcover.errors import LatcoverError, PuzzleError, TooLargeError, UnsupportedError, escaped
from latcover.files.formats.named_shapes import shapes_given
from latcover.lab.exploring.exploring_requests import MultiplesRequest
from latcover.lab.exploring.records import KeptRegions, Level, Records
from latcover.lab.exploring.tilings import tile, tiling_puzzle

METHOD = Method("multiples", 2)  # 1 sealed nothing
MOST_CODES = 1 << 16
AT_ONCE = 64  # regions that grow between two looks at the clock


class Multiples(Struct, frozen=True, eq=False):
    """The regions that copies of a shape form.

    Attributes:
        shape: The shape.
        counts: How many regions 1, 2, ... copies form; if the search was cut short, of fewer copies than were asked.
        checked: Up to how many copies brute force gave the same numbers.
        regions: The first regions of the most copies that were counted, shape (n, cells, dimension + 1), int32.
        stop: EXHAUSTED, or why the search was cut short.
        seconds: How long it took.
    """

    shape: Part
    counts: tuple[int, ...]
    checked: int
    regions: Cells
    stop: Stop
    seconds: float

    def __repr__(self) -> str:
        numbers = ", ".join(f"{number:,}" for number in self.counts)
        end = "" if self.complete else f"; {self.stop.verdict}"
        return f"<Multiples of {escaped(self.shape.name)}: {numbers}{end}>"

    @property
    def complete(self) -> bool:
        return self.stop.is_complete


class DisagreementError(LatcoverError):
    """Two methods gave different numbers."""


def multiples(
    shape: Part, request: MultiplesRequest, events: Events = SILENT, *, folder: Path | None = None
) -> Multiples:
    """Find all regions that ``request.copies`` copies of *shape* form.

    Args:
        shape: Its transformations are those of its copies. Regions that they make of each other count once.
        request: How many copies, and the bounds.
        events: Receives the progress.
        folder: Where the regions are kept; a search that was cut short goes on there. None takes a folder of its own,
            which is removed at the end.

    Raises:
        UnsupportedError: the regions are too wide for their codes.
        RunFileError: the folder holds the regions of another question, or is damaged.
    """
    shapes = shapes_given("multiples", shape)
    if len(shapes) > 1:
        raise PuzzleError("multiples takes one shape; for several, call it for each")
    stop = _why_to_stop(0.0, 0.0, request, events)
    if stop is not None:
        return Multiples(shapes[0], (1,), 1, shapes[0].cells[None], stop, 0.0)
    with _kept_in(folder) as kept:
        return _Search(shapes[0], request, events, kept).multiples()


@contextmanager
def _kept_in(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with TemporaryDirectory(prefix="latcover-") as made:
            yield Path(made)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise PuzzleError(f"{folder} cannot be a folder for regions: {fault.strerror}") from None
    yield folder


class _CutShortError(Exception):
    """The time is over, or the user ended the search."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(str(stop))
        self.stop = stop


def _why_to_stop(share: float, spent: float, request: MultiplesRequest, events: Events) -> Stop | None:
    """Report the progress; why the search ends there, if it does."""
    if not events.on_progress(Progress(share, None, 0, spent)):
        return Stop.CANCELLED
    return Stop.TIME_LIMIT if request.seconds is not None and spent >= request.seconds else None


class _Search:
    def __init__(self, shape: Part, request: MultiplesRequest, events: Events, folder: Path) -> None:
        assert shape.lattice
        self.shape, self.request, self.events = shape, request, events
        self.codes = RegionCodes(shape.lattice, shape, request.copies)
        self.begun = time.perf_counter()
        self.kept = KeptRegions(folder, Question.of(METHOD, request, shape=shape, lattice=shape.lattice))

    def multiples(self) -> Multiples:
        with self.kept:
            return self._multiples()

    def _multiples(self) -> Multiples:
        levels, stop = [self._level(1)], Stop.EXHAUSTED
        if not levels[0].done:
            levels[0].hold(np.array(self.codes.single(), np.uint16))
        checked = 1
        try:
            for copies in range(2, self.request.copies + 1):
                level = self._level(copies)
                if not level.done:
                    self._grow(levels[-1], level)
                levels.append(level)
                if checked == copies - 1 and self._agrees(level):
                    checked = copies
        except _CutShortError as end:
            stop = end.stop
        spent = time.perf_counter() - self.begun
        regions = self.codes.cells(self._first(levels[-1]), levels[-1].width)
        return Multiples(self.shape, tuple(level.count for level in levels), checked, regions, stop, spent)

    def _level(self, copies: int) -> Level:
        return Level(self.kept, copies, copies * self.shape.size)

    def _grow(self, smaller: Level, level: Level) -> None:
        first = at = level.grown_from()
        room, found, n_bytes = self.request.memory * 1_000_000 // 4, list[Records](), 0
        for records in smaller.read(at, AT_ONCE):
            found.append(self.codes.grower.grown(records, smaller.width))
            at, n_bytes = at + len(records) // smaller.width, n_bytes + found[-1].nbytes
            if n_bytes > room:
                found = [_native.distinct_records(np.concatenate(found), level.width)]
                n_bytes = found[0].nbytes
                if n_bytes > room // 2:
                    level.add_run(first, at, found[0])
                    first, found, n_bytes = at, [], 0
            self._look(at / smaller.count)
        if found:
            level.add_run(first, at, _native.distinct_records(np.concatenate(found), level.width))
        self._look(1.0)
        level.merge(room, lambda: self._look(1.0))

    def _look(self, share: float) -> None:
        """Report the progress of a level; end the search if the time is over."""
        stop = _why_to_stop(share, time.perf_counter() - self.begun, self.request, self.events)
        if stop is not None:
            raise _CutShortError(stop)

    def _first(self, level: Level) -> Records:
        """As many regions as are to be handed over."""
        wanted, found = self.request.keep, [np.empty(0, np.uint16)]
        for records in level.read(at_once=max(1, min(wanted, 1 << 14))):
            if wanted <= 0:
                break
            found.append(records[: wanted * level.width])
            wanted -= len(records) // level.width
        return np.concatenate(found)

    def _agrees(self, level: Level) -> bool:
        """Whether brute force is affordable; it must give the same number.

        Raises:
            DisagreementError: it does not.
        """
        again = regions_by_force(self.shape, level.copies, self.request.check, lambda: self._look(1.0))
        if again is not None and again != level.count:
            raise DisagreementError(
                f"{self.shape.name}: {level.copies} copies form {level.count:,} regions, but brute force counts "
                f"{again:,}; {self.kept.path} has been changed, or this is a fault of latcover"
            )
        return again is not None


class RegionCodes:
    """The codes of the cells of a region of at most so many copies."""

    def __init__(self, lattice: Lattice, shape: Part, copies: int) -> None:
        self.lattice = lattice
        axes = tuple(range(lattice.dimension))
        self.images = np.stack([each.cells for each in orientations(shape, axes)]).astype(np.int32)
        steps = neighbour_steps(lattice)
        # A copy that touches a region makes it wider by its own extent, and by a step beyond the next unit.
        extent = int(np.ptp(self.images[:, :, 1:], axis=1).max()) + max(abs(x) for *_, step in steps for x in step)
        shifts = max(int(np.abs(t.shifts).max(initial=0)) for t in shape.transformations)
        self.span = _root(MOST_CODES // len(lattice.nodes), lattice.dimension)
        if extent * copies + 1 + 2 * shifts > self.span:
            most = (self.span - 1 - 2 * shifts) // extent
            raise UnsupportedError(f"{copies} copies of {shape.name} may reach too far; take {most} copies at most")
        rows = [np.concatenate([t.nodes, t.matrix.ravel(), t.shifts.ravel()]) for t in shape.transformations]
        self.grower = _native.Grower(
            lattice.dimension,
            len(lattice.nodes),
            self.span,
            np.concatenate(rows).astype(np.int32),
            np.array([(node, target, *step) for node, target, step in steps], np.int32).ravel(),
            self.images.ravel(),
            shape.size,
        )

    def single(self) -> list[int]:
        """The record of the shape alone: the least of its images."""
        images = self.images.astype(np.int64)
        images[:, :, 1:] -= images[:, :, 1:].min(axis=1, keepdims=True)
        codes = np.zeros(images.shape[:2], np.int64)
        for axis in range(1, images.shape[2]):
            codes = codes * self.span + images[:, :, axis]
        every: list[list[int]] = np.sort(codes * len(self.lattice.nodes) + images[:, :, 0], axis=1).tolist()
        return min(every)

    def cells(self, records: Records, width: int) -> Cells:
        """The cells of each record, shape (n, width, dimension + 1)."""
        codes, found = records.reshape(-1, width).astype(np.int32), []
        codes, nodes = np.divmod(codes, len(self.lattice.nodes))
        for _ in range(self.lattice.dimension):
            codes, at = np.divmod(codes, self.span)
            found.append(at)
        return np.stack([nodes, *reversed(found)], axis=2)


def _root(number: int, degree: int) -> int:
    """The largest whole number whose power of this degree is at most *number*."""
    root = 1
    while (root + 1) ** degree <= number:
        root += 1
    return root


def regions_by_force(shape: Part, copies: int, most: int, look: Callable[[], None] = lambda: None) -> int | None:
    """How many regions *copies* copies form: of all shapes of as many cells, those that copies of *shape* fill.

    *look* is called between them, and may end the work by an error.

    Returns:
        None if there are more than *most* shapes.
    """
    assert shape.lattice
    try:
        every = shapes(shape.lattice, copies * shape.size, shape.transformations, most)
    except TooLargeError:
        return None
    filled = 0
    for cells in every:
        look()
        filled += tile(tiling_puzzle(shape.name, shape.lattice, cells, [shape]), backend="dlx").tiling is not None
    return filled
