"""What other programs print, in every form known: solutions are verified, and what is none is said to be none."""

from __future__ import annotations

import io
import json
import os
import signal
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

import pytest

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.encoding.prepared import Choices, prepare
from latcover.errors import LatcoverError, PuzzleFileError
from latcover.files.exchange.decode import Decoded, decode
from latcover.files.exchange.foreign_answers import Kind, kind_of, read_models
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import WRITTEN
from latcover.files.formats.library import load, load_subject
from latcover.system.files import Unfinished
from tests.command_line import FAILED, Result, run, start
from tests.oracle import cover_problem
from tests.processes import GUARD, needs_proc, sizes_open_in, wait_until

# The four solutions of example-2x2 are {1, 6}, {2, 5}, {3, 7} and {4, 8} of 8 placements.
ANSWERS: dict[str, tuple[str, int, int]] = {  # text, models, solutions
    "v lines": ("c hello\ns SATISFIABLE\nv 1 -2 -3 -4 -5\nv 6 -7 -8 0\n", 1, 1),
    "true literals alone": ("v 1 6 0\n", 1, 1),
    "v lines without a zero": ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8\n", 1, 1),
    "status last": ("v 1 -2 -3 -4 -5 6 -7 -8 0\ns SATISFIABLE\n", 1, 1),
    "literals with x": ("s OPTIMUM FOUND\nv x1 -x2 -x3 -x4 -x5 x6 -x7 ~x8\n", 1, 1),
    "clasp": ("c Answer: 1\nv 1 -2 6 0\nc Answer: 2\nv -1 2 5 0\ns SATISFIABLE\n", 2, 2),
    "clasp without zeros": ("c Answer: 1\nv x1 -x2 x6\nc Answer: 2\nv -x1 x2 x5\ns SATISFIABLE\n", 2, 2),
    "the same again": ("v 1 6 0\nv 1 6 0\nv 3 7 0\n", 3, 2),
    "auxiliary variables": ("v 1 6 9 10 4000 0\n", 1, 1),
    "bare literals": ("1 -2 -3 -4 -5 6 -7 -8 0\n-1 2 -3 -4 5 -6 -7 -8 0\n", 2, 2),
    "minisat": ("SAT\n1 -2 -3 -4 -5 6 -7 -8 0\n", 1, 1),
    "minisat without a model": ("UNSAT\n", 0, 0),
    "unsatisfiable": ("c nothing\ns UNSATISFIABLE\n", 0, 0),
    "minizinc": ("v 1 6 0\n----------\nv 2 5 0\n----------\n==========\n", 2, 2),
    "minizinc without a solution": ("=====UNSATISFIABLE=====\n", 0, 0),
    "windows": ("s SATISFIABLE\r\nv 1 6 0\r\n", 1, 1),
    "a truncated model": ("s SATISFIABLE\nv 1 -2 -3", 1, 0),
    "too much": ("v 1 2 6 0\n", 1, 0),
    "nothing chosen": ("s SATISFIABLE\nv -1 -2 -3 -4 -5 -6 -7 -8 0\n", 1, 0),
    "no variable": ("s SATISFIABLE\nv 0\n", 1, 0),
    "knuth": ("1:\n 0,0 1,0 1,1 L (1 of 4)\n 0,1 S (1 of 1)\n2:\n 0,0 S (1 of 2)\n 1,1 L 0,1 1,0 (1 of 1)\n", 2, 2),
    "knuth without numbers": (" 0,0 1,0 1,1 L (1 of 4)\n 0,1 S (1 of 1)\n\n 0,0 S (1 of 2)\n", 2, 1),
    "miniexact": ("0,0 1,0 1,1 L;\n0,1 S;\n\n0,0 S;\n1,1 L 0,1 1,0;\n\nFound 2 solutions!\n", 2, 2),
    "miniexact without a solution": ("Found 0 solutions!\n", 0, 0),
    "an option that is none": ("1:\n 0,0 0,1 L (1 of 4)\n", 1, 0),
    "an item that is none": ("1:\n 7,7 S (1 of 4)\n", 1, 0),
    "a colour that is none": ("1:\n 0,0:A S (1 of 4)\n", 1, 0),
    "a number that is none": ("1:\n #0 (1 of 4)\n", 1, 0),
    "cbc": ("Optimal - objective value 0.00\n      0 x1   1  0\n      5 x6   1   0\n", 1, 1),
    "cbc infeasible": ("Infeasible - objective value 0.00\n      0 x1   1  0\n", 0, 0),
    "glpsol": ("Status:     INTEGER OPTIMAL\n  1 x1  *  1  0  1\n  2 x2  *  0  0  1\n  6 x6  *  1  0  1\n", 1, 1),
    "glpsol without a solution": ("Status:     INTEGER EMPTY\n  1 x1  *  0  0  1\n", 0, 0),
    "highs": ("Model status\nOptimal\n\n# Columns 3\nx1 1\nx2 0\nx6 0.9999999\n", 1, 1),
    "highs infeasible": ("Model status\nInfeasible\n\n# Columns 3\nx1 1\nx2 0\nx6 0\n", 0, 0),
    "an enumerator": ("s SATISFIABLE\nv 1 6 0\ns SATISFIABLE\nv 2 5 0\ns UNSATISFIABLE\n", 2, 2),
    "scip": ("solution status: optimal\nx1      1 \t(obj:0)\nx6     1 \t(obj:0)\n", 1, 1),
    "several of a pool": ("x1 1\nx6 1\nx1 0\nx2 1\nx5 1\n", 2, 2),
    "nothing but zeros": ("Optimal - objective value 0\n", 1, 0),
}


