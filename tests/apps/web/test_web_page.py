"""Pages of HTML as text: one file, nothing from outside, and nothing of a puzzle can become active."""

from __future__ import annotations

import itertools
import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

import latcover
from latcover.errors import InternalError
from latcover.show.drawing.space import linking
from latcover.show.drawing.space.linking import linked
from latcover.show.drawing.space.viewer_page import MOST_SOLUTIONS, page
from tests.command_line import DONE, FAILED, run

WICKED = "</script><script>window.wicked = 1</script><img src=x onerror=wicked()>"
MODULES = (
    "boxes", "colours", "controls", "dom", "eye", "film", "film_files", "film_making", "film_saving", "film_set",
    "gifenc", "ground", "kept", "legend", "materials", "page", "play_needed", "player", "pointer", "poses", "shapes",
    "side_tray", "source", "stage", "vectors", "viewer", "webm",
)  # fmt: skip


class Elements(HTMLParser):
    """The elements of a page, and what stands in each kind of them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open = ""
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        self.open = tag

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open][-1] += data

    def names(self) -> list[str]:
        return [name for name, _ in self.found]


@pytest.fixture(scope="module")
def small() -> str:
    puzzle = latcover.load("pent-20x3")
    return page(puzzle, list(itertools.islice(latcover.solutions(puzzle), 2)))


def wicked_puzzle(folder: Path) -> latcover.Puzzle:
    path = folder / "wicked.toml"
    path.write_text(
        f'name = "wicked"\ntitle = {json.dumps(WICKED)}\nlattice = "square"\n[region]\nbox = [2, 1]\n'
        f"[[parts]]\nname = {json.dumps('<b>' + WICKED)}\nbox = [2, 1]\n",
        encoding="utf-8",
    )
    return latcover.load(str(path))


EXPECTED = ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "main", "noscript"]


def test_a_page_is_one_file_with_a_policy(small: str) -> None:
    elements = Elements(small)
    assert elements.names() == [*EXPECTED, "script", "script"]
    policy = next(a["content"] for _, a in elements.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for kind, text in (("script", elements.texts["script"][1]), ("style", elements.texts["style"][0])):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert rules.pop(f"{kind}-src") == f"'sha256-{digest}'"
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    for _, attributes in elements.found:
        assert not {"src", "href", "style", "onload"} & set(attributes)


def test_the_data_of_a_page_can_be_read_back(small: str) -> None:
    data = json.loads(Elements(small).texts["script"][0])
    assert data["count"] == 2
    assert data["puzzle"]["name"] == "pent-20x3"


def test_names_with_html_stay_text(tmp_path: Path) -> None:
    puzzle = wicked_puzzle(tmp_path)
    elements = Elements(page(puzzle, list(latcover.solutions(puzzle))))
    assert elements.names() == [*EXPECTED, "script", "script"]
    assert elements.texts["title"] == [WICKED]
    data = json.loads(elements.texts["script"][0])
    assert data["puzzle"]["title"] == WICKED
    assert data["parts"][0]["name"] == "<b>" + WICKED


def test_a_page_of_the_same_puzzle_has_the_same_bytes(small: str) -> None:
    puzzle = latcover.load("pent-20x3")
    assert page(puzzle, list(itertools.islice(latcover.solutions(puzzle), 2))) == small


def test_the_script_cannot_end_its_element() -> None:
    assert not re.search(r"</script|<!--", linked("page"), re.IGNORECASE)


def test_every_module_is_in_the_script_once() -> None:
    script = linked("page")
    for name in (*MODULES, "three"):
        assert script.count(f"const module_{name} = (") == 1, name
    assert "@license" in script


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import all from "./dom.js";\n', "in a form that pages cannot link"),
        ("export default 3;\n", "in a form that pages cannot link"),
        ('import { dom, dam } from "./dom.js";\n', "imports names that dom.js does not export: dam"),
    ],
)
def test_unknown_forms_of_modules_are_refused(text: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = linking.static_text
    monkeypatch.setattr(linking, "static_text", lambda name, of: text if name == "odd.js" else real(name, of))
    with pytest.raises(InternalError, match=re.escape(message)):
        linked("odd")


def test_all_of_a_module_is_linked_also_what_is_loaded_later(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'import * as all from "./dom.js";\nexport const later = () => import("./vectors.js");\n'
    real = linking.static_text
    monkeypatch.setattr(linking, "static_text", lambda name, of: text if name == "whole.js" else real(name, of))
    script = linked("whole")
    assert "const all = module_dom;" in script
    assert "later = () => Promise.resolve(module_vectors);" in script
    assert script.index("const module_vectors = (") < script.index("const module_whole = (")


def test_joined_modules_stand_once_and_are_imported_from_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for the first module, and one for each that is imported on demand: it imports what the first one has."""
    more = 'export const more = () => import("./legend.js");\n'  # two modules demand it
    text = 'import { more } from "./more.js";\nimport { dom } from "./dom.js";\nexport const later = () => [LATER];\n'
    texts = {"first.js": text.replace("LATER", 'import("./legend.js"), import("./dom.js")'), "more.js": more}
    real = linking.static_text
    monkeypatch.setattr(linking, "static_text", lambda name, of: texts.get(name) or real(name, of))
    files = linking.joined("first")
    assert list(files) == ["first", "legend", "dom"]
    first, legend, dom = files.values()
    assert first.count("const module_dom = (") == 1
    assert 'import("./legend.js")' in first
    assert first.endswith("export { module_more, module_dom, module_first };\nexport const { later } = module_first;")
    assert "const module_legend = (" in legend
    assert legend.startswith('import { module_dom } from "./first.js";')
    assert "const module_dom" not in legend + dom
    assert dom.startswith('import { module_dom } from "./first.js";')
    assert dom.endswith("} = module_dom;")


def test_show_writes_pages(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    for arguments, numbers in ((("--solutions", "2"), 2), (("--solution", "2"), 1), ((), 1)):
        assert run("show", "pent-20x3", "--output", path, *arguments).returncode == DONE
        assert json.loads(Elements(path.read_text("utf-8")).texts["script"][0])["count"] == numbers


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--region",),
            "--region: only for .txt, .svg, .pdf, .png; name such a file with --output, or leave that out",
        ),
        (("--part", "Z"), "--part: only for .txt, .svg, .pdf, .png, .stl, .3mf, .glb, .step; name such a file"),
        (("--patterns",), "--patterns: only for .svg, .pdf, .png; name such a file"),
        (("--view", "layers"), "--view: only for .svg, .pdf, .png; name such a file"),
        (("--no-letters",), "--no-letters: only for .svg, .pdf, .png; name such a file"),
        (("--json",), "--json: only for .txt; name such a file"),
        (
            ("--solutions", f"{MOST_SOLUTIONS + 1}"),
            "an HTML page holds at most 100,000 solutions; give a smaller",
        ),
    ],
)
def test_what_a_page_cannot_show_is_an_error(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    done = run("show", "pent-20x3", "--output", path, *arguments)
    assert done.returncode == FAILED
    assert message in " ".join(done.stderr.split())
    assert not path.exists()
