"""Flink's EXECUTE and COMPILE PLAN: what stands before a statement, or before the first one of a set.

A set, `EXECUTE STATEMENT SET BEGIN INSERT …; INSERT …; END`, is cut at its semicolons: each INSERT is a statement of its own, and END has
no data.
"""

from __future__ import annotations

from typing import Any

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.form import NoLineage
from headwater.sql.reading.reading import Reading, reads, span_of

_STATEMENTS = frozenset({"INSERT", "SELECT", "WITH", "VALUES", "CREATE", "UPDATE", "DELETE", "REPLACE"})


@reads("EXECUTE", "COMPILE", first=True)
def executed(reading: Reading) -> Any:
    """`EXECUTE INSERT …`, `EXECUTE STATEMENT SET BEGIN INSERT …`, `COMPILE AND EXECUTE PLAN 'p.json' FOR INSERT …`."""
    if reading.dialect.family != "flink":
        return None
    if not reading.take("EXECUTE") and not _compiled(reading):
        return None
    if reading.sees("PLAN"):
        return _plan(reading)
    if reading.take("STATEMENT", "SET"):
        reading.take("BEGIN")
    return reading.statement(reading.rest()) if reading.word() in _STATEMENTS else None


def _compiled(reading: Reading) -> bool:
    """Step over `COMPILE [AND EXECUTE] PLAN 'p.json' [IF NOT EXISTS] FOR`."""
    reading.take("COMPILE")
    reading.take("AND", "EXECUTE")
    if not reading.take("PLAN"):
        return False
    reading.token()
    reading.take("IF", "NOT", "EXISTS")
    return reading.take("FOR")


def _plan(reading: Reading) -> Any:
    """`EXECUTE PLAN 'p.json'`: what the file plans is not in the script."""
    reading.take("PLAN")
    file = reading.token()
    message = f"the plan in {file.text} is executed, and what it does is not in the script"
    reading.notes.append(Diagnostic(Code.INCLUDED_FILE, message, span_of([file]), file.text))
    return NoLineage("Execute Plan")
