"""Certificates of counts: a checker that knows nothing of latcover finds the number of brute force, or refuses."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import _native
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.solving.count import CountRequest, count_prepared
from latcover.errors import InternalError, PuzzleError
from latcover.files.formats.library import load
from latcover.lab.asking.certificates import Certificate, certify, certify_count, problem_beside
from tests import puzzle_oracle
from tests.certificates import any_certificate, call, sealed, write_problem
from tests.command_line import FAILED, LIMIT, run, run_process
from tests.dice import Seeded, cases
from tests.oracle import cover_problem, covers, either_problem, given
from tests.random_puzzles import any_puzzle

HELD, REFUSED, UNREADABLE = 0, 1, 2
MOST_BRANCHES = 300


def named(problem: CoverProblem) -> NamedProblem:
    return NamedProblem("bare", problem, tuple(f"i{k}" for k in range(problem.n_items)), ("A", "B"))


def checked(made: Certificate | Stop) -> dict[str, int]:
    """What the checker finds."""
    assert isinstance(made, Certificate)
    code, out, err = call("check_count", made.problem, made.certificate)
    assert (code, err) == (HELD, ""), err
    words = out.split()
    return {key: int(number) for key, number in zip(words[::2], words[1::2], strict=True)}


def verdict(problem: Path, text: bytes) -> tuple[int, str]:
    """The exit code for a certificate of this text, and what is printed."""
    path = problem.with_suffix(".count")
    path.write_bytes(text)
    code, out, err = call("check_count", problem, path)
    return code, out + err


# ---- the number is that of brute force


@cases(25, problem=given(either_problem))
def test_bare_problems_are_certified(problem: CoverProblem, tmp_path_factory: Any) -> None:
    made = certify(named(problem), tmp_path_factory.mktemp("certificate") / "bare.count")
    assert checked(made)["covers"] == len(covers(problem))


@cases(25, problem=either_problem, seed=lambda dice: dice.below(1000))
def test_any_tree_gives_the_number(problem: CoverProblem, seed: int, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("tree") / "any.json"
    head = write_problem(problem, path)
    code, said = verdict(path, sealed(head + any_certificate(problem, Seeded(seed))))
    assert (code, said) == (HELD, f"covers {len(covers(problem))}\n")


@cases(25, problem=either_problem, dice=lambda dice: dice.shuffled(range(7)))
def test_any_order_gives_the_number(problem: CoverProblem, dice: list[int], tmp_path_factory: Any) -> None:
    order = [item for item in dice if item < problem.n_items]
    bound = native(problem)
    swept = bound.sweep(np.array(order, np.int32), chosen=-1, limbs=1, most_bytes=10**7, **UNLIMITED)
    head = write_problem(problem, path := tmp_path_factory.mktemp("sweep") / "any.json")
    body = f"sweep all\n{' '.join(map(str, order))}\nend {swept.covers} {swept.states}\ncovers {swept.covers}\n"
    assert verdict(path, sealed(head + body)) == (HELD, f"covers {len(covers(problem))}\n")


UNLIMITED: dict[str, Any] = {"most_states": None, "max_seconds": None, "on_progress": None}


def native(problem: CoverProblem) -> _native.CertifiedProblem:
    return _native.CertifiedProblem(
        problem.option_starts, problem.option_items, problem.option_colours, problem.low, problem.high
    )


@cases(25, problem=either_problem)
def test_trees_with_parts_and_memory_give_the_number(problem: CoverProblem, tmp_path_factory: Any) -> None:
    pieces: list[bytes] = []
    tree = native(problem).tree(chosen=-1, splits=True, most_remembered=9, on_text=pieces.append, **UNLIMITED)
    head = write_problem(problem, path := tmp_path_factory.mktemp("parts") / "any.json")
    body = f"tree all\n{b''.join(pieces).decode()}end {tree.covers} {tree.states}\ncovers {tree.covers}\n"
    assert verdict(path, sealed(head + body)) == (HELD, f"covers {len(covers(problem))}\n")


@cases(8, puzzle=any_puzzle)
def test_puzzles_are_certified_with_their_symmetries(puzzle: Puzzle, tmp_path_factory: Any) -> None:
    prepared = prepare(puzzle, fits=False)
    counted = count_prepared(prepared, limits=Limits(branches=MOST_BRANCHES))
    if not counted.complete:
        return  # it has too many solutions for brute force
    made = certify_count(prepared, tmp_path_factory.mktemp("certificate") / "puzzle.count", counted)
    found = checked(made)
    assert found["covers"] == len(puzzle_oracle.solutions(puzzle))
    assert isinstance(made, Certificate)
    assert found.get("different") == made.different


@pytest.mark.parametrize("name", ["example-2x2", "soma", "ice-torus:3", "aztec-squares:3", "fig4-3x3"])
def test_shipped_puzzles_are_certified(name: str, tmp_path: Path) -> None:
    prepared = prepare(load(name))
    found, counted = checked(certify(prepared, tmp_path / "x.count")), count_prepared(prepared)
    assert (found["covers"], found["different"]) == (counted.total, counted.different)
    assert found["symmetries"] == prepared.acting


def test_rotations_alone_are_another_group(tmp_path: Path) -> None:
    found = checked(certify(prepare(load("soma"), Choices("rotations")), tmp_path / "x.count"))
    assert found == {"covers": 11520, "different": 480, "symmetries": 24}


def test_options_without_items_double_the_number(tmp_path: Path) -> None:
    head = write_problem(cover_problem([[], [0], []], [(1, 1)]), tmp_path / "x.json")
    assert verdict(tmp_path / "x.json", sealed(f"{head}tree all\n0\nend 4 1\ncovers 4\n"))[0] == HELD


def test_an_item_may_be_held_very_often(tmp_path: Path) -> None:
    """A checker that stores counts in sixteen bits would be wrong."""
    head = write_problem(cover_problem([[0], [0], [0]], [(0, 70_000)]), tmp_path / "x.json")
    assert verdict(tmp_path / "x.json", sealed(f"{head}tree all\n0\nend 8 1\ncovers 8\n"))[0] == HELD


def test_a_pivot_that_nothing_holds(tmp_path: Path) -> None:
    """No section is needed, since there is no cover."""
    head = write_problem(cover_problem([[0], [0]], [(1, 1), (1, 1)]), tmp_path / "x.json")
    assert verdict(tmp_path / "x.json", sealed(f"{head}generators 1\n1 0\npivot 1\ncovers 0\n"))[0] == HELD


# ---- what does not hold is refused


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    made = certify(prepare(load("fig4-3x3")), tmp_path_factory.mktemp("small") / "small.count")
    assert isinstance(made, Certificate)
    return made


def test_damage_is_refused(small: Certificate, tmp_path: Path) -> None:
    whole, dice = small.certificate.read_bytes(), Random(1)
    (tmp_path / "x.json").write_bytes(small.problem.read_bytes())
    for case in range(100):
        text = bytearray(gzip.decompress(whole) if case % 2 else whole)
        at = dice.randrange(10 if not case % 2 else 0, len(text))  # gzip's head says nothing of what it holds
        kind = case % 5
        if kind == 0:
            text[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del text[at:]
        elif kind == 2:
            del text[at]
        elif kind == 3:
            text.insert(at, dice.randrange(256))
        else:
            text += text[at:] or b"0"
        code, said = verdict(tmp_path / "x.json", bytes(text))
        assert (code, said[:7]) == (REFUSED, "refused"), (case, said)


@pytest.mark.parametrize("name", ["example-2x2", "ice-torus:2"])
def test_a_forged_certificate_never_gives_another_number(name: str, tmp_path: Path) -> None:
    made = certify(prepare(load(name)), tmp_path / "x.count")
    assert isinstance(made, Certificate)
    text, dice = gzip.decompress(made.certificate.read_bytes()).decode(), Random(2)
    right = call("check_count", made.problem, made.certificate)[1]
    words = re.split(r"(\s)", text[: text.rindex("sha256")])
    held = 0
    for _ in range(100):
        forged = list(words)
        at = 2 * dice.randrange(len(words) // 2)
        forged[at] = dice.choice(["0", "1", "2", "3", "4", "/", "7!", "all", *words[::2]])
        code, said = verdict(tmp_path / "x.json", sealed("".join(forged)))
        assert code == REFUSED or said == right, forged[at]
        held += code == HELD
    assert held < 50  # most changes matter


@pytest.mark.parametrize(
    ("problem", "body", "why"),
    [
        ([[0], [0]], "tree all\nend 2 0\ncovers 2\n", "words are missing"),
        ([[0], [0]], "tree all\n0 0\nend 2 2\ncovers 2\n", "words too many"),
        ([[0], [0]], "tree all\n0\nend 3 1\ncovers 3\n", "'end 3 1' is wrong"),
        ([[0], [0]], "tree all\n0\nend 2 2\ncovers 2\n", "'end 2 2' is wrong"),
        ([[0], [0]], "tree all\n0\nend 2 1\ncovers 3\n", "'covers 3' is wrong"),
        ([[0], [0]], "tree all\n1\nend 2 1\ncovers 2\n", "'1' is neither an item"),
        ([[0], [0]], "tree all\n/\nend 0 1\ncovers 0\n", "'/' changes nothing"),
        ([[0, 1], [0, 1]], "tree all\n0 1\nend 2 2\ncovers 2\n", "words too many"),
        ([[0, 1], [0]], "tree all\n0 0\nend 2 2\ncovers 2\n", "item 0 is decided, but it is full"),
        ([[0], [0]], "sweep all\n0 0\nend 2 1\ncovers 2\n", "each item once"),
        ([[0], [0]], "tree\n0\nend 2 1\ncovers 2\n", "this section is not allowed"),
        ([[0], [0]], "note ½\ntree all\n0\nend 2 1\ncovers 2\n", "ascii"),
        ([[0], [0]], "covers 0\n", "a section is missing"),
        ([[0], [0]], "tree all\n0\nend 2 1\ntree all\n0\nend 2 1\ncovers 4\n", "not allowed"),
        ([[0], [0]], "generators 1\n1 1\ntree all\n0\nend 2 1\ncovers 2\n", "no permutation"),
        ([[0, 1], [0]], "generators 1\n1 0\ntree all\n0\nend 2 1\ncovers 2\n", "does not map the problem to itself"),
        ([[0], [0]], "generators 1\n1 0\npivot 0\ncovers 0\n", "a section is missing"),
        ([[0], [0]], "pivot 0\ntree with 0\nend 1 0\ncovers 2\n", "the pivot cannot be one"),
        (
            [[0], [0]],
            "generators 1\n1 0\npivot 0\ntree with 0\nend 1 0\ntree with 1\nend 1 0\ncovers 2\n",
            "not allowed",
        ),
        ([[0], [0]], "tree all\n0\nend 2 1\ncovers 2\ndifferent 1\nsymmetries 2\n", "'different 1' is wrong"),
        (
            [[0, 1], [0], [1]],
            "generators 1\n0 2 1\ntree all\n0 1\nend 2 2\ncovers 2\ndifferent 1\nsymmetries 2\n",
            "one section 'fixed'",
        ),
    ],
)
def test_what_is_wrong_is_named(problem: list[list[int]], body: str, why: str, tmp_path: Path) -> None:
    n_items = max(map(max, problem)) + 1
    head = write_problem(cover_problem(problem, [(1, 1)] * n_items), tmp_path / "x.json")
    code, said = verdict(tmp_path / "x.json", sealed(head + body))
    assert code == REFUSED
    assert why in said


def test_another_problem_is_refused(small: Certificate, tmp_path: Path) -> None:
    write_problem(cover_problem([[0]], [(1, 1)]), tmp_path / "x.json")
    code, said = verdict(tmp_path / "x.json", small.certificate.read_bytes())
    assert code == REFUSED
    assert "'problem" in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"problem": {"low": [1], "high": [0], "options": []}}',
        "[1]",
        '{"problem": {"low": [1], "high": [1], "options": [[3]]}}',
        '{"problem": {"low": [1], "high": [1], "options": [[0]], "options": [[0], [0]]}}',
        '{"problem": {"low": [1], "high": [1], "options": [[0]], "option_colours": null}}',
        '{"problem": {"low": [1], "high": [1], "options": [[0]], "option_colours": []}}',
    ],
)
def test_what_is_no_problem_cannot_be_read(text: str, small: Certificate, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    code, out, err = call("check_count", tmp_path / "x.json", small.certificate)
    assert (code, out) == (UNREADABLE, "")
    assert err.startswith("cannot read the files")


# ---- what has no certificate


def test_a_count_that_differs_is_a_fault_of_ours(tmp_path: Path) -> None:
    prepared = prepare(load("fig4-3x3"))
    found = count_prepared(prepared)
    for wrong in (replace(found, total=found.total + 1), replace(found, different=found.different + 1)):
        with pytest.raises(InternalError, match="disagrees"):
            certify_count(prepared, tmp_path / "x.count", wrong)
    assert not list(tmp_path.iterdir())


def test_work_that_is_cut_short_leaves_no_file(tmp_path: Path) -> None:
    prepared = prepare(load("bedlam"))
    found = count_prepared(prepare(load("soma")))
    assert certify_count(prepared, tmp_path / "x.count", found, seconds=0.0) is Stop.TIME_LIMIT
    assert certify(prepared, tmp_path / "x.count", CountRequest(seconds=0.0)) is Stop.TIME_LIMIT
    assert not list(tmp_path.iterdir())


def test_rules_that_no_item_says_are_refused(tmp_path: Path) -> None:
    done = run("count", "fig4-3x3", "--rule", "colourable=2", "--certificate", tmp_path / "x.count")
    assert done.returncode == FAILED
    assert "no certificate" in done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["count", "soma", "--limit", "1"], "leave --limit and --max-branches out"),
        (["count", "calendar-clock"], "name it with --goal"),
        (["count", "soma", "--group", "blocks"], "does not go with --group"),
        (["solve", "soma", "--images"], "does not go with --images"),
    ],
)
def test_what_goes_with_no_certificate_is_named(words: list[str], why: str, tmp_path: Path) -> None:
    done = run(*words, "--certificate", tmp_path / "x.count")
    assert done.returncode == FAILED
    assert why in done.stderr
    assert not list(tmp_path.iterdir())


def test_names_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "x.json", "another suffix"), (tmp_path / "no" / "x.count", "no folder")):
        with pytest.raises(PuzzleError, match=why):
            problem_beside(path)


# ---- commands


def test_commands_write_it(tmp_path: Path) -> None:
    for command in ("count", "solve"):
        path = tmp_path / f"{command}.count"
        done = run(command, "fig4-3x3", "--certificate", path)
        assert done.returncode == 0
        assert f"{path}: a certificate of" in done.stdout
        assert call("check_count", path.with_suffix(".json"), path)[0] == HELD
    done = run("count", "fig4-3x3", "--certificate", tmp_path / "x.count", "--json")
    assert json.loads(done.stdout)["certificate"]["different"] == json.loads(done.stdout)["different"]
    done = run("count", "bedlam", "--time", "0", "--certificate", tmp_path / "none.count")
    assert done.returncode == LIMIT
    assert "no certificate was written" in done.stdout
    assert not (tmp_path / "none.count").exists()


def test_a_sequence_has_one_for_each_term(tmp_path: Path) -> None:
    done = run("sequence", "ice-torus", "--to", "3", "--check", "0", "--certificates", tmp_path)
    assert done.returncode == 0
    for n, line in zip((2, 3), done.stdout.splitlines()[-2:], strict=True):
        stem = tmp_path / f"ice-torus-{n}"
        assert call("check_count", f"{stem}.json", f"{stem}.count")[0] == HELD
        assert line.endswith(f"; certificate {digest_of_text(Path(f'{stem}.count'))[:16]})")


def digest_of_text(certificate: Path) -> str:
    """The checksum of a certificate, made again from its text."""
    text, _, said = gzip.decompress(certificate.read_bytes()).decode().rstrip("\n").rpartition("\n")
    digest = hashlib.sha256(f"{text}\n".encode()).hexdigest()
    assert said == f"sha256 {digest}"
    return digest


def test_a_certificate_is_the_same_in_every_run(tmp_path: Path) -> None:
    words = ("sequence", "aztec-squares", "--from", "6", "--to", "6", "--check", "0", "--json", "--certificates")
    for folder in "ab":
        (tmp_path / folder).mkdir()
    assert run(*words, tmp_path / "a").returncode == 0
    done = run_process(*words, tmp_path / "b", PYTHONHASHSEED="7")
    made, other = (tmp_path / folder / "aztec-squares-6.count" for folder in "ab")
    assert made.read_bytes() == other.read_bytes()
    assert json.loads(done.stdout)["certificate_sha256"] == digest_of_text(made)
    digests = set()
    for threads in (1, 3):
        done = run("count", "soma", "--threads", threads, "--json", "--certificate", tmp_path / "soma.count")
        digests.add(json.loads(done.stdout)["certificate"]["sha256"])
    assert digests == {digest_of_text(tmp_path / "soma.count")}


# ---- from the drawing to the problem


@pytest.mark.parametrize("name", ["soma", "pent-8x8-minus-2x2", "fig4-3x3", "live-cube", "aztec-12", "gaya-cube"])
def test_options_are_written_anew(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert run("export", name, "json", "--output", path).returncode == 0
    puzzle = Path(latcover.__file__).parent / "instances" / f"{name}.toml"
    code, out, _ = call("write_options", puzzle, path)
    assert (code, out[:5]) == (0, "equal"), out
    data = json.loads(path.read_text())
    data["problem"]["options"][3] = data["problem"]["options"][4]
    path.write_text(json.dumps(data))
    assert call("write_options", puzzle, path)[0] == 1


def test_written_options_have_the_same_covers(tmp_path: Path) -> None:
    puzzle = Path(latcover.__file__).parent / "instances" / "fig4-3x3.toml"
    _, out, _ = call("write_options", puzzle)
    (tmp_path / "again.json").write_text(out)
    assert latcover.count(tmp_path / "again.json").total == latcover.count("fig4-3x3").total


def test_what_it_does_not_know_is_named(tmp_path: Path) -> None:
    puzzle = Path(latcover.__file__).parent / "instances" / "treasure.toml"
    code, _, err = call("write_options", puzzle)
    assert code == 2
    assert "does not know the key 'costs'" in err
