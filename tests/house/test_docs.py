"""The documents' own examples are true: files are sound, commands print what is shown, links lead somewhere; and the
site can be built of them without a warning."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import latcover
from latcover.core.model.puzzle import Bounds
from latcover.show.reporting.check_report import inspect_file
from tests.command_line import run
from tests.documents import Block, blocks_of, missing_program, play

pytestmark = pytest.mark.usefixtures("children_within")
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
BLOCK_BY_BLOCK = (
    *("cluster", "comparing", "printing"),
    *(
        "backends",
        "burrtools",
        "formats",
        "gallery",
        "lattice-files",
        "lattices",
        "long-runs",
        "pictures",
        "python-api",
        "web",
        "web-server",
    ),
    *("assembly", "benchmarks", "difficulty", "kernel", "long-plan", "proofs"),
)
# Pages whose blocks belong together, played from top to bottom in one folder: see documents.py.
KINDS = ("tutorials", "how-to", "reference", "explanation", "results")
PLAYED = [page for kind in KINDS for page in sorted((DOCS / kind).glob("*.md")) if page.stem not in BLOCK_BY_BLOCK]
SINGLE = [page for page in PAGES if page not in PLAYED]  # every block by itself


# What takes a second or more; the gate runs it. The first tutorial is not among them.
SLOW = (
    "burr",
    *("long-search", "sat-solvers", "long-runs.md-1", "proofs.md-1", "proofs.md-2"),
    *("cube-to-print", "edges", "hardest-of-a-family", "one-solution", "printing.md-1"),
    *("best-solution", "command-line", "count-tilings", "designing", "explore-shapes", "json", "pieces", "publishing"),
    *("clearance", "many-goals", "python", "rules0", "take-apart", "sets-and-boxes", "add-a-rule"),
)


def slow(value: object, name: str) -> object:
    """A test's parameter, which is only for --long where it is slow."""
    return pytest.param(value, id=name, marks=pytest.mark.long if name in SLOW else ())


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in SINGLE:
        own = [block.text for block in blocks_of(page) if block.language == language]
        found += [(f"{page.name}-{number}", text) for number, text in enumerate(own, 1)]
    return found


def test_there_are_examples() -> None:
    assert len(blocks("toml")) >= 3
    assert blocks("python")


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in blocks("toml")])
def test_toml_blocks_are_sound_and_solvable(text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    path.write_text(text, encoding="utf-8")
    report = inspect_file(str(path), Bounds())
    assert report.sound, report.complaints
    assert not report.complaints
    if report.kind == "puzzle":
        answer = latcover.count(latcover.load(str(path)))
        assert answer.complete
        assert answer.different > 0


@pytest.mark.parametrize("text", [slow(text, name) for name, text in blocks("python")])
def test_python_blocks_run(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert play(Block("python", text, 0, None), {}) is None


@pytest.mark.parametrize("text", [slow(text, name) for name, text in blocks("console")])
def test_console_blocks_can_be_typed(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their commands, those of other programs among them, print what is shown."""
    if program := missing_program(text):
        pytest.skip(f"{program} is not installed")
    monkeypatch.chdir(tmp_path)
    assert play(Block("console", text, 0, None), {}) is None


@pytest.mark.parametrize("page", [slow(page, page.stem) for page in PLAYED])
def test_a_page_can_be_played(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From top to bottom: its files are saved, its commands typed; pictures of theirs are those that it shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as Python does where it is started
    names: dict[str, object] = {}
    for block in blocks_of(page):
        if block.language == "console" and (program := missing_program(block.text)):
            pytest.skip(f"{program} is not installed; {page.name} is fine up to line {block.line}")
        wrong = play(block, names)
        assert wrong is None, f"{page.name}, line {block.line}:\n{wrong}"
    for picture in tmp_path.glob("*.svg"):
        shown = DOCS / "images" / picture.name
        assert not shown.exists() or shown.read_bytes() == picture.read_bytes(), picture.name


def test_what_is_wrong_with_a_page_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else no page could ever fail."""
    monkeypatch.chdir(tmp_path)
    said = "example-2x2: 1 solution different under rotations and reflections, {} in all (complete)\n…\n"
    assert play(Block("console", f"$ latcover count example-2x2\n{said.format(4)}", 0, None), {}) is None
    assert play(Block("console", f"$ latcover count example-2x2\n{said.format(5)}", 0, None), {})
    assert play(Block("console", "$ latcover count example-2x2\n", 0, None), {})
    assert play(Block("python", ">>> 1 + 1\n3\n", 0, None), {})
    assert play(Block("python", "print(1 + 1)  # 3\n", 0, None), {})
    (tmp_path / "page.md").write_text("Save it as `a.txt`:\n\n```text\nAB\n```\n\n```console\n$ cat a.txt\nAB\n```\n")
    saved, typed = blocks_of(tmp_path / "page.md")
    assert play(saved, {}) is None
    assert play(typed, {}) is None
    assert (saved.file, typed.file, typed.line) == ("a.txt", None, 7)


FILES = [(name, text) for name, text in blocks("json") if '"problem"' in text]  # others show what is printed


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in FILES])
def test_json_blocks_are_sound_and_solvable(text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.json"
    path.write_text(text, encoding="utf-8")
    assert inspect_file(str(path), Bounds()).sound
    assert "(complete)" in run("solve", path).stdout


def test_the_package_docstring() -> None:
    results = doctest.testmod(latcover)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^"]+)"', text):
        assert (page.parent / target).exists(), target


def test_the_index_leads_to_every_page() -> None:
    """And the README to the index, so that two clicks reach everything."""
    text = (DOCS / "index.md").read_text("utf-8")
    linked = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)#:]+)\)", text)}
    apart = {DOCS / "index.md", DOCS / "backend-template" / "README.md"}  # the template is part of one guide
    assert {page for page in PAGES if page.is_relative_to(DOCS)} - apart <= linked
    assert "](docs/index.md)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.long  # the gate runs it
@pytest.mark.skipif(importlib.util.find_spec("furo") is None, reason="latcover[docs] is not installed")
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """Links between pages, headings that links name, formulas and docstrings among them."""
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ROOT / "docs", site],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 0, done.stderr
    commands = (site / "reference" / "command-line.html").read_text("utf-8")
    assert "latcover bench suite" in commands
    assert "--max-branches" in commands
    assert "<mfrac>" in (site / "explanation" / "symmetry.html").read_text("utf-8")
    assert "PuzzleFileError" in (site / "reference" / "python-api.html").read_text("utf-8")
    assert 'href="../gallery/index.html"' in (site / "reference" / "gallery.html").read_text("utf-8")
    assert len(list((site / "gallery" / "puzzles").glob("*.html"))) >= 60  # every shipped puzzle, to be played
    front = (site / "index.html").read_text("utf-8")
    shown = (site / "reference" / "gallery.html").read_text("utf-8").replace('"../gallery/', '"gallery/')
    played = set(re.findall(r'"(gallery/[^"#?]+)[^"]*"', front + shown))
    assert len(played) >= 60  # each shipped puzzle has a link that leads to its page
    assert not [link for link in played if not (site / link).is_file()]
    assert re.search(r'data-live="[^"]+only=play"', front)
    outside = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)', commands + front)
    assert not outside  # the site asks no other server for anything


