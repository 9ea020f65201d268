"""What the suite measures, as data: every puzzle, by which methods, and why it is there.

A shipped puzzle is named as it is; the others are made from their names by `suite_puzzles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from benchmarks.harness.options import chosen

SECTIONS = {  # name -> title
    "search": "The bitmap kernel against dancing links",
    "kernels": "Each compiled form of the kernel",
    "threads": "Several threads",
    "size": "From 10 to 10,000 items",
    "setup": "Setting a puzzle up",
    "counting": "Counting without listing",
    "delivery": "Covers that reach Python",
    "finding": "One solution of a large puzzle",
    "colours": "Sides that must match",
}
ON_DEMAND = ("finding", "colours")  # up to an hour; measured for a page of its own


class Method(msgspec.Struct, frozen=True):
    """A way to search or count; the backend is None where it is not one of ours."""

    backend: str | None
    why: str
    options: Mapping[str, Any] = {}


def _kernel(name: str, why: str) -> Method:
    return Method("bitset", why, {"threads": 1, "kernel": name})


METHODS = {
    "dlx": Method("dlx", "the method of the field: dancing links, the item with the fewest options first"),
    "bitset": Method("bitset", "the fast kernel on one thread: the same tree", {"threads": 1}),
    "portable": _kernel("portable", "what runs on every processor"),
    "avx2": _kernel("avx2", "what a processor of 2013 adds"),
    "avx512": _kernel("avx512", "what the newest servers add"),
    "neon": _kernel("neon", "what every ARM of 64 bits has"),
    "memo": Method("bitset", "counts kept for sets of covered items: Bitset.count", {"threads": 1}),
    "frontier": Method(None, "counts item by item, listing nothing"),
    "restarts": Method("restarts", "random heads, exhaustive tails: for one solution", {"threads": 1}),
    "sat": Method("sat", "a general solver of formulas"),
    "cpsat": Method("cpsat", "a general solver, as people would write the model by hand"),
}
KERNELS = ("portable", "avx2", "avx512", "neon")


class Case(msgspec.Struct, frozen=True):
    """A row of the suite.

    Attributes:
        puzzle: Its name; "*" for every shipped one.
        quick: Whether a quick run has it too.
        covers: How many covers it must have, where that is known from elsewhere and the puzzle's file does not say.
    """

    section: str
    puzzle: str
    methods: tuple[str, ...]
    why: str
    quick: bool = False
    covers: int | None = None


CLASSIC = {  # puzzle -> why it is measured
    "pent-8x8-minus-2x2": "the paper's first row",
    "pent-10x6": "the usual yardstick",
    "pent-5x4x3": "three dimensions, the largest of the classic boxes",
    "pent-6x5x2": "three dimensions, flat",
    "pent-10x3x2": "three dimensions, a narrow box",
    "dudeney": "more cells and parts; many solutions",
    "pent-big-y": "few solutions, a large region in three dimensions",
    "bedlam": "the largest search that ends within a minute by dancing links",
}
SIDES = ((2, 6), (6, 6), (8, 8), (10, 10), (20, 20), (32, 32), (50, 50), (70, 70), (100, 100))
LINKS = ("dlx", "bitset")
OURS = ("bitset", "dlx")
COUNTS = ("bitset", "memo", "frontier")
FINDERS = ("restarts", "bitset", "cpsat", "sat")
DOMINOES_20X20 = 1269984011256235834242602753102293934298576249856
QUICK = "pent-8x8-minus-2x2"
BOARDS = ("board-4x4-4", "board-5x5-4", "board-6x6-5", "board-7x7-6", "board-8x8-8")  # sides and values

CASES = (
    *(Case("search", name, LINKS, why, name == QUICK) for name, why in CLASSIC.items()),
    *(Case("kernels", name, ("dlx", *KERNELS), why, name == QUICK) for name, why in CLASSIC.items()),
    Case("threads", "bedlam", ("bitset",), "a long search", False),
    Case("threads", "pent-5x4x3", ("bitset",), "a search of half a second", True),
    Case("threads", "dudeney", ("bitset",), "many covers to hand over", False),
    *(Case("size", f"balanced-{a}x{b}", LINKS, "no cover ends it", a < 9) for a, b in SIDES),
    Case("setup", "*", (), "every shipped puzzle", False),
    Case("setup", "soma", (), "what everybody starts with", True),
    Case("setup", "pentominoes-10x10x8", (), "a tenth of a million placements", True),
    Case("setup", "pentominoes-14x14x12", (), "three tenths of a million", False),
    Case("setup", "pentominoes-20x20x17", (), "a million", False),
    Case("counting", "dominoes-8x8", COUNTS, "the chessboard", True, 12_988_816),
    Case("counting", "trominoes-9x10", COUNTS, "few covers for so many options", False, 9_567_192),
    Case("counting", "trominoes-12x12", COUNTS[1:], "too many to list"),
    Case("counting", "dominoes-20x20", COUNTS[1:], "a number of 49 digits", False, DOMINOES_20X20),
    Case("delivery", "dominoes-8x8", OURS, "millions of covers of 32 options each", True),
    Case("finding", "18 one-sided pentominoes, 9x10", FINDERS, "small enough for every method", True),
    Case("finding", "35 hexominoes, 15x15 less 3x5", FINDERS, "a classic, searched by hand for decades"),
    Case("finding", "60 one-sided hexominoes, 18x20", FINDERS, "a usual rectangle"),
    Case("finding", "60 one-sided hexominoes, 15x24", FINDERS, "a narrower one"),
    Case("finding", "40 heptominoes, 14x20", FINDERS, "a sample without holes"),
    Case("finding", "60 heptominoes, 20x21", FINDERS, "a larger sample"),
    Case("finding", "107 heptominoes, 25x30 less a corner", FINDERS, "all without a hole"),
    Case("finding", "107 heptominoes, 7x107", FINDERS, "a strip"),
    Case("finding", "60 octominoes, 20x24", FINDERS, "a sample of larger parts"),
    Case("finding", "363 octominoes, 54x54 less 12 cells", FINDERS, "hundreds of parts"),
    Case("finding", "29 one-sided pentacubes, 5x5x6 less an edge", FINDERS, "three dimensions"),
    Case("finding", "166 one-sided hexacubes, 996 cells", FINDERS, "a large box in space"),
    Case("colours", "macmahon-squares", ("dlx", *KERNELS), "MacMahon's 24 squares in three colours"),
    *(Case("colours", name, ("dlx", *KERNELS), "a designed board", name == BOARDS[0]) for name in BOARDS),
    *(Case("colours", f"board-6x6-5-{seed}", ("dlx", *KERNELS), "others of a size") for seed in range(2, 9)),
)


def chosen_sections(only: str | None) -> tuple[str, ...]:
    """The sections that a list such as ``search,threads`` names, in the suite's order.

    None stands for all but those that are run on demand.

    Raises:
        UnsupportedError: there is no such section, or none is named.
    """
    wanted = chosen("section", only, SECTIONS) or set(SECTIONS) - set(ON_DEMAND)
    return tuple(name for name in SECTIONS if name in wanted)


def cases_of(section: str, *, quick: bool) -> tuple[Case, ...]:
    """The rows of a section, all or those of a quick run."""
    return tuple(case for case in CASES if case.section == section and (case.quick or not quick))
