"""The job of a search: it counts, or finds solutions and sends them as they come."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from latcover.cover.named_problem import ListedCover
from latcover.cover.search import Limits, OnProgress, Progress
from latcover.cover.searchable import Searchable, Shown
from latcover.encoding.prepared import Prepared
from latcover.errors import PuzzleError
from latcover.model.solution import Placed, Solution
from latcover.solving.answer import Answer
from latcover.web.job import Job, Talk, figures, prepared

BETWEEN_MESSAGES = 0.1  # seconds
MOST_IN_A_MESSAGE = 200  # solutions


@dataclass(slots=True)
class _Store:
    """Sends solutions in messages. Each placement is sent once; a solution is the numbers of its placements."""

    talk: Talk
    subject: Searchable[Any]
    kept: int = 0
    found: int = 0
    _known: dict[Any, int] = field(default_factory=dict)
    _placements: list[Any] = field(default_factory=list)
    _solutions: list[Any] = field(default_factory=list)
    _sent: float = 0.0

    def take(self, solution: Shown) -> None:
        self.found += 1
        if self.kept >= self.talk.settings.solutions:
            return
        self.kept += 1
        labels = (solution.number, solution.image, solution.orbit)
        self._solutions.append((labels, [self._number(piece) for piece in _pieces(solution)]))
        if self.kept == 1 or len(self._solutions) >= MOST_IN_A_MESSAGE:
            self.flush()

    def _number(self, piece: Placed | tuple[str, ...]) -> int:
        number = self._known.get(piece)
        if number is None:
            number = self._known[piece] = len(self._known)
            self._placements.append(_sent(piece, self.subject))
        return number

    def flush(self, progress: Mapping[str, Any] | None = None) -> None:
        """Send what has been collected."""
        message: dict[str, Any] = {"event": "progress", "found": self.found}
        if progress is not None:
            message["progress"] = progress
        if self._placements:
            message["placements"] = self._placements
        if self._solutions:
            message["solutions"] = self._solutions
        self.talk.send(message)
        self._placements, self._solutions, self._sent = [], [], time.monotonic()

    def report(self, progress: Progress) -> bool:
        """Receives the progress of a search. Returns False if the job is to stop."""
        if time.monotonic() - self._sent >= BETWEEN_MESSAGES:
            told = {"share": progress.share, "branches": progress.branches, "covers": progress.covers}
            self.flush({**told, "seconds": round(progress.seconds, 3)})
        return not self.talk.stopped


@singledispatch
def _pieces(solution: Shown) -> Sequence[Any]:
    """What a solution is made of."""
    raise NotImplementedError(type(solution))


@_pieces.register
def _(solution: Solution) -> Sequence[Placed]:
    return solution.placements


@_pieces.register
def _(solution: ListedCover) -> Sequence[tuple[str, ...]]:
    return solution.options


@singledispatch
def _sent(piece: Any, subject: Any) -> list[Any]:
    """A piece as it is sent."""
    raise NotImplementedError(type(piece))


@_sent.register
def _(piece: Placed, subject: Prepared) -> list[Any]:
    """The number of the part, the cells, their colours, the sides, and the copy as files of solutions have it."""
    number = next(k for k, part in enumerate(subject.puzzle.parts) if part.name == piece.part)
    return [number, piece.cells, piece.colours, piece.sides, piece.as_json(subject.puzzle.lattice)]


@_sent.register
def _(piece: tuple, subject: Any) -> list[str]:  # type: ignore[type-arg]
    return list(piece)


def search(job: Job, talk: Talk) -> dict[str, Any]:
    """Find the solutions of a subject, or count them."""
    from latcover.backends import create
    from latcover.impossible.forestall import forestalled
    from latcover.reporting.answer import answer_as_json, answer_as_text, reasons_as_lines, reasons_for, with_reasons
    from latcover.solving.count import count_prepared
    from latcover.solving.run import run

    solver = create(str(job.get("backend", "auto")), **_options(job))
    subject = prepared(job, talk)
    talk.send({"event": "stage", "stage": "searching", "figures": figures(subject)})
    limit = job.get("limit")
    if limit is not None and (type(limit) is not int or limit < 1):
        raise PuzzleError("the limit of solutions must be a whole number from 1 on, or left out")
    limits = Limits(covers=limit)
    store = _Store(talk, subject)

    def searched(on_progress: OnProgress) -> Answer:
        if job.get("task") == "count":
            return count_prepared(subject, solver, limits, on_progress)
        return run(subject, solver, limits, store.take, images=bool(job.get("images")), on_progress=on_progress)

    anyway = bool(job.get("anyway"))
    answer = searched(store.report) if anyway else forestalled(subject, searched, store.report)
    store.flush()
    summary = with_reasons(answer_as_json(answer), reasons_for(answer, lambda: subject))
    return {"summary": summary, "text": "\n".join([answer_as_text(answer), *reasons_as_lines(summary)])}


def _options(job: Job) -> dict[str, object]:
    """The options for the backend; an empty text is none."""
    options = job.get("options") or {}
    if not isinstance(options, dict) or not all(isinstance(v, str | int | float | bool) for v in options.values()):
        raise PuzzleError("the options of the backend must be names and values")
    return {str(key): value for key, value in options.items() if value != ""}
