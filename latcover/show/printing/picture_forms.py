"""The forms of files that `latcover show` and `latcover.draw` write, and what means something in which."""

from __future__ import annotations

from latcover.errors import UnsupportedError

PICTURES = (".svg", ".pdf", ".png")
MODELS = (".stl", ".3mf", ".glb", ".step")
FORMS = (".txt", *PICTURES, ".html", *MODELS)
FORMS_OF: dict[str, tuple[str, ...]] = {  # by the names of the fields of a `DrawRequest`
    name: forms
    for names, forms in (
        ("view letters patterns sides", PICTURES),
        ("paper landscape columns title steps reverse instructions", PICTURES),
        ("dpi", (".png",)),
        ("edge thickness clearance chamfer", MODELS),
        ("explode", (*PICTURES, *MODELS)),
    )
    for name in names.split()
}


def require_form(form: str) -> None:
    """Raise an `UnsupportedError` if nothing is drawn in files of this suffix."""
    if form not in FORMS:
        known = ", ".join(FORMS)
        raise UnsupportedError(f"cannot draw a {form or 'file without suffix'}; name a file with one of: {known}")
