"""Diagrams of all solutions in files, by a plain reader and by Graphillion."""

from __future__ import annotations

from pathlib import Path

import pytest

from latcover.core.encoding.prepared import Choices
from latcover.core.solving.solutions import solutions
from latcover.files.formats.cover_problems.exported import cell_name
from latcover.files.formats.library import load
from tests.command_line import DONE, FAILED, run

NAMES = ("fig4-3x3", "tangram-square", "hex-prisms", "sphere-pyramid-2")


def exported(name: str, folder: Path) -> tuple[list[str], list[str]]:
    """The lines of nodes, and what each element is."""
    path = folder / "all.zdd"
    assert run("export", name, "--output", path).returncode == DONE
    nodes, meanings = path.read_text(encoding="utf-8").split(".\n", 1)
    elements = [line.split(" = ") for line in meanings.splitlines()]
    assert [number for number, _ in elements] == [str(k) for k in range(1, len(elements) + 1)]
    return nodes.splitlines(), [meaning for _, meaning in elements]


def sets(nodes: list[str]) -> list[frozenset[int]]:
    found: dict[str, list[frozenset[int]]] = {"B": [], "T": [frozenset()]}
    for line in nodes:
        name, element, low, high = line.split()
        found[name] = [*found[low], *(each | {int(element)} for each in found[high])]
    return found[name]


def listed(name: str) -> set[frozenset[str]]:
    puzzle = load(name)
    return {
        frozenset(
            f"{placed.part} {' '.join(sorted(cell_name(cell, puzzle.lattice) for cell in placed.cells))}"
            for placed in solution.placements
        )
        for solution in solutions(puzzle, choices=Choices("none"))
    }


def plainly(meaning: str) -> str:
    """A placement without its colours, cells sorted."""
    part, *cells = meaning.split()
    return f"{part} {' '.join(sorted(cell.split(':')[0] for cell in cells))}"


@pytest.mark.parametrize("name", NAMES)
def test_a_diagram_holds_all_solutions(name: str, tmp_path: Path) -> None:
    nodes, meanings = exported(name, tmp_path)
    read = sets(nodes)
    shown = {frozenset(plainly(meanings[k - 1]) for k in each) for each in read}
    assert len(read) == len(set(read)) == load(name).expect["total"]
    assert shown == listed(name)


def test_no_solution_is_a_family_without_sets() -> None:
    assert run("export", "pent-10x6-four-moved", "zdd").stdout == "B\n.\n"


def test_a_diagram_is_of_all_solutions() -> None:
    refused = run("export", "fig4-3x3", "zdd", "--symmetry", "all")
    assert (refused.returncode, "a diagram holds all solutions" in refused.stderr) == (FAILED, True)


@pytest.mark.parametrize("name", ["fig4-3x3", "aztec-12"])
def test_graphillion_reads_it(name: str, tmp_path: Path) -> None:
    setset = pytest.importorskip("graphillion", reason="Graphillion is not installed").setset
    nodes, meanings = exported(name, tmp_path)
    setset.set_universe(list(range(1, len(meanings) + 1)))
    with (tmp_path / "all.zdd").open(encoding="utf-8") as file:
        read = setset.load(file)
    assert read.len() == load(name).expect["total"]
    if name == "fig4-3x3":
        assert set(map(frozenset, read)) == set(sets(nodes))