def decoded(text: str, name: str = "example-2x2") -> Decoded:
    return decode(prepare(load(name)), read_models(iter(text.splitlines(keepends=True)), "answer"))


@pytest.mark.parametrize("what", ANSWERS)
def test_answers(what: str) -> None:
    text, models, found = ANSWERS[what]
    answer = decoded(text)
    assert (answer.models, answer.solutions) == (models, found)
    assert answer.n_wrong == len(answer.wrong)
    assert answer.different == min(found, 1)
    assert (answer.n_wrong > 0) == (found == 0 < models or what == "knuth without numbers")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "answer: is empty"),
        ("\n\n", "answer: is empty"),
        ("hello world\n", "answer: is not the answer"),
        ("s SATISFIABLE\nv 1 x 0\n", "answer:2: 'x' is not a literal"),
        ("s MAYBE\n", "answer:1: 's MAYBE' is not a status"),
        ("c a comment\ns SATISFIABLE\n", "answer:2: the solver says that there is a solution, but none follows"),
        ("SAT\n", "answer:1: the solver says that there is a solution, but none follows"),
        ("v 1 1e5 0\n", "'1e5' is not a literal"),
        ("v 1 9999999999999 0\n", "is not a literal"),
        ("x1 1\nx2 0.5\n", "answer:2: x2 is 0.5, neither 0 nor 1"),
        ("x1 2\n", "x1 is 2, neither 0 nor 1"),
    ],
)
def test_what_is_no_answer(text: str, reason: str) -> None:
    with pytest.raises(PuzzleFileError, match=reason):
        decoded(text)


@pytest.mark.parametrize(
    "text",
    [
        "s UNSATISFIABLE\nv 1 6 0\n",
        "v 1 6 0\ns UNSATISFIABLE\n",
        "v 1 6\ns UNSATISFIABLE\n",
        "UNSAT\n1 -2 6 0\n",
        "v 1 6 0\n----------\n=====UNSATISFIABLE=====\n",
        "0,0 1,0 1,1 L;\n0,1 S;\n\nFound 0 solutions!\n",
        "Found 0 solutions!\n0,0 1,0 1,1 L;\n0,1 S;\n",
        "Model status\nInfeasible\nx1 1\nx2 0\nx6 1\n",
        "Infeasible - objective value 0.00\n 0 x1 1 0\n 5 x6 1 0\n",
    ],
)
def test_no_solution_beside_one_is_a_contradiction(text: str) -> None:
    with pytest.raises(
        LatcoverError, match=r"no solution, but the answer holds one|are a solution, but the program says"
    ):
        decoded(text)


def test_an_answer_without_end_that_brings_nothing_new_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.files.exchange.decode.MOST_IN_VAIN", 100)
    for text in ("v 1 6 0\n", "v 1 2 0\n"):
        with pytest.raises(LatcoverError, match=r"the answer:10[12]: the last 100 models held no new solution"):
            decode(prepare(load("example-2x2")), read_models(repeat(text), "endless"))
    monkeypatch.setattr("latcover.files.exchange.foreign_answers.LONGEST_ANSWER", 10_000)
    with pytest.raises(PuzzleFileError, match="longer than 10,000 characters; give an answer in parts"):
        list(read_models(repeat("v 1 6 0\n"), "endless"))


