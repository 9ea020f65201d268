"""Each fault of a file gives one paragraph that says what is wrong, where, and what would mend it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.faulty_files import (
    BOX,
    CORNERS,
    CYCLES,
    HEAD,
    HUGE,
    LATTICE,
    NAME,
    NO_EDGES,
    ONE_AXIS,
    PART,
    PUZZLE,
    REST,
    SET,
    SQUARE,
    STAR,
    SYMBOLS,
    TURN,
    assert_says,
    case,
    drawing,
    edge,
    lattice,
    message_of,
    other_label,
    part,
    parts,
    region,
    write,
)

# ---- puzzle files

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
    case("no cells", HEAD + "[region] #!\n" + PART, "exactly one way", "box, triangle", "art, layers, cells, walk"),
    case("cells in two ways", HEAD + "[region] #!\nbox = [2, 2]\nart = ['XX']\n" + PART, "box and art"),
    case("box of no side", region("box = [0, 2] #!"), "1 or more"),
    case("box with a negative side", region("box = [-2, 2] #!"), "1 or more"),
    case("box of three sides", region("box = [2, 2, 2] #!"), "2 whole numbers"),
    case("huge box", region("box = [1000000, 1000000] #!"), "more than 1,000,000 cells", "--max-cells"),
    case("box of a huge number", region(f"box = [{HUGE}, 2] #!"), "whole numbers", "at most 1,000,000"),
    case("stray character", region("art = [\n'XX',\n'X?', #!\n]"), "'?'", "row 2, column 2", "X or #", "optional"),
    case("optional cell in a part", part("art = ['X+'] #!"), "'+'", "row 1, column 2", "X or #"),
    case("art with a tab", region("art = ['X\tX'] #!"), r"'\t'"),
    case("art of no cell", region("art = ['..', ' _'] #!"), "has no cells"),
    case("art of no rows", region("art = [] #!"), "has no cells"),
    case("art of arrays", region("art = [['X']] #!"), "rows of text"),
    case("layers on a plane", region("layers = [['XX'], ['XX']] #!"), "has no layers", "art"),
    case("part of another dimension", part("cells = [\n[0, 0],\n[0, 1, 0], #!\n]"), "2 axes", "3"),
    case("cell given twice", part("cells = [\n[0, 0],\n[0, 1],\n[0, 0], #!\n]"), "given twice"),
    case("cell of a half", part("cells = [\n[0, 0],\n[0, 0.5], #!\n]"), "whole numbers"),
    case("cell far away", part("cells = [[0, 0], [1099511627776, 0]] #!"), "whole numbers"),
    case("cell a little too far away", part("cells = [[1000000, 0], [1000001, 0]] #!"), "at most 1,000,000"),
    case("art that goes on for ever", part(f"art = ['{'.' * 1_000_001}X'] #!"), "farther than 1,000,000"),
    case("scale that takes cells far away", region("cells = [[500000, 0]]\nscale = [3, 3] #!"), "1,000,000"),
    case("cells far apart", region("cells = [[0, 0], [100000, 100000]] #!"), "too far apart"),
    case("no cell in the list", part("cells = [] #!"), "has no cells"),
    # walks
    case("walk of half a step", part('walk = "1 east" #!'), "CELL HALF-EDGE CELL"),
    case("walk along an unknown half-edge", part('walk = "1 easst 2" #!'), "no half-edge 'easst'", "'east'"),
    case("half-edge from a cell to itself", part('walk = "1 east 1" #!'), "from a cell to itself"),
    case("walk in two pieces", part('walk = "1 east 2, 3 east 4" #!'), "'3 east 4'", "no cell that the walk"),
    case("walk that does not close", part('walk = "1 east 2, 2 south 3, 3 north 1" #!'), "does not close"),
    case("walk onto itself", part('walk = "1 east 2, 2 west 3" #!'), "cell 3", "another cell"),
    case("walk of nothing", part('walk = "" #!'), "has no cells"),
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
        "the same from a set",
        parts("\nname = 'F'\nart = ['X']", " #!\nset = 'pentominoes'"),
        "the puzzle itself has one too",
        "prefix =",
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
    case("length without burr", part("box = [2, 2]\nlength = 6 #!"), "can only be used with burr"),
    case("node without tile", part("box = [2, 2]\nnode = 'square' #!"), "can only be used with tile or tiles"),
    case(
        "count of a million and one",
        part("box = [2, 2]\ncount = 1000001 #!"),
        'a whole number from 1 to 1,000,000, or "unlimited"',
    ),
    case("count in words", part('box = [2, 2]\ncount = "many" #!'), '"unlimited"'),
    case("count beside min", part("box = [2, 2]\nmin = 1\ncount = 1 #!"), "combined with min or max"),
    case("max in words", part('box = [2, 2]\nmax = "any" #!'), '"unlimited"'),
    case("min in words", part('box = [2, 2]\nmin = "any" #!'), "must be a whole number"),
    case("count beside max", part("box = [2, 2]\nmax = 1\ncount = 'unlimited' #!"), "combined with min or max"),
    case("min above max", part("box = [2, 2]\nmin = 2 #!\nmax = 1"), "above max = 1"),
    case("negative min", part("box = [2, 2]\nmin = -1 #!"), "whole number from 0"),
    case("huge min", part("box = [2, 2]\nmin = 1000000000 #!"), "a whole number from 0 to 1,000,000"),
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
    case("colours of a box of cells", region("box = [2, 2]\ncolours = ['black'] #!"), "can only be used with cells"),
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
    case("only none", parts("\nset = 'pentominoes'\nonly = [] #!"), "is empty; leave it out"),
    case("only an array", parts("\nset = 'pentominoes'\nonly = [['F']] #!"), "only"),
    case("negative expectation", PUZZLE + "[expect]\ntotal = -1 #!\n", "whole number from 0"),
    # places after what is easily misread
    case("after rows of cells", parts("\nname='B'\ncells = [\n  [0, 0],\n  [1, 0],\n]\ncount = 'x' #!"), "count"),
    case("after a comment with an apostrophe", region("art = [\n'XX', # don't\n'X?', #!\n]"), "'?'"),
]


@pytest.mark.parametrize(("text", "words"), PUZZLE_FAULTS)
def test_a_faulty_puzzle(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = write(tmp_path, text)
    assert_says(message_of(run("solve", path)), path, text, *words)


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
    case("cycle of nothing", lattice("cycles", 'cycles = [""] #!'), "text of labels"),
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

SET_FAULTS = [
    case("stray character", SET.replace("'XX', 'XX'", "'XX',\n'X?' #!\n"), "'?'"),
    case("no parts", "name = 's'\n", "'parts' is missing"),
    case("unknown key", SET + "cuont = 1 #!\n", "'count'"),
    case("of another lattice", SET.replace("art = ['XX', 'XX']", "cells = [[0, 0, 0]] #!"), "2 axes"),
    case("no TOML", f"name = 's\n{SET}", "not valid TOML"),
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
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe\n", ("not UTF-8 text",)),
        (b"\x00\x01\x02", ("not valid TOML",)),
        (b"name = 'p'\nlattice = '\xff'\n", (":2: ", "not UTF-8 text")),
        (b"name = 'p'\x00\n", (":1:", "not valid TOML")),
        (b"name = 'p'\nlattice\n", (":2:", "not valid TOML")),
        (b"name = 'p'\nname = 'q'\n", (":2:", "not valid TOML")),
        (b"name = " + b"[" * 5000 + b"]" * 5000, ("not valid TOML", "nested too deeply")),
        (b"name = " + b"{a = " * 5000 + b"1" + b"}" * 5000, ("not valid TOML", "nested too deeply")),
        (b"name = " + b"9" * 5000, ("not valid TOML",)),
        (b"name" + b".a" * 3000 + b" = 1\n", ("name",)),
        (b"name = 0x" + b"f" * 5000 + b"\n", (":1:", "name")),
        (b"[" + b"a." * 3000 + b"a]\nb = 1\n", ()),  # Python 3.14 refuses it as nested too deeply, which has no line
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_no_puzzle_at_all(tmp_path: Path, content: bytes, words: tuple[str, ...]) -> None:
    path = write(tmp_path, content)
    message = message_of(run("count", path))
    assert message.startswith(f"{path}:")
    assert all(word in message for word in words), message


def test_a_directory(tmp_path: Path) -> None:
    assert f"{tmp_path}: is a folder; a TOML file is needed" in message_of(run("count", tmp_path))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, PUZZLE)
    monkeypatch.setattr("latcover.system.reading.opened", refuse)
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
        ("xyzzy", "`latcover list` names the puzzles"),
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
