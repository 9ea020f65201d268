"""Lattices of one's own: what the drawings tell, what overlaps, and lattices within puzzle files."""

from __future__ import annotations

import base64
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from msgspec.structs import replace

from latcover.apps.web.app import FLAT_TILINGS
from latcover.core.model.lattice import Drawing, Lattice, Node
from latcover.core.solving.count import count
from latcover.errors import InputError, LatticeError
from latcover.files.formats.library import load_lattice, loads
from latcover.files.formats.puzzle_files.lattice_drawings import drawing_faults
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzle_files.lattice_writer import lattice_as_data, lattice_as_toml, prism, prism_faces
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, names, shipped
from tests.web_jobs import messages_of

TOLD = ("half_edges", "transformations", "slides")  # what the drawings tell


def lattice_of(data: dict[str, Any]) -> Lattice:
    return read_lattice(Source(tomli_w.dumps(data).encode(), "own.toml", shipped))


def faults(data: dict[str, Any]) -> list[str]:
    with pytest.raises(LatticeError) as raised:
        lattice_of(data)
    return [complaint.message for complaint in raised.value.complaints]


def drawn(basis: list[list[float]], **polygons: list[list[float]]) -> dict[str, Any]:
    return {"name": "own", "basis": basis, "nodes": {name: {"polygon": p} for name, p in polygons.items()}}


def permutations(lattice: Lattice) -> set[frozenset[Any]]:
    """The transformations by what they do to half-edges, whatever these are called."""
    sides = [(edge.node, edge.leads_to) for edge in lattice.half_edges]
    return {frozenset((sides[h], sides[k]) for h, k in enumerate(t.labels)) for t in lattice.transformations}


@pytest.mark.parametrize("name", names("lattices"))
def test_the_drawings_of_a_shipped_lattice_tell_what_its_file_says(name: str) -> None:
    data = tomllib.loads(shipped("lattices", name).content.decode())
    written = load_lattice(name)
    derived = lattice_of({key: value for key, value in data.items() if key not in TOLD})
    assert sorted((e.node, e.leads_to) for e in derived.half_edges) == sorted(
        (e.node, e.leads_to) for e in written.half_edges
    )
    if name == "disc":  # its squares stand for quarters of discs, and must not be turned
        assert permutations(written) < permutations(derived)
    else:
        assert permutations(written) == permutations(derived)
    proper = [sum(t.proper for t in lattice.allowed("rotations")) for lattice in (written, derived)]
    assert proper[0] == proper[1] or name == "disc"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "rhombic")) for name in names("lattices")]
)
def test_a_written_lattice_reads_back_as_the_same(name: str) -> None:
    """Whatever the file leaves out because the drawings tell it, or must say."""
    data = tomllib.loads(shipped("lattices", name).content.decode())
    for lattice in (load_lattice(name), lattice_of({key: value for key, value in data.items() if key not in TOLD})):
        text = lattice_as_toml(lattice)
        again = read_lattice(Source(text.encode(), "own.toml", shipped))
        assert (again.name, again.half_edges, again.slides) == (lattice.name, lattice.half_edges, lattice.slides)
        assert {name: t.labels for name, t in again.generators.items()} == {
            name: t.labels for name, t in lattice.generators.items()
        }
        assert again.default_transformations == lattice.default_transformations
        assert (again.symbolic, again.has_gaps) == (lattice.symbolic, lattice.has_gaps)
        for one, other in zip(again.nodes, lattice.nodes, strict=True):
            assert (one.name, one.position, one.secondary) == (other.name, other.position, other.secondary)
            assert np.array_equal(one.drawing.vertices, other.drawing.vertices)
            assert one.drawing.faces == other.drawing.faces
        assert ("half_edges" in tomllib.loads(text)) == (lattice is load_lattice(name))


SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
CROSSED = [[0, 0], [2, 0], [2, 1], [1, -0.5], [0, 1]]
UNITS = [[1.0, 0.0], [0.0, 1.0]]


def test_names_of_what_is_derived() -> None:
    """Half-edges have the number of the side; a mirror is no rotation, and a shift within the unit is one."""
    square = lattice_of(drawn(UNITS, cell=SQUARE))
    assert [(e.label, e.step) for e in square.half_edges] == [
        ("cell-0", (0, -1)),
        ("cell-1", (1, 0)),
        ("cell-2", (0, 1)),
        ("cell-3", (-1, 0)),
    ]
    assert list(square.generators) == ["quarter turn", "mirror"]
    two = drawn([[2, 0], [0, 1]], one=SQUARE, other=[[x + 1, y] for x, y in SQUARE])
    assert list(lattice_of(two).generators) == ["shift", "half turn", "mirror"]
    assert len(lattice_of(two).transformations) == 8
    none = lattice_of(drawn(UNITS, cell=SQUARE) | {"transformations": []})
    assert len(none.transformations) == 1
    assert lattice_as_data(none)["transformations"] == []


