"""Findings as GitHub's workflow commands, which it shows beside the lines of a pull request."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from headwater.check.finding import Finding
from headwater.check.run import Report
from headwater.model.diagnostic import Severity

_STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github_lines(report: Report) -> Iterator[str]:
    """One command per finding."""
    return map(github_command, report.findings)


def github_command(finding: Finding) -> str:
    """The command that shows a finding."""
    properties = [*_place(finding), ("title", f"headwater: {finding.code or finding.rule}")]
    told = ",".join(f"{name}={_property(value)}" for name, value in properties)
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(message)}"


def _place(finding: Finding) -> Iterator[tuple[str, str]]:
    where = finding.where
    if where is None:
        return
    yield "file", where.path if "://" in where.path else os.path.normpath(where.path).replace(os.sep, "/")
    if where.start is None:
        return
    yield "line", str(where.start.line)
    yield "col", str(where.start.column)
    if where.end is not None:
        yield "endLine", str(where.end.line)
    if where.end is not None and where.end.line == where.start.line:
        yield "endColumn", str(where.end.column)


def _data(text: str) -> str:
    """A message: what would end the command is spelled out; what no stream can write, or would steer a terminal, is replaced."""
    writable = _STEERING.sub("\N{REPLACEMENT CHARACTER}", text.encode("utf-8", "replace").decode())
    return writable.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A property's value: what would end it is spelled out too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
