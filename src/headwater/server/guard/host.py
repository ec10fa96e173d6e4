"""A request must be for a name that this server was started for: a page elsewhere may have its own name resolve to our address."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.guard.request import single_header
from headwater.server.problems import problem
from headwater.server.settings import is_loopback

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class HostCheck:
    """Refuses requests for other names.

    A server that listens on every address of its machine is known by the machine's name, too, and by any address: nobody else's name
    can stand for that.
    """

    def __init__(self, app: ASGIApp, host: str, others: Iterable[str] = ()) -> None:
        self._app = app
        self._any_address = _is_any(host)
        names = {*_LOOPBACK, host, *others, *([socket.gethostname()] if self._any_address else [])}
        self._names = {name_of(name) for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if it is for us."""
        if scope["type"] == "http" and not self._is_ours(single_header(scope, b"host")):
            hint = "use the address that `headwater serve` printed, or start it with --allow-host NAME"
            await problem(403, "wrong-host", "this server does not answer under that name", hint)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str | None) -> bool:
        name = name_of(host or "")
        return bool(name) and (name in self._names or (self._any_address and _is_address(name)))


def name_of(host: str) -> str:
    """The name in a Host header, or in an option: without port, brackets and a last dot, in lower case.

    >>> name_of("[::1]:8765"), name_of("Localhost.:80"), name_of("::1")
    ('::1', 'localhost', '::1')
    """
    host = host.strip().lower()
    if host.startswith("["):
        name, closed, _ = host[1:].partition("]")
        return name if closed else ""
    if host.count(":") > 1:
        return host
    return host.partition(":")[0].removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_any(host: str) -> bool:
    return not is_loopback(host) and _is_address(name_of(host)) and ipaddress.ip_address(name_of(host)).is_unspecified
