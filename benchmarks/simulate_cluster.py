"""Simulate a very long search on a cluster: jobs, the file, deaths of workers, restarts, the end.

    python -m latcover.benchmarks.simulate_cluster --branches 1e12 --cores 100 --nanoseconds 1060

The policy is that of `--cluster`, jobs are like those of real puzzles, and what the file costs is measured here.
docs/explanation/long-plan.md is about the figures of this script.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from latcover.errors import PuzzleError
from latcover.system.files import write_whole


def main(words: Sequence[str] | None = None) -> None:
    """Run the script; the page, or its data, goes to standard output."""
    parser = _parser()
    given = parser.parse_args(words)
    if given.output is not None and given.output.suffix != ".md":
        parser.error(f"argument --output: the page is Markdown: name a .md file, not {given.output}")
    for path in filter(None, (given.output, given.measure)):
        if not path.parent.is_dir():
            parser.error(f"there is no folder {path.parent} to write {path.name} into; make it first")
    from latcover.benchmarks import cluster_measures, cluster_page
    from latcover.benchmarks.cluster_simulation import Plan, simulate

    def say(text: str) -> None:
        if not given.quiet:
            print(text, file=sys.stderr)

    if given.measure is not None:
        shapes = cluster_measures.measured_shapes(say)
        _write(given.measure, json.dumps(shapes, separators=(",", ":")), say)
        return
    costs, plans = cluster_measures.measured_costs(), []
    for each in cluster_page.NANOSECONDS if given.nanoseconds is None else (given.nanoseconds,):
        plan = Plan(given.branches, each, given.cores, given.seed)
        say(f"simulating {cluster_page.duration(plan.core_seconds)} of work at {each:g} ns a branch")
        plans.append((plan, simulate(plan, cluster_measures.stored_shapes(), costs)))
    text = cluster_page.page(plans, costs)
    data = json.dumps(cluster_page.as_json(plans, costs))
    print(data if given.json else text)
    if given.output is not None:
        _write(given.output, text, say)
        _write(given.output.with_suffix(".json"), data, say)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m latcover.benchmarks.simulate_cluster",
        description="Simulate a very long search on a cluster: jobs, the file, deaths of workers, restarts, the end.",
        epilog="The policy is that of --cluster, jobs are like those of real puzzles, and what the file costs is "
        "measured here.",
    )

    def add(name: str, kind: Callable[[str], object], metavar: str, default: object, text: str) -> None:
        parser.add_argument(name, type=kind, metavar=metavar, default=default, help=text)

    add("--branches", _number(float, 1, 1e18), "N", 1e15, "how many branches there are (default: %(default)g)")
    add("--cores", _number(int, 1, 100_000), "N", 1000, "how many cores search (default: %(default)d)")
    add("--nanoseconds", _number(float, 0.1, 1e6), "NS", None, "what a branch takes (default: as bitset, then as dlx)")
    add("--seed", int, "N", 1, "which of all random courses is taken (default: %(default)d)")
    add("--measure", Path, "FILE.json", None, "measure instead how unlike jobs of puzzles are: some minutes")
    add("--output", Path, "FILE.md", None, "write the page there, and its data beside it as .json")
    parser.add_argument("--json", action="store_true", help="print data instead of the page")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing on standard error")
    return parser


def _number(kind: type[int] | type[float], low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers between two bounds, for the parser."""

    def number(text: str) -> float:
        value = kind(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
        return value

    return number


def _write(path: Path, text: str, say: Callable[[str], None]) -> None:
    try:
        write_whole(path, [f"{text}\n".encode()])
    except PuzzleError as problem:
        sys.exit(str(problem))
    say(f"wrote {path}")


if __name__ == "__main__":
    main()
