"""Data flows one way: how often a question calls from a room into one above it.

Rooms have the order of ARCHITECTURE.md. A climb is a pair of rooms, the lower of which calls the upper one. To hand on
a solution, to report progress and to ask a backend are climbs, and needed. More of them would be a circle in all but
name.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.test_rooms import ROOMS, WINGS

MOST = 6
RANKED = [room for wing in WINGS for room in (wing, *(room for room in ROOMS if room.startswith(f"{wing}.")))]
PROFILE = """
import json, sys, threading
RANKED = {ranked!r}

def room(module):
    parts = module.split(".")
    names = (".".join(parts[1:3]), *parts[1:2]) if parts[0] == "latcover" else ()
    return next((RANKED.index(name) for name in names if name in RANKED), None)

climbs = set()

def met(frame, event, argument):
    here = room(frame.f_globals.get("__name__", "")) if event == "call" else None
    if here is None or frame.f_code.co_name == "<module>":
        return
    caller = frame.f_back
    while caller is not None and room(caller.f_globals.get("__name__", "")) is None:
        caller = caller.f_back
    below = here if caller is None else room(caller.f_globals["__name__"])
    if here > below:
        climbs.add((RANKED[below], RANKED[here]))

def profiled(ask):
    threading.setprofile(met)
    sys.setprofile(met)
    try:
        ask()
    except SystemExit as end:
        assert not end.code, end.code
    finally:
        sys.setprofile(None)
    print(json.dumps(sorted(climbs)), file=sys.stderr)
"""
COMMAND = """
from latcover.apps.cli.main import main
sys.argv = ["latcover", *{words!r}]
profiled(main)
"""
APP = """
from latcover.apps.web.child_jobs import run_job
from latcover.apps.web.job import Talk
from latcover.apps.web.settings import Settings
job = b'{"task": "solve", "subject": {"form": "shipped", "name": "example-2x2"}}'
told = []
profiled(lambda: run_job(job, Talk(told.append, Settings())))
assert type(told[-1]).__name__ == "Done", told[-1]
"""
FAMILY = """
name = "family"
lattice = "square"
[region]
box = [3, 5]
[[parts]]
set = "pentominoes"
min = 0
max = 1
"""


def climbs(program: str, folder: Path) -> list[list[str]]:
    """The climbs of a program, which calls `profiled`."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROFILE.format(ranked=RANKED) + program],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    found: list[list[str]] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    "words",
    [
        "solve example-2x2 --quiet",
        "count example-2x2 --quiet",
        "apart burr-piston --quiet",
        "design cut cubic:2x2x2 --parts 2 --limit 1 --walks 1 --quiet",
        "design sets family.toml --quiet",
    ],
)
def test_a_question_climbs_seldom(words: str, tmp_path: Path) -> None:
    (tmp_path / "family.toml").write_text(FAMILY, "utf-8")
    found = climbs(COMMAND.format(words=words.split()), tmp_path)
    assert found  # the profile sees something
    assert len(found) <= MOST, found


def test_a_search_of_the_app_climbs_seldom(tmp_path: Path) -> None:
    found = climbs(APP, tmp_path)
    assert found
    assert len(found) <= MOST, found
