"""The table of planted defects: each can be planted, and names tests that there are. The lane itself runs by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mutation.lane import Defect, LaneError, Workshop, chosen_from, defects

ROOT = Path(__file__).parents[2]
TABLE = defects()


def test_every_defect_can_be_planted(tmp_path: Path) -> None:
    for defect in TABLE:
        whole = (ROOT / defect.file).read_text("utf-8")
        assert defect.planted_in(whole) != whole, defect.name
        if not defect.is_native:
            if defect.file.endswith(".py"):
                compile(defect.planted_in(whole), f"{defect.file} ({defect.name})", "exec")
            assert Workshop(ROOT, tmp_path).installed(defect.file).name == Path(defect.file).name


def test_every_defect_names_tests_that_there_are() -> None:
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    for defect in TABLE:
        assert defect.tests, defect.name
        for test in defect.tests:
            file, _, name = test.partition("[")[0].partition("::")
            assert not name or re.search(rf"^def {re.escape(name)}\(", texts[file], re.MULTILINE), (defect.name, test)


def test_names_are_used_once_and_texts_that_occur_twice_are_refused() -> None:
    assert len({defect.name for defect in TABLE}) == len(TABLE)
    defect = Defect("x", "y", "z.py", "a", "b", ())
    assert defect.planted_in("cat") == "cbt"
    for whole in ("", "banana"):
        with pytest.raises(LaneError, match=r"x: its text occurs \d times in z.py, not once"):
            defect.planted_in(whole)


def test_defects_are_chosen_by_name_or_by_file() -> None:
    assert chosen_from(TABLE, []) == TABLE
    assert [defect.name for defect in chosen_from(TABLE, ["wrong-twin"])] == ["wrong-twin"]
    assert all(defect.is_native for defect in chosen_from(TABLE, ["native"]))
    with pytest.raises(LaneError, match="no defect is named nothing-like-it"):
        chosen_from(TABLE, ["nothing-like-it"])