@pytest.mark.parametrize("text", ["s UNKNOWN\n", "INDET\n", "=====UNKNOWN=====\n", "v 1 6 0\ns UNKNOWN\n"])
def test_a_solver_that_gave_up_is_not_taken_for_one_that_found_nothing(text: str) -> None:
    notes: list[str] = []
    list(read_models(iter(text.splitlines()), "answer", None, notes.append))
    assert len(notes) == 1
    assert "gave up" in notes[0]


def test_where_a_wrong_model_begins_is_said() -> None:
    answer = decoded("c first\nv 1 6 0\nc\nv 1 -2\nv -3 0\nv 2 5 0\n")
    assert (answer.solutions, answer.n_wrong) == (2, 1)
    assert answer.wrong[0][0] == 4


def test_the_kind_may_be_said() -> None:
    assert kind_of(["1 2 0\n"]) is Kind.sat
    models = list(read_models(iter(["0,0 S\n"]), "answer", Kind.dlx))
    assert [model.options for model in models] == [(("0,0", "S"),)]


@pytest.mark.parametrize("kind", [Kind.sat, Kind.mip])
@pytest.mark.parametrize("text", ["", "c 0,0 S\n"])
def test_what_holds_no_answer_of_the_kind_that_was_said_is_refused(kind: Kind, text: str) -> None:
    with pytest.raises(PuzzleFileError, match="answer: contains neither"):
        list(read_models(iter(text.splitlines()), "answer", kind))


def test_options_that_look_alike_have_numbers(tmp_path: Path) -> None:
    """Two placements on the same cells, told apart by their colours; reduced, one of them is left out."""
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "alike"\nlattice = "square"\ncolours = { B = "black", W = "white" }\n'
        'region = { art = ["XXX"] }\nparts = [{ name = "d", art = ["BW"] }, { name = "s", art = ["X"] }]\n',
        encoding="utf-8",
    )
    puzzle = load(str(path))
    for symmetry, n in (("none", 4), ("all", 2)):
        prepared = prepare(puzzle, Choices(symmetry=symmetry))  # type: ignore[arg-type]
        text = b"".join(WRITTEN["dlx"].write(exported(prepared))).decode()
        rows = [line.split() for line in text.splitlines() if not line.startswith("|")][1:]
        assert all(any(word.startswith("#") for word in row) for row in rows if "d" in row)
        singles = {row[0]: row for row in rows if "s" in row}
        pairs = [(row, singles.get({"0,0": "0,2", "0,1": "0,0"}[row[0]])) for row in rows if "d" in row]
        covers = [f"1:\n{' '.join(one)} (1 of 1)\n{' '.join(other)} (1 of 1)\n" for one, other in pairs if other]
        found = decode(prepare(puzzle), read_models(iter("".join(covers).splitlines()), "answer"))
        assert (found.models, found.solutions, found.different, found.n_wrong) == (n, n, 2, 0)


def test_names_of_the_original_file_are_known(tmp_path: Path) -> None:
    path = tmp_path / "own.dlx"
    path.write_text("#a é | x\n#a x:ü\né\n#a é\n", encoding="utf-8")
    named = load_subject(str(path))
    for text in ("1:\n #a x:ü (1 of 2)\n é (1 of 1)\n2:\n é #a (2 of 2)\n",):
        found = decode(named, read_models(iter(text.splitlines()), "answer"))
        assert (found.solutions, found.n_wrong) == (2, 0), found.wrong


def test_models_of_bare_problems() -> None:
    named = NamedProblem("bare", cover_problem([[0], [0], [1]], [(1, 1), (0, 1)]), ("a", "b"))
    found = decode(named, read_models(iter(["v 1 0", "v 2 3 0", "v 3 0", "v 1 2 0"]), "answer"))
    assert (found.models, found.solutions, found.n_wrong) == (4, 2, 2)
    assert found.symmetry == "none"


def test_a_model_is_not_kept(tmp_path: Path) -> None:
    """Models are taken one by one, as they come."""
    taken: list[int] = []

    def lines() -> object:
        for k in range(1000):
            taken.append(k)
            yield "v 1 6 0\n"

    models = read_models(lines(), "answer")  # type: ignore[arg-type]
    next(models)
    assert len(taken) < 300


# The commands.


def one_paragraph(done: Result, code: int = FAILED) -> str:
    assert done.returncode == code, done.stderr
    return done.stderr


