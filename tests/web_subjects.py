"""A subject of every kind that the web app takes, small ones."""

from __future__ import annotations

from typing import Any

CUBES = """name = "cubes"
lattice = "cubic"
[region]
box = [2, 2, 1]
[[parts]]
name = "A"
count = 2
group = "pair"
display_colour = "dark red"
layers = [["XX"]]
[turning]
play = 0.05
"""
LOOSE = """name = "loose"
lattice = "square"
[region]
art = ["X+X", "XXX"]
max_empty = 1
[[parts]]
name = "I"
count = "unlimited"
art = ["XX"]
[[parts]]
name = "V"
min = 0
max = 2
weight = 3
art = ["XX", "X."]
[[costs]]
name = "price"
parts = { I = 2 }
"""
RULED = """name = "ruled"
lattice = "square"
[colours]
R = "red"
B = "blue"
[sides]
keys = ["k"]
locks = ["l"]
fits = { k = ["l"] }
[rules]
stands_on = { red = ["blue"] }
apart = [["red", "blue"]]
on_rim = true
[region]
art = ["BX", "XX"]
period = [2, 0]
[[parts]]
name = "A"
art = ["RX"]
sides = [{ cell = [0, 0], edge = "north", is = "k" }]
[[parts]]
name = "B"
art = ["XX"]
"""
STICKS = """name = "sticks"
lattice = "polystick"
[region]
box = [2, 2]
[[parts]]
name = "one"
count = "unlimited"
cells = [[0, 0, "across"]]
"""
EMPTY = 'name = "empty"\nlattice = "fcc"\n[region]\nbox = [2, 1, 1]\n'
SEVERAL = """name = "several"
lattice = "hexagonal"
[[parts]]
name = "D"
count = 2
cells = [[0, 0], [0, 1]]
[[puzzles]]
name = "first"
region = { box = [2, 2] }
[[puzzles]]
name = "second"
region = { box = [1, 4] }
"""
EDITS = {
    "name": "drawn",
    "region": {"cells": [[0, 0, 0], [1, 0, 0]]},
    "parts": [{"name": "T", "cells": [[0, 0, 0], [1, 0, 0]]}],
}


def text(toml: str, **more: Any) -> dict[str, Any]:
    return {"form": "toml", "text": toml, **more}


SUBJECTS: dict[str, dict[str, Any]] = {
    "shipped": {"form": "shipped", "name": "fig4-3x3"},
    "in space": text(CUBES),
    "loose": text(LOOSE),
    "ruled": text(RULED),
    "sticks": text(STICKS),
    "without parts": text(EMPTY),
    "of several": text(SEVERAL, problem="second"),
    "several": text(SEVERAL, problems=[{"problem": "first"}, {"problem": "second"}]),
    "new": {"form": "new", "lattice": "triangular", "edits": EDITS},
    "bare": {"form": "dlx", "text": "a b | c\na c:1\nb\na b\n"},
}
