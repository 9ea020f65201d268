"""What `count` and `solve` answer: promises, limits, interrupts, symmetries."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from functools import cache

import pytest

from tests.apps.cli.answers import answer, faults_of, figures, listed
from tests.command_line import DONE, LIMIT, run, run_process, start
from tests.processes import GUARD

PROMISED = ["puzzle", "backend", "complete", "stop", "symmetry", "different", "total", "different_is", "total_is"]
PROMISED += ["covers", "branches", "method"]
SECONDS = ["setup", "first", "search", "check"]
OWN = ["symmetries", "pivot", "dead_ends", "branches_by_level", "asked", "digest", "memory"]


def test_count_keeps_its_promise() -> None:
    found = answer("pent-10x6")
    assert list(found) == [*PROMISED, "seconds", "native", *OWN, "assembly"]
    assert list(found["seconds"]) == SECONDS
    assert all(isinstance(seconds, float) and seconds >= 0 for seconds in found["seconds"].values())
    assert figures(found) == (True, 2339, 9356)
    assert (found["puzzle"], found["backend"], found["stop"]) == ("pent-10x6", "bitset", "exhausted")
    assert (found["symmetry"], found["method"]) == ("all", "enumeration")
    assert set(found["native"]) == {"kernel", "threads", "subproblems"}
    assert found["branches"] == sum(found["branches_by_level"])


@pytest.mark.long
def test_a_process_says_the_same_as_a_call_within_this_one() -> None:
    times = re.compile(r"[\d.]+ m?s\b|\d+ MiB")
    for words in (("solve", "fig4-3x3", "--no-color"), ("frobnicate",)):
        process, call = run_process(*words), run(*words)
        assert process.returncode == call.returncode
        assert times.sub("", process.stdout) == times.sub("", call.stdout)
        assert process.stderr.replace("python -m latcover", "latcover") == call.stderr


def test_a_whole_list_of_the_default_puzzle() -> None:
    result = run("solve", "pent-10x6", "--json")
    *solutions, last = result.stdout.splitlines()
    assert (result.returncode, len(solutions), len(set(solutions))) == (DONE, 2339, 2339)
    assert json.loads(last)["summary"]["total"] == 9356
    counted = run("count", "pent-10x6").stdout
    assert "2,339 solutions different under rotations and reflections, 9,356 in all (complete)" in counted


def test_solve_alone_takes_the_default_puzzle_and_says_so() -> None:
    result = run("solve", "--backend", "dlx", "--limit", "3")
    assert (result.returncode, result.stderr) == (LIMIT, "no puzzle named: taking pent-10x6\n")
    assert re.findall(r"^solution \d+$", result.stdout, re.MULTILINE) == ["solution 1", "solution 2", "solution 3"]
    assert result.stdout.startswith("pent-10x6: ")
    assert "cut short: solution limit" in result.stdout


@pytest.mark.parametrize("arguments", [("count", "--limit", "1"), ("info",), ("show", "--region")])
def test_other_commands_take_it_too(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode in (DONE, LIMIT)
    assert result.stderr == "no puzzle named: taking pent-10x6\n"


def test_a_list_cut_short_says_so_and_holds_solutions() -> None:
    solutions, summary = listed("dudeney", "--limit", "3", code=LIMIT)
    assert [found["number"] for found in solutions] == [1, 2, 3]
    assert (*figures(summary), summary["stop"]) == (False, 3, 24, "solution limit")
    assert list(summary) == [*PROMISED, "seconds", "native", *OWN, "assembly"]
    assert faults_of("dudeney", solutions) == []
    solutions[0]["placements"][0]["cells"][0] = [0, 0]
    assert faults_of("dudeney", solutions) != []


@pytest.mark.parametrize(
    ("limit", "expected", "reduction"), [(0, 0, "auto"), (2, 2, "auto"), (3, 2, "auto"), (1, 1, "none"), (2, 2, "none")]
)
def test_limits_below_at_and_above_the_number_of_solutions(limit: int, expected: int, reduction: str) -> None:
    stopped = limit <= 2  # having found two, it does not know that there is no third
    code = LIMIT if stopped else DONE
    found = answer("fig4-3x3", "--limit", str(limit), "--reduction", reduction, code=code)
    assert figures(found) == (not stopped, expected, 8 * expected)
    assert found["stop"] == ("solution limit" if stopped else "exhausted")


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("words", [("count", "fig4-3x3"), ("estimate", "fig4-3x3", "--probes", "1")])
def test_a_backend_without_threads_takes_one_and_notes_more(words: tuple[str, ...], threads: str) -> None:
    result = run(*words, "--backend", "dlx", "--threads", threads)
    assert result.returncode == DONE
    assert result.stderr == ("" if threads == "1" else "note: dlx searches on one thread, not on 3\n")


def test_a_time_limit_ends_the_search() -> None:
    found = answer("bedlam", "--backend", "dlx", "--time", "0.2", code=LIMIT)
    assert (found["complete"], found["stop"]) == (False, "time limit")
    assert found["different"] < 19_186


def test_a_branch_limit_ends_the_search() -> None:
    found = answer("soma", "--max-branches", "100", code=LIMIT)
    assert (found["complete"], found["stop"], found["branches"]) == (False, "branch limit", 100)


def test_a_count_that_found_nothing_before_its_limit_says_that_the_number_is_not_known() -> None:
    result = run("count", "pent-10x6", "--max-branches", "2")
    assert result.returncode == LIMIT
    assert result.stdout.startswith("pent-10x6: number of solutions not known (cut short: branch limit)\n")
    advice = result.stdout.splitlines()[-1]
    assert "--max-branches" in advice
    assert "`latcover estimate pent-10x6`" in advice
    assert "estimate" not in run("count", "pent-10x6", "--max-branches", "2", "--quiet").stdout
    found = answer("pent-10x6", "--max-branches", "2", code=LIMIT)
    assert (found["different"], found["different_is"], found["total"], found["total_is"]) == (
        *(0, "not known"),
        *(0, "not known"),
    )


def test_a_count_that_found_some_before_its_limit_is_a_lower_bound() -> None:
    result = run("count", "soma", "--limit", "3", "--symmetry", "none")
    assert result.stdout.startswith("soma: at least 3 solutions in all (cut short: solution limit)\n")
    assert "learn more" not in result.stdout, "the limit was asked for"
    found = answer("soma", "--limit", "3", code=LIMIT)
    assert (found["different_is"], found["total_is"]) == ("at least", "at least")


def test_an_interrupted_count_says_what_it_has() -> None:
    process = start("count", "bedlam", "--json", "--progress", "json", "--backend", "dlx")
    assert process.stderr is not None
    assert any(json.loads(line)["covers"] for line in process.stderr)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=GUARD)
    found = json.loads(stdout)
    assert (process.returncode, found["complete"], found["stop"]) == (LIMIT, False, "cancelled")
    assert 0 < found["different"] < 19_186
    assert "Traceback" not in stderr


def test_an_interrupt_while_it_is_being_loaded_ends_it_without_a_word() -> None:
    program = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from latcover.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program, "--help"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_next_to_nothing_is_loaded_before_an_interrupt_is_expected() -> None:
    program = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "import latcover.__main__\n"
        "ours = [name for name in {*sys.modules} - before if name.split('.')[0] not in sys.stdlib_module_names]\n"
        "print(*sorted(ours))\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "latcover",
        "latcover.__main__",
        "latcover.core",
        "latcover.core.cover",
        "latcover.core.cover.handed_in",
        "latcover.core.model",
        "latcover.core.model.pictured",
    ]


@pytest.mark.long
def test_an_interrupted_list_keeps_what_was_found() -> None:
    process = start("solve", "bedlam", "--json")
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()  # communicate() would pass over what came in one block with the first line
    _, stderr = process.communicate(timeout=GUARD)
    *solutions, last = map(json.loads, [first, *rest.splitlines()])
    assert (process.returncode, stderr) == (LIMIT, "")
    assert last["summary"]["stop"] == "cancelled"
    assert last["summary"]["different"] == len(solutions) >= 1
    assert last["summary"]["total"] == sum(found["orbit"] for found in solutions)
    assert faults_of("bedlam", solutions) == []


LISTS = [
    ("fig4-3x3", "none", 16),
    ("soma", "all", 240),
    ("hex-prisms", "rotations", 2),
    ("sphere-pyramid", "none", 3),
]


@pytest.mark.parametrize(("name", "symmetry", "different"), LISTS)
def test_a_list_and_a_count_agree(name: str, symmetry: str, different: int) -> None:
    solutions, summary = listed(name, "--symmetry", symmetry)
    counted = answer(name, "--symmetry", symmetry)
    assert figures(summary) == figures(counted)
    assert len(solutions) == counted["different"] == different
    assert [found["number"] for found in solutions] == list(range(1, different + 1))
    assert len({json.dumps(found["placements"]) for found in solutions}) == different
    assert sum(found["orbit"] for found in solutions) == counted["total"]
    assert faults_of(name, solutions) == []


@pytest.mark.parametrize(
    ("name", "symmetry", "total"),
    [
        ("fig4-3x3", "rotations", 16),
        ("hex-prisms", "all", 12),
        ("sphere-pyramid", "all", 3),
        ("pent-20x3", "all", 8),
        pytest.param("soma", "all", 11520, marks=pytest.mark.long),
    ],
)
def test_images_lists_every_image_once(name: str, symmetry: str, total: int) -> None:
    solutions, summary = listed(name, "--images", "--symmetry", symmetry)
    assert len(solutions) == summary["total"] == total
    assert len({json.dumps(found["placements"]) for found in solutions}) == total
    images: dict[int, list[tuple[int, int]]] = {}
    for found in solutions:
        images.setdefault(found["number"], []).append((found["image"], found["orbit"]))
    assert list(images) == list(range(1, summary["different"] + 1))
    assert all(own == [(k, len(own)) for k in range(1, len(own) + 1)] for own in images.values())
    assert faults_of(name, solutions) == []


@pytest.mark.parametrize(
    "choice", [["--no-size"], ["--reduction", "none"], ["--order", "1,0,2"], ["--pivot", "P"]], ids="=".join
)
def test_choices_of_the_search_change_branches_alone(choice: list[str]) -> None:
    found = answer("soma", *choice)
    assert figures(found) == (True, 240, 11520)
    assert found["branches"] not in (0, branches_of_soma())
    if "--pivot" in choice:
        assert found["pivot"] == "P"
    if "--reduction" in choice:
        assert (found["pivot"], found["covers"]) == ("", 11520)


@cache
def branches_of_soma() -> int:
    found = answer("soma", "--size")
    assert figures(found) == (True, 240, 11520)
    return int(found["branches"])
