"""The site of the open file, as the app saves it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from latcover.apps.publishing.site import MARKER
from latcover.apps.web.settings import Settings
from latcover.apps.workshop.publish import publish
from latcover.errors import LatcoverError, UnsupportedError
from latcover.files.formats.library import load
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from tests import chromium
from tests.chromium import expect
from tests.web_jobs import answer_to, file_in

browser = chromium.browser
SMALL: dict[str, Any] = {"form": "shipped", "name": "fig4-3x3", "problems": [{"edits": None}]}


def saved(subject: dict[str, Any], **more: Any) -> tuple[str, zipfile.ZipFile]:
    answer, messages = answer_to({"task": "export", "form": "site", "subject": subject, **more})
    return answer["name"], zipfile.ZipFile(io.BytesIO(file_in(messages)))


def test_a_site_is_packed_in_a_folder_of_its_name() -> None:
    name, site = saved(SMALL)
    files = {file.partition("/")[2] for file in site.namelist()}
    assert name == "fig4-3x3-site.zip"
    assert {file.partition("/")[0] for file in site.namelist()} == {"fig4-3x3"}
    assert {"index.html", "engine.js", "puzzles/fig4-3x3.toml", "pictures/fig4-3x3.svg"} <= files


def test_it_is_the_site_that_the_command_publishes(tmp_path: Path) -> None:
    """The workshop too, where the puzzle can be changed."""
    folder = tmp_path / "published"
    publish("fig4-3x3", folder)
    written = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    del written[MARKER]
    _, site = saved(SMALL)
    assert "workshop.html" in written
    assert {name.partition("/")[2]: site.read(name) for name in site.namelist()} == written


def test_a_server_without_a_publisher_makes_no_site() -> None:
    with pytest.raises(UnsupportedError, match="makes no sites"):
        answer_to({"task": "export", "form": "site", "subject": SMALL}, Settings())


def test_a_site_of_a_file_has_all_its_problems() -> None:
    text = puzzle_as_toml([load("fig4-3x3"), load("example-2x2")], name="two")
    subject = {"form": "toml", "text": text, "problems": [{"problem": name} for name in ("fig4-3x3", "example-2x2")]}
    name, site = saved(subject, name="two of them")
    assert name == "two-of-them-site.zip"
    assert {"two-of-them/puzzles/fig4-3x3.html", "two-of-them/puzzles/example-2x2.html"} <= {*site.namelist()}
    assert "two of them" in site.read("two-of-them/index.html").decode()


def test_what_is_no_puzzle_is_refused() -> None:
    for more in ({"subject": {"form": "dlx", "text": "a b\na\nb\n"}}, {"measures": {"edge": 3.0}}):
        with pytest.raises(LatcoverError, match=r"without a puzzle|no measures"):
            saved(**{"subject": SMALL, **more})


@pytest.mark.long
def test_the_site_opens_as_a_file(browser: Any, tmp_path: Any) -> None:
    _, site = saved(SMALL)
    site.extractall(tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "fig4-3x3" / "index.html").as_uri())
    page.get_by_role("tab", name="Solve").click()
    expect(page.locator("#solve")).to_be_visible()
    page.close()
