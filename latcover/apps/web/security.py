"""Who may use the server: its own pages, under its own name. Headers tell browsers what these pages may do."""

from __future__ import annotations

import re
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What a Host header may say: a name, or an address of IPv6 in brackets, and a port. Nothing else stands in it: no user,
# no path.
AUTHORITY = re.compile(r"(?:(?P<name>[\w.-]+)|\[(?P<address>[0-9A-Fa-f:.]+)\])(?::[0-9]*)?", re.ASCII)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval' blob:",  # the engine, and the workers made of its text
        "worker-src 'self' blob:",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Refuses requests under other names than the server's, because another site's name may point to this machine.

    Refuses changes that a page of another site asks for. Adds the security headers to every answer.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower().rstrip(".") for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif refusal is not None:
            await refusal(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            text = f"this server is not called {host[:200]!r}; if it should be, start it with --allow-host\n"
            return PlainTextResponse(text, 421)
        if scope["method"] in SAFE_METHODS or _same_origin(headers, host):
            return None
        return PlainTextResponse("only pages of this server may change anything here\n", 403)

    def _is_ours(self, host: str) -> bool:
        """Whether it is a name of this server, or an IP address, which cannot be another site's name."""
        said = AUTHORITY.fullmatch(host)
        if said is None:
            return False
        name = said["name"] or said["address"]
        if name.lower().removesuffix(".") in self._hosts:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether a request comes from a page of this server, or from a program that is no browser."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    return origin in (f"http://{host}", f"https://{host}")
