"""JSON Schemas of our own files, made from the tables that the reader itself uses, for editors that complete and check.

A schema knows keys, types and bounds. What depends on the lattice or on other keys only the reader checks.
"""

from __future__ import annotations

from typing import Any

import msgspec

from latcover.core.model.rules.rule_forms import known_rules
from latcover.errors import UnsupportedError, suggest
from latcover.files.formats.puzzle_files.file_keys import LatticeTable, MirrorTable, PartSetFile, PuzzleFile, SetTable
from latcover.files.formats.puzzle_files.rules_file import struct_of_rules

Schema = dict[str, Any]

FILES: dict[str, type[msgspec.Struct]] = {"puzzle": PuzzleFile, "lattice": LatticeTable, "part-set": PartSetFile}
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: str) -> Schema:
    """The schema of a kind of file, as plain data.

    Raises:
        UnsupportedError: there is no such kind.
    """
    if kind not in FILES:
        raise UnsupportedError(f"there is no schema {kind!r:.40}{suggest(kind, FILES)}")
    (root, *_), tables = msgspec.json.schema_components(
        [FILES[kind], MirrorTable, SetTable], ref_template="#/$defs/{name}"
    )
    if kind == "puzzle":
        rules = struct_of_rules(frozenset(rule.name for rule in known_rules()))
        tables |= msgspec.json.schema_components([rules], ref_template="#/$defs/{name}")[1]
    definitions = {name: _closed(table) for name, table in tables.items()}
    found = {"$schema": DRAFT, "title": f"latcover {kind} file", **root, "$defs": definitions}
    part = {"$ref": f"#/$defs/{'PartOfSetTable' if kind == 'part-set' else 'PartTable'}"}
    others = [{"$ref": f"#/$defs/{table.__name__}"} for table in (MirrorTable, SetTable)]
    for name in ("PuzzleFile", "PuzzleTable", "PartSetFile"):
        if name in definitions:
            definitions[name]["properties"]["parts"]["items"] = {"anyOf": [part, *others]}
    _require(definitions, MirrorTable, "mirror_of")
    _require(definitions, SetTable, "set")
    if kind == "puzzle":  # a file of several puzzles has its regions there
        definitions["PuzzleFile"]["required"] = ["name"]
        definitions["PuzzleFile"]["anyOf"] = [{"required": ["region"]}, {"required": ["puzzles"]}]
    return found


def _require(definitions: dict[str, Schema], table: type[msgspec.Struct], key: str) -> None:
    definition = definitions[table.__name__]
    definition["required"] = [*definition.get("required", []), key]


def _closed(table: Schema) -> Schema:
    """The schema of a table: no other keys, no values that TOML cannot say, no defaults that only mean "left out"."""
    properties = {key: _said(value) for key, value in table.get("properties", {}).items()}
    return {**table, "properties": properties, "additionalProperties": False}


def _said(value: Schema) -> Schema:
    kinds = [kind for kind in value.get("anyOf", []) if kind != {"type": "null"}]
    rest = {key: each for key, each in value.items() if key != "anyOf"}
    if rest.get("default") in (None, "", 0, [], (), {}):
        rest.pop("default", None)
    if not kinds:
        return rest
    return {**rest, **kinds[0]} if len(kinds) == 1 else {**rest, "anyOf": kinds}