def test_a_drawing_without_symmetries_and_one_with_a_sheared_basis() -> None:
    bent = [[0, 0], [1, 0], [1.2, 0.4], [1, 1], [0, 1], [0.2, 0.4]]
    assert len(lattice_of(drawn(UNITS, cell=bent)).transformations) == 1
    assert len(lattice_of(drawn([[1.0, 0.0], [20.0, 1.0]], cell=SQUARE)).transformations) == 8


def test_a_secondary_cell_is_no_image_of_another() -> None:
    data = drawn([[2, 0], [0, 1]], one=SQUARE, other=[[x + 1, y] for x, y in SQUARE])
    data["nodes"]["other"]["secondary"] = True
    assert len(lattice_of(data).transformations) == 4


def test_sides_that_meet_partly() -> None:
    """The message says where a corner is missing; with it, all is well."""
    bricks = drawn([[1, -1], [2, 0]], brick=[[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]])
    found = faults(bricks)
    assert len(found) == 2
    assert "the side 2, around (0, 0.5), of 'brick' meets the cell 'brick' along 1 of its 2 only" in found[0]
    assert all("give it a corner at (0, " in fault for fault in found)
    mended = drawn([[1, -1], [2, 0]], brick=[[-1, -0.5], [0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5], [-1, 0.5]])
    lattice = lattice_of(mended)
    assert len(lattice.half_edges) == 6
    assert len(lattice.transformations) == 4


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (drawn(UNITS, cell=SQUARE) | {"drawings": "symbols"}, "only symbols do not tell"),
        (drawn(UNITS, **{"a cell": SQUARE}), "must be a word"),
        (drawn([[2, 0], [0, 2]], cell=SQUARE) | {"drawings": "touch"}, "no two cells share a side"),
        (drawn([[1, 0], [0, 2]], cell=SQUARE) | {"drawings": "touch"}, "fewer than 2 dimensions"),
        (drawn([[2, 0], [0, 1]], cell=SQUARE), "together 1, but the basis makes a unit of 2"),
        (drawn(UNITS, cell=SQUARE, again=SQUARE), "and the cell 'again' at (0, 0) from it overlap, around (0, 0)"),
        (drawn(UNITS, cell=[SQUARE[k] for k in (0, 1, 3, 2)]), "or its sides cross"),
        (drawn(UNITS, cell=[[0.5, 0.5]] * 3), "its drawing has no area"),
        (drawn(UNITS, cell=CROSSED), "from (0, 0) to (2, 0) and from (2, 1) to (1, -0.5) cross each other"),
        (drawn(UNITS, **{f"n{k}": SQUARE for k in range(101)}), "at most 100 nodes"),
    ],
)  # fmt: skip
def test_drawings_that_do_not_tell(data: dict[str, Any], fault: str) -> None:
    assert fault in "".join(faults(data))


def test_cycles_may_use_the_names_that_the_drawings_give() -> None:
    data = drawn(UNITS, cell=SQUARE)
    labels = " ".join(edge.label for edge in lattice_of(data).half_edges)
    lattice = lattice_of(data | {"transformations": [{"name": "turn", "cycles": [labels]}]})
    assert len(lattice.transformations) == 4
    again = read_lattice(Source(lattice_as_toml(lattice).encode(), "own.toml", shipped))
    assert permutations(again) == permutations(lattice)
    (fault,) = faults(data | {"transformations": [{"name": "turn", "cycles": ["cell-7"]}]})
    assert "no half-edge 'cell-7'" in fault


FAR = [[x + 30, y] for x, y in SQUARE]  # so far from its middle that a reader asks for half-edges


@pytest.mark.parametrize("polygon", [SQUARE, FAR])
def test_what_is_left_out_of_a_file_a_reader_finds(polygon: list[list[float]]) -> None:
    told = lattice_of(drawn(UNITS, cell=SQUARE)).half_edges
    written = {e.label: {"step": list(e.step), "twin": told[e.twin].label} for e in told}
    lattice = lattice_of(drawn(UNITS, cell=polygon) | {"half_edges": written})
    again = read_lattice(Source(lattice_as_toml(lattice).encode(), "own.toml", shipped))
    assert again.half_edges == lattice.half_edges
    assert ("half_edges" in lattice_as_data(lattice)) == (polygon is FAR)


