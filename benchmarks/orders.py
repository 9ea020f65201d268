"""Orders of the frontier, each alone and racing, on Aztec diamonds of dominoes and squares of four.

python -m latcover.benchmarks.orders --sizes 8 10 12        # by orders, then by threads and on disk
"""

from __future__ import annotations

import argparse
import time

from latcover.backends.frontier import Budget, Orders, count_covers, orders_of
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.solving.count import swept
from latcover.errors import TooLargeError
from latcover.files.formats.library import load


def main() -> None:
    """Print a table for each size, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", default="aztec-squares", help="a family of puzzles of parts without limit")
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 10, 12])
    given = parser.parse_args()
    print("| size | order | threads | memory | states | work | MB | MB on disk | CPU, s | wall, s |")
    print("| --- | --- | --: | --- | --: | --: | --: | --: | --: | --: |")
    for size in given.sizes:
        prepared = prepare(load(f"{given.family}:{size}"), Choices("none"))
        problem = swept(prepared.problem, prepared.sweeps())
        orders = orders_of(problem)
        alone = [(f"{k}", Orders(order[None], orders.width), Budget()) for k, order in enumerate(orders.items)]
        racing = [("race", orders, budget) for budget in (Budget(), Budget(threads=2), Budget(1 << 20, 1 << 40))]
        for name, some, budget in (*alone, *racing):
            wall, cpu = time.perf_counter(), time.process_time()
            try:
                found = count_covers(problem, budget=budget, orders=some)
            except TooLargeError as fault:
                print(f"| {size} | {name} | {budget.threads} | {fault} |", flush=True)
                continue
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            memory = "1 MB and disk" if budget.most_on_disk else "any"
            sizes = f"{found.bytes / 1e6:.1f} | {found.bytes_on_disk / 1e6:.1f}"
            cells = f"{found.states:,} | {found.work:,} | {sizes} | {cpu:.3f} | {wall:.3f}"
            print(f"| {size} | {name} | {budget.threads} | {memory} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
