"""All shapes of so many cells: which of them tile the plane, by worker processes, with a file of answers."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from latcover.cover.events import SILENT, Events
from latcover.cover.result import Stop
from latcover.cover.search import Progress
from latcover.errors import BackendFailedError, InputError, LatcoverError
from latcover.formats.library import load_lattice
from latcover.formats.pieces import Family, Sides, pieces
from latcover.model.lattice import REFLECTIONS, ROTATIONS
from latcover.model.prototiles import Prototiles
from latcover.model.puzzle import Part
from latcover.plane.answer import PlaneAnswer
from latcover.plane.record import AnswerRecord, checked
from latcover.plane.request import PlaneRequest
from latcover.system.child_process import QUIET, child
from latcover.system.machine import available_processors
from latcover.system.queues import take

PATIENCE = 0.1  # seconds between two looks at the clock and the user


class FamilyRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which shapes to classify: all free ones without holes.

    Attributes:
        lattice: A shipped lattice or a file.
        cells: Of each shape.
        one_sided: Whether shapes may not be turned over, and count as different from their mirror images.
        plane: What is asked of each; its seconds are those of one shape.
        processes: How many work at once; None takes one for each processor.
        seconds: Stop after so long.
        most: How many shapes there may be.
    """

    lattice: str
    cells: Annotated[int, Meta(ge=1)]
    one_sided: bool = False
    plane: PlaneRequest = PlaneRequest()
    processes: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(ge=0)] | None = None
    most: Annotated[int, Meta(ge=1)] = 100_000

    @property
    def heading(self) -> dict[str, Any]:
        """What a file of answers must agree in."""
        return {
            "lattice": self.lattice,
            "cells": self.cells,
            "one_sided": self.one_sided,
            "plane": msgspec.to_builtins(self.plane),
        }


