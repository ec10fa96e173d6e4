"""The API under `/api/v1`: all its questions together."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from headwater.server.routes import about, analyze, changes, lineage, quality, scripts, search, tables
from headwater.server.shapes.problem import Problem

ROOT = "/api"
PREFIX = f"{ROOT}/v1"

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The question makes no sense."},
    401: {"model": Problem, "description": "A token is needed."},
    403: {"model": Problem, "description": "From this page, or for this host, nothing is answered."},
    404: {"model": Problem, "description": "There is no such thing."},
    413: {"model": Problem, "description": "The request is too large."},
    422: {"model": Problem, "description": "A parameter is not as it has to be."},
    500: {"model": Problem, "description": "A defect of Headwater."},
    503: {"model": Problem, "description": "Too busy, or out of time: try again."},
}


def api() -> APIRouter:
    """All questions."""
    router = APIRouter(prefix=PREFIX, responses=_PROBLEMS)
    for each in (about, analyze, search, tables, lineage, changes, quality, scripts):
        router.include_router(each.router)
    return router
