"""Types of the compiled module; see native/module.cpp."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

class _Search(Protocol):
    def __call__(
        self,
        option_starts: npt.NDArray[np.int64],
        option_items: npt.NDArray[np.int32],
        low: npt.NDArray[np.int32],
        high: npt.NDArray[np.int32],
        *,
        size: bool,
        strand: str,
        kernel: str = "",
        colours: npt.NDArray[np.int32] | None = None,
        cells: tuple[int, int, npt.NDArray[np.int64], npt.NDArray[np.int32]] | None,
        max_covers: int | None,
        max_branches: int | None,
        max_seconds: float | None,
        on_covers: Callable[[npt.NDArray[np.int64], npt.NDArray[np.int32]], bool],
        on_progress: Callable[[float, int, int, float], bool] | None,
    ) -> tuple[str, dict[str, Any]]: ...

dlx: _Search
backtrack: _Search

def frontier_order(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
) -> npt.NDArray[np.int32]: ...
def components_count(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    *,
    most_bytes: int,
    max_seconds: float | None,
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, list[int], float, dict[str, Any]]: ...
def frontier_width(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    order: npt.NDArray[np.int32],
) -> int: ...
def frontier_count(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    order: npt.NDArray[np.int32],
    *,
    most_bytes: int,
    max_seconds: float | None,
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, bytes, dict[str, Any]]: ...
def bitset(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    *,
    kernel: str,
    threads: int,
    ordered: bool,
    colours: npt.NDArray[np.int32] | None = None,
    max_covers: int | None,
    max_branches: int | None,
    max_seconds: float | None,
    on_covers: Callable[[npt.NDArray[np.int64], npt.NDArray[np.int32]], bool],
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, dict[str, Any], dict[str, Any], str]: ...
def restarts(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    *,
    kernel: str,
    threads: int,
    seed: int,
    tail: int,
    cells: tuple[int, int, npt.NDArray[np.int64], npt.NDArray[np.int32]],
    max_seconds: float | None,
    on_covers: Callable[[npt.NDArray[np.int64], npt.NDArray[np.int32]], bool],
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, dict[str, Any], dict[str, Any]]: ...
def bitset_count(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    *,
    kernel: str,
    threads: int,
    memo_bytes: int,
    colours: npt.NDArray[np.int32] | None = None,
    max_branches: int | None,
    max_seconds: float | None,
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, dict[str, Any], dict[str, Any], str]: ...
def probe(
    option_starts: npt.NDArray[np.int64],
    option_items: npt.NDArray[np.int32],
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    *,
    tree: str,
    size: bool,
    strand: str,
    colours: npt.NDArray[np.int32] | None,
    cells: tuple[int, int, npt.NDArray[np.int64], npt.NDArray[np.int32]],
    probes: int,
    seconds: float,
    seed: int,
    on_progress: Callable[[float, int, int, float], bool] | None,
) -> tuple[str, npt.NDArray[np.float64], npt.NDArray[np.float64], dict[str, Any]]: ...

most_parts: int

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
    ) -> list[dict[str, Any]]: ...

def kernels() -> dict[str, bool]: ...

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
    ) -> None: ...
    def slides(
        self,
        directions: npt.NDArray[np.int32],
        n_nodes: int,
        hit_starts: npt.NDArray[np.int64],
        hits: npt.NDArray[np.int32],
        cells: npt.NDArray[np.int32],
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
    def run(
        self,
        *,
        seed: int,
        first: int,
        n_walks: int,
        patience: int,
        memory: int,
        threads: int,
        seconds: float | None,
        on_found: Callable[[dict[str, Any]], bool],
        on_progress: Callable[[int, int, float], bool] | None,
    ) -> None: ...
