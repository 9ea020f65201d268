"""What a solver does not declare that it honours: it is refused here, for all solvers, or left to others."""

from __future__ import annotations

from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import SearchTask
from latcover.core.cover.simpler import without_implied_item
from latcover.core.cover.solver_registry import backends, only_picks
from latcover.errors import UnsupportedError


def honoured(backend: Backend, task: SearchTask) -> SearchTask:
    """*task* as *backend* can honour it: without a veto that it would not look at, or an item that it does not take.

    Raises:
        UnsupportedError: the backend does not declare that it honours the problem, or a limit. It would lose covers or
            pass the limit, and nothing in its result would show that.
    """
    who, problem = f"backend {backend.name!r}", task.problem
    if not backend.honours_colours:
        refuse_colours(who, problem)
    if not backend.takes_any_bounds:
        problem = without_implied_item(problem)
        refuse_repeated_items(who, problem)
    if task.limits.branches is not None and not backend.limits_branches:
        raise UnsupportedError(
            f"{who} does not branch on options, so it cannot keep a limit of branches; "
            "limit the solutions or the time, or choose a backend that can, such as dlx"
        )
    return replace(task, problem=problem, veto=None if backend.whole_rules == "checks covers" else task.veto)


def refuse_colours(who: str, problem: CoverProblem) -> None:
    """Refuse a problem with colours on behalf of *who*, which does not support them.

    Raises:
        UnsupportedError: the problem has colours.
    """
    if problem.has_colours:
        raise UnsupportedError(
            f"{who} does not support item colours, which matching sides need, so its results would be wrong; "
            f"choose a backend that does: {_able('honours_colours')}"
        )


def refuse_repeated_items(who: str, problem: CoverProblem) -> None:
    """Refuse a problem with items that may be held several times on behalf of *who*, which does not take them.

    Raises:
        UnsupportedError: the problem has such items.
    """
    if (problem.high > 1).any():
        raise UnsupportedError(
            f"{who} takes only parts that may be used once, or any number of times, and no rules that count parts, as "
            "those on lines, crossroads and room do (so no clumsy packings); choose a backend that takes them: "
            f"{_able('takes_any_bounds')}"
        )


def _able(ability: str) -> str:
    """Our backends that declare an ability, the name of a member of `latcover.Backend` that is True."""
    table = backends()
    able = [name for name in table.ours if not only_picks(name) and getattr(table.kind(name), ability) is True]
    return f"{', '.join(able[:-1])} or {able[-1]}"
