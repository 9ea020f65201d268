"""Bad input: each fault gives one paragraph that says what is wrong, where, and what would mend it; never a traceback.

Texts mark the line of their fault with a comment, "#!".
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.encoding.prepared import Choices
from latcover.errors import LatticeError, PuzzleError
from latcover.formats import library
from latcover.formats.library import load_lattice
from latcover.model.batch_verifier import BatchVerifier
from latcover.model.puzzle import Bounds
from latcover.model.verifier import Verifier
from latcover.reporting.check import inspect_file
from latcover.system import extras
from tests.command_line import COMMAND, FAILED, USAGE, Result, run, run_process
from tests.file_fuzzing.judging import within
from tests.processes import GUARD

HERE = "#!"
HUGE = "1" + "0" * 400  # more than a float can hold


def by_shell(redirection: str, *words: object, **changes: str) -> Result:
    """The command line as a process of its own, under a redirection of the shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GUARD,
        check=False,
        env={**os.environ, **changes},
    )


def message_of(result: Result, code: int = FAILED) -> str:
    """What the one paragraph says."""
    assert result.returncode == code, result
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip("\n")


def assert_says(message: str, path: Path, text: str, *words: str) -> None:
    """*message* names the file, the line marked in *text*, and all of *words*."""
    line = text[: text.index(HERE)].count("\n") + 1 if HERE in text else r"\d+"
    assert re.match(rf"{re.escape(str(path))}:{line}(:\d+)?: ", message), (line, message)
    assert all(word in message for word in words), message


