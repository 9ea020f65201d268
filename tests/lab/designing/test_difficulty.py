"""The measure of difficulty, against a search of our own that follows the definition word by word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from latcover.core.encoding.prepared import Choices, made_ready
from latcover.files.formats.library import load
from latcover.files.formats.source import names
from latcover.lab.designing.difficulty import difficulty
from tests.command_line import LIMIT, run

SMALL = ("example-2x2", "fig4-3x3", "live-cube", "sphere-pyramid", "slothouber-graatsma", "tangram-square")


def test_the_page_has_every_shipped_puzzle() -> None:
    page = (Path(__file__).parents[3] / "docs" / "explanation" / "difficulty.md").read_text("utf-8")
    rows = page.split("```text\npuzzle ")[1].split("```")[0].splitlines()[1:]
    listed = [row.split()[0] for row in rows]
    assert [name for name in names("instances") if not any(f"{row}-".startswith(f"{name}-") for row in listed)] == []


def options_of(name: str) -> tuple[list[frozenset[int]], list[int], list[int]]:
    problem = made_ready(load(name), Choices(symmetry="none")).problem
    options = [frozenset(problem.items_of(o).tolist()) for o in range(problem.n_options)]
    return options, problem.low.tolist(), problem.high.tolist()


def plain_search(name: str) -> dict[str, int]:
    """Branch on the item with the fewest options for what it needs; every item needs one, or so many copies."""
    options, low, high = options_of(name)
    count = dict.fromkeys(("branches", "dead_ends", "solutions", "false_hopes"), 0)

    def visit(live: list[int], need: list[int], room: list[int]) -> bool:
        """Whether a solution lies below."""
        pending = [i for i, n in enumerate(need) if n > 0]
        if not pending:
            count["solutions"] += 1
            return True
        slack = {i: sum(i in options[o] for o in live) - need[i] + 1 for i in pending}
        item = min(pending, key=lambda i: (slack[i], i))
        if slack[item] <= 0:
            count["dead_ends"] += 1
            return False
        good = False
        rest = list(live)
        for o in [o for o in live if item in options[o]]:
            if sum(item in options[x] for x in rest) < need[item]:
                break
            rest.remove(o)
            need_then = [n - (i in options[o]) for i, n in enumerate(need)]
            room_then = [n - (i in options[o]) for i, n in enumerate(room)]
            kept = [x for x in (rest if high[item] > 1 else live) if all(room_then[i] > 0 for i in options[x])]
            count["branches"] += 1
            good |= visit(kept, need_then, room_then)
        count["false_hopes"] += not good
        return good

    visit(list(range(len(options))), low, high)
    return count


@pytest.mark.parametrize("name", SMALL)
def test_figures_are_those_of_the_definition(name) -> None:
    found = difficulty(name, near=False)
    assert found.complete
    assert {key: getattr(found, key) for key in ("branches", "dead_ends", "solutions", "false_hopes")} == plain_search(
        name
    )


def ways_without_one(name: str) -> int:
    """Ways to lay all pieces but one, by laying the pieces one after another."""
    prepared = made_ready(load(name), Choices(symmetry="none"))
    table, puzzle = prepared.table, load(name)
    places = [
        [
            frozenset(table.cells[table.starts[p] : table.starts[p + 1]].tolist())
            for p in np.flatnonzero(table.part_of == k)
        ]
        for k in range(len(puzzle.parts))
    ]

    def laid(copies: list[int], taken: frozenset[int]) -> Iterator[int]:
        part = next((k for k, n in enumerate(copies) if n), None)
        if part is None:
            yield 1
            return
        for chosen in sets(part, copies[part], 0, taken):
            yield from laid([0 if k == part else n for k, n in enumerate(copies)], chosen)

    def sets(part: int, n: int, first: int, taken: frozenset[int]) -> Iterator[frozenset[int]]:
        if n == 0:
            yield taken
            return
        for k in range(first, len(places[part])):
            if not places[part][k] & taken:
                yield from sets(part, n - 1, k + 1, taken | places[part][k])

    every = [part.low for part in puzzle.parts]
    without = [[n - (k == p) for k, n in enumerate(every)] for p in range(len(every))]
    return sum(sum(laid(copies, frozenset())) for copies in without)


@pytest.mark.parametrize(("name", "few"), [*product(("example-2x2", "fig4-3x3", "sphere-pyramid"), (0, 99))])
def test_near_solutions_are_counted_right_in_both_ways(monkeypatch, name, few) -> None:
    monkeypatch.setattr("latcover.lab.designing.difficulty.FEW_PIECES", few)
    found = difficulty(name)
    assert found.near_complete
    assert found.near == ways_without_one(name)


def test_a_search_cut_short_is_not_ranked() -> None:
    result = run("difficulty", "soma", "live-cube", "--max-branches", 1000, "--json")
    first, last = map(json.loads, result.stdout.splitlines())
    assert result.returncode == LIMIT
    assert (first["puzzle"], last["puzzle"], last["difficulty"]) == ("live-cube", "soma", None)
    assert not last["complete"]
    assert last["branches"] <= 1000


def test_the_least_limit_of_branches() -> None:
    assert run("difficulty", "fig4-3x3", "--max-branches", 3).returncode == LIMIT


def test_the_table_ranks_the_hardest_first() -> None:
    lines = run("difficulty", "example-2x2", "slothouber-graatsma", "live-cube").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["slothouber-graatsma", "live-cube", "example-2x2"]
