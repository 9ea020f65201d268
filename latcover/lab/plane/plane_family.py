"""All shapes of so many cells: which of them tile the plane, many by worker processes, with a file of answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.ledger import Ledger
from latcover.core.cover.question import Method, Question, digest_of
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.lattice import REFLECTIONS, ROTATIONS, Lattice
from latcover.core.model.puzzle import Part
from latcover.core.model.request_values import FamilyCells, Natural, Positive, Request, Seconds, Threads
from latcover.errors import LatcoverError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.piece_sets import Family, Sides, pieces
from latcover.lab.plane.plane_answer import PlaneAnswer
from latcover.lab.plane.plane_record import answer_as_text, answer_in, checked
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import plane
from latcover.lab.plane.prototiles import Prototiles
from latcover.system.line_workers import Line, LineWorkers
from latcover.system.machine import available_processors

METHOD = Method("tiling the plane")
FEW_CELLS = 1000  # of all shapes: a worker process takes longer to start than these to classify


class FamilyRequest(Request, frozen=True, kw_only=True):
    """Which shapes to classify: all free ones without holes.

    Attributes:
        lattice: A shipped lattice or a file.
        cells: Of each shape.
        one_sided: Whether shapes may not be turned over, and count as different from their mirror images.
        plane: What is asked of each; its seconds are those of one shape.
        processes: How many work at once; None takes one for each processor. A small family takes one, without workers.
        seconds: Stop after so long.
        most: How many shapes there may be.
    """

    BESIDE_THE_QUESTION = frozenset(("processes", "seconds", "most"))

    lattice: str
    cells: FamilyCells
    one_sided: bool = False
    plane: PlaneRequest = PlaneRequest()
    processes: Threads | None = None
    seconds: Seconds | None = None
    most: Positive = 100_000


class Member(Struct, frozen=True):
    """A shape of the family, and what is known of it."""

    number: int
    shape: Part
    answer: PlaneAnswer

    def as_data(self) -> dict[str, Any]:
        """The promised line of JSON."""
        assert self.shape.lattice
        return {
            "cells": [self.shape.lattice.written(cell) for cell in self.shape.cells.tolist()]
        } | self.answer.as_data()


class Classification:
    """The classification of a family: an iterator over its members, in order, and afterwards why it ended.

    Args:
        request: The family.
        run: A file that keeps the answers; an existing one of the same request is gone on with.
        events: Receives the progress; may end the work.

    Raises:
        RunFileError: the file belongs to another question, is damaged, or does not show what it says.
        TooLargeError: there are more shapes than the request allows.
    """

    def __init__(self, request: FamilyRequest, run: Path | None = None, events: Events = SILENT) -> None:
        self.request, self.events, self.stop, self._done = request, events, Stop.EXHAUSTED, 0
        self._lattice = lattice = load_lattice(request.lattice)
        sides = Sides.ONE_SIDED if request.one_sided else Sides.FREE
        self.shapes = pieces(lattice, request.cells, Family(sides=sides, holes=False, most=request.most)).parts
        self._prototiles = [Prototiles(lattice, (shape,)) for shape in self.shapes]
        self._begun = time.perf_counter()
        self._keeper = None if run is None else _Keeper(run, request, lattice, self._prototiles)

    @property
    def left(self) -> int:
        """How many shapes the file does not have yet."""
        return len(self.shapes) - (0 if self._keeper is None else len(self._keeper.known))

    def __iter__(self) -> Iterator[Member]:
        """Each shape with its answer, in order, as soon as all before it are known."""
        known: dict[int, PlaneAnswer] = {} if self._keeper is None else dict(self._keeper.known)
        todo = [number for number in range(len(self.shapes)) if number not in known]
        self._done = len(known)
        with ExitStack() as stack:
            if self._keeper is not None:
                stack.enter_context(self._keeper)
            answers = stack.enter_context(closing(self._answers(todo)))
            for number, shape in enumerate(self.shapes):
                while number not in known:
                    found = next(answers, None)
                    if found is None:
                        return
                    known[found.number] = answer_in(found.text, self._prototiles[found.number])
                    self._done = len(known)
                    if self._keeper is not None:
                        self._keeper.keep(found.number, known[found.number], found.text)
                yield Member(number, shape, known[number])
            if self._keeper is not None and not self.left:
                self._keeper.end()

    def _answers(self, todo: list[int]) -> Generator[Line]:
        """The lines of answers about some shapes, in any order; it ends early if it is not to go on."""
        size = min(self.request.processes or available_processors(), len(todo))
        if size > 1 and len(todo) * self.request.cells > FEW_CELLS:
            with self._crew(todo, size) as crew:
                while self._goes_on():
                    yield from crew.take()
            return
        events = _ProgressOnly(self._goes_on)
        for number in todo:
            if not self._goes_on():
                return
            answer = plane(self._prototiles[number], self.request.plane, events)
            if not self.stop.is_complete:
                return
            yield Line(number, answer_as_text(answer), last=True)

    def _crew(self, todo: list[int], size: int) -> LineWorkers:
        request = self.request
        allowed = ROTATIONS if request.one_sided else REFLECTIONS
        words = [request.lattice, allowed, msgspec.json.encode(request.plane).decode(), digest_of(self._lattice)]
        crew = LineWorkers("latcover.lab.plane.plane_worker", words, size, "classifies shapes")
        for number in todo:
            crew.put(number, msgspec.json.encode(self.shapes[number].cells.tolist()))
        return crew

    def _goes_on(self) -> bool:
        spent = time.perf_counter() - self._begun
        if self.request.seconds is not None and spent >= self.request.seconds:
            self.stop = Stop.TIME_LIMIT
        elif not self.events.on_progress(Progress(self._done / len(self.shapes), None, self._done, spent)):
            self.stop = Stop.CANCELLED
        return self.stop.is_complete


class _ProgressOnly(Events):
    """What a single shape is asked by: whether to go on with the family."""

    def __init__(self, goes_on: Callable[[], bool]) -> None:
        self._goes_on = goes_on

    def on_progress(self, progress: Progress) -> bool:
        """Whether to go on; how far a shape is says nothing of its family."""
        return self._goes_on()


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    number: Natural
    answer: msgspec.Raw


class _Keeper(Ledger):
    """A file of answers, a record for each shape."""

    def __init__(self, path: Path, request: FamilyRequest, lattice: Lattice, prototiles: list[Prototiles]) -> None:
        shapes = [shape.cells for each in prototiles for shape in each.shapes]
        super().__init__(path, "plane", Question.of(METHOD, request, lattice=lattice, shapes=shapes))
        self.known: dict[int, PlaneAnswer] = {}
        for number, text in enumerate(self.records):
            line = self.decoded(number, text, _Line)
            try:
                self.known[line.number] = checked(answer_in(line.answer, prototiles[line.number]))
            except (IndexError, ValueError, OverflowError, LatcoverError) as fault:
                raise self.fault(number, fault) from None

    def keep(self, number: int, answer: PlaneAnswer, text: bytes) -> None:
        """Write an answer that is not cut short."""
        if answer.stop is Stop.EXHAUSTED:
            self.add(_Line(number=number, answer=msgspec.Raw(text.strip())))
            self.known[number] = answer
