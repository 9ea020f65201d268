"""A film as a real browser draws it."""

from __future__ import annotations

import base64
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


class Saved:
    """A page with a viewer, and what one click saves of it."""

    def __init__(self, browser: Any, folder: Path, *options: str) -> None:
        out = folder / "gate.html"
        assert run("show", "turning-gate", *options, "--output", str(out)).returncode == DONE
        self.folder = folder
        self.page = browser.new_page(viewport={"width": 700, "height": 600}, reduced_motion="reduce")
        self.page.set_default_timeout(chromium.LONG)
        self.page.goto(out.as_uri())
        chromium.expect(self.page.locator(".latcover-viewer .status")).to_have_text("solution 1")

    def film(self, kind: str, suffix: str) -> Path:
        with self.page.expect_download() as saving:
            self.page.get_by_role("button", name=kind, exact=True).click()
        assert saving.value.suggested_filename == f"turning-gate.{suffix}"
        saving.value.save_as(self.folder / suffix)
        chromium.expect(self.page.locator(".saving [role=status]")).to_have_text("Saved.")
        return self.folder / suffix


def test_a_disassembly_is_saved_as_gif(browser: Any, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    saved = Saved(browser, tmp_path, "--assembly", "--in-plane")
    saved.page.keyboard.press(".")
    chromium.expect(saved.page.locator(".latcover-viewer")).to_have_attribute("data-move", "1")
    file = saved.film("GIF", "gif")
    chromium.expect(saved.page.locator(".latcover-viewer")).to_have_attribute("data-move", "1")
    saved.page.close()
    assert file.read_bytes().startswith(b"GIF89a")
    with image.open(file) as film:
        assert film.size == (480, 360)
        assert film.n_frames > 10
        pictures = []
        for k in (0, film.n_frames // 2):
            film.seek(k)
            pictures.append(np.array(film.convert("RGB")))
    assert (pictures[0] != pictures[1]).any()


def test_a_solution_that_is_built_is_saved_as_video(browser: Any, tmp_path: Path) -> None:
    saved = Saved(browser, tmp_path)
    video = saved.film("Video", "webm").read_bytes()
    assert video.startswith(b"\x1a\x45\xdf\xa3")
    assert b"webm" in video[:100]
    saved.page.goto("about:blank")  # which may show videos
    shown = saved.page.evaluate(SHOWN, base64.b64encode(video).decode())
    saved.page.close()
    assert shown[:2] == [960, 720]
    assert shown[2] > 2, "seconds"


SHOWN = """(text) => new Promise((done) => {
    const video = document.createElement("video");
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    video.onloadeddata = () => done([video.videoWidth, video.videoHeight, video.duration]);
    video.onerror = () => done([video.error.message]);
    video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
})"""
