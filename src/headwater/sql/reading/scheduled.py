"""Statements that run later under a name: CREATE TASK, PIPE, EVENT, SCHEDULED QUERY, FLOW; PREPARE."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage, Scheduled
from headwater.sql.reading.created import creates
from headwater.sql.reading.reading import Reading, reads, word


@reads("CREATE")
def scheduled(reading: Reading) -> Any:
    """`CREATE TASK t … AS statement`, `CREATE EVENT e … DO statement`, Hive's `CREATE SCHEDULED QUERY`, Databricks' `CREATE FLOW`."""
    kind = creates(reading, "TASK", "PIPE", "EVENT", "SCHEDULED QUERY", "FLOW")
    if not kind:
        return None
    name = reading.name()
    if reading.skip_to("EXECUTED", "AS"):
        reading.take("EXECUTED", "AS")
    before = "DO" if kind == "EVENT" else "AS"
    if not reading.skip_to(before):
        return NoLineage(f"Create {kind.title()}")
    reading.take(before)
    return Scheduled(f"Create {kind.title()}", name, reading.statement(reading.rest()))


@reads("CREATE")
def dynamic_table(reading: Reading) -> Any:
    """Snowflake's `CREATE DYNAMIC TABLE t … REFRESH USING (MERGE INTO SELF …)`: SELF is the table."""
    if not creates(reading, "DYNAMIC TABLE"):
        return None
    start = reading.at
    name = reading.name()
    named = reading.tokens[start : reading.at]
    if not reading.skip_to("REFRESH", "USING", "("):
        return None
    reading.take("REFRESH", "USING")
    statement = [t for token in reading.brackets() for t in (named if word(token) == "SELF" else [token])]
    return Scheduled("Create Dynamic Table", name, reading.statement(statement))


@reads("PREPARE")
def prepare(reading: Reading) -> Any:
    """`PREPARE p (int) AS SELECT …` (PostgreSQL, DuckDB), `PREPARE p FROM SELECT …` (Trino)."""
    reading.take("PREPARE")
    name = reading.name()
    if reading.at_bracket():
        reading.brackets()
    if not reading.take_any("AS", "FROM"):
        return None
    return Scheduled("Prepare", name, reading.statement(reading.rest()))
