"""What the workshop's page makes of a design, in Node, is what Python makes of it: placements, symmetries, counts."""

from __future__ import annotations

import json
import re
import subprocess
from base64 import b64encode
from contextlib import suppress
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from benchmarks.wasm import node
from latcover.apps.publishing.apart_data import apart_data
from latcover.apps.web.edits import SPECIAL, motions_of
from latcover.apps.workshop.workshop_lattices import workshop_lattice
from latcover.apps.workshop.workshop_site import PACKAGES, looks_data
from latcover.backends import create
from latcover.backends.wasm import module, script
from latcover.core.cover.search import Limits
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import prepare
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region, box
from latcover.core.solving.run import run
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.rules_writer import rules_as_data, sides_as_data
from latcover.files.formats.source import names
from latcover.show.drawing.space.linking import linked
from tests.dice import Seeded
from tests.javascript import needs_node
from tests.page_data import puzzle_played, row_read
from tests.random_puzzles import Features, random_puzzle
from tests.shipped import rest_long

LATTICES = names("lattices")
AT_ONCE = 100  # puzzles for one process

# Reads {lattices, designs, bytes}; writes for each design what the page makes of it, and what its search finds.
SEARCH = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const { Placements, coverOf } = placing, { symmetryData } = symmetries;
const { reduced, Judge } = judge, { Checker } = checker;
const answers = [];
globalThis.latcover.Engine.load(Uint8Array.from(Buffer.from(given.bytes, "base64"))).then((engine) => {
  for (const { lattice, ...design } of given.designs) {
    const table = new Placements(given.lattices[lattice], design);
    const cover = coverOf(table), symmetry = symmetryData(table);
    const { problem, options } = reduced(cover, symmetry);
    const checks = new Checker(cover), judges = new Judge(symmetry);
    let different = 0, total = 0;
    engine.search(problem, {}, { onCovers: (covers) => {
      for (const one of covers) {
        const found = one.map((option) => options[option]);
        if (checks.faults(found).length) throw new Error(checks.faults(found)[0]);
        const { keep, orbit } = judges.judge(found);
        different += keep ? 1 : 0;
        total += keep ? orbit : 0;
      }
    } });
    answers.push({
      different, total, symmetries: symmetry.acting,
      cells: table.ground.cells, first: table.first, orientation: table.orientation,
      shapes: table.orientations.map(({ cells }) => cells),
      starts: [...cover.starts], items: [...cover.items], low: [...cover.low], high: [...cover.high],
    });
  }
  process.stdout.write(JSON.stringify(answers));
});
"""


def in_page(puzzles: list[Puzzle]) -> list[dict[str, Any]]:
    """What the page makes of *puzzles*, and what its search finds."""
    given = {"bytes": b64encode(module()).decode()}
    return asked(puzzles, ("placing", "symmetries", "judge", "checker"), SEARCH, given)


def asked(puzzles: list[Puzzle], modules: tuple[str, ...], main: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    """What a script answers that gets *puzzles* as designs."""
    known = {puzzle.lattice.name: puzzle.lattice for puzzle in puzzles}
    given = given | {
        "lattices": {name: workshop_lattice(lattice) for name, lattice in known.items()},
        "designs": [design(puzzle) for puzzle in puzzles],
    }
    scripts = [f"const {name} = (() => {{\n{linked(name, PACKAGES)}\nreturn module_{name};\n}})();" for name in modules]
    answers: list[dict[str, Any]] = json.loads(in_node("\n".join([script(), *scripts, main]), given))
    return answers


def in_node(text: str, given: dict[str, Any]) -> str:
    """What a script prints that gets data on its standard input."""
    sent = msgspec.json.encode(given).decode()
    with NamedTemporaryFile("w", suffix=".cjs", encoding="utf-8") as script:  # it may be too long for an argument
        script.write(text)
        script.flush()
        done = subprocess.run([str(node()), script.name], input=sent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def design(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as the editor has it."""
    region, rules = puzzle.region, puzzle.rules
    return {
        "lattice": puzzle.lattice.name,
        "name": puzzle.name,
        "colours": list(puzzle.colours),
        "rules": rules_as_data(puzzle),
        "sides": sides_as_data(rules).get("sides", {}),
        "region": {
            "cells": region.cells.tolist(),
            "colours": region.colours.tolist(),
            "sides": [[list(cell), edge, rules.sides[value]] for cell, edge, value in rules.asked],
            "alike": [list(map(list, group)) for group in rules.alike],
            "optional": region.optional.astype(int).tolist(),
            "max_empty": region.max_empty,
        },
        "parts": [
            {
                "name": part.name,
                "cells": part.cells.tolist(),
                "colours": part.colours.tolist(),
                "sides": [[part.cells[k].tolist(), edge, rules.sides[value]] for k, edge, value in part.sides.tolist()],
                "low": part.low,
                "high": part.high,
                "motions": motions_of(puzzle.lattice, part.transformations),
            }
            for part in puzzle.parts
        ],
    }


