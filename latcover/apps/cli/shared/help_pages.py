"""Help as it is printed: what a command does, how it is called, its options in panels, and examples.

Everything is printed as text, a name in brackets too. Without a terminal, the lines are those of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from msgspec import Struct

from latcover.apps.cli.shared.help_table import help_table

if TYPE_CHECKING:
    from rich.text import Text

WIDEST = 100  # columns: longer lines are hard to read
NAMES = 26  # columns of names; a longer one has a line of its own
KINDS = {"int": "N", "float": "X", "path": "FILE"}
EMPHASIS, NAME, VALUE, QUIET = "bold", "cyan", "green", "dim"


class Row(Struct, frozen=True):
    """A name, the value that it takes, what is said of it, and its default."""

    name: str
    value: str
    text: str
    default: str = ""

    @property
    def tag(self) -> str:
        """The name and the value."""
        return f"{self.name} {self.value}".strip()


def value_of(parameter: Any) -> str:
    """What an option takes, as a word; nothing for a switch."""
    if parameter.is_flag or getattr(parameter, "count", False):
        return ""
    if parameter.metavar:
        return str(parameter.metavar)
    described = getattr(parameter, "type_descriptor", None)  # typer had click's ``type`` before
    kind = described.annotation if described else parameter.type
    choices = getattr(kind, "__members__", None) or getattr(kind, "choices", None)
    if get_origin(kind) is Literal:
        choices = get_args(kind)
    if choices:
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    name = str(getattr(kind, "__name__", getattr(kind, "name", kind))).lower()
    return next((word for key, word in KINDS.items() if key in name), "TEXT")


def default_of(parameter: Any) -> str:
    """The default as words, where it is worth telling."""
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    default = getattr(parameter.default, "value", parameter.default)
    if not parameter.show_default or default is None or isinstance(default, bool) or callable(default):
        return ""
    if type(default).__module__ != "builtins":  # a sign of typer's for "nothing given"
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def shown(parameters: Iterable[Any], kind: str) -> list[Any]:
    """The options or arguments that help shows."""
    return [p for p in parameters if p.param_type_name == kind and not getattr(p, "hidden", False)]


def word_of(argument: Any) -> str:
    """An argument as usage shows it."""
    if "] [" in str(argument.metavar):  # several arguments that are told apart by what they are
        return str(argument.metavar)
    word = str(argument.metavar or argument.name.upper()).removesuffix("...").strip("[]")
    word += "..." if argument.nargs != 1 else ""
    return word if argument.required else f"[{word}]"


def print_command(command: Any, path: str) -> None:
    """The help of a command that is called by *path*."""
    arguments, options = (shown(command.params, kind) for kind in ("argument", "option"))
    usage = [word_of(argument) for argument in arguments] + (["[OPTIONS]"] if options else [])
    words = [word_of(each).replace("] [", ", ").removesuffix("]").removeprefix("[") for each in arguments]
    named = [Row(word, "", each.help or "") for word, each in zip(words, arguments, strict=True)]
    panels: dict[str, list[Row]] = {"": named}
    for option in options:
        row = Row(", ".join([*option.opts, *option.secondary_opts]), value_of(option), option.help or "")
        row = Row(row.name, row.value, row.text, default_of(option))
        panels.setdefault(option.rich_help_panel or "Options", []).append(row)
    _print(f"{path} {' '.join(usage)}", command.help or "", panels, command.epilog or "")


def print_group(group: Any, path: str, about: str, names: Sequence[str]) -> None:
    """The help of a group: a line for each of its commands, which help.toml has under these names."""
    panels: dict[str, list[Row]] = {}
    for name in names:
        texts = help_table()[name]
        panels.setdefault(texts.get("panel", "Commands"), []).append(Row(name.split()[-1], "", texts["line"]))
    options = [each for each in shown(group.params, "option") if each.opts != ["--show-completion"]]
    panels["Options"] = [Row(", ".join(each.opts), "", each.help or "") for each in options]
    _print(f"{path} COMMAND", about, panels, f"`{path} COMMAND --help` explains one.", max(map(len, names)))


def _print(usage: str, about: str, panels: dict[str, list[Row]], more: str, names: int = NAMES) -> None:
    """Print a page; a name of more than *names* letters has a line of its own."""
    from rich.console import Console

    from latcover.apps.cli.shared.output import screen_width, wants_colour

    width, coloured = min(screen_width(), WIDEST), wants_colour(None)
    console = Console(width=width, highlight=False, no_color=not coloured, force_terminal=coloured or None)
    for line in _lines(usage, about, panels, more, width, names):
        console.print(line, markup=False, emoji=False, soft_wrap=True)


def _lines(usage: str, about: str, panels: dict[str, list[Row]], more: str, width: int, names: int) -> Iterator[Text]:
    from rich.text import Text

    first, *paragraphs = about.split("\n\n")
    yield from (Text(line, EMPHASIS) for line in wrap(first, width))
    yield Text.assemble("\n", ("Usage: ", EMPHASIS), (usage, NAME))
    for paragraph in paragraphs:
        yield Text("\n" + fill(paragraph, width))
    fitting = [len(row.tag) for rows in panels.values() for row in rows if len(row.tag) <= names]
    column = max(fitting, default=names) + 4
    for title, rows in panels.items():
        if rows:
            yield Text(f"\n{title}" if title else "", EMPHASIS)
            for row in rows:
                yield from _row(row, column, width)
    heading, *rest = more.split("\n\n") if more else [""]
    if heading:
        yield Text("\n" + fill(heading, width), EMPHASIS if rest else "")
    for line in rest:
        yield Text(f"  {line}" if line.startswith("latcover ") else "\n" + fill(line, width))


def _row(row: Row, column: int, width: int) -> Iterator[Text]:
    """A row: the name with its value, and beside it, or below it if it is long, what is said of it."""
    from rich.text import Text

    said = f"{row.text} [default: {row.default}]" if row.default else row.text
    lines = wrap(said, max(20, width - column)) or [""]
    tag = Text.assemble("  ", (row.name, NAME), (f" {row.value}" if row.value else "", VALUE))
    if len(tag) + 2 > column:
        yield tag
    else:
        tag.pad_right(column - len(tag))
        yield tag + Text(lines.pop(0))
    yield from (Text(" " * column + line) for line in lines)
