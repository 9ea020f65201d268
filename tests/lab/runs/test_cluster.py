"""Runs on a Dask cluster: scheduler and workers as processes of their own, which are killed at the worst moments."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from latcover.apps.cli.shared.progress import SO_FAR
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, Progress
from latcover.errors import BackendUnavailableError, ClusterError, UnsupportedError
from latcover.lab.runs.cluster import connection
from latcover.lab.runs.cluster.connection import connected, require
from latcover.lab.runs.control import go_on
from latcover.lab.runs.job_work import Pace
from latcover.lab.runs.recipe import stored_file
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.thread_crew import Orders
from tests.command_line import run as command
from tests.command_line import start
from tests.lab.runs.test_board_runs import TILES, tiles
from tests.processes import GUARD, descendants, is_running, needs_proc, wait_until
from tests.run_files import DIFFERENT, begun, dominoes, figures, in_one_go, recipe_of, require_whole

if find_spec("distributed") is None:
    pytest.skip("a cluster needs Dask", allow_module_level=True)

MANY = Pace(at_first=64)
WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")


class Processes:
    """A scheduler and workers on the loopback, as `dask scheduler` and `dask worker` start them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        told = folder / "scheduler.json"
        where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
        self.scheduler = self._started("scheduler", *where, "--no-dashboard")
        self.workers: list[subprocess.Popen[bytes]] = []
        wait_until(lambda: told.exists() and told.read_text("utf-8").rstrip().endswith("\n}"))
        self.address = json.loads(told.read_text("utf-8"))["address"]

    def hire(self, *more: str) -> None:
        self.workers.append(
            self._started("worker", self.address, *WORKER, "--local-directory", str(self.folder), *more)
        )

    def _started(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", f"distributed.cli.dask_{what}", *arguments]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine workers come late; who tests that nobody comes sets these lower."""
    monkeypatch.setattr("latcover.lab.runs.cluster.connection._TO_CONNECT", GUARD)
    monkeypatch.setattr("latcover.lab.runs.cluster.connection.WITHOUT_WORKERS", GUARD)


@contextmanager
def processes(folder: Path, workers: int) -> Iterator[Processes]:
    cluster = Processes(folder)
    try:
        for _ in range(workers):
            cluster.hire()
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Two workers for several tests; one of these kills one."""
    with processes(tmp_path_factory.mktemp("cluster"), 2) as started:
        yield started


def once(act: Callable[[], None]) -> Callable[[Progress], bool]:
    """A receiver of progress that acts once, when something is done."""
    acted = []

    def watch(progress: Progress) -> bool:
        if not acted and progress.share:
            acted.append(progress.share)
            act()
        return True

    return watch


def require_complete(path: Path, answer: SearchResult, number: int) -> None:
    """The answer is right, and every solution is in the file once."""
    assert answer.complete
    assert answer.different == number
    require_whole(path, number)


def test_workers_find_what_a_search_in_one_go_finds(tmp_path: Path, cluster: Processes) -> None:
    prepared = begun(tmp_path / "run.db", dominoes())
    answer = go_on(tmp_path / "run.db", Orders(cluster=cluster.address))
    assert figures(answer) == figures(in_one_go(dominoes(), prepared))
    require_complete(tmp_path / "run.db", answer, DIFFERENT)


def test_workers_know_the_colours_of_items(tmp_path: Path, cluster: Processes) -> None:
    prepared = begun(tmp_path / "run.db", tiles("bitset"))
    answer = go_on(tmp_path / "run.db", Orders(cluster=cluster.address))
    assert figures(answer) == figures(in_one_go(tiles("bitset"), prepared))
    require_complete(tmp_path / "run.db", answer, TILES)


def test_part_sets_and_lattices_that_stand_beside_a_puzzle_go_with_it(tmp_path: Path, cluster: Processes) -> None:
    lattices = Path(str(stored_file("pent-20x3").folder)).parent / "lattices"
    square = next(path for path in (lattices / "square.toml",) if path.exists())
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "grid.toml").write_bytes(square.read_bytes())
    (tmp_path / "two.toml").write_text('lattice = "square"\n[[parts]]\nname = "I"\nart = ["XX"]\ncount = 4\n')
    text = 'name = "own"\nlattice = "sub/grid.toml"\n[region]\nbox = [4, 2]\n[[parts]]\nset = "two.toml"\n'
    (tmp_path / "own.toml").write_text(text)
    begun(tmp_path / "run.db", recipe_of(str(tmp_path / "own.toml")))
    answer = go_on(tmp_path / "run.db", Orders(cluster=cluster.address))
    assert (answer.complete, answer.total) == (True, 5)


@pytest.mark.long
def test_a_limit_of_solutions_and_one_of_time_are_kept(tmp_path: Path, cluster: Processes) -> None:
    path = tmp_path / "run.db"
    prepared = begun(path, recipe_of("pent-5x4x3"))
    shown: list[Any] = []
    answer = go_on(path, Orders(limits=Limits(100), cluster=cluster.address), shown.append, prepared=prepared)
    assert (answer.stop, answer.different, len(shown)) == ("solution limit", 100, 100)
    answer = go_on(path, Orders(limits=Limits(10**6, None, 0.001), cluster=cluster.address), prepared=prepared)
    assert answer.stop == "time limit"
    assert 100 <= answer.different < 3940


@pytest.mark.long
def test_a_worker_that_is_killed_costs_its_batch_alone(
    tmp_path: Path, cluster: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.001)
    recipe = recipe_of("pent-8x8-minus-2x2")
    prepared = begun(tmp_path / "run.db", recipe)
    victim = cluster.workers[0]
    orders = Orders(cluster=cluster.address, pace=MANY)
    answer = go_on(tmp_path / "run.db", orders, on_progress=once(victim.kill), prepared=prepared)
    assert victim.wait(GUARD) == -signal.SIGKILL
    require_complete(tmp_path / "run.db", answer, 65)
    assert figures(answer) == figures(in_one_go(recipe, prepared))  # no job was counted twice


@pytest.mark.long
def test_what_a_cluster_lacks_is_told_and_the_run_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First workers, then workers of the same version, and at last a scheduler."""
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.001)
    path, recipe = tmp_path / "run.db", recipe_of("pent-8x8-minus-2x2")
    prepared = begun(path, recipe)
    with processes(tmp_path, 0) as cluster:
        orders = Orders(cluster=cluster.address, pace=MANY)
        with monkeypatch.context() as impatient:
            impatient.setattr("latcover.lab.runs.cluster.connection.WITHOUT_WORKERS", 0.1)
            with pytest.raises(ClusterError, match="has no workers: start some with"):
                go_on(path, orders, prepared=prepared)

        cluster.hire(
            "--preload", "import latcover.lab.runs.cluster.cluster_messages as m; m.this_version = lambda: '0.0.1'"
        )
        with pytest.raises(ClusterError, match=r"no worker .* can search.*it has latcover 0\.0\.1"):
            go_on(path, orders, prepared=prepared)

        cluster.hire()
        from distributed import Client

        with Client(cluster.address) as client:
            client.wait_for_workers(2, GUARD)
        begun(tmp_path / "small.db", dominoes())
        answer = go_on(tmp_path / "small.db", orders)
        require_complete(tmp_path / "small.db", answer, DIFFERENT)
        (note,) = answer.notes
        assert "took no part: it has latcover 0.0.1" in note

        with pytest.raises(ClusterError, match=f"{cluster.address} is gone.*latcover runs resume"):
            go_on(path, orders, on_progress=once(cluster.scheduler.kill), prepared=prepared)
    with RunFile(path) as file:
        before = file.figures()
    assert 0 < before.share < 1
    answer = go_on(path, Orders(threads=2), prepared=prepared)
    require_complete(path, answer, 65)
    assert figures(answer) == figures(in_one_go(recipe, prepared))


