"""Findings as plain data."""

from __future__ import annotations

import json
from typing import Any

from headwater.check.finding import Finding
from headwater.check.run import Report
from headwater.model.diagnostic import Severity


def to_json(report: Report) -> str:
    """A report as one JSON document."""
    return json.dumps(document(report), indent=2)


def document(report: Report) -> dict[str, Any]:
    """A report as plain data."""
    counts = {severity.value: report.count(severity) for severity in Severity}
    others = {"known": len(report.known), "fixed": report.fixed, "suppressed": report.suppressed}
    return {
        "findings": [_finding(finding) for finding in report.findings],
        "summary": {**counts, **others},
        "skipped": [{"rule": each.rule, "reason": each.reason} for each in report.skipped],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    where, start = finding.where, finding.start
    end = where.end if where else None
    return {
        "rule": finding.rule,
        "code": finding.code or finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint,
        "subject": finding.subject,
        "path": where.path if where else None,
        "line": start.line if start else None,
        "column": start.column if start else None,
        "end_line": end.line if end else None,
        "end_column": end.column if end else None,
        "fingerprint": finding.fingerprint,
    }
