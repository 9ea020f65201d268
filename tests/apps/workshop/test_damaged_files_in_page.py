"""The workshop's page and Python read the same files: of damaged ones too, both refuse or both take the same puzzle."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import tomli_w

import latcover
from latcover.apps.workshop.workshop_site import PACKAGES, file_tables
from latcover.errors import LatcoverError
from latcover.files.formats.source import shipped
from latcover.show.drawing.space.linking import linked
from tests.apps.workshop.test_designs_in_page import in_node
from tests.apps.workshop.test_files_in_page import START, puzzle_in, sorted_text, written
from tests.file_fuzzing.mutations import changed
from tests.file_fuzzing.trees import ONLY_TOML, Pool
from tests.javascript import needs_node
from tests.shipped import rest_long

EVERYTHING = '''name = "everything"
title = "all that a page knows"
source = "made up"
comment = "two\\nlines"
lattice = "square"
transformations = "rotations"

[region]
art = ["XXXX", "XXX+", "X++X", "XXXX"]
max_empty = 1
optional = [[0, 0], [3, 3]]
minus = [{ box = [1, 2], at = [0, 1] }, { cells = [[3, 0]] }]

[[parts]]
name = "A"
min = 1
max = 2
transformations = ["quarter turn"]
art = """
X.
XX"""
display_colour = "dark red"
groups = { frame = 2, lid = 1000000 }
weight = 7

[[parts]]
name = "B"
count = "unlimited"
transformations = "fixed"
cells = [[0, 0], [0, 1]]
group = "frame"

[[parts]]
set = "pentominoes"
only = ["X", "F"]
count = 2
transformations = "reflections"

[turning]
play = 0.05
bevel = 0.1

[expect]
different = 90071992547409930
total = 4
level = [5, 2]
long = true
note = "a note"

[[published]]
figure = "different"
value = 3
source = "a book"
reason = "counted twice"
'''
OTHERS = ("soma", "pent-10x6", "pent-8x8-minus-2x2", "hexiamonds-6x6", "pent-10x3x2", "turning-cube")
# Values that are no table, no text, no number, or too large; and words to which every object of JavaScript answers.
LINES = (
    ('lattice = "square"', 'lattice = "constructor"', 'lattice = "__proto__"', "lattice = 5"),
    ("max_empty = 1", "max_empty = 9007199254740993", "max_empty = 1.0", "__proto__ = 1"),
    ("optional = [[0, 0], [3, 3]]", "optional = [[0, 7]]", "optional = [[0, 0, 0]]", "optional = 5"),
    ("optional = [[0, 0], [3, 3]]", 'optional = "all"', 'optional = "al"', 'optional = ["all"]'),
    ("minus = [{ box = [1, 2], at = [0, 1] }, { cells = [[3, 0]] }]", "minus = 5", 'minus = ["X"]', "minus = [5]"),
    ('transformations = "rotations"', 'transformations = "valueOf"', 'transformations = ["constructor"]'),
    ('group = "frame"', "group = 5", 'group = " "', 'group = "a"\ngroups = { b = 1 }', "constructor = 1"),
    ("groups = { frame = 2, lid = 1000000 }", "groups = 1979-05-27", "groups = { a = 0 }", "groups = { a = nan }"),
    ("groups = { frame = 2, lid = 1000000 }", "groups = { __proto__ = 2, constructor = 3 }", "groups = {}"),
    ('display_colour = "dark red"', 'display_colour = "constructor"', 'display_colour = "nonsense"'),
    ("min = 1\nmax = 2", "count = 2\nmin = 1", "min = 0", "max = 0", "count = true", "min = 9007199254740993"),
    ('art = """\nX.\nXX"""', 'art = ["X+"]', 'art = "\\nX\\n"', "art = 5", "box = [2, true]", "box = [1e2, 1]"),
    ("cells = [[0, 0], [0, 1]]", "cells = [[0, 0], [0, 9007199254740993]]", "cells = [[0, 0], [999999, 999999]]"),
    ('only = ["X", "F"]', 'only = ["constructor"]', "only = [5]", "only = []", 'without = "X"'),
    ("play = 0.05", "play = nan", "play = 1", 'play = "0.1"', "plays = 0.1"),
    ("total = 4", "total = -1", "total = 1.5", "totals = 4", "__proto__ = 4"),
    ("level = [5, 2]", "level = []", "level = [0]", "level = 5"),
    ('figure = "different"', "figure = 5", 'figure = " "', "other = 5"),
    ("value = 3", "value = 9007199254740993", "value = nan"),
    ('source = "made up"', "source = 5", "title = 5", 'source = "\\ud7ff"'),
    ('name = "B"', 'name = "\\u200b"', 'name = "\\ufeff"', 'name = "A"', "name = []"),
)


def replaced() -> Iterator[str]:
    """The file with each of its odd lines."""
    for usual, *odd in LINES:
        assert EVERYTHING.count(usual) == 1
        yield from (EVERYTHING.replace(usual, other) for other in odd)
    for table in ("expect", "turning", "region", "published", "parts"):
        yield START.replace('lattice = "square"', f'lattice = "square"\n{table} = 5')
    yield from (START.replace("\n", "\r\n"), EVERYTHING.replace("\n", "\r\n"), EVERYTHING)


def damaged(number: int, n: int) -> list[str]:
    """So many files that our own files become by changes."""
    random = Random(f"damaged files {number}")
    files = [EVERYTHING, START, *(shipped("instances", name).content.decode() for name in OTHERS)]
    pool, raw = Pool.of([tomllib.loads(text) for text in files], ONLY_TOML, tomli_w.dumps), [t.encode() for t in files]
    found: list[str] = []
    while len(found) < n:
        content = changed(random, random.choice(raw[:3]), raw) if random.random() < 0.3 else pool.changed(random)
        if (text := content.decode("utf-8", "ignore")).encode() == content:
            found.append(text)
    return found


def disagreement(text: str, answer: dict[str, Any]) -> str:
    """How the page's *answer* differs from what Python makes of a file; "" if it does not.

    The page may refuse what it names as unknown to it. Its parser knows TOML 1.1, Python's does not yet: what a file
    says in 1.1, the page writes in 1.0.
    """
    try:
        ours = puzzle_in(text)
    except LatcoverError as fault:
        if "text" in answer and "is not valid TOML" in str(fault):
            assert puzzle_in(answer["anew"])
            return ""
        return f"the page takes what Python refuses: {fault}" if "text" in answer else ""
    if "text" not in answer:
        fault = answer["fault"]
        return (
            ""
            if "does not support" in fault or "exactly one of box, art" in fault
            else f"the page refuses what Python takes: {fault}"
        )
    theirs, before = (sorted_text(puzzle).replace("-0.0\n", "0.0\n") for puzzle in (puzzle_in(answer["anew"]), ours))
    return "" if theirs == before else f"the page writes\n{theirs}\nof\n{before}"


def compare(texts: list[str]) -> dict[str, int]:
    """How many files both read, and how many the page refuses, by its own words or as unknown to it."""
    puzzles = [latcover.load(name) for name in ("pent-10x6", "soma", "hexiamonds-6x6")]
    answers, kinds = written(texts, puzzles), {"read": 0, "refused": 0, "unknown": 0}
    for text, answer in zip(texts, answers, strict=True):
        wrong = disagreement(text, answer)
        assert not wrong, f"{wrong}\n\n{text}"
        fault = answer.get("fault", "")
        raw = ("undefined", "not a function", "not iterable", "Cannot ", "BigInt", "[object")
        assert not any(word in fault for word in raw), f"{fault}\n\n{text}"
        kinds["read" if not fault else "unknown" if "does not support" in fault else "refused"] += 1
    return kinds


@needs_node
def test_odd_values_are_refused_by_both_or_mean_the_same() -> None:
    found = compare(list(replaced()))
    assert found["refused"] > 40
    assert found["read"] > 5


@needs_node
@pytest.mark.parametrize("number", rest_long(range(20), [0]))
def test_damaged_files_are_refused_by_both_or_mean_the_same(number: int) -> None:
    found = compare(damaged(number, 300))
    assert min(found["read"], found["refused"]) > 20


def test_the_page_knows_every_word_of_the_schemas() -> None:
    """What `typeFault` does not know, it would not check."""
    known = {"title", "description", "default", "type", "properties", "required", "additionalProperties", "items"}
    known |= {"anyOf", "$ref", "minimum", "maximum", "pattern", "maxLength", "minItems", "maxItems", "enum", "examples"}

    def words(schema: dict[str, Any]) -> set[str]:
        inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
        inner += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
        return set(schema).union(*map(words, inner))

    assert set().union(*map(words, file_tables().values())) == known


# What tables with keys of users answer to words that every object of JavaScript knows.
TABLES = """
const { areMates } = module_fields;
const words = ["constructor", "__proto__", "toString"];
const mates = JSON.parse('{"__proto__": ["toString"], "a": ["constructor"]}');
const told = words.map((one) => words.map((other) => areMates({ mates }, one, other)));
process.stdout.write(JSON.stringify(told));
"""


@needs_node
def test_words_of_javascript_are_names_like_others() -> None:
    told = json.loads(in_node(f"{linked('fields', PACKAGES)}\n{TABLES}", {}))
    assert told == [[False, False, False], [False, False, True], [False, True, False]]
