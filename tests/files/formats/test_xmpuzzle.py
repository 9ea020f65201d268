"""BurrTools files: what they say becomes a puzzle of ours, and what is wrong with them is told at once and in full."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.count import CountRequest, count
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats import library
from latcover.files.formats.library import load, load_all
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.show.reporting.check_report import inspect_file
from tests import burrtools_oracle as oracle
from tests.burrtools_oracle import CUBES, Problem, Use, Voxel, solid

MOST_MEMORY = 200_000_000  # bytes that refusing a file may take, the interpreter and its libraries included
BOX = solid([*product(range(2), range(2), range(2))])
DOMINO = solid([(0, 0, 0), (1, 0, 0)])
CUBE = "########"


def made(folder: Path, text: str | bytes, name: str = "made.xmpuzzle") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def puzzle_file(shapes: str, problem: str, before: str = '<gridType type="0"/>', after: str = "") -> str:
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2">\n{before}\n<shapes>\n{shapes}\n</shapes>\n'
        f"<problems>\n{problem}\n</problems>{after}\n</puzzle>\n"
    )


def shape(text: str, sizes: tuple[int, int, int] = (2, 2, 2), more: str = 'type="0"') -> str:
    return f'<voxel x="{sizes[0]}" y="{sizes[1]}" z="{sizes[2]}" {more}>{text}</voxel>'


SHAPES = f"{shape(CUBE)}\n{shape('##', (2, 1, 1))}"
PROBLEM = '<problem state="0"><shapes><shape id="1" count="4"/></shapes><result id="0"/><bitmap/></problem>'


# ---- what is read


def test_a_burrtools_file_says_the_same_as_a_file_of_ours(tmp_path: Path) -> None:
    """Soma in BurrTools' form and in ours, with a name, with none, and with a name that occurs twice."""
    ours = load("soma")
    shapes, names = [solid([*product(range(3), repeat=3)])], {1: "bar", 2: "bar", 4: " \t "}
    for part in ours.parts:
        cells = part.cells[:, 1:] - part.cells[:, 1:].min(axis=0)
        shapes.append(solid([(int(c), int(2 - r), int(z)) for r, c, z in cells.tolist()]))
    problem = Problem([Use(k) for k in range(1, 8)], 0)
    path = made(tmp_path, gzip.compress(oracle.xml(oracle.Puzzle(CUBES, shapes, [problem], names=names)).encode()))
    (puzzle,) = load_all(str(path))
    assert [part.name for part in puzzle.parts] == ["bar", "bar (2)", "S4", "S5", "S6", "S7", "S8"]
    assert (puzzle.name, puzzle.title, puzzle.source) == ("P1", "made, from BurrTools", "made.xmpuzzle")
    answer = count(puzzle)
    assert (answer.different, answer.total) == (240, 11520)
    assert not puzzle.warnings


@pytest.mark.parametrize("grid", [oracle.PRISMS, oracle.SPHERES, oracle.RHOMBIC, oracle.TETRAOCTA])
def test_our_own_form_of_it_is_the_same_puzzle(grid: int, tmp_path: Path) -> None:
    """Two problems with colours, variable voxels and ranges, written as a file of ours: counts stay as they were."""
    room = [p for p in product(range(5), range(3), range(3)) if oracle.holds_a_cell(grid, p)]
    goal = {place: Voxel(k % 3 > 0, k % 3) for k, place in enumerate(room)}
    start = room[0]
    beside = next(place for place in room if oracle.touch(grid, start, place))
    pair = {start: Voxel(False, 1), beside: Voxel()}
    problems = [
        Problem([Use(0, 1, 2), Use(1, 0, 40)], 2, [(1, 1)], 1, "first"),
        Problem([Use(0, 1, 1), Use(1, len(room) - 3, len(room) - 3)], 2, [(1, 2), (1, 1)], None, "second"),
    ]
    puzzle = oracle.Puzzle(grid, [pair, {start: Voxel()}, goal], problems, 2)
    path = made(tmp_path, oracle.xml(puzzle))
    written = made(tmp_path, puzzle_as_toml(load_all(str(path))), "written.toml")
    for problem in problems:
        old, new = (count(load(str(file), problem=problem.name)) for file in (path, written))
        assert (old.different, old.total, old.symmetries) == (new.different, new.total, new.symmetries)
        assert old.total


