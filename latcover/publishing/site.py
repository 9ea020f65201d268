"""A site as files, and how it gets into a folder. The same puzzles give the same bytes on every machine."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from latcover.backends.wasm import module, script
from latcover.drawing.space.linking import linked, static_text
from latcover.errors import PuzzleError, counted
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.publishing.exhibits import Exhibit
from latcover.publishing.pages import gallery_page, puzzle_page
from latcover.system.files import write_whole

MARKER = "latcover-site.json"  # says which files of a folder are ours
WORKER = "worker.js"
PACKAGES = ("latcover.publishing", "latcover.drawing.space")
STYLES = ("look.css", "cards.css", "viewer.css", "play.css", "site.css")
Files = dict[str, bytes]  # by path within the site, with /


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: how many puzzles and files, and their bytes in all."""

    puzzles: int
    files: int
    size: int
    folder: Path

    def __str__(self) -> str:
        size = f"{self.size / 1e6:.1f} MB" if self.size >= 1e6 else f"{self.size / 1e3:.0f} kB"
        return f"wrote {self.folder}: {counted(self.puzzles, 'puzzle')}, {counted(self.files, 'file')}, {size}"


def site_files(title: str, shown: Sequence[Exhibit], home: str = "") -> Files:
    """All files of a site but the marker, at least one puzzle. *home*: a page to which a gallery links, if any."""
    files: Files = {name: static_text(name, PACKAGES).encode() for name in (*STYLES, "icon.svg")}
    files["engine.js"] = _engine()
    files["puzzle.js"] = _bundle("puzzle")
    files["offline.js"] = _bundle("offline")
    alone = len(shown) == 1
    for one in shown:
        page = puzzle_page(title, one, alone=alone).encode()
        files["index.html" if alone else f"puzzles/{one.name}.html"] = page
        files[f"puzzles/{one.name}.js"] = f"globalThis.latcoverPuzzle = {_json(one.data)};\n".encode()
        files[f"puzzles/{one.name}.toml"] = puzzle_as_toml([one.puzzle]).encode()
        files[f"pictures/{one.name}.svg"] = one.picture.encode()
    if not alone:
        files["index.html"] = gallery_page(title, shown, home).encode()
        files["gallery.js"] = _bundle("gallery")
    files["site.webmanifest"] = _manifest(title)
    files[WORKER] = _worker(files)
    return dict(sorted(files.items()))


def _bundle(main: str) -> bytes:
    return f'"use strict";\n(() => {{\n{linked(main, PACKAGES)}\n}})();\n'.encode()


def _engine() -> bytes:
    """The engine, its module, and what a worker of it runs: a page that was opened as a file can fetch nothing."""
    more = {"wasm": b64encode(module()).decode("ascii"), "searching": linked("search_worker", PACKAGES)}
    return f"{script()}\nObject.assign(globalThis.latcover, {_json(more)});\n".encode()


def _json(data: Any) -> str:
    """Plain data as an expression of JavaScript."""
    return json.dumps(data, separators=(",", ":"))


def _manifest(title: str) -> bytes:
    about = {
        "name": title,
        "short_name": title,
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f6f9",
        "theme_color": "#1f4f8f",
        "icons": [{"src": "icon.svg", "type": "image/svg+xml", "sizes": "any"}],
    }
    return (json.dumps(about, indent=1) + "\n").encode()


def _worker(files: Mapping[str, bytes]) -> bytes:
    """The service worker, which keeps every file of the site. Its version changes when any file does."""
    version = sha256()
    for name, content in sorted(files.items()):
        version.update(f"{name} {len(content)} ".encode() + content)
    text = static_text(WORKER, PACKAGES)
    listed = [quote(name) for name in sorted(files)]
    return (
        f'const VERSION = "{version.hexdigest()[:16]}";\nconst FILES = {json.dumps(listed, indent=0)};\n{text}'.encode()
    )


def require_free(folder: Path) -> None:
    """Refuse a folder that holds anything but a site of ours. Call it before the work.

    Raises:
        PuzzleError: it is no folder, or holds files that are not of a site; or files of the site were changed by hand.
    """
    _known(folder)


def write_site(folder: Path, files: Mapping[str, bytes], puzzles: int) -> Written:
    """Write a site into a folder, which is made. It replaces a site of ours, and nothing else.

    Raises:
        PuzzleError: the folder holds other files, or cannot be written.
    """
    known = _known(folder)
    clash = next((name for name in files if name not in known and (folder / name).exists()), None)
    if clash is not None:
        raise PuzzleError(f"{folder / clash} is not of this site, and would be lost; move it away")
    digests = {name: [_digest(content)] for name, content in files.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Until all is written, the marker tells both sites: whatever ends the writing, all files are still known.
        _mark(folder, {name: [*known.get(name, ()), *digests.get(name, ())] for name in {**known, **digests}})
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if not (folder / name).exists() or (folder / name).read_bytes() != content:
                write_whole(folder / name, [content])
        for name in known.keys() - files.keys():
            (folder / name).unlink(missing_ok=True)
        _mark(folder, digests)
    except OSError as fault:
        raise PuzzleError(f"cannot write the site into {folder}: {fault.strerror or fault}") from None
    return Written(puzzles, len(files), sum(map(len, files.values())), folder)


def _mark(folder: Path, digests: Mapping[str, Sequence[str]]) -> None:
    """Write the marker."""
    about = {"made by": "latcover publish", "files": dict(sorted(digests.items()))}
    write_whole(folder / MARKER, [(json.dumps(about, indent=1) + "\n").encode()])


def _known(folder: Path) -> dict[str, list[str]]:
    """The files of the site that a folder holds, with what they may hold; none if there is no folder, or it is empty.

    Raises:
        PuzzleError: as `require_free`.
    """
    try:
        present = [path for path in folder.iterdir() if not path.name.startswith(".")] if folder.exists() else []
        if not present:
            return {}
        files = json.loads((folder / MARKER).read_text("utf-8"))["files"]
        known = {str(name): [str(digest) for digest in digests] for name, digests in files.items()}
        inside = all(
            name.isprintable() and not Path(name).is_absolute() and ".." not in Path(name).parts for name in known
        )
    except NotADirectoryError:
        raise PuzzleError(f"{folder} is a file; name a folder for the site") from None
    except FileNotFoundError:
        raise PuzzleError(
            f"{folder} holds other files ({min(present).name}, for example), and no site of latcover's; "
            "name a new or an empty folder"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        inside = False
    if not inside:
        raise PuzzleError(
            f"{folder / MARKER} cannot be read, so it is not known which files are of the site; "
            "name a new or an empty folder"
        )
    for name, digests in known.items():
        path = folder / name
        try:
            ours = not path.exists() or (path.is_file() and _digest(path.read_bytes()) in digests)
        except OSError as fault:
            raise PuzzleError(f"cannot read {path}: {fault.strerror or fault}") from None
        if not ours:
            raise PuzzleError(f"{path} was changed since latcover wrote it; move it away, or name a new folder")
    return known


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]
