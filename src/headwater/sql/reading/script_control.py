"""Statements that steer a script and move no data: RAISERROR, WAITFOR, RETURN, cursors opened and closed, backups, checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from headwater.sql.form import Argument, NoLineage, RowsOfProcedure
from headwater.sql.reading.reading import Reading, reads, word


@reads(
    *("RAISERROR", "THROW", "RAISE", "SIGNAL", "RESIGNAL", "ASSERT", "RETURN", "BREAK", "CONTINUE", "LEAVE", "ITERATE"),
    *("GOTO", "WAITFOR", "OPEN", "CLOSE", "DEALLOCATE", "DBCC", "CHECKPOINT", "RECONFIGURE", "SHUTDOWN", "BACKUP"),
    *("UPDATE STATISTICS", "REVERT", "BT", "ET", "LOGOFF"),
)
def steers(reading: Reading) -> Any:
    """Known by its first word."""
    return NoLineage(reading.word().title())


@reads("SAVE")
def savepoint(reading: Reading) -> Any:
    """T-SQL's `SAVE TRANSACTION name`."""
    return NoLineage("Savepoint") if reading.word(1) in ("TRAN", "TRANSACTION") else None


@reads("ALTER")
def alter_session(reading: Reading) -> Any:
    """Oracle's `ALTER SESSION SET CURRENT_SCHEMA = s` is a USE; other settings move no data."""
    reading.take("ALTER")
    kind = reading.take_any("SESSION", "SYSTEM")
    if not kind:
        return None
    if reading.take("SET", "CURRENT_SCHEMA", "="):
        return exp.Use(this=reading.name())
    return NoLineage(f"Alter {kind.title()}")


@reads("INSERT")
def insert_exec(reading: Reading) -> Any:
    """T-SQL's `INSERT INTO t (a) EXEC p 1`."""
    reading.take("INSERT")
    reading.take("INTO")
    target = reading.name()
    if reading.word() == "WITH" and reading.word(1) == "(":  # how the table is locked
        reading.take("WITH")
        reading.brackets()
    columns = tuple(reading.names()) if reading.at_bracket() else ()
    if not reading.take_any("EXEC", "EXECUTE") or reading.at_bracket():
        return None
    procedure = reading.name()
    return RowsOfProcedure(target, procedure, columns, tuple(_arguments(reading)))


def _arguments(reading: Reading) -> Iterator[Argument]:
    """`1, @a = @b`."""
    while reading:
        part = reading.until(",")
        name = f"@{part[1].text}" if len(part) > 3 and word(part[0]) == "@" and part[2].text == "=" else ""
        yield Argument(name, reading.expression(part[3:] if name else part))
        reading.take(",")


@reads("USING")
def using_row(reading: Reading) -> Any:
    """Teradata's `USING (a VARCHAR(10)) INSERT …`: the row that BTEQ imports is in variables."""
    reading.take("USING")
    reading.take("ROW")
    reading.brackets()
    return reading.statement(reading.rest())


@reads("(", first=True)
def parameters_of_query(reading: Reading) -> Any:
    """`(@a date, @b int) INSERT …`: Query Store and plan caches keep a statement behind its parameters."""
    if not reading.dialect.marks_variables or reading.word(1) != "@":
        return None
    reading.brackets()
    return reading.statement(reading.rest()) if reading else NoLineage("Declare")
