"""The command line as scripts and people meet it: output, messages, exit codes; and what only a process has."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from latcover.cli.shared import progress
from latcover.formats.library import load, load_lattice
from latcover.formats.source import find
from latcover.model.solution import Placed, Solution
from latcover.model.verifier import Verifier
from tests.command_line import DONE, FAILED, LIMIT, USAGE, run, run_on_terminal, run_process, start
from tests.processes import GUARD

ESCAPE = "\x1b"
PROMISED = ["puzzle", "backend", "complete", "stop", "symmetry", "different", "total", "different_is", "total_is"]
PROMISED += ["covers", "branches", "method"]
SECONDS = ["setup", "first", "search", "check"]
OWN = ["symmetries", "pivot", "dead_ends", "branches_by_level", "asked", "digest", "memory"]
COMMANDS = (
    "solve",
    "count",
    "estimate",
    "info",
    "show",
    "check",
    "compare",
    "decode",
    "list",
)
OTHERS = ("bench", "design", "runs", "export", "import", "serve")  # groups, and commands whose output is no answer
TWICE = """
name = "twice"
lattice = "square"
region = { box = [2, 2] }
parts = [{ name = "a", box = [1, 2] }, { name = "b", box = [2, 1] }]
"""


def answer(*arguments: str, code: int = DONE) -> dict[str, Any]:
    """The one object that `count --json` prints."""
    result = run("count", *arguments, "--json")
    assert (result.returncode, result.stderr) == (code, "")
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def listed(*arguments: str, code: int = DONE) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The solutions that `solve --json` prints, and its summary."""
    result = run("solve", *arguments, "--json")
    assert (result.returncode, result.stderr) == (code, "")
    *solutions, last = map(json.loads, result.stdout.splitlines())
    assert list(last) == ["summary"]
    return solutions, last["summary"]


def as_solution(found: dict[str, Any]) -> Solution:
    """A solution of a lattice with one node, from its JSON."""
    placed = (
        (p["part"], tuple((0, *cell) for cell in p["cells"]), tuple(p.get("colours", ()))) for p in found["placements"]
    )
    return Solution(tuple(Placed(*p) for p in placed))


def faults_of(name: str, solutions: list[dict[str, Any]]) -> list[str]:
    verifier = Verifier(load(name))
    return [fault for found in solutions for fault in verifier.faults(as_solution(found))]


def figures(found: dict[str, Any]) -> tuple[bool, int, int]:
    return found["complete"], found["different"], found["total"]


# ---- answers


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
    assert done.stdout.split() == ["latcover", "latcover.__main__", "latcover.model", "latcover.model.pictured"]


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


COLUMNS = ("cells", "parts", "orientations", "orientations_that_fit", "placements", "symmetry")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pent-5x4x3", (60, 12, 186, 160, 2440, 8)),
        ("hex-prisms", (45, 11, 114, 108, 252, 6)),
        ("sphere-pyramid", (20, 6, 36, 36, 108, 24)),
    ],
)
def test_info_tells_the_columns_of_the_table(name: str, expected: tuple[int, ...]) -> None:
    result = run("info", name, "--json")
    found = json.loads(result.stdout)
    assert (result.returncode, result.stderr) == (DONE, "")
    assert tuple(found[column] for column in COLUMNS) == expected
    assert found["options"] > 0
    assert found["items"] > found["cells"]
    assert found["puzzle"] == name