@dataclass(frozen=True, slots=True)
class Member:
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
        InputError: the file belongs to another request, or does not show what it says.
        TooLargeError: there are more shapes than the request allows.
    """

    def __init__(self, request: FamilyRequest, run: Path | None = None, events: Events = SILENT) -> None:
        self.request, self.events, self.stop = request, events, Stop.EXHAUSTED
        lattice = load_lattice(request.lattice)
        sides = Sides.ONE_SIDED if request.one_sided else Sides.FREE
        self.shapes = pieces(lattice, request.cells, Family(sides=sides, holes=False, most=request.most)).parts
        self._prototiles = [Prototiles(lattice, (shape,)) for shape in self.shapes]
        self._begun = time.perf_counter()
        self._keeper = None if run is None else _Keeper(run, request, self._prototiles)

    @property
    def left(self) -> int:
        """How many shapes the file does not have yet."""
        return len(self.shapes) - (0 if self._keeper is None else len(self._keeper.known))

    def __iter__(self) -> Iterator[Member]:
        """Each shape with its answer, in order, as soon as all before it are known."""
        known: dict[int, PlaneAnswer] = {} if self._keeper is None else dict(self._keeper.known)
        todo = [number for number in range(len(self.shapes)) if number not in known]
        with ExitStack() as stack:
            if self._keeper is not None:
                stack.enter_context(self._keeper)
            crew = stack.enter_context(_Crew(self.request, self.shapes, todo)) if todo else None
            for number, shape in enumerate(self.shapes):
                while number not in known:
                    assert crew
                    if not self._goes_on(len(known)):
                        return
                    for done, record in crew.take():
                        known[done] = record.answer(self._prototiles[done])
                        if self._keeper is not None:
                            self._keeper.keep(done, record)
                yield Member(number, shape, known[number])

    def _goes_on(self, done: int) -> bool:
        spent = time.perf_counter() - self._begun
        if self.request.seconds is not None and spent >= self.request.seconds:
            self.stop = Stop.TIME_LIMIT
        elif not self.events.on_progress(Progress(done / len(self.shapes), None, done, spent)):
            self.stop = Stop.CANCELLED
        return self.stop is Stop.EXHAUSTED


class _Crew:
    """Worker processes, each fed by a thread. They end with the `with` statement."""

    def __init__(self, request: FamilyRequest, shapes: tuple[Part, ...], todo: list[int]) -> None:
        self._request, self._shapes = request, shapes
        self._todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in todo:
            self._todo.put(number)
        self._size = min(request.processes or available_processors(), len(todo))
        self._results: queue.SimpleQueue[tuple[int, AnswerRecord | BaseException]] = queue.SimpleQueue()
        self._workers = ExitStack()

    def __enter__(self) -> _Crew:
        allowed = ROTATIONS if self._request.one_sided else REFLECTIONS
        words = [self._request.lattice, allowed, msgspec.json.encode(self._request.plane).decode()]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with ExitStack() as started:
            for _ in range(self._size):
                worker = started.enter_context(
                    child("latcover.plane.worker", words, shielded=True, streams=streams, environment=QUIET)
                )
                threading.Thread(target=self._feed, args=(worker,), daemon=True).start()
            self._workers = started.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.close()

    def take(self) -> list[tuple[int, AnswerRecord]]:
        """The answers that have come; it waits a moment for the first.

        Raises:
            LatcoverError: a worker failed.
        """
        try:
            found = [take(self._results, PATIENCE)]
        except queue.Empty:
            return []
        while not self._results.empty():
            found.append(self._results.get())
        answers = []
        for number, record in found:
            if isinstance(record, BaseException):
                raise record
            answers.append((number, record))
        return answers

    def _feed(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdin
        assert worker.stdout
        while True:
            try:
                number = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                worker.stdin.write(msgspec.json.encode(self._shapes[number].cells.tolist()) + b"\n")
                worker.stdin.flush()
                line = worker.stdout.readline()
                self._results.put((number, msgspec.json.decode(line, type=AnswerRecord)))
            except (OSError, ValueError) as fault:  # it has ended
                why = "a process that classifies shapes has ended; its messages say why, or it ran out of memory"
                self._results.put((number, BackendFailedError(f"{why} ({type(fault).__name__})")))
                return


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, Meta(ge=0)]
    record: AnswerRecord


class _Keeper:
    """A file of answers, a line for each shape; its first line says of which request."""

    def __init__(self, path: Path, request: FamilyRequest, prototiles: list[Prototiles]) -> None:
        self.path = path
        self.known: dict[int, PlaneAnswer] = {}
        self._heading = msgspec.json.encode({"latcover": "plane", **request.heading}) + b"\n"
        self._whole = 0
        if path.exists():
            self._read(prototiles)

    def _read(self, prototiles: list[Prototiles]) -> None:
        try:
            content = self.path.read_bytes()
        except OSError as fault:
            raise InputError(f"{self.path} cannot be read: {fault.strerror}") from None
        if content and not content.startswith(self._heading):
            raise InputError(
                f"{self.path} holds no answers to this question; give the same lattice, cells and options as before, "
                "or name another file"
            )
        self._whole = content.rfind(b"\n") + 1  # a line that a crash cut short is written anew
        for place, text in enumerate(content[: self._whole].splitlines()[1:], 2):
            try:
                line = msgspec.json.decode(text, type=_Line)
                own = prototiles[line.number]
                self.known[line.number] = checked(line.record.answer(own))
            except (msgspec.MsgspecError, IndexError, LatcoverError) as fault:
                raise InputError(f"{self.path}, line {place}: {fault}; delete this line") from None

    def __enter__(self) -> _Keeper:
        try:
            self._file = self.path.open("r+b" if self._whole else "wb")
            self._file.seek(self._whole)
            self._file.truncate()
            self._write(b"" if self._whole else self._heading)
        except OSError as fault:
            raise InputError(f"{self.path} cannot be written: {fault.strerror}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def keep(self, number: int, record: AnswerRecord) -> None:
        """Write an answer that is not cut short."""
        if record.stop is Stop.EXHAUSTED:
            self._write(msgspec.json.encode(_Line(number=number, record=record)) + b"\n")

    def _write(self, text: bytes) -> None:
        self._file.write(text)
        self._file.flush()
