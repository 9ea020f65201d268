"""Models made with puzzlecad: reading them, joining components, and writing parts."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from latcover.core.model.burr import stick
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Bounds, Part, Puzzle, box
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.library import load, load_lattice, load_set
from latcover.files.formats.puzzlecad.components import DIRECTIONS, rotations
from latcover.files.formats.puzzlecad.puzzlecad_reader import ReadParts, in_a_box, read_parts
from latcover.files.formats.puzzlecad.puzzlecad_writer import write
from latcover.files.formats.puzzlecad.scad_components import component_of
from latcover.files.formats.puzzlecad.splitting import can_be_printed, printable_components
from latcover.files.formats.source import Source, in_folder
from tests.command_line import run

SOMA = """
include <puzzlecad.scad>
$burr_scale = 20; /* mm */ $burr_inset = 0.1; $burr_bevel = 1;
*burr_plate([
    ["x.|xx", "..|.x"], ["x.|xx", "x.|.."], ["x.|xx", "..|x."],  // three
    ["xx|x."], ["xxx|.x."], ["xxx|x.."], ["xx.|.xx"],
]);
"""


def parts_of(text: str, plate: str | None = None) -> ReadParts:
    return read_parts(Source(text.encode(), "model.scad", in_folder(Path())), Bounds(), plate)


def sizes(found: ReadParts) -> list[tuple[int, int]]:
    """The number of cells of each part, and of its copies."""
    return sorted((len(part.cells), part.low) for part in found.parts.parts)


def shapes(parts: tuple[Part, ...]) -> list[object]:
    """The parts up to rotation, found without the code that is tested."""
    found = []
    for part in parts:
        cells = np.zeros((len(part.cells), 3), int)
        cells[:, : part.cells.shape[1] - 1] = part.cells[:, 1:]
        turned = [cells @ turn.T for turn in rotations() if part.cells.shape[1] == 4 or abs(turn[2, 2]) == 1]
        found.append((min(sorted((each - each.min(axis=0)).tolist()) for each in turned), part.low))
    return sorted(found)


def test_the_soma_cube_has_its_solutions(tmp_path: Path) -> None:
    (tmp_path / "cube.scad").write_text(SOMA)
    run("import", str(tmp_path / "cube.scad"), "--box", "3x3x3", "--output", str(tmp_path / "cube.toml"))
    puzzle = load(str(tmp_path / "cube.toml"))
    assert puzzle.turning == Turning(0.005, 0.035355)  # of a face that is 1 mm wide
    assert "240 solutions different" in run("count", str(tmp_path / "cube.toml")).stdout


def test_a_model_is_a_part_set(tmp_path: Path) -> None:
    (tmp_path / "cube.scad").write_text(SOMA)
    assert sum(len(part.cells) for part in load_set(str(tmp_path / "cube.scad")).parts) == 27
    assert "7 parts on the lattice 'cubic'" in run("check", str(tmp_path / "cube.scad")).stdout
    with pytest.raises(PuzzleFileError, match=r"no region to fill.*--box"):
        load(str(tmp_path / "cube.scad"))


def test_modules_functions_and_loops_are_followed() -> None:
    text = """
    function row(n) = n == 0 ? "" : str("x", row(n - 1));
    ids = [for (n = [1:3]) if (n != 2) row(n)];
    module plate(specs, many = 1) { translate([0, 1, 0]) burr_plate([for (s = specs) [s]], num_copies = many); }
    plate(ids, many = 2);
    if (len(ids) > 5) burr_piece("x"); else burr_piece(concat(["xx"], [".x"]));
    """
    assert sizes(parts_of(text)) == [(1, 2), (3, 1), (3, 2)]


def test_burr_sticks_have_the_numbers_of_our_own() -> None:
    found = parts_of(
        "burr_plate([for (n = [1024, 52]) burr_stick(n, add_stamp = true)]); burr_piece(burr_stick(1, 8));"
    )
    expected = [len(stick(1024)), len(stick(52)), len(stick(1, 8))]
    assert sizes(found) == sorted((n, 1) for n in expected)


def test_components_of_one_label_are_one_part() -> None:
    text = """burr_plate([
        ["xx{connect=mz+y+,clabel=A}"],
        ["x|x{connect=fz-y+,clabel=A}"],
        ["x{connect=mz+y+,clabel=B}"], ["x{connect=fz-y-,clabel=B}"],
    ], num_copies = 3);"""
    found = parts_of(text)
    assert sizes(found) == [(2, 3), (4, 3)]
    assert not found.warnings
    bent = next(part for part in found.parts.parts if len(part.cells) == 4)
    assert np.ptp(bent.cells[:, 1:], axis=0).tolist() == [1, 1, 1]  # the arrows fix which way the upper one points


@pytest.mark.parametrize(
    ("components", "why"),
    [
        ('["x{connect=mz+y+,clabel=A}"], ["xx"]', "1 are male and 0 female"),
        ('["x{connect=mz+}"], ["x{connect=fz-}x"]', "which way round"),
        (
            '["x{connect=mz+y+,clabel=A}"], ["xx{connect=mz+y+,clabel=A}"], '
            '["x{connect=fz-y+,clabel=A}xx"], ["x{connect=fz-y+,clabel=A}xxx"]',
            "several components could go together",
        ),
        ('["xxx|x.x|x.x{connect=mx-y+,clabel=A}"], ["xxx|x{connect=fx+y+,clabel=A}.."]', "overlap"),
    ],
)
def test_what_cannot_be_joined_is_named(components: str, why: str) -> None:
    found = parts_of(f"burr_plate([{components}]);")
    assert any(why in complaint.message for complaint in found.warnings)


def test_one_plate_of_several_can_be_taken() -> None:
    text = '*one(); *many(); module one() { burr_piece("xx"); } module many() { burr_plate(["x", "x"]); }'
    assert sizes(parts_of(text)) == [(1, 2), (2, 1)]
    assert sizes(parts_of(text, "many")) == [(1, 2)]
    with pytest.raises(PuzzleFileError, match="no plate 'manny'; did you mean 'many'"):
        parts_of(text, "manny")


def test_flat_parts_are_squares() -> None:
    found = parts_of('burr_plate([["xx|x."], ["x|x|x"]], $burr_scale = [16, 16, 5.6]);')
    assert found.parts.lattice.name == "square"
    puzzle = in_a_box(found, [3, 3], Bounds())
    assert puzzle.region.max_empty == 3
    with pytest.raises(PuzzleError, match="2 sizes, not 3"):
        in_a_box(found, [3, 3, 1], Bounds())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("burr_plate([", "this is not OpenSCAD"),
        ("cube(3);", "has no part in burr_piece"),
        ('burr_piece("x{components=z}");', "'z' names no part of a cube"),
        ('burr_piece("x{components=z-z+}");', "'z-z\\+' names no part of a cube"),
        ('burr_piece("x{components=z-x+y+}");', "half a tetrahedron"),
        ('burr_piece("x{components={}}");', "no cube"),
        ('burr_piece("x{connect=dmz+z-}");', "neither on a side of a cube nor between parts"),
        ('burr_piece("xQ");', "'Q' stands for no cube"),
        ('burr_piece("x{connect=mz+y+");', "brace is not closed"),
        ('burr_piece("...");', "no cube"),
        ("burr_piece(5000);", "not a number of a stick"),
        ("burr_piece(mystery(3));", r"calls mystery\(\)"),
        ("burr_piece([[[[1, [[2]]]]]]);", "nested lists"),
        ("function f(n) = f(n + 1); burr_piece(f(1));", "calls itself without end"),
        ("burr_piece([for (a = [1:1000], b = [1:1000], c = [1:1000]) str(a)]);", "too many steps"),
        ("burr_piece([for (a = [1:1e12]) str(a)]);", "too long"),
        ('burr_plate(copies(300000, ["x"]));', "more than 10,000 components"),
        ('burr_plate(copies(300000, ["!"]));', "more than 10,000 components"),
        ('burr_piece(copies(300000, "x"));', "more than 100,000 entries"),
        ("burr_piece(burr_stick(1, 1e9));", "a stick has an even length"),
        ("a0 = [1, 1];" + "".join(f"a{k + 1} = [a{k}, a{k}];" for k in range(40)) + "b = a40 + a40;", "entries"),
        ('x = mkstring(copies(9e5, "x")); y = mkstring(copies(9e5, x));', "entries"),
        ("a = copies(9e5, 1); b = [for (k = [1:20]) len(a)];", "too long lists"),
        ("a = " + "(" * 3000 + "1" + ")" * 3000 + ";", "has no part"),
    ],
)
def test_faulty_models_are_refused(text: str, why: str) -> None:
    with pytest.raises(PuzzleFileError, match=why):
        parts_of(text)


def test_every_component_can_be_printed_and_the_parts_read_back() -> None:
    generator = np.random.default_rng(5)
    parts = []
    for k in range(30):
        cells = {(0, 0, 0)}
        while len(cells) < 9:
            x, y, z = sorted(cells)[generator.integers(len(cells))]
            dx, dy, dz = list(DIRECTIONS.values())[generator.integers(6)]
            cells.add((x + dx, y + dy, z + dz))
        parts.append(Part(f"R{k}", np.array([(0, *cell) for cell in sorted(cells)], np.int32)))
        for component in printable_components(frozenset(cells)):
            assert can_be_printed(component.cells, (0, 0, 1))
    for first in range(0, 30, 10):
        puzzle = Puzzle("random", load("soma").lattice, box(10, 10, 1), tuple(parts[first : first + 10]))
        back = parts_of(b"".join(write([puzzle])).decode())
        assert not back.warnings
        merged: dict[str, int] = {}
        for shape, copies in shapes(puzzle.parts):
            merged[str(shape)] = merged.get(str(shape), 0) + copies
        assert {str(shape): copies for shape, copies in shapes(back.parts.parts)} == merged


def test_a_part_with_an_overhang_on_all_sides_is_cut() -> None:
    cross = {(1, 1, 1), *((1 + x, 1 + y, 1 + z) for x, y, z in DIRECTIONS.values())}
    components = printable_components(frozenset(cross))
    assert len(components) > 1
    males = [c for component in components for c in component.connectors if c.male]
    assert len(males) == len(components) - 1
    assert all(c.face == (0, 0, 1) for c in males)


def test_puzzles_of_other_lattices_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="not of the lattice"):
        b"".join(write([load("hexiamonds-6x6")]))


def test_layers_rows_and_letters_are_z_y_and_x() -> None:
    assert sorted(component_of(["ab|.a", "..|x{label_text=a|b,c}."]).cells) == [
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 0),
        (1, 1, 0),
    ]


# ---- parts of cubes


def test_pyramids_slices_and_tetrahedra_are_where_puzzlecad_has_them() -> None:
    """x goes to the right, y to the back, z up; a slice is half a cube."""
    for word, many in (("z-", 4), ("z-x+", 1), ("sz-x-", 12)):
        (part,) = parts_of(f'burr_piece("x{{components={word}}}");').parts.parts
        assert len(part.cells) == many
    lattice = load_lattice("rhombic")
    frame = np.array(lattice.basis) / 2  # the axes of a model, in space
    for face, edge in permutations(DIRECTIONS, 2):
        if face[0] == edge[0]:
            continue
        (part,) = parts_of(f'burr_piece("x{{components={face}{edge}}}");').parts.parts
        ((node, *cube),) = part.cells.tolist()
        middle = (0.75 * np.array(DIRECTIONS[face]) + 0.5 * np.array(DIRECTIONS[edge])) @ frame
        assert cube == [0, 0, 0]
        assert np.allclose(lattice.nodes[node].position, middle)


def test_a_whole_cube_beside_parts_of_cubes_is_all_its_cells() -> None:
    (part,) = parts_of('burr_piece("xx{components={sx-z-,sx+z+}}");').parts.parts
    assert len(part.cells) == 48


TIP = '"x{components=y+z+}|x{components=y-z+,connect=dmy-z+}"'
BODY = (
    '"x{components=y+z+,connect=dfy+z+}|x{components={z+,y-z+,y+z+}}|x{components=y-z+,connect=dfy-z+}", '
    '"..|x{components=z-}|.."'
)
WHOLE = (
    '"x{components={y+z+,z+y+}}|x{components={z+,y-z+,y+z+}}|x{components={y-z+,z+y-}}", '
    '"x{components=z-y+}|x{components=z-}|x{components=z-y-}"'
)


def test_joints_between_parts_of_cubes() -> None:
    """A body with two tips is the piece of the star that puzzlecad's own examples draw in one."""
    joined = parts_of(f"burr_plate([[{BODY}], [{TIP}], [{TIP}]]);")
    drawn = parts_of(f"burr_piece([{WHOLE}]);")
    assert not joined.warnings
    assert_equal_up_to_rotation(joined.parts.parts, drawn.parts.parts)