def test_info_as_a_page() -> None:
    text = run("info", "pent-10x6").stdout
    assert all(re.search(rf"^.* {number}$", text, re.MULTILINE) for number in ("60", "12", "63", "2,056", "2,339"))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (("", ""), "2"),
        (("count = 3", ""), "2 shapes, 4 pieces"),
        (("min = 0\nmax = 2", ""), "2 shapes, 1 to 3 pieces"),
        (('count = "unlimited"', ""), "2 shapes, 1 or more pieces"),
        (('count = "unlimited"', 'count = "unlimited"'), "2 shapes, any number of pieces"),
    ],
)
def test_info_tells_shapes_from_pieces(counts: tuple[str, str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    shapes = zip(("X", "XX"), counts, strict=True)
    parts = "".join(f'[[parts]]\nname = "p{k}"\nart = ["{art}"]\n{own}\n' for k, (art, own) in enumerate(shapes))
    path.write_text(f'name = "p"\nlattice = "square"\nregion = {{ art = ["X++++"] }}\n{parts}')
    told = [line.split(maxsplit=1)[1] for line in run("info", path).stdout.splitlines() if line.startswith("parts ")]
    assert told == [said]


def test_info_of_what_symmetry_leaves() -> None:
    whole, reduced = (json.loads(run("info", "fig4-3x3", "--json", "--reduction", r).stdout) for r in ("none", "auto"))
    assert whole["options"] == whole["placements"] == reduced["placements"] == 31
    assert reduced["options"] < 31
    assert (whole["pivot"], reduced["pivot"] != "") == ("", True)


# ---- show


def test_show_draws_the_solution_asked_for() -> None:
    first, second = (run("show", "fig4-3x3", *choice) for choice in ([], ["--solution", "2"]))
    assert first.stdout != second.stdout
    for result in (first, second):
        assert (result.returncode, result.stderr) == (DONE, "")
        assert sorted(result.stdout.replace("\n", "").replace(" ", "")) == list("AAAAABBBC")
        assert len(result.stdout.splitlines()) == 3


def test_show_names_layers() -> None:
    result = run("show", "soma")
    assert result.stdout.splitlines()[0] == "layer 1 (bottom)    layer 2    layer 3"
    assert set("VTLZABP") < set(result.stdout)
    region = run("show", "soma", "--region").stdout
    assert region.splitlines() == [
        "layer 1 (bottom)    layer 2    layer 3",
        *["# # #               # # #      # # #"] * 3,
    ]


def test_show_draws_a_part_in_its_orientations() -> None:
    result = run("show", "pent-10x6", "--part", "I")
    assert result.stdout.splitlines() == ["1             2", "I I I I I     I", *["              I"] * 4]


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        ((), ["puzzle", "solution"]),
        (("--solution", "2"), ["puzzle", "solution"]),
        (("--region",), ["puzzle", "region"]),
        (("--part", "A"), ["puzzle", "part", "orientations"]),
    ],
)
def test_show_gives_its_data(arguments: tuple[str, ...], keys: list[str]) -> None:
    found = json.loads(run("show", "fig4-3x3", *arguments, "--json").stdout)
    assert list(found) == keys
    assert len(found.get("region", [0] * 9)) == 9
    assert len(found.get("orientations", [0] * 8)) == 8
    if "solution" in found:
        assert faults_of("fig4-3x3", [found["solution"]]) == []


