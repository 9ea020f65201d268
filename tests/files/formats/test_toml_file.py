"""Where complaints about a TOML file point: every text below marks the place with a bar, which is taken out first."""

from __future__ import annotations

import pytest

from latcover.errors import PuzzleFileError
from latcover.files.formats.puzzle_files.toml_file import Key, TomlFile
from latcover.files.formats.source import Source, shipped

PARTS = """\
[[parts]]
name = "A"
art = ["X"]

[[parts]]
name = "B"
art = [
    "XX",
    "X.",
]
"""


def file_of(marked: str) -> tuple[TomlFile, tuple[int, int]]:
    """The file of *marked* without its bar, and the line and the column of the bar."""
    before, _, after = marked.partition("¦")
    source = Source((before + after).encode(), "file.toml", shipped)
    line = before.count("\n") + 1
    return TomlFile(source, PuzzleFileError), (line, len(before) - before.rfind("\n"))


def position(case: str, key: Key, marked: str) -> object:
    return pytest.param(key, marked, id=case.replace(" ", "-"))


KEYS = [
    position("at the top", ("name",), '# a comment\n\n¦name = "p"\n'),
    position("indented", ("name",), '  ¦name="p"\n'),
    position("in a table", ("region", "box"), 'box = 1\n[region]\nart = ["X"]\n¦box = [1, 2]\n'),
    position("a table", ("region",), "name = 1\n\n¦[region]\nbox = [1, 2]\n"),
    position("in a nested table", ("region", "minus", "at"), "[region]\nat = 1\n[region.minus]\n¦at = [0, 0]\n"),
    position("a nested table with blanks", ("region", "minus", "at"), "[ region . minus ]  # hole\n¦at = [0, 0]\n"),
    position("in a super-table that follows", ("a", "x"), "[a.b]\nx = 1\n[a]\n¦x = 2\n"),
    position("dotted", ("region", "box"), "region.art = 1\n¦region.box = [1, 2]\n"),
    position("dotted in a table", ("region", "minus", "at"), "[region]\n¦minus.at = 1\n"),
    position("in the first of an array of tables", ("parts", 0, "art"), PARTS.replace("\nart", "\n¦art", 1)),
    position("in the second of an array of tables", ("parts", 1, "name"), PARTS.replace('name = "B', '¦name = "B')),
    position("the second of an array of tables", ("parts", 1), "[[parts]]\nx = 1\n\n ¦[[parts]]\nx = 2\n"),
    position("in a table below an array", ("a", 1, "b", "x"), "[[a]]\n[[a]]\n[a.b]\n¦x = 1\n"),
    position("in an array below an array", ("a", 0, "b", 1, "x"), "[[a]]\n[[a.b]]\nx = 1\n[[a.b]]\n¦x = 2\n[[a]]\n"),
    position("in an array below the second", ("a", 1, "b", 0, "x"), "[[a]]\n[[a.b]]\nx = 1\n[[a]]\n[[a.b]]\n¦x = 2\n"),
    position("quoted", ("name",), '"na" = 1\n¦"name" = 2\n'),
    position("quoted with an equals sign", ("a=b",), 'a = 1\n¦"a=b" = 2\n'),
    position("quoted with a dot", ("region", "a.b"), '[region]\na = 1\n¦"a.b" = 2\n'),
    position("quoted with a blank", ("quarter turn",), "quarter = 1\n¦'quarter turn' = 2\n"),
    position("quoted with a character of art", ("colours", "#"), '[colours]\n¦"#" = "black"\n'),
    position("under a quoted header", ("a", "b.c", "x"), 'x = 1\n[a."b.c"]\n¦x = 2\n'),
    position("missing, hence its table", ("parts", 0, "name"), "x = 1\n¦[[parts]]\nart = 2\n"),
    position("missing, hence its outer table", ("region", "minus", "at"), "[x]\n¦[region]\nbox = 2\n"),
    position("nothing", (), "¦# comment\nname = 1\n"),
    position("after a comment that looks like a key", ("name",), '# name = "x"\n¦name = "y"\n'),
    position("after a comment that looks like a header", ("name",), '#[[parts]]\n¦name = "y"\n'),
    position("after a comment with three quotes", ("name",), "# '''\n¦name = 1\n"),
    position("after a value and three quotes in a comment", ("name",), 'x = 1 # """\n¦name = 1\n'),
    position("after a string with three quotes", ("name",), "x = \"'''\"\n¦name = 1\n"),
    position("after a string that looks like keys", ("name",), 'x = """\nname = 1\n[name]\n"""\n¦name = 2\n'),
    position("after a literal string that looks so", ("name",), "x = '''\nname = 1\n[name]\n'''\n¦name = 2\n"),
    position("after a triple-quoted line", ("name",), 'x = """name = 1"""\n¦name = 2\n'),
    position("after a string that looks like a header", ("a", "x"), '[a]\nb = "[c]"\n¦x = 1\n'),
    position("after strings that look like headers", ("a", "x"), '[a]\nb = [\n"[c]",\n"[[d]]",\n]\n¦x = 1\n'),
    position("after strings that look like keys", ("a", "x"), '[a]\nb = [\n"x = 1",\n"y = [",\n]\n¦x = 1\n'),
    position("before strings that look like it", ("x",), '¦x = 1\nb = [\n"x = 2",\n]\n'),
    position("after rows of numbers", ("a", "x"), "[a]\nb = [\n  [0, 0],\n  [1, 0],\n]\n¦x = 1\n"),
    position("after one row of numbers", ("a", "x"), "[a]\nb = [\n  [0, 0]\n]\n¦x = 1\n"),
    position("after rows of strings", ("a", "x"), '[a]\nb = [\n  ["X"],\n  ["X"],\n]\n¦x = 1\n'),
    position("with Windows line ends", ("a", "x"), '[a]\r\nb = """\r\nX\r\n"""\r\n¦x = 1\r\n'),
]


