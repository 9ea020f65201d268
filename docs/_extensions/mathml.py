"""Formulas as MathML, which browsers draw by themselves: no script, no pictures of formulas, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

log = logging.getLogger(__name__)


def _drawn(formula: nodes.math | nodes.math_block, *, block: bool) -> str:
    try:
        drawn: str = tex2mathml(formula.astext(), as_block=block)
    except MathError as error:
        log.warning("this formula cannot be written as MathML: %s", error, location=formula)
        return ""
    return drawn


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_drawn(node, block=False))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{_drawn(node, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
