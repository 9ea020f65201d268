"""Sites of puzzles as files: what is in them, that they are the same every time, and what is never overwritten.

test_publish_page.py opens them in a browser.
"""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.apps.publishing import exhibits as exhibits_module
from latcover.apps.publishing import site as site_module
from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.pages import POLICY, header
from latcover.apps.publishing.site import MARKER, WORKER, Files, site_files, write_site
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleError
from tests.command_line import DONE, FAILED, USAGE, run, run_process
from tests.page_data import row_read, symmetry_judged

SMALL = ("example-2x2", "fig4-3x3")
HOSTILE = "</script><img src=x onerror=alert(1)>\"&' \u2028"
TWO = """
name = "two"
lattice = "square"

[[puzzles]]
name = "Same"
region = { box = [2, 2] }
parts = [{ name = "domino", count = 2, art = ["XX"] }]

[[puzzles]]
name = "same"
region = { box = [2, 2] }
parts = [{ name = "square", art = ["XX", "XX"] }]
"""


def site_of(*puzzles: Puzzle, title: str = "Puzzles", solutions: bool = True) -> Files:
    chosen = [ShelvedPuzzle(puzzle, "Squares") for puzzle in puzzles]
    return site_files(title, list(exhibits(chosen, Bounds(), solutions=solutions)))


@pytest.fixture(scope="module")
def small() -> Files:
    return site_of(*(latcover.load(name) for name in SMALL))


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def data_of(files: Files, name: str) -> Any:
    script = files[f"puzzles/{name}.js"].decode()
    found = re.fullmatch(r"globalThis\.latcoverPuzzle = (.*);\n", script)
    assert found
    return json.loads(found[1])


