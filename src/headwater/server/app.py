"""The application: the API, the page, and what stands between them and who asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import APIRoute

from headwater import __version__
from headwater.server import health
from headwater.server.api import PREFIX, api
from headwater.server.built_page import page
from headwater.server.guard import guard
from headwater.server.measures import Measures
from headwater.server.playground.analysts import Analysts
from headwater.server.playground.question import Question
from headwater.server.problems import answer_problems
from headwater.server.served import Served
from headwater.server.settings import Settings


def application(store: Path | None = None, settings: Settings | None = None) -> FastAPI:
    """The server of a store, or of the playground alone."""
    settings = settings or Settings()
    app = FastAPI(
        title="Headwater",
        version=__version__,
        summary="Column-level lineage: a store's graph, and the lineage of SQL that somebody types.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation,
        lifespan=_lifespan,
    )
    app.state.served = Served(store)
    app.state.analysts = Analysts(settings.playground)
    app.state.measures = Measures(app.state.analysts, app.state.served)
    for router in (api(), health.router, page()):
        app.include_router(router)
    answer_problems(app)
    guard(app, settings, app.state.measures)
    return app


def _operation(route: APIRoute) -> str:
    """A question is called as its function is."""
    return route.name


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    analysts: Analysts = app.state.analysts
    limits = analysts.limits
    warm_up = Question("SELECT 1", "spark", "", None, "first", "complete", True, True, limits.timeout, limits.memory)
    starting = asyncio.create_task(analysts.start(warm_up))
    yield
    starting.cancel()
    await analysts.stop()
