"""Every command and option, as the program itself describes them, in place of a line of a page."""

from __future__ import annotations

from typing import Any

import typer
from sphinx.application import Sphinx
from typer.cli import get_docs_for_click

from latcover.apps.cli.main import app as program
from latcover.apps.cli.shared.help_table import help_table

MARKER = "<!-- every command and option stands here on the site -->"


def commands() -> str:
    """The commands as Markdown, written by Typer from the program: a heading of the second level for each."""
    root = typer.main.get_command(program)
    root.get_command = lambda _, name: root.commands[name]  # with its options, which help of the root does not need
    written = get_docs_for_click(obj=root, ctx=typer.Context(root), name="latcover")
    body = written[written.index("## `latcover ") :]
    for texts in help_table().values():
        if isinstance(texts, dict) and (lines := texts.get("examples")):
            body = body.replace("\n\n".join(lines), "\n".join(("```sh", *lines, "```")))
    return body.replace("```console", "```text")


def _fill_in(_app: Sphinx, _page: str, text: list[str]) -> None:
    if MARKER in text[0]:
        text[0] = text[0].replace(MARKER, commands())


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
