"""The page of a comparison, in Markdown. Every figure and every sentence about figures comes from the results alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.compared.cases import ASKED, BY_NAME, TASKS, Task, seconds_for
from benchmarks.compared.figures import form
from benchmarks.compared.growth import growing
from benchmarks.compared.programs import PROGRAMS, REFERENCE, Program
from benchmarks.compared.results import Comparison, Result, told
from benchmarks.compared.standing import (
    Standing,
    limit_of,
    overall,
    programs_in,
    reach,
    standings,
    winners,
)
from benchmarks.harness.tables import filled
from latcover.errors import counted
from latcover.lab.comparing.comparison_tables import markdown_table, seconds

QUICK = "**A quick run: few problems and turns, good for a smoke test alone.**"
CELLS = {"time": "", "memory": "memory", "refused": "cannot", "failed": "failed", "wrong": "**wrong**"}
FAULTS = {"wrong": "wrong", "failed": "failed", "refused": "cannot", "memory": "ran out of memory"}


def page(comparison: Comparison, charts: Sequence[str] = ()) -> str:
    """The whole page.

    Args:
        charts: The files of the charts beside the page; each ends with its task.
    """
    tasks = [task for task in TASKS if comparison.of(task)]
    chart_of = {task: next((name for name in charts if name.endswith(f"-{task}.svg")), "") for task in tasks}
    blocks = {
        "winners": [line for task in tasks for line in (*winners(task, _standings(comparison, task)), "")],
        "conditions": conditions(comparison),
        "programs": programs_table(comparison),
        "tasks": [line for task in tasks for line in (*section(comparison, task, chart_of[task]), "")],
        "faults": faults(comparison),
    }
    text = filled(Path(__file__).with_name("page.md"), blocks)
    if comparison.conditions["quick"]:
        text = text.replace("\n\n", f"\n\n{QUICK}\n\n", 1)
    return text


def _standings(comparison: Comparison, task: Task) -> list[Standing]:
    return standings(comparison.of(task), limit_of(comparison, task))


def conditions(comparison: Comparison) -> list[str]:
    """Machine, day, limits."""
    given = comparison.conditions
    load = f"; the load of the minute before was {given['load']:g}" if given["load"] is not None else ""
    return [
        f"{given['machine']}; {counted(given['processors'], 'core')} to use{load}. {given['day']}; it took "
        f"{given['minutes']:.0f} minutes of wall-clock time.",
        "",
        f"{given['turns']} turns ({given['few']} for what takes more than {given['long']:g} s); at most "
        f"{given['seconds']:g} s of processor time ({seconds_for('puzzle', given['seconds']):g} s for whole commands) "
        f"and {given['megabytes']:,} MB of memory for each question. Every "
        "time is in `benchmarks/results/compared.json`, and as a table in `compared.csv` next to it.",
    ]


def programs_table(comparison: Comparison) -> list[str]:
    """Who was asked, in which version; and who was not there."""
    versions = comparison.conditions["versions"]
    rows = []
    for program in PROGRAMS:
        if program.name not in versions:
            continue
        number = versions[program.name] or "not here"
        rows.append((program.name, number, program.where, program.licence, program.about))
    lines = markdown_table(("program", "version", "where from", "licence", "what it is"), rows)
    missing = [program.name for program in PROGRAMS if program.name in versions and versions[program.name] is None]
    if missing:
        lines += ["", f"Not installed for this run, and therefore not measured: {', '.join(missing)}."]
    return lines


def section(comparison: Comparison, task: Task, chart: str) -> list[str]:
    """One task: over all problems, the chart, how far each gets, and problem by problem."""
    problems = _standings(comparison, task)
    programs = programs_in(problems)
    lines = [f"## {TASKS[task]}", "", ASKED[task], "", *overall_table(problems, programs), ""]
    if chart:
        lines += [f"![Processor seconds against size, by program: {TASKS[task].lower()}]({chart})", ""]
    far = reach_table(problems, programs, limit_of(comparison, task))
    lines += [*far, ""] if far else []
    return [*lines, *details(task, problems, programs), "", *(f"- {line}" for line in _families(problems))]


def _families(problems: Sequence[Standing]) -> list[str]:
    names = dict.fromkeys(problem.first.family for problem in problems)
    return [f"*{name}*: {BY_NAME[name].about}. Known from: {BY_NAME[name].source}." for name in names]


def overall_table(problems: Sequence[Standing], programs: Sequence[Program]) -> list[str]:
    """Each program over all problems."""
    rows: list[tuple[str, ...]] = []
    for program in programs:
        sums = overall(program.name, problems)
        answered = f"{sums.answered} of {sums.asked}"
        if program.name == REFERENCE:
            rows.append((program.name, answered, "1", "", "", ""))
            continue
        ratios = (form(ratio) if ratio else "" for ratio in (sums.both, sums.bound))
        rows.append((program.name, answered, *ratios, str(sums.losses), str(sums.wins)))
    head = ("program", "answered", "times as long", "with limits", "surely slower on", "surely faster on")
    return markdown_table(head, rows)


def reach_table(problems: Sequence[Standing], programs: Sequence[Program], limit: float) -> list[str]:
    """The largest size of each family that each program answers within the limit."""
    families = growing(problems)
    if not families:
        return []
    rows = []
    for name, of_family in families.items():
        cells = []
        for program in programs:
            size, is_largest = reach(of_family, program.name)
            refused = all(
                (each := problem.of(program.name)) is None or each.status == "refused" for problem in of_family
            )
            cells.append("cannot" if refused else "-" if size is None else f"{size}{'+' * is_largest}")
        rows.append((f"{name}, {BY_NAME[name].size}", *cells))
    text = f"The largest size that each answers within {limit:g} s; a plus where no larger size was tried."
    return [text, "", *markdown_table(("family", *(program.name for program in programs)), rows)]


def details(task: Task, problems: Sequence[Standing], programs: Sequence[Program]) -> list[str]:
    """Problem by problem: the seconds of latcover, and how many times as long each other takes."""
    others = [program.name for program in programs if program.name != REFERENCE]
    rows = []
    for problem in problems:
        answer = told(task, problem.first.expected)
        many = isinstance(problem.first.expected, int) and len(answer) > 22
        number = f"{len(answer.replace(',', ''))} digits" if many else answer
        ours = problem.of(REFERENCE)
        first = seconds(problem.seconds) if problem.reference else _cell(ours, problem)
        rows.append((problem.first.problem, number, first, *(_cell(problem.of(name), problem) for name in others)))
    return markdown_table(("problem", "answer", f"{REFERENCE}, s", *others), rows)


def _cell(result: Result | None, problem: Standing) -> str:
    if result is None:
        return "-"
    if result.status == "not tried":
        return "..."
    if result.status in ("answered", "time"):
        ratio = problem.ratios.get(result.program)
        if ratio is not None:
            return form(ratio)
        return f"{seconds(sum(result.seconds) / len(result.seconds))} s" if result.seconds else "limit"
    return CELLS[result.status]


def faults(comparison: Comparison) -> list[str]:
    """Every answer that is wrong or missing for another reason than a limit, one line for each reason."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in comparison.results:
        if each.status in FAULTS:
            key = (each.program, FAULTS[each.status], each.reason.partition("; ")[0])
            found.setdefault(key, []).append(each.problem)
    if not found:
        return ["None: every answer given is right."]
    return [
        f"- {program}: {words}{f' ({reason})' if reason else ''}: {', '.join(dict.fromkeys(problems))}."
        for (program, words, reason), problems in found.items()
    ]
