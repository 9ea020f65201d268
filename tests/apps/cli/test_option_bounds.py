"""The bounds of options are those of requests: each stands once, in the types of `request_values` or at a field."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

import latcover
from latcover.apps.cli.shared.options import _bounds_of
from latcover.core.solving.count import CountRequest
from latcover.core.solving.solve import SolveRequest
from latcover.lab.asking.all_solutions import DiagramRequest
from latcover.lab.asking.assemble import AssembleRequest
from latcover.lab.asking.best import BestRequest
from latcover.lab.asking.estimate import EstimateRequest
from latcover.lab.asking.sequence import SequenceRequest
from latcover.lab.designing.design_requests import (
    BoardRequest,
    CutRequest,
    DesignRegionsRequest,
    DesignSetsRequest,
    DifficultyRequest,
    GrowRequest,
)
from latcover.lab.exploring.exploring_requests import (
    AtlasRequest,
    CommonRequest,
    ExcludeRequest,
    MultiplesRequest,
    PackRequest,
    PairsRequest,
)
from latcover.lab.plane.plane_family import FamilyRequest
from latcover.lab.plane.plane_request import PlaneRequest
from tests.apps.cli.test_panels import ROOT, leaves
from tests.command_line import run

REQUESTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "solve": (SolveRequest, BestRequest),
    "count": (CountRequest,),
    "sequence": (SequenceRequest,),
    "sample": (DiagramRequest,),
    "apart": (AssembleRequest,),
    "estimate": (EstimateRequest,),
    "difficulty": (DifficultyRequest,),
    "design sets": (DesignSetsRequest,),
    "design regions": (DesignRegionsRequest,),
    "design cut": (CutRequest,),
    "design grow": (GrowRequest,),
    "design matching": (BoardRequest,),
    "plane": (PlaneRequest, FamilyRequest),
    "atlas": (AtlasRequest,),
    "common": (CommonRequest, PairsRequest),
    "multiples": (MultiplesRequest,),
    "pack": (PackRequest,),
    "exclude": (ExcludeRequest,),
}
# Fields by the names of their options, where these differ.
RENAMED = {
    "seconds": "time",
    "branches": "max_branches",
    "most_branches": "max_branches",
    "coronas": "most",
    "processes": "workers",
}


def bounds_of_options(command: Any) -> dict[str, tuple[float | None, float | None]]:
    """The least and the greatest value of each option that has such."""
    return {each.name: (each.min, each.max) for each in command.params if (each.min, each.max) != (None, None)}


@pytest.mark.parametrize("name", REQUESTS)
def test_an_option_has_the_bounds_of_its_field(name: str) -> None:
    options, met = bounds_of_options(dict(leaves(ROOT))[name]), 0
    for request in REQUESTS[name]:
        for field, kind in get_type_hints(request, include_extras=True).items():
            bounds, option = _bounds_of(kind), field if field in options else RENAMED.get(field, field)
            if bounds is not None and option in options and not (name == "plane" and field == "most"):
                assert options[option] == (bounds.ge, bounds.le), (request.__name__, field)
                met += 1
    assert met


def test_no_option_states_bounds_of_its_own() -> None:
    folder = Path(str(latcover.__file__)).parent / "apps" / "cli"
    texts = [path.read_text("utf-8") for path in folder.rglob("*.py")]
    assert sum(text.count("typer.Option(") for text in texts) > 50
    assert not [found for text in texts for found in re.findall(r"typer\.Option\([^)]*\b(?:min|max)=[^)]*\)", text)]


def test_a_value_out_of_bounds_is_refused() -> None:
    done = run("plane", "pentominoes:F", "--classes", "17")
    assert done.returncode == 2
    assert "--classes needs a whole number from 1 to 16, not '17'" in done.stderr
