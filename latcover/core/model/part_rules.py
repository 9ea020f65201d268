"""Rules on the parts of a solution as a whole: how they meet, where they lie, and which lines they leave."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from latcover.errors import counted, listed

MOST_COLOURS = 6


class SeparateParts(Struct, frozen=True):
    """Parts of which no two copies touch across sides; with *corners* not across corners either.

    Attributes:
        parts: The names of the parts; none stands for all parts.
    """

    parts: tuple[str, ...] = ()
    corners: bool = False


class ColourableParts(Struct, frozen=True):
    """Parts that can be coloured with so many colours, so that copies of one colour do not touch.

    Attributes:
        parts: The names of the parts; none stands for all parts.
        corners: Whether copies of one colour may not touch across corners either.
    """

    colours: int
    parts: tuple[str, ...] = ()
    corners: bool = False


class ConnectedParts(Struct, frozen=True):
    """Cells that hang together: steps across sides, from one of them to the next, lead from each to all others.

    Attributes:
        parts: The names of the parts whose cells these are; none stands for all parts.
        corners: Whether steps across corners count as well.
        colour: The name of the colour of these cells; "" takes cells of any colour, and those without one.
    """

    parts: tuple[str, ...] = ()
    corners: bool = False
    colour: str = ""


RuleOnClass = SeparateParts | ColourableParts | ConnectedParts


class PartRules(Struct, frozen=True):
    """Rules on the parts of a solution. By default there are none.

    Attributes:
        no_crossroads: At no point do four parts meet.
        no_fault_lines: Every straight line between two rows, columns or layers of the region cuts a part. Where the
            region closes on itself, a line cuts a part that has two neighbours, one on each side of it.
        cut_at_most: Every such line cuts at most so many parts; None is no bound.
        on_rim: Every part has a side at the rim of the region.
        separate: Classes of parts that do not touch.
        colourable: Classes of parts that can be coloured.
        no_room: No further part fits on the cells that stay empty, whatever other rules say.
        connected: Classes of cells that hang together.
    """

    no_crossroads: bool = False
    no_fault_lines: bool = False
    cut_at_most: int | None = None
    on_rim: bool = False
    separate: tuple[SeparateParts, ...] = ()
    colourable: tuple[ColourableParts, ...] = ()
    no_room: bool = False
    connected: tuple[ConnectedParts, ...] = ()

    def __bool__(self) -> bool:
        return self != PartRules()

    @property
    def classes(self) -> tuple[RuleOnClass, ...]:
        """Every rule on some of the parts."""
        return (*self.separate, *self.colourable, *self.connected)

    @property
    def about_corners(self) -> bool:
        """Whether it matters which cells touch across corners."""
        return self.no_crossroads or any(rule.corners for rule in self.classes)

    def words(self) -> Iterator[str]:
        """The rules, a sentence each."""
        if self.no_crossroads:
            yield "No four parts may meet at a point."
        if self.no_fault_lines:
            yield "No straight line may divide the region without cutting a part."
        if self.cut_at_most is not None:
            yield f"A straight line may cut at most {counted(self.cut_at_most, 'part')}."
        if self.on_rim:
            yield "Every part must lie at the rim."
        if self.no_room:
            yield "No further part may fit on the cells that stay empty."
        for apart in self.separate:
            where = ", not even at corners" if apart.corners else ""
            what = f"Of the parts {listed(apart.parts)} no two" if apart.parts else "No two parts"
            yield f"{what} may touch{where}."
        for rule in self.colourable:
            where = " or at corners" if rule.corners else ""
            what = f"The parts {listed(rule.parts)}" if rule.parts else "The parts"
            colours = counted(rule.colours, "colour")
            yield f"{what} must be colourable with {colours}, so that no colour touches itself at sides{where}."
        for hung in self.connected:
            cells = f"{hung.colour} cells" if hung.colour else "cells"
            whose = f"of the parts {listed(hung.parts)}" if hung.parts else "of parts"
            where = "sides or corners" if hung.corners else "sides"
            yield f"The {cells} {whose} must hang together at {where}."