STEPS = {"half_edges": {"r": {"step": [1], "twin": "l"}, "l": {"step": [-1], "twin": "r"}}}


@pytest.mark.parametrize(
    ("node", "fault"),
    [
        ({"radius": 0}, "no picture can show its drawing"),
        ({"polygon": [[0, 0], [1, 0], [1, 0], [0, 0]]}, "no picture can show its drawing"),
        ({"polygon": [[0, 0], [1, 0], [1, 1e-5], [0, 1e-5]]}, "no picture can show its drawing"),
        ({"vertices": [[0], [1]], "faces": [[0, 1, 0]]}, "must be a list of 2 numbers, each at most 1e+06, not [0]"),
        ({"vertices": SQUARE, "faces": [[0, 1, 2], [2, 3, 0]]}, "a flat cell has one face"),
    ],
)
def test_drawings_that_no_picture_can_show(node: dict[str, Any], fault: str) -> None:
    """They are refused also where they are symbols only."""
    data = {"name": "own", "basis": [[1]], "drawings": "symbols", "nodes": {"a": node}} | STEPS
    assert fault in faults(data)[0]


@pytest.mark.parametrize(("height", "seen"), [(1e-5, False), (1e-2, True)])
def test_a_flat_symbol_in_space(height: float, seen: bool) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, height]])
    node = Node("a", (0, 0, 0), Drawing(corners, ((0, 1, 3), (0, 3, 2))))  # which need not be closed
    assert bool([*drawing_faults(np.eye(3), [node], (), "symbols")]) != seen


ANGLE = [[-1.5, -1.5], [1.5, -1.5], [1.5, -0.5], [-0.5, -0.5], [-0.5, 1.5], [-1.5, 1.5]]


@pytest.mark.parametrize("axes", [[0, 1, 2], [0, 2, 1], [2, 1, 0]])  # the notch looks sideways, or up
@pytest.mark.parametrize(
    ("place", "overlap"),
    [([0, 0, 0], False), ([0.5, 0.5, 0.25], False), ([-0.25, 0, 0], True), ([0.5, -0.75, 0.5], True)],
)
def test_solids_that_are_not_convex(place: list[float], overlap: bool, axes: list[int]) -> None:
    """A bar has room in the notch of an angle, though their hulls overlap."""
    nodes = []
    for name, corners, at in (("a", ANGLE, [0, 0, 0]), ("b", SQUARE, place)):
        drawing = Drawing(prism(np.array(corners), 1)[:, axes], prism_faces(len(corners)))
        nodes.append(Node(name, tuple(at[axis] for axis in axes), drawing))
    basis = np.diag(np.array([4.0, 4.0, 2.0])[axes])
    found = [fault.message for fault in drawing_faults(basis, nodes, (), "touch")]
    assert ["a cell 'a' and the cell 'b' at" in message for message in found] == [True] * overlap


def test_faces_that_cross() -> None:
    crossed = Drawing(prism(np.array(CROSSED), 1), prism_faces(len(CROSSED)))
    (found,) = drawing_faults(np.diag([4.0, 4.0, 2.0]), [Node("a", (0, 0, 0), crossed)], (), "touch")
    assert "its faces cross each other" in found.message


@pytest.mark.filterwarnings("error")
def test_an_edge_that_is_nearly_upright() -> None:
    """Its slope would be too large for a number, and NumPy would warn the reader of a file of that."""
    leaning = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [0, 0.5], [1e-310, 0], [-0.5, 0]]
    found = faults(drawn([[0.9, 0], [0, 1]], cell=leaning) | {"drawings": "touch"})
    assert "overlap, around" in found[0]


TRANSFORMATIONS = {"squares": 8, "bricks": 4, "4.8.8": 8, "cairo": 8, "3.3.4.3.4": 8, "tetrakis": 8}


@pytest.mark.parametrize("tiling", json.loads(FLAT_TILINGS.read_bytes()), ids=lambda tiling: tiling["name"])
def test_the_tilings_that_a_lattice_can_begin_with(tiling: dict[str, Any]) -> None:
    """Each is sound, and has the symmetries that it is known for: twelve, or eight on a square grid."""
    lattice = lattice_of(tiling["lattice"])
    assert len(lattice.transformations) == TRANSFORMATIONS.get(tiling["name"], 12)
    assert len({edge.leads_to for edge in lattice.half_edges if edge.node == 0}) == len(
        lattice.nodes[0].drawing.vertices
    )


