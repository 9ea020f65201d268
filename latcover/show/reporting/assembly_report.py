"""How solutions come apart, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from latcover.core.cover.result import verdict
from latcover.core.model.disassembly import Disassembly, Result, Separation, Step
from latcover.core.model.lattice import Lattice
from latcover.core.model.move_words import (
    direction_with_arrow,
    level_as_text,
    listed,
    piece_names,
    play_in_words,
    turn_in_plan,
)
from latcover.core.model.solution import Solution
from latcover.core.model.turn_bounds import BOUNDS, examined_in_words
from latcover.errors import counted, escaped
from latcover.lab.assembly.survey import Examined, Tally

FLAT = "the pieces lie in one layer and are lifted off; --in-plane asks whether they come apart within it"


def result_as_text(disassembly: Disassembly, edge: float | None = None) -> str:
    """The result in a few words; *edge* is that of a cell in mm, if it is known."""
    if disassembly.result == "stuck":
        return "slides do not take it apart"
    if disassembly.result == "unproved":
        examined = examined_in_words(disassembly.turning)
        return f"no way found; not proved (examined: {examined}{_certain_at(disassembly)})"
    if disassembly.result == "unknown":
        reached = f"the longest search was {counted(disassembly.reached, 'move')} deep"
        depth = f"; {reached}" if disassembly.reached else ""
        return f"not known ({disassembly.stop} after {counted(disassembly.states, 'position')}{depth})"
    if disassembly.flat:
        return "comes apart upwards"
    if not disassembly.level:
        return "nothing to take apart"
    least = "" if disassembly.least else ", perhaps fewer"
    turns = f" ({counted(disassembly.turns, 'turn')})" if disassembly.turns else ""
    play = "" if disassembly.needed_play is None else f"{play_in_words(disassembly.needed_play, edge)}; "
    return f"{play}level {level_as_text(disassembly.level)}{turns}, {counted(disassembly.moves, 'move')}{least}"


def _certain_at(disassembly: Disassembly) -> str:
    play = disassembly.certain_at
    return "" if play is None else f"; with a play of {play:g} it comes apart"


def examined_as_line(examined: Examined, unit: float | None = None) -> str:
    """A solution and its result in one line; *unit* is the length of the lattice's unit in mm, if it is known."""
    edge = None
    if unit is not None and examined.solution.puzzle is not None:
        from latcover.show.printing.layout import cell_edge  # of models, which few ask for here

        edge = cell_edge(examined.solution.puzzle.lattice) * unit
    return f"solution {examined.solution.number}: {result_as_text(examined.disassembly, edge)}"


def tally_as_text(tally: Tally, stop: str) -> str:
    """The totals, and how many solutions have each level."""
    apart, stuck, unproved, unknown = (tally.results[result] for result in get_args(Result))
    counts = [f"{apart:,} {'comes' if apart == 1 else 'come'} apart"]
    counts += [f"{stuck:,} cannot by sliding"] if stuck or not unproved else []
    counts += [f"no way found for {unproved:,}"] if unproved else []
    counts += [f"{unknown:,} not known"] if unknown else []
    lines = [f"{counted(tally.assemblies, 'solution')}: {', '.join(counts)} ({verdict(stop)})"]
    width = max([len(level_as_text(level)) for level in tally.levels] or [0])
    lines += [f"  level {level_as_text(level):<{width}}  {n:,}" for level, n in sorted(tally.levels.items()) if level]
    if tally.turned:
        lines.append(f"{counted(tally.turned, 'solution')} {'comes' if tally.turned == 1 else 'come'} apart by turning")
    if unproved:
        lines.append(
            f"examined: {examined_in_words(tally.turning)}. Not proved, since the search keeps to these bounds:"
        )
        lines += [f"  {words}" for bound, words in BOUNDS.items() if tally.bounds[bound]]
    lines.append(f"{counted(tally.states, 'position')} examined in {tally.seconds:.3f} s")
    return "\n".join(lines)


def plan_as_lines(solution: Solution, disassembly: Disassembly) -> Iterator[str]:
    """The plan in words: a heading for each separation, and a line for each move."""
    assert solution.puzzle is not None
    lattice, names, number = solution.puzzle.lattice, piece_names(solution), 0
    for separation in disassembly.separations:
        yield ""
        yield escaped(_heading(separation, names, disassembly.n_pieces))
        for step in separation.steps:
            number += 1
            yield escaped(f"{number:>5}  {_move(lattice, separation, step, names)}")
    for group in disassembly.left_together:
        yield ""
        yield escaped(f"{listed(group, names)} may stay together")


def _heading(separation: Separation, names: list[str], n_pieces: int) -> str:
    who = f"all {n_pieces} pieces" if len(separation.pieces) == n_pieces else listed(separation.pieces, names)
    return f"{who}: {counted(len(separation.steps), 'move')}"


def _move(lattice: Lattice, separation: Separation, step: Step, names: list[str]) -> str:
    verb = "goes" if len(step.pieces) == 1 else "go"
    if step.turn is not None:
        return turn_in_plan(lattice, step, step.turn, names)
    where = direction_with_arrow(lattice, step.direction)
    if not step.separates:
        return f"{listed(step.pieces, names)} {verb} {step.distance} {where}"
    away = "comes off" if len(step.pieces) == 1 else "come off together"
    return f"{listed(step.pieces, names)} {verb} {where} and {away}"
