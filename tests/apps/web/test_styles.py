"""One look: type has five sizes, lengths between things come from one scale, and a control has one height."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDERS = ("apps/web", "apps/workshop", "apps/publishing")
SHEETS = sorted(path for folder in FOLDERS for path in (ROOT / "latcover" / folder / "static").glob("*.css"))
SHEETS += [ROOT / "latcover/show/drawing/space/static" / name for name in ("look.css", "cards.css")]
SIZES = {"var(--small)", "var(--text)", "1rem", "var(--title)", "var(--head)", "inherit"}
LENGTHS = {0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3}  # rem
FREE = ("calc", "max(", "min(", "env(")


def values(text: str, names: str) -> list[str]:
    return re.findall(rf"[\s{{;](?:{names}): ([^;{{}}]+);", text)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_a_sheet_uses_the_scales(path: Path) -> None:
    text = path.read_text("utf-8")
    assert {size for size in values(text, "font-size") if not size.endswith("em") or size.endswith("rem")} <= SIZES
    for value in values(text, r"(?:padding|margin)(?:-[a-z-]+)?|(?:row-|column-)?gap"):
        if not any(word in value for word in FREE):
            lengths = {abs(float(number)) for number in re.findall(r"(-?[\d.]+)rem", value)}
            assert {length for length in lengths if length and length <= 4} <= LENGTHS, value
    assert not re.search(r"[\s;]height: 2(?:\.\d)?rem;", text)  # var(--reach)
