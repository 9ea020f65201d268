"""The job that takes solutions apart, and shows the hardest for the viewer to play."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.apps.web.answers import ApartAnswer, HardestSolution
from latcover.apps.web.job import Messages, Talk
from latcover.apps.web.messages import RunProgress
from latcover.core.cover.result import Stop
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import counted
from latcover.lab.assembly.survey import Examined, Tally
from latcover.lab.assembly.taking_apart import ApartLimits, ApartProgress, assembler_of, stays_in_plane
from latcover.show.drawing.scenes.dismantling import result_in_words
from latcover.show.drawing.space.scene_data import scene_data
from latcover.show.reporting.assembly_report import tally_as_text


def taken_apart(puzzle: Puzzle, solutions: Sequence[Solution], first: int, talk: Talk) -> ApartAnswer:
    """Take solutions apart until the job is to stop. *first* is the place of the first one in its run."""
    alone = len(solutions) == 1
    talk.stage("taking the solution apart" if alone else f"taking {counted(len(solutions), 'solution')} apart")
    assembler, messages, tally = assembler_of(puzzle, in_plane=stays_in_plane(puzzle)), Messages(talk), Tally()

    def on_progress(progress: ApartProgress) -> bool:
        share = None if alone else tally.assemblies / len(solutions)
        return messages.report(RunProgress(share=share, positions=tally.states + progress.states))

    for solution in solutions:
        limits = ApartLimits(seconds=talk.settings.seconds)
        (disassembly,) = assembler.take_apart([solution], limits, on_progress=on_progress)
        tally.add(Examined(solution, disassembly))
        if not on_progress(ApartProgress(1, 0, 0.0)):
            break
    hardest = tally.hardest
    assert hardest is not None
    shown, disassembly = hardest.solution, hardest.disassembly
    words = f"Solution {shown.number}: {result_in_words(disassembly)}"
    if disassembly.result == "unknown":
        words += f": {counted(disassembly.states, 'position')} examined"
    if not alone:
        left = len(solutions) - tally.assemblies
        stop: str = Stop.EXHAUSTED if tally.is_known else Stop.NOT_PROVED
        stop = "there may be deeper ones" if tally.results["unknown"] else stop
        stop = f"{counted(left, 'solution')} not examined" if left else stop
        counts = tally_as_text(tally, stop).splitlines()[0]
        words = f"{counts}.\n{'The deepest is s' if disassembly.level else 'S'}{words[1:]}"
    place = first + next(k for k, solution in enumerate(solutions) if solution is shown)
    return ApartAnswer(
        scene=scene_data(puzzle, [shown], {shown.number: disassembly}),
        summary=HardestSolution(disassembly.result, list(disassembly.level), shown.number, place),
        text=f"{words}.",
    )
