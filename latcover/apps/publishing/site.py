"""Make the files of a site, and write them to a folder. Equal puzzles give equal bytes on every machine."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from latcover.apps.publishing.exhibits import Exhibit
from latcover.apps.publishing.pages import SITE_LIST, WORKSHOP, gallery_page, puzzle_page
from latcover.backends.wasm import module, script
from latcover.errors import PuzzleError, PuzzleFileError, counted
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import source_at
from latcover.show.drawing.space.linking import linked, static_text
from latcover.show.printing.sheets import png
from latcover.system.files import write_whole
from latcover.system.reading import holds, opened

MARKER = "latcover-site.json"  # lists the files of a site
WORKER = "worker.js"
PACKAGES = ("latcover.apps.publishing", "latcover.show.drawing.space")
STYLES = ("look.css", "cards.css", "widgets.css", "viewer.css", "play.css", "site.css")
MANIFEST = {
    "name": "",
    "short_name": "",
    "start_url": "index.html",
    "scope": "./",
    "display": "standalone",
    "background_color": "#f4f6f9",
    "theme_color": "#1f4f8f",
    "icons": [{"src": "icon.svg", "type": "image/svg+xml", "sizes": "any"}],
}
Files = dict[str, bytes]  # by path within the site, with /


class SiteSummary(Struct, frozen=True):
    """The numbers of puzzles, files and bytes of a site that was written."""

    puzzles: int
    files: int
    size: int
    folder: Path

    def __str__(self) -> str:
        size = f"{self.size / 1e6:.1f} MB" if self.size >= 1e6 else f"{self.size / 1e3:.0f} kB"
        return f"wrote {self.folder}: {counted(self.puzzles, 'puzzle')}, {counted(self.files, 'file')}, {size}"


def site_files(
    title: str,
    shown: Sequence[Exhibit],
    home: str = "",
    *,
    spoilt: bool = True,
    address: str = "",
    more: Files | None = None,
    alone: bool | None = None,
) -> Files:
    """All files of a site except the marker, for at least one puzzle or with a first page of *more*.

    Args:
        home: The page to which a gallery links.
        spoilt: Whether cards show solutions to those who have found none.
        address: Where the site will be; "" if that is not known. With it, previews of links have a picture.
        more: Further files, of a workshop; the gallery and the pages of puzzles lead to its page.
        alone: Whether the only puzzle is the first page; by default, if there are no further files.

    Raises:
        MissingPackageError: there is an address, and what draws PNG is not installed.
    """
    files: Files = {name: static_text(name, PACKAGES).encode() for name in (*STYLES, "icon.svg")}
    files["engine.js"] = engine_script()
    files["puzzle.js"] = bundle("puzzle")
    files["offline.js"] = bundle("offline")
    more = more or {}
    alone = (len(shown) == 1 and not more) if alone is None else alone
    for one in shown:
        page = puzzle_page(title, one, alone=alone, address=address, workshop=WORKSHOP in more)
        files["index.html" if alone else f"puzzles/{one.name}.html"] = page.encode()
        files[f"puzzles/{one.name}.js"] = f"globalThis.latcoverPuzzle = {as_script(one.data)};\n".encode()
        files[f"puzzles/{one.name}.toml"] = puzzle_as_toml([one.puzzle]).encode()
        files[f"pictures/{one.name}.svg"] = one.picture.encode()
        if not spoilt and not alone:
            files[f"pictures/{one.name}-outline.svg"] = one.outline.encode()
    if not alone:
        files[SITE_LIST] = f"globalThis.latcoverSite = {as_script([_listed(one) for one in shown])};\n".encode()
    if address:
        previews = [one.picture if spoilt else one.outline for one in shown]
        files |= {f"pictures/{one.name}.png": made for one, made in zip(shown, png(previews), strict=True)}
    if not alone and "index.html" not in more:
        page = gallery_page(title, shown, home, spoilt=spoilt, address=address, workshop=WORKSHOP in more)
        files["index.html"] = page.encode()
        files["gallery.js"] = bundle("gallery")
    files |= more
    manifest = {**MANIFEST, "name": title, "short_name": title}
    files["site.webmanifest"] = (json.dumps(manifest, indent=1) + "\n").encode()
    files[WORKER] = _worker(files)
    return dict(sorted(files.items()))


class ListedPuzzle(Struct, frozen=True):
    """A puzzle as the pages of the others know it. ``solvable``: whether it is not known to have no solution."""

    name: str
    title: str
    digest: str
    solvable: bool


def _listed(one: Exhibit) -> ListedPuzzle:
    return ListedPuzzle(one.name, one.title, one.data.puzzle.digest, one.puzzle.expect.get("different") != 0)


def bundle(main: str, packages: tuple[str, ...] = PACKAGES) -> bytes:
    """A module and its imports as one classic script, which a page opened as a file can load."""
    return f'"use strict";\n(() => {{\n{linked(main, packages)}\n}})();\n'.encode()


def engine_script() -> bytes:
    """The engine, its module and its worker's script in one, since a page opened as a file can fetch nothing."""
    more = {"wasm": b64encode(module()).decode("ascii"), "searching": linked("search_worker", PACKAGES)}
    return f"{script()}\nObject.assign(globalThis.latcover, {as_script(more)});\n".encode()