class Elements(HTMLParser):
    """The elements of a page, with their attributes; and the text of each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def links(self) -> list[str]:
        """What the page loads or leads to."""
        return [url for _, own in self.found for key in ("src", "href") if (url := own.get(key))]


def test_links_lead_to_files_of_the_site(small: Files) -> None:
    for page in (name for name in small if name.endswith(".html")):
        links = Elements(small[page].decode()).links()
        assert len(links) > 5
        for link in links:
            target = unquote(urljoin(f"https://example.org/{page}", link)).removeprefix("https://example.org/")
            assert target.startswith("#") or target.partition("#")[0] in small, (page, link)
    for icon in json.loads(small["site.webmanifest"])["icons"]:
        assert icon["src"] in small


def test_pages_let_only_their_own_scripts_run(small: Files) -> None:
    assert "unsafe-eval" not in POLICY.replace("'wasm-unsafe-eval'", "")
    assert "unsafe-inline" not in POLICY
    for page in (small[name].decode() for name in small if name.endswith(".html")):
        elements = Elements(page)
        assert any(own.get("content") == POLICY for tag, own in elements.found if tag == "meta")
        for tag, own in elements.found:
            assert not {key for key in own if key.startswith("on") or key == "style"}
            assert tag != "style"
            assert tag != "script" or own.get("src")


def test_what_a_puzzle_says_is_text_and_nothing_else() -> None:
    puzzle = latcover.loads(TWO, problem="same")
    wicked = Puzzle(
        *(HOSTILE, puzzle.lattice, puzzle.region, puzzle.parts, HOSTILE, HOSTILE),
        comment=HOSTILE,
        note=HOSTILE,
    )
    files = site_of(wicked, latcover.load("example-2x2"), title=HOSTILE)
    plain = site_of(puzzle, latcover.load("example-2x2"))
    (name,) = (name for name in files if name.endswith(".html") and name not in plain)
    for page, other in (("index.html", "index.html"), (name, "puzzles/same.html")):
        tags = [tag for tag, _ in Elements(files[page].decode()).found]
        assert [tag for tag in tags if tag in ("script", "img")] == [
            tag for tag, _ in Elements(plain[other].decode()).found if tag in ("script", "img")
        ]
        assert "onerror=alert" in "".join(Elements(files[page].decode()).texts)
    data = files[name.replace(".html", ".js")].decode()
    assert "\u2028" not in data
    assert json.loads(files["site.webmanifest"])["name"] == HOSTILE


def test_a_title_of_bytes_that_are_no_text_makes_a_page() -> None:
    files = site_of(latcover.load("example-2x2"), title="odd\udcff")
    assert json.loads(files["site.webmanifest"])["name"] == "odd\udcff"
    assert "<title>odd\\udcff</title>" in files["index.html"].decode()


def test_pictures_are_sound_and_show_a_solution_only_if_asked(small: Files) -> None:
    bare = site_of(*(latcover.load(name) for name in SMALL), solutions=False)
    for name in SMALL:
        for files in (small, bare):
            ElementTree.fromstring(files[f"pictures/{name}.svg"])
        assert data_of(small, name)["stored"]["count"] == 1
        assert data_of(bare, name)["stored"] is None
        assert small[f"pictures/{name}.svg"] != bare[f"pictures/{name}.svg"]
        assert small[f"puzzles/{name}.toml"] == bare[f"puzzles/{name}.toml"]


def test_the_puzzle_file_of_the_site_is_the_puzzle(small: Files) -> None:
    for name in SMALL:
        read = latcover.loads(small[f"puzzles/{name}.toml"])
        assert latcover.count(read).total == latcover.count(latcover.load(name)).total


def test_the_service_worker_keeps_every_file_and_knows_its_version(small: Files) -> None:
    text = small[WORKER].decode()
    (listed,) = re.findall(r"^const FILES = (\[.*?\]);$", text, re.MULTILINE | re.DOTALL)
    assert {unquote(name) for name in json.loads(listed)} == set(small) - {WORKER}
    other = site_of(latcover.load("example-2x2"), latcover.load("fig4-3x3"), title="Others")[WORKER].decode()
    versions = {re.findall(r'^const VERSION = "(\w{16})";$', worker, re.MULTILINE)[0] for worker in (text, other)}
    assert len(versions) == 2


@pytest.mark.long
def test_a_site_of_the_same_puzzles_has_the_same_bytes(small: Files, tmp_path: Path) -> None:
    words = (*SMALL, "--solutions", "--no-workshop", "--output", tmp_path / "a")
    assert run_process("publish", *words, PYTHONHASHSEED="7").returncode == DONE
    written = files_in(tmp_path / "a")
    del written[MARKER]
    # The shelves differ: the command knows that they are shipped.
    assert {name: content for name, content in written.items() if name not in ("index.html", WORKER)} == {
        name: content for name, content in small.items() if name not in ("index.html", WORKER)
    }


def test_a_site_of_one_puzzle_opens_at_it() -> None:
    files = site_of(latcover.load("example-2x2"))
    assert "puzzles/example-2x2.html" not in files
    links = Elements(files["index.html"].decode()).links()
    assert {"puzzles/example-2x2.js", "puzzles/example-2x2.toml"} <= set(links)
    assert set(links) - {"#main"} <= set(files)


def test_symmetries_are_stored_as_products_of_a_few() -> None:
    """A page would consist of little else where there are many, as on a torus of squares."""
    prepared = prepare(latcover.loads(TORUS))
    data = symmetry_judged(prepared)
    group = prepared.reduction.group
    images = {int(element): np.array(unpacked(text)) for element, text in data["permutations"].items()}
    assert 2 <= len(images) <= 5
    images[0] = np.arange(len(prepared.table))
    for element, maker, earlier in np.array(unpacked(data["products"])).reshape(-1, 3).tolist():
        images[element] = images[maker][images[earlier]]
    used = {k for stage in data["stages"] for residue in residues(stage) for k in residue}
    assert len(used) > 20
    assert used <= images.keys()
    assert all(np.array_equal(image, group.permutation(element)) for element, image in images.items())


def test_all_symmetries_are_told_where_a_page_can_go_through_them() -> None:
    prepared = prepare(latcover.load("soma"))
    data = symmetry_judged(prepared)
    makers = [np.array(unpacked(data["permutations"][str(element)])) for element in data["whole"]]
    known = {tuple(range(len(prepared.table)))}
    queue = list(known)
    for one in queue:
        new = {tuple(maker[list(one)].tolist()) for maker in makers} - known
        known |= new
        queue += new
    assert len(known) == data["acting"] == 48
    assert "whole" not in symmetry_judged(prepare(latcover.loads(TORUS.replace("4", "6").replace("8", "18"))))


def test_cards_show_no_solution_until_it_is_found_unless_asked_to(tmp_path: Path) -> None:
    for how, outlines, solved in ((), 2, 2), (("--solutions",), 0, 0), (("--no-solutions",), 0, 0):
        folder = tmp_path / "".join(("site", *how))
        assert run("publish", *SMALL, *how, "--output", folder).returncode == DONE
        page = (folder / "index.html").read_text("utf-8")
        assert (page.count("-outline.svg"), page.count("data-solved")) == (outlines, solved)
        assert len(list((folder / "pictures").glob("*-outline.svg"))) == outlines
        has_solution = (
            "null" not in (folder / "puzzles" / "fig4-3x3.js").read_text("utf-8").partition('"stored":')[2][:5]
        )
        assert has_solution == (how != ("--no-solutions",))


def test_previews_of_links_have_a_picture_where_the_address_is_known(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    files = site_files(
        "Ann's", list(exhibits([ShelvedPuzzle(latcover.load("fig4-3x3"), "")], Bounds(), solutions=True))
    )
    assert "og:title" in files["index.html"].decode()
    assert "og:image" not in files["index.html"].decode()
    done = run("publish", *SMALL, "--address", "https://example.org/a b/", "--output", tmp_path / "site")
    assert done.returncode == DONE
    elements = Elements((tmp_path / "site" / "puzzles" / "fig4-3x3.html").read_text("utf-8"))
    told = {own["property"]: own["content"] for tag, own in elements.found if tag == "meta" and "property" in own}
    assert told["og:url"] == "https://example.org/a b/puzzles/fig4-3x3.html"
    assert told["og:image"] == "https://example.org/a b/pictures/fig4-3x3.png"
    assert (tmp_path / "site" / "pictures" / "fig4-3x3.png").read_bytes()[:4] == b"\x89PNG"


def residues(stage: dict[str, Any]) -> list[list[int]]:
    return [stage["residue"]] if "residue" in stage else stage["residues"]


def unpacked(text: str) -> list[int]:
    return row_read(text).tolist()


TORUS = """
name = "torus"
lattice = "square"
region = { box = [4, 4], period = [4, 4] }
parts = [{ name = "domino", count = 8, art = ["XX"] }]
"""


def test_only_solutions_in_space_are_taken_apart() -> None:
    files = site_of(latcover.load("sphere-pyramid"), latcover.load("example-2x2"))
    assert 'id="tab-apart"' in files["puzzles/sphere-pyramid.html"].decode()
    assert data_of(files, "sphere-pyramid")["stored"]["disassemblies"]
    assert 'id="tab-apart"' not in files["puzzles/example-2x2.html"].decode()
    assert data_of(files, "example-2x2")["apart"] is None


def told_of(files: Files, name: str) -> tuple[str, str, str]:
    """What the page tells of the solution that came with it, and what it says on taking that apart."""
    page = files["index.html"].decode()
    data = data_of(files, name)
    level = re.findall(r"<dt>Level</dt><dd>([^<]*)", page)
    plans = (data["stored"] or {}).get("disassemblies", {})
    return "".join(level), data["among"], "".join(plan["words"] for plan in plans.values())


def examine(monkeypatch: pytest.MonkeyPatch, **first: int) -> None:
    """Change the first examination."""
    before, *others = exhibits_module.EXAMINATIONS
    monkeypatch.setattr(exhibits_module, "EXAMINATIONS", (replace(before, **first), *others))


@pytest.mark.long
def test_the_page_shows_the_hardest_assembly(monkeypatch: pytest.MonkeyPatch) -> None:
    dozen = latcover.load("burr-loves-dozen")
    words = "the deepest of 90 solutions that come apart"
    level, among, film = told_of(site_of(dozen), dozen.name)
    assert (level, among) == (f"12.3, {words}", words)
    assert film.startswith("it comes apart with level 12.3: 15 moves")

    examine(monkeypatch, limit=100)
    level, among, _ = told_of(site_of(dozen), dozen.name)
    assert level == f"4.4, {among}"
    assert among == "the deepest of 66 solutions known to come apart; there may be deeper ones"

    none = told_of(site_of(dozen, solutions=False), dozen.name)
    assert none == ("1, the least of a solution that comes apart", "", "")


@pytest.mark.long
def test_what_is_hard_to_take_apart_is_examined_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    burr = latcover.load("burr-dubois")
    examine(monkeypatch, states=3)
    assert told_of(site_of(burr), burr.name)[0] == "6.4"


def test_a_puzzle_with_room_to_turn_shows_its_turns(tmp_path: Path) -> None:
    gate = latcover.load("turning-gate")
    files = site_of(gate)
    page, data = files["index.html"].decode(), data_of(files, gate.name)
    assert 'id="tab-apart"' in page
    assert "<dt>Level</dt><dd>3.2, 2 turns, if no part is lifted off</dd>" in page
    assert (
        "<dt>Turning</dt><dd>parts may turn, with a play of 0.04 (of the edge of a cell); the plan needs a play of "
        in page
    )
    assert (data["apart"], data["turning"], data["turns"]) == (None, True, 2)
    assert data_of(site_of(latcover.load("sphere-pyramid")), "sphere-pyramid")["turning"] is False


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "turns", "room"),
    [(("--turns", "never"), 0, None), (("--play", "0.1", "--bevel", "0.02"), 2, Turning(0.1, 0.02))],
)
def test_options_say_whether_parts_turn(
    words: tuple[str, ...], turns: int, room: Turning | None, tmp_path: Path
) -> None:
    assert run("publish", "turning-gate", *words, "--output", tmp_path / "site").returncode == DONE
    data = data_of(files_in(tmp_path / "site"), "turning-gate")
    assert (data["turning"], data["turns"]) == (turns > 0, turns)
    assert latcover.load(str(tmp_path / "site" / "puzzles" / "turning-gate.toml")).turning == room


def test_all_problems_of_a_file_are_shown_under_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(TWO, "utf-8")
    done = run("publish", file, file, "--output", tmp_path / "site")
    assert done.returncode == DONE
    names = sorted(path.stem for path in (tmp_path / "site" / "puzzles").glob("*.html"))
    assert names == ["Same", "Same-3", "same-2", "same-4"]
    assert done.stdout.splitlines()[0].startswith(f"wrote {tmp_path / 'site'}: 4 puzzles, ")
    assert run("publish", file, "--problem", "2", "--output", tmp_path / "one").returncode == DONE
    assert (tmp_path / "one" / "puzzles" / "same.js").exists()


def test_many_puzzles_stand_on_shelves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("latcover.apps.publishing.pages.MANY", 2)
    assert run("publish", "example-2x2", "sphere-pyramid", "live-cube", "--output", tmp_path / "s").returncode == DONE
    page = (tmp_path / "s" / "index.html").read_text("utf-8")
    assert re.findall(r"<h2>(\w+)", page) == ["Cubes", "Spheres", "Squares"]
    assert 'id="search"' in page


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        ((), "name a PUZZLE to show, several of them, or give --all", USAGE),
        (("soma", "--turns", "never", "--play", "0.1"), "--play and --bevel are room to turn", FAILED),
        (("soma", "--all"), "--all shows every shipped puzzle; leave the names out", FAILED),
        (("somma",), "did you mean", FAILED),
        (("soma", "--address", "example.org"), "write one such as https://example.org/puzzles", FAILED),
        (("bare.dlx",), "is a cover problem without a puzzle", FAILED),
        (("bad.toml",), "bad.toml", FAILED),
    ],
)
def test_wrong_words_are_refused(
    words: tuple[str, ...], message: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.dlx").write_text("a b\na b\n", "utf-8")
    Path("bad.toml").write_text("lattice = 3\n", "utf-8")
    done = run("publish", *words, "--output", "site")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert not Path("site").exists()
    assert "name a folder for the site with --output DIR" in run("publish", "soma").stderr


def test_a_puzzle_that_is_too_large_for_a_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhibits_module, "MOST_OPTIONS", 5)
    with pytest.raises(PuzzleError, match="example-2x2 has 8 placements, and a page can hold 5; leave it out"):
        site_of(latcover.load("example-2x2"))


def test_a_site_is_renewed_and_what_others_added_stays(tmp_path: Path, small: Files) -> None:
    folder = tmp_path / "deep" / "site"
    write_site(folder, {**small, "old.html": b"old"}, 3)
    (folder / "CNAME").write_text("example.org")
    (folder / ".git").mkdir()
    before = (folder / "index.html").stat().st_mtime_ns
    written = write_site(folder, small, 2)
    assert str(written) == f"wrote {folder}: 2 puzzles, {len(small)} files, {written.size / 1e6:.1f} MB"
    assert written.size == sum(map(len, small.values()))
    found = files_in(folder)
    assert json.loads(found.pop(MARKER))["files"].keys() == small.keys()
    assert found.pop("CNAME") == b"example.org"
    assert found == small
    assert (folder / "index.html").stat().st_mtime_ns == before  # what stays the same is not written


def refusal(folder: Path, files: Files) -> str:
    """What is said of a folder, by which nothing in it changes."""
    before = files_in(folder) if folder.is_dir() else folder.read_bytes()
    with pytest.raises(PuzzleError) as fault:
        write_site(folder, files, 2)
    assert (files_in(folder) if folder.is_dir() else folder.read_bytes()) == before
    return str(fault.value)


def test_what_is_not_of_the_site_is_never_overwritten(tmp_path: Path) -> None:
    files: Files = {"index.html": b"new", "puzzles/a.js": b"a"}
    (tmp_path / "file").write_text("x")
    assert refusal(tmp_path / "file", files) == f"{tmp_path / 'file'} is a file; name a folder for the site"

    others = tmp_path / "others"
    others.mkdir()
    (others / "thesis.txt").write_text("x")
    assert "holds other files (thesis.txt, for example), and no site of latcover's" in refusal(others, files)
    done = run("publish", "example-2x2", "--output", others)
    assert (done.returncode, "holds other files" in done.stderr) == (FAILED, True)

    folder = tmp_path / "site"
    write_site(folder, {"index.html": b"old"}, 1)
    (folder / "puzzles").mkdir()
    (folder / "puzzles" / "a.js").write_text("mine")
    assert f"{folder / 'puzzles' / 'a.js'} is not of this site, and would be lost" in refusal(folder, files)
    (folder / "puzzles" / "a.js").unlink()
    (folder / "index.html").write_text("edited by hand")
    assert f"{folder / 'index.html'} was changed since latcover wrote it" in refusal(folder, files)
    (folder / "index.html").unlink()  # what is gone may be written again
    write_site(folder, files, 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"files": 3}',
        '{"files": {"../x": ["a"]}}',
        '{"files": {"/x": ["a"]}}',
        '{"files": {"x\\u0000": ["a"]}}',
    ],
)
def test_a_marker_that_cannot_be_read_is_no_leave_to_write(text: str, tmp_path: Path) -> None:
    (tmp_path / MARKER).write_text(text)
    (tmp_path.parent / "x").write_text("mine")
    assert "cannot be read, so it is not known which files are of the site" in refusal(tmp_path, {"index.html": b""})


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_marker_that_never_ends_is_no_leave_to_write(tmp_path: Path) -> None:
    (tmp_path / MARKER).symlink_to("/dev/zero")
    assert "cannot be read, so it is not known which files are of the site" in refusal(tmp_path, {"index.html": b""})


def test_a_site_that_was_half_written_is_still_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = {"a": b"old", "b": b"old"}, {"a": b"new", "b": b"new", "c": b"new"}
    write_site(tmp_path / "s", old, 1)
    real = site_module.write_whole

    def full(path: Path, pieces: list[bytes]) -> None:
        if path.name == "b":
            raise PuzzleError("the disk is full")
        real(path, pieces)

    monkeypatch.setattr(site_module, "write_whole", full)
    with pytest.raises(PuzzleError, match="the disk is full"):
        write_site(tmp_path / "s", new, 1)
    with pytest.raises(PuzzleError, match="the disk is full"):
        write_site(tmp_path / "first", {"b": b"", "d/c": b""}, 1)
    monkeypatch.undo()
    write_site(tmp_path / "first", {"d/c": b"new"}, 1)
    write_site(tmp_path / "s", new, 1)
    assert {name: content for name, content in files_in(tmp_path / "s").items() if name != MARKER} == new


@pytest.mark.skipif(sys.platform == "win32", reason="folders that may not be written are of other systems")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PuzzleError, match=r"is a file|cannot write the site into"):
        write_site(tmp_path / "file" / "site", {"index.html": b""}, 1)


def test_a_long_title_is_one_line_in_the_heads_of_other_pages() -> None:
    title = "12 pentominoes in a rectangle of 10 by 6, and <b>more</b>"
    head = header("Workshop", back=title)
    assert "<span>12 pentominoes in a rectangle…</span>" in head
    assert 'title="12 pentominoes in a rectangle of 10 by 6, and &lt;b&gt;more&lt;/b&gt;"' in head
    assert "title=" not in header("Workshop", back="Soma")
