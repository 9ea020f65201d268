"""Proofs that there is no solution: each is checked by unit propagation in another solver, and by drat-trim."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.puzzle import Bounds, Puzzle, Region, as_cells
from latcover.errors import BackendFailedError, InternalError, PuzzleError
from latcover.files.formats.library import load, load_subject
from latcover.lab.asking import proofs
from latcover.lab.asking.proofs import Proof, ProofClock, clauses_beside, prove, refute_checked
from tests.command_line import FAILED, USAGE, run, start
from tests.dice import cases
from tests.oracle import any_coloured_problem, any_problem, cover_problem, covers, given
from tests.processes import GUARD, needs_proc, sizes_open_in, wait_until
from tests.rup import lemmas, refutes

FULL, REDUCED = Choices(symmetry="none"), Choices(symmetry="all")
UNBALANCED, BALANCED = "pent-10x6-eight-moved", "pent-10x6-four-moved"


def named(problem: CoverProblem) -> NamedProblem:
    return NamedProblem("bare", problem, tuple(f"i{k}" for k in range(problem.n_items)), ("A", "B"))


def proved(subject: Prepared | NamedProblem, folder: Path) -> Proof:
    found = prove(subject, folder / "file.drat")
    assert isinstance(found, Proof)
    return found


def pigeons(folder: Path) -> Path:
    """A bare problem that no solver of clauses ends soon: twelve pigeons and eleven holes."""
    birds, holes = [f"p{k}" for k in range(12)], [f"h{k}" for k in range(11)]
    path = folder / "pigeons.dlx"
    rows = [f"{bird} {hole}" for bird in birds for hole in holes]
    path.write_text("\n".join([f"{' '.join(birds)} | {' '.join(holes)}", *rows, ""]))
    return path


# ---- proofs hold


@pytest.mark.parametrize(
    ("name", "choices"),
    [(UNBALANCED, FULL), (UNBALANCED, REDUCED), pytest.param(BALANCED, FULL, marks=pytest.mark.long)],
)
def test_every_lemma_follows_by_unit_propagation(name: str, choices: Choices, tmp_path: Path) -> None:
    proof = proved(prepare(load(name), choices), tmp_path)
    assert refutes(proof.clauses, proof.proof)
    assert proof.lemmas == len(list(lemmas(proof.proof)))
    assert proof.size == proof.proof.stat().st_size
    assert sorted(tmp_path.iterdir()) == [proof.clauses, proof.proof]


@pytest.mark.parametrize("name", [UNBALANCED, BALANCED])
def test_drat_trim_accepts_them(name: str, tmp_path: Path) -> None:
    if shutil.which("drat-trim") is None:
        pytest.skip("drat-trim is not installed")
    proof = proved(prepare(load(name), FULL), tmp_path)
    done = subprocess.run(["drat-trim", proof.clauses, proof.proof], capture_output=True, text=True, check=False)
    assert "s VERIFIED" in done.stdout


def hard() -> Puzzle:
    """Pentominoes on a board of 10 by 6 with four cells moved: a search of some length."""
    full = {(x, y) for x in range(10) for y in range(6)}
    cells = full - {(0, 5), (1, 4), (2, 0), (2, 3)} | {(-1, 4), (4, -1), (5, -1), (9, 6)}
    region = Region(as_cells([(0, *cell) for cell in sorted(cells)], 2))
    return replace(load("pent-10x6"), name="hard", region=region)


@pytest.mark.long
def test_a_long_proof(tmp_path: Path) -> None:
    proof = proved(prepare(hard(), FULL), tmp_path)
    assert proof.lemmas > 10_000
    assert refutes(proof.clauses, proof.proof)


def test_what_was_dropped_is_missed(tmp_path: Path) -> None:
    """The checker can say no: the empty clause alone does not follow, nor anything where cells may stay empty."""
    proof = proved(prepare(load(UNBALANCED), FULL), tmp_path)
    empty, other = tmp_path / "empty.drat", tmp_path / "other.cnf"
    empty.write_text("0\n")
    lines = proof.clauses.read_text("ascii").splitlines(keepends=True)
    other.write_text("".join(line for line in lines if line.startswith(("c", "p", "-"))))
    assert not refutes(proof.clauses, empty)
    assert not refutes(other, proof.proof)


@cases(3, problem=given(any_problem))
def test_problems_without_covers_are_those_with_a_proof(problem: CoverProblem, tmp_path_factory: Any) -> None:
    check(problem, tmp_path_factory.mktemp("proof"))


@cases(4, problem=any_coloured_problem)
@pytest.mark.long
def test_proofs_hold_with_colours(problem: CoverProblem, tmp_path_factory: Any) -> None:
    check(problem, tmp_path_factory.mktemp("proof"))


@pytest.mark.parametrize(
    "problem",
    [
        cover_problem([], [(1, 1)]),
        cover_problem([[0], [0]], [(1, 1), (1, 2)]),
        cover_problem([[0, 1], [1, 2], [0, 2]], [(1, 1)] * 3),
        cover_problem([[0, 1], [0, 2], [1, 2]], [(2, 2), (0, 2), (3, 3)]),
    ],
    ids=["no option", "an item without options", "odd", "bounds"],
)
def test_small_problems(problem: CoverProblem, tmp_path: Path) -> None:
    assert not covers(problem)
    check(problem, tmp_path)


def check(problem: CoverProblem, folder: Path) -> None:
    """There is a proof, and it holds; it lists as many covers as brute force finds."""
    proof = proved(named(problem), folder)
    assert proof.listed == len(covers(problem))
    if proof.listed:
        assert refutes(proof.clauses, proof.proof)
        text = proof.clauses.read_text("ascii").splitlines(keepends=True)
        for k in {0, proof.listed - 1}:  # without the clause of a solution, nothing is to be proved
            other = folder / "other.cnf"
            other.write_text("".join(text[: len(text) - k - 1] + text[len(text) - k :]))
            assert not refutes(other, proof.proof)
    else:
        assert refutes(proof.clauses, proof.proof)


# ---- the command


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], marks=pytest.mark.long),
        ["--symmetry", "all"],
        pytest.param(["--symmetry", "rotations", "--reduction", "paper"], marks=pytest.mark.long),
    ],
)
def test_the_clauses_are_those_of_export(options: list[str], tmp_path: Path) -> None:
    path, again = tmp_path / "x.drat", tmp_path / "again.cnf"
    done = run("solve", UNBALANCED, "--proof", path, *options)
    assert done.returncode == 0
    assert run("export", UNBALANCED, "--output", again, *options).returncode == 0
    assert (tmp_path / "x.cnf").read_bytes() == again.read_bytes()
    assert refutes(again, path)
    assert done.stdout.startswith(f"{UNBALANCED}: no solution, by a proof of ")
    assert ("The proof does not show" in done.stdout) == bool(options)
    assert "38 black cells and 22 white cells" in done.stderr


@pytest.mark.long
def test_a_proof_as_json(tmp_path: Path) -> None:
    path = tmp_path / "x.drat"
    done = run("solve", UNBALANCED, "--proof", path, "--json", "-q")
    summary = json.loads(done.stdout)["summary"]
    assert (summary["complete"], summary["total"], summary["symmetry"]) == (True, 0, "none")
    assert (summary["proof"], summary["clauses"]) == (str(path), str(tmp_path / "x.cnf"))
    assert summary["lemmas"] == len(list(lemmas(path)))
    assert [reason["argument"] for reason in summary["reasons"]] == ["colouring"]
    assert done.stderr == ""


def test_a_list_of_solutions_is_proved_complete(tmp_path: Path) -> None:
    done = run("solve", "fig4-3x3", "--proof", tmp_path / "x.drat", "--sat-exit-codes")
    assert done.returncode == 10
    assert "no solution but the 16 that were found" in done.stdout
    assert "forbid one listed solution each" in (tmp_path / "x.cnf").read_text("ascii")
    assert refutes(tmp_path / "x.cnf", tmp_path / "x.drat")
    done = run("solve", "fig4-3x3", "--proof", tmp_path / "x.drat", "--json")
    assert json.loads(done.stdout)["summary"]["listed"] == 16


def test_a_solution_that_the_list_lacks_is_our_defect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = proofs._forbidding
    monkeypatch.setattr(proofs, "_forbidding", lambda *words: whole(*words)[1:])  # type: ignore[index]
    with pytest.raises(InternalError, match="has missed one"):
        prove(prepare(load("fig4-3x3"), FULL), tmp_path / "x.drat")
    assert not list(tmp_path.iterdir())


def test_too_many_solutions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MOST_LISTED", 15)
    old = tmp_path / "x.drat"
    old.write_text("of an earlier day")
    done = run("solve", "fig4-3x3", "--proof", old)
    assert (done.returncode, done.stdout) == (1, "")
    assert "more than 15 solutions" in done.stderr
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_text() == "of an earlier day"


@pytest.mark.parametrize("seconds", ["0", "0.5"])
def test_a_limit_of_time_leaves_nothing(seconds: str, tmp_path: Path) -> None:
    problem = pigeons(tmp_path)
    done = run("solve", problem, "--proof", tmp_path / "x.drat", "--time", seconds)
    assert done.returncode == 3
    assert "neither a solution nor a proof" in done.stdout
    assert list(tmp_path.iterdir()) == [problem]
    done = run("solve", problem, "--proof", tmp_path / "x.drat", "--time", seconds, "--json")
    summary = {"puzzle": "pigeons", "symmetry": "none", "complete": False, "stop": "time limit"}
    assert json.loads(done.stdout) == {"summary": summary}


@pytest.mark.long
@needs_proc
def test_an_interrupt_leaves_no_proof_behind(tmp_path: Path) -> None:
    problem = pigeons(tmp_path)
    running = start("solve", problem, "--proof", tmp_path / "x.drat")
    wait_until(lambda: sum(map(bool, sizes_open_in(tmp_path, running.pid))) == 2)  # the clauses and the proof
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate(timeout=GUARD)
    assert running.returncode == 3
    assert "cancelled" in output
    assert list(tmp_path.iterdir()) == [problem]


REFUSED = [
    ["--backend", "dlx"],
    ["--limit", "1"],
    ["--max-branches", "9"],
    ["--threads", "1"],
    ["--strand"],
    ["--no-size"],
    ["--stranding", "sums"],
    ["-o", "log=true"],
    ["--images"],
    ["--no-color"],
    ["--run", "run.sqlite"],
    ["--cluster", "local"],
    ["--order", "1,0"],
]


@pytest.mark.parametrize("option", REFUSED, ids=lambda option: option[0])
def test_options_that_mean_nothing_to_a_proof(option: list[str], tmp_path: Path) -> None:
    done = run("solve", UNBALANCED, "--proof", tmp_path / "x.drat", *option)
    name = {"-o": "--option"}.get(option[0], option[0])
    assert done.returncode == FAILED
    assert f"{name} does not go with --proof" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_pivot_needs_a_symmetry(tmp_path: Path) -> None:
    assert run("solve", UNBALANCED, "--proof", tmp_path / "x.drat", "--pivot", "X").returncode == USAGE


@pytest.mark.parametrize(
    ("place", "message"),
    [("x.cnf", "another suffix"), ("none/x.drat", "there is no folder"), (".", "not an ordinary file")],
)
def test_places_where_nothing_can_be_written(place: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=message):
        prove(prepare(load(UNBALANCED)), tmp_path / place)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["", ".", "/"])
def test_a_place_without_a_name(place: str) -> None:
    with pytest.raises(PuzzleError, match="names no file"):
        clauses_beside(Path(place))


@pytest.mark.long
def test_a_full_disk(tmp_path: Path) -> None:
    """In place of one, files may not grow."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "x.drat"
    program = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, {resource.RLIM_INFINITY}))\n"
        "from latcover.apps.cli.main import main\n"
        f"sys.argv = ['latcover', 'solve', {UNBALANCED!r}, '--proof', {str(path)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: cannot write {path.with_suffix('.cnf')}: ")
    assert not list(tmp_path.iterdir())


