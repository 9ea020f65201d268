"""The web app's server as a process: how it starts, what it says where it cannot, and that it leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import msgspec
import pytest

from latcover.apps.web.app import make_app
from latcover.apps.web.messages import Ready, Stage
from latcover.apps.web.server_processes import Child
from latcover.apps.web.settings import Settings
from latcover.system.extras import install_line
from tests.command_line import FAILED, run
from tests.processes import GUARD, descendants, has_open_in, is_running, is_stopped, needs_proc, wait_until
from tests.web_server import BOARD, PENTOMINOES, SAT, SLOW, SMALL, WALL, Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server("--runs", "2", "--time", "60")
    yield made
    made.close()


@pytest.mark.long
def test_solutions_as_they_are_found_and_pictures_of_them(server: Server) -> None:
    run = server.start(limit=20, symmetry="all")
    standing = server.ended(run)
    assert standing["found"] == standing["kept"] == 20
    assert standing["summary"]["stop"] == "solution limit"
    lines = server.client.get(f"/api/runs/{run}/solutions.jsonl").text.splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(1, 21))
    first = server.client.get(f"/api/runs/{run}/solutions/0").json()
    assert sum(len(placed["cells"]) for placed in first["placements"]) == 60
    picture = server.client.get(f"/api/runs/{run}/solutions/0.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert server.client.get(f"/api/runs/{run}/solutions/19/scene").json()["count"] == 1
    assert server.client.get(f"/api/runs/{run}/solutions/20").status_code == 404


@pytest.mark.parametrize("backend", [pytest.param("sat", marks=pytest.mark.long), "cpsat"])
def test_solvers_have_room_in_a_child_process(server: Server, backend: str) -> None:
    standing = server.ended(server.start(task="count", subject=SMALL, backend=backend))
    assert standing["fault"] is None
    assert standing["summary"]["different"] == 2


@pytest.mark.long
def test_a_run_is_paused_and_stopped(server: Server) -> None:
    run = server.start(**SLOW)
    wait_until(lambda: server.client.get(f"/api/runs/{run}").json()["progress"].get("branches", 0) > 0)
    assert server.post(f"/api/runs/{run}/pause", {}).json()["state"] == "paused"
    wait_until(lambda: any(map(is_stopped, server.children())))
    before = server.client.get(f"/api/runs/{run}").json()["progress"]["branches"]
    assert server.post(f"/api/runs/{run}/pause", {}).status_code == 409
    assert server.post(f"/api/runs/{run}/resume", {}).json()["state"] == "running"
    wait_until(lambda: server.client.get(f"/api/runs/{run}").json()["progress"]["branches"] > before)
    assert server.post(f"/api/runs/{run}/pause", {}).json()["state"] == "paused"
    server.post(f"/api/runs/{run}/stop", {})  # also while it is paused
    standing = server.ended(run)
    assert standing["reason"] == "you stopped it"
    assert not standing["summary"]["complete"]
    assert server.post(f"/api/runs/{run}/resume", {}).status_code == 409


@needs_proc
@pytest.mark.long
def test_a_run_in_another_process_is_stopped(server: Server) -> None:
    """A solver that is interrupted does not end a search; the run does, with what it has."""
    run = server.start(**SAT)
    wait_until(lambda: bool(server.solvers()))
    (solver,) = server.solvers()
    os.kill(solver, signal.SIGINT)
    wait_until(lambda: server.standing(run)["found"] > 0 or server.standing(run)["state"] == "ended")
    server.post(f"/api/runs/{run}/stop", {})
    standing = server.ended(run)
    assert standing["fault"] is None
    assert (standing["reason"], standing["summary"]["stop"]) == ("you stopped it", "cancelled")
    assert not is_running(solver)


@needs_proc
@pytest.mark.long
def test_a_search_that_breaks_down_is_told(server: Server) -> None:
    others = set(server.children())
    run = server.start(**SLOW)
    wait_until(lambda: server.client.get(f"/api/runs/{run}").json()["progress"].get("branches", 0) > 0)
    for pid in set(server.children()) - others:
        os.kill(pid, signal.SIGKILL)
    standing = server.ended(run)
    assert "SIGKILL" in standing["fault"]["message"]
    assert server.answers()


@needs_proc
def test_a_huge_upload_is_refused_and_not_held(server: Server) -> None:
    def peak() -> int:
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024

    def content() -> Iterator[bytes]:
        for _ in range(50):
            yield bytes(1_000_000)

    before = peak()
    answer = server.client.post("/api/read", params={"name": "x.toml"}, content=content())
    assert answer.status_code == 413
    assert "4 MB" in answer.json()["message"]
    declared = server.client.post("/api/read", params={"name": "x.toml"}, content=bytes(50_000_000))
    assert declared.status_code == 413
    assert peak() - before < 30_000_000
    assert server.answers()


@pytest.mark.long
@needs_proc
def test_no_file_is_left_when_a_child_or_the_server_is_killed(tmp_path: Path) -> None:
    """Neither of uploads, nor of a comparison, nor of what is exported."""
    large = b"a b\n" + b"a b\na\nb\n" * 50_000
    server = Server(TMPDIR=str(tmp_path))

    def send(_: int) -> int:
        try:
            return server.client.post("/api/read", params={"name": "large.dlx"}, content=large).status_code
        except httpx.TransportError:  # the server is gone
            return 0

    server.start(task="compare", subject=WALL, methods="dlx", seconds_each=GUARD)
    board = {"form": "toml", "text": BOARD.format(size=140)}  # as LP it has three megabytes

    def export(form: str) -> int:
        try:
            return server.post("/api/export", {"subject": board, "form": form}).status_code
        except httpx.TransportError:
            return 0

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(send, k) for k in range(2)]
        wait_until(lambda: any(has_open_in(tmp_path, pid) for pid in server.children()))  # that of the comparison
        assert list(tmp_path.iterdir()) == []
        for pid in server.children():
            os.kill(pid, signal.SIGKILL)
        answers += [pool.submit(export, "lp")]
        wait_until(lambda: has_open_in(tmp_path, server.process.pid) or answers[-1].done())  # that of the export
        assert list(tmp_path.iterdir()) == []
        left = server.children()
        server.process.kill()
        server.process.wait()
    server.client.close()
    wait_until(lambda: not any(map(is_running, left)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@needs_proc
def test_clients_that_vanish_leave_nothing_behind() -> None:
    before = set(descendants(os.getpid()))

    def own() -> set[int]:
        return {pid for pid in set(descendants(os.getpid())) - before if is_running(pid)}

    async def scenario() -> None:
        app = make_app(Settings(runs=2, forgotten=1.0, idle=0.5))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=GUARD) as client,
        ):
            run = (await client.post("/api/runs", json=SLOW)).json()["id"]
            async with asyncio.timeout(GUARD):
                while not own():  # the answer may come before the run has begun
                    await asyncio.sleep(0)
            assert (await client.post("/api/open", json={"subject": PENTOMINOES})).status_code == 200
            async with asyncio.timeout(GUARD):
                while own():
                    await asyncio.sleep(0.1)
            standing = (await client.get(f"/api/runs/{run}")).json()
            assert standing["reason"] == "nobody was watching it any more"
            await client.post("/api/runs", json=SLOW)

    asyncio.run(scenario())
    assert not own()


@needs_proc
@pytest.mark.long
def test_a_broken_off_stream_and_a_killed_server() -> None:
    server = Server()
    run = server.start(**SAT)
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as connection:
        connection.sendall(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"200 OK" in connection.recv(100)
        wait_until(lambda: bool(server.solvers()))  # while somebody follows it: after a while it would be ended
    assert server.post(f"/api/runs/{run}/pause", {}).json()["state"] == "paused"
    children = server.children()
    assert len(children) == 2
    wait_until(lambda: all(map(is_stopped, children)))
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not any(map(is_running, children)))


def test_without_its_packages_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['starlette'] = None; sys.argv = ['latcover', 'serve']; "
    run = [sys.executable, "-P", "-c", code + "from latcover.apps.cli.main import main; main()"]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.returncode == 1
    assert f"which is not installed; install with: {install_line('web')}" in done.stderr


@pytest.mark.parametrize("fault", ["raise ImportError('no symbol x')", "def"])
@pytest.mark.long
def test_a_package_that_cannot_be_loaded_is_named(fault: str, tmp_path: Path) -> None:
    """Also one that is installed: as where its own needs are not met, or it is of another Python."""
    (tmp_path / "uvicorn.py").write_text(fault + "\n")
    run = [sys.executable, "-P", "-m", "latcover", "serve"]
    path = os.pathsep.join(filter(None, (str(tmp_path), *sys.path)))
    done = subprocess.run(run, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 1
    assert "needs uvicorn, which is installed but cannot be loaded (" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_address_that_cannot_be_had_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, what in ((("--port", port), f"port {port}"), (("--host", "no.such.host.invalid"), "no.such.host")):
            done = run("serve", *options)
            assert done.returncode == FAILED
            assert what in done.stderr


@pytest.mark.long
def test_public_addresses_are_warned_of_and_ctrl_c_ends_the_server() -> None:
    run = [sys.executable, "-P", "-m", "latcover", "serve", "--host", "0.0.0.0", "--port", "0"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split("at ")[1].split()[0]
        assert httpx.get(f"http://127.0.0.1:{url.rstrip('/').rsplit(':', 1)[1]}/", timeout=GUARD).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(GUARD) == 0
        assert "no passwords" in process.stderr.read()


@pytest.mark.parametrize(("is_ready", "done"), [(False, ["kill"]), (True, ["resume", "interrupt"])])
def test_a_process_that_still_starts_is_killed_and_leaves_no_traceback(is_ready: bool, done: list[str]) -> None:
    """Python answers an interrupt with a traceback until the child has said that it is ready."""

    class Told:
        def __getattr__(self, name: str) -> object:
            return lambda: told.append(name)

    async def stopped() -> None:
        child = Child(SimpleNamespace(pid=1, returncode=None, stdout=asyncio.StreamReader()), SimpleNamespace())
        child._group = Told()
        if is_ready:
            child._process.stdout.feed_data(msgspec.json.encode(Ready()) + b"\n")
            child._process.stdout.feed_data(msgspec.json.encode(Stage(stage="searching", figures=None)) + b"\n")
            async for _ in child.events():
                break
        child.interrupt()

    told: list[str] = []
    asyncio.run(stopped())
    assert told == done
