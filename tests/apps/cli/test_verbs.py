"""Every command is a function of `latcover`, too: both do the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import latcover
from latcover.apps.cli.registry import COMMANDS
from latcover.errors import PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.piece_sets import Family, Sides
from latcover.lab.comparing.comparison_tables import show_table
from tests.command_line import run

OTHER_NAMES = {"import": "import_file", "show": "draw"}
NO_VERBS = {  # what has no meaning in a program, or another form there
    *("bench", "help", "new", "open", "serve", "runs", "list"),
}
BROKEN = (
    'name = "x"\nlattice = "square"\nregion = { box = [2, 2] }\nparts = [{ name = "I", art = ["XX"], count = 3 }]\n'
)


@pytest.mark.parametrize("command", sorted({*COMMANDS} - NO_VERBS))
def test_every_command_is_a_function(command: str) -> None:
    assert callable(getattr(latcover, OTHER_NAMES.get(command, command)))


@pytest.mark.parametrize(
    "words",
    [
        "solve --limit 1",
        "solve --best minimize crossroads --time 0",
        "count --limit 1",
        "apart --limit 1",
        "difficulty --max-branches 1 --no-near",
        "show",
        "info",
        "export dlx",
        "estimate --probes 1",
        "sample --time 0",
    ],
)
def test_a_command_without_a_puzzle_says_which_it_takes(words: str) -> None:
    done = run(*words.split())
    assert done.stderr.startswith("no puzzle named: taking pent-10x6\n"), done.stderr


def test_check(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(BROKEN)
    assert run("check", file, "--json").stdout == json.dumps(latcover.check(file).as_json()) + "\n"
    report = latcover.check("soma")
    assert run("check", "soma").stdout == f"{report.verdict()}\n"
    assert report.sound
    puzzle = latcover.load("example-2x2")
    assert latcover.check(puzzle).summary == latcover.check("example-2x2").summary
    odd = latcover.Puzzle("odd", puzzle.lattice, latcover.box(1, 3), (latcover.Part("I", "XX", low=1),))
    assert not latcover.check(odd).sound
    loose = latcover.Part("I", "X.X", low=1)
    warned = latcover.Puzzle("w", puzzle.lattice, latcover.box(1, 2), (loose,))
    assert latcover.check(warned).sound
    assert not latcover.check(warned, strict=True).sound


@pytest.mark.parametrize("name", ["soma", "square"])
def test_info(name: str) -> None:
    assert json.loads(run("info", name, "--json").stdout) == json.loads(json.dumps(latcover.info(name)))


def test_info_of_what_was_made() -> None:
    puzzle = latcover.load("soma")
    assert latcover.info(latcover.prepare(puzzle)) == latcover.info(puzzle)
    assert latcover.info(puzzle.lattice) == latcover.info("cubic")


@pytest.mark.parametrize(
    ("form", "words", "fields"),
    [
        ("dimacs", ("--encoding", "ladder"), {"encoding": "ladder"}),
        ("dlx", ("--symmetry", "all"), {"symmetry": "all"}),
        ("json", ("--solutions",), {"solutions": True}),
        ("zdd", (), {}),
    ],
)
def test_export(form: str, words: tuple[str, ...], fields: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "there"
    assert run("export", "fig4-3x3", form, *words, "--output", file).returncode == 0
    request = latcover.ExportRequest(form=form, **fields)  # type: ignore[arg-type]
    assert latcover.export("fig4-3x3", request).save(tmp_path / "here").read_bytes() == file.read_bytes()


def test_export_says_what_it_cannot_do() -> None:
    two = [latcover.load("soma"), latcover.load("bedlam")]
    assert b"".join(latcover.export(two, latcover.ExportRequest(form="xmpuzzle")))
    with pytest.raises(PuzzleError, match="holds one puzzle"):
        latcover.export(two, latcover.ExportRequest(form="dlx"))
    for fields, said in (
        ({"form": "nothing"}, "there is no form"),
        ({"form": "dimacs", "order": (0, 1)}, "--order has no meaning"),
        ({"form": "xmpuzzle", "take_apart": True}, "add --solutions"),
        ({"form": "zdd", "symmetry": "all"}, "holds all solutions"),
    ):
        with pytest.raises(UnsupportedError, match=said):
            latcover.export("soma", latcover.ExportRequest(**fields))  # type: ignore[arg-type]


def test_a_plan_for_burrtools_has_no_turns() -> None:
    """Its file could not hold them."""
    file = latcover.export("turning-bar-1", latcover.ExportRequest(form="xmpuzzle", solutions=True, take_apart=True))
    assert b"".join(file)
    assert (file.turning > 0, file.unknown) == (True, 0)


def test_import(tmp_path: Path) -> None:
    file = latcover.export("soma", latcover.ExportRequest(form="xmpuzzle")).save(tmp_path / "soma.xmpuzzle")
    found = latcover.import_file(file)
    assert run("import", file).stdout == found.text
    assert latcover.load(str(found.save(tmp_path / "soma.toml"))).name == "soma"
    with pytest.raises(UnsupportedError, match="--box gives a region"):
        latcover.import_file(file, box="3x3x3")


def test_decode(tmp_path: Path) -> None:
    first = next(latcover.solutions("fig4-3x3"))
    model = tmp_path / "model.txt"
    model.write_text("".join(f"{line}\n" for line in solution_as_letters(first)))
    found: list[latcover.Solution] = []
    decoded = latcover.decode("fig4-3x3", model, on_solution=found.append)
    assert [placed.cells for placed in found[0].placements] == [placed.cells for placed in first.placements]
    summary = json.loads(run("decode", "fig4-3x3", model, "--count", "--json").stdout)["summary"]
    assert (summary["solutions"], summary["different"]) == (decoded.solutions, decoded.different) == (1, 1)
    assert latcover.decode("fig4-3x3", model.read_text().splitlines(keepends=True)).solutions == 1
    with pytest.raises(PuzzleError, match="cannot read"):
        latcover.decode("fig4-3x3", tmp_path / "nothing")
    with pytest.raises(PuzzleFileError):
        latcover.decode("fig4-3x3", ["nonsense\n"], kind="sat")


def solution_as_letters(solution: latcover.Solution) -> list[str]:
    from latcover.show.reporting.search_report import solution_as_lines

    return solution_as_lines(solution, colour=False, width=80)


@pytest.mark.parametrize(("words", "arguments"), [(("square", "4"), ("square", 4)), (("soma",), ("soma",))])
def test_pieces(words: tuple[str, ...], arguments: tuple[str | int, ...]) -> None:
    *pieces, summary = map(json.loads, run("pieces", *words, "--json").stdout.splitlines())
    found = latcover.pieces(*arguments)  # type: ignore[arg-type]
    assert [piece["name"] for piece in pieces] == [part.name for part in found.parts]
    assert summary["summary"]["pieces"] == len(found.parts)


def test_pieces_by_every_name() -> None:
    square = latcover.load_lattice("square")
    assert len(latcover.pieces(square, 4, Family(Sides.ONE_SIDED)).parts) == 7
    assert [part.size for part in latcover.pieces("domino").parts] == [2]
    assert [part.size for part in latcover.pieces("X./XX").parts] == [3]
    assert {part.size for part in latcover.pieces("polyaboloes", 2).parts} == {4}
    for given in ("square", "polyaboloes", square):
        with pytest.raises(PuzzleError, match="say how many"):
            latcover.pieces(given)
    with pytest.raises(UnsupportedError, match="only one-sided"):
        latcover.pieces("pentominoes", None, Family(convex=True))


def test_publish(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    done = run("publish", "fig4-3x3", "--output", there)
    site = latcover.publish("fig4-3x3", here)
    assert (done.returncode, site.puzzles) == (0, 1)
    assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in there.iterdir() if path.is_file()
    }
    assert (here / "workshop.html").exists()  # it travels with the site, whose first page stays the puzzle's
    page = (here / "index.html").read_text()
    assert 'href="workshop.html#puzzle/fig4-3x3">Change this puzzle</a>' in page
    plain = latcover.publish("fig4-3x3", tmp_path / "plain", latcover.PublishRequest(workshop=False))
    assert {path.name for path in plain.folder.iterdir()} < {path.name for path in here.iterdir()}
    without = {path.name: path.read_bytes() for path in plain.folder.iterdir() if path.name == "index.html"}
    assert b"Change this puzzle" not in without["index.html"]
    latcover.publish("fig4-3x3", plain.folder, latcover.PublishRequest(workshop=True, address="https://example.org/a/"))
    assert (plain.folder / "puzzles/fig4-3x3.html").exists()  # its gallery leads there, as ever
    assert '"address":"https://example.org/a/workshop.html"' in (plain.folder / "workshop-data.js").read_text()
    made = latcover.load("example-2x2")
    bare = latcover.PublishRequest(solutions=False, workshop=False)
    assert latcover.publish([made, "fig4-3x3"], here, bare).puzzles == 2
    for puzzles, request in (((), {}), ("fig4-3x3", {"address": "example.org"})):
        with pytest.raises(PuzzleError):
            latcover.publish(puzzles, here, latcover.PublishRequest(**request))


def test_compare(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle that was made is handed to the processes as a file."""
    request = latcover.CompareRequest(methods="dlx")
    named, made = latcover.compare("fig4-3x3", request), latcover.compare(latcover.load("fig4-3x3"), request)
    assert named.runs[0].found == made.runs[0].found
    assert (made.puzzle, made.runs[0].found[1]) == ("fig4-3x3", 16)
    monkeypatch.setenv("COLUMNS", "80")
    shown = []
    for every in (False, True):
        show_table(made, colour=False, blocks="#", every=every)
        shown.append(capsys.readouterr().out)
    short, whole = shown
    assert ("set-up" in whole, "by level" in whole, "--all" in whole) == (True, True, False)
    assert ("set-up" in short, "most at level" in short, "--all" in short) == (False, False, True)
