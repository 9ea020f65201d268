"""Files of runs that accidents or other programs have changed: they are refused, or give the right count."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.errors import DamagedRunError, LatcoverError
from latcover.lab.runs.audit import audit
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.export import intact_solutions_of
from latcover.lab.runs.recipe import Recipe, Task
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.seals import Seals
from latcover.lab.runs.thread_crew import Orders, Pace
from tests.command_line import FAILED, run
from tests.dice import TIMES
from tests.run_files import DIFFERENT, TOTAL, change_at_random, dominoes, flip_at_random, reseal, spoil

ANSWERS: dict[str, Any] = {"different": DIFFERENT, "total": TOTAL, "complete": True}
RECIPES: dict[Task, Recipe] = {"solve": dominoes("solve"), "count": dominoes("count")}


@pytest.fixture(scope="module")
def half_done(tmp_path_factory: pytest.TempPathFactory) -> dict[Task, Path]:
    """Files of runs that were ended before their time: with jobs cut, done, and pending that have solutions."""
    made = {}
    for task, recipe in RECIPES.items():
        path = tmp_path_factory.mktemp("runs") / f"{task}.db"
        prepared = recipe.prepared()
        begin(path, recipe, prepared, Limits())
        go_on(path, Orders(1, Limits(14), pace=Pace(at_first=6)), prepared=prepared)
        with RunFile(path) as file:
            audit(file)
            states = {row["state"] for row in file.rows("SELECT state FROM jobs")}
            assert states == {"cut", "done", "pending"}
        made[task] = path
    return made


def gone_on(path: Path, recipe: Recipe) -> SearchResult:
    return go_on(path, Orders(1, Limits(1000)), prepared=recipe.prepared())


def require_refused_or_right(path: Path, recipe: Recipe, what: str) -> bool:
    """Whether a changed file is refused; else its answer must be right, and its solutions all there."""
    try:
        answer = gone_on(path, recipe)
        assert {name: getattr(answer, name) for name in ANSWERS} == ANSWERS, what
        with RunFile(path) as file:
            audit(file)
            assert len(list(file.solutions())) == (DIFFERENT if recipe.task == "solve" else 0), what
    except LatcoverError:
        return True
    return False


@pytest.mark.parametrize("task", ["solve", "count"])
@pytest.mark.parametrize(("change", "tries"), [(change_at_random, 25), (flip_at_random, 15)])
def test_a_changed_file_is_refused_or_gives_the_right_count(
    task: Task, change: Any, tries: int, half_done: dict[Task, Path], tmp_path: Path
) -> None:
    chance = random.Random(f"{task} {change.__name__}")
    refused = 0
    for number in range(tries * TIMES["as many"]):
        path = tmp_path / f"{number}.db"
        shutil.copy(half_done[task], path)
        what = change(path, chance)
        refused += require_refused_or_right(path, RECIPES[task], what)
        path.unlink()
    assert refused  # though many bytes of the file are of no use


@pytest.mark.parametrize("task", ["solve", "count"])
def test_a_file_that_nothing_is_wrong_with_gives_the_right_count(
    task: Task, half_done: dict[Task, Path], tmp_path: Path
) -> None:
    shutil.copy(half_done[task], tmp_path / "run.db")
    assert not require_refused_or_right(tmp_path / "run.db", RECIPES[task], "nothing")


LAST = "(SELECT max(id) FROM jobs WHERE state = 'pending')"
DONE = "(SELECT max(id) FROM jobs WHERE state = 'done' AND different > 0)"
DAMAGE = [
    (f"DELETE FROM jobs WHERE id = {LAST}", "the table 'jobs' has .* rows, and .* were written|job .* pieces"),
    (f"UPDATE jobs SET state = 'done' WHERE id = {LAST}", "row .* of the table 'jobs' is not what was written"),
    (f"UPDATE jobs SET chosen = '[]' WHERE id = {LAST}", "row .* of the table 'jobs' is not what was written"),
    (f"UPDATE jobs SET different = different + 1 WHERE id = {DONE}", "row .* of the table 'jobs'"),
    (f"UPDATE jobs SET total = total + 1 WHERE id = {DONE}", "row .* of the table 'jobs'"),
    (f"UPDATE jobs SET share = share / 2 WHERE id = {LAST}", "row .* of the table 'jobs'"),
    ("UPDATE solutions SET orbit = orbit + 1 WHERE number = 1", "row 1 of the table 'solutions'"),
    (
        "UPDATE solutions SET choices = (SELECT choices FROM solutions WHERE number = 2)",
        "row 1 of the table 'solutions'",
    ),
    ("DELETE FROM solutions WHERE number = (SELECT max(number) FROM solutions)", "the table 'solutions' has 13 rows"),
    ("DELETE FROM solutions WHERE number = 1", "row number 1 is missing in the table 'solutions'"),
    ("INSERT INTO solutions SELECT 15, job, orbit, choices, seal FROM solutions LIMIT 1", "row 15 .* 'solutions'"),
    (
        "UPDATE solutions SET number = 99 WHERE number = 1; UPDATE solutions SET number = 1 WHERE number = 2; "
        "UPDATE solutions SET number = 2 WHERE number = 99",
        "row 1 of the table 'solutions'",
    ),
    ("DELETE FROM placements", "the table 'placements' has 0 rows"),
    ("DELETE FROM totals", "it does not say how many rows its tables have"),
    ("UPDATE totals SET jobs_sum = 7", "the rows of the table 'jobs' are not those that were written"),
    ("UPDATE run SET most_solutions = 1", "what it says of the run was changed"),
]


@pytest.mark.parametrize(("statement", "complaint"), DAMAGE)
def test_what_is_wrong_is_named(statement: str, complaint: str, half_done: dict[Task, Path], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    shutil.copy(half_done["solve"], path)
    spoil(path, statement)
    with pytest.raises(DamagedRunError, match=rf"run\.db: is damaged: .*{complaint}"):
        gone_on(path, RECIPES["solve"])


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (f"DELETE FROM jobs WHERE id = {LAST}", "job 1 should have 6 pieces, and has 5|its shares|the shares"),
        (f"UPDATE jobs SET share = 0 WHERE id = {LAST}", "the shares of its jobs add up to 0.75.* not to 1"),
        (f"UPDATE jobs SET parent = NULL WHERE id = {LAST}", "is not a piece of a job before it"),
        (f"UPDATE jobs SET parent = {LAST} WHERE id = 3", "is not a piece of a job before it|should have"),
        (
            f"UPDATE jobs SET different = different + 1 WHERE id = {DONE}",
            "says that it has .* solutions, and .* is right",
        ),
        (f"UPDATE jobs SET total = total + 1 WHERE id = {DONE}", "says that it has .* solutions in all, and"),
        (f"UPDATE jobs SET digest = '0123456789abcdef' WHERE id = {DONE}", "solutions with the fingerprint"),
        (f"DELETE FROM solutions WHERE job = {DONE}", "says that it has|is missing"),
        ("UPDATE solutions SET job = 99 WHERE number = 1", "a solution is of a job that is not there"),
        ("DELETE FROM placements", "it does not describe placement"),
    ],
)
def test_rows_that_contradict_each_other_are_refused_whatever_their_seals(
    statement: str, complaint: str, half_done: dict[Task, Path], tmp_path: Path
) -> None:
    path = tmp_path / "run.db"
    shutil.copy(half_done["solve"], path)
    spoil(path, statement)
    reseal(path)
    with pytest.raises(DamagedRunError, match=complaint):
        gone_on(path, RECIPES["solve"])


SLABS = """name = "slabs"
lattice = "cubic"
region = { box = [2, 2, 2] }
parts = [{ name = "A", box = [1, 2, 2] }, { name = "C", box = [1, 1, 2], count = 2 }]
"""


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DELETE FROM assemblies WHERE number = 1", "the table 'assemblies' has"),
        ("INSERT INTO assemblies SELECT 99, described, seal FROM assemblies WHERE number = 1", "row 99 of the table"),
        ("UPDATE assemblies SET described = replace(described, 'apart', 'stuck')", "row 1 of the table 'assemblies'"),
        ("UPDATE run SET apart = NULL", "what it says of the run was changed"),
        ("UPDATE run SET apart = json_set(apart, '$.facts.latcover', '1')", "what it says of the run was changed"),
    ],
)
def test_disassemblies_that_were_changed_are_refused(statement: str, complaint: str, tmp_path: Path) -> None:
    path, puzzle = tmp_path / "run.db", tmp_path / "slabs.toml"
    puzzle.write_text(SLABS)
    words = ("apart", puzzle, "--symmetry", "none", "--run", path)
    for _ in range(2):
        assert "12 come apart, 0 cannot by sliding (complete)" in run(*words).stdout
    spoil(path, statement)
    done = run(*words)
    assert (done.returncode, f"is damaged: {complaint}" in done.stderr) == (FAILED, True), done.stderr


def test_seals_are_the_same_on_every_machine() -> None:
    """A file may be gone on with by another Python."""
    row = (7, None, "text, also ä and \U0001f9e9", b"bytes", 0.1, 2.0, 1e300, 0, -1, 1 << 31, 1 << 61)
    assert Seals("0123456789abcdef").of("jobs", row) == 3355418160718262712
    assert Seals("0123456789abcdef").of("jobs", (1.0,)) != Seals("0123456789abcdef").of("jobs", (1,))


def test_rows_of_another_run_are_refused(half_done: dict[Task, Path], tmp_path: Path) -> None:
    """Even of one that was begun alike, and has come as far."""
    path = tmp_path / "run.db"
    prepared = RECIPES["solve"].prepared()
    begin(path, RECIPES["solve"], prepared, Limits())
    go_on(path, Orders(1, Limits(14), pace=Pace(at_first=6)), prepared=prepared)
    spoil(path, f"ATTACH '{half_done['solve']}' AS other; DELETE FROM jobs; INSERT INTO jobs SELECT * FROM other.jobs")
    with pytest.raises(DamagedRunError, match="row 1 of the table 'jobs' is not what was written"):
        gone_on(path, RECIPES["solve"])


def test_intact_solutions_of_a_damaged_file_can_be_had(half_done: dict[Task, Path], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    shutil.copy(half_done["solve"], path)
    spoil(path, "UPDATE solutions SET choices = '[0, 1]' WHERE number = 3; DELETE FROM solutions WHERE number = 5")
    with RunFile(path) as file:
        assert [solution.number for solution in intact_solutions_of(file)] == [1, 2, 4, *range(6, 15)]
    done = run("runs", "solutions", path, "--json")
    assert done.returncode == FAILED
    assert [json.loads(line)["number"] for line in done.stdout.splitlines()] == [1, 2, 4, *range(6, 15)]
    warning, error = done.stderr.splitlines()
    assert warning.startswith(f"warning: {path}: is damaged: row 3 of the table 'solutions'")
    words = "the intact solutions were given, each verified; others may be missing"
    assert error == f"error: {path}: is damaged: {words}"


def test_the_audit_sees_one_state_while_another_process_writes(half_done: dict[Task, Path], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    shutil.copy(half_done["solve"], path)
    with RunFile(path) as file, file.snapshot():
        before = file.figures()
        gone_on(path, RECIPES["solve"])
        audit(file)
        assert file.figures() == before
    with RunFile(path) as file:
        assert file.figures().result.different == DIFFERENT


def test_a_row_that_is_changed_during_a_session_is_noticed(half_done: dict[Task, Path], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    shutil.copy(half_done["solve"], path)
    with pytest.raises(DamagedRunError):
        go_on(
            path,
            Orders(1, Limits(1000), pace=Pace(seconds=0.0, trial=0.0)),
            on_solution=lambda _: _spoilt(path),
            prepared=RECIPES["solve"].prepared(),
        )


def _spoilt(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE jobs SET covers = covers + 1")