def test_show_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "picture.txt"
    result = run("show", "fig4-3x3", "--color", "--output", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (DONE, "", f"wrote {path}\n")
    assert path.read_text() == run("show", "fig4-3x3", "--no-color").stdout


@pytest.mark.parametrize("suffix", ["SVG", "Html", "X3D", "TXT"])
def test_show_takes_suffixes_in_capital_letters(tmp_path: Path, suffix: str) -> None:
    one, other = tmp_path / f"picture.{suffix}", tmp_path / f"picture.{suffix.lower()}"
    assert [run("show", "fig4-3x3", "--output", str(path)).returncode for path in (one, other)] == [DONE, DONE]
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("option", ["--color", "--no-color"])
def test_a_picture_in_a_file_has_its_own_colours(tmp_path: Path, option: str) -> None:
    plain, chosen = tmp_path / "a.svg", tmp_path / "b.svg"
    assert run("show", "fig4-3x3", "--output", plain).returncode == DONE
    assert run("show", "fig4-3x3", "--output", chosen, option).returncode == DONE
    assert plain.read_text() == chosen.read_text()


def test_show_refuses_a_form_that_it_cannot_draw(tmp_path: Path) -> None:
    path = tmp_path / "picture.bmp"
    result = run("show", "fig4-3x3", "--output", str(path))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("error: cannot draw a .bmp; name a file with one of: .txt, .svg")
    assert not path.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--solution", "7"),
        ("--solutions", "3", "--no-letters"),
        ("--region",),
        ("--part", "V", "--patterns"),
        ("--view", "layers"),
        ("--view", "isometric"),
    ],
    ids=" ".join,
)
def test_show_draws_svg(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    result = run("show", "soma", *arguments, "--output", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (DONE, "", f"wrote {path}\n")
    root = fromstring(path.read_text("utf-8"))
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert ("layer 3" in texts) == (arguments in ((), ("--solution", "7"), ("--region",), ("--view", "layers")))
    assert ("solution 3" in texts) == ("--solutions" in arguments)
    assert bool(set("VTLZABP") & set(texts)) == (arguments[0:1] not in (("--solutions",), ("--region",)))


def test_a_sheet_of_solutions_as_text_and_as_json() -> None:
    text = run("show", "fig4-3x3", "--solutions", "2").stdout.splitlines()
    assert [line for line in text if line.startswith("solution")] == ["solution 1", "solution 2"]
    data = json.loads(run("show", "fig4-3x3", "--solutions", "2", "--json").stdout)
    assert [found["number"] for found in data["solutions"]] == [1, 2]


def test_a_sheet_of_more_solutions_than_there_are_has_all_and_says_so() -> None:
    result = run("show", "fig4-3x3", "--solutions", "9")
    assert result.returncode == DONE
    assert result.stdout.count("solution") == 2
    assert result.stderr.startswith("fig4-3x3 has only 2 different solutions; there is no number 9")


# ---- lattices


@pytest.mark.parametrize("name", ["triangular", "cubic"])
def test_info_and_show_take_a_lattice_by_name_or_as_a_file(name: str, tmp_path: Path) -> None:
    shipped, own = run("info", name), run("info", find("lattices", name))
    assert (shipped.returncode, shipped.stderr) == (DONE, "")
    assert own.stdout == shipped.stdout
    told = json.loads(run("info", name, "--json").stdout)
    lattice = load_lattice(name)
    assert told["transformations"]["all"] == len(lattice.transformations)
    assert sum(len(node["neighbours"]) for node in told["nodes"]) == len(lattice.half_edges)
    path = tmp_path / "x.svg"
    assert run("show", name, "--output", path).returncode == DONE
    text = path.read_text()
    for cell in json.loads(run("show", name, "--json").stdout)["cells"]:
        coordinates = [str(x) for x in cell["cell"][: lattice.dimension]]
        assert f">{' '.join(coordinates)}<" in text or f">{' '.join(coordinates)}\n" in text


def test_info_of_a_lattice_says_where_its_axes_point_and_what_is_beside_a_cell() -> None:
    text = run("info", "triangular").stdout
    assert "axis 0           (0.5, -0.866), points right and down\n" in text
    assert "transformations  12: 6 rotations, 6 reflections\n" in text
    assert '[0, 0, "up"] has 3 neighbours; it touches 9 more at a corner:\n  up-south      [1, 0, "down"]\n' in text


def test_a_lattice_on_the_terminal_has_a_letter_for_each_cell_and_says_where_it_is() -> None:
    lines = run("show", "hexagonal", "--no-color").stdout.splitlines()
    assert lines[:2] == ["A B C D", " E F G H"]
    assert lines[5].startswith("A: 0 0   B: 0 1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show square --part X", "'square' is a lattice: leave --part out, or name a puzzle"),
        ("show square --output x.stl", "'square' is a lattice, which .stl cannot show; give --output x.svg"),
        ("show square --output x.svg --view layers", "the lattice 'square' is flat: leave --view out"),
        ("count square", "'square' is a lattice, not a puzzle"),
        ("info pentominoes", "'pentominoes' is a part set, not a puzzle"),
    ],
)
def test_what_a_lattice_has_not(words: str, said: str) -> None:
    result = run(*words.split())
    assert result.returncode == FAILED
    assert said in result.stderr


# ---- streams


def test_colour_is_forced_or_left_out() -> None:
    assert ESCAPE not in run("solve", "fig4-3x3").stdout
    assert "\x1b[48;5;" in run("solve", "fig4-3x3", "--color", NO_COLOR="1").stdout


