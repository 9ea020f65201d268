"""Requests that make no sense, and a machine that fails: one paragraph that says what is wrong; never a traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.core.model.batch_verifier import BatchVerifier
from latcover.core.model.verifier import Verifier
from latcover.files.formats import library
from latcover.system import extras
from tests.command_line import USAGE, run, run_process
from tests.faulty_files import LATTICE, PUZZLE, by_shell, message_of, parts, region, write
from tests.file_fuzzing.judging import within

# ---- requests

REQUESTS = [
    (("count", "fig4-3x3", "--order", "0,0"), ("each of the axes 0 to 1",)),
    (("count", "fig4-3x3", "--order", "0,1,2"), ("each of the axes 0 to 1",)),
    (("count", "fig4-3x3", "--order", ""), ("each of the axes 0 to 1",)),
    (("count", "fig4-3x3", "--pivot", "D"), ("'D'", "A, B, C")),
    (("count", "fig4-3x3", "--pivot", ""), ("A, B, C",)),
    (("count", "sphere-pyramid", "--pivot", "bar3"), ("'bar3'", "none")),
    (("count", "fig4-3x3", "--backend", "dxl"), ("no backend 'dxl'", "'dlx'")),
    (("count", "fig4-3x3", "--backend", ""), ("no backend ''", "dlx")),
    (("show", "fig4-3x3", "--part", "D"), ("no part 'D'", "A, B, C")),
    (("show", "fig4-3x3", "--solution", "3"), ("has only 2 different solutions; there is no number 3",)),
    (("show", "fig4-3x3", "--output", "x.bmp"), ("cannot draw a .bmp", ".txt, .svg")),
    (("show", "fig4-3x3", "--view", "layers"), ("--view: only for .svg, .pdf, .png", "with --output")),
    (("show", "fig4-3x3", "--patterns", "--no-letters"), ("--no-letters, --patterns: only for .svg",)),
    (("show", "fig4-3x3", "--output", "x.svg", "--view", "isometric"), ("'square' is flat", "leave the view out")),
    (("show", "fig4-3x3", "--output", "x.svg", "--json"), ("--json: only for .txt",)),
    (("show", "pent-10x6-eight-moved"), ("has no solution to show", "--region and --part")),
    (
        ("count", "soma", "--method", "memo", "--limit", "5"),
        ("cannot honour --limit", "--time", "--method enumeration"),
    ),
    (("count", "soma", "--method", "memo", "--run", "x.db"), ("cannot honour --run", "--method enumeration")),
    (("show", "fig4-3x3", "--output", "x"), ("without suffix", ".txt")),
    (("show", "fig4-3x3", "--output", "no/such/folder/x.txt"), ("there is no folder no/such/folder", "make it first")),
    (("count", "pent-10x6", "--max-cells", "59"), ("more than 59", "--max-cells")),
    (("count", "pent-10x6", "--max-placements", "2055"), ("more than 2,055 placements", "--max-placements")),
]


@pytest.mark.parametrize(("arguments", "words"), REQUESTS)
def test_a_request_that_cannot_be_met(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    message = message_of(run(*arguments))
    assert all(word in message for word in words), message


SENSELESS = [
    ("frobnicate", "there is no command 'frobnicate'; known: apart, atlas, bench,"),
    ("cuont soma", "there is no command 'cuont'; did you mean 'count'?"),
    ("soma", "'soma' is a puzzle, not a command; type for example `latcover solve soma`"),
    ("resume soma.run", "there is no command 'resume'; did you mean `latcover runs resume`?"),
    ("bench tabel1", "there is no command 'tabel1'; did you mean 'table1'?"),
    ("count --nope", "`latcover count` has no option --nope"),
    ("count --limt 3", "`latcover count` has no option --limt; did you mean '--limit'?"),
    ("count --limit", "a value must follow --limit"),
    ("solve soma --best minimize", "2 values must follow --best (see `latcover solve --help`)"),
    ("design sets --sort", "a value must follow --sort (see `latcover design sets --help`)"),
    ("solve soma --output x.html", "--output is about the best solutions"),
    ("solve soma --all-optimal", "--all-optimal is about the best solutions"),
    ("plane X --torus 1000000000,1000000000", "the torus has a period that is too long"),
    ("plane X --torus 12345678901,1", "a number of 11 signs is too long for a torus"),
    ("count --json=yes", "--json takes no value"),
    ("decode soma", "MODEL is missing"),
    ("count soma pent", "there is no place for 'pent'"),
    ("count soma --symmetry both", "--symmetry cannot be 'both'; it takes none, rotations, all"),
    (
        "count soma --symmetry=rotation",
        "--symmetry cannot be 'rotation'; it takes none, rotations, all; did you mean 'rot",
    ),
    ("count soma --reduction some", "--reduction cannot be 'some'; it takes auto, paper, none"),
    ("show soma --view x --output x.svg", "--view cannot be 'x'; it takes layers, isometric"),
    ("compare soma --format x", "--format cannot be 'x'; it takes table, json, csv, markdown"),
    ("decode soma x --format x", "--format cannot be 'x'; it takes sat, dlx, mip, text"),
    ("count soma --limit -1", "--limit needs a whole number, 0 or more, not '-1'"),
    ("count soma --limit x", "--limit needs a whole number, 0 or more, not 'x'"),
    ("count soma --time abc", "--time needs a number of seconds, 0 or more, not 'abc'"),
    ("count soma --time -1", "--time needs a number of seconds, 0 or more, not '-1'"),
    ("count soma --time nan", "--time needs a number of seconds, 0 or more, not 'nan'"),
    ("estimate soma --seconds 0", "--seconds needs a number of seconds from 0.01 to 1,000,000, not '0'"),
    ("count soma --max-branches -1", "--max-branches needs a whole number, 0 or more"),
    ("count soma --max-cells 0", "--max-cells needs a whole number, 1 or more"),
    ("count soma --order a,b", "--order: 'a,b' is not a list of axes such as 0,2,1"),
    ("count soma --order 0,-1,2", "'0,-1,2' is not a list of axes"),
    ("count soma --order ²,1,0", "'²,1,0' is not a list of axes"),
    ("count soma --option x", "--option: 'x' is not of the form KEY=VALUE"),
    ("count soma --pivot P --reduction none", "--reduction auto or paper"),
    ("count soma --pivot P --symmetry none", "need --symmetry rotations or all"),
    ("info soma --reduction paper --symmetry none", "need --symmetry rotations or all"),
    ("show soma --solution 0", "--solution needs a whole number, 1 or more, not '0'"),
    ("show soma --region --part P", "--region and --part exclude each other; leave one of them out"),
    ("show soma --region --solution 1", "--solution and --region exclude each other; leave one of them out"),
    ("check", "FILE"),
    ("check soma --problem 2", "`latcover check` has no option --problem"),
]


@pytest.mark.parametrize(("words", "said"), SENSELESS)
def test_a_command_that_makes_no_sense(words: str, said: str) -> None:
    message = message_of(run(*words.split()), USAGE)
    assert said in message
    assert re.search(r"\(see `latcover.* --help`\)$", message), message


@pytest.mark.parametrize("option", ["--limit", "--max-branches", "--time", "--max-cells", "--max-placements"])
def test_a_huge_limit_is_no_limit(option: str) -> None:
    result = run("count", "fig4-3x3", option, 10**30)
    assert (result.returncode, result.stderr) == (0, "")
    assert "2 solutions" in result.stdout


def test_a_picture_cannot_be_written_onto_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x.txt").mkdir()
    assert message_of(run("show", "fig4-3x3", "--output", tmp_path / "x.txt")).startswith("cannot write ")


def test_the_bound_on_cells_holds_for_art(tmp_path: Path) -> None:
    path = write(tmp_path, parts("\nname='A'\nart = ['X']\ncount = 4", box="[region]\nart = ['XX', 'XX']\n"))
    assert "--max-cells" in message_of(run("count", path, "--max-cells", 3))
    assert run("count", path, "--max-cells", 4).returncode == 0


def test_a_lattice_file_that_is_too_large_gives_advice_that_helps(tmp_path: Path) -> None:
    path = write(tmp_path, LATTICE + "# " + "x" * 20_000_000)
    first = run("check", path)
    if first.returncode:
        assert "larger than" in first.stdout
        assert "--max-cells" not in first.stdout or run("check", path, "--max-cells", 10**9).returncode == 0


# ---- the machine


def test_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(library, "load_with_goals", fail)
    assert message_of(run("count", "soma")).startswith("out of memory; ")


def test_a_library_that_finds_no_memory_is_not_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = extras.import_module

    def fail(name: str) -> Any:
        if name == "ortools.sat.python.cp_model":
            raise ImportError("/x/y.so: failed to map segment from shared object")
        return imported(name)

    monkeypatch.setattr(extras, "import_module", fail)
    message = message_of(run("count", "fig4-3x3", "--backend", "cpsat"))
    assert message.startswith("out of memory (backend 'cpsat' cannot load ortools")
    assert "/x/y.so: failed to map segment" in message
    assert "pip install" not in message


def test_an_interruption_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "load_with_goals", interrupt)
    result = run("count", "soma")
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr in ("", "error: interrupted\n")


def test_a_solution_that_fails_its_check_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BatchVerifier, "sound", lambda _, starts, __: np.zeros(len(starts) - 1, bool))
    monkeypatch.setattr(Verifier, "faults", lambda *_: ["made up"])
    assert "fails its check: made up" in message_of(run("solve", "fig4-3x3", "--json"), word="failure")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.long
def test_a_full_disk() -> None:
    result = by_shell(">/dev/full", "count", "fig4-3x3")
    assert "No space left on device" in message_of(result)


@pytest.mark.parametrize(("command", "stream"), [("solve", "1"), ("count", "2")])
def test_a_closed_stream(command: str, stream: str) -> None:
    result = by_shell(f"{stream}>&-", command, "fig4-3x3")
    assert result.returncode == 0
    assert result.stderr == ""
    assert ("2 solutions" in result.stdout) == (stream == "2")


@pytest.mark.long
def test_a_terminal_that_cannot_show_a_name(tmp_path: Path) -> None:
    path = write(tmp_path, PUZZLE.replace('"A"', '"é"').replace('"p"', '"日"'))
    result = by_shell("", "solve", path, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")


MANY = 120
SLOW = {
    "stray characters": region("art = [\n" + f'"{"?" * MANY}",\n' * MANY + "]"),
    "bad cells": region("cells = [\n" + '[0, "x"],\n' * MANY**2 + "]"),
    "bad cells on one line": region("cells = [" + '[0, "x"], ' * MANY**2 + "]"),
    "unknown keys": PUZZLE + "".join(f"k{k} = 1\n" for k in range(MANY**2)),
    "blanks": f"{PUZZLE}{' ' * 10_000}\nx = 1\n",
    "a long period": region("box = [2, 2]\nperiod = [1000000, 0]"),
    "twenty megabytes": f"{PUZZLE}x = 1\n# {'x' * 20_000_000}",
}


@pytest.mark.parametrize("name", SLOW)
def test_what_is_bounded_is_refused_or_answered_at_once(tmp_path: Path, name: str) -> None:
    with within(60):  # seconds of the processor
        result = run("count", write(tmp_path, SLOW[name]))
    if result.returncode:
        message_of(result)


def test_faults_as_a_process_meets_them(tmp_path: Path) -> None:
    path = write(tmp_path, region("art = ['X?']"))
    assert message_of(run_process("count", path)).startswith(f"{path}:4:")