def test_ranges_and_variable_voxels(tmp_path: Path) -> None:
    goal = {place: Voxel(variable=place[0] == 2) for place in product(range(3), range(2), range(1))}
    totals = []
    for holes in (0, 1, 2, 3, None):
        puzzle = oracle.Puzzle(CUBES, [goal, DOMINO], [Problem([Use(1, 0, 3)], 0, max_holes=holes)])
        found = load(str(made(tmp_path, oracle.xml(puzzle))))
        assert found.region.max_empty == (holes if holes in (0, 1) else None)
        totals.append(count(found, CountRequest(symmetry="none")).total)
        assert totals[-1] == len(oracle.solutions(puzzle, puzzle.problems[0]))
    assert totals == [3, 3, 5, 5, 5]  # all six cells in three ways, and the square in two


def test_max_holes_without_a_range_is_not_looked_at(tmp_path: Path) -> None:
    goal = {place: Voxel(variable=True) for place in product(range(3), range(2), range(1))}
    puzzle = oracle.Puzzle(CUBES, [goal, DOMINO], [Problem([Use(1, 2, 2)], 0, max_holes=1)])
    found = load(str(made(tmp_path, oracle.xml(puzzle))))
    assert "maxHoles is 1, but 2 must stay empty" in found.warnings[0].message
    assert count(found, CountRequest(symmetry="none")).total == len(oracle.solutions(puzzle, puzzle.problems[0])) == 11


@pytest.mark.parametrize(
    ("pairs", "total"),
    [
        ([], 0),  # colours that are not listed never meet, also where they are the same
        ([(1, 1)], 0),
        ([(1, 1), (2, 2)], 1),
        ([(1, 2), (2, 1)], 1),
        ([(1, 1), (1, 2), (2, 1), (2, 2)], 2),
    ],
)
def test_colours_meet_where_the_problem_says_so(pairs: list[tuple[int, int]], total: int, tmp_path: Path) -> None:
    two = {(0, 0, 0): Voxel(False, 1), (1, 0, 0): Voxel(False, 2)}
    puzzle = oracle.Puzzle(CUBES, [two, two], [Problem([Use(0)], 1, pairs)], 2)
    found = library.load_problems(str(made(tmp_path, oracle.xml(puzzle))))["P1"]
    assert len(oracle.solutions(puzzle, puzzle.problems[0])) == total
    if total:
        assert isinstance(found, Puzzle)
        assert count(found, CountRequest(symmetry="none")).total == total
    else:
        assert isinstance(found, PuzzleFileError) or count(found, CountRequest(symmetry="none")).total == 0


def test_two_problems_with_rules_of_their_own(tmp_path: Path) -> None:
    two = {(0, 0, 0): Voxel(False, 1), (1, 0, 0): Voxel(False, 2)}
    problems = [Problem([Use(0)], 1, [(1, 1), (2, 2)], name="one"), Problem([Use(0)], 1, [(1, 2), (2, 1)], name="two")]
    path = made(tmp_path, oracle.xml(oracle.Puzzle(CUBES, [two, two], problems, 2)))
    with pytest.raises(PuzzleError, match=r"choose one with --problem: 1 \(one\), 2 \(two\)"):
        load(str(path))
    assert load(str(path), problem="2").name == load(str(path), problem="two").name == "two"
    written = made(tmp_path, puzzle_as_toml(load_all(str(path))), "written.toml")
    for name in ("one", "two"):
        found = [load(str(file), problem=name) for file in (path, written)]
        assert {count(each, CountRequest(symmetry="none")).total for each in found} == {1}


def test_what_burrtools_found_is_told_as_a_source(tmp_path: Path) -> None:
    solved = PROBLEM.replace('state="0"', 'state="2" assemblies="1234" solutions="3"')
    solutions = (
        '<assembler version="2.0">x</assembler><solutions><solution><assembly>0 1 2</assembly></solution></solutions>'
    )
    text = puzzle_file(SHAPES, solved.replace("</problem>", f"{solutions}</problem>"))
    puzzle = load(str(made(tmp_path, text)))
    assert puzzle.source == (
        "made.xmpuzzle; BurrTools found 1,234 assemblies "
        "(compare --symmetry all; if BurrTools kept mirror images apart, compare --symmetry rotations)"
    )
    assert not puzzle.expect


def test_without_a_declaration_latin_1_is_read(tmp_path: Path) -> None:
    umlaut = shape("##", (2, 1, 1), 'name="Müller"')
    named = puzzle_file(shape(CUBE) + umlaut, PROBLEM).split("\n", 1)[1]
    for encoding in ("latin-1", "utf-8"):
        (part,) = load(str(made(tmp_path, named.encode(encoding)))).parts
        assert part.name == "Müller"
    packed = made(tmp_path, gzip.compress(named.encode("latin-1")), "packed")
    assert load(str(packed)).parts[0].name == "Müller"


