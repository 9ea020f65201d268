"""The long lane: as many random puzzles as one likes, every backend asked about each.

    python -m tests.fuzz.long --puzzles 100000 --seed 1

Puzzle number k of a seed is always the same, so that --from goes on where a run was stopped. The first disagreement is
made as small as Hypothesis can make it and shown as a puzzle file; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.dice import Seeded, smallest
from tests.fuzz.asking import SOMETIMES, Case, Tally, check, make_case
from tests.fuzz.assemblies import check_assembly, make_assembly
from tests.fuzz.disagreement import DisagreementError
from tests.fuzz.files import shown

BETWEEN_REPORTS = 30.0  # seconds
MOST_TRIED = 1000  # cases, while a disagreement is made small
HOW_MANY = ("0", "1", "2-9", "10+")


def main(words: Sequence[str] | None = None) -> int:
    """Run the lane; 1 where there was a disagreement."""
    given = _arguments(words)
    if given.assemblies is not None:
        return _assemblies(given)
    tally = Tally()
    begun = reported = time.monotonic()
    number = given.first
    while number < given.first + given.puzzles and time.monotonic() - begun < given.seconds:
        dice = Seeded(f"{given.seed}:{number}")
        try:
            check(make_case(dice), tally)
        except DisagreementError as fault:
            print(_report(given.seed, number, fault, dice.thrown))
            print(summary(tally, time.monotonic() - begun, disagreements=1))
            return 1
        number += 1
        if time.monotonic() - reported > BETWEEN_REPORTS:
            reported = time.monotonic()
            rate = tally.puzzles / (reported - begun)
            print(f"seed {given.seed}: up to number {number}, {rate:.0f} puzzles a second", file=sys.stderr, flush=True)
    print(f"seed {given.seed}, numbers {given.first} to {number - 1}")
    print(summary(tally, time.monotonic() - begun, disagreements=0))
    return 0


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.long", description=__doc__)
    parser.add_argument("--puzzles", type=int, default=100_000, help="how many puzzles")
    parser.add_argument("--assemblies", type=int, help="take so many assemblies apart instead")
    parser.add_argument("--seed", type=int, default=1, help="which puzzles")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="NUMBER", help="the first puzzle's number")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    return parser.parse_args(words)


def _assemblies(given: argparse.Namespace) -> int:
    """The same for taking apart. Assembly number k of a seed is always the same, too."""
    tally: Counter[str] = Counter()
    begun = time.monotonic()
    for number in range(given.first, given.first + given.assemblies):
        if time.monotonic() - begun >= given.seconds:
            break
        assembly = make_assembly(Seeded(f"{given.seed}:{number}"), given.seed, number)
        try:
            check_assembly(assembly, tally)
        except DisagreementError as fault:
            print(f"assembly {number} of seed {given.seed} (--assemblies 1 --from {number}): {fault}\n{assembly!r}")
            return 1
    print("\n".join(f"{count:8} {what}" for what, count in tally.most_common()))
    return 0


def disagrees(case: Case, check_name: str) -> bool:
    """Whether *case* leads to a disagreement about this question."""
    try:
        check(case, Tally())
    except DisagreementError as fault:
        return fault.check == check_name
    return False


def _report(seed: int, number: int, fault: DisagreementError, thrown: Sequence[int]) -> str:
    """The disagreement, made small."""
    case = smallest(make_case, lambda case: disagrees(case, fault.check), thrown, MOST_TRIED)
    try:
        check(case, Tally())
    except DisagreementError as small:
        fault = small
    asked = f"# {case.choices}\n# {case.backends}\n# {case.method}, {case.change[0]}, {case.also}, {case.number}"
    again = f"--seed {seed} --from {number} --puzzles 1"
    return f"# puzzle {number} of seed {seed} ({again})\n# {fault}\n{asked}\n{shown(case.puzzle)}"


def summary(tally: Tally, seconds: float, *, disagreements: int) -> str:
    """What was asked, and how often."""
    found = ", ".join(f"{tally.found[key]} with {key}" for key in HOW_MANY)
    skipped = tally.puzzles - sum(tally.found[key] for key in HOW_MANY)
    lines = [
        f"{tally.puzzles} puzzles in {seconds:.0f} s, {tally.solutions} solutions, {disagreements} disagreements",
        f"puzzles by solutions: {found}; {skipped} too large for brute force",
        f"contradict themselves: {tally.refused['puzzles that contradict themselves']}",
        "asked for a share of the puzzles: " + ", ".join(f"{name} {percent} %" for name, percent in SOMETIMES.items()),
    ]
    asked = (f"  {name}: asked {tally.asked[name]}, refused {tally.refused[name]}" for name in sorted(tally.asked))
    return "\n".join([*lines, *asked])


if __name__ == "__main__":
    faulthandler.enable()
    sys.exit(main())
