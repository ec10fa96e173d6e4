"""A request that comes from a page must come from one of ours: no other page may ask, not even blindly.

Browsers say where a request comes from: `Origin` with everything that is sent, `Sec-Fetch-Site` with nearly everything. Other programs say
neither.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.guard.request import headers, is_question, single_header
from headwater.server.problems import problem

_OURS = ("same-origin", "none")


class OriginCheck:
    """Refuses requests from other pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if it is from our page, or from no page."""
        if scope["type"] == "http" and not (_origin_is_ours(scope) and _site_is_ours(scope)):
            await problem(403, "wrong-origin", "another page may not ask this server")(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _origin_is_ours(scope: Scope) -> bool:
    found = headers(scope, b"origin")
    if not found:
        return True
    try:
        origin = urlsplit(found[0])
    except ValueError:
        return False
    host = single_header(scope, b"host") or ""
    return len(found) == 1 and origin.scheme in ("http", "https") and origin.netloc.lower() == host.lower()


def _site_is_ours(scope: Scope) -> bool:
    """Somebody may follow a link to the page, from wherever; questions come from the page itself."""
    site = single_header(scope, b"sec-fetch-site")
    return site is None or site in _OURS or (scope["method"] in ("GET", "HEAD") and not is_question(scope))