@pytest.mark.parametrize(("key", "marked"), KEYS)
def test_keys_and_tables_are_found(key: Key, marked: str) -> None:
    file, expected = file_of(marked)
    assert file.locate(key) == expected


ELEMENTS = [
    position("string", ("art", 1), 'art = ["X.", "¦XX"]\n'),
    position("string on a line of its own", ("art", 1), 'art = [\n  "X.",\n  "¦XX",\n]\n'),
    position("literal string", ("art", 2), "art = ['X.', 'X.', '¦XX']\n"),
    position("string after an escaped quote", ("art", 1), 'art = ["\\"", "¦XX"]\n'),
    position("string after an empty one", ("art", 1), 'art = ["", "¦XX"]\n'),
    position("string after brackets", ("art", 1), 'art = ["[X]", "¦XX"]\n'),
    position("string after a number sign", ("art", 1), 'art = ["#X", "¦#X"]\n'),
    position("string after a comment", ("art", 1), 'art = [ # rows\n "X.", # the first\n "¦XX",\n]\n'),
    position("string after a comment with an apostrophe", ("art", 1), 'art = [\n"X.", # don\'t\n"¦XX", # isn\'t\n]\n'),
    position("string after a comment with quotes", ("art", 1), 'art = [\n "X.", # not "X"\n "¦XX",\n]\n'),
    position("string in the second table", ("parts", 1, "art", 1), PARTS.replace("X.", "¦X.")),
    position("string of a layer", ("layers", 1, 1), 'layers = [["X.", "XX"], ["..", "¦.X"]]\n'),
    position("string of a layer by lines", ("layers", 1, 0), 'layers = [\n ["X.", "XX"],\n ["¦..", ".X"],\n]\n'),
    position("string after an empty layer", ("layers", 1, 0), 'layers = [[], ["¦X"]]\n'),
    position("row of numbers", ("cells", 1), "cells = [[0, 0], ¦[1, 0]]\n"),
    position("row of numbers by lines", ("cells", 2), "cells = [\n [0, 0],\n [1, 0],\n ¦[2, 0],\n]\n"),
    position("first row", ("cells", 0), "cells = [¦[0, 0], [1, 0]]\n"),
    position("empty row", ("cells", 1), "cells = [[0, 0], ¦[], [1, 0]]\n"),
    position("row after a comment with brackets", ("cells", 1), "cells = [\n [0, 0], # not [2, 0]\n ¦[1, 0],\n]\n"),
    position("row with a name", ("cells", 1), 'cells = [[0, 0, "up"], ¦[1, 0, "down"]]\n'),
    position("row of triple-quoted art", ("art", 1), 'art = """\nX.\n¦XX\n"""\n'),
    position("row of art that starts at once", ("art", 1), 'art = """X.\n¦XX"""\n'),
    position("row of triple-quoted literal art", ("art", 0), "art = '''\n¦X.\nXX\n'''\n"),
    position("row of art with Windows line ends", ("art", 1), 'art = """\r\nX.\r\n¦XX\r\n"""\r\n'),
    position("row of one letter", ("art", 0), 'art = "¦X"\n'),
    position("row of two letters", ("art", 0), 'art = "¦XX"\n'),
]