def random_design(number: int, ruled: bool = False) -> Puzzle:
    """A random puzzle on a shipped lattice, without what the workshop does not judge; *ruled*: with rules."""
    dice = Seeded(f"workshop {number}")
    chances = {"loose": 30, "spare": 40, "holes": 30, "boundless": 10}
    if ruled:
        chances |= {"coloured": 40, "painted": 40, "sided": 30, "matched": 30}
    features = Features(**{name: dice.chance(often) for name, often in chances.items()})
    puzzle = random_puzzle(dice, load_lattice(LATTICES[number % len(LATTICES)]), features)
    lattice = puzzle.lattice
    words = [
        motions_of(lattice, part.transformations) for part in puzzle.parts
    ]  # others may say the same in another order
    allowed = [lattice.allowed("rotations" if word == SPECIAL else word) for word in words]
    parts = [replace(part, transformations=motions) for part, motions in zip(puzzle.parts, allowed, strict=True)]
    if not ruled:
        return replace(puzzle, parts=tuple(parts), colours=("",))
    rules = replace(puzzle.rules, exchangeable=(), exchangeable_values=(), of_parts=())
    return replace(puzzle, parts=tuple(parts), rules=rules)


def check(puzzle: Puzzle, told: dict[str, Any]) -> None:
    """What the page makes of a puzzle is what Python makes of it, number by number."""
    table = placements(puzzle)
    problem, _ = encode(puzzle, table)
    assert told["cells"] == table.region.cells.tolist()
    assert told["shapes"] == [orientation.cells.tolist() for orientation in table.orientations]
    assert told["first"] == table.first_orientation.tolist()
    assert told["orientation"] == table.orientation.tolist()
    assert told["starts"] == problem.option_starts.tolist()
    assert told["items"] == problem.option_items.tolist()
    assert told["low"] == problem.low.tolist()
    assert told["high"] == problem.high.tolist()
    assert told["symmetries"] == len(SymmetryGroup(puzzle, table, "all"))
    assert [told["different"], told["total"]] == counted(puzzle)


def counted(puzzle: Puzzle) -> list[int]:
    """The numbers of essentially different solutions, and of all."""
    try:
        prepared = prepare(puzzle)
    except PuzzleError:  # the volume does not fit, for example
        return [0, 0]
    result = run(prepared, create("dlx"), Limits())
    return [result.different, result.total]


@needs_node
@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(AT_ONCE, 600, AT_ONCE))])
def test_rules_on_colours_and_sides_are_judged_as_python_judges_them(
    first: int, request: pytest.FixtureRequest
) -> None:
    many = AT_ONCE if request.config.getoption("--long") else 2 * len(LATTICES)
    puzzles = [random_design(number, ruled=True) for number in range(first, first + many)]
    wrong = []
    for number, (puzzle, told) in enumerate(zip(puzzles, in_page(puzzles), strict=True), first):
        table = placements(puzzle)
        expected = [len(table), len(SymmetryGroup(puzzle, table, "all")), *counted(puzzle)]
        if [len(told["orientation"]), told["symmetries"], told["different"], told["total"]] != expected:
            wrong.append(f"design {number}, {puzzle!r}: {expected}, {told}"[:3000])
    assert not wrong, f"{len(wrong)} of {many}:\n{wrong[0]}"
    ruled = [puzzle for puzzle in puzzles if len(puzzle.rules.sides) > 1 or puzzle.rules.apart or puzzle.rules.alike]
    assert len(ruled) > many / 4