def test_decode_shows_and_counts(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text(ANSWERS["v lines"][0])
    shown = run("decode", "example-2x2", answer, "--no-color")
    assert shown.stdout.split("\n")[:3] == ["solution 1", "L S", "L L"]
    assert run("decode", "example-2x2", answer, "--count").stdout.count("\n") == 1
    *solutions, summary = map(
        json.loads, run("decode", "example-2x2", "-", "--json", stdin=answer.read_bytes()).stdout.splitlines()
    )
    assert [placed["part"] for placed in solutions[0]["placements"]] == ["L", "S"]
    assert summary["summary"]["solutions"] == 1


def test_decode_of_what_is_no_solution_ends_with_1() -> None:
    done = run("decode", "example-2x2", "-", stdin=b"v 1 0\nv 1 6 0\n")
    assert "error: -:1: no solution: " in one_paragraph(done)
    assert "1 solution, 1 different" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "reason"),
    [
        (["example-2x2", "none"], b"", "cannot read none: No such file"),
        (["example-2x2", "."], b"", "is a folder"),
        (["example-2x2", "-"], b"\xff\xfe\x00", "is not the answer"),
        (["example-2x2", "-"], b"", "is empty"),
        (["nothing", "-"], b"", "no puzzle 'nothing'"),
    ],
)
def test_decode_of_what_cannot_be_read(arguments: list[str], stdin: bytes, reason: str) -> None:
    assert reason in one_paragraph(run("decode", *arguments, stdin=stdin))


