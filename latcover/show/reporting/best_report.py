"""The best solutions, as plain data and as text."""

from __future__ import annotations

from typing import Any

from latcover.core.cover.result import Stop
from latcover.errors import counted
from latcover.lab.asking.best import BestRequest, BestResult
from latcover.lab.asking.gaps import bound_in_words
from latcover.show.reporting.search_report import answer_as_json


def best_as_json(request: BestRequest, result: BestResult) -> dict[str, Any]:
    """The object that `latcover solve --best --json` prints at its end."""
    return {
        **answer_as_json(result.search),
        "objective": request.objective,
        "sense": request.sense,
        "value": result.value,
        "bound": result.bound,
        "gap": None if result.gap is None else round(result.gap, 6),
        "proved": result.proved,
        "optima": result.optima,
    }


def best_as_text(request: BestRequest, result: BestResult) -> str:
    """What is known of the best solutions, and a line on the search."""
    search = result.search
    effort = f"{counted(search.branches, 'branch')}, " if search.branches is not None else ""
    many = f"\n{counted(result.optima, 'solution')} in all as good as the best" if result.optima is not None else ""
    return (
        f"{_known(request, result)}{many}\n{search.backend}: {effort}{search.seconds['search'] or 0.0:.3f} s of search"
    )


def _known(request: BestRequest, result: BestResult) -> str:
    less, side = ("fewer", "least") if request.sense == "minimize" else ("more", "most")
    if result.value is None:
        if result.proved:
            stuck = request.objective == "moves" and result.search.covers
            return "slides take no solution apart" if stuck else "there is no solution"
        return f"no solution was found ({_ending(result)})"
    value = result.solutions[0].text
    if not result.proved:
        bound = ""
        if result.bound is not None:
            bound = f"; {bound_in_words('solution', request.sense, result.value, result.bound)}"
        return f"at {side} known: {value}{bound} ({_ending(result)})"
    if request.all_optimal:
        return f"{counted(len(result.solutions), 'solution')} with {value}; no solution has {less} (proved)"
    if len(result.solutions) > 1:
        return f"the {len(result.solutions):,} best solutions, the best with {value} (proved)"
    return f"{value}; no solution has {less} (proved)"


def _ending(result: BestResult) -> str:
    stop = result.search.stop
    unproved = ": others may come apart by motions that were not examined" if stop is Stop.NOT_PROVED else ""
    return f"{stop.verdict}{unproved}"