def write(folder: Path, text: str | bytes, name: str = "file.toml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def case(name: str, text: str, *words: str) -> object:
    return pytest.param(text, words, id=name.replace(" ", "-"))


# ---- puzzle files

NAME, SQUARE = 'name = "p"\n', 'lattice = "square"\n'
HEAD = NAME + SQUARE
BOX = "[region]\nbox = [2, 2]\n"
PART = '[[parts]]\nname = "A"\nbox = [2, 2]\n'
PUZZLE = HEAD + BOX + PART
REST = BOX + PART


def region(text: str) -> str:
    return f"{HEAD}[region]\n{text}\n{PART}"


def part(text: str, before: str = "") -> str:
    return f'{HEAD}{before}{BOX}[[parts]]\nname = "A"\n{text}\n'


def parts(*texts: str, box: str = BOX) -> str:
    """A puzzle of several parts; the marks are set by hand."""
    return HEAD + box + "".join(f"[[parts]]{text}\n" for text in texts)


PUZZLE_FAULTS = [
    # what every puzzle has
    case("name missing", SQUARE + REST, "'name' is missing"),
    case("name empty", 'name = "" #!\n' + SQUARE + REST, "must not be empty"),
    case("name blank", 'name = " " #!\n' + SQUARE + REST, "must not be empty"),
    case("lattice missing", NAME + REST, "'lattice' is missing"),
    case("lattice empty", NAME + 'lattice = "" #!\n' + REST, "lattice"),
    case("lattice unknown", NAME + 'lattice = "sqare" #!\n' + REST, "no lattice 'sqare'", "'square'"),
    case("lattice file missing", NAME + 'lattice = "no.toml" #!\n' + REST, "no.toml"),
    case("lattice with a nil", NAME + 'lattice = "\\u0000.toml" #!\n' + REST, "lattice"),
    case("lattice of a long name", NAME + f'lattice = "{"a" * 300}" #!\n' + REST, "lattice"),
    case("region missing", HEAD + PART, "'region' is missing", "a set of parts, not a puzzle"),
    case(
        "a lattice", 'name = "l"\nbasis = [[1, 0]] #!\n[nodes.a]\n', "this is a lattice, not a puzzle; on the command"
    ),
    case("a part set", NAME + PART, "'region' is missing: this is a set of parts, not a puzzle"),
    case("parts missing", HEAD + BOX, "'parts' is missing"),
    case("no parts", HEAD + "parts = [] #!\n" + BOX, "at least one part"),
    case("one part in single brackets", PUZZLE.replace("[[parts]]", "[parts] #!"), "[[parts]]"),
    # keys that are not known
    case("unknown key", HEAD + "lattices = 1 #!\n" + REST, "unknown key", "'lattice'"),
    case("unknown key of a region", region("bx = [2, 2] #!\nart = ['X']"), "unknown key", "'box'"),
    case("unknown key of a part", PUZZLE + "cuont = 2 #!\n", "unknown key", "'count'"),
    case("unknown key of a hole", region("box = [2, 2]\n[region.minus]\nbox = [1, 1]\nta = 1 #!"), "'at'"),
    case("unknown expectation", PUZZLE + "[expect]\ntotl = 1 #!\n", "unknown key", "'total'"),
    # cells
    case("no cells", HEAD + "[region] #!\n" + PART, "exactly one way", "box, art, layers, cells, walk", "none"),
    case("cells in two ways", HEAD + "[region] #!\nbox = [2, 2]\nart = ['XX']\n" + PART, "box and art"),
    case("box of no side", region("box = [0, 2] #!"), "1 or more"),
    case("box with a negative side", region("box = [-2, 2] #!"), "1 or more"),
    case("box of three sides", region("box = [2, 2, 2] #!"), "2 whole numbers"),
    case("huge box", region("box = [1000000000, 1000000000] #!"), "more than 1,000,000 cells", "--max-cells"),
    case("box of a huge number", region(f"box = [{HUGE}, 2] #!"), "whole numbers", "at most 1073741823"),
    case("stray character", region("art = [\n'XX',\n'X?', #!\n]"), "'?'", "row 2, column 2", "X or #", "optional"),
    case("optional cell in a part", part("art = ['X+'] #!"), "'+'", "row 1, column 2", "X or #"),
    case("art with a tab", region("art = ['X\tX'] #!"), r"'\t'"),
    case("art of no cell", region("art = ['..', ' _'] #!"), "holds no cell"),
    case("art of no rows", region("art = [] #!"), "holds no cell"),
    case("art of arrays", region("art = [['X']] #!"), "rows of text"),
    case("layers on a plane", region("layers = [['XX'], ['XX']] #!"), "has no layers", "art"),
    case("part of another dimension", part("cells = [\n[0, 0],\n[0, 1, 0], #!\n]"), "2 axes", "3"),
    case("cell given twice", part("cells = [\n[0, 0],\n[0, 1],\n[0, 0], #!\n]"), "given twice"),
    case("cell of a half", part("cells = [\n[0, 0],\n[0, 0.5], #!\n]"), "whole numbers"),
    case("cell far away", part("cells = [[0, 0], [1099511627776, 0]] #!"), "whole numbers"),
    case("cells far apart", region("cells = [[0, 0], [100000000, 100000000]] #!"), "too far apart"),
    case("no cell in the list", part("cells = [] #!"), "holds no cell"),
    # walks
    case("walk of half a step", part('walk = "1 east" #!'), "CELL HALF-EDGE CELL"),
    case("walk along an unknown half-edge", part('walk = "1 easst 2" #!'), "no half-edge 'easst'", "'east'"),
    case("half-edge from a cell to itself", part('walk = "1 east 1" #!'), "from a cell to itself"),
    case("walk in two pieces", part('walk = "1 east 2, 3 east 4" #!'), "'3 east 4'", "no cell that the walk"),
    case("walk that does not close", part('walk = "1 east 2, 2 south 3, 3 north 1" #!'), "does not close"),
    case("walk onto itself", part('walk = "1 east 2, 2 west 3" #!'), "cell 3", "another cell"),
    case("walk of nothing", part('walk = "" #!'), "holds no cell"),
    # holes and periods
    case("hole where there is no cell", region("box = [2, 2]\nminus = { box = [1, 1], at = [2, 0] } #!"), "[2, 0]"),
    case("hole in a hole", region("box = [2, 2]\nminus = [{ box = [1, 1] }, { box = [1, 1] }] #!"), "no cell: [0, 0]"),
    case("hole as large as the region", PUZZLE.replace("[region]", "[region] #!\nminus.box = [2, 2]"), "no cell"),
    case("hole at no place", region("box = [2, 2]\nminus = { box = [1, 1], at = [1] } #!"), "2 whole numbers"),
    case("period of one axis", region("box = [2, 2]\nperiod = [2] #!"), "2 whole numbers"),
    case("negative period", region("box = [2, 2]\nperiod = [-2, 0] #!"), "period"),
    case("period that is too short", region("box = [2, 2]\nperiod = [1, 0] #!"), "two cells become the same cell"),
    # parts
    case("part without a name", PUZZLE.replace('[[parts]]\nname = "A"', "[[parts]] #!"), "'name' is missing"),
    case("part of an empty name", PUZZLE.replace('name = "A"', 'name = "" #!'), "must not be empty"),
    case("two parts of one name", PUZZLE + "[[parts]] #!\nname = 'A'\nmin = 0\nart = ['X']\n", "'A'", "use count"),
    case(
        "the same from a set", parts("\nname = 'F'\nart = ['X']", " #!\nset = 'pentominoes'"), "named 'F'", "use count"
    ),
    case("part that is too large", parts(" #!\nname = 'A'\nart = ['XXXXX']"), "cannot fit", "5 cells", "region 4"),
    case("too many copies", parts(" #!\nname = 'A'\nart = ['X']\ncount = 5"), "cannot fit", "5 copies"),
    case(
        "too small a volume", PUZZLE.replace("[region]\nbox = [2, 2]", "[region] #!\nbox = [2, 3]"), "6 cells", "hold 4"
    ),
    case(
        "a volume never met",
        parts("\nname='A'\nbox=[1, 2]\nmax=1", "\nname='B'\nbox=[1, 4]\nmax=1", box="[region] #!\nbox = [1, 5]\n"),
        "from 0 to 6, but no such number",
    ),
    case("count of none", part("box = [2, 2]\ncount = 0 #!"), "whole number from 1"),
    case("negative count", part("box = [2, 2]\ncount = -1 #!"), "whole number from 1"),
    case("huge count", part(f"box = [2, 2]\ncount = {HUGE} #!"), "whole number from 1"),
    case("count of a million and one", part("box = [2, 2]\ncount = 1000001 #!"), "1,000,000 copies"),
    case("count in words", part('box = [2, 2]\ncount = "many" #!'), '"unlimited"'),
    case("count beside min", part("box = [2, 2]\nmin = 1\ncount = 1 #!"), "beside min or max"),
    case("max in words", part('box = [2, 2]\nmax = "any" #!'), '"unlimited"'),
    case("min in words", part('box = [2, 2]\nmin = "any" #!'), "must be a whole number"),
    case("count beside max", part("box = [2, 2]\nmax = 1\ncount = 'unlimited' #!"), "beside min or max"),
    case("min above max", part("box = [2, 2]\nmin = 2 #!\nmax = 1"), "above max = 1"),
    case("negative min", part("box = [2, 2]\nmin = -1 #!"), "whole number from 0"),
    case("huge min", part("box = [2, 2]\nmin = 1000000000 #!"), "1,000,000 copies"),
    case("max of none", part("box = [2, 2]\nmax = 0 #!"), "whole number from 1"),
    case("transformation unknown", part('box = [2, 2]\ntransformations = ["turn"] #!'), "'turn'", "quarter turn"),
    case("for all parts", HEAD + 'transformations = "turns" #!\n' + REST, "'turns'", "quarter turn", "fixed"),
    # colours
    case(
        "colour unknown",
        part("cells = [[0, 0]]\ncolours = ['blak'] #!", "[colours]\nB = 'black'\n"),
        "'blak'",
        "'black'",
    ),
    case("no colours at all", part("cells = [[0, 0]]\ncolours = ['black'] #!"), "no colour 'black'", "[colours]"),
    case("a colour that is an array", part("cells = [[0, 0]]\ncolours = [['black']] #!"), "colour"),
    case("too few colours", part("cells = [[0, 0], [0, 1]]\ncolours = ['black'] #!"), "2 cells", "1 colours"),
    case("colours of art", part("box = [2, 2]\ncolours = ['black'] #!", "[colours]\nB = 'black'\n"), "colours"),
    case("colours of a box of cells", region("box = [2, 2]\ncolours = ['black'] #!"), "can only stand beside cells"),
    case("character of art unknown", region("art = ['XB'] #!"), "'B'"),
    case("two characters", HEAD + "[colours]\nBB = 'black' #!\n" + REST, "single character"),
    case("a cell's own character", HEAD + "[colours]\nX = 'black' #!\n" + REST, "single character other than X"),
    case("colour without a name", HEAD + "[colours]\nB = '' #!\n" + REST, "colours.B"),
    # sets and figures
    case("set unknown", parts("\nset = 'pentomino' #!"), "no part set 'pentomino'", "'pentominoes'"),
    case("set file missing", parts("\nset = 'no.toml' #!"), "no.toml"),
    case("set with a nil", parts('\nset = "\\u0000.toml" #!'), "set"),
    case("set of a long name", parts(f"\nset = '{'a' * 300}' #!"), "set"),
    case("only an unknown part", parts("\nset = 'pentominoes'\nonly = ['F', 'G'] #!"), "no part 'G'", "F, I, L"),
    case("without an unknown part", parts("\nset = 'pentominoes'\nwithout = ['G'] #!"), "no part 'G'", "F, I, L"),
    case("only none", parts("\nset = 'pentominoes'\nonly = [] #!"), "names no part"),
    case("only an array", parts("\nset = 'pentominoes'\nonly = [['F']] #!"), "only"),
    case("negative expectation", PUZZLE + "[expect]\ntotal = -1 #!\n", "whole number from 0"),
    # places after what is easily misread
    case("after rows of cells", parts("\nname='B'\ncells = [\n  [0, 0],\n  [1, 0],\n]\ncount = 'x' #!"), "count"),
    case("after a comment with an apostrophe", region("art = [\n'XX', # don't\n'X?', #!\n]"), "'?'"),
]


@pytest.mark.parametrize(("text", "words"), PUZZLE_FAULTS)
def test_a_faulty_puzzle(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = write(tmp_path, text)
    assert_says(message_of(run("count", path)), path, text, *words)


def test_the_puzzle_that_the_faults_are_put_in_is_sound(tmp_path: Path) -> None:
    result = run("count", write(tmp_path, PUZZLE))
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("art", "place"),
    [
        ('["XX", "X?"]', "4:16"),
        ('"""\nXX\nX?"""', "6:2"),
        ('"""XX\nX?"""', "5:2"),
        ('"""\n\nXX\nX?\n\n"""', "7:2"),
        ('"XX?"', "4:10"),
        ('"?"', "4:8"),
    ],
)
def test_a_stray_character_has_its_column(tmp_path: Path, art: str, place: str) -> None:
    path = write(tmp_path, region(f"art = {art}"))
    assert message_of(run("count", path)).startswith(f"{path}:{place}: region.art[")


def test_equal_parts_are_a_warning(tmp_path: Path) -> None:
    text = f"{HEAD}{BOX}[[parts]]\nname = 'A'\nbox = [1, 2]\n[[parts]] #!\nname = 'B'\nbox = [2, 1]\n"
    path = write(tmp_path, text)
    result = run("count", path)
    assert result.returncode == 0
    assert_says(result.stderr, path, text, "warning: ", "'B' equals part 'A'", "use one part with a count")


# ---- lattice files

LATTICE = """\
name = "net"
basis = [[0, -1], [1, 0]]
part_transformations = "rotations"

[nodes.cell]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]

[half_edges]
north = { step = [-1, 0], twin = "south" }
south = { step = [1, 0], twin = "north" }
west = { step = [0, -1], twin = "east" }
east = { step = [0, 1], twin = "west" }

[[transformations]]
name = "quarter turn"
cycles = ["east north west south"]
"""
SYMBOLS = 'drawings = "symbols"\n' + LATTICE
CYCLES = 'cycles = ["east north west south"]'
TURN = '[[transformations]]\nname = "quarter turn"\n'
ONE_AXIS = re.sub(r"(?m)^(north|south) = .*\n", "", LATTICE).replace("east north west south", "east west")
NO_EDGES = re.sub(r"(?m)^(north|south|east|west) = .*\n", "", LATTICE)
LEAVES = range(8)  # about a hub: they can be exchanged in 8! ways
STAR = "\n".join(
    [
        'name = "star"\ndrawings = "symbols"\nbasis = [[1]]\n[nodes.hub]\nradius = 1',
        *(f"[nodes.leaf{k}]\nradius = 1" for k in LEAVES),
        "[half_edges]",
        'right = { from = "hub", to = "hub", step = [1], twin = "left" }',
        'left = { from = "hub", to = "hub", step = [-1], twin = "right" }',
        *(f'out{k} = {{ from = "hub", to = "leaf{k}", step = [0], twin = "in{k}" }}' for k in LEAVES),
        *(f'in{k} = {{ from = "leaf{k}", to = "hub", step = [0], twin = "out{k}" }}' for k in LEAVES),
        '[[transformations]] #!\nname = "exchange"\ncycles = ["out0 out1", "in0 in1"]',
        '[[transformations]]\nname = "turn"\ncycles = [',
        *(f'"{" ".join(f"{way}{k}" for k in LEAVES)}",' for way in ("out", "in")),
        "]",
    ]
)


def lattice(old: str, new: str, text: str = LATTICE) -> str:
    """The lattice above with the line that starts with *old* replaced."""
    found, n = re.subn(rf"^{re.escape(old)}.*$", lambda _: new, text, flags=re.MULTILINE)
    assert n == 1
    return found


def edge(new: str) -> str:
    """The lattice above with another half-edge to the north."""
    return lattice("north", f"{new} #!")


def other_label(label: str) -> str:
    """The lattice above with this label for the half-edge to the north."""
    text = edge(f'{label} = {{ step = [-1, 0], twin = "south" }}').replace("east north west south", "east west")
    return text.replace('"north"', label if label.startswith('"') else f'"{label}"')


def drawing(new: str) -> str:
    return lattice("polygon", new)


CORNERS = "[[0, 0], [1, 0], [0, 1]]"
LATTICE_FAULTS = [
    case("name missing", lattice('name = "net', ""), "'name' is missing"),
    case("unknown key", lattice("basis", "basis = [[0, -1], [1, 0]]\nnode = 1 #!"), "unknown key", "'nodes'"),
    case("default unknown", lattice("part_trans", 'part_transformations = "all" #!'), "fixed, rotations, reflections"),
    # transformations
    case("breaks a twin", lattice("cycles", 'cycles = ["east north"] #!'), "'north'", "twin", "'quarter turn'"),
    case(
        "breaks a neighbourhood",
        lattice("cycles", 'cycles = ["east north west south"] #!', SYMBOLS).replace(
            "[half_edges]",
            '[half_edges]\nup = { step = [-1, 1], twin = "down" }\ndown = { step = [1, -1], twin = "up" }',
        ),
        "'quarter turn'",
        "breaks a neighbourhood",
    ),
    case("label unknown", lattice("cycles", 'cycles = ["east nort west south"] #!'), "'nort'", "'north'"),
    case("label twice in a cycle", lattice("cycles", 'cycles = ["east north east"] #!'), "'east' occurs twice"),
    case("label in two cycles", lattice("cycles", 'cycles = ["east west", "east west"] #!'), "'east' occurs twice"),
    case("cycle of nothing", lattice("cycles", 'cycles = [""] #!'), "string of labels"),
    case("reserved name", lattice('name = "quarter', 'name = "fixed" #!'), "reserved"),
    case("transformation without a name", LATTICE.replace(TURN, "[[transformations]] #!\n"), "'name' is missing"),
    case(
        "neither cycles nor a matrix",
        LATTICE.replace(TURN, TURN.replace("]]", "]] #!")).replace(CYCLES, ""),
        "needs cycles",
    ),
    case(
        "matrix that keeps no lattice",
        LATTICE.replace(CYCLES, "matrix = [[0.6, -0.8], [0.8, 0.6]] #!"),
        "'north' from (0, 1) to (-0.8, 0.6)",
        "six decimals",
    ),
    case("group that is too large", STAR, "more than 10000"),
    # half-edges
    case("twin missing", edge("north = { step = [-1, 0] }"), "'twin' is missing"),
    case("twin unknown", edge('north = { step = [-1, 0], twin = "soth" }'), "no half-edge 'soth'", "'south'"),
    case("twin empty", edge('north = { step = [-1, 0], twin = "" }'), "twin"),
    case("twins that do not pair up", edge('north = { step = [-1, 0], twin = "east" }'), "'east'", "names 'west'"),
    case("twin that leads elsewhere", edge('north = { step = [-1, 1], twin = "south" }'), "does not lead back"),
    case("from a cell to itself", edge('north = { step = [0, 0], twin = "south" }'), "from a cell to itself"),
    case("step missing", edge('north = { twin = "south" }'), "'step' is missing"),
    case("step of three numbers", edge('north = { step = [-1, 0, 0], twin = "south" }'), "2 whole numbers"),
    case("huge step", edge(f'north = {{ step = [{HUGE}, 0], twin = "south" }}'), "2 whole numbers"),
    case("node unknown", edge('north = { step = [-1, 0], twin = "south", to = "cel" }'), "no node 'cel'", "'cell'"),
    case("unknown key", edge('north = { stp = 1, step = [-1, 0], twin = "south" }'), "unknown key", "'step'"),
    case(
        "two equal half-edges",
        lattice("west", 'a = { step = [0, -1], twin = "b" }\nwest = { step = [0, -1], twin = "east" } #!').replace(
            "east = {", 'b = { step = [0, 1], twin = "a" }\neast = {'
        ),
        "same cell as 'a'",
    ),
    case("label with a blank", other_label('"a b"'), "blank"),
    case("label with a tab", other_label(r'"a\tb"'), "blank"),
    case("label that is a number", other_label("7"), "number"),
    case("no half-edges", NO_EDGES.replace("[half_edges]", "[half_edges] #!"), "at least one half-edge"),
    case("one axis", ONE_AXIS.replace("[half_edges]", "[half_edges] #!"), "fewer than 2 dimensions"),
    case(
        "every other cell",
        ONE_AXIS.replace(
            "[half_edges]", '[half_edges] #!\nn = { step = [2, 0], twin = "s" }\ns = { step = [-2, 0], twin = "n" }'
        ),
        "cut off",
    ),
    # nodes and drawings
    case("no nodes", lattice("[nodes.cell]", "[nodes] #!", drawing("")), "[nodes.NAME]"),
    case(
        "node that nothing leads to",
        LATTICE.replace("twin", 'from = "cell", to = "cell", twin') + "[nodes.lone] #!\nradius = 1\n",
        "no half-edges connect lone",
    ),
    case("basis missing", lattice("basis", ""), "'basis' is missing"),
    case("basis that is dependent", lattice("basis", "basis = [[1, 2], [2, 4]] #!"), "linearly independent"),
    case("basis of no vectors", lattice("basis", "basis = [] #!"), "basis"),
    case("basis of four", lattice("basis", "basis = [[1, 0], [0, 1], [1, 1], [2, 1]] #!"), "1 to 3 rows"),
    case("basis that is not square", lattice("basis", "basis = [[0, -1, 0], [1, 0, 0]] #!"), "2 numbers"),
    case("basis with a nan", lattice("basis", "basis = [[0, -1], [nan, 0]] #!"), "2 numbers"),
    case("basis with a truth", lattice("basis", "basis = [[0, -1], [true, 0]] #!"), "2 numbers"),
    case("basis beyond measure", lattice("basis", "basis = [[0, -1], [1e308, 1e308]] #!"), "basis"),
    case("huge basis", lattice("basis", f"basis = [[0, -1], [{HUGE}, 0]] #!"), "basis", "at most 1e+06"),
    case("no drawing", lattice("[nodes.cell]", "[nodes.cell] #!", drawing("")), "needs one drawing"),
    case("two", lattice("[nodes.cell]", "[nodes.cell] #!\nradius = 1"), "needs one drawing"),
    case("drawing with a nan", drawing("polygon = [[nan, 0], [1, 0], [0, 1]] #!"), "2 numbers", "nan"),
    case("drawing with an infinity", drawing("polygon = [[inf, 0], [1, 0], [0, 1]] #!"), "2 numbers"),
    case("huge drawing", drawing(f"polygon = [[{HUGE}, 0], [1, 0], [0, 1]] #!"), "polygon"),
    case("polygon of two corners", drawing("polygon = [[0, 0], [1, 0]] #!"), "three corners"),
    case("prism on a plane", lattice("[nodes.cell]", "[nodes.cell] #!\nheight = 1"), "height"),
    case("radius of a nan", drawing("radius = nan #!"), "number"),
    case("negative radius", drawing("radius = -1 #!"), "negative"),
    case("huge radius", drawing(f"radius = {HUGE} #!"), "radius"),
    case("vertices without faces", drawing(f"vertices = {CORNERS} #!"), "faces"),
    case("face without its vertex", drawing(f"vertices = {CORNERS}\nfaces = [[0, 1, 3]] #!"), "from 0 to 2"),
    case("position of a nan", drawing("radius = 1\nposition = [nan, 0] #!"), "2 numbers"),
    case("position of a row", drawing("radius = 1\nposition = [[0, 0]] #!"), "2 numbers"),
    case("position of nothing", drawing("radius = 1\nposition = [] #!"), "2 numbers"),
]


@pytest.mark.parametrize(("text", "words"), LATTICE_FAULTS)
def test_a_faulty_lattice(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = write(tmp_path, text, "net.toml")
    puzzle = write(tmp_path, PUZZLE.replace('"square"', '"net.toml"'))
    assert_says(message_of(run("count", puzzle)), path, text, *words)


def test_the_lattice_that_the_faults_are_put_in_is_sound(tmp_path: Path) -> None:
    write(tmp_path, LATTICE, "net.toml")
    result = run("count", write(tmp_path, PUZZLE.replace('"square"', '"net.toml"')))
    assert (result.returncode, result.stderr) == (0, "")


# ---- part sets

SET = "name = 's'\n[[parts]]\nname = 'A'\nart = ['XX', 'XX']\n"
SET_FAULTS = [
    case("stray character", SET.replace("'XX', 'XX'", "'XX',\n'X?' #!\n"), "'?'"),
    case("no parts", "name = 's'\n", "'parts' is missing"),
    case("unknown key", SET + "cuont = 1 #!\n", "'count'"),
    case("of another lattice", SET.replace("art = ['XX', 'XX']", "cells = [[0, 0, 0]] #!"), "2 axes"),
    case("no TOML", f"name = 's\n{SET}", "no valid TOML"),
]


@pytest.mark.parametrize(("text", "words"), SET_FAULTS)
def test_a_faulty_part_set(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = write(tmp_path, text, "set.toml")
    puzzle = write(tmp_path, f"{HEAD}{BOX}[[parts]]\nset = 'set.toml'\n")
    message = message_of(run("count", puzzle))
    place = message if message.startswith(str(path)) else message[message.index(str(path)) :]
    assert_says(place, path, text, *words)


# ---- one fault is one complaint


ONE_FAULT = {
    "name": PUZZLE.replace('name = "p"', "name = 5"),
    "name of a part": PUZZLE.replace('name = "A"', "name = 5"),
    "box": PUZZLE.replace("[2, 2]", '"x"', 1),
    "basis": lattice("basis", "basis = 5"),
    "polygon": drawing("polygon = [[nan, 0], [1, 0], [0, 1]]"),
    "radius": drawing("radius = nan"),
    "half-edge": lattice("north", "north = 5"),
    "cycles": lattice("cycles", "cycles = 5"),
    "cycles beside a matrix": LATTICE + "matrix = [[0, -1], [1, 0]]\n",
    "node": lattice("north", 'north = { step = [0, 0], from = "cell", to = "cel", twin = "north" }'),
    "title": PUZZLE.replace('name = "p"', 'name = "p"\ntitle = 5'),
    "colour": PUZZLE.replace("[region]", 'colours = { R = "red" }\nrules = { apart = ["rde"] }\n[region]'),
}


@pytest.mark.parametrize("name", ONE_FAULT)
def test_one_fault_is_one_complaint(tmp_path: Path, name: str) -> None:
    found = json.loads(run("check", write(tmp_path, ONE_FAULT[name]), "--json").stdout)
    assert len(found["complaints"]) == 1, found


# ---- what is no such file


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("is empty",)),
        (b" \n\t\n", ("is empty",)),
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe\n", ("no text in UTF-8",)),
        (b"\x00\x01\x02", ("no valid TOML",)),
        (b"name = 'p'\nlattice = '\xff'\n", (":2: ", "no text in UTF-8")),
        (b"name = 'p'\x00\n", (":1:", "no valid TOML")),
        (b"name = 'p'\nlattice\n", (":2:", "no valid TOML")),
        (b"name = 'p'\nname = 'q'\n", (":2:", "no valid TOML")),
        (b"name = " + b"[" * 5000 + b"]" * 5000, ("no valid TOML", "nested too deeply")),
        (b"name = " + b"{a = " * 5000 + b"1" + b"}" * 5000, ("no valid TOML", "nested too deeply")),
        (b"name = " + b"9" * 5000, ("no valid TOML",)),
        (b"name" + b".a" * 3000 + b" = 1\n", ("name",)),
        (b"name = 0x" + b"f" * 5000 + b"\n", (":1:", "name")),
        (b"[" + b"a." * 3000 + b"a]\nb = 1\n", (":1:",)),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_no_puzzle_at_all(tmp_path: Path, content: bytes, words: tuple[str, ...]) -> None:
    path = write(tmp_path, content)
    message = message_of(run("count", path))
    assert message.startswith(f"{path}:")
    assert all(word in message for word in words), message


def test_a_directory(tmp_path: Path) -> None:
    assert f"{tmp_path}: is a directory; a TOML file is needed" in message_of(run("count", tmp_path))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, PUZZLE)
    monkeypatch.setattr(Path, "open", refuse)
    assert message_of(run("count", path)) == f"{path}: cannot be read: Permission denied"


def test_windows_line_ends_and_a_byte_order_mark_are_taken(tmp_path: Path) -> None:
    assert run("count", write(tmp_path, PUZZLE.replace("\n", "\r\n"))).returncode == 0
    text = region('art = """\nXX\nX?""" #!')
    path = write(tmp_path, text.replace("\n", "\r\n"))
    assert_says(message_of(run("count", path)), path, text, "'?'")
    marked = run("count", write(tmp_path, b"\xef\xbb\xbf" + PUZZLE.encode()))
    assert marked.returncode == 0 or "byte order mark" in message_of(marked)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("pent-10x7", "pent-10x6"),
        ("Soma", "soma"),
        ("sphere_pyramid", "sphere-pyramid"),
        ("xyzzy", "soma"),
        ("tangram", "tangram-square"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(name: str, nearest: str) -> None:
    message = message_of(run("count", name))
    assert message.startswith(f"no puzzle {name!r} is shipped, and there is no such file; ")
    assert nearest in message


@pytest.mark.parametrize(
    "name", ["a" * 300, "a" * 300 + ".toml", "no/such/file", "no-such.toml", ""], ids=lambda name: ascii(name)[-20:]
)
@pytest.mark.parametrize("command", ["count", "check"])
def test_names_that_are_no_files(command: str, name: str) -> None:
    result = run(command, name)
    assert result.returncode == 1
    assert result.stdout + result.stderr != ""


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
    (("show", "fig4-3x3", "--view", "layers"), ("--view: only for a picture as SVG", "--output x.svg")),
    (("show", "fig4-3x3", "--patterns", "--no-letters"), ("--no-letters, --patterns: only for a picture as SVG",)),
    (("show", "fig4-3x3", "--output", "x.svg", "--view", "isometric"), ("'square' is flat", "leave --view out")),
    (("show", "fig4-3x3", "--output", "x.svg", "--json"), ("--json and --output x.svg exclude each other",)),
    (("show", "pent-10x6-eight-moved"), ("has no solution to show", "--region and --part")),
    (
        ("count", "soma", "--method", "memo", "--limit", "5"),
        ("cannot honour --limit", "--time", "--method enumeration"),
    ),
    (("count", "soma", "--method", "frontier", "--run", "x.db"), ("cannot honour --run", "--method enumeration")),
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
    ("frobnicate", "there is no command 'frobnicate'; known: assemble, bench, check,"),
    ("cuont soma", "there is no command 'cuont'; did you mean 'count'?"),
    ("soma", "'soma' is a puzzle, not a command; type for example `latcover solve soma`"),
    ("bench tabel1", "there is no command 'tabel1'; did you mean 'table1'?"),
    ("count --nope", "`latcover count` has no option --nope"),
    ("count --limt 3", "`latcover count` has no option --limt; did you mean '--limit'?"),
    ("count --limit", "a value must follow --limit"),
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
    ("count soma --order a,b", "--order: 'a,b' is no list of axes such as 0,2,1"),
    ("count soma --order 0,-1,2", "'0,-1,2' is no list of axes"),
    ("count soma --order ²,1,0", "'²,1,0' is no list of axes"),
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
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(library, "load_subject", fail)
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
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "load_subject", interrupt)
    result = run("count", "soma")
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr in ("", "error: interrupted\n")


def test_a_solution_that_fails_its_check_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BatchVerifier, "sound", lambda _, starts, __: np.zeros(len(starts) - 1, bool))
    monkeypatch.setattr(Verifier, "faults", lambda *_: ["made up"])
    assert "fails its check: made up" in message_of(run("solve", "fig4-3x3", "--json"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk() -> None:
    result = by_shell(">/dev/full", "count", "fig4-3x3")
    assert "No space left on device" in message_of(result)


@pytest.mark.parametrize(("command", "stream"), [("solve", "1"), ("count", "2")])
def test_a_closed_stream(command: str, stream: str) -> None:
    result = by_shell(f"{stream}>&-", command, "fig4-3x3")
    assert result.returncode == 0
    assert result.stderr == ""
    assert ("2 solutions" in result.stdout) == (stream == "2")


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


# ---- check

FIVE = """\
name = "five"
lattice = "square"
titel = "faults" #!
[region]
art = [
    "XXX",
    "X?X", #!
]
[[parts]]
name = "A"
count = 0 #!
art = ["X"]
[[parts]]
set = "pentomino" #!
[expect]
total = -1 #!
"""
FIVE_OF_A_LATTICE = """\
nme = "five" #!
name = "five"
basis = [[0, -1], [0, 2]] #!
[nodes.cell]
radius = -1 #!
[half_edges]
east = { step = [0, 1], twin = "wst" } #!
west = { step = [0, -1], twin = "east" }
south = { step = [0, 0], twin = "north" } #!
north = { step = [-1, 0], twin = "south" }
"""


BEYOND = '''\
name = "faults that do not hide others behind them"
lattice = "squar" #!
transformations = "rotation" #!
[region]
box = [2, 3]
optional = [[5, 5]] #!
[[parts]]
name = "A"
art = [] #!
[[parts]] #!
name = "A"
walk = """
    1 est 2, #!
    2 3, #!
    2 east 2, #!
    2 east 3"""
[[parts]]
set = "pentominos" #!
only = [
    "I",
    "G", #!
]
[expect]
totl = 1 #!
'''
SEVERAL_BEYOND = """\
name = "several"
lattice = "square"
[[parts]]
name = "A"
art = ["XX"]
[[puzzles]]
name = "one"
region = { art = ["?"] } #!
[[puzzles]]
name = "one" #!
region = { box = [1, 3] } #!
expect = { totl = 1 } #!
[[puzzles]]
name = "two"
[[puzzles.parts]] #!
name = "A"
art = ["X?"] #!
[puzzles.region]
box = [2, 2]
"""
BEYOND_IN_A_LATTICE = """\
name = "net" #! the basis is missing
part_transformations = "rotation" #!
drawings = "symbol" #!
[nodes.cell]
polygon = [
    [0, 0, 0], #!
    [1, 0],
    [0], #!
]
[half_edges]
east = { step = [0, 1], twin = "west" } #!
west = { step = [1, -1], twin = "east" } #!
south = { step = [1, 0], twin = "east" } #!
north = { step = [-1], twin = "soth" } #!
[[transformations]]
name = "turn"
cycles = [
    "est west", #!
    "north sth", #!
]
[[transformations]]
name = "turn" #!
matrix = [[0, 1, 0], [1, 0]] #!
"""
ALL_AT_ONCE = {
    "puzzle": FIVE,
    "lattice": FIVE_OF_A_LATTICE,
    "beyond": BEYOND,
    "several": SEVERAL_BEYOND,
    "beyond in a lattice": BEYOND_IN_A_LATTICE,
}


WORDS = {  # a line of a puzzle, and the word that it means
    "transformations = 'rotation'": "rotations",
    "transformations = ['quater turn']": "quarter turn",
    "rules = { across = 'corner' }": "corners",
    "sides = { keys = ['k'], locks = ['l'], fits = { k = ['l'] }, flat_meets = ['Lock'] }": "locks",
    "sides = { keys = ['k'], locks = ['l'], fits = { k = ['l'] }, may_look_out = ['key'] }": "keys",
    "sides = { keys = ['key1'], locks = ['lock1'], fits = { key1 = ['loc1'] } }": "lock1",
    "colours = { R = 'red' }\nrules = { apart = ['rad'] }": "red",
    "lattice = 'Square'": "square",
}
WORDS_OF_PARTS = {
    "art = 'XX'\ncount = 'unlimted'": "unlimited",
    "walk = '1 eats 2'": "east",
    "set = 'Pentomino'": "pentominoes",
    "set = 'tetrahexes'\nonly = ['propellor']": "propeller",
}


@pytest.mark.parametrize("line", [*WORDS, *WORDS_OF_PARTS])
def test_a_word_that_is_nearly_right(tmp_path: Path, line: str) -> None:
    """Wherever a file holds one of some words, the message suggests the nearest."""
    if line in WORDS:
        text = f"{line}\n{PUZZLE.replace('lattice = ', '#') if 'lattice' in line else PUZZLE}"
    else:
        name = "" if "set" in line else "name = 'Q'"
        text = f"{PUZZLE}[[parts]]\n{name}\n{line}\n"
    told = [str(complaint) for complaint in inspect_file(str(write(tmp_path, text)), Bounds()).complaints]
    assert f"did you mean {(WORDS | WORDS_OF_PARTS)[line]!r}?" in "".join(told), told


def test_the_same_from_python() -> None:
    with pytest.raises(LatticeError, match="did you mean 'rotations'"):
        load_lattice("square").allowed("rotation")
    with pytest.raises(LatticeError, match="without brackets"):
        load_lattice("square").allowed(["rotations"])
    with pytest.raises(PuzzleError, match="did you mean 'rotations'"):
        Choices(symmetry="rotation")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ALL_AT_ONCE.values(), ids=ALL_AT_ONCE)
def test_check_says_all_at_once(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    expected = [number for number, line in enumerate(text.split("\n"), 1) if HERE in line]
    result = run("check", path)
    assert (result.returncode, result.stderr) == (1, "")
    *complaints, verdict = result.stdout.splitlines()
    places = [re.match(rf"{re.escape(str(path))}:(\d+):\d+: \S", complaint) for complaint in complaints]
    found = [int(place[1]) for place in places if place]
    assert found == sorted(found)
    assert sorted(set(found)) == expected
    assert verdict.startswith(f"{path}: {len(found)} errors in this ")

    data = json.loads(run("check", path, "--json").stdout)
    assert (data["file"], data["ok"]) == (str(path), False)
    assert [complaint["line"] for complaint in data["complaints"]] == found
    for complaint, line in zip(data["complaints"], complaints, strict=True):
        assert list(complaint) == ["message", "path", "line", "column", "warning"]
        assert complaint["path"] == str(path)
        assert not complaint["warning"]
        assert complaint["message"] in line

    assert "(and 4 more; `latcover check` lists them all)" in message_of(run("count", path)) or text != FIVE


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("soma", "a sound puzzle: 27 cells, 7 parts"),
        ("square", "a sound lattice: 4 half-edges, 8 transformations"),
        ("pentominoes", "a sound part set: 12 parts on the lattice 'square'"),
    ],
)
def test_check_of_what_is_shipped(name: str, verdict: str) -> None:
    result = run("check", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith(f"{name}.toml: {verdict}\n")


def test_check_names_the_puzzle_of_several_that_it_warns_of(tmp_path: Path) -> None:
    regions = {"small": "[2, 2]", "large": "[1, 4]"}
    several = "".join(f"[[puzzles]]\nname = '{name}'\nregion = {{ box = {box} }}\n" for name, box in regions.items())
    path = write(tmp_path, f"{HEAD}[[parts]]\nname = 'A'\nart = ['XXXX']\n{several}")
    result = run("check", path)
    assert result.returncode == 0
    assert f"{path}: warning: small: no solution: part 'A' fits nowhere in the region" in result.stdout
    assert "large: no solution" not in result.stdout


def test_check_of_a_part_set_that_names_its_lattice(tmp_path: Path) -> None:
    path = write(tmp_path, SET.replace("'XX', 'XX'", "'XX'").replace("[[parts]]", "lattice = 'cubic'\n[[parts]]"))
    assert run("check", path).stdout == f"{path}: a sound part set: 1 part on the lattice 'cubic'\n"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nart = ['XXXX']\n", "part 'A' fits nowhere"),
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nart = ['XXXX']\n", "no part can cover the cell [0, 0]"),
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nbox = [1, 2]\n[[parts]]\nname = 'B'\nbox = [2, 1]\n", "equals part 'A'"),
    ],
)
def test_check_warns_of_what_is_odd(tmp_path: Path, text: str, warning: str) -> None:
    path = write(tmp_path, text)
    result = run("check", path)
    assert result.returncode == 0
    assert any("warning: " in line and warning in line for line in result.stdout.splitlines())
    assert "a sound puzzle" in result.stdout
    assert "warning" not in run("check", path, "-q").stdout
    found = json.loads(run("check", path, "--json").stdout)
    assert found["ok"]
    assert any(complaint["warning"] and warning in complaint["message"] for complaint in found["complaints"])


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"name = ", b"x" * 100])
def test_check_of_no_file_of_ours(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path, content)
    result = run("check", path)
    assert result.returncode == 1
    assert result.stdout.count(f"{path}:") == 2


