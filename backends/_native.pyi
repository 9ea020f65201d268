"""Types of the compiled module; see native/module/module.cpp."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.result import Stop

_OnCovers = Callable[[Longs, Ints], bool]
_OnProgress = Callable[[float, int, int, float], bool]  # share, branches, covers, seconds

class Problem:
    """A cover problem whose arrays were checked and copied."""

    def __init__(
        self,
        option_starts: Longs,
        option_items: Ints,
        low: Ints,
        high: Ints,
        *,
        option_colours: Ints | None = None,
        n_cells: int = 0,
        n_parts: int = 0,
        neighbour_starts: Longs | None = None,
        neighbours: Ints | None = None,
    ) -> None: ...

# Results. Times are in seconds, and memory is in bytes.

class Statistics:
    """The figures of a search. ``stranded`` counts options that were refused because they strand."""

    branches: Final[int]
    covers: Final[int]
    dead_ends: Final[int]
    stranded: Final[int]
    deepest: Final[int]
    setup_seconds: Final[float]
    search_seconds: Final[float]
    first_seconds: Final[float | None]
    branches_by_level: Final[tuple[int, ...]]

class Outcome:
    """The result of a search."""

    stop: Final[Stop]
    statistics: Final[Statistics]

class BitsetOutcome:
    """The result of a search by bitmaps.

    Attributes:
        kernel: The kernel that ran, or "dancing links".
        note: Why dancing links searched; empty if they did not.
        threads: How many threads searched.
        subproblems: Into how many pieces the tree was split; 0 if it was not.
    """

    outcome: Final[Outcome]
    kernel: Final[str]
    note: Final[str]
    threads: Final[int]
    subproblems: Final[int]

class BitsetCount:
    """The result of a count by bitmaps. With a memo, only branches that the memo did not save are counted."""

    result: Final[BitsetOutcome]
    covers: Final[int]
    with_memo: Final[bool]
    memo_entries: Final[int]
    memo_bytes: Final[int]
    memo_hits: Final[int]

class RestartsOutcome:
    """The result of random restarts: heads tried, tails searched, and tails that met their limit of branches."""

    outcome: Final[Outcome]
    heads: Final[int]
    tails: Final[int]
    tails_cut: Final[int]
    threads: Final[int]

class SectionCount:
    """What a section of a certificate counts; see native/certificate/.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        states: The states that a checker meets.
    """

    stop: Final[Stop]
    covers: Final[int | None]
    states: Final[int]

class CertifiedProblem:
    """Options, or orbits of options, of which covers are certified."""

    def __init__(
        self, option_starts: Longs, option_items: Ints, option_colours: Ints, low: Ints, high: Ints
    ) -> None: ...
    def tree(
        self,
        *,
        chosen: int,
        splits: bool,
        most_remembered: int,
        most_states: int | None,
        max_seconds: float | None,
        on_text: Callable[[bytes], object],
        on_progress: _OnProgress | None,
    ) -> SectionCount: ...
    def sweep(
        self,
        order: Ints,
        *,
        chosen: int,
        limbs: int,
        most_bytes: int,
        most_states: int | None,
        max_seconds: float | None,
        on_progress: _OnProgress | None,
    ) -> SectionCount: ...

class ComponentCount:
    """The result of a count by components.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        nodes: Components that were branched on.
        splits: Sets of items that fell apart.
        memo_hits: Components whose count was in the memo.
    """

    stop: Final[Stop]
    covers: Final[int | None]
    nodes: Final[int]
    splits: Final[int]
    memo_entries: Final[int]
    memo_bytes: Final[int]
    memo_hits: Final[int]
    seconds: Final[float]

class FrontierCount:
    """The result of a count by the frontier.

    Attributes:
        covers: The number of covers, exact whatever its size; None if the count was cut short.
        width: The most items that were open at once, in the order that won.
        states: The most states, which are sets of covered items, at once.
        order: The number of the order that won.
        work: Of all orders.
        left: The work that seems to be left in the best order.
        bytes, bytes_on_disk: The memory and the disk space that the states took.
    """

    stop: Final[Stop]
    covers: Final[int | None]
    width: Final[int]
    states: Final[int]
    order: Final[int]
    work: Final[int]
    left: Final[float]
    bytes: Final[int]
    bytes_on_disk: Final[int]
    seconds: Final[float]

class Diagram:
    """A diagram of all covers; see `latcover.core.cover.diagram.Diagram` for the arrays.

    Attributes:
        stop: EXHAUSTED if it is whole; BRANCH_LIMIT if it took more work than it may.
        width: The most items that were open at once.
        states: The states of all layers of the frontier.
        bytes: The most memory that it took.
    """

    stop: Final[Stop]
    options: Final[Ints]
    starts: Final[Longs]
    low: Final[Ints]
    high: Final[Ints]
    root: Final[int]
    width: Final[int]
    states: Final[int]
    bytes: Final[int]
    seconds: Final[float]

class Probes:
    """The results of groups of probes. Each group estimates the whole tree, independently of the others.

    Attributes:
        log_branches, log_covers: The estimate of each group, shape (n_groups,), float64, as natural logarithm; -inf
            for 0.
        stop: EXHAUSTED says that all groups ended.
        probes: The number of probes in all groups.
        whole: Whether the probes passed over nothing; the only group is then the whole tree.
        nodes: Nodes entered by all groups.
        least_branches, least_covers: The most that a single group met; at least so many exist.
        covers_met: Covers met by all groups; a cover that several groups met counts several times.
        deepest: The most options chosen at once.
    """

    log_branches: Final[npt.NDArray[np.float64]]
    log_covers: Final[npt.NDArray[np.float64]]
    stop: Final[Stop]
    probes: Final[int]
    whole: Final[bool]
    nodes: Final[int]
    least_branches: Final[int]
    least_covers: Final[int]
    covers_met: Final[int]
    deepest: Final[int]
    seconds: Final[float]

# Searches and counts

def dlx(
    problem: Problem,
    *,
    size: bool,
    strand: str,
    max_covers: int | None,
    max_branches: int | None,
    max_seconds: float | None,
    on_covers: _OnCovers,
    on_progress: _OnProgress | None,
    prunes: Callable[[Ints], bool] | None = None,
) -> Outcome: ...

class Bar:
    most: int
    def __init__(self, most: int) -> None: ...

def suits_bitmaps(problem: Problem) -> bool: ...
def improve(
    problem: Problem,
    *,
    method: str,
    size: bool,
    bar: Bar,
    own: Longs,
    prices: Longs,
    scale: int,
    constant: int,
    weights: Longs,
    term_starts: Longs,
    condition_starts: Longs,
    condition_options: Ints,
    max_covers: int | None,
    max_branches: int | None,
    max_seconds: float | None,
    on_covers: _OnCovers,
    on_progress: _OnProgress | None,
) -> Outcome: ...
def backtrack(
    problem: Problem,
    *,
    size: bool,
    strand: str,
    kernel: str,
    max_covers: int | None,
    max_branches: int | None,
    max_seconds: float | None,
    on_covers: _OnCovers,
    on_progress: _OnProgress | None,
) -> Outcome: ...
def bitset(
    problem: Problem,
    *,
    kernel: str,
    threads: int,
    ordered: bool,
    max_covers: int | None,
    max_branches: int | None,
    max_seconds: float | None,
    on_covers: _OnCovers,
    on_progress: _OnProgress | None,
) -> BitsetOutcome: ...
def bitset_count(
    problem: Problem,
    *,
    kernel: str,
    threads: int,
    memo_bytes: int,
    max_branches: int | None,
    max_seconds: float | None,
    on_progress: _OnProgress | None,
    memo_nodes: int | None = None,
    pause_at: int | None = None,
    on_pause: Callable[[int, int, float], int] | None = None,
) -> BitsetCount: ...
def restarts(
    problem: Problem,
    *,
    kernel: str,
    threads: int,
    seed: int,
    tail: int,
    max_work: int | None,
    max_seconds: float | None,
    on_covers: _OnCovers,
    on_progress: _OnProgress | None,
) -> RestartsOutcome: ...
def probe(
    problem: Problem,
    *,
    tree: str,
    size: bool,
    strand: str,
    probes: int,
    seconds: float,
    seed: int,
    on_progress: _OnProgress | None,
) -> Probes: ...
def components_count(
    problem: Problem,
    *,
    most_bytes: int,
    max_nodes: int | None,
    max_seconds: float | None,
    on_progress: _OnProgress | None,
) -> ComponentCount: ...
def frontier_order(problem: Problem) -> Ints: ...
def frontier_width(problem: Problem, order: Ints) -> int: ...
def frontier_orders(problem: Problem, sweeps: Ints) -> Ints: ...

class FrontierSearch:
    """A count item after item, in the best of some orders, which can pause. It may go on with one that was kept."""

    def __init__(
        self,
        problem: Problem,
        orders: Ints,
        *,
        most_bytes: int,
        most_on_disk: int,
        folder: str,
        threads: int,
        on_keep: Callable[[float, Callable[[str, int], bool]], None] | None = None,
        keep_seconds: float = 0.0,
        kept_path: str = "",
        kept_from: int = 0,
        kept_seed: int = 0,
    ) -> None: ...
    def count(
        self, until_work: int | None, max_seconds: float | None, on_progress: _OnProgress | None
    ) -> FrontierCount: ...

def diagram(
    problem: Problem,
    order: Ints,
    *,
    most_bytes: int,
    most_work: int | None,
    max_seconds: float | None,
    on_progress: _OnProgress | None,
) -> Diagram: ...
def kernels() -> dict[str, bool]: ...

# Taking assemblies apart

most_parts: int

class SlideMove:
    """Some parts slide: against the direction if ``steps`` is negative; 1 or -1 step stands for going away for good."""

    parts: Final[tuple[int, ...]]
    direction: Final[int]
    steps: Final[int]
    separates: Final[bool]

class Parting:
    """Parts that belong together until one group of them is removed from the others, which stay."""

    parts: Final[tuple[int, ...]]
    stays: Final[tuple[int, ...]]
    removed: Final[tuple[int, ...]]
    moves: Final[list[SlideMove]]

class TakenApart:
    """Whether an assembly comes apart ("apart", "stuck", "unknown"), and why the search stopped before it knew."""

    result: Final[Literal["apart", "stuck", "unknown"]]
    stop: Final[str]
    least: Final[bool]
    states: Final[int]
    reached: Final[int]
    partings: Final[list[Parting]]

class Assembler:
    def __init__(
        self,
        directions: npt.NDArray[np.int32],
        n_nodes: int,
        hit_starts: npt.NDArray[np.int64],
        hits: npt.NDArray[np.int32],
    ) -> None: ...
    def add_shape(self, cells: npt.NDArray[np.int32]) -> int: ...
    def take_apart(
        self,
        starts: npt.NDArray[np.int64],
        parts: npt.NDArray[np.int32],
        *,
        n_kinds: int,
        limits: npt.NDArray[np.int32],
        max_states: int,
        max_seconds: float | None,
        threads: int,
        on_progress: Callable[[int, int, float], bool] | None,
    ) -> list[TakenApart]: ...

# Turning

class PartsTurned:
    middle: Final[tuple[float, float]]
    goals: Final[list[int]]
    boxes: Final[int]
    def path(self, goal: int) -> npt.NDArray[np.float64]: ...

class GivenWay:
    path: Final[npt.NDArray[np.float64]]
    work: Final[int]

class TiltedWay:
    path: Final[npt.NDArray[np.float64]]
    work: Final[int]

class Pushing:
    def __init__(
        self,
        *,
        turning: Sequence[bool],
        held: Sequence[bool],
        pull: float,
        room: float,
        least_room: float,
        softness: float,
        seed: int,
        most_work: int,
    ) -> None: ...

class Turner:
    def __init__(
        self,
        starts: npt.NDArray[np.int64],
        corners: npt.NDArray[np.float64],
        centres: npt.NDArray[np.float64],
        layers: npt.NDArray[np.int32],
        steps: npt.NDArray[np.float64],
        rises: npt.NDArray[np.int32],
        *,
        play: float,
        bevel: float,
        near: float,
    ) -> None: ...
    def add_shape(self, cells: npt.NDArray[np.int32]) -> int: ...
    def body(self, shape: int) -> list[tuple[int, list[float]]]: ...
    def ask(
        self,
        moving: npt.NDArray[np.int32],
        fixed: npt.NDArray[np.int32],
        *,
        angle: float,
        goals: npt.NDArray[np.float64],
        reach: float,
        deepest: int,
        most_boxes: int,
    ) -> PartsTurned: ...
    def give(
        self,
        parts: npt.NDArray[np.int32],
        *,
        middle: Sequence[float],
        guide: npt.NDArray[np.float64],
        how: Pushing,
    ) -> GivenWay: ...
    def tilt(
        self,
        parts: npt.NDArray[np.int32],
        *,
        middle: Sequence[float],
        layers: Sequence[float],
        guide: npt.NDArray[np.float64],
        how: Pushing,
    ) -> TiltedWay: ...

class TurningMove:
    parts: Final[tuple[int, ...]]
    direction: Final[int]
    steps: Final[int]
    separates: Final[bool]
    axis: Final[int]
    turn: Final[int]
    shift: Final[tuple[int, int, int]]

class TurningParting:
    parts: Final[tuple[int, ...]]
    stays: Final[tuple[int, ...]]
    removed: Final[tuple[int, ...]]
    moves: Final[list[TurningMove]]

class TightTurn:
    moving: Final[tuple[int, ...]]
    fixed: Final[tuple[int, ...]]
    parts: Final[tuple[tuple[int, tuple[int, int, int]], ...]]
    move: Final[TurningMove]

class TurnedApart:
    result: Final[Literal["apart", "stuck", "unknown"]]
    stop: Final[str]
    many: Final[bool]
    least: Final[bool]
    states: Final[int]
    reached: Final[int]
    tight: Final[int]
    tight_turns: Final[list[TightTurn]]
    partings: Final[list[TurningParting]]

class TurningAssembler:
    def __init__(
        self,
        directions: npt.NDArray[np.int32],
        n_nodes: int,
        hit_starts: npt.NDArray[np.int64],
        hits: npt.NDArray[np.int32],
        *,
        maps: npt.NDArray[np.int32],
        then: npt.NDArray[np.int32],
        alike: bool,
        deepest: int,
        most_boxes: int,
    ) -> None: ...
    def add_axis(
        self,
        starts: npt.NDArray[np.int64],
        corners: npt.NDArray[np.float64],
        centres: npt.NDArray[np.float64],
        layers: npt.NDArray[np.int32],
        steps: npt.NDArray[np.float64],
        rises: npt.NDArray[np.int32],
        *,
        unit: npt.NDArray[np.float64],
        play: float,
        bevel: float,
        near: float,
        angles: npt.NDArray[np.float64],
        maps: npt.NDArray[np.int32],
        shifts: npt.NDArray[np.int32],
        reach: float,
    ) -> None: ...
    def add_shape(self, cells: npt.NDArray[np.int32]) -> int: ...
    def cells(self, shape: int) -> npt.NDArray[np.int32]: ...
    def strike(
        self,
        moving: npt.NDArray[np.int32],
        fixed: npt.NDArray[np.int32],
        *,
        axis: int,
        turn: int,
        shift: tuple[int, int, int],
    ) -> None: ...
    def restore(self) -> None: ...
    def count_turns(self, parts: npt.NDArray[np.int32], *, n_kinds: int, threads: int) -> tuple[int, int]: ...
    def take_apart(
        self,
        starts: npt.NDArray[np.int64],
        parts: npt.NDArray[np.int32],
        *,
        n_kinds: int,
        limits: npt.NDArray[np.int32],
        always: bool,
        max_states: int,
        max_seconds: float | None,
        threads: int,
        on_progress: Callable[[int, int, float], bool] | None,
    ) -> list[TurnedApart]: ...

# Cutting regions

most_cut_cells: int

class Cutter:
    def __init__(
        self,
        n_cells: int,
        starts: npt.NDArray[np.int64],
        neighbours: npt.NDArray[np.int32],
        maps: npt.NDArray[np.int16],
        n_allowed: int,
        centres: npt.NDArray[np.float64],
        crossings: npt.NDArray[np.int32],
    ) -> None: ...
    def slides(
        self,
        directions: npt.NDArray[np.int32],
        n_nodes: int,
        hit_starts: npt.NDArray[np.int64],
        hits: npt.NDArray[np.int32],
        cells: npt.NDArray[np.int32],
        reaches: npt.NDArray[np.float64],
        rises: npt.NDArray[np.float64],
    ) -> None: ...
    def rules(
        self,
        *,
        n_parts: int,
        least_size: int,
        most_size: int,
        sizes: list[int],
        different: bool,
        no_mirrors: bool,
        asymmetric: bool,
        least_rank: int,
        forbidden: npt.NDArray[np.int32],
        holes: int,
        inner: npt.NDArray[np.int32],
        one_order: bool,
        hard: bool,
        min_level: int,
    ) -> None: ...
    def start(
        self, *, start: npt.NDArray[np.int32], movable: npt.NDArray[np.int32], held: list[int], most_states: int
    ) -> None: ...
    def turns(self, turned: Callable[[list[list[int]]], tuple[int, int, int]], *, always: bool) -> None: ...
    def run(
        self,
        *,
        seed: int,
        first: int,
        n_walks: int,
        patience: int,
        memory: int,
        rounds: int,
        threads: int,
        seconds: float | None,
        on_found: Callable[..., bool],
        on_progress: Callable[[int, int, float], bool] | None,
    ) -> None: ...

class Grower:
    """Adds copies of a shape to regions, which are records of the codes of their cells; see native/plane/growth.hpp."""

    def __init__(
        self, dimension: int, n_nodes: int, span: int, motions: Ints, steps: Ints, copies: Ints, size: int
    ) -> None: ...
    def grown(self, records: npt.NDArray[np.uint16], n_cells: int) -> npt.NDArray[np.uint16]: ...

class StripLengths:
    """Which lengths of a strip are filled; see native/plane/strip_lengths.hpp.

    A copy is four words of its cells' bits.
    """

    filled: bool
    states: int

    def __init__(self, width: int, copies: npt.NDArray[np.uint64], mirrored: bool) -> None: ...
    def advance(self, most: int) -> bool: ...

def distinct_records(records: npt.NDArray[np.uint16], width: int) -> npt.NDArray[np.uint16]: ...

# Tilings of the plane

class OrbitAnswer:
    found: bool
    complete: bool
    nodes: int
    period: list[list[int]]
    motions: list[list[int]]
    tiles: list[list[int]]

class HoleFinder:
    def __init__(self, n_nodes: int, sides: npt.NDArray[np.int32], cells: list[npt.NDArray[np.int64]]) -> None: ...
    def of(self, covered: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]: ...
    def at_once(self, orientation: int, copies: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]: ...

class OrbitTiler:
    def __init__(
        self,
        n_nodes: int,
        nodes: npt.NDArray[np.int32],
        matrices: npt.NDArray[np.int32],
        shifts: npt.NDArray[np.int32],
        sides: npt.NDArray[np.int32],
    ) -> None: ...
    def tile(
        self,
        shapes: list[npt.NDArray[np.int32]],
        allowed: list[list[int]],
        *,
        classes: int,
        nodes: int | None,
        goes_on: Callable[[], bool] | None,
    ) -> OrbitAnswer: ...
