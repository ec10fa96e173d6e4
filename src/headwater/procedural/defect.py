"""What ends the work on a program's statement, a defect of ours or a limit: said like any other problem, at the statement that it costs."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.model.work import TooLarge
from headwater.resolve import Session, resolve
from headwater.sql.statement import Statement


def described(error: Exception | TooLarge, span: Span) -> Diagnostic:
    """What went wrong and, for whoever is to repair it, where; without any text of the script."""
    if isinstance(error, TooLarge):
        return Diagnostic(Code.TOO_LARGE, error.message, span, hint=error.hint)
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__} in {where.name}, line {where.lineno} of {Path(where.filename).name}"
    return Diagnostic(Code.INTERNAL_ERROR, message, span)


def failed(statement: Statement, error: Exception | TooLarge, session: Session) -> Resolution:
    """The resolution of a statement of which nothing else can be said."""
    diagnostics = (*statement.diagnostics, described(error, statement.span))
    return resolve(replace(statement, tree=None, diagnostics=diagnostics), session)
