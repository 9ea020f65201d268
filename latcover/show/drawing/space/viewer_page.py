"""One HTML page that shows solutions in space, without network or other files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape

import msgspec

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.show.drawing.space.linking import linked, static_text
from latcover.show.drawing.space.scene_data import NONE, scene_data

MOST_SOLUTIONS = 100_000  # of a page: browsers read more only slowly


def page(puzzle: Puzzle, solutions: Iterable[Solution], disassemblies: Mapping[int, Disassembly] = NONE) -> str:
    """The page that shows *solutions* of *puzzle*, at least one, and plays their *disassemblies*, by number.

    Its policy names the hashes of the page's script and styles. The browser runs only these and loads nothing, so that
    nothing in a puzzle file can become active.
    """
    script = linked("page")
    style = "".join(static_text(name) for name in ("widgets.css", "viewer.css", "page.css"))
    data = msgspec.json.encode(scene_data(puzzle, solutions, disassemblies)).decode()
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="latcover">
<title>{escape(puzzle.title or puzzle.name)}</title>
<style>{style}</style>
</head>
<body>
<main id="viewer"><noscript>This page needs JavaScript, and runs only its own.</noscript></main>
<script type="application/json" id="data">{_harmless(data)}</script>
<script type="module">{script}</script>
</body>
</html>"""


def _hashed(text: str) -> str:
    """The name of an inline script or style in a content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def _harmless(data: str) -> str:
    """JSON that cannot end its element or begin another."""
    return data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
