"""The table of instructions a branch, from what an emulator prints."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import instructions
from latcover.errors import LatcoverError

TOLD = """\
instructions 100
instructions 300
instructions 1000
instructions 21200
searched soma dlx 10 110
instructions 5
instructions 6
instructions 7
instructions 1508
searched soma neon 10 60
"""


def test_a_branch_costs_the_difference_of_two_searches() -> None:
    """(20,200 - 200) instructions in 100 branches; (1,501 - 1) in 50."""
    assert instructions.table(TOLD) == ["| puzzle | dlx | neon |", "| --- | --: | --- |", "| soma | 200 | 30 |"]


def test_the_plugin_waits_for_the_same_marker() -> None:
    source = Path(instructions.__file__).with_name("instructions.c").read_text("utf-8")
    assert f"marker = {instructions.MARKER} " in source


def test_a_missing_emulator_is_named() -> None:
    with pytest.raises(LatcoverError, match=r"is missing; on Debian: apt-get install qemu-user gcc"):
        instructions.counted(["an-emulator-that-is-not-there"], ["soma"])


@pytest.mark.long
def test_the_emulator_counts() -> None:
    emulator = shutil.which("qemu-x86_64")
    if not emulator or not shutil.which("cc"):
        pytest.skip("needs qemu-x86_64, of qemu-user, and a C compiler")
    lines = instructions.counted([emulator, shutil.which("python3") or "python3"], ["pent-8x8-minus-2x2"])
    assert len(lines) == 3
