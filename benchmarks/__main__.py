"""`python -m benchmarks NAME`, in the root of a checkout: every benchmark that is no command of latcover itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from importlib import import_module
from typing import Any

NAMES = {  # name -> module, whose function of that name gives the lines of its page
    "assembly": ("assembly", "how fast assemblies are taken apart"),
    "clients": ("clients", "how the web app bears a crowd"),
    "common_multiples": ("common_multiples", "a catalogue of common multiples: what is found, proved and checked"),
    "compare_counts": ("compare_counts", "counts by each method, and by two versions of latcover"),
    "exact_covers": ("exact_covers", "all exact covers of the authors of DXD, beside their program"),
    "giving_up": ("backend_tables", "the sizes of matching puzzles at which each backend gives up"),
    "instructions": ("instructions", "instructions a branch, counted by an emulator"),
    "known_figures": ("known_figures", "the commands of the known figures and of the atlases"),
    "optima": ("backend_tables", "which backend finds and proves an optimum soonest"),
    "page": ("page", "the page of benchmarks, of the results that are there"),
    "packings": ("backend_tables", "which backend is the best for which packing"),
    "rules": ("backend_tables", "which backend is the best for which rule on parts"),
    "shuffles": ("shuffles", "one cover of shuffled problems: how much is luck"),
    "simulate_cluster": ("simulate_cluster", "a very long search on a cluster, simulated"),
    "waits": ("waits", "the commands that users wait for, beside another installation"),
    "wasm": ("wasm", "the engine of a page beside the native kernel"),
}


def main(words: Sequence[str]) -> None:
    """Run a benchmark, and print its lines as they come."""
    if not words or words[0] not in NAMES:
        width = max(map(len, NAMES))
        print("usage: python -m benchmarks NAME [OPTIONS]; --help tells those of a NAME", file=sys.stderr)
        sys.exit("\n".join(f"  {name:{width}}  {about}" for name, (_, about) in NAMES.items()))
    import typer

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    module = import_module(f"benchmarks.{NAMES[words[0]][0]}")
    app.command()(_printing(getattr(module, words[0])))
    app(list(words[1:]), prog_name=f"python -m benchmarks {words[0]}")


def _printing(measure: Callable[..., Iterator[str]]) -> Callable[..., None]:
    """A command of the same options that prints the lines; an error of latcover is one sentence."""
    from latcover.errors import LatcoverError

    @wraps(measure)
    def command(**options: Any) -> None:
        try:
            for line in measure(**options):
                print(line, flush=True)
        except LatcoverError as fault:
            sys.exit(str(fault))

    return command


if __name__ == "__main__":
    sys.path.append(sys.path.pop(0))  # the checkout, last: its folder `latcover` is not what is installed
    main(sys.argv[1:])
