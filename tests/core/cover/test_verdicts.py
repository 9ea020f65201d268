"""Verdicts follow from why a search stopped, and are worded in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import latcover
from latcover.core.cover.result import SearchResult, Stop, verdict
from latcover.lab.exploring.packing import Packing, packing_in_words


@pytest.mark.parametrize("stop", Stop)
def test_nothing_complete_is_cut_short(stop: Stop) -> None:
    assert stop.is_complete is (stop in (Stop.EXHAUSTED, Stop.IMPOSSIBLE)) is SearchResult(stop).complete
    assert ("cut short" in stop.verdict) is (not stop.is_complete and stop is not Stop.NOT_PROVED)
    assert verdict(str(stop)) == stop.verdict
    words = packing_in_words(latcover.PackRequest(), Packing(None, None, None, stop, 0.0))
    assert words == ("there is no packing" if stop.is_complete else f"no packing was found ({stop.verdict})")


def test_no_other_module_words_a_verdict() -> None:
    """Whatever says "cut short" and why takes both from the reason, so that they cannot contradict each other."""
    words = re.compile(r"cut short[:(, ]*\{")
    assert latcover.__file__ is not None
    found = [path.name for path in Path(latcover.__file__).parent.rglob("*.py") if words.search(path.read_text())]
    assert found == ["result.py"]
