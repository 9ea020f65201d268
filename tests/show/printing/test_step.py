"""STEP files: flat faces of closed solids of the right volume, which an independent kernel reads."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import latcover
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_all
from latcover.show.printing import model_files, models
from latcover.show.printing.layout import Dimensions
from latcover.show.printing.models import Model

for library in ("manifold3d", "trimesh"):
    if find_spec(library) is None:
        pytest.skip(f"needs {library}: pip install 'latcover[mesh]'", allow_module_level=True)
WHOLE = Dimensions(edge=10.0, clearance=0.0)
FRAME = ["XXX", "X.X", "XXX"]


@cache
def plate_of(name: str) -> tuple[Model, ...]:
    return models.of_parts(load_all(name)[0], WHOLE)


def part_of(*layers: list[str]) -> Model:
    """A part of cubes, alone; `X` is a cube."""
    cells = [
        (r, c, k) for k, rows in enumerate(layers) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "X"
    ]
    part = latcover.Part("ä'", cells)
    one = latcover.Puzzle("one", latcover.load_lattice("cubic"), latcover.Region(cells), [part])
    return models.of_part(one, "ä'", WHOLE)


def entities(data: bytes) -> dict[str, tuple[str, list[str]]]:
    """The kind of each entity, and the entities and words in it."""
    lines = re.findall(r"^(#\d+)=(\w*)\((.*)\);$", data.decode("ascii"), re.MULTILINE)
    return {number: (kind, re.findall(r"#\d+|\.[TF]\.", rest)) for number, kind, rest in lines}


def volumes(data: bytes) -> list[float]:
    """Of each solid, by the divergence theorem, from its loops of edges alone. Checks that its surface is closed."""
    all_of = entities(data)
    numbers = {
        number: np.array([float(one) for one in place.split(",")])
        for number, place in re.findall(r"^(#\d+)=CARTESIAN_POINT\('',\((.*)\)\);$", data.decode(), re.MULTILINE)
    }

    def corner(edge: str, first: bool) -> np.ndarray:
        return numbers[all_of[all_of[edge][1][0 if first else 1]][1][0]]

    def of_shell(shell: str) -> float:
        used: Counter[tuple[str, str]] = Counter()
        volume = 0.0
        for face in all_of[shell][1]:
            for bound in all_of[face][1][:-2]:
                loop = [all_of[edge][1] for edge in all_of[all_of[bound][1][0]][1]]
                used.update((edge, way) for edge, way in loop)
                starts = np.array([corner(edge, way == ".T.") for edge, way in loop])
                ends = np.array([corner(edge, way == ".F.") for edge, way in loop])
                assert np.array_equal(ends, np.roll(starts, -1, axis=0))
                volume += np.einsum("ij,ij->", np.cross(starts, ends), np.broadcast_to(starts[0], starts.shape)) / 6
        assert set(used.values()) == {1}
        assert all(used[edge, ".T."] == used[edge, ".F."] for edge, _ in used)
        return volume

    found = []
    for kind, inside in all_of.values():
        if kind == "MANIFOLD_SOLID_BREP":
            found.append(of_shell(inside[0]))
        elif kind == "BREP_WITH_VOIDS":
            found.append(of_shell(inside[0]) + sum(of_shell(all_of[void][1][0]) for void in inside[1:]))
    return found


@pytest.mark.parametrize("name", ["soma", "hex-prisms", "tangram-square"])
def test_solids_are_closed_and_have_the_volumes_of_the_models(name: str) -> None:
    made = plate_of(name)
    data = model_files.written(made, ".step", name)
    assert volumes(data) == pytest.approx([model.volume for model in made], rel=1e-6)
    assert data == model_files.written(made, ".step", name)


def test_triangles_of_one_plane_are_one_face() -> None:
    kinds = Counter(kind for kind, _ in entities(model_files.written(plate_of("soma"), ".step", "Soma")).values())
    assert kinds["ADVANCED_FACE"] == 68  # V and L 8 each, T and Z 10 each, the others 32
    assert kinds["PRODUCT"] == 7


def test_a_face_with_a_hole_a_hollow_and_names() -> None:
    ring = model_files.written([part_of(FRAME)], ".step", "ring")
    assert sum(kind == "FACE_BOUND" for kind, _ in entities(ring).values()) == 2
    assert volumes(ring) == pytest.approx([8000])
    hollow = model_files.written([part_of(["XXX"] * 3, FRAME, ["XXX"] * 3)], ".step", "hollow")
    assert volumes(hollow) == pytest.approx([26_000])
    assert b"PRODUCT('\\X4\\000000E4\\X0\\'''," in hollow


def test_pieces_are_solids_of_one_product_and_may_have_no_hollow() -> None:
    two = part_of(["X..X"])
    assert volumes(model_files.written([two], ".step", "two")) == pytest.approx([1000, 1000])
    apart = [
        [row + ".." + ("X" if row == "XXX" else ".") for row in layer] for layer in (["XXX"] * 3, FRAME, ["XXX"] * 3)
    ]
    with pytest.raises(UnsupportedError, match="several pieces and has a hollow"):
        model_files.written([part_of(*apart)], ".step", "apart")


def test_an_independent_kernel_reads_it(tmp_path: Path) -> None:
    gmsh = pytest.importorskip("gmsh", reason="needs gmsh: pip install gmsh")
    made = plate_of("soma")
    path = tmp_path / "soma.step"
    path.write_bytes(model_files.written(made, ".step", "Soma"))
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        read = gmsh.model.occ.importShapes(str(path))
        found = [gmsh.model.occ.getMass(dimension, tag) for dimension, tag in read if dimension == 3]
    finally:
        gmsh.finalize()
    assert found == pytest.approx([model.volume for model in made], rel=1e-6)