@pytest.mark.long
@needs_proc
@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGINT, 3), pytest.param(signal.SIGKILL, -9, marks=pytest.mark.long)]
)
def test_a_local_cluster_leaves_no_process_behind(tmp_path: Path, how: signal.Signals, code: int) -> None:
    path = tmp_path / "run.db"
    with ExitStack() as stack:
        local = ("--run", str(path), "--cluster", "local", "--threads", "1")
        started = start("count", "pent-5x4x3", "--backend", "dlx", "--json", *local)
        stack.callback(started.kill)
        while not path.exists() or not something_done(path):
            time.sleep(0.1)
            assert started.poll() is None
        workers = descendants(started.pid)
        assert workers
        os.kill(started.pid, how)
        if how == signal.SIGINT:  # as a terminal does: to all that run in the foreground
            for pid in workers:
                os.kill(pid, how)
        out, err = started.communicate(timeout=GUARD)
        assert started.returncode == code, err
        wait_until(lambda: not any(map(is_running, workers)))
        if how == signal.SIGINT:
            assert err.strip() == SO_FAR
            answer = json.loads(out)
            assert (answer["stop"], answer["complete"]) == ("cancelled", False)
            assert 0 < answer["different"] < 3940
            with RunFile(path) as file:
                assert file.figures().result.different == answer["different"]


