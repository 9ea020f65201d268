"""The best solutions as a page: each as a picture, with its value."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from latcover.core.model.puzzle import Puzzle
from latcover.errors import escaped
from latcover.lab.asking.best import BestRequest, BestResult
from latcover.show.drawing.paper.cards import card
from latcover.show.reporting.best_report import best_as_text
from latcover.show.reporting.html_page import html_page


def best_as_html(puzzle: Puzzle, request: BestRequest, result: BestResult) -> str:
    """A page that says what is proved, and shows the best solutions, the best first."""
    title = puzzle.title or puzzle.name
    answer, *more = best_as_text(request, result).split("\n")
    figures = []
    for rank, one in enumerate(result.solutions, 1):
        picture = b64encode(card(puzzle, one.solution).encode()).decode("ascii")
        words = _text(f"{rank}. {one.text}")
        figures.append(
            f"<figure><figcaption><strong>{words}</strong></figcaption>"
            f'<img src="data:image/svg+xml;base64,{picture}" alt="{_text(f"solution {rank}, {one.text}")}"></figure>'
        )
    rest = "".join(f"<p><small>{_text(line)}</small></p>" for line in more)
    return html_page(
        title[:1].upper() + title[1:], f'<p>{_text(answer)}</p><div class="many">{"".join(figures)}</div>{rest}'
    )


def _text(words: str) -> str:
    """A text of a puzzle file, escaped for HTML."""
    return escape(escaped(words))
