"""OpenSCAD as far as models made with puzzlecad use it: which calls of modules a text makes, and with what values.

Nothing is drawn. Calls of modules that the text does not define are what the reader asks for; what `*` disables counts
as well, since published models disable all of their plates and the user enables one to print it.

Source: the OpenSCAD language reference, https://openscad.org/documentation.html.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.errors import PuzzleFileError
from latcover.files.formats.source import Source

Value = Any  # None (undef), bool, float, str, list of values, or an `Unknown`
Names = Mapping[str, Value]
Node = Any  # a tree of the grammar, whose `data` is the name of its rule

MOST_STEPS = 300_000
MOST_DEPTH = 120
MOST_LENGTH = 1_000_000
MOST_WORK = 10_000_000  # numbers and characters within the lists and texts that operations and functions take


class Unknown:
    """The value of what is not understood, such as a call of a function of a library; all made from it is unknown."""

    def __init__(self, name: str) -> None:
        self.name = name


class BurrStick(Struct, frozen=True):
    """A stick of a burr by its number, as puzzlecad's function `burr_stick` makes it."""

    number: int
    length: int


class EvaluationError(Exception):
    """A text that cannot be followed: it takes too long, or refers to itself without end."""


class ModuleCall(Struct, frozen=True):
    """A call of a module that the text does not define.

    Attributes:
        name: The module.
        positional, named: Its arguments.
        special: The variables with a dollar sign as they are at that place, those given to the call among them.
        top: The call at the top of the file that led here, as its user names it.
        line: Where it stands.
    """

    name: str
    positional: tuple[Value, ...]
    named: Names
    special: Names
    top: str
    line: int

    def argument(self, name: str, position: int) -> Value:
        """An argument by its name or its position; None if it is missing."""
        if name in self.named:
            return self.named[name]
        return self.positional[position] if position < len(self.positional) else None


def module_calls(source: Source, wanted: Callable[[str], bool]) -> list[ModuleCall]:
    """The calls of the modules whose names are *wanted*, in the order in which the text makes them.

    Raises:
        PuzzleFileError: the text is not in OpenSCAD's language, or cannot be followed.
    """
    try:
        tree = _parser().parse(source.text())
    except UnexpectedInput as fault:
        what = "this is not OpenSCAD, or a part of it that latcover does not read"
        raise source.fault(what, max(fault.line, 0), max(fault.column, 0)) from None
    run = _Run(wanted)
    try:
        run.items(tree.children, _Scope(special={**DEFAULTS}), "")
    except (EvaluationError, RecursionError) as fault:
        raise PuzzleFileError([*source.fault(f"cannot be followed: {fault}", run.line).complaints]) from None
    return run.calls


@cache
def _parser() -> Lark:
    grammar = files("latcover.files.formats.puzzlecad").joinpath("scad.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, propagate_positions=True)


class _Scope(Struct, frozen=True):
    """The names that are known at a place; `special` are those with a dollar sign, which calls hand on."""

    names: dict[str, Value] = field(default_factory=dict)
    special: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, Node] = field(default_factory=dict)
    modules: dict[str, Node] = field(default_factory=dict)

    def inner(self, bound: Names | None = None) -> _Scope:
        """A scope within this one."""
        found = _Scope({**self.names}, {**self.special}, {**self.functions}, {**self.modules})
        for name, value in (bound or {}).items():
            found.bind(name, value)
        return found

    def bind(self, name: str, value: Value) -> None:
        """Give a name its value."""
        (self.special if name.startswith("$") else self.names)[name] = value

    def value(self, name: str) -> Value:
        return (self.special if name.startswith("$") else self.names).get(name)


