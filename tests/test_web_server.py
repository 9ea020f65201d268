"""The web app's server: what it answers, what it refuses, and that nothing is left behind."""

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
from typing import Any

import httpx
import pytest

from latcover.formats.library import load, load_lattice, names
from latcover.system.extras import install_line
from latcover.web.app import make_app
from latcover.web.security import POLICY
from latcover.web.settings import Settings
from tests.processes import (
    GUARD,
    cpu_seconds,
    descendants,
    is_running,
    is_stopped,
    needs_proc,
    wait_until,
)
from tests.web_server import PENTOMINOES, Server

SLOW: dict[str, Any] = {"backend": "dlx", "options": {"size": "false"}, "symmetry": "none"}
SAT: dict[str, Any] = {"backend": "sat", "options": {"solver": "cadical153"}, "symmetry": "none"}
ONE = {"name": "A", "cells": [[0, 0, 0]]}
EVIL_HOSTS = (
    "localhost.evil.example",
    "localhost/.evil.example",
    "evil.example@127.0.0.1",
    "127.0.0.1:80@evil.example",
    "localhost?.evil.example",
    "localhost#.evil.example",
    "localhost\\.evil.example",
    "127.0.0.1 evil.example",
    "[::1].evil.example",
    "[::1",
    "localhost:80:80",
    "",
)
LINUX = sys.platform.startswith("linux")
BOARD = """name = "board"
lattice = "square"
[region]
box = [{size}, {size}]
[[parts]]
name = "domino"
count = "unlimited"
art = ["XX"]
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server("--runs", "3", "--time", "60")
    yield made
    made.close()


def test_the_page_and_its_scripts(server: Server) -> None:
    page = server.client.get("/")
    assert page.status_code == 200
    assert '<script type="module" src="/static/main.js">' in page.text
    assert page.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    for script in ("main.js", "viewer.js", "three.js", "app.css", "viewer.css"):
        assert server.client.get(f"/static/{script}").status_code == 200


@pytest.mark.parametrize(
    "path", ["/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/app.py", "/api/nothing", "/etc/passwd"]
)
def test_nothing_else_is_served(server: Server, path: str) -> None:
    assert server.client.get(path).status_code == 404


def test_what_there_is_to_choose_from(server: Server) -> None:
    about = server.client.get("/api/about").json()
    assert [puzzle["name"] for puzzle in about["puzzles"]] == names("instances")
    assert {"dlx", "bitset", "auto"} <= {backend["name"] for backend in about["backends"]}
    assert "dlx" in {form["name"] for form in about["forms"]}


@pytest.mark.parametrize(
    "name", ["pent-10x6", "soma", "hex-prisms", "disc-cylinder", "sphere-pyramid", "tetrasticks-5x5"]
)
def test_every_kind_of_puzzle_opens(server: Server, name: str) -> None:
    data = server.post("/api/open", {"subject": {"form": "shipped", "name": name}}).json()
    assert data["faults"] == []
    assert data["parts"]
    for node in data["lattice"]["nodes"]:
        assert node.get("radius") or node["rings"]
    assert (len(data["problems"]) > 1) == (name == "tetrasticks-5x5")


@pytest.mark.parametrize("name", names("lattices"))
def test_every_lattice_can_be_edited(server: Server, name: str) -> None:
    """A region of all nodes of a unit, and a part of its first cell in any number."""
    lattice = load_lattice(name)
    first = [0] * (lattice.dimension + 1)
    cells = [[node, *first[1:]] for node in range(len(lattice.nodes))]
    edits = {"region": {"cells": cells}, "parts": [{"name": "A", "cells": [first], "low": 0, "high": None}]}
    data = server.post("/api/open", {"subject": {"form": "new", "lattice": name, "edits": edits}}).json()
    again = server.post("/api/open", {"subject": {"form": "toml", "text": data["toml"]}}).json()
    assert sorted(again["region"]["cells"]) == sorted(cells)


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


def test_pictures_of_solutions_have_the_colours_of_cells(server: Server) -> None:
    run = server.start(subject={"form": "shipped", "name": "notebook-coloured-5x5"}, limit=1)
    assert server.ended(run)["kept"] == 1
    picture = server.client.get(f"/api/runs/{run}/solutions/0.svg").text
    assert all(f'fill="{colour}"' in picture for colour in ("#ff0000", "#ffff00", "#0000ff"))
    shapes = server.client.get(f"/api/runs/{run}/solutions/0/scene").json()["shapes"]
    assert {shape["patches"][0]["colour"] for shape in shapes} == {"#ff0000", "#ffff00", "#0000ff"}


def test_events_tell_how_a_run_goes_on(server: Server) -> None:
    run = server.start()
    with server.client.stream("GET", f"/api/runs/{run}/events") as stream:
        told = [json.loads(line.removeprefix("data: ")) for line in stream.iter_lines() if line.startswith("data: ")]
    assert told[-1]["state"] == "ended"
    assert told[-1]["summary"]["different"] == 2339
    assert told[-1]["kept"] == 2339
    assert [standing["found"] for standing in told] == sorted(standing["found"] for standing in told)


@pytest.mark.parametrize(
    ("name", "backend"), [("soma", "dlx"), ("soma", "sat"), ("soma", "cpsat"), ("tangram-square", "backtrack")]
)
def test_counts_are_those_of_the_files(server: Server, name: str, backend: str) -> None:
    subject = {"form": "shipped", "name": name}
    standing = server.ended(server.start(task="count", subject=subject, backend=backend))
    assert standing["fault"] is None
    assert standing["summary"]["different"] == load(name).expect["different"]


def test_that_there_is_no_solution_is_said_with_the_reason(server: Server) -> None:
    standing = server.ended(server.start(subject={"form": "shipped", "name": "pent-10x6-eight-moved"}))
    (reason,) = standing["summary"]["reasons"]
    assert reason["argument"] == "colouring"
    assert standing["text"].splitlines()[-1] == f"no solution: {reason['text']}"


def test_an_edited_puzzle_is_solved_as_it_is_now(server: Server) -> None:
    """The square of 8 by 8 whose holes are moved to the corners."""
    data = server.post("/api/open", {"subject": {"form": "shipped", "name": "pent-8x8-minus-2x2"}}).json()
    corners = [[0, 0, 0], [0, 0, 7], [0, 7, 0], [0, 7, 7]]
    cells = [[0, x, y] for x in range(8) for y in range(8) if [0, x, y] not in corners]
    parts = [{key: part[key] for key in ("name", "from", "cells", "low", "high", "motions")} for part in data["parts"]]
    subject = {**data["subject"], "edits": {"name": "corners", "region": {"cells": cells}, "parts": parts}}
    opened = server.post("/api/open", {"subject": subject}).json()
    assert opened["faults"] == []
    assert opened["title"] == f"{data['title']}, edited"
    assert opened["source"] == f"after {data['source']}"
    standing = server.ended(server.start(subject=subject))
    assert standing["summary"]["different"] == load("pent-8x8-minus-corners").expect["different"]


def test_files_of_every_kind_are_read(server: Server) -> None:
    def read(name: str, content: bytes) -> Any:
        return server.client.post("/api/read", params={"name": name}, content=content)

    toml = BOARD.format(size=2).encode()
    assert read("mine.toml", toml).json()["region"]["cells"] == [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]
    dlx = read("small.dlx", b"a b\na b\na\nb\n").json()
    assert (dlx["kind"], dlx["options"]) == ("problem", 3)
    standing = server.ended(server.start(subject=dlx["subject"]))
    assert standing["found"] == 2
    run = standing["id"]
    assert server.client.get(f"/api/runs/{run}/solutions/0").json()["options"] in ([["a", "b"]], [["a"], ["b"]])
    text = read("pieces.txt", b"AAB\nABB\n").json()
    assert len(text["parts"]) == 1
    assert text["subject"]["form"] == "toml"
    assert read("a.exe", b"").status_code == 422
    bad = read("bad.toml", b'name = "x"\nlattice = "sqare"\n[region]\nart = ["X"]\n')
    assert bad.status_code == 422
    assert "did you mean 'square'" in json.dumps(bad.json())
    assert "/tmp" not in bad.text


@needs_proc
def test_no_file_is_left_when_a_child_or_the_server_is_killed(tmp_path: Path) -> None:
    """Neither of uploads, nor of a comparison, nor of what is exported."""
    large = b"a b\n" + b"a b\na\nb\n" * 200_000
    server = Server(TMPDIR=str(tmp_path))

    def send(_: int) -> int:
        try:
            return server.client.post("/api/read", params={"name": "large.dlx"}, content=large).status_code
        except httpx.TransportError:  # the server is gone
            return 0

    def at_work(besides: set[int]) -> bool:
        """Whether children have worked for longer than it takes to start; it takes seconds to read such a file."""
        return sum(map(cpu_seconds, set(server.children()) - besides)) > 3

    small = server.client.post("/api/read", params={"name": "small.dlx"}, content=b"a\na\n").json()
    server.start(task="compare", subject=small["subject"], methods=",".join(["dlx"] * 20), seconds_each=20)
    board = {"form": "toml", "text": BOARD.format(size=100)}

    def export(form: str) -> int:
        try:
            return server.post("/api/export", {"subject": board, "form": form}).status_code
        except httpx.TransportError:
            return 0

    with ThreadPoolExecutor(11) as pool:
        answers = [pool.submit(send, k) for k in range(9)]
        answers += [pool.submit(export, "lp")]
        wait_until(lambda: at_work(set()))
        assert list(tmp_path.iterdir()) == []
        killed = set(server.children())
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        answers += [pool.submit(export, "lp")]
        wait_until(lambda: at_work(killed))
        left = server.children()
        server.process.kill()
        server.process.wait()
        assert {answer.result() for answer in answers} != {200}
    server.client.close()
    wait_until(lambda: not any(map(is_running, left)))
    assert list(tmp_path.iterdir()) == []


def test_no_file_of_the_machine_can_be_named(server: Server, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("name = 'geheim'\n")
    for text in (
        BOARD.format(size=2).replace('"square"', f'"{secret}"'),
        BOARD.format(size=2).replace(
            '[[parts]]\nname = "domino"', f'[[parts]]\nset = "{secret}"\n[[parts]]\nname = "domino"'
        ),
    ):
        answer = server.post("/api/open", {"subject": {"form": "toml", "text": text}})
        assert answer.status_code == 422
        assert "here no other can be used" in answer.text
        assert "geheim" not in answer.text
    named = server.post("/api/open", {"subject": {"form": "shipped", "name": str(secret)}})
    assert named.status_code == 422
    export = server.post("/api/export", {"subject": PENTOMINOES, "form": "dlx", "file": str(tmp_path / "new")})
    assert export.status_code == 200
    assert not (tmp_path / "new").exists()
    assert server.post("/api/runs", {"task": "export", "subject": PENTOMINOES}).status_code == 400
    run = server.post("/api/runs", {"task": "solve", "subject": PENTOMINOES, "file": "/x"})
    assert run.status_code == 400


@pytest.mark.parametrize(
    ("edits", "what"),
    [
        ({}, "the region must be"),
        ({"region": {"cells": []}, "parts": []}, "the region has no cells"),
        ({"region": {"cells": [[0, 0]]}, "parts": []}, "a node and 2 coordinates"),
        ({"region": {"cells": [[5, 0, 0]]}, "parts": []}, "lies nowhere"),
        ({"region": {"cells": [[0, 10**12, 0]]}, "parts": []}, "lies nowhere"),
        ({"region": {"cells": [[0, 0, 0], [0, 0, 0]]}, "parts": []}, "a cell twice"),
        ({"region": {"cells": [[0, 0, 0]], "colours": [7]}, "parts": []}, "below 1"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [{"name": "", "cells": []}]}, "the name of part 1"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [ONE | {"low": 3, "high": 2}]}, "the most copies"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [ONE | {"motions": "sideways"}]}, "motions"),
        ({"region": {"cells": [[0, 0, True]]}, "parts": []}, "whole numbers"),
    ],
)  # fmt: skip
def test_edits_that_no_editor_makes_are_refused(server: Server, edits: Any, what: str) -> None:
    answer = server.post("/api/open", {"subject": {"form": "new", "lattice": "square", "edits": edits}})
    assert answer.status_code == 422
    assert what in answer.json()["message"]


def test_hosts_and_origins(server: Server) -> None:
    get, port = server.client.get, server.url.rsplit(":", 1)[1]
    assert get("/", headers={"Host": "evil.example"}).status_code == 421
    assert get("/", headers={"Host": f"localhost:{port}"}).status_code == 200
    assert get("/", headers={"Host": f"[::1]:{port}"}).status_code == 200
    for evil in EVIL_HOSTS:
        assert get("/", headers={"Host": evil}).status_code == 421, evil
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert server.post("/api/open", {"subject": PENTOMINOES}, Origin=origin).status_code == 403
    assert server.post("/api/open", {"subject": PENTOMINOES}, Origin=server.url).status_code == 200
    assert server.post("/api/open", {"subject": PENTOMINOES}, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    plain = server.client.post("/api/open", content=b"{}", headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415
    for kind in ("APPLICATION/JSON", "Application/Json ; charset=utf-8"):
        content = json.dumps({"subject": PENTOMINOES}).encode()
        assert server.client.post("/api/open", content=content, headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"{" * 100_000, b'{"subject": 3}', b"\xff"])
def test_nonsense_is_answered(server: Server, body: bytes) -> None:
    for path in ("/api/open", "/api/runs", "/api/export", "/api/region.svg", "/api/scene"):
        answer = server.client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.json()["message"]


def test_half_a_character_is_refused(server: Server) -> None:
    answer = server.client.post(
        "/api/open",
        content=b'{"subject": {"form": "toml", "text": "\\ud800"}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert "holds half a character" in answer.json()["message"]


@pytest.mark.parametrize("rules", [[[]], [{}], ["first", None], "first", []])
def test_rules_that_are_none_are_refused(server: Server, rules: Any) -> None:
    ended = server.ended(server.start(task="watch", rules=rules))
    assert ended["fault"]["message"].startswith("the rules to watch must be among")


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
    assert standing["reason"] == "stopped by its user"
    assert not standing["summary"]["complete"]
    assert server.post(f"/api/runs/{run}/resume", {}).status_code == 409


@needs_proc
def test_a_run_in_another_process_is_stopped(server: Server) -> None:
    """A solver that is interrupted does not end a search; the run does, with what it has."""
    run = server.start(subject={"form": "shipped", "name": "soma"}, **SAT)
    wait_until(lambda: bool(server.solvers()))
    (solver,) = server.solvers()
    os.kill(solver, signal.SIGINT)
    wait_until(lambda: server.standing(run)["found"] > 0 or server.standing(run)["state"] == "ended")
    server.post(f"/api/runs/{run}/stop", {})
    standing = server.ended(run)
    assert standing["fault"] is None
    assert (standing["reason"], standing["summary"]["stop"]) == ("stopped by its user", "cancelled")
    assert not is_running(solver)


def test_a_comparison_of_a_bare_problem(server: Server) -> None:
    content = b"a b\na b\na\nb\n"
    subject = server.client.post("/api/read", params={"name": "my small.xcc"}, content=content).json()["subject"]
    run = server.start(task="compare", subject=subject, methods="dlx,sat", seconds_each=20)
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert told["puzzle"] == "my small"
    assert told["agree"]
    assert [method["answer"]["total"] for method in told["methods"]] == [2, 2]


def test_a_comparison_and_a_search_to_watch(server: Server) -> None:
    subject = {"form": "shipped", "name": "example-2x2"}
    run = server.start(task="compare", subject=subject, methods="BT,MC+SZ,sat", seconds_each=20)
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert told["agree"]
    assert {method["status"] for method in told["methods"]} == {"complete"}
    run = server.start(task="watch", subject=subject, rules=["first", "fewest"])
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert all(search["whole"] for search in told["searches"])
    covers = [sum(step[0] == told["kinds"].index("cover") for step in search["steps"]) for search in told["searches"]]
    assert covers[0] == covers[1] > 0


def test_more_runs_than_there_may_be_are_refused(server: Server) -> None:
    runs = [server.start(**SLOW) for _ in range(3)]
    refused = server.post("/api/runs", {"task": "solve", "subject": PENTOMINOES})
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers
    for run in runs:
        server.post(f"/api/runs/{run}/stop", {})
        server.ended(run)
    server.ended(server.start(limit=1))


@pytest.mark.parametrize(
    ("size", "parts", "what"),
    [(32_000, 0, "cells"), (140, 30, "placements")],  # 2 * 10^9 dominoes; 30 parts of many orientations
)
def test_a_puzzle_of_too_many_placements(server: Server, size: int, parts: int, what: str) -> None:
    text = BOARD.format(size=size)
    for k in range(parts):
        text += f'[[parts]]\nname = "p{k}"\ncount = "unlimited"\nart = ["X{"." * (k + 1)}", "X{"X" * (k + 1)}"]\n'
    standing = server.ended(server.start(subject={"form": "toml", "text": text}))
    assert standing["answered"] is False
    assert what in standing["fault"]["message"]


def test_bounds_are_told_as_the_server_has_them(server: Server) -> None:
    text = BOARD.format(size=1000)
    answer = server.post("/api/open", {"subject": {"form": "toml", "text": text}}).json()
    told = "more than 20,000 cells; the server takes no more; latcover on the command line does, with --max-cells"
    assert told in answer["message"]
    assert told in answer["complaints"][0]


@needs_proc
def test_a_search_that_breaks_down_is_told(server: Server) -> None:
    others = set(server.children())
    run = server.start(**SLOW)
    wait_until(lambda: server.client.get(f"/api/runs/{run}").json()["progress"].get("branches", 0) > 0)
    for pid in set(server.children()) - others:
        os.kill(pid, signal.SIGKILL)
    standing = server.ended(run)
    assert "SIGKILL" in standing["fault"]["message"]
    assert server.answers()


def test_a_run_that_needs_too_much_memory_or_time_takes_nobody_with_it() -> None:
    server = Server("--memory", "500", "--time", "5")
    try:
        text = BOARD.format(size=100)
        run = server.start(task="count", subject={"form": "toml", "text": text})
        standing = server.ended(run)
        assert standing["fault"] or standing["reason"] == "its time was over"
        assert server.ended(server.start(limit=1, subject={"form": "shipped", "name": "soma"}))["found"] == 1
    finally:
        server.close()


def test_two_hundred_requests_at_once(server: Server) -> None:
    async def ask() -> list[int]:
        async with httpx.AsyncClient(
            base_url=server.url, timeout=300, limits=httpx.Limits(max_connections=200)
        ) as client:
            jobs: list[Any] = []
            for k in range(200):
                match k % 4:
                    case 0:
                        jobs.append(client.get("/api/about"))
                    case 1:
                        jobs.append(client.post("/api/open", json={"subject": {"form": "shipped", "name": "soma"}}))
                    case 2:
                        jobs.append(
                            client.post("/api/region.svg", json={"subject": {"form": "shipped", "name": "soma"}})
                        )
                    case _:
                        job = {"task": "solve", "limit": 1, "subject": {"form": "shipped", "name": "soma"}}
                        jobs.append(client.post("/api/runs", json=job))
            return [answer.status_code for answer in await asyncio.gather(*jobs)]

    codes = asyncio.run(ask())
    assert len(codes) == 200
    assert set(codes) <= {200, 201, 429}
    assert codes[0::4] == codes[1::4] == codes[2::4] == [200] * 50
    wait_until(
        lambda: server.post("/api/runs", {"task": "solve", "limit": 1, "subject": PENTOMINOES}).status_code == 201
    )


@pytest.mark.skipif(not LINUX, reason="memory is read from /proc")
def test_a_huge_upload_is_refused_and_not_held(server: Server) -> None:
    def peak() -> int:
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024

    def content() -> Iterator[bytes]:
        for _ in range(100):
            yield bytes(1_000_000)

    before = peak()
    answer = server.client.post("/api/read", params={"name": "x.toml"}, content=content())
    assert answer.status_code == 413
    assert "4 MB" in answer.json()["message"]
    declared = server.client.post("/api/read", params={"name": "x.toml"}, content=bytes(100_000_000))
    assert declared.status_code == 413
    assert peak() - before < 30_000_000
    assert server.answers()


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
            job = {"task": "solve", "subject": PENTOMINOES, **SLOW}
            run = (await client.post("/api/runs", json=job)).json()["id"]
            async with asyncio.timeout(GUARD):
                while not own():  # the answer may come before the run has begun
                    await asyncio.sleep(0)
            assert (await client.post("/api/open", json={"subject": PENTOMINOES})).status_code == 200
            async with asyncio.timeout(GUARD):
                while own():
                    await asyncio.sleep(0.1)
            standing = (await client.get(f"/api/runs/{run}")).json()
            assert standing["reason"] == "nobody looked at it any more"
            await client.post("/api/runs", json=job)

    asyncio.run(scenario())
    assert not own()


@needs_proc
def test_a_broken_off_stream_and_a_killed_server() -> None:
    server = Server()
    run = server.start(**SAT)
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as connection:
        connection.sendall(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"200 OK" in connection.recv(100)
    wait_until(lambda: bool(server.solvers()))
    assert server.post(f"/api/runs/{run}/pause", {}).json()["state"] == "paused"
    children = server.children()
    assert len(children) == 2
    wait_until(lambda: all(map(is_stopped, children)))
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not any(map(is_running, children)))


def test_many_clients_follow_one_run(server: Server) -> None:
    run = server.start(backend="dlx")

    def follow(_: int) -> str:
        with httpx.Client(base_url=server.url, timeout=GUARD) as client:
            return str(client.get(f"/api/runs/{run}/events").text.strip().splitlines()[-1])

    with ThreadPoolExecutor(8) as pool:
        last = list(pool.map(follow, range(8)))
    assert len(set(last)) == 1
    assert '"different": 2339' in last[0]


def test_without_its_packages_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['starlette'] = None; sys.argv = ['latcover', 'serve']; "
    run = [sys.executable, "-P", "-c", code + "from latcover.cli.main import main; main()"]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.returncode == 1
    assert f"which is not installed; install with: {install_line('web')}" in done.stderr


@pytest.mark.parametrize("fault", ["raise ImportError('no symbol x')", "import no_such_thing", "1 / 0", "def"])
def test_a_package_that_cannot_be_loaded_is_named(fault: str, tmp_path: Path) -> None:
    """Also one that is installed: as where its own needs are not met, or it is of another Python."""
    (tmp_path / "uvicorn.py").write_text(fault + "\n")
    run = [sys.executable, "-P", "-m", "latcover", "serve"]
    path = os.pathsep.join(filter(None, (str(tmp_path), *sys.path)))
    done = subprocess.run(run, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 1
    assert "needs uvicorn, which is installed but cannot be loaded (" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_address_that_cannot_be_had_is_told(server: Server) -> None:
    port = server.url.rsplit(":", 1)[1]
    for options, what in ((("--port", port), f"port {port}"), (("--host", "no.such.host.invalid"), "no.such.host")):
        run = [sys.executable, "-P", "-m", "latcover", "serve", *options]
        done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=GUARD)
        assert done.returncode == 1
        assert what in done.stderr
        assert "Traceback" not in done.stderr


def test_other_addresses_are_warned_of_and_ctrl_c_ends_it() -> None:
    run = [sys.executable, "-P", "-m", "latcover", "serve", "--host", "0.0.0.0", "--port", "0"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split("at ")[1].split()[0]
        assert httpx.get(f"http://127.0.0.1:{url.rstrip('/').rsplit(':', 1)[1]}/", timeout=GUARD).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(GUARD) == 0
        assert "no passwords" in process.stderr.read()


@pytest.fixture(scope="module")
def found(server: Server) -> str:
    """A run that has found three solutions."""
    run = server.start(subject={"form": "shipped", "name": "soma"}, limit=3)
    assert server.ended(run)["kept"] == 3
    return str(run)


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("html", b"<!DOCTYPE html>"),
        ("txt", b"layer 1 (bottom)"),
        ("x3d", b"<?xml"),
        ("3mf", b"PK"),
        ("glb", b"glTF"),
        ("stl", b""),
    ],
)
def test_a_solution_is_taken_away(server: Server, found: str, form: str, begin: bytes) -> None:
    if form in ("3mf", "glb", "stl"):
        pytest.importorskip("manifold3d")
        pytest.importorskip("trimesh")
    answer = server.post("/api/export", {"run": found, "solution": 1, "form": form})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="soma-solution-2.{form}"'
    assert answer.content.startswith(begin)
    if form == "stl":  # its length is that of its triangles
        assert len(answer.content) == 84 + 50 * int.from_bytes(answer.content[80:84], "little") > 84


def test_all_solutions_are_taken_away_as_a_page(server: Server, found: str) -> None:
    text = server.post("/api/export", {"run": found, "form": "html"}).text
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["count"] == 3


def test_parts_are_taken_away_and_remarks_are_told(server: Server) -> None:
    subject = {"form": "shipped", "name": "hex-prisms"}
    pytest.importorskip("manifold3d")
    pytest.importorskip("trimesh")
    plain = server.post("/api/export", {"subject": subject, "form": "stl"})
    assert "colours%20of%20single%20cells" in plain.headers["latcover-remarks"]
    large = server.post("/api/export", {"subject": subject, "form": "stl", "measures": {"edge": 40}})
    assert (plain.status_code, large.status_code) == (200, 200)
    assert plain.content != large.content


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        ({"solution": 3, "form": "stl"}, "must be a number from 0 to 2"),
        ({"solution": True, "form": "stl"}, "must be a number"),
        ({"run": "x", "form": "stl"}, "there is no such run"),
        ({"form": "x3d"}, "a model shows one solution"),
        ({"solution": 0, "form": "exe"}, "there is no form 'exe'"),
        ({"solution": 0, "form": "dimacs"}, "no solution, and no measures"),
        ({"solution": 0, "form": "html", "measures": {"edge": 1}}, "for models alone"),
        ({"solution": 0, "form": "x3d", "measures": {"clearance": 1}}, "X3D shows the parts as they are"),
        ({"solution": 0, "form": "x3d", "measures": {"edge": -1}}, "the edge is -1 mm"),
        ({"solution": 0, "form": "x3d", "measures": {"edge": "1"}}, "must be numbers"),
        ({"solution": 0, "form": "x3d", "measures": [1]}, "the measures of a model are"),
        ({"solution": 0, "form": "x3d", "measures": {"file": 1}}, "the measures of a model are"),
    ],
)
def test_what_cannot_be_taken_away_is_told(server: Server, found: str, wanted: dict[str, Any], what: str) -> None:
    answer = server.post("/api/export", {"run": found, **wanted})
    assert 400 <= answer.status_code < 500
    assert what in answer.json()["message"]


def test_pictures_are_of_solutions(server: Server) -> None:
    answer = server.post("/api/export", {"subject": PENTOMINOES, "form": "html"})
    assert (answer.status_code, answer.json()["message"]) == (422, "html shows solutions; find one first")
