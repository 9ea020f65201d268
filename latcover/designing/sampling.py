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

MOST_SHUFFLED = 1_000_000  # candidates that are drawn without repetition, and so to the last
AT_ONCE = 16  # sets that are counted together
STARTS = 64  # draws of which a climb takes the one whose parts have the fewest places
MOST_AT_FIRST = 100_000  # solutions of a start that are counted
PATIENCE = 300  # changes in vain, before a climb begins anew
REMOVED = (1, 1, 1, 2)  # copies of parts that a change exchanges, by chance

Drawn = tuple[Copies, Count]


def draws(family: Family, seed: int) -> Iterator[Copies]:
    """Sets by chance, each once, and one of each class of images. It ends when there are no more, if they are few."""
    dice = Random(seed)
    if family.candidates <= MOST_SHUFFLED:
        order = list(range(family.candidates))
        dice.shuffle(order)
        for number in order:
            copies = family.candidate(number)
            if family.images(copies)[0] == copies:
                yield copies
        return
    seen: set[Copies] = set()
    while True:
        copies = family.images(family.candidate(dice.randrange(family.candidates)))[0]
        if copies not in seen:
            seen.add(copies)
            yield copies


def sample(family: Family, counter: Counter, seed: int, limit: int | None, threads: int) -> Iterator[Drawn]:
    """Draw sets, and count each up to *limit*."""
    source = draws(family, seed)
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(source, AT_ONCE)):
            counts = pool.map(lambda copies: counter.count(copies, limit), batch)
            for copies, count in zip(batch, counts, strict=True):
                counter.keep(copies, count)
                yield copies, count


def climb(family: Family, counter: Counter, seed: int, enough: int) -> Iterator[Drawn]:
    """Change sets towards fewer solutions, and yield every set that is counted.

    A climb begins with a set that has a solution. A change that leaves as many solutions, or fewer, is kept. Where there
    are at most *enough*, it goes on among such sets. After many changes in vain another climb begins.
    """
    dice = Random(seed)

    def room(copies: Copies) -> float:
        return sum(n * math.log(places) for n, places in zip(copies, family.places, strict=True) if n)

    while True:
        start = min((family.candidate(dice.randrange(family.candidates)) for _ in range(STARTS)), key=room)
        here = family.images(start)[0]
        count = counter.count(here, MOST_AT_FIRST)
        counter.keep(here, count)
        yield here, count
        best, in_vain = count.solutions, 0
        while best and in_vain < PATIENCE:
            there = family.images(family.neighbour(here, dice, dice.choice(REMOVED)))[0]
            in_vain += 1
            if there == here:
                continue
            limit = max(best, enough) + 1
            count = counter.count(there, limit)
            counter.keep(there, count)
            yield there, count
            if count.exact and 0 < count.solutions <= max(best, enough):
                in_vain = 0 if count.solutions < best else in_vain
                here, best = there, count.solutions
