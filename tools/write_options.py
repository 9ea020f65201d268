#!/usr/bin/env python3
"""Write the cover problem of a puzzle file on the square or the cubic lattice, or compare it with an exported one.

    python write_options.py PUZZLE.toml                 prints the problem as JSON
    python write_options.py PUZZLE.toml PROBLEM.json    compares it with what `latcover export` wrote

With check_count.py this closes the way from the drawing to the number of solutions without latcover: only Python's
standard library is needed. It reads regions and parts that are drawings, boxes, lists of cells or Aztec diamonds;
holes, optional cells, parts from a set (a file, or one in the folder `sets` beside the puzzle), and numbers of copies.
It refuses every key that it does not know. Exit code 0: written, or equal; 1: they differ; 2: it cannot read a file.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from itertools import permutations, product
from pathlib import Path

IGNORED = {"name", "title", "source", "comment", "expect", "published", "display_colour", "group", "groups", "weight"}
SHAPES = {"box", "art", "layers", "cells", "aztec_diamond"}
AXES = {"square": 2, "cubic": 3}


class UnknownError(Exception):
    """What this program does not know."""


def only(table, known, where):
    strange = set(table) - known - IGNORED
    if strange:
        raise UnknownError(f"{where}: this program does not know the key {sorted(strange)[0]!r}")


def drawn(table, axes, where):
    """The cells of a shape, and those of them that are optional."""
    ways = SHAPES & set(table)
    if len(ways) != 1:
        raise UnknownError(f"{where}: one of {', '.join(sorted(SHAPES))} must give the cells")
    way = ways.pop()
    value = table[way]
    if way == "box":
        return set(product(*map(range, value))), set()
    if way == "cells":
        return {tuple(cell) for cell in value}, set()
    if way == "aztec_diamond":
        near = [abs(2 * k + 1 - 2 * value) for k in range(2 * value)]  # twice the distance from the middle
        return {(r, c) for r, c in product(range(2 * value), repeat=2) if near[r] + near[c] <= 2 * value}, set()
    cells, optional = set(), set()
    for depth, layer in enumerate(value if way == "layers" else [value]):
        for row, line in enumerate(layer.split("\n") if isinstance(layer, str) else layer):
            for column, character in enumerate(line):
                if character not in "X#+._ ":
                    raise UnknownError(f"{where}: this program does not know colours, as {character!r} in a drawing")
                if character in "X#+":
                    cells.add((row, column, depth)[:axes])
                if character == "+":
                    optional.add((row, column, depth)[:axes])
    return cells, optional


def region_of(table, axes):
    only(table, SHAPES | {"minus", "optional"}, "region")
    cells, optional = drawn(table, axes, "region")
    holes = table.get("minus", [])
    for hole in holes if isinstance(holes, list) else [holes]:
        only(hole, SHAPES | {"at"}, "region.minus")
        at = hole.get("at", [0] * axes)
        cells -= {tuple(x + d for x, d in zip(cell, at, strict=True)) for cell in drawn(hole, axes, "region.minus")[0]}
    named = table.get("optional", [])
    optional |= cells if named == "all" else {tuple(cell) for cell in named}
    return cells, optional & cells


def parts_of(table, folder, axes):
    """Each part: its name, cells, least and greatest number of copies (None: no bound), and how it may be turned."""
    found = []
    for entry in table.get("parts", []):
        if "set" in entry:
            only(entry, {"set", "only", "without", "count", "min", "max", "transformations"}, "parts")
            path = next(
                (p for p in (folder / entry["set"], folder / "sets" / f"{entry['set']}.toml") if p.is_file()), None
            )
            if path is None:
                raise UnknownError(f"there is no set {entry['set']!r} in {folder / 'sets'}")
            shapes = tomllib.loads(path.read_text(encoding="utf-8"))
            only(shapes, {"parts", "lattice", "transformations"}, str(path))
            wanted = [p for p in shapes["parts"] if p["name"] in entry.get("only", [p["name"]])]
            wanted = [p for p in wanted if p["name"] not in entry.get("without", [])]
            beside = {key: entry[key] for key in ("count", "min", "max", "transformations") if key in entry}
            own = {key: shapes[key] for key in ("transformations",) if key in shapes}
            entries = [{**own, **part, **beside} for part in wanted]
        else:
            entries = [entry]
        for part in entries:
            only(part, SHAPES | {"count", "min", "max", "transformations", "mirror"}, f"part {part.get('name')!r}")
            count = part.get("count", 1)
            bounds = (0, None) if count == "unlimited" else (count, count)
            if "min" in part or "max" in part:
                bounds = part.get("min", 0), part.get("max")
            turned = part.get("transformations", table.get("transformations", ("rotations", "reflections")[axes == 2]))
            found.append((part["name"], drawn(part, axes, f"part {part['name']!r}")[0], *bounds, turned))
    return found


def parity(order):
    return sum(a > b for k, a in enumerate(order) for b in order[k + 1 :]) % 2


def images(cells, turned, axes):
    """The cells in all ways in which the part may lie, moved so that each coordinate begins at 0."""
    if turned not in ("fixed", "rotations", "reflections"):
        raise UnknownError(f"this program does not know the transformations {turned!r}")
    found = set()
    for order in permutations(range(axes)):
        for signs in product((1, -1), repeat=axes):
            is_identity = order == tuple(range(axes)) and min(signs) == 1
            is_rotation = (parity(order) + signs.count(-1)) % 2 == 0
            if not (is_identity or turned == "reflections" or (turned == "rotations" and is_rotation)):
                continue
            moved = [tuple(sign * cell[axis] for axis, sign in zip(order, signs, strict=True)) for cell in cells]
            least = [min(cell[axis] for cell in moved) for axis in range(axes)]
            found.add(frozenset(tuple(x - m for x, m in zip(cell, least, strict=True)) for cell in moved))
    return found


def problem_of(path):
    """The bounds of each item, by its name, and the options as sets of names."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    only(table, {"lattice", "region", "parts", "transformations"}, str(path))
    if table.get("lattice") not in AXES:
        raise UnknownError(f"this program knows the lattices square and cubic, not {table.get('lattice')!r}")
    axes = AXES[table["lattice"]]
    cells, optional = region_of(table["region"], axes)
    bounds = {",".join(map(str, cell)): (0 if cell in optional else 1, 1) for cell in sorted(cells)}
    options = []
    for name, shape, low, high, turned in parts_of(table, path.parent, axes):
        name = re.sub(r"[^!-~]|[|:;#\"'\\]", "_", name)  # as exported problems write names
        if name in bounds:
            raise UnknownError(f"two items are named {name!r}")
        bounds[name] = low, high if high is not None else len(cells) // len(shape)
        for image in images(shape, turned, axes):
            anchor = min(image)
            for cell in cells:  # where the anchor may lie
                moved = {tuple(x + c - a for x, c, a in zip(each, cell, anchor, strict=True)) for each in image}
                if moved <= cells:
                    options.append(frozenset([name, *(",".join(map(str, each)) for each in moved)]))
    return bounds, options


