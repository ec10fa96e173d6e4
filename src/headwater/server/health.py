"""Whether the server is well, for those who watch it: says so to anybody, and reveals nothing else; and what it measures."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from headwater.server.guard.request import METRICS
from headwater.server.measures import Measures
from headwater.server.served import AskedStore

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz(store: AskedStore) -> Response:
    """Whether it is up, and its store can be read."""
    state = store.state()
    well = state != "unreadable"
    return JSONResponse({"status": "ok" if well else "failing", "store": state}, 200 if well else 503)


@router.get(METRICS)
def metrics(request: Request) -> Response:
    """What it measures of itself, as Prometheus reads it."""
    measures: Measures = request.app.state.measures
    return Response(measures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
