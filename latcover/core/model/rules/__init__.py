"""Rules on the parts of a solution: a module for each, behind this registry.

A rule is a class that derives from `latcover.core.model.rules.rule.Rule`. Other packages add rules by an entry point of
the group `latcover.rules`, whose name is the rule's key in puzzle files; docs/how-to/add-a-rule.md shows one.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, cast

from latcover.errors import UnsupportedError, suggest
from latcover.system.plugins import added

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from latcover.core.model.rules.rule import Rule

GROUP = "latcover.rules"
OURS = {
    "no_crossroads": "latcover.core.model.rules.crossroads:NoCrossroads",
    "no_fault_lines": "latcover.core.model.rules.lines:NoFaultLines",
    "cut_at_most": "latcover.core.model.rules.lines:CutAtMost",
    "on_rim": "latcover.core.model.rules.on_rim:OnRim",
    "no_room": "latcover.core.model.rules.no_room:NoRoom",
    "separate": "latcover.core.model.rules.separate:SeparateParts",
    "colourable": "latcover.core.model.rules.colourable:ColourableParts",
    "connected": "latcover.core.model.rules.connected:ConnectedParts",
    "copies": "latcover.core.model.rules.copies:CopiesTogether",
}


def names() -> list[str]:
    """The names of all rules: ours, then the sorted names of other packages' rules."""
    return [*OURS, *sorted(point.name for point in _others())]


def rule_called(name: str) -> type[Rule]:
    """The rule called *name*. Only its own module is loaded.

    Raises:
        UnsupportedError: there is no such rule, or it cannot be loaded.
    """
    if name in OURS:
        module, attribute = OURS[name].split(":")
        return cast("type[Rule]", getattr(import_module(module), attribute))
    for point in _others():
        if point.name == name:
            return _loaded(point)
    raise UnsupportedError(f"there is no rule {name!r:.40}{suggest(name, names())}")


def _others() -> Iterator[EntryPoint]:
    return (point for point in added(GROUP) if point.name not in OURS)


def _loaded(point: EntryPoint) -> type[Rule]:
    from latcover.core.model.rules.rule import Rule

    what = f"the rule {point.name!r}, of another package,"
    try:
        kind = point.load()
    except Exception as fault:
        raise UnsupportedError(
            f"{what} cannot be loaded from {point.value}: {type(fault).__name__}: {fault}"
        ) from fault
    if not (isinstance(kind, type) and issubclass(kind, Rule)):
        raise UnsupportedError(f"{what} is {point.value}, which is not derived from `latcover.Rule`")
    if kind.name != point.name:
        raise UnsupportedError(f"{what} calls itself {kind.name!r}; give its entry point this name")
    return kind