@pytest.mark.parametrize(
    ("options", "changes", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": ""}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--no-color"], {}, False),
    ],
)
def test_colour_on_a_terminal(options: list[str], changes: dict[str, str], coloured: bool) -> None:
    shown, stderr, code = run_on_terminal("stdout", "show", "fig4-3x3", *options, **changes)
    assert (code, stderr) == (DONE, "")
    assert ("\x1b[48;5;" in shown) == (ESCAPE in shown) == coloured
    assert "C" in shown


def test_a_long_search_shows_a_bar_on_a_terminal_and_keeps_stdout_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", 0.0)
    shown, stdout, code = run_on_terminal("stderr", "solve", "soma", "--json", "--backend", "dlx")
    assert code == DONE
    assert "%" in shown
    assert "covers" in shown
    assert ESCAPE not in stdout
    *solutions, last = map(json.loads, stdout.splitlines())
    assert len(solutions) == last["summary"]["different"]


@pytest.mark.parametrize(("before", "option"), [(1e9, "--progress=auto"), (0.0, "-q")])
def test_a_short_or_quiet_search_shows_no_bar(before: float, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", before)
    shown, stdout, _ = run_on_terminal("stderr", "count", "soma", "--backend", "dlx", option)
    assert shown == ""
    assert "in all" in stdout


def test_without_a_terminal_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEFORE_A_BAR", 0.0)
    result = run("count", "soma", "--limit", "3", "--backend", "dlx")
    assert (result.returncode, result.stderr) == (LIMIT, "")
    assert "cut short: solution limit" in result.stdout


def test_an_error_on_a_terminal_is_one_paragraph_as_wide_as_that() -> None:
    shown, stdout, code = run_on_terminal("stderr", "count", "nothing-like-it", COLUMNS="60")
    lines = shown.replace("\r\n", "\n").splitlines()
    assert (code, stdout) == (1, "")
    assert lines[0].startswith("error: ")
    assert len(lines) > 1
    assert all(0 < len(line) <= 60 for line in lines)


def test_quiet_says_nothing_and_verbose_says_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "twice.toml"
    path.write_text(TWICE)
    plain, quiet, verbose = (run("count", str(path), *options) for options in ([], ["-q"], ["-v"]))
    assert re.fullmatch(
        rf"{re.escape(str(path))}:5:\d+: warning: .*'b' equals part 'a'.*use one part with a count.*\n", plain.stderr
    )
    assert quiet.stderr == ""
    assert re.search(r" ms  \d+ placements of 2 parts$", verbose.stderr, re.MULTILINE)
    assert re.search(r" ms  \d+ options on \d+ items$", verbose.stderr, re.MULTILINE)
    assert run("count", "--limit", "1", "-q").stderr == ""
    assert run("count", str(path), "-q", "-v").stderr == ""
    for result in (plain, quiet, verbose):
        assert re.match(r"twice: 1 solution different .*, 4 in all \(complete\)\nauto picked bitset: ", result.stdout)


@pytest.mark.parametrize("command", ["solve", "count", "info", "show", "check"])
def test_stdout_holds_results_alone(command: str, tmp_path: Path) -> None:
    path = tmp_path / "twice.toml"
    path.write_text(TWICE)
    result = run(command, str(path), "--json", "-v")
    assert result.returncode == DONE
    assert [type(json.loads(line)) for line in result.stdout.splitlines()] == [dict] * (2 if command == "solve" else 1)


@pytest.mark.parametrize("options", [[], pytest.param(["--json"], marks=pytest.mark.long)])
def test_a_reader_that_goes_away_is_no_error_of_ours(options: list[str]) -> None:
    process = start("solve", "pent-10x6", *options)
    assert process.stdout is not None
    assert process.stderr is not None
    assert "pent-10x6" in process.stdout.readline() or options
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=GUARD) not in (DONE, LIMIT)


# ---- the rest


