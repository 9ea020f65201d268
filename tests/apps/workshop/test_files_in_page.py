"""Puzzle files that the workshop's page reads and writes, in Node: they stay the same puzzles."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.apps.web.editor_data import puzzle_for_editor
from latcover.apps.workshop.workshop_lattices import workshop_lattice
from latcover.apps.workshop.workshop_site import PACKAGES, file_tables, known_sets, looks_data
from latcover.core.model.puzzle import Bounds, Part, Puzzle
from latcover.files.formats.library import load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, names, shipped
from latcover.show.drawing.space.linking import linked
from tests.apps.workshop.test_designs_in_page import LATTICES, asked, in_node, in_page, random_design, rounded
from tests.javascript import needs_node
from tests.shipped import rest_long

RULES = {"on_rim": "every part lies at the rim"}
# Answers for each text what the page writes after it has read it, or why it refuses it.
FILES = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const { puzzleIn, textOf } = puzzle_text;
const answers = given.texts.map((text) => {
  try {
    const puzzle = puzzleIn(text, given);
    const lattice = given.lattices[puzzle.lattice];
    const parts = puzzle.parts.map((part) => ({ ...part, table: null }));
    const anew = textOf({ ...puzzle, file: null, region: { ...puzzle.region, table: null }, parts }, lattice);
    return { text: textOf(puzzle, lattice), anew, unjudged: puzzle.unjudged };
  } catch (error) {
    return { fault: error.message };
  }
});
process.stdout.write(JSON.stringify(answers));
"""


def written(texts: list[str], puzzles: list[Puzzle]) -> list[dict[str, Any]]:
    """What the page answers to *texts*; it knows the lattices of *puzzles*."""
    return asked(puzzles, ("puzzle_text",), FILES, {"texts": texts, **known()})


def known() -> dict[str, Any]:
    """What the page knows of files beside the lattices."""
    return {"sets": known_sets(Bounds()), "ruleWords": RULES, "fileTables": file_tables(), "looks": looks_data()}


def puzzle_in(text: str) -> Puzzle:
    (puzzle,) = read(Source(text.encode(), "saved.toml", shipped), Bounds(), unfinished=True).values()
    assert isinstance(puzzle, Puzzle)
    return puzzle


def sorted_text(puzzle: Puzzle) -> str:
    """The file of a puzzle, whatever the order of its cells."""
    region = puzzle.region.ordered(range(puzzle.lattice.dimension))
    return puzzle_as_toml([replace(puzzle, region=region, parts=tuple(map(_sorted_part, puzzle.parts)))])


def _sorted_part(part: Part) -> Part:
    order = np.lexsort(part.cells.T[::-1])
    place = np.argsort(order)
    sides = sorted([int(place[k]), edge, value] for k, edge, value in part.sides.tolist())
    rows = np.array(sides, np.int32).reshape(-1, 3)
    return replace(part, cells=part.cells[order], colours=part.colours[order], sides=rows)


def keeps(text: str, answer: dict[str, Any]) -> None:
    """What nobody has changed is the same text, and what is written anew the same puzzle."""
    assert "text" in answer, f"{answer}\n{text}"
    assert answer["text"] == text
    assert sorted_text(puzzle_in(answer["anew"])) == sorted_text(puzzle_in(text)), answer["anew"]


@needs_node
@pytest.mark.parametrize("turn", rest_long(range(6), [0]))
def test_a_saved_file_is_the_same_puzzle(turn: int) -> None:
    many = len(LATTICES)
    puzzles = [random_design(number, ruled=number % 2 == 0) for number in range(turn * many, (turn + 1) * many)]
    texts = [puzzle_as_toml([puzzle]) for puzzle in puzzles]
    for text, answer in zip(texts, written(texts, puzzles), strict=True):
        keeps(text, answer)


UNSOLVED = {
    "the rule",
    "a region",
    "what is",
    "where a",
    "the goals",
}  # how the page begins to name what it does not judge


@needs_node
@pytest.mark.long
def test_every_shipped_puzzle_is_read_and_written_whole() -> None:
    puzzles = {name: loaded(name) for name in names("instances")}
    texts = {name: puzzle_as_toml([puzzle]) for name, puzzle in puzzles.items()}
    answers = dict(zip(puzzles, written([*texts.values()], [*puzzles.values()]), strict=True))
    for name, answer in answers.items():
        keeps(texts[name], answer)
    solved = [name for name, answer in answers.items() if not answer["unjudged"]]
    assert len(solved) > 0.8 * len(puzzles)
    ruled = [name for name in solved if len(puzzles[name].rules.sides) > 1 or puzzles[name].rules.apart]
    for name, told in zip(ruled, in_page([puzzles[name] for name in ruled]), strict=True):
        assert told["different"] == puzzles[name].expect["different"], name


def loaded(name: str) -> Puzzle:
    return latcover.load(name, problem="1") if name.startswith("tetrasticks") else latcover.load(name)


