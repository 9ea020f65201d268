"""Counts that list nothing, kept in a file: whatever ends them, they go on to the same number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.backends.frontier import Orders, count_covers, orders_of
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.unlisted_count import swept
from latcover.errors import DamagedRunError, LatcoverError, RunFileError, TooLargeError
from latcover.lab.runs.control import go_on, search_in_file
from latcover.lab.runs.count_file import CountFile
from latcover.lab.runs.recipe import Recipe, StoredFile
from tests.command_line import run

UNLIMITED = 'count = "unlimited"'
DOMINOES = f'{{ name = "d", box = [1, 2], {UNLIMITED} }}'
SQUARES = f'{DOMINOES}, {{ name = "s", box = [2, 2], {UNLIMITED} }}'
PUZZLES = {
    "square": f'lattice = "square"\nregion = {{ box = [9, 10] }}\nparts = [{SQUARES}]\n',
    "cubic": 'lattice = "cubic"\nregion = { box = [3, 3, 4] }\n'
    f'parts = [{{ name = "d", box = [1, 1, 2], {UNLIMITED} }}]\n',
    "hexagonal": 'lattice = "hexagonal"\nregion = { hexagon = 4 }\n'
    f'parts = [{{ set = "trihexes", {UNLIMITED} }}, {{ name = "one", cells = [[0, 0]], {UNLIMITED} }}]\n',
    "triangular": 'lattice = "triangular"\nregion = { hexagon = 4 }\n'
    f'parts = [{{ name = "d", cells = [[0, 0, "up"], [0, 0, "down"]], {UNLIMITED} }}]\n',
}


def recipe(lattice: str) -> Recipe:
    content = f'name = "{lattice}-tiles"\n{PUZZLES[lattice]}'.encode()
    return Recipe(CountRequest(symmetry="none"), f"{lattice}-tiles", StoredFile("tiles.toml", content, ""))


def begun(path: Path, lattice: str = "square") -> tuple[CountFile, CoverProblem]:
    what = recipe(lattice)
    prepared = what.prepared()
    return CountFile.begin(path, what, prepared), swept(prepared.problem, prepared.sweeps())


def interrupted_and_whole(path: Path, problem: CoverProblem, orders: Orders, budget: Budget, pieces: int) -> set[int]:
    """Interrupt a count again and again, each time in a new session; where the file's states ended."""
    whole = count_covers(CountTask(problem), orders=orders)
    stops = set()
    for k in range(1, 100):
        budget = Budget(budget.most_bytes, budget.most_on_disk, budget.threads, CountFile(path))
        found = count_covers(CountTask(problem, budget=budget), orders=orders, most_work=k * whole.work // pieces)
        if found.stop is Stop.EXHAUSTED:
            break
        stops.add(path.stat().st_size)
    assert (found.covers, found.work, found.states, found.order) == (
        whole.covers,
        whole.work,
        whole.states,
        whole.order,
    )
    return stops


@pytest.mark.parametrize("lattice", PUZZLES)
def test_interrupted_at_many_layers(lattice: str, tmp_path: Path) -> None:
    _, problem = begun(tmp_path / "count.run", lattice)
    orders = orders_of(problem)
    one = Orders(orders.items[:1], orders.width)
    assert len(interrupted_and_whole(tmp_path / "count.run", problem, one, Budget(), 9)) > 3


def many_states(tmp_path: Path) -> tuple[CoverProblem, Orders]:
    """A board of 4 by 15, cell by cell in an order that is bad for it."""
    content = f'name = "d"\nlattice = "square"\nregion = {{ box = [4, 15] }}\nparts = [{DOMINOES}]\n'.encode()
    what = Recipe(CountRequest(symmetry="none"), "d", StoredFile("d.toml", content, ""))
    prepared = what.prepared()
    CountFile.begin(tmp_path / "count.run", what, prepared)
    return prepared.problem, Orders(np.arange(60, dtype=np.int32).reshape(4, 15).T.reshape(1, -1).copy(), 29)


@pytest.mark.parametrize(("most_bytes", "threads"), [(1 << 30, 2), (1 << 22, 1)])
def test_interrupted_within_layers_of_many_ranges(most_bytes: int, threads: int, tmp_path: Path) -> None:
    problem, order = many_states(tmp_path)
    budget = Budget(most_bytes, 1 << 30, threads)
    assert len(interrupted_and_whole(tmp_path / "count.run", problem, order, budget, 4)) > 1


def test_two_orders_that_still_race_are_both_kept(tmp_path: Path) -> None:
    problem, order = many_states(tmp_path)
    both = Orders(np.stack([order.items[0], order.items[0][::-1].copy()]), 29)
    interrupted_and_whole(tmp_path / "count.run", problem, both, Budget(), 5)


def test_more_memory_goes_on_with_what_too_little_has_counted(tmp_path: Path) -> None:
    problem, order = many_states(tmp_path)
    path = tmp_path / "count.run"
    with pytest.raises(TooLargeError):
        count_covers(CountTask(problem, budget=Budget(1 << 22, keeper=CountFile(path))), orders=order)
    assert CountFile(path).state()["share"] > 0
    found = count_covers(CountTask(problem, budget=Budget(keeper=CountFile(path))), orders=order)
    assert found.covers == count_covers(CountTask(problem)).covers


def stopped(path: Path) -> tuple[CoverProblem, int]:
    """A count that was interrupted in the middle; its right number."""
    file, problem = begun(path)
    one = Orders(orders_of(problem).items[:1], 0)
    whole = count_covers(CountTask(problem), orders=one)
    count_covers(CountTask(problem, budget=Budget(keeper=file)), orders=one, most_work=whole.work // 3)
    assert file.state()["share"] > 0
    return problem, whole.covers


def test_no_damaged_byte_gives_a_count(tmp_path: Path) -> None:
    path = tmp_path / "count.run"
    problem, right = stopped(path)
    orders = Orders(orders_of(problem).items[:1], 0)
    good = path.read_bytes()
    damages = [good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1 :] for at in range(0, len(good), 29)]
    damages += [good[:-1], good[:-8], good + b"\0", good + bytes(8), good[: len(good) // 2]]
    for bad in damages:
        path.write_bytes(bad)
        with pytest.raises(RunFileError, match="damaged"):
            count_covers(CountTask(problem, budget=Budget(keeper=CountFile(path))), orders=orders)
    path.write_bytes(good)
    assert count_covers(CountTask(problem, budget=Budget(keeper=CountFile(path))), orders=orders).covers == right


def test_states_of_another_count_are_refused(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.run", tmp_path / "other.run"
    problem, _ = stopped(mine)
    other_file, other_problem = begun(other, "triangular")
    one = Orders(orders_of(other_problem).items[:1], 0)
    count_covers(CountTask(other_problem, budget=Budget(keeper=other_file)), orders=one, most_work=1000)
    states = other.read_bytes().split(b"\n", 3)[3]
    mine.write_bytes(b"\n".join([*mine.read_bytes().split(b"\n", 3)[:3], states]))
    with pytest.raises(DamagedRunError, match="states"):
        count_covers(
            CountTask(problem, budget=Budget(keeper=CountFile(mine))), orders=Orders(orders_of(problem).items[:1], 0)
        )
    with pytest.raises(RunFileError, match="another puzzle"):
        in_file(mine, "triangular")


def in_file(path: Path, lattice: str = "square", **options: Any) -> SearchResult:
    what = recipe(lattice)
    request = CountRequest(symmetry=options.pop("symmetry", "none"), **options)
    return search_in_file(path, what.file, Recipe(request, what.puzzle, what.file).prepared(), request)


def test_states_of_another_problem_are_not_taken(tmp_path: Path) -> None:
    file, problem = begun(tmp_path / "count.run")
    one = Orders(orders_of(problem).items[:1], 0)
    count_covers(CountTask(problem, budget=Budget(keeper=file)), orders=one, most_work=10_000)
    backwards = Orders(one.items[:, ::-1].copy(), 0)
    assert (
        count_covers(CountTask(problem, budget=Budget(keeper=file)), orders=backwards).covers
        == count_covers(CountTask(problem)).covers
    )


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path / "count.run")
    monkeypatch.setattr("latcover.core.cover.question.this_version", lambda: "9.9")
    with pytest.raises(RunFileError, match=r"it was made by latcover .*, and this is 9\.9"):
        in_file(tmp_path / "count.run")


def test_an_end_while_writing_keeps_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "count.run"
    problem, right = stopped(path)
    before, orders = path.read_bytes(), Orders(orders_of(problem).items[:1], 0)

    def fails(_: int) -> None:
        raise OSError("the power failed")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="power"):
        count_covers(CountTask(problem, budget=Budget(keeper=CountFile(path))), orders=orders, most_work=1)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert count_covers(CountTask(problem, budget=Budget(keeper=CountFile(path))), orders=orders).covers == right


def test_another_process_that_counts_too_ends_this_one(tmp_path: Path) -> None:
    path = tmp_path / "count.run"
    problem, _ = stopped(path)
    mine, orders = CountFile(path), Orders(orders_of(problem).items[:1], 0)
    CountFile(path).keep("", 0.0, lambda *_: True)
    with pytest.raises(RunFileError, match="another process"):
        count_covers(CountTask(problem, budget=Budget(keeper=mine)), orders=orders, most_work=1)


def test_problems_that_are_done_are_not_counted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add, path = CountFile.add, tmp_path / "count.run"

    def once(file: CountFile, key: str, found: SearchResult) -> None:
        add(file, key, found)
        raise LatcoverError("interrupted")

    monkeypatch.setattr(CountFile, "add", once)
    for problems in (1, 2):
        with pytest.raises(LatcoverError, match="interrupted"):
            in_file(path, symmetry="all")
        assert CountFile(path).state()["problems"] == problems
    monkeypatch.undo()
    found = go_on(path)
    whole = count(recipe("square").subject())
    assert (found.different, found.total, found.complete) == (whole.different, whole.total, True)
    monkeypatch.setattr("latcover.lab.runs.count_file.count_prepared", None)
    assert go_on(path).total == whole.total


CHILD = """
import os, signal, sys
from pathlib import Path
from latcover.lab.runs.control import go_on
from latcover.lab.runs.count_file import CountFile

write, left = CountFile._write, [int(sys.argv[2])]
CountFile.seconds = 1e-9

def killed(file, head, append=None):
    def appended(path, seed):
        done = append(path, seed)
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    write(file, head, append and appended)

CountFile._write = killed
print(go_on(Path(sys.argv[1])).total)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill so")
def test_killed_while_it_writes(tmp_path: Path) -> None:
    path = tmp_path / "count.run"
    content = f'name = "d"\nlattice = "square"\nregion = {{ box = [16, 16] }}\nparts = [{SQUARES}]\n'.encode()
    what = Recipe(CountRequest(symmetry="none", method="frontier"), "d", StoredFile("d.toml", content, ""))
    CountFile.begin(path, what, what.prepared())
    sizes = {path.stat().st_size}
    for _ in range(3):
        child = subprocess.run([sys.executable, "-c", CHILD, str(path), "2"], capture_output=True, check=False)
        assert child.returncode == -signal.SIGKILL, child.stderr
        sizes.add(path.stat().st_size)
    assert len(sizes) > 2
    assert go_on(path).total == count(what.subject(), CountRequest(symmetry="none", method="frontier")).total


def test_from_the_command_line(tmp_path: Path) -> None:
    puzzle, path = tmp_path / "tiles.toml", tmp_path / "count.run"
    puzzle.write_bytes(recipe("square").file.content)
    cut = run("count", puzzle, "--run", path, "--time", "0")
    assert cut.returncode == 3
    assert f"latcover runs resume {path}" in cut.stdout
    assert "interrupted" in run("runs", "status", path).stdout
    assert run("runs", "resume", path, "--limit", "3").returncode == 1
    assert "keeps no solutions" in run("runs", "solutions", path).stderr
    whole = run("count", puzzle).stdout.splitlines()[0]
    assert run("runs", "resume", path).stdout.splitlines()[0] == whole
    assert run("count", puzzle, "--run", path, "--method", "frontier").stdout.splitlines()[0] == whole
    assert "done" in run("runs", "status", path).stdout
    assert "holds a count without a list" in run("count", puzzle, "--run", path, "--method", "enumeration").stderr
    listing = tmp_path / "listing.run"
    run("count", puzzle, "--run", listing, "--method", "enumeration", "--time", "0")
    assert "choose another file" in run("count", puzzle, "--run", listing, "--method", "frontier").stderr
