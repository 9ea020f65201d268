"""One page of HTML that shows solutions in space. It needs no network and no other file.

The modules of the viewer become one script, because a page that is opened as a file may not load others. Each module
becomes a function that is called once, so equal names in two modules do no harm. `linked` knows these forms, and a test
checks that our modules use no others: ``import { a, b } from "./x.js";`` and ``export`` before a function, a class or a
constant. A bundle from elsewhere may end with ``export{a as b, …};``.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from latcover.drawing.space.scene_data import NONE, scene_data
from latcover.errors import InternalError
from latcover.model.disassembly import Disassembly
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

MOST_SOLUTIONS = 100_000  # of a page: more would take a browser long to read
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
LAST_EXPORT = re.compile(r"export\s?\{([^{}]*)\};")
LEFT_OVER = re.compile(r"^\s*(import|export)\b", re.MULTILINE)


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


@dataclass(frozen=True, slots=True)
class _Module:
    """A module as the body of a function that returns its exports, and the names of the exports."""

    body: str
    exported: frozenset[str]


def static_text(name: str) -> str:
    """A file of `static`."""
    return (files("latcover.drawing.space") / "static" / name).read_text("utf-8")


@cache
def linked(main: str) -> str:
    """The module *main* and all its imports, as the text of one script.

    Raises:
        InternalError: a module imports or exports in an unknown form, or imports a name that does not exist.
    """
    found: dict[str, _Module] = {}
    _gather(main, found)
    return "\n".join(f"const {_variable(name)} = (() => {{\n{module.body}}})();" for name, module in found.items())


def _gather(name: str, found: dict[str, _Module]) -> None:
    """Put a module into *found*, after those that it imports."""
    if name in found:
        return
    text = static_text(f"{name}.js")
    for names, other in IMPORT.findall(text):
        _gather(other, found)
        missing = {own.split(" as ")[0].strip() for own in names.split(",") if own.strip()} - found[other].exported
        if missing:
            raise InternalError(
                f"the module {name}.js imports names that {other}.js does not export: {', '.join(sorted(missing))}"
            )
    found[name] = _module(name, text)


def _module(name: str, text: str) -> _Module:
    own = {own: own for _, own in EXPORT.findall(text)}
    text = IMPORT.sub(lambda found: f"const {{{_renamed(found[1], ': ')}}} = {_variable(found[2])};", text)
    text = EXPORT.sub(r"\1\2", text)
    for last in list(LAST_EXPORT.finditer(text))[-1:]:
        pairs = [pair.split(" as ") for pair in last[1].split(",")]
        own |= {pair[-1].strip(): pair[0].strip() for pair in pairs if pair[0].strip()}
        text = text[: last.start()] + text[last.end() :]
    if LEFT_OVER.search(text):
        raise InternalError(f"the module {name}.js imports or exports in a form that pages cannot link")
    returned = ", ".join(f"{outside}: {inside}" for outside, inside in own.items())
    return _Module(f"{text}\nreturn {{ {returned} }};\n", frozenset(own))


def _renamed(names: str, sign: str) -> str:
    return ", ".join(sign.join(name.split(" as ")) for name in names.split(",") if name.strip())


def _variable(name: str) -> str:
    return f"module_{name.replace('-', '_')}"
