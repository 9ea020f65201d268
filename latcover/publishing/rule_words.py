"""A puzzle's rules on neighbours in words, for somebody who plays it by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.cover.problem import CoverProblem
from latcover.encoding.placement import PlacementTable
from latcover.encoding.rule_items import alike_items
from latcover.errors import counted, listed
from latcover.model.puzzle import Puzzle, Rules

SIDES, COLOURS, ALIKE, RULE = "sides", "colours", "alike", "rule"


def item_words(puzzle: Puzzle, table: PlacementTable, problem: CoverProblem) -> list[str]:
    """What each item after the parts stands for: sides that fit, colours that may not touch, either, or cells alike.

    It only chooses the words that tell why a placement is refused. Whether it is refused, its items say.
    """
    first = problem.n_cells + len(problem.part_sizes)
    coloured = set(problem.option_items[problem.option_colours > 0].tolist()) if problem.has_colours else set()
    rules = puzzle.rules
    values = np.unique(np.concatenate([[0], *(part.sides[:, 2] for part in puzzle.parts)]))
    by_sides = not (rules.fits[np.ix_(values, values)].all() and rules.open_sides[values].all())
    other = SIDES if not rules.apart else RULE if by_sides else COLOURS
    last = problem.n_items - sum(1 for _ in alike_items(puzzle, table))
    return [ALIKE if item >= last else SIDES if item in coloured else other for item in range(first, problem.n_items)]


def rule_words(puzzle: Puzzle) -> list[str]:
    """The rules, a sentence each; none if only shapes matter."""
    return [*_copies(puzzle), *_empty(puzzle), *_colours(puzzle), *_sides(puzzle)]


def _copies(puzzle: Puzzle) -> list[str]:
    free = [part for part in puzzle.parts if part.low < puzzle.most_copies(part)]
    if not free:
        return []
    if len(free) == len(puzzle.parts) and all(part.low == 0 for part in free):
        return ["No part need be used."]
    bounds = [f"{part.name}: {part.low} to {puzzle.most_copies(part)}" for part in free]
    return [f"Of some parts the number of copies is free: {listed(bounds)}."]


def _empty(puzzle: Puzzle) -> list[str]:
    region = puzzle.region
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[region.cells[:, 0]]
    may = int((region.optional & ~secondary).sum())
    if not may:
        return []
    if region.max_empty is not None and region.max_empty < may:
        return [f"At most {region.max_empty} of the {counted(may, 'pale cell')} may stay empty."]
    return ["Pale cells may stay empty."]


def _colours(puzzle: Puzzle) -> list[str]:
    names, rules = puzzle.colours, puzzle.rules
    found = []
    if puzzle.region.colours.any():
        found.append("A cell of a colour takes cells of parts in this colour, or without colour.")
        found += [f"{_named(names[own])} may also lie on {names[there]}." for own, there in sorted(rules.stands_on)]
    where = ", not even at corners" if rules.across_corners else ""
    for a, b in rules.apart:
        found.append(
            f"{_named(names[a])} may not touch {names[b] if a != b else f'{names[a]} of another part'}{where}."
        )
    if rules.alike:
        groups = f"each of {len(rules.alike)} groups" if len(rules.alike) > 1 else "a group"
        found.append(f"On {groups} of cells all colours must be alike.")
    return found


def _sides(puzzle: Puzzle) -> list[str]:
    rules = puzzle.rules
    used = sorted({0, *(int(value) for part in puzzle.parts for value in part.sides[:, 2])})
    found = []
    if len(used) > 1 and not rules.fits[np.ix_(used, used)].all():
        own = [value for value in used if value]
        if all(rules.fits[value, own].nonzero()[0].tolist() == [k] for k, value in enumerate(own)):
            found.append("Sides that meet must show the same value.")
        else:
            found += _fitting(rules, own)
    shut = [rules.sides[value] for value in used if value and not rules.open_sides[value]]
    if shut and rules.rim < 0:
        found.append(f"{_named(listed(shut))} may not face an empty cell or the outside.")
    if rules.rim > 0:
        found.append(f"Every side that faces the outside must show {rules.sides[rules.rim]}.")
    if rules.asked:
        found.append("Some places ask for a value of a side; it is drawn there.")
    return found


def _fitting(rules: Rules, own: Sequence[int]) -> list[str]:
    """What each of the values *own* fits, each pair once."""
    found, told = [], set()
    for value in own:
        mates = [other for other in own if rules.fits[value, other] and (other, value) not in told]
        told |= {(value, other) for other in mates}
        if mates:
            found.append(f"{_named(rules.sides[value])} fits {listed(rules.sides[other] for other in mates)}.")
        elif not rules.fits[value, own].any():
            found.append(f"{_named(rules.sides[value])} fits no other value.")
    return found


def _named(name: str) -> str:
    return name[:1].upper() + name[1:]