PAGE = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const { lattices, looks, designs } = given;
const made = designs.map(({ lattice, ...design }) => page_data.pageData(lattices[lattice], looks, design));
const asList = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
process.stdout.write(JSON.stringify(made, asList));
"""


@needs_node
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(AT_ONCE, 1000, AT_ONCE))]
)
def test_the_page_makes_of_random_designs_what_python_makes(first: int, request: pytest.FixtureRequest) -> None:
    many = AT_ONCE if request.config.getoption("--long") else 2 * len(LATTICES)
    puzzles = [random_design(number) for number in range(first, first + many)]
    wrong, answers = [], in_page(puzzles)
    for number, (puzzle, told) in enumerate(zip(puzzles, answers, strict=True), first):
        try:
            check(puzzle, told)
        except AssertionError as fault:
            wrong.append(f"design {number}, {puzzle!r}: {fault}")
    assert not wrong, f"{len(wrong)} of {many}:\n{wrong[0]}"
    assert any(told["different"] for told in answers)


@needs_node
@pytest.mark.parametrize("turn", rest_long(range(6), [0]))
def test_a_page_gets_of_a_design_what_it_gets_of_the_published_puzzle(turn: int) -> None:
    many = len(LATTICES)
    ready = {}
    for number in range(turn * many, (turn + 1) * many):
        with suppress(PuzzleError):  # the volume does not fit, for example
            ready[number] = prepare(random_design(number))
    told = asked([one.puzzle for one in ready.values()], ("page_data",), PAGE, {"looks": looks_data()})
    assert len(told) > many / 4
    for number, (prepared, page) in zip(ready, zip(ready.values(), told, strict=True), strict=True):
        play, expected = page["puzzle"], unpacked(puzzle_played(prepared))
        shapes, expected_shapes = play.pop("shapes"), expected.pop("shapes")
        outline, expected_outline = play["puzzle"].pop("outline"), expected["puzzle"].pop("outline")
        del play["digest"], expected["digest"]
        assert play == expected, f"design {number}"
        assert [plain(shape) for shape in shapes] == [plain(shape) for shape in expected_shapes], f"design {number}"
        assert outline["at"] == expected_outline["at"]
        assert plain(outline["shape"]) == plain(expected_outline["shape"])
        apart = unpacked(msgspec.to_builtins(apart_data(prepared)))
        assert rounded(page["apart"]) == rounded(apart), f"design {number}"


def unpacked(data: Any) -> Any:
    """Data with lists in place of packed rows: a page that makes its data itself has the numbers as they are."""
    if isinstance(data, dict):
        return {key: unpacked(value) for key, value in data.items()}
    if isinstance(data, list):
        return [unpacked(value) for value in data]
    if isinstance(data, str) and re.fullmatch("[uif][124]:[A-Za-z0-9+/]*=*", data):
        return row_read(data).tolist()
    return data


def rounded(data: Any) -> Any:
    """Data without the last digits of its numbers."""
    return json.loads(json.dumps(data), parse_float=lambda text: round(float(text), 8) + 0.0)


def plain(shape: dict[str, Any]) -> Any:
    """A shape, whatever the order of its corners and faces."""
    found: dict[str, Any] = {key: shape.get(key) for key in ("balls", "necks")}
    if "outlines" in shape:
        rings = [[points(ring, 2) for ring in area] for area in shape["outlines"]]
        found["outlines"] = sorted([turned(outer), *sorted(map(turned, holes))] for outer, *holes in rings)
    if "solid" in shape:
        corners = points(shape["solid"]["vertices"], 3)
        faces = [[[corners[k] for k in ring] for ring in face] for face in shape["solid"]["faces"]]
        found["solid"] = sorted([turned(outer), *sorted(map(turned, holes))] for outer, *holes in faces)
    return found


def points(values: list[float], width: int) -> list[tuple[float, ...]]:
    """Rows of coordinates, rounded so that the last digit does not count."""
    rounded = [round(value, 4) + 0.0 for value in values]
    return [tuple(rounded[k : k + width]) for k in range(0, len(rounded), width)]


def turned(ring: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """A ring that begins with its least corner."""
    first = ring.index(min(ring))
    return ring[first:] + ring[:first]


# Reads {designs, lattices, looks}; writes how long a list is that the worker copies, and how many arrays it copies.
HAND_OVER = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const { lattice, ...design } = given.designs[0];
const sent = [];
globalThis.self = { postMessage: (...message) => sent.push(message) };
MAKING
self.onmessage({ data: { lattice: given.lattices[lattice], looks: given.looks, design, under: "all" } });
const [{ data }, { transfer }] = sent.at(-1);
const [arrays, lists] = [[], []];
const look = (value) => {
  if (ArrayBuffer.isView(value)) arrays.push(value);
  else if (Array.isArray(value)) lists.push(value.length);
  if (value && typeof value === "object" && !ArrayBuffer.isView(value)) Object.values(value).forEach(look);
};
look(data);
const options = data.puzzle.cover.n_options;
const copied = arrays.filter(({ buffer }) => !transfer.includes(buffer)).length;
process.stdout.write(JSON.stringify({ options, copied, longest: Math.max(...lists), arrays: arrays.length }));
"""

