"""The tables of keys of our own files describe JSON Schemas, too."""

from __future__ import annotations

import tomllib

import msgspec
import pytest

from latcover.files.formats.puzzle_files.file_keys import LatticeTable, MirrorTable, PartSetFile, PuzzleFile, SetTable
from latcover.files.formats.source import Kind, folder, names

FILES: tuple[tuple[Kind, type[msgspec.Struct]], ...] = (
    ("instances", PuzzleFile),
    ("lattices", LatticeTable),
    ("sets", PartSetFile),
)


@pytest.mark.parametrize("table", [PuzzleFile, PartSetFile, LatticeTable, SetTable, MirrorTable])
def test_each_table_has_a_schema(table: type[msgspec.Struct]) -> None:
    assert msgspec.json.schema(table)["$defs"][table.__name__]["properties"]


@pytest.mark.parametrize(("kind", "table"), FILES)
def test_shipped_files_use_known_keys(kind: Kind, table: type[msgspec.Struct]) -> None:
    known = {field.encode_name for field in msgspec.structs.fields(table)}
    for name in names(kind):
        assert tomllib.loads((folder(kind) / f"{name}.toml").read_text("utf-8")).keys() <= known, name
