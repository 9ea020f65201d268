"""Join JavaScript modules to one script, for pages opened as files, which may not load modules.

Each module becomes a function that is called once, so modules may use equal names. `linked` knows these forms, and a
test checks that our modules use no others: ``import { a, b } from "./x.js";``, ``import * as x from "./x.js";``,
``import("./x.js")``, which need not wait here, and ``export`` before a function, a class or a constant. Third-party
bundles may end with ``export{a as b, …};``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from msgspec import Struct

from latcover.errors import InternalError

HERE = "latcover.show.drawing.space"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";$', re.MULTILINE)
IMPORT_ALL = re.compile(r'^import \* as (\w+) from "\./([\w-]+)\.js";$', re.MULTILINE)
IMPORT_LATER = re.compile(r'\bimport\("\./([\w-]+)\.js"\)')
EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
LAST_EXPORT = re.compile(r"export\s?\{([^{}]*)\};")
COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL
)  # on lines of its own
LEFT_OVER = re.compile(r"^\s*(import|export)\b", re.MULTILINE)


class _Module(Struct, frozen=True):
    """A module as the body of a function that returns its exports, and their names."""

    body: str
    exported: frozenset[str]


def static_text(name: str, packages: tuple[str, ...] = (HERE,)) -> str:
    """The file *name* in the folder `static` of the first of *packages* that has it; an `InternalError` if none has."""
    for package in packages:
        file = files(package) / "static" / name
        if file.is_file():
            return file.read_text("utf-8")
    raise InternalError(f"there is no file {name} in the folder static of {' or '.join(packages)}")


@cache
def linked(main: str, packages: tuple[str, ...] = (HERE,)) -> str:
    """The module *main* and all its imports, from the folders `static` of *packages*, as the text of one script.

    Raises:
        InternalError: a module imports or exports in an unknown form, or imports a name that does not exist.
    """
    found: dict[str, _Module] = {}
    _gather(main, packages, found)
    return "\n".join(f"const {_variable(name)} = (() => {{\n{module.body}}})();" for name, module in found.items())


def _gather(name: str, packages: tuple[str, ...], found: dict[str, _Module]) -> None:
    """Add a module to *found*, after the modules that it imports."""
    if name in found:
        return
    text = static_text(f"{name}.js", _packages_with(name, packages))
    if "@license" not in text:  # comments and types are for those who read the source
        text = COMMENT.sub("", text)
    for other in (*(other for _, other in IMPORT_ALL.findall(text)), *IMPORT_LATER.findall(text)):
        _gather(other, packages, found)
    for names, other in IMPORT.findall(text):
        _gather(other, packages, found)
        missing = {own.split(" as ")[0].strip() for own in names.split(",") if own.strip()} - found[other].exported
        if missing:
            raise InternalError(
                f"the module {name}.js imports names that {other}.js does not export: {', '.join(sorted(missing))}"
            )
    found[name] = _module(name, text)


def _packages_with(name: str, packages: tuple[str, ...]) -> tuple[str, ...]:
    """The package that has the module; not two, since a module would then be replaced without a word."""
    having = tuple(package for package in packages if (files(package) / "static" / f"{name}.js").is_file())
    if len(having) > 1:
        raise InternalError(f"the module {name}.js stands in {' and '.join(having)}; give one another name")
    return having or packages


def _module(name: str, text: str) -> _Module:
    own = {own: own for _, own in EXPORT.findall(text)}
    text = IMPORT.sub(lambda found: f"const {{{_renamed(found[1], ': ')}}} = {_variable(found[2])};", text)
    text = IMPORT_ALL.sub(lambda found: f"const {found[1]} = {_variable(found[2])};", text)
    text = IMPORT_LATER.sub(lambda found: f"Promise.resolve({_variable(found[1])})", text)
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
