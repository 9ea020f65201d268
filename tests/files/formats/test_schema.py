"""The JSON Schemas of our own files, held against the reader."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from jsonschema import Draft202012Validator

from latcover.errors import InputError
from latcover.files.formats.library import load_set, loads
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzle_files.schema import FILES, schema_of
from latcover.files.formats.source import Source, find, folder, in_folder, names
from tests.command_line import FAILED, run

SHIPPED = {"puzzle": "instances", "lattice": "lattices", "part-set": "sets"}


def validator(kind: str) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema_of(kind))
    return Draft202012Validator(schema_of(kind))


@pytest.mark.parametrize("kind", FILES)
def test_all_that_is_shipped_fits_its_schema(kind: str) -> None:
    checker = validator(kind)
    for name in names(SHIPPED[kind]):  # type: ignore[arg-type] # a kind of what is shipped
        data = tomllib.loads(find(SHIPPED[kind], name).read_text("utf-8"))  # type: ignore[arg-type]
        assert not [f"{name}: {fault.json_path}: {fault.message}" for fault in checker.iter_errors(data)]


def test_the_command_prints_the_schema() -> None:
    assert json.loads(run("info", "--schema", "part-set").stdout) == schema_of("part-set")


def test_an_unknown_kind_is_refused() -> None:
    result = run("info", "--schema", "puzle")
    assert result.returncode == FAILED
    assert "there is no schema 'puzle'; did you mean 'puzzle'?" in result.stderr
    assert "leave soma out" in run("info", "soma", "--schema", "puzzle").stderr


def refused_by_the_reader(kind: str, data: dict[str, Any]) -> bool:
    text = tomli_w.dumps(data)
    try:
        if kind == "puzzle":
            loads(text)
        elif kind == "lattice":
            read_lattice(Source(text.encode(), "text", in_folder(Path())))
        else:
            path = Path("changed.toml")
            path.write_text(text)
            load_set(str(path))
    except InputError:
        return True
    return False


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.parametrize("kind", FILES)
def test_what_the_schema_refuses_the_reader_refuses(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of other types, numbers out of bounds, keys that do not exist or are gone, at random places."""
    monkeypatch.chdir(tmp_path)
    dice, checker, refused = random.Random(4), validator(kind), 0
    files = [path for path in sorted(folder(SHIPPED[kind]).glob("*.toml")) if path.stat().st_size < 4000]
    for path in dice.sample(files, min(20, len(files))):
        original = tomllib.loads(path.read_text("utf-8"))
        for _ in range(6):
            data = copy.deepcopy(original)
            *way, key = dice.choice(list(places(data)))
            table = data
            for step in way:
                table = table[step]
            change = dice.choice(["other", "gone", "new"])
            if change == "new" and isinstance(table, dict):
                table["no_such_key"] = 1
            elif change == "gone" and isinstance(table, dict):
                del table[key]
            else:
                table[key] = dice.choice([True, -1, 1 << 40, 0.5, "word", [], ["a", "b"], {"a": 1}])
            if not checker.is_valid(data):
                refused += 1
                assert refused_by_the_reader(kind, data), (path.name, way, key, change)
    assert refused > 20
