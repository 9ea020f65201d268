"""A limit of time for work that reports no progress."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import latcover
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.core.cover.time_limit import look_at_clock, stop_of, time_limit
from latcover.core.encoding.encode import encode, neighbour_graph
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import prepare
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.errors import OutOfTimeError, StoppedError
from latcover.lab.designing.cuts import Cutter
from latcover.lab.designing.design_requests import CutRequest
from latcover.lab.designing.region_names import region_named
from tests.command_line import DONE, FAILED, LIMIT, run

SOMA = latcover.load("soma")
TABLE = placements(SOMA)


STAGES = [
    look_at_clock,
    lambda: placements(SOMA),
    lambda: SymmetryGroup(SOMA, TABLE, "all"),
    lambda: neighbour_graph(TABLE.index, SOMA.lattice),
    lambda: encode(SOMA, TABLE),
    lambda: prepare(SOMA),
    lambda: Cutter(region_named("cubic:2x2x2"), CutRequest(parts=2)),
]


class Refusing(Events):
    """Stops all work at once."""

    def on_progress(self, _: Progress) -> bool:
        return False


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_of_preparing_ends_with_its_time(stage: Callable[[], object]) -> None:
    stage()
    with time_limit(0), pytest.raises(OutOfTimeError, match="the time was over before the search began"):
        stage()
    with time_limit(0), time_limit(None), pytest.raises(OutOfTimeError):  # the block around it holds, too
        stage()
    with time_limit(3600), time_limit(None):
        stage()


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_of_preparing_can_be_stopped(stage: Callable[[], object]) -> None:
    with time_limit(None, Refusing()), time_limit(3600), pytest.raises(StoppedError) as fault:
        stage()
    assert stop_of(fault.value) is Stop.CANCELLED
    with time_limit(None, SILENT):
        stage()


@pytest.mark.parametrize("command", ["solve", "count", "apart", pytest.param("compare", marks=pytest.mark.long)])
def test_a_large_puzzle_whose_time_is_over_gives_the_code_of_a_limit(tmp_path, command: str) -> None:
    large = tmp_path / "large.toml"
    part = '[[parts]]\nname = "unit"\ncells = [[0, 0, 0]]\nmin = 0\n'
    large.write_text(f'name = "large"\nlattice = "cubic"\n[region]\nbox = [36, 36, 36]\n{part}')
    methods = ("--backends", "dlx") if command == "compare" else ()
    done = run(command, large, "--time", 0, *methods)
    assert done.returncode == (FAILED if command == "compare" else LIMIT)  # no method answered
    assert "the time was over before the search began" in (done.stdout if command == "compare" else done.stderr)


def test_a_small_puzzle_has_an_answer_however_short_the_time() -> None:
    done = run("count", "soma", "--time", 0)
    assert (done.returncode, "cut short: time limit" in done.stdout) == (LIMIT, True)
    assert run("count", "soma").returncode == DONE
