"""Random sets, each counted by itself, and sets that are changed until they have few solutions.

All random choices come from one seed and depend only on counts, not on the clock or on threads. So a design that starts
again with its earlier counts takes the same path.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random

from latcover.lab.designing.candidate_counts import Count, Counter
from latcover.lab.designing.designs import Candidate
from latcover.lab.designing.set_family import Copies, Family

MOST_SHUFFLED = 1_000_000  # candidates that are shuffled, so that all of them are drawn
AT_ONCE = 16  # sets that are counted together
STARTS = 7  # a climb starts at that of up to 2 ** 6 draws whose parts have the fewest places
MOST_AT_FIRST = 100_000  # the limit of a count at a start
IN_VAIN = 10_000  # climbs end after so many known sets in a row
PATIENCE = 300  # a climb restarts after so many changes without improvement
REMOVED = (1, 1, 1, 2)  # a change exchanges one of these numbers of parts

Drawn = tuple[Candidate, Count]


def draws(family: Family, seed: int) -> Iterator[Candidate]:
    """Random sets, each once, one of each class of images. They end when none is left, if they are few."""
    dice = Random(seed)
    if family.candidates <= MOST_SHUFFLED:
        order = list(range(family.candidates))
        dice.shuffle(order)
        for number in order:
            copies = family.candidate(number)
            if family.images(copies)[0] == copies and family.allows(copies):
                yield family.candidate_of(copies)
        return
    seen: set[Copies] = set()
    while True:
        copies = family.images(family.drawn(dice))[0]
        if copies not in seen:
            seen.add(copies)
            yield family.candidate_of(copies)


def count_each(source: Iterator[Candidate], counter: Counter, limit: int | None, threads: int) -> Iterator[Drawn]:
    """Count each candidate up to *limit*, several at once, and yield them in their order."""
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(source, AT_ONCE)):
            known = [counter.known(candidate, limit) for candidate in batch]  # a ledger belongs to one thread
            found = [
                count or pool.submit(counter.counted, each, limit) for count, each in zip(known, batch, strict=True)
            ]
            for candidate, each in zip(batch, found, strict=True):
                count = each if isinstance(each, Count) else each.result()
                counter.keep(candidate, limit, count)
                yield candidate, count


def climb(family: Family, counter: Counter, seed: int, enough: int) -> Iterator[Drawn]:
    """Change sets towards fewer solutions, and yield every set that is counted.

    A climb starts at a set that has a solution, and keeps changes that do not increase the number of solutions; once
    there are at most *enough*, it moves among such sets. It restarts after many changes without improvement. Climbs end
    when they find nothing new.
    """
    dice = Random(seed)

    def room(copies: Copies) -> float:
        return sum(n * math.log(places) for n, places in zip(copies, family.places, strict=True) if n)

    seen: set[Copies] = set()
    known = 0
    while family.candidates and known < IN_VAIN:
        some = (family.drawn(dice) for _ in range(1 << dice.randrange(STARTS)))
        here = family.images(min(some, key=room))[0]
        known = known + 1 if here in seen else 0
        seen.add(here)
        candidate = family.candidate_of(here)
        yield candidate, (count := counter.count(candidate, MOST_AT_FIRST))
        best, in_vain = count.solutions, 0
        while best and in_vain < PATIENCE and known < IN_VAIN:
            there = family.images(family.neighbour(here, dice, dice.choice(REMOVED)))[0]
            in_vain += 1
            known = known + 1 if there in seen else 0
            if there == here or not family.allows(there):
                continue
            seen.add(there)
            candidate = family.candidate_of(there)
            yield candidate, (count := counter.count(candidate, max(best, enough) + 1))
            if count.exact and 0 < count.solutions <= max(best, enough):
                in_vain = 0 if count.solutions < best else in_vain
                here, best = there, count.solutions
