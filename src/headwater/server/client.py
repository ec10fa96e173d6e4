"""Which client sent a request: clients share the server fairly."""

from __future__ import annotations

from starlette.types import Scope


def client_of(scope: Scope) -> str:
    """The address of the connection. No header is asked, because anybody can write one."""
    client = scope.get("client")
    return str(client[0]) if client else ""