def as_script(data: object) -> str:
    """Data as a JavaScript expression, on one line for every reader."""
    return msgspec.json.encode(data).decode().replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _worker(files: Mapping[str, bytes]) -> bytes:
    """The service worker, which caches every file of the site. Its version changes with any file."""
    version = sha256()
    for name, content in sorted(files.items()):
        version.update(f"{name} {len(content)} ".encode() + content)
    text = static_text(WORKER, PACKAGES)
    listed = [quote(name) for name in sorted(files)]
    return (
        f'const VERSION = "{version.hexdigest()[:16]}";\nconst FILES = {json.dumps(listed, indent=0)};\n{text}'.encode()
    )


def write_site(folder: Path, files: Mapping[str, bytes], puzzles: int) -> SiteSummary:
    """Write a site into a new folder, or in place of an older site.

    Raises:
        PuzzleError: the folder holds other files, or cannot be written.
    """
    known = known_files(folder)
    clash = next((name for name in files if name not in known and (folder / name).exists()), None)
    if clash is not None:
        raise PuzzleError(f"{folder / clash} is not of this site, and would be lost; move it away")
    digests = {name: [_digest(content)] for name, content in files.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # During the writing, the marker lists the files of both sites, so that an interruption leaves no unknown file.
        _mark(folder, {name: [*known.get(name, ()), *digests.get(name, ())] for name in {**known, **digests}})
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if not holds(folder / name, content):
                write_whole(folder / name, [content])
        for name in known.keys() - files.keys():
            (folder / name).unlink(missing_ok=True)
        _mark(folder, digests)
    except OSError as fault:
        raise PuzzleError(f"cannot write the site into {folder}: {fault.strerror or fault}") from None
    return SiteSummary(puzzles, len(files), sum(map(len, files.values())), folder)


def _mark(folder: Path, digests: Mapping[str, Sequence[str]]) -> None:
    """Write the marker."""
    about = {"made by": "latcover publish", "files": dict(sorted(digests.items()))}
    write_whole(folder / MARKER, [(json.dumps(about, indent=1) + "\n").encode()])


def known_files(folder: Path) -> dict[str, list[str]]:
    """The files of the site in a folder, with the digests that each may have; none in a new folder.

    Raises:
        PuzzleError: it is no folder, or holds files that are not of a site; or files of the site were changed by hand.
    """
    try:
        present = [path for path in folder.iterdir() if not path.name.startswith(".")] if folder.exists() else []
        if not present:
            return {}
        if not (folder / MARKER).exists():
            other = min(present).name
            what = f"holds other files ({other}, for example), and no site of latcover's"
            raise PuzzleError(f"{folder} {what}; name a new or an empty folder")
        files = json.loads(source_at(folder / MARKER).text())["files"]
        known = {str(name): [str(digest) for digest in digests] for name, digests in files.items()}
        inside = all(
            name.isprintable() and not Path(name).is_absolute() and ".." not in Path(name).parts for name in known
        )
    except NotADirectoryError:
        raise PuzzleError(f"{folder} is a file; name a folder for the site") from None
    except (PuzzleFileError, OSError, ValueError, KeyError, TypeError, AttributeError):
        inside = False
    if not inside:
        raise PuzzleError(
            f"{folder / MARKER} cannot be read, so it is not known which files are of the site; "
            "name a new or an empty folder"
        )
    for name, digests in known.items():
        path = folder / name
        try:
            ours = not path.exists() or (path.is_file() and _digest_of(path) in digests)
        except OSError as fault:
            raise PuzzleError(f"cannot read {path}: {fault.strerror or fault}") from None
        if not ours:
            raise PuzzleError(f"{path} was changed since latcover wrote it; move it away, or name a new folder")
    return known


def _digest_of(path: Path) -> str:
    with opened(path) as file:
        return file_digest(file, sha256).hexdigest()[:32]


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]