CUTS = """
const { lattices, designs, many } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483648;
const answers = designs.map(({ lattice, region }) => {
  const pieces = cutting.randomCut(lattices[lattice], region.cells, many, random);
  return { pieces, parts: pieces && cutting.partsOf(lattices[lattice], pieces) };
});
process.stdout.write(JSON.stringify(answers));
"""


@needs_node
def test_cuts_are_connected_and_cover_the_region_once() -> None:
    lattices = [load_lattice(name) for name in LATTICES]
    puzzles = []
    for lattice in lattices:
        cells = box(*[3] * lattice.dimension, lattice=lattice)
        puzzles.append(Puzzle("box", lattice, cells, (Part("A", cells.cells[:1], lattice=lattice),)))
    apart = replace(puzzles[LATTICES.index("square")], region=Region([(0, 0), (3, 3), (6, 6)]))
    *answers, torn = asked([*puzzles, apart], ("cutting",), CUTS, {"many": 2})
    assert torn["pieces"] is None
    for puzzle, told in zip(puzzles, answers, strict=True):
        pieces = [list(map(tuple, piece)) for piece in told["pieces"]]
        assert sorted(cell for piece in pieces for cell in piece) == sorted(map(tuple, puzzle.region.cells.tolist()))
        assert len(pieces) == 2
        for piece in pieces:
            assert len(neighbours_reached(puzzle.lattice, piece)) == len(piece), puzzle.lattice.name
        assert sum(part["low"] for part in told["parts"]) == 2


def neighbours_reached(lattice: Lattice, cells: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Those of *cells* that steps across half-edges lead to from the first."""
    found = cells[:1]
    for cell in found:
        found += [there for there in lattice.neighbours(cell) if there in cells and there not in found]
    return set(found)


@needs_node
def test_the_worker_hands_over_what_there_is_of_each_placement() -> None:
    """The page copies no list that grows with the placements."""
    lattice = load_lattice("cubic")
    part = Part("L", [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0)], low=1, high=9)
    given = {
        "designs": [design(Puzzle("cube", lattice, box(8, 8, 8), (part,)))],
        "lattices": {lattice.name: workshop_lattice(lattice)},
        "looks": looks_data(),
    }
    own = json.loads(in_node(HAND_OVER.replace("MAKING", linked("making_worker", PACKAGES)), given))
    assert own["options"] > 4000
    assert own["arrays"] > 10
    assert own["copied"] == 0
    assert own["longest"] < own["options"]
