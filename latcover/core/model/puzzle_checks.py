"""Faults of a puzzle as a whole: its region, parts and rules are each sound, but do not fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.orientation import orientations_of_each
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.rule import rules_of
from latcover.errors import Complaint, PuzzleError, listed, suggest

MOST_WORK = 200_000_000  # of a check of volumes where parts are counted together, in bits
CANNOT_FIT = "the volume cannot fit"


class PuzzleComplaint(Struct, frozen=True):
    """A fault of a puzzle; with ``warning``, something that is merely odd.

    It is about the part with the index ``part``, or about the rules on colours (``of_rules``), or about the region;
    with ``of_volume``, the parts cannot hold as many cells as the region needs. With ``repeats``, an earlier part has
    the name of this one.
    """

    message: str
    part: int | None = None
    warning: bool = False
    of_rules: bool = False
    repeats: bool = False
    of_volume: bool = False


def complaints_about(puzzle: Puzzle, *, fits: bool = True) -> Iterator[PuzzleComplaint]:
    """All faults of *puzzle* as a whole, and what is merely odd. Without *fits* its volume is not looked at."""
    yield from _besides_volume(puzzle)
    yield from _loose_cells(puzzle)
    yield from _equal_parts(puzzle)
    yield from _volume(puzzle) if fits else ()


def _besides_volume(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Its faults, except that the parts have another volume than the region."""
    yield from complaints_about_parts(puzzle)
    yield from _colours(puzzle)
    yield from _crossings(puzzle)
    yield from _confined(puzzle)
    yield from _exchanged(puzzle)


