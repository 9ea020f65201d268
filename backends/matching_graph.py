"""The graph whose perfect matchings are the covers of a problem, for options that cover two cells each."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.honouring import refuse_colours
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.rows import forbidden_options
from latcover.errors import UnsupportedError

Edges = dict[tuple[int, int], int]  # how many options cover these two vertices, the lesser one first


class Graph(Struct, frozen=True):
    """A graph whose matchings are the covers of a problem.

    Attributes:
        edges: How many options cover each pair of vertices.
        alone: In how many ways each vertex may be covered alone, or left.
        factor: What the number of matchings is to be multiplied by.
    """

    n_vertices: int
    edges: Edges
    alone: dict[int, int]
    factor: int


def is_surely_not_planar(problem: CoverProblem) -> bool:
    """Whether options of two items each join more pairs of items than a planar graph has edges (Euler)."""
    pairs = problem.option_items[problem.option_starts[:-1][np.diff(problem.option_starts) == 2][:, None] + [0, 1]]
    return len(np.unique(pairs[:, 0].astype(np.int64) * problem.n_items + pairs[:, 1])) > 3 * problem.n_items


def graph_of(problem: CoverProblem) -> Graph:
    """The graph of a problem whose options cover two cells each, or one.

    Items that are held by the same options count as one: so do the cells that a symmetry exchanges.

    Raises:
        UnsupportedError: the covers of the problem are not the matchings of a graph.
    """
    refuse_colours("a count by determinant", problem)
    if (problem.high > 1).any():
        raise UnsupportedError("a determinant counts only parts that may be used once, or any number of times")
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    shut = np.zeros(problem.n_options, np.bool_)
    shut[forbidden_options(problem)] = True
    kept = ~shut[owners]
    owners, items = owners[kept], problem.option_items[kept]
    vertex, n_vertices = _vertices(problem, owners, items)
    ends: list[list[int]] = [[] for _ in range(problem.n_options)]
    for option, at in zip(owners.tolist(), vertex[items].tolist(), strict=True):
        if at >= 0:
            ends[option].append(at)
    edges: Counter[tuple[int, int]] = Counter()
    alone: Counter[int] = Counter()
    factor = 1
    for option in np.flatnonzero(~shut).tolist():
        match sorted(set(ends[option])):
            case []:
                factor *= 2
            case [a]:
                alone[a] += 1
            case [a, b]:
                edges[a, b] += 1
            case more:
                raise UnsupportedError(f"a determinant counts only parts of two cells, and one covers {len(more)}")
    optional = {int(vertex[item]) for item in np.flatnonzero(problem.low == 0).tolist() if vertex[item] >= 0}
    for each in optional:
        alone[each] += 1
    return Graph(n_vertices, dict(edges), dict(alone), factor)


def _vertices(problem: CoverProblem, owners: npt.NDArray[Any], items: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The vertex of each item, -1 for an item that does not matter; and how many vertices there are."""
    by_item = np.argsort(items, kind="stable")
    starts = np.searchsorted(items[by_item], np.arange(problem.n_items + 1))
    vertex = np.full(problem.n_items, -1, np.int64)
    known: dict[bytes, int] = {}
    for item in np.argsort(problem.low == 0, kind="stable").tolist():  # the items that must be covered come first
        holders = owners[by_item[starts[item] : starts[item + 1]]]
        if problem.low[item] == 0 and (len(holders) <= 1 or holders.tobytes() in known):
            continue
        vertex[item] = known.setdefault(holders.tobytes() or b"%d" % item, len(known))
    return vertex, len(known)
