"""One page of HTML that shows solutions in space. It needs no network and no other file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape

from latcover.drawing.space.linking import linked, static_text
from latcover.drawing.space.scene_data import NONE, scene_data
from latcover.model.disassembly import Disassembly
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

MOST_SOLUTIONS = 100_000  # of a page: more would take a browser long to read


def page(puzzle: Puzzle, solutions: Sequence[Solution], disassemblies: Mapping[int, Disassembly] = NONE) -> str:
    """The text of a page that shows *solutions* of *puzzle*, at least one. It plays their *disassemblies*, by number.

    Its policy names the hashes of the page's own script and styles. The browser runs only these, and loads nothing. So
    nothing in a puzzle file can become active.
    """
    script = linked("page")
    style = static_text("viewer.css") + static_text("page.css")
    data = json.dumps(scene_data(puzzle, solutions, disassemblies), ensure_ascii=False, separators=(",", ":"))
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="generator" content="latcover">',
            f"<title>{escape(puzzle.title or puzzle.name)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            '<main id="viewer"><noscript>This page needs JavaScript, and runs only its own.</noscript></main>',
            f'<script type="application/json" id="data">{_harmless(data)}</script>',
            f'<script type="module">{script}</script>',
            "</body>",
            "</html>",
        )
    )


def _hashed(text: str) -> str:
    """As a content security policy names an inline script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def _harmless(data: str) -> str:
    """JSON that cannot end the element that holds it, or begin another."""
    return data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
