"""Files of models: closed meshes with names and colours that other programs read, the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from itertools import product
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import latcover
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.solutions import solutions
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load_all, load_lattice
from latcover.show.drawing import palette
from latcover.show.printing import model_files, models
from latcover.show.printing.layout import Dimensions, shelves, too_tight
from latcover.show.printing.models import Model
from latcover.system.extras import install_line
from tests.command_line import DONE, FAILED, USAGE, run
from tests.shipped import FEW, rest_long

for library in ("manifold3d", "trimesh"):  # found here, and loaded by the tests: every process collects this file
    if find_spec(library) is None:
        pytest.skip(f"needs {library}: pip install 'latcover[mesh]'", allow_module_level=True)
CHEAP = ("soma", "sphere-pyramid", "tangram-square", "hex-prisms", "tetrasticks-5x5", "happy-cube-red", "pent-stairs")
# a lattice in space, balls, a plane, and keys that lie in the discs beside
every_kind = pytest.mark.parametrize(
    "name", rest_long(FEW, ["soma", "sphere-pyramid", "tangram-square", "disc-cylinder"])
)
CYLINDERS = ("disc-cylinder", "disc-cylinder-labelled")  # whose keys lie in the discs beside


@cache
def puzzle(name: str) -> Puzzle:
    return load_all(name)[0]


@cache
def solved(name: str) -> Solution:
    return next(solutions(puzzle(name)))


@cache
def plate_of(name: str) -> tuple[Model, ...]:
    return models.of_parts(puzzle(name))


def test_a_model_of_what_lies_far_from_0() -> None:
    parts = [latcover.Part("L", "X.\nXX"), latcover.Part("I", ["X"])]
    region = latcover.Region([(999_998 + r, c - 1_000_000) for r in range(2) for c in range(2)])
    far = Puzzle("far", latcover.load_lattice("square"), region, parts)  # type: ignore[arg-type]
    made = models.of_solution(far, next(solutions(far)), Dimensions(clearance=0.2))
    assert [model.bodies for model in made] == [1, 1]
    for model in made:
        closed(model.vertices, model.triangles)


def closed(vertices: np.ndarray, triangles: np.ndarray) -> None:
    import trimesh

    mesh = trimesh.Trimesh(vertices, triangles)  # merges what is in one place
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0


@every_kind
def test_every_part_of_every_puzzle_is_printed(name: str) -> None:
    made = plate_of(name)
    assert len(made) == sum(models.copies_to_print(puzzle(name), part) for part in puzzle(name).parts)
    assert len({model.name for model in made}) == len(made)
    for model in made:
        closed(model.vertices.astype(np.float32), model.triangles)
        assert model.bodies == 1 or name in CYLINDERS
    boxes = [(model.box[0], model.box[1]) for model in made]
    for k, (low, high) in enumerate(boxes):
        assert low == pytest.approx([low[0], low[1], 0], abs=1e-9)
        assert (low >= -1e-9).all()
        assert all((low[:2] > h[:2]).any() or (high[:2] < lo[:2]).any() for lo, h in boxes[:k])


@pytest.mark.parametrize("suffix", [".stl", ".3mf", ".glb"])
@every_kind
def test_every_puzzle_in_every_form(name: str, suffix: str) -> None:
    made = plate_of(name)
    data = model_files.written(made, suffix, name)
    read = {".stl": read_stl, ".glb": read_glb, ".3mf": read_3mf}[suffix](data)
    assert sum(len(model.triangles) for model in made) == sum(len(triangles) for _, triangles in read.values())
    if suffix != ".stl":
        assert list(read) == [model.name for model in made]
        for model in made:
            vertices, triangles = read[model.name]
            closed(vertices, triangles)
            assert len(vertices) == len(model.vertices)
            assert np.allclose(vertices, model.vertices, atol=1e-3)


def read_stl(data: bytes) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    import trimesh

    mesh = trimesh.load_mesh(BytesIO(data), file_type="stl")
    return {"all": (mesh.vertices, mesh.faces)}


def read_glb(data: bytes) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """In millimetres again, z upwards."""
    import trimesh

    scene = trimesh.load_scene(BytesIO(data), file_type="glb")
    return {
        name: (mesh.vertices[:, [0, 2, 1]] * [1000, -1000, 1000], mesh.faces) for name, mesh in scene.geometry.items()
    }


def read_3mf(data: bytes) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By the 3MF consortium's own library, which refuses whatever breaks the specification."""
    lib3mf = pytest.importorskip("lib3mf", reason="needs lib3mf: pip install 'latcover[test]'")
    document = lib3mf.get_wrapper().CreateModel() if hasattr(lib3mf, "get_wrapper") else lib3mf.Wrapper().CreateModel()
    reader = document.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(data)
    assert reader.GetWarningCount() == 0
    assert document.GetUnit() == lib3mf.ModelUnit.MilliMeter
    found = {}
    objects = document.GetMeshObjects()
    while objects.MoveNext():
        mesh = objects.GetCurrentMeshObject()
        assert mesh.IsManifoldAndOriented()
        vertices = np.array([list(vertex.Coordinates) for vertex in mesh.GetVertices()])
        triangles = np.array([list(triangle.Indices) for triangle in mesh.GetTriangleIndices()])
        found[mesh.GetName()] = (vertices, triangles)
    return found


