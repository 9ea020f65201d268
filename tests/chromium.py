"""A real browser, as tests use it. Where there is none, what asks for it is skipped.

A file of tests takes the fixture by its name: ``browser = chromium.browser``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.processes import GUARD

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install '.[test]'")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SOFTWARE = ("--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader", "--hide-scrollbars")
LONG = 1000 * GUARD  # milliseconds
expect = playwright.expect
expect.set_options(timeout=LONG)  # no test depends on how busy the machine is


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium")
    with playwright.sync_playwright() as started:
        opened = launched(started.chromium, *SOFTWARE)
        yield opened
        opened.close()


def launched(kind: Any, *arguments: str) -> Any:
    """A browser of a kind, such as ``browser.browser_type``, with these arguments."""
    return kind.launch(executable_path=CHROMIUM, args=["--no-sandbox", *arguments])


def serious_faults(page: Any) -> list[str]:
    """What axe-core finds on a page that somebody with a screen reader or a keyboard stumbles over."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed: pip install '.[test]'"
    )
    found = axe.Axe().run(page).response
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
