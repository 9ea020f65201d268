"""Knuth's text form: read and written, by his own examples, by random problems and by hostile files."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.run import run
from latcover.errors import PuzzleFileError, UnsupportedError
from latcover.files.formats.cover_problems import dlx_text
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.library import load, load_subject
from tests import oracle
from tests.dice import Dice, cases
from tests.shipped import every_file

# Knuth, "Dancing links" (2000), equation (3), with items by letters.
EXACT = "| a comment\nA B C D E F G\n\nC E F\nA D G\nB C F\nA D\nB G\nD E G\n"
# dlx3.w's own example.
FLEXIBLE = "| simple\nA B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n"


def read(tmp_path: Path, text: str, bounds: Bounds = Bounds()) -> NamedProblem:
    path = tmp_path / "some.dlx"
    path.write_text(text, encoding="utf-8")
    return load_subject(str(path), bounds)


def covers(named: NamedProblem, backend: str = "dlx") -> set[frozenset[tuple[str, ...]]]:
    found: list[frozenset[tuple[str, ...]]] = []
    run(named, create(backend), on_solution=lambda cover: found.append(frozenset(cover.options)))
    assert len(found) == len(set(found))
    return set(found)


def as_options(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(option.split()) for option in text.split(","))


@pytest.mark.parametrize("backend", ["dlx", "bitset", "backtrack", "cpsat", "sat"])
def test_knuths_example(tmp_path: Path, backend: str) -> None:
    assert covers(read(tmp_path, EXACT), backend) == {as_options("A D, B G, C E F")}


@pytest.mark.parametrize("backend", ["dlx", "bitset", "cpsat", "sat"])
def test_knuths_example_with_bounds_and_colours(tmp_path: Path, backend: str) -> None:
    assert covers(read(tmp_path, FLEXIBLE), backend) == {as_options("A C X:1 Y:1, B X:1, C Y:1")}


def test_items_stand_in_the_files_order(tmp_path: Path) -> None:
    named = read(tmp_path, "b 3|a 0:2|c | z y\na y b\nc z\n")
    assert named.items == ("b", "a", "c", "z", "y")
    assert named.problem.low.tolist() == [1, 3, 0, 0, 0]
    assert named.problem.high.tolist() == [1, 3, 2, 1, 1]
    assert [named.written(option) for option in range(2)] == [("b", "a", "y"), ("c", "z")]


def test_options_without_a_primary_item_are_ignored(tmp_path: Path) -> None:
    named = read(tmp_path, "a | s t\na s\ns t\nt\n")
    assert named.problem.n_options == 1
    assert [(w.line, w.warning) for w in named.warnings] == [(3, True)]
    assert "2 options" in named.warnings[0].message


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 0, "names no item"),
        ("| nothing\n\n", 0, "names no item"),
        ("a b a\n", 1, "second item is named 'a'"),
        ("a | b | c\n", 1, "occurs twice"),
        ("| c\n\n2:1|a\n", 3, "must ascend"),
        ("1:9999999|a\n", 1, "must ascend"),
        ("a:b\n", 1, "must not contain"),
        ("a|b\n", 1, "neither an item nor bounds"),
        ("a | 2|b\n", 1, "neither an item nor bounds"),
        ("2|b|c\n", 1, "must not contain"),
        ("| c\n | a\n", 2, "no primary item"),
        ("abc\nabc\nabd\n", 3, "did you mean 'abc'"),
        ("a b\na a\n", 2, "twice in one option"),
        ("a | b\na:red b\n", 2, "cannot have a colour"),
        ("a | b\na b:\n", 2, "is missing"),
    ],
)
def test_faults_name_their_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    with pytest.raises(PuzzleFileError, match=what) as fault:
        read(tmp_path, text)
    assert fault.value.complaints[0].line == line


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    text = "a b c d\n" + "a\n" * 5
    assert read(tmp_path, text, Bounds(cells=4, placements=5)).problem.n_options == 5
    with pytest.raises(PuzzleFileError, match="--max-cells"):
        read(tmp_path, text, Bounds(cells=3, placements=5))
    with pytest.raises(PuzzleFileError, match="--max-placements"):
        read(tmp_path, text, Bounds(cells=4, placements=4))
    with pytest.raises(PuzzleFileError, match="larger than"):
        read(tmp_path, "a\n" * 700_000, Bounds(cells=1))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.dlx"
    path.write_bytes(b"a b\na\n\xff\n")
    with pytest.raises(PuzzleFileError, match="UTF-8") as fault:
        load_subject(str(path))
    assert fault.value.complaints[0].line == 3
    with pytest.raises(PuzzleFileError, match="folder"):
        load_subject(str(tmp_path))
    with pytest.raises(PuzzleFileError, match="there is no such file"):
        load_subject(str(tmp_path / "missing.dlx"))


@st.composite
def named_problems(draw: st.DrawFn) -> NamedProblem:
    """Small problems with bounds and colours, each option with an item."""
    bounds = draw(st.lists(st.sampled_from([(1, 1), (0, 1), (2, 3), (0, 2), (3, 3), (1, 4)]), min_size=1, max_size=6))
    n = len(bounds)
    options = draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1).map(sorted), max_size=8))
    coloured = [k for k, bound in enumerate(bounds) if bound == (0, 1) and draw(st.booleans())]
    shades = [[draw(st.integers(0, 2)) if item in coloured else 0 for item in option] for option in options]
    for option, row in zip(options, shades, strict=True):
        if all(shade and bounds[item] == (0, 1) for item, shade in zip(option, row, strict=True)):
            row[0] = 0  # Knuth's programs ask each option for something that may be primary
            if any(r[o.index(option[0])] for o, r in zip(options, shades, strict=True) if option[0] in o):
                for o, r in zip(options, shades, strict=True):
                    r[:] = [0 if item == option[0] else shade for item, shade in zip(o, r, strict=True)]
    starts = [0, *itertools.accumulate(map(len, options))]
    low, high = zip(*bounds, strict=True)
    colours = np.array([shade for row in shades for shade in row], dtype=np.int32)
    problem = CoverProblem(
        np.array(starts),
        np.array([item for option in options for item in option], dtype=np.int32),
        np.array(low, dtype=np.int32),
        np.array(high, dtype=np.int32),
        option_colours=colours,
    )
    return NamedProblem("random", problem, tuple(f"i{k}" for k in range(n)), ("red", "blue"))


def as_set(named: NamedProblem) -> tuple[dict[str, tuple[int, int]], list[frozenset[str]]]:
    """A problem whatever the order of its items."""
    bounds = zip(named.problem.low.tolist(), named.problem.high.tolist(), strict=True)
    return (
        dict(zip(named.items, bounds, strict=True)),
        [frozenset(named.written(option)) for option in range(named.problem.n_options)],
    )


@given(named_problems())
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, named: NamedProblem) -> None:
    path = tmp_path_factory.mktemp("dlx") / "random.dlx"
    path.write_bytes(b"".join(dlx_text.write(exported(named))))
    again = load_subject(str(path))
    assert as_set(again) == as_set(named)


@every_file
def test_shipped_puzzles_are_the_same_problem_when_read_again(name: str, tmp_path: Path) -> None:
    from latcover.files.formats.library import load_all

    for puzzle in load_all(name):
        for symmetry in ("none", "all"):
            given_problem = exported(prepare(puzzle, Choices(symmetry)))
            path = tmp_path / "again.dlx"
            path.write_bytes(b"".join(dlx_text.write(given_problem)))
            again = load_subject(str(path))
            short = NamedProblem(puzzle.name, given_problem.problem, given_problem.short_items())
            bounds, options = as_set(short)
            found, same = as_set(again)
            assert {name: bound for name, bound in found.items() if name[0] != "#"} == bounds
            assert [frozenset(word for word in option if word[0] != "#") for option in same] == options


def test_options_that_differ_in_rules_alone_bear_their_numbers() -> None:
    text = b"".join(dlx_text.write(exported(prepare(load("notebook-coloured-5x5"), Choices("none"))))).decode()
    options = [line for line in text.splitlines() if not line.startswith("|")][1:]
    assert len(options) == len({frozenset(line.split()) for line in options})


def test_long_names_are_cut_and_explained(tmp_path: Path) -> None:
    named = read(tmp_path, "a_rather_long_name b\na_rather_long_name b\n")
    text = b"".join(dlx_text.write(exported(named))).decode()
    assert "| i0 = a_rather_long_name\n" in text
    assert text.endswith("i0 b\ni0 b\n")


def test_a_problem_without_items_cannot_be_written() -> None:
    with pytest.raises(UnsupportedError, match="without items"):
        b"".join(dlx_text.write(exported(NamedProblem("x", CoverProblem([0], [], [], []), ()))))


def test_an_option_of_coloured_items_alone_cannot_be_written(tmp_path: Path) -> None:
    problem = CoverProblem([0, 1], [1], [1, 0], [1, 1], option_colours=[1])
    with pytest.raises(UnsupportedError, match="could be primary"):
        b"".join(dlx_text.write(exported(NamedProblem("x", problem, ("a", "b"), ("red",)))))


@cases(50, problem=oracle.given(oracle.any_problem))
def test_bare_problems_have_the_covers_of_brute_force(problem: CoverProblem) -> None:
    named = NamedProblem("random", problem, tuple(f"i{k}" for k in range(problem.n_items)))
    found: list[tuple[int, ...]] = []
    answer = run(named, create("dlx"), on_solution=lambda cover: found.append(tuple(n - 1 for n in cover.numbers)))
    assert sorted(found) == sorted(tuple(sorted(cover)) for cover in oracle.covers(problem))
    assert answer.different == answer.total == len(found)


def some_numbers(dice: Dice) -> set[int]:
    """At most ten of 0 to 9."""
    return {dice.below(10) for _ in range(dice.between(0, 10))}


@cases(75, problem=oracle.given(oracle.any_problem), chosen=some_numbers)
def test_a_set_of_options_has_faults_just_if_it_is_no_cover(problem: CoverProblem, chosen: set[int]) -> None:
    named = NamedProblem("random", problem, tuple(f"i{k}" for k in range(problem.n_items)))
    chosen = {option for option in chosen if option < problem.n_options}
    known = {frozenset(cover) for cover in oracle.covers(problem)}
    assert (not named.faults(np.array(sorted(chosen), np.int32))) == (frozenset(chosen) in known)
