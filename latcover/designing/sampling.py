"""Sets drawn by chance, each counted by itself; and sets that are changed until they have few solutions.

Everything is drawn from one seed, and depends on nothing but the counts: not on the clock, nor on threads. So a design
that begins again with what it had counted goes the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random

from latcover.designing.counting import Count, Counter
from latcover.designing.family import Copies, Family
from latcover.designing.wanted import Candidate

MOST_SHUFFLED = 1_000_000  # candidates that are drawn without repetition, and so to the last
AT_ONCE = 16  # sets that are counted together
STARTS = 7  # a climb takes, of up to 2 ** 6 draws, the one whose parts have the fewest places
MOST_AT_FIRST = 100_000  # solutions of a start that are counted
IN_VAIN = 10_000  # sets in a row that were counted before, after which climbs end
PATIENCE = 300  # changes in vain, before a climb begins anew
REMOVED = (1, 1, 1, 2)  # copies of parts that a change exchanges, by chance

Drawn = tuple[Candidate, Count]


def draws(family: Family, seed: int) -> Iterator[Candidate]:
    """Sets by chance, each once, and one of each class of images. It ends when there are no more, if they are few."""
    dice = Random(seed)
    if family.candidates <= MOST_SHUFFLED:
        order = list(range(family.candidates))
        dice.shuffle(order)
        for number in order:
            copies = family.candidate(number)
            if family.images(copies)[0] == copies:
                yield family.candidate_of(copies)
        return
    seen: set[Copies] = set()
    while True:
        copies = family.images(family.candidate(dice.randrange(family.candidates)))[0]
        if copies not in seen:
            seen.add(copies)
            yield family.candidate_of(copies)


def count_each(source: Iterator[Candidate], counter: Counter, limit: int | None, threads: int) -> Iterator[Drawn]:
    """Count each candidate up to *limit*, some of them at once; they keep their order."""
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(source, AT_ONCE)):
            known = [counter.known(candidate, limit) for candidate in batch]  # a ledger belongs to one thread
            found = [
                count or pool.submit(counter.counted, each, limit) for count, each in zip(known, batch, strict=True)
            ]
            for candidate, each in zip(batch, found, strict=True):
                count = each if isinstance(each, Count) else each.result()
                counter.keep(candidate, count)
                yield candidate, count


def climb(family: Family, counter: Counter, seed: int, enough: int) -> Iterator[Drawn]:
    """Change sets towards fewer solutions, and yield every set that is counted.

    A climb begins with a set that has a solution. A change that leaves as many solutions, or fewer, is kept. Where
    there are at most *enough*, it goes on among such sets. After many changes in vain another climb begins. Climbs
    end when they meet nothing new.
    """
    dice = Random(seed)

    def room(copies: Copies) -> float:
        return sum(n * math.log(places) for n, places in zip(copies, family.places, strict=True) if n)

    seen: set[Copies] = set()
    known = 0
    while family.candidates and known < IN_VAIN:
        some = (family.candidate(dice.randrange(family.candidates)) for _ in range(1 << dice.randrange(STARTS)))
        here = family.images(min(some, key=room))[0]
        known = known + 1 if here in seen else 0
        seen.add(here)
        yield family.candidate_of(here), (count := _count(family, counter, here, MOST_AT_FIRST))
        best, in_vain = count.solutions, 0
        while best and in_vain < PATIENCE and known < IN_VAIN:
            there = family.images(family.neighbour(here, dice, dice.choice(REMOVED)))[0]
            in_vain += 1
            known = known + 1 if there in seen else 0
            if there == here:
                continue
            seen.add(there)
            yield family.candidate_of(there), (count := _count(family, counter, there, max(best, enough) + 1))
            if count.exact and 0 < count.solutions <= max(best, enough):
                in_vain = 0 if count.solutions < best else in_vain
                here, best = there, count.solutions


def _count(family: Family, counter: Counter, copies: Copies, limit: int) -> Count:
    candidate = family.candidate_of(copies)
    count = counter.count(candidate, limit)
    counter.keep(candidate, count)
    return count
