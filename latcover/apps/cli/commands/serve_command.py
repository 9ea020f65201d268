"""The commands `serve` and `open`: the web app, alone and on a puzzle."""

from __future__ import annotations

import socket
import webbrowser
import zlib
from base64 import urlsafe_b64encode
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Meta

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import MessageOptions
from latcover.apps.cli.shared.output import echo, say
from latcover.core.model.request_values import RegionSymmetries
from latcover.errors import UnsupportedError
from latcover.system.extras import require
from latcover.system.streams import own_address

if TYPE_CHECKING:
    from latcover.apps.web.settings import Settings

PUBLISHER = "latcover.apps.workshop.publish:site_of"  # makes the sites that the app saves
PAGE = "puzzle"  # of the app
LONGEST = 8000  # characters, as in carried.js
PACKAGES = ("anyio", "httptools", "starlette.applications", "uvicorn.protocols.http.httptools_impl")


def serve(
    *,
    host: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000,
    allow_host: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    runs: RegionSymmetries | None = None,
    time: Annotated[float, Meta(ge=1, title="SECONDS")] = 600.0,
    memory: Annotated[int, Meta(ge=500, title="MB")] = 4000,
    messages: MessageOptions,
) -> None:
    from latcover.apps.web.settings import MEGABYTE, Settings

    require("the web app", PACKAGES, extra="web")
    usual = Settings()
    settings = Settings(
        runs=runs or usual.runs,
        seconds=time,
        life=max(usual.life, 2 * time),
        memory=memory * MEGABYTE,
        hosts=(*(allow_host or ()), *(() if _is_address(host) else (host,))),
        publisher=PUBLISHER,
    )
    listening = _listening(host, port)
    if not _is_loopback(host):
        say(
            f"warning: everybody who can reach {host} can run searches on this machine; the server has no passwords",
            messages,
        )
    echo(f"latcover is served at {_address(host, listening)} (Ctrl-C ends it)")
    _serve(settings, listening, messages)


def open_app(
    puzzle: Annotated[str | None, typer.Argument(autocompletion=completion.puzzles)] = None,
    *,
    port: Annotated[int, Meta(ge=0, le=65535)] = 0,
    browser: bool = True,
    messages: MessageOptions,
) -> None:
    from latcover.apps.web.settings import Settings

    require("the web app", PACKAGES, extra="web")
    page = "" if puzzle is None else _page_of(puzzle)
    listening = _listening("127.0.0.1", port)
    address = f"{_address('127.0.0.1', listening)}{page}"
    opened = browser and webbrowser.open(address)
    echo(f"latcover is {'open' if opened else 'served'} at {address} (Ctrl-C ends it)")
    _serve(Settings(publisher=PUBLISHER), listening, messages)


def _page_of(puzzle: str) -> str:
    """The address of the page on a puzzle: by its name if it is shipped, else with the whole file in it."""
    from latcover.files.formats.library import load_all
    from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.files.formats.source import names

    if puzzle in names("instances") or puzzle in names("goals"):
        return f"#{PAGE}/{puzzle}"
    word = urlsafe_b64encode(zlib.compress(puzzle_as_toml(load_all(puzzle)).encode(), 9)).decode().rstrip("=")
    if len(word) > LONGEST:
        raise UnsupportedError(
            f"{puzzle} is too large for an address; type `latcover open`, and drop the file on the page Files"
        )
    return f"#{PAGE}/={word}"


def _serve(settings: Settings, listening: socket.socket, messages: MessageOptions) -> None:
    from latcover.apps.web.serving import serve as serve_app

    with suppress(KeyboardInterrupt):  # the server raises it again after an orderly end
        serve_app(settings, listening, verbose=messages.verbose)


def _address(host: str, listening: socket.socket) -> str:
    return f"http://{_shown(host)}:{listening.getsockname()[1]}/"


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound to the address.

    Raises:
        UnsupportedError: the address cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        own_address(listening)
        listening.bind(address)
        listening.listen()  # a browser that connects before the app is ready waits
    except (OSError, UnicodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise UnsupportedError(
            f"cannot listen at {host}, port {port}: {why}; choose another with --host or --port (0: any that is free)"
        ) from None
    return listening


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return ip_address(host).is_loopback if _is_address(host) else host == "localhost"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
