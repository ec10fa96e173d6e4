"""The playground: a script's lineage."""

from __future__ import annotations

from fastapi import APIRouter

from headwater.server.shapes.analysis import AnalyzeAnswer, AnalyzeExport, AnalyzeExportRequest, AnalyzeRequest

router = APIRouter(tags=["playground"])


@router.post("/analyze")
async def analyze(request: AnalyzeRequest) -> AnalyzeAnswer:
    """The lineage of a script."""
    raise NotImplementedError


@router.post("/analyze/export")
async def analyze_export(request: AnalyzeExportRequest) -> AnalyzeExport:
    """The lineage of a script in a format that is text."""
    raise NotImplementedError