def complaints_about_parts(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Those of them that no other region would mend."""
    yield from repeated_names(part.name for part in puzzle.parts)
    yield from _named_parts(puzzle)
    yield from _named_colours(puzzle)


def require_sound(puzzle: Puzzle, *, fits: bool = True) -> None:
    """Refuse a puzzle that is at fault as a whole. Without *fits*, its parts need not have the volume of its region.

    Raises:
        PuzzleError: its faults, without what is merely odd.
    """
    found = [*faults_but_for_volume(puzzle), *(_volume(puzzle) if fits else ())]
    faults = [Complaint(each.message) for each in found]
    if faults:
        raise PuzzleError(faults)


def faults_but_for_volume(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Faults of *puzzle* as a whole, except that the volume of its parts cannot fit."""
    return (complaint for complaint in _besides_volume(puzzle) if not complaint.warning)


def repeated_names(names: Iterable[str]) -> Iterator[PuzzleComplaint]:
    """The parts whose name an earlier part has, by the *names* of all parts in their order."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield PuzzleComplaint(
                f"a second part is named {name!r}; for copies of one part use count", index, repeats=True
            )
        seen.add(name)


def _colours(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Colours that rules name but no part has; and parts with a colour that no cell of the region takes."""
    rules, names = puzzle.rules, puzzle.colours
    shown = {int(colour) for part in puzzle.parts for colour in part.colours}
    named = {colour for pair in rules.apart for colour in pair} | {c for group in rules.exchangeable for c in group}
    for colour in sorted((named | {own for own, _ in rules.stands_on}) - shown):
        yield PuzzleComplaint(f"the rules name the colour {names[colour]!r}, which no part has", of_rules=True)
    there = {int(colour) for colour in puzzle.region.colours}
    for index, part in enumerate(puzzle.parts):
        for colour in sorted({int(colour) for colour in part.colours} - {0}):
            legal = {0, colour, *(cell for own, cell in rules.stands_on if own == colour)}
            if part.low > 0 and not legal & there:
                yield PuzzleComplaint(
                    f"part {part.name!r} has the colour {names[colour]!r}, but no cell of the region takes it", index
                )


def _named_parts(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Parts that rules name and that the puzzle does not have."""
    known = [part.name for part in puzzle.parts]
    named = dict.fromkeys(name for rule in rules_of(puzzle) for name in rule.named_parts)
    for name in named:
        if name not in known:
            message = f"the rules name the part {name!r}, which the puzzle does not have{suggest(name, known)}"
            yield PuzzleComplaint(message, of_rules=True)


def _named_colours(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Colours that rules on parts name: that no part has, or that are exchanged for others without the same rule."""
    exchangeable, names, rules = puzzle.rules.exchangeable, puzzle.colours, rules_of(puzzle)
    shown = {names[colour] for part in puzzle.parts for colour in part.colours.tolist() if colour}
    for rule in rules:
        colour = rule.named_colour
        if colour and colour not in shown:
            hint = suggest(colour, sorted(shown))
            yield PuzzleComplaint(f"the rules name the colour {colour!r}, which no part has{hint}", of_rules=True)
        for alike in ({names[k] for k in group} for group in exchangeable):
            if colour in alike and any(replace(rule, colour=other) not in rules for other in alike):
                what = f"the rule {rule.name!r} is about {colour!r} cells"
                message = f"{what}, so colours without this rule cannot be exchanged for it"
                yield PuzzleComplaint(message, of_rules=True)


def _confined(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Parts that name cells which the region does not have, and parts that are left no cell at all."""
    there = set(map(tuple, puzzle.region.cells.tolist()))
    for index, part in enumerate(puzzle.parts):
        for key, cells in (("within", part.within), ("keep_off", part.keep_off)):
            missing = [cell for cell in cells.tolist() if tuple(cell) not in there] if cells is not None else []
            if missing:
                written = puzzle.lattice.written(missing[0])
                message = f"{key} of part {part.name!r} names {written}, which is not a cell of the region"
                yield PuzzleComplaint(message, index, warning=True)
        if part.low > 0 and part.is_confined:
            from latcover.core.model.room import open_to  # few puzzles need it

            if not open_to(part, puzzle.region):
                yield PuzzleComplaint(f"part {part.name!r} may lie on no cell of the region", index)


def _exchanged(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Rules that compare pieces of a region, although it does not matter how these lie to each other."""
    if puzzle.region.exchangeable:
        for rule in rules_of(puzzle):
            if not (rule.local and rule.symmetric):
                message = f"the rule {rule.name!r} can depend on how the pieces of the region lie to each other"
                yield PuzzleComplaint(
                    f"{message}, so they are not exchangeable; leave one of the two out", of_rules=True
                )


def _crossings(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Parts that run straight through cells of secondary nodes without holding them, as sticks through junctions."""
    lattice = puzzle.lattice
    if not lattice.straight_on:
        return
    there = set(puzzle.region.cells[:, 0].tolist())
    for index, part in enumerate(puzzle.parts):
        crossed = [cell for cell in lattice.crossed_by(part.cells) if cell[0] in there]
        if crossed:
            cells = listed(str(lattice.written(cell)) for cell in crossed)
            nodes = listed(dict.fromkeys(repr(lattice.nodes[cell[0]].name) for cell in crossed))
            them = "it" if len(crossed) == 1 else "them"
            message = (
                f"part {part.name!r} runs straight through {cells}, but does not hold {them}, so other parts could "
                f"cross it there: add {cells} to its cells; if parts may cross, take the cells of the node {nodes} out "
                "of the region"
            )
            yield PuzzleComplaint(message, index)


def _loose_cells(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    """Parts that are not connected."""
    lattice = puzzle.lattice
    for index, part in enumerate(puzzle.parts):
        if ends := _without_a_way(lattice, part.cells.tobytes(), puzzle.region.period):
            first, other = (lattice.written(cell) for cell in ends)
            message = (
                f"part {part.name!r} is not connected: no way through its sides leads from {first} to {other}; "
                "if these are separate pieces, write a part for each"
            )
            yield PuzzleComplaint(message, index, warning=True)


@lru_cache(maxsize=4096)  # a search for designs checks the same parts again and again
def _without_a_way(lattice: Lattice, cells: bytes, period: Period) -> tuple[tuple[int, ...], ...]:
    """Two of the *cells* of a part that do not hang together; none if all do.

    Nothing is said of parts with a cell that has one side at most, as the core of a disc: such a cell stands for the
    inside of a body, and its sides do not tell how it is held.
    """
    rows = np.frombuffer(cells, np.int32).reshape(-1, lattice.dimension + 1).tolist()
    sides = Counter(edge.node for edge in lattice.half_edges)
    loose = lattice.unreached(rows, period) if all(sides[node] > 1 for node, *_ in rows) else ()
    return (tuple(min(rows)), min(loose)) if loose else ()


def _equal_parts(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    axes = range(puzzle.lattice.dimension)
    seen: dict[frozenset[bytes], str] = {}
    of_each = orientations_of_each(puzzle.parts, axes)
    for index, (part, oriented) in enumerate(zip(puzzle.parts, of_each, strict=True)):
        shapes = frozenset(orientation.key for orientation in oriented)
        if shapes in seen:
            message = (
                f"part {part.name!r} equals part {seen[shapes]!r}: solutions that only exchange them are counted "
                "separately; use one part with a count to merge them"
            )
            yield PuzzleComplaint(message, index, warning=True)
        seen.setdefault(shapes, part.name)


def _volume(puzzle: Puzzle) -> Iterator[PuzzleComplaint]:
    n_cells, n_mandatory = len(puzzle.region.cells), fewest_covered(puzzle)
    for index, part in enumerate(puzzle.parts):
        if part.size * part.low > n_cells:
            copies = f"{part.low} copies of part" if part.low > 1 else "part"
            held = f"{copies} {part.name!r} hold {part.size * part.low} cells"
            yield PuzzleComplaint(f"{CANNOT_FIT}: {held}, the region {n_cells}", index, of_volume=True)
            return
    if not reachable_volumes(puzzle) >> n_mandatory & ((1 << (n_cells - n_mandatory + 1)) - 1):
        least = sum(part.size * part.low for part in puzzle.parts)
        most = sum(part.size * puzzle.most_copies(part) for part in puzzle.parts)
        parts = f"the parts hold {least}" if least == most else f"the parts can hold from {least} to {most}"
        region = f"{n_cells}" if n_cells == n_mandatory else f"{n_mandatory} to {n_cells}"
        reason = ", but no such number" if least <= n_cells and most >= n_mandatory else ""
        if reason and _chosen_together(puzzle):
            reason += ", with so many copies as the rule 'copies' asks for together"
        mend = "; add parts, or let cells stay empty" if most < n_mandatory else ""
        text = f"{CANNOT_FIT}: the region has {region} cells, {parts}{reason}{mend}"
        yield PuzzleComplaint(text, of_volume=True)


def volume_fault(puzzle: Puzzle) -> str:
    """Why no allowed numbers of copies have as many cells as the region needs, in a sentence; "" if some have."""
    return next((complaint.message for complaint in _volume(puzzle)), "")


def cannot_fill(puzzle: Puzzle) -> bool:
    """Whether no allowed numbers of copies have as many cells as the region needs."""
    return bool(volume_fault(puzzle))


def fewest_covered(puzzle: Puzzle) -> int:
    """How many cells a solution must cover at least."""
    region = puzzle.region
    bounded = int(region.bounded_empty(puzzle.lattice).sum())
    return region.n_mandatory + (bounded - (region.max_empty or 0) if bounded else 0)


def reachable_volumes(puzzle: Puzzle) -> int:
    """Bit v is set if allowed numbers of copies can hold exactly v cells; v is at most the size of the region."""
    n_cells = len(puzzle.region.cells)
    mask = (1 << (n_cells + 1)) - 1
    volumes, together = 1, _chosen_together(puzzle)
    for chosen in together:
        volumes = _with_so_many(volumes, chosen, puzzle)
    for part in (part for p, part in enumerate(puzzle.parts) if not any(p in chosen.members for chosen in together)):
        volumes <<= part.size * part.low
        free, bundle = puzzle.most_copies(part) - part.low, 1
        while free > 0:  # any number up to `free` is a sum of distinct bundles of 1, 2, 4, ... and the rest
            bundle = min(bundle, free)
            volumes |= volumes << (part.size * bundle)
            free -= bundle
            bundle *= 2
        volumes &= mask
    return volumes


class _Together(Struct, frozen=True):
    """Parts, by their indices, of which so many copies are used together."""

    low: int
    high: int
    members: list[int]


def _chosen_together(puzzle: Puzzle) -> list[_Together]:
    """Sets of parts without a part in common, of which so many copies are used together.

    Of rules with parts in common only the first counts, and none that would cost much work: that loosens the check.
    """
    if all(rule.name != "copies" for rule in rules_of(puzzle)):
        return []
    from latcover.core.model.rules.copies import CopiesTogether  # few puzzles have it

    found: list[_Together] = []
    taken: set[int] = set()
    for rule in rules_of(puzzle):
        if isinstance(rule, CopiesTogether):
            members = [p for p, part in enumerate(puzzle.parts) if not rule.parts or part.name in rule.parts]
            most = min(rule.max, sum(puzzle.most_copies(puzzle.parts[p]) for p in members))
            if not taken.intersection(members) and (most + 1) * len(members) * len(puzzle.region.cells) < MOST_WORK:
                found.append(_Together(rule.min, most, members))
                taken.update(members)
    return found


def _with_so_many(volumes: int, chosen: _Together, puzzle: Puzzle) -> int:
    """The volumes after so many copies of some parts together, each within its own bounds."""
    high = chosen.high
    mask = (1 << (len(puzzle.region.cells) + 1)) - 1
    by_number = [volumes, *[0] * high]
    for part in (puzzle.parts[p] for p in chosen.members):
        for _ in range(part.low):
            by_number = [0, *(found << part.size & mask for found in by_number[:-1])]
        free, bundle = puzzle.most_copies(part) - part.low, 1
        while free > 0:
            bundle = min(bundle, free)
            shift = part.size * bundle
            before = [0] * min(bundle, high + 1) + by_number[: max(0, high + 1 - bundle)]
            by_number = [own | (less << shift & mask) for own, less in zip(by_number, before, strict=True)]
            free -= bundle
            bundle *= 2
    reached = 0
    for found in by_number[chosen.low :]:
        reached |= found
    return reached