def test_the_gallery_says_how_many_solutions_there_are() -> None:
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    assert gallery.solutions_in_words(1, 24) == ["1 solution", "24 in all"]
    assert gallery.solutions_in_words(2, None) == ["2 essentially different solutions"]
    assert gallery.solutions_in_words(0, 0) == ["no solution"]


def test_each_page_of_decisions_says_since_when_and_what_was_superseded() -> None:
    pages = [page for page in (DOCS / "decisions").rglob("*.md") if page.stem != "index"]
    assert len(pages) > 20
    for page in pages:
        line = page.read_text("utf-8").splitlines()[2]
        assert re.match(r"Since 20\d\d-\d\d-\d\d\. Superseded: .", line), page.name


def test_the_architecture_stays_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").split()) < 900


def test_every_command_that_the_readme_names_exists() -> None:
    named = re.findall(rf"(?:`|^\$ )latcover {COMMAND}([^`\n]*)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(named) >= 9
    for command, words in named:
        options = set(re.findall(r"--[a-z-]+", words))
        assert options <= options_of(command), command


@pytest.mark.long
def test_every_command_of_the_readme_ends_well_and_leaves_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = (ROOT / "README.md").read_text("utf-8")
    whole = re.findall(rf"(?:`|^\$ )latcover ({COMMAND} [^`A-Z\n]+)(?:`|$)", shown, re.MULTILINE)  # COMMAND is none
    assert len(whole) >= 7
    for words in (each[0].split() for each in whole):
        before = set(tmp_path.iterdir())
        done = run(*words)
        assert done.returncode == 0, (words, done.stderr)  # it ended by itself; nothing was cut short
        assert done.stdout or set(tmp_path.iterdir()) - before, words


def test_every_option_that_is_said_to_matter_exists() -> None:
    page = (DOCS / "reference" / "command-line.md").read_text("utf-8")
    commands = set(re.findall(rf"^\| `latcover {COMMAND}", page, re.MULTILINE))
    known = set().union(*map(options_of, commands))
    named = set(re.findall(r"`(--[a-z-]+)", page))
    assert len(named) > 20
    assert named <= known


COMMAND = r"((?:(?:bench|design|runs) )?\w+)"  # a group, and one of its commands


def options_of(command: str) -> set[str]:
    """Every option of a command, those of its second help among them."""
    done = run(*command.split(), "--help", COLUMNS="200")
    if "--help-all" in done.stdout:
        done = run(*command.split(), "--help-all", COLUMNS="200")
    assert done.returncode == 0, command
    return {*re.findall(r"--[a-z-]+", done.stdout), "--help-all", "--version", "--install-completion"}
