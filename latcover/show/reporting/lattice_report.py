"""The figures of a lattice: its nodes, axes, neighbours and transformations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from latcover.core.model.lattice import Lattice
from latcover.errors import counted, escaped

LISTED_NODES = 4  # with more nodes, the half-edges would fill several screens
SIDEWAYS, UPWARDS, AWAY = ("right", "left"), ("up", "down"), ("to the back", "to the front")
DIRECTIONS = {1: (SIDEWAYS,), 2: (SIDEWAYS, UPWARDS), 3: (SIDEWAYS, AWAY, UPWARDS)}
PARTS_MAY = {
    "fixed": "parts are neither rotated nor reflected",
    "rotations": "parts may be rotated, not reflected",
    "reflections": "parts may be rotated and reflected",
}


def lattice_as_json(lattice: Lattice) -> dict[str, Any]:
    """The object that `latcover info LATTICE --json` prints."""
    group, axes = lattice.transformations, lattice.basis.tolist()
    return {
        "lattice": lattice.name,
        "title": lattice.title,
        "source": lattice.source,
        "dimension": lattice.dimension,
        "axes": [{"axis": k, "step": step, "direction": direction(step)} for k, step in enumerate(axes)],
        "nodes": [_node_as_json(lattice, number) for number in range(len(lattice.nodes))],
        "transformations": {
            "all": len(group),
            "rotations": sum(each.proper for each in group),
            "reflections": sum(not each.proper for each in group),
            "names": list(lattice.generators),
            "of_parts": lattice.default_transformations,
        },
    }


def _node_as_json(lattice: Lattice, number: int) -> dict[str, Any]:
    node, origin = lattice.nodes[number], (number, *[0] * lattice.dimension)
    edges = [edge for edge in lattice.half_edges if edge.node == number]
    return {
        "node": node.name,
        "secondary": node.secondary,
        "cell": lattice.written(origin),
        "neighbours": [{"half_edge": edge.label, "cell": lattice.written(edge.leads_to)} for edge in edges],
        "touching": len(lattice.touching[number]),
    }


def direction(step: Sequence[float]) -> str:
    """The direction of a vector in a picture, in words; pictures in space are seen from the front and above."""
    words = [pair[x < 0] for x, pair in zip(step, DIRECTIONS[len(step)], strict=True) if abs(x) > 1e-9]
    return " and ".join(words)


def lattice_as_text(info: dict[str, Any]) -> str:
    """The same as a page of text."""
    turns, nodes = info["transformations"], info["nodes"]
    lines = [f"{info['lattice']}: {info['title']}" if info["title"] else info["lattice"]]
    lines += [f"source: {info['source']}"] if info["source"] else []
    names = ", ".join(node["node"] + " (secondary)" * node["secondary"] for node in nodes)
    rows = [
        ("dimension", str(info["dimension"])),
        ("nodes", f"{len(nodes)}: {names}"),
        *((f"axis {axis['axis']}", f"{_vector(axis['step'])}, points {axis['direction']}") for axis in info["axes"]),
        (
            "transformations",
            f"{turns['all']}: {counted(turns['rotations'], 'rotation')}, {counted(turns['reflections'], 'reflection')}",
        ),
        ("made of", ", ".join(turns["names"]) or "nothing but the identity"),
        ("usually", PARTS_MAY[turns["of_parts"]]),
    ]
    width = max(len(name) for name, _ in rows)
    lines += ["", *(f"{name:<{width}}  {value}" for name, value in rows), ""]
    for node in nodes:
        cell, around = node["cell"], node["neighbours"]
        corners = node["touching"] - len({str(each["cell"]) for each in around})
        where = "a corner" if info["dimension"] < 3 else "an edge or a corner"
        touches = f"; it touches {corners} more at {where}" if corners > 0 else ""
        head = f"{json.dumps(cell)} has {counted(len(around), 'neighbour')}{touches}"
        if len(nodes) > LISTED_NODES:
            lines.append(f"{head}: {', '.join(json.dumps(each['cell']) for each in around)}")
            continue
        longest = max((len(each["half_edge"]) for each in around), default=0)
        lines += [f"{head}:", *(f"  {each['half_edge']:<{longest}}  {json.dumps(each['cell'])}" for each in around)]
    return "\n".join(map(escaped, lines))


def _vector(step: Sequence[float]) -> str:
    return f"({', '.join(f'{x:.3f}'.rstrip('0').rstrip('.') if x else '0' for x in step)})"
