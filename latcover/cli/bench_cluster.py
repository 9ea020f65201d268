"""The command `bench cluster`: what a very long search on many cores comes to, by simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from latcover.cli.compare import bench
from latcover.cli.options import AsJson, TalkOptions, expanded
from latcover.cli.support import print_at_once, require_writable, say, write_file


@bench.command(name="cluster")
@expanded
def cluster(
    *,
    branches: Annotated[float, typer.Option(min=1, max=1e18, metavar="N", help="How many branches there are.")] = 1e15,
    cores: Annotated[int, typer.Option(min=1, max=100_000, metavar="N", help="How many cores search.")] = 1000,
    nanoseconds: Annotated[
        float | None,
        typer.Option(min=0.1, max=1e6, metavar="NS", help="What a branch takes (default: as bitset, then as dlx)."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Which of all random courses is taken.")] = 1,
    measure: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Measure instead how unlike jobs of puzzles are: some minutes."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the page there, and its data beside it as .json.")
    ] = None,
    as_json: AsJson = False,
    talk: TalkOptions,
) -> None:
    """Simulate a very long search on a cluster: jobs, the file, deaths of workers, restarts, the end.

    The policy is that of `--cluster`, jobs are like those of real puzzles, and what the file costs is measured here.
    """
    if output is not None and output.suffix != ".md":
        raise typer.BadParameter("the page is Markdown: name a .md file", param_hint="--output")
    require_writable(output, measure)
    from latcover.benchmarks import cluster_measures, cluster_page
    from latcover.benchmarks.cluster_simulation import Plan, simulate

    if measure is not None:
        shapes = cluster_measures.measured_shapes(lambda text: say(text, talk))
        write_file(measure, json.dumps(shapes, separators=(",", ":")), talk)
        return
    costs, plans = cluster_measures.measured_costs(), []
    for each in cluster_page.NANOSECONDS if nanoseconds is None else (nanoseconds,):
        plan = Plan(branches, each, cores, seed)
        say(f"simulating {cluster_page.duration(plan.core_seconds)} of work at {each:g} ns a branch", talk)
        plans.append((plan, simulate(plan, cluster_measures.stored_shapes(), costs)))
    text = cluster_page.page(plans, costs)
    data = json.dumps(cluster_page.as_json(plans, costs))
    print_at_once(data if as_json else text)
    if output is not None:
        write_file(output, text, None)
        write_file(output.with_suffix(".json"), data, talk)


__all__ = ["bench"]
