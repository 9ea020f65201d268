"""The state of a run, as plain data and as text."""

from __future__ import annotations

from typing import Any

from latcover.errors import counted, escaped
from latcover.lab.runs.audit import audit
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.session import is_at_work


def state_as_json(file: RunFile) -> dict[str, Any]:
    """The output of `latcover runs status --json`.

    Raises:
        RunFileError: the file is damaged, or cannot be read.
    """
    with file.snapshot():
        audit(file)
        figures, sessions = file.figures(), file.sessions()
        (row,) = file.rows("SELECT count(*) FILTER (WHERE state = 'cut') AS cut FROM jobs")
    last = sessions[-1] if sessions else None
    working = last is not None and last["ended"] is None and is_at_work(last, file.path)
    if figures.pending == 0:
        state = "done"
    elif working:
        state = "at work"
    else:
        state = "not begun" if last is None else "interrupted"
    return {
        "file": str(file.path),
        "task": file.recipe.task,
        "puzzle": file.recipe.puzzle,
        "backend": file.row["searched_by"] or file.recipe.request.backend,
        "asked": file.recipe.request.backend,
        "latcover": file.row["latcover"],
        "created": file.row["created"],
        "state": state,
        "stop": None if working or last is None else last["ended"] or "died",
        "process": f"{last['pid']} on {last['host']}" if last is not None and working else None,
        "share": figures.share,
        "jobs": {"done": figures.jobs, "pending": figures.pending, "cut": row["cut"]},
        "different": figures.result.different,
        "total": figures.result.total,
        "covers": figures.result.covers,
        "branches": figures.result.branches,
        "digest": figures.result.digest,
        "limit": file.most_solutions,
        "sessions": len(sessions),
        "seconds": round(sum(session["seconds"] for session in sessions), 6),
    }


def state_as_text(state: dict[str, Any]) -> str:
    """The state in a few lines of text."""
    who = f" (process {state['process']})" if state["process"] else f": {state['stop']}" if state["stop"] else ""
    jobs = state["jobs"]
    branches = "" if state["branches"] is None else f"; {counted(state['branches'], 'branch')}"
    limit = "" if state["limit"] is None else f", to end after {state['limit']:,}"
    lines = [
        f"{state['file']}: to {state['task']} {state['puzzle']} by {state['backend']}, begun {state['created']} with "
        f"latcover {state['latcover']}",
        f"{state['state']}{who if state['state'] != 'done' else ''}; {100 * state['share']:.4g} % of the tree, "
        f"{counted(jobs['done'], 'job')} done, {jobs['pending']:,} to do",
        f"{counted(state['different'], 'solution')} until now{limit}, {state['total']:,} in all{branches}"
        if state["state"] != "done"
        else f"{counted(state['different'], 'solution')}, {state['total']:,} in all{branches}",
        f"{counted(state['sessions'], 'session')}, {state['seconds']:,.1f} s",
    ]
    return "\n".join(map(escaped, lines))
