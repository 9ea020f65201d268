"""Every command and option, as the program itself describes them, in place of a line of a page."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from sphinx.application import Sphinx

MARKER = "<!-- every command and option stands here on the site -->"


def commands() -> str:
    """The commands as Markdown, written by Typer from the program: a heading of the second level for each."""
    asked = [sys.executable, "-P", "-m", "typer", "latcover.cli.main", "utils", "docs"]
    written = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    body = written[written.index("## `latcover ") :]
    return body.replace("```console", "```text")


def _fill_in(_app: Sphinx, _page: str, text: list[str]) -> None:
    if MARKER in text[0]:
        text[0] = text[0].replace(MARKER, commands())


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
