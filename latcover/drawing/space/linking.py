"""The viewer's modules as one script, since a page that is opened as a file may not load others.

Each module becomes a function of its own, called once, so that names of two modules do not meet. Our modules keep to
the forms that `linked` knows (a test holds them to it): ``import { a, b } from "./x.js";`` and ``export`` before a
function, a class or a constant; a bundle from elsewhere may end with ``export{a as b, …};``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from latcover.errors import InternalError

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
LAST_EXPORT = re.compile(r"export\s?\{([^{}]*)\};")
LEFT_OVER = re.compile(r"^\s*(import|export)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Module:
    """A module as the body of a function that returns what is exported, and the names of that."""

    body: str
    exported: frozenset[str]


def static_text(name: str) -> str:
    """A file of `static`."""
    return (files("latcover.drawing.space") / "static" / name).read_text("utf-8")


@cache
def linked(main: str) -> str:
    """The module *main* and all that it imports, as the text of one script.

    Raises:
        InternalError: a module has a form of import or export that is not known here, or imports what is not there.
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
            raise InternalError(f"the module {name}.js imports what {other}.js has not: {', '.join(sorted(missing))}")
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
        raise InternalError(f"the module {name}.js imports or exports in a way that pages do not know")
    returned = ", ".join(f"{outside}: {inside}" for outside, inside in own.items())
    return _Module(f"{text}\nreturn {{ {returned} }};\n", frozenset(own))


def _renamed(names: str, sign: str) -> str:
    return ", ".join(sign.join(name.split(" as ")) for name in names.split(",") if name.strip())


def _variable(name: str) -> str:
    return f"module_{name.replace('-', '_')}"
