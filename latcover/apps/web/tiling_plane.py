"""The job that says what a drawn shape does in the plane. It sends a picture of each thing that is found."""

from __future__ import annotations

import numpy as np

from latcover.apps.web.answers import RunAnswer
from latcover.apps.web.job import Messages, Talk
from latcover.apps.web.messages import RunProgress
from latcover.apps.web.tasks import PlaneTask
from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.model.lattice import REFLECTIONS, ROTATIONS, Lattice
from latcover.core.model.puzzle import Part
from latcover.errors import PuzzleError, suggest
from latcover.files.formats.library import load_lattice
from latcover.files.formats.source import names
from latcover.lab.plane.plane_answer import PlaneAnswer
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import plane
from latcover.lab.plane.prototiles import Prototiles
from latcover.show.reporting.plane_pictures import Answered, in_words, picture
from latcover.show.reporting.plane_report import answer_as_text

NAME = "This shape"


def tiled_plane(task: PlaneTask, talk: Talk) -> RunAnswer:
    """Say whether a shape tiles the plane, and send pictures: of more and more coronas, and of the answer.

    Raises:
        PuzzleError: there is no such lattice, or this is no shape of it.
    """
    shapes = Prototiles(lattice := _lattice(task.lattice), (_shape(task, lattice),))
    events = _PlaneEvents(talk, shapes)
    answer = plane(shapes, PlaneRequest(), events)  # the server keeps the time
    events.show(answer)
    return RunAnswer(summary=answer.with_shapes(shapes), text=answer_as_text(shapes, answer, None))


def _lattice(name: str) -> Lattice:
    known = names("lattices")
    if name not in known:
        raise PuzzleError(f"no lattice {name[:80]!r} is shipped{suggest(name, known)}")
    return load_lattice(name)


def _shape(task: PlaneTask, lattice: Lattice) -> Part:
    nodes = len(lattice.nodes)
    if any(len(cell) != lattice.dimension + 1 or not 0 <= cell[0] < nodes for cell in task.cells):
        raise PuzzleError(f"a cell of {lattice.name!r} is the number of a node below {nodes}, and then its coordinates")
    cells = np.array(sorted(set(map(tuple, task.cells))), np.int32)
    return Part(NAME, cells, lattice=lattice, transformations=ROTATIONS if task.one_sided else REFLECTIONS)


class _PlaneEvents(Events):
    """Sends what is found about the shape."""

    def __init__(self, talk: Talk, shapes: Prototiles) -> None:
        self.talk, self.shapes, self.messages = talk, shapes, Messages(talk)

    def on_stage(self, stage: str, subject: PlaneAnswer | None = None) -> None:
        """Send the stage, and what is known so far."""
        self.talk.stage(stage)
        if subject is not None and subject.heesch is not None and subject.heesch.number:
            self.show(subject)

    def on_progress(self, progress: Progress) -> bool:
        """Send the progress."""
        return self.messages.report(RunProgress(seconds=round(progress.seconds, 1)))

    def show(self, answer: PlaneAnswer) -> None:
        """Send a picture of an answer."""
        answered = Answered(self.shapes, answer)
        self.messages.found += 1
        self.messages.waiting.pictures.append(picture(answered))
        self.talk.stage(in_words(answer))
        self.messages.flush()