PUZZLE = """
name = "on octagons"

[lattice]
name = "4.8.8"
basis = [[2.414213562373095, 0], [0, 2.414213562373095]]

[lattice.nodes.octagon]
polygon = [
    [1.2071067811865475, 0.5], [0.5, 1.2071067811865475], [-0.5, 1.2071067811865475], [-1.2071067811865475, 0.5],
    [-1.2071067811865475, -0.5], [-0.5, -1.2071067811865475], [0.5, -1.2071067811865475], [1.2071067811865475, -0.5],
]

[lattice.nodes.square]
position = [1.2071067811865475, 1.2071067811865475]
polygon = [[0.7071067811865475, 0], [0, 0.7071067811865475], [-0.7071067811865475, 0], [0, -0.7071067811865475]]

[region]
box = [4, 4]

[[parts]]
name = "pair"
count = 16
cells = [[0, 0, "octagon"], [0, 0, "square"]]
"""


def test_a_puzzle_with_its_lattice_is_one_file() -> None:
    puzzle = loads(PUZZLE)
    assert (len(puzzle.lattice.half_edges), len(puzzle.lattice.transformations)) == (12, 8)
    again = loads(puzzle_as_toml([puzzle]))
    assert again.lattice.half_edges == puzzle.lattice.half_edges
    counts = [count(each) for each in (puzzle, again, replace(puzzle, lattice=again.lattice))]
    assert {(found.different, found.total) for found in counts} == {(counts[0].different, counts[0].total)}
    assert counts[0].total > 0


def test_a_fault_of_a_lattice_within_a_puzzle_has_its_line() -> None:
    text = PUZZLE.replace("[0.7071067811865475, 0], [0", "[0.9, 0], [0")
    with pytest.raises(InputError) as raised:
        loads(text)
    line = text.splitlines()[raised.value.complaints[0].line - 1]
    assert line.startswith("[lattice.nodes.")
    with pytest.raises(InputError, match=r"lattice: 'basis' is missing"):
        loads(PUZZLE.replace("basis = ", "# "))


def test_the_files_of_the_page() -> None:
    """The files in docs/reference/lattice-files.md are sound, and the drawings of the long one tell what it writes."""
    page = (Path(__file__).parents[3] / "docs" / "reference" / "lattice-files.md").read_text("utf-8")
    short, rhombus, puzzle, long = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    octagons = lattice_of(tomllib.loads(short))
    assert [sum(edge.node == k for edge in octagons.half_edges) for k in (0, 1)] == [8, 4]
    assert len(octagons.transformations) == 8
    assert len(lattice_of(tomllib.loads(rhombus)).transformations) == 2
    assert loads(puzzle).lattice.name == "squares"
    data = tomllib.loads(long)
    derived = lattice_of({key: value for key, value in data.items() if key not in TOLD})
    assert permutations(derived) == permutations(lattice_of(data))


def answer_to(*files: tuple[str, str]) -> dict[str, Any]:
    """What the server's child says of files that a client sends at once."""
    sent = [{"name": name, "content": base64.b64encode(text.encode()).decode()} for name, text in files]
    said: dict[str, Any] = messages_of({"task": "read", "files": sent})[-1]
    return said


NAMES_MINE = (
    PUZZLE.partition("[lattice]")[0] + 'lattice = "grids/mine.toml"\n\n[region]' + PUZZLE.partition("[region]")[2]
)
MINE = PUZZLE[PUZZLE.index("[lattice]") :].partition("[region]")[0].replace("[lattice]", "").replace("lattice.", "")


def test_files_that_come_together() -> None:
    """A puzzle takes its lattice into its text; a lattice alone begins a puzzle; what is missing is named."""
    found = answer_to(("mine.toml", MINE), ("puzzle.toml", NAMES_MINE))["answer"]
    assert loads(found["subject"]["text"]).lattice.half_edges == loads(PUZZLE).lattice.half_edges
    begun = answer_to(("mine.toml", MINE))["answer"]
    assert (begun["name"], begun["lattice"]["name"]) == ("my puzzle", "4.8.8")
    for files, words in (
        ([("puzzle.toml", NAMES_MINE)], "'mine.toml': choose both files at once; or write the lattice"),
        ([("puzzle.toml", NAMES_MINE), ("other.toml", MINE)], "'mine.toml': choose both files at once"),
        ([("puzzle.toml", NAMES_MINE), ("mine.toml", MINE.replace("basis", "bases"))], "mine.toml"),
        ([("../../puzzle.toml", NAMES_MINE), ("mine.toml", MINE), ("b.toml", PUZZLE)], "the file of one puzzle"),
        ([("mine.toml", MINE.replace("basis", "bases"))], "'basis' is missing"),
    ):
        said = answer_to(*files)
        assert said["event"] == "fault"
        assert words in said["fault"]["message"]
