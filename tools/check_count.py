#!/usr/bin/env python3
"""Check a certificate of a count: `check_count.py PROBLEM.json CERTIFICATE`. Only Python's standard library is needed.

docs/reference/count-certificates.md defines both files, and proves that the number is right. Exit code 0: it holds, and
the numbers are printed; 1: it is refused; 2: a file cannot be read.

A state is one whole number. Each item has some of its bits, all of which are set when the item is full. Of an item that
may be held at most once it is one bit. An item that may be held several times has a counter, and above it a guard bit,
into which one more would overflow. An item with colours has a bit for "full", the only one set then, and one for each.
"""

import gzip
import hashlib
import json
import sys
import zlib
from collections import Counter


class RefusedError(Exception):
    """Why the certificate does not hold."""


def require(holds, reason):
    if not holds:
        raise RefusedError(reason)


def whole(word):
    require(word.isdecimal() and str(int(word)) == word, f"{word[:40]!r} is no whole number")
    return int(word)


class Problem:
    """Items with bounds, and options as lists of (item, colour); and how a state holds them."""

    def __init__(self, data):
        self.low, self.high = data["low"], data["high"]
        colours = data.get("option_colours", [[0] * len(option) for option in data["options"]])
        self.options = [list(zip(*both, strict=True)) for both in zip(data["options"], colours, strict=True)]
        self.holders = [{} for _ in self.low]  # of each item, by colour: the options that hold it
        for number, option in enumerate(self.options):
            items = [item for item, _ in option]
            if items != sorted(set(items)) or not all(type(n) is int and n >= 0 for entry in option for n in entry):
                raise ValueError(f"option {number} must hold ascending items, by whole numbers")
            for item, colour in option:
                self.holders[item].setdefault(colour, set()).add(number)
        self.field, self.full, self.start, self.shade, self.guard, at = [], [], [], {}, 0, 0
        for item, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            shades = sorted(colour for colour in self.holders[item] if colour)
            if (
                type(low) is not int
                or type(high) is not int
                or not 0 <= low <= high
                or (shades and (low, high) != (0, 1))
            ):
                raise ValueError(f"the bounds of item {item} are wrong")
            self.shade.update({(item, colour): 2 << at + nth for nth, colour in enumerate(shades)})
            bits = 1 + len(shades) if shades else max(1, high.bit_length())
            self.field.append((1 << bits) - 1 << at)
            self.full.append(1 << at if shades else self.field[item])
            self.start.append(0 if shades else (1 << bits) - 1 - high << at)
            self.guard |= (high > 1) << at + bits
            at += bits + (high > 1)
        self.empty, self.done = sum(self.start), sum(self.full)

    def digest(self):
        lines = [f"items {len(self.low)} options {len(self.options)}"]
        lines += [f"{low} {high}" for low, high in zip(self.low, self.high, strict=True)]
        lines += [" ".join(f"{i}:{c}" if c else str(i) for i, c in option) for option in self.options]
        return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()

    def is_full(self, state, item):
        return state & self.field[item] == self.full[item]

    def lacks(self, state, item):
        """Whether an item is open and held less often than it must be."""
        held = (state & self.field[item]) - self.start[item]
        return not self.is_full(state, item) and held < self.low[item] * (self.field[item] & -self.field[item])

    def closed(self, state, item):
        return state & ~self.field[item] | self.full[item]

    def choice(self, orbit):
        """What it takes to choose these options one after another: bits that forbid it, bits to set, a number to add;
        and the items that they hold. None if they do not fit the empty state."""
        state, forbid, put, add, items = self.empty, 0, 0, 0, set()
        for item, colour in (entry for option in orbit for entry in self.options[option]):
            shade, unit = self.shade.get((item, colour), 0), 0 if colour else self.field[item] & -self.field[item]
            hindering = self.field[item] & ~shade if self.high[item] < 2 else 0
            if state & hindering or state + unit & self.guard:
                return None
            state = (state | shade) + unit
            forbid, put, add, items = forbid | hindering, put | shade, add + unit, items | {item}
        return forbid, put, add, items

    def conditions(self, image):
        """What is asked of each item, after options were replaced by their images."""
        sets = [{c: frozenset(image[o] for o in own) for c, own in holders.items()} for holders in self.holders]
        rest = [(own.pop(0, frozenset()), frozenset(own.values())) for own in sets]
        return list(zip(self.low, self.high, rest, strict=True))

    def one_of(self, item):
        """The options that hold an item of which every cover holds exactly one; None for another item."""
        once = self.low[item] == self.high[item] == 1
        return self.holders[item].get(0, set()) if once else None