def test_a_form_alone_stands_for_the_usual_puzzle_and_the_order_of_words_is_free() -> None:
    alone = run("export", "opb")
    assert "taking pent-10x6" in alone.stderr
    assert alone.stdout.startswith("* #variable= 2056 ")
    assert run("export", "opb", "example-2x2").stdout == run("export", "example-2x2", "opb").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["example-2x2"], 1, "say in which form to write: dimacs"),
        (["example-2x2", "dimax"], 1, "there is no form 'dimax'; did you mean 'dimacs'?"),
        (["example-2x2", "x.cnf"], 1, "'x.cnf' is not a form; to write a file of this name, give --output x.cnf"),
        (["a", "b", "c"], 2, "give one puzzle and one form"),
        (["example-2x2", "dimacs", "--output", "none/file.cnf"], 1, "there is no folder none"),
        (["example-2x2", "dimacs", "--output", "."], 1, "cannot write"),
        (["example-2x2", "opb", "--encoding", "pairwise"], 1, "has no option --encoding"),
        (["example-2x2", "dimacs", "--encoding", "pears"], 1, "has no encoding 'pears'"),
        (["example-2x2", "dimacs", "--encoding", "native"], 1, "does not consist of clauses"),
        (["example-2x2", "dimacs", "--solutions"], 1, "has no option --solutions"),
        (["example-2x2", "dimacs", "--order", "1,0"], 1, "leave it out, or take dlx or npz"),
        (["example-2x2", "dimacs", "--pivot", "L"], 2, "need --symmetry"),
    ],
)
def test_exports_that_cannot_be(
    arguments: list[str], code: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", *arguments, COLUMNS="300")
    assert reason in " ".join(one_paragraph(done, code).split())
    assert not done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_reader_that_goes_away_is_no_error_of_ours() -> None:
    for arguments in (["pent-10x6", "dimacs"], ["pent-10x6", "json", "--solutions"]):
        with start("export", *arguments) as process:
            assert process.stdout
            assert process.stderr
            process.stdout.readline()
            process.stdout.close()
            assert process.wait(GUARD) == 1
            assert not process.stderr.read()


@pytest.mark.long
@needs_proc
def test_an_interrupted_export_keeps_its_solutions_and_says_so(tmp_path: Path) -> None:
    board, path = tmp_path / "board.toml", tmp_path / "file.json"
    dominoes = 'name = "domino"\ncount = "unlimited"\nart = ["XX"]\n'
    board.write_text(f'name = "board"\nlattice = "square"\n[region]\nbox = [10, 10]\n[[parts]]\n{dominoes}')
    process = start("export", board, "json", "--solutions", "--symmetry", "none", "--output", path)
    wait_until(lambda: any(size >= 20_000 for size in sizes_open_in(tmp_path, process.pid)))
    process.send_signal(signal.SIGINT)
    assert process.wait(GUARD) == 3
    data = json.loads(path.read_bytes())
    assert data["summary"]["complete"] is False
    assert data["summary"]["different"] == len(data["solutions"]) > 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["board.toml", "file.json"]


def test_an_interrupted_export_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    class Interrupting(io.FileIO):
        def write(self, data: Any) -> int:
            written.append(super().write(data))
            if len(written) == 1:
                signal.raise_signal(signal.SIGINT)
            return written[-1]

    usual = Unfinished._opened

    def opened(unfinished: Unfinished) -> io.BufferedRandom:
        with usual(unfinished) as file:
            return io.BufferedRandom(Interrupting(os.dup(file.fileno()), "r+"))

    monkeypatch.setattr(Unfinished, "_opened", opened)
    assert run("export", "soma", "dimacs", "--output", tmp_path / "file.cnf").returncode == 130
    assert written[0] > 0
    assert not list(tmp_path.iterdir())


def test_a_link_is_written_through_and_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "file.opb", tmp_path / "link.opb"
    path.touch()
    link.symlink_to(path)
    assert run("export", "example-2x2", "--output", link).returncode == 0
    assert link.is_symlink()
    assert path.read_text() == run("export", "example-2x2", "opb").stdout


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    path, link = tmp_path / "letters.txt", tmp_path / "link.toml"
    path.write_text("AAB\nABB\n")
    link.symlink_to(path)
    for output in (path, link):
        for command in (("import", path, "--output"), ("export", path, "dlx", "--output"), ("solve", path, "--proof")):
            assert "is the file that is read" in one_paragraph(run(*command, output))
    assert "is the file that is read" in one_paragraph(run("show", path, "--output", path))
    assert path.read_text() == "AAB\nABB\n"


def test_import_says_once_what_is_wrong_with_one_of_several_problems(tmp_path: Path) -> None:
    path = tmp_path / "file.xmpuzzle"
    good, bad = (f'<problem><shapes><shape id="{k}" count="1"/></shapes><result id="0"/></problem>' for k in (0, 7))
    shapes = '<shapes><voxel x="2" y="1" z="1">##</voxel></shapes>'
    path.write_text(f'<puzzle version="2"><gridType type="0"/>{shapes}<problems>{good}{good}{bad}</problems></puzzle>')
    done = run("import", path)
    assert done.returncode == 0
    assert done.stdout.count("[[puzzles]]") == 2
    assert done.stderr.count("there is no shape of id 7") == 1


@pytest.mark.parametrize("form", ["json", "npz", "dlx"])
def test_commands_take_what_was_exported(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"file.{form}"
    assert run("export", "pent-20x3", "--output", path).returncode == 0
    assert (
        " 8 in all (complete)" in run("count", path).stdout
        or ": 8 solutions in all (complete)" in run("count", path).stdout
    )
    assert "a sound " in run("check", path).stdout
    assert run("info", path).returncode == 0


@pytest.mark.parametrize(
    ("before", "again", "kind"),
    [
        ("s SATISFIABLE\n", "c still searching\n", None),
        ("", "nothing yet\n", "mip"),
        ("", "a b c\n", "dlx"),
        ("", "no grid, and no answer\n", None),
        ("", "\0" * 100, None),
    ],
)
def test_an_answer_may_not_go_on_for_ever(
    before: str, again: str, kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latcover.files.exchange.foreign_answers.LONGEST", 10_000)
    monkeypatch.setattr("latcover.files.exchange.foreign_answers._LONGEST_TEXT", 5_000)
    with pytest.raises(PuzzleFileError, match="goes on for more than"):
        list(read_models(chain([before], repeat(again)), "endless", Kind(kind) if kind else None))


def test_any_number_of_models_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.files.exchange.foreign_answers.LONGEST", 10_000)
    models = read_models(repeat("v 1 6 0\n"), "endless")
    assert sum(1 for _ in islice(models, 5_000)) == 5_000


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_device_without_end_is_refused() -> None:
    refused = run("decode", "example-2x2", "/dev/zero")
    assert (refused.returncode, "is not a regular file" in refused.stderr) == (FAILED, True)


@pytest.mark.parametrize(("model", "solutions"), [(b"v 1 0\n", "0 solutions"), (b"v 1 6 0\n", "1 solution")])
def test_an_answer_that_never_ends_is_refused(model: bytes, solutions: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.files.exchange.decode.MOST_IN_VAIN", 20)
    done = run("decode", "example-2x2", "-", stdin=model * 22)
    assert done.returncode == FAILED
    assert f"the last 20 models held no new solution, after {solutions};" in one_paragraph(done)
    assert "held no new" not in run("decode", "example-2x2", "-", stdin=model * 20).stderr
