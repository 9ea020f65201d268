"""The web app's server: what it answers, and what it refuses. All tests share one, within this process."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from latcover.apps.web.security import POLICY
from latcover.apps.web.settings import Settings
from latcover.files.formats.library import load, load_lattice
from latcover.files.formats.source import names
from tests.processes import (
    GUARD,
    wait_until,
)
from tests.web_jobs import messages_of, stopped_at
from tests.web_server import BOARD, PENTOMINOES, SLOW, SMALL, SOMA, WebClient, patient, within

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


@pytest.fixture(scope="module")
def server() -> Iterator[WebClient]:
    with within(patient(runs=2)) as asked:
        yield asked


def test_the_page_and_its_scripts(server: WebClient) -> None:
    page = server.client.get("/")
    assert page.status_code == 200
    (main,) = re.findall(r'<script type="module" src="(/static/[0-9a-f]+/)main.js">', page.text)
    assert not re.search(r'"/static/[^/"]*"', page.text)
    assert page.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY.replace("'wasm-unsafe-eval'", "")
    for script in ("main.js", "viewer.js", "three.js", "play.js", "engine.js", "app.css", "viewer.css"):
        for address, kept in ((main, "immutable"), ("/static/", "no-cache"), ("/static/0123456789abcdef/", "no-cache")):
            answer = server.client.get(address + script)
            assert answer.status_code == 200
            assert kept in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/app.py", "/api/nothing", "/etc/passwd"]
)
def test_nothing_else_is_served(server: WebClient, path: str) -> None:
    assert server.client.get(path).status_code == 404


def test_what_there_is_to_choose_from(server: WebClient) -> None:
    about = server.client.get("/api/about").json()
    assert [puzzle["name"] for puzzle in about["puzzles"]] == names("instances")
    assert {"dlx", "bitset", "auto"} <= {backend["name"] for backend in about["backends"]}
    assert "dlx" in {form["name"] for form in about["forms"]}


@pytest.mark.parametrize("name", ["pent-10x6", "hex-prisms", "disc-cylinder", "sphere-pyramid", "tetrasticks-5x5"])
def test_every_kind_of_puzzle_opens(server: WebClient, name: str) -> None:
    data = server.post("/api/open", {"subject": {"form": "shipped", "name": name}}).json()
    assert data["faults"] == []
    assert data["parts"]
    for node in data["lattice"]["nodes"]:
        assert node.get("radius") or node["rings"]
    assert (len(data["problems"]) > 1) == (name == "tetrasticks-5x5")


def told(settings: Settings, *, stopped: bool = False, **job: Any) -> list[Any]:
    """All that a child process of the server says of a job, done within this process."""
    return messages_of(job, settings, stopped=stopped)


def done(**job: Any) -> Any:
    """What it says at the end."""
    return told(Settings(), **job)[-1]


@pytest.mark.parametrize("name", names("lattices"))
def test_every_lattice_can_be_edited(name: str) -> None:
    """A region of all nodes of a unit, and a part of its first cell in any number; without the server around it."""
    lattice = load_lattice(name)
    first = [0] * (lattice.dimension + 1)
    cells = [[node, *first[1:]] for node in range(len(lattice.nodes))]
    edits = {"region": {"cells": cells}, "parts": [{"name": "A", "cells": [first], "low": 0, "high": None}]}
    data = done(task="open", subject={"form": "new", "lattice": name, "edits": edits})["answer"]
    again = done(task="open", subject={"form": "toml", "text": data["toml"]})["answer"]
    assert sorted(again["region"]["cells"]) == sorted(cells)


def test_pictures_of_solutions_have_the_colours_of_cells(server: WebClient) -> None:
    run = server.start(subject={"form": "shipped", "name": "notebook-coloured-5x5"}, limit=1)
    assert server.ended(run)["kept"] == 1
    picture = server.client.get(f"/api/runs/{run}/solutions/0.svg").text
    assert all(f'fill="{colour}"' in picture for colour in ("#ff0000", "#ffff00", "#0000ff"))
    shapes = server.client.get(f"/api/runs/{run}/solutions/0/scene").json()["shapes"]
    assert {shape["patches"][0]["colour"] for shape in shapes} == {"#ff0000", "#ffff00", "#0000ff"}


def test_events_tell_how_a_run_goes_on(server: WebClient) -> None:
    told = server.events(server.start(subject=SOMA))
    assert told[-1]["state"] == "ended"
    assert told[-1]["summary"]["different"] == 240
    assert told[-1]["kept"] == 240
    assert [standing["found"] for standing in told] == sorted(standing["found"] for standing in told)


@pytest.mark.parametrize(("name", "backend"), [("soma", "dlx"), ("tangram-square", "backtrack"), ("fig4-3x3", "sat")])
def test_counts_are_those_of_the_files(server: WebClient, name: str, backend: str) -> None:
    subject = {"form": "shipped", "name": name}
    standing = server.ended(server.start(task="count", subject=subject, backend=backend))
    assert standing["fault"] is None
    assert standing["summary"]["different"] == load(name).expect["different"]


def test_a_count_of_no_solution_says_the_reason(server: WebClient) -> None:
    standing = server.ended(server.start(subject={"form": "shipped", "name": "pent-10x6-eight-moved"}))
    (reason,) = standing["summary"]["reasons"]
    assert reason["argument"] == "colouring"
    assert standing["text"].splitlines()[-1] == f"no solution: {reason['text']}"


def test_an_edited_puzzle_is_solved_as_it_is_now(server: WebClient) -> None:
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
    standing = server.ended(server.start(task="count", subject=subject))
    assert standing["summary"]["different"] == load("pent-8x8-minus-corners").expect["different"]


def test_files_of_every_kind_are_read(server: WebClient) -> None:
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


def test_no_file_of_the_machine_can_be_named(server: WebClient, tmp_path: Path) -> None:
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
        ({}, "lacks 'region'"),
        ({"region": {"cells": []}, "parts": []}, "the region has no cells"),
        ({"region": {"cells": [[0, 0]]}, "parts": []}, "a node and 2 coordinates"),
        ({"region": {"cells": [[5, 0, 0]]}, "parts": []}, "lies nowhere"),
        ({"region": {"cells": [[0, 10**12, 0]]}, "parts": []}, "at most 100000"),
        ({"region": {"cells": [[0, 0, -(10**30)]]}, "parts": []}, "at least -100000"),
        ({"region": {"cells": [[0, 0, 0], [0, 0, 0]]}, "parts": []}, "twice; leave one out"),
        ({"region": {"cells": [[0, 0, 0]], "colours": [7]}, "parts": []}, "below 1"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [{"name": "", "cells": []}]}, "parts[0].name' in the request"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [ONE | {"low": 3, "high": 2}]}, "the most copies"),
        ({"region": {"cells": [[0, 0, 0]]}, "parts": [ONE | {"motions": "sideways"}]}, "motions"),
        ({"region": {"cells": [[0, 0, True]]}, "parts": []}, "a whole number"),
    ],
)  # fmt: skip
def test_edits_that_no_editor_makes_are_refused(server: WebClient, edits: Any, what: str) -> None:
    answer = server.post("/api/open", {"subject": {"form": "new", "lattice": "square", "edits": edits}})
    assert answer.status_code == 422
    assert what in answer.json()["message"]


def test_hosts_and_origins(server: WebClient) -> None:
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
def test_nonsense_is_answered(server: WebClient, body: bytes) -> None:
    for path in ("/api/open", "/api/runs", "/api/export", "/api/region.svg", "/api/scene"):
        answer = server.client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.json()["message"]


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (b'{"form": "toml", "text": "\\ud800"}', "is not a JSON object"),
        (b'{"form": "shipped", "name": "soma", "\\udfff": 1}', "is not a JSON object"),
        (b'{"form": "shipped", "name": "soma", "comment": NaN}', "is not a JSON object"),
        (b'{"form": "shipped", "name": "soma", "comment": [-1e999]}', "is not a JSON object"),
    ],
)
def test_what_no_answer_could_repeat_is_refused(server: WebClient, said: bytes, what: str) -> None:
    for path in ("/api/open", "/api/lattice", "/api/runs"):
        content = b'{"task": "solve", "subject": %s, "lattice": %s}' % (said, said)
        answer = server.client.post(path, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert what in answer.json()["message"]


def test_scripts_hand_out_what_others_take(server: WebClient) -> None:
    found = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
    taken = re.compile(r'^import {([^}]*)} from "\./([\w.]+)";', re.MULTILINE)
    folder = files("latcover.apps.web").joinpath("static")
    scripts = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".js")}
    for name, text in scripts.items():
        for words, source in taken.findall(text):
            wanted = {word.split(" as ")[0].strip() for word in words.split(",")} - {""}
            assert source not in scripts or wanted <= set(found.findall(scripts[source])), (name, source)


@pytest.mark.parametrize("rules", [[[]], [{}], ["first", None], "first", []])
def test_rules_that_are_none_are_refused(server: WebClient, rules: Any) -> None:
    answer = server.post("/api/runs", {"task": "watch", "subject": PENTOMINOES, "rules": rules})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("'rules")


@pytest.mark.long
def test_a_comparison_of_a_bare_problem(server: WebClient) -> None:
    content = b"a b\na b\na\nb\n"
    subject = server.client.post("/api/read", params={"name": "my small.xcc"}, content=content).json()["subject"]
    run = server.start(task="compare", subject=subject, methods="dlx", seconds_each=20)
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert told["puzzle"] == "my small"
    assert told["agree"]
    assert [method["answer"]["total"] for method in told["methods"]] == [2]


@pytest.mark.long
def test_a_comparison_and_a_search_to_watch(server: WebClient) -> None:
    subject = {"form": "shipped", "name": "example-2x2"}
    run = server.start(task="compare", subject=subject, methods="BT,MC+SZ", seconds_each=20)
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert told["agree"]
    assert {method["status"] for method in told["methods"]} == {"complete"}
    run = server.start(task="watch", subject=subject, rules=["first", "fewest"])
    assert server.ended(run)["fault"] is None
    told = server.client.get(f"/api/runs/{run}/answer").json()
    assert all(search["whole"] for search in told["searches"])
    covers = [sum(step[0] == "cover" for step in search["steps"]) for search in told["searches"]]
    assert covers[0] == covers[1] > 0


def test_more_runs_than_there_may_be_are_refused(server: WebClient) -> None:
    runs = [server.start(**SLOW) for _ in range(2)]
    refused = server.post("/api/runs", {"task": "solve", "subject": PENTOMINOES})
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers
    for run in runs:
        server.post(f"/api/runs/{run}/stop", {})
        server.ended(run)
    server.ended(server.start(subject=SMALL, limit=1))


@pytest.mark.parametrize(
    ("size", "parts", "what"),
    [(32_000, 0, "cells"), (140, 30, "placements")],  # 2 * 10^9 dominoes; 30 parts of many orientations
)
def test_a_puzzle_of_too_many_placements(server: WebClient, size: int, parts: int, what: str) -> None:
    text = BOARD.format(size=size)
    for k in range(parts):
        text += f'[[parts]]\nname = "p{k}"\ncount = "unlimited"\nart = ["X{"." * (k + 1)}", "X{"X" * (k + 1)}"]\n'
    standing = server.ended(server.start(subject={"form": "toml", "text": text}))
    assert standing["answered"] is False
    assert what in standing["fault"]["message"]


def test_bounds_are_told_as_the_server_has_them(server: WebClient) -> None:
    text = BOARD.format(size=1000)
    answer = server.post("/api/open", {"subject": {"form": "toml", "text": text}}).json()
    told = "more than 20,000 cells; the server takes no more, but latcover on the command line does"
    assert told in answer["message"]
    assert told in answer["complaints"][0]


@pytest.mark.long
def test_many_requests_at_once(server: WebClient) -> None:
    async def ask() -> list[int]:
        async with httpx.AsyncClient(
            base_url=server.url, timeout=GUARD, limits=httpx.Limits(max_connections=60)
        ) as client:
            jobs: list[Any] = []
            for k in range(60):
                match k % 4:
                    case 0:
                        jobs.append(client.get("/api/about"))
                    case 1:
                        jobs.append(client.post("/api/open", json={"subject": SMALL}))
                    case 2:
                        jobs.append(client.post("/api/region.svg", json={"subject": SMALL}))
                    case _:
                        job = {"task": "solve", "limit": 1, "subject": SMALL}
                        jobs.append(client.post("/api/runs", json=job))
            return [answer.status_code for answer in await asyncio.gather(*jobs)]

    codes = asyncio.run(ask())
    assert len(codes) == 60
    assert set(codes) <= {200, 201, 429}
    assert codes[0::4] == codes[1::4] == codes[2::4] == [200] * 15
    wait_until(lambda: server.post("/api/runs", {"task": "solve", "limit": 1, "subject": SMALL}).status_code == 201)


def test_many_clients_follow_one_run(server: WebClient) -> None:
    run = server.start(subject=SOMA)
    with ThreadPoolExecutor(4) as pool:
        *last, another = pool.map(server.ended, [run] * 4)
    assert last == [another] * 3
    assert another["summary"]["different"] == 240


@pytest.fixture(scope="module")
def found(server: WebClient) -> str:
    """A run that has found three solutions."""
    run = server.start(subject=SOMA, limit=3)
    assert server.ended(run)["kept"] == 3
    return str(run)


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("html", b"<!DOCTYPE html>"),
        ("txt", b"layer 1 (bottom)"),
        ("stl", b""),
    ],
)
def test_a_solution_is_taken_away(server: WebClient, found: str, form: str, begin: bytes) -> None:
    if form == "stl":
        pytest.importorskip("manifold3d")
        pytest.importorskip("trimesh")
    answer = server.post("/api/export", {"run": found, "solution": 1, "form": form})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="soma-solution-2.{form}"'
    assert answer.content.startswith(begin)
    if form == "stl":  # its length is that of its triangles
        assert len(answer.content) == 84 + 50 * int.from_bytes(answer.content[80:84], "little") > 84


def test_all_solutions_are_taken_away_as_a_page(server: WebClient, found: str) -> None:
    text = server.post("/api/export", {"run": found, "form": "html"}).text
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["count"] == 3


@pytest.mark.long
def test_parts_are_taken_away_and_remarks_are_told(server: WebClient) -> None:
    subject = {"form": "shipped", "name": "hex-prisms"}
    pytest.importorskip("manifold3d")
    pytest.importorskip("trimesh")
    answer = server.post("/api/export", {"subject": subject, "form": "stl", "measures": {"edge": 40}})
    assert answer.status_code == 200
    assert "colours%20of%20single%20cells" in answer.headers["latcover-remarks"]
    triangles = np.frombuffer(answer.content[84:], [("normal", "<3f4"), ("corners", "<f4", (3, 3)), ("about", "<u2")])
    assert np.ptp(triangles["corners"][..., 2]) > 39  # a cell is 40 mm high


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        ({"solution": 3, "form": "stl"}, "must be a number from 0 to 2"),
        ({"solution": True, "form": "stl"}, "must be a whole number"),
        ({"run": "x", "form": "stl"}, "there is no such run"),
        ({"form": "stl"}, "a model shows one solution"),
        ({"solution": 0, "form": "exe"}, "there is no form 'exe'"),
        ({"solution": 0, "form": "stl", "measures": {"edge": -1}}, "must be a number, at least 0"),
    ],
)
def test_what_cannot_be_taken_away_is_told(server: WebClient, found: str, wanted: dict[str, Any], what: str) -> None:
    answer = server.post("/api/export", {"run": found, **wanted})
    assert 400 <= answer.status_code < 500
    assert what in answer.json()["message"]


@pytest.mark.parametrize(
    ("form", "measures", "what"),
    [
        ("dimacs", {"edge": 1}, "no solution, and no measures"),
        ("html", {"edge": 1}, "only for models"),
        ("stl", {"edge": "1"}, "must be a number"),
        ("stl", [1], "'measures' in the request must be an object"),
        ("stl", {"file": 1}, "has 'file', which is not known"),
    ],
)
def test_measures_that_a_form_has_not_are_refused(form: str, measures: Any, what: str) -> None:
    told = done(task="export", subject=SMALL, form=form, measures=measures)
    assert told["event"] == "fault"
    assert what in told["fault"]["message"]


def test_pictures_are_of_solutions(server: WebClient) -> None:
    answer = server.post("/api/export", {"subject": PENTOMINOES, "form": "html"})
    assert (answer.status_code, answer.json()["message"]) == (422, "html shows solutions; find one first")


def test_solutions_are_drawn_at_random() -> None:
    board = {"form": "toml", "text": BOARD.format(size=4)}
    *before, last = told(Settings(), task="sample", subject=board, number=5, seed=7)
    numbers = [labels[0] for event in before for labels, _ in event.get("solutions", ())]
    assert len(numbers) == 5
    assert all(1 <= number <= 36 for number in numbers)
    assert last["answer"]["summary"]["drawn"] == "1 of 36 solutions, drawn at random"


def test_probabilities_are_mapped_part_by_part() -> None:
    answer = done(task="probabilities", subject=SMALL)["answer"]
    everywhere, *parts = answer["maps"]
    names = [row[0] for row in everywhere["rows"]]
    assert [each["part"] for each in parts] == names
    assert all(each["svg"].startswith("<svg") for each in answer["maps"])
    (total,) = {row[2] for row in everywhere["rows"]}  # each part is used once
    assert total in answer["text"]
    on_cells = [
        sum(map(int, numbers)) for numbers in zip(*([row[2] for row in each["rows"]] for each in parts), strict=True)
    ]
    assert set(on_cells) == {int(total)}  # on each cell is some part
    assert len(answer["placements"].splitlines()) > len(parts)


@pytest.mark.parametrize("task", ["sample", "probabilities"])
def test_work_on_all_solutions_has_bounds(task: str) -> None:
    fault = told(Settings(), task=task, subject=SOMA, memory=1)[-1]
    assert "too many to list in 1 MB" in fault["fault"]["message"]
    assert told(Settings(memory=2_000_000), task=task, subject=SOMA)[-1] == fault
    cells = [[x, y] for x in range(14) for y in range(14) if not x == y == 0 and not x == y == 13]
    text = BOARD.format(size=14).replace("box = [14, 14]", f"cells = {cells}")  # two dark corners less: no solution
    endless = {"form": "toml", "text": text}
    job = {"task": task, "subject": endless, "method": "enumeration"}
    ended = stopped_at("searching", job)[-1]["answer"]
    assert not ended["summary"]["complete"]
    assert "before all solutions were known" in ended["text"]
