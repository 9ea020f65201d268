"""The engine of a page: the same search as the native kernel and as dancing links, the same plans, in Node."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.wasm import as_arrays
from latcover.backends.bitset import Bitset
from latcover.backends.dlx import Dlx
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load
from latcover.lab.assembly.geometry import sliding_data
from latcover.lab.assembly.taking_apart import disassemble
from tests.dice import cases
from tests.javascript import EngineError, JavascriptEngine, needs_node
from tests.oracle import cover_problem, covers, either_problem

pytestmark = needs_node
PORTABLE = Bitset(kernel="portable", threads=1)


@pytest.fixture(scope="module")
def engine() -> Iterator[JavascriptEngine]:
    started = JavascriptEngine()
    yield started
    started.close()


def expected(backend: Backend, problem: CoverProblem, limits: Limits = Limits()) -> dict[str, Any]:
    """What a native search finds, as engine.js says it."""
    found: list[list[int]] = []

    def keep(batch: Batch) -> bool:
        found.extend(cover.tolist() for cover in batch)
        return True

    outcome = backend.search(SearchTask(problem, keep, limits))
    told = outcome.figures
    levels = list(told.branches_by_level)
    while levels and levels[-1] == 0:
        levels.pop()
    return {
        "stop": outcome.stop.name.lower().replace("solution", "cover"),
        "covers": told.covers,
        "branches": told.branches,
        "dead_ends": told.dead_ends,
        "branches_by_level": levels,
        "found": found,
    }


def assert_same(engine: JavascriptEngine, problem: CoverProblem, limits: Limits = Limits()) -> None:
    """That the engine does what the portable kernel and dancing links do, cover by cover."""
    asked = {"covers": limits.covers, "branches": limits.branches}
    told = engine.ask("search", as_arrays(problem), asked)
    for backend in (PORTABLE, Dlx()):
        native = expected(backend, problem, limits)
        assert {name: told[name] for name in native} == native


@cases(30, problem=either_problem)
def test_random_problems(engine: JavascriptEngine, problem: CoverProblem) -> None:
    assert_same(engine, problem)
    told = engine.ask("search", as_arrays(problem), {"counts": True})
    assert told["covers"] == len(covers(problem))
    assert told["found"] == []


@cases(10, problem=either_problem)
def test_every_limit(engine: JavascriptEngine, problem: CoverProblem) -> None:
    for limit in range(4):
        assert_same(engine, problem, Limits(covers=limit))
        assert_same(engine, problem, Limits(branches=limit))


@pytest.mark.parametrize("name", ["pent-8x8-minus-2x2", "soma", "macmahon-triangles"])
def test_puzzles(engine: JavascriptEngine, name: str) -> None:
    problem = prepare(load(name)).problem
    assert_same(engine, problem, Limits(branches=20_000))
    told, native = (
        engine.ask("search", as_arrays(problem), {"covers": 3}),
        expected(PORTABLE, problem, Limits(covers=3)),
    )
    assert told["found"] == native["found"]


def test_too_large_for_bitmaps_is_searched_by_dancing_links(engine: JavascriptEngine) -> None:
    n = 5_000
    problem = cover_problem([[k] for k in range(n)], [(1, 2)] * n)  # 79 words of rows, for each column
    told = engine.ask("search", as_arrays(problem), {"branches": 50})
    assert "dancing links" in told["note"]
    assert told["branches"] == 50


def test_a_count_beyond_what_a_number_of_javascript_holds(engine: JavascriptEngine) -> None:
    across = [[12 * row + column, 12 * row + column + 1] for row in range(12) for column in range(11)]
    down = [[12 * row + column, 12 * row + column + 12] for row in range(11) for column in range(12)]
    told = engine.ask("search", as_arrays(cover_problem(across + down, [(1, 1)] * 144)), {"counts": True})
    assert told["covers"] == "53060477521960000"  # Kasteleyn 1961
    assert told["with_memo"]


def test_restarts_find_a_cover(engine: JavascriptEngine) -> None:
    problem = prepare(load("pent-10x6")).problem
    told = engine.ask("search", as_arrays(problem), {"restarts": True, "seed": 3})
    assert (told["stop"], len(told["found"])) == ("cover_limit", 1)
    assert told["found"] == engine.ask("search", as_arrays(problem), {"restarts": True, "seed": 3})["found"]


def test_callbacks_stop_a_search(engine: JavascriptEngine) -> None:
    problem = as_arrays(prepare(load("bedlam")).problem)
    told = engine.ask("search", problem, {}, stop_at="onCovers")
    assert (told["stop"], told["covers"]) == ("cancelled", len(told["found"]))
    told = engine.ask("search", problem, {"counts": True}, stop_at="onProgress")
    assert told["stop"] == "cancelled"
    (report,) = told["reports"]
    assert 0 < report["share"] < 1
    assert engine.ask("search", problem, {"seconds": 0})["stop"] == "time_limit"


def test_restarts_do_without_islands_where_these_prove_nothing(engine: JavascriptEngine) -> None:
    row = {"n_cells": 3, "n_parts": 0, "neighbour_starts": [0, 1, 3, 4], "neighbours": [1, 0, 2, 1]}
    apart = {"starts": [0, 2, 3], "items": [0, 2, 1], "low": [1] * 3, "high": [1] * 3}  # an option in two pieces
    assert engine.ask("search", {**apart, **row}, {"restarts": True})["covers"] == 1


def test_a_cover_that_breaks_the_rules_is_noticed(engine: JavascriptEngine) -> None:
    """The check of covers goes by the problem as it is: here the first callback changes a bound."""
    problem = as_arrays(prepare(load("pent-10x6")).problem)
    with pytest.raises(EngineError) as fault:
        engine.ask("search", problem, {}, stop_at="spoil")
    assert "a cover fails its check: item" in str(fault.value)


def test_a_plan_that_breaks_the_rules_is_noticed(engine: JavascriptEngine) -> None:
    """The check of plans goes by the geometry as it is: here it changes after the search has read it."""
    puzzle = load("cut-4x4x4-level-7")
    data = sliding_data(puzzle, next(iter(solutions(puzzle))).placements)
    with pytest.raises(EngineError) as fault:
        engine.ask("takeApart", data, {}, stop_at="spoil")
    assert "a disassembly fails its check: pieces" in str(fault.value)


SOUND = {"starts": [0, 1, 3], "items": [0, 0, 1], "low": [1, 1], "high": [1, 1]}


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ({"starts": [0, 3, 1]}, "option_starts must begin with 0"),
        ({"starts": [0, 4, 3]}, "must not descend"),
        ({"starts": []}, "option_starts must begin with 0"),
        ({"starts": None}, "starts must be a list"),
        ({"items": [0, 0, 2]}, "an item that does not exist"),
        ({"items": [0, 0, -1]}, "an item that does not exist"),
        ({"items": [0, 1, 0]}, "must ascend"),
        ({"items": [0, 0, 0.5]}, "items[2] must be a whole number of 32 bits, not 0.5"),
        ({"items": [0, 0, 2**31]}, "items[2] must be a whole number of 32 bits"),
        ({"low": [1]}, "of one length"),
        ({"low": [2, 1]}, "0 <= low <= high"),
        ({"low": [2**30, 1], "high": [2**30, 1]}, "0 <= low <= high"),
        ({"colours": [1]}, "a colour for each entry"),
        ({"colours": [1, 0, 0]}, "must have the bounds [0, 1]"),
        ({"n_cells": 3}, "cells and parts must be items"),
        ({"n_cells": -1}, "cells and parts must be items"),
        ({"n_cells": 1, "neighbour_starts": [0, 1], "neighbours": [7]}, "a neighbour is no cell"),
        ({"n_cells": 1, "neighbour_starts": [0, 1], "neighbours": []}, "neighbour_starts"),
    ],
)
def test_arrays_that_are_wrong_are_refused(engine: JavascriptEngine, spoilt: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError) as refusal:
        engine.ask("search", {**SOUND, **spoilt}, {})
    assert words in str(refusal.value)
    assert engine.ask("search", SOUND, {})["stop"] == "exhausted"  # it goes on


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"covers": -1}, "a limit of covers"),
        ({"branches": "many"}, "a limit of branches"),
        ({"seed": 0.5}, "the seed"),
        ({"restarts": True, "counts": True}, "cannot count"),
        ({"restarts": True, "branches": 9}, "no limit of branches"),
    ],
)
def test_limits_that_are_wrong_are_refused(engine: JavascriptEngine, limits: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError) as refusal:
        engine.ask("search", SOUND, limits)
    assert words in str(refusal.value)


# Taking apart


@pytest.mark.parametrize(
    "name", ["cut-4x4x4-level-7", "burr-piston", "burr-loves-dozen", "sphere-pyramid", "hex-prisms", "pent-10x6"]
)
def test_the_engine_makes_the_same_plan_as_python(engine: JavascriptEngine, name: str) -> None:
    puzzle = load(name)
    solution = next(iter(solutions(puzzle)))
    data = sliding_data(puzzle, solution.placements)
    told = engine.ask("takeApart", data, {})
    plan = disassemble(solution).as_json()
    for of_turns in ("turning", "turns", "needed_play", "bounds", "tight", "certain_at"):  # the engine only slides
        del plan[of_turns]
    assert {key: told[key] for key in told if key not in ("found", "reports")} == plan


@cache
def making() -> Any:
    """The script that makes engine.wasm, of the checkout."""
    script = Path(__file__).parents[2] / "backends" / "wasm" / "make.py"
    if not (script.parents[1] / "native").is_dir():
        pytest.skip("the C++ sources are not here")
    spec = importlib.util.spec_from_file_location("make_wasm", script)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_module_is_made_from_these_sources() -> None:
    made = making()
    assert made.sources_of(made.MADE.read_bytes()) == made.digest(), "renew it: python backends/wasm/make.py"
    assert made.with_digest(b"\0asm") != b"\0asm"


@pytest.mark.long
def test_the_module_is_made_again(tmp_path: Path) -> None:
    """From a copy elsewhere: no path of a machine is in it."""
    pytest.importorskip("ziglang", reason="the compiler is missing: pip install ziglang")
    here = making().HERE.parent
    for folder in ("wasm", "native"):
        shutil.copytree(here / folder, tmp_path / folder)
    (tmp_path / "wasm" / "engine.wasm").unlink()
    subprocess.run([sys.executable, str(tmp_path / "wasm" / "make.py")], check=True)
    assert (tmp_path / "wasm" / "engine.wasm").read_bytes() == making().MADE.read_bytes()
