"""Tables of smallest common regions: of one shape of each of some sets, by worker processes, with a run file.

Each entry gets some seconds; those that are not proved then get more, by turns, until their time is over. So every
entry has an answer early, and the hard ones take what is left. The run file holds each step: what a worker had found
when the search was ended is there too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain, combinations, groupby, product
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
from latcover.lab.exploring.common_record import CommonRecord, CommonTask
from latcover.lab.exploring.exploring_requests import PairsRequest
from latcover.system.line_workers import LineWorkers
from latcover.system.machine import available_processors

METHOD = Method("common regions")
FIRST_EFFORT = 8.0  # seconds of the processor for an entry in the first round
LONGER = 4  # times as long is an entry's whole time in the next round


class CommonTable(Struct, frozen=True, eq=False):
    """A table of common regions.

    Attributes:
        sets: The sets of which each entry has one shape; of equal sets, different ones.
        entries: What is known of each choice, by the places of its shapes in their sets.
        stop: EXHAUSTED if every entry is proved or had its time, or why the table was cut short.
    """

    sets: tuple[tuple[Part, ...], ...]
    entries: dict[tuple[int, ...], Common]
    stop: Stop

    @property
    def rows(self) -> dict[tuple[int, ...], str]:
        """The shapes that entries have of all sets but the last, with their names."""
        places = dict.fromkeys(place[:-1] for place in self.entries)
        named = (zip(self.sets, place, strict=False) for place in places)
        return dict(zip(places, [" and ".join(own[k].name for own, k in each) for each in named], strict=True))

    @property
    def found(self) -> int:
        """How many entries have a region."""
        return sum(bool(entry.tilings) for entry in self.entries.values())

    @property
    def proved(self) -> int:
        """Of how many entries the smallest is known."""
        return sum(entry.smallest for entry in self.entries.values())

    @property
    def complete(self) -> bool:
        """Whether the smallest region of every entry is known."""
        return self.proved == len(self.entries)

    def as_json(self) -> dict[str, object]:
        """The summary; the keys are a promise to scripts."""
        return {
            "pairs" if len(self.sets) == 2 else "entries": len(self.entries),
            "found": self.found,
            "smallest": self.proved,
            "stop": self.stop.value,
            "seconds": round(sum(entry.seconds for entry in self.entries.values()), 1),
        }


def common_table(
    sets: Sequence[Sequence[Part]],
    request: PairsRequest = PairsRequest(),
    events: Events = SILENT,
    *,
    run: Path | None = None,
) -> CommonTable:
    """Find the smallest common region of each choice of one shape of each of *sets*.

    Args:
        sets: Shapes of one lattice, or their names. Of equal sets one behind the other, different shapes are chosen.
        request: What is asked of each choice, and the bounds.
        events: Receives the progress.
        run: A file that keeps what is known; an existing one of the same question is gone on with.

    Raises:
        UnsupportedError: there is nothing to choose.
        RunFileError: the file belongs to another question, is damaged, or does not show what it says.
    """
    return _Table(tuple(shapes_given("common_table", own) for own in sets), request, events, run).table()


def pairs(
    rows: Sequence[Part],
    columns: Sequence[Part] | None = None,
    request: PairsRequest = PairsRequest(),
    events: Events = SILENT,
    *,
    run: Path | None = None,
) -> CommonTable:
    """The table of two sets; without columns, of all pairs of two different rows. See `common_table`."""
    own = shapes_given("pairs", rows)
    return common_table((own, own if columns is None else shapes_given("pairs", columns)), request, events, run=run)


def _choices(sets: tuple[tuple[Part, ...], ...]) -> list[tuple[int, ...]]:
    """The places of shapes, one of each set: of equal sets, different ones in order."""
    groups = [(own, len([*same])) for own, same in groupby(sets)]
    every = product(*(combinations(range(len(own)), number) for own, number in groups))
    return [tuple(chain.from_iterable(each)) for each in every]


class _Table:
    def __init__(
        self, sets: tuple[tuple[Part, ...], ...], request: PairsRequest, events: Events, run: Path | None
    ) -> None:
        if request.common.galvagni:
            raise UnsupportedError("a Galvagni figure is of one shape; leave out the table")
        if request.common.within is not None:
            raise UnsupportedError("a table is of regions in no given box; ask for one entry after the other")
        if len(sets) < 2:
            raise UnsupportedError("a table needs two sets of shapes; name a set twice to choose two of it")
        self.sets = sets
        self.places = _choices(sets)
        if not self.places:
            raise UnsupportedError("there is no choice of shapes; name larger sets")
        shapes_given("common_table", [shape for own in sets for shape in own])  # of one lattice
        _require_shipped(_lattice_of(sets[0]))
        self.request, self.events = request, events
        self.begun, self.stop = time.perf_counter(), Stop.EXHAUSTED
        self.shapes = [tuple(own[k] for own, k in zip(sets, place, strict=True)) for place in self.places]
        self.known: dict[int, CommonRecord] = {}
        self.keeper = None if run is None else _Keeper(run, self.shapes, request)
        if self.keeper is not None:
            self.known |= self.keeper.known

    def table(self) -> CommonTable:
        todo = [number for number in range(len(self.places)) if self._next_effort(number) > 0]
        if todo and self.keeper is not None:
            with self.keeper:
                self._search(todo)
                if all(map(self._is_ended, range(len(self.places)))):
                    self.keeper.end()
        elif todo:
            self._search(todo)
        nothing = CommonRecord(layers=(), smallest=False, refuted=0, effort=0.0)
        entries = {
            place: self.known.get(number, nothing).common(self.shapes[number])
            for number, place in enumerate(self.places)
        }
        return CommonTable(self.sets, entries, self.stop)

    def _search(self, todo: list[int]) -> None:
        with self._crew(len(todo)) as crew:
            waiting = set(todo)
            for number in todo:
                crew.put(number, self._task(number))
            while waiting and self._goes_on(len(self.places) - len(waiting)):
                for line in crew.take():
                    record = msgspec.json.decode(line.text, type=CommonRecord)
                    record.common(self.shapes[line.number])  # verified before it is kept
                    self.known[line.number] = record
                    if self.keeper is not None:
                        self.keeper.add(_Line(number=line.number, record=record))
                    if line.last and self._next_effort(line.number) > 0:
                        crew.put(line.number, self._task(line.number))
                    elif line.last:
                        waiting.remove(line.number)

    def _crew(self, tasks: int) -> LineWorkers:
        lattice = _lattice_of(self.sets[0])
        turned_over = len(self.sets[0][0].transformations) > len(lattice.allowed(ROTATIONS))
        words = [
            lattice.name,
            REFLECTIONS if turned_over else ROTATIONS,
            msgspec.json.encode(self.request.common).decode(),
        ]
        size = min(self.request.processes or available_processors(), tasks)
        return LineWorkers("latcover.lab.exploring.common_worker", words, size, "looks for common regions", _is_last)

    def _is_ended(self, number: int) -> bool:
        return number in self.known and self.known[number].ended

    def _next_effort(self, number: int) -> float:
        """How many seconds of the processor an entry gets next; 0 if it is proved, or has had its time."""
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
            CommonTask(shapes=shapes, known=self.known.get(number), effort=self._next_effort(number))
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
            f"a table needs a lattice that is shipped, not {lattice.name!r}; ask for one entry after the other"
        )


def _is_last(line: bytes) -> bool:
    return msgspec.json.decode(line, type=CommonRecord).last


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, Meta(ge=0)]
    record: CommonRecord


class _Keeper(Ledger):
    """A file of what is known of entries: the last record of each holds."""

    def __init__(self, path: Path, shapes: Sequence[tuple[Part, ...]], request: PairsRequest) -> None:
        every = dict.fromkeys(chain.from_iterable(shapes))
        places = {shape: number for number, shape in enumerate(every)}
        asked = [tuple(places[shape] for shape in each) for each in shapes]
        question = Question.of(METHOD, request, lattice=_lattice_of(shapes[0]), shapes=[*every], pairs=asked)
        super().__init__(path, "pairs", question)
        self.known: dict[int, CommonRecord] = {}
        for number, text in enumerate(self.records):
            line = self.decoded(number, text, _Line)
            try:
                line.record.common(shapes[line.number])
            except (IndexError, ValueError, LatcoverError) as fault:
                raise self.fault(number, fault) from None
            self.known[line.number] = line.record
