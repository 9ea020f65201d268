"""Refutations of coronas: their clauses hold for every patch, their proofs pass a checker, spoilt ones do not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from latcover.core.cover.result import Stop
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.asking.proofs import Proof
from latcover.lab.plane import prove
from latcover.lab.plane.corona_proof_check import CoronaProofCheck
from latcover.lab.plane.coronas import Surrounder
from latcover.lab.plane.prototiles import Prototiles
from latcover.lab.plane.prove import prove_no_coronas
from latcover.lab.plane.refutation import Refutation
from tests.lab.plane.test_coronas import drawn, family
from tests.rup import refutes

CROSS = (".X..", "XXXX", ".X..", ".X..")  # 7 squares that no corona surrounds without a hole


def once_surrounded() -> Prototiles:
    """The only one of 4 kites with just one corona."""
    return next(p for p in family("kite", 4) if Surrounder(p).heesch(2).number == 1)


def lines(prototiles: Prototiles, coronas: int, *, hole_in_last: bool = False) -> list[str]:
    found = Surrounder(prototiles).refutation(coronas, hole_in_last=hole_in_last)
    assert isinstance(found, Refutation)
    return b"".join(found.text()).decode().splitlines()


def clauses(text: Iterable[str]) -> list[str]:
    return [line for line in text if not line.startswith(("c", "p"))]


@pytest.mark.parametrize(
    ("rows", "coronas", "holes"), [(CROSS, 1, False), pytest.param(CROSS, 2, True, marks=pytest.mark.long)]
)
def test_proofs_of_squares(rows: tuple[str, ...], coronas: int, holes: bool, tmp_path: Path) -> None:
    path = tmp_path / "none.drat"
    proof = prove_no_coronas(drawn(*rows), coronas, path, hole_in_last=holes)
    assert isinstance(proof, Proof)
    assert refutes(proof.clauses, proof.proof)


def test_a_second_corona_of_kites(tmp_path: Path) -> None:
    proof = prove_no_coronas(once_surrounded(), 2, tmp_path / "none.drat")
    assert isinstance(proof, Proof)
    assert refutes(proof.clauses, proof.proof)


@pytest.mark.long
def test_a_clause_that_says_too_much_is_found() -> None:
    prototiles = once_surrounded()
    text = lines(prototiles, 2)
    count = len(clauses(text))
    for k in range(0, count, max(1, count // 12)):
        clause = clauses(text)[k].split()
        if len(clause) < 3:
            continue  # nothing is left of it
        for left_out in range(len(clause) - 1):
            shorter = " ".join(word for n, word in enumerate(clause) if n != left_out)
            spoilt = [*text, shorter]
            assert CoronaProofCheck(prototiles, 2).faults(spoilt) or _still_true(prototiles, text, shorter), shorter


def test_a_cell_may_be_covered_by_any_tile_of_any_corona() -> None:
    prototiles = once_surrounded()
    text = lines(prototiles, 2)
    corona = {int(line.split()[2]): int(line.split()[3]) for line in text if line.startswith("c place")}
    rows = [[int(word) for word in line.split()][:-1] for line in clauses(text)]
    clause = next(row for row in rows if {corona.get(literal) for literal in row[1:]} == {1, 2})
    for literal in clause[1:]:
        shorter = " ".join(str(each) for each in clause if each != literal)
        assert CoronaProofCheck(prototiles, 2).faults([*text, f"{shorter} 0"])


def test_tiles_that_enclose_nothing_demand_nothing() -> None:
    text = lines(drawn(*CROSS), 1)
    words = [line.split() for line in text if line.startswith("c ")]
    places = [(word[2], set(word[4:])) for word in words if word[1] == "place" and word[3] == "1"]
    one, own = places[0]
    other, theirs = next(each for each in places if not each[1] & own)
    cell = next(word[2] for word in words if word[1] == "covered" and word[3] == "1" and word[4] not in own | theirs)
    assert CoronaProofCheck(drawn(*CROSS), 1).faults([*text, f"-{one} -{other} {cell} 0"])


def _still_true(prototiles: Prototiles, text: list[str], clause: str) -> bool:
    """Whether each patch with two coronas would satisfy a clause: the clauses without it imply it by propagation."""
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    with Solver(name="minisat22") as solver:
        for line in clauses(text):
            solver.add_clause([int(word) for word in line.split()][:-1])
        consistent, _ = solver.propagate([-int(word) for word in clause.split()][:-1])
    return not consistent


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("-1 0", "does not hold"),
        ("0", "does not hold"),
        ("999999 0", "does not hold"),
        ("c place 1 1 0,0,0", "names a variable twice"),
        ("c place 999999 7 0,0,0", "no corona"),
    ],
)
def test_spoilt_files_are_found(line: str, fault: str) -> None:
    text = [*lines(drawn(*CROSS), 1), line]
    assert any(fault in found for found in CoronaProofCheck(drawn(*CROSS), 1).faults(text))


def test_the_claim_matters() -> None:
    """The same clauses do not show that a hole in the last corona changes nothing."""
    text = lines(drawn(*CROSS), 1)
    assert CoronaProofCheck(drawn(*CROSS), 1, hole_in_last=True).faults(text)


def test_what_has_coronas_has_no_proof(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="has 1 coronas"):
        prove_no_coronas(drawn("XX"), 1, tmp_path / "none.drat")
    assert not list(tmp_path.iterdir())


def test_a_proof_can_be_stopped(tmp_path: Path) -> None:
    assert prove_no_coronas(drawn(*CROSS), 1, tmp_path / "none.drat", seconds=0) is Stop.TIME_LIMIT
    stopped = prove_no_coronas(drawn(*CROSS), 1, tmp_path / "none.drat", on_progress=lambda _: False)
    assert stopped is Stop.CANCELLED
    assert not list(tmp_path.iterdir())


def test_wrong_clauses_do_not_leave_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove.CoronaProofCheck, "faults", lambda *_: ["made up"])
    with pytest.raises(InternalError, match="made up"):
        prove_no_coronas(drawn(*CROSS), 1, tmp_path / "none.drat")