class _Run:
    """One pass through a text."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.wanted = wanted
        self.calls: list[ModuleCall] = []
        self.steps = self.work = self.depth = self.line = 0

    def _step(self, tree: Node) -> None:
        self.steps += 1
        self.line = getattr(tree.meta, "line", self.line)
        if self.steps > MOST_STEPS:
            raise EvaluationError("it makes too many steps")

    def _require_short(self, values: Sequence[Value]) -> None:
        """Count what an operation or a function has to go through; equal entries may be one value, taken many times.

        Raises:
            EvaluationError: it is too much.
        """
        for value in values:
            if isinstance(value, list | str):
                self.work += n_entries(value, MOST_LENGTH)
        if self.work > MOST_WORK:
            raise EvaluationError("it takes too long lists")

    # ---- statements

    def items(self, items: list[Any], scope: _Scope, top: str) -> None:
        """The statements of a scope: first what they define, then what they call."""
        for item in items:
            if item.data in ("module", "function"):
                place = scope.modules if item.data == "module" else scope.functions
                place[str(item.children[0])] = item
        for item in items:
            if item.data == "assignment":
                name, expression = item.children
                scope.bind(str(name), self.value(expression, scope))
        for item in items:
            self.item(item, scope, top)

    def item(self, item: Node, scope: _Scope, top: str) -> None:
        self._step(item)
        if item.data == "block":
            self.items(item.children, scope.inner(), top)
        elif item.data == "modified":
            self.item(item.children[1], scope, top)
        elif item.data == "conditional":
            condition, yes, no = item.children
            chosen = yes if self.value(condition, scope) else no
            if chosen is not None:
                self.item(chosen, scope, top)
        elif item.data == "call":
            self._call(item, scope, top)

    def _call(self, item: Node, scope: _Scope, top: str) -> None:
        name, arguments, child = str(item.children[0]), item.children[1], item.children[2]
        if name in ("for", "intersection_for"):
            for inner in self._turns(arguments, scope):
                self.item(child, inner, top)
            return
        positional, named = self._arguments(arguments, scope)
        if name == "let":
            self.item(child, scope.inner(named), top)
            return
        top = top or name
        special = {**scope.special, **{key: value for key, value in named.items() if key.startswith("$")}}
        if self.wanted(name):
            self.calls.append(ModuleCall(name, tuple(positional), named, special, top, item.meta.line))
        elif name in scope.modules:
            _, parameters, body = scope.modules[name].children
            with_special = replace(scope.inner(), special=special)
            self._entered(lambda: self.item(body, self._bound(parameters, positional, named, with_special), top))
        self.item(child, replace(scope.inner(), special=special), top)

    def _entered(self, act: Callable[[], Value]) -> Value:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise EvaluationError("it calls itself without end")
        try:
            return act()
        finally:
            self.depth -= 1

    def _bound(self, parameters: Any, positional: list[Value], named: Names, scope: _Scope) -> _Scope:
        """The scope of a body: parameters by position, by name, or with their defaults."""
        given = iter(positional)
        for parameter in [] if parameters is None else parameters.children:
            if parameter is None:
                continue
            name, default = str(parameter.children[0]), parameter.children[1]
            if name in named:
                scope.bind(name, named[name])
            else:
                scope.bind(name, next(given, None if default is None else self.value(default, scope)))
        return scope

    def _arguments(self, arguments: Any, scope: _Scope) -> tuple[list[Value], dict[str, Value]]:
        positional: list[Value] = []
        named: dict[str, Value] = {}
        for argument in [] if arguments is None else arguments.children:
            if argument is not None:
                name, expression = argument.children
                value = self.value(expression, scope)
                if name is None:
                    positional.append(value)
                else:
                    named[str(name)] = value
        return positional, named

    def _turns(self, arguments: Any, scope: _Scope) -> Iterator[_Scope]:
        """The scopes of the turns of a loop over one or several variables."""
        bound = [a for a in ([] if arguments is None else arguments.children) if a is not None]
        lists = [_listed(self.value(a.children[1], scope)) for a in bound]
        for values in product(*lists):
            self._step(arguments)
            yield scope.inner({str(a.children[0]): value for a, value in zip(bound, values, strict=True)})

    # ---- expressions

    def value(self, tree: Any, scope: _Scope) -> Value:
        """The value of an expression."""
        self._step(tree)
        found: Value = getattr(self, f"_{tree.data}")(tree.children, scope)
        return found

    def _number(self, children: list[Any], scope: _Scope) -> float:
        return float(children[0])

    def _text(self, children: list[Any], scope: _Scope) -> str:
        return (
            str(children[0][1:-1]).replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
        )

    def _variable(self, children: list[Any], scope: _Scope) -> Value:
        name = str(children[0])
        return CONSTANTS[name] if name in CONSTANTS else scope.value(name)

    def _choice(self, children: list[Any], scope: _Scope) -> Value:
        condition, yes, no = children
        return self._entered(lambda: self.value(yes if self.value(condition, scope) else no, scope))

    def _let(self, children: list[Any], scope: _Scope) -> Value:
        arguments, expression = children
        inner = scope.inner()
        for argument in [] if arguments is None else arguments.children:
            if argument is not None:
                inner.bind(str(argument.children[0]), self.value(argument.children[1], inner))
        return self.value(expression, inner)

    def _checked(self, children: list[Any], scope: _Scope) -> Value:
        return None if children[-1] is None else self.value(children[-1], scope)

    def _vector(self, children: list[Any], scope: _Scope) -> list[Value]:
        return [value for child in children if child is not None for value in self._elements(child, scope)]

    def _elements(self, tree: Any, scope: _Scope) -> list[Value]:
        """The elements that one entry of a list gives."""
        self._step(tree)
        if tree.data == "each_of":
            arguments, expression = tree.children
            found = [e for inner in self._turns(arguments, scope) for e in self._elements(expression, inner)]
            _short(found)
            return found
        if tree.data == "some":
            condition, yes, no = tree.children
            chosen = yes if self.value(condition, scope) else no
            return [] if chosen is None else self._elements(chosen, scope)
        if tree.data == "let":
            arguments, expression = tree.children
            inner = scope.inner(self._arguments(arguments, scope)[1])
            return self._elements(expression, inner)
        if tree.data == "spread":
            return _listed(self.value(tree.children[0], scope))
        return [self.value(tree, scope)]

    def _outside_of_a_list(self, children: list[Any], scope: _Scope) -> Value:
        raise EvaluationError("`for`, `if` and `each` stand within brackets [ ] here")

    _each_of = _some = _spread = _outside_of_a_list

    def _range(self, children: list[Any], scope: _Scope) -> list[Value]:
        start, second, third = (None if child is None else self.value(child, scope) for child in children)
        step: Value = 1.0 if third is None else second
        end: Value = second if third is None else third
        if not all(isinstance(value, float) and math.isfinite(value) for value in (start, step, end)) or not step:
            return []
        many = math.floor((end - start) / step + 1e-9) + 1
        if many > MOST_LENGTH:
            raise EvaluationError("a range is too long")
        return [start + step * k for k in range(max(many, 0))]

    def _element(self, children: list[Any], scope: _Scope) -> Value:
        listed, index = (self.value(child, scope) for child in children)
        if isinstance(listed, Unknown):
            return listed
        if isinstance(listed, list | str) and isinstance(index, float) and 0 <= index < len(listed):
            return listed[int(index)]
        return None

    def _coordinate(self, children: list[Any], scope: _Scope) -> Value:
        listed, place = self.value(children[0], scope), "xyz".find(str(children[1]))
        return listed[place] if isinstance(listed, list) and 0 <= place < len(listed) else None

    def _signed(self, children: list[Any], scope: _Scope) -> Value:
        value = self.value(children[1], scope)
        return value if children[0] == "+" else _times(-1.0, value)

    def _negated(self, children: list[Any], scope: _Scope) -> bool:
        return not self.value(children[0], scope)

    def _operation(self, children: list[Any], scope: _Scope) -> Value:
        sign = str(children[1])
        left = self.value(children[0], scope)
        if sign == "&&":
            return bool(left) and bool(self.value(children[2], scope))
        if sign == "||":
            return bool(left) or bool(self.value(children[2], scope))
        right = self.value(children[2], scope)
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return left if isinstance(left, Unknown) else right
        self._require_short((left, right))
        try:
            return OPERATIONS[sign](left, right)
        except (TypeError, ValueError, ArithmeticError):
            return None

    def _application(self, children: list[Any], scope: _Scope) -> Value:
        called, arguments = children
        name = str(called.children[0]) if called.data == "variable" else ""
        positional, named = self._arguments(arguments, scope)
        if name in scope.functions:
            _, parameters, body = scope.functions[name].children
            inner = self._bound(parameters, positional, named, scope.inner())
            return self._entered(lambda: self.value(body, inner))
        if name not in FUNCTIONS:
            return Unknown(name)
        unknown = next((value for value in positional if isinstance(value, Unknown)), None)
        if unknown is not None:
            return unknown
        self._require_short(positional)
        try:
            return _short(FUNCTIONS[name](*positional, **{key: v for key, v in named.items() if key[0] != "$"}))
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            return None


def _listed(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [*value] if isinstance(value, str) else []


def _short(value: Value) -> Value:
    if isinstance(value, list | str) and len(value) > MOST_LENGTH:
        raise EvaluationError("a list is too long")
    return value


def n_entries(value: Value, most: int) -> int:
    """How many numbers, characters and lists a value holds.

    Raises:
        EvaluationError: there are more than *most*.
    """
    found, left = 0, [value]
    while left:
        each = left.pop()
        found += 1 + (len(each) if isinstance(each, str) else 0)
        if found > most:
            raise EvaluationError(f"a list holds more than {most:,} entries")
        if isinstance(each, list):
            left += each
    return found


def _plus(left: Value, right: Value) -> Value:
    if isinstance(left, list):
        return [_plus(a, b) for a, b in zip(left, right, strict=False)]
    return float(left + right) if isinstance(left, float) else None


def _times(left: Value, right: Value) -> Value:
    if isinstance(left, list):
        return [_times(a, right) for a in left]
    if isinstance(right, list):
        return [_times(left, b) for b in right]
    return left * right if isinstance(left, float) and isinstance(right, float) else None


def shown(value: Value) -> str:
    """A value as OpenSCAD's `str` writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else "undef"