# ---- what can go wrong below


def test_a_proof_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def full(path: Path) -> Iterator[None]:
        if path.suffix == ".drat":
            raise PuzzleError(f"cannot write {path}: No space left on device")
        yield

    monkeypatch.setattr(proofs, "_writing", full)
    with pytest.raises(PuzzleError, match="No space left"):
        prove(prepare(load(UNBALANCED)), tmp_path / "x.drat")
    assert not list(tmp_path.iterdir())


def test_a_solver_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(BackendFailedError, match="ended with exit code 1 before its proof was complete"):
        prove(prepare(load(UNBALANCED)), tmp_path / "x.drat")
    assert not list(tmp_path.iterdir())


def test_a_solution_that_is_none_is_our_defect() -> None:
    prepared = prepare(load("soma"), FULL)
    with pytest.raises(InternalError, match="fails its check"):
        proofs._has_solutions(prepared, [1, 2, 3])


def test_progress_is_told_and_may_end_it(tmp_path: Path) -> None:
    told: list[Progress] = []

    def tell(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 4

    subject = load_subject(str(pigeons(tmp_path)), Bounds())
    assert isinstance(subject, NamedProblem)
    assert prove(subject, tmp_path / "x.drat", on_progress=tell) is Stop.CANCELLED
    assert len(told) == 4
    assert [t.seconds for t in told] == sorted(t.seconds for t in told)
    assert list(tmp_path.iterdir()) == [tmp_path / "pigeons.dlx"]


def test_the_check_of_clauses_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds after that counts for nothing."""
    monkeypatch.setattr(proofs, "PATIENCE", 0)
    seen: list[str] = []

    def faults_of(lines: Iterable[str]) -> list[str]:
        seen.extend(lines)
        return ["it has not seen all lines"]

    clock = ProofClock(None, lambda _: len(seen) < 5)
    found = refute_checked([b"1 0\n" * 1_000], faults_of, tmp_path / "x.drat", lambda _: AssertionError(), clock)
    assert found is Stop.CANCELLED
    assert len(seen) == 5
    assert not list(tmp_path.iterdir())
