"""How help is laid out: the panel in which each option stands, and examples of each command."""

from __future__ import annotations

from typing import Any

PANELS = {
    "Cuts of a region": "cut sizes holes forbid different no-mirrors asymmetric one-order hard walks walk",
    "Sets of parts, and regions": "regions symmetric both-hands search samples",
    "Pictures": "view letters patterns",
    "On paper": "paper landscape columns title dpi",
    "Models to print": "all-parts edge clearance chamfer thickness explode",
    "Taking apart": "assemblable assembly steps reverse instructions states in-plane",
    "Long searches": "run cluster threads",
    "Limits": "limit time max-branches memory max-cells max-placements",
    "How it searches (for experts)": (
        "backend method size strand stranding option reduction pivot order search-anyway proof sat-exit-codes"
    ),
    "Messages": "color progress json verbose quiet",
}
EXAMPLES = {
    "solve": ("latcover solve soma", "latcover solve mine.toml --limit 1"),
    "count": ("latcover count pent-10x6", "latcover count cube.xmpuzzle --problem 2 --symmetry rotations"),
    "info": ("latcover info soma", "latcover info hexagonal"),
    "check": ("latcover check mine.toml", "latcover check FOLDER"),
    "assemble": ("latcover assemble burr-dubois", "latcover assemble burr-dubois --solution 2 --output apart.html"),
    "show": (
        "latcover show soma --output soma.html",
        "latcover show soma --all-parts --edge 15 --output soma.3mf",
        "latcover show burr-piston --solution 2 --instructions --output build.pdf",
    ),
    "pieces": ("latcover pieces hexagonal 4", "latcover pieces square 5 --one-sided --output pieces.toml"),
    "design": ("latcover design --cut 5 cubic:4x4x4 --seed 1", "latcover design family.toml --unique --output designs"),
    "board": ("latcover board square:4x4 --values 4 --output board.toml",),
    "difficulty": ("latcover difficulty soma mayblox",),
    "compare": ("latcover compare pent-10x6 --backends dlx,bitset",),
    "estimate": ("latcover estimate bedlam",),
    "export": ("latcover export soma --output soma.xmpuzzle", "latcover export soma dimacs --output soma.cnf"),
    "import": ("latcover import cube.xmpuzzle --output cube.toml",),
    "decode": ("latcover decode soma answer.txt --count",),
    "resume": ("latcover resume soma.run --time 3600",),
    "runs": ("latcover runs soma.run --solutions",),
    "serve": ("latcover serve", "latcover serve --port 0"),
}
_PANEL_OF = {option: panel for panel, options in PANELS.items() for option in options.split()}


def arrange(command: Any, name: str) -> Any:
    """Put the options of *command* into their panels, and its examples below them; return it."""
    for parameter in command.params:
        if parameter.param_type_name == "option":
            parameter.rich_help_panel = _PANEL_OF.get(parameter.opts[0].lstrip("-"))
    command.params.sort(key=_place)
    if name in EXAMPLES:
        command.epilog = "\n\n".join(("Examples:", *EXAMPLES[name]))
    return command


def _place(parameter: Any) -> int:
    """Where the panel of a parameter stands among the panels; what has none comes first."""
    panel = getattr(parameter, "rich_help_panel", None)
    return [*PANELS].index(panel) if panel in PANELS else -1
