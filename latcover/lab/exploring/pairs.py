"""The smallest common regions of all pairs of two sets of shapes, by worker processes, with a run file.

Each pair gets some seconds; those that are not proved then get more, by turns, until their time is over. So every pair
has an answer early, and the hard ones take what is left. The run file holds each step: what a worker had found when the
search was ended is there too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain, combinations, product
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.ledger import Ledger
from latcover.core.cover.question import Method, Question
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.model.lattice import REFLECTIONS, ROTATIONS, Lattice
from latcover.core.model.puzzle import Part
from latcover.errors import LatcoverError, UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.named_shapes import shapes_given
from latcover.files.formats.source import names
from latcover.lab.exploring.common import Common
from latcover.lab.exploring.exploring_requests import PairsRequest
from latcover.lab.exploring.pair_record import PairRecord, PairTask
from latcover.system.line_workers import LineWorkers
from latcover.system.machine import available_processors

METHOD = Method("common regions")
FIRST_EFFORT = 8.0  # seconds of the processor for a pair in the first round
LONGER = 4  # times as long is a pair's whole time in the next round


class Pairs(Struct, frozen=True, eq=False):
    """A table of common regions.

    Attributes:
        rows, columns: The shapes; the same ones if all pairs of one set are meant.
        entries: What is known of each pair, by the places of its shapes in rows and columns.
        stop: EXHAUSTED if every pair is proved or had its time, or why the table was cut short.
    """

    rows: tuple[Part, ...]
    columns: tuple[Part, ...]
    entries: dict[tuple[int, int], Common]
    stop: Stop

    @property
    def found(self) -> int:
        """How many pairs have a region."""
        return sum(bool(entry.tilings) for entry in self.entries.values())

    @property
    def proved(self) -> int:
        """Of how many pairs the smallest is known."""
        return sum(entry.smallest for entry in self.entries.values())

    @property
    def complete(self) -> bool:
        """Whether the smallest region of every pair is known."""
        return self.proved == len(self.entries)

    def as_json(self) -> dict[str, object]:
        """The summary; the keys are a promise to scripts."""
        return {
            "pairs": len(self.entries),
            "found": self.found,
            "smallest": self.proved,
            "stop": self.stop.value,
            "seconds": round(sum(entry.seconds for entry in self.entries.values()), 1),
        }


def pairs(
    rows: Sequence[Part],
    columns: Sequence[Part] | None = None,
    request: PairsRequest = PairsRequest(),
    events: Events = SILENT,
    *,
    run: Path | None = None,
) -> Pairs:
    """Find the smallest common region of each pair of a shape of *rows* and one of *columns*.

    Args:
        rows, columns: Shapes of one lattice; without columns, all pairs of two different rows.
        request: What is asked of each pair, and the bounds.
        events: Receives the progress.
        run: A file that keeps what is known; an existing one of the same question is gone on with.

    Raises:
        UnsupportedError: there is no pair.
        RunFileError: the file belongs to another question, is damaged, or does not show what it says.
    """
    others = None if columns is None else shapes_given("pairs", columns)
    return _Table(shapes_given("pairs", rows), others, request, events, run).pairs()


class _Table:
    def __init__(
        self,
        rows: tuple[Part, ...],
        columns: tuple[Part, ...] | None,
        request: PairsRequest,
        events: Events,
        run: Path | None,
    ) -> None:
        if request.common.galvagni:
            raise UnsupportedError("a Galvagni figure is of one shape; leave out the pairs")
        self.rows, self.columns = rows, rows if columns is None else columns
        places = range(len(rows)), range(len(self.columns))
        self.places = list(combinations(places[0], 2) if columns is None else product(*places))
        if not self.places:
            raise UnsupportedError("there is no pair of shapes; name two sets, or one set of several shapes")
        _require_shipped(_lattice_of(rows))
        self.request, self.events = request, events
        self.begun, self.stop = time.perf_counter(), Stop.EXHAUSTED
        self.shapes = [(rows[one], self.columns[other]) for one, other in self.places]
        self.known: dict[int, PairRecord] = {}
        self.keeper = None if run is None else _Keeper(run, self.shapes, request)
        if self.keeper is not None:
            self.known |= self.keeper.known

    def pairs(self) -> Pairs:
        todo = [number for number in range(len(self.places)) if self._next_effort(number) > 0]
        if todo and self.keeper is not None:
            with self.keeper:
                self._search(todo)
                if all(map(self._is_ended, range(len(self.places)))):
                    self.keeper.end()
        elif todo:
            self._search(todo)
        nothing = PairRecord(layers=(), smallest=False, refuted=0, effort=0.0)
        entries = {
            place: self.known.get(number, nothing).common(self.shapes[number])
            for number, place in enumerate(self.places)
        }
        return Pairs(self.rows, self.columns, entries, self.stop)

    def _search(self, todo: list[int]) -> None:
        with self._crew(len(todo)) as crew:
            waiting = set(todo)
            for number in todo:
                crew.put(number, self._task(number))
            while waiting and self._goes_on(len(self.places) - len(waiting)):
                for line in crew.take():
                    record = msgspec.json.decode(line.text, type=PairRecord)
                    record.common(self.shapes[line.number])  # verified before it is kept
                    self.known[line.number] = record
                    if self.keeper is not None:
                        self.keeper.add(_Line(number=line.number, record=record))
                    if line.last and self._next_effort(line.number) > 0:
                        crew.put(line.number, self._task(line.number))
                    elif line.last:
                        waiting.remove(line.number)

    def _crew(self, tasks: int) -> LineWorkers:
        lattice = _lattice_of(self.rows)
        turned_over = len(self.rows[0].transformations) > len(lattice.allowed(ROTATIONS))
        words = [
            lattice.name,
            REFLECTIONS if turned_over else ROTATIONS,
            msgspec.json.encode(self.request.common).decode(),
        ]
        size = min(self.request.processes or available_processors(), tasks)
        return LineWorkers("latcover.lab.exploring.pair_worker", words, size, "looks for common regions", _is_last)

    def _is_ended(self, number: int) -> bool:
        return number in self.known and self.known[number].ended

    def _next_effort(self, number: int) -> float:
        """How many seconds of the processor a pair gets next; 0 if it is proved, or has had its time."""
        known, most = self.known.get(number), self.request.common.effort
        if known is None:
            return FIRST_EFFORT if most is None else min(FIRST_EFFORT, most)
        if known.ended:
            return 0.0
        whole = FIRST_EFFORT
        while whole <= known.effort:
            whole *= LONGER
        return max(0.0, (whole if most is None else min(whole, most)) - known.effort)

    def _task(self, number: int) -> bytes:
        shapes = tuple(tuple(map(tuple, shape.cells.tolist())) for shape in self.shapes[number])
        return msgspec.json.encode(
            PairTask(shapes=shapes, known=self.known.get(number), effort=self._next_effort(number))
        )

    def _goes_on(self, done: int) -> bool:
        spent, found = time.perf_counter() - self.begun, sum(bool(record.layers) for record in self.known.values())
        if self.request.seconds is not None and spent >= self.request.seconds:
            self.stop = Stop.TIME_LIMIT
        elif not self.events.on_progress(Progress(done / len(self.places), None, found, spent)):
            self.stop = Stop.CANCELLED
        return self.stop.is_complete


def _lattice_of(shapes: Sequence[Part]) -> Lattice:
    lattice = shapes[0].lattice
    assert lattice
    return lattice


def _require_shipped(lattice: Lattice) -> None:
    """The worker processes know a lattice by its name."""
    if lattice.name not in names("lattices") or load_lattice(lattice.name).half_edges != lattice.half_edges:
        raise UnsupportedError(
            f"a table of pairs needs a lattice that is shipped, not {lattice.name!r}; ask for one pair after the other"
        )


def _is_last(line: bytes) -> bool:
    return msgspec.json.decode(line, type=PairRecord).last


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, Meta(ge=0)]
    record: PairRecord


class _Keeper(Ledger):
    """A file of what is known of pairs: the last record of a pair holds."""

    def __init__(self, path: Path, shapes: Sequence[tuple[Part, Part]], request: PairsRequest) -> None:
        every = dict.fromkeys(chain.from_iterable(shapes))
        places = {shape: number for number, shape in enumerate(every)}
        asked = [(places[one], places[other]) for one, other in shapes]
        question = Question.of(METHOD, request, lattice=_lattice_of(shapes[0]), shapes=[*every], pairs=asked)
        super().__init__(path, "pairs", question)
        self.known: dict[int, PairRecord] = {}
        for number, text in enumerate(self.records):
            line = self.decoded(number, text, _Line)
            try:
                line.record.common(shapes[line.number])
            except (IndexError, ValueError, LatcoverError) as fault:
                raise self.fault(number, fault) from None
            self.known[line.number] = line.record
