"""A puzzle's page as one file that holds all it needs, to be sent to anybody: it opens without a network."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from urllib.parse import quote

from latcover.apps.publishing.exhibits import Exhibit
from latcover.apps.publishing.pages import POLICY
from latcover.apps.publishing.site import site_files

LINK = re.compile(r'<link rel="(?:stylesheet|icon|manifest)" href="([^"]*)"[^>]*>\n')
SCRIPT = re.compile(r'<script defer src="([^"]*)"></script>\n')
LEFT_OUT = ("offline.js",)  # it keeps a site, of which there is none


def single_page(one: Exhibit) -> bytes:
    """The page of a puzzle. Its policy names its own scripts and styles: the browser runs and loads nothing else."""
    files = site_files(one.title, [one])
    page = files["index.html"].decode()
    named = [name for name in LINK.findall(page) if name.endswith(".css")]
    style = "".join(files[name].decode() for name in named)
    wanted = [name for name in SCRIPT.findall(page) if name not in LEFT_OUT]
    scripts = [files[name].decode().replace("</script", "<\\/script") for name in wanted]
    icon = _data("image/svg+xml", files["icon.svg"])
    toml = f"puzzles/{quote(one.name)}.toml"
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_hashed, scripts))} 'wasm-unsafe-eval' blob:; worker-src blob:; "
        f"style-src {_hashed(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    page = SCRIPT.sub("", LINK.sub("", page)).replace(POLICY, policy)
    page = page.replace('src="icon.svg"', f'src="{icon}"')
    held = _data("application/toml", files[f"puzzles/{one.name}.toml"])
    page = page.replace(f'href="{escape(toml)}" download', f'href="{held}" download="{escape(one.name)}.toml"')
    page = page.replace("</title>\n", f'</title>\n<link rel="icon" href="{icon}">\n<style>{style}</style>\n', 1)
    last = "".join(f"<script>{script}</script>\n" for script in scripts)
    return page.replace("</body>", f"{last}</body>").encode()


def _hashed(text: str) -> str:
    """The name of an inline script or style in a content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode('ascii')}"
