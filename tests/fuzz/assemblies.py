"""An assembly, and whether latcover takes it apart as brute force does.

The plan passes the replaying check, no plan has fewer moves, and what may stay together does. Of two groups the heavier
one stays. Several threads find the same as one.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.replay import disassembly_faults
from latcover.lab.assembly.taking_apart import Assembler
from tests.assembly_oracle import Oracle, TooManyPositionsError
from tests.dice import Dice, Seeded
from tests.fuzz.disagreement import DisagreementError, require
from tests.random_assemblies import Assembly, Ground, any_ground, random_assembly

ON_ONE_GROUND = 50  # assemblies one after the other: what its cells meet is worked out once
THREADED = 10  # one of so many is also asked of several threads
MOST_STATES = 100_000


@lru_cache(maxsize=2)
def ground(seed: int, block: int) -> Ground:
    return any_ground(Seeded(f"ground {seed}:{block}"))


def make_assembly(dice: Dice, seed: int, number: int) -> Assembly:
    """Assembly *number* of a seed, of what the dice show."""
    return random_assembly(dice, ground(seed, number // ON_ONE_GROUND))


def check_assembly(assembly: Assembly, tally: Counter[str]) -> None:
    """Take it apart.

    Raises:
        DisagreementError: the plan is not that of brute force.
    """
    tally["assemblies"] += 1
    puzzle, solution = assembly.puzzle()
    groups = assembly.by_group()
    oracle = Oracle(puzzle.lattice, assembly.pieces, assembly.ground.ways, assembly.names, groups)
    try:
        expected = oracle.answer()
    except TooManyPositionsError:
        tally["too many positions for brute force"] += 1
        return
    assembler = Assembler(puzzle, in_plane=puzzle.lattice.dimension < 3)
    try:
        (found,) = assembler.take_apart([solution])
    except Exception as fault:
        raise DisagreementError("taking apart", f"{type(fault).__name__}: {fault}") from fault
    _count(assembly, found, tally)
    if expected is None:
        require(found.result == "stuck", "result", f"{found.result!r}, not 'stuck'")
    else:
        require(found.result == "apart", "result", f"{found.result!r}, not 'apart'")
        own = (len(found.separations[0].steps) if found.separations else 0, len(found.steps))
        fewest = own == expected if found.least else own[0] == expected[0] and own[1] >= expected[1]
        require(fewest, "moves", f"{own} to the first separation and in all, not {expected}; least: {found.least}")
        faults = disassembly_faults(puzzle, solution, found)
        require(not faults, "replay", "; ".join(faults))
        require_weights(assembly, found)
        for group in found.left_together:
            require(oracle.may_stay(group), "groups", f"{group} stay together, and may not")
    if tally["assemblies"] % THREADED == 0:
        tally["asked of three threads"] += 1
        (threaded,) = assembler.take_apart([solution], threads=3)
        require(threaded == found, "threads", f"three threads find {threaded}, one {found}")


def require_weights(assembly: Assembly, found: Disassembly) -> None:
    """Of two groups that part, that stays which has the heaviest part."""
    weights = [assembly.weights.get(name, 1) for name in assembly.names]
    for separation in found.separations:
        stays, removed = (max(weights[k] for k in side) for side in (separation.stays, separation.removed))
        require(stays >= removed, "weights", f"what stays has the weight {stays}, what is removed {removed}")


def _count(assembly: Assembly, found: Disassembly, tally: Counter[str]) -> None:
    """What kinds of cases there were: a campaign that meets no locked pieces proves little."""
    tally[found.result] += 1
    if found.level:
        tally[f"apart after {found.level[0]} moves" if found.level[0] < 5 else "apart after 5 moves or more"] += 1
    tally["not all separations compared"] += not found.least
    tally["with groups"] += bool(assembly.by_group())
    tally["left together"] += bool(found.left_together) or (found.result == "apart" and not found.separations)
    tally["with weights"] += len(set(assembly.weights.values())) > 1
    tally["with copies"] += len(set(assembly.names)) < len(assembly.names)
    tally["on lattices made up"] += bool(assembly.ground.text)
    tally["with slides of their own"] += bool(assembly.ground.lattice.slides)