@pytest.mark.parametrize("name", rest_long(CHEAP, ["soma", "tangram-square"]))
def test_a_solution_has_a_model_for_each_placement(name: str) -> None:
    made = models.of_solution(puzzle(name), solved(name), Dimensions(25.0, 0.3))
    assert len(made) == len(solved(name).placements)
    assert len({model.name for model in made}) == len(made)
    assert np.min([model.box[0] for model in made], axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    for suffix in model_files.SUFFIXES:
        data = model_files.written(made, suffix, name)
        assert data == model_files.written(made, suffix, name)
    closed(*read_stl(model_files.stl(made))["all"])


def test_the_soma_cube_put_together_and_apart() -> None:
    together = models.of_solution(puzzle("soma"), solved("soma"), Dimensions(10.0, 0.4))
    assert np.max([model.box[1] for model in together], axis=0) == pytest.approx([29.6] * 3)
    assert sum(model.volume for model in together) == pytest.approx(27 * 9.6**3 + 20 * 0.4 * 9.6**2)
    apart = models.of_solution(puzzle("soma"), solved("soma"), Dimensions(10.0, 0.4), explode=1.0)
    assert [model.volume for model in apart] == pytest.approx([model.volume for model in together])
    middle = np.max([model.box[1] for model in together], axis=0) / 2
    shifts = [(m.box[0] + m.box[1]) / 2 - (o.box[0] + o.box[1]) / 2 for m, o in zip(apart, together, strict=True)]
    wanted = [(model.box[0] + model.box[1]) / 2 - middle for model in together]
    assert np.allclose(np.subtract(shifts, shifts[0]), np.subtract(wanted, wanted[0]))


def test_parts_lie_low_and_are_not_mirrored() -> None:
    for part in puzzle("soma").parts:
        model = models.of_part(puzzle("soma"), part.name, Dimensions(10.0, 0.0))
        flat = len(set(part.cells[:, 3].tolist())) == 1
        assert model.box[1][2] == pytest.approx(10.0 if flat else 20.0)
        assert model.volume == pytest.approx(10.0**3 * part.size)
    hands = [models.of_part(puzzle("soma"), name, Dimensions(10.0, 0.0)) for name in ("A", "B")]
    one, other = (hand.vertices - (hand.box[0] + hand.box[1]) / 2 for hand in hands)
    turns = list(models._turns(puzzle("soma").lattice))
    assert len(turns) == 24
    assert not any(_same_points(one @ turn.T, other) for turn in turns)
    assert any(_same_points(-one @ turn.T, other) for turn in turns)


def _same_points(one: np.ndarray, other: np.ndarray) -> bool:
    rows = [sorted(map(tuple, (points.round(6) + 0.0).tolist())) for points in (one, other)]
    return rows[0] == rows[1]


def test_colours_and_names() -> None:
    made = plate_of("sphere-pyramid")
    assert [model.name for model in made if model.part == made[0].part][:1] == [made[0].name]
    for model in made:
        number = [part.name for part in puzzle("sphere-pyramid").parts].index(model.part)
        copy = int(model.name.split()[-1]) if model.name != model.part else 1
        assert model.colour == palette.colour(number, copy)
    text = ZipFile(BytesIO(model_files.three_mf(made, "A & B"))).read(model_files.MODEL_PART).decode()
    assert 'unit="millimeter"' in text
    assert "A &amp; B" in text
    for model in made:
        assert f'name="{model.name}" displaycolor="{palette.hexadecimal(model.colour).upper()}"' in text


def test_what_a_maker_is_told() -> None:
    assert models.remarks(puzzle("soma"), plate_of("soma"), Dimensions()) == [
        "edge 20 mm, clearance 0.2 mm, play 0.005"
    ]
    assert any(
        "in several pieces" in remark
        for remark in models.remarks(puzzle("disc-cylinder"), plate_of("disc-cylinder"), Dimensions())
    )


def test_shelves_do_not_overlap() -> None:
    sizes = [(3.0, 1.0), (1.0, 7.0), (2.0, 2.0), (30.0, 1.0), (1.0, 1.0), (4.0, 4.0)]
    places = shelves(sizes, 0.5)
    for k, (w, d) in enumerate(sizes):
        for j, (v, e) in enumerate(sizes[:k]):
            (x, y, _), (p, q, _) = places[k], places[j]
            assert x >= p + v + 0.5 or p >= x + w + 0.5 or y >= q + e + 0.5 or q >= y + d + 0.5


def test_an_unknown_form() -> None:
    with pytest.raises(UnsupportedError, match=r"\.stl, \.3mf, \.glb"):
        model_files.written(plate_of("soma"), ".obj", "")


def test_a_solution_without_parts() -> None:
    with pytest.raises(PuzzleError, match="so there is no model of it"):
        models.of_solution(puzzle("soma"), Solution(()))


@pytest.mark.parametrize(
    ("suffix", "what"),
    [
        *product([".stl"], [[], ["--all-parts"], ["--part", "V"], ["--solution", "2", "--explode", "0.5"]]),
        (".3mf", ["--part", "V"]),
        (".glb", ["--part", "V"]),
        (".step", ["--part", "V"]),
    ],
)
def test_show_writes_models(tmp_path: Path, what: list[str], suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    for _ in range(2 if what == ["--part", "V"] else 1):  # also over what is there
        done = run("show", "soma", *what, "--output", path, "--edge", "15")
        assert (done.returncode, done.stdout) == (DONE, ""), done.stderr
        assert path.stat().st_size > 500


def test_show_keeps_to_the_measures(tmp_path: Path) -> None:
    import trimesh

    path = tmp_path / "x.stl"
    arguments = ["--part", "I", "--edge", "10", "--clearance", "0.5", "--thickness", "3"]
    assert run("show", "pent-10x6", *arguments, "--output", path).returncode == DONE
    size = np.ptp(trimesh.load_mesh(path).bounds, axis=0)
    assert sorted(size.tolist()) == pytest.approx([3.0, 9.5, 49.5])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "x.obj"], "name a file with one of"),
        (["--edge", "20"], "--output"),
        (["--all-parts"], "--output"),
        (["--all-parts", "--output", "x.svg"], "--all-parts"),
        (["--output", "x.stl", "--edge", "0"], "the edge is 0 mm"),
        (["--output", "x.stl", "--clearance", "-1"], "the clearance is -1 mm"),
        (["--output", "x.stl", "--clearance", "0.0001"], "0.002 mm or more"),
        (["--output", "x.stl", "--clearance", "20"], "is too much for part"),
        (["--output", "x.stl", "--thickness", "3"], "is not flat"),
        (["--output", "x.stl", "--region"], "--region: only for"),
        (["--output", "x.stl", "--solutions", "3"], "--solutions: only for"),
        (["--output", "x.stl", "--explode", "nan"], "0 to 100"),
        (["--output", "x.stl", "--explode", "1", "--part", "V"], "--explode"),
        (["--output", "x.stl", "--part", "Q"], "has no part 'Q'"),
        (["--output", "x.stl", "--view", "layers"], "--view"),
        (["--output", "x.stl", "--no-letters"], "--no-letters"),
        (["--output", "x.3mf", "--json"], "--json"),
        (["--output", "nowhere/x.stl"], "there is no folder"),
    ],
)
def test_what_show_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("show", "soma", *arguments)
    assert done.returncode in (FAILED, USAGE)
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


