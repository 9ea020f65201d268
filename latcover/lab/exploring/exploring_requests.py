"""What is asked of shapes: frozen data, as in JSON."""

from __future__ import annotations

from latcover.core.model.request_values import (
    AtlasSize,
    BoxSides,
    Enlarged,
    Megabytes,
    Natural,
    Positive,
    Processes,
    RegionCopies,
    RegionSymmetries,
    Request,
    Seconds,
)


class ExploringRequest(Request, frozen=True, kw_only=True):
    """What all these questions share.

    Attributes:
        seconds: Stop after so long; None is no limit.
    """

    BESIDE_THE_QUESTION = frozenset(("seconds",))

    seconds: Seconds | None = None


class MultiplesRequest(ExploringRequest, frozen=True, kw_only=True):
    """Which regions some copies of a shape form.

    Attributes:
        copies: Of the shape.
        memory: Megabytes that regions may take; the rest lies on disk.
        keep: How many regions of all copies to hand over.
        check: Count a second time, by brute force, where there are at most so many shapes of as many cells.
    """

    # Each number of copies is kept by itself, so one folder serves for all of them.
    BESIDE_THE_QUESTION = ExploringRequest.BESIDE_THE_QUESTION | {"copies", "memory", "keep", "check"}

    copies: RegionCopies
    memory: Megabytes = 500
    keep: Natural = 10_000
    check: Natural = 500


class CommonRequest(ExploringRequest, frozen=True, kw_only=True):
    """The smallest region that each of some shapes, or sets of shapes, fills.

    Attributes:
        galvagni: Instead the smallest that one shape fills in two ways with no tile in common.
        connected: Whether the region must hang together; without sets and symmetry the smallest does by itself.
        holes: Whether it may have holes.
        symmetric: It must have so many symmetries at least, the identity among them.
        most: Look at no larger areas.
        within: Of regions in a box of so many units along the axes, the smallest; not for tables.
        prove: Whether to refute smaller areas; if not, any region that is found will do.
        effort: Stop after so many seconds of the processor; None is no limit.
    """

    BESIDE_THE_QUESTION = ExploringRequest.BESIDE_THE_QUESTION | {"effort", "within"}

    galvagni: bool = False
    connected: bool = True
    holes: bool = True
    symmetric: RegionSymmetries = 1
    most: Positive | None = None
    within: BoxSides | None = None
    prove: bool = True
    effort: Seconds | None = None


class PairsRequest(ExploringRequest, frozen=True, kw_only=True):
    """A table of the smallest common regions of shapes of some sets.

    Attributes:
        common: What is asked of each entry; its effort is what an entry may take in all.
        processes: How many work at once; None takes one for each processor.
    """

    BESIDE_THE_QUESTION = ExploringRequest.BESIDE_THE_QUESTION | {"processes"}

    common: CommonRequest = CommonRequest(effort=60.0)
    processes: Processes | None = None


class PackRequest(ExploringRequest, frozen=True, kw_only=True):
    """The densest packing of copies of shapes, or the clumsiest.

    Attributes:
        clumsy: The fewest copies that leave no room for another, instead of the most that fit.
        cells: Count covered cells instead of copies.
        once: Use each shape once at most.
        backend: The backend that searches: auto, cpsat, sat or dlx; "" is auto.
    """

    BESIDE_THE_QUESTION = ExploringRequest.BESIDE_THE_QUESTION | {"backend"}  # a bound of one holds for all

    clumsy: bool = False
    cells: bool = False
    once: bool = False
    backend: str = ""


class ExcludeRequest(ExploringRequest, frozen=True, kw_only=True):
    """The fewest cells that keep shapes out of a region.

    Attributes:
        backend: The backend that searches: cpsat, sat or dlx; "" takes the one that is the fastest as a rule.
    """

    BESIDE_THE_QUESTION = ExploringRequest.BESIDE_THE_QUESTION | {"backend"}  # a bound of one holds for all

    backend: str = ""


class AtlasRequest(ExploringRequest, frozen=True, kw_only=True):
    """Which rectangles, other regions and tori a shape fills, and whether it tiles the plane.

    Attributes:
        size: Look at rectangles of at most so many units a side; None is 12, and 4 for boxes in space.
        narrow: Of these look only at rectangles of which one side is at most so long.
        each: The most seconds for one rectangle, strip, torus or enlargement; four times as many for the plane, and
            for the symmetric region.
        enlarged: Look at enlargements of the shape up to so many times.
        rectangles_only: Leave out all else.
    """

    size: AtlasSize | None = None
    narrow: AtlasSize | None = None
    each: Seconds = 5.0
    enlarged: Enlarged = 6
    rectangles_only: bool = False
