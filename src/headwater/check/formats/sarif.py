"""Findings as SARIF 2.1.0, the exchange format of static analysis."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import quote

from headwater import __version__
from headwater.check.finding import Finding, Where
from headwater.check.rule import Rule
from headwater.check.rules import RULES
from headwater.check.run import Report, Skipped
from headwater.model.diagnostic import Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "headwaterFinding/v1"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_NUMBERS = {name: number for number, name in enumerate(RULES)}

Object = dict[str, Any]


def to_sarif(report: Report) -> str:
    """A report as a SARIF log of one run."""
    return json.dumps(log(report), indent=2)


def log(report: Report) -> Object:
    """A report as plain data in SARIF's terms."""
    driver = {"name": "headwater", "version": __version__, "rules": [_rule(rule) for rule in RULES.values()]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolConfigurationNotifications": [_notification(each) for each in report.skipped],
            }
        ],
        "results": [_result(finding) for finding in report.findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> Object:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _notification(skipped: Skipped) -> Object:
    return {
        "level": "note",
        "message": {"text": f"{skipped.rule} was not checked: {skipped.reason}"},
        "associatedRule": {"id": skipped.rule, "index": _NUMBERS[skipped.rule]},
    }


def _result(finding: Finding) -> Object:
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    result: Object = {
        "ruleId": finding.rule,
        "ruleIndex": _NUMBERS[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"code": finding.code or finding.rule, "subject": finding.subject},
    }
    if finding.where is not None:
        result["locations"] = [{"physicalLocation": _location(finding.where)}]
    return result


def _location(where: Where) -> Object:
    if where.start is None:
        return {"artifactLocation": _artifact(where.path)}
    region: Object = {"startLine": where.start.line, "startColumn": where.start.column}
    if where.end is not None:
        region |= {"endLine": where.end.line, "endColumn": where.end.column}
    return {"artifactLocation": _artifact(where.path), "region": region}


def _artifact(path: str) -> Object:
    """A file, as a uri: below the root of the sources, or an absolute one."""
    if "://" in path:
        return {"uri": quote(os.fsencode(path), safe=":/")}
    plain = os.path.normpath(path).replace(os.sep, "/")
    uri = quote(os.fsencode(plain), safe="/")
    return {"uri": f"file://{uri}"} if plain.startswith("/") else {"uri": uri, "uriBaseId": _ROOT}