@pytest.mark.parametrize(("key", "marked"), ELEMENTS)
def test_elements_are_found(key: Key, marked: str) -> None:
    file, expected = file_of(marked)
    assert file.locate(key) == expected


LINES = [  # only the line: what an inline table holds has no place of its own
    position("in an inline table", ("region", "minus", "at"), "[region]\nbox = 1\n¦minus = { box = 1, at = 2 }\n"),
    position("element in an inline table", ("minus", "cells", 1), "¦minus = { cells = [[0, 0], [0, 1]] }\nx = 1\n"),
    position("element of an array of inline tables", ("minus", 1), "minus = [\n { box = [1] },\n ¦{ box = [2] },\n]\n"),
    position("inline tables on one line", ("parts", 1, "name"), '¦parts = [{ name = "a" }, { name = 5 }]\n[x]\n'),
    position("a number", ("box", 1), "x = 1\n¦box = [1, true]\ny = [2]\n"),
    position("a number among strings", ("only", 1), '¦only = ["F", 5]\nwithout = ["X"]\nart = ["X"]\n'),
]


@pytest.mark.parametrize(("key", "marked"), LINES)
def test_the_line_is_found(key: Key, marked: str) -> None:
    file, (line, _) = file_of(marked)
    assert file.locate(key)[0] == line


def test_a_complaint_counts_characters_into_a_string() -> None:
    file, expected = file_of('art = ["X.", "X¦?"]\n')
    file.complain(("art", 1), "stray", offset=1)
    (complaint,) = file.complaints
    assert (complaint.line, complaint.column) == expected
    assert str(complaint) == f"file.toml:1:{expected[1]}: art[1]: stray"


def test_finish_raises_errors_and_returns_warnings() -> None:
    file, _ = file_of("name = 1\n")
    file.complain(("name",), "is odd", warning=True)
    (warning,) = file.finish()
    assert warning.warning
    file.complain(("name",), "is wrong")
    with pytest.raises(PuzzleFileError) as caught:
        file.finish()
    assert [complaint.warning for complaint in caught.value.complaints] == [True, False]
    assert "is wrong" in str(caught.value)


def test_a_complaint_that_is_made_again_stands_once_but_counts() -> None:
    """Readers compare the number before and after to see whether a value was faulty."""
    file, _ = file_of("name = 1\n")
    for n in (1, 2):
        file.complain(("name",), "is wrong")
        assert (len(file.complaints), file.n_complaints) == (1, n)


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ('art = "XX', "a text lacks its closing quotes|a text in quotes must end on its line"),
        ('art = "XX\n"', "a text in quotes must end on its line"),
        ("art = XX", "words must be in quotes"),
        ('art = ["XX"', "a list lacks its ]"),
        ("art: XX", "of the form key = value"),
        ('name = "x" "y"', "only one value can follow an ="),
        ("[parts]\n[parts]", "begins with [[parts]], in two brackets"),
        ("a = 1\na = 2", "a key or a heading occurs twice"),
    ],
)
def test_what_the_parser_refuses_is_told_with_what_mends_it(line: str, mend: str) -> None:
    with pytest.raises(PuzzleFileError, match="is not valid TOML: ") as error:
        TomlFile(Source(line.encode(), "file.toml", shipped), PuzzleFileError)
    assert any(each in str(error.value) for each in mend.split("|"))
    assert ".xmpuzzle" not in str(error.value)


def test_a_file_of_another_kind_is_told_of_suffixes() -> None:
    with pytest.raises(PuzzleFileError, match=r"needs its suffix, such as \.xmpuzzle or \.txt"):
        TomlFile(Source(b"solid cube", "cube.stl", shipped), PuzzleFileError)
