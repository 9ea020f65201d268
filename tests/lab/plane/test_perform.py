"""Answers about the plane: each kind, the bounds that are said, and what is refused."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from latcover.core.cover.events import Events
from latcover.core.cover.result import Stop
from latcover.core.model.lattice import ROTATIONS
from latcover.core.model.puzzle import Part
from latcover.errors import DamagedRunError, InputError, LatcoverError, RunFileError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.piece_sets import Family, pieces
from latcover.lab.plane import plane_family as family
from latcover.lab.plane.orbits import with_classes
from latcover.lab.plane.plane_answer import PlaneAnswer, Verdict
from latcover.lab.plane.plane_family import Classification, FamilyRequest
from latcover.lab.plane.plane_record import answer_as_text, answer_in, checked
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import as_prototiles, plane
from latcover.lab.plane.summary import FamilySummary
from latcover.lab.plane.tiling_group import check_tiling
from tests.lab.plane.corona_oracle import CoronaOracle
from tests.ledgers import records_of, sealed


def test_the_four_answers() -> None:
    cross = plane("pentominoes:X")
    assert (cross.verdict, cross.classes, cross.group) == (Verdict.ISOHEDRAL, 1, "p4")
    ring = plane("XXX/X.X/XXX")
    assert ring.verdict is Verdict.NONE
    assert ring.heesch
    assert (ring.heesch.number, ring.heesch.exact) == (0, True)
    hat = plane("hats:hat", coronas=1, area=48, classes=2)
    assert hat.verdict is Verdict.UNKNOWN
    assert hat.heesch
    assert (hat.heesch.number, hat.heesch.exact, hat.excluded, hat.searched) == (1, False, 2, 48)
    assert [hat.as_data()[key] for key in ("answer", "heesch")] == ["unknown", 1]


def test_as_many_coronas_are_tried_as_are_asked_for_when_few_classes_are_soon_excluded() -> None:
    hat = plane("hats:hat", coronas=3, area=8, classes=1, holes=False)
    assert hat.heesch
    assert (hat.heesch.number, hat.heesch.exact) == (3, False)


def test_tori_find_what_has_more_classes_than_asked_for() -> None:
    """This shape of 8 squares has a tiling of two classes, and none of one."""
    lattice = load_lattice("square")
    every = [as_prototiles(shape) for shape in pieces(lattice, 8, Family(holes=False)).parts]
    left = [each for each in every if not with_classes(each, 1).tiling]
    periodic = next(each for each in left if with_classes(each, 2).tiling)
    exact = plane(periodic)
    assert (exact.classes, exact.classes_exact, exact.excluded) == (2, True, 1)
    by_tori = plane(periodic, classes=1, coronas=1)
    assert by_tori.verdict is Verdict.PERIODIC
    assert by_tori.classes
    assert by_tori.classes >= 2
    assert by_tori.classes_exact is (by_tori.classes == 2)


def test_time_and_cancelling_are_said() -> None:
    assert plane("hats:hat", seconds=0).stop is Stop.TIME_LIMIT

    class No(Events):
        def on_progress(self, progress: object) -> bool:
            return False

    answer = plane("hats:hat", PlaneRequest(), No())
    assert (answer.verdict, answer.stop) == (Verdict.UNKNOWN, Stop.CANCELLED)


@pytest.mark.parametrize("stage", ["looking for tilings with 1 class", "surrounding the shape", "searching tori"])
def test_whoever_cancels_in_any_stage_hears_that_it_was_cancelled(stage: str) -> None:
    class Until(Events):
        reached = False

        def on_stage(self, name: str, *_: object) -> None:
            self.reached |= name == stage

        def on_progress(self, progress: object) -> bool:
            return not self.reached

    events = Until()
    answer = plane("hats:hat", PlaneRequest(coronas=1, classes=1), events)
    assert (events.reached, answer.verdict, answer.stop) == (True, Verdict.UNKNOWN, Stop.CANCELLED)


def test_nothing_of_a_search_is_left_without_the_collector() -> None:
    """A family would keep the memory of each shape, and native objects that outlive Python are complained of."""
    events = Events()
    left = weakref.ref(events)
    gc.disable()
    try:
        plane(".X../XXXX/.X../.X..", PlaneRequest(), events)
        del events
        assert left() is None
    finally:
        gc.enable()


def test_a_cancelled_family_says_so() -> None:
    """Also if it is cancelled within a shape, whose answer is then left out."""

    class Times(Events):
        def __init__(self, times: int) -> None:
            self.left = times

        def on_progress(self, progress: object) -> bool:
            self.left -= 1
            return self.left >= 0

    request = FamilyRequest(lattice="kite", cells=2)
    whole = [member.answer for member in Classification(request)]
    for times in range(12):
        every = Classification(request, events=Times(times))
        found = [member.answer for member in every]
        assert (len(found) < len(whole), every.stop) == (True, Stop.CANCELLED)
        assert [answer.as_data() for answer in found] == [answer.as_data() for answer in whole[: len(found)]]


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        (["pentominoes:X", "kite-2:1"], "take one lattice"),
        (7, "takes parts"),
        (Part("loose", [(0, 0)]), "has no lattice"),
        ([], "no shape"),
    ],
)
def test_wrong_shapes_are_refused(shapes: object, said: str) -> None:
    with pytest.raises(LatcoverError, match=said):
        plane(shapes)


def test_wrong_fields_are_refused() -> None:
    for fields in ({"colour": 1}, {"classes": 0}):
        with pytest.raises(LatcoverError, match="fields are those of PlaneRequest"):
            plane("pentominoes:X", **fields)


# ---- families


def figures(lattice: str, cells: int, run: Path | None = None, **more: object) -> dict[str, object]:
    every = Classification(FamilyRequest(lattice=lattice, cells=cells, **more), run)
    found = FamilySummary.of(member.answer for member in every).as_data()
    assert every.stop is Stop.EXHAUSTED
    return found


@pytest.mark.parametrize(
    ("lattice", "cells", "isohedral", "periodic", "heesch"),
    [
        ("kite", 4, 4, 1, [4, 1]),
        pytest.param("square", 6, 35, 0, [], marks=pytest.mark.long),
        pytest.param("square", 7, 104, 0, [1, 2], marks=pytest.mark.long),
        pytest.param("square", 8, 342, 1, [6, 14], marks=pytest.mark.long),
        pytest.param("square", 9, 1041, 9, [75, 122, 1], marks=pytest.mark.long),
        pytest.param("hexagonal", 5, 22, 0, [], marks=pytest.mark.long),
        pytest.param("hexagonal", 6, 76, 1, [0, 3, 1], marks=pytest.mark.long),
        pytest.param("triangular", 8, 66, 0, [], marks=pytest.mark.long),
        pytest.param("triangular", 9, 133, 6, [11, 9], marks=pytest.mark.long),
        pytest.param("kite", 6, 70, 1, [12, 1], marks=pytest.mark.long),
    ],
)
def test_published_tables(lattice: str, cells: int, isohedral: int, periodic: int, heesch: list[int]) -> None:
    found = figures(lattice, cells)
    assert [found[key] for key in ("isohedral", "periodic", "unknown", "heesch")] == [isohedral, periodic, 0, heesch]


def test_workers_give_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    here = [answer_as_text(member.answer) for member in Classification(FamilyRequest(lattice="kite", cells=2))]
    monkeypatch.setattr(family, "FEW_CELLS", 0)
    monkeypatch.setattr(family, "plane", None)  # only workers call it
    every = Classification(FamilyRequest(lattice="kite", cells=2, processes=2))
    assert [answer_as_text(member.answer) for member in every] == here


@pytest.mark.long
def test_one_sided_shapes_are_counted_with_both_hands() -> None:
    """The 7 one-sided tetrominoes all tile, each without being turned over."""
    assert figures("square", 4, one_sided=True, processes=1)["isohedral"] == 7


def _images(shape: Part, *, reflected: bool) -> frozenset[frozenset[complex]]:
    """The shape turned, and perhaps reflected, on the Gaussian integers, each image moved to the corner."""
    points = [complex(x, y) for _, x, y in shape.cells.tolist()]
    hands = [points, [point.conjugate() for point in points]] if reflected else [points]
    found = set()
    for turned in ([1j**k * point for point in hand] for hand in hands for k in range(4)):
        corner = complex(min(point.real for point in turned), min(point.imag for point in turned))
        found.add(frozenset(point - corner for point in turned))
    return frozenset(found)


@pytest.mark.long
def test_one_sided_shapes_of_seven_squares_agree_with_the_two_sided_row() -> None:
    """What tiles without being turned over shows a tiling; the rest tiles in no way, or brute force denies a corona."""
    two_sided = {
        _images(member.shape, reflected=True): (member.answer, member.shape)
        for member in Classification(FamilyRequest(lattice="square", cells=7))
    }
    own = {
        _images(member.shape, reflected=False): (member.answer, member.shape)
        for member in Classification(FamilyRequest(lattice="square", cells=7, one_sided=True))
    }
    hands = [len(key) // len(_images(shape, reflected=False)) for key, (_, shape) in two_sided.items()]
    assert (len(two_sided), len(own)) == (107, sum(hands))
    only_turned_over = 0
    for answer, shape in own.values():
        assert shape.lattice
        whole = _images(shape, reflected=True)
        if two_sided[whole][0].verdict is Verdict.NONE:
            assert answer.verdict is Verdict.NONE
        elif answer.verdict is Verdict.NONE:  # this tiles only if it may be turned over
            assert answer.heesch
            turned = as_prototiles(replace(shape, transformations=shape.lattice.allowed(ROTATIONS)))
            assert CoronaOracle(turned).number(answer.heesch.number + 1) == answer.heesch.number
            only_turned_over += 1
        (mirrored, _) = own.get(whole - _images(shape, reflected=False), (answer, shape))
        assert (mirrored.verdict, mirrored.classes) == (answer.verdict, answer.classes)
        if answer.tiling is not None:
            check_tiling(answer.tiling)
            assert all(answer.tiling.prototiles.lattice.transformations[t.turn].proper for t in answer.tiling.tiles)
    verdicts = Counter(answer.verdict for answer, _ in own.values())
    assert verdicts == {Verdict.ISOHEDRAL: 187, Verdict.PERIODIC: 2, Verdict.NONE: 6}
    assert only_turned_over == 2


@pytest.mark.long
def test_a_run_goes_on_where_it_was_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "kites.jsonl"
    whole = figures("kite", 4, run)
    lines = run.read_bytes().splitlines(keepends=True)
    assert len(lines) == 13  # with the kind, the head and the end
    run.write_bytes(b"".join(lines[:6]) + lines[6][:20])  # as after a crash
    assert Classification(FamilyRequest(lattice="kite", cells=4), run).left == 6
    assert figures("kite", 4, run) == whole
    monkeypatch.setattr(family, "plane", None)  # nothing is left to do
    assert figures("kite", 4, run) == whole
    with pytest.raises(RunFileError, match="the cells 4, not 3"):
        figures("kite", 3, run)


@pytest.mark.long
def test_what_a_file_says_is_checked(tmp_path: Path) -> None:
    run = tmp_path / "kites.jsonl"
    figures("kite", 2, run)
    text = b"\n".join(records_of(run)).decode()
    for old, new, said in (
        ('"group":"', '"group":"p6m or ', "another group"),
        ('"verdict":"isohedral"', '"verdict":"none"', "denies"),
        ('"coronas":[0]', '"coronas":[7]', "patch"),
    ):
        assert old in text
        sealed(run, text.replace(old, new).encode().splitlines())
        with pytest.raises(DamagedRunError, match=said):
            figures("kite", 2, run)
    sealed(run, text.replace('"number":1', '"number":99').encode().splitlines())
    with pytest.raises(DamagedRunError, match="line 4 does not hold what belongs there"):
        figures("kite", 2, run)


@pytest.mark.parametrize("shape", ["pentominoes:X", "XXX/X.X/XXX"])
def test_records_keep_answers(shape: str) -> None:
    prototiles = as_prototiles(shape)
    answer = plane(prototiles)
    again = answer_in(answer_as_text(answer), prototiles)
    assert (again.tiling, again.heesch) == (answer.tiling, answer.heesch)
    assert again.as_data() == answer.as_data()
    assert checked(again) is again


def test_an_answer_may_not_say_what_its_tiling_does_not_show() -> None:
    cross, ring = plane("pentominoes:X"), plane("XXX/X.X/XXX")
    assert ring.heesch
    for false, said in (
        (replace(cross, group="p6m"), "another group"),
        (replace(cross, classes=2), "other classes"),
        (replace(cross, verdict=Verdict.NONE), "denies"),
        (replace(ring, verdict=Verdict.PERIODIC), "does not show"),
        (replace(ring, heesch=replace(ring.heesch, number=7)), "invalid patch"),
    ):
        with pytest.raises(InputError, match=said):
            checked(false)


def test_a_summary_counts_classes_and_reaches() -> None:
    answers = [
        PlaneAnswer(Verdict.ISOHEDRAL, classes=1),
        PlaneAnswer(Verdict.PERIODIC, classes=2),
        PlaneAnswer(Verdict.PERIODIC, classes=4),
        PlaneAnswer(Verdict.UNKNOWN),
    ]
    found = FamilySummary.of(answers)
    assert found.as_data() == {
        "shapes": 4, "isohedral": 1, "periodic": 2, "none": 0, "unknown": 1, "heesch": [], "heesch_with_hole": [],
    }  # fmt: skip
    assert "2 (1 with 2, 1 with 4 classes)" in found.lines("these")[1]
