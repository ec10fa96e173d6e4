"""What the checks read of a request."""

from __future__ import annotations

from starlette.types import Scope

from headwater.server.api import ROOT

METRICS = "/metrics"


def headers(scope: Scope, name: bytes) -> list[str]:
    """The values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def single_header(scope: Scope, name: bytes) -> str | None:
    """The value of a header that must be there once; None if it is not, or more than once."""
    found = headers(scope, name)
    return found[0] if len(found) == 1 else None


def is_question(scope: Scope) -> bool:
    """Whether something about the store, or an analysis, is asked: everything but the page itself, and whether the server is well."""
    path: str = scope["path"]
    return path in (METRICS, ROOT) or path.startswith(f"{ROOT}/")
