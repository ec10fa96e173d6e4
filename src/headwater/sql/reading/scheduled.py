"""Statements that run later under a name: CREATE TASK, PIPE, EVENT, SCHEDULED QUERY, FLOW; PREPARE and EXECUTE."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.embedded import embedded_tokens
from headwater.sql.form import ExecutePrepared, NoLineage, Scheduled
from headwater.sql.procedural.form import Dynamic
from headwater.sql.reading.all_rows import all_rows
from headwater.sql.reading.created import creates
from headwater.sql.reading.reading import Reading, is_string, reads, word
from headwater.sql.reading.table_elements import table_elements


@reads("CREATE")
def scheduled(reading: Reading) -> Any:
    """`CREATE TASK t … AS statement`, `CREATE EVENT e … DO statement`, Hive's `CREATE SCHEDULED QUERY`, Databricks' `CREATE FLOW`."""
    kind = creates(reading, "TASK", "PIPE", "EVENT", "SCHEDULED QUERY", "FLOW", "JOB", "DATA LOADER", *_PIPELINES)
    if not kind:
        return None
    name = reading.name()
    if reading.skip_to("EXECUTED", "AS"):
        reading.take("EXECUTED", "AS")
    if reading.skip_to("EXECUTE", "AS", "USER"):
        reading.take("EXECUTE", "AS", "USER")
    before = "DO" if kind in ("EVENT", "JOB") else "AS"
    if not reading.skip_to(before):
        return NoLineage(f"Create {kind.title()}")
    reading.take(before)
    kind = "PIPELINE" if kind in _PIPELINES else kind
    return Scheduled(f"Create {kind.title()}", name, _prepared(reading))


_PIPELINES = ("PIPELINE", "AGGREGATOR PIPELINE")
"""SingleStore's loads that go on and on."""


@reads("SUBMIT")
def submitted(reading: Reading) -> Any:
    """StarRocks' `SUBMIT TASK t SCHEDULE EVERY (INTERVAL 1 DAY) AS statement`; the name may be left out."""
    if not reading.take("SUBMIT"):
        return None
    start = reading.at
    if not reading.skip_to("TASK") or not reading.skip_to("AS"):
        return None
    name = exp.to_table(reading.tokens[start + 1].text)
    reading.take("AS")
    return Scheduled("Submit Task", name, reading.statement(reading.rest()))


@reads("ALTER", first=True)
def rescheduled(reading: Reading) -> Any:
    """Snowflake's `ALTER TASK t MODIFY AS statement`, MySQL's `ALTER EVENT e … DO statement`: what it does from now on."""
    reading.take("ALTER")
    kind = reading.take_any("TASK", "EVENT")
    if not kind:
        return None
    reading.take("IF", "EXISTS")
    name = reading.name()
    before = ("DO",) if kind == "EVENT" else ("MODIFY", "AS")
    if not reading.skip_to(*before):
        return None
    reading.take(*before)
    return Scheduled(f"Alter {kind.title()}", name, reading.statement(reading.rest()))


@reads("CREATE")
def dynamic_table(reading: Reading) -> Any:
    """Snowflake's `CREATE DYNAMIC TABLE t … REFRESH USING (MERGE INTO SELF …)`: SELF is the table."""
    if not creates(reading, "DYNAMIC TABLE"):
        return None
    start = reading.at
    name = reading.name()
    named = reading.tokens[start : reading.at]
    columns = table_elements(reading.brackets(), reading) if reading.at_bracket() else []
    if not reading.skip_to("REFRESH", "USING", "("):
        return None
    reading.take("REFRESH", "USING")
    statement = [t for token in reading.brackets() for t in (named if word(token) == "SELF" else [token])]
    return Scheduled("Create Dynamic Table", name, reading.statement(statement), tuple(columns))


@reads("DECLARE")
def cursor(reading: Reading) -> Any:
    """`DECLARE c CURSOR WITH HOLD FOR SELECT …` (PostgreSQL, Redshift): its rows are those that FETCH will give.

    RisingWave's `DECLARE c SUBSCRIPTION CURSOR FOR s` names the rows of a subscription.
    """
    reading.take("DECLARE")
    reading.name()
    if reading.take("SUBSCRIPTION", "CURSOR", "FOR"):
        return all_rows(reading)
    if not reading.skip_to("CURSOR") or not reading.skip_to("FOR"):
        return None
    reading.take("FOR")
    return reading.statement(reading.rest())


@reads("FETCH", "MOVE")
def fetch(reading: Reading) -> Any:
    """`FETCH NEXT FROM c` outside of a program: the cursor's DECLARE told the rows. `FETCH FIRST 5 ROWS ONLY` is none."""
    return NoLineage("Fetch") if reading.find("ONLY") < 0 else None


@reads("PREPARE")
def prepare(reading: Reading) -> Any:
    """`PREPARE p (int) AS SELECT …` (PostgreSQL, DuckDB), `PREPARE p FROM SELECT …` (Trino), `PREPARE p FROM 'SELECT …'` (MySQL)."""
    reading.take("PREPARE")
    name = reading.name()
    if reading.at_bracket():
        reading.brackets()
    if not reading.take_any("AS", "FROM"):
        return None
    return Scheduled("Prepare", name, _prepared(reading))


def _prepared(reading: Reading) -> Any:
    """The statement that is prepared: as it is written, as a text, or one that a variable holds."""
    tokens = reading.rest()
    if len(tokens) == 1 and is_string(tokens[0]):
        string = tokens[0]
        raw = reading.sql[string.start : string.end + 1]
        return reading.statement(embedded_tokens(string.text, raw, string.start, reading.dialect))
    return Dynamic(reading.expression(tokens)) if reading.word() == "@" else reading.statement(tokens)


@reads("EXECUTE")
def execute(reading: Reading) -> Any:
    """`EXECUTE p`, `EXECUTE p (1, 2)`, `EXECUTE p USING @a`."""
    reading.take("EXECUTE")
    if reading.word() in ("IMMEDIATE", "TASK", "ALERT") or reading.at_bracket():
        return None
    name = reading.name()
    return ExecutePrepared(name) if not reading or reading.at_bracket() or reading.sees("USING") else None
