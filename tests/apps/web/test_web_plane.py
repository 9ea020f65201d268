"""The page "Plane": what a drawn shape does, as it is found out."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from latcover.apps.web.catalogue import catalogue
from latcover.apps.web.settings import Settings
from latcover.core.model.puzzle import Part
from latcover.errors import LatcoverError
from latcover.files.formats import library
from latcover.files.formats.source import names
from latcover.lab.plane.prototiles import Prototiles
from tests import web_browser as app
from tests.web_jobs import answer_to

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect = app.LONG, app.expect
C_OF_SIX = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 2, 0], [0, 2, 1], [0, 2, 2]]


def asked(**more: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    job = {"task": "plane", "lattice": "square", "cells": C_OF_SIX, **more}
    return answer_to(job)


def test_pictures_come_as_they_are_found() -> None:
    answer, events = asked()
    assert (answer["summary"]["answer"], answer["summary"]["group"]) == ("isohedral", "p2")
    assert [picture[:4] for event in events for picture in event.get("pictures", ())] == ["<svg"]
    answer, _ = answer_to({"task": "plane", "lattice": "kite", "cells": [[0, 0, 0]]}, stopped=True)
    assert answer["summary"]["answer"] == "isohedral"  # found before the first look


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"lattice": "squares"}, "shipped"),
        ({"lattice": "cubic"}, "is the number of a node"),
        ({"lattice": "polystick"}, "do not fill the plane"),
        ({"cells": [[1, 0, 0]]}, "below 1"),
        ({"cells": [[0, 0]]}, "coordinates"),
        ({"cells": [[0, 0, 0], [0, 5, 5]]}, "is not connected"),
        ({"cells": []}, "cells"),
    ],
)
def test_what_is_no_shape_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(LatcoverError, match=said):
        asked(**more)


def test_lattices_that_fill_the_plane_are_offered() -> None:
    offered = {each.name for each in catalogue(Settings()).lattices if each.plane}

    def fills(name: str) -> bool:
        lattice = library.load_lattice(name)
        try:
            Prototiles(lattice, (Part("cell", np.zeros((1, lattice.dimension + 1), np.int32), lattice=lattice),))
        except LatcoverError:
            return False
        return True

    assert offered == set(filter(fills, names("lattices")))


@pytest.mark.long
def test_a_drawn_shape_is_answered_and_a_change_asks_anew(page: Any) -> None:
    page.evaluate("location.hash = '#start'")
    page.get_by_role("link", name="whether it tiles the plane").click()
    cell = page.locator("#plane .cell")
    expect(cell.first).to_be_visible(timeout=LONG)
    expect(page.locator("#plane .run")).to_be_hidden()
    cell.nth(cell.count() // 2).click()
    answer, picture = page.locator("#plane .status"), page.locator("#plane .found img")
    expect(answer).to_have_text("This shape tiles the plane isohedrally; a tiling with group p4m", timeout=LONG)
    expect(picture).to_be_visible()
    assert page.evaluate("document.querySelector('#plane img').decode().then(() => true)")
    assert re.search("#plane/square/0%2C", page.url)
    page.evaluate("location.hash = '#plane/square/0,0,1 0,1,0 0,1,1 0,1,2 0,1,3 0,2,1 0,3,1'")
    expect(answer).to_have_text("This shape does not tile the plane", timeout=LONG)
    expect(page.locator("#plane .found")).to_contain_text("with holes in the last corona: 1")
    page.get_by_role("button", name="Clear").click()
    expect(picture).to_be_hidden()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator("#plane")).to_be_hidden()
