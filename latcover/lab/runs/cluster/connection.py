"""Connect to a Dask cluster: an existing one, or processes of this machine that end with the run."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from typing import Any

from latcover.errors import ClusterError, UnsupportedError
from latcover.system import extras, signals

LOCAL = "local"
WITHOUT_WORKERS = 60.0  # seconds to wait for a worker: batch systems are slow to start them
_ADDRESS = re.compile(r"(tcp|tls)://[^\s/:]+(:[^\s/:]+)*:\d{1,5}|(tcp|tls)://\[[0-9a-fA-F:.%]+\]:\d{1,5}")
_TO_CONNECT = 10.0  # seconds


def require(address: str, threads: int | None = None) -> None:
    """Refuse an impossible cluster early.

    Raises:
        UnsupportedError: the address is invalid, or a number of threads is given for an existing cluster.
        BackendUnavailableError: Dask is not installed.
    """
    if address != LOCAL and not _ADDRESS.fullmatch(address):
        raise UnsupportedError(
            f"--cluster {address!r} is not a cluster: give local, or the address of a Dask scheduler such as "
            "tcp://host:8786 or tls://host:8786"
        )
    if address != LOCAL and threads is not None:
        raise UnsupportedError(
            "the workers of a cluster decide how many jobs it searches at once: leave --threads out, and give "
            "the number to them, as in `dask worker ADDRESS --nworkers 4 --nthreads 1`"
        )
    extras.require("a cluster", ("dask", "distributed"), extra="cluster")


def dask() -> Any:
    """Dask's library, imported only if a cluster is used."""
    import distributed

    return distributed


@contextmanager
def connected(address: str, processes: int) -> Iterator[Any]:
    """A client of the cluster at *address*, once it has workers. A local cluster gets *processes* workers.

    Raises:
        ClusterError: it cannot be reached, or has no workers.
    """
    with _quiet(), _made(address, processes) as reached:
        _require_certificates(address)
        try:
            client = dask().Client(reached, timeout=_TO_CONNECT, set_as_default=False)
        except Exception as problem:  # of any kind, if something else listens at the port
            raise ClusterError(
                f"no Dask scheduler can be reached at {address} ({first_line(problem)}); start one with `dask "
                "scheduler`, and give the address that it prints"
            ) from None
        try:
            _require_workers(client, address)
            yield client
        finally:
            with suppress(Exception):  # the scheduler may be gone
                client.close(timeout=5)


def _require_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WITHOUT_WORKERS)
    except TimeoutError:
        raise ClusterError(
            f"the cluster at {address} has no workers: start some with `dask worker {address}`"
        ) from None


@contextmanager
def _made(address: str, processes: int) -> Iterator[Any]:
    """The address; or a scheduler within this process, with worker processes that end with it."""
    if address != LOCAL:
        yield address
        return
    with TemporaryDirectory(prefix="latcover-cluster-", ignore_cleanup_errors=True) as folder:
        with _without_interrupts():
            cluster = _local_cluster(processes, folder)
        try:
            yield cluster
        finally:
            with suppress(Exception):
                cluster.close(timeout=10)


def _local_cluster(processes: int, folder: str) -> Any:
    try:
        return dask().LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            memory_limit=None,
            local_directory=folder,
            preload=["latcover.lab.runs.cluster.cluster_worker"],
            silence_logs=logging.CRITICAL,
        )
    except Exception as problem:  # Dask raises many kinds
        raise ClusterError(
            f"the {processes:,} processes of a local cluster do not start ({first_line(problem)}); take fewer with "
            "--threads, or leave --cluster out: threads of this process do the same"
        ) from None


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from threads and processes that start within.

    Otherwise Ctrl-C would end a new process with a traceback before it can ignore the signal.
    """
    if os.name == "posix":
        resource_tracker.ensure_running()  # starting it unblocks the signal
    with signals.held_back():
        yield


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log: latcover reports the same errors in one sentence."""
    handlers = [(handler, handler.level) for handler in logging.getLogger("distributed").handlers]
    for handler, _ in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in handlers:
            handler.setLevel(level)


def _require_certificates(address: str) -> None:
    """Refuse to connect by TLS without certificates.

    Raises:
        ClusterError: Dask's configuration names none, or none that can be used.
    """
    try:
        found = not address.startswith("tls:") or dask().Security().get_connection_args("client").get("ssl_context")
        why = "Dask's configuration names none"
    except (OSError, ValueError) as problem:
        found, why = None, first_line(problem)
    if not found:
        raise ClusterError(
            f"{address} needs certificates: {why}; set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__TLS__CLIENT__CERT and "
            "…__TLS__CLIENT__KEY to their files"
        )


def first_line(problem: BaseException) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]
