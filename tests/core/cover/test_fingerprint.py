"""The fingerprint of a set of solutions, and the memory of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latcover.backends import create
from latcover.core.cover.fingerprint import Fingerprint
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.solving.run import run
from latcover.files.formats.library import load

N_PLACEMENTS = 50
Sets = list[list[int]]
solutions = st.lists(st.integers(0, N_PLACEMENTS - 1), max_size=6, unique=True)


def of(*batches: Sequence[Sequence[int]]) -> str:
    fingerprint = Fingerprint(N_PLACEMENTS)
    for batch in batches:
        starts = np.cumsum([0, *map(len, batch)])
        placements = np.array([p for solution in batch for p in solution], dtype=np.int32)
        fingerprint.add(starts, placements, np.arange(len(batch)))
    return fingerprint.hex()


@given(st.lists(solutions, max_size=8), st.randoms(use_true_random=False), st.integers(0, 8))
def test_no_order_matters(found: Sets, random: object, cut: int) -> None:
    shuffled = [random.sample(solution, len(solution)) for solution in found]  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert of(shuffled[:cut], shuffled[cut:]) == of(found)


@given(st.lists(solutions, max_size=8), st.lists(solutions, max_size=8))
def test_different_sets_have_different_fingerprints(a: Sets, b: Sets) -> None:
    same = sorted(map(sorted, a)) == sorted(map(sorted, b))
    assert (of(a) == of(b)) == same


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([[1, 2], [3, 4]], [[1, 3], [2, 4]]),  # the same placements, otherwise combined
        ([[1, 2]], [[1, 2], [1, 2]]),
        ([[]], []),
        ([[0]], [[]]),
        ([[1], [2]], [[1, 2]]),
    ],
)
def test_near_misses_differ(a: Sets, b: Sets) -> None:
    assert of(a) != of(b)


def test_rows_not_chosen_do_not_count() -> None:
    fingerprint = Fingerprint(N_PLACEMENTS)
    fingerprint.add(np.array([0, 2, 3, 5]), np.array([7, 8, 9, 1, 2], np.int32), np.array([0, 2]))
    assert fingerprint.hex() == of([[7, 8], [1, 2]])


@pytest.mark.parametrize("name", ["soma", "pent-20x3", "hex-prisms", "tetrahexes-4x7", "notebook-coloured-5x5"])
def test_both_ways_to_branch_find_the_same_set(name: str) -> None:
    for which in ("all", "rotations"):
        prepared = prepare(load(name), Choices(which))
        by_size, by_order = (run(prepared, create("dlx", size=size)) for size in (True, False))
        assert by_size.digest == by_order.digest
        assert int(by_size.digest, 16) != 0


def test_a_missing_solution_shows() -> None:
    prepared = prepare(load("soma"))
    digests = {run(prepared, create("dlx"), Limits(covers=n)).digest for n in (0, 1, 2, 239, None)}
    assert len(digests) == 5
    assert "0" * 16 in digests


@pytest.mark.long
def test_memory_is_the_process_own() -> None:
    program = (
        "import json, subprocess, sys\n"
        "from latcover.system.machine import peak_memory\n"
        "block = b'x' * 400_000_000\n"
        "child = subprocess.run([sys.executable, '-P', '-m', 'latcover', 'count', 'soma', '--json'],\n"
        "                       capture_output=True, text=True, check=True)\n"
        "print(json.dumps([json.loads(child.stdout)['memory'], peak_memory()]))\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    child, own = json.loads(done.stdout)
    if child is None:
        pytest.skip("this platform does not tell")
    assert 10_000_000 < child < 300_000_000
    assert own > 400_000_000


@given(st.lists(solutions, max_size=8), st.data())
def test_covers_are_packed_with_their_members_in_order(found: Sets, data: st.DataObject) -> None:
    rows = sorted(data.draw(st.sets(st.integers(0, len(found) - 1)))) if found else []
    members = np.array([member for solution in found for member in solution], dtype=np.int32)
    kept = JudgedCovers(
        np.cumsum([0, *map(len, found)]), members, np.arange(len(found)) + 7, np.array(rows, dtype=np.intp)
    )
    packed = kept.packed()
    assert [(members.tolist(), orbit) for members, orbit in packed] == [(sorted(found[row]), row + 7) for row in rows]
    assert packed.members.dtype == np.int32
    assert len(packed.members) == packed.starts[-1]
