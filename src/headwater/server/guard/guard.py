"""All checks, in their order."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from headwater.server.guard.access import AccessLog
from headwater.server.guard.crowd import CrowdLimit
from headwater.server.guard.failure import FailureAnswer
from headwater.server.guard.headers import SecurityHeaders
from headwater.server.guard.host import HostCheck
from headwater.server.guard.origin import OriginCheck
from headwater.server.guard.size import SizeLimit
from headwater.server.guard.time_limit import TimeLimit
from headwater.server.guard.token import TokenCheck
from headwater.server.measures import Measures
from headwater.server.settings import Settings

_WORTH_COMPRESSING = 1000
"""Bytes."""
_QUICKLY = 4
"""Of gzip's levels."""


def guard(app: FastAPI, settings: Settings, measures: Measures) -> None:
    """Put the checks between an application and who asks it; the last one that is added is the first that is met."""
    app.add_middleware(FailureAnswer)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING, compresslevel=_QUICKLY)
    app.add_middleware(TimeLimit, seconds=settings.seconds)
    app.add_middleware(CrowdLimit, most=settings.crowd)
    app.add_middleware(SizeLimit, body=settings.body, query=settings.query)
    app.add_middleware(OriginCheck)
    app.add_middleware(TokenCheck, token=settings.token)
    app.add_middleware(HostCheck, host=settings.host, others=settings.allowed_hosts)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(AccessLog, measures=measures)