def _replaced(array: list[Value], place: list[float], value: Value) -> list[Value]:
    """A nested list with another value at a place."""
    index, *inner = place
    new = _replaced(array[int(index)], inner, value) if inner else value
    return [new if k == index else each for k, each in enumerate(array)]


def _wrapped(cubes: Value) -> Value:
    """Nested lists of numbers, with each number made a list of its own, as puzzlecad holds cubes."""
    return [[[voxel if isinstance(voxel, list) else [voxel] for voxel in row] for row in layer] for layer in cubes]


def _altekruse(pattern: str, outer_width: float = 1.0) -> list[str]:
    """The rows of a piece of an Altekruse puzzle: for each groove, where its solid part is."""
    outer = "x" * int(outer_width)
    rows = {
        solid: outer + "".join("xx" if groove in solid else ".." for groove in pattern) + outer
        for solid in ("df", "db", "uf", "ub")
    }
    return [f"{rows['df']}|{rows['db']}", f"{rows['uf']}|{rows['ub']}"]


DEFAULTS: dict[str, Value] = {  # of puzzlecad, in millimetres
    "$burr_scale": 11.15,
    "$burr_inset": 0.07,
    "$burr_bevel": 0.5,
    "$plate_sep": 6.0,
    "$tray_scale": 16.0,
    "$tray_opening_height": 5.6,
}
CONSTANTS: dict[str, Value] = {"true": True, "false": False, "undef": None, "PI": math.pi}
OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": _plus,
    "-": lambda a, b: _plus(a, _times(-1.0, b)),
    "*": _times,
    "/": lambda a, b: _times(a, 1.0 / b),
    "%": math.fmod,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": abs,
    "ceil": lambda x: float(math.ceil(x)),
    "floor": lambda x: float(math.floor(x)),
    "round": lambda x: float(round(x)),
    "min": lambda *x: min(x[0] if len(x) == 1 else x),
    "max": lambda *x: max(x[0] if len(x) == 1 else x),
    "pow": math.pow,
    "sqrt": math.sqrt,
    "sin": lambda x: math.sin(math.radians(x)),
    "cos": lambda x: math.cos(math.radians(x)),
    "tan": lambda x: math.tan(math.radians(x)),
    "len": lambda x: float(len(x)),
    "str": lambda *x: "".join(map(shown, x)),
    "concat": lambda *x: [e for value in x for e in (value if isinstance(value, list) else [value])],
    "is_undef": lambda x: x is None,
    "is_num": lambda x: isinstance(x, float),
    "is_string": lambda x: isinstance(x, str),
    "is_list": lambda x: isinstance(x, list),
    "is_bool": lambda x: isinstance(x, bool),
    # of puzzlecad
    "bit_of": lambda n, bit: float(int(n) >> int(bit) & 1),
    "copies": lambda n, x: [x] * min(int(n), MOST_LENGTH + 1),
    "generalized_altekruse": _altekruse,
    "replace_in_array": _replaced,
    "wrap": _wrapped,
    "zyx_to_xyz": lambda cubes: [list(map(list, zip(*plane, strict=True))) for plane in zip(*cubes, strict=True)],
    "burr_stick": lambda number, stick_length=6.0, add_stamp=False: BurrStick(int(number), int(stick_length)),
    "opt_split_burr_stick": lambda stick, joint_label="": [stick],  # what it splits is glued together again
    "repeat": lambda n, x: [x] * min(int(n), MOST_LENGTH + 1),
    "str_interpolate": lambda text, values: re.sub(r"\$(\d)", lambda found: shown(values[int(found[1])]), text),
    "mkstring": lambda x, sep="": sep.join(map(shown, x)),
}
