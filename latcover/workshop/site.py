"""The files of a workshop, which `latcover publish --workshop` adds to a site."""

from __future__ import annotations

from typing import Any

from latcover.drawing.palette import COLOURS, COPIES, MARKS, hexadecimal
from latcover.model.colour_names import NAMED

# Where the page's modules come from. The first one that has a module of a name gives it: `api.js` of the web app asks a
# server, that of the workshop answers in the page.
PACKAGES = ("latcover.workshop", "latcover.web", "latcover.publishing", "latcover.drawing.space")


def looks_data() -> dict[str, Any]:
    """The colours of pictures for ``static/looks.js``."""
    return {
        "palette": [hexadecimal(rgb) for rgb in COLOURS],
        "copies": COPIES,
        "marks": [{"path": path, "angle": angle} for path, angle in MARKS],
        "names": {name: hexadecimal(rgb) for name, rgb in NAMED.items()},
    }
