"""Standard output and error, made ready for what latcover prints."""

from __future__ import annotations

import io
import os
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
