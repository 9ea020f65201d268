"""What `plane` writes into files: pictures of answers and of families, and proofs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from latcover.apps.cli.shared.options import MessageOptions, ReportOptions
from latcover.apps.cli.shared.output import require_writable, say, suffix_of, write_file
from latcover.apps.cli.shared.pictures import write_pictures
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.errors import UnsupportedError, counted
from latcover.show.printing.picture_forms import PICTURES

if TYPE_CHECKING:
    from latcover.lab.plane.plane_answer import PlaneAnswer
    from latcover.lab.plane.prototiles import Prototiles
    from latcover.show.reporting.plane_pictures import Answered

PAPER = "A3"


def check_output(output: Path | None, proof: Path | None) -> None:
    """Refuse files that cannot be written, before any search.

    Raises:
        InputError: a folder is missing, or the form is none of pictures.
        BackendUnavailableError: a library is not installed.
    """
    require_writable(output, proof)
    if output is not None:
        from latcover.show.printing.draw_request import DrawRequest

        DrawRequest().check(suffix_of(output, "a picture", (*PICTURES, ".html")))
    if proof is not None:
        from latcover.lab.asking.proofs import clauses_beside

        clauses_beside(proof)


def write_answer(output: Path, found: Answered, messages: MessageOptions) -> None:
    """Draw what shows an answer: a tiling, or coronas; a page has its words too."""
    from latcover.show.reporting.plane_pictures import answer_html, picture

    if output.suffix.lower() == ".html":
        write_file(output, answer_html(found), messages)
        return
    write_pictures(output, [picture(found)], found.name, messages)


def write_family(output: Path, title: str, what: str, family: Sequence[Answered], messages: MessageOptions) -> None:
    """Draw each answer of a family: one page as SVG or HTML, else posters."""
    from latcover.show.drawing.paper.papers import paper
    from latcover.show.reporting.plane_pictures import family_html, family_page, poster

    if output.suffix.lower() == ".html":
        write_file(output, family_html(title, what, family), messages)
        return
    line = f"{counted(len(family), 'shape')}: what tiles the plane, and how often the others can be surrounded"
    svg = output.suffix.lower() == ".svg"
    pages = [family_page(title, family)] if svg else poster(title, line, family, paper(PAPER))
    write_pictures(output, pages, title, messages)


def write_proof(
    proof: Path, prototiles: Prototiles, answer: PlaneAnswer, seconds: float | None, report: ReportOptions
) -> None:
    """Prove that a shape has no more coronas than were found.

    Raises:
        UnsupportedError: it tiles, or more coronas are not excluded.
    """
    from latcover.lab.asking.proofs import Proof
    from latcover.lab.plane.prove import prove_no_coronas

    if answer.heesch is None or not answer.heesch.exact:
        raise UnsupportedError(
            f"there is no proof to write to {proof}: nothing shows that this shape does not tile; leave --proof out"
        )
    coronas = answer.heesch.number + 1
    with watched(watcher(report)) as events:
        found = prove_no_coronas(prototiles, coronas, proof, seconds=seconds, on_progress=events.on_progress)
    if isinstance(found, Proof):
        say(f"proved: not {counted(coronas, 'corona')} without holes; wrote {found.clauses} and {proof}", report)
    else:
        say(f"no proof ({found.verdict}); nothing was written", report)