@needs_node
@pytest.mark.long
def test_every_shipped_file_is_read_as_it_stands_or_refused() -> None:
    texts = {name: shipped("instances", name).content.decode() for name in names("instances")}
    everywhere = [latcover.load("pent-10x6"), *map(loaded, texts)]
    answers = dict(zip(texts, written([*texts.values()], everywhere), strict=True))
    refused = {name for name, answer in answers.items() if "text" not in answer}
    for name in answers.keys() - refused:
        if "[[puzzles]]" not in texts[name]:
            keeps(texts[name], answers[name])
    assert refused <= SHAPES, refused - SHAPES


# Their files have cells in a form that the page does not draw; sites have them drawn.
SHAPES = {"aztec-12", "disc-cylinder", "sphere-pyramid", "torus-89", "torus-89-apart"}
SHAPES |= {"burr-dubois", "burr-loves-dozen", "burr-piston", "burr-unique-10"}
ALL = 'optional = "all"'
WASTING = (ALL, "max_empty = 3", f"{ALL}\nmax_empty = 1", "max_empty = 0", "optional = [[0, 1]]")
START = 'name = "mine"\nlattice = "square"\n[region]\nart = ["XX", "X+"]\n[[parts]]\nname = "A"\nbox = [1, 3]\n'


@needs_node
def test_regions_that_waste_cells_are_those_of_python() -> None:
    plain = START.replace("X+", "XX")
    texts = [plain.replace("[[parts]]", f"{line}\n[[parts]]") for line in WASTING]
    for text, answer in zip(texts, written(texts, [latcover.load("pent-10x6")]), strict=True):
        expected = puzzle_in(text)
        assert sorted_text(puzzle_in(answer["anew"])) == sorted_text(expected)
        assert ('optional = "all"' in answer["anew"]) == expected.region.is_all_optional(expected.lattice)


@needs_node
def test_what_the_page_does_not_know_is_refused_by_its_name() -> None:
    pairs = {
        START: "",
        START + 'keys = [{ cell = [0, 0], edge = "east" }]\n': "keys with a length",
        START + '[[parts]]\nset = "mine.toml"\n': 'does not support the set "mine.toml"',
        START + '[[parts]]\nset = "pentominoes"\none_sided = true\n': "sets with both hands of a part",
        START + '[[parts]]\nset = "pentominoes"\nonly = ["Q"]\n': 'the set "pentominoes" has no part "Q"',
        START + '[[parts]]\nset = "soma"\n': "is of the lattice cubic, and this puzzle of square",
        START + 'sides = [{ cell = [0, 0], edge = "east", is = "peg" }]\n': 'called "peg"',
        START + "[rules]\nlonely = true\n": "rules has the unknown key lonely",
        START.replace('"square"', '"mine.toml"'): 'does not support the lattice "mine.toml"',
        START.replace('"square"', "{ basis = [[1, 0], [0, 1]] }"): "a lattice of its own",
        START.replace("X+", "XB"): 'the character "B"',
        START.replace("[1, 3]", "[1, 3, 2]"): "box must be 2 whole numbers",
        START + "min = 3\nmax = 2\n": "max must be at least min",
        START + 'transformations = "sideways"\n': "transformations must be some of fixed, rotations, reflections",
        START + "colors = 3\n": "parts[0] has the unknown key colors",
        START.replace(
            "[[parts]]", "minus = { box = [1, 1], at = [5, 5] }\n[[parts]]"
        ): "a cell that the region has not",
        START.replace("[[parts]]", "minus = { box = [1, 1], at = 5 }\n[[parts]]"): "region.minus.at must be a list",
        START.replace('name = "mine"', "name = 3"): "name must be a text",
        START.replace('"square"', "5"): "lattice must be a name",
        "name = ": "no file in TOML",
        "": "lattice must be a name",
        "\ufeff" + START: "",
    }
    answers = written([*pairs], [latcover.load("pent-10x6")])
    for (text, words), answer in zip(pairs.items(), answers, strict=True):
        assert words in answer.get("fault", ""), f"{text}\n{answer}"
        assert ("fault" in answer) == bool(words), answer


