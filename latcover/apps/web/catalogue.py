"""The choices of a page: puzzles, lattices, backends with their options, methods, rules, file forms."""

from __future__ import annotations

import tomllib
from importlib.metadata import version

from latcover.apps.web.answers import (
    Catalogue,
    Named,
    OfferedBackend,
    ShippedLattice,
    ShippedPuzzle,
    ShippedSet,
)
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
from latcover.files.formats.ready_sets import offered
from latcover.files.formats.shelves import shelf_of, shelves
from latcover.files.formats.source import find, names
from latcover.lab.comparing.methods import known_methods


def catalogue(settings: Settings) -> Catalogue:
    """All choices that do not depend on a puzzle."""
    return Catalogue(
        version=version("latcover"),
        puzzles=[_puzzle(name) for name in names("instances")],
        shelves=[Named(**shelf) for shelf in shelves()],
        lattices=[_lattice(name) for name in names("lattices")],
        sets=[
            *(_set(name) for name in names("sets")),
            *(ShippedSet(each.name, each.title, each.lattice) for each in offered()),
        ],
        backends=[_backend(name) for name in backend_names()],
        methods=list(known_methods(searchers())),
        rules=[Named(name, about) for name, about in RULES.items()],
        part_rules=[form_of(kind) for kind in known_rules()],
        forms=[Named(form.name, form.about) for form in WRITTEN.values()],
        models=[Named(*form) for form in MODELS.items()],
        pictures=[Named(*form) for form in PICTURES.items()],
        papers=PAPER_NAMES,
        suffixes=list(UPLOADED),
        seconds=settings.seconds,
        solutions=settings.solutions,
        upload=settings.upload,
    )


def _puzzle(name: str) -> ShippedPuzzle:
    data = tomllib.loads(find("instances", name).read_text("utf-8"))
    known = data.get("expect", {}).get("different")
    return ShippedPuzzle(name, data.get("title", ""), data["lattice"], shelf_of(data), known)


def _lattice(name: str) -> ShippedLattice:
    data = tomllib.loads(find("lattices", name).read_text("utf-8"))
    plane = len(data["basis"]) == 2 and not any(node.get("secondary") for node in data["nodes"].values())
    return ShippedLattice(name, data.get("title", ""), len(data["basis"]), plane)


def _set(name: str) -> ShippedSet:
    data = tomllib.loads(find("sets", name).read_text("utf-8"))
    return ShippedSet(name, data.get("title", ""), data.get("lattice", "square"))


def _backend(name: str) -> OfferedBackend:
    """A backend and its options, or the reason why it cannot be used."""
    try:
        summary, options = describe(name)
    except LatcoverError as fault:
        return OfferedBackend(name, f"not available: {fault}", [], usable=False)
    return OfferedBackend(name, summary, options, usable=True)
