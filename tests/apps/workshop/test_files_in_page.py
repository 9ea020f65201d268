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
from latcover.apps.workshop.workshop_site import PACKAGES, file_tables, is_known, known_sets, looks_data
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.files.formats.library import read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, names, shipped
from latcover.show.drawing.space.linking import linked
from tests.apps.workshop.test_designs_in_page import LATTICES, asked, in_node, random_design, rounded
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
    return { text: textOf(puzzle, given.lattices[puzzle.lattice]) };
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
    """The file of a puzzle, whatever the order of its cells; it has no colours and no sides."""
    parts = [replace(part, cells=part.cells[np.lexsort(part.cells.T[::-1])]) for part in puzzle.parts]
    region = puzzle.region.ordered(range(puzzle.lattice.dimension))
    return puzzle_as_toml([replace(puzzle, region=region, parts=tuple(parts))])


@needs_node
@pytest.mark.parametrize("turn", rest_long(range(6), [0]))
def test_a_saved_file_is_the_same_puzzle(turn: int) -> None:
    many = len(LATTICES)
    puzzles = [random_design(number) for number in range(turn * many, (turn + 1) * many)]
    texts = [puzzle_as_toml([puzzle]) for puzzle in puzzles]
    for text, answer in zip(texts, written(texts, puzzles), strict=True):
        assert "text" in answer, f"{answer}\n{text}"
        saved = puzzle_in(answer["text"])
        assert sorted_text(saved) == sorted_text(puzzle_in(text))


@needs_node
@pytest.mark.long
def test_every_shipped_puzzle_is_read_and_written_whole_or_refused() -> None:
    puzzles = {name: latcover.load(name) for name in names("instances") if not name.startswith("tetrasticks")}
    texts = {name: puzzle_as_toml([puzzle]) for name, puzzle in puzzles.items()}
    answers = dict(zip(puzzles, written([*texts.values()], [*puzzles.values()]), strict=True))
    known = {name for name, puzzle in puzzles.items() if is_known(puzzle)}
    assert {name for name, answer in answers.items() if "text" in answer} == known
    assert len(known) > len(puzzles) / 3
    for name in known:
        assert sorted_text(puzzle_in(answers[name]["text"])) == sorted_text(puzzle_in(texts[name])), name


@needs_node
@pytest.mark.long
def test_every_shipped_file_is_read_as_it_stands_or_refused() -> None:
    texts = {
        name: shipped("instances", name).content.decode()
        for name in names("instances")
        if not name.startswith("tetrasticks")
    }
    puzzles = {name: latcover.load(name) for name in texts if "[problems" not in texts[name]}
    everywhere = [latcover.load(name) for name in ("pent-10x6", "soma", *puzzles)]
    answers = dict(zip(texts, written([*texts.values()], everywhere), strict=True))
    read_whole = {name for name, answer in answers.items() if "text" in answer}
    assert {"bedlam", "happy-cube-red", "hexiamonds-6x6", "pent-10x3x2", "pent-8x8-minus-2x2", "soma"} <= read_whole
    for name in read_whole:
        assert sorted_text(puzzle_in(answers[name]["text"])) == sorted_text(puzzle_in(texts[name])), name


ALL = 'optional = "all"'
WASTING = (ALL, "max_empty = 3", f"{ALL}\nmax_empty = 1", "max_empty = 0", "optional = [[0, 1]]")
START = 'name = "mine"\nlattice = "square"\n[region]\nart = ["XX", "X+"]\n[[parts]]\nname = "A"\nbox = [1, 3]\n'


@needs_node
def test_regions_that_waste_cells_are_those_of_python() -> None:
    plain = START.replace("X+", "XX")
    texts = [plain.replace("[[parts]]", f"{line}\n[[parts]]") for line in WASTING]
    for text, answer in zip(texts, written(texts, [latcover.load("pent-10x6")]), strict=True):
        expected = puzzle_in(text)
        assert sorted_text(puzzle_in(answer["text"])) == sorted_text(expected)
        assert ('optional = "all"' in answer["text"]) == expected.region.is_all_optional(expected.lattice)


@needs_node
def test_what_the_page_does_not_know_is_refused_by_its_name() -> None:
    pairs = {
        START: "",
        START.replace(
            "[region]", '[colours]\nB = "black"\n[region]'
        ): "what this page does not support: colours of cells",
        START + 'keys = [{ cell = [0, 0], edge = "east" }]\n': "keys, locks and values on sides",
        START + '[[parts]]\nset = "mine.toml"\n': 'does not support the set "mine.toml"',
        START + '[[parts]]\nset = "pentominoes"\none_sided = true\n': "sets with both hands of a part",
        START + '[[parts]]\nset = "pentominoes"\nonly = ["Q"]\n': 'the set "pentominoes" has no part "Q"',
        START + '[[parts]]\nset = "soma"\n': "is of the lattice cubic, and this puzzle of square",
        START.replace(
            "[region]", "[rules]\non_rim = true\n[region]\nperiod = [4, 0]"
        ): "rules (every part lies at the rim); regions",
        START.replace('"square"', '"mine.toml"'): 'does not support the lattice "mine.toml"',
        START.replace('"square"', "{ basis = [[1, 0], [0, 1]] }"): "a lattice of its own",
        START.replace("X+", "XB"): 'the character "B"',
        START.replace("[1, 3]", "[1, 3, 2]"): "box must be 2 whole numbers",
        START + "min = 3\nmax = 2\n": "max must be at least min",
        START + 'transformations = "sideways"\n': "transformations must be some of fixed, rotations, reflections",
        START + "colors = 3\n": "the key colors",
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
        {"rules": {"apart": ["red"], "on_rim": True}},
        {"region": {**edits["region"], "period": [3, 0, 0]}},
        {"parts": [{**edits["parts"][0], "colours": [1, 1, 1]}]},
        {"parts": [{**edits["parts"][0], "sides": [[0, 0, "peg"]]}]},
    ]
    subjects = [{"form": "toml", "text": text}, {"form": "toml", "text": text, "edits": edits}]
    subjects += [{"form": "toml", "text": text, "edits": edits | more} for more in odd]
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
    assert [one["fault"].partition(": ")[2].partition(".")[0] for one in told[2:]] == [
        "rules (colours that rules are about, every part lies at the rim)",
        "a region that closes on itself",
        "colours of cells",
        "keys, locks and values on sides",
    ]
