"""`latcover bench suite`: its page, its data, its chart, and the run that is committed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import suite
from benchmarks.page import page_text, shown
from benchmarks.suite_chart import branch_bars, draw_chart, require_chart
from benchmarks.suite_registry import cases_of, chosen_sections
from tests.command_line import Result, run


def silent(_: str) -> None:
    return None


def called(*arguments: str) -> Result:
    return run("bench", "suite", *arguments)


@pytest.mark.long
def test_the_command_writes_page_data_and_chart(tmp_path: Path) -> None:
    output, chart = tmp_path / "suite.md", tmp_path / "suite.svg"
    pytest.importorskip("matplotlib")
    given = ("--quick", "--only", "search,size,delivery", "--output", str(output), "--chart", str(chart))
    done = called(*given)
    assert done.returncode == 0, done.stderr
    page, data = output.read_text("utf-8"), json.loads(output.with_suffix(".json").read_text("utf-8"))
    assert [section["section"] for section in data["sections"]] == ["search", "size", "delivery"]
    assert data["quick"]
    assert data["machine"] in page
    assert page.startswith("# The benchmark suite\n")
    assert_well_formed(page, 3)
    for section in data["sections"]:
        assert f"## {section['title']}\n" in page
        assert section["rows"]
        assert section["title"] in done.stdout
    root = ElementTree.parse(chart).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {"".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"pent-8x8-minus-2x2", "dlx", "bitset", data["machine"]} <= {text.strip() for text in texts}


def assert_well_formed(page: str, tables: int) -> None:
    """As many tables as said, every line of each as wide as its heading."""
    found = [block.splitlines() for block in re.findall(r"(?:^\|.*\n?)+", page, re.MULTILINE)]
    assert len(found) == tables
    for lines in found:
        assert len(lines) > 2
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
        assert set(lines[1]) <= set("|-: ")


def test_json_on_standard_output_is_one_object() -> None:
    done = called("--quick", "--only", "size", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert set(data["versions"]) == set(suite.MEASURED_WITH)
    assert len(data["sections"][0]["rows"]) == len(cases_of("size", quick=True))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--only", "nothing"], 1, "no section 'nothing'"),
        (["--output", "suite.txt"], 2, "name a file .md"),
        (["--output", "no-such-folder/suite.md"], 1, "no folder"),
        (["--chart", "suite.bmp"], 1, "cannot plot a .bmp"),
        (["--only", "size", "--chart", "suite.svg"], 1, "the chart shows the sections"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_measured(arguments: list[str], code: int, said: str) -> None:
    done = called("--quick", *arguments)
    assert done.returncode == code
    assert said in re.sub(r"[\s│]+", " ", done.stderr)
    assert not done.stdout


def test_the_chart_draws_each_kernel(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    tables = list(suite.run_suite(("kernels",), quick=True, say=silent))
    assert set(branch_bars(tables[0])["pent-8x8-minus-2x2"]) >= {"dlx", "portable"}
    path = tmp_path / "chart.svg"
    require_chart(path, ("kernels",))
    draw_chart(tables, "some machine", path)
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert b"prefers-color-scheme:dark" in path.read_bytes()


def test_the_committed_results_are_a_whole_run() -> None:
    folder = Path(__file__).parents[2] / "benchmarks" / "results"
    data = json.loads((folder / "suite.json").read_text("utf-8"))
    assert [section["section"] for section in data["sections"]] == list(chosen_sections(None))
    assert not data["quick"]
    assert data["machine"] in (folder / "suite.md").read_text("utf-8")


def test_the_page_is_made_of_the_committed_results() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "results" / "benchmarks.md").read_text("utf-8")
    assert page == page_text()
    assert json.loads((root / "benchmarks" / "results" / "suite.json").read_text("utf-8"))["machine"] in page
    assert ElementTree.parse(root / "docs" / "suite.svg").getroot().tag.endswith("svg")


def test_a_result_stands_below_a_heading_of_the_page() -> None:
    result = "# Top\n\nA machine.\n\n## Searches\n\n| 1 |\n\n## Setting a puzzle up\n\n| 2 |\n\n## Counts\n\n| 3 |\n"
    assert shown(result) == ["A machine.", "", "### Searches", "", "| 1 |", "", "### Counts", "", "| 3 |"]
    assert shown("# Top\n\nA machine.\n\n## Searches\n\n| 1 |\n") == ["A machine.", "", "| 1 |"]
    assert shown("| 1 |\n\nA machine.\n") == ["| 1 |", "", "A machine."]
