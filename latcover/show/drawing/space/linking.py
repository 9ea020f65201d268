"""Join JavaScript modules to one script, for pages opened as files, which may not load modules.

Each module becomes a function that is called once, so modules may use equal names. `linked` knows these forms, and a
test checks that our modules use no others: ``import { a, b } from "./x.js";``, ``import * as x from "./x.js";``,
``import("./x.js")``, which need not wait here, and ``export`` before a function, a class or a constant. Third-party
bundles may end with ``export{a as b, …};``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
TYPE = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
LEFT_OVER = re.compile(r"^\s*(import\b(?!\()|export\b)", re.MULTILINE)


class _Module(Struct, frozen=True):
    """A module as the body of a function that returns its exports.

    Attributes:
        body: The text.
        exported: The names of its exports.
        needs: The modules that it imports.
        later: Those that it imports on demand, if they are not linked with it.
    """

    body: str
    exported: frozenset[str]
    needs: frozenset[str]
    later: tuple[str, ...]


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
    _gather(main, packages, found, later=True)
    return _text(found)


def joined(main: str, packages: tuple[str, ...] = (HERE,)) -> dict[str, str]:
    """Few files in place of many modules, by their names: *main*, and each module that is imported on demand.

    Each has all that it imports and no file before it has. So a page asks for one file instead of one for each module,
    and each module still runs once.

    Raises:
        InternalError: as `linked`.
    """
    found: dict[str, _Module] = {}
    files: dict[str, str] = {}
    owners: dict[str, str] = {}  # of each module: its file
    wanted = [main]
    for name in wanted:
        _gather(name, packages, found, later=False)
        own = {other: module for other, module in found.items() if other not in owners}
        demanded = dict.fromkeys(other for module in own.values() for other in module.later)
        wanted += [other for other in demanded if other not in wanted]
        files[name] = _file(name, found, own, owners)
        owners |= dict.fromkeys(own, name)
    return files


def _file(name: str, found: Mapping[str, _Module], own: Mapping[str, _Module], owners: Mapping[str, str]) -> str:
    """A file of modules that others may import, which imports what *owners* have, and hands out what *name* exports."""
    others: dict[str, list[str]] = {}
    for other in sorted(frozenset([name]).union(*(module.needs for module in own.values())) - own.keys()):
        others.setdefault(owners[other], []).append(_variable(other))
    lines = [f'import {{ {", ".join(names)} }} from "./{file}.js";' for file, names in others.items()]
    lines += [_text(own), f"export {{ {', '.join(map(_variable, own))} }};"]
    if exported := found[name].exported:
        lines.append(f"export const {{ {', '.join(sorted(exported))} }} = {_variable(name)};")
    return "\n".join(lines)


def _text(modules: Mapping[str, _Module]) -> str:
    return "\n".join(f"const {_variable(name)} = (() => {{\n{module.body}}})();" for name, module in modules.items())


def _gather(name: str, packages: tuple[str, ...], found: dict[str, _Module], *, later: bool) -> None:
    """Add a module to *found*, after the modules that it imports; with *later* also those that it imports on demand."""
    if name in found:
        return
    text = static_text(f"{name}.js", _packages_with(name, packages))
    if "@license" not in text:  # comments, types and indents are for those who read the source
        text = INDENT.sub("", TYPE.sub("", COMMENT.sub("", text)))
    for other in (*(other for _, other in IMPORT_ALL.findall(text)), *(IMPORT_LATER.findall(text) if later else ())):
        _gather(other, packages, found, later=later)
    for names, other in IMPORT.findall(text):
        _gather(other, packages, found, later=later)
        missing = {own.split(" as ")[0].strip() for own in names.split(",") if own.strip()} - found[other].exported
        if missing:
            raise InternalError(
                f"the module {name}.js imports names that {other}.js does not export: {', '.join(sorted(missing))}"
            )
    found[name] = _module(name, text, later=later)


def _packages_with(name: str, packages: tuple[str, ...]) -> tuple[str, ...]:
    """The package that has the module; not two, since a module would then be replaced without a word."""
    having = tuple(package for package in packages if (files(package) / "static" / f"{name}.js").is_file())
    if len(having) > 1:
        raise InternalError(f"the module {name}.js stands in {' and '.join(having)}; give one another name")
    return having or packages


def _module(name: str, text: str, *, later: bool) -> _Module:
    own = {own: own for _, own in EXPORT.findall(text)}
    needs = frozenset(other for pattern in (IMPORT, IMPORT_ALL) for _, other in pattern.findall(text))
    text = IMPORT.sub(lambda found: f"const {{{_renamed(found[1], ': ')}}} = {_variable(found[2])};", text)
    text = IMPORT_ALL.sub(lambda found: f"const {found[1]} = {_variable(found[2])};", text)
    demanded = () if later else tuple(dict.fromkeys(IMPORT_LATER.findall(text)))
    if later:
        text = IMPORT_LATER.sub(lambda found: f"Promise.resolve({_variable(found[1])})", text)
    text = EXPORT.sub(r"\1\2", text)
    for last in list(LAST_EXPORT.finditer(text))[-1:]:
        pairs = [pair.split(" as ") for pair in last[1].split(",")]
        own |= {pair[-1].strip(): pair[0].strip() for pair in pairs if pair[0].strip()}
        text = text[: last.start()] + text[last.end() :]
    if LEFT_OVER.search(text):
        raise InternalError(f"the module {name}.js imports or exports in a form that pages cannot link")
    returned = ", ".join(f"{outside}: {inside}" for outside, inside in own.items())
    return _Module(f"{text}\nreturn {{ {returned} }};\n", frozenset(own), needs, demanded)


def _renamed(names: str, sign: str) -> str:
    return ", ".join(sign.join(name.split(" as ")) for name in names.split(",") if name.strip())


def _variable(name: str) -> str:
    return f"module_{name.replace('-', '_')}"
