"""Refutations of common regions: their clauses hold for every region, their proofs pass a checker, no spoilt ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from pysat.solvers import Solver  # type: ignore[import-untyped]

from latcover.core.cover.clause_lines import literals_in
from latcover.core.cover.result import Stop
from latcover.errors import InternalError, UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.named_shapes import set_named, shape_named
from latcover.lab.asking.proofs import Proof
from latcover.lab.exploring import region_proofs
from latcover.lab.exploring.layers import Layers, layers_given
from latcover.lab.exploring.region_faults import cut_off
from latcover.lab.exploring.region_formula import Cut, RegionFormula
from latcover.lab.exploring.region_proof_check import NoRegion, RegionProofCheck
from latcover.lab.exploring.region_proofs import claim_in_words, prove_no_region
from tests.command_line import USAGE, run
from tests.rup import refutes

SHAPES = ("square-2:1", "pentominoes:X")  # whose smallest region has 20 cells
CORNERS = ("square-2:1", "trominoes:V")  # 6 cells; so many tiles cover a cell that bits number them


def layers_of(*names: str, apart: bool = False) -> Layers:
    given: list[object] = [shape_named(name) if ":" in name else set_named(name) for name in names]
    return Layers(layers_given("a test", given), apart=apart)


def claim_of(layers: Layers, area: int, *, holes: bool = True) -> NoRegion:
    return NoRegion(tuple(layer.shapes for layer in layers.layers), area, layers.apart, holes)


def proved(layers: Layers, area: int, folder: Path, *, holes: bool = True) -> Proof:
    found = prove_no_region(layers, area, folder / "none.drat", holes=holes)
    assert isinstance(found, Proof)
    return found


def text_of(layers: Layers, area: int) -> list[str]:
    """The lines of a file, whether or not there is a region."""
    every = list[list[int]]()
    formula = RegionFormula(layers, region_proofs.wanted_for(layers, area), every.extend)
    names = [f"c {line}" for line in region_proofs.names_of(formula)]
    return [*names, *(" ".join(map(str, [*clause, 0])) for clause in every)]


def lines(layers: Layers, area: int, folder: Path) -> list[str]:
    return proved(layers, area, folder).clauses.read_text("ascii").splitlines()


@pytest.mark.parametrize(
    ("names", "area"),
    [
        (SHAPES, 10),
        (("tetrominoes:S", "tetrominoes:L"), 4),
        (("tetriamonds:C", "tetriamonds:I"), 4),
        (("trihexes:A", "trihexes:I"), 3),
        (("tetracubes:L", "tetracubes:T"), 4),
    ],
)
def test_proofs_on_several_lattices(names: tuple[str, ...], area: int, tmp_path: Path) -> None:
    proof = proved(layers_of(*names), area, tmp_path)
    assert refutes(proof.clauses, proof.proof)


def test_drat_trim_accepts_them(tmp_path: Path) -> None:
    if shutil.which("drat-trim") is None:
        pytest.skip("drat-trim is not installed")
    proof = proved(layers_of(*SHAPES), 10, tmp_path)
    done = subprocess.run(["drat-trim", proof.clauses, proof.proof], capture_output=True, text=True, check=False)
    assert "s VERIFIED" in done.stdout


def test_a_galvagni_figure(tmp_path: Path) -> None:
    """Five cells are filled only by the same tile twice; without the clauses that forbid this there is no proof."""
    proof = proved(layers_of("pentominoes:P", "pentominoes:P", apart=True), 5, tmp_path)
    assert refutes(proof.clauses, proof.proof)
    with pytest.raises(InternalError, match="another one satisfies"):
        prove_no_region(layers_of("pentominoes:P", "pentominoes:P"), 5, tmp_path / "other.drat")


@pytest.mark.long
@pytest.mark.parametrize(("names", "area"), [(("trihexes", "trihexes:A"), 9), (("tetriamonds", "tetriamonds:C"), 12)])
def test_a_set_whose_pieces_are_cut_off(names: tuple[str, str], area: int, tmp_path: Path) -> None:
    layers = layers_of(*names)
    proof = proved(layers, area, tmp_path)
    assert refutes(proof.clauses, proof.proof)
    assert not RegionProofCheck(claim_of(layers, area)).faults(proof.clauses.read_text("ascii").splitlines())


def test_a_hole_is_forbidden_only_if_none_may_be_there() -> None:
    layers = layers_of("square-2:1", "tetrominoes:O")
    every = list[list[int]]()
    formula = RegionFormula(layers, region_proofs.wanted_for(layers, 8), every.extend)
    ring = {(0, x, y) for x in range(3) for y in range(3)} - {(0, 1, 1)}
    names = [f"c {line}" for line in region_proofs.names_of(formula)]
    ringed = formula.without(Cut(frozenset(ring), frozenset({(0, 1, 1)})))
    open_ = formula.without(Cut(frozenset(ring - {(0, 1, 2)}), frozenset({(0, 1, 1)})))
    for clause, holes, sound in ((ringed, False, True), (ringed, True, False), (open_, False, False)):
        check = RegionProofCheck(claim_of(layers, 8, holes=holes))
        assert bool(check.faults([*names, " ".join(map(str, [*clause, 0]))])) is not sound


@pytest.mark.parametrize(
    ("names", "sound"), [(("trominoes", "tetrominoes:O"), True), (("square-2:1", "tetrominoes:O"), False)]
)
def test_a_piece_is_cut_off_only_if_it_is_no_region(names: tuple[str, str], sound: bool) -> None:
    """A square of four cells is none if both trominoes are to fill it."""
    layers = layers_of(*names)
    every = list[list[int]]()
    formula = RegionFormula(layers, region_proofs.wanted_for(layers, 12), every.extend)
    cut = cut_off({(0, x, y) for x in range(2) for y in range(2)}, load_lattice("square"))
    lines = [f"c {line}" for line in region_proofs.names_of(formula)]
    lines.append(" ".join(map(str, [*formula.without(cut), 0])))
    assert bool(RegionProofCheck(claim_of(layers, 12)).faults(lines)) is not sound


def test_clauses_of_a_region_that_exists() -> None:
    """Its clauses hold, and none that is accepted with a literal less excludes it."""
    layers = layers_of(*CORNERS)
    claim, every = claim_of(layers, 6), list[list[int]]()
    formula = RegionFormula(layers, region_proofs.wanted_for(layers, 6), every.extend)
    text = text_of(layers, 6)
    tiles = [variable for shapes in formula.tiles for own in shapes for variable in own.variables.tolist()]
    with Solver(name="minisat22", bootstrap_with=every) as solver:
        models = []
        while solver.solve():
            model = {*solver.get_model()}
            models.append([variable if variable in model else -variable for variable in tiles])
            solver.add_clause([-literal for literal in models[-1]])
    assert len(models) > 3
    kept, check = 0, RegionProofCheck(claim)
    assert not check.faults(text)
    for number, clause in enumerate(every):
        for left_out in clause[number % len(clause) :: 7]:
            shorter = [literal for literal in clause if literal != left_out]
            if check.faults([" ".join(map(str, [*shorter, 0]))]):
                continue
            kept += 1
            with Solver(name="minisat22", bootstrap_with=[*every, shorter]) as solver:
                assert all(solver.solve(assumptions=model) for model in models), shorter
    assert kept < len(every) / 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c cell 1 ", "c cell 2 "),  # two meanings of a variable
        ("c count", "c remark"),  # variables without a meaning
        ("c bit", "c remark"),
        ("c counted", "c remark"),
        ("c least", "c cell"),
    ],
)
def test_names_that_are_wrong(old: str, new: str) -> None:
    layers = layers_of(*CORNERS)
    text = text_of(layers, 6)
    check = RegionProofCheck(claim_of(layers, 6))
    assert not check.faults(text)
    assert RegionProofCheck(claim_of(layers, 6)).faults([line.replace(old, new) for line in text])


def test_a_literal_that_is_repeated_counts_once() -> None:
    """Two tiles of five cells fill 10: three copies of one literal are no three tiles."""
    layers = layers_of(*SHAPES)
    text = text_of(layers, 10)
    one = next(line.split()[2] for line in text if line.startswith("c counted"))
    check = RegionProofCheck(claim_of(layers, 10))
    assert not check.faults(text)
    assert check.faults([f"-{one} -{one} -{one} 0"])


@pytest.mark.parametrize(
    "line", ["1 0 2 0", "0 1 0", "1 2", "1 0 0", "+1 2 0", "01 2 0", "1_0 2 0", "1 x 0", "1  2 0", "٣ 0", "0", "--1 0"]
)
def test_a_line_that_is_not_one_clause(line: str) -> None:
    """Another program might read something else there."""
    assert literals_in(line) == []
    assert RegionProofCheck(claim_of(layers_of(*SHAPES), 10)).faults(["c cell 1 0,0,0", "c cell 2 0,0,1", line])


@pytest.mark.parametrize("name", ["c cell 0 0,0,0", "c cell -1 0,0,0"])
def test_only_numbers_from_1_on_are_variables(name: str) -> None:
    assert RegionProofCheck(claim_of(layers_of(*SHAPES), 10)).faults([name])


@pytest.mark.parametrize("area", [15, 20])
def test_a_window_or_a_number_too_small_for_the_claim(area: int, tmp_path: Path) -> None:
    """The clauses of 10 cells prove nothing of more: they leave out cells, and count too few tiles."""
    layers = layers_of(*SHAPES)
    assert RegionProofCheck(claim_of(layers, area)).faults(lines(layers, 10, tmp_path))


def test_tiles_that_say_different_things_of_a_bit_must_meet() -> None:
    layers = layers_of(*CORNERS)
    text = text_of(layers, 6)
    bit = next(line.split()[2] for line in text if line.startswith("c bit") and line.endswith(" 1"))
    told = {clause[0] for clause in map(str.split, text) if bit in clause[1:2] or f"-{bit}" in clause[1:2]}
    other = next(f"-{words[2]}" for words in map(str.split, text) if words[:2] == ["c", "tile"]
                 and words[3] == "1" and f"-{words[2]}" not in told)  # fmt: skip
    assert RegionProofCheck(claim_of(layers, 6)).faults([*text, f"{other} {bit} 0"])
    first = min(told)
    twice = [f"{first} {bit} 0", f"{first} -{bit} 0"]
    assert RegionProofCheck(claim_of(layers, 6)).faults([*text, *twice])


def test_a_clause_too_many_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = RegionFormula.without
    monkeypatch.setattr(region_proofs, "_cuts", lambda *_: [None])
    monkeypatch.setattr(RegionFormula, "without", lambda self, cut: honest(self, cut) if cut else [-1])
    with pytest.raises(InternalError, match="does not hold for every region"):
        prove_no_region(layers_of(*SHAPES), 10, tmp_path / "none.drat", holes=False)
    assert not list(tmp_path.iterdir())


def test_what_is_not_proved_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="different sizes"):
        prove_no_region(Layers(layers_given("a test", set_named("polyominoes:2-3"))), 10, tmp_path / "none.drat")
    with pytest.raises(UnsupportedError, match="there is a region of 6 cells"):
        prove_no_region(layers_of("trominoes", "square-2:1"), 6, tmp_path / "none.drat")
    found = prove_no_region(layers_of(*SHAPES), 10, tmp_path / "none.drat", seconds=0)
    assert found is Stop.TIME_LIMIT
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_proof(tmp_path: Path) -> None:
    path = tmp_path / "none.drat"
    done = run("common", *SHAPES, "--proof", str(path))
    claim = "no region of 10 cells or fewer is filled by each of 1, X"
    assert f"proved: {claim}; wrote {path.with_suffix('.cnf')} and {path}" in done.stderr
    assert path.with_suffix(".cnf").read_text("ascii").startswith(f"c {claim}\n")
    assert refutes(path.with_suffix(".cnf"), path)


def test_the_command_says_that_nothing_is_to_be_proved(tmp_path: Path) -> None:
    done = run("common", "trominoes:I", "square-2:1", "--proof", str(tmp_path / "none.drat"))
    assert "nothing to prove" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("other", [("--table",), ("--symmetric", "2"), ("--no-prove",), ("--no-connected",)])
def test_options_that_exclude_a_proof(other: tuple[str, ...], tmp_path: Path) -> None:
    done = run("common", *SHAPES, "--proof", tmp_path / "p.drat", *other)
    assert done.returncode == USAGE
    assert "exclude each other" in done.stderr


def test_a_claim_says_all_that_it_is_about() -> None:
    sets, twice = layers_of("trominoes", "tetrominoes"), layers_of("pentominoes:P", "pentominoes:P", apart=True)
    assert claim_in_words(sets, 12, holes=False) == (
        "no connected region without holes of 12 cells or fewer is filled by each of trominoes, tetrominoes"
    )
    assert claim_in_words(twice, 5) == "no region of 5 cells or fewer is filled by P in two ways with no tile in common"
