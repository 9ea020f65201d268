"""Imports of packages that may be missing or broken: one sentence says what to do about it."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from latcover.errors import BackendUnavailableError
from latcover.system.terminal import quoted

NAME = "latcover"
NO_MEMORY = ("failed to map segment", "cannot allocate memory")  # what a loader says; it has no error of its own


def require(what: str, modules: tuple[str, ...], *, extra: str, hint: str = "") -> ModuleType:
    """Import *modules*, and give the last of them.

    Args:
        what: Who needs them, for the message: "the web app".
        extra: The extra of latcover's that holds their packages, or the name of a package.
        hint: How to do without them.

    Raises:
        MemoryError: there is not enough memory to load one.
        BackendUnavailableError: some are not installed, or one is and cannot be imported.
    """
    missing: dict[str, None] = {}
    module = ModuleType(NAME)
    for name in modules:
        package = name.partition(".")[0]
        try:
            import_module(package)
            module = import_module(name)
        except Exception as fault:  # packages that do not fit together raise anything
            if isinstance(fault, ModuleNotFoundError) and fault.name == package:
                missing[package] = None
                continue
            if isinstance(fault, MemoryError) or any(words in str(fault).lower() for words in NO_MEMORY):
                raise MemoryError(f"{what} cannot load {package}: {fault}") from None
            reason = " ".join(f"{type(fault).__name__}: {fault}".split())
            raise BackendUnavailableError(
                f"{what} needs {package}, which is installed but cannot be loaded ({reason}); install it again with: "
                f"pip install --force-reinstall {_packages(extra)}{hint and f' ({hint})'}"
            ) from None
    if missing:
        raise BackendUnavailableError(
            f"{what} needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed; "
            f"install with: {install_line(extra)}{hint and f' ({hint})'}"
        )
    return module


def install_line(extra: str) -> str:
    """The command that installs an extra, or a package, where latcover itself came from.

    No package index has latcover. A copy that was installed from a checkout is installed from there again. For any
    other copy the packages are named one by one.
    """
    place = _checkout() if _requirements(extra) else None
    return f"pip install {quoted(f'{place}[{extra}]') if place else _packages(extra)}"


def _packages(extra: str) -> str:
    return " ".join(map(quoted, _requirements(extra))) or extra


def _requirements(extra: str) -> list[str]:
    """What an extra of latcover's stands for; empty if it is no extra, or latcover was not installed."""
    from importlib import metadata  # slow, and only a message needs it

    try:
        lines = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        return []
    parted = [line.partition(";") for line in lines]
    return [need.strip() for need, _, marker in parted if re.search(rf"""extra == ["']{extra}["']""", marker)]


def _checkout() -> Path | None:
    """The folder from which latcover was installed, if it is still there."""
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(metadata.distribution(NAME).read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return None
    url = urlsplit(str(origin.get("url", "")))
    place = Path(url2pathname(url.path))
    return place if "dir_info" in origin and url.scheme == "file" and (place / "pyproject.toml").is_file() else None
