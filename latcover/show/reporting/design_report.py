"""Designs and their summaries, as text: sets of parts, regions, and cuts."""

from __future__ import annotations

import json
from typing import Any

from latcover.core.cover.result import Stop
from latcover.core.model.move_words import level_as_text, play_in_words
from latcover.errors import counted, escaped
from latcover.lab.designing.cut_designs import CutDesign, CutSearch
from latcover.lab.designing.design_requests import WalkRequest
from latcover.lab.designing.designs import Design, DesignSummary
from latcover.lab.designing.goal_search import GoalDesign, GoalDesignRequest, GoalDesigns
from latcover.lab.designing.set_family import in_words


def design_as_line(made: Design) -> str:
    """A design in a line of text."""
    words = [f"{in_words(made.parts)}: {'' if made.exact else 'at least '}{counted(made.solutions, 'solution')}"]
    if made.total is not None:
        words.append(f"{made.total:,} in all")
    if made.candidate.images > 1:
        words.append(f"with its mirror image one of {made.candidate.images} sets")
    if made.level is not None:
        words.append(f"level {'.'.join(map(str, made.level))}")
    if made.branches is not None:
        words.append(counted(made.branches, "branch"))
    if made.verified:
        words.append(f"counted again by {made.verified}")
    return ", ".join(words)


def region_as_line(made: Design) -> str:
    """A region with its solutions in a line of text."""
    data = dict(made.region or {})
    drawn = data.get("art") or data.get("layers")
    if drawn:
        place = " | ".join("/".join(layer) if isinstance(layer, list) else layer for layer in drawn)
        place = place if "layers" in data else place.replace(" | ", "/")
    else:
        place = json.dumps(data)
    _, _, rest = design_as_line(made).partition(": ")
    return f"{place}: {rest}"


def summary_as_text(summary: DesignSummary) -> str:
    """The summary in a few lines."""
    so_far = "" if summary.complete else " so far"
    least = "at least " if so_far and summary.searched == "exhaustively" else ""
    unique = "" if summary.unique is None else f", {summary.unique:,} of them exactly one"
    noun = summary.of.removesuffix("s")
    lines = [f"{escaped(summary.puzzle)}: {least}{counted(summary.sets, noun)} with a solution{unique}{so_far}"]
    fit = f"{counted(summary.candidates, noun)} fit by volume"
    if summary.of == "regions":
        fit = f"{counted(summary.candidates, noun)} in all" if summary.candidates else "from all regions of this size"
    if summary.searched == "exhaustively":
        covers = "" if summary.covers is None else f", {summary.covers:,} solutions in all"
        lines.append(f"searched exhaustively: {fit}{covers}, {summary.seconds:.1f} s")
    else:
        lines.append(
            f"searched {summary.searched} with seed {summary.seed}: {summary.counted:,} counted; {fit}; "
            f"{summary.seconds:.1f} s"
        )
    if summary.given_up:
        lines.append(f"{counted(summary.given_up, noun)} given up, after too many branches or positions")
    lines.append(f"complete: every {noun} was checked" if summary.complete else f"not complete: {summary.stop}")
    return "\n".join(lines)


def cut_as_line(design: CutDesign) -> str:
    """A cut in one line."""
    data = design.as_json()
    words = [f"{design.puzzle.name}: {len(data['sizes'])} parts of {', '.join(map(str, data['sizes']))} cells"]
    if data["holes"]:
        words.append(counted(data["holes"], "hole"))
    words.append("one solution")
    if design.level:
        turns = f" ({counted(design.turns, 'turn')})" if design.turns else ""
        words.append(f"level {level_as_text(design.level)}{turns}, {counted(design.moves, 'move')}")
    if design.needed_play is not None:
        words.append(play_in_words(design.needed_play))
    if design.one_order:
        words.append("in one order")
    words.append(f"difficulty {data['difficulty']:.2f}")
    return "; ".join(words)


def cuts_as_json(search: CutSearch, seed: int, written: list[str]) -> dict[str, Any]:
    """The summary of a search for cuts; its keys are a promise to scripts.

    Args:
        search: What was found.
        seed: What the walks began with.
        written: The files that hold the cuts.
    """
    return {
        "designs": len(search.designs),
        "walks": search.walks,
        "candidates": search.candidates,
        "seed": seed,
        "complete": search.complete,
        "best": search.designs[0].puzzle.name if search.designs else None,
        **({} if search.start is None else {"start": list(search.start)}),
        "files": written,
    }


def cuts_as_text(search: CutSearch, request: WalkRequest, written: list[str]) -> str:
    """The same in a line, and how to have a file if there is none."""
    of = f" of {request.walks:,}" if request.limit is None and search.walks < (request.walks or 0) else ""
    looked = f"{counted(search.walks, 'walk')}{of}, {counted(search.candidates, 'cut')} checked"
    if search.start:
        looked += f"; begun with level {level_as_text(search.start)}"
    if not search.designs:
        return f"no design yet ({looked}); there may still be one: give more --time, or ask for less"
    best = search.designs[0]
    kept = f"{counted(len(search.designs), 'design')} kept, the best: {best.puzzle.name}"
    end = "; cut short"
    if search.complete or request.limit is not None:
        end = "" if search.complete else "; fewer than were asked for"
    again = f"; with --seed {best.seed} --walk {best.walk} too, the best one at once" if best.whole else ""
    where = "--output DIR writes each design that is kept as a puzzle file"
    file = "" if written else f"\nno file was written: {where}{again}"
    return f"{kept} ({looked}){end}{file}"


def goal_design_as_line(design: GoalDesign) -> str:
    """A set of parts for many goals, in one line."""
    parts = " ".join(name for name, copies in design.parts.items() for _ in range(copies))
    goals = counted(len(design.result), "goal")
    return escaped(f"{parts}: each of {goals} has a solution; {', '.join(design.result.lines()[1:2])}")


def goal_designs_as_text(found: GoalDesigns, request: GoalDesignRequest) -> str:
    """The search for such sets, and what it proves."""
    sets = counted(found.candidates, "set") if found.candidates else ""
    how = f"every one of {sets} was tried" if found.complete else f"{found.tried:,} of {sets} were tried"
    how = how if sets else f"{counted(found.tried, 'cut')} tried"
    wanted = {"solvable": "a solution of each goal", "unique": "exactly one solution of each goal"}
    what = wanted.get(request.each, "a solution of each goal")
    lines = [f"{escaped(found.puzzle)}: {counted(len(found), 'design')} with {what}"]
    if request.each == "even" and found.designs:
        best = found.designs[-1].result.fewest
        least = counted(best, "solution")
        proof = "no set does better" if found.complete else "another set may do better"
        lines = [f"{escaped(found.puzzle)}: the hardest goal has {least}; {proof}"]
    lines.append(f"{how}, {found.seconds:.1f} s")
    if not found.designs and found.complete:
        lines[0] = f"{escaped(found.puzzle)}: no set of parts has {what}"
    why = "all samples tried" if found.stop is Stop.BRANCH_LIMIT else str(found.stop)
    lines.append("complete" if found.complete else f"not complete: {why}")
    return "\n".join(lines)
