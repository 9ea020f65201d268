"""Files that a client takes away: a cover problem in any form that `latcover export` writes, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.formats.cover_problems.exported import exported
from latcover.formats.forms import WRITTEN, How
from latcover.web.job import Job, Talk, prepared
from latcover.web.picturing import MODELS, PICTURES, pictured_file
from latcover.web.subject import text_of


def exported_file(job: Job, talk: Talk) -> dict[str, Any]:
    """Write into the file that the *server* names in the job, in the form that the client asks for."""
    form, path = text_of(job, "form"), Path(text_of(job, "file"))
    if form in MODELS or form in PICTURES:
        made = pictured_file(job, talk)
        return {**made, "name": f"{_plain(made['stem'])}{made['suffix']}"}
    if form not in WRITTEN:
        known = ", ".join((*WRITTEN, *MODELS, *PICTURES))
        raise UnsupportedError(f"there is no form {form[:40]!r}; the forms are: {known}")
    if "solutions" in job or "measures" in job:
        raise UnsupportedError(f"{form} holds the whole problem: no solution, and no measures")
    subject = prepared({**job, "symmetry": job.get("symmetry", "none")}, talk)
    size = 0
    with path.open("wb") as file:
        for piece in WRITTEN[form].write(exported(subject), How()):
            size += len(piece)
            if size > talk.settings.output:
                raise PuzzleError(f"the file would have more than {counted(talk.settings.output, 'byte')}")
            if talk.stopped:
                raise PuzzleError("stopped before the file was whole")
            file.write(piece)
    return {"name": f"{_plain(subject.name)}{WRITTEN[form].suffixes[0]}", "size": size, "remarks": []}


def _plain(name: str) -> str:
    """A name that every file system takes."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:80].strip("-") or "puzzle"