# ---- values of the wrong type, for every key

# fmt: off
WRONG = [
    "0", "-1", "1.5", "nan", "true", "2001-01-01", '""', '"x"', "[]", "{}", "{ x = 1 }", HUGE, f"[{HUGE}]",
    "[1]", '["x"]', "[[]]", "[[1]]", '[["x"]]', "[[[1]]]", "[{}]", "[[{}]]", '["X", 5]', "[true, true]", "[1e400, 0]",
    "[9999999999, 9999999999]", "[[true, true]]", "[[0.5, 0]]", "[[nan, nan]]", f"[[{HUGE}, 0]]",
]
# fmt: on
TEXTS = {'""', '"x"'}
RIGHT: dict[str, set[str]] = {  # not wrong for the key itself; whatever else they make wrong
    "name": {'"x"'},
    "title": TEXTS,
    "source": TEXTS,
    "note": TEXTS,
    "B": {'"x"'},
    "transformations": {"[]"},
    "cells": {"[]"},
    "without": {"[]"},
    "colours": {"[]"},
    "min": {"0"},
    "different": {"0"},
    "basis": {"[[1]]"},
    "radius": {"0", "1.5"},
    "height": {"0", "1.5"},
    "vertices": {"[]", "[[0.5, 0]]"},
    "faces": {"[]"},
    "cycles": {"[]"},
}
EVERY_KEY = {
    "puzzle": """\
name = "p"
title = "a title"
source = "a source"
lattice = "square"
transformations = "reflections"
[colours]
B = "black"
[region]
box = [3, 4]
period = [0, 0]
[[region.minus]]
cells = [[0, 0], [0, 1]]
at = [1, 1]
[[parts]]
name = "A"
art = ["XB", "X."]
count = 1
transformations = "fixed"
[[parts]]
name = "D"
cells = [[0, 0], [1, 0]]
colours = ["black", "black"]
min = 0
max = 1
[[parts]]
set = "pentominoes"
only = ["P", "F"]
without = ["F"]
transformations = "rotations"
[expect]
different = 1
note = "a note"
""",
    "puzzle in space": """\
name = "q"
lattice = "cubic"
[region]
layers = [["XX"], ["X+"]]
[[parts]]
name = "W"
walk = "1 east 2, 1 up 3"
""",
    "part set": """\
title = "a title"
source = "a source"
[[parts]]
name = "A"
art = ["X"]
""",
    "lattice": """\
name = "net"
title = "a title"
source = "a source"
basis = [[0, -1], [1, 0]]
part_transformations = "rotations"
drawings = "symbols"
[nodes.a]
position = [0, 0]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
height = 0
[nodes.b]
position = [0.5, 0.5]
radius = 0.1
[nodes.c]
vertices = [[0, 0], [1, 0], [0, 1]]
faces = [[0, 1, 2]]
[half_edges.east]
from = "a"
to = "a"
step = [0, 1]
twin = "west"
[half_edges]
west = { from = "a", to = "a", step = [0, -1], twin = "east" }
south = { from = "a", to = "a", step = [1, 0], twin = "north" }
north = { from = "a", to = "a", step = [-1, 0], twin = "south" }
ab = { from = "a", to = "b", step = [0, 0], twin = "ba" }
ba = { from = "b", to = "a", step = [0, 0], twin = "ab" }
ac = { from = "a", to = "c", step = [0, 0], twin = "ca" }
ca = { from = "c", to = "a", step = [0, 0], twin = "ac" }
[[transformations]]
name = "half turn"
cycles = ["east west", "south north"]
""",
}
KEYS = [
    pytest.param(
        *(kind, number),
        id=f"{kind}, line {number}: {line.split(' = ')[0]}",
        marks=pytest.mark.long if number % 4 else (),
    )
    for kind, text in EVERY_KEY.items()
    for number, line in enumerate(text.split("\n"), 1)
    if " = " in line and " = {" not in line
]