class Section:
    """The count of one problem: `choices` are its options, or orbits of options; `words` those of the section."""

    def __init__(self, problem, choices, words):
        self.problem, self.words, self.states, self.remembered = problem, words, 0, {}
        self.choices = [choice for choice in choices if choice is not None]
        self.by_item = [[choice for choice in self.choices if item in choice[3]] for item in range(len(problem.low))]
        self.names = {f"{item}{mark}": (item, mark) for item in range(len(problem.low)) for mark in ("", "!")}

    def count(self, method, state):
        total = self.value(state, self.by_item.__getitem__) if method == "tree" else self.sweep(state)
        require(next(self.words, None) is None, "the section has words too many")
        return total << sum(not choice[3] for choice in self.choices)

    def children(self, state, item, choices):
        """The states when the item is decided. `choices` are at least those that hold it and fit."""
        problem, guard = self.problem, self.problem.guard
        if problem.high[item] == 1 and problem.full[item] == problem.field[item]:  # without colours: one at most
            made = [] if problem.low[item] else [state | problem.full[item]]
            made += [(state | put) + add for forbid, put, add, _ in choices if not state & forbid]
            return [new for new in made if not new & guard]
        made = [state]
        for forbid, put, add, _ in choices:
            fitting = [(old | put) + add for old in made if not old & forbid]
            made += [new for new in fitting if not new & guard]
        return [problem.closed(new, item) for new in made if not problem.lacks(new, item)]

    def sweep(self, state):
        order = [whole(word) for word in self.words]
        require(sorted(order) == list(range(len(self.by_item))), "a sweep must name each item once")
        layer = {state: 1}
        for item in order:
            self.states += len(layer)
            following = {}
            for old, weight in layer.items():
                full = self.problem.is_full(old, item)
                for child in [old] if full else self.children(old, item, self.by_item[item]):
                    following[child] = following.get(child, 0) + weight
            layer = following
        return sum(layer.values())

    def value(self, state, choices_of):
        """The value of a state. `choices_of` gives the options of an item that fit, and perhaps some more."""
        if state == self.problem.done:
            return 1
        if state in self.remembered:
            return self.remembered[state]
        word = next(self.words, "")
        self.states += 1
        if word == "/":
            return self.product(state, choices_of)
        require(word in self.names, f"{word[:40]!r} is neither an item nor '/'" if word else "words are missing")
        item, mark = self.names[word]
        require(not self.problem.is_full(state, item), f"item {item} is decided, but it is full")
        lists, total, done = {}, 0, self.problem.done

        def fitting(item):  # found when it is needed; then all states below use it
            if item not in lists:
                lists[item] = [choice for choice in choices_of(item) if not state & choice[0]]
            return lists[item]

        for child in self.children(state, item, fitting(item)):
            total += 1 if child == done else self.value(child, fitting)
        if mark:
            self.remembered[state] = total
        return total

    def product(self, state, choices_of):
        problem, parts = self.problem, []
        for forbid, put, add, items in self.choices:
            if items and not state & forbid and not (state | put) + add & problem.guard:
                parts = [p for p in parts if not p & items] + [items.union(*(p for p in parts if p & items))]
        still_open = {item for item in range(len(self.by_item)) if not problem.is_full(state, item)}
        idle = still_open.difference(*parts)
        require(idle or len(parts) != 1, "'/' changes nothing")
        result = int(not any(problem.lacks(state, item) for item in idle))
        for part in sorted(parts, key=min):
            alone = state
            for item in still_open - part:
                alone = problem.closed(alone, item)
            result = result and result * self.value(alone, choices_of)
        return result


class Lines:
    """The lines of a certificate. `raw` is the next one, `key` its first word; `hash` is the sum of those before."""

    def __init__(self, file):
        self.file, self.hash, self.raw, self.number = file, hashlib.sha256(), b"", 0
        self.take()

    def take(self):
        """Returns the words of the line, and goes to the next."""
        words = self.raw[:-1].decode("ascii").split(" ")
        self.hash.update(self.raw)
        self.raw, self.number = self.file.readline(), self.number + 1
        require(self.raw.endswith(b"\n") or not self.raw, "the file is cut off within a line")
        self.key = self.raw[:-1].split(b" ")[0].decode("ascii")
        return words

    def after(self, key, expected=None):
        """What a line says after its key, which must be as expected."""
        require(self.key == key, f"a line '{key} …' is missing")
        said = " ".join(self.take()[1:])
        require(expected in (None, said), f"'{key} {said[:80]}' is wrong; it should be {expected}")
        return said

    def words(self):
        while self.key != "end":
            require(len(self.raw) > 1, "the section is cut off, or has an empty line")
            yield from self.take()


def orbits(generators, options):
    """These options in orbits, by their least options."""
    found, seen = [], set()
    for first in sorted(options):
        orbit = [] if first in seen else [first]
        for option in orbit:
            orbit += {image[option] for image in generators}.difference(orbit)
        seen.update(orbit)
        found += [sorted(orbit)] if orbit else []
    return found


