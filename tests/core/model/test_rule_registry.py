"""The registry of rules on parts: rules of other packages are used like ours, and named when they are at fault."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import latcover
from latcover.apps.publishing.puzzle_data import play_data
from latcover.apps.web.catalogue import catalogue
from latcover.apps.web.settings import Settings
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules import OURS, names, rule_called
from latcover.core.model.rules.rule import Rule, rules_of
from latcover.core.model.rules.rule_forms import known_texts, part_rules_as_data, texts_of, with_rules
from latcover.core.solving.count import CountRequest
from latcover.errors import PuzzleFileError, UnsupportedError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.puzzle_files.schema import schema_of
from tests import puzzle_oracle
from tests.command_line import FAILED
from tests.command_line import run as command
from tests.core.solving.test_part_rules import any_ruled_puzzle, obeys
from tests.dice import Seeded
from tests.documents import blocks_of
from tests.web_jobs import answer_to

DOCS = Path(__file__).parents[3] / "docs"
RIMS = next(block.text for block in blocks_of(DOCS / "how-to" / "add-a-rule.md") if block.file == "latcover_rims.py")
SIDEWAYS = '''
import numpy as np

from latcover import Rule
from latcover.core.model.rules.rule import PartNames
from latcover.core.cover.veto import Nogood


class Sideways(Rule, frozen=True):
    """No copy of these parts lies left of a copy of another part. Mirror images break it."""

    parts: PartNames = ()

    name = "sideways"
    about = "parts that lie on the right"
    symmetric = False

    def words(self):
        return "Some parts lie right of all others."

    def faults(self, copies):
        own = set(copies.of_parts(self.parts))
        left = [min(x for _, x, *_ in copies.placed[k].cells) for k in own]
        others = [min(x for _, x, *_ in copy.cells) for k, copy in enumerate(copies.placed) if k not in own]
        if left and others and min(left) < max(others):
            yield "a part lies too far left"

    def veto(self, placements):
        return RightOnly(placements, placements.of_parts(self.parts))


class RightOnly:
    names = ("sideways",)

    def __init__(self, placements, own):
        self.own = own
        self.left = [placements.region.cells[placements.cells_of(k), 1].min() for k in range(len(placements))]

    def refuses(self, members):
        return bool(self.nogoods(members))

    newly_refuses = refuses

    def nogoods(self, members):
        pairs = ((a, b) for a in members for b in members if self.own[a] and not self.own[b])
        return tuple(Nogood(np.array(pair, np.int32)) for pair in pairs if self.left[pair[0]] < self.left[pair[1]])

'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, as site-packages is, into which `put` installs."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in ("latcover_rims", "sideways", "bad"):
        sys.modules.pop(module, None)


def put(folder: Path, name: str, module: str, entry: str) -> None:
    (folder / f"{name}.py").write_text(module, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[latcover.rules]\n{entry}\n")


def put_rims(folder: Path) -> None:
    put(folder, "latcover_rims", RIMS, "rim_at_most = latcover_rims:RimAtMost")


def cells_at_rim(puzzle: Puzzle, cells: set[tuple[int, ...]]) -> int:
    """How many of a copy's squares lie at the rim, by the squares beside them."""
    there = {tuple(cell[1:]) for cell in puzzle.region.cells.tolist()}
    return sum(not {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} <= there for x, y in cells)


def test_a_rule_of_another_package_is_used_like_ours(install: Path) -> None:
    put_rims(install)
    assert names() == [*OURS, "rim_at_most"]
    assert texts_of(rule_called("rim_at_most")) == ["rim-at-most=MOST"]
    words = ("count", "pent-10x6", "--rule", "rim-at-most=4", "--json")
    assert json.loads(command(*words).stdout)["different"] == 5
    first = command("solve", "pent-10x6", "--rule", "rim-at-most=4", "--limit", "1", "--json").stdout.splitlines()
    assert len(json.loads(first[0])["placements"]) == 12
    listed = json.loads(command("list", "--json").stdout)["rules"]["rim_at_most"]
    assert listed == {
        "about": "a part has at most this many cells at the rim",
        "texts": ["rim-at-most=MOST"],
        "at_once": False,
    }
    assert "did you mean 'rim-at-most'" in command("count", "pent-10x6", "--rule", "rim-at-mots=4").stderr
    assert "a whole number from 0, as in rim-at-most=4" in command("count", "soma", "--rule", "rim-at-most=-1").stderr
    assert "rim_at_most" in schema_of("puzzle")["$defs"]["RulesTable"]["properties"]


