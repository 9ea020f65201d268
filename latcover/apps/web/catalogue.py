"""The choices of a page: puzzles, lattices, backends with their options, methods, rules, file forms."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec

from latcover.apps.web.downloads import MODELS, PICTURES
from latcover.apps.web.paper import PAPER_NAMES
from latcover.apps.web.settings import Settings
from latcover.apps.web.subject import UPLOADED
from latcover.backends import describe, searchers
from latcover.backends import names as backend_names
from latcover.core.cover.trace import RULES
from latcover.core.model.rules.rule_forms import form_of, known_rules
from latcover.errors import LatcoverError
from latcover.files.formats.forms import WRITTEN
from latcover.files.formats.shelves import shelf_of, shelves
from latcover.files.formats.source import find, names
from latcover.lab.comparing.methods import known_methods


def catalogue(settings: Settings) -> dict[str, Any]:
    """All choices that do not depend on a puzzle, as plain data."""
    return {
        "puzzles": [_puzzle(name) for name in names("instances")],
        "shelves": shelves(),
        "lattices": [_lattice(name) for name in names("lattices")],
        "sets": [_set(name) for name in names("sets")],
        "backends": [_backend(name) for name in backend_names()],
        "methods": list(known_methods(searchers())),
        "rules": [{"name": name, "about": about} for name, about in RULES.items()],
        "part_rules": [msgspec.to_builtins(form_of(kind)) for kind in known_rules()],
        "forms": [{"name": form.name, "about": form.about} for form in WRITTEN.values()],
        "models": _named(MODELS),
        "pictures": _named(PICTURES),
        "papers": PAPER_NAMES,
        "suffixes": list(UPLOADED),
        "seconds": settings.seconds,
        "solutions": settings.solutions,
        "upload": settings.upload,
    }


def _named(forms: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "about": about} for name, about in forms.items()]


def _puzzle(name: str) -> dict[str, Any]:
    data = tomllib.loads(find("instances", name).read_text("utf-8"))
    return {
        "name": name,
        "title": data.get("title", ""),
        "lattice": data["lattice"],
        "shelf": shelf_of(data),
        "solutions": data.get("expect", {}).get("different"),
    }


def _lattice(name: str) -> dict[str, Any]:
    data = tomllib.loads(find("lattices", name).read_text("utf-8"))
    plane = len(data["basis"]) == 2 and not any(node.get("secondary") for node in data["nodes"].values())
    return {"name": name, "title": data.get("title", ""), "dimension": len(data["basis"]), "plane": plane}


def _set(name: str) -> dict[str, Any]:
    data = tomllib.loads(find("sets", name).read_text("utf-8"))
    return {"name": name, "title": data.get("title", ""), "lattice": data.get("lattice", "square")}


def _backend(name: str) -> dict[str, Any]:
    """A backend and its options, or the reason why it cannot be used."""
    try:
        summary, options = describe(name)
    except LatcoverError as fault:
        return {"name": name, "about": f"not available: {fault}", "options": [], "usable": False}
    shown = [{"name": o.name, "takes": o.takes, "default": o.default} for o in options]
    return {"name": name, "about": summary, "options": shown, "usable": True}
