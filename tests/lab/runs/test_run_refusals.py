"""Files that a run cannot be gone on with: no runs, runs of something else, runs of other versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from latcover.backends.dlx import Dlx
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.search import Limits
from latcover.core.solving.count import CountRequest
from latcover.core.solving.solve import SolveRequest
from latcover.errors import LatcoverError, RunFileError
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.recipe import Recipe, StoredFile
from tests.oracle import cover_problem
from tests.run_files import begun, dominoes, recipe_of, reseal, spoil


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("PRAGMA user_version = 9", "is of version 9 of such files, made by latcover .* reads version 4 only"),
        ("PRAGMA user_version = 1", "is of version 1 of such files, made by latcover .* reads version 4 only"),
        ("PRAGMA application_id = 1", "a database, but of another program"),
        ("DELETE FROM run", "is damaged"),
        ("UPDATE run SET request = '{'", "is damaged"),
        ("UPDATE run SET source = 'nonsense'", "is damaged: what it says of the run was changed"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, statement: str, complaint: str) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes())
    spoil(path, statement)
    with pytest.raises(RunFileError, match=complaint):
        go_on(path)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (
            "UPDATE run SET question = json_set(question, '$.facts.method.version', '9')",
            r"another version of the method dlx \(9, not 1\)",
        ),
        (
            "UPDATE run SET question = json_set(question, '$.facts.latcover', '0.2.9')",
            r"another question: it was made by latcover 0\.2\.9, and this is",
        ),
        ("UPDATE run SET source = 'nonsense'", "dominoes.toml"),
        ("UPDATE run SET source = replace(source, 'dominoes', 'x')", "no puzzle|not shipped|another"),
        ("UPDATE run SET request = '{'", "is damaged"),
    ],
)
def test_runs_that_somebody_else_made_are_refused(tmp_path: Path, statement: str, complaint: str) -> None:
    """Seals that are right say nothing of what is sealed."""
    path = tmp_path / "run.db"
    begun(path, dominoes())
    spoil(path, statement)
    reseal(path)
    with pytest.raises(LatcoverError, match=complaint):
        go_on(path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that came to its end."""
    path = tmp_path_factory.mktemp("finished") / "run.db"
    begun(path, dominoes())
    go_on(path)
    return path.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "overwritten", "text", "empty", "folder", "missing"])
def test_files_that_are_no_runs_are_refused(tmp_path: Path, damage: str, finished: bytes) -> None:
    path, content = tmp_path / "run.db", finished
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        overwritten = content[:4200] + b"\xff" * 30_000 + content[34_200:]
        made = {"cut": content[:12_000], "overwritten": overwritten, "text": b"text\n" * 9999, "empty": b""}
        path.write_bytes(made[damage])
    words = {
        "folder": "not a regular file",
        "missing": "no such file",
        "text": "not a file of a run",
        "empty": "holds no run",
    }
    with pytest.raises(RunFileError, match=words.get(damage, "is damaged")) as error:
        go_on(path)
    assert "\\n" not in str(error.value)
    if damage not in ("missing", "empty"):
        with pytest.raises(RunFileError, match=str(path)):
            begin(path, dominoes(), dominoes().prepared(), Limits())


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        (CountRequest(backend="dlx"), r"another request \(solve, not count\)"),
        (SolveRequest(backend="bitset"), "the backend dlx, not bitset"),
        (SolveRequest(backend="dlx", options={"size": False}), "the options none, not size=no;"),
        (SolveRequest(backend="dlx", symmetry="none"), "the symmetry all, not none;"),
        (SolveRequest(backend="dlx", pivot="V"), "the pivot none, not V;"),
        (SolveRequest(backend="dlx", order=(1, 0, 2)), "the order none, not 1,0,2;"),
        (SolveRequest(backend="dlx", rules=("connected=d",)), "the rules none, not connected=d;"),
        (SolveRequest(backend="dlx", given=("d@a1,a2",)), "the given none, not d@a1,a2;"),
    ],
)
def test_another_run_in_the_same_file_is_refused(tmp_path: Path, request_: Any, what: str) -> None:
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)
    begin(path, recipe, prepared, Limits())  # the same one is none
    with pytest.raises(RunFileError, match=what):
        begin(path, msgspec.structs.replace(recipe, request=request_), prepared, Limits())


def test_a_backend_that_has_changed_is_another_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = begun(tmp_path / "run.db", dominoes())
    monkeypatch.setattr(Dlx, "version", 2)
    with pytest.raises(RunFileError, match=r"another version of the method dlx \(1, not 2\)"):
        begin(tmp_path / "run.db", dominoes(), prepared, Limits())


def test_a_puzzle_file_may_go_but_what_it_names_may_not_change(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('name = "own"\nparts = [{ name = "a", box = [1, 2], count = 4 }]\n')
    source = tmp_path / "board.toml"
    source.write_text('name = "board"\nlattice = "square"\nregion = { box = [4, 2] }\nparts = [{ set = "own.toml" }]\n')
    begun(tmp_path / "run.db", recipe_of(str(source)))
    begun(tmp_path / "other.db", recipe_of(str(source)))
    source.unlink()
    assert go_on(tmp_path / "run.db").different > 0
    (tmp_path / "own.toml").write_text('name = "own"\nparts = [{ name = "a", box = [1, 4], count = 2 }]\n')
    with pytest.raises(RunFileError, match="the puzzle 'board' has changed since: its parts; choose another file"):
        go_on(tmp_path / "other.db")


def test_a_bare_problem_is_known_by_its_items(tmp_path: Path) -> None:
    problem = cover_problem([[0], [0, 1]], [(1, 1), (0, 1)])
    other = cover_problem([[0], [0, 1]], [(1, 1), (0, 2)])
    recipe = Recipe(CountRequest(backend="dlx"), "x", StoredFile("x.dlx", b"", ""))
    begin(tmp_path / "run.db", recipe, NamedProblem("x", problem, ("a", "b")), Limits())
    begin(tmp_path / "run.db", recipe, NamedProblem("x", problem, ("a", "b")), Limits())
    for changed, what in (
        (NamedProblem("x", problem, ("p", "q")), "its items"),
        (NamedProblem("x", other, ("a", "b")), "high of its problem"),
        (NamedProblem("y", problem, ("a", "b")), r"another cover problem \(x, not y\)"),
    ):
        with pytest.raises(RunFileError, match=what):
            begin(tmp_path / "run.db", recipe, changed, Limits())
