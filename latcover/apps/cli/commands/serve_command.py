"""The command `serve`: the web app."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import Annotated

import typer
from msgspec import Meta

from latcover.apps.cli.shared.options import MessageOptions, expanded
from latcover.apps.cli.shared.output import echo, say
from latcover.core.model.request_values import RegionSymmetries
from latcover.errors import UnsupportedError
from latcover.system.extras import require
from latcover.system.streams import own_address

PACKAGES = ("anyio", "httptools", "starlette.applications", "uvicorn.protocols.http.httptools_impl")


@expanded
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
    require("the web app", PACKAGES, extra="web")
    from latcover.apps.web.serving import serve as serve_app
    from latcover.apps.web.settings import MEGABYTE, Settings

    usual = Settings()
    settings = Settings(
        runs=runs or usual.runs,
        seconds=time,
        life=max(usual.life, 2 * time),
        memory=memory * MEGABYTE,
        hosts=(*(allow_host or ()), *(() if _is_address(host) else (host,))),
    )
    listening = _listening(host, port)
    if not _is_loopback(host):
        say(
            f"warning: everybody who can reach {host} can run searches on this machine; the server has no passwords",
            messages,
        )
    echo(f"latcover is served at http://{_shown(host)}:{listening.getsockname()[1]}/ (Ctrl-C ends it)")
    with suppress(KeyboardInterrupt):  # the server raises it again after an orderly end
        serve_app(settings, listening, verbose=messages.verbose)


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
