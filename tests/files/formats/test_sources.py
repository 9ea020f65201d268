"""Sources: where readers' bytes come from, what a text may name, and that reading writes no file."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.solve import SolveRequest
from latcover.errors import LatcoverError, LatticeError, PuzzleError, PuzzleFileError
from latcover.files.formats.forms import READ, SUFFIXES, WRITTEN, _function, form_to_write
from latcover.files.formats.library import form_of, load_lattice, load_problems, read, source_of
from latcover.files.formats.source import Source, among, find, in_folder, recording, shipped, source_at
from latcover.lab.runs.recipe import Recipe, stored_file
from tests.processes import posix_only
from tests.web_jobs import messages_of

OWN = """name = "own"
lattice = "sub/grid.toml"
[region]
art = ["XXXX"]
[[parts]]
set = "bars.toml"
"""
BARS = 'name = "bars"\nparts = [{ name = "bar", count = 2, art = ["XX"] }]\n'
SEEDS = Path(__file__).parents[2] / "file_fuzzing" / "seeds"
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
watched: list[list[str]] = []  # the list of `writing`, inside of it


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    """Hooks cannot be taken away again; this one is silent outside of `writing`."""
    writes = event in ("os.mkdir", "os.rename") or (event == "open" and arguments[2] & WRITES)
    if watched and writes and "__pycache__" not in str(arguments[0]):
        watched[-1].append(f"{event} {arguments[0]}")


sys.addaudithook(_note)


@contextmanager
def writing() -> Iterator[list[str]]:
    """The files and folders that this process opens for writing, or makes, in the `with` statement."""
    found: list[str] = []
    watched.append(found)
    yield found
    watched.remove(found)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A puzzle that names a lattice and a part set beside it."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "grid.toml").write_bytes(find("lattices", "square").read_bytes())
    (tmp_path / "bars.toml").write_text(BARS, "utf-8")
    path = tmp_path / "own.toml"
    path.write_text(OWN, "utf-8")
    return path


def uploads() -> Iterator[Any]:
    """A file of each form that the web app takes."""
    yield pytest.param("own puzzle.toml", find("instances", "example-2x2").read_bytes(), id="toml")
    yield pytest.param("letters.txt", b"AAB\nABB\n", id="text")
    for folder, suffix in (("dlx", ".xcc"), ("xmpuzzle", ".xmpuzzle")):
        path = next(path for path in sorted((SEEDS / folder).iterdir()) if path.suffix == suffix)
        yield pytest.param(path.name, path.read_bytes(), id=folder)


def answer_to(name: str, content: bytes) -> dict[str, Any]:
    """What a child process of the web app says of an upload."""
    job = {"task": "read", "files": [{"name": name, "content": base64.b64encode(content).decode()}]}
    said: dict[str, Any] = messages_of(job)[-1]
    return said


# ---- reading writes nothing


def test_the_hook_sees_what_is_written(tmp_path: Path) -> None:
    with writing() as written:
        (tmp_path / "folder").mkdir()
        (tmp_path / "file").write_bytes(b"x")
        (tmp_path / "file").read_bytes()
    assert written == [f"os.mkdir {tmp_path / 'folder'}", f"open {tmp_path / 'file'}"]


@pytest.mark.parametrize(("name", "content"), [*uploads()])
def test_reading_an_upload_writes_no_file(name: str, content: bytes) -> None:
    with writing() as written:
        assert answer_to(name, content)["event"] == "done"
    assert written == []


@pytest.mark.parametrize(("name", "content"), [*uploads()])
def test_a_faulty_upload_is_blamed_by_its_own_name(name: str, content: bytes) -> None:
    with writing() as written:
        answer = answer_to(name, b"\xff" + content)
    assert answer["event"] == "fault"
    assert answer["fault"]["message"].startswith(name)
    assert written == []


def test_the_name_of_an_upload_leads_nowhere() -> None:
    for name in ("../../x.toml", "/etc/x.toml", "a/b\nc/x.toml", "x" * 1000 + ".toml", ".toml.toml"):
        message = answer_to(name, b"?")["fault"]["message"]
        assert "/" not in message.partition(":")[0]
        assert message.isprintable()
        assert len(message) < 300


def test_a_run_is_read_again_without_a_file(own: Path) -> None:
    recipe = Recipe(SolveRequest(backend="dlx"), "own", stored_file(str(own)))
    with writing() as written:
        beside = recipe.beside()
        prepared = recipe.prepared(beside)
    assert written == []
    assert beside == {name: (own.parent / name).read_bytes() for name in ("sub/grid.toml", "bars.toml")}
    for path in sorted(own.parent.rglob("*.toml")):
        path.unlink()
    for made in (prepared, recipe.prepared(beside)):
        assert isinstance(made, Prepared)
        assert len(made.table) == 3
    with pytest.raises(LatcoverError, match=r"own\.toml:2:1: lattice: .*grid\.toml"):
        recipe.prepared()


# ---- what a text may name


def test_a_source_finds_what_lies_in_its_folder(own: Path) -> None:
    source = source_at(own)
    assert source.beside("sets", "bars.toml").content == BARS.encode()
    assert source.beside("sets", "pentominoes").name == str(find("sets", "pentominoes"))
    (puzzle,) = load_problems(str(own)).values()
    assert isinstance(puzzle, Puzzle)
    assert [(part.name, part.low) for part in puzzle.parts] == [("bar", 2)]


def test_only_what_is_shipped_can_be_named_elsewhere(own: Path) -> None:
    source = Source(own.read_bytes(), "own.toml", shipped)
    with pytest.raises(PuzzleFileError, match=r"own\.toml:2:1: lattice: no lattice 'sub/grid\.toml' is shipped"):
        read(source, Bounds())
    assert shipped("lattices", "square").content == find("lattices", "square").read_bytes()
    with pytest.raises(PuzzleError, match="did you mean 'square'"):
        shipped("lattices", "sqare")


def test_contents_that_were_sent_along_are_found_by_their_names() -> None:
    finder = among({"bars.toml": BARS.encode(), "square": b"another"})
    assert finder("sets", "bars.toml").content == BARS.encode()
    assert finder("sets", "bars.toml").beside("sets", "bars.toml").name == "bars.toml"
    assert finder("lattices", "square") == shipped("lattices", "square")
    with pytest.raises(PuzzleError, match="no part set 'bar'"):
        finder("sets", "bar")


def test_what_is_found_and_not_shipped_is_recorded(own: Path) -> None:
    contents: dict[str, bytes] = {}
    finder = recording(in_folder(own.parent), contents)
    finder("sets", "pentominoes")
    finder("lattices", "square")
    assert contents == {}
    finder("sets", "bars.toml")
    assert contents == {"bars.toml": BARS.encode()}


def test_faults_of_a_file_are_those_of_its_kind(tmp_path: Path) -> None:
    finder = in_folder(tmp_path)
    with pytest.raises(LatticeError, match="there is no such file"):
        finder("lattices", "none.toml")
    with pytest.raises(PuzzleFileError, match="is a folder; a TOML file is needed"):
        finder("sets", ".")


def test_equal_lattice_files_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_bytes(find("lattices", "square").read_bytes())
    lattice = load_lattice(str(path))
    assert load_lattice(str(path)) is lattice
    assert load_lattice("grid.toml", tmp_path) is lattice
    path.write_bytes(find("lattices", "cubic").read_bytes())
    assert load_lattice(str(path)).dimension == 3


# ---- bounds and forms


def test_bounds_of_size_hold_wherever_a_file_comes_from(tmp_path: Path) -> None:
    bounds = Bounds(cells=1, placements=1)
    for form in READ.values():
        name = f"large{form.suffixes[0]}"
        most = form.most_bytes(bounds)
        message = rf"large\{form.suffixes[0]}: is larger than {most:,} bytes; raise the bound with {form.raised_by}$"
        with pytest.raises(PuzzleFileError, match=message):
            read(Source(b"\n" * (most + 1), name, shipped), bounds)
        path = tmp_path / name
        path.write_bytes(b"\n" * (most + 1))
        with pytest.raises(PuzzleFileError, match=message):
            load_problems(str(path), bounds)
        path.write_bytes(b"\n" * most)
        with pytest.raises(PuzzleFileError) as fault:
            load_problems(str(path), bounds)
        assert "larger" not in str(fault.value)


@posix_only
def test_what_is_no_file_is_told_with_what_is_needed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for form in READ.values():
        folder = tmp_path / f"folder{form.suffixes[0]}"
        folder.mkdir()
        with pytest.raises(PuzzleFileError, match=f"is a folder; {form.needed} is needed"):
            source_of(str(folder))
    with pytest.raises(PuzzleFileError, match="is not a regular file"):
        source_of(str(tmp_path / "pipe"))


def test_every_form_has_its_functions_and_suffixes_of_its_own() -> None:
    for form in {**READ, **WRITTEN}.values():
        assert all(suffix.startswith(".") and suffix.islower() for suffix in form.suffixes)
    for form in READ.values():
        assert callable(form.reader())
        assert form.needed
    for form in WRITTEN.values():
        assert callable(_function(form.writes))
        for suffix in form.suffixes:
            assert form_to_write(None, Path(f"x{suffix}")) is form
    assert len(SUFFIXES) == sum(len(form.suffixes) for form in READ.values())


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.TOML", b"<", "toml"),
        ("a.xcc", b"", "dlx"),
        ("a", b"\x1f\x8b", "xmpuzzle"),
        ("a.old", b"\xef\xbb\xbf\n <puzzle>", "xmpuzzle"),
        ("a.old", b"x = 1", "toml"),
        ("stdin", b' {"puzzle": {}}', "json"),
        ("a", b"", "toml"),
    ],
)
def test_the_form_of_a_file(name: str, content: bytes, form: str) -> None:
    assert form_of(Source(content, name, shipped)).name == form
