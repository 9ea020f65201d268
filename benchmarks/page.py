"""The page of benchmarks: a text, in which the results stand that were last written to `benchmarks/results/`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.harness.processes import ROOT
from benchmarks.harness.tables import filled
from benchmarks.suite_registry import SECTIONS
from latcover.system.files import write_whole

TEMPLATE = ROOT / "benchmarks" / "benchmarks.md"
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "results" / "benchmarks.md"
SHOWN = ("waits", "compare_counts", "finding", "assembly", "suite")
HEADING = re.compile(r"^## .*$", re.MULTILINE)


def page() -> Iterator[str]:
    """Write docs/results/benchmarks.md anew; nothing is measured."""
    write_whole(PAGE, [page_text().encode()])
    yield f"wrote {PAGE}"


def page_text() -> str:
    """The page as Markdown."""
    results = {name: (RESULTS / f"{name}.md").read_text(encoding="utf-8") for name in SHOWN}
    return filled(TEMPLATE, {name: shown(text) for name, text in results.items()}) + "\n"


def shown(result: str) -> list[str]:
    """The lines of a result below a heading of the page, without the long table of `setup`."""
    top, *sections = re.split(r"^(?=## )", result, flags=re.MULTILINE)
    kept = [each for each in sections if not each.startswith(f"## {SECTIONS['setup']}\n")]
    if len(kept) == 1:
        kept = [HEADING.sub("", kept[0]).lstrip()]
    text = re.sub(r"^# .*\n+", "", top) + "".join(kept)
    return HEADING.sub(lambda heading: f"#{heading[0]}", text).splitlines()
