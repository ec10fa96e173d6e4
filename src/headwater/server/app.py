"""The application: the API, the page, and what stands between them and who asks."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI
from fastapi.routing import APIRoute

from headwater import __version__
from headwater.server import health
from headwater.server.answers.quality import coverage
from headwater.server.api import PREFIX, api
from headwater.server.built_page import page
from headwater.server.guard import guard
from headwater.server.measures import Measures
from headwater.server.memory import Trimming
from headwater.server.playground.analysts import Analysts
from headwater.server.playground.question import Question
from headwater.server.problems import answer_problems
from headwater.server.served import Served
from headwater.server.settings import Settings
from headwater.store import StoreError


def application(store: str | os.PathLike[str] | None = None, settings: Settings | None = None) -> FastAPI:
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
    starting = asyncio.create_task(analysts.start(Question.empty(analysts.limits)))
    warming = asyncio.create_task(asyncio.to_thread(_warmed, app.state.served))
    measures: Measures = app.state.measures
    trimming = asyncio.create_task(Trimming(lambda: measures.answered).run())
    yield
    starting.cancel()
    trimming.cancel()
    await analysts.stop()
    await asyncio.gather(warming, return_exceptions=True)


def _warmed(served: Served) -> None:
    """Make ready what the first questions need, before somebody asks; what is wrong with the store, who asks is told.

    What is in memory then stays there: Python need not look through it again and again for what can be freed, which would hold all answers
    up for a tenth of a second.
    """
    with suppress(StoreError, OSError):
        served.warm()
        if served.store is not None:
            coverage(served.graph())
    gc.collect()
    gc.freeze()
