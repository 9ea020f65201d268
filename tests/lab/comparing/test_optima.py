"""Methods side by side for an optimum."""

from __future__ import annotations

import json

import pytest

from latcover.lab.comparing.methods import Method
from latcover.lab.comparing.optima import Optima, OptimumRun
from tests.command_line import run


def told(name: str, value: int | None, bound: int | None, *, proved: bool, optima: int | None = None) -> OptimumRun:
    summary = {"value": value, "bound": bound, "proved": proved, "branches": 1, "stop": "time limit", "optima": optima}
    return OptimumRun(Method(name, ()), summary | {"seconds": {"search": 0.1}})


@pytest.mark.parametrize(
    ("runs", "agree", "code"),
    [
        ((told("a", 3, 3, proved=True), told("b", 3, 3, proved=True)), True, 0),
        ((told("a", 3, 3, proved=True), told("b", 4, 3, proved=True)), False, 1),
        ((told("a", 3, 3, proved=True), told("b", 5, 1, proved=False)), True, 3),
        ((told("a", 3, 3, proved=True), told("b", 2, None, proved=False)), False, 1),
        ((told("a", 3, 3, proved=True), told("b", None, 4, proved=False)), False, 1),
        ((told("a", 3, 3, proved=True, optima=2), told("b", 3, 3, proved=True, optima=3)), False, 1),
        ((OptimumRun(Method("a", ()), None, "not installed"),), True, 1),
    ],
)
def test_what_is_told_of_an_optimum_must_fit_together(runs: tuple[OptimumRun, ...], agree: bool, code: int) -> None:
    optima = Optima("p", "minimize", "gold", runs)
    assert (not optima.disagreements, optima.exit_code) == (agree, code)


def test_the_command_compares_backends() -> None:
    words = ("compare", "hexiamonds-4x9", "--best", "minimize", "fault", "--backends", "bitset")
    assert "there is no objective" in run(*words).stdout
    shown = run("compare", "treasure", "--best", "minimize", "noise", "--backends", "bitset,dlx", "--json")
    data = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert data["agree"]
    assert [(one["value"], one["proved"]) for one in data["runs"]] == [(0, True)] * 2


@pytest.mark.long
def test_each_method_is_told_as_it_ends() -> None:
    shown = run("compare", "treasure", "--best", "minimize", "noise", "--backends", "bitset,dlx")
    assert [line.partition(" (")[0] for line in shown.stderr.splitlines()] == ["bitset: 0, proved", "dlx: 0, proved"]
    runs = (
        told("a", 5, 3, proved=False),
        told("b", None, None, proved=True),
        OptimumRun(Method("c", ()), None, "gone"),
    )
    assert [one.as_line().partition(" (")[0] for one in runs] == [
        "a: 5, bound 3, time limit",
        "b: there is no solution, proved",
        "c: gone",
    ]
