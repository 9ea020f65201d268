"""Reads requests, within bounds, and answers errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import UnionType
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.kept_solutions import KeptPlacement, KeptSolution
from latcover.apps.web.messages import Fault
from latcover.apps.web.settings import MEGABYTE, Settings
from latcover.apps.web.subject import CoverSubject, Subject
from latcover.apps.web.tasks import ApartTask, ExportTask, Measures, RunTask, Sheet
from latcover.apps.web.web_runs import Run, Runs
from latcover.apps.web.workshop import BusyError, FaultError
from latcover.core.model.request_values import SymmetryChoice
from latcover.errors import LatcoverError
from latcover.system.decoding import decoded

T = TypeVar("T")
MOST_DISCARDED = 256 * MEGABYTE  # of a too large request; senders read no answer before they end


def settings_of(request: Request) -> Settings:
    """The server's settings."""
    settings: Settings = request.app.state.settings
    return settings


async def body_of(request: Request) -> bytes:
    """The body of a request. Never holds more than the bound in memory.

    Raises:
        HTTPException: 413, it is longer.
    """
    most, parts, size = settings_of(request).upload, [], 0
    too_large = HTTPException(
        413, f"this is more than the {most // MEGABYTE:,} MB that the server takes", {"Connection": "close"}
    )
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > MOST_DISCARDED:
        raise too_large
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size <= most:
                parts.append(chunk)
            elif size > MOST_DISCARDED:
                break
            else:
                parts.clear()
    except ClientDisconnect:
        raise HTTPException(400, "the request ended early") from None
    if size > most:
        raise too_large
    return b"".join(parts)


async def request_of(request: Request, kind: type[T] | UnionType, code: int = 422) -> T:
    """The object in the body of a request, as a structure of this *kind*.

    Raises:
        HTTPException: 415 or 400, the body is not a JSON object; or *code*, it does not fit.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise HTTPException(415, "the request must be of the type application/json")
    return await run_in_threadpool(in_body, await body_of(request), kind, code)


def in_body(body: bytes, kind: type[T] | UnionType, code: int = 422) -> T:
    """The object in a body; see `request_of`."""
    try:
        data = msgspec.json.decode(body, type=dict)
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise HTTPException(400, f"the request is not a JSON object: {fault}") from None
    try:
        return decoded(kind, data)
    except LatcoverError as fault:
        raise HTTPException(code, in_app_words(str(fault))) from None


class RegionRequest(msgspec.Struct, kw_only=True):
    """Draw the region of a subject. Solutions are drawn of runs: what clients would send as one was never verified."""

    subject: Subject


class ApartRequest(msgspec.Struct, kw_only=True, tag_field="task", tag="apart", forbid_unknown_fields=True):
    """Take a solution of a run apart, counted from 0; if it is None, all that are kept."""

    run: str
    solution: int | None
    seconds: float | None = None


class ExportRequest(msgspec.Struct, kw_only=True):
    """Write a file of a subject, of one solution of a run, or of all its solutions that are kept."""

    form: str
    symmetry: SymmetryChoice | None = None
    measures: Measures | None = None
    sheet: Sheet | None = None
    name: str | None = None
    subject: Subject | None = None
    run: str | None = None
    solution: int | None = None


def job_of(asked: RunTask | ApartRequest, runs: Runs, settings: Settings) -> RunTask | ApartTask:
    """The job of a run that a client asks for.

    Raises:
        HTTPException: 404 or 400, it asks for too much time, or names a solution that is not kept.
    """
    if asked.seconds is not None and not 0 < asked.seconds <= settings.seconds:
        raise HTTPException(
            400, f"the seconds must be a number up to {settings.seconds:g}, the most that this server gives"
        )
    if not isinstance(asked, ApartRequest):
        return asked
    run, solutions = _solutions_of(asked.run, asked.solution, runs)
    if isinstance(run.subject, CoverSubject):
        raise HTTPException(400, "the request must name one solution of a puzzle")
    placements, renumbered = _sent(run, solutions)
    return ApartTask(
        subject=run.subject,
        placements=placements,
        solutions=renumbered,
        first=asked.solution or 0,
        seconds=asked.seconds,
    )


def export_of(asked: ExportRequest, runs: Runs) -> ExportTask:
    """The job of an export.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    task = partial(
        ExportTask,
        form=asked.form,
        symmetry=asked.symmetry or "none",
        measures=asked.measures,
        sheet=asked.sheet,
        name=asked.name,
    )
    if asked.run is not None:
        run, solutions = _solutions_of(asked.run, asked.solution, runs)
        placements, renumbered = _sent(run, solutions)
        return task(subject=run.subject, placements=placements, solutions=renumbered)
    if asked.subject is None:
        raise HTTPException(422, "the request lacks 'subject'")
    return task(subject=asked.subject)


def _sent(run: Run, solutions: Sequence[KeptSolution]) -> tuple[list[KeptPlacement], list[KeptSolution]]:
    """The placements that some solutions of a run use, and these solutions with the numbers of these."""
    if not run.placements:
        return [], []
    used = sorted({k for one in solutions for k in one.chosen})
    place = {k: at for at, k in enumerate(used)}
    renumbered = [KeptSolution(one.labels, tuple(place[k] for k in one.chosen)) for one in solutions]
    return [run.placements[k].kept for k in used], renumbered


def _solutions_of(name: str, number: int | None, runs: Runs) -> tuple[Run, list[KeptSolution]]:
    """A run, and its solution of this number; if it is None, all of them.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    run = runs.find(name)
    if run is None or not run.solutions:
        raise HTTPException(404, "there is no such run, or it has no solutions; start it again")
    if number is None:
        return run, list(run.solutions)
    if not 0 <= number < len(run.solutions):
        raise HTTPException(400, f"the solution must be a number from 0 to {len(run.solutions) - 1}")
    return run, [run.solutions[number]]


def as_answer(data: object, code: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Data as JSON."""
    return Response(msgspec.json.encode(data), code, headers, "application/json")


async def on_http_error(_: Request, error: Exception) -> Response:
    """Answer an invalid request."""
    assert isinstance(error, HTTPException)
    return as_answer(Fault(error.detail), error.status_code, error.headers)


async def on_busy(_: Request, error: Exception) -> Response:
    """Answer that the server is busy."""
    return as_answer(Fault(str(error)), 429, {"Retry-After": "5"})


async def on_fault(_: Request, error: Exception) -> Response:
    """Answer that a job failed, with its complaints."""
    assert isinstance(error, FaultError)
    return as_answer(error.fault, 422)


async def on_defect(_: Request, __: Exception) -> Response:
    """Answer that latcover has a defect; the server's log has the details."""
    return as_answer(Fault("the server ran into a bug; its log has details"), 500)


HANDLERS = {HTTPException: on_http_error, BusyError: on_busy, FaultError: on_fault, Exception: on_defect}
