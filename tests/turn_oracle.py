"""A turn by dense sampling: the bodies are those of a geometry library, and poses are judged one by one on a grid."""

from __future__ import annotations

from itertools import product

import numpy as np
import shapely

STEP = 0.05
TURNED = np.radians(3)


def bodies(lattice, parts, plane, axis, play):
    """The bodies of the parts in each layer; those of a negative play are grown."""
    found = {}
    for cells in parts:
        layers = {}
        for cell, centre in zip(cells.tolist(), lattice.centres(cells), strict=True):
            points = (lattice.nodes[cell[0]].drawing.vertices[:, : lattice.dimension] + centre) @ plane.T
            section = shapely.MultiPoint(points).convex_hull.buffer(1e-7, join_style="mitre")
            layers.setdefault(round(float(centre @ axis), 3), []).append(section)
        for layer, sections in layers.items():
            body = shapely.union_all(sections).buffer(-play, join_style="mitre", mitre_limit=50)
            found.setdefault(layer, []).append(body)
    return {layer: shapely.union_all(here) for layer, here in found.items()}


def reached(lattice, moving, fixed, turn_axis, angle, middle, goals, play, *, grown, reach=2.0):
    """Which of *goals* a flood of samples meets, with bodies grown or shrunk by what moves between samples.

    Grown bodies: each goal that is met can be reached. Shrunk bodies: no other goal can.
    """
    flat = lattice.dimension == 2
    axis = np.array([0.0, 0.0]) if flat else np.array(turn_axis)
    third = np.array(turn_axis)
    first = np.array([1.0, 0.0, 0.0]) if flat else np.cross(third, np.eye(3)[np.abs(third).argmin()])
    first /= np.linalg.norm(first)
    plane = np.array([first, np.cross(third, first)])[:, : lattice.dimension]
    middle = np.array(middle) @ plane.T
    corners = np.concatenate(
        [
            (lattice.nodes[cell[0]].drawing.vertices[:, : lattice.dimension] + centre) @ plane.T - middle
            for cells in moving
            for cell, centre in zip(cells.tolist(), lattice.centres(cells), strict=True)
        ]
    )
    arm = float(np.linalg.norm(corners, axis=1).max())
    n = max(1, int(np.ceil(abs(angle) / TURNED)))
    spread = STEP * np.sqrt(0.5) + arm * abs(angle) / n / 2
    own = bodies(lattice, moving, plane, axis, play - spread if grown else play + spread)
    others = bodies(lattice, fixed, plane, axis, play)
    pairs = [
        (shapely.transform(own[k], lambda xy: xy - middle), shapely.transform(others[k], lambda xy: xy - middle))
        for k in own
        if k in others
    ]
    for _, other in pairs:
        shapely.prepare(other)

    def is_free(sample):
        turned, u, v = sample
        c, s = np.cos(angle * turned / n), np.sin(angle * turned / n)
        matrix, by = np.array([[c, s], [-s, c]]), np.array([u, v]) * STEP
        return not any(shapely.intersects(b, shapely.transform(a, lambda xy: xy @ matrix + by)) for a, b in pairs)

    far = round(reach / STEP)
    seen, todo = {(0, 0, 0)}, [(0, 0, 0)] if is_free((0, 0, 0)) or not grown else []
    met = set()
    while todo:
        t, u, v = todo.pop()
        if t == n:
            for number, goal in enumerate(goals):
                if np.abs(np.array([u, v]) * STEP - goal).max() <= STEP / 2 + 1e-9:
                    met.add(number)
        for sample in ((t - 1, u, v), (t, u - 1, v), (t, u + 1, v), (t, u, v - 1), (t, u, v + 1), (t + 1, u, v)):
            inside = 0 <= sample[0] <= n and max(abs(sample[1]), abs(sample[2])) <= far
            if inside and sample not in seen:
                seen.add(sample)
                if is_free(sample):
                    todo.append(sample)
    return met


def random_case(rng, lattice, *, n_layers=1):
    """A part in a block of cells with a few holes, all other cells fixed: cells of M, cells of F."""
    size = (4, 4) if lattice.dimension == 2 else (4, 4, n_layers)
    cells = [(u, *at) for at in product(*map(range, size)) for u in range(len(lattice.nodes))]
    inner = [cell for cell in cells if all(1 <= x <= 2 for x in cell[1:3])]
    part = [rng.choice(inner)]
    for _ in range(rng.randint(0, 3)):
        around = [c for one in part for c in lattice.neighbours(one) if c in inner and c not in part]
        if around:
            part.append(rng.choice(around))
    holes = rng.sample([c for c in inner if c not in part], min(rng.randint(0, 6), len(inner) - len(part)))
    fixed = [cell for cell in cells if cell not in part and cell not in holes]
    return np.array(sorted(part), np.int32), np.array(fixed, np.int32)