@pytest.mark.parametrize("kind", EVERY_KEY)
def test_the_files_that_use_every_key_are_sound(tmp_path: Path, kind: str) -> None:
    assert run("check", write(tmp_path, EVERY_KEY[kind])).returncode == 0


@pytest.mark.parametrize(("kind", "number"), KEYS)
def test_values_of_the_wrong_type(tmp_path: Path, kind: str, number: int) -> None:
    lines = EVERY_KEY[kind].split("\n")
    key = lines[number - 1].split(" = ")[0]
    accepted = []
    for value in WRONG:
        lines[number - 1] = f"{key} = {value}"
        try:
            complaints = inspect_file(str(write(tmp_path, "\n".join(lines))), Bounds()).complaints
        except Exception as problem:
            accepted.append(f"{value[:30]}: {problem!r}"[:100])
            continue
        if value not in RIGHT.get(key, ()) and number not in [complaint.line for complaint in complaints]:
            accepted.append(value[:30])
    assert accepted == []


TABLES = ["colours", "region", "parts", "expect", "nodes", "half_edges"]


@pytest.mark.parametrize("name", TABLES)
def test_values_in_place_of_tables(tmp_path: Path, name: str) -> None:
    kind = "lattice" if name in ("nodes", "half_edges") else "puzzle"
    text = LATTICE if kind == "lattice" else PUZZLE
    rest = re.sub(rf"(?ms)^\[+{name}\b.*?(?=^\[|\Z)", "", text)
    for value in ["5", '"x"', "true", "[5]", '["x"]', "[[]]", *(["{}"] if name == "parts" else [])]:
        path = write(tmp_path, f"{name} = {value}\n{rest}")
        found = json.loads(run("check", path, "--json").stdout)
        assert 1 in [complaint["line"] for complaint in found["complaints"]], value