def difference(bounds, options, exported):
    """What is wrong with an exported problem; "" if nothing is."""
    if any(any(colours) for colours in exported.get("option_colours") or []):
        return "the exported problem has colours"
    names = exported["items"]
    theirs = dict(zip(names, zip(exported["low"], exported["high"], strict=True), strict=True))
    free = {name for name in bounds if name not in theirs}  # a part that nothing limits needs no item
    for name in free:
        size = min((len(option) - 1 for option in options if name in option), default=1)
        n_cells = sum("," in other for other in theirs)
        if "," in name or bounds[name][0] > 0 or bounds[name][1] < n_cells // size:
            return f"the item {name!r} is missing"
    for name, own in theirs.items():
        if bounds.get(name) != own:
            return f"the bounds of item {name!r} are {list(own)}, and should be {bounds.get(name, 'missing')}"
    ours = Counter(option - free for option in options)
    them = Counter(frozenset(names[item] for item in option) for option in exported["options"])
    for more, what in ((ours - them, "is missing"), (them - ours, "is too many")):
        if more:
            return f"an option {what}: {' '.join(sorted(next(iter(more))))} ({more.total()} in all)"
    return ""


def main():
    try:
        puzzle, *others = map(Path, sys.argv[1:])
        bounds, options = problem_of(puzzle)
        exported = json.loads(others[0].read_text(encoding="utf-8"))["problem"] if others else None
    except (UnknownError, OSError, ValueError, KeyError, TypeError) as fault:
        print(f"cannot read: {fault}", file=sys.stderr)
        return 2
    if exported is not None:
        wrong = difference(bounds, options, exported)
        print(f"they differ: {wrong}" if wrong else f"equal: {len(bounds)} items, {len(options)} options")
        return 1 if wrong else 0
    number = {name: k for k, name in enumerate(bounds)}
    rows = sorted(sorted(number[name] for name in option) for option in options)
    low, high = ([both[k] for both in bounds.values()] for k in (0, 1))
    print(json.dumps({"problem": {"items": [*bounds], "low": low, "high": high, "options": rows}}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
