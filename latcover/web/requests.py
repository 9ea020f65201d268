"""Requests as plain data, bounded; and errors as answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from latcover.web.runs import Run, Runs
from latcover.web.settings import MEGABYTE, Settings
from latcover.web.workshop import BusyError, FaultError

MOST_DISCARDED = 256 * MEGABYTE  # of a request that is too large: read on, so that the sender hears why
RUN_KEYS = (
    "task",
    "subject",
    "backend",
    "options",
    "symmetry",
    "limit",
    "seconds",
    "images",
    "anyway",
    "rules",
    "methods",
    "seconds_each",
    "way",
    "wanted",
)
RUN_TASKS = ("solve", "count", "watch", "compare", "design")
APART_KEYS = ("task", "run", "solution", "seconds")


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
        data = await run_in_threadpool(_read, body)
    except UnicodeEncodeError:  # JSON can say the half of a pair of UTF-16
        raise HTTPException(400, "the request holds half a character, which no file can have") from None
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is no JSON") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "the request must be an object in JSON")
    return data


def _read(body: bytes) -> Any:
    """What JSON says; all of it can be written again, as JSON and in files."""
    data = json.loads(body, parse_float=_finite, parse_constant=_finite)
    json.dumps(data, ensure_ascii=False).encode()
    return data


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def job_of(data: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The job of a run that a client asks for; unknown keys are refused.

    Raises:
        HTTPException: 400, the request is invalid.
    """
    unknown = sorted(set(data) - set(RUN_KEYS))
    if unknown:
        raise HTTPException(
            400, f"the request says {unknown[0][:40]!r}, which no run knows; known: {', '.join(RUN_KEYS)}"
        )
    if data.get("task") not in RUN_TASKS:
        raise HTTPException(400, f"the task must be one of {', '.join(RUN_TASKS)}")
    if not isinstance(data.get("subject"), dict):
        raise HTTPException(400, "the request names no puzzle")
    _require_seconds(data, settings)
    return {key: value for key, value in data.items() if value is not None}


def apart_of(data: Mapping[str, Any], runs: Runs, settings: Settings) -> dict[str, Any]:
    """The job that takes one solution of a run apart.

    Raises:
        HTTPException: 404 or 400, there is no such solution, or the request is invalid.
    """
    unknown = sorted(set(data) - set(APART_KEYS))
    if unknown:
        raise HTTPException(400, f"the request says {unknown[0][:40]!r}; known: {', '.join(APART_KEYS)}")
    _require_seconds(data, settings)
    run, shown = _solutions_of(data, runs)
    if data.get("solution") is None or run.job["subject"].get("form") == "dlx":
        raise HTTPException(400, "the request must name one solution of a puzzle")
    labels, chosen = shown[0]
    job = {"task": "apart", "subject": run.job["subject"], "labels": labels, "seconds": data.get("seconds")}
    return {**job, "placements": [run.placements[k][:4] for k in chosen]}


def _require_seconds(data: Mapping[str, Any], settings: Settings) -> None:
    seconds = data.get("seconds")
    if seconds is not None and not (type(seconds) in (int, float) and 0 < seconds <= settings.seconds):
        raise HTTPException(
            400, f"the seconds must be a number up to {settings.seconds:g}, the most that this server gives"
        )


def export_of(data: Mapping[str, Any], runs: Runs) -> dict[str, Any]:
    """The job of an export: of a subject, of one solution of a run, or of all its solutions that are kept.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    kept = {key: data[key] for key in ("form", "symmetry", "measures", "sheet", "name") if data.get(key) is not None}
    if data.get("run") is None:
        return {"symmetry": "none", **kept, "subject": data.get("subject")}
    run, shown = _solutions_of(data, runs)
    used = sorted({k for _, chosen in shown for k in chosen})
    place = {k: at for at, k in enumerate(used)}
    return {
        **kept,
        "subject": run.job["subject"],
        "placements": [run.placements[k][:4] for k in used],
        "solutions": [(labels, [place[k] for k in chosen]) for labels, chosen in shown],
    }


def _solutions_of(data: Mapping[str, Any], runs: Runs) -> tuple[Run, list[tuple[tuple[int, int, int], list[int]]]]:
    """The run that a request names, and the solution of it that it names; without a number, all of them.

    Raises:
        HTTPException: 404 or 400, there are no such solutions.
    """
    run = runs.find(str(data.get("run")))
    if run is None or not run.solutions:
        raise HTTPException(404, "there is no such run, or it has no solutions; start it again")
    shown, number = list(run.solutions), data.get("solution")
    if number is not None:
        if type(number) is not int or not 0 <= number < len(shown):
            raise HTTPException(400, f"the solution must be a number from 0 to {len(shown) - 1}")
        shown = shown[number : number + 1]
    return run, shown


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
