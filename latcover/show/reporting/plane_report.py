"""Answers about the plane, as text."""

from __future__ import annotations

from latcover.errors import counted
from latcover.lab.plane.plane_answer import Heesch, PlaneAnswer, Verdict
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles
from latcover.lab.plane.tori import TorusKind
from latcover.lab.plane.torus_tilings import TorusTilings

KINDS = {"any": "smallest torus", "square": "smallest square torus", "odd": "smallest torus of an odd number of tiles"}


def answer_as_text(prototiles: Prototiles, answer: PlaneAnswer, kind: TorusKind | None) -> str:
    """What is known of some shapes, on lines."""
    first, *more = answer_in_sentences(answer, kind, several=len(prototiles.shapes) > 1)
    names = ", ".join(shape.name for shape in prototiles.shapes)
    return "\n".join([f"{names}: {first}", *(f"  {line}" for line in more)])


def answer_in_sentences(answer: PlaneAnswer, kind: TorusKind | None = None, *, several: bool = False) -> list[str]:
    """What is known of a shape, or of several: the verdict first, and what belongs to it."""
    lines = [_sentence(answer, several)]
    if answer.tiling is not None:
        lines.append(_tiling(answer.tiling))
    if answer.smallest is not None and kind is not None:
        lines.append(f"{KINDS[kind]}: {_tiling(answer.smallest)}")
    elif answer.tiling is not None and kind is not None:
        lines.append(f"{KINDS[kind]}: none of at most {counted(answer.searched, 'cell')}")
    if answer.heesch is not None:
        lines += _reach(answer.heesch, "the first shape" if several else "it")
    if answer.verdict is Verdict.UNKNOWN:
        lines.append(_bounds(answer))
    if not answer.stop.is_complete:
        lines.append(answer.stop.verdict)
    return lines


def _sentence(answer: PlaneAnswer, several: bool) -> str:
    tile, do = ("tile", "do") if several else ("tiles", "does")
    if answer.verdict is Verdict.ISOHEDRAL:
        return f"{tile} the plane isohedrally; a tiling with group {answer.group}"
    if answer.verdict is Verdict.PERIODIC:
        sure = "no tiling has fewer" if answer.classes_exact else f"at most: fewer than {answer.excluded + 1} cannot be"
        classes = f"{answer.classes} classes of tiles ({sure})"
        return f"{tile} the plane periodically, with {classes}; a tiling with group {answer.group}"
    if answer.verdict is Verdict.NONE:
        return f"{do} not tile the plane"
    return "not known whether there is a tiling"


def _tiling(tiling: PeriodicTiling) -> str:
    tiles, cells = counted(len(tiling.tiles), "tile"), counted(tiling.area, "cell")
    return f"{tiles} on a torus of {cells}, period {list(map(list, tiling.period.vectors))}"


def _reach(heesch: Heesch, what: str) -> list[str]:
    if not heesch.exact:
        return [f"{what} can be surrounded {_times(heesch.number)}, and perhaps more often"]
    times = (
        f"can be surrounded {_times(heesch.number)}, and not more often" if heesch.number else "cannot be surrounded"
    )
    found = [f"Heesch number {heesch.number}: {what} {times}"]
    if heesch.with_hole is not None and heesch.with_hole > heesch.number:
        found.append(f"with holes in the last corona: {heesch.with_hole}")
    return found


def _times(number: int) -> str:
    return {0: "not even once", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _bounds(answer: PlaneAnswer) -> str:
    torus = f", and no torus of at most {counted(answer.searched, 'cell')} can be covered" if answer.searched else ""
    return f"no tiling has at most {counted(answer.excluded, 'class')} of tiles{torus}"


def torus_as_text(found: TorusTilings) -> str:
    """How many tilings a torus has."""
    different = counted(len(found.tilings), "different tiling")
    if found.stop.is_complete:
        return f"{different}, {found.total:,} in all"
    return f"{different} at least, of {found.total:,} that were found; {found.stop.verdict}"