def different(problem, generators, covers, fixed):
    """The mean number of covers that the elements of the group fix, and the order of the group."""
    one = tuple(range(len(problem.options)))
    group, made = {one}, [one]
    for element in made:
        new = {tuple(image[option] for option in element) for image in generators} - group
        group |= new
        made += new
        require(len(made) <= 1_000_000, "the group is too large")
    order, total, sections = len(group), covers, 0
    group.remove(one)
    inverses = [dict(zip(image, one, strict=True)) for image in generators]
    while group:
        alike = [group.pop()]
        for element in alike:  # with those that are conjugate to it
            new = {tuple(g[element[b[o]]] for o in one) for g, b in zip(generators, inverses, strict=True)} & group
            group -= new
            alike += new
        numbers = [fixed[element] for element in alike if element in fixed]
        own = [held for item in range(len(problem.low)) if (held := problem.one_of(item)) is not None]
        images = [{alike[0][option] for option in held if alike[0][option] != option} for held in own]
        free = any(held == image for held, image in zip(own, images, strict=True))  # see the page
        require(len(numbers) == 1 or (free and not numbers), "there must be one section 'fixed' for each class")
        total, sections = total + len(alike) * sum(numbers), sections + len(numbers)
    require(sections == len(fixed) and total % order == 0, "a section 'fixed' is about the identity")
    return total // order, order


def check(problem, lines):
    """Follow the certificate. Returns the lines that it claims."""
    one = tuple(range(len(problem.options)))
    require(lines.take() == ["latcover", "count", "certificate", "1"], "this is no certificate of version 1")
    lines.after("problem", problem.digest())
    while lines.key == "note":
        lines.take()
    generators = []
    for _ in range(whole(lines.after("generators")) if lines.key == "generators" else 0):
        generators.append(tuple(map(whole, lines.take())))
        require(sorted(generators[-1]) == list(one), "a generator is no permutation of the options")
        asked, moved = (Counter(problem.conditions(image)) for image in (one, generators[-1]))
        require(asked == moved, "a generator does not map the problem to itself")
    left = {None: [None]}  # orbits of options that still need a section, by their options; None: all covers
    if lines.key == "pivot":
        item = whole(lines.after("pivot"))
        held = problem.one_of(item) if generators and item < len(problem.low) else None
        require(
            held is not None and all({image[o] for o in held} == held for image in generators),
            "the pivot cannot be one",
        )
        left = {o: orbit for orbit in orbits(generators, held) if problem.choice(orbit[:1]) for o in orbit}
    covers, fixed = 0, {}
    while lines.key in ("tree", "sweep"):
        method, *words = lines.take()
        purpose, which = "".join(words[:1]), [whole(word) for word in words[1:]]
        start, element, parts = problem.empty, one, [[o] for o in one]
        if purpose == "fixed":
            require(which and max(which) < len(generators) and not left, "a section 'fixed' is not allowed here")
            for number in which:
                element = tuple(generators[number][option] for option in element)
            require(element not in fixed, "a symmetry has two sections")
            parts = orbits([element], one)
        else:
            option = which[0] if purpose == "with" and len(which) == 1 else None
            require(option in left and [purpose, *which] in (["all"], ["with", option]), "this section is not allowed")
            orbit = left[option]
            left = {other: own for other, own in left.items() if own is not orbit}
            _, put, add, _ = problem.choice([] if option is None else [option])
            start = (start | put) + add
        section = Section(problem, map(problem.choice, parts), lines.words())
        number = section.count(method, start)
        lines.after("end", f"{number} {section.states}")
        if purpose == "fixed":
            fixed[element] = number
        else:
            covers += len(orbit) * number
    require(not left, "a section is missing")
    claims = {"covers": covers}
    lines.after("covers", str(covers))
    if lines.key == "different" or fixed:
        claims["different"], claims["symmetries"] = different(problem, generators, covers, fixed)
        lines.after("different", str(claims["different"]))
        lines.after("symmetries", str(claims["symmetries"]))
    lines.after("sha256", lines.hash.hexdigest())
    require(not lines.raw, "something follows the checksum")
    return claims


def object_of(pairs):
    """An object of a JSON file; other readers would take another one of two keys."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return dict(pairs)


def main():
    sys.set_int_max_str_digits(0)
    lines = None
    try:
        problem_file, certificate = sys.argv[1:]
        with open(problem_file, encoding="utf-8") as file:
            problem = Problem(json.load(file, object_pairs_hook=object_of)["problem"])
        open(certificate, "rb").close()
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        print(f"cannot read the files: {fault!r}; usage: check_count.py PROBLEM.json CERTIFICATE", file=sys.stderr)
        return 2
    sys.setrecursionlimit(10_000 + 10 * len(problem.low))
    try:
        with open(certificate, "rb") as file, gzip.GzipFile(fileobj=file) as unpacked:
            lines = Lines(unpacked if file.peek(2)[:2] == b"\x1f\x8b" else file)
            print(" ".join(f"{key} {number}" for key, number in check(problem, lines).items()))
    except (RefusedError, OSError, EOFError, zlib.error, UnicodeError) as fault:
        print(f"refused, before line {lines.number if lines else 1} of {certificate}: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
