"""The frame of a page of results: one file, readable on a phone, in the colours that the reader's system has."""

from __future__ import annotations

from html import escape

STYLE = (
    ":root{color-scheme:light dark;background:light-dark(#fff,#1b1d21);color:light-dark(#222,#e4e4de)}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.4rem;overflow-wrap:anywhere}.wide{overflow-x:auto}table{border-collapse:collapse}"
    "td,th{border:1px solid #9995;padding:.3rem .6rem;text-align:left;white-space:nowrap}"
    "svg,img{max-width:100%;height:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".many{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:1rem;margin-top:1rem}"
    "figure{margin:0}figcaption{font-size:.85rem;overflow-wrap:anywhere}"
)


def html_page(title: str, body: str) -> str:
    """A whole page; *body* is HTML, *title* is text."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
        f'initial-scale=1"><title>{escape(title)}</title><style>{STYLE}</style><h1>{escape(title)}</h1>{body}</html>'
    )
