"""Oracle's `INSERT … LOG ERRORS [INTO e] [('tag')] [REJECT LIMIT n]`: rows that are rejected go to a table of their own."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.form import LogErrors
from headwater.sql.reading.reading import Reading, reads, span_of, word

_PREFIX, _KEPT = "ERR$_", 25
"""The table that DBMS_ERRLOG makes has this prefix and so many characters of the table's own name."""


@reads("INSERT", "UPDATE", "DELETE", "MERGE", first=True)
def log_errors(reading: Reading) -> Any:
    """The statement, and the table that gets the rejected rows; each clause of INSERT ALL is left out and named."""
    if reading.dialect.family != "oracle":
        return None
    start = reading.find("LOG", "ERRORS")
    if start < 0:
        return None
    statement, reading.at = list(reading.tokens[:start]), start + 2
    table = reading.name() if reading.take("INTO") else None
    if reading.at_bracket():
        reading.brackets()
    if reading.take("REJECT", "LIMIT"):
        reading.token()
    if not reading:
        tree = reading.statement(statement)
        return LogErrors(tree, table if table is not None else _default(tree))
    span = span_of(reading.tokens[start : reading.at])
    message = "the table that gets the rejected rows is not followed"
    reading.notes.append(Diagnostic(Code.SKIPPED_CLAUSE, message, span, word(reading.tokens[start])))
    return reading.statement([*statement, *reading.rest()])


def _default(tree: Any) -> Any:
    """The table that DBMS_ERRLOG makes for the written one, if nothing else is said."""
    target = tree.this.find(exp.Table) if isinstance(tree, exp.Expr) and isinstance(tree.this, exp.Expr) else None
    if target is None:
        return None
    table = exp.Table(this=target.this.copy(), db=target.args.get("db"))
    table.this.set("this", f"{_PREFIX}{target.name[:_KEPT]}")
    return table
