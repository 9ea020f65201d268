"""The search and the disassembler for JavaScript: the files of a page that solves without a server. engine.js explains them."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SCRIPTS = ("engine.js", "engine_worker.js")
_IMPORT = re.compile(r"^import \{[^}]*\} from \"[^\"]*\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)


@cache
def module() -> bytes:
    """The bytes of ``latcover.wasm``."""
    return files(__name__).joinpath("latcover.wasm").read_bytes()


@cache
def script() -> str:
    """``engine.js`` and ``engine_worker.js`` as one classic script, which a page can hold in itself.

    It defines ``globalThis.latcover`` = ``{Engine, EngineError, EngineWorker}``.
    """
    texts = [files(__name__).joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS]
    names = sorted(name.strip() for text in texts for found in _EXPORT.findall(text) for name in found.split(","))
    body = "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)
    return f'(() => {{\n"use strict";\n{body}\nglobalThis.latcover = {{ {", ".join(names)} }};\n}})();\n'
