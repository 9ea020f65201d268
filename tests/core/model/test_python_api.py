"""Puzzles from coordinates and from art, filters of solutions, and frames of pandas; errors in the same terms."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from inspect import isfunction, signature
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover import Choices, Part, Puzzle, Region, box, keeps_apart, part_at, symmetric
from latcover.backends import create
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.system import extras

SQUARE, CUBIC, TRIANGULAR = (latcover.load_lattice(name) for name in ("square", "cubic", "triangular"))

SOMA = {
    "V": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "T": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)],
    "L": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)],
    "Z": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
    "A": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)],
    "B": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1)],
    "P": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
}


# ---- puzzles by name

untyped: Any = latcover  # of which any misuse may be written

FILE = Path(str(files("latcover.instances").joinpath("soma.toml")))
PERFORMERS: dict[str, Callable[[Any], Any]] = {
    "count": latcover.count,
    "solve": lambda puzzle: latcover.solve(puzzle, latcover.SolveRequest(limit=1)),
    "apart": lambda puzzle: latcover.apart(puzzle, latcover.AssembleRequest(limit=1)),
    "assemble": lambda puzzle: latcover.assemble(puzzle, latcover.AssembleRequest(limit=1)),
    "decode": lambda puzzle: latcover.decode(puzzle, ["s UNSATISFIABLE\n"]),
    "export": lambda puzzle: latcover.export(puzzle, latcover.ExportRequest(form="dimacs")),
    "estimate": lambda puzzle: latcover.estimate(puzzle, latcover.EstimateRequest(probes=10)),
    "solutions": lambda puzzle: next(latcover.solutions(puzzle)),
    "difficulty": lambda puzzle: latcover.difficulty(puzzle, most_branches=10),
    "cut": lambda puzzle: latcover.cut(puzzle, 3, walks=1, patience=1),
    "design": lambda puzzle: latcover.design(puzzle, search="sample", limit=1),
    "design_regions": lambda puzzle: latcover.design_regions(puzzle, []),
}


@pytest.mark.parametrize("name", PERFORMERS)
def test_a_puzzle_is_taken_by_its_name_or_path(name: str) -> None:
    perform = PERFORMERS[name]
    puzzle = "pent-stairs" if name == "design" else "soma"
    if name != "design":
        perform(FILE)
    perform(puzzle)
    with pytest.raises(PuzzleError, match="did you mean 'soma'"):
        perform("som")
    with pytest.raises(PuzzleError, match="the name or the path"):
        perform(SQUARE)


def test_what_takes_no_name_says_what_it_takes() -> None:
    for perform in (
        latcover.prepare,
        lambda name: latcover.verify(name, next(latcover.solutions("fig4-3x3"))),
        lambda name: latcover.run(name, create("dlx")),
        latcover.disassemble,
    ):
        with pytest.raises(PuzzleError, match="not 'soma'"):
            perform("soma")  # type: ignore[operator]


DOMINO = Part("I", "XX", lattice=SQUARE)
ENTRIES: dict[str, Callable[[Any], Any]] = {
    **PERFORMERS,
    "compare": latcover.compare,
    "import_file": latcover.import_file,
    "pieces": latcover.pieces,
    "publish": lambda given: latcover.publish(given, "site"),
    "atlas": lambda given: latcover.atlas(given, latcover.AtlasRequest(size=1, rectangles_only=True)),
    "best": lambda given: latcover.best(given, latcover.BestRequest(objective="parts")),
    "common": lambda given: latcover.common(given, latcover.CommonRequest(seconds=0)),
    "exclude": latcover.exclude,
    "multiples": lambda given: latcover.multiples(given, latcover.MultiplesRequest(copies=1)),
    "pack": latcover.pack,
    "pairs": lambda given: latcover.pairs(given, request=latcover.PairsRequest(seconds=0)),
    "plane": lambda given: latcover.plane(given, seconds=0),
    "region_to_pack": lambda given: latcover.region_to_pack(given, box(2, 2).cells),
    "sequence": lambda given: next(latcover.sequence(given, latcover.SequenceRequest(last=1))),
    "shape_named": latcover.shape_named,
    "shapes_named": latcover.shapes_named,
    "strip_counts": lambda given: latcover.strip_counts(given, 2),
    "strip_of_family": latcover.strip_of_family,
    "strip_recurrence": latcover.strip_recurrence,
    "with_rules": lambda given: latcover.with_rules(given, ["on-rim"]),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_refuses_what_it_cannot_take(name: str) -> None:
    """As the command line does, which cannot be given such things: in a sentence, not by an error of our own."""
    for given in (None, 5, b"x", object(), [], [1], SQUARE, [Part("I", "XX")]):
        with pytest.raises(latcover.LatcoverError):
            ENTRIES[name](given)


def test_check_and_info_refuse_what_they_cannot_take() -> None:
    """They take lattices, too."""
    for perform in (latcover.check, latcover.info):
        for given in (None, 5, b"x", object(), [], [1], [Part("I", "XX")]):
            with pytest.raises(PuzzleError, match=r"takes a puzzle|a puzzle is needed"):
                perform(given)  # type: ignore[arg-type]


NEEDED: dict[str, Any] = {
    "certify path": "x.count",
    "best request": latcover.BestRequest(objective="parts"),
    "decode answer": [],
    "multiples request": latcover.MultiplesRequest(copies=1),
    "publish folder": "site",
    "region_to_pack cells": box(2, 2).cells,
    "run backend": create("dlx"),
    "sequence request": latcover.SequenceRequest(last=1),
    "strip_counts last": 1,
}
FUNCTIONS = sorted(name for name in latcover.__all__ if isfunction(getattr(latcover, name)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_checked_before_any_work(name: str) -> None:
    """Those with a default, one by one; the first is tested above."""
    function = getattr(latcover, name)
    parameters = [*signature(function).parameters.values()]
    names = [each.name for each in parameters if each.default is each.empty and each.kind < each.VAR_POSITIONAL]
    needed = [NEEDED.get(f"{name} {own}", Unfit()) for own in names]
    for parameter in parameters[1:]:
        if parameter.default is parameter.empty or parameter.kind is parameter.VAR_KEYWORD:
            continue
        with pytest.raises(latcover.LatcoverError) as refused:
            function(*needed, **{parameter.name: Unfit()})
        assert str(refused.value).startswith(f"{name}: {parameter.name} must be ")


class Unfit:
    """What no function takes."""


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: untyped.count("soma", 5), "count: request must be a CountRequest, not 5"),
        (lambda: untyped.solve("soma", solver="dlx"), "solve: solver must be a Backend or None, not 'dlx'"),
        (lambda: untyped.pieces("square", -5), "pieces: n must be a whole number from 0 or None, not -5"),
        (
            lambda: untyped.decode("soma", [], kind="x"),
            "decode: kind must be one of 'sat', 'dlx'",
        ),
        (lambda: untyped.check(5), "check takes a puzzle, or the name or the path of a file, not 5"),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        call()
    assert str(refused.value).startswith(said)


def test_a_public_function_survives_pickle() -> None:
    """As a pool of processes needs it."""
    assert pickle.loads(pickle.dumps(latcover.count)) is latcover.count
    assert signature(latcover.count).parameters["request"].default == latcover.CountRequest()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: latcover.SolveRequest(limit=-1), "SolveRequest: limit is -1"),
        (lambda: latcover.CountRequest(seconds=float("nan")), "seconds is nan"),
        (lambda: latcover.CountRequest(symmetry="al"), "symmetry is 'al'"),  # type: ignore[arg-type]
        (lambda: latcover.AtlasRequest(size=0), "AtlasRequest: size is 0"),
        (lambda: latcover.PackRequest(backend=None), "backend is None"),  # type: ignore[arg-type]
        (lambda: latcover.PlaneRequest(classes=99), "classes is 99"),
        (lambda: latcover.SequenceRequest(last="x"), "last is 'x'"),  # type: ignore[arg-type]
        (lambda: latcover.BestRequest(objective="parts", seconds=-1), "seconds is -1"),
    ],
)
def test_a_request_keeps_its_bounds_however_it_is_made(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(latcover.UnsupportedError, match=said):
        make()


def test_numbers_of_numpy_are_numbers_of_requests() -> None:
    assert latcover.CountRequest(limit=np.int64(3)).limit == 3  # type: ignore[arg-type]


def test_faults_of_a_whole_puzzle_are_found_by_every_entry() -> None:
    """Two parts of one name, of which no result could be told apart."""
    puzzle = Puzzle("twice", SQUARE, box(2, 4), (Part("I", "XX", low=2), Part("I", "XXX\nX..")))
    for perform in (latcover.exclude, latcover.pack, latcover.count, lambda p: latcover.design_regions(p, [])):
        with pytest.raises(PuzzleError, match="a second part is named 'I'"):
            perform(puzzle)


def test_a_backend_is_taken_by_its_name() -> None:
    assert next(latcover.solutions("soma", "dlx")).number == 1


def test_public_objects_show_themselves_in_two_lines() -> None:
    soma = latcover.load("soma")
    solution, prepared = next(latcover.solutions(soma)), latcover.prepare(soma)
    shown = [
        *(soma, soma.parts[0], soma.region, soma.lattice, latcover.load_set("pentominoes"), solution, prepared),
        *(prepared.problem, latcover.disassemble(solution), latcover.cut("square:3x3", 2, walks=1, patience=1)[0]),
        latcover.estimate(soma, latcover.EstimateRequest(probes=5)),
        latcover.assemble(soma, latcover.AssembleRequest(limit=1)),
        latcover.design_regions(soma, [soma.region]),
        *(latcover.all_solutions("fig4-3x3"), latcover.probabilities("fig4-3x3"), solution.draw()),
        latcover.best("fig4-3x3", latcover.BestRequest(sense="minimize", objective="crossroads")),
        *(latcover.pack("example-2x2"), latcover.exclude("example-2x2")),
        latcover.multiples(latcover.shape_named("tetrominoes:L"), latcover.MultiplesRequest(copies=2)),
        latcover.plane(latcover.Prototiles(latcover.load_lattice("square"), [latcover.shape_named("pentominoes:P")])),
    ]
    for thing in shown:
        assert repr(thing).startswith(f"<{type(thing).__name__}")
        assert len(repr(thing)) < 250
        assert repr(thing).count("\n") < 2
    assert repr(soma) == "<Puzzle soma: the Soma cube\n 27 cells of cubic, 7 parts: V, T, L, Z, A, B, P>"
    assert repr(Part("x", ["XX"], low=0, high=None)) == "<Part 'x': 2 cells, from 0 copies>"
    assert repr(soma.parts[0]) == "<Part 'V': 3 cells>"
    assert repr(latcover.pack("example-2x2")) == "<Packing: 2, proved>"


def test_the_public_names_are_listed() -> None:
    code = "import latcover; print(*dir(latcover))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert {"Puzzle", "count", "load", "solutions"} <= {*done.stdout.split()} == {*latcover.__all__}


# ---- making puzzles


def test_soma_from_coordinates() -> None:
    puzzle = Puzzle("soma", CUBIC, box(3, 3, 3), [Part(name, cells) for name, cells in SOMA.items()])  # type: ignore[arg-type]
    answer = latcover.count(puzzle)
    assert (answer.different, answer.total) == (240, 11520)
    assert [(part.number, part.lattice) for part in puzzle.parts] == [(k, CUBIC) for k in range(7)]
    assert puzzle.parts[0]._repr_svg_() is not None
    (again,) = [latcover.loads(puzzle_as_toml([puzzle]))]
    assert latcover.count(again).different == 240


def test_art_is_what_a_puzzle_file_has() -> None:
    region = Region(["XXXX", "XXX+"])
    parts = (Part("L", "X.\nXX", low=0, high=None), Part("I", ["XX"], low=1), Part("O", [(0, 0)], high=3, low=0))
    made = Puzzle("p", SQUARE, region, parts)
    read = latcover.loads(
        'name = "p"\nlattice = "square"\nregion = { art = ["XXXX", "XXX+"] }\nparts = ['
        '{ name = "L", art = ["X.", "XX"], count = "unlimited" }, { name = "I", art = ["XX"] },'
        '{ name = "O", art = ["X"], min = 0, max = 3 }]'
    )
    assert puzzle_as_toml([made]) == puzzle_as_toml([read])
    layered = Region([["XX", "X."], ["XX", "X."]])
    listed = Region([(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1)])
    assert sorted(layered.cells.tolist()) == sorted(listed.cells.tolist())
    deep = Puzzle("d", CUBIC, layered, (Part("L", [["XX", "X."]], low=2),))
    turned = replace(deep, region=listed, parts=(Part("L", [(0, 0, 0), (0, 0, 1), (0, 1, 0)], low=2),))
    assert latcover.count(deep).total == latcover.count(turned).total > 0
    indented = Part(
        "F",
        """
        .XX
        XX.
        .X.
        """,
    )
    assert indented.cells.tolist() == [[0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 1], [0, 2, 1]]


def test_a_lattice_of_several_nodes_has_names_for_them() -> None:
    down, up = (node.name for node in TRIANGULAR.nodes)
    part = Part("D", [(0, 0, down), (0, 0, up)], low=4, lattice=TRIANGULAR)
    puzzle = Puzzle("d", TRIANGULAR, box(2, 2, lattice=TRIANGULAR), (part,))
    assert len(puzzle.region.cells) == 8
    assert latcover.count(puzzle).total == 1
    assert part.transformations == TRIANGULAR.allowed(TRIANGULAR.default_transformations)


def test_names_of_transformations() -> None:
    fixed = Part("I", [(0, 0), (0, 1)], low=2, transformations="fixed")
    assert fixed.transformations == ()  # until it has a lattice
    puzzle = Puzzle("p", SQUARE, box(2, 2), (fixed,))
    assert puzzle.parts[0].transformations == SQUARE.allowed("fixed")
    assert latcover.count(puzzle).total == 1
    free = replace(fixed, transformations=SQUARE.allowed("rotations"))
    assert latcover.count(replace(puzzle, parts=(free,))).total == 2
    with pytest.raises(latcover.LatticeError, match="has no transformation 'turned'"):
        Puzzle("p", SQUARE, box(2, 2), (replace(fixed, transformations="turned"),))


def one(cells: Any, **more: Any) -> Any:
    return lambda: Part("L", cells, **more)


WRONG: dict[str, Any] = {
    r"part 'L' holds the cell \(0, 0\) twice; leave one out": one([(0, 0), (1, 0), (0, 0)]),
    r"part 'L' has no cells": one([]),
    r"part 'L': the coordinates of the cell \(0, 0.5\) must be whole numbers": one([(0, 0.5)]),
    r"part 'L': a cell is a tuple of coordinates, not 3": one([3, 4]),
    r"part 'L' has cells of 2 and 3 coordinates": one([(0, 0), (0, 0, 1)]),
    r"part 'L': the cell \(0, 0, 'up'\) names a node, so give lattice=... too": one([(0, 0, "up")]),
    r"part 'L': the cell \(0, 0\) must end with one of 'down', 'up'": one([(0, 0)], lattice=TRIANGULAR),
    r"must end with one of 'down', 'up'; did you mean 'up'": one([(0, 0, "upp")], lattice=TRIANGULAR),
    r"part 'L': the lattice 'square' has 2 axes, but \(0, 0, 0\) is given": one([(0, 0, 0)], lattice=SQUARE),
    r"part 'L': stray character '\+' in row 2, column 1": one("XX\n+X"),
    r"part 'L': the lattice 'triangular' cannot be drawn as rows": one("XX", lattice=TRIANGULAR),
    r"part 'L': the lattice 'square' has no layers": one([["X"], ["X"]], lattice=SQUARE),
    r"part 'L': its colours must be numbers": one([(0, 0)], colours=["red"]),
    r"part 'L' has 1 cells, but its colours have the shape \(2,\)": one([(0, 0)], colours=[1, 2]),
    r"is too far away": one([(0, 1 << 40)]),
    r"coordinates reach to 1,000,000": one([(0, 1_000_001)]),
    r"has a cell that is too far away": one(np.array([[0, -1_000_001, 0]], np.int32)),
    r"the region holds the cell \(1, 1\) twice": lambda: Region([(1, 1), (1, 1)]),
    r"the region: stray character 'A'": lambda: Region("XA"),
    r"the sizes of a box must be whole numbers from 1, not \(2, 0\)": lambda: box(2, 0),
    r"a box of 100000 by 100000 has more than": lambda: box(100000, 100000),
    r"the lattice 'cubic' has 3 axes; the box has 2 sizes": lambda: box(2, 2, lattice=CUBIC),
    r"the region: the lattice 'triangular' has several nodes; make it with lattice=": lambda: Puzzle(
        "p", TRIANGULAR, box(2, 2), ()
    ),
    r"the region has 2 coordinates a cell, but the lattice 'cubic' has 3 axes": lambda: Puzzle(
        "p", CUBIC, box(2, 2), ()
    ),
    r"part 'L': the lattice 'triangular' has several nodes": lambda: Puzzle(
        "p", TRIANGULAR, box(2, 2, lattice=TRIANGULAR), (Part("L", [(0, 0)]),)
    ),
}

HABITS: list[tuple[str, Any]] = [
    *(("name", value) for value in ("a\nb", "", " ", 3, None)),
    *(("low", value) for value in ("2", 2.0, None, float("nan"), True)),
    *(("weight", value) for value in ("x", 1.5)),
    *(("groups", value) for value in ("g", ("g",), (("g", 0),))),
    *(("transformations", value) for value in (3, ("fixed",))),
    *(("display_colour", value) for value in (3, "red\n")),
    *(("colours", value) for value in ("ab", [-1, -1], [1 << 40, 0], [[0], [0, 1]])),
    *(("cells", value) for value in (None, 5, b"XX", {"XX", "X."}, [(np.int64(-(2**63)), 0)])),
    *(("cells", value) for value in (np.zeros((0, 3), int), np.array(5), np.array([[0, 1 << 40, 0]]))),
    ("lattice", "square"),
]
OF_REGIONS: list[tuple[str, Any]] = [
    *(("max_empty", value) for value in ("1", 0.5, -1)),
    *(("period", value) for value in (2, ("a", "b"), (0, 2.0), (0, -2))),
    ("cells", np.zeros((0, 3), int)),
    ("lattice", "square"),
]
OF_PUZZLES: list[tuple[str, Any]] = [
    *(("parts", value) for value in (untyped.Part("I", "XX"), "XX", None, [None])),
    *(
        ("parts", [untyped.Part("I", cells, **more)])
        for cells, more in (("XX", {"colours": [1, 2]}), ([(0, 0, 0)], {}))
    ),
    *(("region", value) for value in ("XX", untyped.Region("XX", colours=[1, 0]))),
    *(("lattice", value) for value in ("square", None)),
    ("name", None),
]
STRAY: list[Any] = [
    *(lambda field=field: untyped.Part(**{"name": "I", "cells": "XX"} | dict([field])) for field in HABITS),
    *(lambda field=field: untyped.Region(**{"cells": "XX"} | dict([field])) for field in OF_REGIONS),
    *(
        lambda field=field: untyped.Puzzle(
            **{"name": "p", "lattice": SQUARE, "region": untyped.box(1, 2), "parts": (untyped.Part("I", "XX"),)}
            | dict([field])
        )
        for field in OF_PUZZLES
    ),
    lambda: untyped.box(True, 2),
    lambda: untyped.box(2, 2, lattice="square"),
    lambda: untyped.load(None),
    lambda: untyped.load(3),
    lambda: untyped.load_lattice(None),
    lambda: untyped.loads(5),
    lambda: untyped.part_at(3, (0, 0)),
    lambda: untyped.keeps_apart(["V", "P"]),
    *(lambda where=where: next(untyped.solutions(untyped.load("fig4-3x3"), where=where)) for where in (None, [3])),
    *(lambda given=given: untyped.frame(given) for given in (3, [1, 2])),
]


@pytest.mark.parametrize("make", STRAY)
def test_values_of_a_wrong_kind_are_refused(make: Any) -> None:
    with pytest.raises(PuzzleError):
        make()


def test_what_python_gives_in_other_forms() -> None:
    part = Part("I", np.array([[0, 0, 0], [0, 0, 1]], np.uint8), low=np.int64(2))  # type: ignore[arg-type]
    puzzle = Puzzle("p", SQUARE, box(2, 2), (each for each in [part]))  # type: ignore[arg-type]
    assert puzzle.parts[0].cells.dtype == np.int32
    assert latcover.count(puzzle).total == 2
    (first,) = latcover.solutions(puzzle, where=part_at("I", (0, 0)))
    assert len(latcover.frame(first)) == 2
    flat = Part("I", np.array([[0, 0], [0, 1]]), low=2)
    with pytest.raises(PuzzleError, match=r"another lattice than 'square'; the rows of an array are \(node, x, y"):
        Puzzle("p", SQUARE, box(2, 2), (flat,))


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_said_in_the_same_terms(message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        WRONG[message]()


def test_texts_of_puzzles() -> None:
    assert latcover.loads('name="x"\nlattice="square"\nregion={box=[1,2]}\nparts=[{name="I",art=["XX"]}]').name == "x"
    with pytest.raises(PuzzleFileError, match=r"text:1:1: 'lattice' is missing"):
        latcover.loads('name = "x"\nlatice = "square"')
    with pytest.raises(PuzzleFileError, match="text: needs an object 'puzzle'"):
        latcover.loads("{}")


# ---- filters


def test_a_part_at_a_cell() -> None:
    puzzle, every = latcover.load("fig4-3x3"), Choices("none")
    name, cell = puzzle.parts[0].name, tuple(puzzle.region.cells[0, 1:].tolist())
    found = list(latcover.solutions(puzzle, choices=every))
    wanted = [s for s in found if any(p.part == name and (0, *cell) in p.cells for p in s.placements)]
    assert list(latcover.solutions(puzzle, choices=every, where=[part_at(name, cell)])) == wanted
    assert 0 < len(wanted) < len(found)
    reused = part_at(name, cell)
    assert [*latcover.solutions(puzzle, where=[reused])] == [*latcover.solutions(replace(puzzle), where=[reused])]
    with pytest.raises(PuzzleError, match="the region has no cell"):
        next(latcover.solutions(puzzle, where=[part_at(name, (9, 9))]))
    with pytest.raises(PuzzleError, match="has no part 'nobody'"):
        next(latcover.solutions(puzzle, where=[part_at("nobody", cell)]))


def test_symmetric_solutions_are_those_of_small_orbits() -> None:
    puzzle = latcover.load("pent-10x6")
    small = replace(puzzle, region=box(4, 4), parts=(Part("I", ["XX"], low=8),))
    order = latcover.count(small).symmetries
    found = list(latcover.solutions(small))
    expected = [solution for solution in found if solution.orbit < order]
    assert list(latcover.solutions(small, where=[symmetric()])) == expected
    assert 0 < len(expected) < len(found)
    images = sum(solution.orbit for solution in expected)
    assert len(list(latcover.solutions(small, choices=Choices("none"), where=[symmetric()]))) == images
    turned = list(latcover.solutions(small, choices=Choices("rotations"), where=[symmetric("rotations")]))
    assert turned == [s for s in latcover.solutions(small, choices=Choices("rotations")) if s.orbit < 4]
    with pytest.raises(PuzzleError, match="symmetry must be one of"):
        next(latcover.solutions(small, where=[symmetric("rotation")]))


@pytest.mark.parametrize("period", [(0, 0), (0, 5)])
def test_parts_that_keep_apart(period: tuple[int, int]) -> None:
    """Against distances of cells; round a ring they are shorter."""
    region = Region([(r, c) for r in range(3) for c in range(5)], period=period)
    puzzle = Puzzle("p", SQUARE, region, (Part("I", ["XXX"], low=2), Part("O", [(0, 0)], low=9)))

    def near(a: tuple[int, ...], b: tuple[int, ...], corners: bool) -> bool:
        across = abs(a[2] - b[2])
        apart = [abs(a[1] - b[1]), min(across, period[1] - across) if period[1] else across]
        return max(apart) == 1 if corners else sum(apart) == 1

    found = list(latcover.solutions(puzzle, choices=Choices("none")))
    for corners in (False, True):
        wanted = []
        for solution in found:
            copies = [placed.cells for placed in solution.placements if placed.part == "I"]
            if not any(near(a, b, corners) for p, q in combinations(copies, 2) for a in p for b in q):
                wanted.append(solution)
        kept = latcover.solutions(puzzle, choices=Choices("none"), where=[keeps_apart("I", corners=corners)])
        assert list(kept) == wanted
        assert 0 < len(wanted) < len(found)
    assert not list(latcover.solutions(puzzle, where=[keeps_apart("I", "O")]))
    assert list(latcover.solutions(puzzle, where=[keeps_apart("I", "I")])) == list(
        latcover.solutions(puzzle, where=[keeps_apart("I")])
    )
    with pytest.raises(PuzzleError, match="needs the name of a part"):
        keeps_apart()


def test_several_filters_and_numbers() -> None:
    """Solutions keep the numbers that they have without filters."""
    puzzle = latcover.load("soma")
    filters = [keeps_apart("V", "P"), lambda solution: solution.number % 2 == 0]
    found = list(latcover.solutions(puzzle, where=filters))
    assert found
    by_number = {solution.number: solution for solution in latcover.solutions(puzzle)}
    assert all(solution == by_number[solution.number] for solution in found)
    assert all(solution.number % 2 == 0 for solution in found)


# ---- frames


def test_a_frame_of_solutions() -> None:
    table = latcover.frame(latcover.solutions(latcover.load("soma")))
    assert table.columns.tolist() == ["solution", "image", "orbit", "part", "copy", "cells", "colours"]
    assert (len(table), table["solution"].nunique(), table["orbit"].sum() // 7) == (240 * 7, 240, 11520)
    cells = table.explode("cells")
    assert (cells.groupby("solution").cells.nunique() == 27).all()
    assert type(table).__module__.split(".")[0] == "pandas"
    assert type(table).__name__ == "DataFrame"


def test_a_frame_names_nodes_copies_and_colours() -> None:
    puzzle = latcover.load("notebook-coloured-5x5")
    first = next(latcover.solutions(puzzle))
    table = latcover.frame([first])
    assert table["colours"].tolist() == [placed.colours for placed in first.placements]
    triangles = Puzzle(
        "t", TRIANGULAR, box(1, 1, lattice=TRIANGULAR), (Part("D", [(0, 0, "up")], low=2, lattice=TRIANGULAR),)
    )
    table = latcover.frame(latcover.solutions(triangles))
    assert table["copy"].tolist() == [1, 2]
    assert {cell for cells in table["cells"] for cell in cells} == {(0, 0, "down"), (0, 0, "up")}
    assert latcover.frame([]).empty


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(extras, "import_module", missing)
    with pytest.raises(latcover.LatcoverError, match="a frame of solutions needs pandas, which is not installed"):
        latcover.frame([])
