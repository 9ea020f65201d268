"""Writes the TypeScript types of the pages' data, and the bounds of their fields, from the structures in Python.

Run ``python packaging/page_types.py`` after such a structure has changed; ``--check`` only says whether all is current.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as shapes

from latcover.apps.publishing.exhibits import PageData
from latcover.apps.publishing.site import ListedPuzzle
from latcover.apps.web.answers import (
    ApartAnswer,
    BestAnswer,
    Catalogue,
    CompareAnswer,
    JudgedLattice,
    PartNumbers,
    ProbabilitiesAnswer,
    ProblemSolution,
    PuzzleSolution,
    SomeDesigns,
    WatchAnswer,
)
from latcover.apps.web.design_jobs import WAYS
from latcover.apps.web.editor_answers import PartsAnswer, ProblemData, PuzzleData
from latcover.apps.web.edits import PartEdits, RegionEdits
from latcover.apps.web.messages import Standing
from latcover.apps.web.playing import Playable
from latcover.apps.web.subject import Subject
from latcover.apps.web.tasks import Measures, RunTask, SetSubject, Sheet
from latcover.apps.web.web_requests import ApartRequest, ExportRequest
from latcover.apps.workshop.workshop_site import WorkshopData
from latcover.show.drawing.space.scene_structs import PuzzleScene, SceneData

PACKAGE = Path(__file__).parents[1] / "latcover"
SPACE, PUBLISHING, WEB, WORKSHOP = "show/drawing/space", "apps/publishing", "apps/web", "apps/workshop"
WIDTH = 120
HEAD = "// Made by packaging/page_types.py from the structures in Python: do not edit.\n"
ANSWERS = (
    ApartAnswer,
    BestAnswer,
    Catalogue,
    CompareAnswer,
    JudgedLattice,
    PartNumbers,
    PartsAnswer,
    Playable,
    ProbabilitiesAnswer,
    ProblemData,
    ProblemSolution,
    PuzzleData,
    PuzzleSolution,
    SetSubject,
    SomeDesigns,
    Standing,
    WatchAnswer,
)
REQUESTS = (Subject, RunTask, ApartRequest, ExportRequest)
# The file that has the types of these roots, and where a type stands that is not made.
FILES: dict[str, tuple[Any, ...]] = {
    f"{SPACE}/static/scene_types.d.ts": (PuzzleScene, SceneData),
    f"{PUBLISHING}/static/page_types.d.ts": (PageData, ListedPuzzle),
    f"{WEB}/static/server_types.d.ts": (*ANSWERS, *REQUESTS),
    f"{WORKSHOP}/static/lattice_types.d.ts": (WorkshopData,),
}
BY_HAND = {
    "Packed": "./types.js",
    "SlidingParts": "../../../../backends/wasm/engine_types.js",
    "CommandData": "./web_types.js",
    "Summary": "./web_types.js",
    "FileTable": "./web_types.js",
}
WORDS = {
    shapes.BoolType: "boolean",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.StrType: "string",
    shapes.BytesType: "string",
    shapes.NoneType: "null",
}


class TypesFile:
    """A file of types: those of some roots, without those that stand in *other* files."""

    def __init__(self, roots: Iterable[Any], other: Mapping[str, str]) -> None:
        self.other, self.imported = other, dict[str, set[str]]()
        self.texts: dict[str, str] = {}
        asked = [kind.cls for root in REQUESTS for kind in _structs(shapes.type_info(root), {})]
        self.asked = {base for cls in asked for base in cls.__mro__}
        for root in roots:
            self.word(shapes.type_info(root))

    def text(self) -> str:
        """The whole file."""
        imports = "".join(
            f'import type {{ {", ".join(sorted(names))} }} from "{place}";\n'
            for place, names in sorted(self.imported.items())
        )
        return "\n".join([HEAD, *([imports] if imports else []), *(self.texts[name] for name in sorted(self.texts))])

    def word(self, kind: shapes.Type) -> str:
        """The type in TypeScript; declares those that it names."""
        match kind:
            case shapes.Metadata(type=plain, extra=extra):
                return self.by_hand(extra["typescript"]) if extra else self.word(plain)
            case shapes.StructType():
                return self.struct(kind)
            case shapes.UnionType(types=types):
                word = " | ".join(dict.fromkeys(map(self.word, types)))
                if kind != shapes.type_info(Subject):
                    return word
                self.texts["Subject"] = f"/** A puzzle that a request is about. */\nexport type Subject = {word};\n"
                return "Subject"
            case shapes.LiteralType(values=values):
                return " | ".join(map(json.dumps, values))
            case shapes.ListType(item_type=each) | shapes.VarTupleType(item_type=each):
                word = self.word(each)
                return f"({word})[]" if " " in word and not word.startswith("[") else f"{word}[]"
            case shapes.TupleType(item_types=types):
                return f"[{', '.join(map(self.word, types))}]"
            case shapes.DictType(key_type=key, value_type=value):
                return f"Record<{self.word(key)}, {self.word(value)}>"
        return WORDS.get(type(kind), "unknown")

    def by_hand(self, word: str) -> str:
        for name in re.findall(r"\b[A-Z]\w+", word):
            self.imported.setdefault(BY_HAND[name], set()).add(name)
        return word

    def struct(self, kind: shapes.StructType) -> str:
        name = kind.cls.__name__
        if name in self.other:
            self.imported.setdefault(self.other[name], set()).add(name)
        elif name not in self.texts:
            self.texts[name] = ""  # for types that name each other
            about = (inspect.getdoc(kind.cls) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
            rows = self.rows(kind)
            if kind.array_like:
                declared = f"[{', '.join(rows)}]"
            else:
                tag = [f"{kind.tag_field}: {json.dumps(kind.tag)}"] if kind.tag_field else []
                base = next(filter(self.is_within(rows), _bases(kind.cls)), None)
                before = f"{self.struct(base)} & " if base else ""
                own = [row for row in rows if not base or row not in self.rows(base)]
                declared = before + _table([*tag, *own], f"export type {name} = {before}", ";")
            self.texts[name] = f"/** {about} */\nexport type {name} = {declared};\n"
        return name

    def rows(self, kind: shapes.StructType) -> list[str]:
        """The fields with their types."""
        return [f"{field.encode_name}{self.mark(kind, field)}: {self.word(field.type)}" for field in kind.fields]

    def is_within(self, rows: list[str]) -> Callable[[shapes.StructType], bool]:
        """Says of a base whether all its fields are among these, with the same types."""
        return lambda base: set(self.rows(base)) <= set(rows)

    def mark(self, kind: shapes.StructType, field: shapes.Field) -> str:
        """A question mark if a field may be absent: where Python leaves defaults out, and in requests."""
        absent = kind.cls.__struct_config__.omit_defaults or kind.cls in self.asked
        return "?" if absent and not field.required and not kind.array_like else ""


def _table(rows: list[str], before: str, mark: str) -> str:
    """Rows between braces: on the line that begins with *before* if they fit there, otherwise each on its own."""
    line = f"{{ {f'{mark} '.join(rows)} }}"
    if len(before) + len(line) < WIDTH:
        return line
    return "\n".join(["{", *("  " + f"{row}{mark}".replace("\n", "\n  ") for row in rows), "}"])


def _bases(cls: type[msgspec.Struct]) -> Iterable[shapes.StructType]:
    """The structures that this one extends, the nearest first: those with fields that no tag tells apart."""
    for base in cls.__mro__[1:]:
        if issubclass(base, msgspec.Struct) and base.__struct_fields__ and base.__struct_config__.tag is None:
            kind = shapes.type_info(base)
            assert isinstance(kind, shapes.StructType)
            yield kind


def _structs(kind: Any, found: dict[type, shapes.StructType]) -> Iterable[shapes.StructType]:
    """All structures within a type."""
    if isinstance(kind, shapes.StructType):
        if kind.cls in found:
            return found.values()
        found[kind.cls] = kind
        for field in kind.fields:
            _structs(field.type, found)
    for name in ("type", "item_type", "key_type", "value_type"):
        if isinstance(inner := getattr(kind, name, None), shapes.Type):
            _structs(inner, found)
    for inner in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
        _structs(inner, found)
    return found.values()


def made_types() -> dict[str, str]:
    """The text of every made file, by its path in the package."""
    texts, known = {}, dict[str, str]()
    for path, roots in FILES.items():
        file = TypesFile(roots, known)
        texts[path] = file.text()
        known |= dict.fromkeys(file.texts, f"./{Path(path).name.removesuffix('.d.ts')}.js")
    return texts | {f"{WEB}/static/bounds.js": _bounds()}


def _bounds() -> str:
    """The bounds of numbers in requests, as attributes of fields: by the names of tasks, ways and tables."""
    roots = (RunTask, *WAYS.values())
    structs = {str(kind.tag): kind for root in roots for kind in _structs(shapes.type_info(root), {}) if kind.tag}
    tables = {"measures": Measures, "sheet": Sheet, "part": PartEdits, "region": RegionEdits}
    structs |= {name: kind for name, cls in tables.items() for kind in _structs(shapes.type_info(cls), {})}
    found = {
        name: {field.encode_name: bound for field in kind.fields if (bound := _bound(field.type))}
        for name, kind in structs.items()
    }
    about = "// What numbers in requests may be: attributes of fields, by a task, a way to design, or a table.\n"
    rows = [f"{name}: {_bounded(bounds, name)}" for name, bounds in found.items() if bounds]
    return f"{HEAD}{about}\nexport const BOUNDS = {_table(rows, '', ',')};\n"


def _bounded(bounds: Mapping[str, Mapping[str, float]], name: str) -> str:
    """A table of bounds, which stands after its name."""
    words = [
        f"{field}: {{ {', '.join(f'{end}: {json.dumps(value)}' for end, value in ends.items())} }}"
        for field, ends in bounds.items()
    ]
    return _table(words, f"  {name}: ", ",")


def _bound(kind: shapes.Type) -> dict[str, float]:
    """The bounds of a number, or of the numbers of a list."""
    for each in _choices(kind):
        if isinstance(each, shapes.ListType):
            return _bound(each.item_type) if isinstance(each.item_type, shapes.UnionType | shapes.IntType) else {}
        if isinstance(each, shapes.IntType | shapes.FloatType):
            low, high = each.ge if each.gt is None else each.gt, each.le if each.lt is None else each.lt
            return {name: value for name, value in (("min", low), ("max", high)) if value is not None}
    return {}


def _choices(kind: shapes.Type) -> tuple[shapes.Type, ...]:
    if isinstance(kind, shapes.Metadata):
        return _choices(kind.type)
    if isinstance(kind, shapes.UnionType):
        return tuple(each for one in kind.types for each in _choices(one))
    return (kind,)


def main() -> None:
    """Write every made file; with ``--check``, name those that are old."""
    old = {path: text for path, text in made_types().items() if not _is_current(PACKAGE / path, text)}
    if "--check" in sys.argv:
        sys.exit("".join(f"{path} is old: run python packaging/page_types.py\n" for path in old) or 0)
    for path, text in old.items():
        (PACKAGE / path).write_text(text, "utf-8")


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


if __name__ == "__main__":
    main()
