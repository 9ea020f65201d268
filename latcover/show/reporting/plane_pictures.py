"""Pictures of answers about shapes in the plane: a page for one shape, a page or a poster for a family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from latcover.errors import counted
from latcover.lab.plane.plane_answer import PlaneAnswer, Verdict
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles
from latcover.lab.plane.summary import FamilySummary
from latcover.lab.plane.tiling_group import group_of
from latcover.lab.plane.tori import TorusKind
from latcover.show.drawing.paper.paper_sheet import Heading
from latcover.show.drawing.paper.papers import Paper
from latcover.show.drawing.paper.poster import sheets, tiles_of
from latcover.show.drawing.paper.styles import PictureStyle
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.paper.svg_shapes import Definitions
from latcover.show.drawing.scenes.plane_scenes import of_patch, of_tiling
from latcover.show.drawing.scenes.scene import of_lone_part
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.reporting.html_page import html_page
from latcover.show.reporting.plane_report import KINDS, answer_as_text

LOOK = PictureStyle(letters=False, scale=26.0)
SMALL = 20  # tiles of a tiling in the picture of a family


class Answered(Struct, frozen=True):
    """Shapes, what is known about them, and which smallest torus was asked for."""

    prototiles: Prototiles
    answer: PlaneAnswer
    kind: TorusKind = "any"

    @property
    def name(self) -> str:
        return " + ".join(shape.name for shape in self.prototiles.shapes)


def in_words(answer: PlaneAnswer) -> str:
    """The answer in a few words."""
    if answer.classes is not None:
        most = "" if answer.classes_exact else " at most"
        return f"tiles, {counted(answer.classes, 'class')}{most}, {answer.group}"
    if answer.heesch is None:
        return "not known"
    coronas = counted(answer.heesch.number, "corona")
    if not answer.heesch.exact:
        return f"not known; {coronas} at least"
    with_hole = answer.heesch.with_hole
    more = f", {with_hole} with a hole" if with_hole is not None and with_hole > answer.heesch.number else ""
    return f"does not tile; {coronas}{more}"


def scenes(answered: Answered, tiles: int = 70) -> Iterator[CaptionedScene]:
    """What an answer shows: a tiling, or else a patch, and the patch with a hole if that reaches further.

    The smallest torus follows, unless the tiling is one of any smallest torus already.
    """
    answer, title = answered.answer, f"{answered.name}: {in_words(answered.answer)}"
    if answer.tiling is not None:
        yield _of_tiling(answer.tiling, title, tiles)
        least = answer.smallest
        if least is not None and (answered.kind != "any" or least.area < answer.tiling.area):
            cells = counted(least.area, "cell")
            yield replace(_of_tiling(least, title, tiles), caption=f"{KINDS[answered.kind]}, {cells}")
    if answer.tiling is None and answer.heesch is not None:
        yield CaptionedScene(of_patch(answer.heesch.patch, title))
        if answer.heesch.patch_with_hole is not None:
            caption = f"{counted(answer.heesch.number + 1, 'corona')}, the last with a hole"
            yield CaptionedScene(of_patch(answer.heesch.patch_with_hole, title), caption)
    if answer.tiling is None and answer.heesch is None:
        shape = answered.prototiles.shapes[0]
        yield CaptionedScene(of_lone_part(shape, answered.prototiles.lattice))


def _of_tiling(tiling: PeriodicTiling, title: str, tiles: int) -> CaptionedScene:
    return CaptionedScene(of_tiling(tiling, group_of(tiling).classes, title, tiles))


def picture(answered: Answered) -> str:
    """The text of an SVG file that shows an answer."""
    return page(f"{answered.name}: {in_words(answered.answer)}", list(scenes(answered)), LOOK)


def by_answer(family: Sequence[Answered]) -> list[Answered]:
    """A family in the order of its answers: those that tile with ever more classes, then by coronas."""

    def key(answered: Answered) -> tuple[int, int, int]:
        answer = answered.answer
        order = [Verdict.NONE, Verdict.UNKNOWN, Verdict.PERIODIC, Verdict.ISOHEDRAL].index(answer.verdict)
        reach = answer.heesch.number if answer.heesch is not None else 0
        return order, -reach, -(answer.classes or 0)

    return sorted(family, key=key)


def small_scenes(family: Sequence[Answered]) -> list[CaptionedScene]:
    """A small picture of each answer of a family, with its words."""
    return [
        replace(next(scenes(each, SMALL)), caption=f"{each.name}: {in_words(each.answer)}")
        for each in by_answer(family)
    ]


def family_page(title: str, family: Sequence[Answered]) -> str:
    """A page of a whole family, as the text of an SVG file."""
    return page(title, small_scenes(family), replace(LOOK, scale=9.0), columns=True)


def answer_html(answered: Answered) -> str:
    """A page of one answer: its words and its picture."""
    text = answer_as_text(answered.prototiles, answered.answer, answered.kind)
    return html_page(answered.name, f"<pre>{escape(text)}</pre>{picture(answered)}")


def family_html(title: str, what: str, family: Sequence[Answered]) -> str:
    """A page of a whole family: its table, and each shape with its answer."""
    head, row = FamilySummary.of(each.answer for each in family).columns(what)
    table = "".join(
        "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
        for tag, cells in (("th", head), ("td", row))
    )
    figures = "".join(
        f"<figure>{page(entry.caption, [replace(entry, caption='')], replace(LOOK, scale=9.0))}"
        f"<figcaption>{escape(entry.caption)}</figcaption></figure>"
        for entry in small_scenes(family)
    )
    return html_page(
        title, f'<div class="wide" tabindex="0"><table>{table}</table></div><div class="many">{figures}</div>'
    )


def poster(title: str, line: str, family: Sequence[Answered], paper: Paper, columns: int | None = None) -> list[str]:
    """The sheets of a poster of a whole family, as texts of SVG files."""
    definitions = Definitions()
    return sheets(Heading(title, line), tiles_of(small_scenes(family), definitions, LOOK), definitions, paper, columns)
