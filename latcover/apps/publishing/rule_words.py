"""The rules of a puzzle in words, for players."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.rule_items import alike_items
from latcover.core.model.puzzle import Puzzle, Rules
from latcover.core.model.room import open_to
from latcover.core.model.rules.rule import rules_of
from latcover.errors import counted, listed

SIDES, COLOURS, ALIKE, RULE = "sides", "colours", "alike", "rule"


def item_words(puzzle: Puzzle, table: PlacementTable, problem: CoverProblem) -> list[str]:
    """The kind of rule of each item after the parts: sides that fit, colours apart, cells alike, or any rule.

    It only chooses the words that explain why a placement is refused; the items decide whether it is.
    """
    first = problem.n_cells + len(problem.part_sizes)
    coloured = set(problem.option_items[problem.option_colours > 0].tolist()) if problem.has_colours else set()
    rules = puzzle.rules
    values = np.unique(np.concatenate([[0], *(part.sides[:, 2] for part in puzzle.parts)]))
    by_sides = not (rules.fits[np.ix_(values, values)].all() and rules.open_sides[values].all())
    sources = {SIDES: by_sides, COLOURS: bool(rules.apart), RULE: bool(rules.of_parts)}
    others = [word for word, there in sources.items() if there]
    other = others[0] if len(others) == 1 else RULE
    last = problem.n_items - sum(1 for _ in alike_items(puzzle, table))
    return [ALIKE if item >= last else SIDES if item in coloured else other for item in range(first, problem.n_items)]


def rule_words(puzzle: Puzzle) -> list[str]:
    """The rules, a sentence each; none if only shapes matter."""
    of_parts = [rule.words() for rule in rules_of(puzzle)]
    words = [*_copies(puzzle), *_confines(puzzle), *_empty(puzzle), *_colours(puzzle), *_sides(puzzle)]
    return [*words, *of_parts]


def _copies(puzzle: Puzzle) -> list[str]:
    free = [part for part in puzzle.parts if part.low < puzzle.most_copies(part)]
    if not free:
        return []
    if len(free) == len(puzzle.parts) and all(part.low == 0 for part in free):
        return ["Every part is optional."]
    bounds = [f"{part.name}: {part.low} to {puzzle.most_copies(part)}" for part in free]
    return [f"Some parts may be used a different number of times: {listed(bounds)}."]


def _confines(puzzle: Puzzle) -> list[str]:
    confined = [(part.name, len(open_to(part, puzzle.region))) for part in puzzle.parts if part.is_confined]
    return [f"Part {name} may lie only on {counted(cells, 'cell')} of the region." for name, cells in confined]


def _empty(puzzle: Puzzle) -> list[str]:
    region = puzzle.region
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[region.cells[:, 0]]
    may = int((region.optional & ~secondary).sum())
    if not may:
        return []
    is_all = region.is_all_optional(puzzle.lattice)
    if region.max_empty is not None and region.max_empty < may:
        which = counted(may, "cell" if is_all else "pale cell")
        return [f"At most {region.max_empty} of the {which} may stay empty."]
    return ["Every cell may stay empty." if is_all else "Pale cells may stay empty."]


def _colours(puzzle: Puzzle) -> list[str]:
    names, rules = puzzle.colours, puzzle.rules
    found = []
    if puzzle.region.colours.any():
        found.append("A coloured cell can be covered by part cells of the same colour or without colour.")
        found += [f"{_named(names[own])} may also cover {names[there]}." for own, there in sorted(rules.stands_on)]
    where = ", not even at corners" if rules.across_corners else ""
    for a, b in rules.apart:
        found.append(
            f"{_named(names[a])} may not touch {names[b] if a != b else f'{names[a]} of another part'}{where}."
        )
    if rules.alike:
        groups = f"each of {len(rules.alike)} groups" if len(rules.alike) > 1 else "a group"
        found.append(f"In {groups} of cells all colours must be equal.")
    return found


def _sides(puzzle: Puzzle) -> list[str]:
    rules = puzzle.rules
    used = sorted({0, *(int(value) for part in puzzle.parts for value in part.sides[:, 2])})
    found = []
    if len(used) > 1 and not rules.fits[np.ix_(used, used)].all():
        own = [value for value in used if value]
        if all(rules.fits[value, own].nonzero()[0].tolist() == [k] for k, value in enumerate(own)):
            found.append("Sides that meet must have the same value.")
        else:
            found += _fitting(rules, own)
    shut = [rules.sides[value] for value in used if value and not rules.open_sides[value]]
    if shut and rules.rim < 0:
        found.append(f"{_named(listed(shut))} may not face an empty cell or the outside.")
    if rules.rim > 0:
        found.append(f"Every side that faces the outside must have {rules.sides[rules.rim]}.")
    if rules.asked:
        found.append("Some places require a value on a side; it is drawn there.")
    return found


def _fitting(rules: Rules, own: Sequence[int]) -> list[str]:
    """The values that each of *own* fits, with each pair once."""
    found, known = [], set()
    for value in own:
        mates = [other for other in own if rules.fits[value, other] and (other, value) not in known]
        known |= {(value, other) for other in mates}
        if mates:
            found.append(f"{_named(rules.sides[value])} fits {listed(rules.sides[other] for other in mates)}.")
        elif not rules.fits[value, own].any():
            found.append(f"{_named(rules.sides[value])} fits no other value.")
    return found


def _named(name: str) -> str:
    return name[:1].upper() + name[1:]
