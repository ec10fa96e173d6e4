"""Defects of our own, met while a program is followed: said like any other problem, at the statement that they cost."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.resolution import Resolution
from headwater.resolve import Session, resolve
from headwater.sql.statement import Statement


def described(error: Exception) -> str:
    """What went wrong and where, for whoever is to repair it; without any text of the script."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {where.name}, line {where.lineno} of {Path(where.filename).name}"


def failed(statement: Statement, error: Exception, session: Session) -> Resolution:
    """The resolution of a statement of which nothing else can be said."""
    problem = Diagnostic(Code.INTERNAL_ERROR, described(error), statement.span)
    return resolve(replace(statement, tree=None, diagnostics=(*statement.diagnostics, problem)), session)
