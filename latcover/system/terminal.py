"""Standard output and error, made ready for what latcover prints; and the words of the commands that it proposes."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys

ON_WINDOWS = sys.platform == "win32"


def prepare() -> None:
    """Let both take every character, and colours where there is a terminal.

    What the terminal's encoding lacks is escaped. Windows has an old encoding for files and pipes; ours there are
    UTF-8, unless the user asks for another one.
    """
    chosen = "PYTHONIOENCODING" in os.environ
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            as_utf_8 = ON_WINDOWS and not chosen and not stream.isatty()
            stream.reconfigure(encoding="utf-8" if as_utf_8 else None, errors="backslashreplace")
    if ON_WINDOWS:
        _let_consoles_obey_colours()


def _let_consoles_obey_colours() -> None:
    import colorama

    colorama.just_fix_windows_console()


def quoted(word: str) -> str:
    """A word of a command line as the user's shell takes it, in quotes where it needs them.

    All shells of Windows know double quotes, but not all know single ones.
    """
    if not ON_WINDOWS:
        return shlex.quote(word)
    plain = subprocess.list2cmdline([word])  # it takes care of spaces and quotes only
    return f'"{word}"' if plain == word and set(word) & set("&|<>^()%;,@{}") else plain
