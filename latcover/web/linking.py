"""The viewer's modules as one script, since a page that is opened as a file may not load others.

Each module becomes a function of its own, called once, so that names of two modules do not meet. Our modules keep to
the forms that `linked` knows (a test holds them to it): ``import { a, b } from "./x.js";`` and ``export`` before a
function, a class or a constant; a bundle from elsewhere may end with ``export{a as b, …};``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from latcover.errors import InternalError

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
LAST_EXPORT = re.compile(r"export\s?\{([^{}]*)\};")
LEFT_OVER = re.compile(r"^\s*(import|export)\b", re.MULTILINE)


def static_text(name: str) -> str:
    """A file of `static`."""
    return (files("latcover.web") / "static" / name).read_text("utf-8")


@cache
def linked(main: str) -> str:
    """The module *main* and all that it imports, as the text of one script.

    Raises:
        InternalError: a module has a form of import or export that is not known here.
    """
    modules = dict(_gathered(main, {}))
    return "\n".join(f"const {_variable(name)} = (() => {{\n{text}}})();" for name, text in modules.items())


def _gathered(name: str, met: dict[str, None]) -> Iterator[tuple[str, str]]:
    """A module's name and text as the body of a function, after those that it imports."""
    if name in met:
        return
    met[name] = None
    text = static_text(f"{name}.js")
    for _, other in IMPORT.findall(text):
        yield from _gathered(other, met)
    yield name, _as_body(name, text)


def _as_body(name: str, text: str) -> str:
    exported = [f"{own}" for _, own in EXPORT.findall(text)]
    text = IMPORT.sub(lambda found: f"const {{{_renamed(found[1], ': ')}}} = {_variable(found[2])};", text)
    text = EXPORT.sub(r"\1\2", text)
    for last in list(LAST_EXPORT.finditer(text))[-1:]:
        pairs = [pair.split(" as ") for pair in last[1].split(",")]
        exported += [f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs if pair[0].strip()]
        text = text[: last.start()] + text[last.end() :]
    if LEFT_OVER.search(text):
        raise InternalError(f"the module {name}.js imports or exports in a way that pages do not know")
    return f"{text}\nreturn {{ {', '.join(exported)} }};\n"


def _renamed(names: str, sign: str) -> str:
    return ", ".join(sign.join(name.split(" as ")) for name in names.split(",") if name.strip())


def _variable(name: str) -> str:
    return f"module_{name.replace('-', '_')}"