def assert_equal_up_to_rotation(one: tuple[Part, ...], other: tuple[Part, ...]) -> None:
    first, second = ({found.key for found in orientations(part, range(3))} for (part,) in (one, other))
    assert first == second


def test_a_twisted_joint_lies_half_a_cube_lower() -> None:
    """A tip of four tetrahedra, which fits a body in two ways of cutting space into cubes."""
    body = '["x{components={y-z+}}", "x{components={z-y-,z-x-},connect=dfx+z-~,clabel=A}"]'
    tip = '["x{components={y+z+,y+x-},connect=dmy+z+,clabel=A}|x{components={y-z+,y-x-}}"]'
    found = parts_of(f"burr_plate([{body}, {tip}]);")
    assert not found.warnings
    (part,) = found.parts.parts
    assert len(part.cells) == 7
    nodes = load_lattice("rhombic").nodes
    cells = {(nodes[node].name, tuple(cube)) for node, *cube in part.cells.tolist()}
    body = {("down-west", (1, 1, 1)), ("down-north", (1, 1, 1)), ("west-up", (1, 1, 0))}
    at_the_joint = {("west-north", (1, 1, 0)), ("east-north", (1, 0, 0))}  # on the other side of the edge of the body
    assert cells == body | at_the_joint | {("north-west", (1, 1, 0)), ("south-west", (0, 1, 0))}


def test_half_cubes_fill_a_box(tmp_path: Path) -> None:
    """Each of the two cubes is cut by one of the six planes through two opposite edges."""
    (tmp_path / "slices.scad").write_text('burr_plate(repeat(4, "x{components=sz-x-}"));')
    path = str(tmp_path / "slices.toml")
    run("import", str(tmp_path / "slices.scad"), "--box", "2x1x1", "--output", path)
    assert ", 36 in all (complete)" in run("count", path).stdout
