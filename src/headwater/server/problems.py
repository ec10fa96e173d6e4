"""What is answered where there is no answer: every exception that a question may end in, as a `Problem`.

Messages say what to do, and hold no more of the machine than who asks may know: what is wrong with the store itself goes to the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from headwater.budget.process import Failed, Unavailable
from headwater.export.format import ExportError
from headwater.graph import UnknownName
from headwater.model.diagnostic import Code
from headwater.server.playground.presence import Gone
from headwater.server.playground.turns import Busy
from headwater.server.served import NoStore
from headwater.server.shapes.problem import Problem
from headwater.store import NoSnapshot, StoreError

_log = logging.getLogger(__name__)

_TOLD = 5
"""Parameters that are not as they have to be, of which one answer tells."""
_GONE = 499
"""Whoever asked has gone away; nobody reads it but the log."""


class Refused(Exception):
    """A question that is not answered, with what is said."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.answer = problem(status, code, message, hint, headers)


def problem(
    status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """A problem as an answer."""
    content = Problem(code=code, message=message, hint=hint).model_dump()
    return JSONResponse(content, status, headers=dict(headers) if headers else None)


def out_of_time(seconds: float) -> JSONResponse:
    """What is answered when a question takes too long."""
    return problem(503, "out-of-time", f"there was no answer within {seconds:g} seconds", "ask for less, or try again")


def internal() -> JSONResponse:
    """What is answered to a defect of ours: nothing about it, for that is in the log."""
    return problem(500, "internal", "something went wrong here: this is a defect of Headwater", "see the server's log")


def answer_problems(app: FastAPI) -> None:
    """Have an application answer exceptions with problems."""

    def answered(kind: type[Exception], answer: Any) -> None:
        async def handle(request: Request, error: Exception) -> Response:
            found: Response = answer(error)
            return found

        app.add_exception_handler(kind, handle)

    answered(Refused, lambda error: error.answer)
    answered(UnknownName, lambda error: problem(404, "unknown-name", str(error)))
    answered(NoStore, _no_store)
    answered(NoSnapshot, lambda error: problem(404, "no-snapshot", str(error)))
    answered(StoreError, _store)
    answered(ExportError, lambda error: problem(400, "bad-request", str(error)))
    answered(RequestValidationError, _invalid)
    answered(HTTPException, _http)
    answered(Busy, lambda error: _busy())
    answered(Unavailable, lambda error: _busy())
    answered(Failed, _failed)
    answered(Gone, lambda error: Response(status_code=_GONE))


def _no_store(error: Exception) -> Response:
    return problem(
        404, "no-store", "only the playground is served here", "start it with a store: headwater serve STORE"
    )


def _store(error: Exception) -> Response:
    _log.error("the store cannot be read: %s", error)
    return problem(503, "store", "the store cannot be read now", "see the server's log")


def _busy() -> Response:
    message = "too many scripts are being analysed"
    return problem(503, "busy", message, "try again in a moment", {"Retry-After": "2"})


_FAILURES = {
    Code.TIMEOUT: (
        "out-of-time",
        "the script was not analysed in time",
        "take it apart, or serve with a longer --timeout",
    ),
    Code.OUT_OF_MEMORY: ("out-of-memory", "the script needs more memory than it may have", "take it apart"),
}


def _failed(error: Exception) -> Response:
    assert isinstance(error, Failed)
    died = ("crashed", "the process that analysed the script died", "report it with the script")
    return problem(503, *_FAILURES.get(error.code, died))


def _invalid(error: Exception) -> Response:
    """Which parameter is wrong, and how; never its value, which may be anything."""
    assert isinstance(error, RequestValidationError)
    found: Sequence[Any] = error.errors()
    told = [f"{_parameter(each['loc'])}: {_plain(each['msg'])}" for each in found[:_TOLD]]
    more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    return problem(422, "bad-parameter", "; ".join(told) + more)


def _parameter(where: Sequence[Any]) -> str:
    """`limit`, or `the body's sql`."""
    place, *names = map(str, where)
    if place == "body":
        return f"the body's {'.'.join(names)}"[:200] if names else "the body"
    return ".".join(names)[:200] or place


def _plain(message: str) -> str:
    """Pydantic's sentence as a part of one."""
    return (message[:1].lower() + message[1:]).removeprefix("input ").removeprefix("value error, ")


_STATUS_CODES = {400: "bad-request", 404: "not-found", 405: "wrong-method", 413: "too-large"}


def _http(error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _STATUS_CODES.get(error.status_code, "bad-request")
    said = str(error.detail) or HTTPStatus(error.status_code).phrase
    message = "there is nothing at this address" if error.status_code == 404 else _plain(said)
    return problem(error.status_code, code, message, headers=error.headers)