def test_a_pipe_without_a_writer_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    assert "no regular file" in message_of(run("count", tmp_path / "pipe.toml"))


def test_large_parts_in_a_large_region_are_refused_at_once(tmp_path: Path) -> None:
    text = 'name = "x"\nlattice = "square"\n[region]\nbox = [100, 100]\n'
    text += '[[parts]]\nname = "a"\nmax = 3\nbox = [30, 30]\n[[parts]]\nname = "b"\ncount = "unlimited"\nbox = [1, 1]\n'
    message = message_of(run("count", write(tmp_path, text), "--max-placements", 20_000))
    assert "parts of 900 cells in a region of 10,000 cells exceed the bound on placements" in message
    assert "--max-placements" in message


# ---- check, of many files


def test_check_takes_folders_and_several_files_and_does_not_stop_at_the_first_fault(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    first = write(folder, 'name = "a"\nlattice = "square"\nx = 1\ny = 2\n', "a.toml")
    second = write(folder / "inner", "a b\na b\n", "b.dlx")
    write(folder, "not for latcover", "notes.txt")
    result = run("check", folder, "soma", tmp_path / "none.toml")
    assert (result.returncode, result.stderr) == (FAILED, "")
    *lines, total = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == [str(first), str(second)]
    assert "(and " in lines[0]
    assert "a sound puzzle: 27 cells" in lines[2]
    assert "none.toml: cannot be read" in lines[3]
    assert total == "4 files: 2 wrong"
    found = [json.loads(line) for line in run("check", folder, "--json").stdout.splitlines()]
    assert [each["ok"] for each in found] == [False, True]
    assert run("check", "soma", "square").stdout.endswith("2 files: all sound\n")


def test_check_of_a_folder_without_a_puzzle_says_what_it_looks_for(tmp_path: Path) -> None:
    assert ".toml, .xmpuzzle" in message_of(run("check", tmp_path))
