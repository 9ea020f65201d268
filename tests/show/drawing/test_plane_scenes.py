"""Pictures of patches and of periodic tilings: every tile is drawn once, in the colour of its corona or class."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part
from latcover.files.formats.library import load_lattice
from latcover.lab.plane.coronas import heesch
from latcover.lab.plane.plane_answer import Heesch, PlaneAnswer, Verdict
from latcover.lab.plane.prototiles import Patch, PeriodicTiling, Prototiles, Tile
from latcover.show.drawing.palette import luminance
from latcover.show.drawing.paper.papers import paper
from latcover.show.drawing.scenes.plane_scenes import CORONAS, of_patch, of_tiling
from latcover.show.reporting.plane_pictures import Answered, by_answer, family_page, in_words, picture, poster

SQUARE = load_lattice("square")


def hooks() -> Prototiles:
    return Prototiles(SQUARE, (Part("hook", "XX\nX.\nX.", lattice=SQUARE),))


def rows_of_dominoes() -> PeriodicTiling:
    """A skewed torus of two lying dominoes."""
    domino = Part("domino", [(0, 0), (0, 1)], lattice=SQUARE)
    tiles = (Tile(0, 0, (0, 0)), Tile(0, 0, (1, 1)))
    return PeriodicTiling(Prototiles(SQUARE, (domino,)), Period(2, ((2, 0), (0, 2))), tiles)


def answers() -> list[Answered]:
    tiling, patch = rows_of_dominoes(), Patch(hooks(), (Tile(0, 0, (0, 0)),), (0,))
    return [
        Answered(patch.prototiles, PlaneAnswer(Verdict.NONE, heesch=Heesch(0, patch, with_hole=1))),
        Answered(patch.prototiles, PlaneAnswer(Verdict.UNKNOWN, heesch=Heesch(3, patch, exact=False))),
        Answered(patch.prototiles, PlaneAnswer(Verdict.UNKNOWN)),
        Answered(tiling.prototiles, PlaneAnswer(Verdict.ISOHEDRAL, tiling, 1, group="cmm")),
        Answered(tiling.prototiles, PlaneAnswer(Verdict.PERIODIC, tiling, 3, False, "p2")),
    ]


def test_a_patch_is_coloured_by_distance() -> None:
    patch = heesch(hooks(), 2).patch
    scene = of_patch(patch, "hook")
    assert [item.colour for item in scene.items] == list(patch.coronas)
    assert {item.name for item in scene.items} == {"middle", "corona 1", "corona 2"}
    assert scene.items[0].paint == CORONAS[0]
    proper = [SQUARE.transformations[tile.turn].proper for tile in patch.tiles]
    of_one = {
        luminance(item.rgb) for item, own, c in zip(scene.items, proper, patch.coronas, strict=True) if own and c == 1
    }
    assert len(of_one) == 1


def test_a_tiling_shows_one_period_among_many_tiles() -> None:
    tiling = rows_of_dominoes()
    scene = of_tiling(tiling, (0, 1), "dominoes", tiles=50)
    cells = [tuple(cell) for item in scene.items for cell in item.cells.tolist()]
    assert len(set(cells)) == len(cells)
    assert 40 <= len(scene.items) <= 60
    assert Counter(item.name for item in scene.items).keys() == {"class 1", "class 2"}
    by_shade = Counter(item.rgb for item in scene.items)
    assert sorted(by_shade.values())[:2] == [1, 1]  # the period in the middle
    assert len(by_shade) == 4


def test_coronas_next_to_each_other_look_different() -> None:
    assert all(sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 60 for one, other in pairwise(CORONAS))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "does not tile; 0 coronas, 1 with a hole"),
        (1, "not known; 3 coronas at least"),
        (2, "not known"),
        (3, "tiles, 1 class, cmm"),
        (4, "tiles, 3 classes at most, p2"),
    ],
)
def test_answers_in_words_and_pictures(number: int, words: str) -> None:
    answered = answers()[number]
    assert in_words(answered.answer) == words
    assert words in picture(answered)


def test_a_family_on_a_page_and_on_a_poster() -> None:
    family = answers()
    ordered = [in_words(each.answer) for each in by_answer(family)]
    assert ordered[0].startswith("does not tile")
    assert ordered[-1] == "tiles, 1 class, cmm"
    (sheet,) = poster("Five", "what they do", family, paper("A4"))
    for text in (family_page("Five", family), sheet):
        assert all(words.split(",")[0] in text for words in ordered)
