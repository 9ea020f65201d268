"""Reads requests, within bounds, and answers errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.settings import MEGABYTE, Settings
from latcover.apps.web.tasks import RunTask
from latcover.apps.web.web_runs import KeptSolution, Run, Runs
from latcover.apps.web.workshop import BusyError, FaultError
from latcover.errors import LatcoverError
from latcover.system.decoding import decoded

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


async def data_of(request: Request) -> dict[str, Any]:
    """The object in the body of a request.

    Raises:
        HTTPException: 415 or 400, the body is not a JSON object.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "the request must be of the type application/json")
    body = await body_of(request)
    try:
        data: dict[str, Any] = await run_in_threadpool(msgspec.json.decode, body, type=dict)
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise HTTPException(400, f"the request is no object in JSON: {fault}") from None
    return data


def job_of(data: Mapping[str, Any], runs: Runs, settings: Settings) -> dict[str, Any]:
    """The job of a run that a client asks for.

    Raises:
        HTTPException: 404 or 400, the request is invalid, or names a solution that is not kept.
    """
    if data.get("task") == "apart":
        request = _valid(ApartRequest, data)
        run, solutions = _solutions_of(request.run, request.solution, runs)
        if run.job["subject"].get("form") == "dlx":
            raise HTTPException(400, "the request must name one solution of a puzzle")
        job = {"task": "apart", "first": request.solution or 0, "seconds": request.seconds, **_sent(run, solutions)}
    else:
        request = _valid(RunTask, data)
        job = dict(data)
    if request.seconds is not None and not 0 < request.seconds <= settings.seconds:
        raise HTTPException(
            400, f"the seconds must be a number up to {settings.seconds:g}, the most that this server gives"
        )
    return job


def _valid(kind: Any, data: Mapping[str, Any]) -> Any:
    try:
        return decoded(kind, data)
    except LatcoverError as fault:
        raise HTTPException(400, in_app_words(str(fault))) from None


class ApartRequest(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Take a solution of a run apart, counted from 0; if it is None, all that are kept."""

    task: str
    run: str
    solution: int | None
    seconds: float | None = None


def export_of(data: Mapping[str, Any], runs: Runs) -> dict[str, Any]:
    """The job of an export: of a subject, of one solution of a run, or of all its solutions that are kept.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    job = {key: data[key] for key in ("form", "symmetry", "measures", "sheet", "name") if data.get(key) is not None}
    job["task"] = "export"
    if data.get("run") is None:
        return {**job, "subject": data.get("subject")}
    return {**job, **_sent(*_solutions_of(str(data["run"]), data.get("solution"), runs))}


def _sent(run: Run, solutions: Sequence[KeptSolution]) -> dict[str, Any]:
    """Solutions of a run for a job: the subject, the placements that they use, and labels with numbers of these."""
    used = sorted({k for _, chosen in solutions for k in chosen})
    place = {k: at for at, k in enumerate(used)}
    return {
        "subject": run.job["subject"],
        "placements": [run.placements[k][:4] for k in used],
        "solutions": [(labels, [place[k] for k in chosen]) for labels, chosen in solutions],
    }


def _solutions_of(name: str, number: object, runs: Runs) -> tuple[Run, list[KeptSolution]]:
    """A run, and its solution of this number; if it is None, all of them.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    run = runs.find(name)
    if run is None or not run.solutions:
        raise HTTPException(404, "there is no such run, or it has no solutions; start it again")
    if number is None:
        return run, list(run.solutions)
    if type(number) is not int or not 0 <= number < len(run.solutions):
        raise HTTPException(400, f"the solution must be a number from 0 to {len(run.solutions) - 1}")
    return run, [run.solutions[number]]


def _said(message: str, complaints: list[str], code: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"message": message, "complaints": complaints}, code, headers)


async def on_http_error(_: Request, error: Exception) -> JSONResponse:
    """Answer an invalid request."""
    assert isinstance(error, HTTPException)
    return _said(error.detail, [], error.status_code, error.headers)


async def on_busy(_: Request, error: Exception) -> JSONResponse:
    """Answer that the server is busy."""
    return _said(str(error), [], 429, {"Retry-After": "5"})


async def on_fault(_: Request, error: Exception) -> JSONResponse:
    """Answer that a job failed, with its complaints."""
    assert isinstance(error, FaultError)
    return _said(error.fault["message"], error.fault.get("complaints", []), 422)


async def on_defect(_: Request, __: Exception) -> JSONResponse:
    """Answer that latcover has a defect; the server's log has the details."""
    return _said("the server met a defect of its own; its log says more", [], 500)


HANDLERS = {HTTPException: on_http_error, BusyError: on_busy, FaultError: on_fault, Exception: on_defect}