def test_files_pages_and_the_app_have_it(install: Path) -> None:
    put_rims(install)
    puzzle = with_rules(latcover.load("pent-10x6"), ["rim-at-most=4", "no-crossroads"])
    path = install / "rims.toml"
    path.write_text(puzzle_as_toml([puzzle]))
    assert "rim_at_most = 4" in path.read_text()
    again = latcover.load(path)
    assert rules_of(again) == rules_of(puzzle)
    assert part_rules_as_data(rules_of(again)) == {"no_crossroads": True, "rim_at_most": 4}
    assert command("check", path).returncode == 0
    path.write_text(path.read_text().replace("rim_at_most = 4", 'rim_at_most = "four"'))
    with pytest.raises(PuzzleFileError, match="must be a whole number from 0"):
        latcover.load(path)
    page = play_data(prepare(puzzle))
    assert page.rules == ["No four parts may meet at a point.", "A part may have at most 4 cells at the rim."]
    form = next(form for form in catalogue(Settings()).part_rules if form.name == "rim_at_most")
    assert (form.fields["most"]["minimum"], form.fields["most"]["examples"], form.required) == (
        0,
        [4],
        ["most"],
    )
    subject = {"form": "shipped", "name": "pent-10x6"}
    opened = answer_to({"task": "open", "subject": subject})[0]
    edits = {
        "rules": {"rim_at_most": 4},
        "region": {"cells": opened["region"]["cells"]},
        "parts": [
            {key: part[key] for key in ("name", "from", "cells", "low", "high", "motions")} for part in opened["parts"]
        ],
    }
    counted = answer_to({"task": "count", "subject": subject | {"edits": edits}})[0]
    assert counted["summary"]["different"] == 5


@pytest.mark.parametrize("backend", ["bitset", "dlx", "backtrack", "sat"])
def test_brute_force_agrees(backend: str, install: Path) -> None:
    put_rims(install)
    put(install, "sideways", SIDEWAYS, "sideways = sideways:Sideways")
    dice = Seeded(7)
    for _ in range(4):
        puzzle = any_ruled_puzzle(dice)
        while puzzle.region.period:
            puzzle = any_ruled_puzzle(dice)
        most, right = dice.between(1, 3), puzzle.parts[0].name
        every = puzzle_oracle.solutions(replace(puzzle, rules=replace(puzzle.rules, of_parts=())))

        def keeps(
            solution: puzzle_oracle.Solution, puzzle: Puzzle = puzzle, most: int = most, right: str = right
        ) -> bool:
            copies = [(name, {cell[1:] for cell, *_ in copy}) for name, copy in solution]
            own = [min(x for x, _ in cells) for name, cells in copies if name == right]
            others = [min(x for x, _ in cells) for name, cells in copies if name != right]
            on_the_right = not own or not others or min(own) >= max(others)
            return on_the_right and all(cells_at_rim(puzzle, cells) <= most for _, cells in copies)

        expected = {solution for solution in every if obeys(puzzle, solution) and keeps(solution)}
        ruled = with_rules(puzzle, [f"rim-at-most={most}", f"sideways={right}"])
        found = [puzzle_oracle.plain(one) for one in latcover.solutions(ruled, backend)]
        assert len(found) == len(set(found))
        assert set(found) == expected
        answer = latcover.count(ruled, CountRequest(backend=backend))
        assert (answer.different, answer.total) == (len(expected), len(expected))  # no image counts as the same


