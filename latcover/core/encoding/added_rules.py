"""Rules on parts that are added to a puzzle, as texts: ``no-crossroads``, ``colourable=3``, ``separate=X,Y``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from latcover.core.model.part_rules import MOST_COLOURS, ColourableParts, ConnectedParts, PartRules, SeparateParts
from latcover.core.model.puzzle import Puzzle
from latcover.errors import PuzzleError, suggest

SWITCHES = ("no-crossroads", "no-fault-lines", "on-rim", "no-room")
NUMBERS = ("cut-at-most", "colourable", "colourable-corners")
CLASSES = ("separate", "separate-corners", "connected", "connected-corners")
CONNECTED_COLOUR = "connected-colour"
RULES = (*SWITCHES, *NUMBERS, *CLASSES, CONNECTED_COLOUR)


def with_rules(puzzle: Puzzle, texts: Sequence[str]) -> Puzzle:
    """*puzzle* with more rules.

    Raises:
        PuzzleError: a text is no rule.
    """
    rules = puzzle.rules.of_parts
    for text in texts:
        rules = _with_rule(rules, text)
    return replace(puzzle, rules=replace(puzzle.rules, of_parts=rules)) if texts else puzzle


def _with_rule(rules: PartRules, text: str) -> PartRules:
    name, equals, value = text.partition("=")
    if name not in RULES:
        raise PuzzleError(f"there is no rule {name!r:.40}{suggest(name, RULES)}")
    if name in SWITCHES:
        if equals:
            raise PuzzleError(f"the rule {name} takes no value: write {name} alone")
        given: dict[str, Any] = {name.replace("-", "_"): True}
        return replace(rules, **given)
    if name in CLASSES:
        parts, corners = tuple(filter(None, value.split(","))), name.endswith("-corners")
        if name.startswith("connected"):
            return replace(rules, connected=(*rules.connected, ConnectedParts(parts, corners)))
        return replace(rules, separate=(*rules.separate, SeparateParts(parts, corners)))
    if name == CONNECTED_COLOUR:
        if not value:
            raise PuzzleError(f"the rule {name} takes the colour of cells, as in {name}=red")
        return replace(rules, connected=(*rules.connected, ConnectedParts(colour=value)))
    number, most = int(value[:9]) if value.isascii() and value.isdigit() else -1, MOST_COLOURS
    if number < 0 or (name != "cut-at-most" and not 1 <= number <= most):
        takes = "a whole number from 0" if name == "cut-at-most" else f"a number of colours from 1 to {most}"
        raise PuzzleError(f"the rule {name} takes {takes}, as in {name}=3, not {value!r:.40}")
    if name == "cut-at-most":
        return replace(rules, cut_at_most=number)
    return replace(rules, colourable=(*rules.colourable, ColourableParts(number, (), name == "colourable-corners")))
