"""Changing what TOML and JSON files say, so that they stay well-formed: values, keys, tables, arrays."""

from __future__ import annotations

import datetime
import json
import math
import pickle
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec import Struct

Place = tuple[Any, Any]  # a table or an array, and a key or an index of it

DEEP: Any = []
for _ in range(150):
    DEEP = [DEEP]
VALUES: tuple[Any, ...] = (
    *(0, 1, 2, 3, 7, -1, 100, 1000, 999_999, 1_000_000, 1 << 30, (1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 32, 1 << 53),
    *((1 << 63) - 1, 1 << 63, -(1 << 63), 1 << 64, 10**400, 0.0, -0.0, 1.0, 1.5, -1.5, 1e6, 1e300, -1e300, 1e-300),
    *(math.nan, math.inf, -math.inf, True, False, "", " ", "X", "x", "#", "+", "0", "1", "\x00", "\n", "\x1b[2J", "é"),
    *("\u2028", "\ufeff", "🧩", "a b", "a:b", "a|b", "!1", "#1", "fixed", "rotations", "reflections", "unlimited"),
    *("corners", "flat", "keys", "locks", "square", "cubic", "triangular", "hexagonal", "no such", "./input.toml"),
    *(
        "X" * 300,
        "X\nX.\n\nXX",
        [],
        [0],
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0, 0],
        [[0, 0], [0, 1]],
        [[]],
        ["X"],
        ["XX", "X."],
    ),
    *("constructor", "__proto__", "valueOf", "[red]", "[[costs]]", "0 1\n1 0", "X" * 20_000, "domino", "pentominoes:F"),
    *((1 << 53) + 1, -(1 << 53) - 1, [[1 << 40, 0], [0, 1]], {"__proto__": {}}, {"constructor": 1}, [[], [0]]),
    *([["XX"], ["X."]], {}, {"a": 1}, {"box": [2, 2]}, {"cells": []}, [{}], [{"name": "a"}], DEEP, ["X" * 50] * 50),
)
ONLY_TOML: tuple[Any, ...] = (
    datetime.datetime(1979, 5, 27, 7, 32, tzinfo=datetime.UTC),
    datetime.date(1979, 5, 27),
    datetime.time(7, 32),
)
ONLY_JSON: tuple[Any, ...] = (None, "\ud800", "a\udfff")


class Pool(Struct, frozen=True):
    """What the seeds hold: their trees, pickled, and the values that each key has in them."""

    trees: tuple[bytes, ...]
    values: dict[str, list[bytes]]
    keys: tuple[str, ...]
    odd: tuple[Any, ...]
    dump: Callable[[Any], str]

    @classmethod
    def of(cls, trees: Sequence[Any], odd: tuple[Any, ...], dump: Callable[[Any], str]) -> Pool:
        values: dict[str, set[bytes]] = {}
        for tree in trees:
            for holder, key in places(tree):
                if isinstance(holder, dict):
                    values.setdefault(key, set()).add(pickle.dumps(holder[key]))
        found = {key: sorted(held) for key, held in values.items()}
        return cls(tuple(map(pickle.dumps, trees)), found, tuple(found), VALUES + odd, dump)

    def changed(self, random: Random) -> bytes:
        """One of the trees after one to a few changes, as a file."""
        tree = pickle.loads(random.choice(self.trees))
        for _ in range(1 if random.random() < 0.5 else random.randint(2, 4)):
            self._change(random, tree)
        try:
            return self.dump(tree).encode("utf-8", "surrogatepass")
        except (ValueError, TypeError, RecursionError):  # what the form cannot say
            return json.dumps(tree, default=str).encode()

    def _change(self, random: Random, tree: Any) -> None:
        known = places(tree)
        if not known:
            return
        holder, key = random.choice(known)
        kind = random.randrange(8 if self.keys else 3)
        if kind == 0:
            holder[key] = pickle.loads(pickle.dumps(random.choice(self.odd)))
        elif kind == 1:
            holder[key] = self._near(random, holder[key])
        elif kind == 2:
            del holder[key]
        elif kind == 3:
            self._another(random, holder, key)
        elif kind == 4:
            other, its = random.choice(known)
            holder[key], other[its] = pickle.loads(pickle.dumps(other[its])), pickle.loads(pickle.dumps(holder[key]))
        elif kind == 5:
            name = key if isinstance(key, str) and key in self.values else random.choice(self.keys)
            holder[key] = pickle.loads(random.choice(self.values[name]))
        elif kind == 6:
            tables = [tree, *(h[k] for h, k in known if isinstance(h[k], dict))]
            name = random.choice(self.keys)
            random.choice(tables)[name] = pickle.loads(random.choice(self.values[name]))
        else:
            holder[key] = [holder[key]] if random.random() < 0.5 else {random.choice(self.keys): holder[key]}

    def _another(self, random: Random, holder: Any, key: Any) -> None:
        """The value once more: in an array beside itself, in a table under another key."""
        if isinstance(holder, list):
            holder[key:key] = [holder[key]] * random.choice((1, 1, 1, 2, 50))
        else:
            holder[random.choice((*self.keys, "", "x", key + " "))] = holder.pop(key)

    def _near(self, random: Random, value: Any) -> Any:
        """A value that differs a little."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return random.choice((value + 1, value - 1, -value, value * 2, float(value) if abs(value) < 1e300 else 0))
        if isinstance(value, str):
            at = random.randint(0, len(value))
            sign = random.choice((*"X.+ABk ,:|#\n1", "", "east", "é", "\u0661"))
            return value[:at] + sign + value[at + random.randint(0, 1) :]
        if isinstance(value, list):
            return value[::-1] if random.random() < 0.3 else value[: random.randint(0, len(value))]
        return {}


def places(tree: Any) -> list[Place]:
    """Every value of a tree, by what holds it."""
    found: list[Place] = []
    queue = [tree]
    for holder in queue:
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                queue.append(holder[key])
        if len(found) > 5000:
            break
    return found
