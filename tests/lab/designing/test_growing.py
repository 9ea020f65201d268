"""Growth of a solution: what it changes, what it keeps, and that its designs are what they say."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing.cut_designs import CutDesign
from latcover.lab.designing.cuts import grow, grower
from latcover.lab.designing.design_requests import GrowRequest
from latcover.lab.designing.start_cut import StartCut, start_of
from tests.command_line import FAILED, LIMIT, run


def start(puzzle: str | latcover.Puzzle, **wishes: Any) -> StartCut:
    puzzle = latcover.load(puzzle) if isinstance(puzzle, str) else puzzle
    return start_of(puzzle, puzzle.name, GrowRequest(**wishes))


def grown(puzzle: str | latcover.Puzzle, n: int = 2, **wishes: Any) -> list[CutDesign]:
    return grow(puzzle, walks=n, keep=9, patience=wishes.pop("patience", 60), **wishes)


def cells_of(design: CutDesign) -> list[set[tuple[int, ...]]]:
    return [set(placed.cells) for placed in design.solution.placements]


@pytest.mark.parametrize(
    ("name", "wishes"),
    [
        ("burr-dubois", {"min_level": 2}),
        ("cut-4x4x4-level-7", {"min_level": 2, "holes": 3}),
        ("triprism:2x3x2", {"min_level": 1}),
        ("square:4x6", {"hard": True}),
    ],
)
def test_grown_designs_have_one_solution_in_connected_parts_that_come_apart(name: str, wishes: dict[str, Any]) -> None:
    puzzle = latcover.load(name) if ":" not in name else latcover.cut(name, 4, walks=1, patience=50)[0].puzzle
    first = start(puzzle, hard=wishes.get("hard", False))
    designs = grown(puzzle, **wishes)
    assert designs
    for design in designs:
        assert latcover.count(design.puzzle).different == 1
        assert latcover.verify(design.puzzle, design.solution) == []
        pieces = cells_of(design)
        assert len(pieces) == len(first.parts)
        there = set(map(tuple, first.region.cells.tolist()))
        assert set().union(*pieces) <= there
        assert len(there) - sum(map(len, pieces)) <= wishes.get("holes", first.empty)
        assert all(first.region.lattice.connects(sorted(piece)) for piece in pieces)
        if first.region.lattice.dimension == 3:
            assert latcover.disassemble(design.solution).level == design.level
            assert design.level[0] >= wishes["min_level"]


@pytest.mark.long
def test_only_a_higher_level_counts_unless_another_is_asked_for() -> None:
    first = start("burr-dubois")
    assert first.level == (6, 4)
    for design in grown("burr-dubois", 4):
        assert (design.level[0], design.moves) > first.worth == (6, 10)
    assert any((d.level[0], d.moves) <= first.worth for d in grown("burr-dubois", 4, min_level=1))


@pytest.mark.long
def test_walks_depend_on_nothing_but_seed_and_number() -> None:
    def files(**effort: int) -> list[str]:
        designs = grow("burr-dubois", min_level=1, keep=9, patience=30, **effort)
        return [puzzle_as_toml([design.puzzle]) for design in designs]

    alone = files(walks=3)
    assert alone
    assert files(walks=3, threads=2) == alone
    single = files(first=1, walks=1)
    assert set(single) <= set(alone)
    assert files(walks=3, seed=2) != alone


@pytest.mark.long
def test_cells_outside_and_parts_that_are_held_stay() -> None:
    first = start("burr-dubois")
    lattice = first.region.lattice
    everything = set(map(tuple, first.region.cells.tolist()))
    outside = {cell for cell in everything if not set(lattice.neighbours(cell)) <= everything}

    def looks(pieces: list[set[tuple[int, ...]]]) -> set[frozenset[tuple[int, ...]]]:
        return {frozenset(piece & outside) for piece in pieces}

    at_first = [set(map(tuple, part.tolist())) for part in first.parts]
    designs = grown("burr-dubois", 3, keep_outside=True, min_level=1)
    assert designs
    for design in designs:
        assert looks(cells_of(design)) == looks(at_first)
        assert cells_of(design) != at_first
    puzzle = latcover.load("burr-dubois")
    name = puzzle.parts[0].name
    held = start("burr-dubois", hold=(name,))
    assert len(held.held) == puzzle.parts[0].low
    designs = grown("burr-dubois", 2, hold=(name,), min_level=1)
    assert designs
    for design in designs:
        assert all(set(map(tuple, held.parts[k].tolist())) in cells_of(design) for k in held.held)


def test_the_latest_of_several_solutions_is_the_start_or_the_one_that_is_asked_for() -> None:
    of_each = [latcover.disassemble(solution).level for solution in latcover.solutions("burr-piston")]
    assert start("burr-piston").level == max(of_each) == (9, 3)
    worse = next(k for k, level in enumerate(of_each) if level != (9, 3))
    assert start("burr-piston", solution=worse + 1).level == of_each[worse]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pent-10x6"], "lie in a plane.*--hard"),
        (["burr-dubois", "--hold", "Q"], "has no part 'Q' to hold; its parts are"),
        (["burr-dubois", "--holes", "1"], "stay empty at the start; give --holes"),
        (["burr-dubois", "--solution", "99"], "has 2 solutions"),
        (["pent-10x6-eight-moved", "--hard"], "colours or rules for sides|no solution|not connected"),
        (["burr-dubois", "--walk", "1", "--walks", "2"], "--walk makes one walk"),
        (["notebook-coloured-5x5", "--hard"], "colours or rules for sides"),
    ],
)
def test_what_cannot_grow_is_explained(words: list[str], message: str) -> None:
    refused = run("design", "grow", *words, "--time", "1")
    assert refused.returncode == FAILED
    assert re.search(message, refused.stderr), refused.stderr


@pytest.mark.long
def test_a_run_goes_on_where_it_was_and_the_summary_names_the_start(tmp_path) -> None:
    file = tmp_path / "grown.run"
    words = ["design", "grow", "cut-3x3x3-hard", "--min-level", "1", "--threads", "1", "--run", str(file)]
    first = run(*words, "--walks", "1", "--json")
    summary = json.loads(first.stdout.splitlines()[-1])["summary"]
    assert summary["start"] == [1]
    again = json.loads(run("runs", "resume", str(file), "--json").stdout.splitlines()[-1])["summary"]
    assert again == summary


def test_a_search_that_finds_nothing_says_so() -> None:
    nothing = run("design", "grow", "burr-dubois", "--min-level", "900", "--walks", "1", "--time", "0.2")
    assert nothing.returncode == LIMIT
    assert "there may still be one" in nothing.stdout


@pytest.mark.long
def test_every_position_of_an_unmovable_cut_is_refused() -> None:
    puzzle = latcover.load("soma")
    names = tuple(part.name for part in puzzle.parts)
    with pytest.raises(latcover.PuzzleError, match="no cell of soma may change"):
        grower(puzzle, "soma", GrowRequest(hold=names))
    native = grower(puzzle, "soma", GrowRequest())._native
    with pytest.raises(ValueError, match="a part starts without cells"):
        native.start(start=np.zeros(27, np.int32), movable=np.arange(27, dtype=np.int32), held=[], most_states=9)
