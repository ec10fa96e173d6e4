"""MySQL's conditional comments, `/*!50001 CREATE VIEW … */`: the server runs what is inside them, so their marks become blanks."""

from __future__ import annotations

import re

from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.template import blank

_COMMENT = re.compile(r"(?<!['\"`])(?P<opening>/\*M?!\d*)(?:(?!/\*).)*?(?P<closing>\*/)", re.DOTALL)


def has_conditional_comments(sql: str, dialect: Dialect) -> bool:
    """Whether a script may have conditional comments."""
    return dialect.family == "mysql" and "/*" in sql


def without_marks(sql: str) -> str:
    """A text with the inside of its conditional comments as SQL."""
    found = list(_COMMENT.finditer(sql))
    return blank(sql, [Span(*m.span(mark)) for m in found for mark in ("opening", "closing")]) if found else sql