@pytest.mark.parametrize(
    ("module", "entry", "said"),
    [
        ("import absent_package", "bad = bad:Bad", "cannot be loaded from bad:Bad: ModuleNotFoundError"),
        ("", "bad = bad:Bad", "AttributeError"),
        ("class Bad: pass", "bad = bad:Bad", "is not derived from `latcover.Rule`"),
        (
            "from latcover import Rule\nclass Bad(Rule, frozen=True):\n    name = 'good'",
            "bad = bad:Bad",
            "calls itself 'good'",
        ),
    ],
)
def test_one_that_cannot_be_used_is_named_and_hurts_nobody(install: Path, module: str, entry: str, said: str) -> None:
    put(install, "bad", module, entry)
    with pytest.raises(UnsupportedError, match="the rule 'bad'"):
        rule_called("bad")
    used = command("count", "soma", "--rule", "bad")
    assert (used.returncode, said in used.stderr, "Traceback" in used.stderr) == (FAILED, True, False)
    assert "bad: not available" in command("list").stdout
    assert command("count", "pent-20x3", "--rule", "on-rim", "-q").returncode == 0


@pytest.mark.parametrize(
    ("name", "needed"), [("soma", set()), ("torus-89-apart", {"latcover.core.model.rules.separate"})]
)
def test_only_rules_that_a_puzzle_has_are_loaded(name: str, needed: set[str]) -> None:
    code = f"import sys, latcover; latcover.count({name!r}, latcover.CountRequest(limit=1)); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert {place.split(":")[0] for place in OURS.values()} & {*done.stdout.split()} == needed


# ---- what each rule keeps to


def test_tables_of_the_documents_list_every_rule() -> None:
    """They begin with what the registry says; the texts of the command line are listed, too."""
    rows = dict(_rows((DOCS / "reference" / "puzzle-files.md").read_text("utf-8"), "### Rules on parts", meaning=2))
    assert [*rows] == [*OURS]
    for name, meaning in rows.items():
        assert meaning.startswith(rule_called(name).about), name
    texts = dict(_rows((DOCS / "how-to" / "rules.md").read_text("utf-8"), "# Set rules on parts", meaning=1))
    assert [text.partition("=")[0] for text in texts] == [text.partition("=")[0] for text in known_texts()]


def _rows(page: str, after: str, meaning: int) -> Iterator[tuple[str, str]]:
    table = page[page.index(after) :].split("\n|", 1)[1].split("\n\n", maxsplit=1)[0]
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        yield cells[0].strip("`"), cells[meaning]


@pytest.mark.parametrize("name", OURS)
def test_the_check_of_a_rule_shares_nothing_with_its_encoding(name: str) -> None:
    """Read from the source: no function of the module serves both, and the check uses nothing of placements."""
    kind = rule_called(name)
    tree = ast.parse(Path(import_module(kind.__module__).__file__ or "").read_text("utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    methods = {node.name: node for node in functions.pop(kind.__name__).body if isinstance(node, ast.FunctionDef)}
    check = _used(methods["faults"], functions)
    encoding = _used(methods["items"], functions) if "items" in methods else set()
    encoding |= _used(methods["veto"], functions) if "veto" in methods else set()
    assert check
    assert encoding
    assert not check & encoding & functions.keys()
    of = {
        alias.asname or alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    of_placements = {
        word for word, module in of.items() if module.endswith((".placement_arrays", ".cell_sets", ".veto"))
    }
    of_copies = {word for word, module in of.items() if module.endswith((".placed_copies", ".straight_lines", ".room"))}
    assert not check & of_placements
    assert not encoding & of_copies


def _used(start: ast.AST, functions: dict[str, Any]) -> set[str]:
    """All names that a function uses, and those that its own functions of the module use."""
    found: set[str] = set()
    queue = [start]
    for node in queue:
        new = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - found
        found |= new
        queue += [functions[word] for word in new if word in functions]
    return found


def test_rules_are_plain_data() -> None:
    for name in OURS:
        kind = rule_called(name)
        assert issubclass(kind, Rule)
        assert (kind.name, bool(kind.about), bool(kind.__doc__)) == (name, True, True)
        fields = {each.name: 2 for each in msgspec.structs.fields(kind) if each.required}
        rule = msgspec.convert(fields, kind)
        assert rule == msgspec.convert(fields, kind)
        assert rule.words().endswith(".")
