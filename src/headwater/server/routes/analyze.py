"""The playground: a script's lineage."""

from __future__ import annotations

import logging

from fastapi import APIRouter, Request, Response

from headwater.server.client import client_of
from headwater.server.playground.analysts import Analysts
from headwater.server.playground.presence import while_present
from headwater.server.playground.question import Defect, Question, Refusal
from headwater.server.problems import Refused
from headwater.server.shapes.analysis import AnalyzeAnswer, AnalyzeExport, AnalyzeExportRequest, AnalyzeRequest

router = APIRouter(tags=["playground"])

_log = logging.getLogger(__name__)


@router.post("/analyze", response_model=AnalyzeAnswer)
async def analyze(request: Request, asked: AnalyzeRequest) -> Response:
    """The lineage of a script."""
    return await _answered(request, asked, None)


@router.post("/analyze/export", response_model=AnalyzeExport)
async def analyze_export(request: Request, asked: AnalyzeExportRequest) -> Response:
    """The lineage of a script in a format that is text; the level, if none is given, is the format's own."""
    return await _answered(request, asked, asked.format)


async def _answered(request: Request, asked: AnalyzeRequest, format: str | None) -> Response:
    analysts: Analysts = request.app.state.analysts
    question = Question(
        text=asked.sql,
        dialect=asked.dialect,
        sources=asked.sources,
        default_schema=asked.default_schema,
        ambiguous=asked.ambiguous,
        level=asked.level if format is None or "level" in asked.model_fields_set else None,
        functions=asked.functions,
        intermediate=asked.intermediate,
        timeout=analysts.limits.timeout,
        memory=analysts.limits.memory,
        format=format,
    )
    answer: bytes | Refusal | Defect = await while_present(request, analysts.ask(question, client_of(request.scope)))
    if isinstance(answer, Refusal):
        raise Refused(413 if answer.code == "too-large" else 400, answer.code, answer.message)
    if isinstance(answer, Defect):
        _log.error("the playground's process failed: %s", answer.where)
        raise Refused(500, "internal", "the script could not be analysed: this is a defect of Headwater")
    return Response(answer, media_type="application/json")
