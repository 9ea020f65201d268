"""Files that are opened in the app, and those that it saves, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from latcover.files.formats import source
from tests import web_browser as app
from tests.web_browser import LONG, expect, options, pick, saving, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page


@pytest.mark.long
def test_a_bad_file_is_explained_and_a_good_one_read(page: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "<img src=x onerror=alert(1)>"\nlattice = "sqare"\n[region]\nart = ["X"]\n')
    page.set_input_files("#upload", Path(str(source.find("sets", "pentominoes"))))
    expect(page.locator("#fault")).to_contain_text("a set of parts, not a puzzle", timeout=LONG)
    page.set_input_files("#upload", bad)
    expect(page.locator("#fault")).to_contain_text("did you mean 'square'", timeout=LONG)
    expect(page.locator("#fault")).to_contain_text("bad.toml:2")
    good = tmp_path / "good.toml"
    text = 'name = "<b>bold</b>"\nlattice = "square"\n[region]\nbox = [2, 2]\n[[parts]]\nname = "<i>d</i>"\ncount = 2\n'
    good.write_text(text + 'art = ["XX"]\n')
    page.set_input_files("#upload", good)
    expect(page.locator("#title")).to_have_text("<b>bold</b>", timeout=LONG)
    expect(page.locator("#fault")).to_be_hidden()
    assert page.locator("#puzzle i").count() == 0


@pytest.mark.long
def test_files_are_taken_away(page: Any) -> None:
    pick(page, "soma")
    saving(page)
    page.get_by_label("format").select_option("dlx")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert Path(download.value.path()).read_text().startswith("| latcover: soma")
    assert download.value.suggested_filename == "soma.dlx"
    with page.expect_download() as download:
        page.click("text=Save a picture of the region")
    assert "<svg" in Path(download.value.path()).read_text("utf-8")[:200]


@pytest.mark.long
def test_models_and_pages_are_taken_away(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("2")
    page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    expect(page.locator("#solve .browse")).to_contain_text("of 2")
    page.get_by_label("last", exact=True).click()
    expect(page.get_by_label("solution number")).to_have_value("2")
    saving(page)
    page.get_by_label("save as").select_option("stl")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this solution").click()
    assert download.value.suggested_filename == "soma-solution-2.stl"
    with page.expect_download() as download:
        page.click("text=Save all as a page")
    assert Path(download.value.path()).read_text("utf-8").startswith("<!DOCTYPE html>")
    page.get_by_label("model file").select_option("stl")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save parts").click()
    assert download.value.suggested_filename == "soma-parts.stl"
    expect(page.locator(".save-sheet .status").first).to_have_text(
        re.compile("^soma-parts.stl was saved. Note: edge 20 mm, clearance 0.2 mm")
    )
