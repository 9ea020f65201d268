"""Requests, made of the options of commands."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import asdict, replace

from latcover.apps.cli.shared.options import BackendOptions, EncodingOptions, MessageOptions, RunOptions, SearchOptions
from latcover.apps.cli.shared.output import say
from latcover.apps.cli.shared.run_files import check_cluster
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.backend import Backend
    from latcover.core.solving.search_request import ProblemRequest, SearchRequest

R = TypeVar("R", bound="ProblemRequest")
S = TypeVar("S", bound="SearchRequest")


def made(
    kind: type[R],
    backend: str,
    options: BackendOptions,
    encoding: EncodingOptions,
    messages: MessageOptions,
    *,
    run: RunOptions | None = None,
    anyway: bool = False,
    **more: Any,
) -> R:
    """A request of the options of a command. Make it before anything that takes long, since it tries the backend.

    Args:
        kind: The request.
        backend: The name of the backend.
        options: The options for the backend, perhaps with limits.
        encoding: How a puzzle becomes a cover problem.
        messages: What is said on standard error.
        run: The options for a run in a file, or on a cluster, if the command has them.
        anyway: Whether to search even if a simple argument shows that there is no solution.
        more: What only this kind of request says.

    Raises:
        UnsupportedError: the backend or the run cannot honour an option.
    """
    if isinstance(options, SearchOptions):
        more |= {"limit": options.limit, "branches": options.max_branches, "seconds": options.time}
    request = kind(
        **asdict(encoding.choices()),
        backend=backend,
        options=_options_of_run(options)
        if run is not None and run.in_jobs
        else options_for(backend, options, messages),
        anyway=anyway,
        **more,
    )
    if run is not None:
        check_cluster(run.cluster, options.threads)
    request.solver()
    return request


def with_rest_of_time(request: S, began: float) -> S:
    """The same search with what is left of its time, which began at this reading of `time.perf_counter`."""
    if request.seconds is None:
        return request
    return replace(request, seconds=max(0.0, request.seconds - (time.perf_counter() - began)))


def _options_of_run(options: BackendOptions) -> dict[str, Any]:
    """The options of the backend, without the threads, which belong to the run."""
    chosen = options.for_backend()
    if chosen.pop("threads", None) is not None and options.threads is None:
        raise UnsupportedError("a run in a file has its own threads, with a backend on each: give --threads N instead")
    return chosen


def options_for(name: str, options: BackendOptions, messages: MessageOptions) -> dict[str, Any]:
    """The options for the backend *name*.

    A backend without an option for threads searches on one thread, so one is no error, and more are only a note.
    """
    from latcover.backends import describe

    chosen = options.for_backend()
    if "threads" in chosen and "threads" not in {option.name for option in describe(name)[1]}:
        wanted = str(chosen.pop("threads"))
        if wanted != "1":
            say(f"note: {name} searches on one thread, not on {wanted}", messages)
    return chosen


def make_backend(name: str, options: BackendOptions, messages: MessageOptions) -> Backend:
    """The backend that the user named. Make it before anything that takes long."""
    from latcover.backends import create

    return create(name, **options_for(name, options, messages))
