"""The job that takes a solution apart, for the viewer to play."""

from __future__ import annotations

from typing import Any

from latcover.assembly.taking_apart import ApartLimits, ApartProgress, Assembler
from latcover.drawing.scenes.dismantling import result_in_words
from latcover.drawing.space.scene_data import scene_data
from latcover.errors import counted
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.web.job import Messages, Talk


def taken_apart(puzzle: Puzzle, solution: Solution, talk: Talk) -> dict[str, Any]:
    """Take *solution* apart.

    Returns:
        ``scene``: the data of the solution and its film for the viewer; ``text``: the result in words; ``summary``.
    """
    talk.stage("taking the solution apart")
    messages = Messages(talk)

    def on_progress(progress: ApartProgress) -> bool:
        return messages.report(positions=progress.states, seconds=round(progress.seconds, 3))

    limits = ApartLimits(seconds=talk.settings.seconds)
    (disassembly,) = Assembler(puzzle).take_apart([solution], limits, on_progress=on_progress)
    words = result_in_words(disassembly)
    if disassembly.result == "unknown":
        words += f": {counted(disassembly.states, 'position')} examined"
    return {
        "scene": scene_data(puzzle, [solution], {solution.number: disassembly}),
        "summary": {"result": disassembly.result, "level": list(disassembly.level), "number": solution.number},
        "text": f"Solution {solution.number}: {words}.",
    }
