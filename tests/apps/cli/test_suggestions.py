"""What a message suggests for misspelt words, and for the words of other programs."""

from __future__ import annotations

import pytest

from latcover.errors import suggest
from tests.command_line import USAGE, run

FORMS = ("dimacs", "dlx", "json", "lp", "minizinc", "mps", "npz", "opb", "xmpuzzle")
KEYS = (
    "name",
    "title",
    "source",
    "comment",
    "lattice",
    "transformations",
    "colours",
    "region",
    "parts",
    "rules",
    "sides",
)
PART = (
    "name",
    "count",
    "min",
    "max",
    "transformations",
    "colour",
    "box",
    "art",
    "layers",
    "cells",
    "walk",
    "mirror_of",
)
REGION = ("box", "art", "layers", "cells", "minus", "scale", "optional", "max_empty", "alike", "period")
LATTICES = ("cubic", "fcc", "hexagonal", "hexprism", "square", "tetrakis", "triangular", "triprism")
SETS = ("heptominoes", "hexominoes", "pentominoes", "tetracubes", "tetrominoes")


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("pieces", KEYS, "parts"),
        ("shapes", KEYS, "parts"),
        ("result", KEYS, "region"),
        ("goal", KEYS, "region"),
        ("board", KEYS, "region"),
        ("grid", KEYS, "lattice"),
        ("gridType", KEYS, "lattice"),
        ("designer", KEYS, "source"),
        ("description", KEYS, "comment"),
        ("lattices", KEYS, "lattice"),
        ("colors", KEYS, "colours"),
        ("copies", PART, "count"),
        ("quantity", PART, "count"),
        ("cuont", PART, "count"),
        ("voxels", PART, "cells"),
        ("rotations", PART, "transformations"),
        ("mirror", PART, "mirror_of"),
        ("holes", REGION, "minus"),
        ("optionl", REGION, "optional"),
        ("burrtools", FORMS, "xmpuzzle"),
        ("BurrTools", FORMS, "xmpuzzle"),
        ("polysolver", FORMS, "xmpuzzle"),
        ("cnf", FORMS, "dimacs"),
        ("xcc", FORMS, "dlx"),
        ("mzn", FORMS, "minizinc"),
        ("cube", LATTICES, "cubic"),
        ("brick", LATTICES, "cubic"),
        ("spheres", LATTICES, "fcc"),
        ("hex", LATTICES, "hexagonal"),
        ("triangles", LATTICES, "triangular"),
        ("tetrominos", SETS, "tetrominoes"),
        ("pento", SETS, "pentominoes"),
        ("reflections", ("none", "rotations", "all"), "all"),
    ],
)
def test_what_is_meant(word: str, known: tuple[str, ...], meant: str) -> None:
    assert suggest(word, known) == f"; did you mean {meant!r}?"


@pytest.mark.parametrize("word", ["first-of-all", "zzz", "--", ""])
def test_what_is_like_nothing_is_not_guessed(word: str) -> None:
    assert suggest(word, ["--quiet", "--verbose", "--limit"], listing=False) == ""


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("difficulty soma --time 3", "did you mean '--max-branches'?"),
        ("estimate soma --time 3", "did you mean '--seconds'?"),
        ("solve soma --jobs 2", "did you mean '--threads'?"),
        ("solve soma --first", "did you mean '--limit'?"),
        ("solve soma --solver dlx", "did you mean '--backend'?"),
        ("solve soma --output x", "`latcover show`"),
        ("design cut cubic:3x3x3 --pieces 3", "did you mean '--parts'?"),
        ("count soma --sym all", "did you mean '--symmetry'?"),
        ("apert soma", "did you mean 'apart'?"),
        ("gui", "did you mean 'serve'?"),
        ("draw soma", "did you mean 'show'?"),
        ("validate soma", "did you mean 'check'?"),
    ],
)
def test_what_is_meant_on_the_command_line(words: str, meant: str) -> None:
    refused = run(*words.split())
    assert (refused.returncode, meant in refused.stderr) == (USAGE, True), refused.stderr
