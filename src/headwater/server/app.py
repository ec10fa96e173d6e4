"""The application: the API, the page, and what stands between them and who asks."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from headwater import __version__
from headwater.server.api import api
from headwater.server.served import Served


def application(store: Path | None = None) -> FastAPI:
    """The server of a store, or of the playground alone."""
    app = FastAPI(title="Headwater", version=__version__, docs_url=None, redoc_url=None)
    app.state.served = Served(store)
    app.include_router(api())
    return app
