"""Faults of readers that the fuzzer of files found, each with the least input that shows it."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.search import Limits
from latcover.core.cover.subproblem import EXTENSION, Job, restrict
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region, as_cells
from latcover.core.solving.solve import SolveRequest
from latcover.errors import Complaint, LatcoverError, PuzzleError, PuzzleFileError, RunFileError, suggest
from latcover.files.exchange.foreign_answers import read_models
from latcover.files.formats.cover_problems import npz
from latcover.files.formats.cover_problems.exported import distinct, exported
from latcover.files.formats.forms import WRITTEN
from latcover.files.formats.letters import letters_puzzle as piece_puzzle
from latcover.files.formats.library import load, load_lattice, load_problems
from latcover.files.formats.puzzle_files.part_set_file import read_set
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.files.formats.source import find, source_at
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.export import solutions_of
from latcover.lab.runs.recipe import Recipe, stored_file
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.state import state_as_json
from latcover.lab.runs.thread_crew import Orders
from latcover.show.reporting.check_report import inspect_file
from tests.run_files import reseal, spoil


def _rezipped(path: Path, member: str, old: bytes, new: bytes) -> None:
    """An archive of ours with something else in one of its members."""
    content, made = b"".join(npz.write(exported(prepare(load("example-2x2"))))), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as whole, zipfile.ZipFile(made, "w") as archive:
        for name in whole.namelist():
            data = whole.read(name)
            if name == member:
                assert old in data
                data = data.replace(old, new, 1)
            archive.writestr(name, data)
    path.write_bytes(made.getvalue())


@pytest.mark.parametrize(
    ("member", "old", "new", "what"),
    [
        ("shape.npy", b"'shape': (2,)", b"'shape': ((2,", "'shape' has a header that cannot be read"),
        ("shape.npy", b"'descr': '<i8'", b"'descr': ',,,,'", "'shape' has a header that cannot be read"),
        ("items.npy", "S".encode("utf-32-le"), b"\x00\xd8\x00\x00", "'items' holds a character that does not exist"),
        ("items.npy", "S".encode("utf-32-le"), b"\xff\xff\xff\xff", "'items' holds a character that does not exist"),
    ],
)
def test_arrays_that_numpy_does_not_take(member: str, old: bytes, new: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    _rezipped(path, member, old, new)
    with pytest.raises(PuzzleFileError, match=rf"x\.npz: the array {what}"):
        load_problems(str(path))


@pytest.mark.parametrize("text", ['{"puzzle": {"title": "a\\ud800"}}', '{"problem": {"items": ["\\uDFFF\\uD800"]}}'])
def test_half_a_character_of_json(text: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match=r"x\.json: is not valid JSON: it holds half a character, \\ud"):
        load_problems(str(write(tmp_path, text, "x.json")))


def test_whole_characters_of_json(tmp_path: Path) -> None:
    text = '{"problem": {"items": ["\\ud83e\\udde9"], "options": [[0]]}}'
    (named,) = load_problems(str(write(tmp_path, text, "x.json"))).values()
    assert isinstance(named, NamedProblem)
    assert named.items == ("\U0001f9e9",)


@pytest.mark.parametrize("form", ["dimacs", "dlx", "json", "lp", "minizinc", "mps", "npz", "opb"])
def test_names_beyond_ascii_are_exported_in_every_form(form: str, tmp_path: Path) -> None:
    (named,) = load_problems(str(write(tmp_path, "é ü | ö\né ö:ä\nü\n", "x.dlx"))).values()
    assert isinstance(named, NamedProblem)
    assert b"".join(WRITTEN[form].write(exported(named)))


def test_a_value_of_a_variable_that_is_no_number_of_a_computer() -> None:
    with pytest.raises(PuzzleFileError, match=r"answer:2: x2 is 1e999, neither 0 nor 1"):
        list(read_models(iter(["x1 1\n", "x2 1e999\n"]), "answer"))


def test_a_word_with_several_points_is_no_value() -> None:
    assert [model.true for model in read_models(iter(["x1 1\n", "x6 1..e-2\n", "x7 1.0\n", "x8 1.\n"]), "answer")] == [
        (1, 7, 8)
    ]


def test_messages_are_one_paragraph_whatever_they_quote(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('name = "x"\nlattice = "square"\n"a\\nb\\u001b[2J" = 1\nregion = { box = [1, 1] }\n', "utf-8")
    with pytest.raises(PuzzleFileError) as error:
        load_problems(str(path))
    complaints = [str(complaint) for complaint in inspect_file(str(path), Bounds()).complaints]
    for text in (str(error.value), *complaints):
        assert text.isprintable()
    assert any("a\\nb\\x1b[2J" in text for text in complaints)


def test_messages_are_not_as_long_as_what_they_quote() -> None:
    assert len(str(Complaint("x" * 100_000 + "; raise the bound", "a.toml"))) < 4000
    assert str(LatcoverError("x" * 100_000 + "; raise the bound")).endswith("x; raise the bound")
    assert len(suggest("q", [f"name{k}" for k in range(10_000)])) < 1000
    assert "and 9,940 more" in suggest("q", [f"name{k}" for k in range(10_000)])
    assert suggest("q", ["x" * 1000]) == ""


def test_a_part_set_on_a_lattice_that_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    path.write_text('name = "x"\nlattice = "sqare"\nparts = [{ name = "a", art = "X" }]\n', "utf-8")
    with pytest.raises(PuzzleFileError, match=r"set\.toml:2:1: lattice: no lattice 'sqare' .*square"):
        read_set(source_at(path))


@pytest.mark.parametrize(
    ("lattice", "name", "what"),
    [
        ("triangular", "tetrahexes", "is of the lattice 'hexagonal', and this puzzle of 'triangular'"),
        ("polystick", "pentominoes", "names no lattice, so it does not fit 'polystick'"),
    ],
)
def test_a_part_set_of_another_lattice_is_told_of_in_the_puzzle(
    lattice: str, name: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(
        f'name = "x"\nlattice = "{lattice}"\nparts = [{{ set = "{name}" }}]\nregion = {{ cells = [] }}\n', "utf-8"
    )
    with pytest.raises(PuzzleFileError) as error:
        load_problems(str(path))
    first = [str(each) for each in error.value.complaints if "the set" in each.message]
    assert first == [f"{path}:3:12: parts[0].set: the set {name!r} {what}"]
    assert not any(name in each.path for each in error.value.complaints)  # faults that come from it are not told


def test_many_boxes_are_bounded_together(tmp_path: Path) -> None:
    parts = "".join(f'[[parts]]\nname = "p{k}"\nmin = 0\nmax = 1\nbox = [10, 9]\n' for k in range(5))
    path = write(tmp_path, f'name = "x"\nlattice = "square"\nregion = {{ box = [10, 9] }}\n{parts}', "x.toml")
    load_problems(str(path), Bounds(cells=200))
    for look in (lambda: load_problems(str(path), Bounds(cells=100)), lambda: inspected(path, Bounds(cells=100))):
        with pytest.raises(PuzzleFileError, match=r"x\.toml:3:12: region\.box: with it .* more than 400 cells in"):
            look()


def test_the_bound_of_cells_holds_for_part_sets(tmp_path: Path) -> None:
    path = write(tmp_path, 'name = "x"\nparts = [{ name = "a", box = [10, 11] }]\n', "set.toml")
    read_set(source_at(path), Bounds(cells=110))
    with pytest.raises(PuzzleFileError, match="more than 100 cells"):
        inspected(path, Bounds(cells=100))


def write(folder: Path, text: str, name: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def inspected(path: Path, bounds: Bounds) -> None:
    """What `latcover check` says, as an error."""
    report = inspect_file(str(path), bounds)
    if not report.sound:
        raise PuzzleFileError(report.complaints)


def test_names_that_repeat_are_told_apart() -> None:
    assert distinct(iter(["a", "a", "a_2", "a", "b", "a"])) == ("a", "a_2", "a_2_2", "a_3", "b", "a_4")


@pytest.mark.parametrize("left_out", [((99, 0),), ((-2, 0),), ((0, -1),)])
def test_a_job_of_items_that_there_are_not(left_out: tuple[tuple[int, int], ...]) -> None:
    problem = prepare(load("example-2x2"), Choices("none")).problem
    with pytest.raises(PuzzleError, match="leaves out options of items that the problem does not have"):
        restrict(problem, Job((), left_out))
    assert restrict(problem, Job((), ((EXTENSION, 0),))).problem.n_options == problem.n_options


# The file of a run.


@pytest.fixture
def run_file(tmp_path: Path) -> Callable[[str], Path]:
    """Makes the file of a run that was cut off, and changes it by a statement of SQL; its seals may be made anew."""

    def make(statement: str, *, done: bool = False, resealed: bool = False) -> Path:
        path = tmp_path / "run.db"
        recipe = Recipe(SolveRequest(backend="dlx"), "fig4-3x3", stored_file("fig4-3x3"))
        prepared = recipe.prepared()
        begin(path, recipe, prepared, Limits())
        go_on(path, Orders(1, Limits(None if done else 2)), prepared=prepared)
        spoil(path, statement)
        if resealed:
            with suppress(sqlite3.Error):  # where a table is gone
                reseal(path)
        return path

    return make


def used(path: Path) -> None:
    """All that is done with the file of a run."""
    with RunFile(path) as file:
        json.dumps(state_as_json(file))
        for solution in solutions_of(file):
            str(solution)
    go_on(path, Orders(1, Limits(1000)))


@pytest.mark.parametrize("done", [False, True])
def test_a_run_that_nothing_is_wrong_with_is_used(done: bool, run_file: Callable[..., Path]) -> None:
    path = run_file("SELECT 1", done=done)
    used(path)
    assert go_on(path).complete


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run SET source_name = '../x.toml'",
        "UPDATE run SET source_name = '..'",
        "UPDATE run SET source_name = ''",
        "UPDATE run SET source_name = '/x.toml'",
        "UPDATE run SET source_name = hex(zeroblob(200))",
        "UPDATE run SET source_name = 'a' || char(0) || '.toml'",
        "UPDATE run SET request = '[]'",
        "UPDATE run SET request = json_set(request, '$.symmetry', 'some')",
        "UPDATE run SET request = json_set(request, '$.order', 'x')",
        "UPDATE run SET request = json_set(request, '$.pivot', 1)",
        "UPDATE run SET question = '[]'",
        "UPDATE run SET question = json_set(question, '$.more', 1)",
        "UPDATE run SET apart = '{}'",
        "UPDATE run SET bounds = json_set(bounds, '$.cells', '9')",
        "UPDATE run SET bounds = json_set(bounds, '$.placements', -1)",
        "UPDATE run SET request = json_set(request, '$.options', json('[]'))",
        "UPDATE run SET request = json_set(request, '$.options', json('{\"size\": []}'))",
        "UPDATE run SET notes = '[1]'",
        "UPDATE run SET n_choices = 1000000000000",
        "UPDATE run SET n_choices = 'x'",
        "UPDATE run SET most_solutions = 1.5",
        "UPDATE run SET latcover = x'ff'",
        "DELETE FROM jobs",
        "UPDATE jobs SET state = 'pending', chosen = '{}'",
        "UPDATE jobs SET state = 'pending', chosen = '[99999999999]'",
        "UPDATE jobs SET state = 'pending', left_out = '[0]'",
        "UPDATE jobs SET branches_by_level = '1', branches = 1",
        "UPDATE jobs SET branches_by_level = '[\"x\"]', branches = 1",
        "UPDATE jobs SET digest = 'x', branches = 1",
        "UPDATE jobs SET share = 1e999",
        "UPDATE jobs SET different = -1",
        "UPDATE jobs SET total = 'x'",
        "UPDATE solutions SET choices = 'x'",
        "UPDATE solutions SET choices = '[' || hex(zeroblob(3000)) || ']'",
        "UPDATE solutions SET choices = '[-1]'",
        "UPDATE solutions SET choices = '[0, 0]'",
        "UPDATE solutions SET choices = '[9999]'",
        "UPDATE solutions SET choices = '[]'",
        "UPDATE sessions SET heartbeat = 'x'",
        "DROP TABLE placements",
        "ALTER TABLE jobs ADD more",
        "CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM solutions; END",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE jobs (' WHERE name = 'jobs'",
    ],
)
@pytest.mark.parametrize("resealed", [False, True])
def test_files_of_runs_are_not_believed(statement: str, resealed: bool, run_file: Callable[..., Path]) -> None:
    path = run_file(statement, resealed=resealed)
    with pytest.raises(RunFileError, match=r"run\.db: is damaged|run\.db: cannot be used") as error:
        used(path)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    "value",
    [
        "'[]'",
        "json_remove(answer, '$.total')",
        "json_set(answer, '$.total', 'x')",
        "json_set(answer, '$.complete', 1)",
        "json_set(answer, '$.seconds.search', json('null'))",
        "json_set(answer, '$.branches_by_level', json('[null]'))",
        "json_set(answer, '$.more', 1)",
        "json_set(answer, '$.different', 7)",
        "json_set(answer, '$.digest', '0123456789abcdef')",
    ],
)
@pytest.mark.parametrize("resealed", [False, True])
def test_stored_answers_are_not_believed(value: str, resealed: bool, run_file: Callable[..., Path]) -> None:
    path = run_file(f"UPDATE run SET answer = {value}", done=True, resealed=resealed)
    with pytest.raises(RunFileError, match=r"run\.db: is damaged"):
        go_on(path)


def test_no_process_has_such_a_number(run_file: Callable[..., Path]) -> None:
    used(run_file("UPDATE sessions SET pid = 1099511627776, ended = NULL"))


def test_the_name_of_a_puzzle_does_not_lead_out_of_the_folder(run_file: Callable[..., Path], tmp_path: Path) -> None:
    other = tmp_path / "precious.toml"
    other.write_text("mine", "utf-8")
    path = run_file(f"UPDATE run SET source_name = '{other}'", resealed=True)
    with pytest.raises(RunFileError, match="is not a name of a puzzle's file"):
        go_on(path)
    assert other.read_text("utf-8") == "mine"


def test_a_lattice_with_a_corner_far_away(tmp_path: Path) -> None:
    """Its neighbours across corners are found from the corners, not by looking at all cells up to there."""
    text = (
        'name = "far"\ndrawings = "symbols"\nbasis = [[1, 0], [0, 1]]\n'
        "nodes = { a = { polygon = [[0, 0], [1, 0], [1, 4000], [0, 1]] } }\n"
        '[half_edges]\ne = { step = [1, 0], twin = "w" }\nw = { step = [-1, 0], twin = "e" }\n'
        'n = { step = [0, 1], twin = "s" }\ns = { step = [0, -1], twin = "n" }\n'
    )
    (around,) = load_lattice(str(write(tmp_path, text, "far.toml"))).touching
    far = [(0, 1, 4000), (0, 0, 4000), (0, 1, 3999)]
    assert {(0, 1, 0), (0, 0, 1), (0, 1, -1), *far} <= set(around)
    assert set(around) == {(0, -x, -y) for _, x, y in around}


@pytest.mark.parametrize(
    ("old", "new"), [('"core"', '"heart"'), ("secondary = true", "secondary = false"), ("[-0.2, 0.2]", "[-0.2, 0.3]")]
)
def test_a_lattice_by_the_name_of_a_shipped_one_is_not_taken_for_it(old: str, new: str, tmp_path: Path) -> None:
    shipped = find("lattices", "polystick" if "secondary" in old else "disc")
    text = shipped.read_text("utf-8").replace("nodes.core", 'nodes."core"')
    assert old in text
    own = load_lattice(str(write(tmp_path, text.replace(old, new), "own.toml")))
    assert puzzle_as_data([_single(own)])["lattice"]["name"] == shipped.stem  # all of it stands there
    assert puzzle_as_data([_single(load_lattice(str(write(tmp_path, text, "same.toml"))))])["lattice"] == shipped.stem


def _single(lattice: Lattice) -> Puzzle:
    cells = as_cells([(0,) * (lattice.dimension + 1)], lattice.dimension)
    motions = lattice.allowed(lattice.default_transformations)
    part = Part("a", cells, np.zeros(1, np.int32), 1, 1, motions)
    return Puzzle("single", lattice, Region(cells), (part,))


def test_the_shapes_of_many_assemblies_are_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of hundreds of solutions is one of the same pieces again and again."""
    looked: list[str] = []
    turned = piece_puzzle.orientations

    def noted(part: Part, axes: range) -> Any:
        looked.append(part.name)
        return turned(part, axes)

    monkeypatch.setattr(piece_puzzle, "orientations", noted)
    piece_puzzle._shape.cache_clear()
    text = "".join(f"solution {k}\nAAB\nCBB\nCDD\n\n" for k in range(1, 101))
    found = load_problems(str(write(tmp_path, text, "x.txt")))
    assert len(found) == 100
    assert len(looked) == 3  # bars that lie and that stand, and one corner
