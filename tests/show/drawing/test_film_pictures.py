"""A film as a real browser draws it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.show.drawing import palette
from tests import chromium
from tests.command_line import DONE, run

pytestmark = pytest.mark.long
browser = chromium.browser


def test_the_outline_of_a_turned_bar_is_whole(browser: Any, tmp_path: Path) -> None:
    """Lines of parts that stand still, which it touches on both sides, do not cover it."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    out = tmp_path / "gate.html"
    assert run("show", "turning-gate", "--assembly", "--in-plane", "--output", str(out)).returncode == DONE
    page = browser.new_page(viewport={"width": 900, "height": 700}, reduced_motion="reduce")
    page.goto(out.as_uri())
    player = page.locator(".latcover-viewer")
    chromium.expect(player).to_have_attribute("data-moves", "5")
    page.keyboard.press("Home")
    page.keyboard.press(".")
    page.keyboard.press(".")
    chromium.expect(player).to_have_attribute("data-move", "2")
    page.wait_for_function(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    pixels = np.array(image.open(io.BytesIO(page.locator("canvas").screenshot())).convert("RGB")).astype(int)
    page.close()
    second = np.array(palette.copies_of(palette.colour(1), 2))
    rows, columns = np.nonzero(np.abs(pixels - second).max(axis=2) <= 3)
    top, bottom, left, right = rows.min(), rows.max(), columns.min(), columns.max()
    assert bottom - top > 1.5 * (right - left)  # it stands upright
    dark = pixels.max(axis=2) < 120
    for beside in (dark[top : bottom + 1, left - 4 : left], dark[top : bottom + 1, right + 1 : right + 5]):
        assert beside.any(axis=1).all()