def something_done(path: Path) -> bool:
    try:
        with RunFile(path) as file:
            return file.figures().result.different > 0
    except Exception:  # it is just being made
        return False


def test_a_cluster_needs_no_file_of_a_run(tmp_path: Path, cluster: Processes) -> None:
    done = command("count", "pent-20x3", "--backend", "dlx", "--cluster", cluster.address)
    assert (done.returncode, "2 solutions" in done.stdout) == (0, True), done.stderr
    assert "the run is kept in a temporary file, which is removed at the end" in done.stderr


def test_what_is_no_cluster_is_refused() -> None:
    for address in ("", "somewhere", "http://host:8786", "tcp://host", "tcp://:8786", "Local"):
        with pytest.raises(UnsupportedError, match="is not a cluster: give local"):
            require(address)
    for address in ("local", "tcp://127.0.0.1:8786", "tls://a.b-c.org:1", "tcp://[::1]:8786"):
        require(address)
    require("local", 4)
    with pytest.raises(UnsupportedError, match="leave --threads out"):
        require("tcp://127.0.0.1:8786", 4)


def test_without_dask_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BackendUnavailableError, match="needs distributed, which is not installed; install with: "):
        require("local")


def test_where_nobody_listens_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.lab.runs.cluster.connection._TO_CONNECT", 0.1)
    begun(tmp_path / "run.db", dominoes())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no Dask scheduler can be reached at {address}"):
            go_on(tmp_path / "run.db", Orders(cluster=address))


def test_by_tls_certificates_are_asked_for(tmp_path: Path) -> None:
    begun(tmp_path / "run.db", dominoes())
    with pytest.raises(ClusterError, match="needs certificates: Dask's configuration names none; set DASK_"):
        go_on(tmp_path / "run.db", Orders(cluster="tls://127.0.0.1:8786"))


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the platform cannot hold signals back")
def test_workers_of_a_local_cluster_never_hear_ctrl_c() -> None:
    """One that had just begun ended with pages of traceback, before it was told to leave Ctrl-C to us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with connected("local", 1) as client:
        (held_back,) = client.run(signal.pthread_sigmask, signal.SIG_BLOCK, ()).values()
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
    assert signal.SIGINT in held_back
    assert signal.SIGINT not in before


def test_a_local_cluster_that_does_not_start_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        @staticmethod
        def LocalCluster(**_: object) -> None:  # noqa: N802 - Dask's name
            raise RuntimeError("Nanny failed to start.\nand more")

    monkeypatch.setattr(connection, "dask", lambda: Broken)
    with (
        pytest.raises(
            ClusterError, match=r"the 2 processes of a local cluster do not start \(Nanny failed to start.\)"
        ),
        connected("local", 2),
    ):
        pass
