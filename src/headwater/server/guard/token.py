"""Who asks must know the token, if there is one: in a header, or in a cookie that the page's address with the token in it sets.

The page itself holds nothing and is given to anybody, else somebody who follows a link from elsewhere would be turned away: browsers keep a
strict cookie back on that way. What the page then asks, it asks with the cookie. The cookie holds no token but what is derived from it,
and is named after the port, for browsers do not tell the servers of one machine apart.
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import parse_qsl, quote, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.guard.request import headers, is_question, single_header
from headwater.server.problems import problem

_PARAMETER = "token"
_LONGEST_COOKIES = 16_000


class TokenCheck:
    """Refuses requests without the token."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if who asks may, or lets anybody."""
        if scope["type"] != "http" or self._token is None:
            await self._app(scope, receive, send)
            return
        if is_question(scope):
            known = self._by_header(scope, self._token) or self._by_cookie(scope, self._token)
            answer = self._app if known else _unknown()
        else:
            answer = self._welcome(scope, self._token) or self._app
        await answer(scope, receive, send)

    def _by_header(self, scope: Scope, token: bytes) -> bool:
        kind, _, given = (single_header(scope, b"authorization") or "").partition(" ")
        return kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode("latin-1"), token)

    def _by_cookie(self, scope: Scope, token: bytes) -> bool:
        given = _cookie(scope, _cookie_name(scope))
        return given is not None and hmac.compare_digest(given.encode(), _derived(token).encode())

    def _welcome(self, scope: Scope, token: bytes) -> ASGIApp | None:
        """Who comes to the page with the token in its address is sent to the address without it, with a cookie."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == _PARAMETER]
        if not given or scope["method"] not in ("GET", "HEAD"):
            return None
        if not hmac.compare_digest(given[0].encode("utf-8", "replace"), token):
            return _unknown()
        rest = urlencode([(name, value) for name, value in query if name != _PARAMETER])
        path = "/" + quote(scope["path"].lstrip("/\\"))
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(_cookie_name(scope), _derived(token), path="/", httponly=True, samesite="strict")
        return answer


def _unknown() -> ASGIApp:
    hint = "open the address with the token in it that `headwater serve` printed; programs send it as `Authorization: Bearer …`"
    return problem(401, "no-token", "a token is needed to ask this server", hint, {"WWW-Authenticate": "Bearer"})


def _derived(token: bytes) -> str:
    return hmac.new(token, b"headwater cookie", hashlib.sha256).hexdigest()


def _cookie_name(scope: Scope) -> str:
    port = (single_header(scope, b"host") or "").rpartition(":")[2]
    return f"headwater-token-{port if port.isdecimal() else 'default'}"


def _cookie(scope: Scope, name: str) -> str | None:
    """A cookie's value; what is no cookie is passed over."""
    for line in headers(scope, b"cookie"):
        for part in line[:_LONGEST_COOKIES].split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value.strip('"')
    return None