# Answers for each subject what the editor is told, or why it is refused.
ASKED = """
const { open } = answering(given);
const ask = (subject) => open(subject).catch((fault) => ({ fault: fault.message }));
Promise.all(given.subjects.map(ask)).then((told) => process.stdout.write(JSON.stringify(told)));
"""
API = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
globalThis.latcoverWorkshop = given;
const answering = () => {{
{modules}
return module_page_api;
}};
{main}
"""


@needs_node
def test_the_editor_is_told_what_a_server_would_tell_it() -> None:
    text = puzzle_as_toml([latcover.load("soma")])
    soma = puzzle_in(text)
    data = msgspec.to_builtins(puzzle_for_editor(soma))
    edits = {
        "name": "mine",
        "region": {"cells": data["region"]["cells"]},
        "parts": [{**part, "from": k, "rgb": None} for k, part in enumerate(data["parts"][:-1])],
    }
    odd = [
        ({"rules": {"on_rim": True}}, "this page does not judge the rule: every part lies at the rim, and so"),
        ({"region": {**edits["region"], "period": [3, 0, 0]}}, "does not judge a region that closes on itself"),
    ]
    tinted = {"colours": ["red"], "parts": [{**edits["parts"][0], "colours": [1] * len(edits["parts"][0]["cells"])}]}
    wrong = {"parts": [{**edits["parts"][0], "sides": [[0, 0, "peg"]]}]}
    subjects = [{"form": "toml", "text": text}, {"form": "toml", "text": text, "edits": edits}]
    subjects += [
        {"form": "toml", "text": text, "edits": edits | more} for more in (odd[0][0], odd[1][0], tinted, wrong)
    ]
    given = {"lattices": {"cubic": workshop_lattice(soma.lattice)}, "puzzles": [], **known()}
    script = API.format(modules=linked("page_api", PACKAGES), main=ASKED)
    told = json.loads(in_node(script, given | {"subjects": subjects}))
    for key in ("name", "title", "source", "lattice", "colours", "palette", "motions", "expect", "faults", "warnings"):
        assert rounded(told[0][key]) == rounded(
            data[key] if key != "lattice" else msgspec.to_builtins(workshop_lattice(soma.lattice))
        ), key
    assert told[0]["region"] == data["region"]
    for own, theirs in zip(told[0]["parts"], data["parts"], strict=True):
        assert own | {"letter": ""} == theirs | {"letter": ""}
    assert puzzle_as_toml([puzzle_in(told[0]["toml"])]) == text
    (fault,) = told[1]["faults"]
    assert (
        fault == "the volume cannot fit: the region has 27 cells, the parts hold 23; add parts, or let cells stay empty"
    )
    assert told[1]["expect"] == {}  # it is another puzzle
    for (_, words), one in zip(odd, told[2:4], strict=True):
        assert words in one["warnings"][0]
    assert sorted_text(puzzle_in(told[2]["toml"])) != sorted_text(puzzle_in(told[1]["toml"]))
    assert 'R = "red"' in told[4]["toml"]
    assert puzzle_in(told[4]["toml"]).parts[0].colours.all()
    assert told[5]["fault"] == 'No value, key or lock of a side is called "peg".'


SEVERAL = """name = "two"  # a comment that stays
lattice = "square"

# what both have
[[parts]]
name = "I"   # three in a row
art = ["XXX"]

[[puzzles]]
name = "long"
region = { box = [1, 9] }   # inline
parts = [{ name = "II", count = 1, art = [
  "XXXXXX",
] }]

[[puzzles]]
name = "wide"

[puzzles.region]
box = [3, 3]

[[puzzles.parts]]
name = "A"
count = 2
art = ["XXX"]
keep_off = { cells = [[0, 0]] }
"""
WHOLE = """
const { open, exported } = answering(given);
const text = ({ blob }) => blob.text();
const ask = (problems) => exported({ subject: { form: "toml", text: given.text, problems }, form: "toml" }).then(text);
const main = async () => {
  const told = await open({ form: "toml", text: given.text, problem: "wide" });
  const { region, parts } = told;
  const edits = { region: { ...region, sides: [], alike: [] }, parts: parts.map((part) => ({ ...part, sides: [] })) };
  const same = await ask([{ problem: "long", edits: null }, { problem: "wide", edits: null }]);
  const untouched = await ask([{ problem: "long", edits: null }, { problem: "wide", edits }]);
  edits.parts[1].high = 3;
  const changed = await ask([{ problem: "long", edits: null }, { problem: "wide", edits }]);
  const own = edits.parts.slice(1);
  const apart = await ask([{ problem: "long", edits: null }, { problem: "wide", edits: { ...edits, parts: own } }]);
  return { told: [told.problems.map(({ name }) => name), told.name], same, untouched, changed, apart };
};
main().then((answer) => process.stdout.write(JSON.stringify(answer)));
"""


@needs_node
def test_a_problem_is_changed_and_the_others_stay_as_they_stand() -> None:
    given = {"lattices": {"square": workshop_lattice(load_lattice("square"))}, "puzzles": [], **known()}
    script = API.format(modules=linked("page_api", PACKAGES), main=WHOLE)
    told = json.loads(in_node(script, given | {"text": SEVERAL}))
    assert told["told"] == [["long", "wide"], "wide"]
    assert told["same"] == SEVERAL
    assert told["untouched"].split() == SEVERAL.split() or "# inline" in told["untouched"]
    kept, _, rest = told["changed"].partition('name = "wide"')
    assert kept.split() == SEVERAL.partition('name = "wide"')[0].split()
    assert "keep_off" in rest
    changed = read(Source(told["changed"].encode(), "saved.toml", shipped), Bounds(), unfinished=True)
    before = read(Source(SEVERAL.encode(), "saved.toml", shipped), Bounds(), unfinished=True)
    assert [part.high for part in changed["wide"].parts] == [1, 3]
    assert puzzle_as_toml([changed["long"]]) == puzzle_as_toml([before["long"]])
    apart = read(Source(told["apart"].encode(), "saved.toml", shipped), Bounds(), unfinished=True)
    assert [part.name for part in apart["wide"].parts] == ["A"]
    assert puzzle_as_toml([apart["long"]]) == puzzle_as_toml([before["long"]])
