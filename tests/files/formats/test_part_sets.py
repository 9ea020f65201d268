"""Part sets: their names and shapes, one-sided sets, mirror images, and the numbers of burr sticks."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import latcover
from latcover.core.model.burr import NUMBERS, stick
from latcover.core.model.connected_shapes import keys, shapes
from latcover.core.model.orientation import hands, mirror_image
from latcover.core.model.puzzle import Part
from latcover.errors import PuzzleFileError
from latcover.files.formats.library import load, load_lattice, load_set
from latcover.files.formats.piece_sets import NAMED, Family, Sides, pieces
from latcover.files.formats.puzzle_files.puzzle_writer import part_set_as_toml
from latcover.files.formats.source import names
from latcover.lab.assembly.taking_apart import Assembler

HEAD = 'name = "p"\nlattice = "square"\n[region]\nbox = [9, 10]\n'


def read(tmp_path: Path, text: str) -> latcover.Puzzle:
    path = tmp_path / "p.toml"
    path.write_text(text)
    return load(str(path))


def parts_of(tmp_path: Path, text: str, head: str = HEAD) -> dict[str, Part]:
    """The parts by name, beside which single cells fill the region."""
    filler = '[[parts]]\nname = "filler"\ncount = "unlimited"\ncells = [[0, 0]]\n'
    if "cubic" in head:
        filler = filler.replace("[[0, 0]]", "[[0, 0, 0]]")
    found = {part.name: part for part in read(tmp_path, head + text + filler).parts}
    del found["filler"]
    return found


@pytest.mark.parametrize(("lattice", "n"), NAMED)
def test_a_named_set_holds_all_shapes_once(lattice: str, n: int) -> None:
    """As the generator makes them, up to congruence; on solids a set holds both hands."""
    on, found = load_lattice(lattice), load_set(NAMED[lattice, n])
    secondary = np.array([node.secondary for node in on.nodes])
    cells = np.stack([part.cells[~secondary[part.cells[:, 0]]] for part in found.parts])
    allowed = on.allowed("rotations" if on.dimension == 3 else "reflections")
    own = keys(cells, on, allowed)
    assert len(set(own)) == len(own)
    assert set(own) == set(keys(shapes(on, n, allowed), on, allowed))
    for part in found.parts:
        assert not on.crossed_by(part.cells)
    both = load_set(NAMED[lattice, n], one_sided=True)
    assert len(set(hands(both.parts, on))) == len(both.parts) == len(shapes(on, n, on.allowed("rotations")))
    assert all(motion.proper for part in both.parts for motion in part.transformations)


@pytest.mark.parametrize("name", names("sets"))
def test_names_of_a_set_are_distinct_and_it_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    found = load_set(name, one_sided=True)
    assert len({part.name for part in found.parts}) == len(found.parts)
    path = tmp_path / "set.toml"
    path.write_text(part_set_as_toml(found))
    again = load_set(str(path))
    assert [part.name for part in again.parts] == [part.name for part in found.parts]
    assert hands(again.parts, again.lattice) == hands(found.parts, found.lattice)


def test_mirror_images_have_the_names_that_people_use() -> None:
    one_sided = [part.name for part in load_set("tetrominoes", one_sided=True).parts]
    assert one_sided == ["I", "L", "J", "O", "S", "Z", "T"]
    assert [part.name for part in load_set("pentominoes", one_sided=True).parts][:3] == ["F", "F'", "I"]
    on = load_lattice("cubic")
    solids = {part.name: part for part in load_set("pentacubes").parts}
    for name, other in (("L1", "J1"), ("L2", "J2"), ("L4", "J4"), ("N1", "S1"), ("N2", "S2"), ("V1", "V2")):
        image = mirror_image(solids[name], on)
        assert image is not None
        assert hands([image], on) == hands([solids[other]], on)


@pytest.mark.parametrize(
    ("lattice", "n", "family", "number"),
    [
        ("square", 6, Family(), 35),
        ("square", 7, Family(Sides.ONE_SIDED), 196),
        ("square", 5, Family(Sides.FIXED), 63),
        ("square", 7, Family(holes=False), 107),
        ("square", 7, Family(holes=True), 1),
        ("square", 5, Family(convex=True), 11),
        ("square", 6, Family(colours=True), 62),
        ("cubic", 5, Family(), 23),
        ("cubic", 6, Family(Sides.ONE_SIDED), 166),
        ("polystick", 3, Family(Sides.ONE_SIDED), 7),
        ("fcc", 3, Family(Sides.FIXED), 50),
    ],
)
def test_families(lattice: str, n: int, family: Family, number: int, tmp_path: Path) -> None:
    on = load_lattice(lattice)
    found = pieces(on, n, family)
    assert len(found.parts) == number
    assert len({part.name for part in found.parts}) == number
    assert found.title.startswith(f"{number} ")
    path = tmp_path / "set.toml"
    path.write_text(part_set_as_toml(found))
    again = load_set(str(path))
    for one, other in zip(found.parts, again.parts, strict=True):
        assert one.name == other.name
        assert Counter(found.colours[c] for c in one.colours) == Counter(again.colours[c] for c in other.colours)
        assert {m.labels for m in one.transformations} == {m.labels for m in other.transformations}
    assert hands(again.parts, on) == hands(found.parts, on)


def test_names_do_not_depend_on_the_family() -> None:
    on = load_lattice("square")
    all_names = {part.name: part for part in pieces(on, 7).parts}
    for part in pieces(on, 7, Family(convex=True)).parts:
        assert hands([part], on) == hands([all_names[part.name]], on)


def test_one_sided_sets_in_puzzles(tmp_path: Path) -> None:
    parts = parts_of(tmp_path, '[[parts]]\nset = "pentominoes"\none_sided = true\n')
    assert len(parts) == 18
    assert all(len(part.transformations) == 4 for part in parts.values())
    some = parts_of(
        tmp_path, '[[parts]]\nset = "pentominoes"\none_sided = true\nonly = ["F\'", "X"]\nmin = 0\nmax = 1\n'
    )
    assert [(part.name, part.low, part.high) for part in some.values()] == [("F'", 0, 1), ("X", 0, 1)]


def test_one_sided_flat_parts_in_space_are_turned_over_all_the_same(tmp_path: Path) -> None:
    text = (
        'name = "p"\nlattice = "cubic"\n[region]\nbox = [5, 4, 3]\n[[parts]]\nset = "pentominoes"\none_sided = true\n'
    )
    assert len(read(tmp_path, text).parts) == 12


def test_mirror_of(tmp_path: Path) -> None:
    parts = parts_of(
        tmp_path,
        "[[parts]]\nset = 'pentominoes'\nonly = ['F']\n"
        "[[parts]]\nmirror_of = 'F'\ncount = 2\n[[parts]]\nname = 'mine'\nart = ['XX', 'X.', 'X.']\n"
        "[[parts]]\nname = 'other'\nmirror_of = 'mine'\n",
    )
    assert list(parts) == ["F", "F'", "mine", "other"]
    assert parts["F'"].low == 2
    on = load_lattice("square")
    for name, other in (("F", "F'"), ("mine", "other")):
        one, mirrored = parts[name].cells, parts[other].cells
        assert hands([parts[name]], on) != hands([parts[other]], on)
        assert len(set(keys(np.stack([one, mirrored]), on, on.transformations))) == 1


def test_mirror_of_keeps_colours_and_sides(tmp_path: Path) -> None:
    text = (
        'name = "p"\nlattice = "square"\ntransformations = "rotations"\n[colours]\nB = "black"\n'
        '[sides]\nkeys = ["k"]\nlocks = ["l"]\nfits = { k = ["l"] }\n[region]\nbox = [5, 5]\n'
        '[[parts]]\nname = "a"\nart = ["BXX", "X.."]\nsides = [{ cell = [0, 2], edge = "east", is = "k" }]\n'
        '[[parts]]\nname = "b"\nart = ["XXB", "..X"]\nsides = [{ cell = [0, 0], edge = "west", is = "k" }]\n'
        '[[parts]]\nname = "c"\nmirror_of = "a"\n[[parts]]\nname = "d"\ncount = "unlimited"\nart = ["X"]\n'
    )
    found = {part.name: part for part in read(tmp_path, text).parts}
    keys_of = dict(zip("abc", hands([found[name] for name in "abc"], load_lattice("square")), strict=True))
    assert keys_of["c"] == keys_of["b"] != keys_of["a"]


def test_a_set_with_colours_in_a_puzzle(tmp_path: Path) -> None:
    (tmp_path / "dominoes.toml").write_text(
        'name = "d"\n[colours]\nW = "white"\nB = "black"\n[[parts]]\nname = "I"\nart = ["WB"]\n'
    )
    puzzle = 'name = "p"\nlattice = "square"\n{}[region]\n{}\n[[parts]]\nset = "dominoes.toml"\ncount = 2\n'
    colours = '[colours]\nB = "black"\nW = "white"\n'
    found = read(tmp_path, puzzle.format(colours, 'art = ["BW", "WB"]'))
    assert [found.colours[colour] for colour in found.parts[0].colours] == ["white", "black"]
    assert latcover.count(found).total == 2
    with pytest.raises(PuzzleFileError, match="has the colour 'white', which the puzzle must name under"):
        read(tmp_path, puzzle.format("", "box = [2, 2]"))


# ---- burrs

BURR = 'name = "p"\nlattice = "cubic"\n[region]\nlayers = {}\n'
SOLID = (
    '[["......", "..XX..", "..XX..", "..XX..", "..XX..", "......"],'
    '["......", "..XX..", "XXXXXX", "XXXXXX", "..XX..", "......"],'
    '[".XXXX.", ".XXXX.", "XXXXXX", "XXXXXX", ".XXXX.", ".XXXX."],'
    '[".XXXX.", ".XXXX.", "XXXXXX", "XXXXXX", ".XXXX.", ".XXXX."],'
    '["......", "..XX..", "XXXXXX", "XXXXXX", "..XX..", "......"],'
    '["......", "..XX..", "..XX..", "..XX..", "..XX..", "......"]]'
)


@pytest.mark.long
def test_numbers_of_sticks() -> None:
    """2,225 numbers of 837 sticks (Cutler), each known by the least of its numbers; 59 of them can be notched."""
    on = load_lattice("cubic")
    whole = [number for number in range(1, NUMBERS + 1) if on.connects(stick(number).tolist())]
    assert len(whole) == 2225
    least: dict[bytes, int] = {}
    for size in {len(stick(number)) for number in whole}:
        alike = [number for number in whole if len(stick(number)) == size]
        for number, key in zip(
            alike, keys(np.stack([stick(n) for n in alike]), on, on.allowed("rotations")), strict=True
        ):
            least.setdefault(key, number)
    assert len(least) == 837
    notched = sorted(number for number in least.values() if is_notched(stick(number)))
    assert [int(part.name) for part in load_set("burr-59").parts] == notched


def test_notchable_sticks() -> None:
    """They are different sticks, each of which cuts straight across make, and a mirror shows no others."""
    on, found, fewer = load_lattice("cubic"), load_set("burr-59"), load_set("burr-25")
    assert (len(found.parts), len(fewer.parts)) == (59, 25)
    assert len(set(hands(found.parts, on))) == 59
    assert all(is_notched(part.cells) for part in found.parts)
    assert {part.name for part in fewer.parts} < {part.name for part in found.parts}
    for name in ("burr-25", "burr-59"):
        assert len(load_set(name, one_sided=True).parts) == len(load_set(name).parts)


def is_notched(cells: np.ndarray) -> bool:
    """Whether cuts straight across make it: no cross-section lacks a single cube, or two in opposite corners."""
    for x in range(6):
        left = {(int(row), int(layer)) for _, at, row, layer in cells if at == x}
        if len(left) == 3 or left in ({(0, 0), (1, 1)}, {(0, 1), (1, 0)}):
            return False
    return True


@pytest.mark.long
def test_the_notchable_sticks_make_314_solid_burrs(tmp_path: Path) -> None:
    """Cutler (1977): 314 solid burrs, mirror images apart, that can be put together."""
    puzzle = read(tmp_path, BURR.format(SOLID) + '[[parts]]\nset = "burr-25"\nmin = 0\nmax = 6\n')
    choices = latcover.Choices(symmetry="rotations")
    assert latcover.count(puzzle, latcover.CountRequest(symmetry="rotations")).different == 1063
    found = [*latcover.solutions(puzzle, choices=choices)]
    taken = Assembler(puzzle).take_apart(found)
    apart = [solution for solution, each in zip(found, taken, strict=True) if each.result == "apart"]
    assert len(apart) == 314
    used = {placed.part for solution in apart for placed in solution.placements}
    assert used == {part.name for part in puzzle.parts}


def test_sticks_in_puzzles(tmp_path: Path) -> None:
    text = "[[parts]]\nburr = [88, 512, 1008, 1008]\n[[parts]]\nname = 'long'\nburr = 1\nlength = 8\n"
    head = 'name = "p"\nlattice = "cubic"\n[region]\nbox = [8, 8, 8]\n'
    found = parts_of(tmp_path, text + "[[parts]]\nburr = 256\n", head)
    assert {name: (part.size, part.low) for name, part in found.items()} == {
        "88": (19, 1),
        "512": (15, 1),
        "1008": (15, 2),
        "long": (32, 1),
        "256": (16, 1),
    }


FAULTS = {
    "[[parts]]\nset = 'pentomino'": "did you mean 'pentominoes'",
    "[[parts]]\nset = 'pentominoes'\none_sided = 1": "one_sided: must be true or false",
    "[[parts]]\nset = 'pentominoes'\nonly = [\"F'\"]": 'has no part "F\'"',
    "[[parts]]\nset = 'pentominoes'\none_sided = true\ntransformations = 'reflections'": "would turn over parts",
    "[[parts]]\nmirror_of = 'F'": "no part 'F' comes before this one",
    "[[parts]]\nset = 'pentominoes'\n[[parts]]\nmirror_of = 'G'": "no part 'G' comes before this one",
    "[[parts]]\nset = 'pentominoes'\n[[parts]]\nmirror_of = 'X'": "'X' is its own mirror image",
    "[[parts]]\nset = 'pentominoes'\n[[parts]]\nmirror_of = 3": "mirror_of: must be a text in quotes",
    "[[parts]]\nset = 'pentominoes'\n[[parts]]\nmirror_of = 'F'\nart = ['X']": "unknown key",
    "[[parts]]\nname = 'a'\nmirror = 'b'\nart = ['X']": "unknown key",
    "[[parts]]\nburr = 88": "the lattice 'square' has none",
    "[[parts]]\nburr = [88, 512, 1008]": "the lattice 'square' has none",  # three times the same fault
}
FAULTS_IN_SPACE = {
    "burr = 5000": "must be a number from 1 to 4,096, or a list of such numbers, not 5000",
    "burr = 0": "must be a number from 1",
    "burr = 4096": "the stick 4096 would fall into pieces",
    "burr = 'x'": "must be a number from 1",
    "burr = []": "a list of such numbers",
    "burr = [1, 'x']": "a list of such numbers",
    "burr = [1, 5000]": "a list of such numbers",
    "burr = [1, 1]\ncount = 2": "cannot be combined with an entry of burr that is listed twice",
    "burr = [1, 2]\nname = 'x'": "which have names of their own",
    "burr = 1\nlength = 7": "must be even, and 6 or more, not 7",
    "burr = 1\nlength = 4": "must be even, and 6 or more, not 4",
    "burr = 1\nlength = 2000000000": "more than 1,000,000 cells",
    "burr = 1\nart = ['X']": "in exactly one way",
}


@pytest.mark.parametrize("text", FAULTS)
def test_faults(text: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError) as caught:
        read(tmp_path, f"{HEAD}{text}\n")
    assert any(FAULTS[text] in str(complaint) and complaint.line for complaint in caught.value.complaints)


def test_a_fault_of_a_set_that_is_named_twice_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[[parts]]\nname = 'a'\nart = ['X?']\n")
    with pytest.raises(PuzzleFileError) as caught:
        read(tmp_path, HEAD + "[[parts]]\nset = 'mine.toml'\n" * 2)
    assert ["stray" in complaint.message for complaint in caught.value.complaints].count(True) == 1


@pytest.mark.parametrize("text", FAULTS_IN_SPACE)
def test_faults_of_sticks(text: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match=re.escape(FAULTS_IN_SPACE[text])):
        read(tmp_path, f"{BURR.format(SOLID)}[[parts]]\n{text}\n")
