"""Names, titles and remarks have a length: a page that lays one out of a megabyte would not come up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import latcover
from latcover.core.model.given import LONGEST_NAME, LONGEST_TEXT
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.errors import LatcoverError
from latcover.files.formats.library import load_family, load_lattice, load_set
from latcover.files.formats.source import shipped
from tests.command_line import run

LONG, LONGER = "x" * (LONGEST_NAME + 1), "x" * (LONGEST_TEXT + 1)
PUZZLE = """
name = "short"
title = "short"
source = "short"
comment = "short"
lattice = "square"
parts = [{ name = "I", art = "XX", group = "g" }]
region = { art = "XX" }
[expect]
note = "short"
[[costs]]
name = "short"
words = "short"
parts = { I = 1 }
"""
KEYS = {"name": LONG, "title": LONG, "source": LONGER, "comment": LONGER, "note": LONGER, "words": LONG}


@pytest.mark.parametrize("key", KEYS)
def test_a_long_text_of_a_puzzle_file(key: str) -> None:
    most = len(KEYS[key]) - 1
    assert latcover.loads(re.sub(f'{key} = "short"', f'{key} = "{KEYS[key][1:]}"', PUZZLE, count=1)).parts
    text = re.sub(f'{key} = "short"', f'{key} = "{KEYS[key]}"', PUZZLE, count=1)
    with pytest.raises(LatcoverError, match=f"{key}: must be a (text in quotes,|name) of at most {most:,} characters"):
        latcover.loads(text)


def test_a_long_name_of_a_part_or_a_key() -> None:
    with pytest.raises(LatcoverError, match=r"parts\[0\].name: must be a"):
        latcover.loads(PUZZLE.replace('name = "I"', f'name = "{LONG}"'))
    with pytest.raises(LatcoverError, match="has a key of more than 500 characters"):
        latcover.loads(PUZZLE.replace("parts = { I = 1 }", f"parts = {{ {LONG} = 1 }}"))
    with pytest.raises(LatcoverError, match="has a key of more than 500 characters"):
        latcover.loads(PUZZLE + f"[colours]\n{LONG} = 'red'\n")


def test_a_long_title_in_json() -> None:
    data = {"puzzle": {"name": "p", "title": LONG, "lattice": "square", "parts": [{"name": "I", "art": "XX"}]}}
    with pytest.raises(LatcoverError, match="title: must be a text in quotes, of at most 500"):
        latcover.loads(json.dumps({"puzzle": data["puzzle"] | {"region": {"art": "XX"}}}))


def test_a_long_title_of_a_lattice_a_set_and_a_family(tmp_path: Path) -> None:
    for kind, name, read in (
        ("lattices", "square", load_lattice),
        ("sets", "dominoes", load_set),
        ("families", "dominoes-square", load_family),
    ):
        path = tmp_path / f"{name}.toml"
        text = shipped(kind, name).content.decode()  # type: ignore[arg-type]
        assert "\ntitle = " in text or text.startswith("title = ")
        path.write_text(re.sub(r'(?m)^title = ".*"$', f'title = "{LONG}"', text))
        with pytest.raises(LatcoverError, match="title: must be a text in quotes, of at most 500 characters"):
            read(str(path))


def test_a_long_comment_of_burrtools(tmp_path: Path) -> None:
    path = tmp_path / "burr.xmpuzzle"
    assert run("export", "burr-piston", "--output", path).returncode == 0
    import gzip

    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(re.sub("<comment>[^<]*</comment>|<comment/>", f"<comment>{LONGER}</comment>", text).encode())
    with pytest.raises(LatcoverError, match="has a comment of more than 20,000 characters"):
        latcover.load(str(path))


def test_a_long_name_in_python() -> None:
    square = load_lattice("square")
    with pytest.raises(LatcoverError, match="at most 500 characters"):
        Part(LONG, "XX")
    for key, value in (("name", LONG), ("title", LONG), ("comment", LONGER)):
        words = {"name": "p"} | {key: value}
        with pytest.raises(LatcoverError, match=f"its {key} has more than"):
            Puzzle(lattice=square, region=box(1, 2), parts=(Part("I", "XX"),), **words)


def test_check_does_not_call_it_sound(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(PUZZLE.replace('title = "short"', f'title = "{LONG}"'))
    checked = run("check", path)
    assert checked.returncode == 1
    assert "title: must be a text in quotes, of at most 500 characters" in checked.stdout + checked.stderr