BLOCKED = """
import os, sys
from latcover.apps.cli.main import main
for missing in {missing!r}:
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    sys.modules.update(dict.fromkeys(missing))  # as good as not installed
    for suffix in ('.stl', '.3mf', '.glb'):
        sys.argv = ['latcover', 'show', 'soma', '--output', '+'.join(missing) + suffix]
        try:
            main()
            print(0, flush=True)
        except SystemExit as end:
            print(end.code, flush=True)
    os._exit(0)
"""
MISSING = {
    ("trimesh",): "needs trimesh, which is not installed",
    ("manifold3d",): "needs manifold3d, which is not installed",
    ("manifold3d", "trimesh"): "needs manifold3d and trimesh, which are not installed",
}


@pytest.mark.long
def test_without_the_libraries(tmp_path: Path) -> None:
    program = BLOCKED.format(missing=list(MISSING))
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.split() == ["1", "1", "1"] * 3
    for words in MISSING.values():
        assert done.stderr.count(words) == 3
    assert done.stderr.count(f"install with: {install_line('mesh')}") == 9
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_puzzle_whose_parts_turn_gets_the_clearance_of_its_play() -> None:
    turning = puzzle("turning-cube")
    assert turning.turning is not None
    assert Dimensions.of(turning).clearance == pytest.approx(2 * turning.turning.play * 20)
    assert Dimensions.of(turning, edge=10.0).clearance == pytest.approx(2 * turning.turning.play * 10)
    assert Dimensions.of(puzzle("soma")) == Dimensions()
    asked = Dimensions.of(turning, clearance=0.2)
    assert asked.clearance == 0.2
    assert too_tight(turning, Dimensions.of(turning)) == too_tight(puzzle("soma"), asked) == ""
    assert "a clearance of 2.4 mm at an edge of 20 mm; with 0.2 mm its parts may not turn" in too_tight(turning, asked)


@pytest.mark.parametrize(("lattice", "words"), [("hexagonal", ", play 0.00866"), ("fcc", "0.2 mm")])
def test_play_is_a_share_of_the_shortest_edge(lattice: str, words: str) -> None:
    assert Dimensions().in_words(load_lattice(lattice)).endswith(words)
