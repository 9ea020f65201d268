"""Which backend finds and proves an optimum soonest: `python -m latcover.benchmarks.optima --time 10` prints the table.

Each row is a puzzle, an objective and, for each backend, the seconds of search until the proof; or what it had when its
time was over.
"""

from __future__ import annotations

import argparse

from latcover.lab.comparing.compare import CompareRequest
from latcover.lab.comparing.comparison_tables import markdown_table, seconds
from latcover.lab.comparing.methods import chosen_methods
from latcover.lab.comparing.optima import OptimumRun, compare_optima
from latcover.system.child_process import Children

BACKENDS = ("bitset", "dlx", "cpsat", "sat", "backtrack")
CASES = (
    ("treasure", "maximize", "gold"),  # costs of cells, and a few terms
    ("treasure", "minimize", "noise"),  # terms, and solutions that cost nothing
    ("pent-12x5", "minimize", "crossroads"),  # a bound that some solution meets
    ("pent-12x5", "maximize", "crossroads"),  # a bound that none meets
    ("pent-15x4", "maximize", "fault-lines"),
    ("pent-20x3", "minimize", "border"),  # very many terms
)


def shown(run: OptimumRun) -> str:
    """What a backend reached."""
    if run.summary is None:
        return run.reason[:40]
    value = run.summary["value"]
    return seconds(run.summary["seconds"]["search"]) if run.proved else f"no proof, {value} found"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=float, default=30.0, help="seconds for each search")
    arguments = CompareRequest(time=parser.parse_args().time).arguments()
    rows = []
    with Children() as children:
        for puzzle, sense, objective in CASES:
            optima = compare_optima(
                puzzle,
                chosen_methods(",".join(BACKENDS), BACKENDS),
                arguments,
                children,
                sense="minimize" if sense == "minimize" else "maximize",
                objective=objective,
            )
            assert not optima.disagreements, optima.verdict()
            value = next((run.summary["value"] for run in optima.runs if run.proved and run.summary), None)
            rows.append((puzzle, f"{sense} {objective}", str(value), *map(shown, optima.runs)))
    print("\n".join(markdown_table(("puzzle", "objective", "optimum", *BACKENDS), rows)))


if __name__ == "__main__":
    main()
