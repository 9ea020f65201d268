"""Sides that bear values: matching puzzles against brute force, and in files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import latcover
from latcover.backends import create
from latcover.encoding.prepared import Choices, prepare
from latcover.encoding.symmetry import WHICH
from latcover.formats.library import load_lattice
from latcover.model.batch_verifier import BatchVerifier
from latcover.model.checks import complaints_about
from latcover.model.verifier import Verifier
from latcover.solving.run import run
from tests.dice import TIMES, Seeded
from tests.puzzle_oracle import TooLargeError, classes, each_solution, plain, symmetries
from tests.random_puzzles import Features, random_puzzle

LATTICES = ("square", "triangular", "hexagonal", "cubic", "triprism")


def test_random_boards_agree_with_brute_force() -> None:
    solvable = symmetric = coloured = 0
    for seed in range(50 * TIMES["as many"]):
        dice = Seeded(seed)
        features = Features(matched=True, loose=seed % 5 == 4, periodic=seed % 7 == 6, boundless=seed % 3 == 0)
        puzzle = random_puzzle(dice, load_lattice(LATTICES[seed % len(LATTICES)]), features)
        try:
            expected = set(each_solution(puzzle, patience=1_000))
        except TooLargeError:
            continue
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            assert not expected, seed
            continue
        for symmetry in WHICH:
            listed: list[latcover.Solution] = []
            prepared = prepare(puzzle, Choices(symmetry))
            answer = run(prepared, create("dlx"), on_solution=listed.append, images=True)
            assert len(listed) == answer.total == len(expected), (seed, puzzle)
            assert set(map(plain, listed)) == expected, seed
            assert answer.different == len(classes(expected, symmetries(puzzle, symmetry))), (seed, symmetry)
            symmetric += answer.different < answer.total
        coloured += prepared.problem.has_colours
        solvable += bool(expected)
        bare = replace(puzzle, rules=replace(puzzle.rules, asked=(), rim=-1))
        one_by_one, together = Verifier(puzzle), BatchVerifier(puzzle)
        for solution in _some(bare):
            good = plain(solution) in expected
            assert good == (not one_by_one.faults(solution)), seed
            members = np.array([together.add(placed) for placed in solution.placements], np.int32)
            assert together.sound(np.array([0, len(members)]), members).tolist() == [good], seed
    assert solvable > 15
    assert symmetric > 2
    assert coloured > 15


def _some(puzzle: latcover.Puzzle) -> list[latcover.Solution]:
    found: list[latcover.Solution] = []
    run(prepare(puzzle, Choices("none")), create("dlx"), latcover.Limits(covers=20, branches=2_000), found.append)
    return found