def test_a_file_is_known_by_what_it_begins_with(tmp_path: Path) -> None:
    text = puzzle_file(SHAPES, PROBLEM)
    for name, content in (("no-suffix", text.encode()), ("x.xml", b"\n " + text.split("\n", 1)[1].encode())):
        assert load(str(made(tmp_path, content, name))).lattice.name == "cubic"
    assert load(str(made(tmp_path, gzip.compress(text.encode()), "x.gz"))).lattice.name == "cubic"
    halves = gzip.compress(text[:90].encode()) + gzip.compress(text[90:].encode())  # two members are one stream
    assert load(str(made(tmp_path, halves, "two.xmpuzzle"))).lattice.name == "cubic"


def test_a_grid_type_left_out_is_cubes(tmp_path: Path) -> None:
    assert load(str(made(tmp_path, puzzle_file(SHAPES, PROBLEM, before="")))).lattice.name == "cubic"


def test_pieces_that_are_never_used_are_left_out(tmp_path: Path) -> None:
    problem = PROBLEM.replace("<shapes>", '<shapes><shape id="0" count="0"/>')
    assert [part.name for part in load(str(made(tmp_path, puzzle_file(SHAPES, problem)))).parts] == ["S2"]


def test_a_bad_problem_does_not_spoil_the_others(tmp_path: Path) -> None:
    bad = PROBLEM.replace('<result id="0"/>', "").replace("<problem ", '<problem name="bad" ')
    path = made(tmp_path, puzzle_file(SHAPES, f"{bad}\n{PROBLEM}"))
    assert load(str(path), problem="2").name == "P2"
    with pytest.raises(PuzzleFileError, match=r"problem 1 \(bad\): has no result shape"):
        load(str(path), problem="bad")
    (good,) = load_all(str(path))
    assert [warning.line for warning in good.warnings] == [9]
    report = inspect_file(str(path), Bounds())
    assert not report.sound
    assert "problem 1 (bad): has no result shape" in report.complaints[0].message


# ---- what is wrong