def test_list_names_all_that_is_shipped() -> None:
    found = json.loads(run("list", "--json").stdout)
    assert list(found) == ["puzzles", "lattices", "sets", "families", "backends"]
    assert {"pent-10x6", "soma", "hex-prisms", "sphere-pyramid"} < set(found["puzzles"])
    assert {"square", "cubic", "hexprism", "fcc"} <= set(found["lattices"])
    assert "pentominoes" in found["sets"]
    assert "dlx" in found["backends"]
    text = run("list").stdout
    for kind in ("puzzles", "lattices", "sets"):
        assert all(
            title and re.search(rf"^  {name} +{re.escape(title)}$", text, re.MULTILINE)
            for name, title in found[kind].items()
        )


def test_version() -> None:
    result = run("--version")
    assert result.returncode == DONE
    assert re.fullmatch(r"latcover \d+\.\d+\.\d+\n", result.stdout)


@pytest.mark.parametrize("command", [*COMMANDS, "design sets", "design cut", "runs status", "runs resume"])
def test_every_command_has_help(command: str) -> None:
    result = run(*command.split(), "--help")
    assert (result.returncode, result.stderr) == (DONE, "")
    assert f"latcover {command}" in result.stdout
    assert "--json" in result.stdout


@pytest.mark.parametrize("words", [(), ("bench",), ("runs",)])
def test_a_command_line_without_a_command_says_what_to_try(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert (result.returncode, result.stderr) == (DONE, "")
    tried = result.stdout.splitlines()
    assert len(tried) == 3
    assert all(line.startswith("latcover ") for line in tried)


def test_help_names_every_command() -> None:
    for result in (run("--help"), run("-h")):
        text = result.stdout + result.stderr
        assert result.returncode == DONE
        assert all(re.search(rf"^\W*{command}\s", text, re.MULTILINE) for command in (*COMMANDS, *OTHERS))


@pytest.mark.usefixtures("children_within")
@pytest.mark.parametrize("columns", ["40", pytest.param("80", marks=pytest.mark.long), "200"])
def test_a_comparison_on_a_terminal_is_a_table_with_nothing_cut(columns: str) -> None:
    shown, _, code = run_on_terminal("stdout", "compare", "soma", "--methods", "MC+SZ,BT", COLUMNS=columns)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert code == DONE
    assert ESCAPE in shown
    assert "…" not in plain
    rows = [line.split() for line in plain.splitlines() if line.split()[:1] == ["BT"]]
    assert rows[0][1:4] == ["240", "11,520", "269,477"]
    assert len(rows) == (2 if columns == "200" else 3)  # with the profile's: one table, or two
    assert "the 2 complete methods agree" in plain


def test_info_tells_of_the_system() -> None:
    about = json.loads(run("info", "--system", "--json").stdout)
    assert about["kernels"][about["kernel"]] is True
    assert "portable" in about["kernels"]
    assert about["versions"]["numpy"]
    assert json.loads(run("info", "--system", "--json", LATCOVER_KERNEL="portable").stdout)["kernel"] == "portable"
    assert re.search(r"kernel chosen +\w+", run("info", "--system").stdout)
    wrong = run("info", "--system", LATCOVER_KERNEL="fastest")
    assert wrong.returncode == 1
    assert "LATCOVER_KERNEL asks for a kernel 'fastest'; the kernels are portable" in wrong.stderr
    assert run("info", "soma", "--system").returncode == USAGE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("solve", "soma", "--limit", "1"), 10),
        (("count", "soma"), 10),
        (("count", "soma", "--limit", "0"), 3),
        (("count", "pent-10x6-eight-moved"), 20),
    ],
)
def test_exit_codes_of_sat_solvers(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    assert run(*arguments, "--quiet", "--sat-exit-codes").returncode == code
    kept = ("--run", str(tmp_path / "run.db"))
    assert run(*arguments, *kept, "--quiet", "--sat-exit-codes").returncode == code
    assert run("runs", "resume", str(tmp_path / "run.db"), "--limit", "0", "--sat-exit-codes").returncode == code


def test_a_proof_with_the_exit_code_of_sat_solvers(tmp_path: Path) -> None:
    proof = str(tmp_path / "x.drat")
    assert run("solve", "pent-10x6-eight-moved", "--proof", proof, "--sat-exit-codes").returncode == 20
