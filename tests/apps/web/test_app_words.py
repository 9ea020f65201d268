"""No message of the app names an option of the command line: its user has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import latcover
import latcover.backends
from latcover.apps.web.app_words import in_app_words

OPTION = re.compile(r"(?<![\w,-])--[a-z]|`latcover ")  # "-Wl,--strip-all" is of a linker
# What no request of a page performs, or what makes commands and no messages.
ELSEWHERE = {
    "apps/cli",
    "lab/comparing",  # makes command lines
    "lab/designing/cuts.py",  # the command that makes a cut again
    "lab/designing/first_file.py",  # comments in a file
    "lab/asking/exporting.py",  # what `export`, `import`, `pieces` and `publish` refuse, also as functions
    "files/formats/importing.py",
    "files/formats/listed_pieces.py",
    "apps/workshop/publish.py",
    "lab/designing/design_requests.py",
    "core/encoding/prepared.py",  # its choices that the app does not offer
    "lab/exploring/common.py",
    "files/formats/forms.py",  # options of `export` alone, by their names
    "files/formats/named_shapes.py",
    "show/reporting/design_report.py",  # the app has words of its own for designs
    "show/reporting/puzzle_figures.py",
    "lab/runs",
    "lab/asking/estimate.py",
    "lab/asking/proofs.py",
    "lab/asking/strip_states.py",
    "system",
    "apps/web/app_words.py",
    "apps/web/security.py",  # to who runs the server
    "__main__.py",
}


def messages(path: Path) -> Iterator[str]:
    """The texts in a module, without its docstrings; {} stands for what is put in."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(id(node.value))
        text = None if id(node) in inside else _text(node)
        if text is not None:
            inside |= {id(part) for part in ast.walk(node)}
            yield text


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def test_no_message_that_may_reach_a_page_names_an_option() -> None:
    roots = [Path(str(latcover.__file__)).parent, Path(str(latcover.backends.__file__)).parent]
    named, met = [], set[str]()
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            name = path.relative_to(root).as_posix()
            found = [text for text in messages(path) if OPTION.search(text)]
            above = {name, *map(str, Path(name).parents)}
            met.update(above if found else ())
            if not ELSEWHERE & above:
                named += [f"{name}: {text}" for text in found if OPTION.search(in_app_words(text))]
    assert named == []
    assert met >= ELSEWHERE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "the time was over before the search began; give more --time, or take a smaller puzzle",
            "the time was over before the search began; give it more time, or take a smaller puzzle",
        ),
        (
            "more than 9 sets have a solution, and memory is full; allow more with --memory, or pick sets at "
            "random with --search sample",
            "more than 9 sets have a solution, and memory is full; pick sets at random",
        ),
        ("soma: too large; allow more with --memory", "soma: too large; the server has no more memory for it"),
        ("a.toml, line 3: wrong (and 2 more; `latcover check` lists them all)", "a.toml, line 3: wrong (and 2 more)"),
        (
            "4 cells of x stay empty at the start; give --holes 4 or more",
            "4 cells of x stay empty at the start; allow 4 empty cells or more",
        ),
        ("nothing here", "nothing here"),
    ],
)
def test_advice_is_given_in_the_words_of_the_app(text: str, words: str) -> None:
    assert in_app_words(text) == words