FAULTS = {
    "no such grid": (puzzle_file(SHAPES, PROBLEM, '<gridType type="7"/>'), 3, "grid type 7 is no grid of BurrTools"),
    "sliding": (puzzle_file(SHAPES, PROBLEM, '<gridType type="5"/>'), 3, "grid type 5 is the sliding grid"),
    "grid no number": (puzzle_file(SHAPES, PROBLEM, '<gridType type="x"/>'), 3, "type must be a whole number"),
    "version": (
        puzzle_file(SHAPES, PROBLEM).replace('version="2"', 'version="3"'),
        2,
        "version must be a whole number",
    ),
    "no problem": (puzzle_file(SHAPES, ""), 2, "has no problem"),
    "no shapes": (puzzle_file("", PROBLEM), 8, "there is no shape of id 1; the file has 0"),
    "no pieces": (puzzle_file(SHAPES, PROBLEM.replace("shape id", "sheep id")), 9, "has no pieces"),
    "no id": (puzzle_file(SHAPES, PROBLEM.replace('id="1" ', "")), 9, "has no id"),
    "result astray": (puzzle_file(SHAPES, PROBLEM.replace('<result id="0"', '<result id="9"')), 9, "has no result"),
    "negative count": (puzzle_file(SHAPES, PROBLEM.replace('"4"', '"-4"')), 9, "count must be a whole number from 0"),
    "huge count": (
        puzzle_file(SHAPES, PROBLEM.replace('"4"', '"4000000000"')),
        9,
        "count must be a whole number from 0",
    ),
    "min alone": (puzzle_file(SHAPES, PROBLEM.replace("count", "min")), 9, "needs a count, or a min and a max"),
    "min above max": (
        puzzle_file(SHAPES, PROBLEM.replace('count="4"', 'min="3" max="2"')),
        9,
        "needs a count, or a min and a max",
    ),
    "empty piece": (
        puzzle_file(SHAPES.replace(">##<", ">__<"), PROBLEM),
        6,
        "S2 is empty, but is to be used as a piece",
    ),
    "empty result": (puzzle_file(SHAPES.replace(CUBE, "_" * 8), PROBLEM), 5, "S1 is empty, but is to be the result"),
    "variable piece": (puzzle_file(SHAPES.replace(">##<", ">#+<"), PROBLEM), 6, "S2 has variable voxels"),
    "too short": (puzzle_file(SHAPES.replace(CUBE, "#"), PROBLEM), 5, "describes 1 voxels, but 2 by 2 by 2 are 8"),
    "too long": (puzzle_file(SHAPES.replace(CUBE, CUBE * 9), PROBLEM), 5, "describes 72 voxels, but 2 by 2 by 2 are 8"),
    "vast": (
        puzzle_file(SHAPES.replace('x="2"', 'x="1000000000"', 1), PROBLEM),
        5,
        "1000000000 by 2 by 2 are 4,000,000,000",
    ),
    "too vast": (
        puzzle_file(SHAPES.replace('x="2"', 'x="9999999999"', 1), PROBLEM),
        5,
        "x must be a whole number from 1",
    ),
    "no size": (puzzle_file(SHAPES.replace('x="2" ', "", 1), PROBLEM), 5, "its size x is missing"),
    "unknown type": (puzzle_file(SHAPES.replace('type="0"', 'type="1"', 1), PROBLEM), 5, "type must be a whole number"),
    "stray sign": (
        puzzle_file(SHAPES.replace(CUBE, "###x####"), PROBLEM),
        5,
        "stray character 'x' in the text of shape S1",
    ),
    "blank inside": (puzzle_file(SHAPES.replace(CUBE, "#### ####"), PROBLEM), 5, "has a blank or a new line"),
    "leading digit": (puzzle_file(SHAPES.replace(CUBE, f"1{CUBE}"), PROBLEM), 5, "begins with a colour's number"),
    "coloured void": (puzzle_file(SHAPES.replace(CUBE, "#######_1"), PROBLEM), 5, "an empty voxel has the colour 1"),
    "no colours": (puzzle_file(SHAPES.replace(CUBE, f"{CUBE}1"), PROBLEM), 5, "no colour 1; the file defines none"),
    "colour too high": (
        puzzle_file(SHAPES.replace(CUBE, f"{CUBE}64"), PROBLEM, "<colors><color/><color/></colors>"),
        5,
        "there is no colour 64; the file defines 2, from 1",
    ),
    "too many colours": (puzzle_file(SHAPES, PROBLEM, f"<colors>{'<color/>' * 64}</colors>"), 3, "has at most 63"),
    "pair astray": (
        puzzle_file(SHAPES, PROBLEM.replace("<bitmap/>", '<bitmap><pair piece="0" result="1"/></bitmap>')),
        9,
        "a pair of colours names 0 and 1; the file defines 0, from 0",
    ),
    "volume": (puzzle_file(SHAPES, PROBLEM.replace('"4"', '"3"')), 8 + 1, "the volume cannot fit"),
    "no xml": ("this is no XML", 1, "is not valid XML"),
    "nothing": ("", 1, "no element found"),
    "another root": ("<html><body/></html>", 1, "holds <html>, not the <puzzle>"),
    "breaks off": (puzzle_file(SHAPES, PROBLEM)[:200], 0, "is not valid XML"),
    "trailing text": (puzzle_file(SHAPES, PROBLEM) + "<more/>", 12, "is not valid XML"),
    "null byte": (puzzle_file(SHAPES, PROBLEM).replace("<problems>", "<problems>\0"), 8, "is not valid XML"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><puzzle/>', 0, "is not valid XML"),
    "entities": ('<!DOCTYPE p [<!ENTITY a "b">]><puzzle>&a;</puzzle>', 1, "a document type or entities"),
    "not on the grid": (
        puzzle_file(SHAPES, PROBLEM, '<gridType type="2"/>'),
        6,
        "the grid of spheres has no cell at (1, 0, 0): x + y + z must be even",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_told_with_their_place(name: str, tmp_path: Path) -> None:
    text, line, words = FAULTS[name]
    with pytest.raises(PuzzleFileError) as caught:
        load(str(made(tmp_path, text)))
    complaint = caught.value.complaints[0]
    assert words in complaint.message
    assert complaint.path.endswith("made.xmpuzzle")
    if line:
        assert complaint.line == line, complaint
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match="there is no such file"):
        load(str(tmp_path / "none.xmpuzzle"))
    (tmp_path / "folder.xmpuzzle").mkdir()
    with pytest.raises(PuzzleFileError, match="is a folder; a BurrTools file is needed"):
        load(str(tmp_path / "folder.xmpuzzle"))
    with pytest.raises(PuzzleError, match="there is no such file"):
        load("nonexistent")


# ---- hostile files: told at once, in little memory


def packed(first: bytes, then: bytes, times: int) -> bytes:
    """A gzip file of *first*, and of *then* so many times. It lacks its end, which no reader should come to."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    head = packer.compress(first) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + (packer.compress(then) + packer.flush(zlib.Z_FULL_FLUSH)) * times  # which starts anew after a flush


def entity_bomb() -> str:
    entities = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "lol"}">' for k in range(12))
    return f"<!DOCTYPE p [{entities}]><puzzle>&e11;</puzzle>"


TRUE = puzzle_file(SHAPES, PROBLEM)
HOSTILE: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "gzip bomb": (  # a gibibyte in a megabyte
        lambda: packed(b"<puzzle>", b" " * (1 << 20), 1 << 10),
        "holds more than 65,048,576 bytes when unpacked; raise the bound with --max-cells",
    ),
    "zeros": (lambda: packed(b"", b"\0" * (1 << 20), 1 << 8), "is not valid XML"),
    "entity bomb": (entity_bomb, "has a document type or entities"),
    "cut gzip": (lambda: gzip.compress(TRUE.encode())[:-20], "ends too early"),
    "damaged gzip": (lambda: gzip.compress(TRUE.encode())[:30] + b"\0" * 99, "damaged gzip file"),
    "garbage after gzip": (
        lambda: gzip.compress(TRUE.encode()) + b"garbage",
        "is a damaged gzip file: Not a gzipped file",
    ),
    "empty gzip": (lambda: gzip.compress(b""), "no element found"),
    "million shapes": (lambda: puzzle_file(SHAPES * 100_000, PROBLEM), "holds more than 10,000 shapes"),
    "packed shapes": (
        lambda: gzip.compress(puzzle_file(SHAPES * 100_000, PROBLEM).encode()),
        "more than 10,000 shapes",
    ),
    "deep": (lambda: f"<puzzle>{'<a>' * 200_000}", "nested more than 1,000 deep"),
    "deep shapes": (lambda: f"<puzzle>{'<shapes>' * 200_000}", "nested more than 1,000 deep"),
    "million problems": (
        lambda: puzzle_file(SHAPES, PROBLEM * 110_000),
        "more than 100,000 shapes, problems and their",
    ),
    "million pairs": (
        lambda: puzzle_file(SHAPES, PROBLEM.replace("<bitmap/>", f"<bitmap>{'<pair/>' * 200_000}</bitmap>")),
        "more than 100,000 shapes, problems and their parts",
    ),
    "million elements": (lambda: f"<puzzle>{'<a/>' * 1_200_000}</puzzle>", "holds more than 1,000,000 elements"),
    "one vast text": (
        lambda: puzzle_file(shape("#" * 20_000_000, (1000, 1000, 20)), PROBLEM.replace('"1"', '"0"')),
        "has more than 1,000,000 voxels; raise the bound with --max-cells",
    ),
    "vast digits": (
        lambda: puzzle_file(shape("#" + "1" * 20_000_000, (1, 1, 1)), PROBLEM.replace('"1"', '"0"')),
        "its text is longer than 1 voxels with their colours can be",
    ),
    "vast name": (
        lambda: puzzle_file(shape("#", (1, 1, 1), f'name="{"n" * 15_000_000}"'), PROBLEM),
        "has a tag, a comment or an instruction of more than",
    ),
    "vast comment": (
        lambda: TRUE.replace("<problems>", f"<!--{'-x' * 8_000_000}--><problems>"),
        "has a tag, a comment",
    ),
    "long number": (lambda: TRUE.replace('count="4"', f'count="{"9" * 500_000}"'), "count must be a whole number"),
}
CHILD = """
import json, re, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from latcover.errors import LatcoverError
from latcover.files.formats.library import load
import numpy, latcover.core.encoding.prepared
for line in sys.stdin:
    try:
        load(line.rstrip())
        told = ""
    except LatcoverError as problem:
        told = str(problem)
    peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
    print(json.dumps([told, peak]), flush=True)
"""


@pytest.fixture(scope="module")
def reader() -> Iterator[subprocess.Popen[str]]:
    """A process that reads the files whose names it is given, and tells its peak of memory so far."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.communicate()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is told by /proc alone")
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.long
def test_hostile_files_are_refused_in_little_memory(name: str, tmp_path: Path, reader: subprocess.Popen[str]) -> None:
    make, words = HOSTILE[name]
    path = made(tmp_path, make())
    assert reader.stdin is not None
    assert reader.stdout is not None
    print(path, file=reader.stdin, flush=True)
    told, peak = json.loads(reader.stdout.readline())
    path.unlink()
    assert words in told
    assert len(told) < 1000
    assert "\n" not in told
    assert peak < MOST_MEMORY, f"{peak / 1e6:.0f} MB"
