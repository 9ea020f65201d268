"""Runs: searches in child processes, with their results. Clients watch, pause and stop them.

The identifier of a run cannot be guessed. The server keeps no other data of a client. A run without watchers is ended
after some time, and later forgotten. The bounds are in `Settings`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from typing import IO

import msgspec

from latcover.apps.web.kept_solutions import KeptSolution
from latcover.apps.web.messages import (
    Answered,
    AnswerOfRun,
    CommandData,
    Event,
    Failed,
    Fault,
    Found,
    Piece,
    RunProgress,
    SentDesign,
    SentPlacement,
    Stage,
    Standing,
)
from latcover.apps.web.server_processes import GRACE, Child, ChildError
from latcover.apps.web.settings import Settings
from latcover.apps.web.subject import Subject
from latcover.apps.web.tasks import ApartTask, ExportTask, PlaneTask, RunTask
from latcover.apps.web.workshop import BusyError

LOOK = 0.25  # seconds between two checks of the bounds
BETWEEN_SNAPSHOTS = 0.15  # seconds
ALIVE = 15.0  # seconds without a change after which a client gets a sign of life
PAUSABLE = ("solve", "count", "best", "pack", "exclude", "sample", "probabilities", "design")
RunJob = RunTask | ApartTask | ExportTask


class Run:
    """One job in a child process.

    Attributes:
        state: "running", "paused" or "ended".
        found: How many solutions it found.
        solutions: Those that are kept.
        pictures: Of what it found, as SVG.
        designs: The puzzles that it made.
        placements, options: Those of its solutions; options are of a bare problem, each the names of its items.
        reason: Why it was stopped; "" if it was not.
        answer, fault: Its result in JSON, or its error.
        file: Receives an exported file.
    """

    def __init__(self, job: RunJob, settings: Settings, file: IO[bytes] | None = None) -> None:
        self.file = file
        self.id = secrets.token_urlsafe(12)
        self.job, self.settings = job, settings
        self.task = str(job.__struct_config__.tag)
        self.state, self.stage, self.reason = "running", "starting", ""
        self.figures: CommandData = {}
        self.progress = RunProgress()
        self.found = 0
        self.placements: list[SentPlacement] = []
        self.options: list[tuple[str, ...]] = []
        self.solutions: list[KeptSolution] = []
        self.designs: list[SentDesign] = []
        self.pictures: list[str] = []
        self.answer: msgspec.Raw | None = None
        self.about = AnswerOfRun()
        self.fault: Fault | None = None
        asked = None if isinstance(job, ExportTask) else job.seconds
        self.seconds_left = float(asked or settings.seconds)
        self.born = self.seen = time.monotonic()
        self.watchers = 0
        self._child: Child | None = None
        self._asked: float | None = None  # when it was asked to end
        self._changed = asyncio.Event()
        self.worker = asyncio.create_task(self._work())

    async def _work(self) -> None:
        """Run the process, and handle its events."""
        try:
            self._child = await Child.started(self.settings)
            if self._asked is not None:
                raise ChildError(self.reason)
            await self._child.send(self.job)
            async for event in self._child.events():
                self._take(event)
                if self.file is None and self._child.received > self.settings.output:
                    raise ChildError("it sent more than the server keeps; set a limit of solutions, or count them")
        except ChildError as fault:
            what = f"ended by the server: {self.reason}" if self.reason else f"the search broke down: {fault}"
            self.fault = self.fault or Fault(what)
        finally:
            if self._child is not None:
                await self._child.end()
            self.state = "ended"
            self.seen = time.monotonic()
            self._tell()

    def _take(self, event: Event) -> None:
        match event:
            case Stage():
                self.stage = event.stage
                self.figures = event.figures or self.figures
            case Found():
                self.found = event.found
                self.progress = event.progress or self.progress
                self.placements += event.placements
                self.options += event.options
                self.solutions += event.solutions
                self.designs += event.designs
                self.pictures += event.pictures
            case Piece():
                self._write(event.content)
            case Failed():
                self.fault = event.fault
            case Answered():
                self.answer = event.answer
                self.about = msgspec.json.decode(event.answer, type=AnswerOfRun)
        self._tell()

    def _write(self, piece: bytes) -> None:
        assert self.file is not None
        try:
            self.file.write(piece)
        except OSError as problem:
            raise ChildError(f"the server cannot keep the file: {problem.strerror}") from None

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def snapshot(self) -> Standing:
        """Its state."""
        return Standing(
            id=self.id,
            task=self.task,
            state=self.state,
            stage=self.stage,
            reason=self.reason,
            figures=self.figures,
            progress=self.progress,
            found=self.found,
            kept=len(self.solutions) + len(self.designs) + len(self.pictures),
            summary=self.about.summary,
            text=self.about.text,
            answered=self.answer is not None,
            fault=self.fault,
            pausable=self.task in PAUSABLE,
        )

    async def snapshots(self) -> AsyncIterator[Standing | None]:
        """Its state now and after each change, until it ends; None after every `ALIVE` seconds without a change."""
        self.watchers += 1
        try:
            while True:
                changed = self._changed
                yield self.snapshot()
                if self.state == "ended":
                    return
                await asyncio.sleep(BETWEEN_SNAPSHOTS)
                while not changed.is_set():
                    try:
                        await asyncio.wait_for(changed.wait(), ALIVE)
                    except TimeoutError:
                        yield None
        finally:
            self.watchers -= 1
            self.seen = time.monotonic()

    @property
    def subject(self) -> Subject:
        """The subject of a run that may have solutions or designs."""
        assert not isinstance(self.job, PlaneTask)
        return self.job.subject

    @property
    def received(self) -> int:
        """How many bytes its process sent."""
        return 0 if self._child is None else self._child.received

    def pause(self) -> bool:
        """Pause it. Returns False if it cannot be paused."""
        if self.state != "running" or self._child is None or self.task not in PAUSABLE or self._asked is not None:
            return False
        self._child.pause()
        self.state = "paused"
        self._tell()
        return True

    def resume(self) -> bool:
        """Resume it. Returns False if it was not paused."""
        if self.state != "paused" or self._child is None:
            return False
        self._child.resume()
        self.state = "running"
        self._tell()
        return True

    def stop(self, reason: str) -> None:
        """Ask it to end with its results so far. If it does not, `look` kills it."""
        if self.state == "ended" or self._asked is not None:
            return
        self.reason, self._asked = reason, time.monotonic()
        self.state = "running"
        if self._child is not None:
            self._child.interrupt()
        self._tell()

    @property
    def is_ending(self) -> bool:
        """Whether it was asked to end, and has not ended yet."""
        return self._asked is not None and self.state != "ended"

    def look(self, passed: float) -> None:
        """Stop it if it exceeds its bounds; the last check was *passed* seconds ago."""
        now = time.monotonic()
        if self.state == "ended":
            return
        if self.state == "running":
            self.seconds_left -= passed
        if self._asked is not None:
            if now - self._asked > GRACE and self._child is not None:
                self._child.kill()
        elif self.seconds_left <= 0:
            self.stop("its time was over")
        elif now - self.born > self.settings.life:
            self.stop("it was there for too long")
        elif self.watchers == 0 and now - self.seen > self.settings.forgotten:
            self.stop("nobody was watching it any more")

    async def end(self) -> None:
        """End it at once, and wait until its process is gone."""
        self.reason, self._asked = self.reason or "the server was closed", time.monotonic()
        if self._child is not None:
            self._child.kill()
        await self.worker


class Runs:
    """All runs of a server, by identifier."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._runs: dict[str, Run] = {}

    def start(self, job: RunJob, file: IO[bytes] | None = None) -> Run:
        """Start a run; an export writes to *file*.

        Raises:
            BusyError: too many searches run.
        """
        self.require_room()
        run = Run(job, self.settings, file)
        self._runs[run.id] = run
        return run

    async def make_room(self) -> None:
        """Make room for another run: wait for a run that is ending, or end the one without watchers for longest.

        Raises:
            BusyError: too many searches run, and clients watch them.
        """
        active = self._active()
        if len(active) >= self.settings.runs:
            if not any(run.is_ending for run in active):
                left = min(active, key=lambda run: (run.watchers, run.seen))
                if left.watchers == 0 and time.monotonic() - left.seen >= self.settings.lonely:
                    left.stop("nobody was watching it any more, and another search was to begin")
            if ending := {run.worker for run in active if run.is_ending}:
                await asyncio.wait(ending, timeout=GRACE, return_when=asyncio.FIRST_COMPLETED)
        self.require_room()

    def _active(self) -> list[Run]:
        return [run for run in self._runs.values() if run.state != "ended"]

    def require_room(self) -> None:
        """Check that another run may start.

        Raises:
            BusyError: too many searches run.
        """
        active = self._active()
        if len(active) >= self.settings.runs:
            raise BusyError(
                f"{len(active)} searches are running or paused, the most that this server takes; "
                "wait until one ends, or stop one"
            )

    def find(self, name: str) -> Run | None:
        """The run of that identifier."""
        run = self._runs.get(name)
        if run is not None:
            run.seen = time.monotonic()
        return run

    def drop(self, run: Run) -> None:
        """Forget a run that has ended."""
        self._runs.pop(run.id, None)

    async def look_after(self) -> None:
        """Stop runs that exceed their bounds, and forget old ones. Runs until it is cancelled."""
        before = time.monotonic()
        while True:
            await asyncio.sleep(LOOK)
            now = time.monotonic()
            for run in list(self._runs.values()):
                run.look(now - before)
            before = now
            self._forget(now)

    def _forget(self, now: float) -> None:
        ended = [run for run in self._runs.values() if run.state == "ended" and run.watchers == 0]
        ended.sort(key=lambda run: -run.seen)
        held = 0
        for k, run in enumerate(ended):
            held += run.received
            if now - run.seen > self.settings.kept_seconds or k >= self.settings.kept or held > self.settings.held:
                self.drop(run)

    async def close(self) -> None:
        """End all runs."""
        await asyncio.gather(*(run.end() for run in self._runs.values()))
        self._runs.clear()
