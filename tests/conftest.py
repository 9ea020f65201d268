"""Settings that all tests share."""

from __future__ import annotations

import gc
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from latcover.apps.cli.shared.checkout import find_benchmarks

find_benchmarks(Path(__file__).parent)

settings.register_profile(
    "latcover",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# For planted defects: that a test fails is all that matters, and not on which least example.
settings.register_profile("unshrunk", settings.get_profile("latcover"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("latcover")


def pytest_configure(config: pytest.Config) -> None:
    """Listen to Ctrl-C, which programs that a shell starts in the background ignore: tests send it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()  # until all is collected: a fifth of the time of that
    if config.getoption("--long"):
        from tests.dice import TIMES

        TIMES["as many"] = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run what takes longer, and more random cases")
    parser.addoption(
        "--backend",
        metavar="NAME",
        help="test only this backend against its contract; all: also those of other packages; default: all of ours",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes longer, unless it is asked for or named itself."""
    if not config.getoption("--long"):
        named = tuple(Path(word).as_posix() for word in config.args if "::" in word) or ("?",)
        longer = {each for each in items if each.get_closest_marker("long") and not each.nodeid.startswith(named)}
        config.hook.pytest_deselected(items=[*longer])
        items[:] = [item for item in items if item not in longer]


def pytest_report_collectionfinish(items: list[pytest.Item], config: pytest.Config) -> str:
    """Say why a test that was named does not run."""
    return "" if items or config.getoption("--long") else "no test is left: those that take longer run with --long"


def pytest_collection_finish() -> None:
    """What was collected stays to the end. Without this, each search for garbage would look through all of it."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture
def children_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run latcover in processes of its own call it within this one instead."""
    from latcover.system.child_process import Children, Finished
    from tests.command_line import run

    def call(_: Children, arguments: Sequence[str]) -> Finished:
        done = run(*arguments, NO_COLOR="1", TERM="dumb", COLUMNS="1000")
        return Finished(done.returncode, done.stdout, done.stderr)

    monkeypatch.setattr(Children, "__call__", call)
