"""Words of a command line as the user's shell takes them, for commands that messages propose."""

from __future__ import annotations

import os
import shlex
import subprocess

ON_WINDOWS = os.name == "nt"


def quoted(word: str) -> str:
    """A word in quotes where it needs them; all shells of Windows know double ones, not all single ones."""
    if not ON_WINDOWS:
        return shlex.quote(word)
    plain = subprocess.list2cmdline([word])  # it takes care of spaces and quotes only
    return f'"{word}"' if plain == word and set(word) & set("&|<>^()%;,@{}") else plain
